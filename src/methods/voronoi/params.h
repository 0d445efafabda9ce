#pragma once

#include "voronoi/voronoi.h"

extern const rill_param brochu_params[];
/* Refuses what the method cannot do. */
rill_status brochu_check(rill_ctx *ctx, const rill_scene *scene);
