/* The sites of a build: checked, snapped, twins found. */
#include "geom/delaunay/delaunay_core.h"

#include <stdio.h>

enum { BLOCK = 1 << 13 };

rill_status delaunay_blame(rill_ctx *ctx, delaunay_fault *fault, delaunay_fault found, const char *format,
                           ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (fault) *fault = found;
    return rill_fail(ctx, RILL_BLEW_UP, "%s", text);
}

rill_status delaunay_reserve_sites(delaunay *d, size_t sites)
{
    size_t capacity[3] = {d->site_capacity, d->site_capacity, d->site_capacity};
    TRY(mem_grow(d->ctx, &d->site, sizeof *d->site, &capacity[0], sites));
    TRY(mem_grow(d->ctx, &d->twin, sizeof *d->twin, &capacity[1], sites));
    TRY(mem_grow(d->ctx, &d->vertex_tet, sizeof *d->vertex_tet, &capacity[2], sites));
    d->site_capacity = capacity[2];
    return RILL_OK;
}

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

static rill_status survey_sites(rill_ctx *ctx, const delaunay_def *def, rill_box *box, delaunay_fault *fault)
{
    const bool given = def->box.min.x != def->box.max.x || def->box.min.y != def->box.max.y ||
                       def->box.min.z != def->box.max.z;
    if (def->count == 0)
        return delaunay_blame(ctx, fault, (delaunay_fault){DELAUNAY_FLAT, 0, 0},
                              "no sites: tetrahedra need four that are not in a plane");
    survey s = {.position = def->position, .block = (def->count + 63) / 64};
    s.not_finite = s.outside = UINT32_MAX;
    s.box = (rill_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const rill_vec3 size = box_size(def->box);
    if (given && !(v3_finite(size) && size.x >= 0 && size.y >= 0 && size.z >= 0))
        return rill_fail(ctx, RILL_USAGE, "(%g, %g, %g) to (%g, %g, %g) is no box for sites", def->box.min.x,
                         def->box.min.y, def->box.min.z, def->box.max.x, def->box.max.y, def->box.max.z);
    if (given) s.box = box_grown(def->box, 0.5 * site_grid_of(def->box).step);
    parallel_for(ctx, def->count, s.block, survey_block, &s);
    if (s.not_finite != UINT32_MAX) {
        const uint32_t i = s.not_finite;
        const rill_vec3 p = def->position[i];
        return delaunay_blame(ctx, fault, (delaunay_fault){DELAUNAY_NOT_FINITE, i, i},
                              "site %u is at (%g, %g, %g), which is no place", i, p.x, p.y, p.z);
    }
    if (s.outside != UINT32_MAX) {
        const uint32_t i = s.outside;
        const rill_vec3 p = def->position[i];
        return delaunay_blame(ctx, fault, (delaunay_fault){DELAUNAY_OUTSIDE, i, i},
                              "site %u at (%g, %g, %g) is outside the box (%g, %g, %g) to (%g, %g, %g)", i,
                              p.x, p.y, p.z, def->box.min.x, def->box.min.y, def->box.min.z, def->box.max.x,
                              def->box.max.y, def->box.max.z);
    }
    *box = def->box;
    if (!given) {
        *box = box_empty();
        for (size_t k = 0; k * s.block < def->count; k++)
            *box = (rill_box){v3_min(box->min, s.found[k].min), v3_max(box->max, s.found[k].max)};
    }
    if (!v3_finite(box_size(*box)))
        return delaunay_blame(
            ctx, fault, (delaunay_fault){DELAUNAY_OUTSIDE, 0, 0},
            "the box of the sites, (%g, %g, %g) to (%g, %g, %g), is too large for double precision",
            box->min.x, box->min.y, box->min.z, box->max.x, box->max.y, box->max.z);
    return RILL_OK;
}

typedef struct {
    const delaunay *d;
    const rill_vec3 *position;
} snapping;

static void snap_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const snapping *s = arg;
    const delaunay *d = s->d;
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

rill_status delaunay_take_sites(delaunay *d, const delaunay_def *def, delaunay_fault *fault)
{
    rill_box box;
    if (def->count > DELAUNAY_MOST)
        return rill_fail(d->ctx, RILL_USAGE, "%zu sites; at most %d fit", def->count, DELAUNAY_MOST);
    TRY(survey_sites(d->ctx, def, &box, fault));
    TRY(delaunay_reserve_sites(d, def->count));
    d->grid = site_grid_of(box);
    d->merge = def->merge;
    d->sites = (uint32_t)def->count;
    parallel_for(d->ctx, def->count, BLOCK, snap_block, &(snapping){d, def->position});
    return RILL_OK;
}

rill_status delaunay_drop_twins(delaunay *d, uint32_t *order, size_t *count, delaunay_fault *fault)
{
    delaunay_fault first = {.site = UINT32_MAX};
    size_t kept = 0;
    for (size_t k = 0; k < *count; k++) {
        const uint32_t i = order[k];
        if (kept > 0 && same_place(&d->site[i], &d->site[order[kept - 1]])) {
            d->twin[i] = order[kept - 1];
            if (i < first.site) first = (delaunay_fault){DELAUNAY_TWINS, i, order[kept - 1]};
            continue;
        }
        order[kept++] = i;
    }
    *count = kept;
    if (first.site == UINT32_MAX || d->merge) return RILL_OK;
    const rill_vec3 p = delaunay_site(d, first.site);
    return delaunay_blame(
        d->ctx, fault, first,
        "sites %u and %u are both at (%.9g, %.9g, %.9g), the grid of %g being too coarse to tell them "
        "apart; move one, or ask for such sites to be merged",
        first.other, first.site, p.x, p.y, p.z, d->grid.step);
}
