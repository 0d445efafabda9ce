/* Values of scattered sites on the samples of a grid: Shepard's interpolation of the nearest. */
#include "base/parallel.h"
#include "geom/search/nearest.h"
#include "volume/lattice.h"

#include <stdio.h>
#include <string.h>

enum { NEAREST = 8, CHUNK = 1 << 16 /* places at once: what bounds the scratch */ };

typedef struct {
    const particles *sites;
    const float *column;
    double cube, offset;
    const uint32_t *near;
    const double *d2;
    rill_vec3 *result; /* x alone where there is a column */
} job;

static void mix(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t i = begin; i < end; i++) {
        double all = 0;
        rill_vec3 sum = v3(0, 0, 0);
        const uint32_t *near = j->near + i * NEAREST;
        const double *d2 = j->d2 + i * NEAREST, floor_ = 1e-12 * d2[0] + 1e-30;
        for (int k = 0; k < NEAREST && near[k] != UINT32_MAX; k++) {
            const double w = 1 / (d2[k] + floor_);
            const rill_vec3 v =
                j->column ? v3((double)j->column[near[k]], 0, 0) : j->sites->velocity[near[k]];
            all += w;
            sum = v3_madd(sum, w, v);
        }
        j->result[i] = all > 0 ? v3_scale(sum, 1 / all) : sum;
        j->result[i].x += j->offset;
    }
}

/* The samples that are wanted, a chunk at a time: their places, and where their values go. */
typedef struct {
    rill_vec3 *x, *result;
    uint32_t *near;
    double *d2;
    size_t *to;
    size_t count;
} chunk;

static rill_status flush(rill_ctx *ctx, const bins *points, job *j, chunk *c, volume *out)
{
    const nearest_query q = {
        .points = points, .x = c->x, .count = c->count, .k = NEAREST, .within = INFINITY};
    TRY(nearest_find(ctx, &q, c->near, NULL, c->d2));
    j->near = c->near;
    j->d2 = c->d2;
    j->result = c->result;
    parallel_for(ctx, c->count, 1024, mix, j);
    for (size_t i = 0; i < c->count; i++)
        for (int a = 0; a < out->width; a++)
            out->value[c->to[i] * (size_t)out->width + (size_t)a] = (float)v3_axis(c->result[i], a);
    c->count = 0;
    return RILL_OK;
}

static rill_status chunk_init(rill_arena *arena, chunk *c)
{
    TRY(ARENA_NEW(arena, c->x, CHUNK));
    TRY(ARENA_NEW(arena, c->result, CHUNK));
    TRY(ARENA_NEW(arena, c->near, (size_t)CHUNK * NEAREST));
    TRY(ARENA_NEW(arena, c->d2, (size_t)CHUNK * NEAREST));
    return ARENA_NEW(arena, c->to, CHUNK);
}

/* where NULL: all samples of out. */
static rill_status fill(rill_ctx *ctx, rill_arena *arena, job *j, const volume *where, volume *out)
{
    bins points;
    chunk c = {0};
    TRY(bins_build(ctx, arena, j->sites->position, (uint32_t)j->sites->count, &points));
    TRY(chunk_init(arena, &c));
    const size_t samples = out->map.count * VOLUME_SAMPLES;
    for (size_t s = 0; s < samples; s++) {
        if (out->dimensions == 2 && s % VOLUME_SAMPLES >= 64) continue;
        if (where && where->value[s] == 0) continue;
        c.to[c.count] = s;
        c.x[c.count++] = volume_place(out, (uint32_t)(s / VOLUME_SAMPLES), (int)(s % VOLUME_SAMPLES));
        if (c.count == CHUNK) TRY(flush(ctx, &points, j, &c, out));
    }
    return c.count ? flush(ctx, &points, j, &c, out) : RILL_OK;
}

static rill_status finish(rill_ctx *ctx, job *j, const volume *where, volume *v, volume *out)
{
    rill_arena arena;
    arena_init(&arena, ctx);
    const size_t numbers = v->map.count * VOLUME_SAMPLES * (size_t)v->width;
    rill_status st = MEM_NEW_ZERO(ctx, v->value, numbers);
    const lattice_def cubes = {j->sites, v->origin, j->cube, v->dimensions, j->column, j->offset};
    if (!st && j->sites->count)
        st = j->cube > 0 ? lattice_fill(ctx, &cubes, where, v) : fill(ctx, &arena, j, where, v);
    if (st)
        volume_clear(ctx, v);
    else
        *out = *v;
    arena_clear(&arena);
    return st;
}

rill_status volume_of_sites(rill_ctx *ctx, const particles *sites, double cube, const float *column,
                            double offset, const volume *where, volume *out)
{
    volume v = {.origin = where->origin,
                .cell = where->cell,
                .dimensions = where->dimensions,
                .width = column ? 1 : 3};
    job j = {.sites = sites, .cube = cube, .column = column, .offset = offset};
    snprintf(v.name, sizeof v.name, "%s", column ? "value" : "velocity");
    rill_status st = block_map_reserve(ctx, &v.map, where->map.count);
    for (size_t b = 0; b < where->map.count && !st; b++) {
        const int32_t *at = where->map.block[b];
        st = block_map_add(ctx, &v.map, at[0], at[1], at[2]);
    }
    if (st) {
        volume_clear(ctx, &v);
        return st;
    }
    return finish(ctx, &j, where, &v, out);
}

rill_status volume_around_sites(rill_ctx *ctx, const particles *sites, double cube, const float *column,
                                double least, rill_vec3 origin, double cell, volume *out)
{
    volume v = {.origin = origin, .cell = cell, .dimensions = 3, .width = 1};
    job j = {.sites = sites, .cube = cube, .column = column};
    snprintf(v.name, sizeof v.name, "density");
    rill_status st = RILL_OK;
    for (size_t i = 0; i < sites->count && !st; i++) {
        const rill_vec3 y = v3_scale(v3_sub(sites->position[i], origin), 1 / cell);
        if (!((double)column[i] > least) || !(fabs(y.x) < 0x1p28 && fabs(y.y) < 0x1p28 && fabs(y.z) < 0x1p28))
            continue;
        int32_t low[3], high[3];
        for (int a = 0; a < 3; a++) {
            low[a] = (int32_t)floor(v3_axis(y, a) - 1) >> 3;
            high[a] = (int32_t)ceil(v3_axis(y, a) + 1) >> 3;
        }
        for (int c = low[2]; c <= high[2] && !st; c++)
            for (int b = low[1]; b <= high[1] && !st; b++)
                for (int a = low[0]; a <= high[0] && !st; a++) st = block_map_add(ctx, &v.map, a, b, c);
    }
    if (!st) st = block_map_sort(ctx, &v.map);
    if (st) {
        volume_clear(ctx, &v);
        return st;
    }
    return finish(ctx, &j, NULL, &v, out);
}
