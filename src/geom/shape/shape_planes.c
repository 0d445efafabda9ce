/* The faces of a shape near a point.
 *
 * A shape is walked with a sign: + for the solid itself, - for its complement (a part
 * that is taken away is solid around a hollow). A union of solids shows each of its
 * parts, an intersection only the part that decides the distance; in the complement the
 * two change places:
 *
 *             union           intersection     difference A \ B
 *     +       all parts       the farthest     the farther of +A, -B
 *     -       the nearest     all parts        -A and +B
 *
 * Convex primitives show one plane from outside; a hollow box its six faces, a hollow
 * cylinder its side and its ends.
 *
 * Tolerances: a face's nearest point counts as on the surface within 1e-6 of the
 * coordinates' size (round-off of the distances) and 1e-3 of the reach (walls that were
 * meant to meet); the same plane is 1e-9 in angle and 1e-12 in distance. */
#include "geom/shape/shape.h"

enum { MAX_CANDIDATES = 64 };

typedef struct {
    rill_vec3 x;
    double reach;
    shape_plane *plane; /* MAX_CANDIDATES, nearest first */
    int count;
} collector;

static void offer_within(collector *c, double distance, rill_vec3 normal, double slack)
{
    if (!(distance <= c->reach)) return;
    int at = c->count;
    while (at > 0 && c->plane[at - 1].distance > distance) at--;
    if (at == MAX_CANDIDATES) return;
    if (c->count < MAX_CANDIDATES) c->count++;
    for (int i = c->count - 1; i > at; i--) c->plane[i] = c->plane[i - 1];
    c->plane[at] = (shape_plane){distance, normal, 0, slack};
}

static void offer(collector *c, double distance, rill_vec3 normal)
{
    offer_within(c, distance, normal, 0);
}

static void collect(const shape *s, double sign, collector *c);

static void collect_hollow_box(const shape_box *b, collector *c)
{
    for (int k = 0; k < 3; k++) {
        if (k == 2 && b->min.z == b->max.z) continue;
        rill_vec3 n = {0};
        v3_set_axis(&n, k, 1);
        offer(c, v3_axis(c->x, k) - v3_axis(b->min, k), n);
        v3_set_axis(&n, k, -1);
        offer(c, v3_axis(b->max, k) - v3_axis(c->x, k), n);
    }
}

static void collect_hollow_cylinder(const shape_rod *r, collector *c)
{
    const rill_vec3 axis = shape_unit(v3_sub(r->to, r->from));
    const rill_vec3 from_start = v3_sub(c->x, r->from);
    const rill_vec3 away = v3_madd(from_start, -v3_dot(from_start, axis), axis);
    const double radius = v3_length(away);
    offer(c, v3_dot(from_start, axis), axis);
    offer(c, v3_dot(v3_sub(r->to, c->x), axis), v3_neg(axis));
    if (radius > 0) offer(c, r->radius - radius, v3_scale(away, -1 / radius));
}

/* A mesh shows more faces than the nearest where it is concave: the planes of what is
 * nearest to points along the axes, as far as the way is free and no farther than the
 * reach. They count when they are in front of the nearest plane (those of a convex edge
 * pass behind), turned by more than 15 degrees from the ones found before, and their
 * nearest point is close to the surface. The cache is asked what may be a face, the exact
 * function whether it is. */
enum { MESH_PLANES = 8, MESH_STEPS = 8 };

static const double turned_cosine = 0.9659258262890683; /* of 15 degrees */

/* shape_distance asks the cache where there is one; it answered `cached` at x. */
static double exact(const shape *s, rill_vec3 x, double cached, rill_vec3 *normal)
{
    return s->kind == SHAPE_MESH ? mesh_distance_exact_beside(s->mesh.owned, x, cached, normal)
                                 : shape_distance(s, x, normal);
}

typedef struct {
    const shape *mesh;
    rill_vec3 x;
    double reach, error;
    shape_plane found[MESH_PLANES]; /* the nearest first */
    int count;
    bool exact; /* the nearest was asked exactly */
} mesh_faces;

static bool another_face(const mesh_faces *f, const shape_plane *p, double error)
{
    if (!(p->distance <= f->reach) || p->distance < f->found[0].distance - error) return false;
    for (int i = 0; i < f->count; i++)
        if (v3_dot(f->found[i].normal, p->normal) > turned_cosine) return false;
    /* The nearest point of the mesh is in front of the other faces of a hollow, and on
     * those of an edge. */
    return p->distance - f->found[0].distance * v3_dot(f->found[0].normal, p->normal) > error;
}

/* The plane of what is nearest to y; returns how far that is. Another face in front of the nearest plane
 * makes y nearer to the mesh than to that plane: where it is not, the distance alone is enough, which is
 * cheaper than the normal, ten times where the grid has none and asks the triangles. Faces missed by the
 * tolerance are as far away as the reach. */
