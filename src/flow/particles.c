/* Particles: growth, permutation, removal.
 *
 * All arrays, the spare ones too, have the same `capacity`: a permutation gathers
 * each array into the spare of its element size and swaps the two pointers, so that
 * every byte is read once and written once. */
#include "flow/particles.h"

#include "base/parallel.h"

#include <string.h>

enum { GATHER_BLOCK = 16384 };

void particles_free_spares(rill_ctx *ctx, particles *p)
{
    mem_free(ctx, p->spare_vec3);
    mem_free(ctx, p->spare_u64);
    mem_free(ctx, p->spare_f32);
    p->spare_vec3 = NULL;
    p->spare_u64 = NULL;
    p->spare_f32 = NULL;
}

static void free_arrays(rill_ctx *ctx, particles *p)
{
    mem_free(ctx, p->position);
    mem_free(ctx, p->velocity);
    mem_free(ctx, p->id);
    for (uint32_t c = 0; c < p->column_count; c++) mem_free(ctx, p->column[c].value);
}

void particles_clear(rill_ctx *ctx, particles *p)
{
    particles_free_spares(ctx, p);
    free_arrays(ctx, p);
    *p = (particles){0};
}

rill_status particles_add_column(rill_ctx *ctx, particles *p, const char *name)
{
    if (strlen(name) >= PARTICLE_NAME)
        return rill_fail(ctx, RILL_USAGE, "particle column \"%s\": the name is longer than %d characters",
                         name, PARTICLE_NAME - 1);
    if (particles_column(p, name))
        return rill_fail(ctx, RILL_USAGE, "particle column \"%s\" is there already", name);
    if (p->column_count == PARTICLE_MAX_COLUMNS)
        return rill_fail(ctx, RILL_USAGE, "particle column \"%s\": there are %d columns already", name,
                         PARTICLE_MAX_COLUMNS);

    float *value;
    TRY(MEM_NEW_ZERO(ctx, value, p->capacity));
    particle_column *c = &p->column[p->column_count++];
    *c = (particle_column){.value = value};
    strcpy(c->name, name);
    return RILL_OK;
}

float *particles_column(const particles *p, const char *name)
{
    for (uint32_t c = 0; c < p->column_count; c++)
        if (strcmp(p->column[c].name, name) == 0) return p->column[c].value;
    return NULL;
}

static void copy(void *to, const void *from, size_t bytes)
{
    if (bytes) memcpy(to, from, bytes); /* an empty array may be NULL */
}

/* Arrays of another capacity, at least the count. */
static rill_status resize(rill_ctx *ctx, particles *p, size_t capacity)
{
    particles q = *p; /* the new arrays, until all of them are there */
    q.position = NULL, q.velocity = NULL, q.id = NULL;
    for (uint32_t c = 0; c < q.column_count; c++) q.column[c].value = NULL;

    particles_free_spares(ctx, p); /* of the old capacity, without contents */
    rill_status st = MEM_NEW(ctx, q.position, capacity);
    if (!st) st = MEM_NEW(ctx, q.velocity, capacity);
    if (!st) st = MEM_NEW(ctx, q.id, capacity);
    for (uint32_t c = 0; !st && c < q.column_count; c++) st = MEM_NEW(ctx, q.column[c].value, capacity);
    if (st) {
        free_arrays(ctx, &q);
        return st;
    }

    copy(q.position, p->position, p->count * sizeof *p->position);
    copy(q.velocity, p->velocity, p->count * sizeof *p->velocity);
    copy(q.id, p->id, p->count * sizeof *p->id);
    for (uint32_t c = 0; c < q.column_count; c++)
        copy(q.column[c].value, p->column[c].value, p->count * sizeof(float));
    free_arrays(ctx, p);
    q.capacity = capacity;
    q.spare_vec3 = NULL, q.spare_u64 = NULL, q.spare_f32 = NULL;
    *p = q;
    return RILL_OK;
}

rill_status particles_reserve(rill_ctx *ctx, particles *p, size_t capacity)
{
    if (capacity <= p->capacity) return RILL_OK;
    if (capacity >= UINT32_MAX)
        return rill_fail(ctx, RILL_NO_MEMORY,
                         "%zu particles are more than the %u a simulation can hold; a larger spacing helps",
                         capacity, UINT32_MAX - 1);
    return resize(ctx, p, capacity);
}

