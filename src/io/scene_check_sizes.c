/* The spacing against what it has to resolve: liquid, emitters, and slots between solids.
 *
 * A slot is the space between two flat parallel faces: where it is narrower than a
 * spacing, nothing flows through it, and that is seldom meant. Between curved solids every
 * width occurs, and none is refused. */
#include "io/scene_reader.h"

#include <math.h>

enum { MOST_SOLIDS = 64, ROUNDS = 60 };

/* "spacing" of at most this would do, a little below the size. */
static rill_status too_coarse(scene_reader *r, const json_value *at, const char *what, double size)
{
    return scene_fail(
        r, at,
        "%s is %.3g m across, less than the spacing of %s m; \"spacing\" would have to be at most %.3g", what,
        size, scene_show_number(r->scene->spacing).text, 0.995 * size);
}

static bool finer(const rill_scene *s, double size)
{
    return size < s->spacing * (1 - 1e-6);
}

static rill_status check_liquid_size(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "liquid");
    for (uint32_t i = 0; i < s->liquid_count; i++, entry = entry->next) {
        const rill_box b = shape_bounds(&s->liquid[i].shape);
        for (int k = 0; k < s->dimensions; k++) {
            const double size = fmin(v3_axis(b.max, k), v3_axis(s->domain.max, k)) -
                                fmax(v3_axis(b.min, k), v3_axis(s->domain.min, k));
            if (finer(s, size))
                return too_coarse(r, scene_at(entry, "shape"), "the liquid in the domain", size);
        }
    }
    return RILL_OK;
}

static rill_status check_emitter_size(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "emitters");
    for (uint32_t i = 0; i < s->emitter_count; i++, entry = entry->next) {
        const shape *e = &s->emitters[i].shape;
        if (e->kind == SHAPE_DISC && finer(s, 2 * e->flat.radius))
            return too_coarse(r, scene_at(entry, "shape"), "the emitter", 2 * e->flat.radius);
    }
    return RILL_OK;
}

rill_status scene_check_sizes(scene_reader *r, const json_value *root)
{
    TRY(check_liquid_size(r, root));
    return check_emitter_size(r, root);
}

/* -- slots ---------------------------------------------------------------------------- */

/* A solid, or a closed side of the domain. */
typedef struct {
    const solids *all;
    uint32_t id;
} face_owner;

static double distance_of(const face_owner *o, rill_vec3 x, rill_vec3 *normal)
{
    if (o->id >= SOLID_DOMAIN) {
        const int side = (int)(o->id - SOLID_DOMAIN), axis = side_axis(side);
        *normal = v3(0, 0, 0);
        v3_set_axis(normal, axis, side % 2 ? -1 : 1);
        return side % 2 ? v3_axis(o->all->domain.max, axis) - v3_axis(x, axis)
                        : v3_axis(x, axis) - v3_axis(o->all->domain.min, axis);
    }
    const struct solid_pose *p = &o->all->rest[o->id].pose;
    rill_vec3 n;
    const double d = p->scale * shape_distance(&o->all->scene->solids[o->id].shape, solid_to_local(p, x), &n);
    *normal = solid_turned_back(p, n);
    return d;
}

/* Whether x lies between flat faces of both, opposite each other; their distance. */
static bool between_flats(const face_owner *a, const face_owner *b, rill_vec3 x, rill_vec3 along, double *gap)
{
    rill_vec3 na, nb, n;
    const double da = distance_of(a, x, &na), db = distance_of(b, x, &nb);
    *gap = da + db;
    if (!(da > 0 && db > 0) || v3_dot(na, nb) > -1 + 1e-9) return false;
    for (int k = -1; k <= 1; k += 2) { /* and so to both sides */
        const rill_vec3 y = v3_madd(x, k, along);
        if (fabs(distance_of(a, y, &n) - da) > 1e-6 * *gap || v3_dot(n, na) < 1 - 1e-9) return false;
        if (fabs(distance_of(b, y, &n) - db) > 1e-6 * *gap || v3_dot(n, nb) < 1 - 1e-9) return false;
    }
    return true;
}

/* The width of the slot between two solids; 0: none. Projections onto both in turn end where
 * they are nearest; of two faces side by side, from the middle of the common part. */
