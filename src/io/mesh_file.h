/* Triangle meshes from files of other programs: OBJ, PLY (ascii and both binary orders) and
 * STL (ascii and binary).
 *
 * The contents of the file decide its kind, and the extension only where they do not suffice.
 * Nothing is trusted: counts are checked against the length of the file before anything is
 * allocated, indices against the vertices, values must be finite. Reading takes at most 64
 * times the memory of the file (and a MB) and a second per MB. Failures are RILL_BAD_FILE with
 * the line of a text file or the byte of a binary one: "rock.obj:1203: face names vertex 9001,
 * there are 5000", "rock.stl: byte 5084: ...".
 *
 * Polygons are cut by ear clipping (geom/mesh/polygon.h). Groups, objects, materials, texture
 * coordinates and normals of OBJ, and normals and attributes of STL, are left out. */
#pragma once

#include "geom/mesh/trimesh.h"

typedef enum mesh_kind { MESH_OBJ, MESH_PLY, MESH_STL_ASCII, MESH_STL_BINARY } mesh_kind;

typedef struct mesh_read_def {
    bool z_up;    /* the file has z up: (x, y, z) becomes (x, z, -y) */
    double scale; /* units of the file in metres */
    bool merge;   /* vertices at the same place become one where the mesh is open as it is written:
                     exporters split them along seams. Of columns, those of the first are kept. */
} mesh_read_def;

/* y up, scale 1, merging. A sequence of meshes with the same vertices is read without it. */
mesh_read_def mesh_read_def_default(void);

/* out is replaced (what it held is freed). def: NULL is the default. Triangles that name a vertex
 * twice are left out. Vertices of an STL file are those that differ, in order of appearance. */
RILL_CHECKED rill_status mesh_read(rill_ctx *ctx, const char *path, const mesh_read_def *def, trimesh *out);

/* "Wavefront OBJ", ... */
const char *mesh_kind_word(mesh_kind kind);

/* mesh_read on bytes in memory: `name` is what messages call the file, and has its extension.
 * kind may be NULL. */
RILL_CHECKED rill_status mesh_parse(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                    const mesh_read_def *def, trimesh *out, mesh_kind *kind);
/* RILL_BAD_FILE when it is none of them. */
RILL_CHECKED rill_status mesh_kind_of(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                      mesh_kind *kind);

/* One kind each, as written in the file; used by mesh_parse. out is replaced. */
RILL_CHECKED rill_status obj_parse_mesh(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                        trimesh *out);
RILL_CHECKED rill_status stl_parse_ascii(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                         trimesh *out);
RILL_CHECKED rill_status stl_parse_binary(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                          trimesh *out);

/* What cutting all polygons of a file of that length may take (polygon_cutter_init). */
uint64_t mesh_cutting_steps(size_t length);
