/* Passes over the pairs of particles of one size.
 *
 * A pass visits the tiles. Each tile copies what its halo needs into local arrays, indexed by local id
 * (geom/search/neighbours.h), and loops over its own particles and their lists, eight neighbours
 * at a time. Bodies are inlined, those that use the kernel once per kernel, so that no
 * branch and no call is left inside. */
#pragma once

#include "sph/core/pair8.h"
#include "sph/uniform/uniform.h"

/* Where the local copies come from, in sorted order; NULL: the pass does not need them. */
typedef struct pass_from {
    const float (*position)[4]; /* to copy->position, made relative to the tile */
    const float (*vector)[4];   /* four floats of any kind, to copy->vector */
    const float *value;         /* one of any kind, to copy->value */
} pass_from;

typedef void pass_body(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind);

SPH_INLINE void pass_gather(const sph *s, uint32_t index, const pass_from *from, const halo_copy *copy)
{
    const halo_view h = halos_of(&s->uniform->halos, index);
    if (from->position) halo_gather_positions(h, from->position, copy->position);
    if (from->vector) halo_gather(h, from->vector, copy->vector);
    if (from->value) halo_gather_values(h, from->value, copy->value);
}

/* A body that does not use the kernel. */
SPH_INLINE void pass_tiles(const sph *s, pass_from from, size_t begin, size_t end, int worker,
                           pass_body *body, void *arg)
{
    const halo_copy *copy = &s->uniform->copy[worker];
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        pass_gather(s, k, &from, copy);
        body(arg, k, copy, SPH_KERNELS);
    }
}

/* One that does: a copy of it per kernel. */
SPH_INLINE void pass_kernel_tiles(const sph *s, pass_from from, size_t begin, size_t end, int worker,
                                  pass_body *body, void *arg)
{
    const halo_copy *copy = &s->uniform->copy[worker];
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        pass_gather(s, k, &from, copy);
        switch (s->model.kernel.kind) {
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
    const uint64_t at = s->uniform->lists.segment[index];
    const uint16_t *list = s->uniform->lists.pool + at;
    const uint32_t i = s->uniform->tiles.tile[index].begin;
    return (own){i, s->uniform->tiles.tile[index].end, list, list + s->uniform->lists.count[i], at};
}

SPH_INLINE void own_next(const sph *s, own *o)
{
    o->at += (uint64_t)(o->end - o->list);
    o->list = o->end;
    if (++o->i < o->last) o->end += s->uniform->lists.count[o->i];
}
