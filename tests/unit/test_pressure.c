/* The pressure solvers against a dense factorisation, on domains that are hard for some
 * reason; what the report tells; memory. */
#include "base/memory.h"
#include "bench/pressure_domains.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the system as it is written in the header, cell by cell --- */

typedef struct neighbour {
    size_t cell;
    double a;
} neighbour;

static int neighbours_of(const pressure_cells *c, size_t i, neighbour *out)
{
    int n = 0, at[3];
    pressure_cells_place(c, i, at);
    for (int axis = 0; axis < c->def.dimensions; axis++)
        for (int up = 0; up < 2; up++) {
            int q[3] = {at[0], at[1], at[2]};
            q[axis] += up ? 1 : -1;
            const size_t j = pressure_cells_index(c, q[0], q[1], q[2]);
            if (j == SIZE_MAX || !c->active[j] || !c->active[i]) continue;
            const double a = c->a[axis][up ? i : j];
            if (a > 0) out[n++] = (neighbour){j, a};
        }
    return n;
}

static double plain_apply(const pressure_cells *c, const double *p, size_t i)
{
    neighbour near[6];
    const int n = neighbours_of(c, i, near);
    double sum = c->e[i] * p[i];
    for (int k = 0; k < n; k++) sum += near[k].a * (p[i] - p[near[k].cell]);
    return sum;
}

/* Parts without a free surface: label per cell, -1 for the others. */
static int plain_parts(const pressure_cells *c, int *label)
{
    int parts = 0;
    size_t *stack = malloc(c->count * sizeof *stack);
    for (size_t i = 0; i < c->count; i++) label[i] = -2;
    for (size_t i = 0; i < c->count; i++) {
        if (!c->active[i] || label[i] != -2) continue;
        size_t n = 0, done = 0;
        bool closed = true;
        stack[n++] = i;
        label[i] = parts;
        while (done < n) {
            const size_t at = stack[done++];
            neighbour near[6];
            closed &= c->e[at] == 0;
            for (int k = neighbours_of(c, at, near); k-- > 0;)
                if (label[near[k].cell] == -2) {
                    label[near[k].cell] = parts;
                    stack[n++] = near[k].cell;
                }
        }
        if (closed)
            parts++;
        else
            for (size_t k = 0; k < n; k++) label[stack[k]] = -1;
    }
    free(stack);
    return parts;
}

/* b with the mean of each singular part taken off. */
static double *plain_right_side(const pressure_cells *c, const int *label, int parts)
{
    double *b = calloc(c->count, sizeof *b), *sum = calloc((size_t)parts + 1, sizeof *sum);
    int *count = calloc((size_t)parts + 1, sizeof *count);
    for (size_t i = 0; i < c->count; i++)
        if (label[i] >= 0) {
            sum[label[i]] += c->b[i];
            count[label[i]]++;
        }
    for (size_t i = 0; i < c->count; i++)
        if (c->active[i]) b[i] = c->b[i] - (label[i] >= 0 ? sum[label[i]] / count[label[i]] : 0);
    free(sum);
    free(count);
    return b;
}

static double plain_residual(const pressure_cells *c)
{
    int *label = malloc(c->count * sizeof *label);
    double *b = plain_right_side(c, label, plain_parts(c, label)), above = 0, below = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->active[i]) {
            const double r = b[i] - plain_apply(c, c->p, i);
            above += r * r;
            below += b[i] * b[i];
        }
    free(b);
    free(label);
    return sqrt(above / below);
}

/* Cholesky of the matrix, with 1 added to all pairs of a singular part: its solution for a
 * compatible right side has mean zero there. */
