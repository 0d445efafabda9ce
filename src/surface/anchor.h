/* Holding a surface to the liquid's volume, errata E-A5.
 *
 * The level is moved by what the volume lacks over the surface's area, times how steep the field is, until it
 * encloses what the particles stand for. With phi of averages.h, another level is the same as adding to every
 * distance. At most a quarter of a spacing in all (of sizes that differ, their mean by volume): more than
 * drift, and it is particles that are crowded or torn apart. */
#pragma once

#include "geom/iso/isosurface.h"
#include "surface/surface.h"

/* Mesh and patches of the grid, whose level is moved; by: how far outward, in cells. steep: what the field
 * changes over a cell, roughly. */
RILL_CHECKED rill_status anchor_mesh(rill_ctx *ctx, const particles *p, const surface_def *def, double steep,
                                     level_grid *grid, trimesh *mesh, level_patches *patches, double *by);
