/* Rigid bodies in time: where they are, how they move, what they touch.
 *
 *     world_move      where bodies and obstacles go during a step, with the motion they have
 *     world_push      weight, and whatever else acts (the fluid changes motions by itself)
 *     world_settle    contacts at the end of the step: what presses is held
 *
 * During world_move pieces never pass through each other: a step is cut where two meet
 * (body_contacts_safe_time and a search for the moment), they bounce, and go on. `place` gives the motion
 * of obstacles. One thread; always the same bits. */
#pragma once

#include "bodies/body_solve.h"

typedef struct world_body_def {
    const shape *shape; /* borrowed */
    struct solid_pose pose;
    double mass;
    rill_vec3 center;     /* of mass, world */
    double inertia[3][3]; /* about it, world */
    rill_vec3 velocity, spin;
    body_constraint constraint;
    rill_vec3 point, axis; /* world */
    double lower, upper;   /* limits: rad or m from the start; lower > upper: none */
    double friction, restitution;
} world_body_def;

typedef struct world_obstacle_def {
    const shape *shape; /* borrowed */
    struct solid_pose pose;
    double friction, restitution;
} world_obstacle_def;

/* Where an obstacle is at a time and how it moves: pose, velocity, spin, center, and the shape if it deforms.
 */
typedef void world_place(const void *user, uint32_t obstacle, double t, body_piece *piece);

/* What of a body changes: all that is saved. */
typedef struct world_state {
    quaternion turn; /* since the start */
    rill_vec3 center, velocity, spin;
    double limit_at; /* of the hinge or slide */
} world_state;

typedef struct body_world {
    rill_ctx *ctx;
    int dimensions;
    uint32_t bodies, obstacles;
    rigid_body *body; /* owned, as are the others; per body */
    world_state *state;
    body_limits *limits;
    double *heavier;              /* for world_settle: impulse_def.heavier; 1 unless a method says more */
    struct solid_pose *rest;      /* pose, */
    rill_vec3 *rest_center;       /* centre and */
    double (*rest_inertia)[3][3]; /* inertia at the start */
    body_piece *piece;            /* bodies first, then obstacles */
    contact_list contacts;
    world_place *place; /* NULL: obstacles are at rest */
    const void *user;
    double size;       /* m: of the smallest piece; the unit of contact tolerances */
    uint32_t substeps; /* of the last world_move */
    bool leaning;      /* world_lean was called, and world_settle not yet */
    double overlap;    /* m: the deepest that was left after it */
} body_world;

RILL_CHECKED rill_status world_create(rill_ctx *ctx, int dimensions, const world_body_def *body,
                                      uint32_t bodies, const world_obstacle_def *obstacle, uint32_t obstacles,
                                      world_place *place, const void *user, body_world *out);
void world_clear(body_world *w);

/* From t to t + dt. */
RILL_CHECKED rill_status world_move(body_world *w, double t, double dt);
/* dt of an acceleration that all share, and of a force (N) and torque (N m) of each; either may be NULL. */
void world_push(body_world *w, rill_vec3 gravity, const rill_vec3 *force, const rill_vec3 *torque, double dt);
RILL_CHECKED rill_status world_settle(body_world *w, double t, double dt, double gravity);
/* Finds the contacts at t anew, with the impulses they had. */
RILL_CHECKED rill_status world_touch(body_world *w, double t);
/* Motions with `factor` times the impulses of the last settling, which are expected to hold the bodies again:
 * for a solve before the next settling, which knows that they are there. A negative factor takes them off. */
RILL_CHECKED rill_status world_lean(body_world *w, double factor);

/* Body i as it is, in place of what was: after loading, or when something else moves it. The turn is a unit
 * quaternion. */
void world_set(body_world *w, uint32_t i, const world_state *state);
const struct solid_pose *world_pose(const body_world *w, uint32_t i);
/* Largest speed of any point of a body. */
double world_max_speed(const body_world *w);
