/* A rigid body that the fluid moves: its state, and what a force does to it.
 *
 * Motion is (velocity of the centre of mass, spin), six numbers; a hinge or a pin leaves it
 * fewer freedoms. World coordinates throughout: inertia is R I R^T about the centre. */
#pragma once

#include "base/vec.h"

typedef enum body_constraint {
    BODY_FREE,
    BODY_HINGED, /* turns about `axis` through `point` */
    BODY_PINNED, /* turns about `point` */
    BODY_SLIDING /* goes along `axis` and does not turn */
} body_constraint;

typedef struct rigid_body {
    double mass;
    double inertia[3][3];
    rill_vec3 center, velocity, spin;
    body_constraint constraint;
    rill_vec3 point, axis; /* of the constraint; axis is a unit vector */
    bool planar;           /* two dimensions: stays in the plane and turns about z */
    bool held;             /* driven: no force changes its motion */
} rigid_body;

enum { BODY_FREEDOMS = 6 };

/* The mass matrix in the world, mass and inertia. */
void rigid_body_mass(const rigid_body *b, double m[BODY_FREEDOMS][BODY_FREEDOMS]);

/* root root^T is the inverse of a mass matrix in the freedoms that are left: a force f and
 * torque q change (velocity, spin) by root root^T (f, q) a second. The matrix is the body's own, or
 * that with the mass of what moves with it. Columns not needed are zero. False when the matrix is
 * not positive. */
bool rigid_body_root(const rigid_body *b, const double mass[BODY_FREEDOMS][BODY_FREEDOMS],
                     double root[BODY_FREEDOMS][BODY_FREEDOMS]);

/* (velocity, spin) as six numbers, and back; the latter keeps to the constraint. */
void rigid_body_motion(const rigid_body *b, double motion[BODY_FREEDOMS]);
void rigid_body_set_motion(rigid_body *b, const double motion[BODY_FREEDOMS]);

/* Changes the motion by an impulse (N s) at a place, and by an impulse of torque (N m s) besides; root is
 * rigid_body_root of its own mass. */
void rigid_body_push(rigid_body *b, const double root[BODY_FREEDOMS][BODY_FREEDOMS], rill_vec3 impulse,
                     rill_vec3 at, rill_vec3 torque);

static inline rill_vec3 rigid_body_velocity(const rigid_body *b, rill_vec3 at)
{
    return v3_add(b->velocity, v3_cross(b->spin, v3_sub(at, b->center)));
}
