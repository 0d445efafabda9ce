#include "geom/delaunay_core.h"

#include <string.h>

enum { INSIDE = 1, OUTSIDE = 2 }; /* marks during an insertion */

/* ---- memory ---- */

void core_init(delaunay_core *core, rill_ctx *ctx)
{
    *core = (delaunay_core){.ctx = ctx, .chunk = 64};
}

void core_clear(delaunay_core *core)
{
    mem_free(core->ctx, core->tet);
    mem_free(core->ctx, core->mark);
    mem_free(core->ctx, core->local);
    core_init(core, core->ctx);
}

rill_status core_reserve(delaunay_core *core, size_t tets, size_t vertices)
{
    if (tets > (size_t)UINT32_MAX / 4)
        return rill_fail(core->ctx, RILL_NO_MEMORY,
                         "%zu tetrahedra do not fit 32-bit neighbours; use fewer sites", tets);
    if (tets > core->capacity) {
        delaunay_tet *tet = NULL;
        uint8_t *mark = NULL;
        rill_status st = MEM_NEW(core->ctx, tet, tets);
        if (!st) st = MEM_NEW_ZERO(core->ctx, mark, tets);
        if (st) {
            mem_free(core->ctx, tet);
            return st;
        }
        if (core->tet) memcpy(tet, core->tet, core->used * sizeof *tet);
        mem_free(core->ctx, core->tet);
        mem_free(core->ctx, core->mark); /* all zero between insertions */
        core->tet = tet;
        core->mark = mark;
        core->capacity = tets;
    }
    if (vertices > core->local_capacity) { /* contents are only ever guesses */
        uint32_t *local;
        TRY(MEM_NEW_ZERO(core->ctx, local, vertices));
        mem_free(core->ctx, core->local);
        core->local = local;
        core->local_capacity = vertices;
    }
    return RILL_OK;
}

void work_init(core_work *work, rill_ctx *ctx)
{
    *work = (core_work){.ctx = ctx};
}

void work_clear(core_work *work)
{
    mem_free(work->ctx, work->cavity.at);
    mem_free(work->ctx, work->outside.at);
    mem_free(work->ctx, work->vertex.at);
    mem_free(work->ctx, work->free.at);
    mem_free(work->ctx, work->table.at);
    mem_free(work->ctx, work->facet);
    work_init(work, work->ctx);
}

/* Without a message: works run in parallel. */
static bool grow(rill_ctx *ctx, void *array, size_t size, size_t *capacity, size_t used, size_t need)
{
    const size_t wanted = need + need / 2 + 64;
    void *fresh = mem_alloc(ctx, wanted, size), *old;
    if (!fresh) return false;
    memcpy(&old, array, sizeof old);
    if (used) memcpy(fresh, old, used * size);
    mem_free(ctx, old);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = wanted;
    return true;
}

bool list_reserve(rill_ctx *ctx, core_list *list, size_t count)
{
    return count <= list->capacity ||
           grow(ctx, &list->at, sizeof *list->at, &list->capacity, list->count, count);
}

bool work_reserve_facets(core_work *work, size_t count)
{
    return count <= work->facet_capacity ||
           grow(work->ctx, &work->facet, sizeof *work->facet, &work->facet_capacity, work->facets, count);
}

core_result core_slots(delaunay_core *core, core_work *work, size_t count)
{
    const size_t chunk = core->chunk;
    while (work->free.count < count) {
        if (!list_reserve(work->ctx, &work->free, work->free.count + chunk)) return CORE_NO_MEMORY;
        size_t used = core->used;
        do {
            if (used + chunk > core->capacity) return CORE_FULL;
        } while (!atomic_compare_exchange_weak(&core->used, &used, used + chunk));
        for (size_t k = chunk; k-- > 0;) { /* lowest on top */
            core->tet[used + k].v[0] = DELAUNAY_DEAD;
            work->free.at[work->free.count++] = (uint32_t)(used + k);
        }
    }
    return CORE_DONE;
}

/* ---- location ---- */

