/* Liquid, emitters, drains and the shapes of solids: that each can be what it says, and
 * that there will be something to simulate. */
#include "io/scene_reader.h"

#include <math.h>
#include <stdio.h>

/* Whether a kind occurs anywhere in a shape. */
static bool holds(const shape *s, shape_kind kind)
{
    if (s->kind == kind) return true;
    if (s->kind != SHAPE_UNION && s->kind != SHAPE_INTERSECTION && s->kind != SHAPE_DIFFERENCE) return false;
    for (uint32_t i = 0; i < s->parts.count; i++)
        if (holds(&s->parts.part[i], kind)) return true;
    return false;
}

static bool bounded(const scene_reader *r, const shape *s)
{
    const rill_box b = shape_bounds(s);
    for (int k = 0; k < r->scene->dimensions; k++)
        if (!isfinite(v3_axis(b.min, k)) || !isfinite(v3_axis(b.max, k))) return false;
    return true;
}

/* Whether no point of the shape is in the domain; sure for boxes around shapes, and for
 * half spaces, which the corners decide. */
static bool outside_domain(const scene_reader *r, const shape *s)
{
    const rill_scene *scene = r->scene;
    const rill_box b = shape_bounds(s);
    for (int k = 0; k < scene->dimensions; k++)
        if (!(v3_axis(b.min, k) <= v3_axis(scene->domain.max, k)) ||
            !(v3_axis(b.max, k) >= v3_axis(scene->domain.min, k)))
            return true;
    if (s->kind != SHAPE_PLANE) return false;
    for (int corner = 0; corner < 8; corner++) {
        const rill_vec3 x = v3(corner & 1 ? scene->domain.max.x : scene->domain.min.x,
                               corner & 2 ? scene->domain.max.y : scene->domain.min.y,
                               corner & 4 ? scene->domain.max.z : scene->domain.min.z);
        if (shape_distance(s, x, NULL) <= 0) return false;
    }
    return true;
}

static rill_status check_solid_shape(scene_reader *r, const json_value *entry, const shape *s,
                                     const char *what)
{
    if (!holds(s, SHAPE_DISC)) return RILL_OK;
    return scene_fail(r, scene_at(entry, "shape"),
                      "%s needs a volume, and a disc has none; a short cylinder does", what);
}

/* Liquid that joins later comes as particles. */
static rill_status check_start(scene_reader *r, const json_value *at)
{
    const rill_scene *s = r->scene;
    if (s->fill)
        return scene_fail(r, at,
                          "nothing can join in a domain that fluid fills; remove \"start\", or \"fill\"");
    if (!s->method || method_carried(s)) return RILL_OK;
    return scene_fail(r, at,
                      "liquid cannot join later here: its particles do not carry the liquid of the method "
                      "\"%s\" with this surface; remove \"start\", or take \"sph\", \"points\" or \"grid\"",
                      s->method->name);
}

static rill_status check_liquid(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const bool gas = s->fill || (s->method && !(s->method->can & CAN_FREE_SURFACE)); /* fills the domain */
    if (s->liquid_count == 0 && s->emitter_count == 0 && !gas)
        return scene_fail(
            r, root,
            "the scene has no liquid; add an entry to \"liquid\" or \"emitters\", or set \"fill\": true");
    const json_value *entry = scene_first(root, "liquid");
    for (uint32_t i = 0; i < s->liquid_count; i++, entry = entry->next) {
        const scene_liquid *l = &s->liquid[i];
        TRY(check_solid_shape(r, entry, &l->shape, "liquid"));
        if (l->start > 0) TRY(check_start(r, scene_at(entry, "start")));
        if (outside_domain(r, &l->shape))
            return scene_fail(r, scene_at(entry, "shape"),
                              "the liquid lies outside the domain; move it inside or make the domain larger");
        if (s->dimensions == 2 && l->velocity.named &&
            velocity_params[l->velocity.named][0].kind == PARAM_POINT3 &&
            (l->velocity.value.x != 0 || l->velocity.value.y != 0))
            return scene_fail(r, scene_at(scene_at(entry, "velocity"), "angular_velocity"),
                              "in two dimensions everything turns about z; give [0, 0, %s]",
                              scene_show_number(l->velocity.value.z).text);
    }
    return RILL_OK;
}

