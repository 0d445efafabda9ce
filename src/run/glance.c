#include "run/glance.h"

#include "io/file.h"
#include "run/figure.h"
#include "run/sheet.h"

#include <stdio.h>
#include <string.h>

enum { SHEET_FRAMES = 12, SHEET_WIDTH = 400 };

static rill_status tell_written(rill_ctx *ctx, const char *folder, const char *name, const image *im)
{
    char *path = path_join(ctx, folder, name);
    if (!path) return mem_failed(ctx, strlen(folder), 1);
    const rill_status st = image_write_png(ctx, path, im);
    if (!st) printf("%s\n", path);
    mem_free(ctx, path);
    return st;
}

static rill_status write_plots(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                               const run_tables *tables)
{
    rill_arena arena;
    plot_def def = plot_def_default();
    image im = {0};
    char *path = path_join(ctx, folder, "plot.svg");
    rill_status st = path ? RILL_OK : mem_failed(ctx, strlen(folder), 1);
    arena_init(&arena, ctx);
    def.title = scene && scene->name[0] ? scene->name : folder;
    if (!st) st = figure_build(&arena, 1, tables, 0, NULL, &def);
    if (!st) st = plot_write_svg(ctx, path, &def);
    if (!st) printf("%s\n", path);
    if (!st) st = plot_draw(ctx, &def, &im);
    if (!st) st = tell_written(ctx, folder, "plot.png", &im);
    image_clear(ctx, &im);
    arena_clear(&arena);
    mem_free(ctx, path);
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
    if (!st) st = tell_written(ctx, folder, "sheet.png", &im);
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
    if (!st) st = write_plots(ctx, folder, drawable ? &scene : NULL, &tables);
    if (!st && drawable) st = write_sheet(ctx, folder, &scene);
    run_tables_clear(&tables);
    scene_clear(ctx, &scene);
    return st;
}
