/* Inside the winding number: its tree, and what acts from far away.
 *
 * The triangles in an order that keeps neighbours together, eight to a group; the groups
 * eight to a group of the next level, and so on to one. Coordinates are relative to the
 * middle of the mesh, in units of its size, so that single precision holds for any mesh. */
#pragma once

#include "geom/mesh/trimesh.h"

enum { WIDE = 8, MAX_LEVELS = 12, STACK = MAX_LEVELS * WIDE };

static const double winding_share = 1 / (4 * 3.14159265358979323846); /* of the full angle */
static const float winding_opening = 2;                               /* radii away that count as far */

typedef struct winding_tree {
    rill_vec3 middle;
    double scale;
    uint32_t *order;                               /* of the triangles; owned */
    size_t first[MAX_LEVELS], members[MAX_LEVELS]; /* of each level: its groups, how many members they have */
    size_t groups;
    int levels;
} winding_tree;

/* Triangles are kept together by where the mesh has them. */
RILL_CHECKED rill_status winding_tree_build(rill_ctx *ctx, const trimesh *mesh, winding_tree *out);
void winding_tree_clear(rill_ctx *ctx, winding_tree *t);

/* The members of a level are asked WIDE at a time: [*low, *low + return value). */
static inline size_t winding_tree_group(const winding_tree *t, int level, size_t group, size_t *low)
{
    *low = WIDE * group;
    const size_t left = t->members[level] - *low;
    return left < WIDE ? left : WIDE;
}

/* What is known of a member while the tree is built, in units of the mesh. */
typedef struct winding_cluster {
    rill_vec3 middle, area_vector;
    double area, radius;
    double moment[6]; /* first moments of the area vectors about the middle, symmetric part: xx yy zz, and
                       * twice xy yz zx */
} winding_cluster;

static inline rill_vec3 winding_local(const winding_tree *t, rill_vec3 x)
{
    return v3_scale(v3_sub(x, t->middle), t->scale);
}
winding_cluster winding_cluster_of(const rill_vec3 corner[3]); /* local */
/* Where the members' middle is, weighted by area. */
rill_vec3 winding_middle(const winding_cluster *member, size_t count);
winding_cluster winding_cluster_sum(const winding_cluster *member, size_t count, rill_vec3 middle);
