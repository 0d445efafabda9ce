#include "render/stage.h"

#include "flow/body_poses.h"
#include "render/look.h"

#include <string.h>

enum { MAX_MARCH = 96 };
static const char *const color_names[3] = {"red", "green", "blue"};

rill_status stage_create(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                         const trimesh *surface, const level_grid *field, stage *out)
{
    stage s = {.look = scene->solids,
               .surface = surface,
               .domain = view->domain,
               .dimensions = view->dimensions,
               .spacing = view->spacing,
               .time = view->time};
    if (s.dimensions == 2) s.domain.min.z = -s.spacing / 2, s.domain.max.z = s.spacing / 2;
    s.size = v3_length(box_size(s.domain));
    s.nudge = 5e-4 * s.size;
    const bool spheres = !surface && !field && view->particles;
    const rays_def def = {.origin = box_center(s.domain),
                          .mesh = surface,
                          .position = spheres ? view->particles->position : NULL,
                          .count = spheres ? view->particles->count : 0,
                          .radius = view->spacing / 2,
                          .diameter = spheres ? particles_column(view->particles, "spacing") : NULL,
                          .quick = true};
    for (uint32_t k = 0; surface && k < surface->column_count; k++)
        for (int c = 0; c < 3; c++)
            if (strcmp(surface->column[k].name, color_names[c]) == 0 && surface->column[k].width == 1)
                s.color[c] = surface->column[k].value;
    rill_status st = solids_create(ctx, scene, &s.solids);
    if (!st) solids_follow(&s.solids, view->rides);
    if (!st) st = solids_prepare(ctx, &s.solids, s.time, 0);
    if (!st) st = rays_create(ctx, &def, &s.rays);
    if (!st && field) st = MEM_NEW_ZERO(ctx, s.field, 1);
    if (!st && field) st = level_rays_build(ctx, field, s.spacing, s.field);
    if (st)
        stage_clear(ctx, &s);
    else
        *out = s;
    return st;
}

void stage_clear(rill_ctx *ctx, stage *s)
{
    rays_destroy(ctx, s->rays);
    if (s->field) level_rays_clear(ctx, s->field);
    mem_free(ctx, s->field);
    solids_clear(ctx, &s->solids);
    *s = (stage){0};
}

/* The part of the ray inside the box; *entry: the normal of the side it enters through, zero when it
 * starts inside. */
static bool clip_to_box(rill_box b, rill_vec3 o, rill_vec3 d, double *from, double *to, rill_vec3 *entry)
{
    *entry = v3(0, 0, 0);
    for (int a = 0; a < 3; a++) {
        const double x = v3_axis(o, a), v = v3_axis(d, a), low = v3_axis(b.min, a), high = v3_axis(b.max, a);
        if (v == 0) {
            if (x < low || x > high) return false;
            continue;
        }
        const double near = ((v > 0 ? low : high) - x) / v, far = ((v > 0 ? high : low) - x) / v;
        if (near > *from) {
            *from = near;
            *entry = v3(0, 0, 0);
            v3_set_axis(entry, a, v > 0 ? -1 : 1);
        }
        if (far < *to) *to = far;
    }
    return *from < *to;
}

/* The same for the side of a solid's plane that is drawn. */
static bool clip_to_plane(const scene_material *m, rill_vec3 o, rill_vec3 d, double *from, double *to,
                          rill_vec3 *entry)
{
    const rill_vec3 n = v3_unit(m->cut.normal);
    const double beyond = look_beyond(m, o), rate = v3_dot(n, d);
    if (rate == 0) return beyond <= 0;
    const double at = -beyond / rate;
    if (rate > 0 && at < *to) *to = at;
    if (rate < 0 && at > *from) *from = at, *entry = n;
    return *from < *to;
}

/* A ray in the solid's own coordinates, and back. */
typedef struct {
    rill_vec3 origin, direction; /* lengths divided by scale */
    double scale;
} local_ray;

static local_ray make_local(const stage *s, const struct solid_pose *p, rill_vec3 o, rill_vec3 d)
{
    if (s->dimensions == 2) o.z = d.z = 0; /* a prism along z */
    return (local_ray){solid_to_local(p, o), v3_scale(solid_turned(p, d), 1 / p->scale), p->scale};
}

static rill_vec3 vertex_normal(const trimesh *m, const rays_hit *h);

/* The first triangle of a mesh; the normal (local) against the ray, since of a shell both
 * sides are seen. A shell is drawn as its middle, without its thickness. */
static bool meet_mesh(const mesh_distance *m, double share, const local_ray *r, double from, double to,
                      double *hit, rill_vec3 *normal)
{
    const rill_vec3 along = v3_scale(r->direction, r->scale);
    rays_hit h;
    if (!rays_intersect_at(mesh_distance_rays(m), share, r->origin, along, from / r->scale, to / r->scale,
                           &h))
        return false;
    *hit = h.t * r->scale;
    *normal = vertex_normal(mesh_distance_surface(m), &h);
    if (v3_dot(h.normal, along) > 0) *normal = v3_neg(*normal);
    return true;
}

