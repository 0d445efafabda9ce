/* The "sph" block of a scene: one row per key. */
#include "sph/params.h"

static const char *const kernels[] = {"gaussian", "cubic", "mueller", "wendland", NULL};
static const char *const solvers[] = {"dfsph", "tait", "linear", NULL};
static const char *const viscosities[] = {"auto", "explicit", "implicit", NULL};
static const char *const integrators[] = {"symplectic", "leapfrog", NULL};

static const char *const pair_pressures[] = {"density", "adams", "adams_printed", NULL};

const rill_param sph_params[] = {
    RILL_CHOICE("kernel", sph_def, kernel, "cubic", kernels, "smoothing kernel"),
    RILL_NUMBER("support", sph_def, support, 2.0, 1.2, 4.0, "spacings", "radius of the kernel"),
    RILL_CHOICE(
        "solver", sph_def, solver, "dfsph", solvers,
        "pressure: made incompressible by iteration (dfsph), or from density by an equation of state"),
    RILL_NUMBER("compression", sph_def, compression, 5e-5, 1e-6, 0.05, "",
                "dfsph: mean compression at which the iteration stops"),
    RILL_NUMBER("divergence", sph_def, divergence, 1e-4, 1e-6, 0.1, "",
                "dfsph: mean compression per step that divergence may cause"),
    RILL_POSITIVE("max_step", sph_def, max_step, 0.005, 1, "s", "dfsph: longest time step"),
    RILL_NUMBER("min_step", sph_def, min_step, 0, 0, 1, "s",
                "shortest time step, taken even where \"cfl\" would ask for less"),
    RILL_NUMBER("sound_speed", sph_def, sound_speed, 0, 0, 1e4, "m/s",
                "speed of sound of an equation of state; 0 takes ten times the largest speed to be expected"),
    RILL_NUMBER(
        "damping", sph_def, damping, 0.05, 0, 1, "",
        "artificial viscosity (Monaghan's alpha), by the speed of sound; dfsph: by ten times the speed that "
        "gravity gives"),
    RILL_CHOICE("integrator", sph_def, integrator, "symplectic", integrators, "time integration"),
    RILL_NUMBER("cfl", sph_def, cfl, 0.4, 0.01, 0.6, "",
                "time step: spacings travelled (dfsph), or half kernel radii crossed by sound"),
    RILL_CHOICE("viscosity", sph_def, viscosity, "auto", viscosities,
                "explicit bounds the time step; implicit does not, at the price of a solve; auto takes "
                "implicit in steps that explicit would not allow"),
    RILL_NUMBER("viscosity_tolerance", sph_def, viscosity_tolerance, 1e-3, 1e-6, 0.1, "",
                "implicit viscosity: error of the change of velocities, relative"),
    RILL_NUMBER("adhesion", sph_def, adhesion, 0.5, 0, 1, "",
                "with surface tension: attraction of walls over that of the liquid; 0 beads, 1 wets"),
    RILL_NUMBER("vorticity", sph_def, vorticity, 0, 0, 1, "",
                "vorticity confinement: gives back some of what the method takes from eddies"),
    RILL_NUMBER("air_drag", sph_def, air_drag, 0, 0, 10, "",
                "drag coefficient of lone particles in air at rest; a sphere has 0.47"),
    RILL_INTEGER(
        "levels", sph_def, levels, 0, 0, 14, "",
        "adaptive sampling: coarsest level of particles, of 2^levels times the finest mass; 0: all alike"),
    RILL_POSITIVE("split", sph_def, split, 2.25, 100, "radii",
                  "adaptive sampling: particles split where the liquid's feature size is smaller"),
    RILL_POSITIVE("merge", sph_def, merge, 3.4, 100, "radii",
                  "adaptive sampling: particles merge where it is larger"),
    RILL_INTEGER("resample", sph_def, resample, 0, 0, 1000, "steps",
                 "adaptive sampling: how often; 0: when a particle has gone as far as its spacing"),
    RILL_CHOICE("pair_pressure", sph_def, pair_pressure, "density", pair_pressures,
                "adaptive sampling with an equation of state: pressure between particles, as the derivative "
                "of their density; by equation 1 of Adams et al. with its sign and factor put right; or as "
                "it is printed, which attracts"),
    RILL_BOOL("view_dependent", sph_def, view_dependent, false,
              "adaptive sampling: coarser with the distance from what the camera sees"),
    {.name = "region",
     .kind = PARAM_SHAPE,
     .offset = offsetof(sph_def, region),
     .help = "adaptive sampling: where particles are of region_level at most, and coarser with the distance "
             "from it"},
    RILL_INTEGER("region_level", sph_def, region_level, 0, 0, 15, "",
                 "adaptive sampling: coarsest level in that region"),
    RILL_NUMBER("split_vorticity", sph_def, split_vorticity, 0, 0, 1e6, "1/s",
                "adaptive sampling: vorticity (twice the rate of turning) at which particles are of the "
                "finest level, "
                "and at half of it of twice that radius; 0: plays no part"),
    {0},
};
