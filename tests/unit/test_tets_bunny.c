/* The bunny of scenes/tets_bunny.json ([Klingner06] figure 6), coarse; skipped without its mesh
 * (scripts/fetch_meshes.sh). */
#include "support.h"

#include "io/scene_file.h"
#include "run/registry.h"
#include "run/stepper.h"
#include "tets/state.h"

#include <stdio.h>

static void open_scene(rill_ctx *ctx, double density, double spacing, rill_scene *scene, rill_sim **sim)
{
    assert_ok(ctx,
              scene_read(ctx, RILL_SCENES "/tets_bunny.json", rill_methods, rill_method_count, NULL, scene));
    scene->solids[0].body.density = density;
    scene->spacing = spacing;
    scene->smoke_count = 0;
    assert_ok(ctx, sim_start(ctx, scene, sim));
}

static void go_on(rill_ctx *ctx, rill_sim *sim, double until)
{
    while (sim->time < until) {
        rill_step_stats stats;
        double dt;
        assert_ok(ctx, run_step(sim, 0.3, until, &dt, &stats));
    }
}

/* It falls as its weight, less that of the air it displaces, moves it and half of that air: the added mass
 * of a ball, of which the bunny's differs by some ten percent. */
static void a_heavy_bunny_falls(void **state)
{
    (void)state;
    FILE *mesh = fopen(RILL_SCENES "/../build/meshes/bunny.obj", "r");
    if (!mesh) skip();
    fclose(mesh);
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    rill_sim *sim;
    open_scene(ctx, 100, 0.1, &scene, &sim);
    const double ratio = 100 / 1.2, until = 0.2, a = 9.81 * (ratio - 1) / (ratio + 0.5);
    go_on(ctx, sim, until);
    const double speed = -sim->bodies.world.body[0].velocity.y;
    print_message("speed of the fall over that of theory: %.3f\n", speed / (a * until));
    assert_true(fabs(speed / (a * until) - 1) < 0.1); /* at a ratio of 10, and as coarse, it is 0.85 */
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_heavy_bunny_falls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
