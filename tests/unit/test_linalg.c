/* Matrices, preconditioners and conjugate gradients against dense twins. */
#include "support.h"

#include "base/memory.h"
#include "base/random.h"
#include "linalg/amg.h"
#include "linalg/components.h"
#include "linalg/dense.h"
#include "linalg/incomplete.h"
#include "linalg/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double uniform(uint64_t seed, uint64_t i)
{
    const random4 r = random_at(seed, i, 0, 0);
    return random_unit(r.v[0], r.v[1]);
}

/* ---- graphs ---- */

typedef struct {
    uint32_t rows;
    size_t edges;
    laplacian_edge *edge;
    double *extra;
} graph;

static graph graph_make(uint32_t rows, size_t room)
{
    graph g = {.rows = rows, .edge = malloc(room * sizeof *g.edge), .extra = calloc(rows, sizeof *g.extra)};
    assert_non_null(g.edge);
    assert_non_null(g.extra);
    return g;
}

static void graph_free(graph *g)
{
    free(g->edge);
    free(g->extra);
}

static void graph_join(graph *g, uint32_t a, uint32_t b, double w)
{
    g->edge[g->edges++] = (laplacian_edge){a, b, (float)w};
}

/* An n^3 box of cells with random openings, the top side open (extra) or not. */
static graph box(uint32_t n, bool open, double smallest)
{
    graph g = graph_make(n * n * n, (size_t)3 * n * n * n);
    for (uint32_t z = 0, i = 0; z < n; z++)
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 0; x < n; x++, i++) {
                if (x + 1 < n) graph_join(&g, i, i + 1, smallest + uniform(1, 3 * i));
                if (y + 1 < n) graph_join(&g, i + n, i, smallest + uniform(1, 3 * i + 1));
                if (z + 1 < n) graph_join(&g, i, i + n * n, smallest + uniform(1, 3 * i + 2));
                if (open && y + 1 == n) g.extra[i] = 2;
            }
    return g;
}

static graph random_graph(uint32_t rows, size_t edges, uint64_t seed)
{
    graph g = graph_make(rows, edges);
    for (size_t k = 0; k < edges; k++) {
        const uint32_t a = (uint32_t)(uniform(seed, 3 * k) * rows),
                       b = (uint32_t)(uniform(seed, 3 * k + 1) * rows);
        if (a != b) graph_join(&g, a, b, k % 7 ? uniform(seed, 3 * k + 2) : 0);
    }
    return g;
}

static double *dense_of(const graph *g)
{
    const size_t n = g->rows;
    double *m = calloc(n * n, sizeof *m);
    assert_non_null(m);
    for (size_t i = 0; i < n; i++) m[i * n + i] = g->extra[i];
    for (size_t k = 0; k < g->edges; k++) {
        const laplacian_edge e = g->edge[k];
        m[e.a * n + e.a] += (double)e.weight;
        m[e.b * n + e.b] += (double)e.weight;
        m[e.a * n + e.b] -= (double)e.weight;
        m[e.b * n + e.a] -= (double)e.weight;
    }
    return m;
}

static laplacian matrix_of(rill_ctx *ctx, const graph *g)
{
    laplacian a;
    assert_ok(ctx, laplacian_build(ctx, g->rows, g->edges, g->edge, g->extra, &a));
    return a;
}

static void fill_random(double *v, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) v[i] = uniform(seed, i) - 0.5;
}

/* ---- matrix ---- */

static void product_equals_dense_twin(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    graph g = random_graph(90, 700, 5); /* many edges twice, some of weight 0 */
    for (uint32_t i = 0; i < g.rows; i += 9) g.extra[i] = 0.5 + i;
    laplacian a = matrix_of(ctx, &g);
    double *m = dense_of(&g), p[90], q[90];
    fill_random(p, 90, 2);
    laplacian_apply(ctx, &a, p, q);
    for (size_t i = 0; i < 90; i++) {
        double twin = 0;
        for (size_t j = 0; j < 90; j++) twin += m[i * 90 + j] * p[j];
        assert_float_equal(q[i], twin, 2e-6 * (1 + a.diagonal[i])); /* added weights are floats */
        for (uint32_t k = a.start[i]; k < a.start[i + 1]; k++) {
            assert_true(a.weight[k] > 0 && a.column[k] != i);
            if (k > a.start[i]) assert_true(a.column[k] > a.column[k - 1]);
        }
    }
    free(m);
    graph_free(&g);
    laplacian_clear(ctx, &a);
    rill_ctx_destroy(ctx);
}

