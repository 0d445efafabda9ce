/* The "sph" block of a scene: one row per key. */
#include "sph/params.h"

static const char *const kernels[] = {"gaussian", "cubic", "mueller", "wendland", NULL};
static const char *const states[] = {"tait", "linear", NULL};
static const char *const integrators[] = {"symplectic", "leapfrog", NULL};

const rill_param sph_params[] = {
    RILL_CHOICE("kernel", sph_def, kernel, "cubic", kernels, "smoothing kernel"),
    RILL_NUMBER("support", sph_def, support, 2.0, 1.2, 4.0, "spacings", "radius of the kernel"),
    RILL_CHOICE("state", sph_def, state, "tait", states, "equation of state: pressure from density"),
    RILL_NUMBER("sound_speed", sph_def, sound_speed, 0, 0, 1e4, "m/s",
                "speed of sound; 0 takes ten times the largest speed to be expected"),
    RILL_NUMBER("damping", sph_def, damping, 0.05, 0, 1, "", "artificial viscosity (Monaghan's alpha)"),
    RILL_CHOICE("integrator", sph_def, integrator, "symplectic", integrators, "time integration"),
    RILL_NUMBER("cfl", sph_def, cfl, 0.4, 0.01, 0.6, "",
                "time step in kernel radii over two per sound crossing"),
    {0},
};
