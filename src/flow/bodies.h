/* The bodies of a scene: solids that the fluid, gravity and each other move.
 *
 * A step of the simulation is, for them:
 *     bodies_begin    the bodies move with their present motion, without passing through anything, and get
 *                     the weight of the step; the solids then know where they are at any time of it
 *     the method      solves its pressure together with `body[i]` and changes their motion (bodies_push)
 *     bodies_end      contacts hold what presses
 * A method that solves where the fluid is at the start of the step and then moves it sets `late`. For it
 * bodies_begin gives the weight alone, and after its solve it calls bodies_move: contacts hold what presses,
 * and the bodies go with the motion that this leaves, together with the fluid.
 * Until the last key of its `motion` a body goes as that says, and no force moves it.
 *
 * Methods see rigid_body (motion, mass, freedoms) and the solids; forces that the fluid gave them are kept
 * for gauges and bodies.csv. */
#pragma once

#include "bodies/world.h"
#include "flow/save.h"
#include "flow/solids.h"

enum { BODY_NONE = UINT32_MAX };

typedef struct body_set {
    body_world world;          /* body i, and what it meets */
    uint32_t count;            /* of bodies: 0 in most scenes */
    uint32_t *solid;           /* per body: index into the scene's solids */
    uint32_t *of_solid;        /* per solid: its body, or BODY_NONE */
    uint32_t *obstacle;        /* per obstacle: the solid it is, or SOLID_DOMAIN + side */
    shape *side;               /* the closed sides as half spaces */
    world_state *before;       /* per body, at the start of the step */
    rill_vec3 *force, *torque; /* per body, of the fluid in the last step: N, and N m about its centre */
    rill_vec3 *host_force, *host_torque; /* per body, of the library's host, until it changes them */
    const solids *solids;                /* borrowed */
    bool late;                           /* set by a method that calls bodies_move */
    double settled;                      /* s: length of the step that was settled last; 0: none */
} body_set;

/* solids outlive the bodies; their `ride` holds where the bodies are. */
RILL_CHECKED rill_status bodies_create(rill_ctx *ctx, const rill_scene *scene, solids *walls, body_set *out);
void bodies_clear(rill_ctx *ctx, body_set *b);

/* Mass, centre and inertia of a solid of the scene as a body, in its place at the start, world. False: its
 * shape has no volume. */
bool bodies_mass(const rill_scene *scene, const solids *walls, uint32_t solid, world_body_def *out);

RILL_CHECKED rill_status bodies_begin(body_set *b, solids *walls, const rill_scene *scene, double t,
                                      double dt);
RILL_CHECKED rill_status bodies_end(body_set *b, const rill_scene *scene, double t, double dt);

/* Of `late` bodies, once in a step, which is from t to t + dt: moves them. The caller prepares the solids. */
RILL_CHECKED rill_status bodies_move(body_set *b, solids *walls, const rill_scene *scene, double t,
                                     double dt);

/* Of the others, after their motion changed: the solids have them where they are at t, moving as they do. The
 * caller prepares the solids. */
void bodies_stand(body_set *b, solids *walls, double t);

/* Adds (sign 1) the impulses that contacts had in the step before to the motions, once in a step, before the
 * method's solve: what lies on the ground rests in it, instead of falling. Contacts then correct the guess,
 * or, after sign -1, which takes them off again, begin from the motions without them. A method that knows the
 * mass of the fluid that a body moves with it says so in world.heavier, for the next guess. */
RILL_CHECKED rill_status bodies_lean(body_set *b, double dt, double sign);

/* An impulse of the fluid (N s) at the centre of body i and one of torque (N m s), during a step of dt. */
void bodies_push(body_set *b, uint32_t i, rill_vec3 impulse, rill_vec3 torque, double dt);

RILL_CHECKED rill_status bodies_save(const body_set *b, rill_writer *w);
RILL_CHECKED rill_status bodies_load(rill_ctx *ctx, body_set *b, solids *walls, double t, rill_reader *r);
