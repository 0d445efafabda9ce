/* The "grid" block of a scene: one row per key. */
#include "grid/params.h"

#include "grid/pressure/pressure.h"

static const char *const transfers[] = {"apic", "flip", NULL};
static const char *const surfaces[] = {"particles", "markers", "level-set", "particle-level-set", NULL};
static const char *const advections[] = {"linear", "cubic", "maccormack", NULL};
static const char *const redistances[] = {"marching", "sweeping", NULL};
static const char *const integrators[] = {"euler", "midpoint", "heun", "ralston", "rk4", NULL};

const rill_param grid_params[] = {
    RILL_CHOICE("surface", grid_def, surface, "particles", surfaces,
                "what carries the liquid: particles, with its velocity; markers alone; the level set of its "
                "distance; the same corrected by particles on both sides of the surface"),
    RILL_CHOICE("advection", grid_def, advection, "cubic", advections,
                "semi-Lagrangian, where particles do not carry the velocity: interpolation, or MacCormack"),
    RILL_CHOICE("redistance", grid_def, redistance, "marching", redistances,
                "level sets: how distances are made anew"),
    RILL_INTEGER("redistance_every", grid_def, redistance_every, 3, 1, 1000, "steps",
                 "level sets: steps between redistancings"),
    RILL_BOOL("reflection", grid_def, reflection, 0,
              "two half steps with the pressure's work reflected in between: keeps eddies, costs a solve"),
    RILL_CHOICE("transfer", grid_def, transfer, "apic", transfers,
                "what particles carry: velocity and its gradient (apic), or velocity alone (flip)"),
    RILL_NUMBER("flip", grid_def, flip, 0.97, 0, 1, "",
                "flip: share of the change of velocity, the rest takes the grid's velocity; 0 damps most"),
    RILL_CHOICE("integrator", grid_def, integrator, "midpoint", integrators,
                "how paths are traced through the velocity"),
    RILL_NUMBER("cfl", grid_def, cfl, 4, 0.1, 5, "cells", "time step: cells that the liquid may cross"),
    RILL_NUMBER(
        "cfl_slow", grid_def, cfl_slow, 0, 0, 5, "cells",
        "time step: the same where the liquid is slow, growing to cfl as it gets fast; 0: cfl always"),
    RILL_NUMBER("slow", grid_def, slow, 0, 0, 1e6, "m/s", "speed up to which cfl_slow holds"),
    RILL_NUMBER("fast", grid_def, fast, 1, 0, 1e6, "m/s", "speed from which cfl holds"),
    RILL_NUMBER(
        "wave", grid_def, wave, 0.4, 0.01, 10, "",
        "time step: at most this many times sqrt(spacing / gravity), so that short waves are followed"),
    RILL_BOOL("ghost_fluid", grid_def, ghost, 1,
              "the surface lies between cells; without, pressure steps along them and liquid at rest moves"),
    RILL_CHOICE("pressure", grid_def, solver, "multigrid", pressure_method_words,
                "pressure solve: conjugate gradients with multigrid, with mic0 or plain; sor; jacobi"),
    RILL_NUMBER("tolerance", grid_def, tolerance, 1e-5, 1e-12, 0.1, "",
                "pressure solve: residual at which it stops, relative"),
    RILL_INTEGER("iterations", grid_def, iterations, 0, 0, 1000000, "",
                 "pressure solve: iterations after which it stops; 0 takes what the solver needs at most"),
    RILL_NUMBER("jitter", grid_def, jitter, 0.5, 0, 1, "",
                "disorder of the particles of the initial liquid, in their spacings"),
    RILL_NUMBER("particle_band", grid_def, narrow, 0, 0, 100, "cells",
                "particles are kept this far below the surface, and the grid carries what is deeper; 0: they "
                "are everywhere"),
    RILL_NUMBER("pack", grid_def, pack, 0.3, 0, 1, "",
                "share of an error of the particles' density that a step corrects; keeps the volume"),
    RILL_NUMBER(
        "confinement", grid_def, confinement, 0, 0, 1000, "1/s",
        "gas: vorticity confinement, the acceleration along eddies over spacing times vorticity; 0: none"),
    RILL_BOOL(
        "follow", grid_def, follow, 1,
        "gas: cells of the spacing near smoke alone, and four times as large ones in the whole domain; where "
        "nothing else needs cells everywhere, and the domain is large"),
    {0},
};
