/* Sources of smoke: what a scene may ask of them and rarely means. */
#pragma once

#include "flow/scene.h"

/* A warning for each source that blows in through a side of a domain whose sides are all closed. */
void smoke_warn(rill_ctx *ctx, const rill_scene *scene);
