/* Cut views: what a plane through the domain meets, from the front and to scale, with a legend.
 *
 * Cells are drawn as they are, with lines between them: those of the method when the view has some
 * (cubes of a grid, Voronoi cells, tetrahedra), otherwise those the particles stand for, the Voronoi
 * cells of the particles up to a spacing away. Tetrahedra are those of Delaunay, of the particles or of a
 * method's own corners, coloured by what lies between their corners. Discs are the particles within
 * half a spacing of the plane. Solids are grey, darker at their edge. */
#pragma once

#include "render/render.h"

typedef enum slice_kind {
    SLICE_CELLS,   /* the method's, otherwise as SLICE_VORONOI */
    SLICE_VORONOI, /* of the particles */
    SLICE_TETS,
    SLICE_DISCS
} slice_kind;

typedef struct slice_def {
    int axis;  /* the plane's normal: 0, 1, 2 for x, y, z */
    double at; /* its place on that axis, m */
    slice_kind kind;
    const char *column; /* the colour, as render_def */
    double low, high;   /* the range; equal: fitted to the data */
    int width, height;  /* of the picture */
} slice_def;

/* "x=0.5", "z" (through the middle of the domain). RILL_USAGE when it is neither. */
RILL_CHECKED rill_status slice_parse(rill_ctx *ctx, const char *given, rill_box domain, slice_def *out);

RILL_CHECKED rill_status slice_draw(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                    const slice_def *def, image *out);
