/* The method of Klingner, Feldman, Chentanez and O'Brien 2006 ([Klingner06]): fluid that fills its domain, on
 * tetrahedra that are meshed anew every step around whatever moves. docs/tets.md explains it and lists what
 * is done otherwise than in the paper. */
#pragma once

#include "flow/method.h"

typedef enum tets_interpolation {
    TETS_CORRECTED, /* linear from node averages with one damped correction by the fluxes */
    TETS_AVERAGE,   /* linear from node averages */
    TETS_FAST,      /* linear from eq. 4 at the nodes: the paper's way for many particles */
    TETS_VORONOI    /* eq. 4 everywhere */
} tets_interpolation;

/* The "tets" block of a scene. */
typedef struct tets_def {
    int interpolation;
    int centres; /* of relaxation: 0 barycentres, 1 circumcentres */
    bool reflection, remesh;
    double coarsest;  /* spacings */
    double distance;  /* kd of eq. 5 */
    double smoke;     /* ks of eq. 5, spacings; 0: smoke does not refine */
    double vorticity; /* kw of eq. 5, spacings; 0: vorticity does not refine */
    double cfl;
    double max_step;  /* s */
    double tolerance; /* of the pressure solve */
} tets_def;

extern const rill_method tets_method;
