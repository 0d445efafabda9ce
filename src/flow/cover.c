/* Shares of small cubes inside shapes. */
#include "flow/cover.h"

static cover behind_plane(double distance, rill_vec3 normal, double side)
{
    return (cover){fmax(0, fmin(1, 0.5 - distance / side)), normal};
}

cover cover_outside(cover a)
{
    return (cover){1 - a.share, v3_neg(a.normal)};
}

cover cover_union(cover a, cover b)
{
    const cover most = a.share >= b.share ? a : b, least = a.share >= b.share ? b : a;
    if (least.share <= 0 || most.share >= 1) return most;
    const double facing = fmax(0, fmin(1, 0.5 * (1 - v3_dot(a.normal, b.normal))));
    const double apart = fmin(1, a.share + b.share);
    return (cover){most.share + facing * (apart - most.share), most.normal};
}

cover cover_intersection(cover a, cover b)
{
    return cover_outside(cover_union(cover_outside(a), cover_outside(b)));
}

cover cover_of_shape(const shape *s, rill_vec3 x, double side)
{
    const cover nothing = {0, {0, 1, 0}};
    if (s->kind == SHAPE_NONE || s->kind == SHAPE_DISC) return nothing;
    if (s->kind != SHAPE_UNION && s->kind != SHAPE_INTERSECTION && s->kind != SHAPE_DIFFERENCE) {
        rill_vec3 normal;
        const double d = shape_distance(s, x, &normal);
        return behind_plane(d, normal, side);
    }
    if (s->parts.count == 0) return nothing;
    cover all = cover_of_shape(&s->parts.part[0], x, side);
    for (uint32_t i = 1; i < s->parts.count; i++) {
        const cover part = cover_of_shape(&s->parts.part[i], x, side);
        all = s->kind == SHAPE_UNION          ? cover_union(all, part)
              : s->kind == SHAPE_INTERSECTION ? cover_intersection(all, part)
                                              : cover_intersection(all, cover_outside(part));
    }
    return all;
}

static cover cover_of_solid(const solids *walls, uint32_t i, rill_vec3 x, double t, double side)
{
    solid_place place_storage;
    shape form_storage;
    const solid_place *p = solids_place_at(walls, i, t, &place_storage);
    const rill_box near = box_grown(p->bounds, side);
    if (!box_contains(near, x)) return (cover){0, {0, 1, 0}};
    cover c = cover_of_shape(solids_form_at(walls, i, t, &form_storage), solid_to_local(&p->pose, x),
                             side / p->pose.scale);
    c.normal = solid_turned_back(&p->pose, c.normal);
    return c;
}

cover cover_of_walls(const solids *walls, rill_vec3 x, double t, double side)
{
    const scene_domain *domain = &walls->domain;
    cover all = {0, {0, 1, 0}};
    for (int a = 0; a < walls->dimensions; a++) {
        rill_vec3 axis = {0, 0, 0};
        v3_set_axis(&axis, a, 1);
        all = cover_union(all, behind_plane(v3_axis(x, a) - v3_axis(domain->min, a), axis, side));
        all = cover_union(all, behind_plane(v3_axis(domain->max, a) - v3_axis(x, a), v3_neg(axis), side));
    }
    for (uint32_t i = 0; i < walls->count; i++) all = cover_union(all, cover_of_solid(walls, i, x, t, side));
    return all;
}
