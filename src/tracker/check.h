/* Whether a mesh is what the tracker promises: closed, manifold, oriented, free of intersections.
 *
 * Shares nothing with the tracker's own collision code: boxes are swept along the longest axis, and two
 * triangles intersect when an edge of one meets the other by exact orientations. Touching counts; parts that
 * are the same vertex or edge of both do not. */
#pragma once

#include "geom/mesh/trimesh.h"

typedef struct tracker_report {
    trimesh_report mesh;
    size_t not_finite;     /* vertices */
    size_t flat_triangles; /* of no area at all */
    size_t crossings; /* pairs of triangles that intersect; not looked for when something above is not 0 */
    uint32_t crossing[2]; /* the first such pair */
    rill_vec3 place;      /* the middle of its first triangle */
} tracker_report;

RILL_CHECKED rill_status tracker_report_build(rill_ctx *ctx, const trimesh *mesh, tracker_report *out);
/* RILL_OK for a mesh the tracker can hold, otherwise RILL_BAD_FILE with the kind of fault, how often and the
 * first place; `name` begins the message. */
RILL_CHECKED rill_status tracker_check(rill_ctx *ctx, const char *name, const trimesh *mesh);
