/* The matrix of a pressure solve under a free surface on Voronoi cells, as benchmarks of solvers take it. */
#pragma once

#include "linalg/laplacian.h"

typedef struct mesh_matrix {
    uint32_t rows;
    size_t edges;
    laplacian_edge *edge; /* owned, like all of it */
    double *extra, *b;
    laplacian a;
} mesh_matrix;

/* About n rows: cells of 2 n random points in a unit cube, those of the lower half; n from 16 to
 * 20 million. */
RILL_CHECKED rill_status mesh_matrix_make(rill_ctx *ctx, size_t n, mesh_matrix *out);
void mesh_matrix_clear(rill_ctx *ctx, mesh_matrix *m);
