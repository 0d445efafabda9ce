/* Smoothed particle hydrodynamics, [Braley] section 5, weakly compressible. */
#pragma once

#include "flow/method.h"

typedef enum sph_kernel { SPH_GAUSSIAN, SPH_CUBIC, SPH_MUELLER, SPH_WENDLAND, SPH_KERNELS } sph_kernel;
typedef enum sph_state { SPH_TAIT, SPH_LINEAR } sph_state;
typedef enum sph_integrator { SPH_SYMPLECTIC, SPH_LEAPFROG } sph_integrator;

/* The "sph" block of a scene. */
typedef struct sph_def {
    int kernel, state, integrator;
    double support;     /* radius of the kernel in spacings */
    double sound_speed; /* m/s; 0: ten times the largest speed to be expected */
    double damping;     /* artificial viscosity, Monaghan's alpha */
    double cfl;
} sph_def;

extern const rill_method sph_method;