rill_status particles_fit(rill_ctx *ctx, particles *p)
{
    return p->count < p->capacity ? resize(ctx, p, p->count) : RILL_OK;
}

rill_status particles_append(rill_ctx *ctx, particles *p, size_t count, const rill_vec3 *position,
                             const rill_vec3 *velocity)
{
    if (count == 0) return RILL_OK;
    const size_t most = UINT32_MAX - 1;
    if (count > most - p->count) return particles_reserve(ctx, p, count > most ? count : p->count + count);
    if (p->count + count > p->capacity) {
        const size_t grown = p->capacity + p->capacity / 2;
        size_t wanted = grown > p->count + count ? grown : p->count + count;
        if (wanted > most) wanted = most;
        TRY(particles_reserve(ctx, p, wanted));
    }

    copy(p->position + p->count, position, count * sizeof *position);
    if (velocity)
        copy(p->velocity + p->count, velocity, count * sizeof *velocity);
    else
        memset(p->velocity + p->count, 0, count * sizeof *velocity);
    for (size_t i = 0; i < count; i++) p->id[p->count + i] = p->next_id++;
    for (uint32_t c = 0; c < p->column_count; c++)
        memset(p->column[c].value + p->count, 0, count * sizeof(float));
    p->count += count;
    return RILL_OK;
}

typedef struct {
    const uint32_t *order;
    const void *from;
    void *to;
} gather;

static void gather_vec3(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gather *g = arg;
    const rill_vec3 *restrict from = g->from;
    rill_vec3 *restrict to = g->to;
    for (size_t i = begin; i < end; i++) to[i] = from[g->order[i]];
}

static void gather_u64(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gather *g = arg;
    const uint64_t *restrict from = g->from;
    uint64_t *restrict to = g->to;
    for (size_t i = begin; i < end; i++) to[i] = from[g->order[i]];
}

static void gather_f32(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gather *g = arg;
    const float *restrict from = g->from;
    float *restrict to = g->to;
    for (size_t i = begin; i < end; i++) to[i] = from[g->order[i]];
}

static void permute_vec3(rill_ctx *ctx, particles *p, const uint32_t *order, rill_vec3 **array)
{
    gather g = {order, *array, p->spare_vec3};
    parallel_for(ctx, p->count, GATHER_BLOCK, gather_vec3, &g);
    p->spare_vec3 = *array;
    *array = g.to;
}

rill_status particles_permute(rill_ctx *ctx, particles *p, const uint32_t *order)
{
    if (!p->spare_vec3) TRY(MEM_NEW(ctx, p->spare_vec3, p->capacity));
    if (!p->spare_u64) TRY(MEM_NEW(ctx, p->spare_u64, p->capacity));
    if (!p->spare_f32) TRY(MEM_NEW(ctx, p->spare_f32, p->capacity));

    permute_vec3(ctx, p, order, &p->position);
    permute_vec3(ctx, p, order, &p->velocity);
    gather g = {order, p->id, p->spare_u64};
    parallel_for(ctx, p->count, GATHER_BLOCK, gather_u64, &g);
    p->spare_u64 = p->id;
    p->id = g.to;
    for (uint32_t c = 0; c < p->column_count; c++) {
        g = (gather){order, p->column[c].value, p->spare_f32};
        parallel_for(ctx, p->count, GATHER_BLOCK, gather_f32, &g);
        p->spare_f32 = p->column[c].value;
        p->column[c].value = g.to;
    }
    return RILL_OK;
}

size_t particles_keep(particles *p, const uint8_t *keep)
{
    const size_t count = p->count;
    size_t first = 0;
    while (first < count && keep[first]) first++;
    if (first == count) return 0;

    size_t kept = first;
    for (size_t i = first; i < count; i++) {
        if (!keep[i]) continue;
        p->position[kept] = p->position[i];
        p->velocity[kept] = p->velocity[i];
        p->id[kept] = p->id[i];
        kept++;
    }
    for (uint32_t c = 0; c < p->column_count; c++) {
        float *value = p->column[c].value;
        for (size_t i = first, k = first; i < count; i++)
            if (keep[i]) value[k++] = value[i];
    }
    p->count = kept;
    return count - kept;
}
