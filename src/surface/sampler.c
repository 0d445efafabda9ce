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
    mem_free(ctx, s->reach);
    for (int v = 0; v < s->values; v++) mem_free(ctx, s->value[v]);
    for (int g = 0; g < SAMPLER_GROUPS; g++) {
        mem_free(ctx, s->group[g].first);
        block_map_clear(ctx, &s->group[g].home);
    }
    *s = (sampler){0};
}

/* Farther out a double no longer resolves a hundredth of a cell. */
static const double farthest = 0x1p44;
static const double widest = 0x1p30;

static rill_status astray(rill_ctx *ctx, const sampler_def *def, size_t i, const char *how)
{
    const rill_vec3 x = def->position[i];
    return rill_fail(ctx, RILL_BLEW_UP,
                     "surface: particle %" PRIu64 " at (%g, %g, %g) %s; the simulation has lost it: try "
                     "smaller time steps, or a drain around the domain",
                     def->from->id ? def->from->id[i] : (uint64_t)i, x.x, x.y, x.z, how);
}

/* Bounds of the particles, in cells, or the one that has no place in the grid. */
static rill_status check_places(rill_ctx *ctx, const sampler_def *def, rill_box *out)
{
    rill_box box = box_empty();
    rill_vec3 sum = {0};
    const size_t n = def->from->count;
    for (size_t i = 0; i < n; i++) {
        rill_vec3 x = v3_scale(def->position[i], 1 / def->cell);
        if (def->dimensions == 2) x.z = 0;
        if (!v3_finite(x)) return astray(ctx, def, i, "is not a place");
        if (fabs(x.x) > farthest || fabs(x.y) > farthest || fabs(x.z) > farthest)
            return astray(ctx, def, i, "is farther out than the surface can resolve");
        box = box_with(box, x);
        sum = v3_add(sum, x);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (v3_axis(box.max, axis) - v3_axis(box.min, axis) < widest) continue;
        const double mean = v3_axis(sum, axis) / (double)n;
        size_t worst = 0;
        double distance = -1;
        for (size_t i = 0; i < n; i++) {
            const double d = fabs(v3_axis(def->position[i], axis) / def->cell - mean);
            if (d > distance) {
                distance = d;
                worst = i;
            }
        }
        return astray(ctx, def, worst, "is more than 2^30 cells away from the others");
    }
    *out = box;
    return RILL_OK;
}

/* The group of a reach in cells: its home blocks are at least as wide. */
static int group_of(float reach)
{
    int g = 0;
    while (g < SAMPLER_GROUPS - 1 && reach > (float)(LEVEL_BLOCK << g)) g++;
    return g;
}

typedef struct {
    sampler *s;
    const sampler_def *def;
    int32_t (*block)[3]; /* home block per particle, in their own order */
    uint8_t *group;      /* likewise */
    double low[3];       /* the first block, counted from the world's origin */
} place_arg;

/* The home block of a coordinate, and what is left over from its corner, both in cells. */
static int32_t home_of(const place_arg *a, int axis, double x, int group, double *rest)
{
    if (axis == 2 && a->s->layers == 1) x = 0;
    const double block = floor(x / (LEVEL_BLOCK * a->s->cell));
    const int32_t fine = (int32_t)(block - a->low[axis]), home = fine >> group;
    *rest = x / a->s->cell - LEVEL_BLOCK * block + (double)LEVEL_BLOCK * (fine - (home << group));
    return home;
}

static float reach_of(const place_arg *a, size_t i)
{
    return a->def->reach ? (float)(a->def->reach[i] / a->s->cell) : (float)(a->def->radius / a->s->cell);
}

static void find_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const place_arg *a = arg;
    for (size_t i = begin; i < end; i++) {
        double rest;
        a->group[i] = (uint8_t)group_of(reach_of(a, i));
        for (int axis = 0; axis < 3; axis++)
            a->block[i][axis] = home_of(a, axis, v3_axis(a->def->position[i], axis), a->group[i], &rest);
    }
}

