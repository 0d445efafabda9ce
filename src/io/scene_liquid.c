/* Liquid given by itself, as a host of the library adds it to a simulation that runs. */
#include "io/scene_reader.h"

static bool has_mesh(const shape *s)
{
    if (s->kind == SHAPE_MESH || s->kind == SHAPE_SEQUENCE) return true;
    const bool combined =
        s->kind == SHAPE_UNION || s->kind == SHAPE_INTERSECTION || s->kind == SHAPE_DIFFERENCE;
    for (uint32_t i = 0; combined && i < s->parts.count; i++)
        if (has_mesh(&s->parts.part[i])) return true;
    return false;
}

static rill_status read_liquid(scene_reader *r, const json_value *root, scene_liquid *out)
{
    TRY(params_default(r->ctx, scene_liquid_params, out));
    TRY(scene_read_block(r, scene_liquid_params, "the liquid", root, out));
    const json_value *form = scene_at(root, "shape");
    if (out->shape.kind == SHAPE_NONE) return scene_fail(r, root, "the liquid needs a \"shape\"");
    if (out->start > 0)
        return scene_fail(r, scene_at(root, "start"), "liquid that is added joins now; leave \"start\" out");
    if (has_mesh(&out->shape))
        return scene_fail(r, form, "liquid that is added cannot be a mesh; use shapes with a formula");
    if (out->shape.kind == SHAPE_DISC)
        return scene_fail(r, form, "a disc has no volume; liquid that is added needs one");
    return RILL_OK;
}

rill_status scene_parse_liquid(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                               int dimensions, scene_liquid *out)
{
    rill_scene scene = {.dimensions = dimensions};
    scene_reader reader = {.ctx = ctx, .name = name, .scene = &scene};
    scene_liquid liquid = {0};
    json_value *root = NULL;
    rill_arena arena;
    arena_init(&arena, ctx);
    rill_status st = json_parse(ctx, &arena, name, bytes, length, &root);
    if (!st && root->kind != JSON_OBJECT)
        st = scene_fail(&reader, root, "liquid is an object, {\"shape\": {...}, \"velocity\": [...]}");
    if (!st) st = read_liquid(&reader, root, &liquid);
    if (!st)
        *out = liquid;
    else
        params_clear(ctx, scene_liquid_params, &liquid);
    arena_clear(&arena);
    return st;
}
