/* Tables, plots and contact sheets. */
#include "support.h"

#include "base/arena.h"
#include "io/file.h"
#include "io/table.h"
#include "render/canvas.h"
#include "render/plot.h"
#include "run/figure.h"
#include "run/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/rill_plot_XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *write_text(rill_ctx *ctx, const char *name, const char *content)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(ctx, file_write_all(ctx, path, content, strlen(content)));
    return path;
}

/* ---- tables ---- */

static void json_lines_become_columns(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    table t;
    const char *path =
        write_text(ctx, "stats.jsonl",
                   "{\"t\":0.5,\"dt\":1e-3,\"name\":\"x\",\"stage_s\":{\"move\":2,\"solve\":3}}\n"
                   "{\"t\":1,\"stage_s\":{\"solve\":4},\"late\":7}\n"
                   "{\"t\":1.5,\"dt\":2e-");
    assert_ok(ctx, table_read_jsonl(ctx, path, &t));
    assert_int_equal(t.rows, 2);
    assert_int_equal(t.damaged, 1);
    assert_non_null(strstr(t.damage, "stats.jsonl:3:"));
    assert_true(table_find(&t, "t")[0] == 0.5 && table_find(&t, "t")[1] == 1);
    assert_true(table_find(&t, "dt")[0] == 1e-3 && isnan(table_find(&t, "dt")[1]));
    assert_true(isnan(table_find(&t, "stage_s.move")[1]) && table_find(&t, "stage_s.solve")[1] == 4);
    assert_true(isnan(table_find(&t, "late")[0]) && table_find(&t, "late")[1] == 7);
    assert_null(table_find(&t, "name"));
    table_clear(&t);
    rill_ctx_destroy(ctx);
}

static void csv_is_read_as_people_write_it(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    table t;
    const char *path =
        write_text(ctx, "a.csv", "# measured\r\n\"t\", height \r\n0,1.5\r\n\r\n1,,\n2,oops\n3,-2e1 # end\n");
    assert_ok(ctx, table_read_csv(ctx, path, &t));
    assert_int_equal(t.column_count, 2);
    assert_int_equal(t.rows, 2); /* "1,," has a field too many, "oops" is no number */
    assert_int_equal(t.damaged, 2);
    assert_non_null(strstr(t.damage, "a.csv:5:"));
    assert_true(table_find(&t, "height")[0] == 1.5 && table_find(&t, "height")[1] == -20);
    assert_true(table_find(&t, "t")[1] == 3);
    table_clear(&t);
    path = write_text(ctx, "b.csv", "0.41,1.11\n0.84,1.22\n");
    assert_ok(ctx, table_read_csv(ctx, path, &t));
    assert_int_equal(t.rows, 2);
    assert_true(table_find(&t, "1")[1] == 0.84 && table_find(&t, "2")[0] == 1.11);
    table_clear(&t);
    assert_int_equal(table_read_csv(ctx, "/nowhere/at/all.csv", &t), RILL_BAD_FILE);
    rill_ctx_destroy(ctx);
}

