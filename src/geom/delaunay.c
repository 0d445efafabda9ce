/* Building: check, snap, sort along the curve, insert in rounds, order.
 *
 * Rounds (Amenta, Choi and Rote 2003): each site is in the last round with probability 7/8, in
 * the one before with 7/64, and so on, by a hash of its place along the curve; within a
 * round, sites follow the curve. Every insertion then finds a mesh of about its own
 * scale a few steps from the one before. */
#include "geom/delaunay.h"

#include "base/arena.h"
#include "geom/delaunay_core.h"
#include "geom/delaunay_order.h"
#include "geom/hilbert.h"

#include <stdio.h>
#include <string.h>

enum {
    BLOCK = 1 << 13,
    CHUNK = 1 << 10, /* slots a work takes at a time while building */
    ALONE = 1000,    /* vertices per work before works go in parallel */
    ROUNDS = 10,
    SAMPLES = 1 << 15 /* tetrahedra looked at for one to start from */
};

typedef struct {
    delaunay *d;
    rill_arena *arena;
    delaunay_fault fault;
    size_t count;    /* of sites in the ranking, twins dropped */
    uint32_t *order; /* by rank: index of the site */
    grid_site *site; /* by rank */
    uint32_t *round; /* ranks, in the order of insertion */
    size_t start[ROUNDS + 1];
} building;

void delaunay_init(delaunay *d, rill_ctx *ctx)
{
    *d = (delaunay){.ctx = ctx};
    arena_init(&d->scratch, ctx);
}

static void forget(delaunay *d)
{
    d->sites = d->vertices = d->tets = d->finite = 0;
    d->tidy = false;
}

void delaunay_clear(delaunay *d)
{
    for (int k = 0; k < d->works; k++) work_clear(&d->work[k]);
    mem_free(d->ctx, d->work);
    if (d->core) core_clear(d->core);
    mem_free(d->ctx, d->core);
    mem_free(d->ctx, d->spare);
    mem_free(d->ctx, d->site);
    mem_free(d->ctx, d->vertex_tet);
    mem_free(d->ctx, d->twin);
    arena_clear(&d->scratch);
    delaunay_init(d, d->ctx);
}

/* ---- the sites ---- */

typedef struct {
    const rill_vec3 *position;
    rill_box box; /* they must be in */
    rill_box found[64];
    size_t block;
    _Atomic uint32_t not_finite, outside; /* lowest */
} survey;

static void note(_Atomic uint32_t *lowest, uint32_t i)
{
    uint32_t now = *lowest;
    while (i < now && !atomic_compare_exchange_weak(lowest, &now, i)) {
    }
}

static void survey_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    survey *s = arg;
    rill_box b = box_empty();
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 p = s->position[i];
        if (!v3_finite(p))
            note(&s->not_finite, (uint32_t)i);
        else if (!box_contains(s->box, p))
            note(&s->outside, (uint32_t)i);
        b = box_with(b, p);
    }
    s->found[begin / s->block] = b;
}

static rill_status fail(building *b, delaunay_fault fault, const char *format, ...) RILL_FORMAT(3, 4);
static rill_status fail(building *b, delaunay_fault fault, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    b->fault = fault;
    return rill_fail(b->d->ctx, RILL_BLEW_UP, "%s", text);
}

