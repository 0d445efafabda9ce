/* Holding the surface of carried distances to the liquid's volume, METHODS.md E-A5.
 *
 * With phi of averages.h, another level is the same as adding to every distance: the level is moved by what
 * the volume lacks over the surface's area, until it encloses what the particles stand for. At most a quarter
 * of a spacing in all: more than drift, and it is particles that are crowded or torn apart. */
#pragma once

#include "geom/isosurface.h"
#include "surface/surface.h"

/* Mesh and patches of the grid, whose level is moved; by: how far outward, in cells. */
RILL_CHECKED rill_status anchor_mesh(rill_ctx *ctx, const particles *p, const surface_def *def,
                                     level_grid *grid, trimesh *mesh, level_patches *patches, double *by);
