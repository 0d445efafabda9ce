/* The insides of a distance grid, for its two files: what a query reads
 * (distance_grid.c) and what makes it (distance_grid_build.c). */
#pragma once

#include "geom/distance/distance_grid.h"

enum {
    NODE_CELLS = 4,             /* along each axis */
    NODE_SIDE = NODE_CELLS + 1, /* samples along each axis */
    NODE_SAMPLES = NODE_SIDE * NODE_SIDE * NODE_SIDE,
    ROOT_UNITS = 64, /* a coarse cell in units of the finest, h / 4 */
    GRID_LEVELS = 3
};

#define NODE_NONE  UINT32_MAX       /* a coarse cell that is not cut */
#define NODE_EXACT (UINT32_MAX - 1) /* one without values */

/* While it is made. */
typedef struct grid_node {
    float value[NODE_SAMPLES]; /* i + 5 j + 25 k; of a shell: distance to its middle, with either sign */
    uint32_t child;            /* the node of the first cell that is cut, in its level; the others follow */
    uint64_t cut, exact;       /* bit i + 4 j + 16 k: the cell is a node itself; it has no values */
} grid_node;

/* As it is kept: its values are plane + step q, the plane that fits them best. On a flat face nothing is left
 * over it; a surface that bends with a radius of R cells leaves 6 / R cells, and a step is 1 / 250 of that.
 * At the sharpest edges it is a fiftieth of a cell, a fifth of what interpolation may be off by. A third of
 * the memory. */
typedef struct kept_node {
    uint64_t cut, exact;
    float low, rise[3]; /* the plane in the low corner, and by how much it rises over a cell */
    float step;
    uint32_t child;
    int8_t value[NODE_SAMPLES];
} kept_node;

struct distance_grid {
    distance_source source;
    bool shell;
    rill_vec3 origin;
    double h;
    rill_box wanted;              /* no cell that is wholly outside is cut */
    bool part;                    /* of the solid */
    double per_root;              /* 1 / coarse cell */
    int n[3];                     /* coarse cells */
    float *value;                 /* owned; at their corners */
    uint32_t *root;               /* owned; their nodes, NODE_NONE or NODE_EXACT */
    kept_node *node[GRID_LEVELS]; /* owned; by level */
    size_t count[GRID_LEVELS];    /* of them */
};

/* What interpolation may be off by, near the surface (in h) and as a share of the distance,
 * and what is promised as a multiple of that: samples do not see everything. Cells are cut or left to the
 * exact function until a bound (at cells of h and less) or twice the error at 19 of their points (above) is
 * within it. */
static const double grid_error_near = 0.1, grid_error_far = 0.25, grid_error_promise = 1.25;

/* --- what the files that make a grid share --- */

/* A node to be filled: its low corner in units of h / 4, and the signs of its corners. */
typedef struct grid_task {
    int32_t base[3];
    uint8_t negative; /* bit di + 2 dj + 4 dk */
} grid_task;

/* Samples the nodes of one level, `units` a cell, and says which of their cells are to be
 * cut and which are left to the exact function. */
RILL_CHECKED rill_status grid_nodes_fill(rill_ctx *ctx, const distance_grid *g, const grid_task *task,
                                         size_t count, int level, int units, grid_node *node);

/* Whether a cell of `size`, 4 h or more, from `low` on, with these values at its corners (c & 1,
 * c >> 1 & 1, c >> 2) is to be cut: the surface can be in it or within h / 2 of it, told by
 * the distance of its middle, or the distance there, in the middle of its faces or of its
 * edges is not what the corners
 * interpolate to. Where the corners rise evenly, the middle is enough. */
bool grid_coarse_cut(const distance_grid *g, rill_vec3 low, double size, const double corner[8],
                     uint32_t *hint);

static inline rill_vec3 grid_place(const distance_grid *g, int64_t i, int64_t j, int64_t k)
{
    const double unit = g->h / 4;
    return v3_add(g->origin, v3((double)i * unit, (double)j * unit, (double)k * unit));
}

static inline bool grid_wanted(const distance_grid *g, rill_vec3 low, double size)
{
    const rill_box *w = &g->wanted;
    return low.x <= w->max.x && low.y <= w->max.y && low.z <= w->max.z && low.x + size >= w->min.x &&
           low.y + size >= w->min.y && low.z + size >= w->min.z;
}

static inline size_t root_sample(const distance_grid *g, int i, int j, int k)
{
    return ((size_t)k * (size_t)(g->n[1] + 1) + (size_t)j) * (size_t)(g->n[0] + 1) + (size_t)i;
}
static inline size_t root_cell(const distance_grid *g, int i, int j, int k)
{
    return ((size_t)k * (size_t)g->n[1] + (size_t)j) * (size_t)g->n[0] + (size_t)i;
}
static inline int node_sample(int i, int j, int k)
{
    return i + NODE_SIDE * (j + NODE_SIDE * k);
}
static inline int node_cell(int i, int j, int k)
{
    return i + NODE_CELLS * (j + NODE_CELLS * k);
}
