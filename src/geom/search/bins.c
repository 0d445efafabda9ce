#include "geom/search/bins.h"

#include <string.h>

enum { BLOCK = 8192, SAMPLE = 16384, MOST_PER_POINT = 4 };

/* About `target` bins over the box: cubes, but one bin along axes thinner than a cube. */
static void lay_out(rill_box box, double target, bins_grid *g)
{
    const rill_vec3 size = box_size(box);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    double extent[3], h = 1;
    bool split[3];
    for (int a = 0; a < 3; a++) {
        extent[a] = longest > 0 ? v3_axis(size, a) / longest : 0;
        split[a] = extent[a] > 0;
    }
    for (int round = 0; round < 3; round++) { /* each leaves out one more thin axis */
        double volume = 1;
        int axes = 0, thin = -1;
        for (int a = 0; a < 3; a++)
            if (split[a]) {
                volume *= extent[a];
                axes++;
                if (thin < 0 || extent[a] < extent[thin]) thin = a;
            }
        if (axes == 0) break;
        h = pow(volume / target, 1.0 / axes);
        if (axes == 1 || extent[thin] >= h) break;
        split[thin] = false;
    }
    for (int a = 0; a < 3; a++) {
        const double n = split[a] ? floor(extent[a] / h) : 1;
        g->n[a] = n >= 1 ? (uint32_t)fmin(n, target) : 1;
        if (extent[a] >= 1 && g->n[a] < 2 && target >= 2) g->n[a] = 2; /* a split must split */
        g->origin[a] = v3_axis(box.min, a);
        g->width[a] = v3_axis(size, a) / g->n[a];
        const double per = g->n[a] / v3_axis(size, a);
        g->per[a] = g->n[a] > 1 && isfinite(per) ? per : 0;
    }
}

static uint32_t bin_of(const bins_grid *g, rill_vec3 x)
{
    return bins_index(g, bins_along(g, 0, x.x), bins_along(g, 1, x.y), bins_along(g, 2, x.z));
}

static size_t bin_count(const bins_grid *g)
{
    return (size_t)g->n[0] * g->n[1] * g->n[2];
}

/* -- the root ------------------------------------------------------------------------ */

typedef struct {
    const bins_grid *g;
    const rill_vec3 *x;
    uint64_t *key;
    uint32_t *order, *start;
    size_t bins, count;
} key_job;

static void key_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const key_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        j->key[i] = bin_of(j->g, j->x[i]);
        j->order[i] = (uint32_t)i;
    }
}

static void start_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const key_job *j = arg;
    for (size_t i = begin; i < end; i++)
        for (size_t b = i ? j->key[i - 1] + 1 : 0; b <= j->key[i]; b++) j->start[b] = (uint32_t)i;
    if (end == j->count)
        for (size_t b = j->key[end - 1] + 1; b <= j->bins; b++) j->start[b] = (uint32_t)end;
}

/* The share of the bounding box that has points in it, from evenly taken ones: a splash
 * fills little of its box, and bins are to be as small as the points are close. */
static rill_status filled_share(rill_arena *arena, const rill_vec3 *x, uint32_t count, rill_box box,
                                double *share)
{
    const uint32_t step = count / SAMPLE + 1, n = (count - 1) / step + 1;
    bins_grid g;
    lay_out(box, fmax(1, n / (double)BINS_FEW), &g);
    const size_t total = bin_count(&g);
    uint8_t *taken;
    TRY(ARENA_NEW(arena, taken, total));
    memset(taken, 0, total);
    for (size_t i = 0; i < count; i += step) taken[bin_of(&g, x[i])] = 1;
    size_t sum = 0;
    for (size_t i = 0; i < total; i++) sum += taken[i];
    /* Of bins with a mean of m random points 1 - exp(-m) have one. */
    *share = fmin(1, (double)sum / (double)total / -expm1(-(double)n / (double)total));
    return RILL_OK;
}

static rill_status build_root(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *x, rill_box box, bins *b,
                              bins_grid *root)
{
    double share;
    TRY(filled_share(arena, x, b->count, box, &share));
    const double target = fmin(b->count / (BINS_FEW * share), (double)MOST_PER_POINT * b->count);
    lay_out(box, fmax(1, target), root);
    const size_t total = bin_count(root), n = b->count;
    uint64_t *key;
    uint32_t *spare;
    TRY(ARENA_NEW(arena, root->start, total + 1));
    TRY(ARENA_NEW(arena, key, 2 * n));
    TRY(ARENA_NEW(arena, spare, n));
    key_job j = {root, x, key, b->order, root->start, total, n};
    parallel_for(ctx, n, BLOCK, key_block, &j);
    int bits = 1;
    while (total >> bits) bits++;
    TRY(sort_by_key(ctx, n, bits, key, b->order, key + n, spare));
    parallel_for(ctx, n, BLOCK, start_block, &j);
    return RILL_OK;
}

/* -- crowded bins -------------------------------------------------------------------- */

typedef struct {
    rill_arena *arena;
    const rill_vec3 *x;
    bins *b;
    uint32_t capacity;     /* of grids */
    uint32_t *key, *spare; /* for the most crowded bin */
    uint32_t key_capacity; /* points they hold */
} refiner;

static rill_status add_grid(refiner *r, const bins_grid *g)
{
    bins *b = r->b;
    if (b->grid_count == r->capacity) {
        bins_grid *more;
        TRY(ARENA_NEW(r->arena, more, 2 * (size_t)r->capacity));
        memcpy(more, b->grid, b->grid_count * sizeof *more);
        b->grid = more;
        r->capacity *= 2;
    }
    b->grid[b->grid_count++] = *g;
    return RILL_OK;
}

