/* V-01: the area vectors of a cell add up to zero, and volumes to the domain: Voronoi cells,
 * whole, and clipped by a solid and by a free surface. A constant velocity then has no
 * divergence. The volume of a clipped cell is that of its triangles (divergence theorem). */
#include "base/random.h"
#include "flow/fv_from_cells.h"
#include "geom/voronoi/voronoi_clip.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

typedef enum { RANDOM, BCC, CUBIC, CLUSTERED, SLAB, KINDS } points_kind;
static const char *const kind_names[KINDS] = {"random", "body-centred", "cubic", "clustered 1:1000", "slab"};

typedef struct {
    verify *v;
    rill_vec3 *x;
    uint32_t n;
    rill_box box;
    double spacing;
    voronoi whole, solid, both;
} diagram;

static void make_points(diagram *d, points_kind kind, uint32_t side)
{
    d->box = (rill_box){{0, 0, 0}, {1, 1, kind == SLAB ? 1.0 / side : 1}};
    d->n = 0;
    const uint32_t layers = kind == SLAB ? 1 : side;
    for (uint32_t i = 0; i < side * side * layers; i++) {
        const random4 r = random_at(1, i, 0, kind), q = random_at(1, i, 1, kind);
        const rill_vec3 u =
            v3(random_unit(r.v[0], r.v[1]), random_unit(r.v[2], r.v[3]), random_unit(q.v[0], q.v[1]));
        const rill_vec3 at = v3(i % side, i / side % side, i / side / side);
        if (kind == RANDOM || kind == CLUSTERED)
            d->x[d->n++] = kind == CLUSTERED && i % 2 ? v3_madd(v3(0.3, 0.3, 0.6), 1e-3, u) : u;
        else if (kind == SLAB)
            d->x[d->n++] = v3(u.x, u.y, 0.5 / side);
        else if (kind == CUBIC)
            d->x[d->n++] = v3_scale(v3_add(at, v3(0.5, 0.5, 0.5)), 1.0 / side);
        else { /* every other one of a lattice of half the spacing: body-centred */
            const double h = 1.0 / side;
            d->x[d->n++] = v3_scale(v3_add(at, v3(0.25, 0.25, 0.25)), h);
            d->x[d->n++] = v3_scale(v3_add(at, v3(0.75, 0.75, 0.75)), h);
        }
    }
    d->spacing = cbrt(box_size(d->box).z / d->n);
}

static void out_of_ball(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value)
{
    (void)user, (void)cell;
    for (size_t i = 0; i < n; i++) value[i] = hypot(x[i].x - 0.5, x[i].y - 0.5) - 0.2;
}

typedef struct {
    double closure, volume, divergence; /* largest of all cells */
    double sum;                         /* of volumes */
} figures;

static figures figures_of(const voronoi *v, const rill_vec3 *x)
{
    figures g = {0};
    const rill_vec3 u = v3(0.48, -0.6, 0.64);
    double lost = 0; /* equal terms would add up their rounding: compensated */
    for (uint32_t i = 0; i < v->count; i++) {
        const voronoi_cell *c = &v->cell[i];
        rill_vec3 sum = {0, 0, 0};
        double area = 0, flux = 0, volume = 0;
        for (uint32_t e = 0; e < c->faces; e++) {
            const voronoi_face *f = &v->face[v->link[c->begin + e]];
            const rill_vec3 a = voronoi_outward(f, i);
            rill_vec3 moment;
            sum = v3_add(sum, a);
            area += v3_length(a);
            flux += v3_dot(a, u);
            volume += (f->a == i ? 1 : -1) * voronoi_cone(v, f, x[i], &moment);
        }
        const double term = c->volume - lost, sum_after = g.sum + term;
        lost = (sum_after - g.sum) - term;
        g.sum = sum_after;
        if (!c->faces) continue;
        g.closure = fmax(g.closure, v3_length(sum) / area);
        g.divergence = fmax(g.divergence, fabs(flux) / area); /* |div| V / (|u| A) */
        /* Of the cell's surface times its width: a sliver's own volume is next to nothing. */
        g.volume = fmax(g.volume, fabs(volume - c->volume) / (area * cbrt(c->volume) + 1e-300));
    }
    return g;
}

