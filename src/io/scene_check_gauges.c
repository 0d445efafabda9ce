/* Checks of gauges: the quantity they measure exists. */
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
