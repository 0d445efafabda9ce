/* A block of samples of a sparse grid with those around it, to interpolate in. */
#pragma once

#include "geom/iso/level_grid.h"

enum { WINDOW_RIM = 2, WINDOW_SIDE = LEVEL_BLOCK + 2 * WINDOW_RIM };

typedef struct level_window {
    int layers;
    float value[WINDOW_SIDE * WINDOW_SIDE * WINDOW_SIDE]; /* planar: the first layer alone */
} level_window;

void level_window_load(const level_grid *g, const int32_t block[3], level_window *out);
/* The value at a point of the block, in cells from its corner, linear between samples; and minus the
 * gradient, central differences at the samples around it, linear between them. Up to a cell outside the
 * block. */
float level_window_value(const level_window *w, rill_vec3 at);
rill_vec3 level_window_slope(const level_window *w, rill_vec3 at);
