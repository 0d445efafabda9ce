#include "geom/search/sized_search.h"

#include <string.h>

static bool reserve(const sized_search *s, candidates *c, size_t more)
{
    const size_t need = c->count + more + 2 * SIZED_LANES;
    if (need <= c->capacity) return true;
    const size_t capacity = 2 * need;
    float *fresh = mem_alloc(s->ctx, 12 * capacity, sizeof *fresh);
    if (!fresh) return false;
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
    mem_free(s->ctx, c->memory);
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
static void take_near(const sized_search *s, candidates *c, const sized_node *n, rill_vec3 shift,
                      const float half[3], float home_reach)
{
    const __m256 sx = _mm256_set1_ps((float)shift.x), sy = _mm256_set1_ps((float)shift.y),
                 sz = _mm256_set1_ps((float)shift.z), least = _mm256_set1_ps(home_reach);
    const __m256 hx = _mm256_set1_ps(half[0]), hy = _mm256_set1_ps(half[1]), hz = _mm256_set1_ps(half[2]);
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const some_points to = c->found;
    size_t at = c->count;
    for (uint32_t i = n->begin; i < n->end; i += 8) {
        const __m256 x = _mm256_add_ps(_mm256_loadu_ps(s->place[0] + i), sx);
        const __m256 y = _mm256_add_ps(_mm256_loadu_ps(s->place[1] + i), sy);
        const __m256 z = _mm256_add_ps(_mm256_loadu_ps(s->place[2] + i), sz);
        const __m256 r = _mm256_mul_ps(_mm256_max_ps(_mm256_loadu_ps(s->reach + i), least),
                                       _mm256_set1_ps(1 + 1e-5f)); /* scan decides */
        const __m256 dx = beyond8(x, hx), dy = beyond8(y, hy), dz = beyond8(z, hz);
        const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(r, r), _CMP_LT_OQ));
        if (n->end - i < 8) mask &= (1u << (n->end - i)) - 1;
        if (!mask) continue;
        const __m256i front = compress8_front(&s->compress, mask);
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

/* The next leaf that may have points near those of a leaf; NULL: none is left. at: 0 at first. */
static const sized_node *next_near(const sized_points *p, const sized_node *home, uint32_t *at)
{
    while (*at < p->nodes) {
        const sized_node *n = &p->node[*at];
        const bool apart = nodes_apart(n, home);
        *at = apart ? n->next : *at + 1;
        if (!apart && n->leaf) return n;
    }
    return NULL;
}

typedef struct {
    sized_search *s;
    const rill_vec3 *x;
    const uint32_t *some; /* leaves to be done; NULL: all */
    atomic_uchar *near;   /* per leaf: it is near one of these */
} copy_job;

/* Which leaves have points that some leaves ask for. */
static void mark_near(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copy_job *j = arg;
    const sized_points *p = j->s->p;
    for (size_t n = begin; n < end; n++) {
        const sized_node *home = sized_leaf(p, j->some[n]), *leaf;
        for (uint32_t at = 0; (leaf = next_near(p, home, &at));)
            atomic_store_explicit(&j->near[leaf->number], 1, memory_order_relaxed);
    }
}

static void copy_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copy_job *j = arg;
    sized_search *s = j->s;
    for (size_t k = begin; k < end; k++) {
        if (j->near && !atomic_load_explicit(&j->near[k], memory_order_relaxed)) continue;
        const sized_node *leaf = sized_leaf(s->p, k);
        s->middle[k] = box_center(leaf->box);
        for (uint32_t i = leaf->begin; i < leaf->end; i++) {
            const rill_vec3 d = v3_sub(j->x[i], s->middle[k]);
            s->place[0][i] = (float)d.x;
            s->place[1][i] = (float)d.y;
            s->place[2][i] = (float)d.z;
            s->reach[i] = (float)s->p->reach[s->p->size[i]];
        }
    }
}

void search_init(sized_search *s, rill_ctx *ctx)
{
    *s = (sized_search){.ctx = ctx};
    compress8_make(&s->compress);
}

void search_clear(sized_search *s)
{
    mem_free(s->ctx, s->middle);
    mem_free(s->ctx, s->near);
    mem_free(s->ctx, s->places);
}

