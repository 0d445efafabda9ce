/* Declarations shared by the files of the Voronoi diagram alone.
 *
 * A cell is held as the triangles dual to its vertices: a vertex is the point of three
 * planes (a, b, c), in the order that is counter-clockwise from outside, and the table of
 * directed pairs of planes gives the vertex on the other side of an edge. Coordinates are
 * relative to the site. A plane keeps n . v <= d.
 *
 * Two implementations of a cell run under the same search (voronoi_search.h): the small
 * one, with at most SMALL_VERTICES vertices and planes, in registers and the first cache
 * (voronoi_small.c), and one that grows (voronoi_big.c)
 * for the few cells with more, and for those whose small version lost its topology to
 * rounding. */
#pragma once

#include "geom/search/bins.h"
#include "geom/voronoi/voronoi.h"

enum { SMALL_VERTICES = 64, CANDIDATES = 27 * BINS_MOST };

#define CELL_TOLERANCE 1e-13 /* of the plane's scale: a vertex nearer than that is on it */
#define CELL_ROUNDING  1e-15 /* of the cell's radius: what coordinates are good for */

typedef enum cell_state {
    CELL_SAME,     /* the plane missed the cell */
    CELL_OK,       /* cut, or done */
    CELL_EMPTY,    /* nothing left */
    CELL_OVERFLOW, /* too many vertices, or a topology that rounding has broken */
    CELL_NO_MEMORY
} cell_state;

/* The points and what bounds them. */
typedef struct voronoi_space {
    const bins *b;
    rill_box box;
    const double *weight; /* in sorted order; NULL: all the same */
    double most_weight;
    const rill_vec3 *away; /* in sorted order; NULL: no walls */
    double cap;            /* half-width of the cube a cell is cut to; 0: none */
} voronoi_space;

/* A finished cell: faces with their corners in order, counter-clockwise from outside. */
typedef struct voronoi_poly {
    uint32_t vertices, faces;
    double most2;              /* squared distance of the farthest vertex from the site */
    const double (*vertex)[4]; /* relative to the site; the fourth is 0 */
    const double (*normal)[4]; /* per face: outward, of any length; the fourth is 0 */
    const uint32_t *id;        /* per face: sorted index of the neighbour, or a side */
    const uint32_t *first;     /* per face and the end */
    const uint32_t *corner;
} voronoi_poly;

/* Candidates of a bin, copied together once for the cells in it. */
typedef struct voronoi_near {
    const bins_grid *grid; /* NULL: nothing yet */
    uint32_t at[3];
    uint32_t count;
    bool refined; /* some bins around have grids of their own, whose points are not here */
    _Alignas(64) double x[CANDIDATES + 16];
    double y[CANDIDATES + 16], z[CANDIDATES + 16], d2[CANDIDATES + 16];
    uint32_t index[CANDIDATES + 16];
    uint16_t order[CANDIDATES + 16];
    uint8_t bucket[CANDIDATES + 16];
} voronoi_near;

struct small_cell;
struct big_cell;

/* What a worker keeps from cell to cell. */
typedef struct voronoi_worker {
    rill_ctx *ctx;
    voronoi_near near;
    struct small_cell *small;
    struct big_cell *big; /* NULL until needed */
} voronoi_worker;

typedef cell_state voronoi_cell_fn(const voronoi_space *s, voronoi_worker *w, uint32_t k, voronoi_poly *out);

voronoi_cell_fn voronoi_cell_small, voronoi_cell_big;
size_t small_cell_bytes(void);
void big_cell_destroy(rill_ctx *ctx, struct big_cell *c);