static void constants_are_in_the_null_space(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    graph g = box(9, false, 1e-3);
    laplacian a = matrix_of(ctx, &g);
    double *p = malloc(g.rows * sizeof *p), *q = malloc(g.rows * sizeof *q);
    for (uint32_t i = 0; i < g.rows; i++) p[i] = 1e5;
    laplacian_apply(ctx, &a, p, q);
    for (uint32_t i = 0; i < g.rows; i++) assert_true(fabs(q[i]) <= 1e-9);
    free(p);
    free(q);
    graph_free(&g);
    laplacian_clear(ctx, &a);
    rill_ctx_destroy(ctx);
}

static void bad_edges_are_named(void **state)
{
    (void)state;
    static const laplacian_edge good = {0, 1, 1};
    static const struct {
        laplacian_edge edge;
        double extra;
        const char *says;
    } cases[] = {
        {{2, 2, 1}, 0, "edge 1 joins rows 2 and 2"},
        {{0, 3, 1}, 0, "below 3"},
        {{1, 2, -1}, 0, "edge 1 between rows 1 and 2"},
        {{1, 2, NAN}, 0, "nan"},
        {{1, 2, INFINITY}, 0, "inf"},
        {{1, 2, 1}, -4, "row 2 has -4"},
        {{1, 2, 1}, NAN, "row 2 has"},
    };
    rill_ctx *ctx = test_ctx(2);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const laplacian_edge edge[2] = {good, cases[k].edge};
        const double extra[3] = {0, 0, cases[k].extra};
        laplacian a = {.rows = 77};
        assert_int_equal(laplacian_build(ctx, 3, 2, edge, extra, &a), RILL_USAGE);
        assert_int_equal(a.rows, 77);
        assert_non_null(strstr(rill_ctx_message(ctx), cases[k].says));
    }
    rill_ctx_destroy(ctx);
}

/* ---- components ---- */

static void flood(const laplacian *a, uint32_t from, uint32_t mark, uint32_t *label)
{
    uint32_t *stack = malloc(a->rows * sizeof *stack), n = 0;
    label[from] = mark;
    stack[n++] = from;
    while (n) {
        const uint32_t i = stack[--n];
        for (uint32_t k = a->start[i]; k < a->start[i + 1]; k++)
            if (label[a->column[k]] == UINT32_MAX) {
                label[a->column[k]] = mark;
                stack[n++] = a->column[k];
            }
    }
    free(stack);
}

static void components_equal_flood_fill(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (uint64_t seed = 1; seed < 40; seed++) {
        graph g = random_graph(200, 30 + 10 * seed, seed); /* from dust to one piece */
        if (seed % 2) g.extra[(seed * 37) % 200] = 1;
        laplacian a = matrix_of(ctx, &g);
        components c;
        assert_ok(ctx, components_build(ctx, &a, &c));
        uint32_t label[200], count = 0, singular = 0, listed = 0;
        memset(label, 0xFF, sizeof label);
        for (uint32_t i = 0; i < 200; i++) {
            if (label[i] == UINT32_MAX) flood(&a, i, count++, label);
            assert_int_equal(c.label[i], label[i]);
        }
        assert_int_equal(c.count, count);
        for (uint32_t k = 0; k < count; k++) {
            bool open = false;
            for (uint32_t i = 0; i < 200; i++) open |= label[i] == k && g.extra[i] > 0;
            if (open) continue;
            for (uint32_t i = 0; i < 200; i++)
                if (label[i] == k) assert_int_equal(c.singular_row[listed++], i);
            assert_int_equal(c.singular_start[++singular], listed);
        }
        assert_int_equal(c.singular_count, singular);
        components_clear(ctx, &c);
        laplacian_clear(ctx, &a);
        graph_free(&g);
    }
    rill_ctx_destroy(ctx);
}

/* ---- preconditioners ---- */

