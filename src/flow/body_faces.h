/* What the motion of a rigid body pushes through its faces in a finite-volume mesh.
 *
 * The faces of a body that touches a wall are not closed: the patch of contact is missing. In fluid that is
 * closed in, such a body could not leave the wall, since the fluid would have to grow; and a constant
 * pressure, which means nothing there, would push it. The patch therefore gets the mean pressure at the
 * body's other faces: what its motion pushes through the patch is taken from the other faces by area, and
 * constant pressures push nothing. Where the missing patch is larger than BODY_PATCH of the faces the body is
 * a piston and remains one. */
#pragma once

#include "bodies/rigid_body.h"
#include "flow/fv_mesh.h"

#define BODY_PATCH 0.25

typedef struct body_faces {
    const fv_mesh *mesh; /* borrowed, as are the bodies */
    const rigid_body *body;
    /* of bodies that touch walls in closed fluid; NULL when there are none: */
    uint32_t *part_of; /* by cell: its connected part of the fluid */
    uint32_t parts;
    double (*patch)[BODY_FREEDOMS]; /* by body and part: motion missing, per area of the other faces */
} body_faces;

RILL_CHECKED rill_status body_faces_find(rill_ctx *ctx, const fv_mesh *mesh, const rigid_body *body,
                                         uint32_t count, body_faces *out);
void body_faces_clear(rill_ctx *ctx, body_faces *b);

/* What a unit of each of the six velocities pushes through a face of a body: (A, (x - c) x A), less the
 * patch's share. */
void body_face_motion(const body_faces *b, uint32_t face, double motion[BODY_FREEDOMS]);
/* The flux of the body's own velocity. */
double body_face_flux(const body_faces *b, uint32_t face);