static double probe_mesh(mesh_faces *f, rill_vec3 y)
{
    shape_plane p = {.distance = 0};
    const double alone = shape_distance(f->mesh, y, NULL),
                 plane = f->found[0].distance + v3_dot(f->found[0].normal, v3_sub(y, f->x));
    if (alone > plane - 0.03 * f->reach || f->count == MESH_PLANES) return alone;
    const double d = shape_distance(f->mesh, y, &p.normal);
    p.distance = d + v3_dot(p.normal, v3_sub(f->x, y));
    if (!another_face(f, &p, f->error)) return d;

    if (!f->exact) f->found[0].distance = exact(f->mesh, f->x, f->found[0].distance, &f->found[0].normal);
    f->exact = true;
    const double there = exact(f->mesh, y, d, &p.normal);
    p.distance = there + v3_dot(p.normal, v3_sub(f->x, y));
    if (!another_face(f, &p, 1e-6 * f->reach)) return d;
    /* From within the wall the nearest may be an edge: what is in front of it faces
     * another way. */
    rill_vec3 front;
    const rill_vec3 before = v3_madd(y, 0.1 * f->reach - there, p.normal);
    exact(f->mesh, before, shape_distance(f->mesh, before, NULL), &front);
    if (v3_dot(front, p.normal) < turned_cosine) return d;
    const double off = fabs(shape_distance(f->mesh, v3_madd(f->x, -p.distance, p.normal), NULL));
    if (off > 0.25 * f->reach) return d;
    p.slack = f->error + off;
    f->found[f->count++] = p;
    return d;
}

static void collect_mesh(const shape *s, const mesh_distance *m, collector *c)
{
    mesh_faces f = {.mesh = s, .x = c->x, .reach = c->reach, .error = mesh_distance_error(m, 0), .count = 1};
    f.found[0].distance = shape_distance(s, c->x, &f.found[0].normal);
    f.found[0].slack = f.error;
    const bool near = fabs(f.found[0].distance) <= c->reach;
    for (int side = 0; near && side < 6; side++) {
        double way = f.found[0].distance > 0.1 * c->reach ? f.found[0].distance : 0.1 * c->reach;
        for (int step = 0; step < MESH_STEPS && way <= c->reach; step++) {
            rill_vec3 y = c->x;
            v3_set_axis(&y, side / 2, v3_axis(y, side / 2) + (side % 2 ? way : -way));
            const double d = probe_mesh(&f, y);
            if (!(d > 0)) break;
            way += d > 0.25 * way ? d : 0.25 * way; /* not fmax, which is a call */
        }
    }
    for (int i = 0; i < f.count; i++)
        offer_within(c, f.found[i].distance, f.found[i].normal, f.found[i].slack);
}

/* The part of an intersection that decides: largest signed distance. */
static void collect_farthest(const shape *s, double sign, collector *c)
{
    const shape *farthest = NULL;
    double largest = 0, its_sign = sign;
    for (uint32_t i = 0; i < s->parts.count; i++) {
        const double part_sign = s->kind == SHAPE_DIFFERENCE && i > 0 ? -sign : sign;
        const double d = part_sign * shape_distance(&s->parts.part[i], c->x, NULL);
        if (farthest && d <= largest) continue;
        farthest = &s->parts.part[i];
        largest = d;
        its_sign = part_sign;
    }
    if (farthest) collect(farthest, its_sign, c);
}

static void collect_all(const shape *s, double sign, collector *c)
{
    for (uint32_t i = 0; i < s->parts.count; i++)
        collect(&s->parts.part[i], s->kind == SHAPE_DIFFERENCE && i > 0 ? -sign : sign, c);
}

static void collect(const shape *s, double sign, collector *c)
{
    const bool hollow = sign < 0;
    switch (s->kind) {
    case SHAPE_NONE:
    case SHAPE_KINDS: return;
    case SHAPE_UNION:
        if (hollow)
            collect_farthest(s, sign, c);
        else
            collect_all(s, sign, c);
        return;
    case SHAPE_INTERSECTION:
    case SHAPE_DIFFERENCE:
        if (hollow)
            collect_all(s, sign, c);
        else
            collect_farthest(s, sign, c);
        return;
    case SHAPE_BOX:
        if (!hollow) break;
        collect_hollow_box(&s->box, c);
        return;
    case SHAPE_CYLINDER:
        if (!hollow) break;
        collect_hollow_cylinder(&s->rod, c);
        return;
    case SHAPE_MESH:
        if (!s->mesh.owned) return;
        if (hollow) break;
        collect_mesh(s, s->mesh.owned, c);
        return;
    case SHAPE_SEQUENCE:
        if (!s->sequence.now.span) return;
        if (hollow) break;
        collect_mesh(s, s->sequence.now.span, c);
        return;
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE:
    case SHAPE_PLANE:
    case SHAPE_DISC:
    case SHAPE_FUNCTION: break;
    }
    rill_vec3 normal;
    const double d = shape_distance(s, c->x, &normal);
    offer(c, sign * d, v3_scale(normal, sign));
}

