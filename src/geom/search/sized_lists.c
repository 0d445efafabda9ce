#include "geom/search/sized_search.h"

#include <stdatomic.h>
#include <string.h>

void sized_lists_init(sized_lists *l, rill_ctx *ctx)
{
    *l = (sized_lists){.ctx = ctx, .slack = 0.5};
}

/* What a worker keeps between leaves. */
typedef struct {
    candidates near;
    uint32_t *list; /* one point's */
    size_t list_capacity;
    sized_eight *eights; /* of the leaf's points */
    size_t eights_capacity;
} leaf_work;

typedef struct list_maker {
    sized_search search;
    leaf_work *worker;
} list_maker;

static void maker_destroy(sized_lists *l)
{
    rill_ctx *ctx = l->ctx;
    list_maker *m = l->maker;
    if (!m) return;
    for (int w = 0; m->worker && w < parallel_workers(ctx); w++) {
        mem_free(ctx, m->worker[w].near.memory);
        mem_free(ctx, m->worker[w].list);
        mem_free(ctx, m->worker[w].eights);
    }
    mem_free(ctx, m->worker);
    search_clear(&m->search);
    mem_free(ctx, m);
    l->maker = NULL;
}

static rill_status maker_create(sized_lists *l)
{
    if (l->maker) return RILL_OK;
    TRY(MEM_NEW_ZERO(l->ctx, l->maker, 1));
    search_init(&l->maker->search, l->ctx);
    const rill_status st = MEM_NEW_ZERO(l->ctx, l->maker->worker, (size_t)parallel_workers(l->ctx));
    if (st) maker_destroy(l);
    return st;
}

void sized_lists_clear(sized_lists *l)
{
    maker_destroy(l);
    mem_free(l->ctx, l->first);
    mem_free(l->ctx, l->same);
    mem_free(l->ctx, l->all);
    mem_free(l->ctx, l->home);
    mem_free(l->ctx, l->reserved);
    mem_free(l->ctx, l->pool);
    const double slack = l->slack;
    sized_lists_init(l, l->ctx);
    l->slack = slack;
}

/* -- entries ------------------------------------------------------------------------------ */

/* Entries of these points, at most eight of them, if they are near enough along the curve. */
static bool spell(const sized_points *p, const uint32_t *id, size_t count, sized_eight *out)
{
    uint32_t low = id[0], high = id[0];
    for (size_t n = 1; n < count; n++) {
        low = id[n] < low ? id[n] : low;
        high = id[n] > high ? id[n] : high;
    }
    if (high - low > UINT16_MAX) return false;
    *out = (sized_eight){.base = low};
    for (unsigned n = 0; n < SIZED_LANES; n++) {
        if (n < count) out->off[n] = (uint16_t)(id[n] - low);
        out->sizes |= (n < count ? (uint32_t)p->size[id[n]] : SIZED_NOBODY) << 4 * n;
    }
    return true;
}

/* Eight of one size at once. */
static bool spell8(const uint32_t *id, uint32_t size, sized_eight *out)
{
    const __m256i ids = _mm256_loadu_si256((const __m256i *)(const void *)id);
    const uint32_t base = id[0]; /* they are in order */
    if (id[SIZED_LANES - 1] - base > UINT16_MAX) return false;
    const __m256i off = _mm256_sub_epi32(ids, _mm256_set1_epi32((int)base));
    out->base = base;
    out->sizes = 0x11111111 * size;
    _mm_storeu_si128((__m128i *)(void *)out->off,
                     _mm_packus_epi32(_mm256_castsi256_si128(off), _mm256_extracti128_si256(off, 1)));
    return true;
}

static bool among(const sized_eight *e, size_t count, uint32_t id)
{
    for (const sized_eight *const end = e + count; e < end; e++) {
        const uint32_t off = id - e->base;
        if (off > UINT16_MAX) continue;
        const __m128i all = _mm_loadu_si128((const __m128i *)(const void *)e->off);
        const __m128i found = _mm_cmpeq_epi16(all, _mm_set1_epi16((short)off));
        const unsigned lanes = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(found, found)) & 0xff;
        if (lanes && lanes & sized_present(e)) return true;
    }
    return false;
}

