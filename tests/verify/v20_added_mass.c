/* V-20: a ball in the middle of a spherical tank full of fluid, the whole set in motion at once. The
 * added mass of the ball is known exactly:
 *
 *     Ca = (1 + 2 (a/b)^3) / (2 (1 - (a/b)^3)),    a / g = (s - 1) / (s + Ca)
 *
 * for radii a, b and density ratio s. The mesh is Delaunay, with pressures at circumcentres; the
 * ball is a free body of the projection. Gravity enters as the potential it is: the ball starts
 * with its weight less the displaced fluid's, the fluid with nothing.
 *
 * Negative control: fluid and body by turns, which multiplies an error by Ca / s each time. */
#include "flow/fv_from_tets.h"
#include "flow/projection.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const double ball = 0.5; /* radius */

typedef struct {
    delaunay mesh;
    fv_mesh cells;
    rill_arena arena;
    uint8_t *kind; /* of a site: 1 on the ball, 2 on the tank, 0 between */
    uint8_t *fluid;
    rill_vec3 *site;
    uint32_t count;
    double ball_volume, tank_volume;
} tank;

/* ---- sites ---- */

/* Spread over a sphere along a spiral (Swinbank and Purser 2006), about h apart. */
static uint32_t on_sphere(double radius, double h, rill_vec3 *x)
{
    const uint32_t n = (uint32_t)(4 * M_PI * radius * radius / (0.8660254 * h * h)) + 1;
    for (uint32_t k = 0; x && k < n; k++) {
        const double z = 1 - (2 * k + 1.0) / n, angle = k * M_PI * (3 - sqrt(5)), r = sqrt(1 - z * z);
        x[k] = v3_scale(v3(r * cos(angle), r * sin(angle), z), radius);
    }
    return n;
}

/* A body-centred lattice of edges about h, where it keeps its distance from both spheres. */
static uint32_t between(double tank_radius, double h, rill_vec3 *x)
{
    const double step = 1.1547 * h, room = 0.6 * h;
    const int n = (int)(tank_radius / step) + 1;
    uint32_t count = 0;
    for (int s = 0; s < 2; s++)
        for (int k = -n; k <= n; k++)
            for (int j = -n; j <= n; j++)
                for (int i = -n; i <= n; i++) {
                    const rill_vec3 p = v3((i + 0.5 * s + 0.123) * step, (j + 0.5 * s + 0.217) * step,
                                           (k + 0.5 * s + 0.311) * step);
                    const double r = v3_length(p);
                    if (r < ball + room || r > tank_radius - room) continue;
                    if (x) x[count] = p;
                    count++;
                }
    return count;
}

static rill_status make_sites(verify *v, tank *t, double tank_radius, double h)
{
    const uint32_t inner = on_sphere(ball, h, NULL), outer = on_sphere(tank_radius, h, NULL),
                   rest = between(tank_radius, h, NULL);
    t->count = inner + outer + rest;
    TRY(MEM_NEW(v->ctx, t->site, t->count));
    TRY(MEM_NEW_ZERO(v->ctx, t->kind, t->count));
    (void)on_sphere(ball, h, t->site);
    (void)on_sphere(tank_radius, h, t->site + inner);
    (void)between(tank_radius, h, t->site + inner + outer);
    for (uint32_t i = 0; i < inner + outer; i++) t->kind[i] = i < inner ? 1 : 2;
    return RILL_OK;
}

/* ---- mesh ---- */

/* All four corners on the ball: inside it. All on the tank: a sliver under its skin. */
static bool is_fluid(const tank *t, const delaunay_tet *tet)
{
    const uint8_t first = t->kind[tet->v[0]];
    for (int k = 1; k < 4; k++)
        if (t->kind[tet->v[k]] != first) return true;
    return first == 0;
}

static void set_boundary(tank *t, const fv_tets *map)
{
    fv_mesh *m = &t->cells;
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        const uint32_t from = map->face[k];
        const delaunay_tet *tet = &t->mesh.tet[from >> 2];
        bool on_ball = true;
        for (uint32_t c = 0; c < 4; c++) on_ball &= c == (from & 3) || t->kind[tet->v[c]] == 1;
        const fv_face *f = &m->face[k];
        const double cone = v3_dot(f->area, f->centroid) / 3;
        if (on_ball) {
            m->boundary[k - m->inner_count] = (fv_boundary){.kind = FV_BODY};
            t->ball_volume -= cone; /* outward of the fluid is into the ball */
        } else {
            t->tank_volume += cone;
        }
    }
}

static rill_status make_tank(verify *v, tank *t, double tank_radius, double h)
{
    TRY(make_sites(v, t, tank_radius, h));
    const delaunay_def def = {.position = t->site, .count = t->count};
    TRY(delaunay_build(&t->mesh, &def, NULL));
    TRY(MEM_NEW(v->ctx, t->fluid, t->mesh.finite));
    for (uint32_t k = 0; k < t->mesh.finite; k++) t->fluid[k] = is_fluid(t, &t->mesh.tet[k]);
    fv_tets_def cells = fv_tets_def_default();
    fv_tets map;
    cells.mesh = &t->mesh;
    cells.fluid = t->fluid;
    TRY(fv_mesh_from_tets(&t->arena, &cells, &t->cells, &map));
    set_boundary(t, &map);
    return fv_mesh_check(&t->cells, 1e-10);
}