rill_status search_begin(sized_search *s, const sized_points *p, const rill_vec3 *x, const uint32_t *some,
                         size_t count)
{
    rill_ctx *ctx = s->ctx;
    const size_t leaves = p->leaves, wide = p->count + SIZED_LANES;
    TRY(mem_grow(ctx, &s->middle, sizeof *s->middle, &s->middle_capacity, leaves + 1));
    TRY(mem_grow(ctx, &s->near, sizeof *s->near, &s->near_capacity, leaves + 1));
    /* of which only what is copied, and what is behind it, is used */
    TRY(mem_grow(ctx, &s->places, sizeof *s->places, &s->places_capacity, 4 * wide));
    s->p = p;
    for (int k = 0; k < 3; k++) s->place[k] = s->places + (size_t)k * wide;
    s->reach = s->places + 3 * wide;
    for (size_t k = 1; k <= 4; k++)
        memset(s->places + k * wide - SIZED_LANES, 0, SIZED_LANES * sizeof *s->places);
    copy_job j = {.s = s, .x = x, .some = some};
    if (some) {
        j.near = s->near;
        for (size_t k = 0; k < leaves; k++) atomic_init(&s->near[k], 0);
        parallel_for(ctx, count, 4, mark_near, &j);
    }
    parallel_for(ctx, leaves, 64, copy_leaves, &j);
    return RILL_OK;
}

/* Finds the points within the larger reach of the leaf's box. */
static bool ask_tree(const sized_search *s, candidates *c, const sized_node *home, rill_vec3 middle)
{
    const sized_node *leaf;
    const rill_vec3 across = v3_sub(home->box.max, home->box.min);
    const float half[3] = {(float)(0.5 * across.x), (float)(0.5 * across.y), (float)(0.5 * across.z)};
    c->count = 0;
    for (uint32_t at = 0; (leaf = next_near(s->p, home, &at));) {
        if (!reserve(s, c, leaf->end - leaf->begin)) return false;
        take_near(s, c, leaf, v3_sub(s->middle[leaf->number], middle), half, (float)home->reach);
    }
    return true;
}

/* By size, within a size in order. */
static void sort_by_size(const sized_search *s, candidates *c)
{
    const uint8_t *const size = s->p->size;
    size_t at[SIZED_MOST + 1] = {0};
    for (size_t k = 0; k < c->count; k++) at[size[c->found.id[k]] + 1]++;
    for (int k = 0; k < s->p->sizes; k++) at[k + 1] += at[k];
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

static void box_chunk(const sized_search *s, chunk *b)
{
    for (int k = 0; k < 3; k++) {
        float low = s->place[k][b->id[0]], high = low;
        for (uint32_t n = 1; n < b->count; n++) {
            const float x = s->place[k][b->id[n]];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        b->at[k] = 0.5f * (low + high);
        b->half[k] = 0.5f * (high - low);
    }
}

/* Of those near the leaf, those near the chunk. */
static void pick_near(const sized_search *s, candidates *c, const chunk *b)
{
    const __m256 ax = _mm256_set1_ps(b->at[0]), ay = _mm256_set1_ps(b->at[1]), az = _mm256_set1_ps(b->at[2]);
    const __m256 hx = _mm256_set1_ps(b->half[0]), hy = _mm256_set1_ps(b->half[1]),
                 hz = _mm256_set1_ps(b->half[2]);
    const some_points from = c->sorted, to = c->picked;
    size_t at = 0;
    for (int size = 0; size < s->p->sizes; size++) {
        const size_t end = c->begin[size + 1];
        const float reach =
            (float)s->p->reach[size > b->size ? size : b->size] * (1 + 1e-5f); /* scan decides */
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
            const __m256i front = compress8_front(&s->compress, mask);
            _mm256_storeu_ps(to.x + at, _mm256_permutevar8x32_ps(x, front));
            _mm256_storeu_ps(to.y + at, _mm256_permutevar8x32_ps(y, front));
            _mm256_storeu_ps(to.z + at, _mm256_permutevar8x32_ps(z, front));
            compress8_move(front, from.id + k, to.id + at);
            at += (size_t)__builtin_popcount(mask);
        }
    }
    c->from[s->p->sizes] = at;
}

bool search_leaf(const sized_search *s, candidates *c, const sized_node *home, rill_vec3 middle)
{
    if (!ask_tree(s, c, home, middle)) return false;
    sort_by_size(s, c);
    return true;
}

void search_chunk(const sized_search *s, candidates *c, chunk *b)
{
    box_chunk(s, b);
    pick_near(s, c, b);
}

size_t search_scan(const sized_search *s, const candidates *c, size_t begin, size_t end, const float x[3],
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
        compress8_move(compress8_front(&s->compress, mask), id + k, to);
        to += __builtin_popcount(mask);
    }
    return (size_t)(to - list);
}
