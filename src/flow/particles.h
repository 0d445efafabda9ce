/* Particles: structure of arrays, shared by every method that has them.
 *
 * Position and velocity are double, the rest are named float columns. Ids are stable
 * and never reused. Order is the method's business (it sorts in space); nothing outside
 * a method relies on it. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

enum { PARTICLE_MAX_COLUMNS = 16, PARTICLE_NAME = 24 };

typedef struct particle_column {
    char name[PARTICLE_NAME];
    float *value;
} particle_column;

typedef struct particles {
    size_t count, capacity;
    rill_vec3 *position, *velocity;
    uint64_t *id;
    particle_column column[PARTICLE_MAX_COLUMNS];
    uint32_t column_count;
    uint64_t next_id;
    /* Places of `capacity` elements to permute into, one per element size; NULL until
     * the first permutation. No contents. */
    rill_vec3 *spare_vec3;
    uint64_t *spare_u64;
    float *spare_f32;
} particles;

void particles_clear(rill_ctx *ctx, particles *p);
/* New column, zero for every particle; its index is the order of the calls. */
RILL_CHECKED rill_status particles_add_column(rill_ctx *ctx, particles *p, const char *name);
float *particles_column(const particles *p, const char *name); /* NULL: there is none */
RILL_CHECKED rill_status particles_reserve(rill_ctx *ctx, particles *p, size_t capacity);
/* Gives back what is beyond the count. */
RILL_CHECKED rill_status particles_fit(rill_ctx *ctx, particles *p);
/* Appends; columns start at zero. velocity NULL: at rest. At most UINT32_MAX - 1
 * particles. */
RILL_CHECKED rill_status particles_append(rill_ctx *ctx, particles *p, size_t count,
                                          const rill_vec3 *position, const rill_vec3 *velocity);
/* Moves particle order[k] to place k, for every array. order is a permutation. The
 * arrays may have moved afterwards: take their pointers anew. */
RILL_CHECKED rill_status particles_permute(rill_ctx *ctx, particles *p, const uint32_t *order);
/* Gives back the places to permute into: a third of the memory, where the next permutation
 * is far off. */
void particles_free_spares(rill_ctx *ctx, particles *p);
/* Keeps those with keep[i] != 0, in order. Returns how many went. */
size_t particles_keep(particles *p, const uint8_t *keep);
