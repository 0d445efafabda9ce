/* V-02, rows of the MAC grid: Poisson's equation by the pressure solver on assembled
 * coefficients. (a) a box with closed walls; (b) a circle or sphere with p = 0 on it, by the
 * ghost fluid and, to show what it is for, with the surface moved to the next cell's middle. */
#include "grid/pressure/cells.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    int dimensions, n;
    bool ball;
    double centre[3]; /* off the grid's symmetries */
} problem;

static const double radius = 0.3;

static void middle(const problem *p, const int at[3], double x[3])
{
    for (int d = 0; d < 3; d++) x[d] = d < p->dimensions ? (at[d] + 0.5) / p->n : 0;
}

static double from_centre(const problem *p, const double x[3])
{
    double sum = 0;
    for (int d = 0; d < p->dimensions; d++) sum += (x[d] - p->centre[d]) * (x[d] - p->centre[d]);
    return sqrt(sum);
}

static double phi(const void *user, int i, int j, int k)
{
    const problem *p = user;
    double x[3];
    middle(p, (const int[3]){i, j, k}, x);
    return p->ball ? (from_centre(p, x) - radius) * p->n : -1;
}

static double exact(const problem *p, const double x[3])
{
    if (p->ball) return radius * radius - from_centre(p, x) * from_centre(p, x);
    double value = 1;
    for (int d = 0; d < p->dimensions; d++) value *= cos(2 * M_PI * x[d]);
    return value;
}

static double exact_slope(const problem *p, const double x[3], int axis)
{
    if (p->ball) return -2 * (x[axis] - p->centre[axis]);
    double value = -2 * M_PI * sin(2 * M_PI * x[axis]);
    for (int d = 0; d < p->dimensions; d++)
        if (d != axis) value *= cos(2 * M_PI * x[d]);
    return value;
}

typedef struct {
    double l2, largest, slope; /* errors: of p relative to the largest p, and of its slope */
} errors;

static errors measure(const problem *p, const pressure_cells *c)
{
    double sum = 0, largest = 0, slopes = 0, reach = 0;
    size_t cells = 0, faces = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!c->active[i]) continue;
        int at[3];
        double x[3];
        pressure_cells_place(c, i, at);
        middle(p, at, x);
        const double value = exact(p, x), error = c->p[i] - value;
        sum += error * error;
        largest = fmax(largest, fabs(error));
        reach = fmax(reach, fabs(value));
        cells++;
        for (int axis = 0; axis < p->dimensions; axis++) {
            int next[3] = {at[0], at[1], at[2]};
            next[axis]++;
            const size_t j = pressure_cells_index(c, next[0], next[1], next[2]);
            if (j == SIZE_MAX || !c->active[j]) continue;
            double face[3] = {x[0], x[1], x[2]};
            face[axis] += 0.5 / p->n;
            const double slope = (c->p[j] - c->p[i]) * p->n - exact_slope(p, face, axis);
            slopes += slope * slope;
            faces++;
        }
    }
    return (errors){sqrt(sum / (double)cells) / reach, largest / reach, sqrt(slopes / (double)faces)};
}

static rill_status solve(verify *v, const problem *p, bool stairs, errors *out)
{
    pressure_cells c;
    const pressure_cells_def def = {.dimensions = p->dimensions,
                                    .n = {p->n, p->n, p->dimensions == 2 ? 1 : p->n},
                                    .phi = phi,
                                    .user = p,
                                    .least = 1e-4, /* a larger one shows at 1/128 */
                                    .stairs = stairs};
    TRY(pressure_cells_make(v->ctx, &def, &c));
    for (size_t i = 0; i < c.count; i++) {
        int at[3];
        double x[3];
        pressure_cells_place(&c, i, at);
        middle(p, at, x);
        const double load = p->ball ? 2 * p->dimensions : 4 * M_PI * M_PI * p->dimensions * exact(p, x);
        c.b[i] = c.active[i] ? load / p->n / p->n : 0;
    }
    pressure_def how = pressure_def_default();
    how.tolerance = 1e-11;
    pressure_solver solver;
    pressure_report report;
    pressure_solver_init(&solver, v->ctx);
    rill_status st = pressure_solve(&solver, &c.system, &how, c.p, &report);
    if (!st && report.end != PRESSURE_CONVERGED)
        st = rill_fail(v->ctx, RILL_BLEW_UP, "no convergence with %d cells a side: residual %g", p->n,
                       report.residual);
    if (!st) *out = measure(p, &c);
    pressure_solver_clear(&solver);
    pressure_cells_clear(&c);
    return st;
}

