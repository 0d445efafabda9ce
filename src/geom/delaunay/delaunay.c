/* Building: sites, their order along the curve, insertion, the order of the result. */
#include "geom/delaunay/delaunay.h"

#include "geom/delaunay/delaunay_core.h"
#include "geom/delaunay/delaunay_order.h"
#include "geom/delaunay/hilbert.h"

#include <string.h>

enum { BLOCK = 1 << 13 };

void delaunay_init(delaunay *d, rill_ctx *ctx)
{
    *d = (delaunay){.ctx = ctx};
    arena_init(&d->scratch, ctx);
}

static void forget(delaunay *d)
{
    d->sites = d->vertices = d->tets = d->finite = 0;
    d->tet = NULL;
    d->tidy = false;
}

void delaunay_clear(delaunay *d)
{
    for (int k = 0; k < d->works; k++) work_clear(&d->work[k]);
    mem_free(d->ctx, d->work);
    if (d->core) core_clear(d->core);
    mem_free(d->ctx, d->core);
    delaunay_hole_destroy(d->hole);
    mem_free(d->ctx, d->spare);
    mem_free(d->ctx, d->site);
    mem_free(d->ctx, d->vertex_tet);
    mem_free(d->ctx, d->twin);
    arena_clear(&d->scratch);
    delaunay_init(d, d->ctx);
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
    core->edited = true;
    for (int k = 0; k < d->works; k++) d->work[k].free.count = 0;
    d->work[0].hint = 0;
    d->vertices = vertices;
    d->tidy = true;
    return RILL_OK;
}

typedef struct {
    const grid_site *site;
    const uint32_t *order;
    grid_site *to;
} gathering;

static void gather_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gathering *g = arg;
    for (size_t k = begin; k < end; k++) g->to[k] = g->site[g->order[k]];
}

static rill_status build(delaunay *d, const delaunay_def *def, delaunay_fault *fault)
{
    rill_arena *arena = &d->scratch;
    uint32_t *order;
    grid_site *site;
    size_t count;
    TRY(delaunay_take_sites(d, def, fault));
    TRY(ARENA_NEW(arena, order, def->count));
    TRY(ARENA_NEW(arena, site, def->count));
    TRY(hilbert_order(d->ctx, arena, d->site, def->count, NULL, order, &count));
    TRY(delaunay_drop_twins(d, order, &count, fault));
    parallel_for(d->ctx, count, BLOCK, gather_block, &(gathering){d->site, order, site});
    TRY(delaunay_insert_all(d, arena, order, site, count, fault));
    return settle(d, NULL, order, (uint32_t)count, d->vertex_tet);
}

rill_status delaunay_build(delaunay *d, const delaunay_def *def, delaunay_fault *fault)
{
    forget(d);
    arena_reset(&d->scratch);
    const rill_status st = build(d, def, fault);
    if (st) forget(d);
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
