/* The liquid's level set on a grid finer than the simulation's, near its surface; and what
 * a mesh of it carries. */
#pragma once

#include "geom/iso/isosurface.h"
#include "grid/state.h"

/* Samples at the middles of the k x k x k parts of every cell, smoothed, cut at the walls.
 * Where `exact`, those near the surface are made from the particles; the others, and all
 * without, come from s->phi. Values are in cells, positive inside. */
RILL_CHECKED rill_status grid_fine_level(grid *s, int k, bool exact, level_grid *out);

/* Normals and the column "velocity" of a mesh of that level set. */
RILL_CHECKED rill_status grid_dress(grid *s, const level_grid *level, const level_patches *patches,
                                    trimesh *mesh);
