/* The closed sides of the domain and the scene's solids: distance and faces.
 *
 * A closed side is the half space beyond it, without end: what left the domain through
 * it is inside the wall, however far. A solid is its shape in its place at the time
 * (solids_place.c); distances scale along. */
#include "flow/solids.h"

enum { CANDIDATES = 64 };

static rill_vec3 flattened(const solids *s, rill_vec3 x)
{
    return s->dimensions == 2 ? v3(x.x, x.y, 0) : x;
}

static bool side_closed(const solids *s, int side)
{
    return !(s->domain.open & 1u << side) && side_axis(side) < s->dimensions;
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

/* --- queries --- */

/* Whether x is farther than reach from the box, a lower bound of the solid's distance. */
static inline bool out_of_reach(const rill_box *b, rill_vec3 x, double reach)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        /* not fmax, which is a call: this is asked for every particle and solid */
        const double low = v3_axis(b->min, k) - v3_axis(x, k), high = v3_axis(x, k) - v3_axis(b->max, k),
                     out = low > high ? low : high;
        if (out > reach) return true;
        if (out > 0) sum += out * out;
    }
    return reach >= 0 && sum > reach * reach;
}

/* Places of a prepared time, of which those of solids that move as a whole are set; NULL: not prepared. */
static const solid_place *places_at(const solids *s, double t)
{
    for (int k = 0; s->moving && k < SOLIDS_TIMES; k++)
        if (s->time[k] == t) return s->place[k];
    return NULL;
}

/* solids_place_at, where places_at has been asked already. */
static inline const solid_place *place_of(const solids *s, uint32_t i, double t, const solid_place *places,
                                          solid_place *storage)
{
    if (s->track[i].translate.count == 0 && !s->ride[i].riding) return &s->rest[i];
    return places ? &places[i] : solids_place_at(s, i, t, storage);
}

static rill_vec3 world_normal(const solids *s, const solid_place *p, rill_vec3 normal)
{
    const rill_vec3 n = solid_turned_back(&p->pose, normal);
    return s->dimensions == 2 && n.z != 0 ? shape_unit(v3(n.x, n.y, 0)) : n;
}

static solid_contact contact_of(const solids *s, const shape_plane *p, rill_vec3 x, double t)
{
    solid_contact c = {
        .distance = p->distance, .normal = p->normal, .solid = p->owner, .slip = s->domain.slip};
    c.friction = s->domain.friction;
    if (p->owner >= SOLID_DOMAIN) return c;
    c.slip = s->scene->solids[p->owner].slip;
    c.friction = s->scene->solids[p->owner].friction;
    if (solid_moves(s, p->owner))
        c.velocity = solids_velocity(s, p->owner, t, v3_madd(x, -p->distance, p->normal));
    return c;
}

double solids_distance(const solids *s, rill_vec3 x, double t, solid_contact *contact)
{
    x = flattened(s, x);
    const solid_place *places = places_at(s, t);
    shape_plane nearest = {.distance = INFINITY, .normal = {0, 1, 0}, .owner = SOLID_DOMAIN};
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!side_closed(s, side)) continue;
        const shape_plane p = side_plane(s, side, x);
        if (p.distance < nearest.distance) nearest = p;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->without && s->without[i]) continue;
        /* inside its box it may be deeper than what was found; outside it cannot be nearer */
        solid_place storage;
        const solid_place *p = place_of(s, i, t, places, &storage);
        if (out_of_reach(&p->bounds, x, nearest.distance > 0 ? nearest.distance : 0)) continue;
        rill_vec3 normal;
        shape form;
        const double d =
            p->pose.scale * shape_distance(solids_form_at(s, i, t, &form), solid_to_local(&p->pose, x),
                                           contact ? &normal : NULL);
        if (!(d < nearest.distance)) continue;
        nearest.distance = d;
        nearest.owner = i;
        if (contact) nearest.normal = world_normal(s, p, normal);
    }
    if (contact) *contact = contact_of(s, &nearest, x, t);
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

/* Adds a candidate; when the list is full it replaces the farthest. */
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

static void offer_solid(const solids *s, uint32_t i, rill_vec3 x, double t, double reach,
                        shape_plane *candidate, int *count)
{
    solid_place storage;
    const solid_place *p = solids_place_at(s, i, t, &storage);
    if (out_of_reach(&p->bounds, x, reach)) return;
    shape_plane face[SHAPE_MAX_PLANES];
    const double scale = p->pose.scale;
    shape form;
    const int faces =
        shape_planes(solids_form_at(s, i, t, &form), solid_to_local(&p->pose, x), reach / scale, face);
    for (int k = 0; k < faces; k++)
        offer(candidate, count,
              (shape_plane){face[k].distance * scale, world_normal(s, p, face[k].normal), i,
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
    for (uint32_t i = 0; i < s->count; i++) offer_solid(s, i, x, t, reach, candidate, &count);
    if (count == 0) return 0;

    if (count > 1) {
        const everything e = {s, t};
        count = shape_planes_settle(candidate, count, x, reach, everything_distance, &e);
    }
    for (int i = 0; i < count; i++) out[i] = contact_of(s, &candidate[i], x, t);
    if (count == 0 && solids_distance(s, x, t, &out[0]) <= reach) count = 1; /* deep in several at once */
    return count;
}

static double free_of_sides(const solids *s, rill_vec3 x, rill_vec3 direction, double margin, double most)
{
    double length = most;
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!side_closed(s, side)) continue;
        const shape_plane p = side_plane(s, side, x);
        const double approach = -v3_dot(direction, p.normal);
        if (!(approach > 0)) continue;
        length = fmin(length, p.distance > 0 ? (p.distance - fmin(margin, 0.5 * p.distance)) / approach : 0);
    }
    return length;
}

