/* Signed distances of shapes, their gradients and bounds.
 *
 * Gradients are of unit length everywhere; where the distance has a kink (the centre of
 * a sphere, the axis of a cylinder, the middle of a box) one of the directions of the
 * shape's surface is given, in the plane z = 0 when the shape allows it, so that a
 * two-dimensional scene never sees a normal that leaves the plane. */
#include "geom/shape/shape.h"

static bool is_combination(const shape *s)
{
    return s->kind == SHAPE_UNION || s->kind == SHAPE_INTERSECTION || s->kind == SHAPE_DIFFERENCE;
}

void shape_clear(rill_ctx *ctx, shape *s)
{
    if (is_combination(s)) {
        for (uint32_t i = 0; i < s->parts.count; i++) shape_clear(ctx, &s->parts.part[i]);
        mem_free(ctx, s->parts.part);
    }
    if (s->kind == SHAPE_MESH && !s->mesh.lent) mesh_distance_destroy(ctx, s->mesh.owned);
    *s = (shape){0};
}

rill_vec3 shape_unit(rill_vec3 n)
{
    /* Scaled first: the square of a tiny or huge length would leave the range. */
    const double largest = fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z)));
    if (!(largest > 0) || !isfinite(largest)) return v3(0, 1, 0);
    return v3_unit(v3(n.x / largest, n.y / largest, n.z / largest));
}

/* A direction square to a, in the plane z = 0. */
static rill_vec3 perpendicular(rill_vec3 a)
{
    return a.x == 0 && a.y == 0 ? v3(1, 0, 0) : shape_unit(v3(-a.y, a.x, 0));
}

static double box_distance(const shape_box *b, rill_vec3 x, rill_vec3 *normal)
{
    double outside[3], sign[3], sum = 0, largest = -INFINITY;
    int nearest = 0;
    for (int k = 0; k < 3; k++) {
        const double below = v3_axis(b->min, k) - v3_axis(x, k), above = v3_axis(x, k) - v3_axis(b->max, k);
        double q = fmax(below, above);
        if (k == 2 && b->min.z == b->max.z) q = -INFINITY;
        sign[k] = below > above ? -1 : 1;
        outside[k] = fmax(q, 0);
        sum += outside[k] * outside[k];
        if (q > largest) largest = q, nearest = k;
    }
    if (sum > 0) {
        const double d = sqrt(sum);
        if (normal)
            *normal = v3(sign[0] * outside[0] / d, sign[1] * outside[1] / d, sign[2] * outside[2] / d);
        return d;
    }
    if (normal) {
        *normal = v3(0, 0, 0);
        v3_set_axis(normal, nearest, sign[nearest]);
    }
    return largest;
}

static double sphere_distance(const shape_sphere *s, rill_vec3 x, rill_vec3 *normal)
{
    const rill_vec3 r = v3_sub(x, s->center);
    const double d = v3_length(r);
    if (normal) *normal = d > 0 ? v3_scale(r, 1 / d) : v3(0, 1, 0);
    return d - s->radius;
}

/* Where a point is in the coordinates of an axis: along it and away from it. */
typedef struct {
    rill_vec3 axis, away; /* unit */
    double along, radius; /* along: from `from` */
    double length;
} axial;

static axial axial_of(rill_vec3 from, rill_vec3 to, rill_vec3 x)
{
    axial a;
    const rill_vec3 span = v3_sub(to, from), r = v3_sub(x, from);
    a.length = v3_length(span);
    a.axis = shape_unit(span);
    a.along = v3_dot(r, a.axis);
    const rill_vec3 away = v3_madd(r, -a.along, a.axis);
    a.radius = v3_length(away);
    a.away = a.radius > 0 ? v3_scale(away, 1 / a.radius) : perpendicular(a.axis);
    return a;
}

static rill_vec3 axial_vector(const axial *a, double along, double away)
{
    return v3_add(v3_scale(a->axis, along), v3_scale(a->away, away));
}

