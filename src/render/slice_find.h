/* What stands at points of a plane: the cell or tetrahedron each is in, and its value there. */
#pragma once

#include "base/arena.h"
#include "render/range.h"

typedef struct slice_sites {
    const particles *sites;
    range_column column;
    view_shape shape;
    const float *
        level; /* of the corners of tetrahedra, which count where it is below 0; NULL: where they are small */
    double spacing; /* width of cubes; how far Voronoi cells reach; of the corners of tetrahedra */
    int dimensions;
} slice_sites;

/* element[i]: which one, UINT32_MAX for none; value[i]: there. RILL_BLEW_UP when the sites have no
 * tetrahedra. */
RILL_CHECKED rill_status slice_find(rill_ctx *ctx, rill_arena *arena, const slice_sites *s, size_t count,
                                    const rill_vec3 *x, uint32_t *element, float *value);
