/* One site more, one site less.
 *
 * Removal: what fills the hole a site leaves has empty spheres among the sites of its
 * link, so that it is part of the Delaunay tetrahedra of the link alone (Devillers and
 * Teillaud 2003, with the ties of the whole). These are built aside, and those inside
 * the hole are sewn in. */
#include "geom/delaunay/delaunay_core.h"

#include <string.h>

/* The hole's own little triangulation, and how it fits; kept between removals. */
struct delaunay_hole {
    delaunay_core core;
    core_work work;
    core_list site_of; /* by small vertex: the site */
    grid_site *site;
    size_t site_capacity;
    core_list hash;  /* of the hole's facets: index + 1 */
    core_list match; /* by face of small tetrahedra: facet + 1 */
    core_list slot;  /* by small tetrahedron: where it goes + 1; 0 for those outside the hole */
    core_list inside;
};

void delaunay_hole_destroy(delaunay_hole *h)
{
    if (!h) return;
    rill_ctx *ctx = h->core.ctx;
    core_clear(&h->core);
    work_clear(&h->work);
    mem_free(ctx, h->site_of.at);
    mem_free(ctx, h->site);
    mem_free(ctx, h->hash.at);
    mem_free(ctx, h->match.at);
    mem_free(ctx, h->slot.at);
    mem_free(ctx, h->inside.at);
    mem_free(ctx, h);
}

static rill_status no_memory(const delaunay *d)
{
    return rill_fail(d->ctx, RILL_NO_MEMORY, "out of memory while changing %u tetrahedra", d->tets);
}

static rill_status bad_site(const delaunay *d, delaunay_fault *fault, delaunay_fault found, rill_vec3 p,
                            const char *what)
{
    return delaunay_blame(d->ctx, fault, found, "site %u at (%g, %g, %g) %s", found.site, p.x, p.y, p.z,
                          what);
}

/* ---- insertion ---- */

rill_status delaunay_insert(delaunay *d, rill_vec3 position, delaunay_fault *fault)
{
    const uint32_t i = d->sites;
    if (!d->tets)
        return rill_fail(d->ctx, RILL_USAGE, "a site cannot be inserted before tetrahedra are built");
    if (i >= DELAUNAY_MOST) return rill_fail(d->ctx, RILL_USAGE, "%u sites; no more fit", i);
    if (!v3_finite(position))
        return bad_site(d, fault, (delaunay_fault){DELAUNAY_NOT_FINITE, i, i}, position, "is at no place");
    const grid_site s = site_snap(&d->grid, position);
    if (!(s.x >= 0 && s.y >= 0 && s.z >= 0 && s.x <= SITE_MOST && s.y <= SITE_MOST && s.z <= SITE_MOST))
        return bad_site(d, fault, (delaunay_fault){DELAUNAY_OUTSIDE, i, i}, position,
                        "is outside the box the tetrahedra were built for");
    TRY(delaunay_reserve_sites(d, (size_t)i + 1));
    TRY(core_reserve(d->core, 0, d->site_capacity));
    d->core->site = d->site;
    d->core->vertex_tet = d->vertex_tet;
    d->site[i] = s;
    core_work *w = &d->work[0];
    w->own = range_of(0, i + 1, i + 1);
    w->hint = delaunay_near(d, &s, w->hint);
    core_result r;
    while ((r = core_insert(d->core, w, i)) == CORE_FULL) {
        TRY(core_reserve(d->core, d->core->capacity + d->core->capacity / 4 + 1024, 0));
        d->tet = d->core->tet;
    }
    if (r == CORE_NO_MEMORY) return no_memory(d);
    d->twin[i] = i;
    if (r == CORE_TWIN) {
        if (!d->merge)
            return bad_site(d, fault, (delaunay_fault){DELAUNAY_TWINS, i, w->twin}, position,
                            "is on the grid point of another one");
        d->twin[i] = w->twin;
        d->vertex_tet[i] = DELAUNAY_INFINITE;
        d->sites++;
        return RILL_OK;
    }
    d->sites++;
    d->vertices++;
    d->finite = (uint32_t)((int64_t)d->finite + w->finite_change);
    d->tets = (uint32_t)d->core->used;
    d->tidy = false;
    return RILL_OK;
}

/* ---- removal: the star ---- */

