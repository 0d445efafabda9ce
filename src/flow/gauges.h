/* Probes of a running simulation: numbers per gauge and step.
 *
 *   pressure    asks the method
 *   height      the top of the liquid above the domain's floor at x and z; 0 when the column is empty
 *                 from particles   the largest y in the column one spacing wide (half to each side), plus
 * half the particles' spacing from a surface   the highest point of the mesh on the vertical line; for
 * methods without particles velocity    asks the method flow        volume a second through a disc, relative
 * to it methods with a surface of their own, and filled domains: the velocity over the part of the disc that
 * is in the fluid others           what particles within a spacing of the disc carry across it force       of
 * a body: what moved it in the last step; of another solid: the method's pressure at its surface, which is
 * sampled half a spacing apart, where no other solid covers it; without friction. Torque about the centre of
 * mass, or the pivot of the solid's motion
 *
 * Gauges that move `with` a solid keep their place and direction in its coordinates. */
#pragma once

#include "flow/method.h"

/* What force gauges keep: the surfaces of their solids. Owned by the simulation; NULL: there is nothing. */
typedef struct gauge_samples gauge_samples;
RILL_CHECKED rill_status gauges_create(rill_ctx *ctx, const rill_scene *scene, gauge_samples **out);
void gauges_clear(rill_ctx *ctx, const rill_scene *scene, gauge_samples *g);

/* Columns of a gauge and of all of them, and what follows the name at the head of each: "", ".x", ... */
uint32_t gauge_columns(const rill_scene *scene, const scene_gauge *g);
uint32_t gauges_columns(const rill_scene *scene);
const char *gauge_column_ending(const rill_scene *scene, const scene_gauge *g, uint32_t column);

/* Values of all gauges of the scene in their order, gauges_columns of them; NAN for what the method does not
 * have. */
RILL_CHECKED rill_status gauges_read(const rill_sim *sim, double *out);
