/* V-13 for tets: the vortices of Taylor and Green in a slab four elements thick, plain and with reflection,
 * on a mesh that is kept and on one made anew every step. Transport and one projection lose 2 pi^2 dt t / (1
 * + ...) whatever carries the velocity: 38.2 percent at N = 32, 23.6 at N = 64, CFL 1. The limits are those
 * of N = 64. */
#include "tets/tets.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"tets", NULL};
enum { TAYLOR_GREEN = 2 /* in velocity_field_names */ };

typedef struct {
    int per_side, interpolation;
    double cfl;
    bool reflection, remesh;
} variant;

static rill_status loss_of(verify *v, const variant *w, double *loss)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const rill_box box = {{0, 0, 0}, {1, 1, 0}};
    TRY(verify_scene(v, 2, box, 1.0 / w->per_side, &scene));
    tets_def *def = scene_method_def_of(&scene, "tets");
    scene.fill = true;
    scene.gravity = v3(0, 0, 0);
    def->reflection = w->reflection;
    def->remesh = w->remesh;
    def->interpolation = w->interpolation;
    rill_status st =
        verify_add_box(v, &scene, box, (velocity_field){.named = TAYLOR_GREEN, .value = {1, 0, 0}});
    if (!st) st = verify_create(v, &scene, &sim);
    const int steps = (int)lrint(w->per_side / w->cfl);
    rill_step_stats stats;
    for (int k = 0; !st && k < steps; k++) st = verify_step(sim, 1.0 / steps, &stats);
    /* speeds 0 to 1: mean square 1/4 a component, so 1/4 of density times area in all */
    if (!st) *loss = 1 - stats.kinetic / (0.25 * scene.fluid.density);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status one(verify *v, variant w, verify_kind kind, double most, double *out)
{
    double loss;
    char name[120];
    TRY(loss_of(v, &w, &loss));
    snprintf(name, sizeof name, "N = %d, CFL %g, %s, %s: energy lost at t = 1", w.per_side, w.cfl,
             w.reflection ? "reflection" : "plain", w.remesh ? "a mesh a step" : "one mesh");
    verify_figure(v, name, loss, kind, most);
    if (out) *out = loss;
    return RILL_OK;
}

static rill_status run(verify *v)
{
    double kept, anew;
    if (!v->full) {
        TRY(one(v, (variant){32, 0, 1, false, true}, AT_MOST, 0.39, NULL));
        return one(v, (variant){32, 0, 1, true, false}, AT_MOST, 0.06, NULL);
    }
    TRY(one(v, (variant){64, 0, 1, false, false}, AT_MOST, 0.26, &kept));
    TRY(one(v, (variant){64, 0, 1, false, true}, AT_MOST, 0.26, &anew));
    verify_figure(v, "a mesh a step, more lost than on one mesh", anew - kept, AT_MOST, 0.01);
    TRY(one(v, (variant){64, 0, 1, true, false}, AT_MOST, 0.05, &kept));
    TRY(one(v, (variant){64, 0, 1, true, true}, AT_MOST, 0.05, &anew));
    verify_figure(v, "reflection, a mesh a step, more lost than on one mesh", anew - kept, AT_MOST, 0.01);
    static const double cfl[] = {0.5, 2};
    for (int k = 0; k < 2; k++) {
        TRY(one(v, (variant){64, 0, cfl[k], true, false}, AT_MOST, 0.25, &kept));
        verify_figure(v, "the same, energy gained", -kept, AT_MOST, 0);
    }
    return RILL_OK;
}

const verify_case v13_tets = {"V-13-tets", "Taylor-Green vortices on tetrahedra", methods, run};
