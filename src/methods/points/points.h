/* The point-based method of Sin, Bargteil and Hodgins 2009 ([Sin09]): sample points carry the
 * velocity, their Voronoi cells, cut to the solids and to balls around the points, make it free of
 * divergence. docs/points.md tells what is done otherwise than in the paper, and why. */
#pragma once

#include "flow/method.h"

typedef enum points_scheme {
    POINTS_VOLUME, /* divergence is the derivative of the cells' volumes; points go their own way */
    POINTS_PAPER   /* moving least squares throughout, as printed, with the weights of E-S2 */
} points_scheme;
/* How the scheme of the paper cuts cells to the surface (3.2). */
typedef enum points_clipping { POINTS_POLYHEDRA, POINTS_BALLS } points_clipping;
typedef enum points_kernel { POINTS_QUARTIC, POINTS_WENDLAND } points_kernel;

/* The "points" block of a scene. */
typedef struct points_def {
    int scheme, kernel, clipping;
    bool reflection, filled, insert;
    double radius;      /* of the balls, spacings; 0: by dimension */
    double air;         /* p_a of eq. 11, Pa */
    int32_t neighbours; /* of an average; 0: by dimension */
    double reach;       /* farthest neighbour, in radii */
    double cfl;
    double max_step;  /* s */
    double tolerance; /* of the pressure solve */
    double restore;   /* share of a cell's volume error that a step takes away */
    double centring;  /* of points in their cells, by strain */
    double filter;    /* share of what the average does not see that a step takes away */
    double merge;     /* spacings: points nearer than this become one */
    int32_t levels;   /* coarsest level of points; 0: all of one size */
    double split;     /* depth at which points split, in their spacings */
    shape region;     /* in it points are of region_level at most */
    int32_t region_level;
    double jitter; /* of the first points, spacings */
    int32_t seed;
} points_def;

extern const rill_method points_method;
