/* The small cell with AVX-512: this file alone is compiled for it (CMakeLists.txt), and
 * voronoi.c asks the processor before it calls. */
#include "geom/voronoi_small.h"

cell_state voronoi_cell_wide(const voronoi_space *s, voronoi_worker *w, uint32_t k, voronoi_poly *out)
{
    return search_cell(s, w, w->small, k, out);
}
