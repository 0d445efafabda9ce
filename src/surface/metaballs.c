/* Sampling the metaball field.
 *
 * A block's row of eight samples is one vector, and every particle near the block adds
 * its kernel to the rows it reaches, in the order of the gather: sums do not depend on
 * threads. Blocks are gone through twice: once to learn on which side of the level they
 * are, and again, for those at the surface, to keep the samples. Sampling is cheap, and
 * memory then follows the surface instead of the volume. */
#include "surface/metaballs.h"

#include "base/parallel.h"

#include <string.h>

typedef float f8 __attribute__((vector_size(32), may_alias)); /* rows are read as floats too */
typedef int32_t i8 __attribute__((vector_size(32)));

static f8 positive(f8 t)
{
    return (f8)((i8)t & (t > 0));
}

double metaballs_level(double radius, int dimensions)
{
    return metaballs_above(radius, dimensions, 0.5);
}

double metaballs_above(double radius, int dimensions, double height)
{
    enum { POINTS = 32 };
    const int reach = (int)ceil(radius), deep = dimensions == 2 ? 0 : reach;
    const int points_z = dimensions == 2 ? 1 : POINTS;
    double sum = 0;
    for (int q = 0; q < points_z; q++)
        for (int p = 0; p < POINTS; p++) {
            const double x = (p + 0.5) / POINTS, z = dimensions == 2 ? 0 : (q + 0.5) / POINTS;
            for (int layer = 0; layer < reach; layer++)
                for (int c = -deep; c <= deep + 1; c++)
                    for (int a = -reach; a <= reach + 1; a++) {
                        const double dy = layer + height, dx = x - a, dz = dimensions == 2 ? 0 : z - c;
                        const double t = 1 - (dx * dx + dy * dy + dz * dz) / (radius * radius);
                        if (t > 0 && (dimensions == 3 || c == 0)) sum += t * t * t;
                    }
        }
    return sum / (POINTS * points_z);
}

/* Adds one particle to the rows of a block it reaches; row[8 k + j] holds i = 0 .. 7. Its weight,
 * as a cube root, goes into what is cubed. */
static void add_particle(const sampler *s, float x, float y, float z, float root, f8 *row)
{
    const f8 place = {0, 1, 2, 3, 4, 5, 6, 7};
    const float r = s->radius, scale = 1 / (r * r);
    const f8 dx = place - x, along = dx * dx * (scale * root);
    const int j0 = y > r ? (int)ceilf(y - r) : 0, j1 = y + r < 7 ? (int)floorf(y + r) : 7;
    int k0 = 0, k1 = 0;
    if (s->layers > 1) {
        k0 = z > r ? (int)ceilf(z - r) : 0;
        k1 = z + r < 7 ? (int)floorf(z + r) : 7;
    }
    for (int k = k0; k <= k1; k++) {
        const float dz = s->layers > 1 ? (float)k - z : 0, rest_z = 1 - dz * dz * scale;
        for (int j = j0; j <= j1; j++) {
            const float dy = (float)j - y, rest = root * (rest_z - dy * dy * scale);
            if (rest <= 0) continue;
            const f8 t = positive(rest - along);
            row[8 * k + j] += t * t * t;
        }
    }
}

static void sample_block(const sampler *s, const sampler_near *near, f8 *row)
{
    memset(row, 0, (size_t)s->layers * LEVEL_AREA * sizeof(float));
    for (size_t i = 0; i < near->count; i++)
        add_particle(s, near->x[i], near->y[i], near->z[i], near->root[i], row);
}

enum { SIDE_OUTSIDE, SIDE_INSIDE, SIDE_BOTH };

typedef struct {
    const sampler *s;
    float level;
    block_map touched;
    uint8_t *side; /* per touched block */
    uint8_t *keep; /* per touched block: its samples are wanted */
    level_grid *grid;
    sampler_near near[PARALLEL_MAX_THREADS];
} sampling;

static void find_sides(void *arg, size_t begin, size_t end, int worker)
{
    sampling *a = arg;
    f8 row[LEVEL_AREA];
    for (size_t b = begin; b < end; b++) {
        sampler_near *near = &a->near[worker];
        sampler_gather(a->s, a->touched.block[b], near);
        a->side[b] = SIDE_OUTSIDE;
        if ((float)near->count * a->s->most_weight < a->level) continue; /* k <= 1: too few to get there */
        sample_block(a->s, near, row);
        const float *value = (const float *)row;
        int inside = 0;
        for (int i = 0; i < LEVEL_AREA * a->s->layers; i++) inside += value[i] >= a->level;
        a->side[b] = inside == 0                           ? SIDE_OUTSIDE
                     : inside == LEVEL_AREA * a->s->layers ? SIDE_INSIDE
                                                           : SIDE_BOTH;
    }
}

/* Samples are wanted where the surface passes and in blocks beside one of another side,
 * since a cell reaches into its neighbours. */