static void copy_places(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const place_arg *a = arg;
    const sampler *s = a->s;
    for (size_t k = begin; k < end; k++) {
        const uint32_t i = s->particle[k];
        const rill_vec3 x = a->def->position[i];
        double rest[3];
        for (int axis = 0; axis < 3; axis++) home_of(a, axis, v3_axis(x, axis), a->group[i], &rest[axis]);
        s->x[k] = (float)rest[0];
        s->y[k] = (float)rest[1];
        s->z[k] = (float)rest[2];
        s->reach[k] = reach_of(a, i);
    }
}

/* Sorts the particles of a group, which stand in particle[begin .. end), by home block, and makes
 * the runs of equal blocks the blocks of home. */
static rill_status find_homes(rill_ctx *ctx, place_arg *a, int g, size_t begin, size_t end)
{
    sampler *s = a->s;
    sampler_group *group = &s->group[g];
    const size_t n = end - begin;
    size_t capacity = 0, largest = 0;
    int32_t(*block)[3] = NULL;
    uint32_t *order = NULL, *sorted = NULL;
    rill_status st = MEM_NEW(ctx, block, n);
    if (!st) st = MEM_NEW(ctx, order, n);
    if (!st) st = MEM_NEW(ctx, sorted, n);
    for (size_t i = 0; i < n && !st; i++) memcpy(block[i], a->block[s->particle[begin + i]], sizeof *block);
    if (!st) st = blocks_sort(ctx, n, (const int32_t(*)[3])block, order);
    for (size_t i = 0; i < n && !st; i++) sorted[i] = s->particle[begin + order[i]];
    for (size_t i = 0; i < n && !st; i++) {
        const int32_t *b = block[order[i]];
        s->particle[begin + i] = sorted[i];
        if (i > 0 && memcmp(b, block[order[i - 1]], sizeof *block) == 0) continue;
        st = mem_grow(ctx, &group->first, sizeof *group->first, &capacity, group->home.count + 2);
        if (st) break;
        group->first[group->home.count] = (uint32_t)(begin + i);
        st = block_map_add(ctx, &group->home, b[0], b[1], b[2]);
    }
    mem_free(ctx, block);
    mem_free(ctx, order);
    mem_free(ctx, sorted);
    if (st || n == 0) return st;
    group->first[group->home.count] = (uint32_t)end;
    for (size_t h = 0; h < group->home.count; h++) {
        const size_t count = group->first[h + 1] - group->first[h];
        if (count > largest) largest = count;
    }
    group->largest = largest;
    group->count = n;
    s->groups = g + 1;
    return RILL_OK;
}

/* The most a gather can return: around the widest home block with a margin of its width, of every group. */
static size_t most_gathered(const sampler *s)
{
    size_t most = 0;
    for (int g = 0; g < s->groups; g++) {
        const sampler_group *group = &s->group[g];
        const size_t along = 3 * ((size_t)1 << (s->groups - 1 - g)) + 2;
        const size_t around = along * along * (s->layers == 1 ? 1 : along);
        most += group->largest > group->count / around ? group->count : group->largest * around;
    }
    return most;
}

/* Particles by group, each group by home block. */
static rill_status sort_particles(rill_ctx *ctx, place_arg *a)
{
    const size_t n = a->def->from->count;
    size_t start[SAMPLER_GROUPS + 1] = {0}, at[SAMPLER_GROUPS];
    for (size_t i = 0; i < n; i++) start[a->group[i] + 1]++;
    for (int g = 0; g < SAMPLER_GROUPS; g++) {
        start[g + 1] += start[g];
        at[g] = start[g];
    }
    for (size_t i = 0; i < n; i++) a->s->particle[at[a->group[i]]++] = (uint32_t)i;
    for (int g = 0; g < SAMPLER_GROUPS; g++)
        if (start[g + 1] > start[g]) TRY(find_homes(ctx, a, g, start[g], start[g + 1]));
    a->s->most = most_gathered(a->s);
    return RILL_OK;
}

