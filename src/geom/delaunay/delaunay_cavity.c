/* One insertion: the tetrahedra in conflict with a vertex go, and new ones from it to every
 * facet of the hole take their place. */
#include "geom/delaunay/delaunay_core.h"

#include <string.h>

enum { INSIDE = 1, OUTSIDE = 2 }; /* marks during an insertion; bit 1 is OUTSIDE's */

/* ---- the cavity ---- */

static void unmark(delaunay_core *core, const core_work *work)
{
    uint8_t *const marks = core->mark; /* local: to the compiler a byte store may alias anything */
    const uint32_t *const cavity = work->cavity.at, *const outside = work->outside.at;
    const size_t cavities = work->cavity.count, outsides = work->outside.count;
    for (size_t k = 0; k < cavities; k++) marks[cavity[k]] = 0;
    for (size_t k = 0; k < outsides; k++) marks[outside[k]] = 0;
}

/* Makes sure that one more tetrahedron of the cavity, with its facets and neighbours, fits. */
static inline bool cavity_reserve(core_work *work, size_t found, size_t outside, size_t facets)
{
    work->cavity.count = found;
    work->outside.count = outside;
    work->facets = facets;
    return list_reserve(work->ctx, &work->cavity, found + 4) &&
           list_reserve(work->ctx, &work->outside, outside + 4) && work_reserve_facets(work, facets + 4);
}

/* Everything in conflict with the vertex, from one such tetrahedron; the facets of its
 * boundary as the tetrahedra to come. The neighbours of a tetrahedron are tested together
 * before the first answer is looked at: a test takes its time, four of them hardly more. */
static core_result find_cavity(delaunay_core *core, core_work *work, uint32_t start, uint32_t vertex)
{
    const delaunay_tet *const tet = core->tet;
    const grid_site *const site = core->site;
    uint8_t *const marks = core->mark;
    const core_range own = work->own;
    const grid_site p = site[vertex];
    const uint32_t e = core_name(core, vertex);
    size_t found = 0, outside = 0, facets = 0;
    if (!cavity_reserve(work, found, outside, facets)) return CORE_NO_MEMORY;
    work->cavity.at[found++] = start;
    marks[start] = INSIDE;
    for (size_t c = 0; c < found; c++) {
        if (!cavity_reserve(work, found, outside, facets)) return CORE_NO_MEMORY;
        uint32_t *const cavity = work->cavity.at;
        const delaunay_tet *const t = &tet[cavity[c]];
        unsigned fresh = 0, inside = 0, unsure = 0, border = 0; /* bits of faces */
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t next = t->neighbour[i] >> 2;
            const unsigned mark = marks[next];
            border |= (mark >> 1) << i;
            if (mark) continue;
            const delaunay_tet *n = &tet[next];
            if (!core_is_own(&own, n)) return CORE_POSTPONED;
            fresh |= 1u << i;
            if (__builtin_expect(n->v[3] == DELAUNAY_INFINITE, 0)) {
                unsure |= 1u << i;
                continue;
            }
            const rows4 rows = rows4_make(&site[n->v[0]], &site[n->v[1]], &site[n->v[2]], &site[n->v[3]], &p);
            bool certain;
            const double s = rows4_insphere(&rows, &certain);
            inside |= (unsigned)(s > 0) << i;
            unsure |= (unsigned)!certain << i;
        }
        work->tests += (unsigned)__builtin_popcount(fresh);
        for (; fresh; fresh &= fresh - 1) {
            const unsigned i = (unsigned)__builtin_ctz(fresh);
            const uint32_t next = t->neighbour[i] >> 2;
            bool in = inside >> i & 1;
            if (__builtin_expect(unsure >> i & 1, 0)) in = core_conflict(core, &tet[next], &p, e);
            if (in) {
                /* in tiny meshes two faces may have the same tetrahedron behind them */
                if (marks[next]) continue;
                for (int k = 0; k < 4; k++) __builtin_prefetch(&tet[tet[next].neighbour[k] >> 2]);
                marks[next] = INSIDE;
                cavity[found++] = next;
            } else {
                border |= 1u << i;
                work->outside.at[outside++] = next;
                marks[next] = OUTSIDE;
            }
        }
        for (; border; border &= border - 1) {
            const unsigned i = (unsigned)__builtin_ctz(border);
            cavity_facet *f = &work->facet[facets++];
            memcpy(f->v, t->v, sizeof f->v);
            f->v[i] = vertex;
            f->outer = t->neighbour[i];
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

/* Writes the tetrahedra and a square table of their faces by edge, then reads the neighbours from it. */
static void link_small(delaunay_core *core, core_work *work, const uint32_t *slot, size_t stride)
{
    uint32_t *const table = work->table.at;
    delaunay_tet *const tet = core->tet;
    const cavity_facet *const facet = work->facet;
    const size_t facets = work->facets;
    uint8_t local[2 * TABLE_SIDE][4];
    for (size_t k = 0; k < facets; k++) {
        const cavity_facet *f = &facet[k];
        const uint32_t i = f->place, face = slot[k] << 2, outer = f->outer;
        const uint8_t *p = around[i];
        const size_t a = core_local(core, work, f->v[p[0]]), b = core_local(core, work, f->v[p[1]]),
                     c = core_local(core, work, f->v[p[2]]);
        delaunay_tet *t = &tet[slot[k]];
        memcpy(t->v, f->v, sizeof t->v);
        t->neighbour[i] = outer;
        tet[outer >> 2].neighbour[outer & 3] = face | i;
        table[b * stride + c] = face | p[0];
        table[c * stride + a] = face | p[1];
        table[a * stride + b] = face | p[2];
        local[k][0] = (uint8_t)a;
        local[k][1] = (uint8_t)b;
        local[k][2] = (uint8_t)c;
    }
    for (size_t k = 0; k < facets; k++) {
        const uint8_t *p = around[facet[k].place];
        const size_t a = local[k][0], b = local[k][1], c = local[k][2];
        uint32_t *n = tet[slot[k]].neighbour;
        n[p[0]] = table[c * stride + b];
        n[p[1]] = table[a * stride + c];
        n[p[2]] = table[b * stride + a];
    }
}

static void link_large(delaunay_core *core, core_work *work, const uint32_t *slot, size_t mask)
{
    uint32_t *table = work->table.at;
    memset(table, 0xFF, 3 * (mask + 1) * sizeof *table);
    for (size_t k = 0; k < work->facets; k++) {
        const cavity_facet *f = &work->facet[k];
        delaunay_tet *t = &core->tet[slot[k]];
        memcpy(t->v, f->v, sizeof t->v);
        t->neighbour[f->place] = f->outer;
        core->tet[f->outer >> 2].neighbour[f->outer & 3] = slot[k] << 2 | f->place;
    }
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

    /* The boundary of the cavity is a sphere of triangles: facets = 2 vertices - 4. */
    const size_t vertices = facets / 2 + 3; /* one more: number 0 is the infinite one's */
    const bool small = vertices <= TABLE_SIDE;
    size_t side = 32;
    while (side < (small ? vertices : 6 * facets)) side *= 2;
    if (!list_reserve(work->ctx, &work->table, small ? side * side : 3 * side)) return CORE_NO_MEMORY;
    work->vertex.at[0] = DELAUNAY_INFINITE;
    work->vertex.count = 1;

    unmark(core, work);
    if (core->edited) {
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
    if (small)
        link_small(core, work, slot, side);
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