/* On a tree nothing fills in, so that both factors are exact. */
static void incomplete_factor_of_a_tree_is_exact(void **state)
{
    (void)state;
    enum { N = 300 };
    rill_ctx *ctx = test_ctx(1);
    graph g = graph_make(N, N);
    for (uint32_t i = 0; i + 1 < N; i++) /* children before their parents: no fill */
        graph_join(&g, i, i + 1 + (uint32_t)(uniform(3, i) * (N - 1 - i)), 0.5 + uniform(4, i));
    g.extra[N - 1] = 1;
    laplacian a = matrix_of(ctx, &g);
    double x[N], b[N];
    fill_random(x, N, 9);
    laplacian_apply(ctx, &a, x, b);
    for (int modified = 0; modified < 2; modified++) {
        incomplete f;
        float r[N], z[N];
        assert_ok(ctx, incomplete_build(ctx, &a, modified, &f));
        for (int i = 0; i < N; i++) r[i] = (float)b[i];
        incomplete_solve(&f, r, z);
        double worst = 0, size = 0;
        for (int i = 0; i < N; i++) {
            worst = fmax(worst, fabs((double)z[i] - x[i]));
            size = fmax(size, fabs(x[i]));
        }
        assert_true(worst < 1e-3 * size); /* float, condition about 1e3 */
        incomplete_clear(ctx, &f);
    }
    graph_free(&g);
    laplacian_clear(ctx, &a);
    rill_ctx_destroy(ctx);
}

static void cycle_is_symmetric_and_positive(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    graph g = box(20, true, 1e-3);
    laplacian a = matrix_of(ctx, &g);
    amg *m;
    assert_ok(ctx, amg_create(ctx, &a, &m));
    assert_true(amg_describe(m).levels >= 2);
    assert_true(amg_describe(m).operator_complexity < 2);
    float *u = malloc(4 * g.rows * sizeof *u), *v = u + g.rows, *mu = v + g.rows, *mv = mu + g.rows;
    for (uint64_t seed = 1; seed < 6; seed++) {
        for (uint32_t i = 0; i < g.rows; i++) {
            u[i] = (float)(uniform(seed, i) - 0.5);
            v[i] = seed == 1 ? 1 : (float)(uniform(seed + 50, i) - 0.5);
        }
        amg_apply(ctx, m, u, mu);
        amg_apply(ctx, m, v, mv);
        double umv = 0, vmu = 0, umu = 0, vmv = 0;
        for (uint32_t i = 0; i < g.rows; i++) {
            umv += (double)u[i] * mv[i];
            vmu += (double)v[i] * mu[i];
            umu += (double)u[i] * mu[i];
            vmv += (double)v[i] * mv[i];
        }
        assert_true(umu > 0 && vmv > 0);
        assert_true(fabs(umv - vmu) < 2e-6 * sqrt(umu * vmv));
    }
    free(u);
    amg_destroy(ctx, m);
    graph_free(&g);
    laplacian_clear(ctx, &a);
    rill_ctx_destroy(ctx);
}

/* ---- solves ---- */

static solver *solver_for(rill_ctx *ctx, solver_kind kind, double tolerance, const laplacian *a,
                          const low_rank *l)
{
    solver_def def = solver_def_default();
    def.kind = kind;
    def.tolerance = tolerance;
    solver *s;
    assert_ok(ctx, solver_create(ctx, &def, &s));
    assert_ok(ctx, solver_prepare(s, a, l, false));
    return s;
}

static void every_kind_finds_the_solution(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    graph g = box(14, true, 1e-2);
    laplacian a = matrix_of(ctx, &g);
    double *x = malloc(3 * g.rows * sizeof *x), *b = x + g.rows, *y = b + g.rows;
    fill_random(x, g.rows, 11);
    laplacian_apply(ctx, &a, x, b);
    uint32_t iterations[SOLVER_KINDS];
    for (int kind = 0; kind < SOLVER_KINDS; kind++) {
        solver *s = solver_for(ctx, (solver_kind)kind, 1e-11, &a, NULL);
        solver_report report;
        fill_random(y, g.rows, 12); /* a guess that is of no help */
        solver_solve(s, b, y, &report);
        assert_int_equal(report.outcome, SOLVER_CONVERGED);
        assert_true(report.residual <= 1e-11);
        double worst = 0;
        for (uint32_t i = 0; i < g.rows; i++) worst = fmax(worst, fabs(x[i] - y[i]));
        assert_true(worst < 1e-7);
        iterations[kind] = report.iterations;
        solver_solve(s, b, y, &report); /* the solution as the guess */
        assert_int_equal(report.iterations, 0);
        solver_destroy(s);
    }
    assert_true(iterations[SOLVER_JACOBI] < iterations[SOLVER_CG]);
    assert_true(2 * iterations[SOLVER_IC] < iterations[SOLVER_JACOBI]);
    assert_true(iterations[SOLVER_MIC] <= iterations[SOLVER_IC]);
    assert_true(iterations[SOLVER_AMG] < iterations[SOLVER_MIC]);
    free(x);
    graph_free(&g);
    laplacian_clear(ctx, &a);
    rill_ctx_destroy(ctx);
}

