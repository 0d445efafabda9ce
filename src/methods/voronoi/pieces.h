#pragma once

#include "voronoi/state.h"

typedef struct brochu_piece {
    rill_vec3 area; /* out of the cell */
    rill_vec3 at;   /* its centroid */
} brochu_piece;

/* Of a cell that touches a solid: how many. */
int brochu_pieces(const brochu_diagram *d, uint32_t i, brochu_piece out[2]);