static int place_of(const delaunay_tet *t, uint32_t v)
{
    return t->v[0] == v ? 0 : t->v[1] == v ? 1 : t->v[2] == v ? 2 : 3;
}

/* The tetrahedra of the site into work->cavity, the faces opposite it into work->facet,
 * and the sites of the link into work->vertex. Marks are left clear. */
static bool find_star(delaunay *d, core_work *w, uint32_t site)
{
    delaunay_core *core = d->core;
    w->cavity.count = 0;
    w->facets = 0;
    if (!list_reserve(d->ctx, &w->cavity, 64)) return false;
    w->cavity.at[w->cavity.count++] = d->vertex_tet[site];
    core->mark[d->vertex_tet[site]] = 1;
    bool ok = true;
    for (size_t c = 0; c < w->cavity.count && ok; c++) {
        ok = list_reserve(d->ctx, &w->cavity, w->cavity.count + 4);
        if (!ok) break;
        const delaunay_tet *t = &core->tet[w->cavity.at[c]];
        for (int i = 0; i < 4; i++) {
            const uint32_t next = t->neighbour[i] >> 2;
            if (t->v[i] == site || core->mark[next]) continue;
            core->mark[next] = 1;
            w->cavity.at[w->cavity.count++] = next;
        }
    }
    for (size_t c = 0; c < w->cavity.count; c++) core->mark[w->cavity.at[c]] = 0;
    const size_t n = w->cavity.count;
    if (!ok || !list_reserve(d->ctx, &w->vertex, 3 * n + 1) || !work_reserve_facets(w, n)) return false;
    w->vertex.at[0] = DELAUNAY_INFINITE;
    w->vertex.count = 1;
    for (size_t c = 0; c < n; c++) {
        const delaunay_tet *t = &core->tet[w->cavity.at[c]];
        cavity_facet *f = &w->facet[w->facets++];
        memcpy(f->v, t->v, sizeof f->v);
        f->place = (uint32_t)place_of(t, site);
        f->outer = t->neighbour[f->place];
        for (uint32_t i = 0; i < 4; i++)
            if (i != f->place) (void)core_local(core, w, f->v[i]);
    }
    return true;
}

/* ---- removal: the small triangulation ---- */

static core_result small_insert(delaunay_hole *h, uint32_t v)
{
    core_result r;
    while ((r = core_insert(&h->core, &h->work, v)) == CORE_FULL)
        if (core_reserve(&h->core, 2 * h->core.capacity, 0)) return CORE_NO_MEMORY;
    return r;
}

/* Of the sites in h->site_of. CORE_TWIN: they are in a plane. */
static core_result small_build(delaunay *d, delaunay_hole *h)
{
    const uint32_t n = (uint32_t)h->site_of.count;
    if (n > h->site_capacity) {
        grid_site *site = mem_alloc(d->ctx, 2 * (size_t)n, sizeof *site);
        if (!site) return CORE_NO_MEMORY;
        mem_free(d->ctx, h->site);
        h->site = site;
        h->site_capacity = 2 * (size_t)n;
    }
    if (core_reserve(&h->core, 16 * (size_t)n + 256, h->site_capacity)) return CORE_NO_MEMORY;
    for (uint32_t k = 0; k < n; k++) h->site[k] = d->site[h->site_of.at[k]];
    h->core.used = 0;
    h->core.site = h->site;
    h->core.name = h->site_of.at;
    h->work.free.count = 0;
    h->work.own = range_of(0, n, n);

    const grid_site *s = h->site;
    uint32_t v[4] = {0, 1, 2, 3};
    int side = 0;
    while (v[2] < n && sites_in_line(&s[0], &s[1], &s[v[2]])) v[2]++;
    for (v[3] = v[2] + 1; v[3] < n; v[3]++)
        if ((side = orient_sign(&s[0], &s[1], &s[v[2]], &s[v[3]])) != 0) break;
    if (!side) return CORE_TWIN;
    if (side < 0) v[0] = 1, v[1] = 0;
    core_result r = core_first(&h->core, &h->work, v);
    for (uint32_t k = 2; k < n && r == CORE_DONE; k++)
        if (k != v[2] && k != v[3]) r = small_insert(h, k);
    return r;
}