static double cylinder_distance(const shape_rod *c, rill_vec3 x, rill_vec3 *normal)
{
    const axial a = axial_of(c->from, c->to, x);
    const double side = a.radius - c->radius, below = -a.along, above = a.along - a.length;
    const double cap = fmax(below, above), sign = below > above ? -1 : 1;
    if (side > 0 && cap > 0) {
        const double d = sqrt(side * side + cap * cap);
        if (normal) *normal = axial_vector(&a, sign * cap / d, side / d);
        return d;
    }
    if (normal) *normal = side > cap ? a.away : v3_scale(a.axis, sign);
    return fmax(side, cap);
}

static double capsule_distance(const shape_rod *c, rill_vec3 x, rill_vec3 *normal)
{
    const axial a = axial_of(c->from, c->to, x);
    const double over = a.along < 0 ? a.along : a.along > a.length ? a.along - a.length : 0;
    const double d = sqrt(over * over + a.radius * a.radius);
    if (normal) *normal = d > 0 ? axial_vector(&a, over / d, a.radius / d) : a.away;
    return d - c->radius;
}

static double plane_distance(const shape_flat *p, rill_vec3 x, rill_vec3 *normal)
{
    const rill_vec3 n = shape_unit(p->normal);
    if (normal) *normal = n;
    return v3_dot(v3_sub(x, p->point), n);
}

static double disc_distance(const shape_flat *p, rill_vec3 x, rill_vec3 *normal)
{
    const axial a = axial_of(p->point, v3_add(p->point, shape_unit(p->normal)), x);
    const double out = fmax(a.radius - p->radius, 0);
    const double d = sqrt(out * out + a.along * a.along);
    if (normal) *normal = d > 0 ? axial_vector(&a, a.along / d, out / d) : a.axis;
    return d;
}

static double function_distance(const shape *s, rill_vec3 x, rill_vec3 *normal)
{
    const double d = s->by_function.function(s->by_function.user, x, normal);
    if (normal) *normal = shape_unit(*normal);
    return d;
}

/* The part that decides, with the sign it counts with. */
static double combination_distance(const shape *s, rill_vec3 x, rill_vec3 *normal)
{
    const bool smallest = s->kind == SHAPE_UNION;
    double best = 0;
    for (uint32_t i = 0; i < s->parts.count; i++) {
        rill_vec3 n;
        const double sign = s->kind == SHAPE_DIFFERENCE && i > 0 ? -1 : 1;
        const double d = sign * shape_distance(&s->parts.part[i], x, normal ? &n : NULL);
        if (i > 0 && (smallest ? d >= best : d <= best)) continue;
        best = d;
        if (normal) *normal = v3_scale(n, sign);
    }
    return best;
}

double shape_distance(const shape *s, rill_vec3 x, rill_vec3 *normal)
{
    switch (s->kind) {
    case SHAPE_BOX: return box_distance(&s->box, x, normal);
    case SHAPE_SPHERE: return sphere_distance(&s->sphere, x, normal);
    case SHAPE_CYLINDER: return cylinder_distance(&s->rod, x, normal);
    case SHAPE_CAPSULE: return capsule_distance(&s->rod, x, normal);
    case SHAPE_PLANE: return plane_distance(&s->flat, x, normal);
    case SHAPE_DISC: return disc_distance(&s->flat, x, normal);
    case SHAPE_FUNCTION: return function_distance(s, x, normal);
    case SHAPE_MESH:
        if (s->mesh.owned) return mesh_distance_at(s->mesh.owned, x, normal);
        break;
    case SHAPE_SEQUENCE:
        if (s->sequence.now.span)
            return mesh_distance_exact_at(s->sequence.now.span, s->sequence.now.share, x, normal);
        break;
    case SHAPE_UNION:
    case SHAPE_INTERSECTION:
    case SHAPE_DIFFERENCE:
        if (s->parts.count > 0) return combination_distance(s, x, normal);
        break;
    case SHAPE_NONE:
    case SHAPE_KINDS: break;
    }
    if (normal) *normal = v3(0, 1, 0); /* nothing: infinitely far */
    return INFINITY;
}

