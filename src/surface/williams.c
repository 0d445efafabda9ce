#include "surface/williams.h"

#include "base/parallel.h"

#include <string.h>

static const double pace = 0.22; /* of the descent; stable below 1/2 */
static const float step =
    0.75f; /* of a round of smoothing, of the mean of neighbours less the value; stable below 1 */
enum { LAST_ROUNDS = 4 }; /* in which the bounds are met and no kinks left */

typedef float f8 __attribute__((vector_size(32), may_alias));
typedef int32_t i8 __attribute__((vector_size(32)));

static rill_status near_init_all(rill_ctx *ctx, const sampler *s, sampler_near *near)
{
    for (int w = 0; w < parallel_workers(ctx); w++) TRY(sampler_near_init(ctx, s, &near[w]));
    return RILL_OK;
}

static void near_clear_all(rill_ctx *ctx, sampler_near *near)
{
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &near[w]);
}

/* ---- the mesh ---- */

typedef struct {
    const sampler *s;
    const level_patches *patches;
    trimesh *mesh;
    double inner, outer; /* cells */
    uint32_t *first;     /* per vertex and one more: its corners */
    uint32_t *corner;    /* 3 t + k: corner k of triangle t */
    rill_vec3 *bend;     /* L x, in metres */
    sampler_near near[PARALLEL_MAX_THREADS];
} relaxing;

/* Each vertex with its corners: the edge that leaves it in each is another, as the mesh is closed. */
static rill_status find_corners(rill_ctx *ctx, relaxing *r)
{
    const trimesh *m = r->mesh;
    TRY(MEM_NEW_ZERO(ctx, r->first, m->vertex_count + 2));
    TRY(MEM_NEW(ctx, r->corner, 3 * m->triangle_count));
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) r->first[m->triangle[t][k] + 2]++;
    for (size_t v = 2; v < m->vertex_count + 2; v++) r->first[v] += r->first[v - 1];
    for (size_t t = 0; t < m->triangle_count; t++) /* first[v + 1] is where v's next goes */
        for (int k = 0; k < 3; k++)
            r->corner[r->first[m->triangle[t][k] + 1]++] = (uint32_t)(3 * t) + (uint32_t)k;
    return RILL_OK;
}

static uint32_t next_of(const relaxing *r, uint32_t corner)
{
    return r->mesh->triangle[corner / 3][(corner % 3 + 1) % 3];
}

/* The mean of values at the neighbours, less that at the vertex. */
static rill_vec3 laplacian(const relaxing *r, const rill_vec3 *value, size_t v)
{
    rill_vec3 sum = {0, 0, 0};
    const uint32_t begin = r->first[v], end = r->first[v + 1];
    for (uint32_t c = begin; c < end; c++) sum = v3_add(sum, value[next_of(r, r->corner[c])]);
    return end > begin ? v3_sub(v3_scale(sum, 1.0 / (end - begin)), value[v]) : sum;
}

static void find_bends(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const relaxing *r = arg;
    for (size_t v = begin; v < end; v++) r->bend[v] = laplacian(r, r->mesh->position, v);
}

/* The nearest particle to a place in cells from the block's corner: squared distance, and which. */
static float nearest(const sampler_near *near, const float at[3], size_t *which)
{
    float least = INFINITY;
    for (size_t i = 0; i < near->count; i++) {
        const float dx = near->x[i] - at[0], dy = near->y[i] - at[1], dz = near->z[i] - at[2];
        const float d2 = dx * dx + dy * dy + dz * dz;
        if (d2 < least) least = d2, *which = i;
    }
    return least;
}

static void move_patch(const relaxing *r, const level_patch *patch, sampler_near *near)
{
    const sampler *s = r->s;
    sampler_gather(s, patch->block, near);
    const rill_vec3 corner =
        v3_madd(s->origin, LEVEL_BLOCK * s->cell, v3(patch->block[0], patch->block[1], patch->block[2]));
    for (uint32_t v = patch->first; v < patch->first + patch->count; v++) {
        const rill_vec3 to = v3_madd(r->mesh->position[v], -pace, laplacian(r, r->bend, v));
        rill_vec3 x = v3_scale(v3_sub(to, corner), 1 / s->cell);
        const float at[3] = {(float)x.x, (float)x.y, (float)x.z};
        size_t i = 0;
        const double d = sqrt((double)nearest(near, at, &i));
        if (near->count && d > 0 && (d < r->inner || d > r->outer)) {
            const rill_vec3 center = v3(near->x[i], near->y[i], near->z[i]);
            x = v3_madd(center, (d < r->inner ? r->inner : r->outer) / d, v3_sub(x, center));
            r->mesh->position[v] = v3_madd(corner, s->cell, x);
        } else {
            r->mesh->position[v] = to;
        }
    }
}

