#include "geom/sized_lists.h"
#include "geom/compress.h"

#include <math.h>
#include <string.h>

void sized_lists_init(sized_lists *l, rill_ctx *ctx)
{
    *l = (sized_lists){.ctx = ctx, .slack = 0.5};
}

void sized_lists_clear(sized_lists *l)
{
    mem_free(l->ctx, l->first);
    mem_free(l->ctx, l->same);
    mem_free(l->ctx, l->other);
    mem_free(l->ctx, l->home);
    mem_free(l->ctx, l->room);
    mem_free(l->ctx, l->pool);
    mem_free(l->ctx, l->sizes);
    const double slack = l->slack;
    sized_lists_init(l, l->ctx);
    l->slack = slack;
}

enum {
    CHUNK = 16, /* points of a leaf at a time */
    SPARE = 2,  /* places in lists that are made anew, for who joins them */
};

/* Some points: places from the middle of a leaf, and who they are. */
typedef struct {
    float *x, *y, *z;
    uint32_t *id;
} some_points;

/* What a worker keeps between leaves. */
typedef struct {
    float *memory;
    some_points found;  /* who may be near a leaf, as the tree gives them */
    some_points sorted; /* the same by size */
    some_points picked; /* those of them who may be near some of the leaf's points */
    size_t capacity, count;
    size_t begin[SIZED_MOST + 1], from[SIZED_MOST + 1]; /* of each size, among sorted and picked */
    uint32_t *list;                                     /* of the leaf's points */
    size_t list_capacity;
} candidates;

typedef struct {
    sized_lists *l;
    const sized_points *p;
    const rill_vec3 *x;
    float *place[3], *reach; /* of the points, from the middle of their leaf; whole eights may be read */
    rill_vec3 *middle;       /* of the leaves */
    const uint32_t *some;    /* leaves to be done; NULL: all */
    atomic_uchar *near;      /* per leaf: it is near one of these */
    sized_filter *filter;
    const void *arg; /* the filter's */
    candidates *worker;
    _Atomic uint64_t used; /* lanes */
    atomic_int failed, huge;
    compress8 compress;
} build_job;

static void copy_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const build_job *j = arg;
    for (size_t k = begin; k < end; k++) {
        if (j->near && !atomic_load_explicit(&j->near[k], memory_order_relaxed)) continue;
        const sized_node *leaf = sized_leaf(j->p, k);
        j->middle[k] = box_center(leaf->box);
        for (uint32_t i = leaf->begin; i < leaf->end; i++) {
            const rill_vec3 d = v3_sub(j->x[i], j->middle[k]);
            j->place[0][i] = (float)d.x;
            j->place[1][i] = (float)d.y;
            j->place[2][i] = (float)d.z;
            j->reach[i] = (float)j->p->reach[j->p->size[i]];
        }
    }
}

static bool reserve(build_job *j, candidates *c, size_t more)
{
    const size_t need = c->count + more + 2 * SIZED_LANES;
    if (need <= c->capacity) return true;
    const size_t capacity = 2 * need;
    float *fresh = mem_alloc(j->l->ctx, 12 * capacity, sizeof *fresh);
    if (!fresh) {
        atomic_store(&j->failed, 1);
        return false;
    }
    some_points to[3];
    for (int k = 0; k < 3; k++) {
        float *at = fresh + 4 * capacity * (size_t)k;
        to[k] = (some_points){at, at + capacity, at + 2 * capacity, (uint32_t *)(at + 3 * capacity)};
    }
    if (c->count) {
        memcpy(to[0].x, c->found.x, c->count * sizeof *fresh);
        memcpy(to[0].y, c->found.y, c->count * sizeof *fresh);
        memcpy(to[0].z, c->found.z, c->count * sizeof *fresh);
        memcpy(to[0].id, c->found.id, c->count * sizeof *fresh);
    }
    mem_free(j->l->ctx, c->memory);
    c->memory = fresh;
    c->found = to[0];
    c->sorted = to[1];
    c->picked = to[2];
    c->capacity = capacity;
    return true;
}

