/* The method of Brochu, Batty and Bridson 2010 ([Brochu10]): the liquid is bounded by a tracked triangle
 * mesh, pressure samples are placed to both sides of every vertex of it, and their Voronoi cells make the
 * velocity free of divergence. docs/voronoi.md tells what is done otherwise than in the paper, and why.
 *
 * The layer is called voronoi as the method is in scenes; names begin with brochu, because voronoi_ is the
 * prefix of geom/voronoi. */
#pragma once

#include "flow/method.h"

typedef enum brochu_sampling {
    BROCHU_MATCHED, /* samples on both sides of every vertex of the surface */
    BROCHU_REGULAR  /* the lattice alone: the paper's negative control */
} brochu_sampling;

typedef enum brochu_interpolant {
    BROCHU_LINEAR, /* the paper's tetrahedra, filled by a fit that is exact for linear fields: E-R9, E-R11 */
    BROCHU_PAPER,  /* section 6 as printed */
    BROCHU_NAIVE,  /* barycentric over Delaunay tetrahedra: figure 11 (b) */
    BROCHU_GENERALISED /* generalised barycentric over Voronoi cells: figure 11 (c) */
} brochu_interpolant;

typedef enum brochu_crossing { BROCHU_RAY, BROCHU_DISTANCE } brochu_crossing;

/* The "voronoi" block of a scene. */
typedef struct brochu_def {
    int sampling, interpolant, crossing, preconditioner;
    bool keep_volume, graded, repair, bubbles, reflection, correction, implicit_tension;
    double cfl;
    double max_step;      /* s */
    double capillary;     /* step in units of the capillary limit (E-R4) */
    double tolerance;     /* of the pressure solve */
    double merge;         /* surfaces nearer than this join, in edges */
    double film;          /* liquid films thinner than this get holes, in edges; 0: never */
    double drop;          /* parts of less volume are removed, cubic edges */
    double air_band;      /* lattice samples in air reach so far, spacings */
    double contact_angle; /* degrees, at the sides of the domain */
    double jitter;        /* of the first surface's vertices along it, spacings */
    double noise;         /* and across it */
    int32_t seed;
} brochu_def;

extern const rill_method voronoi_method;
