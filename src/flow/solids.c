/* The closed sides of the domain and the scene's solids: distance and faces.
 *
 * A closed side is the half space beyond it, without end: what left the domain through
 * it is inside the wall, how ever far. A solid is its shape, turned about x, then y,
 * then z, scaled evenly and moved; distances scale along. */
#include "flow/solids.h"

enum { CANDIDATES = 64 };

static rill_vec3 flattened(const solids *s, rill_vec3 x)
{
    return s->dimensions == 2 ? v3(x.x, x.y, 0) : x;
}

static bool side_closed(const solids *s, int side)
{
    const int axis = side_axis(side);
    return !(s->domain.open & 1u << side) && !(s->domain.periodic & 1u << axis) && axis < s->dimensions;
}

static shape_plane side_plane(const solids *s, int side, rill_vec3 x)
{
    const int axis = side_axis(side);
    shape_plane p = {.owner = (uint32_t)(SOLID_DOMAIN + side)};
    if (side % 2 == 0) {
        p.distance = v3_axis(x, axis) - v3_axis(s->domain.min, axis);
        v3_set_axis(&p.normal, axis, 1);
    } else {
        p.distance = v3_axis(s->domain.max, axis) - v3_axis(x, axis);
        v3_set_axis(&p.normal, axis, -1);
    }
    return p;
}

/* --- poses --- */

typedef struct solid_pose solid_pose;

static rill_vec3 turned(const solid_pose *p, rill_vec3 a) /* world to local */
{
    return v3(v3_dot(p->row[0], a), v3_dot(p->row[1], a), v3_dot(p->row[2], a));
}

static rill_vec3 turned_back(const solid_pose *p, rill_vec3 a)
{
    return v3_add(v3_add(v3_scale(p->row[0], a.x), v3_scale(p->row[1], a.y)), v3_scale(p->row[2], a.z));
}

static rill_vec3 to_local(const solid_pose *p, rill_vec3 x)
{
    return v3_scale(turned(p, v3_sub(x, p->translate)), 1 / p->scale);
}

/* Sine and cosine of degrees, exact for quarter turns. */
static void turn(double degrees, double *s, double *c)
{
    const double quarter = fmod(degrees, 360) / 90;
    if (quarter == rint(quarter)) {
        static const double sine[] = {0, 1, 0, -1};
        const int q = ((int)quarter + 4) % 4;
        *s = sine[q];
        *c = sine[(q + 1) % 4];
        return;
    }
    const double angle = degrees * (3.14159265358979323846 / 180);
    *s = sin(angle);
    *c = cos(angle);
}

/* Where the rotation takes a. */
static rill_vec3 rotated(rill_vec3 degrees, rill_vec3 a)
{
    double s, c;
    turn(degrees.x, &s, &c);
    a = v3(a.x, c * a.y - s * a.z, s * a.y + c * a.z);
    turn(degrees.y, &s, &c);
    a = v3(c * a.x + s * a.z, a.y, c * a.z - s * a.x);
    turn(degrees.z, &s, &c);
    return v3(c * a.x - s * a.y, s * a.x + c * a.y, a.z);
}

static solid_pose pose_of(const scene_transform *t, int dimensions)
{
    const rill_vec3 degrees = dimensions == 2 ? v3(0, 0, t->rotate.z) : t->rotate;
    solid_pose p = {
        .row = {rotated(degrees, v3(1, 0, 0)), rotated(degrees, v3(0, 1, 0)), rotated(degrees, v3(0, 0, 1))},
        .translate = t->translate,
        .scale = t->scale > 0 ? t->scale : 1,
    };
    if (dimensions == 2) p.translate.z = 0;
    return p;
}

/* A box around the placed shape: the turned box's own where that is finite. */
static rill_box world_bounds(const solid_pose *p, rill_box b, int dimensions)
{
    for (int k = 0; k < 3; k++)
        if (v3_axis(b.min, k) > v3_axis(b.max, k)) return box_empty();
    rill_box out;
    for (int k = 0; k < 3; k++) {
        double lo = v3_axis(p->translate, k), hi = lo;
        for (int j = 0; j < 3; j++) {
            const double r = v3_axis(p->row[j], k) * p->scale;
            if (r == 0) continue; /* without it 0 times infinity */
            const double a = r * v3_axis(b.min, j), c = r * v3_axis(b.max, j);
            lo += fmin(a, c);
            hi += fmax(a, c);
        }
        v3_set_axis(&out.min, k, lo);
        v3_set_axis(&out.max, k, hi);
    }
    if (dimensions == 2) out.min.z = -INFINITY, out.max.z = INFINITY;
    return out;
}

rill_status solids_create(rill_ctx *ctx, const rill_scene *scene, solids *out)
{
    solids s = {
        .scene = scene,
        .domain = scene->domain,
        .dimensions = scene->dimensions == 2 ? 2 : 3,
        .count = scene->solid_count,
    };
    rill_status st = MEM_NEW(ctx, s.pose, s.count);
    if (!st) st = MEM_NEW(ctx, s.bounds, s.count);
    if (st) {
        solids_clear(ctx, &s);
        return st;
    }
    for (uint32_t i = 0; i < s.count; i++) {
        s.pose[i] = pose_of(&scene->solids[i].transform, s.dimensions);
        s.bounds[i] = world_bounds(&s.pose[i], shape_bounds(&scene->solids[i].shape), s.dimensions);
    }
    *out = s;
    return RILL_OK;
}

