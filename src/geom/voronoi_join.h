/* Both cells of a face find it: the links of cells, from ids of neighbours to faces. */
#pragma once

#include "geom/bins.h"
#include "geom/voronoi.h"

/* owned, face_start: per point, how many faces it owns and the first of them; its links
 * begin with those. */
RILL_CHECKED rill_status voronoi_join(voronoi *v, const bins *b, const uint32_t *owned, uint32_t *face_start);
