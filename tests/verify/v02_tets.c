/* V-02: Poisson's equation in a closed box on Delaunay tetrahedra, p = cos 2 pi x cos 2 pi y cos 2 pi z,
 * pressures at circumcentres: orders of convergence over three resolutions. Sites are a body-centred
 * lattice, shaken inside the box. Negative control: pressures at barycentres, where the line between
 * two is not normal to their face, must be visibly worse. */
#include "base/random.h"
#include "flow/fv_from_tets.h"
#include "flow/projection.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

enum { LEVELS = 3 };

static double wave(rill_vec3 x)
{
    return cos(2 * M_PI * x.x) * cos(2 * M_PI * x.y) * cos(2 * M_PI * x.z);
}

static rill_vec3 wave_slope(rill_vec3 x)
{
    const double t = 2 * M_PI;
    return v3(-t * sin(t * x.x) * cos(t * x.y) * cos(t * x.z),
              -t * cos(t * x.x) * sin(t * x.y) * cos(t * x.z),
              -t * cos(t * x.x) * cos(t * x.y) * sin(t * x.z));
}

static double shaken(double at, uint32_t site, uint32_t axis, double by)
{
    const random4 r = random_at(17, site, axis, 0);
    return at > 0 && at < 1 ? at + by * (random_unit(r.v[0], r.v[1]) - 0.5) : at;
}

/* Corners and middles of n^3 cubes; x NULL: how many. */
static uint32_t lattice(int n, rill_vec3 *x)
{
    uint32_t count = 0;
    const double h = 1.0 / n, by = 0.15 * h;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k <= n - s; k++)
            for (int j = 0; j <= n - s; j++)
                for (int i = 0; i <= n - s; i++, count++)
                    if (x)
                        x[count] = v3(shaken((i + 0.5 * s) * h, count, 0, by),
                                      shaken((j + 0.5 * s) * h, count, 1, by),
                                      shaken((k + 0.5 * s) * h, count, 2, by));
    return count;
}

/* Volume and barycentre of each cell, of one tetrahedron or several. */
static void cell_middles(const delaunay *d, const uint32_t *cell, const fv_mesh *m, rill_vec3 *middle)
{
    for (uint32_t i = 0; i < m->cell_count; i++) middle[i] = v3(0, 0, 0);
    for (uint32_t t = 0; t < d->finite; t++) {
        rill_vec3 sum = v3(0, 0, 0);
        for (int k = 0; k < 4; k++) sum = v3_madd(sum, 0.25, delaunay_site(d, d->tet[t].v[k]));
        middle[cell[t]] = v3_madd(middle[cell[t]], delaunay_volume(d, t) / m->volume[cell[t]], sum);
    }
}

static void move_to_middles(fv_mesh *m, const rill_vec3 *middle)
{
    for (uint32_t i = 0; i < m->cell_count; i++) m->site[i] = middle[i];
    for (uint32_t k = 0; k < m->inner_count; k++) {
        fv_face *f = &m->face[k];
        f->distance = v3_dot(v3_sub(middle[f->b], middle[f->a]), v3_unit(f->area));
    }
}

typedef struct {
    double l2, slope;
} errors;

static errors measure(const fv_mesh *m, const float *w, const double *q)
{
    errors e = {0};
    double mean = 0, sum = 0;
    for (uint32_t i = 0; i < m->cell_count; i++) mean += m->volume[i] * (q[i] - wave(m->site[i]));
    for (uint32_t i = 0; i < m->cell_count; i++) {
        const double d = q[i] - mean - wave(m->site[i]);
        e.l2 += m->volume[i] * d * d;
    }
    for (uint32_t k = 0; k < m->inner_count; k++) {
        const fv_face *f = &m->face[k];
        const double area = v3_length(f->area), slope = w[k] * (q[f->b] - q[f->a]) / area,
                     d = slope - v3_dot(wave_slope(f->centroid), v3_unit(f->area));
        e.slope += area * f->distance * d * d;
        sum += area * f->distance;
    }
    e.l2 = sqrt(e.l2);
    e.slope = sqrt(e.slope / sum);
    return e;
}