static void dense_solve(const pressure_cells *c, double *p)
{
    int *label = malloc(c->count * sizeof *label);
    double *b = plain_right_side(c, label, plain_parts(c, label));
    size_t *row = malloc(c->count * sizeof *row), *cell = malloc(c->count * sizeof *cell), n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->active[i]) {
            row[i] = n;
            cell[n++] = i;
        }
    double *m = calloc(n * n, sizeof *m), *x = calloc(n, sizeof *x);
    for (size_t r = 0; r < n; r++) {
        neighbour near[6];
        m[r * n + r] += c->e[cell[r]];
        for (int k = neighbours_of(c, cell[r], near); k-- > 0;) {
            m[r * n + r] += near[k].a;
            m[r * n + row[near[k].cell]] -= near[k].a;
        }
        for (size_t s = 0; s < n; s++)
            if (label[cell[r]] >= 0 && label[cell[r]] == label[cell[s]]) m[r * n + s] += 1;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            double sum = m[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= m[i * n + k] * m[j * n + k];
            m[i * n + j] = i == j ? sqrt(sum) : sum / m[j * n + j];
        }
    for (size_t i = 0; i < n; i++) {
        double sum = b[cell[i]];
        for (size_t k = 0; k < i; k++) sum -= m[i * n + k] * x[k];
        x[i] = sum / m[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        double sum = x[i];
        for (size_t k = i + 1; k < n; k++) sum -= m[k * n + i] * x[k];
        x[i] = sum / m[i * n + i];
    }
    memset(p, 0, c->count * sizeof *p);
    for (size_t i = 0; i < n; i++) p[cell[i]] = x[i];
    free(label);
    free(b);
    free(row);
    free(cell);
    free(m);
    free(x);
}

static pressure_cells make(rill_ctx *ctx, pressure_domain domain, int dimensions, int n)
{
    pressure_cells c;
    assert_ok(ctx, pressure_domain_make(ctx, domain, dimensions, n, &c));
    return c;
}

static pressure_report solve_with(rill_ctx *ctx, pressure_cells *c, const pressure_def *def)
{
    pressure_solver s;
    pressure_report r;
    pressure_solver_init(&s, ctx);
    assert_ok(ctx, pressure_solve(&s, &c->system, def, c->p, &r));
    pressure_solver_clear(&s);
    return r;
}

/* --- tests --- */

static void solvers_match_dense(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int domain = 0; domain < DOMAINS; domain++) {
            pressure_cells c = make(ctx, (pressure_domain)domain, dimensions, dimensions == 2 ? 21 : 9);
            double *exact = malloc(c.count * sizeof *exact), largest = 0;
            dense_solve(&c, exact);
            for (size_t i = 0; i < c.count; i++) largest = fmax(largest, fabs(exact[i]));
            for (int method = 0; method < PRESSURE_METHODS; method++) {
                pressure_def def = pressure_def_default();
                def.method = (pressure_method)method;
                def.tolerance = 1e-9;
                const pressure_report r = solve_with(ctx, &c, &def);
                double error = 0;
                for (size_t i = 0; i < c.count; i++) error = fmax(error, fabs(c.p[i] - exact[i]));
                if (r.end != PRESSURE_CONVERGED || !(error <= 2e-6 * largest))
                    fail_msg("%dD %s by %s: end %d after %u, residual %g, error %g of %g", dimensions,
                             pressure_domain_words[domain], pressure_method_words[method], (int)r.end,
                             r.iterations, r.residual, error, largest);
            }
            free(exact);
            pressure_cells_clear(&c);
        }
    rill_ctx_destroy(ctx);
}

/* Without air, Jacobi with a full step turns a chess board over and over: it must say so. */
static void jacobi_stalls(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    pressure_cells c = make(ctx, DOMAIN_FULL, 2, 16);
    for (size_t i = 0; i < c.count; i++) {
        int at[3];
        pressure_cells_place(&c, i, at);
        c.b[i] = (at[0] + at[1]) & 1 ? 1 : -1;
    }
    pressure_def def = pressure_def_default();
    def.method = PRESSURE_JACOBI;
    def.omega = 1;
    const pressure_report r = solve_with(ctx, &c, &def);
    assert_int_equal(r.end, PRESSURE_STALLED);
    assert_true(r.residual > 1e-3);
    pressure_cells_clear(&c);
    rill_ctx_destroy(ctx);
}

