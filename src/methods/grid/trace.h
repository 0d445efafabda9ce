/* Paths through the velocity around a tile: the integrators of [Braley] 4.1, eq. 16-19. */
#pragma once

#include "grid/grid.h"
#include "grid/interpolate.h"

#include <math.h>

/* A point or a velocity: x, y, z (0 in the plane), and an element that means nothing. */
typedef __m128 point;

/* Velocity blocks of a tile, in cells from the block's corner. */
typedef struct {
    const float *u[3];
    int n;     /* side */
    float top; /* coordinates stay below */
    int d;
    point frame; /* added to what the blocks say */
} velocity_block;

static inline point point_of(float x, float y, float z)
{
    return _mm_setr_ps(x, y, z, 0);
}

static inline point velocity_at(const velocity_block *b, point x)
{
    const point at = _mm_min_ps(_mm_max_ps(x, _mm_set1_ps(0.5f)), _mm_set1_ps(b->top));
    if (b->d == 3) return nodes_velocity(b->u, b->n, at) + b->frame;
    float y[4];
    _mm_storeu_ps(y, at);
    return point_of(linear2(b->u[0], b->n, y[0], y[1] - 0.5f), linear2(b->u[1], b->n, y[0] - 0.5f, y[1]), 0) +
           b->frame;
}

/* The velocity that takes x through a piece of the way; k1 is that at its start. */
static inline point trace_piece(const velocity_block *b, int integrator, point x, float step, point k1)
{
    switch ((grid_integrator)integrator) {
    case GRID_EULER: return k1;
    case GRID_MIDPOINT: return velocity_at(b, x + 0.5f * step * k1);
    case GRID_HEUN: return 0.5f * (k1 + velocity_at(b, x + step * k1));
    case GRID_RALSTON: { /* eq. 16-19 */
        const point k2 = velocity_at(b, x + 0.5f * step * k1), k3 = velocity_at(b, x + 0.75f * step * k2);
        return (2 * k1 + 3 * k2 + 4 * k3) / 9;
    }
    case GRID_RK4:
    default: {
        const point k2 = velocity_at(b, x + 0.5f * step * k1), k3 = velocity_at(b, x + 0.5f * step * k2),
                    k4 = velocity_at(b, x + step * k3);
        return (k1 + 2 * k2 + 2 * k3 + k4) / 6;
    }
    }
}

/* The mean velocity along the way from x, in pieces of at most a cell: longer ones cut
 * corners, and at walls that piles particles up. k1 is the velocity at x, `step` dt / h. */
static inline point trace(const velocity_block *b, int integrator, point x, float step, point k1)
{
    const float way2 = step * step * _mm_cvtss_f32(_mm_dp_ps(k1, k1, 0x7f));
    if (way2 <= 1) return trace_piece(b, integrator, x, step, k1);
    const int pieces = way2 < 64 ? (int)ceilf(sqrtf(way2)) : 8;
    const float piece = step / (float)pieces;
    point k = k1, sum = _mm_setzero_ps();
    for (int i = 0; i < pieces; i++) {
        if (i) k = velocity_at(b, x);
        const point v = trace_piece(b, integrator, x, piece, k);
        x += piece * v;
        sum += v;
    }
    return sum / (float)pieces;
}
