/* Pictures of final quality: paths of light through liquid and glass, off plastic and metal, under sky, sun
 * and lamps; sampled until the noise is below a target, then smoothed.
 *
 * Knows a simulation only as a rill_view and a surface mesh, as previews do. The picture is the same for any
 * number of threads. Three dimensions only. */
#pragma once

#include "render/path/picture.h"
#include "render/render.h"

typedef struct path_def {
    int width, height;
    int samples; /* a pixel, at most */
    double noise;
    bool denoise;
    const char *column; /* of particles, as of render_def */
    double low, high;
    bool own;
} path_def;

path_def path_def_of_scene(const rill_scene *scene);

/* surface may be NULL: then particles are drawn, when there are any. In linear light. */
RILL_CHECKED rill_status path_draw(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                   const trimesh *surface, const path_def *def, path_picture *out);
/* For the screen: exposed (stops), the tone curve, sRGB. */
RILL_CHECKED rill_status path_develop(rill_ctx *ctx, const path_picture *p, double exposure, image *out);
