#pragma once

#include "sph/core/def.h"

extern const rill_param sph_params[];
/* Refuses values that do not go together. */
rill_status sph_check(rill_ctx *ctx, const rill_scene *scene);
