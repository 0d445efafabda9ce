/* rill compare: the same scene by several methods or settings, side by side. */
#include "base/parallel.h"
#include "cli/commands.h"
#include "flow/method.h"
#include "io/file.h"
#include "run/figure.h"
#include "run/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 8, MAX_DATA = 16 };

typedef struct {
    const char *out;
    option_texts data;
    int64_t rows, width, threads;
    bool video;
} compare_options;

static const option options[] = {
    {"--out", OPTION_TEXT, offsetof(compare_options, out), "DIR", "where to write; \"compare\" if not given",
     0, 0},
    {"--data", OPTION_TEXTS, offsetof(compare_options, data), "PLOT=FILE",
     "a measured curve (CSV: time and value) over the plot of a gauge or statistic", 0, 0},
    {"--rows", OPTION_INTEGER, offsetof(compare_options, rows), "N",
     "moments on the contact sheet; 6 if not given", 1, 100},
    {"--width", OPTION_INTEGER, offsetof(compare_options, width), "N", "of each picture; 480 if not given",
     16, 4096},
    {"--video", OPTION_FLAG, offsetof(compare_options, video), NULL, "also a video, side by side", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(compare_options, threads), "N",
     "threads; all of the machine's if not given", 1, PARALLEL_MAX_THREADS},
    {0},
};

typedef struct {
    rill_ctx *ctx;
    const compare_options *given;
    const char *out;
    uint32_t runs;
    sheet_run run[MAX_RUNS];
    rill_scene scene[MAX_RUNS];
    frame_list frames[MAX_RUNS];
    run_tables tables[MAX_RUNS];
    table data[MAX_DATA];
    char data_panel[MAX_DATA][TABLE_NAME];
    figure_data curve[MAX_DATA];
    char name[MAX_RUNS][64];
} comparison;

static rill_status write_picture(const comparison *c, const char *name, const image *im)
{
    char *path = path_join(c->ctx, c->out, name);
    if (!path) return mem_failed(c->ctx, strlen(c->out), 1);
    const rill_status st = image_write_png(c->ctx, path, im);
    if (!st && name[0] != 'i') printf("%s\n", path);
    mem_free(c->ctx, path);
    return st;
}

/* The folder's last part; with the method where that does not say it. */
static void name_run(comparison *c, uint32_t r, const char *folder)
{
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/') end--;
    size_t begin = end;
    while (begin > 0 && folder[begin - 1] != '/') begin--;
    const char *method = c->scene[r].method->name;
    char last[48];
    snprintf(last, sizeof last, "%.*s", (int)(end - begin < 40 ? end - begin : 40), folder + begin);
    if (strstr(last, method))
        snprintf(c->name[r], sizeof c->name[r], "%s", last);
    else
        snprintf(c->name[r], sizeof c->name[r], "%s (%.12s)", last, method);
}

static rill_status read_run(comparison *c, uint32_t r, const char *folder)
{
    TRY(frames_scene(c->ctx, folder, &c->scene[r]));
    c->runs = r + 1;
    name_run(c, r, folder);
    TRY(frames_list(c->ctx, folder, &c->frames[r]));
    TRY(run_tables_read(c->ctx, folder, c->name[r], &c->tables[r]));
    c->tables[r].scene = &c->scene[r];
    if (c->tables[r].stats.damaged)
        rill_log(c->ctx, RILL_LOG_WARNING, "%s; left out", c->tables[r].stats.damage);
    c->run[r] = (sheet_run){folder, c->name[r], &c->scene[r], &c->frames[r]};
    return RILL_OK;
}

static rill_status read_data(comparison *c, int k, const char *given)
{
    const char *equals = strchr(given, '=');
    if (!equals || equals == given || !equals[1])
        return rill_fail(c->ctx, RILL_USAGE,
                         "compare: --data takes PLOT=FILE, as in H1=experiment.csv, not \"%s\"", given);
    snprintf(c->data_panel[k], TABLE_NAME, "%.*s", (int)(equals - given), given);
    TRY(table_read_csv(c->ctx, equals + 1, &c->data[k]));
    if (c->data[k].column_count < 2 || c->data[k].rows == 0)
        return rill_fail(c->ctx, RILL_BAD_FILE, "%s: two columns of numbers are needed, time and value",
                         equals + 1);
    const char *slash = strrchr(equals + 1, '/');
    c->curve[k] = (figure_data){c->data_panel[k], slash ? slash + 1 : equals + 1, c->data[k].rows,
                                c->data[k].column[0].value, c->data[k].column[1].value};
    return RILL_OK;
}

