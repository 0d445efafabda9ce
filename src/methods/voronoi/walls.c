/* The sides of the box, which the surface's mesh meets exactly, and the solids, which it may pass through. */
#include "voronoi/emit.h"

static const double ON_WALL = 1e-9; /* spacings */

double brochu_wall_distance(const brochu *s, rill_vec3 x, int side)
{
    const int k = side_axis(side);
    return side & 1 ? v3_axis(s->box.max, k) - v3_axis(x, k) : v3_axis(x, k) - v3_axis(s->box.min, k);
}

uint8_t brochu_walls_at(const brochu *s, rill_vec3 x)
{
    uint8_t bits = 0;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (brochu_wall_distance(s, x, side) < ON_WALL * s->h) bits |= (uint8_t)(1 << side);
    return bits;
}

rill_vec3 brochu_clamp(const brochu *s, rill_vec3 x)
{
    return v3_min(v3_max(x, s->box.min), s->box.max);
}

static rill_vec3 onto_walls(const brochu *s, rill_vec3 x, uint8_t walls)
{
    for (int side = 0; side < SIDE_COUNT; side++)
        if (walls >> side & 1)
            v3_set_axis(&x, side_axis(side), v3_axis(side & 1 ? s->box.max : s->box.min, side_axis(side)));
    return x;
}

rill_vec3 brochu_off_walls(const brochu *s, rill_vec3 x, uint8_t walls, double by)
{
    (void)s;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (walls >> side & 1)
            v3_set_axis(&x, side_axis(side), v3_axis(x, side_axis(side)) + (side & 1 ? -by : by));
    return x;
}

rill_vec3 brochu_snap(const brochu *s, rill_vec3 x)
{
    const double q = s->quantum;
    return v3(q * rint(x.x / q), q * rint(x.y / q), q * rint(x.z / q));
}

double brochu_room(const brochu *s, rill_vec3 x, double t, solid_contact *contact)
{
    const double room = s->walls.count ? solids_distance(&s->walls, x, t, contact) : INFINITY;
    if (!s->nozzle) return room;
    solid_contact c;
    const double nozzle = brochu_nozzle_room(s, x, contact ? &c : NULL);
    if (!(nozzle < room)) return room;
    if (contact) *contact = c;
    return nozzle;
}

/* What lies in a nozzle's front stays in its plane. */
static bool place_in_nozzle(const brochu *s, tracker_change change, rill_vec3 a, rill_vec3 b, rill_vec3 *x)
{
    const brochu_nozzle *at_a = NULL, *at_b = NULL;
    (void)brochu_in_nozzle(s, a, &at_a);
    if (change == TRACKER_MOVE) {
        if (at_a) *x = a;
        return true;
    }
    (void)brochu_in_nozzle(s, b, &at_b);
    if (change == TRACKER_COLLAPSE && at_a != at_b) {
        if (at_a && at_b) return false;
        *x = at_a ? a : b;
    } else if (at_a && at_a == at_b) {
        *x = v3_madd(*x, -v3_dot(v3_sub(*x, at_a->center), at_a->normal), at_a->normal);
    }
    return true;
}

/* New vertices lie in the sides that both makers lie in; one that replaces two lies in all of theirs. */
bool brochu_place(void *user, tracker_change change, rill_vec3 a, rill_vec3 b, rill_vec3 *x)
{
    const brochu *s = user;
    const uint8_t at_a = brochu_walls_at(s, a), at_b = change == TRACKER_MOVE ? at_a : brochu_walls_at(s, b);
    if (change == TRACKER_COLLAPSE && at_a != at_b) {
        if ((at_a | at_b) != at_a && (at_a | at_b) != at_b) return false;
        *x = (at_a | at_b) == at_a ? a : b;
        return true;
    }
    if (s->nozzle && !place_in_nozzle(s, change, a, b, x)) return false;
    *x = onto_walls(s, brochu_clamp(s, *x), at_a & at_b);
    return true;
}