static rill_status survey_sites(building *b, const delaunay_def *def, rill_box *box)
{
    const bool given = def->box.min.x != def->box.max.x || def->box.min.y != def->box.max.y ||
                       def->box.min.z != def->box.max.z;
    if (def->count == 0)
        return fail(b, (delaunay_fault){DELAUNAY_FLAT, 0, 0},
                    "no sites: tetrahedra need four that are not in a plane");
    survey s = {.position = def->position, .block = (def->count + 63) / 64};
    s.not_finite = s.outside = UINT32_MAX;
    s.box = (rill_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    if (given) s.box = def->box;
    parallel_for(b->d->ctx, def->count, s.block, survey_block, &s);
    if (s.not_finite != UINT32_MAX) {
        const uint32_t i = s.not_finite;
        const rill_vec3 p = def->position[i];
        return fail(b, (delaunay_fault){DELAUNAY_NOT_FINITE, i, i},
                    "site %u is at (%g, %g, %g), which is no place", i, p.x, p.y, p.z);
    }
    if (s.outside != UINT32_MAX) {
        const uint32_t i = s.outside;
        const rill_vec3 p = def->position[i];
        return fail(b, (delaunay_fault){DELAUNAY_OUTSIDE, i, i},
                    "site %u at (%g, %g, %g) is outside the box (%g, %g, %g) to (%g, %g, %g)", i, p.x, p.y,
                    p.z, def->box.min.x, def->box.min.y, def->box.min.z, def->box.max.x, def->box.max.y,
                    def->box.max.z);
    }
    *box = def->box;
    if (!given) {
        *box = box_empty();
        for (size_t k = 0; k * s.block < def->count; k++)
            *box = (rill_box){v3_min(box->min, s.found[k].min), v3_max(box->max, s.found[k].max)};
    }
    if (!v3_finite(box_size(*box)))
        return fail(b, (delaunay_fault){DELAUNAY_OUTSIDE, 0, 0},
                    "the box of the sites, (%g, %g, %g) to (%g, %g, %g), is too large for double precision",
                    box->min.x, box->min.y, box->min.z, box->max.x, box->max.y, box->max.z);
    return RILL_OK;
}

typedef struct {
    building *b;
    const rill_vec3 *position;
} snapping;

static void snap_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const snapping *s = arg;
    const delaunay *d = s->b->d;
    for (size_t i = begin; i < end; i++) {
        d->site[i] = site_snap(&d->grid, s->position[i]);
        d->twin[i] = (uint32_t)i;
        d->vertex_tet[i] = DELAUNAY_INFINITE;
    }
}

static bool same_place(const grid_site *a, const grid_site *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

/* Twins are next to each other in the order, the lowest index first: that one stays. */
static rill_status drop_twins(building *b, bool merge)
{
    const delaunay *d = b->d;
    delaunay_fault fault = {.site = UINT32_MAX};
    size_t kept = 0;
    for (size_t k = 0; k < b->count; k++) {
        const uint32_t i = b->order[k];
        if (kept > 0 && same_place(&d->site[i], &d->site[b->order[kept - 1]])) {
            const uint32_t first = d->twin[i] = b->order[kept - 1];
            if (i < fault.site) fault = (delaunay_fault){DELAUNAY_TWINS, i, first};
            continue;
        }
        b->order[kept++] = i;
    }
    b->count = kept;
    if (fault.site == UINT32_MAX || merge) return RILL_OK;
    const rill_vec3 p = delaunay_site(d, fault.site);
    return fail(
        b, fault,
        "sites %u and %u are both at (%.9g, %.9g, %.9g), the grid of %g being too coarse to tell them "
        "apart; move one, or ask for such sites to be merged",
        fault.other, fault.site, p.x, p.y, p.z, d->grid.step);
}

static void gather_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    building *b = arg;
    for (size_t k = begin; k < end; k++) b->site[k] = b->d->site[b->order[k]];
}