static void move_patches(void *arg, size_t begin, size_t end, int worker)
{
    relaxing *r = arg;
    for (size_t i = begin; i < end; i++) move_patch(r, &r->patches->patch[i], &r->near[worker]);
}

static void find_normals(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const relaxing *r = arg;
    const trimesh *m = r->mesh;
    for (size_t v = begin; v < end; v++) {
        rill_vec3 sum = {0, 0, 0};
        for (uint32_t c = r->first[v]; c < r->first[v + 1]; c++) {
            const uint32_t *t = m->triangle[r->corner[c] / 3];
            const rill_vec3 a = m->position[t[0]];
            sum = v3_add(sum, v3_cross(v3_sub(m->position[t[1]], a), v3_sub(m->position[t[2]], a)));
        }
        const rill_vec3 n = v3_unit(sum);
        if (v3_dot(n, n) < 0.5) continue; /* no area: that of the field */
        m->normal[v][0] = (float)n.x, m->normal[v][1] = (float)n.y, m->normal[v][2] = (float)n.z;
    }
}

rill_status williams_relax(rill_ctx *ctx, const sampler *s, const level_patches *patches,
                           const williams_def *def, trimesh *mesh)
{
    const double per = def->spacing / s->cell;
    relaxing r = {
        .s = s, .patches = patches, .mesh = mesh, .inner = def->inner * per, .outer = def->outer * per};
    rill_status st = find_corners(ctx, &r);
    if (!st) st = MEM_NEW(ctx, r.bend, mesh->vertex_count);
    if (!st) st = near_init_all(ctx, s, r.near);
    for (int k = 0; k < def->rounds && !st; k++) {
        parallel_for(ctx, mesh->vertex_count, 4096, find_bends, &r);
        parallel_for(ctx, patches->count, 4, move_patches, &r);
    }
    if (!st) parallel_for(ctx, mesh->vertex_count, 4096, find_normals, &r);
    mem_free(ctx, r.first);
    mem_free(ctx, r.corner);
    mem_free(ctx, r.bend);
    near_clear_all(ctx, r.near);
    return st;
}

/* ---- the level set ---- */

typedef struct {
    const sampler *s;
    level_grid *grid;
    double inner, outer; /* cells */
    float scale;         /* of the metaballs' field to cells */
    float level;
    size_t samples;  /* of a block */
    float *distance; /* of the nearest particle, in cells; at most outer + 1 */
    float *fresh;    /* the next round's values */
    float *once;     /* values that were smoothed once */
    sampler_near near[PARALLEL_MAX_THREADS];
} smoothing;

/* Squared distances of the nearest particle, row by row as the metaballs are sampled. */
static void nearest_of_block(const sampler *s, const sampler_near *near, float most, f8 *row)
{
    const f8 place = {0, 1, 2, 3, 4, 5, 6, 7};
    const int rows = s->layers == 1 ? 8 : 64;
    for (int k = 0; k < rows; k++) row[k] = (f8){0} + most * most;
    for (size_t i = 0; i < near->count; i++) {
        const float x = near->x[i], y = near->y[i], z = near->z[i];
        const f8 dx = place - x, along = dx * dx;
        for (int k = 0; k < rows; k++) {
            const float dy = (float)(k & 7) - y, dz = s->layers == 1 ? 0 : (float)(k >> 3) - z;
            const float rest = dy * dy + dz * dz;
            if (rest > most * most) continue;
            const f8 d2 = along + rest;
            const i8 less = d2 < row[k];
            row[k] = (f8)(((i8)d2 & less) | ((i8)row[k] & ~less));
        }
    }
}

static void find_distances(void *arg, size_t begin, size_t end, int worker)
{
    smoothing *a = arg;
    f8 row[LEVEL_AREA];
    for (size_t b = begin; b < end; b++) {
        if (a->grid->slot[b] >= LEVEL_INSIDE) continue;
        sampler_gather(a->s, a->grid->map.block[b], &a->near[worker]);
        nearest_of_block(a->s, &a->near[worker], (float)a->outer + 1, row); /* beyond it is surely outside */
        const float *d2 = (const float *)row;
        const size_t at = (size_t)a->grid->slot[b] * a->samples;
        for (size_t i = 0; i < a->samples; i++) {
            a->distance[at + i] = sqrtf(d2[i]);
            const float far = (float)a->outer, psi = (a->grid->value[at + i] - a->level) * a->scale;
            a->grid->value[at + i] = psi > far ? far : psi < -far ? -far : psi;
        }
    }
}

