/* The seven points of the pressure stencil, four cells of one colour at a time (order of
 * vectors: pressure_level.h). For the loops over a tile's rows; no loop of its own. */
#pragma once

#include "grid/pressure_level.h"

typedef float f4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));

static inline f4 load4(const float *p)
{
    f4 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store4(float *p, f4 v)
{
    memcpy(p, &v, sizeof v);
}
static inline f4 all4(float s)
{
    return (f4){s, s, s, s};
}
static inline d4 wide4(f4 v)
{
    return __builtin_convertvector(v, d4);
}
static inline double add4(d4 v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

/* The half of one colour of a tile and of its neighbours. */
typedef struct halves {
    const float *own, *near[6];
} halves;

static inline halves halves_of(const level *l, const float *x, uint32_t tile, int colour)
{
    const float *base = x + (size_t)colour * l->half;
    halves h = {.own = base + (size_t)tile * l->cells};
    for (int d = 0; d < 6; d++) h.near[d] = base + (size_t)l->near[tile][d] * l->cells;
    return h;
}

/* Neighbours of the four cells of row (z, y) whose first cell has x = first (0 or 1), in the
 * order of C_BESIDE .. C_ZP. */
typedef struct six {
    f4 v[6];
} six;

static inline six six_at(const halves *h, int planes, int z, int y, int first)
{
    const int r = (z * 8 + y) * ROW;
    const float *row = h->own + r;
    six s;
    s.v[C_BESIDE] = load4(row);
    if (first == 0) {
        s.v[C_BEYOND] = load4(row - 1);
        s.v[C_BEYOND][0] = h->near[0][r + 3];
    } else {
        s.v[C_BEYOND] = load4(row + 1);
        s.v[C_BEYOND][3] = h->near[1][r];
    }
    s.v[C_YM] = load4(y > 0 ? row - ROW : h->near[2] + z * 8 * ROW + 7 * ROW);
    s.v[C_YP] = load4(y < 7 ? row + ROW : h->near[3] + z * 8 * ROW);
    s.v[C_ZM] = load4(z > 0 ? row - 8 * ROW : h->near[4] + (planes - 1) * 8 * ROW + y * ROW);
    s.v[C_ZP] = load4(z < planes - 1 ? row + 8 * ROW : h->near[5] + y * ROW);
    return s;
}

static inline f4 six_sum(const six *s)
{
    return ((s->v[0] + s->v[1]) + (s->v[2] + s->v[3])) + (s->v[4] + s->v[5]);
}
/* Sum of coefficient times value; c at the row's place of C_BESIDE. */
static inline f4 six_weighted(const six *s, const float *c, uint32_t half)
{
    f4 sum = load4(c) * s->v[0];
    for (uint32_t k = 1; k < 6; k++) sum += load4(c + k * half) * s->v[k];
    return sum;
}
/* e x + sum of coefficient times (x - value). */
static inline f4 six_apply(const six *s, const float *c, uint32_t half, f4 x)
{
    f4 sum = load4(c + C_E * half) * x;
    for (uint32_t k = 0; k < 6; k++) sum += load4(c + k * half) * (x - s->v[k]);
    return sum;
}
/* The same in double: values of smooth pressures cancel to their last digits. */
static inline d4 six_apply_wide(const six *s, const float *c, uint32_t half, f4 x)
{
    const d4 w = wide4(x);
    d4 sum = wide4(load4(c + C_E * half)) * w;
    for (uint32_t k = 0; k < 6; k++) sum += wide4(load4(c + k * half)) * (w - wide4(s->v[k]));
    return sum;
}
static inline d4 six_apply_wide_uniform(const six *s, int axes, f4 x)
{
    d4 sum = wide4(s->v[0]);
    for (int k = 1; k < 6; k++) sum += wide4(s->v[k]);
    const double n = 2 * axes;
    return (d4){n, n, n, n} * wide4(x) - sum;
}