/* A grid for the points begin .. end, which are put in its order. */
static rill_status build_child(refiner *r, uint32_t begin, uint32_t end, bins_grid *g, bool *done)
{
    uint32_t *order = r->b->order + begin;
    const uint32_t n = end - begin;
    rill_box box = {r->x[order[0]], r->x[order[0]]};
    for (uint32_t i = 1; i < n; i++) box = box_with(box, r->x[order[i]]);
    lay_out(box, n / (double)BINS_FEW, g);
    const size_t total = bin_count(g);
    *done = total > 1 && (g->per[0] > 0 || g->per[1] > 0 || g->per[2] > 0);
    if (!*done) return RILL_OK; /* all in one place */
    if (n > r->key_capacity) {
        TRY(ARENA_NEW(r->arena, r->key, n));
        TRY(ARENA_NEW(r->arena, r->spare, n));
        r->key_capacity = n;
    }
    TRY(ARENA_NEW(r->arena, g->start, total + 1));
    memset(g->start, 0, (total + 1) * sizeof *g->start);
    for (uint32_t i = 0; i < n; i++) g->start[r->key[i] = bin_of(g, r->x[order[i]])]++;
    uint32_t sum = begin;
    for (size_t i = 0; i <= total; i++) {
        const uint32_t c = g->start[i];
        g->start[i] = sum;
        sum += c;
    }
    memcpy(r->spare, order, n * sizeof *order);
    for (uint32_t i = 0; i < n; i++) r->b->order[g->start[r->key[i]]++] = r->spare[i];
    for (size_t i = total; i > 0; i--) g->start[i] = g->start[i - 1];
    g->start[0] = begin;
    return RILL_OK;
}

static rill_status refine(refiner *r, uint32_t index)
{
    const size_t total = bin_count(&r->b->grid[index]);
    for (size_t i = 0; i < total; i++) {
        const bins_grid g = r->b->grid[index];
        if (g.start[i + 1] - g.start[i] <= BINS_MOST) continue;
        bins_grid child = {.parent = index,
                           .slot = {(uint32_t)(i % g.n[0]), (uint32_t)(i / g.n[0] % g.n[1]),
                                    (uint32_t)(i / g.n[0] / g.n[1])}};
        bool done;
        TRY(build_child(r, g.start[i], g.start[i + 1], &child, &done));
        if (!done) continue;
        if (!g.child) {
            uint32_t *c;
            TRY(ARENA_NEW(r->arena, c, total));
            memset(c, 0, total * sizeof *c);
            r->b->grid[index].child = c;
        }
        r->b->grid[index].child[i] = r->b->grid_count;
        TRY(add_grid(r, &child));
    }
    return RILL_OK;
}

/* -- the whole ----------------------------------------------------------------------- */

typedef struct {
    const bins *b;
    const rill_vec3 *x;
} gather_job;

static void gather_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gather_job *j = arg;
    for (size_t k = begin; k < end; k++) {
        const rill_vec3 x = j->x[j->b->order[k]];
        j->b->x[k] = x.x;
        j->b->y[k] = x.y;
        j->b->z[k] = x.z;
    }
}

static void pad(bins *b)
{
    for (size_t k = b->count; k < (size_t)b->count + BINS_PADDING; k++)
        b->x[k] = b->y[k] = b->z[k] = INFINITY;
}

rill_status bins_build(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *x, uint32_t count, bins *out)
{
    bins b = {.count = count, .grid_count = 1};
    refiner r = {.arena = arena, .x = x, .b = &b, .capacity = 4};
    TRY(ARENA_NEW(arena, b.grid, r.capacity));
    const size_t capacity = (size_t)count + BINS_PADDING;
    TRY(ARENA_NEW(arena, b.x, capacity));
    TRY(ARENA_NEW(arena, b.y, capacity));
    TRY(ARENA_NEW(arena, b.z, capacity));
    TRY(ARENA_NEW(arena, b.order, capacity));
    bins_grid root = {.n = {1, 1, 1}};
    if (count) {
        rill_box box = {x[0], x[0]};
        for (size_t i = 1; i < count; i++) { /* as box_with, without its calls */
            box.min = v3(x[i].x < box.min.x ? x[i].x : box.min.x, x[i].y < box.min.y ? x[i].y : box.min.y,
                         x[i].z < box.min.z ? x[i].z : box.min.z);
            box.max = v3(x[i].x > box.max.x ? x[i].x : box.max.x, x[i].y > box.max.y ? x[i].y : box.max.y,
                         x[i].z > box.max.z ? x[i].z : box.max.z);
        }
        TRY(build_root(ctx, arena, x, box, &b, &root));
    } else {
        TRY(ARENA_NEW(arena, root.start, 2));
        root.start[0] = root.start[1] = 0;
    }
    b.grid[0] = root;
    for (uint32_t g = 0; g < b.grid_count; g++) TRY(refine(&r, g));
    gather_job j = {&b, x};
    parallel_for(ctx, count, BLOCK, gather_block, &j);
    pad(&b);
    *out = b;
    return RILL_OK;
}

void bins_drop(bins *b, const uint8_t *drop, uint32_t *scratch)
{
    uint32_t to = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        scratch[k] = to;
        if (drop[k]) continue;
        b->x[to] = b->x[k];
        b->y[to] = b->y[k];
        b->z[to] = b->z[k];
        b->order[to++] = b->order[k];
    }
    scratch[b->count] = to;
    for (uint32_t g = 0; g < b->grid_count; g++) {
        const size_t total = bin_count(&b->grid[g]);
        for (size_t i = 0; i <= total; i++) b->grid[g].start[i] = scratch[b->grid[g].start[i]];
    }
    b->count = to;
    pad(b);
}
