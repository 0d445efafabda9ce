/* Where a mesh is open, and closing it.
 *
 * Every side of a triangle should be met by one that runs the other way; vertices at the
 * same place count as one, so that triangle soup that fits together is closed. What is
 * left over is the rim of the holes. A hole is closed by triangles from its rim to one
 * vertex in its middle: whatever the rim looks like, the mesh is closed after that in the
 * sense of the winding number. */
#pragma once

#include "geom/mesh/trimesh.h"

typedef struct mesh_rim_side {
    uint32_t from, to; /* as its triangle runs through it; the first of the vertices at their places */
    uint32_t triangle;
} mesh_rim_side;

typedef struct mesh_rim {
    mesh_rim_side *side; /* owned; those without a partner */
    size_t count;
    size_t turned;       /* edges with two triangles that run through it the same way */
    rill_vec3 turned_at; /* the middle of the first of them */
} mesh_rim;

/* Corners must be in range, positions finite. */
RILL_CHECKED rill_status mesh_rim_build(rill_ctx *ctx, const trimesh *mesh, mesh_rim *out);
void mesh_rim_clear(rill_ctx *ctx, mesh_rim *rim);

/* Adds the vertices and triangles that close what the rim bounds. mesh has no columns;
 * it is as before on failure. */
RILL_CHECKED rill_status mesh_close(rill_ctx *ctx, trimesh *mesh, const mesh_rim *rim);
