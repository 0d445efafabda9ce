/* V-13 for voronoi: the vortices of Taylor and Green in a slab four spacings thick without a free surface,
 * plain and with reflection, CFL 1, t = 1. The lattice has one site to four cubic spacings, so that N = 64 is
 * as coarse as 40 cells a side. Limits are those of N = 64. */
#include "verify/verify.h"
#include "voronoi/voronoi.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"voronoi", NULL};
enum { TAYLOR_GREEN = 2 /* in velocity_field_names */ };

static rill_status one(verify *v, int per_side, bool reflection, bool correction, verify_kind kind,
                       double most)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    char name[120];
    const rill_box box = {{0, 0, 0}, {1, 1, 0}};
    double first = 0;
    rill_step_stats stats = step_stats_none();
    rill_status st = verify_scene(v, 2, box, 1.0 / per_side, &scene);
    if (!st) {
        brochu_def *def = scene_method_def_of(&scene, "voronoi");
        scene.gravity = v3(0, 0, 0);
        def->reflection = reflection;
        def->correction = correction;
        def->graded = false;
        st = verify_add_box(v, &scene, box, (velocity_field){.named = TAYLOR_GREEN, .value = {1, 0, 0}});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    for (int k = 0; !st && k < per_side; k++) {
        st = verify_step(sim, 1.0 / per_side, &stats);
        if (!k) first = stats.kinetic;
    }
    snprintf(name, sizeof name, "N = %d, %s%s: energy lost at t = 1", per_side,
             reflection ? "reflection" : "plain", correction ? ", correction" : "");
    /* speeds 0 to 1: mean square 1/4 a component, so 1/4 of density times area in all */
    if (!st) verify_figure(v, name, 1 - stats.kinetic / (0.25 * scene.fluid.density), kind, most);
    if (!st)
        verify_figure(v, "of it after the first step", 1 - first / (0.25 * scene.fluid.density), REPORT, 0);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* The interpolant alone loses more than the splitting does, so that reflection without the correction helps
 * little. */
static rill_status run(verify *v)
{
    const int n = v->full ? 64 : 32;
    TRY(one(v, n, false, false, v->full ? WANTED : REPORT, 0.45));
    TRY(one(v, n, true, false, REPORT, 0));
    TRY(one(v, n, false, true, AT_MOST, v->full ? 0.45 : 0.40));
    return one(v, n, true, true, AT_MOST, v->full ? 0.10 : 0.06);
}

const verify_case v13_voronoi = {"V-13-voronoi", "Taylor-Green vortices on Voronoi cells", methods, run};
