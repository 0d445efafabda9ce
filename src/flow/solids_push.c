/* Keeping particles out of solids.
 *
 * The way from where a particle was is followed in pieces that cannot cross anything
 * (solids_free), however thin; where it comes nearer than the clearance it is set out
 * to it, the rest of the way is bent to slide along the faces met, and the velocity
 * loses its inward part there. Where solids move, the way is followed in space and time:
 * each piece is checked in the frame of every moving solid (solids_free_share), and a
 * face that comes nearer bends the rest of the way by what it will still move. */
#include "flow/solids.h"

enum { PIECES = 64, ROUNDS = 8, SWEEPS = 8 };

/* Distances within this factor of the clearance are at it. */
static const double slack = 1e-6;

typedef struct {
    const solids *s;
    double t, clearance;
    rill_vec3 v;
} push;

/* What a face that stops a particle leaves of its velocity. */
static void stop(push *p, const solid_contact *c)
{
    const rill_vec3 relative = v3_sub(p->v, c->velocity);
    const double inward = v3_dot(relative, c->normal);
    if (inward > 0) return;
    if (c->slip == SLIP_NONE) {
        p->v = c->velocity;
        return;
    }
    p->v = v3_madd(p->v, -inward, c->normal);
    if (c->friction > 0) p->v = solid_rubbed(c, p->v, -c->friction * inward);
}

static double missing(const push *p, const solid_contact *c, rill_vec3 d)
{
    return p->clearance - (c->distance + v3_dot(d, c->normal));
}

/* Where planes contradict each other: to the middle between them. */
static rill_vec3 way_between(const push *p, const solid_contact *c, int count)
{
    rill_vec3 d = {0};
    for (int sweep = 0; sweep < 4 * SWEEPS; sweep++) {
        rill_vec3 sum = {0};
        int near = 0;
        for (int i = 0; i < count; i++) {
            const double m = missing(p, &c[i], d);
            if (!(m > 0)) continue;
            sum = v3_madd(sum, m, c[i].normal);
            near++;
        }
        if (near == 0) break;
        d = v3_madd(d, 1.0 / near, sum);
    }
    return d;
}

/* The displacement that takes a point out to the clearance from every plane: the planes
 * in turn, as often as corners that are not square need. */
static rill_vec3 way_out(push *p, const solid_contact *c, int count)
{
    rill_vec3 d = {0};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool out = true;
        for (int i = 0; i < count; i++) {
            const double m = missing(p, &c[i], d);
            if (!(m > 1e-3 * slack * p->clearance)) continue;
            d = v3_madd(d, m, c[i].normal);
            stop(p, &c[i]);
            out = false;
        }
        if (out) return d;
    }
    return way_between(p, c, count);
}

/* Sets x out to the clearance. From outside no solid is crossed on the way, so that in
 * gaps narrower than two clearances x stays in the gap. */
static rill_vec3 set_out(push *p, rill_vec3 x)
{
    solid_contact c[SOLID_MAX_CONTACTS];
    for (int round = 0; round < ROUNDS; round++) {
        const double distance = solids_distance(p->s, x, p->t, NULL);
        if (distance >= p->clearance * (1 - slack)) break;
        const int count = solids_contacts(p->s, x, p->t, p->clearance, c);
        const rill_vec3 d = way_out(p, c, count);
        const double length = v3_length(d);
        if (!(length > 0)) break;
        double go = length;
        if (distance > 0)
            go = solids_free(p->s, x, p->t, v3_scale(d, 1 / length), 0.5 * p->clearance, length);
        x = v3_madd(x, go / length, d);
        if (go < 1e-9 * p->clearance) break;
    }
    return x;
}

/* The part of the way r from x that the faces x touches leave, when they move on for the
 * time `left`. */
static rill_vec3 slide(push *p, rill_vec3 x, rill_vec3 r, double left)
{
    solid_contact c[SOLID_MAX_CONTACTS];
    const int count = solids_contacts(p->s, x, p->t, p->clearance * (1 + slack), c);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool free = true;
        for (int i = 0; i < count; i++) {
            const double inward = v3_dot(v3_madd(r, -left, c[i].velocity), c[i].normal);
            if (!(inward < -1e-12 * (v3_length(r) + left * v3_length(c[i].velocity)))) continue;
            r = v3_madd(r, -inward, c[i].normal);
            stop(p, &c[i]);
            free = false;
        }
        if (free) return r;
    }
    p->v = c[0].velocity; /* wedged in a corner sharper than sweeps can follow */
    return v3(0, 0, 0);
}

