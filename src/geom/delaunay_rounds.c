/* Insertion of all sites of a build, in rounds, by several works.
 *
 * Rounds (Amenta, Choi and Rote 2003): each site is in the last round with probability
 * 7/8, in the one before with 7/64, and so on, by a hash of its place along the curve;
 * within a round, sites follow the curve. Every insertion then finds a mesh of about its
 * own scale a few steps from the one before.
 *
 * Works own stretches of the curve. What they have to leave, at the borders, goes to
 * works with other borders, and what is left then to one that owns everything. Which
 * work inserted a site leaves no trace: the tetrahedra are unique. */
#include "geom/delaunay_core.h"

#include <string.h>

enum {
    CHUNK = 1 << 10, /* slots a work takes at a time */
    ALONE = 1000,    /* vertices per work before works go in parallel */
    ROUNDS = 10,
    SAMPLES = 1 << 15 /* tetrahedra looked at for one to start from */
};

typedef struct {
    delaunay *d;
    const uint32_t *order;
    const grid_site *site;
    size_t count;
    uint32_t *round; /* ranks, in the order of insertion */
    size_t start[ROUNDS + 1];
} building;

static unsigned round_of(uint32_t rank)
{
    uint32_t h = rank * 0x9E3779B1u; /* murmur3's last steps */
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    h ^= h >> 16;
    const unsigned r = h ? (unsigned)__builtin_ctz(h) / 3 : ROUNDS;
    return r < ROUNDS ? r : ROUNDS - 1;
}

static void make_rounds(building *b)
{
    size_t at[ROUNDS] = {0};
    unsigned rounds = 1; /* the first has about 64 sites or more */
    while (rounds < ROUNDS && b->count >> 3 * rounds >= 64) rounds++;
    for (size_t k = 0; k < b->count; k++) {
        const unsigned r = round_of((uint32_t)k);
        at[r < rounds ? r : rounds - 1]++;
    }
    size_t sum = 0;
    for (unsigned r = ROUNDS; r-- > 0;) {
        const size_t n = at[r];
        at[r] = sum;
        b->start[ROUNDS - 1 - r] = sum;
        sum += n;
    }
    b->start[ROUNDS] = sum;
    for (size_t k = 0; k < b->count; k++) {
        const unsigned r = round_of((uint32_t)k);
        b->round[at[r < rounds ? r : rounds - 1]++] = (uint32_t)k;
    }
}

/* Four sites that span space, early in the order of insertion. */
static rill_status choose_first(const building *b, uint32_t first[4], delaunay_fault *fault)
{
    size_t place[4], k = 1;
    const grid_site *s = b->site;
    place[0] = 0;
    place[1] = k++; /* different: twins are gone */
    if (b->count < 4)
        return delaunay_blame(b->d->ctx, fault, (delaunay_fault){DELAUNAY_FLAT, 0, 0},
                              "%zu different site%s: tetrahedra need four that are not in a plane", b->count,
                              b->count == 1 ? "" : "s");
    const grid_site *p = &s[b->round[0]], *q = &s[b->round[1]];
    for (;; k++) {
        if (k == b->count)
            return delaunay_blame(
                b->d->ctx, fault, (delaunay_fault){DELAUNAY_FLAT, b->order[0], b->order[1]},
                "all %zu sites are in one line: tetrahedra need four that are not in a plane", b->count);
        if (!sites_in_line(p, q, &s[b->round[k]])) break;
    }
    place[2] = k++;
    int side = 0;
    for (; k < b->count; k++)
        if ((side = orient_sign(p, q, &s[b->round[place[2]]], &s[b->round[k]])) != 0) break;
    if (side == 0)
        return delaunay_blame(b->d->ctx, fault, (delaunay_fault){DELAUNAY_FLAT, b->order[0], b->order[1]},
                              "all %zu sites are in one plane: tetrahedra need four that are not", b->count);
    place[3] = k;
    for (int i = 0; i < 4; i++) first[i] = b->round[place[i]];
    if (side < 0) {
        const uint32_t t = first[2];
        first[2] = first[3];
        first[3] = t;
    }
    return RILL_OK;
}

/* ---- insertion ---- */

static bool sample_hint(const delaunay_core *core, core_work *w, uint32_t rank, size_t stride)
{
    const size_t used = core->used;
    uint32_t best = UINT32_MAX;
    for (size_t k = 0; k < used; k += stride) {
        const delaunay_tet *t = &core->tet[k];
        if (t->v[0] == DELAUNAY_DEAD || t->v[3] == DELAUNAY_INFINITE) continue;
        bool own = true;
        for (int i = 0; i < 4; i++) own = own && t->v[i] - w->first < w->count;
        const uint32_t away = t->v[0] < rank ? rank - t->v[0] : t->v[0] - rank;
        if (own && away < best) {
            best = away;
            w->hint = (uint32_t)k;
        }
    }
    return best != UINT32_MAX;
}

/* A tetrahedron of the work's own, preferably near a rank; false: there is none. */
static bool find_hint(const delaunay_core *core, core_work *w, uint32_t rank)
{
    const size_t stride = core->used / SAMPLES + 1;
    return sample_hint(core, w, rank, stride) || (stride > 1 && sample_hint(core, w, rank, 1));
}

typedef struct {
    delaunay_core *core;
    core_work *work;
    uint32_t *list; /* ranks, ascending */
    size_t begin[PARALLEL_MAX_THREADS + 2];
    size_t kept[PARALLEL_MAX_THREADS + 1]; /* of each part, moved to its front */
    core_result worst[PARALLEL_MAX_THREADS + 1];
} pass;

