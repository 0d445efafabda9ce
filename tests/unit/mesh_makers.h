/* Meshes with known shape, and writers for all file formats Rill reads. Coordinates are numbers
 * that single precision holds, so that every format gives them back exactly. */
#pragma once

#include "support.h"

#include "base/text.h"
#include "geom/mesh/trimesh.h"

/* All closed but the bowl, triangles counter-clockwise seen from outside. Free with trimesh_clear. */
trimesh make_cube(rill_ctx *ctx, double half);
trimesh make_icosphere(rill_ctx *ctx, double radius, int levels); /* 20 * 4^levels triangles */
trimesh make_torus(rill_ctx *ctx, double major, double minor, uint32_t around, uint32_t tube);
trimesh make_bowl(rill_ctx *ctx, double radius, uint32_t around,
                  uint32_t rings); /* the lower half of a sphere */

/* The mesh, every coordinate scaled and then moved. */
trimesh make_moved(trimesh m, rill_vec3 by, rill_vec3 scale);
/* Both, as one mesh; takes them. */
trimesh make_joined(rill_ctx *ctx, trimesh a, trimesh b);

typedef enum mesh_form {
    AS_OBJ,
    AS_STL_ASCII,
    AS_STL,
    AS_PLY_ASCII,
    AS_PLY,
    AS_PLY_BIG,
    MESH_FORMS
} mesh_form;
extern const char *const mesh_form_name[MESH_FORMS]; /* "cube.obj": names with the right extension */
void write_mesh(text *t, const trimesh *m, mesh_form form);

/* Closed, manifold, turned one way and without degenerate triangles. */
void assert_sound_mesh(rill_ctx *ctx, const trimesh *m, trimesh_report *r);
