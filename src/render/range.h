/* A column of particles or cells as numbers and colours. */
#pragma once

#include "render/render.h"

/* What colours a particle: a column of its own, or made of its velocity ("speed", "vx", "vy", "vz"). */
typedef struct range_column {
    const particles *of;
    const float *value; /* NULL: of the velocity */
    int axis;           /* then: its component, or 3 for the speed */
} range_column;

/* name NULL: the speed. RILL_USAGE, with what there is, when there is no such column. */
RILL_CHECKED rill_status range_find(rill_ctx *ctx, const particles *p, const char *name, range_column *out);

static inline double range_value(const range_column *c, size_t i)
{
    if (c->value) return c->value[i];
    return c->axis == 3 ? v3_length(c->of->velocity[i]) : v3_axis(c->of->velocity[i], c->axis);
}

/* The range of the data: from its smallest value (of the speed: 0) to the value 99.5 percent of the
 * particles are below, so that a few fast drops do not turn everything else dark. */
void range_fit(const range_column *c, double *low, double *high);

/* rgb: count colours of the map for def's column, its range fitted when open (low == high); or the particles'
 * own. */
RILL_CHECKED rill_status range_colors(rill_ctx *ctx, const particles *p, const render_def *def,
                                      uint8_t (*rgb)[3]);
