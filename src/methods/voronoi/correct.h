/* The correction of advection, and velocities of other speeds than a diagram's own. */
#pragma once

#include "voronoi/state.h"

/* Where what a face carries came from. */
typedef struct brochu_origin {
    rill_vec3 x;
    uint32_t site; /* of the mesh before, nearest to it */
} brochu_origin;

/* Full velocities of these speeds on the faces of d, in its arena; d itself is as before. at_rest: solids do
 * not move. */
RILL_CHECKED rill_status brochu_field_of(brochu *s, brochu_diagram *d, double *speed, bool at_rest,
                                         brochu_field *out);
/* Corrects the speeds that were carried from `old` to d. */
RILL_CHECKED rill_status brochu_correct(brochu *s, brochu_diagram *old, const brochu_origin *origin,
                                        brochu_diagram *d, double dt);
