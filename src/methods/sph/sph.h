/* Smoothed particle hydrodynamics: [Braley] section 5 with an equation of state, or made
 * incompressible by a solver (DFSPH, Bender and Koschier 2015). */
#pragma once

#include "flow/method.h"

typedef enum sph_kernel { SPH_GAUSSIAN, SPH_CUBIC, SPH_MUELLER, SPH_WENDLAND, SPH_KERNELS } sph_kernel;
typedef enum sph_solver { SPH_DFSPH, SPH_TAIT, SPH_LINEAR } sph_solver;
typedef enum sph_viscosity_mode { SPH_AUTO, SPH_EXPLICIT, SPH_IMPLICIT } sph_viscosity_mode;
typedef enum sph_integrator { SPH_SYMPLECTIC, SPH_LEAPFROG } sph_integrator;

/* The "sph" block of a scene. */
typedef struct sph_def {
    int kernel, solver, integrator;
    double support;     /* radius of the kernel in spacings */
    double sound_speed; /* m/s; 0: ten times the largest speed to be expected */
    double damping;     /* artificial viscosity, Monaghan's alpha */
    double cfl;
    double max_step;    /* s, dfsph */
    double min_step;    /* s; 0: as short as need be */
    double compression; /* dfsph: mean of max(density ratio - 1, 0) to be reached */
    double divergence;  /* dfsph: mean density ratio error a step may add, from divergence */
    int viscosity;
    double viscosity_tolerance; /* implicit: error of the change of velocities, relative */
    double adhesion;            /* of walls, in units of the liquid's cohesion */
    double vorticity;           /* confinement */
    double air_drag;            /* drag coefficient of lone particles */
    int32_t levels;             /* the coarsest; 0: all particles alike */
    double split, merge;        /* feature size over kernel radius */
    int32_t resample;           /* every so many steps; 0: by how far particles go */
    bool view_dependent;
    shape region;           /* of finer particles; SHAPE_NONE: there is none */
    int32_t region_level;   /* the coarsest there */
    double split_vorticity; /* 1/s, at which the finest are wanted; 0: plays no part */
} sph_def;

extern const rill_method sph_method;
