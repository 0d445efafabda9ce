/* Orientation and in-sphere, decided exactly, for points on a grid of 2^24 steps a side.
 *
 * Positions are snapped to a cubic grid whose step is a power of two, so that a snapped
 * position is a double without rounding and differences of coordinates have at most 25
 * bits with their sign. Minors of two columns are then exact in double; a determinant is
 * first taken in double, four rows at once, and its sign is believed when it is beyond
 * the bound below; otherwise it is taken again in 128-bit integers, which hold it exactly
 * (at most 2^126). Cospherical input costs twice the random one, not thirty times.
 *
 * Ties of the in-sphere test are broken by simulation of simplicity, Edelsbrunner and
 * Muecke 1990, in the form of Devillers and Teillaud 2011: the lifted coordinate
 * |x|^2 of point i is raised by e_i, where e_i is infinitely larger than e_j for i > j.
 * The determinant is linear in the e_i and the factor of e_i is the orientation of the
 * other four points: the first one that is not zero, from the highest index down, gives
 * the sign. This is a true perturbation: the tetrahedra of any point set are those of a
 * set in general position, they are unique, and none of them is flat.
 *
 * Error bound. With rows of length at most R, the products of minors and coordinates
 * err by less than 9 u R^3 (u = 2^-53), and their sum weighted with the squared lengths
 * by less than 100 u R^5: the tests ask for 2^-49 R^3 and 2^-46 R^5. */
#pragma once

#include "base/vec.h"

#include <immintrin.h>
#include <stdint.h>

enum { SITE_MOST = 1 << 24 }; /* the largest coordinate on the grid */

typedef struct site_grid {
    rill_vec3 origin; /* a multiple of the step */
    double step;      /* a power of two */
} site_grid;

/* A snapped position: whole numbers of steps, 0 to SITE_MOST. w is 0. */
typedef struct grid_site {
    _Alignas(32) double x;
    double y, z, w;
} grid_site;

/* The finest grid that holds the box and half a step around it, so that what was snapped
 * is still inside, and whose points are doubles. The box is finite. */
site_grid site_grid_of(rill_box box);

static inline grid_site site_snap(const site_grid *g, rill_vec3 p)
{
    return (grid_site){rint((p.x - g->origin.x) / g->step) + 0.0, rint((p.y - g->origin.y) / g->step) + 0.0,
                       rint((p.z - g->origin.z) / g->step) + 0.0, 0}; /* no negative zeros */
}

static inline rill_vec3 site_position(const site_grid *g, const grid_site *s)
{
    return v3(g->origin.x + s->x * g->step, g->origin.y + s->y * g->step, g->origin.z + s->z * g->step);
}

/* The sign of det(b - a, c - a, d - a), six times the volume of the tetrahedron. */
int orient_sign(const grid_site *a, const grid_site *b, const grid_site *c, const grid_site *d);

/* Whether three points are on one line. */
bool sites_in_line(const grid_site *a, const grid_site *b, const grid_site *c);

/* Whether e is inside the sphere of a tetrahedron with orient_sign > 0: 1, 0 on it, -1. */
int insphere_sign(const grid_site *const tet[4], const grid_site *e);

/* The same with ties broken: true for inside. index: those of the tetrahedron, all
 * different and different from e's. */
bool insphere_tie(const grid_site *const tet[4], const uint32_t index[4], const grid_site *e,
                  uint32_t e_index);

/* ---- four rows at once ---- */

#define PREDICATE_INLINE static inline __attribute__((always_inline))

/* Vertices of a tetrahedron relative to a point, by coordinate, and their squares. */
typedef struct rows4 {
    __m256d x, y, z, w;
} rows4;

PREDICATE_INLINE rows4 rows4_make(const grid_site *a, const grid_site *b, const grid_site *c,
                                  const grid_site *d, const grid_site *p)
{
    const __m256d o = _mm256_load_pd(&p->x);
    const __m256d ra = _mm256_sub_pd(_mm256_load_pd(&a->x), o), rb = _mm256_sub_pd(_mm256_load_pd(&b->x), o),
                  rc = _mm256_sub_pd(_mm256_load_pd(&c->x), o), rd = _mm256_sub_pd(_mm256_load_pd(&d->x), o);
    const __m256d xz_ab = _mm256_unpacklo_pd(ra, rb), y_ab = _mm256_unpackhi_pd(ra, rb);
    const __m256d xz_cd = _mm256_unpacklo_pd(rc, rd), y_cd = _mm256_unpackhi_pd(rc, rd);
    rows4 r;
    r.x = _mm256_permute2f128_pd(xz_ab, xz_cd, 0x20);
    r.y = _mm256_permute2f128_pd(y_ab, y_cd, 0x20);
    r.z = _mm256_permute2f128_pd(xz_ab, xz_cd, 0x31);
    r.w = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(r.x, r.x), _mm256_mul_pd(r.y, r.y)),
                        _mm256_mul_pd(r.z, r.z));
    return r;
}

#define ROT1(v) _mm256_permute4x64_pd(v, 0x39) /* lane i takes lane i + 1 */
#define ROT2(v) _mm256_permute4x64_pd(v, 0x4E)
#define ROT3(v) _mm256_permute4x64_pd(v, 0x93)

/* Six times the volume times the barycentric coordinates of the point: lane i is
 * (-1)^i times the determinant of the other three rows. */
PREDICATE_INLINE __m256d rows4_barycentric(const rows4 *r)
{
    const __m256d x1 = ROT1(r->x), y1 = ROT1(r->y), x2 = ROT2(r->x), y2 = ROT2(r->y);
    const __m256d next = _mm256_sub_pd(_mm256_mul_pd(r->x, y1), _mm256_mul_pd(x1, r->y));
    const __m256d over = _mm256_sub_pd(_mm256_mul_pd(r->x, y2), _mm256_mul_pd(x2, r->y));
    __m256d k = _mm256_sub_pd(_mm256_mul_pd(ROT1(r->z), ROT2(next)), _mm256_mul_pd(ROT2(r->z), ROT1(over)));
    k = _mm256_add_pd(k, _mm256_mul_pd(ROT3(r->z), ROT1(next)));
    return _mm256_xor_pd(k, _mm256_setr_pd(0.0, -0.0, 0.0, -0.0));
}

PREDICATE_INLINE double lanes_max(__m256d v)
{
    const __m128d m = _mm_max_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_max_sd(m, _mm_unpackhi_pd(m, m)));
}

PREDICATE_INLINE double lanes_sum(__m256d v)
{
    const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

/* In-sphere in double: its sign is right when `certain`. */
PREDICATE_INLINE double rows4_insphere(const rows4 *r, bool *certain)
{
    const double s = lanes_sum(_mm256_mul_pd(rows4_barycentric(r), r->w));
    const double w = lanes_max(r->w), w2 = w * w;
    *certain = s * s > 0x1p-92 * (w2 * w2) * w;
    return s;
}

/* Lane signs of rows4_barycentric as bits: `negative`, and `unsure` where the sign may
 * be wrong or zero. */
PREDICATE_INLINE void rows4_sides(const rows4 *r, __m256d *value, int *negative, int *unsure)
{
    const __m256d b = rows4_barycentric(r);
    const double w = lanes_max(r->w);
    const __m256d bound = _mm256_set1_pd(0x1p-98 * (w * w) * w);
    *value = b;
    *negative = _mm256_movemask_pd(b);
    *unsure = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_mul_pd(b, b), bound, _CMP_NGT_UQ));
}
