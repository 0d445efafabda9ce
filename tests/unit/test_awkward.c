/* Scenes that once broke grid and points: emitters at walls, liquid in wedges far from what moves, walls that
 * hold liquid, liquid too far away to be counted in cells. */
#include "method_scenes.h"
#include "support.h"

#include "grid/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rill_scene tank(rill_ctx *ctx, const char *method, double spacing)
{
    rill_scene scene;
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
    scene.method = rill_method_find(method);
    scene.dimensions = 2;
    scene.spacing = spacing;
    scene.domain.min = v3(0, 0, -spacing / 2);
    scene.domain.max = v3(1, 1, spacing / 2);
    return scene;
}

static void add_liquid(rill_ctx *ctx, rill_scene *scene, rill_box box)
{
    scene_liquid *liquid;
    assert_ok(ctx, scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {box.min, box.max}};
}

static void add_jet(rill_ctx *ctx, rill_scene *scene, rill_vec3 point, rill_vec3 normal, double speed)
{
    scene_emitter *emitter;
    assert_ok(ctx, scene_add_emitter(ctx, scene, &emitter));
    emitter->shape = (shape){.kind = SHAPE_DISC, .flat = {.point = point, .normal = normal, .radius = 0.1}};
    emitter->speed = speed;
    emitter->end = SCENE_FOREVER;
}

static scene_solid *add_solid(rill_ctx *ctx, rill_scene *scene, shape form)
{
    scene_solid *solid;
    assert_ok(ctx, scene_add_solid(ctx, scene, &solid));
    solid->shape = form;
    return solid;
}

static rill_sim *run_to(rill_ctx *ctx, const rill_scene *scene, double until)
{
    rill_sim *sim = method_create(ctx, scene);
    while (sim->time < until) assert_ok(ctx, method_step(sim));
    return sim;
}

static const particles *particles_of(const rill_sim *sim)
{
    rill_view view = {0};
    sim_view(sim, &view);
    return view.particles;
}

static void finish(rill_ctx *ctx, rill_scene *scene, rill_sim *sim)
{
    sim->method->destroy(sim);
    scene_clear(ctx, scene);
    rill_ctx_destroy(ctx);
}

static const struct {
    const char *method;
    int surface; /* grid */
} ways[] = {
    {"grid", GRID_PARTICLES}, {"grid", GRID_MARKERS}, {"grid", GRID_LEVEL_SET}, {"points", 0}, {"sph", 0}};

/* A disc in the plane of a side, or on the face of a solid: all that it gives flies on at its speed. The wall
 * held it: grid gave a fifth of the flow, points nothing. */
static void emitters_in_walls_give_their_flow(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (int place = 0; place < 3; place++) {
            rill_ctx *ctx = test_ctx(1);
            rill_scene scene = tank(ctx, ways[k].method, 0.02);
            if (k < 3) ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = ways[k].surface;
            scene.gravity = v3(0, 0, 0);
            const double x = place == 0 ? 0 : place == 1 ? 0.01 : 0.2;
            if (place == 2)
                add_solid(ctx, &scene, (shape){.kind = SHAPE_BOX, .box = {{-1, 0.2, -1}, {0.2, 0.8, 1}}});
            add_jet(ctx, &scene, v3(x, 0.5, 0), v3(1, 0, 0), 2);
            rill_sim *sim = run_to(ctx, &scene, 0.25);
            const particles *p = particles_of(sim);
            const double each = pow(scene_particle_spacing(&scene), 2), volume = (double)p->count * each;
            double speed = 0, far = 0;
            for (size_t i = 0; i < p->count; i++) {
                speed += p->velocity[i].x / (double)p->count;
                far = fmax(far, p->position[i].x);
            }
            if (!(fabs(volume / (0.4 * sim->time) - 1) < 0.08 && fabs(speed - 2) < 0.06 && far > x + 0.45))
                fail_msg("%s, surface %d, place %d: %g m2 for %g, mean speed %g, as far as %g",
                         ways[k].method, ways[k].surface, place, volume, 0.4 * sim->time, speed, far);
            finish(ctx, &scene, sim);
        }
}