static bool march(const stage *s, uint32_t k, rill_vec3 o, rill_vec3 d, double from, double to, double *hit,
                  rill_vec3 *normal)
{
    solid_place room;
    const solid_place *place = solids_place_at(&s->solids, k, s->time, &room);
    const struct solid_pose *pose = &place->pose;
    shape form_room;
    const shape *form = solids_form_at(&s->solids, k, s->time, &form_room);
    const bool deforms = form->kind == SHAPE_SEQUENCE;
    const mesh_distance *mesh = deforms                    ? form->sequence.now.span
                                : form->kind == SHAPE_MESH ? form->mesh.owned
                                                           : NULL;
    rill_box box = {v3_max(s->domain.min, place->bounds.min), v3_min(s->domain.max, place->bounds.max)};
    if (s->dimensions == 2) box.min.z = s->domain.min.z, box.max.z = s->domain.max.z;
    box = box_grown(box, 0.1 * s->nudge); /* faces on the box are inside it */
    const scene_material *look = &s->look[k].material;
    rill_vec3 entry;
    if (!clip_to_box(box, o, d, &from, &to, &entry)) return false;
    if (look_is_cut(look) && !clip_to_plane(look, o, d, &from, &to, &entry)) return false;
    const bool enters = v3_length(entry) > 0; /* the box or the part that is drawn */

    const local_ray r = make_local(s, pose, o, d);
    const double close = 0.2 * s->nudge;
    double t = from;
    if (mesh && s->dimensions == 3 &&
        (!enters || shape_distance(form, v3_madd(r.origin, t, r.direction), NULL) > 0)) { /* not cut there */
        rill_vec3 n;
        if (!meet_mesh(mesh, deforms ? form->sequence.now.share : 0, &r, from, to, hit, &n)) return false;
        if (normal)
            *normal =
                v3_unit(v3_madd(v3_madd(v3_scale(pose->row[0], n.x), n.y, pose->row[1]), n.z, pose->row[2]));
        return true;
    }
    for (int i = 0; i < MAX_MARCH && t < to; i++) {
        const double distance = shape_distance(form, v3_madd(r.origin, t, r.direction), NULL) * r.scale;
        if (distance < close) {
            *hit = t;
            if (!normal) return true;
            if (t == from && enters && distance < 0) { /* cut there */
                *normal = entry;
            } else {
                rill_vec3 n;
                shape_distance(form, v3_madd(r.origin, t, r.direction), &n);
                *normal = v3_unit(solid_turned_back(pose, n));
            }
            return true;
        }
        t += distance;
    }
    return false;
}

static bool is_opaque(const stage *s, uint32_t k)
{
    return !s->look[k].material.hidden && !look_is_glass(&s->look[k].material);
}

bool stage_solid_blocks(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to)
{
    double t;
    for (uint32_t k = 0; k < s->solids.count; k++)
        if (is_opaque(s, k) && march(s, k, origin, direction, from, to, &t, NULL)) return true;
    return false;
}

static rill_vec3 vertex_normal(const trimesh *m, const rays_hit *h)
{
    if (!m->normal) return h->normal;
    const uint32_t *c = m->triangle[h->element];
    const double w[3] = {1 - (double)h->u - (double)h->v, h->u, h->v};
    rill_vec3 n = v3(0, 0, 0);
    for (int k = 0; k < 3; k++)
        n = v3_madd(n, w[k], v3(m->normal[c[k]][0], m->normal[c[k]][1], m->normal[c[k]][2]));
    n = v3_unit(n);
    return v3_dot(n, h->normal) > 0.1 ? n : h->normal; /* not for slivers and folds */
}

bool stage_liquid_blocks(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to)
{
    return s->field ? level_rays_occluded(s->field, origin, direction, from, to)
                    : rays_occluded(s->rays, origin, direction, from, to);
}

/* Solids and the ground. */
static stage_hit meet_solids(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to)
{
    stage_hit hit = {.kind = HIT_NOTHING, .t = to};

    if (s->dimensions == 3 && direction.y < 0 && origin.y > s->domain.min.y) {
        const double t = (s->domain.min.y - origin.y) / direction.y;
        if (t > from && t < hit.t) hit = (stage_hit){.kind = HIT_GROUND, .t = t, .normal = v3(0, 1, 0)};
    }
    for (uint32_t k = 0; k < s->solids.count; k++) {
        double t;
        rill_vec3 n;
        if (is_opaque(s, k) && march(s, k, origin, direction, from, hit.t, &t, &n))
            hit = (stage_hit){.kind = HIT_SOLID, .t = t, .normal = n, .element = k};
    }
    return hit;
}