/* A disc that emits along itself would give layers of no thickness. */
static rill_status check_slant(scene_reader *r, const json_value *entry, const scene_emitter *e)
{
    if (e->shape.kind != SHAPE_DISC || v3_length(e->direction) == 0) return RILL_OK;
    const double slant = v3_dot(shape_unit(e->shape.flat.normal), shape_unit(e->direction));
    if (fabs(slant) >= 0.05) return RILL_OK;
    return scene_fail(r, scene_at(entry, "direction"),
                      "\"direction\" lies in the plane of the disc; turn one of them");
}

static rill_status check_emitters(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    if (s->fill && (s->emitter_count || s->drain_count))
        return scene_fail(
            r, scene_at(root, s->emitter_count ? "emitters" : "drains"),
            "liquid cannot come or go in a domain that fluid fills; remove this, or \"fill\" (smoke comes "
            "from \"smoke\")");
    const json_value *entry = scene_first(root, "emitters");
    for (uint32_t i = 0; i < s->emitter_count; i++, entry = entry->next) {
        const scene_emitter *e = &s->emitters[i];
        const json_value *at = scene_at(entry, "shape");
        if (e->shape.kind != SHAPE_DISC) TRY(check_solid_shape(r, entry, &e->shape, "a combined emitter"));
        if (!bounded(r, &e->shape))
            return scene_fail(r, at, "an emitter must be bounded; take a disc or a box");
        if (e->shape.kind != SHAPE_DISC && v3_length(e->direction) == 0)
            return scene_fail(r, scene_at(entry, "direction"),
                              "an emitter other than a disc needs a \"direction\" that is not zero");
        if (outside_domain(r, &e->shape))
            return scene_fail(r, at, "the emitter lies outside the domain; move it inside");
        TRY(check_slant(r, entry, e));
        if (!(e->end > e->start))
            return scene_fail(r, scene_at(entry, "end"),
                              "\"end\" must be after \"start\": %s s is not after %s s",
                              scene_show_number(e->end).text, scene_show_number(e->start).text);
    }
    return RILL_OK;
}

static rill_status check_tracers(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "tracers");
    for (uint32_t i = 0; i < s->tracers_count; i++, entry = entry->next) {
        const scene_tracers *t = &s->tracers[i];
        if (t->shape.kind != SHAPE_DISC)
            TRY(check_solid_shape(r, entry, &t->shape, "a combined source of tracers"));
        if (outside_domain(r, &t->shape))
            return scene_fail(r, scene_at(entry, "shape"),
                              "the source of tracers lies outside the domain; move it inside");
        if (t->count == 0 && t->rate == 0 && t->rate_keys.count == 0)
            return scene_fail(r, entry,
                              "this source gives no tracers; give \"count\" of the start, or \"rate\" per "
                              "second, or both");
        if (!(t->end > t->start))
            return scene_fail(r, scene_at(entry, "end"),
                              "\"end\" must be after \"start\": %s s is not after %s s",
                              scene_show_number(t->end).text, scene_show_number(t->start).text);
    }
    return RILL_OK;
}

static rill_status check_smoke(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "smoke"), *gas = scene_at(root, "gas");
    if (s->smoke_count == 0 && (s->gas.cooling > 0 || s->gas.dissipation > 0))
        return scene_fail(r, scene_at(gas, s->gas.cooling > 0 ? "cooling" : "dissipation"),
                          "there is no smoke that could cool or go away; add \"smoke\", or leave this out");
    for (uint32_t i = 0; i < s->smoke_count; i++, entry = entry->next) {
        const scene_smoke *m = &s->smoke[i];
        TRY(check_solid_shape(r, entry, &m->shape, "a source of smoke"));
        if (outside_domain(r, &m->shape))
            return scene_fail(r, scene_at(entry, "shape"),
                              "the source of smoke lies outside the domain; move it inside");
        if (!(m->end > m->start))
            return scene_fail(r, scene_at(entry, "end"),
                              "\"end\" must be after \"start\": %s s is not after %s s",
                              scene_show_number(m->end).text, scene_show_number(m->start).text);
    }
    return RILL_OK;
}

