/* From one finished cell to the arrays of the result: measures of faces and of the cell. */
#pragma once

#include "geom/voronoi/voronoi_parts.h"

/* The cells of a block, until the place of its output is known. */
typedef struct voronoi_out {
    voronoi_face *face;
    uint32_t *link, *corner;
    rill_vec3 *vertex;
    uint32_t *owner; /* per vertex */
    uint32_t faces, links, corners, vertices;
    uint32_t face_capacity, link_capacity, corner_capacity, vertex_capacity, owner_capacity;
    uint32_t big;
    bool failed; /* no memory */
} voronoi_out;

/* Adds the cell of point k in sorted order, with its own faces first among its links, which
 * hold the neighbours in sorted order for now. Returns how many faces it owns. */
uint32_t voronoi_emit(rill_ctx *ctx, const bins *b, uint32_t k, const voronoi_poly *p, bool vertices,
                      voronoi_out *o, voronoi_cell *cell);
void voronoi_out_clear(rill_ctx *ctx, voronoi_out *o);
