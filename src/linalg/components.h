/* Connected components of a matrix's graph, and those on which it is singular: where no
 * row has anything extra on its diagonal, a constant can be added to the solution, and
 * the right side must sum to zero. */
#pragma once

#include "linalg/laplacian.h"

typedef struct components {
    uint32_t count;           /* all of them */
    uint32_t *label;          /* per row, 0 <= label < count, numbered by their first rows */
    uint32_t singular_count;  /* how many are singular */
    uint32_t *singular_row;   /* their rows, one component after the other, ascending in each */
    uint32_t *singular_start; /* singular_count + 1, into singular_row */
} components;

RILL_CHECKED rill_status components_build(rill_ctx *ctx, const laplacian *a, components *out);
void components_clear(rill_ctx *ctx, components *c);

/* Subtracts its mean from x on every singular component. Returns the largest mean in
 * size and, in *where when not NULL, the first row of that component. */
double components_center(rill_ctx *ctx, const components *c, double *x, uint32_t *where);
