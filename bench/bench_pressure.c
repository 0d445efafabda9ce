/* The pressure solve, set-up included, relative residual 1e-6: n cells a side, half full with
 * a tilted surface and twenty spheres in it. Beside it a flat surface and a splash, the sizes
 * n/2 and 2n (iterations must not grow), and the ladder of solvers on a flat half-full box of
 * n/2 with the order in which the tutorial's authors found theirs: SOR, CG, Jacobi. */
#include "base/text.h"
#include "bench/bench.h"
#include "bench/pressure_domains.h"

#include <math.h>

typedef struct {
    pressure_cells cells;
    pressure_solver solver;
    pressure_def def;
    pressure_report report;
    double seconds; /* shortest */
} problem;

static rill_status solve_once(void *arg)
{
    problem *p = arg;
    const double start = clock_seconds();
    TRY(pressure_solve(&p->solver, &p->cells.system, &p->def, p->cells.p, &p->report));
    p->seconds = fmin(p->seconds, clock_seconds() - start);
    if (p->report.end != PRESSURE_CONVERGED)
        return rill_fail(p->solver.ctx, RILL_BLEW_UP, "%s did not converge in %u iterations: residual %g",
                         pressure_method_words[p->def.method], p->report.iterations, p->report.residual);
    return RILL_OK;
}

static rill_status problem_make(rill_ctx *ctx, pressure_domain domain, int n, problem *p)
{
    *p = (problem){.def = pressure_def_default(), .seconds = INFINITY};
    pressure_solver_init(&p->solver, ctx);
    return pressure_domain_make(ctx, domain, 3, n, &p->cells);
}

static void problem_clear(problem *p)
{
    pressure_solver_clear(&p->solver);
    if (p->cells.ctx) pressure_cells_clear(&p->cells);
}

/* Multigrid on one domain, repeated; iterations and seconds out. */
static rill_status measure(bench_run *b, pressure_domain domain, int n, double *seconds, double *iterations)
{
    problem p;
    rill_status st = problem_make(b->ctx, domain, n, &p);
    for (int i = 0; !st && i <= b->repeat; i++) {
        if (i == 1) p.seconds = INFINITY; /* the first warmed up */
        st = solve_once(&p);
    }
    *seconds = p.seconds;
    *iterations = p.report.iterations;
    problem_clear(&p);
    return st;
}

static rill_status ladder(bench_run *b, int n)
{
    static const struct {
        pressure_method method;
        int repeat;
        const char *seconds, *iterations;
    } step[] = {{PRESSURE_JACOBI, 1, "jacobi_seconds", "jacobi_iterations"},
                {PRESSURE_SOR, 2, "sor_seconds", "sor_iterations"},
                {PRESSURE_CG, 2, "cg_seconds", "cg_iterations"},
                {PRESSURE_MIC0, 2, "mic0_seconds", "mic0_iterations"},
                {PRESSURE_MULTIGRID, 5, "multigrid_seconds", "multigrid_iterations"}};
    double seconds[PRESSURE_METHODS];
    problem p;
    rill_status st = problem_make(b->ctx, DOMAIN_FLAT, n, &p);
    for (size_t k = 0; !st && k < sizeof step / sizeof *step; k++) {
        p.def.method = step[k].method;
        p.seconds = INFINITY;
        for (int i = 0; !st && i < step[k].repeat; i++) st = solve_once(&p);
        if (st) break;
        seconds[p.def.method] = p.seconds;
        bench_number(b, step[k].seconds, p.seconds);
        bench_number(b, step[k].iterations, p.report.iterations);
    }
    if (!st)
        bench_number(b, "tutorial_order_holds",
                     seconds[PRESSURE_SOR] < seconds[PRESSURE_CG] &&
                         seconds[PRESSURE_CG] < seconds[PRESSURE_JACOBI]);
    problem_clear(&p);
    return st;
}

static rill_status pressure_run(bench_run *b)
{
    const int n = b->n < 16 ? 16 : b->n > 1024 ? 1024 : (int)b->n;
    problem p;
    double seconds, iterations;
    rill_status st = problem_make(b->ctx, DOMAIN_SPHERES, n, &p);
    if (!st) st = bench_time(b, NULL, solve_once, &p);
    if (!st) {
        bench_rate(b, 1e-6 * (double)p.report.cells, "M cells/s");
        bench_number(b, "setup_seconds", p.report.setup_seconds);
        bench_number(b, "iterations", p.report.iterations);
        bench_number(b, "bytes_per_cell",
                     (double)(p.solver.memory.used + p.solver.scratch.used) / (double)p.report.cells);
    }
    problem_clear(&p);
    if (!st) st = measure(b, DOMAIN_FLAT, n, &seconds, &iterations);
    if (!st) bench_number(b, "flat_seconds", seconds);
    if (!st) st = measure(b, DOMAIN_TILTED, n, &seconds, &iterations);
    if (!st) bench_number(b, "tilted_seconds", seconds);
    if (!st) st = measure(b, DOMAIN_SPLASH, n, &seconds, &iterations);
    if (!st) {
        bench_number(b, "splash_seconds", seconds);
        bench_number(b, "splash_iterations", iterations);
    }
    if (!st) st = measure(b, DOMAIN_SPHERES, n / 2, &seconds, &iterations);
    if (!st) {
        bench_number(b, "half_n_seconds", seconds);
        bench_number(b, "half_n_iterations", iterations);
    }
    if (!st) st = measure(b, DOMAIN_SPHERES, 2 * n, &seconds, &iterations);
    if (!st) {
        bench_number(b, "twice_n_seconds", seconds);
        bench_number(b, "twice_n_iterations", iterations);
    }
    if (!st) st = ladder(b, n / 2);
    return st;
}

const bench_case bench_pressure = {
    "pressure", 128,
    "pressure solve of a half-full box of n cells a side with solids, and the ladder of solvers",
    pressure_run};

/* A flat surface alone: what bench/peers/pressure.sh puts beside other programs. */
static rill_status flat_run(bench_run *b)
{
    problem p;
    rill_status st = problem_make(b->ctx, DOMAIN_FLAT, b->n < 16 ? 16 : b->n > 1024 ? 1024 : (int)b->n, &p);
    if (!st) st = bench_time(b, NULL, solve_once, &p);
    if (!st) {
        bench_rate(b, 1e-6 * (double)p.report.cells, "M cells/s");
        bench_number(b, "setup_seconds", p.report.setup_seconds);
        bench_number(b, "iterations", p.report.iterations);
        bench_number(b, "residual", p.report.residual);
    }
    problem_clear(&p);
    return st;
}

const bench_case bench_pressure_flat = {"pressure-flat", 128,
                                        "pressure solve of a flat half-full box of n cells a side", flat_run};
