/* The initial liquid of one size, and liquid that joins later.
 *
 * Liquid starts with its exact volume (flow/fill_plan.h): where its boundary cuts the cells of the lattice,
 * particles are off the lattice, and their density sums are off by some percent. dfsph corrects this in its
 * first steps without giving the liquid speed. An equation of state answers with pressure, and the liquid
 * would burst; so particles shift along their pressure forces first. A lattice at rest stays as it is. */
#include "sph/core/relax.h"
#include "sph/uniform/uniform.h"

#include <math.h>
#include <string.h>

enum { SHIFTS = 400 };
static const double at_rest = 2e-5; /* acceleration in c^2 / spacing */

static void stop_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    memset(s->step.weight + begin, 0, (end - begin) * sizeof *s->step.weight);
    for (size_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) s->step.velocity[i][a] = 0;
}

/* step.force: accelerations by pressure alone, without viscosity and the weight that walls carry. */
static rill_status press(sph *s)
{
    TRY(uniform_sort(s));
    uniform_walls(s, s->sim.time, 0);
    parallel_for(s->sim.ctx, s->particles.count, 8192, stop_block, s);
    uniform_density(s);
    uniform_pressure(s);
    s->step.implicit = false;
    uniform_pair_forces(s);
    return RILL_OK;
}

typedef struct {
    const sph *s;
    uint64_t from;
} moving;

static double force_term(void *arg, size_t begin, size_t end)
{
    const moving *m = arg;
    double most = 0;
    for (size_t i = begin; i < end; i++) {
        const float *a = m->s->step.force[i];
        const rill_vec3 force = v3((double)a[0], (double)a[1], (double)a[2]);
        if (m->s->particles.id[i] >= m->from) most = fmax(most, v3_dot(force, force));
    }
    return most;
}

static rill_status relax(sph *s, uint64_t from)
{
    moving m = {s, from};
    const double least = at_rest * pow(s->model.sound_speed, 2) / s->sim.scene->spacing;
    for (int k = 0; k < SHIFTS; k++) {
        TRY(press(s));
        if (parallel_max(s->sim.ctx, s->particles.count, force_term, &m) <= least * least) break;
        relax_shift(s, from);
    }
    return RILL_OK;
}

rill_status uniform_start(sph *s)
{
    if (s->def.solver != SPH_DFSPH && s->particles.count > 0) {
        TRY(relax(s, 0));
        for (size_t i = 0; i < s->particles.count; i++) {
            s->density[i] = (float)s->sim.scene->fluid.density;
            s->pressure[i] = 0;
        }
    }
    return uniform_start_distances(s);
}

rill_status uniform_join(sph *s, uint64_t from)
{
    return s->def.solver == SPH_DFSPH ? RILL_OK : relax(s, from);
}