static void tank_init(verify *v, tank *t)
{
    *t = (tank){0};
    delaunay_init(&t->mesh, v->ctx);
    fv_mesh_init(&t->cells, v->ctx);
    arena_init(&t->arena, v->ctx);
}

static void tank_clear(verify *v, tank *t)
{
    delaunay_clear(&t->mesh);
    fv_mesh_clear(&t->cells);
    arena_clear(&t->arena);
    mem_free(v->ctx, t->site);
    mem_free(v->ctx, t->kind);
    mem_free(v->ctx, t->fluid);
}

/* ---- motion ---- */

static rigid_body ball_of(const tank *t, double s)
{
    rigid_body b = {.mass = s * 1000 * t->ball_volume};
    for (int k = 0; k < 3; k++) b.inertia[k][k] = 0.4 * b.mass * ball * ball;
    return b;
}

/* The velocity along the first axis after the projection, from the one before. */
static rill_status set_in_motion(verify *v, tank *t, double s, double before, double *after)
{
    projection_def def = projection_def_default();
    projection *p = NULL;
    double *flux = NULL, *q = NULL;
    rigid_body b = ball_of(t, s);
    solver_report report;
    b.velocity = v3(before, 0, 0);
    def.solver.tolerance = 1e-9;
    rill_status st = projection_create(v->ctx, &def, &p);
    if (!st) st = projection_prepare(p, &t->cells, &b, 1, false);
    if (!st) st = MEM_NEW_ZERO(v->ctx, flux, t->cells.face_count);
    if (!st) st = MEM_NEW_ZERO(v->ctx, q, t->cells.cell_count);
    if (!st) {
        projection_boundary_flux(p, flux);
        projection_solve(p, flux, 1, q, &report);
        if (report.outcome == SOLVER_DIVERGED || report.residual > 1e-6)
            st = rill_fail(v->ctx, RILL_BLEW_UP, "the solve %s at %g", solver_outcome_text(report.outcome),
                           report.residual);
    }
    if (!st) {
        projection_update(p, q, 1, flux, NULL);
        *after = b.velocity.x;
    }
    mem_free(v->ctx, flux);
    mem_free(v->ctx, q);
    projection_destroy(p);
    return st;
}

static double exact_ca(double ratio)
{
    const double c = ratio * ratio * ratio;
    return 0.5 * (1 + 2 * c) / (1 - c);
}

static rill_status measured_ca(verify *v, tank *t, double *ca)
{
    double after;
    TRY(set_in_motion(v, t, 1, 1, &after)); /* m v = (m + m_a) v' */
    *ca = 1 / after - 1;
    return RILL_OK;
}

/* ---- the case ---- */

static rill_status one_ratio(verify *v, double ratio, int levels)
{
    static const double per_diameter[] = {6, 9, 12};
    double h[3], error[3];
    char name[96];
    for (int k = 0; k < levels; k++) {
        tank t;
        double ca = NAN;
        const int level = k + 3 - levels;
        h[k] = 2 * ball / per_diameter[level];
        tank_init(v, &t);
        rill_status st = make_tank(v, &t, ball / ratio, h[k]);
        if (!st) st = measured_ca(v, &t, &ca);
        tank_clear(v, &t);
        if (st) return st;
        error[k] = fabs(ca / exact_ca(ratio) - 1);
        snprintf(name, sizeof name, "a/b = %.2f: error of Ca, %.0f elements a diameter", ratio,
                 per_diameter[level]);
        verify_figure(v, name, error[k], level == 2 ? AT_MOST : REPORT, 0.02);
    }
    snprintf(name, sizeof name, "a/b = %.2f: order of convergence", ratio);
    if (levels == 3) verify_figure(v, name, verify_order(h, error, 3), AT_LEAST, 1);
    return RILL_OK;
}

static rill_status accelerations(verify *v, tank *t)
{
    static const double s[] = {1e-4, 0.1, 0.5, 1, 2, 7.8};
    const double ca = exact_ca(0.5);
    char name[96];
    for (size_t k = 0; k < sizeof s / sizeof *s; k++) {
        double after;
        TRY(set_in_motion(v, t, s[k], (s[k] - 1) / s[k], &after));
        const double exact = (s[k] - 1) / (s[k] + ca);
        snprintf(name, sizeof name, "density ratio %g: error of the acceleration, g", s[k]);
        verify_figure(v, name, fabs(after - exact), AT_MOST, s[k] == 1 ? 1e-3 : 0.02 * fmax(1, fabs(exact)));
    }
    /* By turns: the fluid's answer to a given motion, then the body's to that pressure. */
    double measured;
    TRY(measured_ca(v, t, &measured));
    verify_figure(v, "by turns, density ratio 1e-4: growth of an error each time", measured / 1e-4, AT_LEAST,
                  1);
    return RILL_OK;
}

static rill_status added_mass(verify *v)
{
    TRY(one_ratio(v, 0.5, 3));
    TRY(one_ratio(v, 1.0 / 3, v->full ? 3 : 1));
    tank t;
    tank_init(v, &t);
    rill_status st = make_tank(v, &t, 1, 1.0 / 12);
    if (!st) st = accelerations(v, &t);
    tank_clear(v, &t);
    return st;
}

const verify_case v20_added_mass = {"V-20", "Added mass of a ball in a spherical tank", NULL, added_mass};
