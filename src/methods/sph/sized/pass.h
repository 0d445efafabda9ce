/* Passes over pairs of particles of several sizes. */
#pragma once

#include "sph/core/pair8.h"
#include "sph/sized/sized.h"

enum {
    LEAVES_PER_TASK = 4,            /* per task of a worker */
    GROUP_HALVES = 3 * SIZED_LANES, /* half floats of the gradients of eight neighbours */
};

/* The particles of a leaf. */
typedef struct leaf_span {
    uint32_t begin, end;
} leaf_span;
static inline leaf_span leaf_particles(const sph *s, size_t k)
{
    const sized_node *n = sized_leaf(&s->sized->points, k);
    return (leaf_span){n->begin, n->end};
}

/* dfsph: a particle's neighbours in this step, from its first eight to its last:
 *     const step_list l = step_list_of(s, i);
 *     for (size_t e = l.begin; e < l.end; e++) ... p->id + SIZED_LANES * e, p->own + GROUP_HALVES * e */
typedef struct step_list {
    size_t begin, end;
} step_list;
static inline step_list step_list_of(const sph *s, size_t i)
{
    const uint32_t *first = s->sized->step.pairs.first;
    return (step_list){first[i], first[i + 1]};
}

/* A float stored in an integer, bit for bit. */
static inline int32_t bits_of(float value)
{
    const union {
        float value;
        int32_t bits;
    } u = {.value = value};
    return u.bits;
}
static inline float value_of(int32_t bits)
{
    const union {
        int32_t bits;
        float value;
    } u = {.bits = bits};
    return u.value;
}

/* Rows of eight entries of a list. */
SPH_INLINE vec8 near8(const void *rows, const sized_eight *e)
{
    return load8((const float(*)[4])rows + e->base, e->off);
}

SPH_INLINE __m256 fetch_values8(const float *v, const uint32_t *id)
{
    const __m128 low = _mm_setr_ps(v[id[0]], v[id[1]], v[id[2]], v[id[3]]);
    const __m128 high = _mm_setr_ps(v[id[4]], v[id[5]], v[id[6]], v[id[7]]);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

/* One coordinate of x_i - x_j, m: from integers, exact before it is rounded. */
SPH_INLINE __m256 apart8(int32_t mine, __m256 others, __m256 unit)
{
    const __m256i d = _mm256_sub_epi32(_mm256_set1_epi32(mine), _mm256_castps_si256(others));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(d), unit);
}

SPH_INLINE pair8 places_apart(const int32_t *mine, const vec8 *other, __m256 unit, __m256 tiny)
{
    pair8 p;
    p.x = apart8(mine[0], other->x, unit);
    p.y = apart8(mine[1], other->y, unit);
    p.z = apart8(mine[2], other->z, unit);
    p.d2 = _mm256_fmadd_ps(p.x, p.x, _mm256_fmadd_ps(p.y, p.y, _mm256_mul_ps(p.z, p.z)));
    p.d2 = _mm256_max_ps(p.d2, tiny);
    return p;
}

/* A value per size class, to be looked up for eight classes at once. */
typedef struct {
    __m256 low, high;
} table8;

SPH_INLINE table8 table8_make(const float *of)
{
    return (table8){_mm256_loadu_ps(of), _mm256_loadu_ps(of + 8)};
}

SPH_INLINE __m256 pick8(const table8 *t, __m256i which)
{
    const __m256 above = _mm256_castsi256_ps(_mm256_slli_epi32(which, 28)); /* 8 and more */
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(t->low, which), _mm256_permutevar8x32_ps(t->high, which),
                            above);
}

/* Eight classes of four bits each; higher bits are ignored by pick8. */
SPH_INLINE __m256i classes8(uint32_t sizes)
{
    return _mm256_srlv_epi32(_mm256_set1_epi32((int)sizes), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
}

typedef void kernel_body(void *arg, size_t begin, size_t end, sph_kernel kind);

/* One copy of the body per kernel. */
SPH_INLINE void for_kernel(const sph *s, void *arg, size_t begin, size_t end, kernel_body *body)
{
    switch (s->model.kernel.kind) {
    case SPH_GAUSSIAN: body(arg, begin, end, SPH_GAUSSIAN); break;
    case SPH_CUBIC: body(arg, begin, end, SPH_CUBIC); break;
    case SPH_MUELLER: body(arg, begin, end, SPH_MUELLER); break;
    default: body(arg, begin, end, SPH_WENDLAND);
    }
}
