/* Voronoi cells of points in a box, one cell at a time.
 *
 * A cell starts as a box and is cut by the planes half way to its neighbours, nearest
 * first, until no other point can reach it ([Sin09] section 3.1; the paper calls qhull).
 * Cells do not depend on each other. A vertex is cut off only when it lies beyond 1e-13 of
 * the plane's scale: of points on a lattice, where planes meet vertices, both sides of a
 * face would otherwise decide differently.
 *
 * With weights w the cell of i is where |x - x_i|^2 - w_i is least (a power diagram); a cell
 * may then be empty, or not contain its site.
 *
 * Holds (voronoi_check): volumes add up to the box (without a cap); a face is stored once,
 * with a < b, by the geometry of a; the area vectors of a cell add up to zero; a face has
 * both its cells. A face that only one of its cells has, smaller than rounding, is left
 * out and counted. The same bits for any number of threads.
 *
 * Where two points are much closer to each other than to a third, their planes to it are
 * nearly parallel, and the edge between these is uncertain by the tolerance times spacing
 * over distance: cells of points 1e-6 spacings apart are closed to 1e-7. Points closer than
 * 1e-10 spacings may be one point to that third cell: merge them before.
 *
 * Two dimensions: points in the middle of a box one element thick.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

/* The other side of a face that has no second cell, from VORONOI_WALL on: a side of the box
 * (-x, +x, -y, +y, -z, +z) or of the cap, or what a cell was clipped by (voronoi_clip.h). */
#define VORONOI_WALL  (UINT32_MAX - 13)
#define VORONOI_CAP   (UINT32_MAX - 7)
#define VORONOI_SOLID (UINT32_MAX - 1)
#define VORONOI_AIR   UINT32_MAX
static inline bool voronoi_is_cell(uint32_t b)
{
    return b < VORONOI_WALL;
}
static inline bool voronoi_is_cap(uint32_t b)
{
    return b >= VORONOI_CAP && b < VORONOI_SOLID;
}

enum { VORONOI_MOST = 50000000 }; /* points: corners count in 32 bits */

typedef struct voronoi_def {
    rill_box box;         /* every point inside or on its sides */
    const double *weight; /* borrowed, per point; NULL: none */
    /* Half-width of the cube around its site that a cell is cut to, 0 for none. What lies
     * nearer to the site than this is exact; parts of faces beyond are cut by the cube of
     * a alone. For cells that are clipped later to less: open cells at a free surface take
     * longest, and their outer parts are not needed. */
    double cap;
    /* Borrowed, per point: the unit normal of a wall behind it, towards the point; zero: there is none.
     * Points whose walls are back to back between them, the two sides of a plate, do not cut each
     * other's cells: what is left of these behind the plate is for the clipping to take away.
     * NULL: no walls. */
    const rill_vec3 *away;
    bool merge;    /* of points in one place the first has the cell, the others an empty one */
    bool vertices; /* keep the corners of faces */
} voronoi_def;

typedef struct voronoi_cell {
    double volume;
    rill_vec3 centroid;    /* of an empty cell: the point */
    uint32_t begin, faces; /* its faces: link[begin] .. */
} voronoi_cell;

typedef struct voronoi_face {
    uint32_t a, b;  /* a < b; b may be a side */
    rill_vec3 area; /* from a to b */
    rill_vec3 centroid;
    uint32_t first, count; /* its corners, counter-clockwise seen from b */
} voronoi_face;

typedef struct voronoi {
    rill_ctx *ctx;
    rill_box box;
    uint32_t count, face_count, link_count, corner_count, vertex_count;
    voronoi_cell *cell; /* per point */
    voronoi_face *face; /* by the place of a in space */
    uint32_t *link;     /* faces of cells */
    uint32_t *corner;   /* vertices of faces */
    rill_vec3 *vertex;  /* of the cells that own faces there: neighbours have copies of their own */
    uint32_t *owner;    /* per vertex: that cell */
    bool vertices;      /* corners and vertices were kept */
    bool clipped;       /* not the whole box any more (voronoi_clip.h) */
    double cap;

    uint32_t merged;       /* points in the place of an earlier one */
    uint32_t one_sided;    /* faces left out */
    double one_sided_area; /* of the largest of them that its owner saw */
    uint32_t big;          /* cells too large for the fast path, or broken on it */

    struct {
        size_t cell, face, link, corner, vertex, owner;
    } capacity; /* elements of the arrays above */
    struct {
        double face, link, corner, vertex, owner;
    } per_cell;              /* elements a cell had in the last build */
    struct voronoi_out *out; /* buffers of blocks of cells */
    rill_arena scratch;
} voronoi;

voronoi_def voronoi_def_default(rill_box box);
void voronoi_init(voronoi *v, rill_ctx *ctx);
void voronoi_clear(voronoi *v);

/* Gives back the memory of corners and vertices; cells, faces and links stay. Until the next build nothing
 * that needs vertices may be asked. */
void voronoi_forget_corners(voronoi *v);
void voronoi_forget(voronoi *v); /* and that of cells, faces and links */

/* May be called again for other points and keeps its memory. RILL_BLEW_UP with the point's
 * index when one is not finite, outside the box or in the place of another; v is then
 * untouched. When memory runs out it is left without cells. */
RILL_CHECKED rill_status voronoi_build(voronoi *v, const voronoi_def *def, const rill_vec3 *x,
                                       uint32_t count);

/* What holds, from the stored result alone; RILL_BLEW_UP and the first thing that does
 * not. tolerance: of a cell's surface for the closed-cell identity (V-01: 1e-12). */
RILL_CHECKED rill_status voronoi_check(rill_ctx *ctx, const voronoi *v, const rill_vec3 *x, double tolerance);

/* Outward area vector of a cell's face. */
static inline rill_vec3 voronoi_outward(const voronoi_face *f, uint32_t cell)
{
    return f->a == cell ? f->area : v3_neg(f->area);
}
