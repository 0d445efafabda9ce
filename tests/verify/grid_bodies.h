/* Rigid bodies in `grid`: scenes that several cases share. */
#pragma once

#include "verify/verify.h"

/* Adds a body of a density that is `ratio` times the liquid's. */
RILL_CHECKED rill_status grid_add_body(verify *v, rill_scene *scene, shape form, rill_vec3 place,
                                       double ratio);
/* Holds the scene's last solid where it is. */
RILL_CHECKED rill_status grid_hold(verify *v, rill_scene *scene);
/* How deep the deepest particle is in a solid, in spacings; 0: none is. */
double grid_deepest(const rill_sim *sim);