/* Two closed boxes, an open one and a lone cell, each with a right side of its own. */
static graph four_parts(void)
{
    enum { N = 7, CELLS = N * N * N };
    graph closed = box(N, false, 0.1), open = box(N, true, 0.1), g = graph_make(3 * CELLS + 1, 9 * CELLS);
    for (uint32_t part = 0; part < 3; part++) {
        const graph *from = part == 1 ? &open : &closed;
        for (size_t k = 0; k < from->edges; k++)
            graph_join(&g, from->edge[k].a + part * CELLS, from->edge[k].b + part * CELLS,
                       from->edge[k].weight);
        for (uint32_t i = 0; i < CELLS; i++) g.extra[part * CELLS + i] = from->extra[i];
    }
    graph_free(&closed);
    graph_free(&open);
    return g;
}

static void singular_parts_are_centred_and_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    graph g = four_parts();
    laplacian a = matrix_of(ctx, &g);
    const uint32_t cells = (g.rows - 1) / 3;
    double *x = calloc(3 * g.rows, sizeof *x), *b = x + g.rows, *y = b + g.rows;
    fill_random(x, g.rows, 21);
    laplacian_apply(ctx, &a, x, b);
    for (int kind = 0; kind < SOLVER_KINDS; kind++) {
        solver *s = solver_for(ctx, (solver_kind)kind, 1e-10, &a, NULL);
        solver_report report;
        assert_int_equal(solver_singular_count(s), 3);
        memset(y, 0, g.rows * sizeof *y);
        solver_solve(s, b, y, &report);
        assert_int_equal(report.outcome, SOLVER_CONVERGED);
        assert_true(report.imbalance < 1e-7);
        for (uint32_t part = 0; part < 3; part++) {
            double mean = 0, shift = part == 1 ? 0 : x[part * cells] - y[part * cells], worst = 0;
            for (uint32_t i = part * cells; i < (part + 1) * cells; i++) {
                mean += y[i] / cells;
                worst = fmax(worst, fabs(x[i] - y[i] - shift));
            }
            assert_true(worst < 1e-7);
            if (part != 1) assert_true(fabs(mean) < 1e-10);
        }
        assert_true(fabs(y[g.rows - 1]) < 1e-12);

        double unbalanced = b[2 * cells + 5]; /* more flows in than out in the third part */
        b[2 * cells + 5] += 10;
        memset(y, 0, g.rows * sizeof *y);
        solver_solve(s, b, y, &report);
        assert_int_equal(report.outcome, SOLVER_CONVERGED);
        assert_true(report.imbalance > 0.01);
        assert_int_equal(report.imbalance_row, 2 * cells);
        b[2 * cells + 5] = unbalanced;
        solver_destroy(s);
    }
    free(x);
    graph_free(&g);
    laplacian_clear(ctx, &a);
    rill_ctx_destroy(ctx);
}

/* A body in a box of cells: the faces around it, from `mass` nearly nothing to enormous.
 * closed: the six vectors sum to zero over its surface. */
static void couple(uint32_t n, double mass, bool closed, low_rank_entry *entry, uint32_t *count)
{
    *count = 0;
    for (uint32_t z = n / 3; z < 2 * n / 3; z++)
        for (uint32_t y = n / 3; y < 2 * n / 3; y++) {
            low_rank_entry left = {.row = (z * n + y) * n + n / 3},
                           right = {.row = (z * n + y) * n + 2 * n / 3};
            for (int c = 0; c < LOW_RANK_WIDTH; c++) {
                const double v =
                    (c == 0 ? 1 : uniform(31, 1000 * y + 10 * z + (uint32_t)c) - 0.5) / sqrt(mass);
                left.v[c] = v;
                right.v[c] = closed ? -v : 0.3 * v;
            }
            entry[(*count)++] = left;
            entry[(*count)++] = right;
        }
}

