/* Cases of the voronoi method, and what they measure on its surface. */
#pragma once

#include "geom/mesh/trimesh.h"
#include "verify/verify.h"

rill_status v12_voronoi(verify *v);
rill_status v16_voronoi(verify *v);
rill_status v17_voronoi(verify *v);
rill_status v22_voronoi(verify *v);
rill_status v23_voronoi(verify *v);
rill_status v25_voronoi(verify *v);
rill_status v26_voronoi(verify *v);

/* The surface as it is; borrowed until the next step. */
const trimesh *voronoi_surface(const rill_sim *sim);
double voronoi_volume(const trimesh *m);
double voronoi_area(const trimesh *m);
/* Integral over the surface of f times the normal's component: three points a triangle. */
typedef double voronoi_value(void *user, rill_vec3 x);
double voronoi_flux(const trimesh *m, int axis, voronoi_value *f, void *user);
/* Kinetic energy per density, and momentum (may be NULL), over points inside the surface. */
RILL_CHECKED rill_status voronoi_kinetic(verify *v, const rill_sim *sim, double *energy, rill_vec3 *momentum);
/* A ball of liquid, its distance from the centre times 1 + by * P2(cos of the angle to y). */
RILL_CHECKED rill_status voronoi_add_drop(verify *v, rill_scene *scene, rill_vec3 centre, double radius,
                                          double by);
