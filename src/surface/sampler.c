/* Binning particles by block and gathering those near one; lengths in cells, see sampler.h. */
#include "surface/sampler.h"

#include "base/parallel.h"

#include <inttypes.h>
#include <string.h>

void sampler_clear(rill_ctx *ctx, sampler *s)
{
    mem_free(ctx, s->particle);
    mem_free(ctx, s->x);
    mem_free(ctx, s->y);
    mem_free(ctx, s->z);
    mem_free(ctx, s->root);
    mem_free(ctx, s->first);
    block_map_clear(ctx, &s->home);
    *s = (sampler){0};
}

/* Farther out a double no longer resolves a hundredth of a cell. */
static const double farthest = 0x1p44;
static const double widest = 0x1p30;

static rill_status astray(rill_ctx *ctx, const particles *p, size_t i, const char *how)
{
    const rill_vec3 x = p->position[i];
    return rill_fail(ctx, RILL_BLEW_UP,
                     "surface: particle %" PRIu64 " at (%g, %g, %g) %s; the simulation has lost it: try "
                     "smaller time steps, or a drain around the domain",
                     p->id ? p->id[i] : (uint64_t)i, x.x, x.y, x.z, how);
}

/* Bounds of the particles, in cells, or the one that has no place in the grid. */
static rill_status check_places(rill_ctx *ctx, const particles *p, double cell, int dimensions, rill_box *out)
{
    rill_box box = box_empty();
    rill_vec3 sum = {0};
    for (size_t i = 0; i < p->count; i++) {
        rill_vec3 x = v3_scale(p->position[i], 1 / cell);
        if (dimensions == 2) x.z = 0;
        if (!v3_finite(x)) return astray(ctx, p, i, "is not a place");
        if (fabs(x.x) > farthest || fabs(x.y) > farthest || fabs(x.z) > farthest)
            return astray(ctx, p, i, "is farther out than the surface can resolve");
        box = box_with(box, x);
        sum = v3_add(sum, x);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (v3_axis(box.max, axis) - v3_axis(box.min, axis) < widest) continue;
        const double mean = v3_axis(sum, axis) / (double)p->count;
        size_t worst = 0;
        double distance = -1;
        for (size_t i = 0; i < p->count; i++) {
            const double d = fabs(v3_axis(p->position[i], axis) / cell - mean);
            if (d > distance) {
                distance = d;
                worst = i;
            }
        }
        return astray(ctx, p, worst, "is more than 2^30 cells away from the others");
    }
    *out = box;
    return RILL_OK;
}

typedef struct {
    sampler *s;
    int32_t (*block)[3]; /* per particle, in their own order */
    double low[3];       /* the first block, counted from the world's origin */
} place_arg;

/* The block of a coordinate, and what is left over from its corner, both in cells. */
static double block_of(const sampler *s, double x, double *rest)
{
    const double b = floor(x / (LEVEL_BLOCK * s->cell));
    *rest = x / s->cell - LEVEL_BLOCK * b;
    return b;
}

static void find_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const place_arg *a = arg;
    for (size_t i = begin; i < end; i++) {
        double rest;
        for (int axis = 0; axis < 3; axis++) {
            const bool planar = axis == 2 && a->s->layers == 1;
            const double x = planar ? 0 : v3_axis(a->s->from->position[i], axis);
            a->block[i][axis] = (int32_t)(block_of(a->s, x, &rest) - a->low[axis]);
        }
    }
}

static void copy_places(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const place_arg *a = arg;
    const sampler *s = a->s;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = s->from->position[s->particle[i]];
        double rest;
        block_of(s, x.x, &rest);
        s->x[i] = (float)rest;
        block_of(s, x.y, &rest);
        s->y[i] = (float)rest;
        block_of(s, s->layers == 1 ? 0 : x.z, &rest);
        s->z[i] = (float)rest;
        s->root[i] = 1;
    }
}

/* Runs of equal blocks in the sorted order become the blocks of home. */
static rill_status find_homes(rill_ctx *ctx, sampler *s, int32_t (*block)[3])
{
    const size_t n = s->from->count;
    size_t capacity = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        const int32_t *b = block[s->particle[i]];
        if (i > 0 && memcmp(b, block[s->particle[i - 1]], sizeof *block) == 0) continue;
        TRY(mem_grow(ctx, &s->first, sizeof *s->first, &capacity, s->home.count + 2));
        s->first[s->home.count] = (uint32_t)i;
        TRY(block_map_add(ctx, &s->home, b[0], b[1], b[2]));
    }
    s->first[s->home.count] = (uint32_t)n;
    for (size_t h = 0; h < s->home.count; h++) {
        const size_t count = s->first[h + 1] - s->first[h];
        if (count > largest) largest = count;
    }
    const size_t span = 2 * (size_t)s->reach + 1, around = span * span * (s->layers == 1 ? 1 : span);
    s->most = largest > n / around ? n : largest * around;
    return RILL_OK;
}

