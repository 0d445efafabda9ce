/* What the rest of the program asks between steps. */
#pragma once

#include "voronoi/voronoi.h"

void brochu_view(const rill_sim *sim, rill_view *out);
double brochu_max_speed(const rill_sim *sim, rill_vec3 *where);
RILL_CHECKED rill_status brochu_surface_copy(const rill_sim *sim, struct trimesh *out);
RILL_CHECKED rill_status brochu_cells(const rill_sim *sim, particles *out);
RILL_CHECKED rill_status brochu_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u);
RILL_CHECKED rill_status brochu_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p);
