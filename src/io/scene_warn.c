/* Warnings about scenes that are valid but rarely meant: gauges and emitters inside solids, emitters that
 * point out of the domain, liquid and meshes that lie outside it, meshes in another unit of length, bodies
 * smaller than an element; and what the method says itself. */
#include "io/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The solid around x at the start; UINT32_MAX: none. */
static uint32_t solid_around(const solids *walls, rill_vec3 x)
{
    solid_contact c;
    const double d = solids_distance(walls, x, -walls->scene->time.preroll, &c);
    return d < -1e-6 * walls->scene->spacing && c.solid < walls->count ? c.solid : UINT32_MAX;
}

static json_shown shown_solid(const rill_scene *s, uint32_t i)
{
    char name[64];
    if (s->solids[i].name[0]) return json_show(s->solids[i].name);
    snprintf(name, sizeof name, "number %u", i + 1);
    return json_show(name);
}

static void warn_gauges(const scene_reader *r, const json_value *root, const solids *walls)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "gauges");
    for (uint32_t i = 0; i < s->gauge_count; i++, entry = entry->next) {
        const scene_gauge *g = &s->gauges[i];
        if (g->kind == GAUGE_FORCE || g->kind == GAUGE_HEIGHT) continue;
        const uint32_t solid = solid_around(walls, g->point);
        if (solid == UINT32_MAX) continue;
        scene_warn(
            r, scene_at(entry, gauge_names[g->kind]),
            "the gauge \"%s\" lies inside the solid \"%s\", where there is nothing to measure; move it out",
            json_show(g->name).text, shown_solid(s, solid).text);
    }
}

/* Places of an emitter: its middle, and around it. */
enum { EMITTER_PLACES = 7 };
static void emitter_places(const rill_scene *s, const scene_emitter *e, rill_vec3 x[EMITTER_PLACES])
{
    const rill_box b = shape_bounds(&e->shape);
    const rill_vec3 middle = box_center(b), half = v3_scale(box_size(b), 0.4);
    for (int k = 0; k < EMITTER_PLACES; k++) {
        x[k] = middle;
        const int axis = (k - 1) / 2;
        if (k && axis < s->dimensions)
            v3_set_axis(&x[k], axis, v3_axis(middle, axis) + (k % 2 ? 1 : -1) * v3_axis(half, axis));
    }
}

static void warn_emitters(const scene_reader *r, const json_value *root, const solids *walls)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "emitters");
    for (uint32_t i = 0; i < s->emitter_count; i++, entry = entry->next) {
        const scene_emitter *e = &s->emitters[i];
        const rill_vec3 way =
            v3_length(e->direction) > 0 ? v3_unit(e->direction) : v3_unit(e->shape.flat.normal);
        rill_vec3 x[EMITTER_PLACES];
        emitter_places(s, e, x);
        uint32_t inside = 0, solid = UINT32_MAX;
        for (int k = 0; k < EMITTER_PLACES; k++) {
            const uint32_t around = solid_around(walls, x[k]);
            if (around != UINT32_MAX) inside++, solid = around;
        }
        if (inside == EMITTER_PLACES)
            scene_warn(r, scene_at(entry, "shape"),
                       "the emitter lies inside the solid \"%s\"; nothing can come out of it%s",
                       shown_solid(s, solid).text,
                       s->solids[solid].is_body || s->solids[solid].motion.count
                           ? " before the solid moves away"
                           : "");
        for (int k = 0; k < s->dimensions; k++) {
            const double v = v3_axis(way, k), at = v3_axis(x[0], k);
            const double left = v > 0 ? v3_axis(s->domain.max, k) - at : at - v3_axis(s->domain.min, k);
            if (fabs(v) < 0.1 || left > s->spacing * fabs(v)) continue; /* a layer of liquid fits before it */
            scene_warn(
                r, scene_at(entry, "shape"),
                "the emitter points out of the domain, %s m from its side %c%c; turn it round or move it",
                scene_show_number(left).text, v > 0 ? '+' : '-', "xyz"[k]);
            break;
        }
    }
}

/* Liquid that reaches out of the domain is cut off there: once for each shape. */
static void warn_liquid(const scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "liquid");
    for (uint32_t i = 0; i < s->liquid_count; i++, entry = entry->next) {
        const rill_box b = shape_bounds(&s->liquid[i].shape);
        for (int side = 0; side < 2 * s->dimensions; side++) {
            const int axis = side_axis(side);
            const double out = side % 2 ? v3_axis(b.max, axis) - v3_axis(s->domain.max, axis)
                                        : v3_axis(s->domain.min, axis) - v3_axis(b.min, axis);
            if (!isfinite(out) || out < 0.5 * s->spacing) continue;
            scene_warn(r, scene_at(entry, "shape"),
                       "the liquid reaches %.3g m out of the domain at its side %c%c; that part is left out",
                       out, side % 2 ? '+' : '-', "xyz"[axis]);
            break;
        }
    }
}

