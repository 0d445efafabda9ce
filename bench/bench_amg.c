/* Conjugate gradients with algebraic multigrid on a mesh Laplacian of about n rows, set-up
 * included, to a relative residual of 1e-6, with the other preconditioners beside it. */
#include "base/text.h"
#include "bench/bench.h"
#include "linalg/solver.h"

#include <math.h>
#include <string.h>

typedef struct {
    rill_ctx *ctx;
    uint32_t side;
    size_t edges;
    laplacian_edge *edge;
    double *extra, *b, *x;
    laplacian a;
    solver *solver;
    solver_report report;
    bool keep;
} problem;

static void join(problem *p, uint32_t a, uint32_t b)
{
    p->edge[p->edges++] = (laplacian_edge){a, b, 1};
}

/* A box of cells, the upper half of it air. */
static rill_status make_box(problem *p, size_t n)
{
    const uint32_t side = p->side = (uint32_t)fmax(4, round(cbrt(2.0 * (double)n))), top = side / 2;
    const uint32_t rows = side * side * top;
    TRY(MEM_NEW(p->ctx, p->edge, (size_t)3 * rows));
    TRY(MEM_NEW_ZERO(p->ctx, p->extra, rows));
    TRY(MEM_NEW(p->ctx, p->b, rows));
    TRY(MEM_NEW(p->ctx, p->x, rows));
    for (uint32_t z = 0, i = 0; z < top; z++)
        for (uint32_t y = 0; y < side; y++)
            for (uint32_t x = 0; x < side; x++, i++) {
                if (x + 1 < side) join(p, i, i + 1);
                if (y + 1 < side) join(p, i, i + side);
                if (z + 1 < top)
                    join(p, i, i + side * side);
                else
                    p->extra[i] = 2;
                p->b[i] = sin(0.1 * i) + (z == 0) + cos(3.0 * x / side) * cos(5.0 * y / side);
            }
    return laplacian_build(p->ctx, rows, p->edges, p->edge, p->extra, &p->a);
}

static rill_status prepare_and_solve(void *arg)
{
    problem *p = arg;
    TRY(solver_prepare(p->solver, &p->a, NULL, p->keep));
    memset(p->x, 0, p->a.rows * sizeof *p->x);
    solver_solve(p->solver, p->b, p->x, &p->report);
    if (p->report.outcome != SOLVER_CONVERGED)
        return rill_fail(p->ctx, RILL_BLEW_UP, "the solve %s", solver_outcome_text(p->report.outcome));
    return RILL_OK;
}

static rill_status assemble(void *arg)
{
    problem *p = arg;
    laplacian again;
    TRY(laplacian_build(p->ctx, p->a.rows, p->edges, p->edge, p->extra, &again));
    laplacian_clear(p->ctx, &again);
    return RILL_OK;
}

/* Another preconditioner, once. */
static rill_status peer(problem *p, bench_run *b, solver_kind kind, const char *seconds,
                        const char *iterations)
{
    solver_def def = solver_def_default();
    def.kind = kind;
    def.max_iterations = 5000;
    solver *own = p->solver;
    TRY(solver_create(p->ctx, &def, &p->solver));
    const double start = clock_seconds();
    const rill_status st = prepare_and_solve(p);
    solver_destroy(p->solver);
    p->solver = own;
    if (st) return st;
    bench_number(b, seconds, clock_seconds() - start);
    bench_number(b, iterations, p->report.iterations);
    return RILL_OK;
}

static rill_status measure(problem *p, bench_run *b)
{
    solver_def def = solver_def_default();
    TRY(make_box(p, b->n));
    TRY(solver_create(p->ctx, &def, &p->solver));
    TRY(bench_time(b, NULL, assemble, p));
    const double assembly = b->seconds;
    p->keep = true;
    TRY(bench_time(b, NULL, prepare_and_solve, p));
    const double kept = b->seconds;
    p->keep = false;
    TRY(bench_time(b, NULL, prepare_and_solve, p));
    bench_rate(b, 1e-6 * p->a.rows, "M rows/s");
    bench_number(b, "rows", p->a.rows);
    bench_number(b, "iterations", p->report.iterations);
    bench_number(b, "assembly_seconds", assembly);
    bench_number(b, "kept_hierarchy_seconds", kept);
    TRY(peer(p, b, SOLVER_MIC, "mic_seconds", "mic_iterations"));
    return peer(p, b, SOLVER_JACOBI, "jacobi_seconds", "jacobi_iterations");
}

static rill_status amg_run(bench_run *b)
{
    problem p = {.ctx = b->ctx};
    const rill_status st = measure(&p, b);
    solver_destroy(p.solver);
    laplacian_clear(b->ctx, &p.a);
    mem_free(b->ctx, p.edge);
    mem_free(b->ctx, p.extra);
    mem_free(b->ctx, p.b);
    mem_free(b->ctx, p.x);
    return st;
}

const bench_case bench_amg = {"amg", 493000, "solve with a Laplacian of n rows, set-up included", amg_run};
