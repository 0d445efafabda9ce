/* Rigid bodies that the fluid moves, [Klingner06] 3.4: their places, and the forces that are not pressure.
 *
 * Weight is that of the body less that of the fluid in its place, since the pressure is the reduced one
 * (errata E-K8): buoyancy is exact. The gyroscopic term is here as well (errata E-K4). */
#include "tets/state.h"

#include <string.h>

static rill_vec3 turned(const rill_vec3 column[3], rill_vec3 a)
{
    return v3_add(v3_add(v3_scale(column[0], a.x), v3_scale(column[1], a.y)), v3_scale(column[2], a.z));
}

void tets_bodies_clear(tets *s)
{
    rill_ctx *ctx = s->sim.ctx;
    mem_free(ctx, s->bodies.body);
    mem_free(ctx, s->bodies.solid);
    mem_free(ctx, s->bodies.rest);
    mem_free(ctx, s->bodies.center);
    mem_free(ctx, s->bodies.inertia);
    mem_free(ctx, s->bodies.turn);
    s->bodies = (tets_bodies){0};
}

rill_status tets_add_body(rill_sim *sim, uint32_t solid, const rigid_body *body)
{
    tets *s = tets_of(sim);
    tets_bodies *b = &s->bodies;
    rill_ctx *ctx = sim->ctx;
    if (solid >= s->walls.count) return rill_fail(ctx, RILL_USAGE, "the scene has no solid %u", solid);
    if (s->walls.at[solid].moves)
        return rill_fail(ctx, RILL_USAGE, "solid %u has a motion of its own or is a body already", solid);
    if (!(body->mass > 0)) return rill_fail(ctx, RILL_USAGE, "a body has no positive mass");
    const size_t need = (size_t)b->count + 1;
    TRY(mem_grow(ctx, &b->body, sizeof *b->body, &b->capacity[0], need));
    TRY(mem_grow(ctx, &b->solid, sizeof *b->solid, &b->capacity[1], need));
    TRY(mem_grow(ctx, &b->rest, sizeof *b->rest, &b->capacity[2], need));
    TRY(mem_grow(ctx, &b->center, sizeof *b->center, &b->capacity[3], need));
    TRY(mem_grow(ctx, &b->inertia, sizeof *b->inertia, &b->capacity[4], need));
    TRY(mem_grow(ctx, &b->turn, sizeof *b->turn, &b->capacity[5], need));
    b->body[b->count] = *body;
    b->solid[b->count] = solid;
    b->rest[b->count] = s->walls.at[solid].place;
    b->center[b->count] = body->center;
    memcpy(b->inertia[b->count], body->inertia, sizeof body->inertia);
    for (int k = 0; k < 3; k++) b->turn[b->count][k] = v3(k == 0, k == 1, k == 2);
    b->count++;
    tets_bodies_place(s, &s->walls);
    tets_boundary(s, tets_now(s), sim->time);
    return RILL_OK;
}

const rigid_body *tets_body(const rill_sim *sim, uint32_t k)
{
    const tets *s = tets_view_of(sim);
    return k < s->bodies.count ? &s->bodies.body[k] : NULL;
}

/* A box around a place that moved: all of the ball that the rest place's box fits into. */
static rill_box moved_bounds(const solid_place *rest, rill_vec3 about, rill_vec3 to)
{
    double radius = 0;
    for (int k = 0; k < 8; k++) {
        const rill_box *b = &rest->bounds;
        const rill_vec3 corner =
            v3(k & 1 ? b->max.x : b->min.x, k & 2 ? b->max.y : b->min.y, k & 4 ? b->max.z : b->min.z);
        radius = fmax(radius, v3_distance(corner, about));
    }
    return box_grown((rill_box){to, to}, radius);
}

void tets_bodies_place(const tets *s, walls *w)
{
    const tets_bodies *b = &s->bodies;
    for (uint32_t k = 0; k < b->count; k++) {
        wall *a = &w->at[b->solid[k]];
        const solid_place *rest = &b->rest[k];
        for (int i = 0; i < 3; i++) a->place.pose.row[i] = turned(b->turn[k], rest->pose.row[i]);
        a->place.pose.translate =
            v3_add(b->body[k].center, turned(b->turn[k], v3_sub(rest->pose.translate, b->center[k])));
        a->place.bounds = moved_bounds(rest, b->center[k], b->body[k].center);
        a->place.velocity = b->body[k].velocity;
        a->place.spin = b->body[k].spin;
        a->place.center = b->body[k].center;
        a->moves = true;
        a->body = k;
    }
}

