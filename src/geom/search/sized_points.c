/* Points of several sizes in order, and the tree over them; see sized_lists.h. */
#include "geom/search/sized_lists.h"

#include <math.h>

enum { COORDINATE_BITS = 19 };

/* The bits of v, two apart. */
static uint64_t spread(uint64_t v)
{
    v = (v | v << 32) & 0x001f00000000ffffull;
    v = (v | v << 16) & 0x001f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

static rill_box box_join(rill_box a, rill_box b)
{
    const rill_vec3 low = v3(a.min.x < b.min.x ? a.min.x : b.min.x, a.min.y < b.min.y ? a.min.y : b.min.y,
                             a.min.z < b.min.z ? a.min.z : b.min.z);
    const rill_vec3 high = v3(a.max.x > b.max.x ? a.max.x : b.max.x, a.max.y > b.max.y ? a.max.y : b.max.y,
                              a.max.z > b.max.z ? a.max.z : b.max.z);
    return (rill_box){low, high};
}

/* The box around the points: a serial pass over 24 bytes each. */
static rill_status find_bounds(rill_ctx *ctx, const rill_vec3 *x, size_t count, rill_box *out)
{
    rill_box b = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    for (size_t i = 0; i < count; i++) {
        if (!v3_finite(x[i]))
            return rill_fail(ctx, RILL_BLEW_UP, "the position of point %zu is not finite", i);
        b = box_join(b, (rill_box){x[i], x[i]});
    }
    if (count == 0) b.min = b.max = v3(0, 0, 0);
    *out = b;
    return RILL_OK;
}

typedef struct {
    sized_points *p;
    const rill_vec3 *x;
    const uint8_t *size;
    uint64_t *key;
    double per; /* places of the curve per length */
} point_job;

static void make_keys(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const point_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 d = v3_scale(v3_sub(j->x[i], j->p->bounds.min), j->per);
        j->key[i] = spread((uint64_t)d.x) | spread((uint64_t)d.y) << 1 | spread((uint64_t)d.z) << 2;
        j->p->order[i] = (uint32_t)i;
    }
}

/* Cuts the sorted keys at their highest differing bit until few are left. Nodes come before what is below
 * them, in the order of their points. node, leaf NULL: counts them only. */
static void make_nodes(const uint64_t *key, sized_points *p)
{
    uint32_t stack[256], depth = 0; /* begin and end of what is to be cut, the first on top */
    p->nodes = p->leaves = 0;
    if (p->count == 0) return;
    stack[depth++] = (uint32_t)p->count;
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t begin = stack[--depth], end = stack[--depth], at = p->nodes++;
        const uint64_t differ = key[begin] ^ key[end - 1];
        const bool leaf = end - begin <= SIZED_LEAF || differ == 0;
        if (p->node)
            p->node[at] = (sized_node){.begin = begin, .end = end, .number = p->leaves, .leaf = leaf};
        if (leaf) {
            if (p->leaf) p->leaf[p->leaves] = at;
            p->leaves++;
            continue;
        }
        const uint64_t bit = 1ull << (63 - __builtin_clzll(differ));
        uint32_t lo = begin, hi = end - 1; /* the first with the bit set is in (lo, hi] */
        while (hi - lo > 1) {
            const uint32_t middle = lo + (hi - lo) / 2;
            if (key[middle] & bit)
                hi = middle;
            else
                lo = middle;
        }
        stack[depth++] = end;
        stack[depth++] = hi;
        stack[depth++] = hi;
        stack[depth++] = begin;
    }
}

static void box_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const point_job *j = arg;
    sized_points *p = j->p;
    for (size_t k = begin; k < end; k++) {
        sized_node *n = &p->node[p->leaf[k]];
        n->box = (rill_box){j->x[p->order[n->begin]], j->x[p->order[n->begin]]};
        int largest = 0;
        for (uint32_t i = n->begin; i < n->end; i++) {
            const rill_vec3 x = j->x[p->order[i]];
            n->box = box_join(n->box, (rill_box){x, x});
            p->size[i] = j->size[p->order[i]];
            if (p->size[i] > largest) largest = p->size[i];
        }
        n->reach = p->reach[largest];
    }
}

/* Boxes of the others, from the last to the first: halves come after the whole. */
static void box_nodes(sized_points *p)
{
    for (uint32_t k = p->nodes; k-- > 0;) {
        sized_node *n = &p->node[k];
        if (n->leaf) {
            n->next = k + 1;
            continue;
        }
        const sized_node *a = &p->node[k + 1], *b = &p->node[a->next];
        n->next = b->next;
        n->reach = a->reach > b->reach ? a->reach : b->reach;
        n->box = box_join(a->box, b->box);
    }
}