/* -- lists of a leaf ---------------------------------------------------------------------- */

enum { SPARE = 3 }; /* free entries in rebuilt lists, for points added later */

typedef struct {
    sized_lists *l;
    const sized_points *p;
    const sized_search *search;
    const uint32_t *some; /* leaves to be done; NULL: all */
    sized_filter *filter;
    const void *arg; /* the filter's */
    leaf_work *worker;
    _Atomic uint64_t used; /* eights */
    atomic_int failed, huge;
} build_job;

/* Compacts a point's new list to the entries that the filter admits; the old list still exists. */
static size_t filtered(const build_job *j, uint32_t i, uint32_t *list, size_t count)
{
    if (!j->filter) return count;
    const sized_lists *l = j->l;
    const sized_eight *old = l->pool + l->first[i];
    size_t left = 0;
    for (size_t n = 0; n < count; n++)
        if (list[n] == i || j->filter(j->arg, i, list[n], among(old, l->all[i], list[n])))
            list[left++] = list[n];
    return left;
}

/* Makes sure that `more` groups of eight fit. */
static bool reserve(build_job *j, leaf_work *w, size_t used, size_t more)
{
    if (used + more <= w->eights_capacity) return true;
    sized_eight *fresh = mem_alloc(j->l->ctx, 2 * (used + more), sizeof *fresh);
    if (!fresh) {
        atomic_store(&j->failed, 1);
        return false;
    }
    if (used) memcpy(fresh, w->eights, used * sizeof *fresh);
    mem_free(j->l->ctx, w->eights);
    w->eights = fresh;
    w->eights_capacity = 2 * (used + more);
    return true;
}

/* Writes the first part of a list behind `used` groups. The remaining points stay in `list`, and *count
 * becomes their number. Returns the number of groups used afterwards. */
static size_t cut_same(leaf_work *w, uint32_t size, size_t *count, size_t used)
{
    size_t left = 0, n = 0;
    while (n < *count) {
        if (*count - n >= SIZED_LANES && spell8(w->list + n, size, &w->eights[used])) {
            n += SIZED_LANES;
            used++;
        } else {
            w->list[left++] = w->list[n++];
        }
    }
    *count = left;
    return used;
}

/* Writes the second part of a list with at least `spare` free entries. */
static size_t cut_mixed(const build_job *j, leaf_work *w, size_t count, size_t used)
{
    const size_t from = used, spare = j->some ? SPARE : 0;
    for (size_t n = 0; n < count;) {
        size_t some = count - n < SIZED_LANES ? count - n : SIZED_LANES;
        while (!spell(j->p, w->list + n, some, &w->eights[used])) some--;
        used++;
        n += some;
    }
    if ((used - from) * SIZED_LANES < count + spare) w->eights[used++] = (sized_eight){.sizes = UINT32_MAX};
    return used;
}

/* The list of one point, after `used` eights of the worker's memory; returns how many they are then. */
static size_t list_point(build_job *j, leaf_work *w, uint32_t i, int own, size_t used)
{
    const sized_points *p = j->p;
    const sized_search *s = j->search;
    const candidates *c = &w->near;
    const float x[3] = {s->place[0][i], s->place[1][i], s->place[2][i]};
    size_t count = search_scan(s, c, c->from[own], c->from[own + 1], x, (float)p->reach[own], w->list);
    count = filtered(j, i, w->list, count);
    if (!reserve(j, w, used, count / SIZED_LANES)) return used;
    const size_t middle = cut_same(w, (uint32_t)own, &count, used), left = count;
    if (own > 0) /* all that are smaller: within its own reach */
        count += search_scan(s, c, 0, c->from[own], x, (float)p->reach[own], w->list + count);
    for (int k = own + 1; k < p->sizes; k++)
        count += search_scan(s, c, c->from[k], c->from[k + 1], x, (float)p->reach[k], w->list + count);
    count = left + filtered(j, i, w->list + left, count - left);
    if (!reserve(j, w, middle, count + 1)) return used;
    const size_t last = cut_mixed(j, w, count, middle);
    if (last - used > UINT16_MAX) atomic_store(&j->huge, 1);
    j->l->first[i] = (uint32_t)used;
    j->l->same[i] = (uint16_t)(middle - used);
    j->l->all[i] = (uint16_t)(last - used);
    return last;
}