static void tables_survive_failed_allocations(void **state)
{
    (void)state;
    rill_status st = RILL_NO_MEMORY;
    for (uint64_t n = 1; st; n++) {
        failing_allocator f = {.fail_at = 0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        const char *path = write_text(ctx, "c.jsonl", "{\"t\":0.5,\"dt\":1}\n{\"t\":1,\"s\":{\"a\":4}}\n");
        const uint64_t live = f.live;
        f.fail_at = f.calls + n;
        table t = {.rows = 99};
        st = table_read_jsonl(ctx, path, &t);
        if (st) {
            assert_int_equal(st, RILL_NO_MEMORY);
            assert_int_equal(t.rows, 99);
        } else {
            table_clear(&t);
        }
        assert_int_equal(f.live, live);
        rill_ctx_destroy(ctx);
    }
}

/* ---- plots ---- */

static void round_steps(void **state)
{
    (void)state;
    static const double cases[][2] = {{1, 1}, {1.9, 1},     {2, 2},        {4.99, 2},
                                      {7, 5}, {0.03, 0.02}, {12345, 10000}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_true(fabs(plot_round_down(cases[k][0]) - cases[k][1]) < 1e-12 * cases[k][1]);
}

/* A long curve keeps its one outlier however much it is thinned; the file stays small. */
static void thinning_keeps_extremes(void **state)
{
    (void)state;
    enum { N = 200000, SPIKE = 123457 };
    rill_ctx *ctx = test_ctx(1);
    double *x = malloc(2 * N * sizeof *x), *y = x + N;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = i == SPIKE ? 100 : sin(0.01 * i);
    }
    const plot_series series = {"curve", N, x, y, false, 0};
    const plot_panel panel = {"a < b & c", "t, s", 1, &series, false};
    plot_def def = plot_def_default();
    def.panel_count = 1;
    def.panel = &panel;
    char path[256], *svg;
    size_t length;
    snprintf(path, sizeof path, "%s/p.svg", folder);
    assert_ok(ctx, plot_write_svg(ctx, path, &def));
    assert_ok(ctx, file_read_all(ctx, path, 1 << 24, &svg, &length));
    assert_true(length < 60000);
    assert_non_null(strstr(svg, "a &lt; b &amp; c"));
    assert_non_null(strstr(svg, ">100<")); /* its tick */
    /* the highest point of the curve is near the top of the panel */
    double highest = INFINITY;
    for (const char *s = strstr(svg, "points=\"") + 8; *s != '"';) {
        char *end;
        (void)strtod(s, &end);
        highest = fmin(highest, strtod(end + 1, &end));
        s = *end == ' ' ? end + 1 : end;
    }
    assert_true(highest < 34 + 26 + 0.06 * 200);
    mem_free(ctx, svg);
    free(x);
    rill_ctx_destroy(ctx);
}

static void odd_data_draws(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double x[] = {0, 1, 2, 3, NAN, 5}, flat[] = {7, 7, 7, 7, 7, 7},
                 holes[] = {1, NAN, INFINITY, -1e300, 1, 1e300};
    const plot_series series[] = {
        {"flat", 6, x, flat, false, 0}, {"holes", 6, x, holes, false, 0}, {"none", 0, x, x, true, 0}};
    const plot_panel panel[] = {{"flat", "t", 1, &series[0], false},
                                {"holes", "t", 1, &series[1], true},
                                {"none", "t", 1, &series[2], false},
                                {"all", "t", 3, series, false}};
    plot_def def = plot_def_default();
    def.panel_count = 4;
    def.panel = panel;
    image im;
    assert_ok(ctx, plot_draw(ctx, &def, &im));
    assert_int_equal(im.width, 2 * def.panel_width);
    image_clear(ctx, &im);
    rill_ctx_destroy(ctx);
}

static void shrinking_keeps_the_mean(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    image from, to;
    assert_ok(ctx, canvas_create(ctx, 40, 20, (rgb){0, 0, 0}, &from));
    assert_ok(ctx, canvas_create(ctx, 12, 12, (rgb){9, 9, 9}, &to));
    canvas_fill(&from, 0, 0, 20, 99, (rgb){200, 100, 50}); /* the left half, and cut at the bottom */
    canvas_image(&to, 1, 1, 10, 10, &from);
    const uint8_t *left = to.rgb + 3 * (12 * 5 + 3), *right = to.rgb + 3 * (12 * 5 + 9), *edge = to.rgb;
    assert_true(left[0] == 200 && left[1] == 100 && left[2] == 50);
    assert_true(right[0] == 0 && edge[0] == 9);
    image_clear(ctx, &from);
    image_clear(ctx, &to);
    rill_ctx_destroy(ctx);
}

/* ---- a run's figure ---- */

static void figure_has_what_the_run_has(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    run_tables run[2] = {0};
    arena_init(&arena, ctx);
    write_text(ctx, "stats.jsonl",
               "{\"frame\":1,\"t\":0.1,\"kinetic\":1,\"potential\":5,\"stage_s\":{\"solve\":3}}\n"
               "{\"frame\":1,\"t\":0.2,\"kinetic\":2,\"potential\":3,\"stage_s\":{\"solve\":4}}\n"
               "{\"frame\":2,\"t\":0.3,\"kinetic\":3,\"potential\":1,\"stage_s\":{\"solve\":5}}\n");
    write_text(ctx, "gauges.csv", "t,H1\n0.1,3\n0.2,4\n0.3,5\n");
    assert_ok(ctx, run_tables_read(ctx, folder, "one", &run[0]));
    assert_ok(ctx, run_tables_read(ctx, folder, "two", &run[1]));
    plot_def def = plot_def_default();
    assert_ok(ctx, figure_build(&arena, 1, run, 0, NULL, &def));
    assert_int_equal(def.panel_count, 3); /* energy, seconds, H1 */
    assert_int_equal(def.panel[0].series_count, 3);
    assert_string_equal(def.panel[0].series[2].name, "total");
    assert_true(def.panel[0].series[2].y[1] == 5);
    assert_int_equal(def.panel[1].series[0].count, 2); /* frames */
    assert_true(def.panel[1].series[0].y[0] == 7 && def.panel[1].series[0].y[1] == 5);

    const double x[] = {0.1}, y[] = {9};
    const figure_data good = {"H1", "experiment", 1, x, y}, bad = {"H7", "experiment", 1, x, y};
    assert_ok(ctx, figure_build(&arena, 2, run, 1, &good, &def));
    assert_int_equal(def.panel[0].series_count, 2); /* the totals of both */
    assert_int_equal(def.panel[0].series[1].color, 2);
    const plot_panel *last = &def.panel[def.panel_count - 1];
    assert_int_equal(last->series_count, 3);
    assert_true(last->series[2].dots && last->series[2].y[0] == 9);
    assert_int_equal(last->series[2].color, 3);
    assert_int_equal(figure_build(&arena, 2, run, 1, &bad, &def), RILL_USAGE);
    assert_non_null(strstr(rill_ctx_message(ctx), "H1"));
    run_tables_clear(&run[0]);
    run_tables_clear(&run[1]);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void gaps_between_frames_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    char path[256];
    frame_list l;
    snprintf(path, sizeof path, "%s/frames", folder);
    assert_int_equal(frames_list(ctx, folder, &l), RILL_BAD_FILE);
    assert_int_equal(mkdir(path, 0777), 0);
    static const char *const names[] = {"frames/surface_0002.ply",   "frames/particles_0002.ply",
                                        "frames/particles_0003.ply", "frames/surface_0007.ply",
                                        "frames/surface_0005.ply~",  "frames/.surface_0004.ply.tmp",
                                        "frames/surface_.ply",       "frames/particles_12345.ply"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) write_text(ctx, names[k], "x");
    assert_ok(ctx, frames_list(ctx, folder, &l));
    static const uint32_t expected[] = {2, 3, 7, 12345};
    assert_int_equal(l.count, 4);
    assert_memory_equal(l.frame, expected, sizeof expected);
    assert_int_equal(l.first_missing, 4);
    assert_int_equal(l.missing, 3 + 12337);
    frames_clear(ctx, &l);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_lines_become_columns),         cmocka_unit_test(csv_is_read_as_people_write_it),
        cmocka_unit_test(tables_survive_failed_allocations), cmocka_unit_test(round_steps),
        cmocka_unit_test(thinning_keeps_extremes),           cmocka_unit_test(odd_data_draws),
        cmocka_unit_test(shrinking_keeps_the_mean),          cmocka_unit_test(figure_has_what_the_run_has),
        cmocka_unit_test(gaps_between_frames_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
