/* What one row of a table cannot see: values of a scene that do not go together.
 *
 * Runs after every value has its type and range. Messages point at the value that would
 * have to change, or at the block it would be in. */
#include "io/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* More cells of one spacing than any machine this runs on could hold: a slip of unit. */
#define MOST_CELLS 1e12

/* The member, or the object itself when the key was left out. */
static const json_value *place(const json_value *object, const char *key)
{
    const json_value *v = json_find(object, key);
    return v ? v : object;
}

static const json_value *first(const json_value *root, const char *list)
{
    const json_value *v = json_find(root, list);
    return v ? v->child : NULL;
}

static rill_status check_domain(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *domain = place(root, "domain");
    for (int k = 0; k < s->dimensions; k++) {
        const double low = v3_axis(s->domain.min, k), high = v3_axis(s->domain.max, k);
        if (!(high > low))
            return scene_fail(r, place(domain, "max"),
                              "\"max\" of the domain must be above \"min\" along %c: %s is not above %s",
                              "xyz"[k], scene_show_number(high).text, scene_show_number(low).text);
    }
    for (int k = 0; k < 3; k++) {
        const bool open = (s->domain.open >> (2 * k) & 3) != 0, periodic = (s->domain.periodic >> k & 1) != 0;
        if (k >= s->dimensions && (open || periodic))
            return scene_fail(r, place(domain, open ? "open" : "periodic"),
                              "the scene has two dimensions and no sides along z; remove it from \"%s\"",
                              open ? "open" : "periodic");
        if (open && periodic)
            return scene_fail(
                r, place(domain, "periodic"),
                "the domain cannot be both open and periodic along %c; remove it from one of the two",
                "xyz"[k]);
    }
    return RILL_OK;
}

static rill_status check_spacing(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    double cells = 1, smallest = INFINITY;
    for (int k = 0; k < s->dimensions; k++) {
        const double size = v3_axis(s->domain.max, k) - v3_axis(s->domain.min, k);
        smallest = fmin(smallest, size);
        cells *= size / s->spacing;
    }
    if (smallest < 2 * s->spacing * (1 - 1e-9))
        return scene_fail(
            r, place(root, "spacing"),
            "\"spacing\" is too large: the domain is %s m across, and needs at least 2 spacings; "
            "take at most %.3g m",
            scene_show_number(smallest).text, smallest / 2);
    if (cells > MOST_CELLS)
        return scene_fail(
            r, place(root, "spacing"),
            "\"spacing\" is too small: the domain would have %.1e cells of that size, at most %.0e "
            "are allowed; take at least %.2g m",
            cells, MOST_CELLS, s->spacing * pow(cells / MOST_CELLS, 1.0 / s->dimensions));
    return RILL_OK;
}

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
    return scene_fail(r, place(entry, "shape"),
                      "%s needs a volume, and a disc has none; a short cylinder does", what);
}

static rill_status check_liquid(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    if (s->liquid_count == 0 && s->emitter_count == 0)
        return scene_fail(r, root, "the scene has no liquid; add an entry to \"liquid\" or \"emitters\"");
    const json_value *entry = first(root, "liquid");
    for (uint32_t i = 0; i < s->liquid_count; i++, entry = entry->next) {
        const scene_liquid *l = &s->liquid[i];
        TRY(check_solid_shape(r, entry, &l->shape, "liquid"));
        if (outside_domain(r, &l->shape))
            return scene_fail(r, place(entry, "shape"),
                              "the liquid lies outside the domain; move it inside or make the domain larger");
        if (s->dimensions == 2 && l->velocity.named &&
            velocity_params[l->velocity.named][0].kind == PARAM_POINT3 &&
            (l->velocity.value.x != 0 || l->velocity.value.y != 0))
            return scene_fail(r, place(place(entry, "velocity"), "angular_velocity"),
                              "in two dimensions everything turns about z; give [0, 0, %s]",
                              scene_show_number(l->velocity.value.z).text);
    }
    return RILL_OK;
}

static rill_status check_emitters(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *entry = first(root, "emitters");
    for (uint32_t i = 0; i < s->emitter_count; i++, entry = entry->next) {
        const scene_emitter *e = &s->emitters[i];
        const json_value *at = place(entry, "shape");
        if (e->shape.kind != SHAPE_DISC) TRY(check_solid_shape(r, entry, &e->shape, "a combined emitter"));
        if (!bounded(r, &e->shape))
            return scene_fail(r, at, "an emitter must be bounded; take a disc or a box");
        if (e->shape.kind != SHAPE_DISC && v3_length(e->direction) == 0)
            return scene_fail(r, place(entry, "direction"),
                              "an emitter other than a disc needs a \"direction\" that is not zero");
        if (outside_domain(r, &e->shape))
            return scene_fail(r, at, "the emitter lies outside the domain; move it inside");
        if (!(e->end > e->start))
            return scene_fail(r, place(entry, "end"),
                              "\"end\" must be after \"start\": %s s is not after %s s",
                              scene_show_number(e->end).text, scene_show_number(e->start).text);
    }
    return RILL_OK;
}

static rill_status check_name(scene_reader *r, const json_value *list, const json_value *entry,
                              const char *what)
{
    const json_value *name = json_find(entry, "name");
    if (!name || name->string[0] == 0) return RILL_OK;
    for (const json_value *other = list; other != entry; other = other->next) {
        const json_value *n = json_find(other, "name");
        if (n && strcmp(n->string, name->string) == 0)
            return scene_fail(r, name, "another %s is called \"%s\" already; give it another name", what,
                              json_show(name->string).text);
    }
    return RILL_OK;
}

