/* Where a surface ends: at solids and the closed sides of the domain, and at a box that cuts it.
 *
 * Distances are positive where there may be liquid, in cells of the sampling grid, and change by no more
 * than a cell over a cell: what is not near a border is told from one question about the middle of a block.
 */
#pragma once

#include "flow/solids.h"
#include "geom/iso/level_grid.h"

typedef struct borders {
    const solids *walls; /* borrowed; NULL: none. Prepared for `time` (solids_prepare) */
    double time;
    rill_box box; /* max <= min: none */
    int dimensions;
} borders;

typedef enum border_side { BORDER_OUTSIDE, BORDER_INSIDE, BORDER_BOTH } border_side;

bool borders_any(const borders *b);
/* Whether the box is one. */
bool borders_boxed(const borders *b);
/* Metres; INFINITY: there is no border. */
double borders_distance(const borders *b, rill_vec3 x);

/* A block of samples from `corner` on: on one side, with a cell to spare, or perhaps on both. */
border_side borders_side(const borders *b, rill_vec3 corner, double cell, int layers);
/* The distance at every sample of a block; where the border is far, one as far on the same side. */
void borders_sample(const borders *b, rill_vec3 corner, double cell, int layers, float *out);
