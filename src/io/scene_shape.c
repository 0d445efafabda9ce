/* Shapes of a scene file: an object with one key, which names the kind. Combinations
 * hold a list of shapes. */
#include "io/scene_later.h"
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

static bool is_combination(shape_kind kind)
{
    return kind == SHAPE_UNION || kind == SHAPE_INTERSECTION || kind == SHAPE_DIFFERENCE;
}

static bool same(rill_vec3 a, rill_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Shapes of no extent, which a row cannot see. */
static rill_status check_extent(scene_reader *r, const json_value *v, const shape *s)
{
    if (s->kind == SHAPE_BOX) {
        for (int k = 0; k < r->scene->dimensions; k++)
            if (!(v3_axis(s->box.max, k) > v3_axis(s->box.min, k)))
                return scene_fail(r, json_find(v, "max"),
                                  "\"max\" of the box must be above \"min\" along %c: %s is not above %s",
                                  "xyz"[k], scene_show_number(v3_axis(s->box.max, k)).text,
                                  scene_show_number(v3_axis(s->box.min, k)).text);
    } else if (s->kind == SHAPE_CYLINDER || s->kind == SHAPE_CAPSULE) {
        if (same(s->rod.from, s->rod.to))
            return scene_fail(r, json_find(v, "to"), "\"from\" and \"to\" of the %s are the same point; %s",
                              shape_names[s->kind],
                              s->kind == SHAPE_CAPSULE ? "a sphere has one" : "it needs a length");
    } else if (s->kind == SHAPE_PLANE || s->kind == SHAPE_DISC) {
        if (same(s->flat.normal, v3(0, 0, 0)))
            return scene_fail(r, json_find(v, "normal"), "\"normal\" of the %s must not be zero",
                              shape_names[s->kind]);
    }
    return RILL_OK;
}

/* Only looked at here: scene_load_meshes reads it once the rest of the scene is known. */
static rill_status check_mesh(scene_reader *r, const json_value *v, const char *label)
{
    scene_mesh m = {0};
    rill_status st = params_default(r->ctx, scene_mesh_params, &m);
    if (!st) st = scene_read_block(r, scene_mesh_params, label, v, &m);
    if (!st && m.file[0] == 0) st = scene_fail(r, json_find(v, "file"), "\"file\" of the mesh is empty");
    params_clear(r->ctx, scene_mesh_params, &m);
    return st;
}

static rill_status read_parts(scene_reader *r, const json_value *v, int depth, shape *out)
{
    const char *name = shape_names[out->kind];
    if (v->kind != JSON_ARRAY) return scene_fail(r, v, "\"%s\" must be a list of shapes", name);
    if (v->count < 2) return scene_fail(r, v, "\"%s\" needs at least two shapes, not %u", name, v->count);
    if (v->count > SCENE_MAX_PARTS)
        return scene_fail(r, v, "\"%s\" has %u shapes; at most %d are allowed", name, v->count,
                          SCENE_MAX_PARTS);
    out->parts.part = mem_zero(r->ctx, v->count, sizeof *out->parts.part);
    if (!out->parts.part) return mem_failed(r->ctx, v->count, sizeof *out->parts.part);
    for (const json_value *e = v->child; e; e = e->next)
        TRY(scene_read_shape(r, e, depth + 1, &out->parts.part[out->parts.count++]));
    return RILL_OK;
}

rill_status scene_read_shape(scene_reader *r, const json_value *v, int depth, shape *out)
{
    if (v->kind != JSON_OBJECT || v->count != 1)
        return scene_fail(r, v, "a shape is an object with one key, such as {\"sphere\": {...}}");
    if (depth > SCENE_MAX_SHAPE_DEPTH)
        return scene_fail(r, v, "shapes are combined more than %d deep", SCENE_MAX_SHAPE_DEPTH);
    const json_value *body = v->child;
    const char *names[SHAPE_KINDS + 1] = {0};
    size_t n = 0;
    for (int k = 0; k < SHAPE_KINDS; k++) {
        if (!shape_names[k]) continue;
        names[n++] = shape_names[k];
        if (strcmp(shape_names[k], body->key) != 0) continue;
        *out = (shape){.kind = (shape_kind)k};
        if (is_combination(out->kind)) return read_parts(r, body, depth, out);
        char label[32];
        snprintf(label, sizeof label, "the %s", shape_names[k]);
        if (k == SHAPE_MESH) return check_mesh(r, body, label);
        if (k == SHAPE_SEQUENCE && depth > 1)
            return scene_fail_key(r, body,
                                  "a sequence of meshes cannot be combined with other shapes; make "
                                  "each of them a solid of its own");
        if (k == SHAPE_SEQUENCE) return scene_check_sequence(r, body, label);
        TRY(params_default(r->ctx, shape_params[k], &out->box)); /* every member of the union starts there */
        TRY(scene_read_block(r, shape_params[k], label, body, &out->box));
        return check_extent(r, body, out);
    }
    if (later_shape(body->key)) return scene_fail_key(r, body, "the shape \"%s\" " SCENE_NOT_YET, body->key);
    return scene_unknown(r, body, true, body->key, "a shape", names);
}
