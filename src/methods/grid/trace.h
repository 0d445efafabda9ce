/* Paths through the velocity around a tile: the integrators of [Braley] 4.1, eq. 16-19. */
#pragma once

#include "grid/grid.h"
#include "grid/interpolate.h"

#include <math.h>

/* Velocity blocks of a tile, in cells from the block's corner. */
typedef struct {
    const float *u[3];
    int n;     /* side */
    float top; /* coordinates stay below */
    float frame[3];
    int d;
} velocity_block;

static inline void velocity_at(const velocity_block *b, const float x[3], float v[3])
{
    float y[3];
    for (int a = 0; a < 3; a++) y[a] = x[a] > 0.5f ? (x[a] < b->top ? x[a] : b->top) : 0.5f;
    if (b->d == 3) {
        v[0] = linear3(b->u[0], b->n, y[0], y[1] - 0.5f, y[2] - 0.5f);
        v[1] = linear3(b->u[1], b->n, y[0] - 0.5f, y[1], y[2] - 0.5f);
        v[2] = linear3(b->u[2], b->n, y[0] - 0.5f, y[1] - 0.5f, y[2]);
    } else {
        v[0] = linear2(b->u[0], b->n, y[0], y[1] - 0.5f);
        v[1] = linear2(b->u[1], b->n, y[0] - 0.5f, y[1]);
        v[2] = 0;
    }
    for (int a = 0; a < b->d; a++) v[a] += b->frame[a];
}

static inline void ahead(const float x[3], float step, const float v[3], float out[3])
{
    for (int a = 0; a < 3; a++) out[a] = x[a] + step * v[a];
}

/* The velocity that takes x through a piece of the way; k1 is that at its start. */
static inline void trace_piece(const velocity_block *b, int integrator, const float x[3], float step,
                               const float k1[3], float mean[3])
{
    float y[3], k2[3], k3[3], k4[3];
    switch ((grid_integrator)integrator) {
    case GRID_EULER:
        for (int a = 0; a < 3; a++) mean[a] = k1[a];
        return;
    case GRID_MIDPOINT:
        ahead(x, 0.5f * step, k1, y);
        velocity_at(b, y, mean);
        return;
    case GRID_HEUN:
        ahead(x, step, k1, y);
        velocity_at(b, y, k2);
        for (int a = 0; a < 3; a++) mean[a] = 0.5f * (k1[a] + k2[a]);
        return;
    case GRID_RALSTON: /* eq. 16-19 */
        ahead(x, 0.5f * step, k1, y);
        velocity_at(b, y, k2);
        ahead(x, 0.75f * step, k2, y);
        velocity_at(b, y, k3);
        for (int a = 0; a < 3; a++) mean[a] = (2 * k1[a] + 3 * k2[a] + 4 * k3[a]) / 9;
        return;
    case GRID_RK4:
    default:
        ahead(x, 0.5f * step, k1, y);
        velocity_at(b, y, k2);
        ahead(x, 0.5f * step, k2, y);
        velocity_at(b, y, k3);
        ahead(x, step, k3, y);
        velocity_at(b, y, k4);
        for (int a = 0; a < 3; a++) mean[a] = (k1[a] + 2 * k2[a] + 2 * k3[a] + k4[a]) / 6;
        return;
    }
}

/* The mean velocity along the way from x, in pieces of at most a cell: longer ones cut
 * corners, and at walls that piles particles up. k1 is the velocity at x, `step` dt / h. */
static inline void trace(const velocity_block *b, int integrator, const float x[3], float step,
                         const float k1[3], float mean[3])
{
    const float way2 = step * step * (k1[0] * k1[0] + k1[1] * k1[1] + k1[2] * k1[2]);
    if (way2 <= 1) {
        trace_piece(b, integrator, x, step, k1, mean);
        return;
    }
    const int pieces = way2 < 64 ? (int)ceilf(sqrtf(way2)) : 8;
    const float piece = step / (float)pieces;
    float y[3] = {x[0], x[1], x[2]}, k[3] = {k1[0], k1[1], k1[2]}, sum[3] = {0};
    for (int i = 0; i < pieces; i++) {
        float v[3];
        if (i) velocity_at(b, y, k);
        trace_piece(b, integrator, y, piece, k, v);
        ahead(y, piece, v, y);
        for (int a = 0; a < 3; a++) sum[a] += v[a];
    }
    for (int a = 0; a < 3; a++) mean[a] = sum[a] / (float)pieces;
}