static double slot_between(const rill_scene *s, const face_owner *a, const face_owner *b, rill_vec3 start)
{
    rill_vec3 x = start, n;
    for (int k = 0; k < ROUNDS; k++) {
        const double d = distance_of(k % 2 ? a : b, x, &n);
        if (!isfinite(d)) return 0;
        x = v3_madd(x, -d, n);
    }
    const double d = distance_of(b, x, &n);
    x = v3_madd(x, -0.5 * d, n); /* from a half the way to b */
    if (!(d > 1e-6 * s->spacing && finer(s, d))) return 0;
    const rill_vec3 u =
        fabs(n.x) < 0.9 ? v3_unit(v3_cross(n, v3(1, 0, 0))) : v3_unit(v3_cross(n, v3(0, 1, 0)));
    const double wide = 0.5 * s->spacing;
    double gap;
    if (s->dimensions == 2) return between_flats(a, b, x, v3(-wide * n.y, wide * n.x, 0), &gap) ? gap : 0;
    return between_flats(a, b, x, v3_scale(u, wide), &gap) &&
                   between_flats(a, b, x, v3_scale(v3_cross(n, u), wide), &gap)
               ? gap
               : 0;
}

static bool has_mesh(const shape *s)
{
    if (s->kind == SHAPE_MESH || s->kind == SHAPE_SEQUENCE || s->kind == SHAPE_FUNCTION) return true;
    if (s->kind != SHAPE_UNION && s->kind != SHAPE_INTERSECTION && s->kind != SHAPE_DIFFERENCE) return false;
    for (uint32_t i = 0; i < s->parts.count; i++)
        if (has_mesh(&s->parts.part[i])) return true;
    return false;
}

/* The middle of what the boxes of two solids have in common, or of what is between them. */
static rill_vec3 middle_of(rill_box a, rill_box b, const scene_domain *d)
{
    rill_vec3 x = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double low = fmax(fmax(v3_axis(a.min, k), v3_axis(b.min, k)), v3_axis(d->min, k)),
                     high = fmin(fmin(v3_axis(a.max, k), v3_axis(b.max, k)), v3_axis(d->max, k));
        v3_set_axis(&x, k, 0.5 * (low + high));
    }
    return x;
}

static rill_status check_slot(scene_reader *r, const json_value *entry, const solids *all, uint32_t i,
                              uint32_t other)
{
    const rill_scene *s = r->scene;
    const face_owner a = {all, i}, b = {all, other};
    const rill_box whole = {s->domain.min, s->domain.max};
    const double gap = slot_between(
        s, &a, &b,
        middle_of(all->rest[i].bounds, other < SOLID_DOMAIN ? all->rest[other].bounds : whole, &s->domain));
    if (!(gap > 0)) return RILL_OK;
    const bool wall = other >= SOLID_DOMAIN;
    return scene_fail(
        r, scene_at(entry, "shape"),
        "%.3g m are left between this solid and %s, less than the spacing of %s m: nothing would flow "
        "there; close the slot, or take a \"spacing\" of at most %.3g",
        gap, wall ? "the side of the domain" : "another one", scene_show_number(s->spacing).text,
        0.995 * gap);
}

static rill_status check_slots(scene_reader *r, const json_value *root, const solids *all)
{
    const rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "solids");
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next) {
        if (s->solids[i].motion.count || s->solids[i].is_body || has_mesh(&s->solids[i].shape)) continue;
        for (uint32_t j = 0; j < i; j++)
            if (!s->solids[j].motion.count && !s->solids[j].is_body && !has_mesh(&s->solids[j].shape))
                TRY(check_slot(r, entry, all, i, j));
        for (int side = 0; side < 2 * s->dimensions; side++)
            if (!(s->domain.open & 1u << side))
                TRY(check_slot(r, entry, all, i, SOLID_DOMAIN + (uint32_t)side));
    }
    return RILL_OK;
}

rill_status scene_check_slots(scene_reader *r, const json_value *root)
{
    if (r->scene->solid_count == 0 || r->scene->solid_count > MOST_SOLIDS) return RILL_OK;
    solids all;
    TRY(solids_create(r->ctx, r->scene, &all));
    const rill_status st = check_slots(r, root, &all);
    solids_clear(r->ctx, &all);
    return st;
}
