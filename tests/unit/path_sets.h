/* A studio built in C, for the tests of the path tracer. */
#pragma once

#include "render/path/film.h"
#include "render/path/path.h"

typedef struct set {
    rill_scene scene;
    rill_view view;
    trimesh surface;
} set;

/* A domain of 2 x 1 x 1 m, a camera, sunlight straight through clear things. */
set set_make(rill_ctx *ctx);
void set_clear(rill_ctx *ctx, set *s);
/* A white solid of a kind of material. */
scene_solid *set_solid(rill_ctx *ctx, set *s, shape form, int kind);
shape ball(double x, double y, double z, double radius);
shape block(rill_vec3 min, rill_vec3 max);

/* Mean radiance of `count` samples along rays from a point to a square of side `spread`. */
rill_vec3 mean_along(const tracer *t, rill_vec3 origin, rill_vec3 toward, double spread, int count);

path_def tiny(int width, int height, int samples);