static void find_kept(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sampling *a = arg;
    const int deep = a->s->layers > 1 ? 1 : 0;
    for (size_t b = begin; b < end; b++) {
        const int32_t *at = a->touched.block[b];
        bool keep = a->side[b] == SIDE_BOTH;
        for (int z = -deep; z <= deep && !keep; z++)
            for (int y = -1; y <= 1 && !keep; y++)
                for (int x = -1; x <= 1 && !keep; x++) {
                    const uint32_t n = block_map_find(&a->touched, at[0] + x, at[1] + y, at[2] + z);
                    keep = (n == BLOCK_NONE ? SIDE_OUTSIDE : a->side[n]) != a->side[b];
                }
        a->keep[b] = keep;
    }
}

static void keep_samples(void *arg, size_t begin, size_t end, int worker)
{
    sampling *a = arg;
    f8 row[LEVEL_AREA];
    const size_t samples = (size_t)a->s->layers * LEVEL_AREA;
    for (size_t b = begin; b < end; b++) {
        if (a->grid->slot[b] == LEVEL_INSIDE) continue;
        sampler_gather(a->s, a->grid->map.block[b], &a->near[worker]);
        sample_block(a->s, &a->near[worker], row);
        memcpy(a->grid->value + a->grid->slot[b] * samples, row, samples * sizeof(float));
    }
}

/* The grid's blocks: those with samples and those inside; what is outside goes unsaid. */
static rill_status choose_blocks(rill_ctx *ctx, const sampling *a, level_grid *grid)
{
    size_t count = 0;
    for (size_t b = 0; b < a->touched.count; b++) count += a->keep[b] || a->side[b] == SIDE_INSIDE;
    TRY(block_map_reserve(ctx, &grid->map, count));
    TRY(MEM_NEW(ctx, grid->slot, count));
    uint32_t kept = 0;
    for (size_t b = 0; b < a->touched.count; b++) {
        if (!a->keep[b] && a->side[b] != SIDE_INSIDE) continue;
        const int32_t *at = a->touched.block[b];
        grid->slot[grid->map.count] = a->keep[b] ? kept++ : LEVEL_INSIDE;
        TRY(block_map_add(ctx, &grid->map, at[0], at[1], at[2]));
    }
    return MEM_NEW(ctx, grid->value, (size_t)kept * LEVEL_AREA * (size_t)a->s->layers);
}

static void near_clear_all(rill_ctx *ctx, sampler_near *near)
{
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &near[w]);
}

static rill_status near_init_all(rill_ctx *ctx, const sampler *s, sampler_near *near)
{
    for (int w = 0; w < parallel_workers(ctx); w++) TRY(sampler_near_init(ctx, s, &near[w]));
    return RILL_OK;
}

rill_status metaballs_sample(rill_ctx *ctx, const sampler *s, double level, level_grid *out)
{
    level_grid grid = {.origin = s->origin, .cell = s->cell, .layers = s->layers, .level = (float)level};
    grid.outside = 0;
    grid.inside = 2 * (float)level; /* about what the field is deep inside */
    sampling a = {.s = s, .level = (float)level, .grid = &grid};
    rill_status st = near_init_all(ctx, s, a.near);
    if (!st) st = sampler_touched(ctx, s, &a.touched);
    if (!st) st = MEM_NEW(ctx, a.side, a.touched.count);
    if (!st) st = MEM_NEW(ctx, a.keep, a.touched.count);
    if (!st) parallel_for(ctx, a.touched.count, 8, find_sides, &a);
    if (!st) parallel_for(ctx, a.touched.count, 64, find_kept, &a);
    if (!st) st = choose_blocks(ctx, &a, &grid);
    if (!st) parallel_for(ctx, grid.map.count, 8, keep_samples, &a);
    if (!st)
        *out = grid;
    else
        level_grid_clear(ctx, &grid);
    mem_free(ctx, a.side);
    mem_free(ctx, a.keep);
    block_map_clear(ctx, &a.touched);
    near_clear_all(ctx, a.near);
    return st;
}

/* What a vertex learns from the particles around it. */
typedef struct {
    rill_vec3 slope; /* minus the field's gradient, not to scale */
    rill_vec3 velocity;
} dressing;

typedef struct {
    const sampler *s;
    const level_patches *patches;
    trimesh *mesh;
    float *velocity;
    sampler_near near[PARALLEL_MAX_THREADS];
    float *flow[PARALLEL_MAX_THREADS]; /* velocities of the gathered particles: x, then y, then z */
} dresser;

