/* Both cells of a face find it: the links of cells, from ids of neighbours to faces. */
#pragma once

#include "geom/search/bins.h"
#include "geom/voronoi/voronoi.h"

/* Per point in sorted order: its links, as many as faces, of which the first `owned` are its
 * own faces from `face` on. Links hold neighbours in sorted order, or sides. */
typedef struct voronoi_place {
    uint32_t begin, faces, owned, face;
} voronoi_place;

RILL_CHECKED rill_status voronoi_join(voronoi *v, const bins *b, const voronoi_place *place);
