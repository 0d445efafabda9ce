/* The seven points of the pressure stencil, one line of cells of one colour at a time (order
 * of vectors: level.h). For the loops over a tile's lines; no loop of its own. */
#pragma once

#include "grid/pressure/level.h"

typedef float f4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
typedef double d4 __attribute__((vector_size(32)));

static inline f4 load4(const float *p)
{
    f4 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline f8 load8(const float *p)
{
    f8 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store8(float *p, f8 v)
{
    memcpy(p, &v, sizeof v);
}
static inline f8 all8(float s)
{
    return (f8){s, s, s, s, s, s, s, s};
}
static inline f4 low4(f8 v)
{
    return __builtin_shufflevector(v, v, 0, 1, 2, 3);
}
static inline f4 high4(f8 v)
{
    return __builtin_shufflevector(v, v, 4, 5, 6, 7);
}
static inline f8 join4(f4 low, f4 high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
static inline d4 wide4(f4 v)
{
    return __builtin_convertvector(v, d4);
}
static inline f4 narrow4(d4 v)
{
    return __builtin_convertvector(v, f4);
}
static inline double add4(d4 v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}
/* u v, the two halves added, in double. */
static inline d4 product8(f8 u, f8 v)
{
    return wide4(low4(u)) * wide4(low4(v)) + wide4(high4(u)) * wide4(high4(v));
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

/* Asks for what the stencil will read of a tile soon: the processor does not guess it, since a
 * tile's half is only 1 KiB long. */
static inline void fetch_half(const level *l, const float *x, uint32_t tile, int colour)
{
    const float *half = x + (size_t)tile * l->cells + (size_t)colour * l->half;
    for (uint32_t i = 0; i < l->half; i += 16) __builtin_prefetch(half + i);
}
static inline void fetch_stencil(const level *l, const float *x, uint32_t tile, int colour)
{
    fetch_half(l, x, tile, colour);
    const float *above = x + (size_t)l->near[tile][5] * l->cells + (size_t)colour * l->half;
    __builtin_prefetch(above);
    __builtin_prefetch(above + 16);
    const float *beside = x + (size_t)l->near[tile][3] * l->cells + (size_t)colour * l->half;
    for (uint32_t i = 0; i < l->half; i += 4 * LINE) __builtin_prefetch(beside + i);
}
static inline void fetch_coef(const level *l, uint32_t tile, int colour)
{
    if (l->kind[tile] == TILE_UNIFORM) return;
    const float *c = line_coef(l, tile, colour, 0);
    for (int i = 0; i < 4 * C_KINDS * LINE; i += 16) __builtin_prefetch(c + i);
}

/* Neighbours of the cells of line (z, j) whose first row begins at x = first (0 or 1), and the
 * second at the other, in the order of C_BESIDE .. C_ZP. */
typedef struct six {
    f8 v[6];
} six;

static inline six six_at(const halves *h, int planes, int z, int j, int first)
{
    const int r = (z * 4 + j) * LINE;
    const float *line = h->own + r;
    six s;
    f8 x = load8(line);
    s.v[C_BESIDE] = x;
    if (first == 0) { /* to the left of the first row, to the right of the second */
        x = __builtin_shufflevector(x, x, 0, 0, 1, 2, 5, 6, 7, 7);
        x[0] = h->near[0][r + 3];
        x[7] = h->near[1][r + 4];
    } else {
        x = __builtin_shufflevector(x, x, 1, 2, 3, 3, 4, 4, 5, 6);
        x[3] = h->near[1][r];
        x[4] = h->near[0][r + 7];
    }
    s.v[C_BEYOND] = x;
    s.v[C_YM] = j > 0 ? load8(line - ROW) : join4(load4(h->near[2] + r + 3 * LINE + ROW), load4(line));
    s.v[C_YP] = j < 3 ? load8(line + ROW) : join4(load4(line + ROW), load4(h->near[3] + r - 3 * LINE));
    s.v[C_ZM] = load8(z > 0 ? line - 4 * LINE : h->near[4] + ((planes - 1) * 4 + j) * LINE);
    s.v[C_ZP] = load8(z < planes - 1 ? line + 4 * LINE : h->near[5] + j * LINE);
    return s;
}

static inline f8 six_sum(const six *s)
{
    return ((s->v[0] + s->v[1]) + (s->v[2] + s->v[3])) + (s->v[4] + s->v[5]);
}
/* Sum of coefficient times value; c = line_coef. */
static inline f8 six_weighted(const six *s, const float *c)
{
    f8 sum = load8(c) * s->v[0];
    for (int k = 1; k < 6; k++) sum += load8(c + k * LINE) * s->v[k];
    return sum;
}
/* e x + sum of coefficient times (x - value). */
static inline f8 six_apply(const six *s, const float *c, f8 x)
{
    f8 sum = load8(c + C_E * LINE) * x;
    for (int k = 0; k < 6; k++) sum += load8(c + k * LINE) * (x - s->v[k]);
    return sum;
}
/* The same in double, rounded once: where terms of a smooth pressure cancel, single precision
 * would leave nothing. */
static inline f4 half_apply_wide(const six *s, const float *c, f8 x, bool high)
{
    const d4 w = wide4(high ? high4(x) : low4(x));
    c += high ? ROW : 0;
    d4 sum = wide4(load4(c + C_E * LINE)) * w;
    for (int k = 0; k < 6; k++)
        sum += wide4(load4(c + k * LINE)) * (w - wide4(high ? high4(s->v[k]) : low4(s->v[k])));
    return narrow4(sum);
}
static inline f8 six_apply_wide(const six *s, const float *c, f8 x)
{
    return join4(half_apply_wide(s, c, x, false), half_apply_wide(s, c, x, true));
}
/* Where all coefficients are 1. Differences of values that are close are exact, and so are
 * those of the two differences along an axis: single precision is enough. */
static inline f8 six_apply_plain(const six *s, int planes, f8 x)
{
    const f8 flat = ((x - s->v[0]) + (x - s->v[1])) + ((x - s->v[2]) + (x - s->v[3]));
    return planes == 1 ? flat : flat + ((x - s->v[4]) + (x - s->v[5]));
}
