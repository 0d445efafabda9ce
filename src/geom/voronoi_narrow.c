/* The small cell with AVX2, which every processor we run on has. */
#include "geom/voronoi_small.h"

size_t small_cell_bytes(void)
{
    return sizeof(struct small_cell);
}

cell_state voronoi_cell_narrow(const voronoi_space *s, voronoi_worker *w, uint32_t k, voronoi_poly *out)
{
    return search_cell(s, w, w->small, k, out);
}
