/* Reading a scene: text, changes from the command line, values, checks, hash. */
#include "io/scene_file.h"

#include "io/file.h"
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

static rill_status change(rill_ctx *ctx, rill_arena *arena, json_value *root, const char *option,
                          const char *path, const char *value)
{
    enum { LONGEST = sizeof(json_shown) + 32 };
    char *source = NULL;
    TRY(ARENA_NEW(arena, source, LONGEST));
    snprintf(source, LONGEST, "%s %s", option, json_show(value).text);
    return json_set_from(ctx, arena, root, path, value, source);
}

static rill_status apply_changes(rill_ctx *ctx, rill_arena *arena, const scene_changes *c, json_value *root)
{
    for (int i = 0; i < c->set_count; i++) {
        const char *equals = strchr(c->set[i], '=');
        if (!equals)
            return rill_fail(ctx, RILL_USAGE,
                             "--set %s: a path and a value are needed, as in --set spacing=0.01",
                             json_show(c->set[i]).text);
        const size_t length = (size_t)(equals - c->set[i]);
        char *path = NULL;
        TRY(ARENA_NEW(arena, path, length + 1));
        memcpy(path, c->set[i], length);
        path[length] = 0;
        TRY(json_set(ctx, arena, root, path, equals + 1));
    }
    if (c->method) {
        text quoted; /* a name, whatever it looks like */
        text_init(&quoted, ctx);
        text_quoted(&quoted, c->method);
        rill_status st = text_check(&quoted);
        if (!st) st = change(ctx, arena, root, "--method", "method", quoted.data);
        text_clear(&quoted);
        TRY(st);
    }
    if (c->frames) {
        char frames[32];
        snprintf(frames, sizeof frames, "%lld", (long long)c->frames);
        TRY(change(ctx, arena, root, "--frames", "time.frames", frames));
    }
    return RILL_OK;
}

/* The version decides what the rest means, the dimensions what a point is, the method which of the
 * methods' blocks counts: these come first, wherever they stand. */
static rill_status read_first(scene_reader *r, const json_value *root, const char *key)
{
    const json_value *v = json_find(root, key);
    for (const rill_param *row = scene_params; row->kind && v; row++)
        if (strcmp(row->name, key) == 0) return scene_read_row(r, row, v, r->scene);
    return RILL_OK;
}

static rill_status read_values(scene_reader *r, const json_value *root)
{
    if (root->kind != JSON_OBJECT) return scene_fail(r, root, "a scene is an object, { ... }");
    if (!json_find(root, "rill"))
        return scene_fail(r, root, "the scene needs the key \"rill\": the version of the scene format, 1");
    TRY(read_first(r, root, "rill"));
    TRY(read_first(r, root, "dimensions"));
    TRY(read_first(r, root, "method"));
    TRY(scene_read_block(r, scene_params, "the scene", root, r->scene));
    if (r->scene->dimensions == 2) { /* one spacing thick around z = 0 */
        r->scene->domain.min.z = -0.5 * r->scene->spacing;
        r->scene->domain.max.z = 0.5 * r->scene->spacing;
    }
    TRY(scene_load_meshes(r, root));
    TRY(scene_check(r, root));
    if (!r->scene->output.images) r->scene->output.video = false;
    return RILL_OK;
}

static rill_status read_anew(scene_reader *r, const json_value *root, const rill_method *const *methods,
                             uint32_t method_count)
{
    scene_clear(r->ctx, r->scene);
    r->text_bytes = 0;
    r->fault = NULL;
    TRY(scene_default(r->ctx, methods, method_count, r->scene));
    return read_values(r, root);
}

rill_status scene_parse(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                        const rill_method *const *methods, uint32_t method_count,
                        const scene_changes *changes, rill_scene *out)
{
    rill_scene scene = {0};
    scene_reader reader = {.ctx = ctx,
                           .name = name,
                           .scene = &scene,
                           .tolerant = changes && changes->tolerant,
                           .of_run = changes && changes->of_run,
                           .of_particles = changes && changes->of_particles};
    json_value *root = NULL;
    rill_arena arena;
    arena_init(&arena, ctx);

    rill_status st = json_parse(ctx, &arena, name, bytes, length, &root);
    if (!st && changes && root->kind == JSON_OBJECT) st = apply_changes(ctx, &arena, changes, root);
    if (!st) st = read_anew(&reader, root, methods, method_count);
    while ((st == RILL_BAD_SCENE || st == RILL_BAD_FILE) && reader.tolerant && root &&
           scene_leave_out(&reader, root))
        st = read_anew(&reader, root, methods, method_count);
    if (!st) st = scene_hash(ctx, &scene, &scene.hash);
    if (!st) {
        *out = scene;
        scene = (rill_scene){0};
    }

    scene_clear(ctx, &scene);
    arena_clear(&arena);
    return st;
}

rill_status scene_read(rill_ctx *ctx, const char *path, const rill_method *const *methods,
                       uint32_t method_count, const scene_changes *changes, rill_scene *out)
{
    char *bytes = NULL;
    size_t length;
    TRY(file_read_all(ctx, path, JSON_MAX_BYTES, &bytes, &length));
    const rill_status st = scene_parse(ctx, path, bytes, length, methods, method_count, changes, out);
    mem_free(ctx, bytes);
    return st;
}
