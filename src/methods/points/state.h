/* The state of a simulation with points, and the passes of its step.
 *
 * A cell is a point's Voronoi cell, cut to the solids and to a ball around the point. Points are
 * kept sorted in space; cell i is point i. In two dimensions cells are slabs one spacing thick
 * and balls are cylinders, so that every formula below is the same. */
#pragma once

#include "geom/search/bins.h"
#include "geom/voronoi/ball_cells.h"
#include "linalg/solver.h"
#include "points/points.h"

/* A face between two cells, or between a cell and a wall. Those between cells come first. */
typedef struct points_face {
    uint32_t a, b;  /* b: a cell, or VORONOI_WALL and above */
    uint32_t shape; /* its area, from a to b, and centroid: in the balls' faces */
    float weight;   /* area / distance of the points; at open sides of a filled domain / reach; 0 at walls */
    double reach;   /* distance of the points; of an open side: the point's from it; of a wall: 0 */
    double flux;    /* volume per second from a to b: before, then what pressure adds */
} points_face;

typedef struct points_cell {
    double volume,
        air;           /* air: area of the patch towards air; 0: none, or slits at walls, which are not air */
    double air_weight; /* area over distance of the air, as in eq. 11 */
    rill_vec3 air_middle; /* of the patch */
    rill_vec3 air_area, centroid;
    uint32_t begin, end; /* its faces: link[begin] .. link[end - 1] */
    uint32_t joined;     /* faces to other cells */
    bool hole;           /* what its ball has free is a hole between cells deep in the liquid, not air */
    bool edge;           /* fluid comes or goes through one of its faces: it has no volume at rest */
} points_cell;

/* Points of several sizes: a point stands for the volume of a whole number of the finest, its grains. */

typedef struct points_size {
    double h, radius,
        whole;    /* spacing; of its ball; volume of its cell at rest, of a slab in two dimensions */
    double share; /* that volume over the finest's */
} points_size;

typedef struct points_sizes {
    points_size *of; /* per number of grains, up to most; owned */
    uint32_t most;
    float *grains;          /* column; NULL: all points are of one size */
    float *level, *spacing; /* columns alike: log2 of the grains; m */
    float *depth;           /* column alike: distance from the surface at the end of the last step, m */
    double *radius;         /* per point, of the step under way, in the arena; NULL alike */
} points_sizes;

/* Gas: a domain that is filled, with smoke or with sides through which it comes and goes. */
typedef struct points_gas {
    bool smoky, open;   /* the scene has smoke; sides are open */
    float *soot, *heat; /* columns, kg/m3 and K above the ambient; NULL: not smoky */
    rill_vec3 fall;     /* gravity x dt of the pressures outside of open sides */
    /* Points that come in at the end of the step, in the arena: */
    rill_vec3 *x, *u;
    float *new_soot, *new_heat;
    uint32_t come;
} points_gas;

/* The finite-volume mesh of the cells, of the step under way. */
typedef struct points_mesh {
    points_cell *cell;
    points_face *face;
    uint32_t *link;       /* faces by cell: points_cell.begin */
    laplacian_edge *edge; /* per face between cells */
    uint32_t face_count, inner_count;
} points_mesh;

/* Averages of eq. 12, of the step under way. */
typedef struct points_averages {
    bins bins;
    uint32_t *near; /* neighbours: near[i * most ...], nearest first */
    float *share;   /* their weights, which add up to one */
    uint32_t most;  /* neighbours of one average */
} points_averages;