static rill_status check_shapes(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "drains");
    for (uint32_t i = 0; i < s->drain_count; i++, entry = entry->next)
        TRY(check_solid_shape(r, entry, &s->drains[i].shape, "a drain"));
    entry = scene_first(root, "solids");
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next)
        TRY(check_solid_shape(r, entry, &s->solids[i].shape, "a solid"));
    return RILL_OK;
}

/* Puts the place of a value before the message of the sources, which know no places. */
static rill_status at_place(scene_reader *r, rill_status st, const json_value *at)
{
    char cause[1024];
    snprintf(cause, sizeof cause, "%s", rill_ctx_message(r->ctx));
    return st == RILL_BAD_SCENE ? scene_fail(r, at, "%s", cause) : st;
}

/* Cells of one spacing in the part of a box within the domain. */
static double cells_in(const rill_scene *s, rill_box b)
{
    double cells = 1;
    for (int k = 0; k < s->dimensions; k++)
        cells *= fmax(fmin(v3_axis(b.max, k), v3_axis(s->domain.max, k)) -
                          fmax(v3_axis(b.min, k), v3_axis(s->domain.min, k)),
                      0) /
                 s->spacing;
    return cells;
}

/* That there is a particle at all, and not more than can be. Liquid of many cells is not
 * counted: reading a scene should take no time. */
static rill_status check_particles(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    double cells = 0;
    uint64_t count = 1;
    if (s->method && !s->method->has_particles) return RILL_OK;
    for (uint32_t i = 0; i < s->liquid_count; i++) cells += cells_in(s, shape_bounds(&s->liquid[i].shape));
    if (s->liquid_count && (cells < 4096 || cells > 1e9)) {
        const rill_status st = sources_count(r->ctx, s, &count);
        if (st) return at_place(r, st, scene_at(root, "spacing"));
    }
    if (count > 0) return RILL_OK;
    rill_scene bare = *s;
    bare.solid_count = 0;
    const rill_status st = sources_count(r->ctx, &bare, &count);
    if (st) return at_place(r, st, scene_at(root, "spacing"));
    if (count > 0)
        return scene_fail(r, scene_at(root, "liquid"),
                          "solids cover the liquid: no particle is left outside them; move one of the two");
    return scene_fail(
        r, scene_at(root, "liquid"),
        "no particle fits into the liquid at this spacing; make it larger, or \"spacing\" smaller");
}

/* That the emitters can emit, by trying, when that is no work. */
static rill_status check_layers(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    double widest = 0;
    for (uint32_t i = 0; i < s->emitter_count; i++) {
        const rill_vec3 size = box_size(shape_bounds(&s->emitters[i].shape));
        widest +=
            pow(v3_length(s->dimensions == 2 ? v3(size.x, size.y, 0) : size) / s->spacing, s->dimensions - 1);
    }
    sources trial;
    if (s->emitter_count == 0 || widest > 1e5) return RILL_OK; /* 24 bytes each; a run will say so */
    const rill_status st = sources_create(r->ctx, s, &trial);
    if (!st) {
        sources_clear(r->ctx, &trial);
        return RILL_OK;
    }
    unsigned index = 0;
    const json_value *entry = scene_first(root, "emitters");
    if (sscanf(rill_ctx_message(r->ctx), "emitters[%u]", &index) == 1)
        while (index-- && entry->next) entry = entry->next;
    return at_place(r, st, scene_at(entry, "shape"));
}

rill_status scene_check_sources(scene_reader *r, const json_value *root)
{
    TRY(check_liquid(r, root));
    TRY(check_emitters(r, root));
    TRY(check_tracers(r, root));
    TRY(check_smoke(r, root));
    TRY(check_shapes(r, root));
    TRY(scene_check_sizes(r, root));
    TRY(check_particles(r, root));
    return check_layers(r, root);
}
