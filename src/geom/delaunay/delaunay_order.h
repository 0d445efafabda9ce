/* The order of tetrahedra that depends on the sites alone.
 *
 * By the lowest of its vertices along the curve, then the other three; finite before
 * infinite. The vertices of a finite tetrahedron are in ascending order, the last two
 * exchanged where the orientation asks for it; of an infinite one, those before the last. */
#pragma once

#include "base/arena.h"
#include "geom/delaunay/delaunay_core.h"

typedef struct delaunay_ordering {
    uint32_t vertices;     /* ranks are below */
    const uint32_t *rank;  /* place along the curve by vertex of the core; NULL: the vertex */
    const uint32_t *order; /* vertex in the result by rank */
    delaunay_tet *out;     /* as many elements as live tetrahedra */
    uint32_t *vertex_tet;  /* by vertex in the result: the first tetrahedron it is in; others untouched */
} delaunay_ordering;

/* The core is left as it was. */
RILL_CHECKED rill_status delaunay_order(delaunay_core *core, rill_arena *arena, const delaunay_ordering *def,
                                        uint32_t *finite, uint32_t *all);
