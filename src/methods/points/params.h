#pragma once

#include "points/points.h"

extern const rill_param points_params[];
/* Refuses what the method cannot do. */
rill_status points_check(rill_ctx *ctx, const rill_scene *scene);