typedef struct points {
    rill_sim sim; /* first: a rill_sim is one of these */
    points_def def;
    double h;           /* spacing, of the finest points */
    points_sizes sizes; /* of[1]: the finest */
    int dimensions;
    bool holds;       /* some wall has no slip */
    double max_speed; /* at the end of the last step */
    double capacity;  /* of the domain, as flow/capacity.h has it */
    bool told_full;   /* the log says that an emitter is blocked */

    particles particles;
    float *pressure;  /* column, Pa */
    float *component; /* column: 1 + the component of the last diagram; 0: not in it */
    points_gas gas;

    voronoi diagram, clipped;
    ball_cells balls;
    laplacian matrix;
    solver *solver;

    /* Of the step under way, in the arena: */
    rill_arena scratch;
    double *room; /* distance from the solids */
    points_mesh mesh;
    rill_vec3 *step; /* what moves points besides their velocity */
    double *q;       /* pressure dt / density */
    double *right;
    struct points_bodies *coupled; /* bodies.h; NULL: there are none */
    rill_vec3 *push;               /* what pressure adds to velocities */
    struct points_group *group;    /* per component: its momentum (momentum.c); NULL: not kept */
    points_averages average;
} points;

static inline points *points_of(rill_sim *sim)
{
    return (points *)sim;
}
static inline const points *points_view_of(const rill_sim *sim)
{
    return (const points *)sim;
}

static inline const points_size *points_size_of(const points *s, size_t i)
{
    return &s->sizes.of[s->sizes.grains ? (uint32_t)s->sizes.grains[i] : 1];
}

/* The coarsest that points may be. */
static inline const points_size *points_coarsest(const points *s)
{
    return &s->sizes.of[s->sizes.most];
}

static inline const ball_face *points_shape(const points *s, const points_face *f)
{
    return &s->balls.face[f->shape];
}

/* Whether viscosity reaches across cells in a step; rate: nu dt, m2. */
static inline bool points_thick(const points *s, double rate)
{
    return rate > s->h * s->h;
}

/* Whether pressure moves fluid through a face: between cells, and at open sides. */
static inline bool points_is_open(const points *s, uint32_t face)
{
    return face >= s->mesh.inner_count && s->mesh.face[face].weight > 0;
}

enum { POINTS_BLOCK = 512, POINTS_LITTLE = 16 << 20 /* bytes that are worth keeping */ };

void points_columns(points *s); /* finds the particles' columns again after they moved */
/* emit.c: sources_apply, without what emitters may not give. */
RILL_CHECKED rill_status points_sources(points *s, double t, double dt);

/* In the order of the step: */
RILL_CHECKED rill_status points_sort(points *s);
RILL_CHECKED rill_status points_diagram(points *s, double t); /* 3.1 */
RILL_CHECKED rill_status points_clip(points *s, double t);    /* 3.2: solids, then balls */
RILL_CHECKED rill_status points_join(points *s, double t);    /* faces, matrix; 3.4: components */
void points_forget(points *s);                         /* of the step: what is in the arena, the solver */
RILL_CHECKED rill_status points_neighbours(points *s); /* 3.4: whose average is taken */
void points_forces(points *s, double t, double dt);
void points_hold(points *s, double t); /* cells at walls without slip move with them: without viscosity */
/* Viscosity, which is not zero, and walls without slip. */
RILL_CHECKED rill_status points_viscosity(points *s, double t, double dt, rill_step_stats *stats);
/* 3.3: makes the velocities free of divergence. again: once more in this step, and its pressure is added. */
RILL_CHECKED rill_status points_project(points *s, double t, double dt, bool again, rill_step_stats *stats);
void points_reflect(points *s);                              /* the pressure's push once more */
RILL_CHECKED rill_status points_shift(points *s, double dt); /* centring; its velocities */
rill_vec3 points_centre(const points *s, uint32_t i,
                        double share);              /* a share of the way to the cell's middle */
RILL_CHECKED rill_status points_filter(points *s);  /* noise between neighbours */
RILL_CHECKED rill_status points_restore(points *s); /* volumes, through positions */
RILL_CHECKED rill_status points_move(points *s, double t, double dt); /* 3.4 */
/* Points too near each other become one, and others come where there is room. */
RILL_CHECKED rill_status points_resample(points *s, double t);

