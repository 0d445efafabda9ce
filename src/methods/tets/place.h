/* Nodes on walls: samples in their places of this moment, without those that other walls cover. */
#pragma once

#include "tets/mesher.h"

/* All nodes on walls; the mesh has none before. Samples whose size is out of date are made again. */
RILL_CHECKED rill_status place_walls(mesher *m, const walls *w, tet_mesh *out);
/* Whether a place on wall k has no fluid before it: in another wall, outside of the box, or between walls. */
bool place_covered(const walls *w, uint32_t k, rill_vec3 x, double h);
