/* Scenes for a host: read or parsed, asked, printed, destroyed. */
#include "api/api.h"
#include "base/text.h"
#include "io/scene_file.h"
#include "run/registry.h"

#include <string.h>

/* Every scene a host holds is one of these: the scene itself does not know its context. */
typedef struct api_scene {
    rill_scene scene; /* first: the host's pointer is to it */
    rill_ctx *ctx;
} api_scene;

static rill_status changes_of(rill_ctx *ctx, const rill_overrides *with, scene_changes *out)
{
    if (!with) return RILL_OK;
    if (with->frames < 0 || with->set_count > INT32_MAX || (with->set_count && !with->set))
        return rill_fail(ctx, RILL_USAGE, "overrides: a negative number of frames, or \"set\" is NULL");
    for (size_t i = 0; i < with->set_count; i++)
        if (!with->set[i]) return rill_fail(ctx, RILL_USAGE, "overrides: set[%zu] is NULL", i);
    *out = (scene_changes){
        .method = with->method, .frames = with->frames, .set = with->set, .set_count = (int)with->set_count};
    return RILL_OK;
}

/* A scene on the heap, from the path or, when `json` is given, from that. */
static rill_status scene_make(rill_ctx *ctx, const char *name, const char *json, size_t length,
                              const rill_overrides *with, rill_scene **out)
{
    scene_changes changes = {0};
    TRY(changes_of(ctx, with, &changes));
    api_scene *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->ctx = ctx;
    const rill_status st =
        json ? scene_parse(ctx, name, json, length, rill_methods, rill_method_count, &changes, &s->scene)
             : scene_read(ctx, name, rill_methods, rill_method_count, &changes, &s->scene);
    if (st)
        mem_free(ctx, s);
    else
        *out = &s->scene;
    return st;
}

rill_status rill_scene_read_with(rill_ctx *ctx, const char *path, const rill_overrides *with,
                                 rill_scene **out)
{
    TRY(api_enter(ctx, "rill_scene_read"));
    if (!path || !out) return rill_fail(ctx, RILL_USAGE, "rill_scene_read: the path or the output is NULL");
    return scene_make(ctx, path, NULL, 0, with, out);
}

rill_status rill_scene_parse_with(rill_ctx *ctx, const char *name, const char *json, size_t length,
                                  const rill_overrides *with, rill_scene **out)
{
    TRY(api_enter(ctx, "rill_scene_parse"));
    if (!name || !json || !out)
        return rill_fail(ctx, RILL_USAGE, "rill_scene_parse: the name, the text or the output is NULL");
    return scene_make(ctx, name, json, length, with, out);
}

rill_status rill_scene_read(rill_ctx *ctx, const char *path, rill_scene **out)
{
    return rill_scene_read_with(ctx, path, NULL, out);
}

rill_status rill_scene_parse(rill_ctx *ctx, const char *name, const char *json, size_t length,
                             rill_scene **out)
{
    return rill_scene_parse_with(ctx, name, json, length, NULL, out);
}

void rill_scene_destroy(rill_scene *scene)
{
    if (!scene) return;
    api_scene *s = (api_scene *)scene;
    rill_ctx *ctx = s->ctx;
    scene_clear(ctx, &s->scene);
    mem_free(ctx, s);
}

rill_status rill_scene_print(const rill_scene *scene, char *buffer, size_t room, size_t *length)
{
    if (!scene) return RILL_USAGE;
    rill_ctx *ctx = ((const api_scene *)scene)->ctx;
    TRY(api_enter(ctx, "rill_scene_print"));
    if (!buffer && room > 0)
        return rill_fail(ctx, RILL_USAGE, "rill_scene_print: a buffer of %zu bytes is NULL", room);
    text t;
    text_init(&t, ctx);
    scene_print(scene, &t);
    const rill_status st = text_check(&t);
    if (!st && room > 0) {
        const size_t fits = t.length < room ? t.length : room - 1;
        memcpy(buffer, t.data, fits);
        buffer[fits] = 0;
    }
    if (!st && length) *length = t.length;
    text_clear(&t);
    return st;
}

const char *rill_scene_name(const rill_scene *scene)
{
    return scene && scene->name ? scene->name : "";
}

const char *rill_scene_method(const rill_scene *scene)
{
    return scene ? scene->method->name : "";
}

int rill_scene_dimensions(const rill_scene *scene)
{
    return scene ? scene->dimensions : 0;
}

int rill_scene_frames(const rill_scene *scene)
{
    return scene ? scene->time.frames : 0;
}

double rill_scene_fps(const rill_scene *scene)
{
    return scene ? scene->time.fps : 0;
}

double rill_scene_spacing(const rill_scene *scene)
{
    return scene ? scene->spacing : 0;
}

rill_box rill_scene_domain(const rill_scene *scene)
{
    return scene ? (rill_box){scene->domain.min, scene->domain.max} : (rill_box){0};
}

uint32_t rill_scene_gauge_count(const rill_scene *scene)
{
    return scene ? scene->gauge_count : 0;
}

const char *rill_scene_gauge_name(const rill_scene *scene, uint32_t gauge)
{
    const char *name = scene && gauge < scene->gauge_count ? scene->gauges[gauge].name : NULL;
    return name ? name : "";
}

uint32_t rill_scene_solid_count(const rill_scene *scene)
{
    return scene ? scene->solid_count : 0;
}

const char *rill_scene_solid_name(const rill_scene *scene, uint32_t solid)
{
    const char *name = scene && solid < scene->solid_count ? scene->solids[solid].name : NULL;
    return name ? name : "";
}

uint32_t rill_scene_emitter_count(const rill_scene *scene)
{
    return scene ? scene->emitter_count : 0;
}
