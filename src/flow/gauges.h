/* Probes of a running simulation: numbers per gauge and step.
 *
 *   pressure    asks the method
 *   height      the top of the liquid above the domain's floor at x and z; 0 when the column is empty
 *                 particles   the largest y in the column one spacing wide, plus half the particles' spacing
 *                 no particles   the highest point of the surface mesh on the vertical line
 *   velocity    asks the method
 *   flow        volume a second through a disc, relative to it
 *                 methods with a surface of their own, and filled domains: the velocity over the part of the
 *                 disc that is in the fluid
 *                 others   what particles within a spacing of the disc carry across it
 *   force       of a body: what moved it in the last step; of another solid what the method says
 *               (gauges_set_force), or else the method's pressure at its surface, which is sampled half a
 *               spacing apart, where no other solid covers it, without friction. Torque about the centre of
 *               mass, or the pivot of the solid's motion
 *
 * Gauges that move `with` a solid keep their place and direction in its coordinates. */
#pragma once

#include "flow/method.h"

/* State of force gauges: the surfaces of their solids. Owned by the simulation; NULL: there are none. */
typedef struct gauge_samples gauge_samples;
RILL_CHECKED rill_status gauges_create(rill_ctx *ctx, const rill_scene *scene, gauge_samples **out);
void gauges_clear(rill_ctx *ctx, const rill_scene *scene, gauge_samples *g);

/* For methods that know the fluid's force on a solid, not only its pressure: sets the mean force in the last
 * step, with friction, and the torque (N m about the origin) on a solid that is no body and has a force
 * gauge. Gauges show this until gauges_forget, when the state is no longer the one of that step. */
bool gauges_wants_force(const rill_sim *sim, uint32_t solid);
void gauges_set_force(const rill_sim *sim, uint32_t solid, rill_vec3 force, rill_vec3 torque);
void gauges_forget(const rill_sim *sim);

/* Columns of a gauge and of all of them, and what follows the name at the head of each: "", ".x", ... */
uint32_t gauge_columns(const rill_scene *scene, const scene_gauge *g);
uint32_t gauges_columns(const rill_scene *scene);
const char *gauge_column_ending(const rill_scene *scene, const scene_gauge *g, uint32_t column);

/* Values of all gauges of the scene in their order, gauges_columns of them; NAN for what the method does not
 * have. */
RILL_CHECKED rill_status gauges_read(const rill_sim *sim, double *out);
