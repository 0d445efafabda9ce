/* Inside a mesh sequence: its keys. */
#pragma once

#include "geom/distance/mesh_sequence.h"
#include "geom/mesh/mesh_close.h"

typedef struct mesh_key {
    double time;
    rill_vec3 *position; /* owned; of mesh.vertex_count vertices */
    double speed;        /* of the fastest vertex on the way to the next key */
} mesh_key;

struct mesh_sequence {
    mesh_sequence_def def;
    trimesh mesh;  /* its triangles, as they bound the solid; without positions */
    trimesh given; /* the first mesh as it was given */
    mesh_rim rim;  /* what is closed of it */
    mesh_key *key; /* owned */
    size_t count, capacity;
    rill_box bounds;
};

/* The key whose span a time falls into: from it on, up to but without the next. */
size_t mesh_sequence_span(const mesh_sequence *s, double time);