/* One part: what cannot be inserted now is kept. */
static void insert_part(void *arg, size_t part, size_t end, int worker)
{
    (void)end, (void)worker;
    pass *p = arg;
    core_work *w = &p->work[part];
    uint32_t *list = p->list + p->begin[part];
    const size_t count = p->begin[part + 1] - p->begin[part];
    size_t kept = 0, k = 0;
    core_result worst = CORE_DONE;
    if (count > 0 && find_hint(p->core, w, list[0]))
        for (; k < count; k++) {
            const core_result r =
                core_insert(p->core, w, list[k]); /* the first four are twins of themselves */
            if (r == CORE_POSTPONED) list[kept++] = list[k];
            if (r == CORE_FULL || r == CORE_NO_MEMORY) {
                worst = r;
                break;
            }
        }
    memmove(list + kept, list + k, (count - k) * sizeof *list);
    p->kept[part] = kept + count - k;
    p->worst[part] = worst;
}

/* The sites of a list by several works, cut at multiples of n / parts from `shift` on; what is left
 * moves to the front of the list. */
static rill_status insert_pass(building *b, uint32_t *list, size_t *count, int parts, bool shifted)
{
    delaunay_core *core = b->d->core;
    pass p = {.core = core, .work = b->d->work, .list = list};
    const size_t n = b->count;
    const int all = shifted && parts > 1 ? parts + 1 : parts;
    size_t at = 0;
    for (int k = 0; k < all; k++) {
        const size_t from = all == parts ? n * (size_t)k / (size_t)parts
                            : k == 0     ? 0
                                         : n * (2 * (size_t)k - 1) / (2 * (size_t)parts);
        const size_t to = k + 1 == all   ? n
                          : all == parts ? n * ((size_t)k + 1) / (size_t)parts
                                         : n * (2 * (size_t)k + 1) / (2 * (size_t)parts);
        p.work[k].first = (uint32_t)from;
        p.work[k].count = (uint32_t)(to - from);
        p.begin[k] = at;
        while (at < *count && list[at] < to) at++;
    }
    p.begin[all] = at;
    parallel_for(core->ctx, (size_t)all, 1, insert_part, &p);
    size_t kept = 0;
    core_result worst = CORE_DONE;
    for (int k = 0; k < all; k++) {
        memmove(list + kept, list + p.begin[k], p.kept[k] * sizeof *list);
        kept += p.kept[k];
        if (p.worst[k] > worst) worst = p.worst[k];
    }
    *count = kept;
    if (worst == CORE_NO_MEMORY) return mem_failed(core->ctx, core->capacity, sizeof *core->tet);
    if (worst == CORE_FULL) {
        const size_t more = core->capacity + core->capacity / 4 + 4 * CHUNK * (size_t)all;
        TRY(core_reserve(core, more, 0));
    }
    return RILL_OK;
}

static rill_status insert_all(building *b, const uint32_t first[4])
{
    delaunay_core *core = b->d->core;
    const int workers = parallel_workers(core->ctx);
    core_work *w = b->d->work;
    w[0].first = 0;
    w[0].count = (uint32_t)b->count;
    if (core_first(core, w, first) != CORE_DONE)
        return mem_failed(core->ctx, core->capacity, sizeof *core->tet);
    for (int r = 0; r < ROUNDS; r++) {
        const size_t begin = b->start[r];
        uint32_t *list = b->round + begin;
        size_t count = b->start[r + 1] - begin;
        if (rill_cancelled(core->ctx)) return rill_fail(core->ctx, RILL_CANCELLED, "stopped on request");
        if (workers > 1 && begin >= (size_t)ALONE * (size_t)workers) {
            TRY(insert_pass(b, list, &count, workers, false));
            TRY(insert_pass(b, list, &count, workers, true));
        }
        while (count > 0) TRY(insert_pass(b, list, &count, 1, false));
    }
    return RILL_OK;
}

/* Works for as many threads and one more, and the core, all empty. */
static rill_status prepare_core(delaunay *d, size_t vertices)
{
    const int works = parallel_workers(d->ctx) + 1;
    if (!d->core) {
        delaunay_core *core;
        TRY(MEM_NEW(d->ctx, core, 1));
        core_init(core, d->ctx);
        d->core = core;
    }
    if (d->works < works) {
        core_work *work;
        TRY(MEM_NEW(d->ctx, work, (size_t)works));
        for (int k = 0; k < works; k++) {
            if (k < d->works)
                work[k] = d->work[k];
            else
                work_init(&work[k], d->ctx);
        }
        mem_free(d->ctx, d->work);
        d->work = work;
        d->works = works;
    }
    for (int k = 0; k < d->works; k++) d->work[k].free.count = d->work[k].steps = d->work[k].tests = 0;
    d->core->used = 0;
    d->core->chunk = CHUNK;
    d->core->vertex_tet = NULL;
    /* Random points have 6.8 tetrahedra each, the hull some more. */
    return core_reserve(d->core, 7 * vertices + vertices / 4 + 4 * CHUNK * (size_t)works, vertices);
}

rill_status delaunay_insert_all(delaunay *d, rill_arena *arena, const uint32_t *order, const grid_site *site,
                                size_t count, delaunay_fault *fault)
{
    building b = {.d = d, .order = order, .site = site, .count = count};
    uint32_t first[4];
    TRY(ARENA_NEW(arena, b.round, count));
    make_rounds(&b);
    TRY(choose_first(&b, first, fault));
    TRY(prepare_core(d, count));
    d->core->site = site;
    d->core->name = order;
    return insert_all(&b, first);
}
