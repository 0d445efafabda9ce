/* Gauges: what they measure is there; and places that are allowed and rarely meant. */
#include "flow/method.h"
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

static rill_status check_solid(scene_reader *r, const json_value *at, const scene_gauge *g, const char *name)
{
    const rill_scene *s = r->scene;
    if (scene_find_solid(s, name) != UINT32_MAX) return RILL_OK;
    const char *names[64] = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->solid_count && n < 63; i++)
        if (s->solids[i].name[0]) names[n++] = s->solids[i].name;
    if (n == 0)
        return scene_fail(r, at, "the gauge \"%s\" is about a solid by its name, and no solid has one",
                          json_show(g->name).text);
    return scene_unknown(r, at, false, name, "the name of a solid", names);
}

static rill_status check_place(scene_reader *r, const json_value *entry, const scene_gauge *g)
{
    const rill_scene *s = r->scene;
    if (g->kind == GAUGE_FORCE) return RILL_OK;
    for (int k = 0; k < s->dimensions; k++) {
        const double x = v3_axis(g->point, k);
        if (k == 1 && g->kind == GAUGE_HEIGHT) continue;
        if (x < v3_axis(s->domain.min, k) || x > v3_axis(s->domain.max, k))
            return scene_fail(r, json_find(entry, gauge_names[g->kind]),
                              "the gauge \"%s\" lies outside the domain: %c = %s", json_show(g->name).text,
                              "xyz"[k], scene_show_number(x).text);
    }
    return RILL_OK;
}

rill_status scene_check_gauges(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *list = scene_first(root, "gauges"), *entry = list;
    for (uint32_t i = 0; i < s->gauge_count; i++, entry = entry->next) {
        const scene_gauge *g = &s->gauges[i];
        const json_value *value = scene_at(entry, gauge_names[g->kind]), *with = scene_at(entry, "with");
        if (g->name[0] == 0 || strpbrk(g->name, ",\""))
            return scene_fail(
                r, json_find(entry, "name"),
                "the name of a gauge heads its column in a table: it must not be empty or contain , or \"");
        TRY(scene_check_name(r, list, entry, "gauge"));
        TRY(check_place(r, entry, g));
        if (g->kind == GAUGE_FLOW && v3_length(g->normal) == 0)
            return scene_fail(r, scene_at(value, "normal"), "the normal of a flow gauge cannot be zero");
        if (g->kind == GAUGE_FORCE) TRY(check_solid(r, value, g, g->solid));
        if (!g->with[0]) continue;
        if (g->kind == GAUGE_FORCE)
            return scene_fail(r, with, "a force gauge is at its solid already; leave \"with\" out");
        TRY(check_solid(r, with, g, g->with));
    }
    return RILL_OK;
}

/* ---- warnings ---- */

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
                       "the emitter lies inside the solid \"%s\"; nothing can come out of it",
                       shown_solid(s, solid).text);
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

rill_status scene_warn_places(const scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    solids walls;
    if (!s->emitter_count && (!s->gauge_count || !s->solid_count)) return RILL_OK;
    TRY(solids_create(r->ctx, s, &walls));
    warn_gauges(r, root, &walls);
    warn_emitters(r, root, &walls);
    solids_clear(r->ctx, &walls);
    return RILL_OK;
}
