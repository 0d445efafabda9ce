/* Whether a mesh can be a solid: it has a well-defined inside and outside.
 *
 * Closed (every edge has two triangles, which run through it in opposite ways): yes. Parts may
 * touch at a vertex. Open, or with edges of three and more triangles: only when the caller
 * accepts holes (the inside is then where the generalised winding number says so) or gives the
 * surface a thickness (then it is a shell, and sides do not matter). Triangles that face
 * opposite ways at an edge: only as a shell. */
#pragma once

#include "geom/mesh/trimesh.h"

/* RILL_BAD_FILE when the mesh cannot be one, with the first place and the remedy in the message;
 * `name` begins it. A mesh that is inside out as a whole is turned (triangles and normals), with a
 * warning in the log. shell_thickness 0: no shell. */
RILL_CHECKED rill_status mesh_check_solid(rill_ctx *ctx, const char *name, trimesh *mesh, bool holes_allowed,
                                          double shell_thickness);

/* Turns every triangle and normal over. */
void trimesh_flip(trimesh *mesh);
/* "closed", or its first kind of fault as in mesh_check_solid's message, for people. */
void trimesh_describe(const trimesh_report *report, char *text, size_t size);
