/* A ray and a solid, from outside and from inside: boxes and spheres by formula, meshes by their triangles,
 * everything else, and whatever the domain or a plane cuts, by stepping along the ray by the distance (Hart
 * 1996) until its sign changes. */
#include "render/look.h"
#include "render/path/studio.h"

enum { MOST_STEPS = 400, HALVINGS = 40 };

/* A solid as one ray meets it. */
typedef struct {
    const solid_place *place;
    const shape *form;
    rill_vec3 origin, direction; /* in its own coordinates, lengths divided by scale */
    double scale, skin;
    rill_box domain; /* a little larger than it is */
    bool cut;        /* it reaches out of the domain, or a plane cuts it */
    const scene_material *look;
    rill_vec3 world_origin, world_direction;
    double from, to; /* the part of the ray in its bounds and the domain */
} meeting;

static bool clip(rill_box b, rill_vec3 o, rill_vec3 d, double *from, double *to)
{
    for (int a = 0; a < 3; a++) {
        const double x = v3_axis(o, a), v = v3_axis(d, a), low = v3_axis(b.min, a), high = v3_axis(b.max, a);
        if (v == 0) {
            if (x < low || x > high) return false;
            continue;
        }
        *from = fmax(*from, ((v > 0 ? low : high) - x) / v);
        *to = fmin(*to, ((v > 0 ? high : low) - x) / v);
    }
    return *from < *to;
}

/* Signed distance from a box, negative inside, and its normal. */
static double from_box(rill_box b, rill_vec3 x, rill_vec3 *normal)
{
    double most = -INFINITY;
    for (int a = 0; a < 3; a++) {
        const double low = v3_axis(b.min, a) - v3_axis(x, a), high = v3_axis(x, a) - v3_axis(b.max, a);
        if (fmax(low, high) <= most) continue;
        most = fmax(low, high);
        *normal = v3(0, 0, 0);
        v3_set_axis(normal, a, low > high ? -1 : 1);
    }
    return most;
}

/* Distance from what is drawn of the solid, at t of the ray. */
static double distance_at(const meeting *m, double t, rill_vec3 *normal)
{
    const double d = shape_distance(m->form, v3_madd(m->origin, t, m->direction), normal) * m->scale;
    if (normal) *normal = v3_unit(solid_turned_back(&m->place->pose, *normal));
    if (!m->cut) return d;
    const rill_vec3 x = v3_madd(m->world_origin, t, m->world_direction);
    rill_vec3 side;
    double most = from_box(m->domain, x, &side);
    if (look_is_cut(m->look) && look_beyond(m->look, x) > most) {
        most = look_beyond(m->look, x);
        side = v3_unit(m->look->cut.normal);
    }
    if (most <= d) return d;
    if (normal) *normal = side;
    return most;
}

static bool root_between(const meeting *m, double low, double high, bool inside, studio_hit *out)
{
    for (int i = 0; i < HALVINGS && high - low > 1e-3 * m->skin; i++) {
        const double middle = (low + high) / 2;
        if ((distance_at(m, middle, NULL) < 0) == inside)
            low = middle;
        else
            high = middle;
    }
    out->t = high;
    distance_at(m, high, &out->face);
    out->normal = out->face;
    return v3_length(out->face) > 0.5;
}

static bool march(const meeting *m, studio_hit *out)
{
    const double least = 2 * m->skin;
    const bool inside = m->from <= 0 && distance_at(m, 0, NULL) < 0;
    double before = m->from, t = m->from;
    for (int i = 0; i < MOST_STEPS; i++) {
        const double d = distance_at(m, t, NULL);
        if ((d < 0) != inside) return root_between(m, before, t, inside, out);
        if (t >= m->to) return false;
        before = t;
        t += fmax(fabs(d), least);
        if (t > m->to) t = m->to;
    }
    return false;
}

static bool meet_box(const meeting *m, studio_hit *out)
{
    const shape_box *b = &m->form->box;
    double near = -INFINITY, far = INFINITY;
    int near_axis = 0, far_axis = 0;
    for (int a = 0; a < 3; a++) {
        const double x = v3_axis(m->origin, a), v = v3_axis(m->direction, a), low = v3_axis(b->min, a),
                     high = v3_axis(b->max, a);
        if (v == 0) {
            if (x < low || x > high) return false;
            continue;
        }
        const double first = ((v > 0 ? low : high) - x) / v, last = ((v > 0 ? high : low) - x) / v;
        if (first > near) near = first, near_axis = a;
        if (last < far) far = last, far_axis = a;
    }
    if (!(near < far) || !(far > 0)) return false;
    const bool enters = near > 0;
    const int axis = enters ? near_axis : far_axis;
    const bool up = (v3_axis(m->direction, axis) > 0) != enters; /* through which of the two faces */
    out->t = enters ? near : far;
    out->face = v3_scale(m->place->pose.row[axis], up ? 1 : -1);
    out->normal = out->face;
    return out->t < m->to;
}

