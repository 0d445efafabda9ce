/* Where the picture is taken from: the scene's camera, or one fitted to the domain.
 *
 * Fitted, three dimensions: a three-quarter view from slightly above, the nearest eye
 * from which every corner of the domain is inside the frame with a small margin.
 * Fitted, two dimensions: the x-y plane straight from the front, without perspective.
 * y is up. */
#pragma once

#include "base/vec.h"
#include "flow/scene.h"

typedef struct camera {
    rill_vec3 eye, right, up, forward; /* unit axes */
    double half_width, half_height;    /* of the frame: tangents, or metres when flat */
    bool flat;                         /* parallel rays along forward */
    double pixel;                      /* size of a pixel: per metre of distance, or metres when flat */
} camera;

camera camera_make(const scene_camera *def, rill_box domain, int dimensions, int width, int height);

/* The ray through (x, y) in pixels from the top left corner; the direction is unit. */
void camera_ray(const camera *c, int width, int height, double x, double y, rill_vec3 *origin,
                rill_vec3 *direction);
/* Where a point appears, in pixels; false when it is behind the eye. */
bool camera_project(const camera *c, int width, int height, rill_vec3 point, double *x, double *y);