static rill_status solve(verify *v, const fv_mesh *m, const rill_vec3 *middle, errors *out)
{
    projection_def def = projection_def_default();
    projection *p = NULL;
    double *q = NULL, *right = NULL;
    solver_report report;
    def.solver.tolerance = 1e-9;
    rill_status st = projection_create(v->ctx, &def, &p);
    if (!st) st = projection_prepare(p, m, NULL, 0, false);
    if (!st) st = MEM_NEW_ZERO(v->ctx, q, m->cell_count);
    if (!st) st = MEM_NEW(v->ctx, right, m->cell_count);
    if (!st) {
        for (uint32_t i = 0; i < m->cell_count; i++)
            right[i] = m->volume[i] * 12 * M_PI * M_PI * wave(middle[i]);
        projection_solve_with(p, right, q, &report);
        if (report.outcome != SOLVER_CONVERGED)
            st = rill_fail(v->ctx, RILL_BLEW_UP, "the solve %s", solver_outcome_text(report.outcome));
    }
    if (!st) *out = measure(m, projection_weights(p), q);
    mem_free(v->ctx, q);
    mem_free(v->ctx, right);
    projection_destroy(p);
    return st;
}

static rill_status one_level(verify *v, int n, errors *circumcentric, errors *barycentric)
{
    const uint32_t count = lattice(n, NULL);
    rill_vec3 *x = NULL, *middle = NULL;
    rill_arena arena;
    delaunay d;
    fv_mesh m;
    fv_tets map;
    fv_tets_def cells = fv_tets_def_default();
    arena_init(&arena, v->ctx);
    delaunay_init(&d, v->ctx);
    fv_mesh_init(&m, v->ctx);
    rill_status st = MEM_NEW(v->ctx, x, count);
    if (!st) {
        (void)lattice(n, x);
        const delaunay_def def = {.position = x, .count = count};
        st = delaunay_build(&d, &def, NULL);
    }
    cells.mesh = &d;
    if (!st) st = fv_mesh_from_tets(&arena, &cells, &m, &map);
    if (!st) st = MEM_NEW(v->ctx, middle, m.cell_count);
    if (!st) {
        cell_middles(&d, map.cell, &m, middle);
        st = solve(v, &m, middle, circumcentric);
    }
    if (!st) {
        move_to_middles(&m, middle);
        st = solve(v, &m, middle, barycentric);
    }
    mem_free(v->ctx, x);
    mem_free(v->ctx, middle);
    fv_mesh_clear(&m);
    delaunay_clear(&d);
    arena_clear(&arena);
    return st;
}

static rill_status poisson(verify *v)
{
    const int n[LEVELS] = {8, v->full ? 16 : 12, v->full ? 32 : 18};
    double h[LEVELS], l2[LEVELS], slope[LEVELS], worse[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        errors c, b;
        TRY(one_level(v, n[k], &c, &b));
        h[k] = 1.0 / n[k];
        l2[k] = c.l2;
        slope[k] = c.slope;
        worse[k] = b.l2;
    }
    verify_figure(v, "circumcentres: order of pressure, l2", verify_order(h, l2, LEVELS), AT_LEAST, 1.8);
    verify_figure(v, "circumcentres: pressure, l2 at the finest", l2[LEVELS - 1], REPORT, 0);
    verify_figure(v, "circumcentres: order of slope, l2", verify_order(h, slope, LEVELS), AT_LEAST, 0.9);
    verify_figure(v, "barycentres: order of pressure, l2", verify_order(h, worse, LEVELS), REPORT, 0);
    verify_figure(v, "barycentres: error at the finest over that of circumcentres",
                  worse[LEVELS - 1] / l2[LEVELS - 1], AT_LEAST, 3);
    return RILL_OK;
}

const verify_case v02_tets = {"V-02-tets", "Poisson's equation on tetrahedra", NULL, poisson};
