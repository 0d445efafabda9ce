/* Keys that the scene gives and the chosen method does not use: none is ignored silently. */
#include "io/scene_reader.h"
#include "io/vdb.h"
#include "volume/fields.h"

#include <stdio.h>
#include <string.h>

static bool same_value(const rill_param *row, const void *block, const void *usual)
{
    const void *a = (const char *)block + row->offset, *b = (const char *)usual + row->offset;
    switch (row->kind) {
    case PARAM_NUMBER: return *(const double *)a == *(const double *)b;
    case PARAM_INTEGER: return *(const int32_t *)a == *(const int32_t *)b;
    case PARAM_BOOL: return *(const bool *)a == *(const bool *)b;
    case PARAM_CHOICE: return *(const int *)a == *(const int *)b;
    case PARAM_FLAGS: return *(const uint32_t *)a == *(const uint32_t *)b;
    case PARAM_TEXT: return strcmp(*(char *const *)a, *(char *const *)b) == 0;
    case PARAM_POINT:
    case PARAM_POINT3: return v3_distance(*(const rill_vec3 *)a, *(const rill_vec3 *)b) == 0;
    default: return false; /* shapes, lists: what is given is not the default */
    }
}

static const rill_param *find(const rill_param *table, const char *name, size_t length)
{
    for (; table && table->kind; table++)
        if (strlen(table->name) == length && strncmp(table->name, name, length) == 0) return table;
    return NULL;
}

/* The methods of the scene that use the key, for the message. */
static void list_users(const rill_scene *s, const char *path, char *out, size_t capacity)
{
    size_t used = 0;
    out[0] = 0;
    for (uint32_t k = 0; k < s->method_count && used < capacity; k++) {
        const rill_method *m = s->methods[k].method;
        bool uses = strncmp(path, "surface.", 8) != 0 || method_has_surface(m);
        for (const char *const *u = m->unused; u && *u; u++) uses = uses && strcmp(*u, path) != 0;
        if (uses)
            used += (size_t)snprintf(out + used, capacity - used, "%s\"%s\"", used ? ", " : "", m->name);
    }
}

/* "block.key" of the scene: refused when it is there and not the default. */
static rill_status check_unused(scene_reader *r, const json_value *root, const char *path)
{
    const rill_scene *s = r->scene;
    const char *dot = strchr(path, '.');
    const rill_param *block = dot ? find(scene_params, path, (size_t)(dot - path)) : NULL;
    const rill_param *row = block && block->table ? find(block->table, dot + 1, strlen(dot + 1)) : NULL;
    if (!row)
        return rill_fail(r->ctx, RILL_USAGE, "the method \"%s\" names no key: %s", s->method->name, path);
    const json_value *inside = json_find(root, block->name),
                     *value = inside ? json_find(inside, row->name) : NULL;
    if (!value) return RILL_OK;

    union {
        scene_surface surface;
        scene_output output;
        scene_fluid fluid;
        scene_domain domain;
        scene_camera camera;
    } usual;
    memset(&usual, 0, sizeof usual);
    TRY(params_default(r->ctx, block->table, &usual));
    const bool same = same_value(row, (const char *)s + block->offset, &usual);
    params_clear(r->ctx, block->table, &usual);
    if (same) return RILL_OK;
    if (r->of_run) {
        scene_warn(r, value, "the method \"%s\" has no use for \"%s\"; it is left out", s->method->name,
                   path);
        return RILL_OK;
    }
    char users[160];
    list_users(s, path, users, sizeof users);
    return scene_fail(r, value, "the method \"%s\" has no use for \"%s\"; leave it out%s%s", s->method->name,
                      path, users[0] ? ", or take one of the methods " : "", users);
}

rill_status scene_check_unused(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    for (const char *const *path = s->method->unused; path && *path; path++)
        TRY(check_unused(r, root, *path));
    if (method_has_surface(s->method)) return RILL_OK;
    for (const rill_param *row = scene_surface_params; row->kind; row++) {
        char path[64];
        snprintf(path, sizeof path, "surface.%s", row->name);
        TRY(check_unused(r, root, path));
    }
    return RILL_OK;
}

/* Particles carry the colours of the liquid; a method without particles cannot store them. */
static rill_status check_colors(scene_reader *r, const json_value *root)
{
    static const char *const lists[] = {"liquid", "emitters"};
    if (r->scene->method->has_particles) return RILL_OK;
    for (int k = 0; k < 2; k++)
        for (const json_value *entry = scene_first(root, lists[k]); entry; entry = entry->next)
            if (json_find(entry, "color"))
                return scene_fail(
                    r, json_find(entry, "color"),
                    "the method \"%s\" has no particles to carry a colour; leave it out, or take "
                    "another method",
                    r->scene->method->name);
    return RILL_OK;
}

/* Quantities that the method does not have cannot be written, drawn or measured. */
rill_status scene_check_view(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const rill_method *m = s->method;
    const json_value *output = scene_at(root, "output"), *gauge = scene_first(root, "gauges");
    TRY(check_colors(r, root));
    if (s->output.cells && !m->cells)
        return scene_fail(
            r, scene_at(output, "cells"),
            "the method \"%s\" has no cells to write; set \"cells\" to false, or take another method",
            m->name);
    if (s->output.volume && !vdb_available())
        return scene_fail(
            r, scene_at(output, "volume"),
            "volumes are .vdb files, and this build has no OpenVDB; set \"volume\" to false, or " VDB_REMEDY);
    if (s->output.volume && !volume_set_possible(s))
        return scene_fail(
            r, scene_at(output, "volume"),
            "there is nothing that \"fields\" of \"volume\" could hold: the scene has no tracers, "
            "smoke or liquid for it; set \"volume\" to false");
    if (s->output.look == LOOK_PARTICLES && !m->has_particles)
        return scene_fail(
            r, scene_at(output, "look"),
            "the method \"%s\" has no particles to draw; take another \"look\" or another method", m->name);
    if (s->output.look == LOOK_VOLUME && s->dimensions == 2)
        return scene_fail(r, scene_at(output, "look"),
                          "smoke is drawn as a volume in three dimensions only; take the look \"tracers\"");
    if ((s->output.look == LOOK_TRACERS || s->output.look == LOOK_VOLUME) && scene_tracer_sources(s) == 0)
        return scene_fail(r, scene_at(output, "look"),
                          "there are no tracers to draw; add \"tracers\" to the scene");
    if (s->output.color != 0 && s->output.look != LOOK_PARTICLES)
        return scene_fail(r, scene_at(output, "color"),
                          "\"color\" is that of particles; set \"look\" to \"particles\" as well");
    for (uint32_t i = 0; i < s->gauge_count; i++, gauge = gauge->next) {
        const struct {
            bool there;
            const char *what;
        } measured[GAUGE_KINDS] = {[GAUGE_PRESSURE] = {m->pressure, "pressure"},
                                   [GAUGE_HEIGHT] = {method_has_surface(m), "surface"},
                                   [GAUGE_VELOCITY] = {m->velocity, "velocity"},
                                   [GAUGE_FLOW] = {m->velocity, "velocity"},
                                   [GAUGE_FORCE] = {m->pressure, "pressure"}};
        const gauge_kind kind = s->gauges[i].kind;
        if (measured[kind].there) continue;
        return scene_fail(r, json_find(gauge, gauge_names[kind]),
                          "the method \"%s\" has no %s to measure; remove the gauge, or take another method",
                          m->name, measured[kind].what);
    }
    return RILL_OK;
}