/* The lists of one leaf, a few points of one size at a time, into the worker's memory; returns their length.
 */
static size_t list_leaf(build_job *j, leaf_work *w, const sized_node *home)
{
    const uint8_t *const size = j->p->size;
    candidates *c = &w->near;
    size_t used = 0;
    for (int own = 0; own < j->p->sizes; own++) {
        if (c->begin[own] == c->begin[own + 1]) continue;
        for (uint32_t i = home->begin; i < home->end;) {
            chunk b = {.size = own};
            for (; i < home->end && b.count < SIZED_CHUNK; i++)
                if (size[i] == own) b.id[b.count++] = i;
            if (b.count == 0) continue;
            search_chunk(j->search, c, &b);
            for (uint32_t n = 0; n < b.count; n++) used = list_point(j, w, b.id[n], own, used);
        }
    }
    return used;
}

static bool list_place(build_job *j, leaf_work *w)
{
    const size_t need = w->near.count + 2 * SIZED_LANES;
    if (need <= w->list_capacity) return true;
    mem_free(j->l->ctx, w->list);
    w->list = mem_alloc(j->l->ctx, 2 * need, sizeof *w->list);
    w->list_capacity = w->list ? 2 * need : 0;
    return w->list;
}

/* The place in the pool for `count` groups of a leaf's lists: where they were, if they fit there. An eighth
 * more is reserved, since rebuilt lists mostly get longer: entries added later need free places. */
static uint64_t find_home(build_job *j, size_t k, size_t count)
{
    sized_lists *l = j->l;
    if (j->some && count <= l->reserved[k]) return l->home[k];
    const size_t reserved = count + count / 8;
    const uint64_t at = atomic_fetch_add(&j->used, reserved);
    if (at + reserved > UINT32_MAX) atomic_store(&j->huge, 1);
    l->home[k] = (uint32_t)at;
    l->reserved[k] = (uint32_t)reserved;
    return at;
}

static void build_leaves(void *arg, size_t begin, size_t end, int worker)
{
    build_job *j = arg;
    leaf_work *w = &j->worker[worker];
    for (size_t n = begin; n < end && !atomic_load(&j->failed); n++) {
        const size_t k = j->some ? j->some[n] : n;
        const sized_node *home = sized_leaf(j->p, k);
        if (!search_leaf(j->search, &w->near, home, j->search->middle[k]) || !list_place(j, w)) {
            atomic_store(&j->failed, 1);
            return;
        }
        const size_t used = list_leaf(j, w, home);
        const uint64_t at = find_home(j, k, used);
        if (used && at + used <= j->l->pool_capacity)
            memcpy(j->l->pool + at, w->eights, used * sizeof *w->eights);
        for (uint32_t i = home->begin; i < home->end; i++) j->l->first[i] += (uint32_t)at;
    }
}

/* Discards the pool's contents. */
static rill_status pool_for(sized_lists *l, size_t need)
{
    if (need <= l->pool_capacity) return RILL_OK;
    mem_free(l->ctx, l->pool);
    l->pool = NULL;
    l->pool_capacity = 0;
    TRY(MEM_NEW(l->ctx, l->pool, need));
    l->pool_capacity = need;
    return RILL_OK;
}

static rill_status grow(sized_lists *l, const sized_points *p)
{
    rill_ctx *ctx = l->ctx;
    TRY(mem_grow(ctx, &l->first, sizeof *l->first, &l->first_capacity, p->count + 1));
    TRY(mem_grow(ctx, &l->same, sizeof *l->same, &l->same_capacity, p->count + 1));
    TRY(mem_grow(ctx, &l->all, sizeof *l->all, &l->all_capacity, p->count + 1));
    TRY(mem_grow(ctx, &l->home, sizeof *l->home, &l->home_capacity, (size_t)p->leaves + 1));
    TRY(mem_grow(ctx, &l->reserved, sizeof *l->reserved, &l->reserved_capacity, (size_t)p->leaves + 1));
    return pool_for(l, p->count * 9 + 1); /* not all of it is touched */
}