double shape_clearance(const shape *s, rill_vec3 x)
{
    if (s->kind != SHAPE_MESH || !s->mesh.owned) return shape_distance(s, x, NULL);
    const double d = mesh_distance_at(s->mesh.owned, x, NULL);
    const double error = mesh_distance_error(s->mesh.owned, d);
    return error < 0.5 * d ? d - error : mesh_distance_exact_beside(s->mesh.owned, x, d, NULL);
}

double shape_clearance_quick(const shape *s, rill_vec3 x)
{
    if (s->kind != SHAPE_MESH || !s->mesh.owned) return -INFINITY;
    const double d = mesh_distance_at(s->mesh.owned, x, NULL);
    return d - mesh_distance_error(s->mesh.owned, d);
}

double shape_clearance_away(const shape *s, rill_vec3 x, rill_vec3 *away)
{
    if (s->kind != SHAPE_MESH || !s->mesh.owned) return shape_distance(s, x, away);
    return mesh_distance_exact(s->mesh.owned, x, away);
}

/* A box with a box taken out of it: what is left are slabs, as thick as the gaps between their faces. */
static bool hollow_thinner(const shape_box *box, const shape_box *hole, double than)
{
    for (int k = 0; k < 3; k++) {
        if (k == 2 && box->min.z == box->max.z) break; /* without end */
        const double below = v3_axis(hole->min, k) - v3_axis(box->min, k),
                     above = v3_axis(box->max, k) - v3_axis(hole->max, k);
        if ((below > 0 && below < than) || (above > 0 && above < than)) return true;
    }
    return false;
}

bool shape_thinner(const shape *s, double than)
{
    switch (s->kind) {
    case SHAPE_BOX:
        for (int k = 0; k < 3; k++) {
            if (k == 2 && s->box.min.z == s->box.max.z) break; /* without end */
            if (v3_axis(s->box.max, k) - v3_axis(s->box.min, k) < than) return true;
        }
        return false;
    case SHAPE_SPHERE: return 2 * s->sphere.radius < than;
    case SHAPE_CAPSULE: return 2 * s->rod.radius < than;
    case SHAPE_CYLINDER: return fmin(2 * s->rod.radius, v3_distance(s->rod.from, s->rod.to)) < than;
    case SHAPE_UNION:
        for (uint32_t i = 0; i < s->parts.count; i++)
            if (shape_thinner(&s->parts.part[i], than)) return true;
        return false;
    case SHAPE_DIFFERENCE:
        if (s->parts.count != 2 || s->parts.part[0].kind != SHAPE_BOX || s->parts.part[1].kind != SHAPE_BOX)
            return true;
        return shape_thinner(&s->parts.part[0], than) ||
               hollow_thinner(&s->parts.part[0].box, &s->parts.part[1].box, than);
    case SHAPE_MESH: return s->mesh.owned && mesh_distance_thinner(s->mesh.owned, than);
    case SHAPE_NONE:
    case SHAPE_PLANE: return false;
    default: return true;
    }
}

double shape_free(const shape *s, rill_vec3 x, rill_vec3 direction, double margin, double most)
{
    double length = 0;
    switch (s->kind) {
    case SHAPE_UNION:
        length = INFINITY;
        for (uint32_t i = 0; i < s->parts.count; i++)
            length = fmin(length, shape_free(&s->parts.part[i], x, direction, margin, most));
        return length;
    case SHAPE_INTERSECTION: /* clear of one part, clear of all */
        for (uint32_t i = 0; i < s->parts.count; i++)
            length = fmax(length, shape_free(&s->parts.part[i], x, direction, margin, most));
        return s->parts.count ? length : INFINITY;
    case SHAPE_DIFFERENCE: /* clear of what is there at first, or inside what is taken away */
        if (s->parts.count == 0) return INFINITY;
        length = shape_free(&s->parts.part[0], x, direction, margin, most);
        for (uint32_t i = 1; i < s->parts.count; i++) {
            const double d = -shape_distance(&s->parts.part[i], x, NULL);
            length = fmax(length, d - fmin(margin, 0.5 * d));
        }
        return length;
    case SHAPE_MESH:
        return s->mesh.owned ? mesh_distance_free(s->mesh.owned, x, direction, margin, most) : INFINITY;
    default: break;
    }
    rill_vec3 normal;
    const double d = shape_distance(s, x, &normal);
    if (!(d > 0)) return 0;
    const double clearance = d - fmin(margin, 0.5 * d);
    if (s->kind == SHAPE_FUNCTION || s->kind == SHAPE_SEQUENCE) return clearance;
    /* A convex shape lies behind the plane through its nearest point. */
    const double approach = -v3_dot(direction, normal);
    return approach > 0 ? clearance / approach : INFINITY;
}

