/* V-04: the ladder of pressure solvers, to a relative residual of 1e-6. A full closed box:
 * SOR with the best factor takes about as many iterations as conjugate gradients, Jacobi far
 * more, incomplete Cholesky a fraction, and multigrid a number that does not depend on the
 * size; nor does it with a free surface and a sphere in the way. */
#include "base/random.h"
#include "grid/pressure/cells.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    int n;
    bool open; /* half full, tilted, with a sphere that cuts faces */
} box;

static double phi(const void *user, int i, int j, int k)
{
    const box *b = user;
    return b->open ? (j + 0.5 - 0.5 * b->n) + 0.25 * (i + 0.5 - 0.5 * b->n) + 0.15 * (k + 0.5 - 0.5 * b->n)
                   : -1;
}

/* Distance from a sphere, from -1 to 1 over two cells, as the open part of a face. */
static double open_part(const void *user, int axis, int i, int j, int k)
{
    const box *b = user;
    if (!b->open) return 1;
    const double x = i + 0.5 * (axis != 0) - 0.45 * b->n, y = j + 0.5 * (axis != 1) - 0.3 * b->n,
                 z = k + 0.5 * (axis != 2) - 0.55 * b->n, away = sqrt(x * x + y * y + z * z) - 0.15 * b->n;
    return fmin(fmax(0.5 * (away + 1), 0), 1);
}

static rill_status count(verify *v, const box *b, pressure_method method, double *iterations)
{
    pressure_cells c;
    const pressure_cells_def def = {
        .dimensions = 3, .n = {b->n, b->n, b->n}, .phi = phi, .open = open_part, .user = b};
    TRY(pressure_cells_make(v->ctx, &def, &c));
    for (size_t i = 0; i < c.count; i++) {
        int at[3];
        pressure_cells_place(&c, i, at);
        const double x = M_PI * (at[0] + 0.5) / b->n, y = M_PI * (at[1] + 0.5) / b->n,
                     z = M_PI * (at[2] + 0.5) / b->n;
        const random4 r =
            random_at(4, ((uint64_t)at[2] * 4096 + (uint64_t)at[1]) * 4096 + (uint64_t)at[0], 0, 0);
        if (c.active[i])
            c.b[i] = cos(x) * cos(2 * y) * cos(z) + 0.5 * cos(3 * x) + random_unit(r.v[0], r.v[1]) - 0.5;
    }
    pressure_def how = pressure_def_default();
    how.method = method;
    pressure_solver solver;
    pressure_report report;
    pressure_solver_init(&solver, v->ctx);
    rill_status st = pressure_solve(&solver, &c.system, &how, c.p, &report);
    *iterations = report.iterations;
    if (!st && report.end != PRESSURE_CONVERGED)
        st = rill_fail(v->ctx, RILL_BLEW_UP, "%s did not converge with %d cells a side: residual %g",
                       pressure_method_words[method], b->n, report.residual);
    pressure_solver_clear(&solver);
    pressure_cells_clear(&c);
    return st;
}

static rill_status ladder(verify *v)
{
    char name[80];
    double jacobi, small_sor, sor, cg, mic, at[3];
    const box small = {.n = 32}, full = {.n = v->full ? 128 : 64};
    TRY(count(v, &small, PRESSURE_JACOBI, &jacobi));
    TRY(count(v, &small, PRESSURE_SOR, &small_sor));
    verify_figure(v, "32^3: Jacobi over SOR, iterations", jacobi / small_sor, AT_LEAST, 10);
    TRY(count(v, &full, PRESSURE_SOR, &sor));
    TRY(count(v, &full, PRESSURE_CG, &cg));
    TRY(count(v, &full, PRESSURE_MIC0, &mic));
    snprintf(name, sizeof name, "%d^3: SOR, iterations", full.n);
    verify_figure(v, name, sor, REPORT, 0);
    snprintf(name, sizeof name, "%d^3: CG, iterations", full.n);
    verify_figure(v, name, cg, REPORT, 0);
    snprintf(name, sizeof name, "%d^3: MIC(0) over CG, iterations", full.n);
    verify_figure(v, name, mic / cg, AT_MOST, 0.35);
    for (int open = 0; open < 2; open++) {
        const int first = v->full ? 64 : 32,
                  sizes = open || !v->full ? 3 : 2; /* the full box of 256^3 is 17 M cells */
        for (int k = 0; k < sizes; k++) {
            const box b = {.n = first << k, .open = open};
            TRY(count(v, &b, PRESSURE_MULTIGRID, &at[k]));
            snprintf(name, sizeof name, "%s %d^3: multigrid, iterations", open ? "half full" : "full", b.n);
            verify_figure(v, name, at[k], AT_MOST, open ? 14 : 20);
        }
        snprintf(name, sizeof name, "%s: growth from %d^3 to %d^3", open ? "half full" : "full", first,
                 first << (sizes - 1));
        verify_figure(v, name, at[sizes - 1] - at[0], AT_MOST, 3);
    }
    return RILL_OK;
}

const verify_case v04_solvers = {"V-04", "Pressure solvers", NULL, ladder};
