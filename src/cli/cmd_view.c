/* rill view. */
#include "cli/commands.h"
#include "cli/viewing.h"

#include "base/text.h"
#include "io/file.h"
#include "io/scene_file.h"
#include "run/folder.h"
#include "run/registry.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct view_values {
    const char *out;
    int64_t port, threads;
    bool no_open, force;
} view_values;

static const option view_table[] = {
    {"--port", OPTION_INTEGER, offsetof(view_values, port), "N",
     "listen at this port (default: any free one)", 1, 65535},
    {"--no-open", OPTION_FLAG, offsetof(view_values, no_open), NULL, "print the address, start no browser", 0,
     0},
    {"--out", OPTION_TEXT, offsetof(view_values, out), "DIR",
     "of a scene: the run's folder (default: out/ and the scene's name)", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(view_values, threads), "N", "of a scene: threads (default: all)",
     1, 256},
    {"--force", OPTION_FLAG, offsetof(view_values, force), NULL,
     "of a scene: replace a run that is in the folder", 0, 0},
    {0},
};

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static rill_status add_folder(rill_ctx *ctx, server *s, const char *folder)
{
    shown *one;
    char *scene = path_join(ctx, folder, "scene.json");
    if (!scene) return mem_failed(ctx, strlen(folder), 1);
    const bool there = file_exists(scene);
    mem_free(ctx, scene);
    if (!there)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: no run in this folder (there is no scene.json in it)",
                         folder);
    return serve_add(s, folder, false, &one);
}

/* out/NAME for .../NAME.json */
static void default_folder(const char *scene, text *out)
{
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".json") == 0) n -= 5;
    text_add(out, "out/");
    text_bytes(out, name, n);
}

/* What can be known to be wrong is said here, before there is a page. */
static rill_status check_scene(rill_ctx *ctx, const char *path, const char *folder, bool force)
{
    rill_scene scene = {0};
    const rill_status st = scene_read(ctx, path, rill_methods, rill_method_count, NULL, &scene);
    scene_clear(ctx, &scene);
    TRY(st);
    if (force || run_folder_check_free(ctx, folder) == RILL_OK) return RILL_OK;
    return rill_fail(
        ctx, RILL_USAGE,
        "%s holds a run already; look at it with rill view %s, replace it with --force, or write "
        "elsewhere with --out DIR",
        folder, folder);
}

static rill_status add_scene(rill_ctx *ctx, server *s, const char *path, const view_values *v)
{
    text folder;
    shown *one;
    char threads[32];
    text_init(&folder, ctx);
    if (v->out)
        text_add(&folder, v->out);
    else
        default_folder(path, &folder);
    rill_status st = text_check(&folder);
    if (!st && !folder.length) st = rill_fail(ctx, RILL_USAGE, "view: --out needs a folder");
    if (!st) st = check_scene(ctx, path, folder.data, v->force);
    if (!st) st = serve_add(s, folder.data, false, &one);
    if (!st) {
        const char *word[12] = {"rill", "run", "--quiet", "--out", one->folder};
        int count = 5;
        if (v->force) word[count++] = "--force";
        if (v->threads) {
            snprintf(threads, sizeof threads, "%lld", (long long)v->threads);
            word[count++] = "--threads";
            word[count++] = threads;
        }
        word[count++] = "--";
        word[count++] = path;
        st = child_start(ctx, &one->process, word);
    }
    text_clear(&folder);
    return st;
}

static int view_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    view_values v = {0};
    int count;
    rill_status st = options_parse(ctx, self, &v, argc, argv, &count);
    server *s = NULL;
    if (!st) st = MEM_NEW_ZERO(ctx, s, 1);
    if (st) return cli_report(ctx, st);
    st = serve_init(s, ctx);
    if (!st && !serve_available()) st = serve_listen(s, 0); /* which says what is missing */
    int scenes = 0;
    for (int k = 0; k < count; k++) scenes += !is_folder(argv[k]);
    if (!st && scenes > 1 && v.out)
        st = rill_fail(ctx, RILL_USAGE, "view: --out is for one scene; start the others with rill run");
    for (int k = 0; k < count && !st; k++)
        st = is_folder(argv[k]) ? add_folder(ctx, s, argv[k]) : add_scene(ctx, s, argv[k], &v);
    const viewing_def def = {.port = (uint16_t)v.port, .no_open = v.no_open};
    if (!st) st = viewing_serve(ctx, s, &def);
    serve_clear(s);
    mem_free(ctx, s);
    return cli_report(ctx, st);
}

const command cmd_view = {
    "view",
    "DIR|SCENE [DIR|SCENE]",
    "Shows a run in the browser, or starts one and shows it grow; two beside each other.",
    view_table,
    1,
    2,
    view_main};