static void multigrid_converges_everywhere(void **state)
{
    (void)state;
    /* The random one has no scale: no coarse grid knows it. */
    static const uint32_t most[DOMAINS] = {12, 12, 13, 13, 30, 12, 60, 12};
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int domain = 0; domain < DOMAINS; domain++) {
            pressure_cells c = make(ctx, (pressure_domain)domain, dimensions, dimensions == 2 ? 96 : 40);
            const pressure_def def = pressure_def_default();
            const pressure_report r = solve_with(ctx, &c, &def);
            const double residual = plain_residual(&c);
            if (r.end != PRESSURE_CONVERGED || !(residual <= 1e-6) || r.iterations > most[domain])
                fail_msg("%dD %s: end %d after %u, residual %g, in truth %g", dimensions,
                         pressure_domain_words[domain], (int)r.end, r.iterations, r.residual, residual);
            assert_true(fabs(r.residual - residual) <= 1e-6 * residual + 1e-12);
            int *label = malloc(c.count * sizeof *label);
            assert_int_equal(r.singular, plain_parts(&c, label));
            free(label);
            pressure_cells_clear(&c);
        }
    rill_ctx_destroy(ctx);
}

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    for (int domain = 0; domain < DOMAINS; domain++) {
        double *first = NULL;
        for (int threads = 1; threads <= 5; threads += threads == 3 ? 2 : 1) {
            rill_ctx *ctx = test_ctx(threads);
            pressure_cells c = make(ctx, (pressure_domain)domain, 3, 40);
            const pressure_def def = pressure_def_default();
            (void)solve_with(ctx, &c, &def);
            if (!first) {
                first = malloc(c.count * sizeof *first);
                memcpy(first, c.p, c.count * sizeof *first);
            }
            assert_memory_equal(first, c.p, c.count * sizeof *first);
            pressure_cells_clear(&c);
            rill_ctx_destroy(ctx);
        }
        free(first);
    }
}

/* --- the report --- */

static void report_tells(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    pressure_cells c = make(ctx, DOMAIN_SPHERES, 3, 24);
    pressure_def def = pressure_def_default();

    def.tolerance = 1e-12; /* far below single precision */
    pressure_report r = solve_with(ctx, &c, &def);
    assert_int_equal(r.end, PRESSURE_CONVERGED);
    assert_true(plain_residual(&c) <= 1.01e-12);

    def.warm = true;
    def.tolerance = 1e-6;
    r = solve_with(ctx, &c, &def);
    assert_int_equal(r.end, PRESSURE_CONVERGED);
    assert_int_equal(r.iterations, 0);

    def.warm = false;
    for (int method = 0; method < PRESSURE_METHODS; method++) {
        def.method = (pressure_method)method;
        def.max_iterations = 2;
        r = solve_with(ctx, &c, &def);
        assert_int_equal(r.end, PRESSURE_MAX_ITERATIONS);
        assert_int_equal(r.iterations, 2);
        assert_true(r.residual > 1e-6 && fabs(r.residual - plain_residual(&c)) < 1e-6 * r.residual);
        def.max_iterations = 0;
        const double kept = c.b[100];
        c.b[100] = NAN;
        c.active[100] = 1;
        r = solve_with(ctx, &c, &def);
        assert_int_equal(r.end, PRESSURE_DIVERGED);
        for (size_t i = 0; i < c.count; i++) assert_true(isfinite(c.p[i]));
        c.b[100] = kept;
        const float open = c.a[0][100];
        c.a[0][100] = NAN; /* a coefficient that is none */
        r = solve_with(ctx, &c, &def);
        assert_int_equal(r.end, PRESSURE_DIVERGED);
        for (size_t i = 0; i < c.count; i++) assert_true(isfinite(c.p[i]));
        c.a[0][100] = open;
    }
    pressure_cells_clear(&c);

    /* A closed box with a flux of 1 into one cell. */
    c = make(ctx, DOMAIN_FULL, 3, 16);
    memset(c.b, 0, c.count * sizeof *c.b);
    c.b[77] = 1;
    def = pressure_def_default();
    r = solve_with(ctx, &c, &def);
    assert_int_equal(r.end, PRESSURE_CONVERGED);
    assert_int_equal(r.singular, 1);
    assert_true(fabs(r.net_flux - 1) < 1e-12);
    double mean = 0;
    for (size_t i = 0; i < c.count; i++) mean += c.p[i] / (double)c.count;
    assert_true(fabs(mean) < 1e-12);

    /* Nothing to do, and nothing there. */
    memset(c.b, 0, c.count * sizeof *c.b);
    r = solve_with(ctx, &c, &def);
    assert_int_equal(r.end, PRESSURE_CONVERGED);
    for (size_t i = 0; i < c.count; i++) assert_true(c.p[i] == 0);
    memset(c.active, 0, c.count);
    for (int method = 0; method < PRESSURE_METHODS; method++) {
        def.method = (pressure_method)method;
        r = solve_with(ctx, &c, &def);
        assert_int_equal(r.end, PRESSURE_CONVERGED);
        assert_int_equal(r.cells, 0);
    }
    def.tolerance = 0;
    pressure_solver s;
    pressure_solver_init(&s, ctx);
    assert_int_equal(pressure_solve(&s, &c.system, &def, c.p, &r), RILL_USAGE);
    pressure_solver_clear(&s);
    pressure_cells_clear(&c);
    rill_ctx_destroy(ctx);
}

