/* Line plots: panels of curves over a common kind of axis, as SVG and as a picture.
 *
 * Curves of any length are thinned to what the width can show: in each column of pixels
 * the first, the lowest, the highest and the last value. */
#pragma once

#include "render/render.h"

typedef struct plot_series {
    const char *name; /* for the legend */
    size_t count;
    const double *x, *y; /* borrowed; a pair that is not finite interrupts the line */
    bool dots;           /* measured points: marks instead of a line */
    uint32_t color;      /* the same in every panel; 0: by its place. One that is given is in the legend */
} plot_series;

typedef struct plot_panel {
    const char *title, *x_label;
    uint32_t series_count;
    const plot_series *series;
    bool from_zero; /* the vertical axis shows zero too */
} plot_panel;

typedef struct plot_def {
    const char *title;
    uint32_t panel_count;
    const plot_panel *panel;
    int columns;             /* panels beside each other; 0: as suits their number */
    int panel_width, height; /* of a panel, pixels */
} plot_def;

plot_def plot_def_default(void);

RILL_CHECKED rill_status plot_write_svg(rill_ctx *ctx, const char *path, const plot_def *def);
RILL_CHECKED rill_status plot_draw(rill_ctx *ctx, const plot_def *def, image *out);

/* A round number: the largest of 1, 2, 5 times a power of ten that is at most x > 0. */
double plot_round_down(double x);
