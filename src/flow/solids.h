/* The walls of the liquid: the closed sides of the domain and the solids of the
 * scene.
 *
 * Distances are positive on the liquid's side; normals point into the liquid. In two
 * dimensions z plays no part. Every query takes the time: solids move by keyframes, as
 * rigid bodies, and those whose shape is a sequence of meshes deform besides. */
#pragma once

#include "base/memory.h"
#include "bodies/pose.h"
#include "flow/scene.h"
#include "geom/shape/shape.h"

typedef struct solid_contact {
    double distance;
    rill_vec3 normal;
    rill_vec3 velocity; /* of the solid there */
    uint32_t solid;     /* index into the scene's solids; SOLID_DOMAIN + side for the domain */
    int slip;
    double friction; /* coefficient */
} solid_contact;

/* Coulomb's law: v, slower along the face by `most` (m/s, at least 0), until it has the face's velocity. */
static inline rill_vec3 solid_rubbed(const solid_contact *c, rill_vec3 v, double most)
{
    const rill_vec3 past = v3_sub(v, c->velocity), along = v3_madd(past, -v3_dot(past, c->normal), c->normal);
    const double speed = v3_length(along);
    return speed > most ? v3_madd(v, -most / speed, along) : v3_sub(v, along);
}

enum { SOLID_DOMAIN = 0x7fffff00, SOLID_MAX_CONTACTS = 24 };

/* A solid at one time. */
typedef struct solid_place {
    struct solid_pose pose;
    rill_box bounds;                  /* world, for early rejection */
    rill_vec3 velocity, spin, center; /* x of it moves at velocity + spin x (x - center) */
} solid_place;
static inline rill_vec3 solid_velocity(const solid_place *p, rill_vec3 x)
{
    return v3_add(p->velocity, v3_cross(p->spin, v3_sub(x, p->center)));
}

enum { SOLIDS_TIMES = 3 };

/* A body during a step: from where it is to where it will be, at constant velocity and spin. */
struct solid_ride {
    bool riding;
    double from, length;            /* s; length 0: it stands where it is, with the motion below */
    struct solid_pose pose, last;   /* at `from`; after `length`, as the body itself has it */
    rill_vec3 center, way, turning; /* of mass, at `from`; the whole way; the whole turn, rad */
    rill_vec3 velocity, spin;
};

typedef struct solids {
    const rill_scene *scene; /* borrowed */
    scene_domain domain;
    int dimensions;
    uint32_t count, moving; /* moving: those that move or deform */
    solid_place *rest;      /* per solid; of a moving one: where it would be without its motion */
    struct solid_track {
        keyframes translate, rotate; /* count 0: it does not move */
        rill_vec3 pivot;             /* world */
    } * track;                       /* per solid */
    /* Places worked out once for a step (solids_prepare): they change no result. */
    struct solid_ride *ride; /* per solid: those that are bodies go as bodies.h says */
    double time[SOLIDS_TIMES];
    solid_place *place[SOLIDS_TIMES]; /* per solid; NULL while nothing moves */
    mesh_morph *morph;                /* per solid, without frames where it does not deform */
    const uint8_t *without;           /* borrowed, per solid: solids_distance leaves it out; NULL: none */
} solids;

static inline bool solid_deforms(const solids *s, uint32_t i)
{
    return s->morph[i].frames != NULL;
}
static inline bool solid_moves(const solids *s, uint32_t i)
{
    return s->track[i].translate.count > 0 || solid_deforms(s, i) || s->ride[i].riding;
}

/* Prepared for the time the scene starts at. */
RILL_CHECKED rill_status solids_create(rill_ctx *ctx, const rill_scene *scene, solids *out);
void solids_clear(rill_ctx *ctx, solids *s);

/* Prepares queries at times from t to t + dt. Where moving solids are at t, t + dt/2 and t
 * + dt, which a step asks for again and again, is worked out once; any other time can be
 * asked for all the same, at a higher price. What deforms is prepared for these times alone
 * (mesh_morph_prepare), and takes another for the nearest of them. Results depend on the
 * times asked about, not on what was prepared before. Not while other threads query. */
