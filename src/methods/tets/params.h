#pragma once

#include "tets/tets.h"

extern const rill_param tets_params[];
/* Refuses what the method cannot do. */
rill_status tets_check(rill_ctx *ctx, const rill_scene *scene);