static void coupling_equals_dense_twin(void **state)
{
    (void)state;
    enum { N = 8, CELLS = N * N * N };
    static const double mass[] = {1e-8, 1e-3, 1, 1e3, 1e8};
    rill_ctx *ctx = test_ctx(2);
    for (int variant = 0; variant < 3; variant++) {
        const bool open = variant == 0, closed_body = variant < 2;
        graph g = box(N, open, 0.1);
        laplacian a = matrix_of(ctx, &g);
        for (size_t m = 0; m < sizeof mass / sizeof *mass; m++) {
            low_rank_entry entry[CELLS];
            uint32_t start[2] = {0};
            couple(N, mass[m], closed_body, entry, &start[1]);
            const low_rank l = {1, start, entry};
            double *twin = dense_of(&g), b[CELLS], x[CELLS], direct[CELLS];
            for (uint32_t i = 0; i < start[1]; i++)
                for (uint32_t j = 0; j < start[1]; j++)
                    for (int c = 0; c < LOW_RANK_WIDTH; c++)
                        twin[(size_t)entry[i].row * CELLS + entry[j].row] += entry[i].v[c] * entry[j].v[c];
            /* a right side that is compatible with every variant */
            double sum = 0;
            fill_random(b, CELLS, 41);
            for (int i = 0; i < CELLS; i++) sum += b[i];
            for (int i = 0; i < CELLS; i++) b[i] -= sum / CELLS;
            /* the matrix is of size 1 / mass: rounding keeps |b - A x| from going below 1e-16 of that */
            solver *s = solver_for(ctx, SOLVER_AMG, mass[m] < 1e-6 ? 1e-8 : 1e-10, &a, &l);
            assert_int_equal(solver_singular_count(s), variant == 1 ? 1 : 0);
            solver_report report;
            memset(x, 0, sizeof x);
            solver_solve(s, b, x, &report);
            assert_int_equal(report.outcome, SOLVER_CONVERGED);
            assert_true(report.iterations < 30);
            /* the twin's residual rather than its solution: the dense factor is the less exact of the two */
            double worst = 0;
            for (int i = 0; i < CELLS; i++) {
                direct[i] = -b[i];
                for (int j = 0; j < CELLS; j++) direct[i] += twin[(size_t)i * CELLS + (size_t)j] * x[j];
                worst = fmax(worst, fabs(direct[i]));
            }
            assert_true(worst < (mass[m] < 1e-6 ? 1e-6 : 1e-8));
            solver_destroy(s);
            free(twin);
        }
        graph_free(&g);
        laplacian_clear(ctx, &a);
    }
    rill_ctx_destroy(ctx);
}

static void kept_hierarchy_solves_a_like_matrix(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    graph g = box(24, true, 0.2);
    laplacian a = matrix_of(ctx, &g);
    for (size_t k = 0; k < g.edges; k++) g.edge[k].weight *= (float)(0.8 + 0.4 * uniform(51, k));
    laplacian changed = matrix_of(ctx, &g);
    double *b = malloc(2 * g.rows * sizeof *b), *x = b + g.rows;
    fill_random(b, g.rows, 52);
    solver *s = solver_for(ctx, SOLVER_AMG, 1e-8, &a, NULL);
    solver_report own, kept;
    assert_ok(ctx, solver_prepare(s, &changed, NULL, false));
    memset(x, 0, g.rows * sizeof *x);
    solver_solve(s, b, x, &own);
    assert_ok(ctx, solver_prepare(s, &a, NULL, false));
    assert_ok(ctx, solver_prepare(s, &changed, NULL, true));
    memset(x, 0, g.rows * sizeof *x);
    solver_solve(s, b, x, &kept);
    assert_int_equal(kept.outcome, SOLVER_CONVERGED);
    assert_true(kept.iterations <= own.iterations + 4);
    double *q = malloc(g.rows * sizeof *q);
    laplacian_apply(ctx, &changed, x, q);
    double worst = 0;
    for (uint32_t i = 0; i < g.rows; i++) worst = fmax(worst, fabs(q[i] - b[i]));
    assert_true(worst < 1e-6);
    free(q);
    free(b);
    solver_destroy(s);
    laplacian_clear(ctx, &a);
    laplacian_clear(ctx, &changed);
    graph_free(&g);
    rill_ctx_destroy(ctx);
}

