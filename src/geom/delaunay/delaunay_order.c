#include "geom/delaunay/delaunay_order.h"

#include <string.h>

enum { BLOCK = 1 << 13, FEW = 48 };

typedef struct {
    delaunay_core *core;
    const delaunay_ordering *def;
    _Atomic uint32_t *count; /* by lowest rank, infinite ones after all finite ones */
    uint64_t *start;
    uint32_t *place;         /* new by old */
    _Atomic uint32_t *first; /* by rank: the first tetrahedron */
    uint8_t *turn;           /* by old: two bits per old vertex place, its new place */
    uint32_t buckets;        /* 2 * vertices */
} ordering;

static inline uint32_t rank_of(const ordering *o, uint32_t v)
{
    return o->def->rank ? o->def->rank[v] : v;
}

static inline uint32_t low_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The bucket of a tetrahedron: its lowest rank, infinite ones after all finite ones. */
static inline uint32_t bucket_of(const ordering *o, const delaunay_tet *t)
{
    const uint32_t low = low_of(low_of(rank_of(o, t->v[0]), rank_of(o, t->v[1])), rank_of(o, t->v[2]));
    if (t->v[3] == DELAUNAY_INFINITE) return o->def->vertices + low;
    return low_of(low, rank_of(o, t->v[3]));
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

static void start_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t b = begin; b < end; b++) o->count[b] = (uint32_t)o->start[b];
}

/* Into its bucket, in any order: they are sorted next. Until the end, an entry of the
 * result holds the old slot, the ranks at places 1 to 3, and the old neighbours in their
 * new places: later passes need not go back to tetrahedra scattered in memory.
 *
 * The place of a vertex is the number of lower ones; the inversions give the parity. No
 * branches: the order of four ranks is anyone's guess. */
static void scatter_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t k = begin; k < end; k++) {
        const delaunay_tet *t = &o->core->tet[k];
        if (t->v[0] == DELAUNAY_DEAD) continue;
        const bool infinite = t->v[3] == DELAUNAY_INFINITE;
        const uint32_t a = rank_of(o, t->v[0]), b = rank_of(o, t->v[1]), c = rank_of(o, t->v[2]);
        const uint32_t d = infinite ? DELAUNAY_INFINITE : rank_of(o, t->v[3]);
        const uint32_t bucket = low_of(low_of(a, b), low_of(c, d)) + (infinite ? o->def->vertices : 0);
        delaunay_tet *to =
            &o->def->out[atomic_fetch_add_explicit(&o->count[bucket], 1, memory_order_relaxed)];

        const unsigned ab = a > b, ac = a > c, ad = a > d, bc = b > c, bd = b > d, cd = c > d;
        const unsigned odd = (ab ^ ac ^ ad ^ bc ^ bd ^ cd);
        /* exchange places 2 and 3, or 1 and 2 */
        static const uint8_t exchanged[2][2][4] = {{{0, 1, 2, 3}, {0, 1, 3, 2}},
                                                   {{0, 1, 2, 3}, {0, 2, 1, 3}}};
        const uint8_t *at = exchanged[infinite][odd];
        const unsigned pa = at[ab + ac + ad], pb = at[1 - ab + bc + bd], pc = at[2 - ac - bc + cd],
                       pd = at[3 - ad - bd - cd];
        to->v[pa] = a;
        to->v[pb] = b;
        to->v[pc] = c;
        to->v[pd] = d;
        to->neighbour[pa] = t->neighbour[0];
        to->neighbour[pb] = t->neighbour[1];
        to->neighbour[pc] = t->neighbour[2];
        to->neighbour[pd] = t->neighbour[3];
        to->v[0] = (uint32_t)k;
        o->turn[k] = (uint8_t)(pa | pb << 2 | pc << 4 | pd << 6);
    }
}

/* ---- within a bucket ---- */

