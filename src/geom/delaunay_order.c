#include "geom/delaunay_order.h"

#include <string.h>

enum { BLOCK = 1 << 13, FEW = 48 };

typedef struct {
    delaunay_core *core;
    const delaunay_ordering *def;
    _Atomic uint32_t *count; /* by lowest rank, infinite ones after all finite ones */
    uint64_t *start;
    uint32_t *slot;   /* old tetrahedra in the new order */
    uint32_t *place;  /* new by old */
    uint8_t *turn;    /* by old: two bits per old vertex place, its new place */
    uint32_t buckets; /* 2 * vertices */
} ordering;

/* Of a tetrahedron: its vertices by rank, and for each old place the new one. */
typedef struct {
    uint32_t rank[4]; /* in the new places */
    uint8_t turn;
} turned;

static inline uint32_t rank_of(const ordering *o, uint32_t v)
{
    return o->def->rank ? o->def->rank[v] : v;
}

static turned turn_of(const ordering *o, const delaunay_tet *t)
{
    uint32_t r[4], from[4] = {0, 1, 2, 3};
    turned out = {.turn = 0};
    if (t->v[3] == DELAUNAY_INFINITE) {
        for (int i = 0; i < 3; i++) r[i] = rank_of(o, t->v[i]);
        const int low = r[0] < r[1] ? (r[0] < r[2] ? 0 : 2) : (r[1] < r[2] ? 1 : 2);
        for (int i = 0; i < 3; i++) {
            const int k = (low + i) % 3;
            out.rank[i] = r[k];
            out.turn |= (uint8_t)(i << 2 * k);
        }
        out.rank[3] = DELAUNAY_INFINITE;
        out.turn |= 3 << 6;
        return out;
    }
    for (int i = 0; i < 4; i++) r[i] = rank_of(o, t->v[i]);
    bool odd = false;
#define ORDER(a, b)                                                                  \
    do {                                                                             \
        const bool swap = r[a] > r[b];                                               \
        const uint32_t r0 = swap ? r[b] : r[a], r1 = swap ? r[a] : r[b];             \
        const uint32_t f0 = swap ? from[b] : from[a], f1 = swap ? from[a] : from[b]; \
        r[a] = r0, r[b] = r1, from[a] = f0, from[b] = f1;                            \
        odd ^= swap;                                                                 \
    } while (0)
    ORDER(0, 1);
    ORDER(2, 3);
    ORDER(0, 2);
    ORDER(1, 3);
    ORDER(1, 2);
#undef ORDER
    const int c = odd ? 3 : 2;
    const uint32_t last[2] = {from[c], from[5 - c]};
    out.rank[0] = r[0];
    out.rank[1] = r[1];
    out.rank[2] = r[c];
    out.rank[3] = r[5 - c];
    out.turn = (uint8_t)(0 << 2 * from[0] | 1 << 2 * from[1] | 2 << 2 * last[0] | 3 << 2 * last[1]);
    return out;
}

static inline uint32_t bucket_of(const ordering *o, const delaunay_tet *t)
{
    uint32_t low = rank_of(o, t->v[0]);
    for (int i = 1; i < 3; i++) {
        const uint32_t r = rank_of(o, t->v[i]);
        if (r < low) low = r;
    }
    if (t->v[3] == DELAUNAY_INFINITE) return o->def->vertices + low;
    const uint32_t r = rank_of(o, t->v[3]);
    return r < low ? r : low;
}

static void count_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t k = begin; k < end; k++) {
        const delaunay_tet *t = &o->core->tet[k];
        if (t->v[0] == DELAUNAY_DEAD) continue;
        atomic_fetch_add_explicit(&o->count[bucket_of(o, t)], 1, memory_order_relaxed);
    }
}

/* In any order within a bucket: they are sorted next. */
static void scatter_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t k = begin; k < end; k++) {
        const delaunay_tet *t = &o->core->tet[k];
        if (t->v[0] == DELAUNAY_DEAD) continue;
        const uint32_t b = bucket_of(o, t);
        const uint32_t left = atomic_fetch_sub_explicit(&o->count[b], 1, memory_order_relaxed);
        o->slot[o->start[b] + left - 1] = (uint32_t)k;
    }
}

/* ---- within a bucket ---- */

typedef struct {
    uint64_t high; /* ranks in places 1 and 2 */
    uint32_t low, slot;
} entry;

