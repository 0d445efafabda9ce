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
#include "geom/delaunay/delaunay_core.h"

#include <string.h>

enum {
    CHUNK = 1 << 10, /* slots a work takes at a time */
    ALONE = 1000,    /* vertices per work before works go in parallel */
    ROUNDS = 10,
    REACH = 24, /* ranks around a site looked at for a place to start from */
    TRIES = 4
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

/* The next tetrahedron of the work's own at vertices near a rank, from `away` on; false: none is left
 * to try. Vertices near in rank are near in space, and one in eight is there from the rounds before. */
static bool hint_near(const delaunay_core *core, core_work *w, uint32_t rank, uint32_t *away)
{
    for (; *away < 2 * REACH; ++*away) {
        const uint32_t by = *away / 2 + 1, v = *away % 2 ? rank + by : rank - by;
        if (!core_is_own_vertex(&w->own, v)) continue;
        const uint32_t t = core->vertex_tet[v];
        if (t == DELAUNAY_INFINITE || !core_is_own(&w->own, &core->tet[t])) continue;
        w->hint = t;
        ++*away;
        return true;
    }
    return false;
}

/* Any tetrahedron of the work's own; false: there is none. While no work is running: it looks at all. */
static bool hint_any(const delaunay_core *core, core_work *w)
{
    const size_t used = core->used;
    for (int i = 0; core->vertex_tet && i < 2; i++)
        for (uint32_t v = 0; v <= w->own.most[i]; v++) {
            w->hint = core->vertex_tet[w->own.first[i] + v];
            if (w->hint != DELAUNAY_INFINITE && core_is_own(&w->own, &core->tet[w->hint])) return true;
        }
    for (size_t k = 0; !core->vertex_tet && k < used; k++) {
        w->hint = (uint32_t)k;
        if (core->tet[k].v[0] != DELAUNAY_DEAD && core_is_own(&w->own, &core->tet[k])) return true;
    }
    return false;
}

/* From the last place, unless that is far; and if there is no way, from places near the site. */
static core_result insert_near(delaunay_core *core, core_work *w, uint32_t rank, bool far)
{
    uint32_t away = 0;
    if (!core->vertex_tet) return core_insert(core, w, rank);
    if (far) (void)hint_near(core, w, rank, &away);
    core_result r = core_insert(core, w, rank);
    for (int tries = 0; r == CORE_LOST && tries < TRIES && hint_near(core, w, rank, &away); tries++)
        r = core_insert(core, w, rank);
    return r;
}

typedef struct {
    delaunay_core *core;
    core_work *work;
    uint32_t *list; /* ranks, ascending */
    size_t begin[PARALLEL_MAX_THREADS + 1];
    bool any[PARALLEL_MAX_THREADS];    /* there is a tetrahedron to start from */
    size_t kept[PARALLEL_MAX_THREADS]; /* of each part, moved to its front */
    core_result worst[PARALLEL_MAX_THREADS];
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
    bool far = true; /* from where the hint is */
    for (; p->any[part] && k < count; k++) {
        /* the first four are twins of themselves */
        const core_result r = insert_near(p->core, w, list[k], far || list[k] - list[k - 1] > REACH);
        if (r == CORE_POSTPONED || r == CORE_LOST) list[kept++] = list[k];
        if (r == CORE_FULL || r == CORE_NO_MEMORY) {
            worst = r;
            break;
        }
        far = r == CORE_LOST;
    }
    memmove(list + kept, list + k, (count - k) * sizeof *list);
    p->kept[part] = kept + count - k;
    p->worst[part] = worst;
}

static void reverse(uint32_t *at, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        const uint32_t t = at[i];
        at[i] = at[count - 1 - i];
        at[count - 1 - i] = t;
    }
}

/* Makes the element at `cut` the first. */
static void rotate(uint32_t *at, size_t count, size_t cut)
{
    if (cut == 0) return;
    reverse(at, cut);
    reverse(at + cut, count - cut);
    reverse(at, count);
}

/* The sites of an ascending list by several works with equal stretches of the curve; shifted: by half
 * of one, the last being the curve's two ends, which are close in space. What is left moves to the
 * front of the list, ascending. */
static rill_status insert_pass(building *b, uint32_t *list, size_t *count, size_t parts, bool shifted)
{
    delaunay_core *core = b->d->core;
    pass p = {.core = core, .work = b->d->work, .list = list};
    const size_t n = b->count, shift = shifted ? n / (2 * parts) : 0;
    size_t at = 0, cut = 0;
    while (cut < *count && list[cut] < shift) cut++;
    rotate(list, *count, cut);
    for (size_t k = 0; k < parts; k++) {
        const size_t from = n * k / parts, to = n * (k + 1) / parts; /* from the shift on */
        p.work[k].own = range_of((uint32_t)((shift + from) % n), (uint32_t)(to - from), (uint32_t)n);
        p.any[k] = hint_any(core, &p.work[k]);
        p.begin[k] = at;
        while (at < *count && (list[at] + n - shift) % n < to) at++;
    }
    p.begin[parts] = at;
    parallel_for(core->ctx, parts, 1, insert_part, &p);
    size_t kept = 0;
    core_result worst = CORE_DONE;
    for (size_t k = 0; k < parts; k++) {
        memmove(list + kept, list + p.begin[k], p.kept[k] * sizeof *list);
        kept += p.kept[k];
        if (p.worst[k] > worst) worst = p.worst[k];
    }
    *count = kept;
    for (cut = 1; cut < kept && list[cut] > list[cut - 1];) cut++;
    if (cut < kept) rotate(list, kept, cut); /* ascending again */
    if (worst == CORE_NO_MEMORY) return mem_failed(core->ctx, core->capacity, sizeof *core->tet);
    if (worst == CORE_FULL) {
        const size_t more = core->capacity + core->capacity / 4 + 4 * CHUNK * parts;
        TRY(core_reserve(core, more, 0));
    }
    return RILL_OK;
}

static rill_status insert_all(building *b, const uint32_t first[4])
{
    delaunay_core *core = b->d->core;
    const size_t workers = (size_t)parallel_workers(core->ctx);
    core_work *w = b->d->work;
    w[0].own = range_of(0, (uint32_t)b->count, (uint32_t)b->count);
    if (core_first(core, w, first) != CORE_DONE)
        return mem_failed(core->ctx, core->capacity, sizeof *core->tet);
    for (int r = 0; r < ROUNDS; r++) {
        const size_t begin = b->start[r];
        uint32_t *list = b->round + begin;
        size_t count = b->start[r + 1] - begin;
        if (rill_cancelled(core->ctx)) return rill_fail(core->ctx, RILL_CANCELLED, "stopped on request");
        /* fewer works have fewer borders between them */
        for (size_t parts = begin / ALONE < workers ? begin / ALONE : workers; parts > 1; parts /= 2) {
            TRY(insert_pass(b, list, &count, parts, false));
            TRY(insert_pass(b, list, &count, parts, true));
        }
        while (count > 0) TRY(insert_pass(b, list, &count, 1, false));
    }
    return RILL_OK;
}

/* Works for as many threads, and the core, all empty. */
static rill_status prepare_core(delaunay *d, size_t vertices)
{
    const int works = parallel_workers(d->ctx);
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
    d->core->edited = false;
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
    d->core->vertex_tet = NULL;
    if (parallel_workers(d->ctx) > 1) {
        TRY(ARENA_NEW(arena, d->core->vertex_tet, count));
        memset(d->core->vertex_tet, 0xFF, count * sizeof *d->core->vertex_tet);
    }
    return insert_all(&b, first);
}