static rill_status check_reaches(rill_ctx *ctx, const sampler_def *def, float *most)
{
    const float limit = (float)(def->cell * (LEVEL_BLOCK << (SAMPLER_GROUPS - 1)));
    float largest = def->reach ? 0 : (float)def->radius;
    for (size_t i = 0; def->reach && i < def->from->count; i++) {
        const float r = def->reach[i];
        if (!(r > 0 && r < limit))
            return rill_fail(ctx, RILL_BLEW_UP,
                             "surface: particle %" PRIu64 " reaches %g m; it must be above 0 and below %g",
                             def->from->id ? def->from->id[i] : (uint64_t)i, (double)r, (double)limit);
        largest = r > largest ? r : largest;
    }
    *most = (float)(largest / def->cell);
    return RILL_OK;
}

rill_status sampler_build(rill_ctx *ctx, const sampler_def *given, sampler *out)
{
    sampler_def def = *given;
    if (!def.position) def.position = def.from->position;
    const size_t n = def.from->count;
    sampler s = {.cell = def.cell, .layers = def.dimensions == 2 ? 1 : LEVEL_BLOCK, .from = def.from};
    rill_box box = box_empty();
    compress8_make(&s.front);
    TRY(check_places(ctx, &def, &box));
    TRY(check_reaches(ctx, &def, &s.radius));
    place_arg a = {.s = &s, .def = &def};
    double corner[3];
    for (int axis = 0; axis < 3; axis++) {
        a.low[axis] = n ? floor(v3_axis(box.min, axis) / LEVEL_BLOCK) : 0;
        corner[axis] = a.low[axis] * LEVEL_BLOCK * s.cell;
    }
    s.origin = v3(corner[0], corner[1], corner[2]);

    rill_status st = MEM_NEW(ctx, a.block, n);
    if (!st) st = MEM_NEW(ctx, a.group, n);
    if (!st) st = MEM_NEW(ctx, s.particle, n);
    if (!st) parallel_for(ctx, n, 4096, find_blocks, &a);
    if (!st) st = sort_particles(ctx, &a);
    mem_free(ctx, a.block);
    if (!st) st = MEM_NEW(ctx, s.x, n);
    if (!st) st = MEM_NEW(ctx, s.y, n);
    if (!st) st = MEM_NEW(ctx, s.z, n);
    if (!st) st = MEM_NEW(ctx, s.reach, n);
    if (!st) {
        parallel_for(ctx, n, 4096, copy_places, &a);
        *out = s;
    } else {
        sampler_clear(ctx, &s);
    }
    mem_free(ctx, a.group);
    return st;
}

rill_status sampler_add_value(rill_ctx *ctx, sampler *s)
{
    TRY(MEM_NEW(ctx, s->value[s->values], s->from->count));
    s->values++;
    return RILL_OK;
}

/* Blocks from low to high, as far as the particles of a home block reach. */
static void touched_by(const sampler *s, int g, size_t h, int32_t low[3], int32_t high[3])
{
    const sampler_group *group = &s->group[g];
    const float *column[3] = {s->x, s->y, s->z};
    for (int axis = 0; axis < (s->layers == 1 ? 2 : 3); axis++) {
        float least = INFINITY, most = -INFINITY;
        for (uint32_t i = group->first[h]; i < group->first[h + 1]; i++) {
            const float x = column[axis][i], r = s->reach[i];
            least = x - r < least ? x - r : least;
            most = x + r > most ? x + r : most;
        }
        const int32_t at = group->home.block[h][axis] * (1 << g);
        low[axis] = at + (int32_t)floorf(least / LEVEL_BLOCK);
        high[axis] = at + (int32_t)floorf(most / LEVEL_BLOCK);
    }
}

rill_status sampler_touched(rill_ctx *ctx, const sampler *s, block_map *out)
{
    block_map map = {0};
    rill_status st = RILL_OK;
    for (int g = 0; g < s->groups; g++)
        for (size_t h = 0; h < s->group[g].home.count && !st; h++) {
            int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
            touched_by(s, g, h, low, high);
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