static entry entry_of(const ordering *o, uint32_t slot)
{
    const turned t = turn_of(o, &o->core->tet[slot]);
    return (entry){(uint64_t)t.rank[1] << 32 | t.rank[2], t.rank[3], slot};
}

static bool entry_before(entry a, entry b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static bool slot_before(const ordering *o, uint32_t a, uint32_t b)
{
    return entry_before(entry_of(o, a), entry_of(o, b));
}

static void sift(const ordering *o, uint32_t *at, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && slot_before(o, at[child], at[child + 1])) child++;
        if (!slot_before(o, at[root], at[child])) return;
        const uint32_t t = at[root];
        at[root] = at[child];
        at[child] = t;
    }
}

static void sort_bucket(const ordering *o, uint32_t *at, size_t count)
{
    if (count > FEW) { /* a vertex that many others see: a heap needs no memory */
        for (size_t i = count / 2; i-- > 0;) sift(o, at, i, count);
        for (size_t i = count; i-- > 1;) {
            const uint32_t t = at[0];
            at[0] = at[i];
            at[i] = t;
            sift(o, at, 0, i);
        }
        return;
    }
    entry sorted[FEW];
    for (size_t i = 0; i < count; i++) {
        const entry e = entry_of(o, at[i]);
        size_t k = i;
        for (; k > 0 && entry_before(e, sorted[k - 1]); k--) sorted[k] = sorted[k - 1];
        sorted[k] = e;
    }
    for (size_t i = 0; i < count; i++) at[i] = sorted[i].slot;
}

static void sort_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t b = begin; b < end; b++) {
        const uint64_t first = o->start[b], last = o->start[b + 1];
        sort_bucket(o, o->slot + first, last - first);
        for (uint64_t k = first; k < last; k++) {
            const uint32_t old = o->slot[k];
            o->place[old] = (uint32_t)k;
            o->turn[old] = turn_of(o, &o->core->tet[old]).turn;
        }
    }
}

/* ---- the result ---- */

static void lower(_Atomic uint32_t *at, uint32_t value)
{
    uint32_t now = atomic_load_explicit(at, memory_order_relaxed);
    while (value < now && !atomic_compare_exchange_weak_explicit(at, &now, value, memory_order_relaxed,
                                                                 memory_order_relaxed)) {
    }
}

static void write_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t k = begin; k < end; k++) {
        const uint32_t old = o->slot[k];
        const delaunay_tet *t = &o->core->tet[old];
        delaunay_tet *to = &o->def->out[k];
        for (int i = 0; i < 4; i++) {
            const uint32_t n = t->neighbour[i], v = t->v[i];
            const unsigned at = o->turn[old] >> 2 * i & 3;
            to->v[at] = o->def->name && v != DELAUNAY_INFINITE ? o->def->name[v] : v;
            to->neighbour[at] = o->place[n >> 2] << 2 | (o->turn[n >> 2] >> 2 * (n & 3) & 3u);
        }
        for (int i = 0; i < 4; i++)
            if (to->v[i] != DELAUNAY_INFINITE)
                lower((_Atomic uint32_t *)&o->def->vertex_tet[to->v[i]], (uint32_t)k);
    }
}

rill_status delaunay_order(delaunay_core *core, rill_arena *arena, const delaunay_ordering *def,
                           uint32_t *finite, uint32_t *all)
{
    ordering o = {.core = core, .def = def, .buckets = 2 * def->vertices};
    const size_t used = core->used;
    uint32_t *count;
    TRY(ARENA_NEW(arena, count, o.buckets));
    TRY(ARENA_NEW(arena, o.start, (size_t)o.buckets + 1));
    TRY(ARENA_NEW(arena, o.slot, used));
    TRY(ARENA_NEW(arena, o.place, used));
    TRY(ARENA_NEW(arena, o.turn, used));
    memset(count, 0, o.buckets * sizeof *count);
    o.count = (_Atomic uint32_t *)count;
    parallel_for(core->ctx, used, BLOCK, count_block, &o);
    scan_u32(core->ctx, count, o.buckets, o.start);
    parallel_for(core->ctx, used, BLOCK, scatter_block, &o);
    parallel_for(core->ctx, o.buckets, BLOCK / 4, sort_block, &o);
    const size_t live = o.start[o.buckets];
    parallel_for(core->ctx, live, BLOCK, write_block, &o);
    *finite = (uint32_t)o.start[def->vertices];
    *all = (uint32_t)live;
    return RILL_OK;
}
