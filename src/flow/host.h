/* What a host of the library changes in a simulation while it runs: gravity, forces, emitters, poses of
 * animated solids, forces on bodies, liquid that it adds.
 *
 * A simulation reads a copy of the scene that is its own (`host.scene`), so that changes of one simulation
 * are not seen by another of the same scene. The copy is shallow but for the emitters; everything else is
 * borrowed from the scene that was given. Changes hold from the next step on. They are part of the saved
 * state: a state that is loaded, by a retry of the driver too, brings its own changes and no others. A
 * simulation that was never changed saves nothing here. */
#pragma once

#include "flow/method.h"

enum { HOST_FORCES = 16 };

/* An acceleration in a ball: the whole of it in the middle, smoothly less towards its edge. */
typedef struct host_force {
    rill_vec3 center, acceleration;
    double radius; /* 0: there is none */
} host_force;

/* A solid that goes evenly from one pose to another, and stays there. */
typedef struct host_pose {
    bool set;
    keyframe translate[2], rotate[2];
    struct solid_track keyed; /* as the scene moves it: put back when the pose is taken back */
} host_pose;

typedef struct host {
    rill_ctx *ctx;
    const rill_scene *given; /* borrowed */
    rill_scene scene;        /* what the simulation reads */
    bool changed;            /* something below differs from the scene as given */
    bool gravity_set;
    double limit; /* sim->speed_limit without changes */
    bool *emitter_set;
    host_pose *pose; /* per solid */
    host_force force[HOST_FORCES];
    particles liquid; /* to be appended by the next step */
    uint64_t added;   /* particles, since the start */
    /* Set by the library; not saved: */
    rill_step_fn *stepped; /* NULL: nothing */
    void *user;
    rill_step_stats stats; /* of the last step, and how long it was */
    double dt, wall_s;
} host;

RILL_CHECKED rill_status host_create(rill_ctx *ctx, const rill_scene *scene, host **out);
/* The solids get their own motion back. NULL is allowed, here and below. */
void host_let_go(host *h, solids *walls);
/* To be destroyed last: everything else of a simulation reads its scene. */
void host_destroy(host *h);

/* Changes; the arguments have been checked. */
void host_set_gravity(rill_sim *sim, rill_vec3 gravity);
void host_set_force(rill_sim *sim, uint32_t slot, const host_force *force);
/* A force and a torque of a body, in every step until others are given. */
void host_push_body(rill_sim *sim, uint32_t body, rill_vec3 force, rill_vec3 torque);
/* Liquid that has come out stays as it is; 0 closes the emitter. */
void host_set_emitter(rill_sim *sim, uint32_t emitter, double speed);
/* From where it is now, to be there at `until`. The solid has a motion in the scene. */
void host_set_pose(rill_sim *sim, uint32_t solid, rill_vec3 translate, rill_vec3 rotate, double until);
/* Where keyframes, or the host, have the solid at t. */
void host_pose_at(const rill_sim *sim, uint32_t solid, double t, rill_vec3 *translate, rill_vec3 *rotate);
/* Particles on the domain's lattice inside the shape, where they are half a spacing from walls and 0.9
 * spacings from all others; to be appended by the next step. */
RILL_CHECKED rill_status host_add_liquid(rill_sim *sim, const scene_liquid *liquid, uint64_t *added);

/* The forces' part of a step, before the method's own: velocities of the particles. */
void host_push(rill_sim *sim, double dt);

RILL_CHECKED rill_status host_save(const rill_sim *sim, rill_writer *w);
RILL_CHECKED rill_status host_load(rill_sim *sim, rill_reader *r);
