/* Where the bodies of a scene are, as the files of a frame hold it.
 *
 * An element per body: position is where the origin of its shape's coordinates is, id the index of its solid
 * in the scene; columns qw qx qy qz are the rotation of these coordinates as a unit quaternion, scale their
 * unit in metres, wx wy wz the spin (rad/s). A vertex x of the shape, or of its mesh file, is at
 *     position + scale q x q^-1.
 * The velocity is that of the position. */
#pragma once

#include "flow/bodies.h"
#include "flow/particles.h"

RILL_CHECKED rill_status body_poses_make(rill_ctx *ctx, const body_set *b, particles *out);

/* The same as rides of the scene's solids, an array of the caller's to mem_free. Elements that make no sense
 * are left out: their bodies stay where they start. */
RILL_CHECKED rill_status body_poses_rides(rill_ctx *ctx, const rill_scene *scene, const particles *poses,
                                          struct solid_ride **out);

/* Puts the bodies where the rides are, of which there are as many as solids; NULL changes nothing. To be
 * followed by solids_prepare. */
void solids_follow(solids *walls, const struct solid_ride *rides);

/* To a world whose z is up: (x, y, z) becomes (x, -z, y). The shapes' own coordinates stay as they are. */
void body_poses_turn_up(particles *poses);
