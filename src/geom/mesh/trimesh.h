/* A triangle mesh with per-vertex columns. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"

enum { TRIMESH_MAX_COLUMNS = 8, TRIMESH_NAME = 24 };

typedef struct trimesh_column {
    char name[TRIMESH_NAME];
    int width;    /* floats per vertex: 1 or 3 */
    float *value; /* owned */
} trimesh_column;

typedef struct trimesh {
    size_t vertex_count, triangle_count;
    rill_vec3 *position;     /* owned */
    float (*normal)[3];      /* owned, unit, outward; NULL when there are none */
    uint32_t (*triangle)[3]; /* owned, counter-clockwise seen from outside */
    trimesh_column column[TRIMESH_MAX_COLUMNS];
    uint32_t column_count;
} trimesh;

typedef struct trimesh_report {
    size_t open_edges;           /* with one triangle */
    size_t nonmanifold_edges;    /* with three or more */
    size_t misoriented_edges;    /* two triangles that run through it the same way */
    size_t nonmanifold_vertices; /* whose triangles form more than one fan */
    size_t degenerate_triangles; /* two corners the same vertex */
    double volume; /* what it encloses; open: closed by a cone to the middle of its open edges */
    double area;
    rill_vec3 first_open, first_nonmanifold, first_misoriented; /* middle of an edge, where there is one */
    rill_vec3 first_fans,
        first_degenerate; /* a vertex with more than one fan; a corner, where there is one */
} trimesh_report;

void trimesh_clear(rill_ctx *ctx, trimesh *m);
trimesh trimesh_take(trimesh *m); /* moves the contents out, leaving an empty mesh */
/* Adds the second mesh to the first, without normals and columns; the second is taken, also on failure. */
RILL_CHECKED rill_status trimesh_append(rill_ctx *ctx, trimesh *mesh, trimesh *more);
/* 36 bytes of memory a triangle and 4 a vertex while it runs. */
RILL_CHECKED rill_status trimesh_check(rill_ctx *ctx, const trimesh *m, trimesh_report *out);
rill_box trimesh_bounds(const trimesh *m);
