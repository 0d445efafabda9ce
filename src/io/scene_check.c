/* Checks beyond a single row of a table: values of a scene that contradict each
 * other.
 *
 * Runs after every value has its type and range. Messages point at the value that would
 * have to change, or at the block it would be in. */
#include "io/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* More cells of one spacing than any machine this runs on could hold: a slip of unit. */
#define MOST_CELLS 1e12

static rill_status check_domain(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *domain = scene_at(root, "domain");
    for (int k = 0; k < s->dimensions; k++) {
        const double low = v3_axis(s->domain.min, k), high = v3_axis(s->domain.max, k);
        if (!(high > low))
            return scene_fail(r, scene_at(domain, "max"),
                              "\"max\" of the domain must be above \"min\" along %c: %s is not above %s",
                              "xyz"[k], scene_show_number(high).text, scene_show_number(low).text);
    }
    if (s->dimensions == 2 && s->domain.open >> 4 & 3)
        return scene_fail(r, scene_at(domain, "open"),
                          "the scene has two dimensions and no sides along z; remove it from \"open\"");
    return RILL_OK;
}

static rill_status check_spacing(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    double cells = 1, volume = 1, smallest = INFINITY;
    for (int k = 0; k < s->dimensions; k++) {
        const double size = v3_axis(s->domain.max, k) - v3_axis(s->domain.min, k);
        smallest = fmin(smallest, size);
        cells *= size / s->spacing;
        volume *= size;
    }
    if (smallest < 2 * s->spacing * (1 - 1e-9))
        return scene_fail(
            r, scene_at(root, "spacing"),
            "\"spacing\" is too large: the domain is %s m across, and needs at least 2 spacings; "
            "take at most %.3g m",
            scene_show_number(smallest).text, smallest / 2);
    if (cells > MOST_CELLS)
        return scene_fail(
            r, scene_at(root, "spacing"),
            "\"spacing\" is too small: the domain would have %.1e cells of that size, at most %.0e "
            "are allowed; take at least %.2g m",
            cells, MOST_CELLS, pow(volume / MOST_CELLS, 1.0 / s->dimensions));
    return RILL_OK;
}

/* The pre-roll is run as frames of its own. */
static rill_status check_time(scene_reader *r, const json_value *root)
{
    const scene_time *t = &r->scene->time;
    const double most = 1e6;
    if (t->preroll * t->fps <= most) return RILL_OK;
    return scene_fail(r, scene_at(scene_at(root, "time"), "preroll"),
                      "\"preroll\" is longer than %.0f frames; at %s frames per second take at most %s s",
                      most, scene_show_number(t->fps).text, scene_show_number(most / t->fps).text);
}

rill_status scene_check_name(scene_reader *r, const json_value *list, const json_value *entry,
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

static rill_status check_solids(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *list = scene_first(root, "solids"), *entry = list;
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next) {
        const rill_vec3 turn = s->solids[i].transform.rotate;
        TRY(scene_check_name(r, list, entry, "solid"));
        if (s->dimensions == 2 && (turn.x != 0 || turn.y != 0))
            return scene_fail(r, scene_at(scene_at(entry, "transform"), "rotate"),
                              "in two dimensions everything turns about z; give [0, 0, %s]",
                              scene_show_number(turn.z).text);
    }
    return RILL_OK;
}

/* A file that pictures use, by its absolute path. */
static rill_status find_picture(scene_reader *r, const char *what, const json_value *block, const char *key,
                                char **file)
{
    char *path = NULL;
    if (!*file || !(*file)[0]) return RILL_OK;
    TRY(scene_find_path(r, what, block, key, *file, &path));
    mem_free(r->ctx, *file);
    *file = path;
    return RILL_OK;
}

static rill_status find_pictures(scene_reader *r, const json_value *root)
{
    rill_scene *s = r->scene;
    const json_value *render = scene_at(root, "render"), *entry = scene_first(root, "solids");
    TRY(find_picture(r, "the sky", scene_at(render, "sky"), "environment", &s->render.sky.environment));
    TRY(find_picture(r, "the ground", scene_at(render, "ground_material"), "texture",
                     &s->render.ground.texture));
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next) {
        char what[96];
        if (s->solids[i].name[0])
            snprintf(what, sizeof what, "solid \"%.60s\"", s->solids[i].name);
        else
            snprintf(what, sizeof what, "solids[%u]", i);
        const json_value *look = scene_at(entry, "material");
        scene_material *m = &s->solids[i].material;
        TRY(find_picture(r, what, look, "texture", &m->texture));
        /* the colour of clay is that of opaque solids: glass is clear unless it is given one */
        if (m->kind == MATERIAL_GLASS && !json_find(look, "color")) m->color = v3(1, 1, 1);
    }
    return RILL_OK;
}

