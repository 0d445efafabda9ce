#include "geom/delaunay/hilbert.h"

enum { BLOCK = 1 << 13, CROWD = 16 };

static unsigned gray(unsigned i)
{
    return i ^ i >> 1;
}

static unsigned gray_inverse(unsigned g)
{
    return g ^ g >> 1 ^ g >> 2;
}

static unsigned rotate_left(unsigned v, unsigned by) /* three bits */
{
    by %= 3;
    return (v << by | v >> (3 - by)) & 7;
}

/* State: 3 * entry + direction. */
void hilbert_automaton_make(hilbert_automaton *a)
{
    for (unsigned state = 0; state < 24; state++)
        for (unsigned octant = 0; octant < 8; octant++) {
            const unsigned entry = state / 3, direction = state % 3;
            const unsigned w = gray_inverse(rotate_left(octant ^ entry, 3 - (direction + 1) % 3));
            const unsigned into = w ? gray(2 * ((w - 1) / 2)) : 0;
            const unsigned ones = w ? w % 2 ? w : w - 1 : 0; /* trailing set bits give the turn */
            const unsigned turn = (unsigned)__builtin_ctz(~ones);
            a->digit[state][octant] = (uint8_t)w;
            a->next[state][octant] = (uint8_t)(3 * (entry ^ rotate_left(into, direction + 1)) +
                                               (direction + (w ? turn : 0) + 1) % 3);
        }
}

uint64_t hilbert_key(const hilbert_automaton *a, const grid_site *s, int bits)
{
    const uint32_t x = (uint32_t)s->x, y = (uint32_t)s->y, z = (uint32_t)s->z;
    uint64_t key = 0;
    unsigned state = 0;
    for (int b = 24; b > 24 - bits; b--) {
        const unsigned octant = (x >> b & 1) | (y >> b & 1) << 1 | (z >> b & 1) << 2;
        key = key << 3 | a->digit[state][octant];
        state = a->next[state][octant];
    }
    return key;
}

typedef struct {
    const grid_site *site;
    hilbert_automaton automaton;
    int bits;
    size_t count;
    uint64_t *key;
    uint32_t *order;
    uint32_t *crowded; /* per block: sites in cells with more than CROWD */
} ordering;

static void keys_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    for (size_t i = begin; i < end; i++)
        o->key[i] = hilbert_key(&o->automaton, &o->site[o->order[i]], o->bits);
}

static bool before(const grid_site *site, uint32_t a, uint32_t b)
{
    const grid_site *p = &site[a], *q = &site[b];
    if (p->x != q->x) return p->x < q->x;
    if (p->y != q->y) return p->y < q->y;
    if (p->z != q->z) return p->z < q->z;
    return a < b;
}

static void sift(const grid_site *site, uint32_t *at, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(site, at[child], at[child + 1])) child++;
        if (!before(site, at[root], at[child])) return;
        const uint32_t t = at[root];
        at[root] = at[child];
        at[child] = t;
    }
}

/* Insertion for the usual few, a heap for crowds: no worst case, no memory. */
static void sort_run(const grid_site *site, uint32_t *at, size_t count)
{
    if (count > CROWD) {
        for (size_t i = count / 2; i-- > 0;) sift(site, at, i, count);
        for (size_t i = count; i-- > 1;) {
            const uint32_t t = at[0];
            at[0] = at[i];
            at[i] = t;
            sift(site, at, 0, i);
        }
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const uint32_t v = at[i];
        size_t k = i;
        for (; k > 0 && before(site, v, at[k - 1]); k--) at[k] = at[k - 1];
        at[k] = v;
    }
}

/* The runs of equal keys that begin in the block. */
static void runs_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *o = arg;
    uint32_t crowded = 0;
    for (size_t i = begin; i < end;) {
        size_t stop = i + 1;
        if (i > 0 && o->key[i] == o->key[i - 1]) {
            i++;
            continue;
        }
        while (stop < o->count && o->key[stop] == o->key[i]) stop++;
        if (stop - i > CROWD) crowded += (uint32_t)(stop - i);
        if (stop - i > 1) sort_run(o->site, o->order + i, stop - i);
        i = stop;
    }
    o->crowded[begin / BLOCK] = crowded;
}

rill_status hilbert_order(rill_ctx *ctx, rill_arena *arena, const grid_site *site, size_t count,
                          const uint32_t *keep, uint32_t *order, size_t *ordered)
{
    ordering o = {.site = site, .order = order};
    uint64_t *spare_key;
    uint32_t *spare;
    hilbert_automaton_make(&o.automaton);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!keep || keep[i] != UINT32_MAX) order[n++] = (uint32_t)i;
    o.count = n;
    TRY(ARENA_NEW(arena, o.key, n));
    TRY(ARENA_NEW(arena, spare_key, n));
    TRY(ARENA_NEW(arena, spare, n));
    TRY(ARENA_NEW(arena, o.crowded, n / BLOCK + 1));

    /* Cells of about a site each when they are spread evenly; full precision when many are not. */
    o.bits = 4; /* the highest bit is set at the far end of the grid only */
    while (o.bits < HILBERT_BITS && (size_t)1 << 3 * (o.bits - 2) < n) o.bits++;
    for (;;) {
        parallel_for(ctx, n, BLOCK, keys_block, &o);
        TRY(sort_by_key(ctx, n, 3 * o.bits, o.key, order, spare_key, spare));
        parallel_for(ctx, n, BLOCK, runs_block, &o);
        size_t crowded = 0;
        for (size_t b = 0; b * BLOCK < n; b++) crowded += o.crowded[b];
        if (o.bits == HILBERT_BITS || crowded < n / 16) break;
        o.bits = HILBERT_BITS;
    }
    *ordered = n;
    return RILL_OK;
}