static inline bool is_own(const core_work *work, const delaunay_tet *t)
{
    return (t->v[0] - work->first < work->count) & (t->v[1] - work->first < work->count) &
           (t->v[2] - work->first < work->count) &
           ((t->v[3] - work->first < work->count) | (t->v[3] == DELAUNAY_INFINITE));
}

static inline rows4 rows_of(const delaunay_core *core, const delaunay_tet *t, const grid_site *p)
{
    const grid_site *s = core->site;
    return rows4_make(&s[t->v[0]], &s[t->v[1]], &s[t->v[2]], &s[t->v[3]], p);
}

/* The first face of those in `unsure` that has p strictly beyond it, or -1. */
static int exact_side(const delaunay_core *core, const delaunay_tet *t, const grid_site *p, int unsure)
{
    for (int i = 0; i < 4; i++) {
        if (!(unsure >> i & 1)) continue;
        const grid_site *v[4];
        for (int k = 0; k < 4; k++) v[k] = k == i ? p : &core->site[t->v[k]];
        if (orient_sign(v[0], v[1], v[2], v[3]) < 0) return i;
    }
    return -1;
}

core_result core_walk(const delaunay_core *core, core_work *work, const grid_site *p, uint32_t *found)
{
    uint32_t at = work->hint;
    if (core->tet[at].v[3] == DELAUNAY_INFINITE) {
        at = core->tet[at].neighbour[3] >> 2;
        if (!is_own(work, &core->tet[at])) return CORE_POSTPONED;
    }
    for (;;) { /* ends: no cycles in a Delaunay triangulation, Edelsbrunner 1989 */
        const delaunay_tet *t = &core->tet[at];
        const rows4 rows = rows_of(core, t, p);
        __m256d value;
        int negative, unsure;
        rows4_sides(&rows, &value, &negative, &unsure);
        negative &= ~unsure;
        work->steps++;
        int face = negative ? __builtin_ctz((unsigned)negative) : -1;
        if (!negative && unsure) {
            const int zero = _mm256_movemask_pd(_mm256_cmp_pd(rows.w, _mm256_setzero_pd(), _CMP_EQ_OQ));
            if (zero) {
                work->twin = t->v[__builtin_ctz((unsigned)zero)];
                work->hint = *found = at;
                return CORE_TWIN;
            }
            face = exact_side(core, t, p, unsure);
        }
        if (face < 0) {
            work->hint = *found = at;
            return CORE_DONE;
        }
        const uint32_t next = t->neighbour[face] >> 2;
        if (!is_own(work, &core->tet[next])) {
            work->hint = at;
            return CORE_POSTPONED;
        }
        if (core->tet[next].v[3] == DELAUNAY_INFINITE) {
            work->hint = *found = next;
            return CORE_DONE;
        }
        at = next;
    }
}

/* ---- conflict ---- */

static __attribute__((noinline)) bool conflict_exact(const delaunay_core *core, const delaunay_tet *t,
                                                     const grid_site *p, uint32_t e)
{
    const grid_site *tet[4];
    uint32_t name[4];
    for (int i = 0; i < 4; i++) {
        tet[i] = &core->site[t->v[i]];
        name[i] = core_name(core, t->v[i]);
    }
    return insphere_tie(tet, name, p, e);
}

static inline bool conflict_finite(const delaunay_core *core, const delaunay_tet *t, const grid_site *p,
                                   uint32_t e)
{
    const rows4 rows = rows_of(core, t, p);
    bool certain;
    const double s = rows4_insphere(&rows, &certain);
    return __builtin_expect(certain, 1) ? s > 0 : conflict_exact(core, t, p, e);
}

/* A point in the plane of a hull face is in conflict with its outside exactly when it
 * is with its inside: the sphere cuts the plane in the circle that matters there. */
static __attribute__((noinline)) bool conflict_infinite(const delaunay_core *core, const delaunay_tet *t,
                                                        const grid_site *p, uint32_t e)
{
    const int side = orient_sign(&core->site[t->v[0]], &core->site[t->v[1]], &core->site[t->v[2]], p);
    return side != 0 ? side > 0 : conflict_finite(core, &core->tet[t->neighbour[3] >> 2], p, e);
}