static inline bool before(const delaunay_tet *a, const delaunay_tet *b)
{
    if (a->v[1] != b->v[1]) return a->v[1] < b->v[1];
    return a->v[2] != b->v[2] ? a->v[2] < b->v[2] : a->v[3] < b->v[3];
}

static void sift(delaunay_tet *at, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(&at[child], &at[child + 1])) child++;
        if (!before(&at[root], &at[child])) return;
        const delaunay_tet t = at[root];
        at[root] = at[child];
        at[child] = t;
    }
}

static void sort_bucket(delaunay_tet *at, size_t count)
{
    if (count > FEW) { /* a vertex that many others see: a heap has no worst case */
        for (size_t i = count / 2; i-- > 0;) sift(at, i, count);
        for (size_t i = count; i-- > 1;) {
            const delaunay_tet t = at[0];
            at[0] = at[i];
            at[i] = t;
            sift(at, 0, i);
        }
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const delaunay_tet t = at[i];
        size_t k = i;
        for (; k > 0 && before(&t, &at[k - 1]); k--) at[k] = at[k - 1];
        at[k] = t;
    }
}

static void sort_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t b = begin; b < end; b++) {
        const uint64_t first = o->start[b], last = o->start[b + 1];
        sort_bucket(o->def->out + first, last - first);
        for (uint64_t k = first; k < last; k++) o->place[o->def->out[k].v[0]] = (uint32_t)k;
    }
}

/* ---- the result ---- */

static inline void lower(_Atomic uint32_t *at, uint32_t value)
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
    for (size_t b = begin; b < end; b++)
        for (uint64_t k = o->start[b]; k < o->start[b + 1]; k++) {
            delaunay_tet *t = &o->def->out[k];
            t->v[0] = (uint32_t)(b < o->def->vertices ? b : b - o->def->vertices);
            for (int i = 0; i < 4; i++) {
                const uint32_t n = t->neighbour[i];
                t->neighbour[i] = o->place[n >> 2] << 2 | (o->turn[n >> 2] >> 2 * (n & 3) & 3u);
                if (t->v[i] == DELAUNAY_INFINITE) continue;
                lower(&o->first[t->v[i]], (uint32_t)k);
                t->v[i] = o->def->order[t->v[i]];
            }
        }
}

static void first_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t r = begin; r < end; r++) o->def->vertex_tet[o->def->order[r]] = o->first[r];
}

rill_status delaunay_order(delaunay_core *core, rill_arena *arena, const delaunay_ordering *def,
                           uint32_t *finite, uint32_t *all)
{
    ordering o = {.core = core, .def = def, .buckets = 2 * def->vertices};
    const size_t used = core->used;
    uint32_t *count, *first;
    TRY(ARENA_NEW(arena, count, o.buckets));
    TRY(ARENA_NEW(arena, o.start, (size_t)o.buckets + 1));
    TRY(ARENA_NEW(arena, o.place, used));
    TRY(ARENA_NEW(arena, o.turn, used));
    TRY(ARENA_NEW(arena, first, def->vertices));
    memset(first, 0xFF, def->vertices * sizeof *first);
    o.first = (_Atomic uint32_t *)first;
    memset(count, 0, o.buckets * sizeof *count);
    o.count = (_Atomic uint32_t *)count;
    parallel_for(core->ctx, used, BLOCK, count_block, &o);
    scan_u32(core->ctx, count, o.buckets, o.start);
    parallel_for(core->ctx, o.buckets, BLOCK, start_block, &o);
    parallel_for(core->ctx, used, BLOCK, scatter_block, &o);
    parallel_for(core->ctx, o.buckets, BLOCK / 4, sort_block, &o);
    parallel_for(core->ctx, o.buckets, BLOCK / 4, write_block, &o);
    parallel_for(core->ctx, def->vertices, BLOCK, first_block, &o);
    *finite = (uint32_t)o.start[def->vertices];
    *all = (uint32_t)o.start[o.buckets];
    return RILL_OK;
}