/* A particle that is wedged takes the velocity of the solid that holds it: otherwise it would gather speed
 * for ever. */
static rill_vec3 held(push *p, rill_vec3 x)
{
    solid_contact c;
    solids_distance(p->s, x, p->t, &c);
    p->v = c.velocity;
    return x;
}

/* Follows the way from x to `to` and returns where it ends. */
static rill_vec3 follow(push *p, rill_vec3 x, rill_vec3 to)
{
    x = set_out(p, x);
    for (int piece = 0; piece < PIECES; piece++) {
        rill_vec3 r = v3_sub(to, x);
        const rill_vec3 left = slide(p, x, r, 0);
        if (left.x != r.x || left.y != r.y || left.z != r.z) to = v3_add(x, left);
        r = left;
        const double length = v3_length(r);
        if (length <= 1e-9 * p->clearance) return x;
        const double go = solids_free(p->s, x, p->t, v3_scale(r, 1 / length), 0.5 * p->clearance, length);
        if (go >= length) return set_out(p, to);
        if (go <= 1e-9 * p->clearance) return held(p, x);
        x = set_out(p, v3_madd(x, go / length, r));
    }
    return x;
}

/* Where x goes with the nearest moving solid from p->t to `until`. */
static rill_vec3 taken_along(push *p, rill_vec3 x, double until)
{
    const solids *s = p->s;
    double nearest = INFINITY;
    rill_vec3 out = x;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!solid_moves(s, i)) continue;
        solid_place storage, later;
        const struct solid_pose *now = &solids_place_at(s, i, p->t, &storage)->pose;
        rill_vec3 local = solid_to_local(now, x);
        shape form;
        const double d = now->scale * shape_distance(solids_form_at(s, i, p->t, &form), local, NULL);
        if (!(d < nearest)) continue;
        nearest = d;
        const solid_place *then = solids_place_at(s, i, until, &later);
        if (solid_deforms(s, i))
            local = mesh_moment_carry(form.sequence.now, mesh_morph_at(&s->morph[i], until), local);
        out = solid_to_world(&then->pose, local);
        p->v = solids_velocity(s, i, until, out);
    }
    return out;
}

/* The same while solids move, from x at `since` to `to` at `until`. */
static rill_vec3 follow_moving(push *p, rill_vec3 x, rill_vec3 to, double since, double until)
{
    p->t = since;
    x = set_out(p, x);
    for (int piece = 0; piece < PIECES; piece++) {
        const double left = until - p->t;
        const rill_vec3 r = v3_sub(to, x), bent = slide(p, x, r, left);
        if (bent.x != r.x || bent.y != r.y || bent.z != r.z) to = v3_add(x, bent);
        const double share = solids_free_share(p->s, x, p->t, bent, until, 0.5 * p->clearance);
        if (share >= 1) {
            p->t = until;
            return set_out(p, to);
        }
        if (share < 1e-9) break;
        x = v3_madd(x, share, bent);
        p->t += share * left;
        x = set_out(p, x);
    }
    /* Squeezed, or turned too fast to be followed: the moving solid wins. */
    x = taken_along(p, x, until);
    p->t = until;
    return set_out(p, x);
}

static bool same(rill_vec3 a, rill_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool solids_push_out(const solids *s, double since, double t, double clearance, rill_vec3 from, rill_vec3 *x,
                     rill_vec3 *v)
{
    if (!v3_finite(from) || !v3_finite(*x) || !v3_finite(*v)) return false;
    const bool moving = s->moving > 0 && since < t;
    const double distance = solids_distance(s, *x, t, NULL);
    if (distance >= clearance && v3_distance(from, *x) <= distance &&
        (!moving || solids_passed_by(s, since, from, t, *x)))
        return false; /* the common case */

    push p = {s, t, clearance, *v};
    if (s->dimensions == 2) from.z = x->z;
    rill_vec3 end = moving ? follow_moving(&p, from, *x, since, t) : follow(&p, from, *x);
    /* A solid that leaves no space at a side does not push liquid out of the domain: it then covers it. */
    end = solids_inside_sides(s, end, 0.1 * clearance);
    if (same(end, *x) && same(p.v, *v)) return false;
    *x = end;
    *v = p.v;
    return true;
}
