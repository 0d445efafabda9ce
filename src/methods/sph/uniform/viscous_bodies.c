#include "sph/uniform/viscous_bodies.h"

#include "sph/core/body_rows.h"

#include <math.h>
#include <string.h>

/* Whose drag particle i feels: the nearest wall's, as in core/move.c. */
static uint32_t dragging_body(const sph *s, size_t i)
{
    solid_contact c;
    solids_distance(&s->sim.solids, s->particles.position[i], s->sim.time, &c);
    return c.solid < SOLID_DOMAIN ? s->sim.bodies.of_solid[c.solid] : BODY_NONE;
}

static drag_row row_of(const sph *s, uint32_t i, uint32_t body, double rate_scale)
{
    const float *wall = s->step.wall[i];
    const rill_vec3 n = v3_unit(v3((double)wall[0], (double)wall[1], (double)wall[2]));
    const rill_vec3 arm = v3_sub(s->particles.position[i], s->sim.bodies.before[body].center);
    drag_row r = {.particle = i,
                  .body = body,
                  .rate = (float)(rate_scale * (double)s->step.drag[i]),
                  .normal = {(float)n.x, (float)n.y, (float)n.z}};
    for (int c = 0; c < BODY_FREEDOMS; c++) {
        const double(*root)[BODY_FREEDOMS] = (const double(*)[BODY_FREEDOMS])s->bodies.root[body];
        const rill_vec3 w = v3_add(v3(root[0][c], root[1][c], root[2][c]),
                                   v3_cross(v3(root[3][c], root[4][c], root[5][c]), arm));
        const double scale = sqrt(s->model.mass);
        r.w[c][0] = (float)(scale * w.x), r.w[c][1] = (float)(scale * w.y), r.w[c][2] = (float)(scale * w.z);
    }
    return r;
}

rill_status viscous_bodies_find(sph *s, double rate_scale, viscous_bodies *out)
{
    viscous_bodies b = {.s = s};
    rill_arena *arena = &s->bodies.arena;
    const uint32_t bodies = s->sim.bodies.count;
    uint32_t *body;
    *out = b;
    if (s->bodies.count == 0 || !s->step.drag) return RILL_OK;
    TRY(ARENA_NEW(arena, body, s->particles.count + 1));
    TRY(ARENA_NEW(arena, b.first, (size_t)bodies + 2));
    memset(b.first, 0, ((size_t)bodies + 2) * sizeof *b.first);
    for (size_t i = 0; i < s->particles.count; i++) {
        body[i] = s->step.drag[i] > 0 ? dragging_body(s, i) : BODY_NONE;
        if (body[i] != BODY_NONE) b.first[body[i] + 2]++;
    }
    for (uint32_t k = 0; k < bodies; k++) b.first[k + 2] += b.first[k + 1];
    b.count = b.first[bodies + 1];
    TRY(ARENA_NEW(arena, b.row, b.count + 1));
    for (size_t i = 0; i < s->particles.count; i++)
        if (body[i] != BODY_NONE) b.row[b.first[body[i] + 1]++] = row_of(s, (uint32_t)i, body[i], rate_scale);
    for (int k = 0; k < VISCOUS_VECTORS; k++) {
        TRY(ARENA_NEW(arena, b.y[k], bodies));
        memset(b.y[k], 0, bodies * sizeof *b.y[k]);
    }
    *out = b;
    return RILL_OK;
}

/* The part of v along the wall, times the rate. */
static rill_vec3 dragged(const drag_row *r, rill_vec3 v)
{
    const rill_vec3 n = v3((double)r->normal[0], (double)r->normal[1], (double)r->normal[2]);
    return v3_scale(v3_madd(v, -v3_dot(v, n), n), (double)r->rate);
}

static rill_vec3 velocity_by(const drag_row *r, const double y[BODY_FREEDOMS])
{
    rill_vec3 v = {0, 0, 0};
    for (int c = 0; c < BODY_FREEDOMS; c++)
        v = v3_madd(v, y[c], v3((double)r->w[c][0], (double)r->w[c][1], (double)r->w[c][2]));
    return v;
}

static void add_to(const drag_row *r, rill_vec3 force, double out[BODY_FREEDOMS])
{
    for (int c = 0; c < BODY_FREEDOMS; c++)
        out[c] += (double)r->w[c][0] * force.x + (double)r->w[c][1] * force.y + (double)r->w[c][2] * force.z;
}

static double square_of(const viscous_bodies *b, int vector)
{
    double sum = 0;
    for (uint32_t k = 0; b->count && k < b->s->sim.bodies.count; k++)
        for (int c = 0; c < BODY_FREEDOMS; c++) sum += b->y[vector][k][c] * b->y[vector][k][c];
    return sum;
}

