/* What passes over pairs have in common.
 *
 * A pass goes over the tiles; each has local copies of what its halo brings, by local id
 * (geom/search/neighbours.h), and a loop over its own particles and their lists, eight neighbours
 * at a time. The bodies are inlined, those that use the kernel once per kernel, so that no
 * branch and no call is left inside. */
#pragma once

#include "sph/simd.h"
#include "sph/state.h"

/* Where the local copies come from, in sorted order; NULL: the pass does not need them. */
typedef struct pass_from {
    const float (*position)[4]; /* to copy->position, made relative to the tile */
    const float (*vector)[4];   /* four floats of any kind, to copy->vector */
    const float *value;         /* one of any kind, to copy->value */
} pass_from;

typedef void pass_body(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind);

SPH_INLINE void pass_gather(const sph *s, uint32_t index, const pass_from *from, const halo_copy *copy)
{
    const halo_view h = halos_of(&s->halos, index);
    if (from->position) halo_gather_positions(h, from->position, copy->position);
    if (from->vector) halo_gather(h, from->vector, copy->vector);
    if (from->value) halo_gather_values(h, from->value, copy->value);
}

/* A body that does not use the kernel. */
SPH_INLINE void pass_tiles(const sph *s, pass_from from, size_t begin, size_t end, int worker,
                           pass_body *body, void *arg)
{
    const halo_copy *copy = &s->copy[worker];
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        pass_gather(s, k, &from, copy);
        body(arg, k, copy, SPH_KERNELS);
    }
}

/* One that does: a copy of it per kernel. */
SPH_INLINE void pass_kernel_tiles(const sph *s, pass_from from, size_t begin, size_t end, int worker,
                                  pass_body *body, void *arg)
{
    const halo_copy *copy = &s->copy[worker];
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        pass_gather(s, k, &from, copy);
        switch (s->kernel.kind) {
        case SPH_GAUSSIAN: body(arg, k, copy, SPH_GAUSSIAN); break;
        case SPH_CUBIC: body(arg, k, copy, SPH_CUBIC); break;
        case SPH_MUELLER: body(arg, k, copy, SPH_MUELLER); break;
        default: body(arg, k, copy, SPH_WENDLAND);
        }
    }
}

/* The tile's own particles, one after the other:
 *     for (own o = own_first(s, index); o.i < o.last; own_next(s, &o))
 *         for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES) ... */
typedef struct own {
    uint32_t i, last;
    const uint16_t *list, *end;
    uint64_t at; /* of the list in the pool: for what is kept per entry */
} own;

SPH_INLINE own own_first(const sph *s, uint32_t index)
{
    const uint64_t at = s->lists.segment[index];
    const uint16_t *list = s->lists.pool + at;
    const uint32_t i = s->tiles.tile[index].begin;
    return (own){i, s->tiles.tile[index].end, list, list + s->lists.count[i], at};
}

SPH_INLINE void own_next(const sph *s, own *o)
{
    o->at += (uint64_t)(o->end - o->list);
    o->list = o->end;
    if (++o->i < o->last) o->end += s->lists.count[o->i];
}

/* From neighbours to the particle, x_i - x_j, and the squared distance. */
typedef struct pair8 {
    __m256 x, y, z, d2;
} pair8;

SPH_INLINE pair8 pair_of(vec8 at, vec8 other)
{
    pair8 p;
    p.x = _mm256_sub_ps(at.x, other.x);
    p.y = _mm256_sub_ps(at.y, other.y);
    p.z = _mm256_sub_ps(at.z, other.z);
    p.d2 = _mm256_fmadd_ps(p.x, p.x, _mm256_fmadd_ps(p.y, p.y, _mm256_mul_ps(p.z, p.z)));
    return p;
}

/* The same, with a distance one can divide by. */
SPH_INLINE pair8 pair_apart(vec8 at, vec8 other, __m256 tiny)
{
    pair8 p = pair_of(at, other);
    p.d2 = _mm256_max_ps(p.d2, tiny);
    return p;
}

/* W'/r without its constant. */
SPH_INLINE __m256 pair_gradient(sph_kernel kind, const kernel8 *k, const pair8 *p)
{
    const __m256 d = _mm256_sqrt_ps(p->d2);
    return kernel8_g(kind, k, p->d2, d, _mm256_div_ps(k->one, d));
}
