/* Mantaflow's mesh cache, which Blender plays as the liquid of a domain: fluid_mesh_0001.bobj.gz, a gzip
 * file of a count and the vertices, a count and the normals, a count and the triangles (32-bit integers
 * and floats). Coordinates have z up, and are relative to the middle of the domain in units of its longest
 * side. */
#pragma once

#include "geom/mesh/trimesh.h"

RILL_CHECKED rill_status bobj_write(rill_ctx *ctx, const char *path, const trimesh *m, rill_box domain);