static void state(verify *v, const char *points, const char *what, figures g)
{
    char name[96];
    snprintf(name, sizeof name, "%s, %s: area vectors", points, what);
    verify_figure(v, name, g.closure, AT_MOST, 1e-12);
    snprintf(name, sizeof name, "%s, %s: divergence of a constant", points, what);
    verify_figure(v, name, g.divergence, AT_MOST, 1e-12);
    snprintf(name, sizeof name, "%s, %s: volume by divergence theorem", points, what);
    verify_figure(v, name, g.volume, AT_MOST, 1e-12);
}

static rill_status one_kind(diagram *d, points_kind kind)
{
    verify *v = d->v;
    voronoi_def def = voronoi_def_default(d->box);
    def.vertices = true;
    TRY(voronoi_build(&d->whole, &def, d->x, d->n));
    const figures whole = figures_of(&d->whole, d->x);
    char name[96];
    snprintf(name, sizeof name, "%s: volumes against the domain", kind_names[kind]);
    verify_figure(v, name, fabs(whole.sum / box_size(d->box).z - 1), AT_MOST, 1e-12);
    snprintf(name, sizeof name, "%s: one-sided faces", kind_names[kind]);
    verify_figure(v, name, d->whole.one_sided, kind == CLUSTERED ? REPORT : AT_MOST, 0);
    state(v, kind_names[kind], "whole", whole);

    const voronoi_clip_def solid = {
        .value = out_of_ball, .kind = VORONOI_SOLID, .distance = true, .site = d->x};
    TRY(voronoi_clip(&d->whole, &solid, &d->solid));
    voronoi_balls balls = {d->x, 0.95 * d->spacing};
    const voronoi_clip_def air = {
        .value = voronoi_balls_value, .user = &balls, .kind = VORONOI_AIR, .site = d->x};
    TRY(voronoi_clip(&d->solid, &air, &d->both));
    state(v, kind_names[kind], "clipped", figures_of(&d->both, d->x));
    return RILL_OK;
}

/* The mesh the projection sees, of cells clipped twice. */
static rill_status mesh_of_cells(diagram *d)
{
    fv_mesh mesh;
    fv_mesh_init(&mesh, d->v->ctx);
    rill_arena arena;
    arena_init(&arena, d->v->ctx);
    fv_cells map;
    const fv_cells_def def = {.cells = &d->both, .site = d->x, .least = 0.05 * d->spacing};
    rill_status st = fv_mesh_from_cells(&arena, &def, &mesh, &map);
    if (!st) st = fv_mesh_check(&mesh, 1e-12);
    if (!st) verify_figure(d->v, "finite-volume mesh of clipped cells holds", 1, AT_LEAST, 1);
    arena_clear(&arena);
    fv_mesh_clear(&mesh);
    return st;
}

static rill_status closed_cells(verify *v)
{
    const uint32_t side = v->full ? 40 : 20;
    diagram d = {.v = v};
    voronoi_init(&d.whole, v->ctx);
    voronoi_init(&d.solid, v->ctx);
    voronoi_init(&d.both, v->ctx);
    rill_status st = MEM_NEW(v->ctx, d.x, 2 * (size_t)side * side * side);
    for (int kind = 0; kind < KINDS && !st; kind++) {
        make_points(&d, (points_kind)kind, side);
        st = one_kind(&d, (points_kind)kind);
        if (!st && kind == RANDOM) st = mesh_of_cells(&d);
    }
    mem_free(v->ctx, d.x);
    voronoi_clear(&d.whole);
    voronoi_clear(&d.solid);
    voronoi_clear(&d.both);
    return st;
}

const verify_case v01_closed_cells = {"V-01", "Closed cells", NULL, closed_cells};