/* Whether eye and target are the same point, with keyframes at any of the eye's keys (or the target's, when
 * the eye stands still). */
static bool sees_nothing(const scene_camera *c)
{
    if (!c->eye_keys.count && !c->target_keys.count) return v3_distance(c->eye, c->target) == 0;
    const keyframes *k = c->eye_keys.count ? &c->eye_keys : &c->target_keys;
    for (uint32_t i = 0; i < k->count; i++) {
        const scene_camera at = scene_camera_at(c, k->key[i].t);
        if (v3_distance(at.eye, at.target) == 0) return true;
    }
    return false;
}

/* The coarsest level of the method's particles; 0: they have one size. */
static int32_t coarsest_level(const rill_scene *s)
{
    const char *block = scene_method_def_of(s, s->method->name);
    for (const rill_param *row = s->method->params; block && row && row->kind; row++)
        if (row->kind == PARAM_INTEGER && strcmp(row->name, "levels") == 0)
            return *(const int32_t *)(block + row->offset);
    return 0;
}

static rill_status check_surface(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *surface = scene_at(root, "surface");
    for (int axis = 0; axis < s->dimensions; axis++) {
        const double low = v3_axis(s->surface.clip_min, axis), high = v3_axis(s->surface.clip_max, axis);
        if (v3_distance(s->surface.clip_min, s->surface.clip_max) > 0 && !(high > low))
            return scene_fail(r, scene_at(surface, "clip_max"),
                              "the box of the surface is empty: %c goes from %s to %s", "xyz"[axis],
                              scene_show_number(low).text, scene_show_number(high).text);
    }
    if (v3_distance(s->surface.clip_min, s->surface.clip_max) > 0 &&
        s->surface.definition >= SURFACE_WILLIAMS)
        return scene_fail(r, scene_at(surface, "clip_max"),
                          "the surface \"%s\" cannot be cut by a box; another can",
                          scene_surface_words[s->surface.definition]);
    if (s->surface.definition >= SURFACE_WILLIAMS && coarsest_level(s) > 0)
        return scene_fail(
            r, scene_at(surface, "definition"),
            "the surface \"%s\" needs particles of one size, and \"levels\" of the method gives several "
            "sizes; take another definition, or leave \"levels\" out",
            scene_surface_words[s->surface.definition]);
    if (s->surface.radius > 0 && s->surface.radius < 1)
        return scene_fail(r, scene_at(surface, "radius"),
                          "within %s spacings particles do not reach each other; from 1 on they do, and 0 "
                          "stands for the definition's own radius",
                          scene_show_number(s->surface.radius).text);
    return RILL_OK;
}

static rill_status check_pictures(scene_reader *r, const json_value *root)
{
    rill_scene *s = r->scene;
    const json_value *camera = scene_at(root, "camera"), *output = scene_at(root, "output");
    TRY(find_pictures(r, root));
    if (s->camera.fov == 0 && !s->camera.fov_keys.count && v3_distance(s->camera.eye, s->camera.target) > 0)
        s->camera.fov = 30;
    if (s->camera.fov > 0 && sees_nothing(&s->camera))
        return scene_fail(
            r, scene_at(camera, "eye"),
            "\"eye\" and \"target\" of the camera are the same point; move one, or leave \"fov\" out");
    if (s->output.formats == 0 && (s->output.particles || s->output.surface))
        return scene_fail(r, scene_at(output, "formats"),
                          "\"formats\" is empty; name one, or set \"particles\" and \"surface\" to false");
    if (s->output.video && !s->output.images && json_find(output, "video"))
        return scene_fail(r, scene_at(output, "video"),
                          "a video is made of images; set \"images\" to true as well");
    if (s->output.video && (s->output.width % 2 || s->output.height % 2))
        return scene_fail(r, scene_at(output, s->output.width % 2 ? "width" : "height"),
                          "a video needs an even number of pixels each way, not %d by %d", s->output.width,
                          s->output.height);
    return check_surface(r, root);
}

/* The first solid that is left out of the refinement; NULL: there is none. */
static const json_value *unrefined_solid(const scene_reader *r, const json_value *root)
{
    const json_value *entry = scene_first(root, "solids");
    for (uint32_t i = 0; i < r->scene->solid_count; i++, entry = entry->next)
        if (!r->scene->solids[i].refine) return scene_at(entry, "refine");
    return NULL;
}