/* Right sides of any size, and tiles anywhere: the same digits. */
static void scale_and_place_do_not_matter(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    pressure_cells c = make(ctx, DOMAIN_SPLASH, 3, 32);
    const pressure_def def = pressure_def_default();
    (void)solve_with(ctx, &c, &def);
    double *first = malloc(c.count * sizeof *first);
    memcpy(first, c.p, c.count * sizeof *first);
    for (uint32_t t = 0; t < c.system.tiles; t++)
        for (int k = 0; k < 3; k++) c.tile[t][k] -= 3 * k - 2;
    for (size_t i = 0; i < c.count; i++) c.b[i] *= 0x1p-200;
    (void)solve_with(ctx, &c, &def);
    for (size_t i = 0; i < c.count; i++) assert_true(c.p[i] == first[i] * 0x1p-200);
    free(first);
    pressure_cells_clear(&c);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    static const pressure_domain domains[] = {DOMAIN_MAZE, DOMAIN_CLOSED};
    for (int method = 0; method < PRESSURE_METHODS; method++)
        for (size_t d = 0; d < 2; d++) {
            failing_allocator f = {0};
            rill_ctx *ctx = test_ctx_failing(1, &f);
            pressure_cells c = make(ctx, domains[d], 2, 40);
            for (size_t i = 0; i < c.count; i++) c.p[i] = 7;
            const uint64_t live = f.live;
            pressure_def def = pressure_def_default();
            def.method = (pressure_method)method;
            def.max_iterations = 20; /* multigrid comes to its K-cycle */
            def.tolerance = 1e-13;
            rill_status st = RILL_NO_MEMORY;
            for (uint64_t n = 1; st != RILL_OK; n++) {
                pressure_solver s;
                pressure_report r = {.iterations = 12345};
                pressure_solver_init(&s, ctx);
                f.fail_at = f.calls + n;
                st = pressure_solve(&s, &c.system, &def, c.p, &r);
                if (st) {
                    assert_int_equal(st, RILL_NO_MEMORY);
                    assert_int_equal(r.iterations, 12345);
                    for (size_t i = 0; i < c.count; i++) assert_true(c.p[i] == 7);
                }
                pressure_solver_clear(&s);
                assert_int_equal(f.live, live);
            }
            f.fail_at = 0;
            pressure_cells_clear(&c);
            rill_ctx_destroy(ctx);
        }
}

/* A solver that has solved once has what it needs. */
static void memory_is_kept(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(2, &f);
    pressure_cells c = make(ctx, DOMAIN_SPLASH, 3, 40);
    const pressure_def def = pressure_def_default();
    pressure_solver s;
    pressure_report r;
    pressure_solver_init(&s, ctx);
    for (int i = 0; i < 2; i++) assert_ok(ctx, pressure_solve(&s, &c.system, &def, c.p, &r));
    const uint64_t live = f.live;
    for (int i = 0; i < 3; i++) assert_ok(ctx, pressure_solve(&s, &c.system, &def, c.p, &r));
    assert_int_equal(f.live, live);
    pressure_solver_clear(&s);
    pressure_cells_clear(&c);
    rill_ctx_destroy(ctx);
    assert_int_equal(f.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_match_dense),
        cmocka_unit_test(jacobi_stalls),
        cmocka_unit_test(multigrid_converges_everywhere),
        cmocka_unit_test(threads_give_the_same_bits),

        cmocka_unit_test(report_tells),
        cmocka_unit_test(scale_and_place_do_not_matter),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(memory_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
