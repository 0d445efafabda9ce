/* Parts of cases that are about points alone. */
#pragma once

#include "verify/verify.h"

rill_status v12_points(verify *v);
rill_status v13_points(verify *v);

/* Volume of the union of balls around the particles, an area in two dimensions. */
RILL_CHECKED rill_status points_union(rill_ctx *ctx, const rill_scene *scene, const particles *p,
                                      double *volume);
/* The same without what is inside of solids at a time. */
RILL_CHECKED rill_status points_union_without(rill_ctx *ctx, const rill_scene *scene, const particles *p,
                                              const solids *walls, double t, double *volume);
