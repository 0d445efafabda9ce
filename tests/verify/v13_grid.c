/* V-13 for the grid: Taylor-Green vortices in a closed box of 64 cells a side, CFL 1, t = 1.
 *
 * Transport and one projection lose dt^2 |grad p|^2 a step whatever the transport, 23.6
 * percent here; reflection does not. Energy is that of the particles, which in the
 * semi-Lagrangian rows are markers that show the grid's velocity. With half the step it is
 * about the correction of the particles' density, which must not stir more often for it. */
#include "grid/grid.h"
#include "verify/grid_cases.h"

#include <math.h>

enum { PER_SIDE = 64, TAYLOR_GREEN = 2 /* in velocity_field_names */ };
static const double nu = 0.01;

typedef struct {
    const char *name;
    int surface, advection, transfer;
    bool reflection, viscous;
    double cfl;
    double limit; /* of the energy lost; viscous: of the decay rate's error */
} variant;

static double kinetic(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += v3_dot(p->velocity[i], p->velocity[i]);
    return sum;
}

static rill_status vortices(verify *v, const variant *w)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const rill_box box = {{0, 0, 0}, {1, 1, 0}};
    rill_status st = verify_scene(v, 2, box, 1.0 / PER_SIDE, &scene);
    if (!st) {
        grid_def *def = scene_method_def_of(&scene, "grid");
        def->surface = w->surface;
        def->advection = w->advection;
        def->transfer = w->transfer;
        def->reflection = w->reflection;
        def->integrator = GRID_RALSTON;
        def->cfl = w->cfl;
        scene.gravity = v3(0, 0, 0);
        if (w->viscous) scene.fluid.viscosity = nu * scene.fluid.density;
        st = verify_add_box(v, &scene, box, (velocity_field){.named = TAYLOR_GREEN});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    const double start = st ? NAN : kinetic(sim), until = w->viscous ? 0.5 : 1;
    if (!st) st = verify_run(sim, until, NULL, NULL);
    if (!st) {
        const double kept = kinetic(sim) / start, exact = 16 * M_PI * M_PI * nu;
        verify_figure(v, w->name, w->viscous ? fabs(-log(kept) / until / exact - 1) : 1 - kept, AT_MOST,
                      w->limit);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

rill_status v13_grid(verify *v)
{
    static const variant variants[] = {
        {"linear: energy lost", GRID_LEVEL_SET, GRID_LINEAR, 0, false, false, 1, 0.36},
        {"cubic: energy lost", GRID_LEVEL_SET, GRID_CUBIC, 0, false, false, 1, 0.26},
        {"maccormack: energy lost", GRID_LEVEL_SET, GRID_MACCORMACK, 0, false, false, 1, 0.26},
        {"cubic, reflection: energy lost", GRID_LEVEL_SET, GRID_CUBIC, 0, true, false, 1, 0.01},
        {"apic: energy lost", GRID_PARTICLES, 0, GRID_APIC, false, false, 1, 0.26},
        {"flip: energy lost", GRID_PARTICLES, 0, GRID_FLIP, false, false, 1, 0.26},
        {"apic, reflection: energy lost", GRID_PARTICLES, 0, GRID_APIC, true, false, 1, 0.05},
        {"apic, reflection, half the step: energy lost", GRID_PARTICLES, 0, GRID_APIC, true, false, 0.5,
         0.05},
        {"cubic, viscous: decay rate, error", GRID_LEVEL_SET, GRID_CUBIC, 0, true, true, 1, 0.02},
        {"apic, viscous: decay rate, error", GRID_PARTICLES, 0, GRID_APIC, true, true, 1, 0.05},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) TRY(vortices(v, &variants[i]));
    return RILL_OK;
}
