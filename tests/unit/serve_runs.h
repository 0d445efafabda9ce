/* A small run folder for the viewer's tests: a scene of 2 frames, particles and a surface. */
#pragma once

#include "base/context.h"

enum { SERVE_RUN_POINTS = 1000, SERVE_RUN_VERTICES = 600, SERVE_RUN_TRIANGLES = 1196 };

/* Makes the folder and its files; false when something cannot be written. */
bool serve_run_make(rill_ctx *ctx, const char *folder);