static bool same_plane(const shape_plane *a, const shape_plane *b)
{
    const double size = fmax(fabs(a->distance), fabs(b->distance));
    return v3_dot(a->normal, b->normal) > 1 - 1e-9 && fabs(a->distance - b->distance) <= 1e-12 * size;
}

/* Whether plane b touches its shape only where it meets the face of a, and nothing
 * rises there: going from that point up along b, one leaves the solid as fast as one
 * leaves a. */
static bool only_continues(const shape_plane *a, const shape_plane *b, rill_vec3 foot, double reach,
                           shape_whole *whole, const void *user)
{
    const double along = v3_dot(a->normal, b->normal);
    if (along < 0.05 || along > 1 - 1e-9) return false;
    if (fabs(a->distance - b->distance * along) > 1e-6 * reach) return false;
    const rill_vec3 up = v3_unit(v3_madd(a->normal, -along, b->normal));
    const double step = 1e-2 * reach, rise = step * v3_dot(up, a->normal);
    return whole(user, v3_madd(foot, step, up)) >= rise * (1 - 1e-3) - 1e-6 * reach;
}

/* Whether plane b, whose foot is buried behind the face of a, comes out of it within
 * reach: in an obtuse corner the slope is a wall to a point above the floor, too. Looked
 * for where the two planes meet nearest to x, a little up from there. */
static bool comes_out(const shape_plane *a, const shape_plane *b, rill_vec3 x, double reach,
                      double on_surface, shape_whole *whole, const void *user)
{
    const double along = v3_dot(a->normal, b->normal), square = 1 - along * along;
    if (along <= 0 || square < 1e-9) return false;
    const double to_a = (along * b->distance - a->distance) / square,
                 to_b = (along * a->distance - b->distance) / square;
    const rill_vec3 meet = v3_madd(v3_madd(x, to_a, a->normal), to_b, b->normal);
    if (v3_distance(meet, x) > 2 * reach) return false;
    const rill_vec3 up = v3_unit(v3_madd(a->normal, -along, b->normal));
    return fabs(whole(user, meet)) <= on_surface &&
           fabs(whole(user, v3_madd(meet, 0.1 * reach, up))) <= on_surface;
}

static void sort_planes(shape_plane *plane, int count)
{
    for (int i = 1; i < count; i++) {
        const shape_plane p = plane[i];
        int at = i;
        for (; at > 0 && plane[at - 1].distance > p.distance; at--) plane[at] = plane[at - 1];
        plane[at] = p;
    }
}

int shape_planes_settle(shape_plane *plane, int count, rill_vec3 x, double reach, shape_whole *whole,
                        const void *user)
{
    const double on_surface = 1e-6 * fmax(1, v3_length(x)) + 1e-3 * reach;
    int kept = 0;
    sort_planes(plane, count);
    for (int i = 0; i < count && kept < SHAPE_MAX_PLANES; i++) {
        const shape_plane p = plane[i];
        const rill_vec3 foot = v3_madd(x, -p.distance, p.normal);
        const bool buried = fabs(whole(user, foot)) > on_surface + p.slack;
        bool face = !buried;
        for (int k = 0; face && k < kept; k++)
            face = !same_plane(&plane[k], &p) && !only_continues(&plane[k], &p, foot, reach, whole, user);
        for (int k = 0; buried && !face && k < kept; k++)
            face = comes_out(&plane[k], &p, x, reach, on_surface, whole, user);
        if (face) plane[kept++] = p;
    }
    return kept;
}

static double whole_shape(const void *user, rill_vec3 x)
{
    return shape_distance(user, x, NULL);
}

int shape_planes(const shape *s, rill_vec3 x, double reach, shape_plane *out)
{
    shape_plane candidate[MAX_CANDIDATES];
    collector c = {x, reach, candidate, 0};
    collect(s, 1, &c);
    int count = c.count;
    if (s->kind >= SHAPE_UNION && s->kind <= SHAPE_DIFFERENCE) {
        count = shape_planes_settle(candidate, count, x, reach, whole_shape, s);
        if (count == 0) { /* every candidate's foot is elsewhere: beyond a corner, or deep inside */
            rill_vec3 normal;
            const double d = shape_distance(s, x, &normal);
            if (d <= reach) candidate[count++] = (shape_plane){.distance = d, .normal = normal};
        }
    }
    for (int i = 0; i < count; i++) out[i] = candidate[i];
    return count;
}