void solids_clear(rill_ctx *ctx, solids *s)
{
    mem_free(ctx, s->pose);
    mem_free(ctx, s->bounds);
    *s = (solids){0};
}

/* --- queries --- */

/* Whether x is farther than reach from the box, a lower bound of the solid's distance. */
static bool out_of_reach(const rill_box *b, rill_vec3 x, double reach)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double out = fmax(v3_axis(b->min, k) - v3_axis(x, k), v3_axis(x, k) - v3_axis(b->max, k));
        if (out > reach) return true;
        if (out > 0) sum += out * out;
    }
    return reach >= 0 && sum > reach * reach;
}

static rill_vec3 world_normal(const solids *s, uint32_t i, rill_vec3 normal)
{
    const rill_vec3 n = turned_back(&s->pose[i], normal);
    return s->dimensions == 2 && n.z != 0 ? shape_unit(v3(n.x, n.y, 0)) : n;
}

static solid_contact contact_of(const solids *s, const shape_plane *p)
{
    return (solid_contact){
        .distance = p->distance,
        .normal = p->normal,
        .solid = p->owner,
        .slip = p->owner >= SOLID_DOMAIN ? SLIP_FREE : s->scene->solids[p->owner].slip,
    };
}

double solids_distance(const solids *s, rill_vec3 x, double t, solid_contact *contact)
{
    (void)t;
    x = flattened(s, x);
    shape_plane nearest = {.distance = INFINITY, .normal = {0, 1, 0}, .owner = SOLID_DOMAIN};
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!side_closed(s, side)) continue;
        const shape_plane p = side_plane(s, side, x);
        if (p.distance < nearest.distance) nearest = p;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        /* inside its box it may be deeper than what was found; outside it cannot be nearer */
        if (out_of_reach(&s->bounds[i], x, fmax(nearest.distance, 0))) continue;
        rill_vec3 normal;
        const double d =
            s->pose[i].scale *
            shape_distance(&s->scene->solids[i].shape, to_local(&s->pose[i], x), contact ? &normal : NULL);
        if (!(d < nearest.distance)) continue;
        nearest.distance = d;
        nearest.owner = i;
        if (contact) nearest.normal = world_normal(s, i, normal);
    }
    if (contact) *contact = contact_of(s, &nearest);
    return nearest.distance;
}

typedef struct {
    const solids *s;
    double t;
} everything;

static double everything_distance(const void *user, rill_vec3 x)
{
    const everything *e = user;
    return solids_distance(e->s, x, e->t, NULL);
}

/* Adds a candidate, in place of the farthest when there is no more room. */
static void offer(shape_plane *candidate, int *count, shape_plane p)
{
    if (*count < CANDIDATES) {
        candidate[(*count)++] = p;
        return;
    }
    int farthest = 0;
    for (int i = 1; i < CANDIDATES; i++)
        if (candidate[i].distance > candidate[farthest].distance) farthest = i;
    if (p.distance < candidate[farthest].distance) candidate[farthest] = p;
}

static void offer_solid(const solids *s, uint32_t i, rill_vec3 x, double reach, shape_plane *candidate,
                        int *count)
{
    if (out_of_reach(&s->bounds[i], x, reach)) return;
    shape_plane face[SHAPE_MAX_PLANES];
    const double scale = s->pose[i].scale;
    const int faces = shape_planes(&s->scene->solids[i].shape, to_local(&s->pose[i], x), reach / scale, face);
    for (int k = 0; k < faces; k++)
        offer(candidate, count,
              (shape_plane){face[k].distance * scale, world_normal(s, i, face[k].normal), i,
                            face[k].slack * scale});
}

int solids_contacts(const solids *s, rill_vec3 x, double t, double reach, solid_contact *out)
{
    shape_plane candidate[CANDIDATES];
    int count = 0;
    x = flattened(s, x);
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!side_closed(s, side)) continue;
        const shape_plane p = side_plane(s, side, x);
        if (p.distance <= reach) candidate[count++] = p;
    }
    for (uint32_t i = 0; i < s->count; i++) offer_solid(s, i, x, reach, candidate, &count);
    if (count == 0) return 0;

    if (count > 1) {
        const everything e = {s, t};
        count = shape_planes_settle(candidate, count, x, reach, everything_distance, &e);
    }
    for (int i = 0; i < count; i++) out[i] = contact_of(s, &candidate[i]);
    if (count == 0 && solids_distance(s, x, t, &out[0]) <= reach) count = 1; /* deep in several at once */
    return count;
}

double solids_free(const solids *s, rill_vec3 x, double t, rill_vec3 direction, double margin, double most)
{
    (void)t;
    x = flattened(s, x);
    double length = most;
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!side_closed(s, side)) continue;
        const shape_plane p = side_plane(s, side, x);
        const double approach = -v3_dot(direction, p.normal);
        if (!(approach > 0)) continue;
        length = fmin(length, p.distance > 0 ? (p.distance - fmin(margin, 0.5 * p.distance)) / approach : 0);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (out_of_reach(&s->bounds[i], x, length + margin)) continue;
        const solid_pose *p = &s->pose[i];
        length = fmin(length, p->scale * shape_free(&s->scene->solids[i].shape, to_local(p, x),
                                                    turned(p, direction), margin / p->scale));
    }
    return length;
}