static rill_status write_plots(comparison *c)
{
    rill_arena arena;
    plot_def def = plot_def_default();
    image im = {0};
    char *svg = path_join(c->ctx, c->out, "plot.svg");
    arena_init(&arena, c->ctx);
    rill_status st = svg ? RILL_OK : mem_failed(c->ctx, strlen(c->out), 1);
    def.title = c->scene[0].name;
    if (!st) st = figure_build(&arena, c->runs, c->tables, (uint32_t)c->given->data.count, c->curve, &def);
    if (!st) st = plot_write_svg(c->ctx, svg, &def);
    if (!st) printf("%s\n", svg);
    if (!st) st = plot_draw(c->ctx, &def, &im);
    if (!st) st = write_picture(c, "plot.png", &im);
    image_clear(c->ctx, &im);
    arena_clear(&arena);
    mem_free(c->ctx, svg);
    return st;
}

static rill_status write_sheet(comparison *c, int width)
{
    image im = {0};
    const uint32_t rows = c->given->rows ? (uint32_t)c->given->rows : 6;
    rill_status st = sheet_compare(c->ctx, c->runs, c->run, rows, width, &im);
    if (!st) st = write_picture(c, "sheet.png", &im);
    image_clear(c->ctx, &im);
    return st;
}

/* At the first run's pace, until the first run ends. */
static rill_status write_video(comparison *c, int width)
{
    char *images = path_join(c->ctx, c->out, "images"), *path = path_join(c->ctx, c->out, "video.mp4");
    rill_status st = images && path ? folder_create(c->ctx, images) : mem_failed(c->ctx, strlen(c->out), 1);
    const frame_list *l = &c->frames[0];
    for (uint32_t k = 0; !st && k < l->count; k++) {
        image im = {0};
        char name[32];
        if (rill_cancelled(c->ctx))
            st = rill_fail(c->ctx, RILL_CANCELLED, "stopped at frame %u", l->frame[k]);
        if (!st) st = sheet_moment(c->ctx, c->runs, c->run, l->frame[k] / c->scene[0].time.fps, width, &im);
        snprintf(name, sizeof name, "images/%04u.png", k);
        if (!st) st = write_picture(c, name, &im);
        image_clear(c->ctx, &im);
    }
    if (!st) st = video_write(c->ctx, images, 0, l->count, c->scene[0].time.fps, path);
    if (!st) printf("%s\n", path);
    mem_free(c->ctx, images);
    mem_free(c->ctx, path);
    return st;
}

static rill_status compare(comparison *c, int count, char **folder)
{
    const int width = c->given->width ? (int)c->given->width : 480;
    for (int k = 0; k < c->given->data.count; k++) {
        if (k == MAX_DATA)
            return rill_fail(c->ctx, RILL_USAGE, "compare: at most %d curves of --data", MAX_DATA);
        TRY(read_data(c, k, c->given->data.text[k]));
    }
    for (int r = 0; r < count; r++) TRY(read_run(c, (uint32_t)r, folder[r]));
    TRY(folder_create(c->ctx, c->out));
    TRY(write_plots(c));
    TRY(write_sheet(c, width));
    return c->given->video ? write_video(c, width) : RILL_OK;
}

static int compare_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    compare_options given = {0};
    int count = 0;
    rill_status st = options_parse(ctx, self, &given, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    if (given.threads) ctx->def.threads = (int)given.threads;
    comparison *c = mem_zero(ctx, 1, sizeof *c);
    if (!c) return cli_report(ctx, mem_failed(ctx, 1, sizeof *c));
    c->ctx = ctx;
    c->given = &given;
    c->out = given.out ? given.out : "compare";
    st = compare(c, count, argv);
    for (uint32_t r = 0; r < MAX_RUNS; r++) {
        run_tables_clear(&c->tables[r]);
        frames_clear(ctx, &c->frames[r]);
        scene_clear(ctx, &c->scene[r]);
    }
    for (int k = 0; k < MAX_DATA; k++) table_clear(&c->data[k]);
    mem_free(ctx, c);
    return cli_report(ctx, st);
}

const command cmd_compare = {
    "compare", "DIR DIR...", "Runs side by side: plots, contact sheet, video.", options, 1,
    MAX_RUNS,  compare_main};