static inline __m256 beyond8(__m256 x, __m256 half)
{
    const __m256 away = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
    return _mm256_max_ps(_mm256_sub_ps(away, half), _mm256_setzero_ps());
}

/* Appends those of a leaf whose middle is `shift` away that come within the larger reach of the box of half
 * width `half` around the origin. */
static void take_near(const build_job *j, candidates *c, const sized_node *n, rill_vec3 shift,
                      const float half[3], float home_reach)
{
    const __m256 sx = _mm256_set1_ps((float)shift.x), sy = _mm256_set1_ps((float)shift.y),
                 sz = _mm256_set1_ps((float)shift.z), least = _mm256_set1_ps(home_reach);
    const __m256 hx = _mm256_set1_ps(half[0]), hy = _mm256_set1_ps(half[1]), hz = _mm256_set1_ps(half[2]);
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const some_points to = c->found;
    size_t at = c->count;
    for (uint32_t i = n->begin; i < n->end; i += 8) {
        const __m256 x = _mm256_add_ps(_mm256_loadu_ps(j->place[0] + i), sx);
        const __m256 y = _mm256_add_ps(_mm256_loadu_ps(j->place[1] + i), sy);
        const __m256 z = _mm256_add_ps(_mm256_loadu_ps(j->place[2] + i), sz);
        const __m256 r = _mm256_mul_ps(_mm256_max_ps(_mm256_loadu_ps(j->reach + i), least),
                                       _mm256_set1_ps(1 + 1e-5f)); /* scan decides */
        const __m256 dx = beyond8(x, hx), dy = beyond8(y, hy), dz = beyond8(z, hz);
        const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(r, r), _CMP_LT_OQ));
        if (n->end - i < 8) mask &= (1u << (n->end - i)) - 1;
        if (!mask) continue;
        const __m256i front = compress8_front(&j->compress, mask);
        const __m256i id = _mm256_add_epi32(_mm256_set1_epi32((int)i), lanes);
        _mm256_storeu_ps(to.x + at, _mm256_permutevar8x32_ps(x, front));
        _mm256_storeu_ps(to.y + at, _mm256_permutevar8x32_ps(y, front));
        _mm256_storeu_ps(to.z + at, _mm256_permutevar8x32_ps(z, front));
        _mm256_storeu_si256((__m256i *)(to.id + at), _mm256_permutevar8x32_epi32(id, front));
        at += (size_t)__builtin_popcount(mask);
    }
    c->count = at;
}

static bool nodes_apart(const sized_node *n, const sized_node *home)
{
    const double reach = (n->reach > home->reach ? n->reach : home->reach) * (1 + 1e-6);
    return sized_gap2(&n->box, &home->box) > reach * reach;
}

/* Which leaves have points that some leaves ask for. */
static void mark_near(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const build_job *j = arg;
    for (size_t n = begin; n < end; n++) {
        const sized_node *home = sized_leaf(j->p, j->some[n]);
        for (uint32_t k = 0; k < j->p->nodes;) {
            const sized_node *e = &j->p->node[k];
            if (nodes_apart(e, home)) {
                k = e->next;
                continue;
            }
            k++;
            if (e->leaf) atomic_store_explicit(&j->near[e->number], 1, memory_order_relaxed);
        }
    }
}

/* Who is within the larger reach of the leaf's box. */
static bool ask_tree(build_job *j, candidates *c, const sized_node *home, rill_vec3 middle)
{
    const sized_points *p = j->p;
    const rill_vec3 across = v3_sub(home->box.max, home->box.min);
    const float half[3] = {(float)(0.5 * across.x), (float)(0.5 * across.y), (float)(0.5 * across.z)};
    c->count = 0;
    for (uint32_t k = 0; k < p->nodes;) {
        const sized_node *n = &p->node[k];
        if (nodes_apart(n, home)) {
            k = n->next;
            continue;
        }
        k++;
        if (!n->leaf) continue;
        if (!reserve(j, c, n->end - n->begin)) return false;
        take_near(j, c, n, v3_sub(j->middle[n->number], middle), half, (float)home->reach);
    }
    return true;
}