static rill_status check_drains_and_solids(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *entry = first(root, "drains");
    for (uint32_t i = 0; i < s->drain_count; i++, entry = entry->next)
        TRY(check_solid_shape(r, entry, &s->drains[i].shape, "a drain"));

    const json_value *list = first(root, "solids");
    entry = list;
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next) {
        const rill_vec3 turn = s->solids[i].transform.rotate;
        TRY(check_solid_shape(r, entry, &s->solids[i].shape, "a solid"));
        TRY(check_name(r, list, entry, "solid"));
        if (s->dimensions == 2 && (turn.x != 0 || turn.y != 0))
            return scene_fail(r, place(place(entry, "transform"), "rotate"),
                              "in two dimensions everything turns about z; give [0, 0, %s]",
                              scene_show_number(turn.z).text);
    }
    return RILL_OK;
}

static rill_status check_gauges(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *list = first(root, "gauges"), *entry = list;
    for (uint32_t i = 0; i < s->gauge_count; i++, entry = entry->next) {
        const scene_gauge *g = &s->gauges[i];
        if (g->name[0] == 0 || strpbrk(g->name, ",\""))
            return scene_fail(
                r, json_find(entry, "name"),
                "the name of a gauge heads its column in a table: it must not be empty or contain , or \"");
        TRY(check_name(r, list, entry, "gauge"));
        for (int k = 0; k < s->dimensions; k++) {
            const double x = v3_axis(g->point, k);
            if (k == 1 && g->kind == GAUGE_HEIGHT) continue;
            if (x < v3_axis(s->domain.min, k) || x > v3_axis(s->domain.max, k))
                return scene_fail(r, json_find(entry, gauge_names[g->kind]),
                                  "the gauge \"%s\" lies outside the domain: %c = %s",
                                  json_show(g->name).text, "xyz"[k], scene_show_number(x).text);
        }
    }
    return RILL_OK;
}

static rill_status check_pictures(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *camera = place(root, "camera"), *output = place(root, "output");
    if (s->camera.fov > 0 && v3_distance(s->camera.eye, s->camera.target) == 0)
        return scene_fail(
            r, place(camera, "eye"),
            "\"eye\" and \"target\" of the camera are the same point; move one, or leave \"fov\" out");
    if (s->output.formats == 0 && (s->output.particles || s->output.surface))
        return scene_fail(r, place(output, "formats"),
                          "\"formats\" is empty; name one, or set \"particles\" and \"surface\" to false");
    if (s->output.video && !s->output.images && json_find(output, "video"))
        return scene_fail(r, place(output, "video"),
                          "a video is made of images; set \"images\" to true as well");
    if (s->output.video && (s->output.width % 2 || s->output.height % 2))
        return scene_fail(r, place(output, s->output.width % 2 ? "width" : "height"),
                          "a video needs an even number of pixels each way, not %d by %d", s->output.width,
                          s->output.height);
    return RILL_OK;
}

/* What the scene asks, the method must be able to do. */
static rill_status check_method(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *fluid = place(root, "fluid");
    const struct {
        bool asked;
        uint32_t can;
        const json_value *at;
        const char *what;
    } wants[] = {
        {s->dimensions == 2, CAN_TWO_DIMENSIONS, place(root, "dimensions"), "two dimensions"},
        {s->fluid.viscosity > 0, CAN_VISCOSITY, place(fluid, "viscosity"), "viscosity"},
        {s->fluid.surface_tension > 0, CAN_SURFACE_TENSION, place(fluid, "surface_tension"),
         "surface tension"},
        {s->domain.periodic != 0, CAN_PERIODIC, place(place(root, "domain"), "periodic"), "periodic sides"},
    };
    if (!s->method) return RILL_OK;
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        if (!wants[i].asked || s->method->can & wants[i].can) continue;
        for (uint32_t k = 0; k < s->method_count; k++)
            if (s->methods[k].method->can & wants[i].can)
                return scene_fail(r, wants[i].at,
                                  "the method \"%s\" cannot do %s; leave it out, or take the method \"%s\"",
                                  s->method->name, wants[i].what, s->methods[k].method->name);
        return scene_fail(r, wants[i].at, "the method \"%s\" cannot do %s, and no other can; leave it out",
                          s->method->name, wants[i].what);
    }
    if (!s->method->check) return RILL_OK;
    const rill_status st = s->method->check(r->ctx, s);
    if (st != RILL_BAD_SCENE) return st;
    /* It knows keys, not places: its block, or the line that chose it. */
    const json_value *at = json_find(root, s->method->name);
    if (!at) at = place(root, "method");
    char cause[1024];
    snprintf(cause, sizeof cause, "%s", rill_ctx_message(r->ctx));
    return scene_fail(r, at, "%s", cause);
}

rill_status scene_check(scene_reader *r, const json_value *root)
{
    TRY(check_domain(r, root));
    TRY(check_spacing(r, root));
    TRY(check_liquid(r, root));
    TRY(check_emitters(r, root));
    TRY(check_drains_and_solids(r, root));
    TRY(check_gauges(r, root));
    TRY(check_pictures(r, root));
    return check_method(r, root);
}
