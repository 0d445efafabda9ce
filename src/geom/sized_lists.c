#include "geom/sized_lists.h"
#include "geom/compress.h"

#include <math.h>
#include <string.h>

void sized_lists_init(sized_lists *l, rill_ctx *ctx)
{
    *l = (sized_lists){.ctx = ctx};
}

void sized_lists_clear(sized_lists *l)
{
    mem_free(l->ctx, l->first);
    mem_free(l->ctx, l->same);
    mem_free(l->ctx, l->other);
    mem_free(l->ctx, l->pool);
    sized_lists_init(l, l->ctx);
}

/* What a worker keeps between leaves. */
typedef struct {
    uint32_t *found;  /* who may be near, as the tree gives them */
    float *x, *y, *z; /* the same by size, from the middle of the leaf */
    uint32_t *id;
    size_t capacity, count;
    size_t begin[SIZED_MOST + 1]; /* of each size */
    uint32_t *list;               /* of the leaf's points */
    size_t list_capacity;
} candidates;

typedef struct {
    sized_lists *l;
    const sized_points *p;
    const rill_vec3 *x;
    candidates *worker;
    _Atomic uint64_t used; /* lanes */
    atomic_int failed, huge;
    compress8 compress;
} build_job;

static bool reserve(build_job *j, candidates *c, size_t more)
{
    const size_t need = c->count + more + 2 * SIZED_LANES;
    if (need <= c->capacity) return true;
    const size_t capacity = 2 * need;
    float *fresh = mem_alloc(j->l->ctx, 5 * capacity, sizeof *fresh);
    if (!fresh) {
        atomic_store(&j->failed, 1);
        return false;
    }
    if (c->count) memcpy(fresh, c->found, c->count * sizeof *c->found);
    mem_free(j->l->ctx, c->found);
    c->found = (uint32_t *)fresh;
    c->x = fresh + capacity;
    c->y = fresh + 2 * capacity;
    c->z = fresh + 3 * capacity;
    c->id = (uint32_t *)(fresh + 4 * capacity);
    c->capacity = capacity;
    return true;
}

static double outside(double low, double high, double x)
{
    return x < low ? low - x : x > high ? x - high : 0;
}

static double gap(double a, double b)
{
    const double most = a > b ? a : b;
    return most > 0 ? most : 0;
}

static double box_gap2(const rill_box *a, const rill_box *b)
{
    const double x = gap(a->min.x - b->max.x, b->min.x - a->max.x);
    const double y = gap(a->min.y - b->max.y, b->min.y - a->max.y);
    const double z = gap(a->min.z - b->max.z, b->min.z - a->max.z);
    return x * x + y * y + z * z;
}

/* Who is within the larger reach of the leaf's box. */
static bool ask_tree(build_job *j, candidates *c, const sized_node *home)
{
    const sized_points *p = j->p;
    double reach2[SIZED_MOST];
    for (int k = 0; k < p->sizes; k++) {
        const double reach = fmax(home->reach, p->reach[k]) * (1 + 1e-6);
        reach2[k] = reach * reach;
    }
    c->count = 0;
    for (uint32_t k = 0; k < p->nodes;) {
        const sized_node *n = &p->node[k];
        const double reach = (n->reach > home->reach ? n->reach : home->reach) * (1 + 1e-6);
        if (box_gap2(&n->box, &home->box) > reach * reach) {
            k = n->next;
            continue;
        }
        k++;
        if (!n->leaf) continue;
        if (!reserve(j, c, n->end - n->begin)) return false;
        for (uint32_t i = n->begin; i < n->end; i++) {
            const double x = outside(home->box.min.x, home->box.max.x, j->x[i].x);
            const double y = outside(home->box.min.y, home->box.max.y, j->x[i].y);
            const double z = outside(home->box.min.z, home->box.max.z, j->x[i].z);
            c->found[c->count] = i;
            c->count += x * x + y * y + z * z < reach2[p->size[i]];
        }
    }
    return true;
}

/* By size, within a size in order. */
static void sort_by_size(const build_job *j, candidates *c, rill_vec3 middle)
{
    const sized_points *p = j->p;
    size_t at[SIZED_MOST + 1] = {0};
    for (size_t k = 0; k < c->count; k++) at[p->size[c->found[k]] + 1]++;
    for (int k = 0; k < p->sizes; k++) at[k + 1] += at[k];
    memcpy(c->begin, at, sizeof at);
    for (size_t k = 0; k < c->count; k++) {
        const uint32_t i = c->found[k];
        const size_t to = at[p->size[i]]++;
        const rill_vec3 d = v3_sub(j->x[i], middle);
        c->x[to] = (float)d.x;
        c->y[to] = (float)d.y;
        c->z[to] = (float)d.z;
        c->id[to] = i;
    }
}

/* Those of [begin, end) within reach of x, appended to list. */
static inline size_t scan(const build_job *j, const candidates *c, size_t begin, size_t end, const float x[3],
                          float reach, uint32_t *list)
{
    const __m256 xi = _mm256_set1_ps(x[0]), yi = _mm256_set1_ps(x[1]), zi = _mm256_set1_ps(x[2]);
    const __m256 reach2 = _mm256_set1_ps(reach * reach);
    const float *const cx = c->x, *const cy = c->y, *const cz = c->z;
    const uint32_t *const id = c->id;
    uint32_t *to = list;
    for (size_t k = begin; k < end; k += 8) {
        const __m256 dx = _mm256_sub_ps(xi, _mm256_loadu_ps(cx + k));
        const __m256 dy = _mm256_sub_ps(yi, _mm256_loadu_ps(cy + k));
        const __m256 dz = _mm256_sub_ps(zi, _mm256_loadu_ps(cz + k));
        const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, reach2, _CMP_LT_OQ));
        const size_t left = end - k;
        if (left < 8) mask &= (1u << left) - 1;
        compress8_move(compress8_front(&j->compress, mask), id + k, to);
        to += __builtin_popcount(mask);
    }
    return (size_t)(to - list);
}

