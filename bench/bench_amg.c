/* Conjugate gradients with algebraic multigrid on the Laplacian of about n Voronoi cells under
 * a free surface, set-up included, to a relative residual of 1e-6, with the other
 * preconditioners beside it. */
#include "base/random.h"
#include "base/text.h"
#include "bench/bench.h"
#include "geom/voronoi.h"
#include "linalg/solver.h"

#include <math.h>
#include <string.h>

typedef struct {
    rill_ctx *ctx;
    uint32_t rows;
    size_t edges;
    laplacian_edge *edge;
    double *extra, *b, *x;
    laplacian a;
    solver *solver;
    solver_report report;
    bool keep;
} problem;

/* Random points in a unit cube; those of the upper half are air. A face between liquid and
 * air has the surface in its middle. */
static rill_vec3 random_point(uint64_t i)
{
    const random4 a = random_at(7, i, 0, 0), b = random_at(7, i, 1, 0);
    return v3(random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]), random_unit(b.v[0], b.v[1]));
}

/* Rows in the order in which the cells' faces lie in space. */
static rill_status number_rows(problem *p, const voronoi *v, const rill_vec3 *x, uint32_t *row)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < v->count; i++) row[i] = UINT32_MAX;
    for (uint32_t k = 0; k < v->face_count; k++) {
        const uint32_t end[2] = {v->face[k].a, v->face[k].b};
        for (int s = 0; s < 2; s++)
            if (voronoi_is_cell(end[s]) && x[end[s]].y < 0.5 && row[end[s]] == UINT32_MAX)
                row[end[s]] = rows++;
    }
    p->rows = rows;
    TRY(MEM_NEW(p->ctx, p->edge, v->face_count));
    TRY(MEM_NEW_ZERO(p->ctx, p->extra, rows));
    TRY(MEM_NEW(p->ctx, p->b, rows));
    return MEM_NEW(p->ctx, p->x, rows);
}

static void join(problem *p, const voronoi_face *f, const rill_vec3 *x, const uint32_t *row)
{
    if (!voronoi_is_cell(f->b)) return;
    const double weight = v3_length(f->area) / v3_distance(x[f->a], x[f->b]);
    const uint32_t a = row[f->a], b = row[f->b];
    if (a != UINT32_MAX && b != UINT32_MAX)
        p->edge[p->edges++] = (laplacian_edge){a, b, (float)weight};
    else if (a != UINT32_MAX || b != UINT32_MAX)
        p->extra[a != UINT32_MAX ? a : b] += 2 * weight;
}

static rill_status mesh_edges(problem *p, const voronoi *v, const rill_vec3 *x)
{
    uint32_t *row;
    TRY(MEM_NEW(p->ctx, row, v->count));
    const rill_status st = number_rows(p, v, x, row);
    if (!st) {
        for (uint32_t k = 0; k < v->face_count; k++) join(p, &v->face[k], x, row);
        for (uint32_t i = 0; i < v->count; i++)
            if (row[i] != UINT32_MAX)
                p->b[row[i]] =
                    cos(3 * x[i].x) * cos(5 * x[i].z) + (x[i].y < 0.01) + random_point(i + v->count).x - 0.5;
    }
    mem_free(p->ctx, row);
    return st;
}

static rill_status make_mesh(problem *p, size_t n)
{
    const uint32_t points = (uint32_t)(2 * n);
    const rill_box unit = {{0, 0, 0}, {1, 1, 1}};
    const voronoi_def def = voronoi_def_default(unit);
    rill_vec3 *x;
    voronoi v;
    voronoi_init(&v, p->ctx);
    TRY(MEM_NEW(p->ctx, x, points));
    for (uint32_t i = 0; i < points; i++) x[i] = random_point(i);
    rill_status st = voronoi_build(&v, &def, x, points);
    if (!st) st = mesh_edges(p, &v, x);
    voronoi_clear(&v);
    mem_free(p->ctx, x);
    if (st) return st;
    return laplacian_build(p->ctx, p->rows, p->edges, p->edge, p->extra, &p->a);
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
    if (b->n < 16 || b->n > 20000000) return rill_fail(b->ctx, RILL_USAGE, "amg: n from 16 to 20000000");
    TRY(make_mesh(p, b->n));
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