/* Colours are carried by particles. */
static rill_status check_colors(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    if (s->method->has_particles || !scene_has_colors(s)) return RILL_OK;
    static const char *const lists[2] = {"liquid", "emitters"};
    const json_value *at = root;
    for (int k = 0; k < 2 && at == root; k++)
        for (const json_value *e = scene_first(root, lists[k]); e && at == root; e = e->next)
            if (json_find(e, "color")) at = json_find(e, "color");
    return scene_fail(
        r, at,
        "the method \"%s\" has no particles to carry a colour; leave it out, and give the liquid "
        "its look by \"liquid_material\" of \"render\"",
        s->method->name);
}

/* The entry that a message begins with, as "solid 2: ..."; NULL: none. */
static const json_value *named_entry(const json_value *root, const char *message)
{
    static const struct {
        const char *format, *list;
    } kinds[] = {{"solid %u%c", "solids"}, {"liquid %u%c", "liquid"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        unsigned number;
        char colon;
        if (sscanf(message, kinds[k].format, &number, &colon) != 2 || colon != ':' || number == 0) continue;
        const json_value *entry = scene_first(root, kinds[k].list);
        while (entry && --number) entry = entry->next;
        return entry;
    }
    return NULL;
}

/* The method must support everything the scene asks for. */
static rill_status check_method(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *fluid = scene_at(root, "fluid"), *unrefined = unrefined_solid(r, root);
    const struct {
        bool asked;
        uint32_t can;
        const json_value *at;
        const char *what;
    } wants[] = {
        {s->dimensions == 2, CAN_TWO_DIMENSIONS, scene_at(root, "dimensions"), "two dimensions"},
        {s->fluid.viscosity > 0, CAN_VISCOSITY, scene_at(fluid, "viscosity"), "viscosity"},
        {s->fluid.surface_tension > 0, CAN_SURFACE_TENSION, scene_at(fluid, "surface_tension"),
         "surface tension"},
        {s->fill, CAN_FILL, scene_at(root, "fill"), "a domain that fluid fills"},
        {s->smoke_count > 0, CAN_SMOKE, scene_at(root, "smoke"), "smoke"},
        {unrefined != NULL, CAN_REFINE, unrefined, "\"refine\""},
        {scene_first_body(r, root) != NULL, CAN_BODIES, scene_first_body(r, root), "bodies"},
    };
    if (!s->method || r->tolerant) return RILL_OK; /* to be looked at, not run */
    if (s->smoke_count && !s->fill && s->method->can & CAN_SMOKE && s->method->can & CAN_FREE_SURFACE)
        return scene_fail(
            r, scene_at(root, "smoke"),
            "smoke is carried by gas that fills the domain; set \"fill\" to true, and leave out "
            "emitters and drains");
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
    if (!s->fill && s->method->can & CAN_FILL && !(s->method->can & CAN_FREE_SURFACE))
        return scene_fail(
            r, scene_at(root, s->liquid_count ? "liquid" : "emitters"),
            "the method \"%s\" has no free surface: its fluid fills the domain; set \"fill\": true, or "
            "take another method",
            s->method->name);
    TRY(check_colors(r, root));
    TRY(scene_check_whitewater(r, root));
    TRY(scene_check_unused(r, root));
    TRY(scene_check_view(r, root));
    if (!s->method->check) return RILL_OK;
    const rill_status st = scene_ask_method(r, root);
    if (st != RILL_BAD_SCENE) return st;
    /* The method knows entries and keys, not places: the message points at the entry, its block, or the line
     * that chose the method. */
    char cause[1024];
    snprintf(cause, sizeof cause, "%s", rill_ctx_message(r->ctx));
    const json_value *at = named_entry(root, cause);
    if (!at) at = json_find(root, s->method->name);
    if (!at) at = scene_at(root, "method");
    return scene_fail(r, at, "%s", cause);
}

rill_status scene_check(scene_reader *r, const json_value *root)
{
    if (r->scene->fill && r->scene->method && r->scene->method->filled)
        r->scene->method = r->scene->method->filled;
    TRY(check_domain(r, root));
    TRY(check_spacing(r, root));
    TRY(scene_check_sources(r, root));
    TRY(check_solids(r, root));
    TRY(scene_check_motion(r, root));
    TRY(scene_check_bodies(r, root));
    TRY(scene_check_slots(r, root));
    TRY(check_time(r, root));
    TRY(scene_check_gauges(r, root));
    TRY(check_pictures(r, root));
    TRY(check_method(r, root));
    return r->tolerant ? RILL_OK : scene_warn_places(r, root);
}