static size_t padded(uint32_t *list, size_t count, uint32_t nobody)
{
    while (count % SIZED_LANES) list[count++] = nobody;
    return count;
}

/* The lists of one leaf, into the worker's memory; returns their length. */
static size_t scan_leaf(build_job *j, candidates *c, const sized_node *home, rill_vec3 middle)
{
    const sized_points *p = j->p;
    const uint32_t nobody = (uint32_t)p->count;
    size_t used = 0;
    for (uint32_t i = home->begin; i < home->end; i++) {
        const rill_vec3 d = v3_sub(j->x[i], middle);
        const float x[3] = {(float)d.x, (float)d.y, (float)d.z};
        const int own = p->size[i];
        const size_t from = used;
        used += scan(j, c, c->begin[own], c->begin[own + 1], x, (float)p->reach[own], c->list + used);
        used = padded(c->list, used, nobody);
        const size_t same = used - from;
        if (own > 0) /* all that are smaller: within its own reach */
            used += scan(j, c, 0, c->begin[own], x, (float)p->reach[own], c->list + used);
        for (int k = own + 1; k < p->sizes; k++)
            used += scan(j, c, c->begin[k], c->begin[k + 1], x, (float)p->reach[k], c->list + used);
        used = padded(c->list, used, nobody);
        const size_t other = used - from - same;
        if (same / SIZED_LANES > UINT16_MAX || other / SIZED_LANES > UINT16_MAX) atomic_store(&j->huge, 1);
        j->l->first[i] = (uint32_t)(from / SIZED_LANES);
        j->l->same[i] = (uint16_t)(same / SIZED_LANES);
        j->l->other[i] = (uint16_t)(other / SIZED_LANES);
    }
    return used;
}

static void build_leaves(void *arg, size_t begin, size_t end, int worker)
{
    build_job *j = arg;
    candidates *c = &j->worker[worker];
    for (size_t k = begin; k < end && !atomic_load(&j->failed); k++) {
        const sized_node *home = sized_leaf(j->p, k);
        const rill_vec3 middle = box_center(home->box);
        if (!ask_tree(j, c, home)) return;
        sort_by_size(j, c, middle);
        const size_t need = (c->count + 3 * SIZED_LANES) * (home->end - home->begin);
        if (need > c->list_capacity) {
            mem_free(j->l->ctx, c->list);
            c->list = mem_alloc(j->l->ctx, 2 * need, sizeof *c->list);
            c->list_capacity = c->list ? 2 * need : 0;
            if (!c->list) {
                atomic_store(&j->failed, 1);
                return;
            }
        }
        const size_t used = scan_leaf(j, c, home, middle);
        const uint64_t at = atomic_fetch_add(&j->used, used / SIZED_LANES);
        if (at > UINT32_MAX) atomic_store(&j->huge, 1);
        for (uint32_t i = home->begin; i < home->end; i++) j->l->first[i] += (uint32_t)at;
        if (used && at * SIZED_LANES + used <= j->l->pool_capacity)
            memcpy(j->l->pool + at * SIZED_LANES, c->list, used * sizeof *c->list);
    }
}

rill_status sized_lists_build(sized_lists *l, const sized_points *p, const rill_vec3 *x)
{
    rill_ctx *ctx = l->ctx;
    build_job j = {.l = l, .p = p, .x = x};
    compress8_make(&j.compress);
    rill_status st = mem_grow(ctx, &l->first, sizeof *l->first, &l->first_capacity, p->count + 1);
    if (!st) st = mem_grow(ctx, &l->same, sizeof *l->same, &l->same_capacity, p->count + 1);
    if (!st) st = mem_grow(ctx, &l->other, sizeof *l->other, &l->other_capacity, p->count + 1);
    if (!st) st = mem_grow(ctx, &l->pool, sizeof *l->pool, &l->pool_capacity, p->count * 48 + SIZED_LANES);
    if (!st) st = MEM_NEW_ZERO(ctx, j.worker, (size_t)parallel_workers(ctx));
    for (int round = 0; !st && round < 2; round++) {
        atomic_store(&j.used, 0);
        parallel_for(ctx, p->leaves, 8, build_leaves, &j);
        l->used = atomic_load(&j.used) * SIZED_LANES;
        if (atomic_load(&j.failed))
            st = rill_fail(ctx, RILL_NO_MEMORY, "out of memory for neighbour lists");
        else if (atomic_load(&j.huge))
            st = rill_fail(ctx, RILL_BLEW_UP, "too many points in one place for neighbour lists");
        if (st || l->used <= l->pool_capacity) break;
        /* Grown to what was counted, and once more. Nothing in the pool is worth keeping. */
        st = mem_grow(ctx, &l->pool, sizeof *l->pool, &l->pool_capacity, l->used + l->used / 8);
    }
    for (int w = 0; j.worker && w < parallel_workers(ctx); w++) {
        mem_free(ctx, j.worker[w].found);
        mem_free(ctx, j.worker[w].list);
    }
    mem_free(ctx, j.worker);
    return st;
}
