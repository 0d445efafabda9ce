/* Voronoi cells of n uniform random points in the unit cube, everything kept; beside it
 * the same without vertices, a jittered body-centred lattice of about n points that fills
 * half the box with cells capped at two spacings, and 10000 points, for the growth of the
 * time per point. What the points method goes on to do with the lattice's cells: cut them to
 * balls, clip them as in [Sin09], make their finite-volume mesh, find 28 nearest points. */
#include "base/parallel.h"
#include "base/random.h"
#include "bench/bench.h"
#include "flow/fv_from_cells.h"
#include "geom/search/nearest.h"
#include "geom/voronoi/ball_cells.h"
#include "geom/voronoi/voronoi_clip.h"

#include <math.h>

enum { FEW = 10000 };

typedef struct {
    voronoi cells;
    voronoi_def def;
    rill_vec3 *x;
    uint32_t n;
    /* Of the lattice: */
    voronoi clipped;
    ball_cells balls;
    fv_mesh mesh;
    rill_arena arena;
    uint32_t *near;
    double radius;
} diagram;

enum { NEAR = 28 };

static rill_vec3 random_point(uint64_t i)
{
    const random4 r = random_at(1, i, 0, 0), q = random_at(1, i, 1, 0);
    return v3(random_unit(r.v[0], r.v[1]), random_unit(r.v[2], r.v[3]), random_unit(q.v[0], q.v[1]));
}

/* Two points to a cube of side 1/m, lower half. */
static uint32_t half_lattice(rill_vec3 *x, uint32_t n)
{
    const uint32_t m = (uint32_t)(cbrt((double)n) / 2) * 2;
    uint32_t count = 0;
    for (uint32_t k = 0; k < m / 2; k++)
        for (uint32_t j = 0; j < m; j++)
            for (uint32_t i = 0; i < 2 * m; i++, count++) {
                const rill_vec3 u = random_point(count);
                const double o = (i & 1 ? 0.75 : 0.25) - 0.15;
                x[count] = v3((i / 2 + o + 0.3 * u.x) / m, (j + o + 0.3 * u.y) / m, (k + o + 0.3 * u.z) / m);
            }
    return count;
}

static rill_status diagram_body(void *arg)
{
    diagram *d = arg;
    return voronoi_build(&d->cells, &d->def, d->x, d->n);
}

static rill_status balls_body(void *arg)
{
    diagram *d = arg;
    return ball_cells_build(&d->balls, &d->cells, d->x, d->radius, false);
}

static rill_status clip_body(void *arg)
{
    diagram *d = arg;
    voronoi_balls balls = {d->x, d->radius};
    const voronoi_clip_def def = {
        .value = voronoi_balls_value, .user = &balls, .kind = VORONOI_AIR, .site = d->x};
    return voronoi_clip(&d->cells, &def, &d->clipped);
}

static rill_status mesh_body(void *arg)
{
    diagram *d = arg;
    const fv_cells_def def = {.cells = &d->clipped, .site = d->x, .least = 0.05 * d->radius};
    fv_cells map;
    arena_reset(&d->arena);
    return fv_mesh_from_cells(&d->arena, &def, &d->mesh, &map);
}

static rill_status near_body(void *arg)
{
    diagram *d = arg;
    rill_ctx *ctx = d->cells.ctx;
    bins b;
    arena_reset(&d->arena);
    TRY(bins_build(ctx, &d->arena, d->x, d->n, &b));
    const nearest_query q = {.points = &b, .x = d->x, .count = d->n, .k = NEAR, .within = 3 * d->radius};
    return nearest_find(ctx, &q, d->near, NULL, NULL);
}

static size_t held_bytes(const voronoi *v)
{
    return v->capacity.cell * sizeof *v->cell + v->capacity.face * sizeof *v->face +
           v->capacity.link * sizeof *v->link + v->capacity.corner * sizeof *v->corner +
           v->capacity.vertex * sizeof *v->vertex + v->capacity.owner * sizeof *v->owner + v->scratch.used;
}

