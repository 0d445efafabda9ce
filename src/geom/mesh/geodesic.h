/* Spheres of nearly equal triangles: an icosahedron whose sides are cut in n, put on the sphere. */
#pragma once

#include "geom/mesh/trimesh.h"

/* 20 n^2 triangles, counter-clockwise seen from outside, closed. n from 1 to 10000. */
RILL_CHECKED rill_status geodesic_sphere(rill_ctx *ctx, rill_vec3 center, double radius, uint32_t n,
                                         trimesh *out);
/* The n whose sphere has the number of triangles nearest to this. */
uint32_t geodesic_cuts(size_t triangles);