/* The link, and if that is flat, also what its facets see from outside. */
static rill_status small_triangulation(delaunay *d, delaunay_hole *h, const core_work *w, uint32_t site,
                                       delaunay_fault *fault)
{
    if (!list_reserve(d->ctx, &h->site_of, w->vertex.count + w->facets)) return no_memory(d);
    h->site_of.count = 0;
    for (size_t k = 1; k < w->vertex.count; k++) h->site_of.at[h->site_of.count++] = w->vertex.at[k];
    core_result r = small_build(d, h);
    if (r == CORE_TWIN) {
        for (size_t k = 0; k < w->facets; k++) {
            const uint32_t packed = w->facet[k].outer, beyond = d->tet[packed >> 2].v[packed & 3];
            bool known = beyond == DELAUNAY_INFINITE;
            for (size_t j = 0; j < h->site_of.count && !known; j++) known = h->site_of.at[j] == beyond;
            if (!known) h->site_of.at[h->site_of.count++] = beyond;
        }
        r = small_build(d, h);
    }
    if (r == CORE_TWIN)
        return bad_site(d, fault, (delaunay_fault){DELAUNAY_FLAT, site, site}, delaunay_site(d, site),
                        "cannot be removed: the others are in one plane");
    return r == CORE_DONE ? RILL_OK : no_memory(d);
}

/* ---- removal: the fit ---- */

static uint32_t global_of(const delaunay_hole *h, uint32_t small)
{
    return small == DELAUNAY_INFINITE ? small : h->site_of.at[small];
}

static size_t triple_hash(const uint32_t v[3])
{
    return (size_t)v[0] * 0x9E3779B1u + (size_t)v[1] * 0x9E3779B1u +
           (size_t)v[2] * 0x9E3779B1u; /* of any order */
}

static bool same_triple(const uint32_t a[3], const uint32_t b[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] != b[0] && a[i] != b[1] && a[i] != b[2]) return false;
    return true;
}

static void others(const uint32_t v[4], uint32_t place, uint32_t out[3])
{
    for (uint32_t i = 0, k = 0; i < 4; i++)
        if (i != place) out[k++] = v[i];
}

/* Whether b is a with b's vertex at `to` in place of a's at `from`, up to an even permutation: the
 * same face seen from the same side. */
static bool same_side(const uint32_t a[4], uint32_t from, const uint32_t b[4], uint32_t to)
{
    uint32_t at[4] = {0};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++)
            if (i == from ? j == to : j != to && a[i] == b[j]) at[i] = j;
    int inversions = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) inversions += at[j] > at[i];
    return inversions % 2 == 0;
}

/* The facet of the hole that is the given face of a small tetrahedron, which lies inside; 0: none. */
static uint32_t facet_at(const delaunay_hole *h, const core_work *w, const uint32_t v[4], uint32_t place,
                         size_t mask)
{
    uint32_t face[3], mine[3];
    others(v, place, face);
    for (size_t c = triple_hash(face) & mask; h->hash.at[c]; c = (c + 1) & mask) {
        const cavity_facet *f = &w->facet[h->hash.at[c] - 1];
        others(f->v, f->place, mine);
        if (same_triple(face, mine)) return same_side(f->v, f->place, v, place) ? h->hash.at[c] : 0;
    }
    return 0;
}

/* Which small tetrahedra are in the hole: those at its facets, and what they reach without
 * crossing one. The list in h->inside, the facets in h->match. */
