/* The "sph" block of a scene (params.c has a row for each field). */
#pragma once

#include "flow/method.h"

typedef enum sph_kernel { SPH_GAUSSIAN, SPH_CUBIC, SPH_MUELLER, SPH_WENDLAND, SPH_KERNELS } sph_kernel;
typedef enum sph_solver { SPH_DFSPH, SPH_TAIT, SPH_LINEAR } sph_solver;
typedef enum sph_viscosity_mode { SPH_AUTO, SPH_EXPLICIT, SPH_IMPLICIT } sph_viscosity_mode;
typedef enum sph_integrator { SPH_SYMPLECTIC, SPH_LEAPFROG } sph_integrator;

typedef enum sph_pair_pressure { SPH_OF_DENSITY, SPH_ADAMS, SPH_ADAMS_PRINTED } sph_pair_pressure;

typedef struct sph_def {
    int kernel, solver, integrator;
    double support;     /* kernel radius in spacings */
    double sound_speed; /* m/s; 0: ten times the largest expected speed */
    double damping;     /* artificial viscosity, Monaghan's alpha */
    double cfl;
    double max_step;    /* s, dfsph */
    double min_step;    /* s; 0: no lower limit */
    double compression; /* dfsph: tolerance of the mean of max(density ratio - 1, 0) */
    double divergence;  /* dfsph: tolerance of the mean change of density ratio per step */
    int viscosity;
    double viscosity_tolerance; /* implicit: relative error of the change of velocity */
    double adhesion;            /* of walls, in units of the liquid's cohesion */
    double vorticity;           /* confinement */
    double air_drag;            /* drag coefficient of isolated particles */
    int pair_pressure;          /* force between particles of several sizes, with an equation of state */
    int32_t levels;             /* coarsest size class; 0: particles of one size */
    double split, merge;        /* feature size over kernel radius */
    int32_t resample;           /* steps between resamplings; 0: decided by the distance travelled */
    bool view_dependent;
    shape region;           /* of finer particles; SHAPE_NONE: no such region */
    int32_t region_level;   /* coarsest size class in the region */
    double split_vorticity; /* 1/s at which the finest class is required; 0: not a criterion */
} sph_def;