/* ---- sizes.c: points of several sizes. Without them nothing is done. ---- */

RILL_CHECKED rill_status points_sizes_init(points *s);  /* tables and columns */
RILL_CHECKED rill_status points_sizes_start(points *s); /* merges the first points, and lets them settle */
void points_sizes_columns(points *s);                   /* levels and spacings, after points came or went */
RILL_CHECKED rill_status points_sizes_load(points *s);  /* refuses sizes that there are not */
/* Distances from the surface, in m, of points that are at most so deep: chains of neighbours, after
 * points_join. */
RILL_CHECKED rill_status points_depths(points *s, double most, double **depth);
bool points_is_deep(const points *s, size_t i); /* it was, a step ago */
/* Whether what a ball has free is no air; of points of one size it always is. */
bool points_is_hole(const points *s, size_t i, double air);
/* Points split near the surface and merge away from it; volume, momentum and center of mass are kept. */
RILL_CHECKED rill_status points_sizes_change(points *s, double t);

/* ---- sides.c: how fluid comes into a filled domain, and goes ---- */

typedef enum points_side { SIDE_WALL, SIDE_OPEN, SIDE_INFLOW } points_side;
/* What a face on a side of the domain is, and which smoke blows in there (NULL: not wanted). */
points_side points_side_of(const points *s, const points_face *f, double t, const scene_smoke **smoke);
double points_outside(const points *s, const points_face *f); /* q beyond an open face, at its reach */
/* What is outside pushes in through open faces: adds it to the right side of the pressure's equation. */
void points_sides_press(points *s, rill_vec3 fall, double *right);
/* After points moved: those that come in. Then, when nothing asks for cells any more: they come, and those
 * outside go. */
RILL_CHECKED rill_status points_sides_plan(points *s, double t, double dt);
RILL_CHECKED rill_status points_sides_renew(points *s);

/* ---- momentum.c: of components that touch no wall. Before the forces; after the projections, while points
 * are where they were; after they moved ---- */

RILL_CHECKED rill_status points_momentum_take(points *s);
void points_momentum_owe(points *s, double t, double dt);
RILL_CHECKED rill_status points_momentum_give(points *s);

/* ---- smoke.c ---- */

void points_smoke(points *s, double t, double dt);       /* what is in its sources */
bool points_smoke_moves(const scene_smoke *m, double t); /* it gives now, and has a velocity */

/* The scheme of the paper: */
RILL_CHECKED rill_status points_paper_divergence(points *s, double t, double *out);
void points_paper_gradient(points *s, rill_vec3 *out);
rill_vec3 points_paper_way(const points *s, uint32_t i, double dt);

/* Velocity of the wall behind a face, and whether it has no slip. */
bool points_wall_holds(const points *s, const points_face *f, double t, rill_vec3 *velocity);

/* The formulas of project.c, for restore.c: fluxes of q through faces, and what they move. */
void points_divergence(points *s, double t, double *out); /* leaves fluxes in the faces */
void points_pressure_flux(points *s, const double *q);
void points_gather(points *s, const double *q, bool walls, rill_vec3 *out);

/* Averages of eq. 12 over the neighbours of each point, less the point's own value: nothing, to the
 * last bit, where values are constant. */
void points_excess(points *s, const rill_vec3 *value, rill_vec3 *out);
/* The average at x of point i's neighbours. */
rill_vec3 points_average_at(const points *s, const rill_vec3 *value, uint32_t i, rill_vec3 x);
double points_weight(int kernel, double d); /* eq. 13; d from 0 to 1 */

/* As rill_method.trace. */
RILL_CHECKED rill_status points_trace(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part,
                                      rill_vec3 *u);
/* Velocity (u) or pressure (p) at places, the other NULL. */
RILL_CHECKED rill_status points_sample(const points *s, size_t n, const rill_vec3 *x, rill_vec3 *u,
                                       double *p);