/* Lists of all leaves, or some, after `used` eights of the pool. */
static rill_status run(build_job *j, size_t leaves, uint64_t used)
{
    rill_ctx *ctx = j->l->ctx;
    atomic_store(&j->used, used);
    parallel_for(ctx, leaves, j->some ? 1 : 8, build_leaves, j);
    j->l->used = atomic_load(&j->used);
    if (atomic_load(&j->failed)) return rill_fail(ctx, RILL_NO_MEMORY, "out of memory for neighbour lists");
    if (atomic_load(&j->huge))
        return rill_fail(ctx, RILL_BLEW_UP, "too many points in one place for neighbour lists");
    return RILL_OK;
}

static rill_status begin(build_job *j, const rill_vec3 *x, size_t count)
{
    TRY(maker_create(j->l));
    j->search = &j->l->maker->search;
    j->worker = j->l->maker->worker;
    return search_begin(&j->l->maker->search, j->p, x, j->some, count);
}

rill_status sized_lists_build(sized_lists *l, const sized_points *p, const rill_vec3 *x)
{
    build_job j = {.l = l, .p = p};
    rill_status st = grow(l, p);
    if (!st) st = begin(&j, x, p->leaves);
    for (int round = 0; !st && round < 2; round++) {
        st = run(&j, p->leaves, 0);
        l->most = l->used + (uint64_t)(l->slack * (double)l->used);
        if (st || l->most <= l->pool_capacity) break;
        /* as large as was counted, and once more */
        st = pool_for(l, l->most);
    }
    return st;
}

rill_status sized_lists_renew(sized_lists *l, const sized_points *p, const rill_vec3 *x, const uint32_t *leaf,
                              size_t count, sized_filter *filter, const void *arg, bool *fits)
{
    build_job j = {.l = l, .p = p, .some = leaf, .filter = filter, .arg = arg};
    rill_status st = begin(&j, x, count);
    if (!st) st = run(&j, count, l->used);
    *fits = !st && l->used <= l->most;
    return st;
}

bool sized_lists_hold(const sized_lists *l, const sized_eight *entries, uint32_t i, uint32_t other)
{
    return among(entries + l->first[i], l->all[i], other);
}

/* Adds an entry to a group with a free lane; the group's base may change. */
static bool put(const sized_points *p, sized_eight *e, uint32_t id)
{
    uint32_t all[SIZED_LANES];
    size_t count = 0;
    for (sized_walk w = sized_walk_over(e, e + 1); sized_walk_on(&w);) all[count++] = w.id;
    if (count == SIZED_LANES) return false;
    all[count++] = id;
    return spell(p, all, count, e);
}

bool sized_lists_put(const sized_lists *l, const sized_points *p, sized_eight *entries, uint32_t i,
                     uint32_t other)
{
    sized_eight *const at = entries + l->first[i];
    for (size_t e = l->same[i]; e < l->all[i]; e++)
        if (put(p, &at[e], other)) return true;
    return false;
}

void sized_lists_part(sized_lists *l, uint32_t i, sized_filter *filter, const void *arg)
{
    sized_eight *const at = l->pool + l->first[i];
    const size_t same = l->same[i];
    for (size_t n = l->all[i]; n-- > 0;) {
        const uint32_t before = at[n].sizes;
        for (sized_walk w = sized_walk_over(&at[n], &at[n + 1]); sized_walk_on(&w);)
            if (w.id != i && !filter(arg, i, w.id, true)) at[n].sizes |= (uint32_t)SIZED_NOBODY << 4 * w.lane;
        if (n >= same || at[n].sizes == before) continue;
        const sized_eight last = at[--l->same[i]]; /* no longer full: goes to the second part */
        at[l->same[i]] = at[n];
        at[n] = last;
    }
}
