/* A frame's file (PLY, as Rill writes it) as the bytes the page receives (wire.h).
 *
 * The records are read where they lie, and of the columns only the one asked for: a million
 * particles take less time than the particles' reader would. Files in another byte order,
 * with lists among the vertices, or with faces that are no triangles are refused: no run
 * folder has them. Nothing in a file is trusted: counts are held against its length,
 * indices against the vertices; values that are not finite are drawn at the origin. */
#pragma once

#include "serve/pack.h"

#include "base/text.h"
#include "io/ply.h"

typedef struct encode_def {
    const char *name;   /* what messages call the file */
    const char *column; /* "speed", "color" (red, green and blue) or a scalar property; NULL or empty: none */
    rill_vec3 origin;   /* of the positions */
    double quantum; /* a thousandth of the scene's spacing */
    bool mesh; /* vertices and faces; otherwise points */
} encode_def;

/* RILL_BAD_FILE when the file is damaged or of another kind. A column that is not there is left out. */
RILL_CHECKED rill_status encode_frame(rill_ctx *ctx, const encode_def *def, const char *bytes, size_t length,
                                      packer *out);

/* A mesh in memory, without normals and columns: the solids. */
RILL_CHECKED rill_status encode_mesh(rill_ctx *ctx, const encode_def *def, const trimesh *mesh, packer *out);

/* What the vertices of a file can be coloured by, as JSON: ["speed","density"]. The columns red, green and
 * blue count as one, "color". */
void encode_columns(const ply_header *header, text *out);

/* Everything about one vertex, as JSON: {"id":..,"position":[..],"velocity":[..],"values":{..}}.
 * RILL_USAGE when there is no such vertex. */
RILL_CHECKED rill_status encode_vertex(rill_ctx *ctx, const encode_def *def, const char *bytes, size_t length,
                                       uint64_t index, text *out);