/* The time of one more case, as a number of the run. */
static rill_status also(bench_run *b, bench_body *body, diagram *d, double *seconds)
{
    bench_run other = {.ctx = b->ctx, .n = d->n, .repeat = b->repeat};
    TRY(bench_time(&other, NULL, body, d));
    *seconds = other.seconds;
    return RILL_OK;
}

static rill_status voronoi_all(bench_run *b, diagram *d)
{
    for (uint32_t i = 0; i < d->n; i++) d->x[i] = random_point(i);
    d->def.vertices = true;
    TRY(bench_time(b, NULL, diagram_body, d));
    bench_rate(b, 1e-6 * (double)b->n, "M cells/s");
    const double n = (double)b->n;
    double volume = 0, seconds;
    for (uint32_t i = 0; i < d->n; i++) volume += d->cells.cell[i].volume;
    bench_number(b, "volume_error", fabs(volume - 1));
    bench_number(b, "faces_per_cell", d->cells.link_count / n);
    bench_number(b, "bytes_per_point_with_vertices", (double)held_bytes(&d->cells) / n);

    voronoi_clear(&d->cells);
    d->def.vertices = false;
    TRY(also(b, diagram_body, d, &seconds));
    bench_number(b, "seconds_reduced", seconds);
    bench_number(b, "bytes_per_point_reduced", (double)held_bytes(&d->cells) / n);

    d->n = FEW < d->n ? FEW : d->n;
    d->def.vertices = true;
    TRY(also(b, diagram_body, d, &seconds));
    bench_number(b, "growth_from_10k", b->seconds / n / (seconds / d->n));

    d->n = half_lattice(d->x, (uint32_t)b->n);
    d->def.cap = 2 * cbrt(0.5 / d->n);
    TRY(also(b, diagram_body, d, &seconds));
    bench_number(b, "half_lattice_points", d->n);
    bench_number(b, "half_lattice_seconds", seconds);
    d->radius = 0.95 * cbrt(0.5 / d->n);
    TRY(also(b, balls_body, d, &seconds));
    bench_number(b, "half_lattice_balls_seconds", seconds);
    TRY(also(b, clip_body, d, &seconds));
    bench_number(b, "half_lattice_clip_seconds", seconds);
    TRY(also(b, mesh_body, d, &seconds));
    bench_number(b, "half_lattice_mesh_seconds", seconds);
    TRY(also(b, near_body, d, &seconds));
    bench_number(b, "half_lattice_nearest_seconds", seconds);
    d->def.cap = 0;
    TRY(also(b, diagram_body, d, &seconds));
    bench_number(b, "half_lattice_seconds_without_cap", seconds);
    return RILL_OK;
}

static rill_status voronoi_run(bench_run *b)
{
    if (b->n > VORONOI_MOST) return rill_fail(b->ctx, RILL_USAGE, "at most %d points", VORONOI_MOST);
    diagram d = {.n = (uint32_t)b->n, .def = voronoi_def_default((rill_box){{0, 0, 0}, {1, 1, 1}})};
    voronoi_init(&d.cells, b->ctx);
    voronoi_init(&d.clipped, b->ctx);
    ball_cells_init(&d.balls, b->ctx);
    fv_mesh_init(&d.mesh, b->ctx);
    arena_init(&d.arena, b->ctx);
    rill_status st = MEM_NEW(b->ctx, d.x, b->n);
    if (!st) st = MEM_NEW(b->ctx, d.near, NEAR * b->n);
    if (!st) st = voronoi_all(b, &d);
    mem_free(b->ctx, d.x);
    mem_free(b->ctx, d.near);
    arena_clear(&d.arena);
    fv_mesh_clear(&d.mesh);
    ball_cells_clear(&d.balls);
    voronoi_clear(&d.clipped);
    voronoi_clear(&d.cells);
    return st;
}

const bench_case bench_voronoi = {"voronoi", 100000, "Voronoi cells of n random points, with all vertices",
                                  voronoi_run};
