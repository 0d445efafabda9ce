/* The grid method: [Braley] section 4 (a staggered grid, projection, a free surface), with
 * the liquid carried by particles (FLIP: Zhu and Bridson 2005; APIC: Jiang et al. 2015). */
#pragma once

#include "flow/method.h"

typedef enum grid_transfer { GRID_APIC, GRID_FLIP } grid_transfer;
typedef enum grid_surface_kind {
    GRID_PARTICLES,   /* carry the liquid and its velocity */
    GRID_MARKERS,     /* carry the liquid alone */
    GRID_LEVEL_SET,   /* the distance is carried by the grid */
    GRID_PARTICLE_SET /* and corrected by particles on both sides of the surface */
} grid_surface_kind;
typedef enum grid_advection { GRID_LINEAR, GRID_CUBIC, GRID_MACCORMACK } grid_advection;
typedef enum grid_redistance { GRID_MARCHING, GRID_SWEEPING } grid_redistance;
typedef enum grid_integrator { GRID_EULER, GRID_MIDPOINT, GRID_HEUN, GRID_RALSTON, GRID_RK4 } grid_integrator;

/* The "grid" block of a scene. */
typedef struct grid_def {
    int surface, transfer, integrator, solver, advection, redistance;
    int32_t redistance_every; /* steps */
    bool reflection;
    bool ghost;  /* the surface lies between cells */
    double flip; /* share of FLIP, the rest is PIC */
    double cfl;  /* cells a particle may cross in a step */
    double cfl_slow, slow,
        fast;    /* cells where the liquid is slower than `slow`, m/s; cfl from `fast` on; 0: always cfl */
    double wave; /* longest step, in units of sqrt(cell / gravity) */
    double tolerance; /* relative residual of the pressure solve */
    int32_t iterations;
    double jitter;      /* of the first particles, in their spacings */
    double narrow;      /* cells below the surface that have particles; 0: all */
    double pack;        /* share of a density error that a step takes away */
    bool follow;        /* gas: fine tiles only near smoke */
    double confinement; /* gas: strength of the force that keeps eddies turning */
} grid_def;

extern const rill_method grid_method;
/* The same for gas that fills the domain: gas/gas.h. */
extern const rill_method grid_gas_method;