/* Where a ray inside solid k leaves it. */
static double way_through(const stage *s, uint32_t k, rill_vec3 o, rill_vec3 d, double t, double to)
{
    solid_place place_room;
    shape form_room;
    const solid_place *place = solids_place_at(&s->solids, k, s->time, &place_room);
    const shape *form = solids_form_at(&s->solids, k, s->time, &form_room);
    const local_ray r = make_local(s, &place->pose, o, d);
    for (int i = 0; i < MAX_MARCH && t < to; i++) {
        const double distance = shape_distance(form, v3_madd(r.origin, t, r.direction), NULL) * r.scale;
        if (distance > 0) return t;
        t += fmax(-distance, 0.5 * s->nudge);
    }
    return t;
}

bool stage_glass(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to,
                 stage_hit *hit, double *out)
{
    bool any = false;
    for (uint32_t k = 0; k < s->solids.count; k++) {
        double t;
        rill_vec3 n;
        const scene_material *m = &s->look[k].material;
        if (m->hidden || !look_is_glass(m) || !march(s, k, origin, direction, from, to, &t, &n)) continue;
        *hit = (stage_hit){.kind = HIT_SOLID, .t = t, .normal = n, .face = n, .element = k};
        to = t;
        any = true;
    }
    if (!any) return false;
    hit->point = v3_madd(origin, hit->t, direction);
    *out = way_through(s, hit->element, origin, direction, hit->t + s->nudge, hit->t + s->size);
    return true;
}

bool stage_color(const stage *s, const stage_hit *hit, rill_vec3 *color)
{
    if (hit->kind != HIT_LIQUID || !s->surface || !s->color[0] || !s->color[1] || !s->color[2]) return false;
    const uint32_t *corner = s->surface->triangle[hit->element];
    const double w[3] = {1 - (double)hit->u - (double)hit->v, hit->u, hit->v};
    *color = v3(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        const size_t k = corner[i];
        *color = v3_madd(*color, w[i], v3(s->color[0][k], s->color[1][k], s->color[2][k]));
    }
    return true;
}

double stage_solid_way(const stage *s, rill_vec3 origin, rill_vec3 direction)
{
    return meet_solids(s, origin, direction, 0, INFINITY).t;
}

stage_hit stage_intersect(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to)
{
    stage_hit hit = meet_solids(s, origin, direction, from, to);
    hit.face = hit.normal;
    rays_hit e;
    level_hit f;
    if (s->field && level_rays_intersect(s->field, origin, direction, from, hit.t, &f))
        hit = (stage_hit){.kind = HIT_LIQUID, .t = f.t, .normal = f.normal, .face = f.normal};
    else if (!s->field && rays_intersect(s->rays, origin, direction, from, hit.t, &e)) {
        hit = (stage_hit){.kind = e.sphere ? HIT_PARTICLE : HIT_LIQUID, .t = e.t, .face = e.normal};
        hit.normal = e.sphere ? e.normal : vertex_normal(s->surface, &e);
        hit.element = e.element;
        hit.u = e.u, hit.v = e.v;
    }
    hit.point = v3_madd(origin, hit.t, direction);
    return hit;
}

/* Closest approach of the ray o + t d and the segment a + u (b - a): distance, and t. */
static double ray_to_segment(rill_vec3 o, rill_vec3 d, rill_vec3 a, rill_vec3 b, double *t)
{
    const rill_vec3 e = v3_sub(b, a), w = v3_sub(o, a);
    const double ee = v3_dot(e, e), de = v3_dot(d, e), dw = v3_dot(d, w), ew = v3_dot(e, w);
    const double det = ee - de * de;
    double u = det > 1e-12 * ee ? (ew - de * dw) / det : 0;
    u = u < 0 ? 0 : u > 1 ? 1 : u;
    *t = u * de > dw ? u * de - dw : 0;
    return v3_distance(v3_madd(o, *t, d), v3_madd(a, u, e));
}

double stage_edges(const stage *s, rill_vec3 origin, rill_vec3 direction, double to, double width, bool flat)
{
    const rill_vec3 low = s->domain.min, high = s->domain.max;
    double cover = 0;
    for (int k = 0; k < 8; k++) /* from each corner along every axis it is low on */
        for (int a = 0; a < 3; a++) {
            if (k >> a & 1) continue;
            rill_vec3 p = v3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z), q = p;
            v3_set_axis(&q, a, v3_axis(high, a));
            double t;
            const double distance = ray_to_segment(origin, direction, p, q, &t);
            if (t > to + s->nudge) continue;
            const double pixels = distance / (flat ? width : width * (t > s->nudge ? t : s->nudge));
            if (1.1 - pixels > cover) cover = 1.1 - pixels;
        }
    return cover < 1 ? cover : 1;
}