enum { SIZES = 4, NAME = 80 };

typedef struct {
    double l2, largest, slope; /* orders */
    errors at_64;
} orders;

/* How a circle happens to cut the cells makes the largest error of one resolution better or worse than
 * its order: in two dimensions the errors are means over circles in different places. */
static rill_status solve_places(verify *v, problem p, bool stairs, errors *out)
{
    const int places = p.ball && p.dimensions == 2 ? 12 : 1;
    errors sum = {0};
    const problem given = p;
    for (int k = 0; k < places; k++) {
        errors e;
        for (int axis = 0; axis < p.dimensions; axis++) {
            const double part = k * (axis ? 0.7548777 : 0.5698403); /* spread evenly (Roberts 2018) */
            p.centre[axis] = given.centre[axis] + (part - floor(part)) / p.n;
        }
        TRY(solve(v, &p, stairs, &e));
        sum.l2 += e.l2 / places;
        sum.largest += e.largest / places;
        sum.slope += e.slope / places;
    }
    *out = sum;
    return RILL_OK;
}

static rill_status converge(verify *v, problem p, bool stairs, orders *out)
{
    const int sizes = p.dimensions == 2 && v->full ? 4 : 3;
    double h[SIZES], l2[SIZES], largest[SIZES], slope[SIZES];
    for (int k = 0; k < sizes; k++) {
        errors e;
        p.n = 16 << k;
        TRY(solve_places(v, p, stairs, &e));
        h[k] = 1.0 / p.n;
        l2[k] = e.l2;
        largest[k] = e.largest;
        slope[k] = e.slope;
        if (p.n == 64) out->at_64 = e;
    }
    out->l2 = verify_order(h, l2, (size_t)sizes);
    out->largest = verify_order(h, largest, (size_t)sizes);
    out->slope = verify_order(h, slope, (size_t)sizes);
    return RILL_OK;
}

static void state(verify *v, int dimensions, const char *what, const char *figure, double value,
                  verify_kind kind, double target)
{
    char name[NAME];
    snprintf(name, sizeof name, "%s %dD: %s", what, dimensions, figure);
    verify_figure(v, name, value, kind, target);
}

static rill_status poisson(verify *v)
{
    for (int d = 2; d <= 3; d++) {
        const problem box = {.dimensions = d};
        const problem ball = {.dimensions = d, .ball = true, .centre = {0.5137, 0.4891, 0.5059}};
        orders o;
        TRY(converge(v, box, false, &o));
        state(v, d, "box", "order of p, L2", o.l2, AT_LEAST, 1.95);
        state(v, d, "box", "order of p, largest", o.largest, AT_LEAST, 1.95);
        state(v, d, "box", "order of the gradient, L2", o.slope, AT_LEAST, 1.95);
        state(v, d, "box", "error at h = 1/64, largest", o.at_64.largest, AT_MOST, 1e-3);
        TRY(converge(v, ball, false, &o));
        state(v, d, "ghost fluid", "order of p, L2", o.l2, AT_LEAST, 1.9);
        state(v, d, "ghost fluid", "order of p, largest", o.largest, AT_LEAST, 1.8);
        state(v, d, "ghost fluid", "order of the gradient, L2", o.slope, AT_LEAST, 1);
        state(v, d, "ghost fluid", "error at h = 1/64, largest", o.at_64.largest, AT_MOST, 1e-3);
        TRY(converge(v, ball, true, &o));
        state(v, d, "stairs (control)", "order of p, L2", o.l2, AT_MOST, 1.3);
        state(v, d, "stairs (control)", "error at h = 1/64, largest", o.at_64.largest, AT_LEAST, 1e-2);
    }
    return RILL_OK;
}

const verify_case v02_grid = {"V-02-grid", "Poisson's equation on the MAC grid", NULL, poisson};
