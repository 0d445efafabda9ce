#include "run/glance.h"

#include "io/file.h"
#include "run/figure.h"
#include "run/sheet.h"

#include <stdio.h>
#include <string.h>

enum { SHEET_FRAMES = 12, SHEET_WIDTH = 400 };

/* A picture into the folder; *path: where, the caller's to free, also on failure. */
static rill_status write_picture(rill_ctx *ctx, const char *folder, const char *name, const image *im,
                                 char **path)
{
    *path = path_join(ctx, folder, name);
    return *path ? image_write_png(ctx, *path, im) : mem_failed(ctx, strlen(folder), 1);
}

static rill_status draw_plots(rill_ctx *ctx, const char *folder, const char *title, const run_tables *tables,
                              bool print_names)
{
    rill_arena arena;
    plot_def def = plot_def_default();
    image im = {0};
    char *svg = path_join(ctx, folder, "plot.svg"), *png = NULL;
    rill_status st = svg ? RILL_OK : mem_failed(ctx, strlen(folder), 1);
    arena_init(&arena, ctx);
    def.title = title;
    if (!st) st = figure_build(&arena, 1, tables, 0, NULL, &def);
    if (!st) st = plot_write_svg(ctx, svg, &def);
    if (!st) st = plot_draw(ctx, &def, &im);
    if (!st) st = write_picture(ctx, folder, "plot.png", &im, &png);
    if (!st && print_names) printf("%s\n%s\n", svg, png);
    image_clear(ctx, &im);
    arena_clear(&arena);
    mem_free(ctx, svg);
    mem_free(ctx, png);
    return st;
}

rill_status glance_plot(rill_ctx *ctx, const char *folder, const char *title)
{
    run_tables tables = {0};
    TRY(run_tables_read(ctx, folder, "", &tables));
    const rill_status st = draw_plots(ctx, folder, title, &tables, false);
    run_tables_clear(&tables);
    return st;
}

static rill_status write_sheet(rill_ctx *ctx, const char *folder, const rill_scene *scene)
{
    frame_list frames;
    image im = {0};
    rill_status st = frames_list(ctx, folder, &frames);
    if (st == RILL_BAD_FILE) {
        rill_log(ctx, RILL_LOG_WARNING, "%s", rill_ctx_message(ctx));
        return RILL_OK;
    }
    if (st) return st;
    const sheet_run run = {folder, "", scene, &frames};
    st = sheet_draw(ctx, &run, SHEET_FRAMES, SHEET_WIDTH, &im);
    char *path = NULL;
    if (!st) st = write_picture(ctx, folder, "sheet.png", &im, &path);
    if (!st) printf("%s\n", path);
    mem_free(ctx, path);
    image_clear(ctx, &im);
    frames_clear(ctx, &frames);
    return st;
}

rill_status glance_write(rill_ctx *ctx, const char *folder)
{
    rill_scene scene = {0};
    run_tables tables = {0};
    rill_status st = frames_scene(ctx, folder, &scene);
    const bool drawable = !st;
    if (st == RILL_BAD_FILE || st == RILL_BAD_SCENE) { /* plots need no scene */
        rill_log(ctx, RILL_LOG_WARNING, "%s; no contact sheet", rill_ctx_message(ctx));
        st = RILL_OK;
    }
    if (!st) st = run_tables_read(ctx, folder, "", &tables);
    if (!st && tables.stats.damaged) rill_log(ctx, RILL_LOG_WARNING, "%s; left out", tables.stats.damage);
    if (!st && drawable) tables.scene = &scene;
    if (!st) st = draw_plots(ctx, folder, drawable && scene.name[0] ? scene.name : folder, &tables, true);
    if (!st && drawable) st = write_sheet(ctx, folder, &scene);
    run_tables_clear(&tables);
    scene_clear(ctx, &scene);
    return st;
}
