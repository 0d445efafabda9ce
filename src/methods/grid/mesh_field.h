/* The liquid's level set on a grid finer than the simulation's, near its surface; and what
 * a mesh of it carries. */
#pragma once

#include "geom/iso/isosurface.h"
#include "grid/state.h"
#include "surface/borders.h"

/* Samples at the middles of the k x k x k parts of every cell, smoothed, cut at the walls and at the box of
 * `ends`. Where `exact`, those near the surface are made from the particles; the others, and all
 * without, come from s->phi. Values are in cells, positive inside. raw, of the grid's scratch: the same
 * before they are cut. */
RILL_CHECKED rill_status grid_fine_level(grid *s, int k, bool exact, const borders *ends, level_grid *out,
                                         float **raw);

/* Normals, the column "velocity" and those of the particles that `names` tells (field_dress), of a mesh
 * of that level set, uncut. *weight (NULL: not wanted), of the grid's scratch: how much a vertex may be
 * smoothed. */
RILL_CHECKED rill_status grid_dress(grid *s, const level_grid *level, const level_patches *patches,
                                    const char *names, trimesh *mesh, float **weight);