static void refit_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const point_job *j = arg;
    for (size_t k = begin; k < end; k++) {
        sized_node *n = &j->p->node[j->p->leaf[k]];
        rill_box b = {j->x[n->begin], j->x[n->begin]};
        for (uint32_t i = n->begin + 1; i < n->end; i++) b = box_join(b, (rill_box){j->x[i], j->x[i]});
        n->box = b;
    }
}

void sized_points_refit(rill_ctx *ctx, sized_points *p, const rill_vec3 *x)
{
    point_job j = {.p = p, .x = x};
    parallel_for(ctx, p->leaves, 64, refit_leaves, &j);
    box_nodes(p);
}

/* Not in the arena: what lives there stays as long as the points. */
typedef struct {
    uint64_t *key, *spare_key;
    uint32_t *spare;
} sort_scratch;

static rill_status sort_points(rill_ctx *ctx, rill_arena *arena, point_job *j, int bits,
                               sort_scratch *scratch)
{
    sized_points *p = j->p;
    TRY(MEM_NEW(ctx, scratch->key, p->count + 1));
    TRY(MEM_NEW(ctx, scratch->spare_key, p->count + 1));
    TRY(MEM_NEW(ctx, scratch->spare, p->count + 1));
    j->key = scratch->key;
    parallel_for(ctx, p->count, 8192, make_keys, j);
    TRY(sort_by_key(ctx, p->count, bits, scratch->key, p->order, scratch->spare_key, scratch->spare));
    make_nodes(scratch->key, p);
    TRY(ARENA_NEW(arena, p->node, (size_t)p->nodes + 1));
    TRY(ARENA_NEW(arena, p->leaf, (size_t)p->leaves + 1));
    make_nodes(scratch->key, p);
    parallel_for(ctx, p->leaves, 64, box_leaves, j);
    box_nodes(p);
    return RILL_OK;
}

rill_status sized_points_build(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *x, const uint8_t *size,
                               size_t count, const double *reach, int sizes, sized_points *out)
{
    sized_points p = {.count = count, .sizes = sizes};
    for (int k = 0; k < sizes; k++) p.reach[k] = reach[k];
    TRY(find_bounds(ctx, x, count, &p.bounds));
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
        extent = fmax(extent, v3_axis(p.bounds.max, axis) - v3_axis(p.bounds.min, axis));
    if (!isfinite(extent)) return rill_fail(ctx, RILL_BLEW_UP, "points are too far apart");
    double step = 0.25 * reach[0];
    if (extent / step > (1 << COORDINATE_BITS) - 2) step = extent / ((1 << COORDINATE_BITS) - 2);
    int bits = 1;
    while ((uint64_t)(extent / step) >> bits) bits++;
    TRY(ARENA_NEW(arena, p.order, count + 1));
    TRY(ARENA_NEW(arena, p.size, count + 1));
    p.size[count] = 0;
    sort_scratch scratch = {0};
    point_job j = {.p = &p, .x = x, .size = size, .per = 1 / step};
    const rill_status st = sort_points(ctx, arena, &j, 3 * bits, &scratch);
    mem_free(ctx, scratch.key);
    mem_free(ctx, scratch.spare_key);
    mem_free(ctx, scratch.spare);
    if (!st) *out = p;
    return st;
}

size_t sized_points_near(const sized_points *p, const rill_vec3 *x, rill_vec3 at, int size, double share,
                         uint32_t *out, size_t most)
{
    const double own = share * p->reach[size];
    size_t found = 0;
    for (uint32_t k = 0; k < p->nodes;) {
        const sized_node *n = &p->node[k];
        const double theirs = share * n->reach, reach = theirs > own ? theirs : own;
        const rill_vec3 d = v3_sub(at, v3_min(v3_max(at, n->box.min), n->box.max));
        if (v3_dot(d, d) > reach * reach) {
            k = n->next;
            continue;
        }
        k++;
        for (uint32_t i = n->begin; n->leaf && i < n->end; i++) {
            const rill_vec3 r = v3_sub(at, x[i]);
            const double other = share * p->reach[p->size[i]], least = other > own ? other : own;
            if (!(v3_dot(r, r) < least * least)) continue;
            if (found < most) out[found] = i;
            found++;
        }
    }
    return found;
}
