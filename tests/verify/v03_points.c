/* V-02, V-03 and V-06 for points: the operators of a step, on points off their lattice.
 *
 * V-03: random velocities, projected once. The fluxes that pressure makes take away all of the divergence;
 * what the points then feel, D u, is what is left because their velocities are not those
 * fluxes; reported for both schemes (for the paper's about 0.7 is to be expected). That D is the
 * derivative of the cells' volumes, and the update its adjoint, holds to rounding.
 * V-02 (b): Poisson's equation in a drop, zero at its surface, which is that of a union of balls; with the
 * air where it is, and twice as far as eq. 11 has it. Points nearly on their lattice: random ones leave
 * holes between their balls, which are air.
 * V-06: averages are exact for constants, linear fits for linear functions. */
#include "base/random.h"
#include "points/fit.h"
#include "points/state.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"points", NULL};

typedef struct {
    rill_scene scene;
    rill_sim *sim;
    points *s;
} drop;

static void drop_clear(verify *v, drop *d)
{
    verify_destroy(d->sim);
    scene_clear(v->ctx, &d->scene);
}

/* A ball of liquid of radius 0.3 on a unit box's floor, or in its middle, with its cells. */
static rill_status drop_make(verify *v, int dimensions, double spacing, double y, int scheme, double jitter,
                             drop *d)
{
    scene_liquid *liquid;
    *d = (drop){0};
    TRY(verify_scene(v, dimensions, (rill_box){{0, 0, 0}, {1, 1, 1}}, spacing, &d->scene));
    points_def *def = scene_method_def_of(&d->scene, "points");
    def->jitter = jitter;
    def->scheme = scheme;
    TRY(scene_add_liquid(v->ctx, &d->scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, y, dimensions == 3 ? 0.5 : 0}, 0.3}};
    TRY(verify_create(v, &d->scene, &d->sim));
    d->s = points_of(d->sim);
    return RILL_OK;
}

static rill_status cells(points *s)
{
    arena_reset(&s->scratch);
    TRY(points_sort(s));
    TRY(points_diagram(s, 0));
    TRY(points_clip(s, 0));
    TRY(points_join(s, 0));
    return points_neighbours(s);
}

static void stir(points *s)
{
    for (size_t i = 0; i < s->particles.count; i++) {
        const random4 r = random_at(7, s->particles.id[i], 0, 0), q = random_at(7, s->particles.id[i], 0, 1);
        s->particles.velocity[i] = v3(random_unit(r.v[0], r.v[1]) - 0.5, random_unit(r.v[2], r.v[3]) - 0.5,
                                      s->dimensions == 3 ? random_unit(q.v[0], q.v[1]) - 0.5 : 0);
    }
}