/* ---- the rounds ---- */

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
static rill_status choose_first(building *b, uint32_t first[4])
{
    size_t place[4], k = 1;
    const grid_site *s = b->site;
    place[0] = 0;
    place[1] = k++; /* different: twins are gone */
    if (b->count < 4)
        return fail(b, (delaunay_fault){DELAUNAY_FLAT, 0, 0},
                    "%zu different site%s: tetrahedra need four that are not in a plane", b->count,
                    b->count == 1 ? "" : "s");
    const grid_site *p = &s[b->round[0]], *q = &s[b->round[1]];
    for (;; k++) {
        if (k == b->count)
            return fail(b, (delaunay_fault){DELAUNAY_FLAT, b->order[0], b->order[1]},
                        "all %zu sites are in one line: tetrahedra need four that are not in a plane",
                        b->count);
        const grid_site *r = &s[b->round[k]];
        /* exact: products of two differences of 25 bits */
        const double x = (q->y - p->y) * (r->z - p->z) - (q->z - p->z) * (r->y - p->y);
        const double y = (q->z - p->z) * (r->x - p->x) - (q->x - p->x) * (r->z - p->z);
        const double z = (q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x);
        if (x != 0 || y != 0 || z != 0) break;
    }
    place[2] = k++;
    int side = 0;
    for (; k < b->count; k++)
        if ((side = orient_sign(p, q, &s[b->round[place[2]]], &s[b->round[k]])) != 0) break;
    if (side == 0)
        return fail(b, (delaunay_fault){DELAUNAY_FLAT, b->order[0], b->order[1]},
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

/* ---- all of it ---- */

static rill_status reserve(delaunay *d, size_t sites)
{
    size_t capacity[3] = {d->site_capacity, d->site_capacity, d->site_capacity};
    TRY(mem_grow(d->ctx, &d->site, sizeof *d->site, &capacity[0], sites));
    TRY(mem_grow(d->ctx, &d->twin, sizeof *d->twin, &capacity[1], sites));
    TRY(mem_grow(d->ctx, &d->vertex_tet, sizeof *d->vertex_tet, &capacity[2], sites));
    d->site_capacity = capacity[2];
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

/* The result of the ordering takes the place of the core's tetrahedra. */
static rill_status settle(delaunay *d, const uint32_t *rank, const uint32_t *order, uint32_t vertices,
                          uint32_t *vertex_tet)
{
    delaunay_core *core = d->core;
    if (d->spare_capacity < core->capacity) {
        delaunay_tet *spare;
        TRY(MEM_NEW(d->ctx, spare, core->capacity));
        mem_free(d->ctx, d->spare);
        d->spare = spare;
        d->spare_capacity = core->capacity;
    }
    const delaunay_ordering def = {
        .vertices = vertices, .rank = rank, .order = order, .out = d->spare, .vertex_tet = vertex_tet};
    TRY(delaunay_order(core, &d->scratch, &def, &d->finite, &d->tets));
    d->spare = core->tet;
    d->spare_capacity = core->capacity; /* not less than before, and the marks have as many */
    core->tet = d->tet = def.out;
    core->used = d->tets;
    core->chunk = 64;
    core->site = d->site;
    core->name = NULL;
    core->vertex_tet = d->vertex_tet;
    for (int k = 0; k < d->works; k++) d->work[k].free.count = 0;
    d->vertices = vertices;
    d->tidy = true;
    return RILL_OK;
}

static rill_status build(building *b, const delaunay_def *def)
{
    delaunay *d = b->d;
    rill_box box;
    if (def->count > DELAUNAY_MOST)
        return rill_fail(d->ctx, RILL_USAGE, "%zu sites; at most %d fit", def->count, DELAUNAY_MOST);
    TRY(survey_sites(b, def, &box));
    TRY(reserve(d, def->count));
    d->grid = site_grid_of(box);
    d->merge = def->merge;
    d->sites = (uint32_t)def->count;
    parallel_for(d->ctx, def->count, BLOCK, snap_block, &(snapping){b, def->position});

    TRY(ARENA_NEW(b->arena, b->order, def->count));
    TRY(ARENA_NEW(b->arena, b->site, def->count));
    TRY(ARENA_NEW(b->arena, b->round, def->count));
    TRY(hilbert_order(d->ctx, b->arena, d->site, def->count, NULL, b->order, &b->count));
    TRY(drop_twins(b, def->merge));
    parallel_for(d->ctx, b->count, BLOCK, gather_block, b);
    make_rounds(b);
    uint32_t first[4];
    TRY(choose_first(b, first));

    TRY(prepare_core(d, b->count));
    d->core->site = b->site;
    d->core->name = b->order;
    TRY(insert_all(b, first));
    return settle(d, NULL, b->order, (uint32_t)b->count, d->vertex_tet);
}

rill_status delaunay_build(delaunay *d, const delaunay_def *def, delaunay_fault *fault)
{
    building b = {.d = d, .arena = &d->scratch};
    forget(d);
    arena_reset(&d->scratch);
    const rill_status st = build(&b, def);
    if (st) {
        forget(d);
        if (fault) *fault = b.fault;
    }
    return st;
}

rill_status delaunay_tidy(delaunay *d)
{
    if (d->tidy) return RILL_OK;
    uint32_t *order, *rank, *vertex_tet;
    size_t count;
    arena_reset(&d->scratch);
    TRY(ARENA_NEW(&d->scratch, order, d->sites));
    TRY(ARENA_NEW(&d->scratch, rank, d->sites));
    TRY(ARENA_NEW(&d->scratch, vertex_tet, d->sites));
    TRY(hilbert_order(d->ctx, &d->scratch, d->site, d->sites, d->vertex_tet, order, &count));
    for (size_t k = 0; k < count; k++) rank[order[k]] = (uint32_t)k;
    memset(vertex_tet, 0xFF, d->sites * sizeof *vertex_tet);
    TRY(settle(d, rank, order, (uint32_t)count, vertex_tet));
    memcpy(d->vertex_tet, vertex_tet, d->sites * sizeof *vertex_tet);
    return RILL_OK;
}