bool core_conflict(const delaunay_core *core, const delaunay_tet *t, const grid_site *p, uint32_t e)
{
    return t->v[3] == DELAUNAY_INFINITE ? conflict_infinite(core, t, p, e) : conflict_finite(core, t, p, e);
}

/* ---- the cavity ---- */

static void unmark(delaunay_core *core, core_work *work)
{
    for (size_t k = 0; k < work->cavity.count; k++) core->mark[work->cavity.at[k]] = 0;
    for (size_t k = 0; k < work->outside.count; k++) core->mark[work->outside.at[k]] = 0;
}

/* What the test of a neighbour said, before anything is done about it. */
typedef enum { NO, YES, ASK } answer;

/* Everything in conflict with the vertex, from one such tetrahedron; the facets of its
 * boundary as the tetrahedra to come. The neighbours of a tetrahedron are tested together
 * before the first answer is looked at: a test takes its time, four of them hardly more. */
static core_result find_cavity(delaunay_core *core, core_work *work, uint32_t start, uint32_t vertex)
{
    const delaunay_tet *const tet = core->tet;
    const grid_site *const site = core->site;
    uint8_t *const marks = core->mark;
    const grid_site p = site[vertex];
    const uint32_t e = core_name(core, vertex);
    work->cavity.count = work->outside.count = work->facets = 0;
    if (!list_reserve(work->ctx, &work->cavity, 1)) return CORE_NO_MEMORY;
    work->cavity.at[0] = start;
    marks[start] = INSIDE;
    size_t found = 1, outside = 0, facets = 0;
    for (size_t c = 0; c < found; c++) {
        work->cavity.count = found;
        work->outside.count = outside;
        work->facets = facets;
        if (!list_reserve(work->ctx, &work->cavity, found + 4) ||
            !list_reserve(work->ctx, &work->outside, outside + 4) || !work_reserve_facets(work, facets + 4))
            return CORE_NO_MEMORY;
        uint32_t *const cavity = work->cavity.at;
        const delaunay_tet t = tet[cavity[c]];
        answer said[4];
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t next = t.neighbour[i] >> 2;
            if (marks[next]) continue;
            const delaunay_tet *n = &tet[next];
            if (!is_own(work, n)) return CORE_POSTPONED;
            work->tests++;
            said[i] = ASK;
            if (n->v[3] == DELAUNAY_INFINITE) continue;
            const rows4 rows = rows4_make(&site[n->v[0]], &site[n->v[1]], &site[n->v[2]], &site[n->v[3]], &p);
            bool certain;
            const double s = rows4_insphere(&rows, &certain);
            said[i] = certain ? (s > 0 ? YES : NO) : ASK;
        }
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t packed = t.neighbour[i], next = packed >> 2;
            if (marks[next] == INSIDE) continue;
            if (marks[next] == 0) {
                if (said[i] == ASK) said[i] = core_conflict(core, &tet[next], &p, e) ? YES : NO;
                if (said[i] == YES) {
                    for (int k = 0; k < 4; k++) {
                        __builtin_prefetch(&tet[tet[next].neighbour[k] >> 2]);
                        __builtin_prefetch(&marks[tet[next].neighbour[k] >> 2]);
                    }
                    marks[next] = INSIDE;
                    cavity[found++] = next;
                    continue;
                }
                marks[next] = OUTSIDE;
                work->outside.at[outside++] = next;
            }
            cavity_facet *f = &work->facet[facets++];
            memcpy(f->v, t.v, sizeof f->v);
            f->v[i] = vertex;
            f->outer = packed;
            f->place = i;
        }
    }
    work->cavity.count = found;
    work->outside.count = outside;
    work->facets = facets;
    return CORE_DONE;
}

/* ---- filling it ---- */

/* The three places besides i, in the order in which (i, j, k, l) is an even permutation.
 * Opposite j is the directed edge (k, l), and so on around; the other new tetrahedron at
 * an edge has it in the other direction. */