/* A jet that meets a wall within the step in which it comes out loses nothing. */
static void jets_reach_walls_in_a_step(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k += 3) { /* grid, points */
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = tank(ctx, ways[k].method, 0.04);
        add_jet(ctx, &scene, v3(0.5, 0.06, 0), v3(0, -1, 0), 4);
        rill_sim *sim = run_to(ctx, &scene, 0.1);
        const double volume = (double)(particles_of(sim)->next_id) * pow(scene_particle_spacing(&scene), 2),
                     given = 0.8 * sim->time;
        if (!(fabs(volume / given - 1) < 0.1)) fail_msg("%s: %g m2 of %g", ways[k].method, volume, given);
        finish(ctx, &scene, sim);
    }
}

/* A wave runs into the wedge between a ball and the floor while a wall moves somewhere else: that crushes
 * nothing. */
static void wedges_are_not_jaws(void **state)
{
    (void)state;
    for (int surface = GRID_PARTICLES; surface <= GRID_PARTICLE_SET; surface++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = tank(ctx, "grid", 0.05);
        ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = surface;
        scene.domain.max.x = 1.5;
        add_liquid(ctx, &scene, (rill_box){{0, 0, -1}, {0.5, 0.6, 1}});
        scene.liquid[0].velocity.value = v3(0.5, 0, 0);
        add_solid(ctx, &scene, (shape){.kind = SHAPE_SPHERE, .sphere = {{0.8, 0.1, 0}, 0.15}});
        scene_solid *wall =
            add_solid(ctx, &scene, (shape){.kind = SHAPE_BOX, .box = {{1.4, 0.5, -1}, {1.6, 0.9, 1}}});
        assert_ok(ctx, MEM_NEW_ZERO(ctx, wall->motion.key, 2));
        wall->motion.count = 2;
        wall->motion.key[1].t = 1;
        wall->motion.key[1].translate = v3(-0.1, 0, 0);
        finish(ctx, &scene, run_to(ctx, &scene, 0.4));
    }
}

/* Liquid beyond what cells are counted to is an error of the scene, not a simulation that blew up. */
static void cells_that_cannot_be_counted(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = tank(ctx, "grid", 1e-3);
    scene.domain.max = v3(1e6, 1, 5e-4);
    add_liquid(ctx, &scene, (rill_box){{999999, 0, -1}, {999999.1, 0.1, 1}});
    rill_sim *sim = method_create(ctx, &scene);
    assert_int_equal(method_step(sim), RILL_BAD_SCENE);
    assert_non_null(strstr(rill_ctx_message(ctx), "make the domain smaller"));
    finish(ctx, &scene, sim);
}

/* Sides without slip are for every method with viscosity; points refused them. */
static void sides_without_slip(void **state)
{
    (void)state;
    static const char *const methods[] = {"grid", "points", "sph"};
    for (int m = 0; m < 3; m++) {
        char written[400];
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene;
        const int n =
            snprintf(written, sizeof written,
                     "{ \"rill\": 1, \"method\": \"%s\", \"spacing\": 0.1, \"dimensions\": 2,"
                     "  \"domain\": { \"min\": [0,0], \"max\": [1,1], \"slip\": \"none\" },"
                     "  \"fluid\": { \"viscosity\": 10 },"
                     "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0], \"max\": [0.5,0.5] } } } ] }",
                     methods[m]);
        assert_ok(
            ctx, scene_parse(ctx, "slip", written, (size_t)n, rill_methods, rill_method_count, NULL, &scene));
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitters_in_walls_give_their_flow),
        cmocka_unit_test(jets_reach_walls_in_a_step),
        cmocka_unit_test(wedges_are_not_jaws),
        cmocka_unit_test(cells_that_cannot_be_counted),
        cmocka_unit_test(sides_without_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