static double sum8(f8 v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* No particle reaches the vertex (a cell as wide as the kernel can do that): the
 * nearest one of those gathered stands in. */
static dressing nearest_dressing(const sampler_near *near, const float *flow, size_t room, rill_vec3 at)
{
    dressing d = {{0, 0, 0}, {0, 0, 0}};
    double least = INFINITY;
    for (size_t i = 0; i < near->count; i++) {
        const rill_vec3 away = v3_sub(at, v3(near->x[i], near->y[i], near->z[i]));
        if (v3_dot(away, away) >= least) continue;
        least = v3_dot(away, away);
        d.slope = away;
        d.velocity = v3(flow[i], flow[room + i], flow[2 * room + i]);
    }
    return d;
}

/* -grad F is along sum w_i 3 t^2 (x - x_i), t = 1 - s^2; that of w_i is left out. */
static dressing dress_vertex(const sampler *s, const sampler_near *near, const float *flow, size_t room,
                             rill_vec3 at)
{
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const f8 *root = (const f8 *)near->root;
    const f8 *pu = (const f8 *)flow, *pv = (const f8 *)(flow + room), *pw = (const f8 *)(flow + 2 * room);
    const float x = (float)at.x, y = (float)at.y, z = (float)at.z, scale = 1 / (s->radius * s->radius);
    f8 gx = {0}, gy = {0}, gz = {0}, weight = {0}, u = {0}, v = {0}, w = {0};
    for (size_t i = 0; i < (near->count + 7) / 8; i++) {
        const f8 dx = x - px[i], dy = y - py[i], dz = z - pz[i];
        const f8 t = positive(1 - (dx * dx + dy * dy + dz * dz) * scale);
        const f8 t2 = t * t * (root[i] * root[i] * root[i]), k = t2 * t;
        gx += t2 * dx;
        gy += t2 * dy;
        gz += t2 * dz;
        weight += k;
        u += k * pu[i];
        v += k * pv[i];
        w += k * pw[i];
    }
    const double total = sum8(weight);
    if (!(total > 0)) return nearest_dressing(near, flow, room, at);
    return (dressing){{sum8(gx), sum8(gy), sum8(gz)}, {sum8(u) / total, sum8(v) / total, sum8(w) / total}};
}

static void dress_patch(dresser *a, const level_patch *patch, int worker)
{
    const sampler *s = a->s;
    sampler_near *near = &a->near[worker];
    float *flow = a->flow[worker];
    sampler_gather(s, patch->block, near);
    const size_t room = (near->count + 7) & ~(size_t)7;
    for (size_t i = 0; i < room; i++) {
        const rill_vec3 u = s->from->velocity[near->particle[i]];
        flow[i] = (float)u.x;
        flow[room + i] = (float)u.y;
        flow[2 * room + i] = (float)u.z;
    }
    const double shift = LEVEL_BLOCK;
    const rill_vec3 corner = v3_scale(v3(patch->block[0], patch->block[1], patch->block[2]), shift);
    for (uint32_t i = patch->first; i < patch->first + patch->count; i++) {
        rill_vec3 at = v3_scale(v3_sub(a->mesh->position[i], s->origin), 1 / s->cell);
        at = v3_sub(at, corner);
        const double side = at.z > 0 ? 1 : -1; /* in two dimensions: which cap */
        if (s->layers == 1) at.z = 0;
        const dressing d = dress_vertex(s, near, flow, room, at);
        rill_vec3 n = v3_unit(d.slope);
        if (v3_dot(n, n) < 0.5) n = v3(0, 1, 0); /* a level field has no slope; any direction will do */
        if (s->layers == 1) {
            /* caps are flat; at their rim, wall and cap share a vertex and halve the angle */
            n.z = side;
            if (i - patch->first < patch->flat) n.x = n.y = 0;
            n = v3_unit(n);
        }
        float *normal = a->mesh->normal[i], *velocity = a->velocity + 3 * (size_t)i;
        normal[0] = (float)n.x, normal[1] = (float)n.y, normal[2] = (float)n.z;
        velocity[0] = (float)d.velocity.x, velocity[1] = (float)d.velocity.y;
        velocity[2] = (float)d.velocity.z;
    }
}

static void dress_patches(void *arg, size_t begin, size_t end, int worker)
{
    dresser *a = arg;
    for (size_t i = begin; i < end; i++) dress_patch(a, &a->patches->patch[i], worker);
}

rill_status metaballs_dress(rill_ctx *ctx, const sampler *s, const level_patches *patches, trimesh *mesh)
{
    dresser a = {.s = s, .patches = patches, .mesh = mesh};
    trimesh_column *column = &mesh->column[mesh->column_count];
    rill_status st = near_init_all(ctx, s, a.near);
    for (int w = 0; w < parallel_workers(ctx) && !st; w++) st = MEM_NEW(ctx, a.flow[w], 3 * (s->most + 8));
    if (!st) st = MEM_NEW(ctx, mesh->normal, mesh->vertex_count);
    if (!st) st = MEM_NEW(ctx, a.velocity, 3 * mesh->vertex_count);
    if (!st) {
        *column = (trimesh_column){.name = "velocity", .width = 3, .value = a.velocity};
        mesh->column_count++;
        parallel_for(ctx, patches->count, 4, dress_patches, &a);
    }
    for (int w = 0; w < parallel_workers(ctx); w++) mem_free(ctx, a.flow[w]);
    near_clear_all(ctx, a.near);
    return st;
}