static const uint8_t around[4][3] = {{1, 2, 3}, {0, 3, 2}, {3, 0, 1}, {2, 1, 0}};

enum { TABLE_SIDE = 256 }; /* cavities with more vertices look edges up by hash */

/* A cell of the table for the directed edge: by square table, or by hash with the key in it. */
static inline size_t hash_cell(const uint32_t *table, size_t mask, uint32_t a, uint32_t b)
{
    size_t h = ((size_t)a * 0x9E3779B1u ^ (size_t)b * 0x85EBCA6Bu) & mask;
    while (table[3 * h] != UINT32_MAX && (table[3 * h] != a || table[3 * h + 1] != b)) h = (h + 1) & mask;
    return 3 * h;
}

static void link_small(delaunay_core *core, core_work *work, const uint32_t *slot, size_t stride,
                       uint8_t (*local)[4])
{
    uint32_t *table = work->table.at;
    for (size_t k = 0; k < work->facets; k++) {
        const uint8_t *p = around[work->facet[k].place];
        const size_t a = local[k][0], b = local[k][1], c = local[k][2];
        const uint32_t face = slot[k] << 2;
        table[b * stride + c] = face | p[0];
        table[c * stride + a] = face | p[1];
        table[a * stride + b] = face | p[2];
    }
    for (size_t k = 0; k < work->facets; k++) {
        const uint8_t *p = around[work->facet[k].place];
        const size_t a = local[k][0], b = local[k][1], c = local[k][2];
        uint32_t *n = core->tet[slot[k]].neighbour;
        n[p[0]] = table[c * stride + b];
        n[p[1]] = table[a * stride + c];
        n[p[2]] = table[b * stride + a];
    }
}

static void link_large(delaunay_core *core, core_work *work, const uint32_t *slot, size_t mask)
{
    uint32_t *table = work->table.at;
    memset(table, 0xFF, 3 * (mask + 1) * sizeof *table);
    for (int reading = 0; reading < 2; reading++)
        for (size_t k = 0; k < work->facets; k++) {
            const cavity_facet *f = &work->facet[k];
            const uint8_t *p = around[f->place];
            for (int i = 0; i < 3; i++) {
                const uint32_t a = core_local(core, work, f->v[p[(i + 1) % 3]]);
                const uint32_t b = core_local(core, work, f->v[p[(i + 2) % 3]]);
                if (reading) {
                    core->tet[slot[k]].neighbour[p[i]] = table[hash_cell(table, mask, b, a) + 2];
                    continue;
                }
                uint32_t *cell = &table[hash_cell(table, mask, a, b)];
                cell[0] = a;
                cell[1] = b;
                cell[2] = slot[k] << 2 | p[i];
            }
        }
}

/* Tetrahedra from the vertex to every facet, in the slots of the cavity and some more.
 * All that can fail comes before the first change. */
