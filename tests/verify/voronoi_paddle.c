/* A splash that goes on: a paddle beats a pool of about 20,000 tetrahedra in a closed box. No step may fail,
 * and neither speed nor volume may run away. 10,000 steps in full, 300 in short. */
#include "verify/voronoi_cases.h"
#include "voronoi/state.h"

#include <math.h>

static const char *const methods[] = {"voronoi", NULL};
enum { BEATS = 400 }; /* half swings of half a second */

static rill_status add_paddle(verify *v, rill_scene *scene)
{
    scene_solid *solid;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_BOX, .box = {{0.46, 0.12, 0.15}, {0.54, 0.9, 0.45}}};
    solid->motion.pivot = v3(0.5, 0.9, 0.3);
    TRY(MEM_NEW_ZERO(v->ctx, solid->motion.key, BEATS));
    solid->motion.count = BEATS;
    for (int k = 0; k < BEATS; k++)
        solid->motion.key[k] = (scene_motion_key){.t = 0.5 * k, .rotate = {0, 0, !k ? 0 : k % 2 ? 20 : -20}};
    return RILL_OK;
}

static rill_status run(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const int steps = v->full ? 10000 : 300;
    double fastest = 0, before = NAN, tetrahedra = 0;
    int done = 0;
    rill_status st = verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 0.6}}, 0.05, &scene);
    if (!st) {
        scene.gravity = v3(0, -9.81, 0);
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, 0.4, 0.6}}, (velocity_field){0});
    }
    if (!st) st = add_paddle(v, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) before = brochu_of(sim)->volume;
    for (; !st && done < steps; done++) {
        rill_step_stats stats = step_stats_none();
        st = verify_step(sim, sim->method->max_dt(sim), &stats);
        fastest = fmax(fastest, stats.max_speed);
        if (!st) tetrahedra += (double)brochu_now(brochu_of(sim))->tet_count / steps;
    }
    verify_figure(v, "steps done", done, AT_LEAST, steps);
    if (!st) {
        verify_figure(v, "tetrahedra, mean", tetrahedra, REPORT, 0);
        verify_figure(v, "time that they took, s", sim->time, REPORT, 0);
        verify_figure(v, "fastest liquid / 2 sqrt(g H)", fastest / (2 * sqrt(9.81)), AT_MOST, 4);
        verify_figure(v, "volume, change", fabs(brochu_of(sim)->volume / before - 1), AT_MOST, 0.01);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

const verify_case voronoi_paddle = {"voronoi-paddle", "A paddle in a pool, 10,000 steps", methods, run};