/* The samples of the blocks on the six sides, or NULL where none are kept. */
static const float *beside(const level_grid *g, const int32_t at[3], int axis, int side, size_t samples)
{
    int32_t to[3] = {at[0], at[1], at[2]};
    to[axis] += side;
    const uint32_t id = block_map_find(&g->map, to[0], to[1], to[2]);
    if (id == BLOCK_NONE || g->slot[id] >= LEVEL_INSIDE) return NULL;
    return g->value + (size_t)g->slot[id] * samples;
}

/* One step of value + step * Laplacian; at the rim of what is kept, as if it went on level. The inner balls
 * stay inside, and nothing gets beyond the outer. */
static void smooth_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const smoothing *a = arg;
    const level_grid *g = a->grid;
    const int layers = g->layers, axes = layers == 1 ? 2 : 3;
    const int stride[3] = {1, 8, 64};
    for (size_t b = begin; b < end; b++) {
        if (g->slot[b] >= LEVEL_INSIDE) continue;
        const size_t first = (size_t)g->slot[b] * a->samples;
        const float *own = g->value + first;
        const float *side[3][2] = {{0}};
        for (int axis = 0; axis < axes; axis++)
            for (int k = 0; k < 2; k++)
                side[axis][k] = beside(g, g->map.block[b], axis, 2 * k - 1, a->samples);
        for (int i = 0; i < (int)a->samples; i++) {
            const int at[3] = {i & 7, i >> 3 & 7, i >> 6};
            float sum = 0;
            for (int axis = 0; axis < axes; axis++) {
                const int d = stride[axis], over = 7 * d;
                sum += at[axis] > 0 ? own[i - d] : side[axis][0] ? side[axis][0][i + over] : own[i];
                sum += at[axis] < 7 ? own[i + d] : side[axis][1] ? side[axis][1][i - over] : own[i];
            }
            const float value = own[i] + step * (sum / (float)(2 * axes) - own[i]);
            const float d = a->distance[first + (size_t)i], low = (float)a->inner - d,
                        high = (float)a->outer - d;
            a->fresh[first + (size_t)i] = low > 0 && value < low     ? low
                                          : high < 0 && value > high ? high
                                                                     : value;
        }
    }
}

static void smooth(rill_ctx *ctx, smoothing *a, int rounds)
{
    for (int k = 0; k < rounds; k++) {
        parallel_for(ctx, a->grid->map.count, 8, smooth_blocks, a);
        float *old = a->grid->value;
        a->grid->value = a->fresh;
        a->fresh = old;
    }
}

/* A round spreads a value by a variance of step / axes along each axis. */
static int rounds_for(double width, int axes)
{
    return (int)ceil(width * width * axes / (double)step);
}

rill_status williams_level(rill_ctx *ctx, const sampler *s, double slope, const williams_def *def,
                           level_grid *grid)
{
    const double per = def->spacing / s->cell;
    smoothing a = {
        .s = s, .grid = grid, .inner = def->inner * per, .outer = def->outer * per, .level = grid->level};
    a.scale = (float)(per / slope);
    a.samples = (size_t)grid->layers * LEVEL_AREA;
    size_t kept = 0;
    for (size_t b = 0; b < grid->map.count; b++) kept += grid->slot[b] < LEVEL_INSIDE;
    const size_t n = kept * a.samples;
    rill_status st = MEM_NEW(ctx, a.distance, n);
    if (!st) st = MEM_NEW(ctx, a.fresh, n);
    if (!st) st = MEM_NEW(ctx, a.once, n);
    if (!st) st = near_init_all(ctx, s, a.near);
    if (!st) {
        parallel_for(ctx, grid->map.count, 4, find_distances, &a);
        grid->level = 0;
        grid->inside = (float)a.outer;
        grid->outside = -(float)a.outer;
        const int rounds = rounds_for(def->width * per, grid->layers == 1 ? 2 : 3);
        smooth(ctx, &a, rounds);
        memcpy(a.once, grid->value, n * sizeof *a.once);
        smooth(ctx, &a, rounds);
        for (size_t i = 0; i < n; i++) grid->value[i] = 2 * a.once[i] - grid->value[i];
        smooth(ctx, &a, LAST_ROUNDS);
    }
    mem_free(ctx, a.distance);
    mem_free(ctx, a.fresh);
    mem_free(ctx, a.once);
    near_clear_all(ctx, a.near);
    return st;
}