rill_vec3 solids_inside_sides(const solids *s, rill_vec3 x, double margin)
{
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!side_closed(s, side)) continue;
        const shape_plane p = side_plane(s, side, x);
        if (p.distance < 0) x = v3_madd(x, margin - p.distance, p.normal);
    }
    return x;
}

static double free_of(const solids *s, uint32_t i, const solid_place *p, rill_vec3 x, double t,
                      rill_vec3 direction, double margin, double most)
{
    shape form;
    const double scale = p->pose.scale;
    return scale * shape_free(solids_form_at(s, i, t, &form), solid_to_local(&p->pose, x),
                              solid_turned(&p->pose, direction), margin / scale, most / scale);
}

double solids_free(const solids *s, rill_vec3 x, double t, rill_vec3 direction, double margin, double most)
{
    x = flattened(s, x);
    double length = free_of_sides(s, x, direction, margin, most);
    for (uint32_t i = 0; i < s->count; i++) {
        solid_place storage;
        const solid_place *p = solids_place_at(s, i, t, &storage);
        if (out_of_reach(&p->bounds, x, length + margin)) continue;
        length = fmin(length, free_of(s, i, p, x, t, direction, margin, length));
    }
    return length;
}

/* --- moving solids --- */

/* How much of the step from a, both in the solid's coordinates, is free while it deforms. */
static double clear_share(const solids *s, uint32_t i, rill_vec3 a, double t, rill_vec3 step, double end,
                          double margin)
{
    if (solid_deforms(s, i)) return mesh_morph_free_share(&s->morph[i], t, end, a, step, margin);
    const double length = v3_length(step);
    if (length == 0) return 1;
    const double clear =
        shape_free(&s->scene->solids[i].shape, a, v3_scale(step, 1 / length), margin, length);
    return clear >= length ? 1 : clear / length;
}

/* In the solid's own frame the particle goes straight from where it is at t to where it
 * is at the end of the share; when that is too far, the share is cut and tried again. */
static double share_past(const solids *s, uint32_t i, rill_vec3 x, double t, rill_vec3 way, double until,
                         double margin, double share)
{
    enum { TRIES = 12 };
    solid_place storage, later_storage;
    const struct solid_pose *now = &solids_place_at(s, i, t, &storage)->pose;
    const rill_vec3 a = solid_to_local(now, x);
    for (int tries = 0; tries < TRIES; tries++) {
        const double end = share < 1 ? t + share * (until - t) : until;
        const struct solid_pose *then = &solids_place_at(s, i, end, &later_storage)->pose;
        const rill_vec3 step = v3_sub(solid_to_local(then, v3_madd(x, share, way)), a);
        const double clear = clear_share(s, i, a, t, step, end, margin / now->scale);
        if (clear >= 1) return share;
        share *= clear * (tries ? 0.9 : 1);
        if (share == 0) return 0;
    }
    return 0;
}

double solids_free_share(const solids *s, rill_vec3 x, double t, rill_vec3 way, double until, double margin)
{
    x = flattened(s, x);
    const double length = v3_length(way);
    const rill_vec3 direction = length > 0 ? v3_scale(way, 1 / length) : v3(0, 0, 0);
    double most = length > 0 ? free_of_sides(s, x, direction, margin, length) : 0;
    for (uint32_t i = 0; length > 0 && i < s->count; i++)
        if (!solid_moves(s, i) && !out_of_reach(&s->rest[i].bounds, x, most + margin))
            most = fmin(most, free_of(s, i, &s->rest[i], x, t, direction, margin, most));
    double share = most < length ? most / length : 1;
    for (uint32_t i = 0; i < s->count; i++)
        if (solid_moves(s, i)) share = share_past(s, i, x, t, way, until, margin, share);
    return share;
}

static double sum_of_sizes(rill_vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

/* No less than a body takes a place x of its own frame along during its step. */
static double most_carried(const struct solid_ride *r, rill_vec3 x)
{
    const double way = sum_of_sizes(r->way);
    return 1.0001 * (way + sum_of_sizes(r->turning) * (sum_of_sizes(v3_sub(x, r->center)) + way));
}

bool solids_passed_by(const solids *s, double since, rill_vec3 from, double t, rill_vec3 x)
{
    from = flattened(s, from);
    x = flattened(s, x);
    const solid_place *places = places_at(s, t);
    const double straight = v3_distance(from, x) * (1 + 1e-9);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!solid_moves(s, i)) continue;
        solid_place storage, later_storage;
        const solid_place *now = place_of(s, i, t, places, &later_storage);
        if (s->ride[i].riding && !solid_deforms(s, i) &&
            out_of_reach(&now->bounds, x, straight + most_carried(&s->ride[i], x)))
            continue;
        const solid_place *before = solids_place_at(s, i, since, &storage);
        const rill_vec3 b = solid_to_local(&now->pose, x);
        double way = v3_distance(solid_to_local(&before->pose, from), b);
        if (solid_deforms(s, i)) way += (t - since) * mesh_sequence_max_speed(s->morph[i].frames, since, t);
        if (out_of_reach(&now->bounds, x, way * now->pose.scale)) continue;
        shape form;
        if (shape_distance(solids_form_at(s, i, t, &form), b, NULL) < way) return false;
    }
    return true;
}
