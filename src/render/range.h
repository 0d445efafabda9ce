/* Colours of particles from a column. */
#pragma once

#include "render/render.h"

/* Fills in the range that def leaves open (low == high): from the data's smallest value (of the speed: 0) to
 * the value 99.5 percent of the particles are below, so that a few fast drops do not turn everything
 * else dark. RILL_USAGE when there is no such column. */
RILL_CHECKED rill_status range_fit(rill_ctx *ctx, const particles *p, render_def *def);

/* rgb: count colours of the map for def's column, its range fitted when open. */
RILL_CHECKED rill_status range_colors(rill_ctx *ctx, const particles *p, const render_def *def,
                                      uint8_t (*rgb)[3]);