static rill_status fit(delaunay *d, delaunay_hole *h, const core_work *w)
{
    const size_t used = h->core.used;
    size_t mask = 64, found = 0;
    while (mask < 4 * w->facets) mask *= 2;
    if (!list_reserve(d->ctx, &h->hash, mask) || !list_reserve(d->ctx, &h->match, 4 * used) ||
        !list_reserve(d->ctx, &h->slot, used) || !list_reserve(d->ctx, &h->inside, used))
        return no_memory(d);
    memset(h->hash.at, 0, mask * sizeof *h->hash.at);
    memset(h->slot.at, 0, used * sizeof *h->slot.at);
    mask--;
    for (size_t k = 0; k < w->facets; k++) {
        uint32_t mine[3];
        others(w->facet[k].v, w->facet[k].place, mine);
        size_t c = triple_hash(mine) & mask;
        while (h->hash.at[c]) c = (c + 1) & mask;
        h->hash.at[c] = (uint32_t)k + 1;
    }
    h->inside.count = 0;
    for (size_t t = 0; t < used; t++) {
        const delaunay_tet *small = &h->core.tet[t];
        if (small->v[0] == DELAUNAY_DEAD) continue;
        uint32_t v[4];
        for (int i = 0; i < 4; i++) v[i] = global_of(h, small->v[i]);
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t facet = facet_at(h, w, v, i, mask);
            h->match.at[4 * t + i] = facet;
            if (!facet) continue;
            found++;
            if (!h->slot.at[t]) h->inside.at[h->inside.count++] = (uint32_t)t;
            h->slot.at[t] = 1;
        }
    }
    for (size_t k = 0; k < h->inside.count; k++) {
        const uint32_t t = h->inside.at[k];
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t next = h->core.tet[t].neighbour[i] >> 2;
            if (h->match.at[4 * (size_t)t + i] || h->slot.at[next]) continue;
            h->slot.at[next] = 1;
            h->inside.at[h->inside.count++] = next;
        }
    }
    if (found != w->facets)
        return rill_fail(d->ctx, RILL_BLEW_UP,
                         "the tetrahedra around a site are damaged: %zu of %zu facets fit", found, w->facets);
    return RILL_OK;
}

/* Nothing here fails. */
static void sew(delaunay *d, delaunay_hole *h, core_work *w, uint32_t site)
{
    delaunay_core *core = d->core;
    int64_t finite = d->finite;
    for (size_t k = 0; k < w->cavity.count; k++) {
        finite -= delaunay_is_finite(&core->tet[w->cavity.at[k]]);
        core->tet[w->cavity.at[k]].v[0] = DELAUNAY_DEAD;
        w->free.at[w->free.count++] = w->cavity.at[k];
    }
    for (size_t k = 0; k < h->inside.count; k++) h->slot.at[h->inside.at[k]] = w->free.at[--w->free.count];
    for (size_t k = 0; k < h->inside.count; k++) {
        const uint32_t t = h->inside.at[k], slot = h->slot.at[t];
        const delaunay_tet *small = &h->core.tet[t];
        delaunay_tet *to = &core->tet[slot];
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t facet = h->match.at[4 * (size_t)t + i], v = global_of(h, small->v[i]);
            to->v[i] = v;
            if (v != DELAUNAY_INFINITE) d->vertex_tet[v] = slot;
            if (facet) {
                const uint32_t outer = w->facet[facet - 1].outer;
                to->neighbour[i] = outer;
                core->tet[outer >> 2].neighbour[outer & 3] = slot << 2 | i;
            } else {
                to->neighbour[i] = h->slot.at[small->neighbour[i] >> 2] << 2 | (small->neighbour[i] & 3);
            }
        }
        finite += delaunay_is_finite(to);
        w->hint = slot;
    }
    d->vertex_tet[site] = DELAUNAY_INFINITE;
    d->finite = (uint32_t)finite;
    d->vertices--;
    d->tets = (uint32_t)core->used;
    d->tidy = false;
}

rill_status delaunay_remove(delaunay *d, uint32_t site, delaunay_fault *fault)
{
    if (site >= d->sites || d->vertex_tet[site] == DELAUNAY_INFINITE)
        return rill_fail(d->ctx, RILL_USAGE, "site %u cannot be removed: it is not a vertex", site);
    if (!d->hole) {
        delaunay_hole *h;
        TRY(MEM_NEW_ZERO(d->ctx, h, 1));
        core_init(&h->core, d->ctx);
        work_init(&h->work, d->ctx);
        d->hole = h;
    }
    delaunay_hole *h = d->hole;
    core_work *w = &d->work[0];
    if (!find_star(d, w, site)) return no_memory(d);
    TRY(small_triangulation(d, h, w, site, fault));
    TRY(fit(d, h, w));
    if (!list_reserve(d->ctx, &w->free, w->free.count + w->cavity.count)) return no_memory(d);
    if (h->inside.count > w->cavity.count) {
        core_result r;
        while ((r = core_slots(d->core, w, h->inside.count - w->cavity.count)) == CORE_FULL) {
            TRY(core_reserve(d->core, d->core->capacity + d->core->capacity / 4 + 1024, 0));
            d->tet = d->core->tet;
        }
        if (r != CORE_DONE || !list_reserve(d->ctx, &w->free, w->free.count + w->cavity.count))
            return no_memory(d);
    }
    sew(d, h, w, site);
    return RILL_OK;
}
