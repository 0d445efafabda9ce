/* Bodies in the viscous system (viscosity.h).
 *
 * A face that a body holds moves with it: u = J (V + root z), a row of J being (n, r x n) of the face. The
 * sum that is minimised then has 1/2 z^T z for each body, its kinetic energy over the mass of a cell, with
 * root root^T that mass times M^-1 in the freedoms that joints leave. Stress at held faces is what the body
 * gets: drag and the liquid's loss are the same numbers with opposite signs, and a body as light as the
 * liquid allows is no harder than a heavy one, as z is solved for with the velocities. */
#include "grid/viscosity.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { F = BODY_FREEDOMS };

/* The face's row of J. */
static void face_row(const grid *s, const rigid_body *b, uint32_t tile, int c, int a, double row[F])
{
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    rill_vec3 n = {0, 0, 0},
              x = v3_madd(corner, s->h,
                          v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.layers == 1 ? 0 : c / 64 + 0.5));
    v3_set_axis(&x, a, v3_axis(corner, a) + (a == 0 ? c % 8 : a == 1 ? c / 8 % 8 : c / 64) * s->h);
    v3_set_axis(&n, a, 1);
    rill_vec3 r = v3_sub(x, b->center);
    if (b->planar) r.z = 0;
    const rill_vec3 turning = v3_cross(r, n);
    for (int k = 0; k < 3; k++) {
        row[k] = v3_axis(n, k);
        row[3 + k] = v3_axis(turning, k);
    }
}

float grid_drag_speed(const grid *s, uint32_t body, uint32_t tile, int c, int a)
{
    const rigid_body *b = &s->sim.bodies.world.body[body];
    double row[F], motion[F], sum = 0;
    face_row(s, b, tile, c, a, row);
    rigid_body_motion(b, motion);
    for (int k = 0; k < F; k++) sum += row[k] * motion[k];
    return (float)(sum - v3_axis(s->frame, a));
}

/* Faces held by bodies, in the order of tiles. Two passes: how many, and what they are. */
static size_t list_faces(viscous *v, bool counting)
{
    const grid *s = v->s;
    const size_t cells = (size_t)s->tiles.cells;
    size_t count = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        if (!s->field.walled[t]) continue;
        for (int a = 0; a < s->tiles.dimensions; a++)
            for (size_t c = 0; c < cells; c++) {
                const size_t i = t * cells + c;
                if (v->hold[a][i] != FACE_HELD || v->owner[a][i] == BODY_NONE) continue;
                if (!counting) {
                    viscous_face *f = &v->face[count];
                    *f = (viscous_face){.at = i, .tile = t, .axis = a, .body = v->owner[a][i]};
                    double row[F];
                    face_row(s, &s->sim.bodies.world.body[f->body], t, (int)c, a, row);
                    for (int k = 0; k < F; k++)
                        for (int m = 0; m < F; m++) f->row[k] += row[m] * v->body[f->body].root[m][k];
                    memcpy(f->plain, row, sizeof row);
                }
                count++;
            }
    }
    return count;
}

rill_status grid_drag_build(viscous *v)
{
    grid *s = v->s;
    const body_set *bodies = &s->sim.bodies;
    if (bodies->count == 0) return RILL_OK;
    const double scale = sqrt(s->sim.scene->fluid.density * pow(s->h, s->tiles.dimensions));
    TRY(ARENA_NEW(&s->sorting, v->body, bodies->count));
    memset(v->body, 0, bodies->count * sizeof *v->body);
    for (uint32_t b = 0; b < bodies->count; b++) {
        double mass[F][F];
        rigid_body_mass(&bodies->world.body[b], mass);
        if (!rigid_body_root(&bodies->world.body[b], (const double(*)[F])mass, v->body[b].root))
            memset(v->body[b].root, 0, sizeof v->body[b].root);
        for (int r = 0; r < F; r++)
            for (int c = 0; c < F; c++) v->body[b].root[r][c] *= scale;
    }
    v->faces = list_faces(v, true);
    TRY(ARENA_NEW(&s->sorting, v->face, v->faces));
    list_faces(v, false);
    /* 1, and what the faces' stresses add along each freedom, without what they have in common. */
    for (uint32_t b = 0; b < bodies->count; b++)
        for (int k = 0; k < F; k++) v->body[b].diagonal[k] = 1;
    for (size_t i = 0; i < v->faces; i++) {
        const viscous_face *f = &v->face[i];
        for (int k = 0; k < F; k++)
            v->body[f->body].diagonal[k] += (double)v->diagonal[f->axis][f->at] * f->row[k] * f->row[k];
    }
    v->bodies = v->faces ? bodies->count : 0;
    return RILL_OK;
}