static bool meet_sphere(const meeting *m, studio_hit *out)
{
    const shape_sphere *s = &m->form->sphere;
    const rill_vec3 o = v3_sub(m->origin, s->center);
    const double a = v3_dot(m->direction, m->direction), b = v3_dot(o, m->direction),
                 c = v3_dot(o, o) - s->radius * s->radius, k = b * b - a * c;
    if (!(k > 0)) return false;
    const double q = b > 0 ? -b - sqrt(k) : -b + sqrt(k); /* without cancellation */
    const double x = q / a, y = q != 0 ? c / q : x, near = fmin(x, y), far = fmax(x, y);
    out->t = near > 0 ? near : far;
    if (!(out->t > 0 && out->t < m->to)) return false;
    const rill_vec3 n = v3_unit(v3_madd(o, out->t, m->direction));
    out->face = v3_unit(solid_turned_back(&m->place->pose, n));
    out->normal = out->face;
    return true;
}

static bool meet_mesh(const meeting *m, const mesh_distance *mesh, double share, studio_hit *out)
{
    const rill_vec3 along = v3_scale(m->direction, m->scale);
    const trimesh *surface = mesh_distance_surface(mesh);
    rays_hit h;
    if (!rays_intersect_at(mesh_distance_rays(mesh), share, m->origin, along, 0, m->to / m->scale, &h))
        return false;
    out->t = h.t * m->scale;
    rill_vec3 n = h.normal;
    if (surface->normal) {
        const uint32_t *c = surface->triangle[h.element];
        const double weight[3] = {1 - (double)h.u - (double)h.v, h.u, h.v};
        rill_vec3 smooth = v3(0, 0, 0);
        for (int k = 0; k < 3; k++) {
            const float *at = surface->normal[c[k]];
            smooth = v3_madd(smooth, weight[k], v3(at[0], at[1], at[2]));
        }
        smooth = v3_unit(smooth);
        if (v3_dot(smooth, n) > 0.1) n = smooth;
    }
    out->face = v3_unit(solid_turned_back(&m->place->pose, h.normal));
    out->normal = v3_unit(solid_turned_back(&m->place->pose, n));
    return v3_length(out->face) > 0.5;
}

static const mesh_distance *mesh_of(const shape *form, double *share)
{
    *share = form->kind == SHAPE_SEQUENCE ? form->sequence.now.share : 0;
    return form->kind == SHAPE_SEQUENCE ? form->sequence.now.span
           : form->kind == SHAPE_MESH   ? form->mesh.owned
                                        : NULL;
}

static double time_of(const studio *w, double share)
{
    return w->time + (w->shutter > 0 ? (share - 0.5) * w->shutter : 0);
}

static bool reaches_out(rill_box b, rill_box domain)
{
    return !box_contains(domain, b.min) || !box_contains(domain, b.max);
}

bool studio_solid_is_cut(const studio *w, uint32_t solid, const solid_place *place)
{
    return reaches_out(place->bounds, box_grown(w->domain, w->skin)) ||
           look_is_cut(&w->scene->solids[solid].material);
}

bool studio_meet_solid(const studio *w, uint32_t k, const studio_ray *r, double to, studio_hit *out)
{
    solid_place place_room;
    shape form_room;
    const double time = time_of(w, r->share);
    if (studio_is_hidden(w, k)) return false;
    meeting m = {.place = solids_place_at(&w->solids, k, time, &place_room),
                 .form = solids_form_at(&w->solids, k, time, &form_room),
                 .skin = w->skin,
                 .look = &w->scene->solids[k].material,
                 .domain = box_grown(w->domain, w->skin),
                 .world_origin = r->origin,
                 .world_direction = r->direction,
                 .to = to};
    const rill_box grown = box_grown(m.place->bounds, w->skin);
    m.cut = studio_solid_is_cut(w, k, m.place);
    const rill_box shown = {v3_max(m.domain.min, grown.min), v3_min(m.domain.max, grown.max)};
    if (!clip(m.cut ? box_grown(shown, w->skin) : grown, r->origin, r->direction, &m.from, &m.to))
        return false;
    const struct solid_pose *pose = &m.place->pose;
    m.scale = pose->scale;
    m.origin = solid_to_local(pose, r->origin);
    m.direction = v3_scale(solid_turned(pose, r->direction), 1 / pose->scale);

    double share;
    const mesh_distance *mesh = mesh_of(m.form, &share);
    *out = (studio_hit){.thing = k};
    bool hit;
    if (!m.cut && m.form->kind == SHAPE_BOX)
        hit = meet_box(&m, out);
    else if (!m.cut && m.form->kind == SHAPE_SPHERE)
        hit = meet_sphere(&m, out);
    else if (!m.cut && mesh && !mesh_distance_is_shell(mesh))
        hit = meet_mesh(&m, mesh, share, out);
    else
        hit = march(&m, out);
    out->point = v3_madd(r->origin, out->t, r->direction);
    out->at = v3_scale(v3_madd(m.origin, out->t, m.direction), m.scale);
    out->side = solid_turned(pose, out->face);
    return hit;
}

bool studio_in_solid(const studio *w, uint32_t k, rill_vec3 x)
{
    solid_place place_room;
    shape form_room;
    const solid_place *place = solids_place_at(&w->solids, k, w->time, &place_room);
    const shape *form = solids_form_at(&w->solids, k, w->time, &form_room);
    const scene_material *look = &w->scene->solids[k].material;
    if (look->hidden || (look_is_cut(look) && look_beyond(look, x) > 0)) return false;
    return box_contains(w->domain, x) && shape_distance(form, solid_to_local(&place->pose, x), NULL) < 0;
}
