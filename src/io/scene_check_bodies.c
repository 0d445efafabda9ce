/* Checks of solids that are bodies: they have a mass and at most one joint, and overlap nothing at the start.
 */
#include "flow/method.h"
#include "io/scene_reader.h"

/* Overlaps at the start deeper than this share of the smaller piece are refused; others are parted. */
#define DEEP 0.05

static rill_status check_mass(scene_reader *r, const json_value *body, const scene_solid *s)
{
    if (s->body.density > 0 && s->body.mass > 0)
        return scene_fail(r, scene_at(body, "mass"),
                          "the body has a \"density\" and a \"mass\"; leave one of them out");
    if (!(s->body.density > 0) && !(s->body.mass > 0))
        return scene_fail(r, body,
                          "the body has no mass; give its \"density\" (wood about 600) or its \"mass\"");
    return RILL_OK;
}

static rill_status check_shape(scene_reader *r, const json_value *entry, const scene_solid *s)
{
    const rill_box b = shape_bounds(&s->shape);
    for (int k = 0; k < r->scene->dimensions; k++)
        if (!isfinite(v3_axis(b.min, k)) || !isfinite(v3_axis(b.max, k)))
            return scene_fail(r, scene_at(entry, "shape"),
                              "a body needs a bounded shape; this one has no end along %c", "xyz"[k]);
    if (s->shape.kind == SHAPE_SEQUENCE)
        return scene_fail(r, scene_at(entry, "shape"),
                          "a body is rigid, and a sequence of meshes deforms; take a mesh");
    return RILL_OK;
}

static rill_status check_joint(scene_reader *r, const json_value *body, const scene_body *b)
{
    if (b->hinged + b->pinned + b->sliding > 1)
        return scene_fail(
            r, body, "a body has one joint: a \"hinge\", a \"pin\" or a \"slide\"; leave the others out");
    if (b->hinged && r->scene->dimensions == 3 && v3_length(b->hinge.axis) == 0)
        return scene_fail(r, scene_at(scene_at(body, "hinge"), "axis"), "the axis of a hinge cannot be zero");
    if (b->sliding && v3_length(b->slide.axis) == 0)
        return scene_fail(r, scene_at(scene_at(body, "slide"), "axis"), "the axis of a slide cannot be zero");
    return RILL_OK;
}

static const char *name_of(const rill_scene *s, uint32_t obstacle)
{
    static const char *const sides[] = {"the -x side of the domain", "the +x side of the domain",
                                        "the -y side of the domain", "the +y side of the domain",
                                        "the -z side of the domain", "the +z side of the domain"};
    if (obstacle >= SOLID_DOMAIN) return sides[obstacle - SOLID_DOMAIN];
    return s->solids[obstacle].name[0] ? s->solids[obstacle].name : "another solid";
}

/* No body starts inside another or inside a wall. */
static rill_status check_overlaps(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    solids walls;
    body_set all;
    TRY(solids_create(r->ctx, s, &walls));
    rill_status st = bodies_create(r->ctx, s, &walls, &all);
    if (!st) {
        body_world *w = &all.world;
        st = body_contacts_find(r->ctx, w->piece, w->bodies + w->obstacles, w->dimensions, 0, &w->contacts);
        for (uint32_t k = 0; !st && k < w->contacts.count; k++) {
            const body_contact *c = &w->contacts.contact[k];
            const body_piece *a = &w->piece[c->a], *b = &w->piece[c->b];
            if (-c->gap <= DEEP * fmin(a->thickness, b->thickness)) continue;
            const uint32_t other = c->b < w->bodies ? all.solid[c->b] : all.obstacle[c->b - w->bodies];
            const json_value *entry = scene_first(root, "solids");
            for (uint32_t i = 0; i < all.solid[c->a]; i++) entry = entry->next;
            st =
                scene_fail(r, entry, "the body starts %.3g m inside %s, near (%.3g, %.3g, %.3g); move it out",
                           -c->gap, name_of(s, other), c->x.x, c->x.y, c->x.z);
        }
        bodies_clear(r->ctx, &all);
    }
    solids_clear(r->ctx, &walls);
    return st;
}

const json_value *scene_first_body(const scene_reader *r, const json_value *root)
{
    const json_value *entry = scene_first(root, "solids");
    for (uint32_t i = 0; i < r->scene->solid_count; i++, entry = entry->next)
        if (r->scene->solids[i].is_body) return scene_at(entry, "body");
    return NULL;
}

static bool is_usual(const scene_contact *c)
{
    scene_contact usual;
    for (const rill_param *row = scene_contact_params; row->kind; row++)
        *(double *)((char *)&usual + row->offset) = row->value;
    return c->friction == usual.friction && c->restitution == usual.restitution;
}

/* Without bodies nothing meets: a "contact" that says something is refused. */
static rill_status check_no_contact(scene_reader *r, const json_value *root)
{
    static const char cause[] =
        "\"contact\" is about bodies, and the scene has none; remove it, or make a solid a \"body\"";
    const rill_scene *s = r->scene;
    if (!is_usual(&s->domain.contact))
        return scene_fail(r, scene_at(scene_at(root, "domain"), "contact"), cause);
    const json_value *entry = scene_first(root, "solids");
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next)
        if (!is_usual(&s->solids[i].contact)) return scene_fail(r, scene_at(entry, "contact"), cause);
    return RILL_OK;
}

rill_status scene_check_bodies(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    if (!scene_first_body(r, root)) return check_no_contact(r, root);
    const json_value *entry = scene_first(root, "solids");
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next) {
        if (!s->solids[i].is_body) continue;
        const json_value *body = scene_at(entry, "body");
        TRY(check_mass(r, body, &s->solids[i]));
        TRY(check_shape(r, entry, &s->solids[i]));
        TRY(check_joint(r, body, &s->solids[i].body));
    }
    if (s->method && !(s->method->can & CAN_BODIES))
        return RILL_OK; /* refused for that, before anything is computed */
    return check_overlaps(r, root);
}
