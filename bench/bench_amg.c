/* Conjugate gradients with algebraic multigrid on the Laplacian of about n Voronoi cells under
 * a free surface, set-up included, to a relative residual of 1e-6, with the other
 * preconditioners beside it. */
#include "base/text.h"
#include "bench/bench.h"
#include "bench/mesh_matrix.h"
#include "linalg/solver.h"

#include <string.h>

typedef struct {
    rill_ctx *ctx;
    mesh_matrix m;
    double *x;
    solver *solver;
    solver_report report;
    bool keep;
} problem;

static rill_status prepare_and_solve(void *arg)
{
    problem *p = arg;
    TRY(solver_prepare(p->solver, &p->m.a, NULL, p->keep));
    memset(p->x, 0, p->m.a.rows * sizeof *p->x);
    solver_solve(p->solver, p->m.b, p->x, &p->report);
    if (p->report.outcome != SOLVER_CONVERGED)
        return rill_fail(p->ctx, RILL_BLEW_UP, "the solve %s after %u iterations at %g",
                         solver_outcome_text(p->report.outcome), p->report.iterations, p->report.residual);
    return RILL_OK;
}

static rill_status assemble(void *arg)
{
    problem *p = arg;
    laplacian again;
    TRY(laplacian_build(p->ctx, p->m.a.rows, p->m.edges, p->m.edge, p->m.extra, &again));
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
    TRY(mesh_matrix_make(p->ctx, b->n, &p->m));
    TRY(MEM_NEW(p->ctx, p->x, p->m.rows));
    TRY(solver_create(p->ctx, &def, &p->solver));
    TRY(bench_time(b, NULL, assemble, p));
    const double assembly = b->seconds;
    p->keep = true;
    TRY(bench_time(b, NULL, prepare_and_solve, p));
    const double kept = b->seconds;
    p->keep = false;
    TRY(bench_time(b, NULL, prepare_and_solve, p));
    bench_rate(b, 1e-6 * p->m.a.rows, "M rows/s");
    bench_number(b, "rows", p->m.a.rows);
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
    mesh_matrix_clear(b->ctx, &p.m);
    mem_free(b->ctx, p.x);
    return st;
}

const bench_case bench_amg = {"amg", 493000, "solve with a Laplacian of n rows, set-up included", amg_run};