/* Rodrigues' formula. */
static rill_vec3 about_axis(rill_vec3 axis, double angle, rill_vec3 a)
{
    const double c = cos(angle), s = sin(angle);
    return v3_add(v3_scale(a, c),
                  v3_add(v3_scale(v3_cross(axis, a), s), v3_scale(axis, (1 - c) * v3_dot(axis, a))));
}

void tets_bodies_move(tets *s, double dt)
{
    tets_bodies *b = &s->bodies;
    for (uint32_t k = 0; k < b->count; k++) {
        rigid_body *body = &b->body[k];
        const double angle = dt * v3_length(body->spin);
        const rill_vec3 axis = v3_unit(body->spin);
        if (body->constraint == BODY_FREE)
            body->center = v3_madd(body->center, dt, body->velocity);
        else /* about the hinge or pin, exactly */
            body->center = v3_add(body->point, about_axis(axis, angle, v3_sub(body->center, body->point)));
        rill_vec3 *r = b->turn[k];
        for (int i = 0; i < 3; i++) r[i] = about_axis(axis, angle, r[i]);
        r[0] = v3_unit(r[0]); /* stays a rotation */
        r[1] = v3_unit(v3_madd(r[1], -v3_dot(r[0], r[1]), r[0]));
        r[2] = v3_cross(r[0], r[1]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0; /* R I R^T */
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        sum += v3_axis(r[p], i) * b->inertia[k][p][q] * v3_axis(r[q], j);
                body->inertia[i][j] = sum;
            }
    }
}

/* Volume of a body by its faces in the mesh. */
static double displaced(const tets_state *a, uint32_t k, rill_vec3 about)
{
    const fv_mesh *fv = &a->mesh.fv;
    double volume = 0;
    for (uint32_t f = fv->inner_count; f < fv->face_count; f++) {
        const fv_boundary *b = &fv->boundary[f - fv->inner_count];
        if (b->kind == FV_BODY && b->body == k) /* outward of the fluid is into the body */
            volume -= v3_dot(fv->face[f].area, v3_sub(fv->face[f].centroid, about)) / 3;
    }
    return volume;
}

static bool solve3(const double m[3][3], rill_vec3 b, rill_vec3 *out)
{
    const rill_vec3 c0 = v3(m[0][0], m[1][0], m[2][0]), c1 = v3(m[0][1], m[1][1], m[2][1]),
                    c2 = v3(m[0][2], m[1][2], m[2][2]);
    const double det = v3_dot(c0, v3_cross(c1, c2));
    if (!(fabs(det) > 0)) return false;
    *out = v3_scale(v3(v3_dot(b, v3_cross(c1, c2)), v3_dot(c0, v3_cross(b, c2)), v3_dot(c0, v3_cross(c1, b))),
                    1 / det);
    return true;
}

void tets_bodies_forces(tets *s, const tets_state *a, double t, double dt)
{
    const rill_vec3 g = scene_gravity(s->sim.scene, t + dt / 2);
    for (uint32_t k = 0; k < s->bodies.count; k++) {
        rigid_body *b = &s->bodies.body[k];
        double m[BODY_FREEDOMS][BODY_FREEDOMS], root[BODY_FREEDOMS][BODY_FREEDOMS], motion[BODY_FREEDOMS];
        const double weight = b->mass - s->sim.scene->fluid.density * displaced(a, k, b->center);
        const rill_vec3 force = v3_scale(g, weight);
        rill_vec3 spun = {0, 0, 0}, gyro;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                v3_set_axis(&spun, i, v3_axis(spun, i) + b->inertia[i][j] * v3_axis(b->spin, j));
        if (solve3((const double(*)[3])b->inertia, v3_cross(b->spin, spun), &gyro))
            b->spin = v3_madd(b->spin, -dt, gyro);
        rigid_body_mass(b, m);
        if (!rigid_body_root(b, (const double(*)[BODY_FREEDOMS])m, root)) continue;
        rigid_body_motion(b, motion);
        /* The force acts at the centre of mass: a torque about hinges comes from the root itself. */
        const double load[BODY_FREEDOMS] = {force.x, force.y, force.z, 0, 0, 0};
        for (int i = 0; i < BODY_FREEDOMS; i++)
            for (int j = 0; j < BODY_FREEDOMS; j++)
                for (int c = 0; c < BODY_FREEDOMS; c++) motion[i] += dt * root[i][c] * root[j][c] * load[j];
        rigid_body_set_motion(b, motion);
    }
}