static void not_converging_is_an_answer(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    graph g = box(10, true, 1e-3);
    laplacian a = matrix_of(ctx, &g);
    double *b = malloc(2 * g.rows * sizeof *b), *x = b + g.rows;
    fill_random(b, g.rows, 61);
    solver_def def = {.kind = SOLVER_CG, .tolerance = 1e-9, .max_iterations = 5};
    solver *s;
    solver_report report;
    assert_ok(ctx, solver_create(ctx, &def, &s));
    assert_ok(ctx, solver_prepare(s, &a, NULL, false));
    memset(x, 0, g.rows * sizeof *x);
    solver_solve(s, b, x, &report);
    assert_int_equal(report.outcome, SOLVER_LIMIT);
    assert_int_equal(report.iterations, 5);
    solver_destroy(s);

    s = solver_for(ctx, SOLVER_AMG, 1e-30, &a, NULL); /* below rounding */
    memset(x, 0, g.rows * sizeof *x);
    solver_solve(s, b, x, &report);
    assert_int_equal(report.outcome, SOLVER_STALLED);
    assert_true(report.residual < 1e-12);
    b[3] = NAN;
    solver_solve(s, b, x, &report);
    assert_int_equal(report.outcome, SOLVER_DIVERGED);
    memset(b, 0, g.rows * sizeof *b);
    x[0] = 3;
    solver_solve(s, b, x, &report);
    assert_int_equal(report.outcome, SOLVER_CONVERGED);
    assert_true(x[0] == 0);
    solver_destroy(s);
    free(b);
    laplacian_clear(ctx, &a);
    graph_free(&g);
    rill_ctx_destroy(ctx);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    graph g = box(26, true, 1e-2);
    double *first = NULL, *b = malloc(g.rows * sizeof *b);
    fill_random(b, g.rows, 71);
    for (int threads = 1; threads <= 4; threads++) {
        rill_ctx *ctx = test_ctx(threads);
        laplacian a = matrix_of(ctx, &g);
        solver *s = solver_for(ctx, SOLVER_AMG, 1e-9, &a, NULL);
        double *x = calloc(g.rows, sizeof *x);
        solver_report report;
        solver_solve(s, b, x, &report);
        assert_int_equal(report.outcome, SOLVER_CONVERGED);
        if (first)
            assert_memory_equal(first, x, g.rows * sizeof *x);
        else
            first = x;
        if (x != first) free(x);
        solver_destroy(s);
        laplacian_clear(ctx, &a);
        rill_ctx_destroy(ctx);
    }
    free(first);
    free(b);
    graph_free(&g);
}

static rill_status build_and_prepare(rill_ctx *ctx, const graph *g, const low_rank *l, solver_kind kind)
{
    laplacian a = {0};
    solver *s = NULL;
    solver_def def = solver_def_default();
    def.kind = kind;
    rill_status st = laplacian_build(ctx, g->rows, g->edges, g->edge, g->extra, &a);
    if (!st) st = solver_create(ctx, &def, &s);
    if (!st) st = solver_prepare(s, &a, l, false);
    solver_destroy(s);
    laplacian_clear(ctx, &a);
    return st;
}

static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    graph g = box(12, true, 0.1);
    low_rank_entry entry[2000];
    uint32_t start[2] = {0};
    couple(12, 1, true, entry, &start[1]);
    const low_rank l = {1, start, entry};
    for (int kind = SOLVER_JACOBI; kind < SOLVER_KINDS; kind++) {
        rill_status st = RILL_NO_MEMORY;
        for (uint64_t n = 1; st; n++) {
            failing_allocator f = {.fail_at = 0};
            rill_ctx *ctx = test_ctx_failing(2, &f);
            const uint64_t live = f.live;
            f.fail_at = f.calls + n;
            st = build_and_prepare(ctx, &g, &l, (solver_kind)kind);
            if (st) assert_int_equal(st, RILL_NO_MEMORY);
            assert_int_equal(f.live, live);
            rill_ctx_destroy(ctx);
        }
    }
    graph_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_equals_dense_twin),
        cmocka_unit_test(constants_are_in_the_null_space),
        cmocka_unit_test(bad_edges_are_named),
        cmocka_unit_test(components_equal_flood_fill),
        cmocka_unit_test(incomplete_factor_of_a_tree_is_exact),
        cmocka_unit_test(cycle_is_symmetric_and_positive),
        cmocka_unit_test(every_kind_finds_the_solution),
        cmocka_unit_test(singular_parts_are_centred_and_told),
        cmocka_unit_test(coupling_equals_dense_twin),
        cmocka_unit_test(kept_hierarchy_solves_a_like_matrix),
        cmocka_unit_test(not_converging_is_an_answer),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