static rill_box whole_space(void)
{
    return (rill_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

/* Of a flat disc with this unit normal. */
static rill_box disc_bounds(rill_vec3 center, rill_vec3 n, double radius)
{
    const rill_vec3 r = v3(radius * sqrt(fmax(1 - n.x * n.x, 0)), radius * sqrt(fmax(1 - n.y * n.y, 0)),
                           radius * sqrt(fmax(1 - n.z * n.z, 0)));
    return (rill_box){v3_sub(center, r), v3_add(center, r)};
}

static rill_box box_hull(rill_box a, rill_box b)
{
    return (rill_box){v3_min(a.min, b.min), v3_max(a.max, b.max)};
}

/* A half space has bounds only when it is square to an axis. */
static rill_box plane_bounds(const shape_flat *p)
{
    rill_box b = whole_space();
    const rill_vec3 n = shape_unit(p->normal);
    for (int k = 0; k < 3; k++) {
        if (v3_axis(n, k) == 1) v3_set_axis(&b.max, k, v3_axis(p->point, k));
        if (v3_axis(n, k) == -1) v3_set_axis(&b.min, k, v3_axis(p->point, k));
    }
    return b;
}

static rill_box combination_bounds(const shape *s)
{
    if (s->parts.count == 0) return box_empty();
    rill_box b = shape_bounds(&s->parts.part[0]);
    if (s->kind == SHAPE_DIFFERENCE) return b;
    for (uint32_t i = 1; i < s->parts.count; i++) {
        const rill_box c = shape_bounds(&s->parts.part[i]);
        b = s->kind == SHAPE_UNION ? box_hull(b, c) : (rill_box){v3_max(b.min, c.min), v3_min(b.max, c.max)};
    }
    return b;
}

rill_box shape_bounds(const shape *s)
{
    switch (s->kind) {
    case SHAPE_BOX: {
        rill_box b = {s->box.min, s->box.max};
        if (b.min.z == b.max.z) b.min.z = -INFINITY, b.max.z = INFINITY;
        return b;
    }
    case SHAPE_SPHERE: return box_grown((rill_box){s->sphere.center, s->sphere.center}, s->sphere.radius);
    case SHAPE_CYLINDER: {
        const rill_vec3 n = shape_unit(v3_sub(s->rod.to, s->rod.from));
        return box_hull(disc_bounds(s->rod.from, n, s->rod.radius), disc_bounds(s->rod.to, n, s->rod.radius));
    }
    case SHAPE_CAPSULE:
        return box_grown((rill_box){v3_min(s->rod.from, s->rod.to), v3_max(s->rod.from, s->rod.to)},
                         s->rod.radius);
    case SHAPE_PLANE: return plane_bounds(&s->flat);
    case SHAPE_DISC: return disc_bounds(s->flat.point, shape_unit(s->flat.normal), s->flat.radius);
    case SHAPE_FUNCTION: return s->by_function.bounds;
    case SHAPE_MESH:
        if (s->mesh.owned) return mesh_distance_bounds(s->mesh.owned);
        break;
    case SHAPE_SEQUENCE:
        if (s->sequence.frames) return mesh_sequence_bounds(s->sequence.frames);
        break;
    case SHAPE_UNION:
    case SHAPE_INTERSECTION:
    case SHAPE_DIFFERENCE: return combination_bounds(s);
    case SHAPE_NONE:
    case SHAPE_KINDS: break;
    }
    return box_empty();
}