double viscous_bodies_start(viscous_bodies *b)
{
    const sph *s = b->s;
    for (size_t n = 0; n < b->count; n++) {
        const drag_row *r = &b->row[n];
        const rill_vec3 wall =
            rigid_body_velocity(&s->sim.bodies.world.body[r->body], s->particles.position[r->particle]);
        add_to(r, dragged(r, v3_sub(s->particles.velocity[r->particle], wall)),
               b->y[VISCOUS_RESIDUAL][r->body]);
    }
    for (uint32_t k = 0; b->count && k < s->sim.bodies.count; k++)
        memcpy(b->y[VISCOUS_DIRECTION][k], b->y[VISCOUS_RESIDUAL][k], sizeof b->y[0][k]);
    return square_of(b, VISCOUS_RESIDUAL);
}

double viscous_bodies_apply(viscous_bodies *b, const float (*direction)[4], float (*image)[4])
{
    double dot = 0;
    for (uint32_t k = 0; b->count && k < b->s->sim.bodies.count; k++)
        memcpy(b->y[VISCOUS_IMAGE][k], b->y[VISCOUS_DIRECTION][k], sizeof b->y[0][k]);
    for (size_t n = 0; n < b->count; n++) {
        const drag_row *r = &b->row[n];
        const float *p = direction[r->particle];
        const rill_vec3 own = v3((double)p[0], (double)p[1], (double)p[2]),
                        wall = velocity_by(r, b->y[VISCOUS_DIRECTION][r->body]), by_wall = dragged(r, wall);
        float *to = image[r->particle];
        to[0] -= (float)by_wall.x, to[1] -= (float)by_wall.y, to[2] -= (float)by_wall.z;
        dot -= v3_dot(own, by_wall);
        add_to(r, dragged(r, v3_sub(wall, own)), b->y[VISCOUS_IMAGE][r->body]);
    }
    for (uint32_t k = 0; b->count && k < b->s->sim.bodies.count; k++)
        for (int c = 0; c < BODY_FREEDOMS; c++)
            dot += b->y[VISCOUS_DIRECTION][k][c] * b->y[VISCOUS_IMAGE][k][c];
    return dot;
}

void viscous_bodies_advance(viscous_bodies *b, double alpha, double sum[2])
{
    for (uint32_t k = 0; b->count && k < b->s->sim.bodies.count; k++)
        for (int c = 0; c < BODY_FREEDOMS; c++) {
            b->y[VISCOUS_CHANGE][k][c] += alpha * b->y[VISCOUS_DIRECTION][k][c];
            b->y[VISCOUS_RESIDUAL][k][c] -= alpha * b->y[VISCOUS_IMAGE][k][c];
        }
    sum[0] += square_of(b, VISCOUS_RESIDUAL);
    sum[1] += square_of(b, VISCOUS_CHANGE);
}

void viscous_bodies_turn(viscous_bodies *b, double beta)
{
    for (uint32_t k = 0; b->count && k < b->s->sim.bodies.count; k++)
        for (int c = 0; c < BODY_FREEDOMS; c++)
            b->y[VISCOUS_DIRECTION][k][c] =
                b->y[VISCOUS_RESIDUAL][k][c] + beta * b->y[VISCOUS_DIRECTION][k][c];
}

/* The force on a body that is held: no y tells it. */
static void push_held(viscous_bodies *b, uint32_t body, const float (*change)[4])
{
    sph *s = b->s;
    const rigid_body *held = &s->sim.bodies.world.body[body];
    double impulse[BODY_FREEDOMS] = {0};
    for (size_t n = b->first[body]; n < b->first[body + 1]; n++) {
        const drag_row *r = &b->row[n];
        const rill_vec3 x = s->particles.position[r->particle];
        const float *d = change[r->particle];
        const rill_vec3 v =
            v3_add(s->particles.velocity[r->particle], v3((double)d[0], (double)d[1], (double)d[2]));
        const rill_vec3 f = v3_scale(dragged(r, v3_sub(v, rigid_body_velocity(held, x))), s->model.mass);
        const rill_vec3 turn = v3_cross(v3_sub(x, held->center), f);
        const double all[BODY_FREEDOMS] = {f.x, f.y, f.z, turn.x, turn.y, turn.z};
        for (int c = 0; c < BODY_FREEDOMS; c++) impulse[c] += all[c];
    }
    body_rows_push(s, body, impulse);
}

void viscous_bodies_finish(viscous_bodies *b, const float (*change)[4])
{
    sph *s = b->s;
    for (uint32_t k = 0; b->count && k < s->sim.bodies.count; k++) {
        const rigid_body *body = &s->sim.bodies.world.body[k];
        double mass[BODY_FREEDOMS][BODY_FREEDOMS], impulse[BODY_FREEDOMS] = {0};
        if (body->held) {
            push_held(b, k, change);
            continue;
        }
        /* M root sqrt(m) y: bodies_push makes root sqrt(m) y of it */
        rigid_body_mass(body, mass);
        for (int r = 0; r < BODY_FREEDOMS; r++)
            for (int l = 0; l < BODY_FREEDOMS; l++)
                for (int c = 0; c < BODY_FREEDOMS; c++)
                    impulse[r] += mass[r][l] * s->bodies.root[k][l][c] * sqrt(s->model.mass) *
                                  b->y[VISCOUS_CHANGE][k][c];
        body_rows_push(s, k, impulse);
    }
}