/* Files in centimetres or millimetres come in a hundred or a thousand times too large, and those in another
 * place miss the domain. */
static void warn_meshes(const scene_reader *r, const json_value *root, const solids *walls)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "solids");
    const double extent = v3_length(v3_sub(s->domain.max, s->domain.min));
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next) {
        if (s->solids[i].shape.kind != SHAPE_MESH || s->solids[i].motion.count) continue;
        const rill_box b = walls->rest[i].bounds;
        const double size = v3_length(box_size(b));
        bool outside = false;
        for (int k = 0; k < s->dimensions; k++)
            outside = outside || v3_axis(b.min, k) > v3_axis(s->domain.max, k) ||
                      v3_axis(b.max, k) < v3_axis(s->domain.min, k);
        if (size > 50 * extent)
            scene_warn(
                r, scene_at(entry, "shape"),
                "the mesh is %.0f times the size of the domain; if its file is not in metres, give the "
                "\"scale\" of the mesh, 0.01 for centimetres",
                size / extent);
        else if (size < s->spacing)
            scene_warn(r, scene_at(entry, "shape"),
                       "the mesh is %.3g m across, less than the spacing; if its file is not in metres, give "
                       "the \"scale\" of the mesh",
                       size);
        else if (outside)
            scene_warn(
                r, scene_at(entry, "shape"),
                "the mesh lies outside the domain, from (%.3g, %.3g, %.3g) to (%.3g, %.3g, %.3g); move "
                "it with \"transform\"",
                b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
    }
}

/* The pressure of elements larger than a body says little about the force on it. */
static void warn_bodies(const scene_reader *r, const json_value *root, const solids *walls)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "solids");
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next) {
        if (!s->solids[i].is_body) continue;
        double across = 0;
        for (int k = 0; k < s->dimensions; k++)
            across = fmax(across, v3_axis(box_size(walls->rest[i].bounds), k));
        if (across < 1.5 * s->spacing)
            scene_warn(
                r, scene_at(entry, "body"),
                "the body is %.3g m across, and the spacing is %.3g m: the fluid hardly carries it; take "
                "a \"spacing\" of at most %.2g, or a larger body",
                across, s->spacing, across / 3);
    }
}

rill_status scene_warn_places(const scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    solids walls;
    warn_liquid(r, root);
    if (!s->emitter_count && !s->solid_count) return RILL_OK;
    TRY(solids_create(r->ctx, s, &walls));
    warn_gauges(r, root, &walls);
    warn_emitters(r, root, &walls);
    warn_meshes(r, root, &walls);
    warn_bodies(r, root, &walls);
    solids_clear(r->ctx, &walls);
    return RILL_OK;
}

/* Forwards the method's warnings with their place in the scene. */
typedef struct {
    const scene_reader *r;
    const json_value *root;
    rill_ctx_def log;
} method_warnings;

/* The key that a message names first, in the method's block, the fluid's, or the scene itself; else the
 * method's block or the line that chose it: a method knows keys, not places. */
static const json_value *place_of(const method_warnings *w, const char *message)
{
    const char *name = w->r->scene->method->name;
    const json_value *block[] = {json_find(w->root, name), json_find(w->root, "fluid"), w->root};
    const char *from = strchr(message, '"'), *to = from ? strchr(from + 1, '"') : NULL;
    char key[64];
    if (to && (size_t)(to - from) < sizeof key) {
        snprintf(key, sizeof key, "%.*s", (int)(to - from - 1), from + 1);
        for (int k = 0; k < 3; k++)
            if (block[k] && json_find(block[k], key)) return json_find(block[k], key);
    }
    return block[0] ? block[0] : scene_at(w->root, "method");
}

static void place_warning(void *user, rill_log_level level, const char *message)
{
    const method_warnings *w = user;
    if (level != RILL_LOG_WARNING) {
        w->log.log(w->log.user, level, message);
        return;
    }
    const json_value *at = place_of(w, message);
    char line[1024];
    if (at->source)
        snprintf(line, sizeof line, "%s: %s", at->source, message);
    else
        snprintf(line, sizeof line, "%s:%d:%d: %s", w->r->name, at->line, at->column, message);
    w->log.log(w->log.user, level, line);
}

rill_status scene_ask_method(const scene_reader *r, const json_value *root)
{
    rill_ctx *ctx = r->ctx;
    method_warnings w = {r, root, ctx->def};
    if (ctx->def.log) {
        ctx->def.log = place_warning;
        ctx->def.user = &w;
    }
    const rill_status st = r->scene->method->check(ctx, r->scene);
    ctx->def.log = w.log.log;
    ctx->def.user = w.log.user;
    return st;
}
