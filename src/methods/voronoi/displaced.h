/* What moving solids take up of the space inside the surface.
 *
 * The surface may pass through solids: what it encloses is then liquid and solid. As such a solid moves in or
 * out, its liquid keeps its volume and the mesh does not. The part of the solid that is inside is found by
 * points that are fixed in it, so that the result depends on where things are and not on how they came there.
 */
#pragma once

#include "voronoi/state.h"

typedef struct brochu_probe {
    uint32_t count;
    rill_vec3 *point; /* owned; in the solid's own coordinates */
    double share;     /* of its volume: m3 a point */
} brochu_probe;

/* Of solids that move, do not deform, and are bounded. */
RILL_CHECKED rill_status brochu_probes_create(brochu *s);
void brochu_probes_clear(brochu *s);
/* m3 inside the surface as it is indexed, at t. */
double brochu_displaced(const brochu *s, double t);
/* After the step that ends at t: the liquid is led to what is left. */
void brochu_displace(brochu *s, double t);