static double norm(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void figure(verify *v, const char *what, int dimensions, double value, verify_kind kind, double limit)
{
    char name[96];
    snprintf(name, sizeof name, "%s, %dD", what, dimensions);
    verify_figure(v, name, value, kind, limit);
}

/* ---- V-03 ---- */

/* Volumes a little later and a little earlier against D u. */
static rill_status derivative(verify *v, int dimensions)
{
    drop d;
    double *before = NULL, *rate = NULL, worst = 0, most = 0;
    rill_vec3 *at = NULL;
    const double step = 1e-6 / 12;
    rill_status st = drop_make(v, dimensions, 1.0 / 12, 0.25, POINTS_VOLUME, 0.4, &d);
    const size_t n = !st ? d.s->particles.count : 0;
    if (!st) st = MEM_NEW(v->ctx, before, n);
    if (!st) st = MEM_NEW(v->ctx, rate, n);
    if (!st) st = MEM_NEW(v->ctx, at, n);
    if (!st) st = cells(d.s);
    if (!st) {
        particles *p = &d.s->particles;
        stir(d.s);
        points_divergence(d.s, 0, rate);
        for (size_t i = 0; i < n; i++) at[i] = p->position[i];
        for (int side = -1; side < 2 && !st; side += 2) {
            /* Sorting may order them anew: cells are built in place. */
            for (size_t i = 0; i < n; i++) p->position[i] = v3_madd(at[i], side * step, p->velocity[i]);
            st = points_diagram(d.s, 0);
            if (!st) st = points_clip(d.s, 0);
            for (size_t i = 0; i < n && !st; i++) {
                const double volume = d.s->balls.cell[i].volume;
                if (side < 0)
                    before[i] = volume;
                else {
                    worst = fmax(worst, fabs((volume - before[i]) / (2 * step) - rate[i]));
                    most = fmax(most, fabs(rate[i]));
                }
            }
        }
    }
    if (!st)
        figure(v, "V-03: D u against volumes, largest difference", dimensions, worst / most, AT_MOST, 1e-6);
    mem_free(v->ctx, before);
    mem_free(v->ctx, rate);
    mem_free(v->ctx, at);
    drop_clear(v, &d);
    return st;
}

/* p^T D u = sum of V G u, walls left out: the drop floats. */
static rill_status adjoint(verify *v, int dimensions)
{
    drop d;
    double *q = NULL, *out = NULL, left = 0, right = 0, size = 0;
    rill_vec3 *push = NULL;
    rill_status st = drop_make(v, dimensions, 1.0 / 12, 0.5, POINTS_VOLUME, 0.4, &d);
    const size_t n = !st ? d.s->particles.count : 0;
    if (!st) st = MEM_NEW(v->ctx, q, n);
    if (!st) st = MEM_NEW(v->ctx, out, n);
    if (!st) st = MEM_NEW(v->ctx, push, n);
    if (!st) st = cells(d.s);
    if (!st) {
        stir(d.s);
        for (size_t i = 0; i < n; i++) q[i] = random_unit(random_at(3, d.s->particles.id[i], 0, 2).v[0], 0);
        points_divergence(d.s, 0, out);
        /* The adjoint of D has the distance alone, the matrix a little more (eq. 5). */
        for (uint32_t k = 0; k < d.s->mesh.inner_count; k++) {
            points_face *f = &d.s->mesh.face[k];
            f->flux = v3_length(points_shape(d.s, f)->area) / f->reach * (q[f->a] - q[f->b]);
        }
        points_gather(d.s, q, false, push);
        for (size_t i = 0; i < n; i++) {
            left += q[i] * out[i];
            right += fmax(d.s->mesh.cell[i].volume, 0.1 * d.s->sizes.of[1].whole) *
                     v3_dot(push[i], d.s->particles.velocity[i]);
            size += fabs(q[i] * out[i]);
        }
        figure(v, "V-03: update against the adjoint of D", dimensions, fabs(left - right) / size, AT_MOST,
               1e-12);
    }
    mem_free(v->ctx, q);
    mem_free(v->ctx, out);
    mem_free(v->ctx, push);
    drop_clear(v, &d);
    return st;
}

static rill_status project(verify *v, int dimensions, int scheme)
{
    drop d;
    double *before = NULL;
    rill_status st = drop_make(v, dimensions, 1.0 / 16, 0.25, scheme, 0.4, &d);
    const size_t n = !st ? d.s->particles.count : 0;
    if (!st) st = MEM_NEW(v->ctx, before, n);
    if (!st) st = cells(d.s);
    if (!st) {
        rill_step_stats stats = step_stats_none();
        double energy = 0, after = 0;
        stir(d.s);
        points_divergence(d.s, 0, before);
        for (size_t i = 0; i < n; i++)
            energy += v3_dot(d.s->particles.velocity[i], d.s->particles.velocity[i]);
        st = points_project(d.s, 0, 0.01, false, &stats);
        for (size_t i = 0; i < n; i++)
            after += v3_dot(d.s->particles.velocity[i], d.s->particles.velocity[i]);
        const bool paper = scheme == POINTS_PAPER;
        if (!st && !paper)
            figure(v, "V-03: residual of the fluxes", dimensions, stats.solve_residual, AT_MOST, 1e-5);
        const double ratio = norm(d.s->right, n) / norm(before, n);
        if (!st && paper)
            figure(v, "V-03: D u after / before, scheme of the paper", dimensions, ratio, REPORT, 0);
        if (!st && !paper) figure(v, "V-03: D u after / before", dimensions, ratio, AT_MOST, 0.7);
        if (!st && !paper) figure(v, "V-03: energy after / before", dimensions, after / energy, AT_MOST, 1);
    }
    mem_free(v->ctx, before);
    drop_clear(v, &d);
    return st;
}

/* ---- V-02 (b) ---- */

/* L2 error of p = (R^2 - r^2), R being that of a ball of the union's volume. */
static rill_status poisson(verify *v, int dimensions, int scheme, double spacing, double *error)
{
    drop d;
    rill_status st = drop_make(v, dimensions, spacing, 0.5, scheme, 0.1, &d);
    if (!st) st = cells(d.s);
    const size_t n = !st ? d.s->particles.count : 0;
    double *q = NULL, *right = NULL, volume = 0, sum = 0, all = 0;
    if (!st) st = MEM_NEW_ZERO(v->ctx, q, n);
    if (!st) st = MEM_NEW(v->ctx, right, n);
    if (!st) {
        solver_report report;
        for (size_t i = 0; i < n; i++) {
            right[i] = 2 * dimensions * d.s->mesh.cell[i].volume;
            volume += d.s->mesh.cell[i].volume;
        }
        solver_solve(d.s->solver, right, q, &report);
        const double R2 = dimensions == 2 ? volume / d.s->h / M_PI : pow(0.75 * volume / M_PI, 2.0 / 3);
        for (size_t i = 0; i < n; i++) {
            const rill_vec3 r = v3_sub(d.s->particles.position[i], v3(0.5, 0.5, dimensions == 3 ? 0.5 : 0));
            const double e = q[i] - (R2 - v3_dot(r, r));
            sum += e * e * d.s->mesh.cell[i].volume;
            all += d.s->mesh.cell[i].volume;
        }
        *error = sqrt(sum / all) / R2;
    }
    mem_free(v->ctx, q);
    mem_free(v->ctx, right);
    drop_clear(v, &d);
    return st;
}

static rill_status drops(verify *v, int dimensions)
{
    static const char *const names[2] = {"V-02: order of p, air where it is",
                                         "V-02: order of p, air twice as far (eq. 11)"};
    static const char *const errors[2] = {"V-02: error of p at the finest, air where it is",
                                          "V-02: error of p at the finest, air twice as far"};
    const int finest = dimensions == 2 ? 64 : 32;
    for (int scheme = POINTS_VOLUME; scheme <= POINTS_PAPER; scheme++) {
        double h[3], e[3];
        for (int k = 0; k < 3; k++) {
            h[k] = 4.0 / finest / (1 << k);
            TRY(poisson(v, dimensions, scheme, h[k], &e[k]));
        }
        figure(v, names[scheme], dimensions, verify_order(h, e, 3), REPORT, 0);
        figure(v, errors[scheme], dimensions, e[2], REPORT, 0);
    }
    return RILL_OK;
}

/* ---- V-06 ---- */

static rill_status averages(verify *v, int dimensions)
{
    enum { PLACES = 500 };
    drop d;
    rill_vec3 x[PLACES], u[PLACES], constant = v3(0.3, -0.7, dimensions == 3 ? 0.2 : 0);
    double worst = 0;
    rill_status st = drop_make(v, dimensions, 1.0 / 16, 0.25, POINTS_VOLUME, 0.4, &d);
    if (!st) st = cells(d.s);
    if (!st) {
        for (size_t i = 0; i < d.s->particles.count; i++) d.s->particles.velocity[i] = constant;
        for (int k = 0; k < PLACES; k++) {
            const random4 r = random_at(5, (uint64_t)k, 0, 0), q = random_at(5, (uint64_t)k, 0, 1);
            x[k] = v3(0.3 + 0.4 * random_unit(r.v[0], r.v[1]), 0.4 * random_unit(r.v[2], r.v[3]),
                      dimensions == 3 ? 0.3 + 0.4 * random_unit(q.v[0], q.v[1]) : 0);
        }
        st = d.sim->method->velocity(d.sim, PLACES, x, u);
        for (int k = 0; k < PLACES; k++) worst = fmax(worst, v3_distance(u[k], constant));
    }
    if (!st) figure(v, "V-06: average of a constant, error", dimensions, worst, AT_MOST, 1e-10);
    drop_clear(v, &d);
    return st;
}

/* p = 2 + 3x - y + 4z over random neighbours, and over neighbours in a plane. */
static void fits(verify *v)
{
    double worst = 0, flat = 0;
    for (uint64_t k = 0; k < 200; k++) {
        points_fit f = points_fit_none(), g = points_fit_none();
        rill_vec3 gradient;
        for (uint64_t i = 0; i < 21; i++) {
            const random4 r = random_at(9, 32 * k + i, 0, 0), q = random_at(9, 32 * k + i, 0, 1);
            const rill_vec3 x = v3(random_unit(r.v[0], r.v[1]) - 0.5, random_unit(r.v[2], r.v[3]) - 0.5,
                                   random_unit(q.v[0], q.v[1]) - 0.5);
            const double w = points_weight(POINTS_QUARTIC, 0.9 * v3_length(x));
            points_fit_add(&f, w, x, 2 + 3 * x.x - x.y + 4 * x.z);
            points_fit_add(&g, w, v3(x.x, x.y, 0), 2 + 3 * x.x - x.y);
        }
        worst = fmax(worst, fabs(points_fit_solve(&f, &gradient) - 2));
        worst = fmax(worst, v3_distance(gradient, v3(3, -1, 4)));
        flat = fmax(flat, fabs(points_fit_solve(&g, &gradient) - 2));
        flat = fmax(flat, v3_distance(gradient, v3(3, -1, 0)));
    }
    verify_figure(v, "V-06: linear fit of a linear function, error", worst, AT_MOST, 1e-6);
    verify_figure(v, "V-06: the same of neighbours in a plane", flat, AT_MOST, 1e-6);
}

static rill_status run(verify *v)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        TRY(derivative(v, dimensions));
        TRY(adjoint(v, dimensions));
        TRY(project(v, dimensions, POINTS_VOLUME));
        TRY(project(v, dimensions, POINTS_PAPER));
        TRY(drops(v, dimensions));
        TRY(averages(v, dimensions));
    }
    fits(v);
    return RILL_OK;
}

const verify_case v03_points = {"V-03-points", "Operators of points (V-02, V-03, V-06)", methods, run};