/* By size, within a size in order. */
static void sort_by_size(const build_job *j, candidates *c)
{
    const uint8_t *const size = j->p->size;
    size_t at[SIZED_MOST + 1] = {0};
    for (size_t k = 0; k < c->count; k++) at[size[c->found.id[k]] + 1]++;
    for (int k = 0; k < j->p->sizes; k++) at[k + 1] += at[k];
    memcpy(c->begin, at, sizeof at);
    const some_points from = c->found, to = c->sorted;
    for (size_t k = 0; k < c->count; k++) {
        const uint32_t i = from.id[k];
        const size_t n = at[size[i]]++;
        to.x[n] = from.x[k];
        to.y[n] = from.y[k];
        to.z[n] = from.z[k];
        to.id[n] = i;
    }
}

/* Some points of a leaf, all of one size. */
typedef struct {
    uint32_t who[CHUNK];
    uint32_t count;
    int size;
    float at[3], half[3]; /* the box around them */
} chunk;

static void box_chunk(const build_job *j, chunk *b)
{
    for (int k = 0; k < 3; k++) {
        float low = j->place[k][b->who[0]], high = low;
        for (uint32_t n = 1; n < b->count; n++) {
            const float x = j->place[k][b->who[n]];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        b->at[k] = 0.5f * (low + high);
        b->half[k] = 0.5f * (high - low);
    }
}

/* Of those near the leaf, those near the chunk. */
static void pick_near(const build_job *j, candidates *c, const chunk *b)
{
    const __m256 ax = _mm256_set1_ps(b->at[0]), ay = _mm256_set1_ps(b->at[1]), az = _mm256_set1_ps(b->at[2]);
    const __m256 hx = _mm256_set1_ps(b->half[0]), hy = _mm256_set1_ps(b->half[1]),
                 hz = _mm256_set1_ps(b->half[2]);
    const some_points from = c->sorted, to = c->picked;
    size_t at = 0;
    for (int size = 0; size < j->p->sizes; size++) {
        const size_t end = c->begin[size + 1];
        const float reach =
            (float)j->p->reach[size > b->size ? size : b->size] * (1 + 1e-5f); /* scan decides */
        const __m256 r2 = _mm256_set1_ps(reach * reach);
        c->from[size] = at;
        for (size_t k = c->begin[size]; k < end; k += 8) {
            const __m256 x = _mm256_loadu_ps(from.x + k), y = _mm256_loadu_ps(from.y + k),
                         z = _mm256_loadu_ps(from.z + k);
            const __m256 dx = beyond8(_mm256_sub_ps(x, ax), hx), dy = beyond8(_mm256_sub_ps(y, ay), hy),
                         dz = beyond8(_mm256_sub_ps(z, az), hz);
            const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
            unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, r2, _CMP_LT_OQ));
            if (end - k < 8) mask &= (1u << (end - k)) - 1;
            const __m256i front = compress8_front(&j->compress, mask);
            _mm256_storeu_ps(to.x + at, _mm256_permutevar8x32_ps(x, front));
            _mm256_storeu_ps(to.y + at, _mm256_permutevar8x32_ps(y, front));
            _mm256_storeu_ps(to.z + at, _mm256_permutevar8x32_ps(z, front));
            compress8_move(front, from.id + k, to.id + at);
            at += (size_t)__builtin_popcount(mask);
        }
    }
    c->from[j->p->sizes] = at;
}

