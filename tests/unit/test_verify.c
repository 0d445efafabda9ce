/* The verification harness: which figures pass, fits and curves. */
#include "support.h"

#include "bench/bench.h"
#include "run/registry.h"
#include "verify/verify.h"

#include <math.h>
#include <string.h>

typedef struct {
    verify_line last;
    int count;
} lines;

static void keep(void *user, const verify_line *line)
{
    lines *l = user;
    l->last = *line;
    l->count++;
}

static rill_status three_figures(verify *v)
{
    verify_figure(v, "a", 1, AT_MOST, 1);
    verify_figure(v, "b", 2, AT_LEAST, 3);
    verify_figure(v, "c", 5, REPORT, 0);
    return RILL_OK;
}

static rill_status that_fails(verify *v)
{
    return rill_fail(v->ctx, RILL_BLEW_UP, "the liquid left");
}

static rill_status that_is_stopped(verify *v)
{
    return rill_fail(v->ctx, RILL_CANCELLED, "stopped");
}

static void figures_pass_or_fail(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    lines l = {0};
    verify v = {.ctx = ctx, .sink = keep, .user = &l};
    const verify_case ok = {"V-98", "three", NULL, three_figures};
    assert_ok(ctx, verify_run_case(&v, &ok, NULL));
    assert_int_equal(l.count, 3);
    assert_int_equal(v.passed, 2);
    assert_int_equal(v.failed, 1);
    assert_string_equal(l.last.id, "V-98");
    assert_true(isnan(l.last.target));

    const double nothing[] = {NAN, INFINITY};
    for (int i = 0; i < 2; i++) {
        verify_figure(&v, "report", nothing[i], REPORT, 0);
        assert_false(l.last.pass);
        verify_figure(&v, "most", nothing[i], AT_MOST, 1e9);
        assert_false(l.last.pass);
    }
    verify_figure(&v, "least", NAN, AT_LEAST, -1e9);
    assert_false(l.last.pass);

    const uint32_t failed = v.failed;
    const verify_case bad = {"V-99", "fails", NULL, that_fails},
                      stopped = {"V-97", "stops", NULL, that_is_stopped};
    assert_ok(ctx, verify_run_case(&v, &bad, "sph"));
    assert_int_equal(v.failed, failed + 1);
    assert_string_equal(l.last.figure, "completes");
    assert_string_equal(rill_ctx_message(ctx), "V-99 with sph: the liquid left");
    assert_int_equal(verify_run_case(&v, &stopped, NULL), RILL_CANCELLED);
    rill_ctx_destroy(ctx);
}

/* Every case has an id of its own and methods that exist; so has every benchmark. */
static void lists_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; verify_cases[i]; i++) {
        assert_ptr_equal(verify_find(verify_cases[i]->id), verify_cases[i]);
        for (const char *const *m = verify_cases[i]->methods; m && *m; m++) {
            assert_non_null(rill_method_find(*m));
            assert_true(verify_applies(verify_cases[i], *m));
        }
    }
    assert_ptr_equal(verify_find("v-17"), verify_find("V-17"));
    assert_null(verify_find("V-00"));
    for (size_t i = 0; bench_cases[i]; i++) {
        assert_ptr_equal(bench_find(bench_cases[i]->name), bench_cases[i]);
        assert_true(bench_cases[i]->n > 0 && bench_cases[i]->run && strlen(bench_cases[i]->help) > 0);
    }
}

static void order_of_a_power(void **state)
{
    (void)state;
    const double h[] = {0.1, 0.05, 0.02, 0.01};
    double error[4];
    for (double order = 0.5; order < 4; order += 0.5) {
        for (int i = 0; i < 4; i++) error[i] = 3 * pow(h[i], order);
        assert_true(fabs(verify_order(h, error, 4) - order) < 1e-12);
    }
}

static void curves(void **state)
{
    (void)state;
    const verify_point c[] = {{0, 1}, {1, 3}, {1, 5}, {4, 2}};
    assert_true(verify_curve(c, 4, 0) == 1);
    assert_true(verify_curve(c, 4, 0.5) == 2);
    assert_true(verify_curve(c, 4, 2) == 4);
    assert_true(verify_curve(c, 4, 4) == 2);
    assert_true(isnan(verify_curve(c, 4, -0.1)) && isnan(verify_curve(c, 4, 4.1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_pass_or_fail),
                                       cmocka_unit_test(lists_are_sound), cmocka_unit_test(order_of_a_power),
                                       cmocka_unit_test(curves)};
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