static core_result fill_cavity(delaunay_core *core, core_work *work)
{
    const size_t facets = work->facets, old = work->cavity.count;
    if (facets > old) {
        const core_result r = core_slots(core, work, facets - old);
        if (r != CORE_DONE) return r;
    }
    if (!list_reserve(work->ctx, &work->cavity, facets) ||
        !list_reserve(work->ctx, &work->free, work->free.count + old) ||
        !list_reserve(work->ctx, &work->vertex, 3 * facets + 1))
        return CORE_NO_MEMORY;

    uint8_t local[2 * TABLE_SIDE][4];
    work->vertex.at[0] = DELAUNAY_INFINITE;
    work->vertex.count = 1;
    bool small = facets <= 2 * TABLE_SIDE - 4; /* facets = 2 vertices - 4, counting the infinite one */
    for (size_t k = 0; k < facets; k++) {
        const cavity_facet *f = &work->facet[k];
        const uint8_t *p = around[f->place];
        const uint32_t l[3] = {core_local(core, work, f->v[p[0]]), core_local(core, work, f->v[p[1]]),
                               core_local(core, work, f->v[p[2]])};
        if (small)
            for (int i = 0; i < 3; i++) local[k][i] = (uint8_t)l[i];
    }
    small = small && work->vertex.count <= TABLE_SIDE;
    size_t side = 32;
    while (small ? side < work->vertex.count : side < 6 * facets) side *= 2;
    if (!list_reserve(work->ctx, &work->table, small ? side * side : 3 * side)) return CORE_NO_MEMORY;

    unmark(core, work);
    if (core->vertex_tet) {
        work->finite_change = 0;
        for (size_t k = 0; k < old; k++)
            work->finite_change -= core->tet[work->cavity.at[k]].v[3] != DELAUNAY_INFINITE;
        for (size_t k = 0; k < facets; k++) work->finite_change += work->facet[k].v[3] != DELAUNAY_INFINITE;
    }
    uint32_t *slot = work->cavity.at;
    for (size_t k = old; k < facets; k++) slot[k] = work->free.at[--work->free.count];
    for (size_t k = facets; k < old; k++) {
        core->tet[slot[k]].v[0] = DELAUNAY_DEAD;
        work->free.at[work->free.count++] = slot[k];
    }
    for (size_t k = 0; k < facets; k++) {
        const cavity_facet *f = &work->facet[k];
        delaunay_tet *t = &core->tet[slot[k]];
        memcpy(t->v, f->v, sizeof t->v);
        t->neighbour[f->place] = f->outer;
        core->tet[f->outer >> 2].neighbour[f->outer & 3] = slot[k] << 2 | f->place;
    }
    if (small)
        link_small(core, work, slot, side, local);
    else
        link_large(core, work, slot, side - 1);
    if (core->vertex_tet)
        for (size_t k = 0; k < facets; k++)
            for (int j = 0; j < 4; j++)
                if (work->facet[k].v[j] != DELAUNAY_INFINITE) core->vertex_tet[work->facet[k].v[j]] = slot[k];
    work->hint = slot[0];
    return CORE_DONE;
}

core_result core_insert(delaunay_core *core, core_work *work, uint32_t vertex)
{
    uint32_t start = 0;
    core_result r = core_walk(core, work, &core->site[vertex], &start);
    if (r != CORE_DONE) return r;
    r = find_cavity(core, work, start, vertex);
    if (r == CORE_DONE) r = fill_cavity(core, work);
    if (r != CORE_DONE) unmark(core, work);
    return r;
}

core_result core_first(delaunay_core *core, core_work *work, const uint32_t v[4])
{
    const core_result r = core_slots(core, work, 5);
    if (r != CORE_DONE) return r;
    uint32_t slot[5];
    for (int k = 0; k < 5; k++) slot[k] = work->free.at[--work->free.count];
    delaunay_tet *t = &core->tet[slot[0]];
    memcpy(t->v, v, sizeof t->v);
    for (int i = 0; i < 4; i++) {
        /* (i, j, k, l) is even, so (j, k, l, i) is odd: what is beyond the face sees it even. */
        delaunay_tet *n = &core->tet[slot[1 + i]];
        const uint8_t *place = around[i];
        for (int k = 0; k < 3; k++) {
            n->v[k] = v[place[k]];
            /* across the face opposite v[place[k]]: the infinite one that has it not */
            n->neighbour[k] = slot[1 + place[k]] << 2;
        }
        n->v[3] = DELAUNAY_INFINITE;
        n->neighbour[3] = slot[0] << 2 | (uint32_t)i;
        t->neighbour[i] = slot[1 + i] << 2 | 3;
    }
    /* the places of the faces between two infinite ones: where the other's own vertex is */
    for (int i = 0; i < 4; i++) {
        delaunay_tet *n = &core->tet[slot[1 + i]];
        for (int k = 0; k < 3; k++) {
            const delaunay_tet *o = &core->tet[n->neighbour[k] >> 2];
            for (uint32_t m = 0; m < 3; m++)
                if (o->v[m] == v[i]) n->neighbour[k] |= m;
        }
    }
    if (core->vertex_tet)
        for (int i = 0; i < 4; i++) core->vertex_tet[v[i]] = slot[0];
    work->hint = slot[0];
    return CORE_DONE;
}