RILL_CHECKED rill_status solids_prepare(rill_ctx *ctx, solids *s, double t, double dt);

/* The domain and `margin` around it, in the coordinates of the shape of a solid that does not move. */
rill_box solid_domain(const rill_scene *scene, const scene_transform *transform, double margin);

/* Solid i at t; `storage` may be written to and returned. */
const solid_place *solids_place_at(const solids *s, uint32_t i, double t, solid_place *storage);

/* Where its keyframes put solid i at t, whatever else moves it. */
solid_place solids_keyed_place(const solids *s, uint32_t i, double t);

/* Its shape at t, in its own coordinates; `storage` likewise. */
const shape *solids_form_at(const solids *s, uint32_t i, double t, shape *storage);

/* How fast solid i moves at its point nearest to x. */
rill_vec3 solids_velocity(const solids *s, uint32_t i, double t, rill_vec3 x);

/* No point of a solid in the domain is faster than this between the two times. */
double solids_max_speed(const solids *s, double from, double to);
/* The same without bodies, which know their speed themselves (world_max_speed). */
double solids_driven_speed(const solids *s, double from, double to);

/* Nearest surface: distance (INFINITY: nothing solid at all), contact when not NULL. */
double solids_distance(const solids *s, rill_vec3 x, double t, solid_contact *contact);

/* Every face within reach, nearest first (see shape_planes); returns their number. */
int solids_contacts(const solids *s, rill_vec3 x, double t, double reach, solid_contact *out);

/* How far one can go from x, outside, in a unit direction and stay `margin` away from
 * every solid (or half the distance of x, when that is less): a lower bound, and not
 * more than `most`. */
double solids_free(const solids *s, rill_vec3 x, double t, rill_vec3 direction, double margin, double most);

/* The same along `way` from x at t to x + way at `until`, while solids move: the share of
 * it, 0 to 1, that crosses nothing. */
double solids_free_share(const solids *s, rill_vec3 x, double t, rill_vec3 way, double until, double margin);

/* Whether the way from `from` at `since` to x at t, seen by each moving solid, is shorter
 * than its distance from x: then it met none of them. */
bool solids_passed_by(const solids *s, double since, rill_vec3 from, double t, rill_vec3 x);

/* A lower bound of the distance of x from solid i, not negative; INFINITY when it is surely
 * beyond `most`. */
double solids_room(const solids *s, uint32_t i, rill_vec3 x, double t, double most);

/* The same without a limit, as sharp as possible, and expensive for meshes; *away: the unit direction
 * away from the solid. */
double solids_room_away(const solids *s, uint32_t i, rill_vec3 x, double t, rill_vec3 *away);

/* Whether the straight line from a point outside solid i to another, which may be on its
 * surface, passes through it, or passes it within `margin` (small). */
bool solids_between(const solids *s, uint32_t i, rill_vec3 from, rill_vec3 to, double t, double margin);

/* A cheaper version of the same test, for callers that know that nothing of the solid is within `clearance`
 * of `from` and within `other_clearance` of `to`: true when it is surely not between them, by more than the
 * margin. */
bool solids_surely_free(const solids *s, uint32_t i, rill_vec3 from, double clearance, rill_vec3 to,
                        double other_clearance, double t, double margin);

/* Points beyond closed sides of the domain, moved to `margin` inside them. */
rill_vec3 solids_inside_sides(const solids *s, rill_vec3 x, double margin);

/* Moves x out to `clearance` (positive) from every solid, when it is nearer or inside, and takes the
 * inward part out of the velocity relative to the solids that stopped it; all of it where they have no
 * slip, and with friction of the rest as much as Coulomb's law takes for the inward part. From `from`,
 * where the particle was at `since`, the way is followed while the solids move to where they are at t, so
 * that a wall thinner than the step is not jumped, and none jumps a particle: it takes it along. Where
 * solids leave less space than that, x stays between them, and always within the domain's closed sides.
 * Values that are not finite stay unchanged.
 * Returns whether anything changed. */
bool solids_push_out(const solids *s, double since, double t, double clearance, rill_vec3 from, rill_vec3 *x,
                     rill_vec3 *v);
