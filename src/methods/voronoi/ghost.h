/* Where the surface is between a liquid site and an air site: the ghost-fluid fraction. */
#pragma once

#include "voronoi/state.h"

typedef struct brochu_ghost {
    rill_vec3 at;
    double share; /* of the way from the liquid site, 0 to 1 */
    double curvature;
    uint32_t part; /* of the surface that is met, or SITE_NONE */
} brochu_ghost;

/* Of face e, whose two sites are of different kinds. Curvature and part are asked for with tension and with
 * bubbles only. */
brochu_ghost brochu_cross(const brochu *s, const brochu_diagram *d, uint32_t e);