void grid_drag_spread(const viscous *v)
{
    for (size_t i = 0; i < v->faces; i++) {
        const viscous_face *f = &v->face[i];
        double sum = 0;
        for (int k = 0; k < F; k++) sum += f->row[k] * v->body[f->body].p[k];
        v->p[f->axis][f->at] = (float)sum;
    }
}

/* Adds k J^T of the stress of a field at the held faces, by tile in their order: `rooted` in z, otherwise as
 * impulses over the mass of a cell. */
static void gather(const viscous *v, float *const field[3], bool rooted, size_t offset)
{
    float stress[3][GRID_CELLS];
    uint32_t tile = GRID_NONE;
    for (size_t i = 0; i < v->faces; i++) {
        const viscous_face *f = &v->face[i];
        if (f->tile != tile) viscous_stress(v, tile = f->tile, field, stress);
        const double pull = (double)(v->k * stress[f->axis][f->at % (size_t)v->s->tiles.cells]);
        double *out = (double *)(void *)((char *)&v->body[f->body] + offset);
        for (int k = 0; k < F; k++) out[k] += pull * (rooted ? f->row[k] : f->plain[k]);
    }
}

void grid_drag_start(const viscous *v)
{
    for (uint32_t b = 0; b < v->bodies; b++) memset(v->body[b].r, 0, sizeof v->body[b].r);
    gather(v, v->u, true, offsetof(viscous_body, r));
}

double grid_drag_multiply(const viscous *v)
{
    double dot = 0;
    for (uint32_t b = 0; b < v->bodies; b++) memset(v->body[b].q, 0, sizeof v->body[b].q);
    gather(v, v->p, true, offsetof(viscous_body, q));
    for (uint32_t b = 0; b < v->bodies; b++)
        for (int k = 0; k < F; k++) {
            v->body[b].q[k] = v->body[b].p[k] - v->body[b].q[k];
            dot += v->body[b].q[k] * v->body[b].p[k];
        }
    return dot;
}

double grid_drag_step(const viscous *v)
{
    double dot = 0;
    for (uint32_t b = 0; b < v->bodies; b++)
        for (int k = 0; k < F; k++) {
            v->body[b].r[k] -= v->alpha * v->body[b].q[k];
            dot += v->body[b].r[k] * v->body[b].r[k] / v->body[b].diagonal[k];
        }
    return dot;
}

void grid_drag_turn(const viscous *v)
{
    for (uint32_t b = 0; b < v->bodies; b++)
        for (int k = 0; k < F; k++)
            v->body[b].p[k] = v->body[b].r[k] / v->body[b].diagonal[k] + v->beta * v->body[b].p[k];
    grid_drag_spread(v);
}

void grid_drag_push(viscous *v, double dt)
{
    grid *s = v->s;
    const double mass = s->sim.scene->fluid.density * pow(s->h, s->tiles.dimensions);
    for (uint32_t b = 0; b < v->bodies; b++) memset(v->body[b].q, 0, sizeof v->body[b].q);
    gather(v, v->u, false, offsetof(viscous_body, q));
    gather(v, v->x, false, offsetof(viscous_body, q)); /* what is solved for is the change */
    for (uint32_t b = 0; b < v->bodies; b++) {
        const double *q = v->body[b].q;
        bodies_push(&s->sim.bodies, b, v3(mass * q[0], mass * q[1], mass * q[2]),
                    v3(mass * q[3], mass * q[4], mass * q[5]), dt);
    }
}