rill_status sampler_build(rill_ctx *ctx, const particles *p, double cell, double radius, int dimensions,
                          sampler *out)
{
    sampler s = {.cell = cell, .layers = dimensions == 2 ? 1 : LEVEL_BLOCK, .from = p};
    s.radius = (float)(radius / cell);
    s.reach = (int)ceil(radius / cell / LEVEL_BLOCK);
    rill_box box = box_empty();
    TRY(check_places(ctx, p, cell, dimensions, &box));
    place_arg a = {.s = &s};
    double corner[3];
    for (int axis = 0; axis < 3; axis++) {
        a.low[axis] = floor(v3_axis(box.min, axis) / LEVEL_BLOCK);
        corner[axis] = a.low[axis] * LEVEL_BLOCK * cell;
    }
    s.origin = v3(corner[0], corner[1], corner[2]);

    rill_status st = MEM_NEW(ctx, a.block, p->count);
    if (!st) st = MEM_NEW(ctx, s.particle, p->count);
    if (!st) parallel_for(ctx, p->count, 4096, find_blocks, &a);
    if (!st) st = blocks_sort(ctx, p->count, (const int32_t(*)[3])a.block, s.particle);
    if (!st) st = find_homes(ctx, &s, a.block);
    mem_free(ctx, a.block);
    if (!st) st = MEM_NEW(ctx, s.x, p->count);
    if (!st) st = MEM_NEW(ctx, s.y, p->count);
    if (!st) st = MEM_NEW(ctx, s.z, p->count);
    if (!st) st = MEM_NEW(ctx, s.root, p->count);
    s.most_weight = 1;
    if (!st) {
        parallel_for(ctx, p->count, 4096, copy_places, &a);
        *out = s;
    } else {
        sampler_clear(ctx, &s);
    }
    return st;
}

rill_status sampler_touched(rill_ctx *ctx, const sampler *s, block_map *out)
{
    block_map map = {0};
    rill_status st = RILL_OK;
    for (size_t h = 0; h < s->home.count && !st; h++) {
        const float *column[3] = {s->x, s->y, s->z};
        int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
        for (int axis = 0; axis < (s->layers == 1 ? 2 : 3); axis++) {
            float least = INFINITY, most = -INFINITY;
            for (uint32_t i = s->first[h]; i < s->first[h + 1]; i++) {
                const float x = column[axis][i];
                least = x < least ? x : least;
                most = x > most ? x : most;
            }
            const int32_t at = s->home.block[h][axis];
            low[axis] = at + (int32_t)floorf((least - s->radius) / LEVEL_BLOCK);
            high[axis] = at + (int32_t)floorf((most + s->radius) / LEVEL_BLOCK);
        }
        for (int32_t c = low[2]; c <= high[2] && !st; c++)
            for (int32_t b = low[1]; b <= high[1] && !st; b++)
                for (int32_t a = low[0]; a <= high[0] && !st; a++) st = block_map_add(ctx, &map, a, b, c);
    }
    if (!st) st = block_map_sort(ctx, &map);
    if (!st)
        *out = map;
    else
        block_map_clear(ctx, &map);
    return st;
}

static size_t padded(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

rill_status sampler_near_init(rill_ctx *ctx, const sampler *s, sampler_near *near)
{
    sampler_near n = {0};
    const size_t room = padded(s->most);
    TRY(MEM_NEW(ctx, n.x, 5 * room));
    n.y = n.x + room;
    n.z = n.y + room;
    n.root = n.z + room;
    n.particle = (uint32_t *)(n.root + room);
    *near = n;
    return RILL_OK;
}

void sampler_near_clear(rill_ctx *ctx, sampler_near *near)
{
    mem_free(ctx, near->x);
    *near = (sampler_near){0};
}

static float beyond(float x)
{
    const float over = x - LEVEL_BLOCK;
    const float out = over > -x ? over : -x;
    return out > 0 ? out : 0;
}

/* Appends those of home block h, whose corner lies `shift` away, that reach the block. */
static void gather_home(const sampler *s, uint32_t h, const float shift[3], sampler_near *near)
{
    const float limit = s->radius * s->radius;
    size_t n = near->count;
    for (uint32_t i = s->first[h]; i < s->first[h + 1]; i++) {
        const float x = s->x[i] + shift[0], y = s->y[i] + shift[1], z = s->z[i] + shift[2];
        const float dx = beyond(x), dy = beyond(y), dz = beyond(z);
        near->x[n] = x;
        near->y[n] = y;
        near->z[n] = z;
        near->root[n] = s->root[i];
        near->particle[n] = s->particle[i];
        n += dx * dx + dy * dy + dz * dz < limit;
    }
    near->count = n;
}

void sampler_gather(const sampler *s, const int32_t block[3], sampler_near *near)
{
    const int deep = s->layers == 1 ? 0 : s->reach;
    near->count = 0;
    for (int c = -deep; c <= deep; c++)
        for (int b = -s->reach; b <= s->reach; b++)
            for (int a = -s->reach; a <= s->reach; a++) {
                const uint32_t h = block_map_find(&s->home, block[0] + a, block[1] + b, block[2] + c);
                if (h == BLOCK_NONE) continue;
                const float shift[3] = {(float)(LEVEL_BLOCK * a), (float)(LEVEL_BLOCK * b),
                                        (float)(LEVEL_BLOCK * c)};
                gather_home(s, h, shift, near);
            }
    for (size_t i = near->count; i < padded(near->count); i++) {
        near->x[i] = near->y[i] = near->z[i] = 1e9f;
        near->particle[i] = 0;
        near->root[i] = 0;
    }
}