/* Those of [begin, end) within reach of x, appended to list. */
static inline size_t scan(const build_job *j, const candidates *c, size_t begin, size_t end, const float x[3],
                          float reach, uint32_t *list)
{
    const __m256 xi = _mm256_set1_ps(x[0]), yi = _mm256_set1_ps(x[1]), zi = _mm256_set1_ps(x[2]);
    const __m256 reach2 = _mm256_set1_ps(reach * reach);
    const float *const cx = c->picked.x, *const cy = c->picked.y, *const cz = c->picked.z;
    const uint32_t *const id = c->picked.id;
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

/* The sizes of eight points, four bits each. */
static uint32_t sizes_of(const sized_points *p, const uint32_t *id)
{
    uint32_t all = 0;
    for (int n = 0; n < SIZED_LANES; n++) all |= (uint32_t)p->size[id[n]] << (4 * n);
    return all;
}

/* To whole lanes, with so many places to spare at least. */
static size_t padded(uint32_t *list, size_t count, size_t spare, uint32_t nobody)
{
    for (size_t n = 0; n < spare; n++) list[count++] = nobody;
    while (count % SIZED_LANES) list[count++] = nobody;
    return count;
}

static bool among(const uint32_t *e, size_t lanes, uint32_t who)
{
    uint32_t found = 0;
    for (const uint32_t *const end = e + lanes * SIZED_LANES; e < end && !found; e += SIZED_LANES)
        for (int k = 0; k < SIZED_LANES; k++) found |= e[k] == who;
    return found;
}

/* Those of a point's new list who may be in it; its old one is still there. */
static void filter_list(const build_job *j, uint32_t i, uint32_t *list, size_t count)
{
    const sized_lists *l = j->l;
    const uint32_t nobody = (uint32_t)j->p->count;
    const uint32_t *old = l->pool + (size_t)l->first[i] * SIZED_LANES;
    const size_t lanes = (size_t)l->same[i] + l->other[i];
    for (size_t n = 0; n < count; n++) {
        if (list[n] == nobody || list[n] == i) continue;
        if (!j->filter(j->arg, i, list[n], among(old, lanes, list[n]))) list[n] = nobody;
    }
}

/* The list of one point, after `used` entries of the worker's memory; returns how many they are then. */
static size_t scan_point(build_job *j, candidates *c, uint32_t i, int own, size_t used)
{
    const sized_points *p = j->p;
    const uint32_t nobody = (uint32_t)p->count;
    const float x[3] = {j->place[0][i], j->place[1][i], j->place[2][i]};
    const size_t from = used, spare = j->some ? SPARE : 0;
    used += scan(j, c, c->from[own], c->from[own + 1], x, (float)p->reach[own], c->list + used);
    used = padded(c->list, used, spare, nobody);
    const size_t same = used - from;
    if (own > 0) /* all that are smaller: within its own reach */
        used += scan(j, c, 0, c->from[own], x, (float)p->reach[own], c->list + used);
    for (int k = own + 1; k < p->sizes; k++)
        used += scan(j, c, c->from[k], c->from[k + 1], x, (float)p->reach[k], c->list + used);
    used = padded(c->list, used, spare, nobody);
    const size_t other = used - from - same;
    if (j->filter) filter_list(j, i, c->list + from, used - from);
    if (same / SIZED_LANES > UINT16_MAX || other / SIZED_LANES > UINT16_MAX) atomic_store(&j->huge, 1);
    j->l->first[i] = (uint32_t)(from / SIZED_LANES);
    j->l->same[i] = (uint16_t)(same / SIZED_LANES);
    j->l->other[i] = (uint16_t)(other / SIZED_LANES);
    return used;
}

/* The lists of one leaf, a few points of one size at a time, into the worker's memory; returns their length.
 */
static size_t scan_leaf(build_job *j, candidates *c, const sized_node *home)
{
    const uint8_t *const size = j->p->size;
    size_t used = 0;
    for (int own = 0; own < j->p->sizes; own++) {
        if (c->begin[own] == c->begin[own + 1]) continue;
        for (uint32_t i = home->begin; i < home->end;) {
            chunk b = {.size = own};
            for (; i < home->end && b.count < CHUNK; i++)
                if (size[i] == own) b.who[b.count++] = i;
            if (b.count == 0) continue;
            box_chunk(j, &b);
            pick_near(j, c, &b);
            for (uint32_t n = 0; n < b.count; n++) used = scan_point(j, c, b.who[n], own, used);
        }
    }
    return used;
}

static bool list_place(build_job *j, candidates *c, const sized_node *home)
{
    const size_t need = (c->count + 2 * SPARE + 3 * SIZED_LANES) * (home->end - home->begin);
    if (need <= c->list_capacity) return true;
    mem_free(j->l->ctx, c->list);
    c->list = mem_alloc(j->l->ctx, 2 * need, sizeof *c->list);
    c->list_capacity = c->list ? 2 * need : 0;
    if (!c->list) atomic_store(&j->failed, 1);
    return c->list;
}

/* Where so many lanes of a leaf's lists go in the pool: where they were, if they fit there. Those that come
 * later are likely to come again, and have an eighth to spare. */
static uint64_t find_home(build_job *j, size_t k, size_t lanes)
{
    sized_lists *l = j->l;
    if (j->some && lanes <= l->room[k]) return l->home[k];
    const size_t room = j->some ? lanes + lanes / 8 : lanes;
    const uint64_t at = atomic_fetch_add(&j->used, room);
    if (at + room > UINT32_MAX) atomic_store(&j->huge, 1);
    l->home[k] = (uint32_t)at;
    l->room[k] = (uint32_t)room;
    return at;
}

static void build_leaves(void *arg, size_t begin, size_t end, int worker)
{
    build_job *j = arg;
    candidates *c = &j->worker[worker];
    for (size_t n = begin; n < end && !atomic_load(&j->failed); n++) {
        const size_t k = j->some ? j->some[n] : n;
        const sized_node *home = sized_leaf(j->p, k);
        if (!ask_tree(j, c, home, j->middle[k])) return;
        sort_by_size(j, c);
        if (!list_place(j, c, home)) return;
        const size_t used = scan_leaf(j, c, home);
        const uint64_t at = find_home(j, k, used / SIZED_LANES);
        const bool fits = at * SIZED_LANES + used <= j->l->pool_capacity;
        if (used && fits) memcpy(j->l->pool + at * SIZED_LANES, c->list, used * sizeof *c->list);
        for (uint32_t i = home->begin; i < home->end; i++) {
            const size_t from = j->l->first[i] + j->l->same[i], count = fits ? j->l->other[i] : 0;
            for (size_t e = from; e < from + count; e++)
                j->l->sizes[at + e] = sizes_of(j->p, c->list + e * SIZED_LANES);
            j->l->first[i] += (uint32_t)at;
        }
    }
}

/* Nothing in the pool is worth keeping. */
static rill_status pool_for(sized_lists *l, size_t need)
{
    if (need <= l->pool_capacity) return RILL_OK;
    mem_free(l->ctx, l->pool);
    mem_free(l->ctx, l->sizes);
    l->pool = l->sizes = NULL;
    l->pool_capacity = 0;
    TRY(MEM_NEW(l->ctx, l->pool, need));
    TRY(MEM_NEW(l->ctx, l->sizes, need / SIZED_LANES + 1));
    l->pool_capacity = need;
    return RILL_OK;
}

static rill_status grow(sized_lists *l, const sized_points *p)
{
    rill_ctx *ctx = l->ctx;
    TRY(mem_grow(ctx, &l->first, sizeof *l->first, &l->first_capacity, p->count + 1));
    TRY(mem_grow(ctx, &l->same, sizeof *l->same, &l->same_capacity, p->count + 1));
    TRY(mem_grow(ctx, &l->other, sizeof *l->other, &l->other_capacity, p->count + 1));
    TRY(mem_grow(ctx, &l->home, sizeof *l->home, &l->home_capacity, (size_t)p->leaves + 1));
    TRY(mem_grow(ctx, &l->room, sizeof *l->room, &l->room_capacity, (size_t)p->leaves + 1));
    return pool_for(l, p->count * 72 + SIZED_LANES); /* not all of it is touched */
}

/* Lists of all leaves, or some, after `used` lanes of the pool. */
static rill_status run(build_job *j, size_t leaves, uint64_t used)
{
    rill_ctx *ctx = j->l->ctx;
    atomic_store(&j->used, used);
    parallel_for(ctx, leaves, j->some ? 1 : 8, build_leaves, j);
    j->l->used = atomic_load(&j->used) * SIZED_LANES;
    if (atomic_load(&j->failed)) return rill_fail(ctx, RILL_NO_MEMORY, "out of memory for neighbour lists");
    if (atomic_load(&j->huge))
        return rill_fail(ctx, RILL_BLEW_UP, "too many points in one place for neighbour lists");
    return RILL_OK;
}

/* count: leaves to be done. */
static rill_status begin(build_job *j, size_t count, float **places)
{
    rill_ctx *ctx = j->l->ctx;
    const size_t wide = j->p->count + SIZED_LANES;
    compress8_make(&j->compress);
    TRY(MEM_NEW_ZERO(ctx, j->worker, (size_t)parallel_workers(ctx)));
    TRY(MEM_NEW(ctx, j->middle, j->p->leaves));
    if (j->some) TRY(MEM_NEW_ZERO(ctx, j->near, (size_t)j->p->leaves + 1));
    TRY(MEM_NEW(ctx, *places, 4 * wide)); /* of which only what is copied, and what is behind it, is used */
    for (int k = 0; k < 3; k++) j->place[k] = *places + (size_t)k * wide;
    j->reach = *places + 3 * wide;
    for (size_t k = 1; k <= 4; k++)
        memset(*places + k * wide - SIZED_LANES, 0, SIZED_LANES * sizeof **places);
    if (j->some) parallel_for(ctx, count, 4, mark_near, j);
    parallel_for(ctx, j->p->leaves, 64, copy_leaves, j);
    return RILL_OK;
}

static void end(build_job *j, float *places)
{
    rill_ctx *ctx = j->l->ctx;
    for (int w = 0; j->worker && w < parallel_workers(ctx); w++) {
        mem_free(ctx, j->worker[w].memory);
        mem_free(ctx, j->worker[w].list);
    }
    mem_free(ctx, j->worker);
    mem_free(ctx, j->middle);
    mem_free(ctx, j->near);
    mem_free(ctx, places);
}

rill_status sized_lists_build(sized_lists *l, const sized_points *p, const rill_vec3 *x)
{
    build_job j = {.l = l, .p = p, .x = x};
    float *places = NULL;
    rill_status st = grow(l, p);
    if (!st) st = begin(&j, p->leaves, &places);
    for (int round = 0; !st && round < 2; round++) {
        st = run(&j, p->leaves, 0);
        l->most = l->used + (uint64_t)(l->slack * (double)l->used);
        if (st || l->most <= l->pool_capacity) break;
        /* as large as was counted, and once more */
        st = pool_for(l, l->most);
    }
    end(&j, places);
    return st;
}

rill_status sized_lists_renew(sized_lists *l, const sized_points *p, const rill_vec3 *x, const uint32_t *leaf,
                              size_t count, sized_filter *filter, const void *arg, bool *fits)
{
    build_job j = {.l = l, .p = p, .x = x, .some = leaf, .filter = filter, .arg = arg};
    float *places = NULL;
    rill_status st = begin(&j, count, &places);
    if (!st) st = run(&j, count, l->used / SIZED_LANES);
    *fits = !st && l->used <= l->most;
    end(&j, places);
    return st;
}

bool sized_lists_hold(const sized_lists *l, const uint32_t *entries, uint32_t i, uint32_t other)
{
    return among(entries + (size_t)l->first[i] * SIZED_LANES, (size_t)l->same[i] + l->other[i], other);
}

bool sized_lists_put(sized_lists *l, const sized_points *p, uint32_t *entries, uint32_t i, uint32_t other)
{
    const uint32_t nobody = (uint32_t)p->count;
    const bool alike = p->size[i] == p->size[other];
    const size_t from = (size_t)l->first[i] + (alike ? 0 : l->same[i]);
    const size_t end = from + (alike ? l->same[i] : l->other[i]);
    for (size_t at = from * SIZED_LANES; at < end * SIZED_LANES; at++) {
        if (entries[at] != nobody) continue;
        entries[at] = other;
        const unsigned shift = 4 * (unsigned)(at % SIZED_LANES);
        uint32_t *sizes = &l->sizes[at / SIZED_LANES];
        if (!alike) *sizes = (*sizes & ~(15u << shift)) | (uint32_t)p->size[other] << shift;
        return true;
    }
    return false;
}
