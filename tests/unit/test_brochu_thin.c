/* The voronoi method where liquid is thin or steps are long: films on walls, softened tension, reflection. */
#include "mesh_makers.h"
#include "method_scenes.h"
#include "support.h"

#include "base/arena.h"
#include "io/scene_file.h"
#include "voronoi/tension.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void read_scene(rill_ctx *ctx, const char *json, rill_scene *scene)
{
    assert_ok(ctx,
              scene_parse(ctx, "thin", json, strlen(json), rill_methods, rill_method_count, NULL, scene));
}

static brochu *make_scene(rill_ctx *ctx, const char *json, rill_scene *scene)
{
    read_scene(ctx, json, scene);
    return brochu_of(method_create(ctx, scene));
}

static double step(brochu *s, double dt)
{
    rill_step_stats stats = step_stats_none();
    assert_ok(s->sim.ctx, s->sim.method->step(&s->sim, dt, &stats));
    s->sim.time += dt;
    return stats.max_speed;
}

/* A sheet of liquid, 0.03 spacings thick, that slides along the floor at 1 m/s: nothing makes it faster. */
static void films_on_walls_are_stable(void **state)
{
    (void)state;
    static const char film[] =
        "{ \"rill\": 1, \"name\": \"film\", \"method\": \"voronoi\", \"spacing\": 0.1,\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [2,1,1] }, \"time\": { \"frames\": 2, \"fps\": 30 },\n"
        "  \"voronoi\": { \"jitter\": 0.3 },\n"
        "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.7,0.3,1] } },\n"
        "                \"velocity\": [1,0,0] } ] }";
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    read_scene(ctx, film, &scene);
    scene.liquid[0].shape.box.max.y = 0.003; /* the scene's own check would refuse it */
    brochu *s = brochu_of(method_create(ctx, &scene));
    const double before = s->volume;
    double most = 0;
    for (int i = 0; i < 30; i++) most = fmax(most, step(s, 0.02));
    print_message("film of 0.03 spacings: largest speed %.3f of 1 m/s, volume %+.2g\n", most,
                  s->volume / before - 1);
    assert_true(most < 1.5);
    assert_true(fabs(s->volume / before - 1) < 0.01);
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* A ball that falls on the floor stops there, and keeps its volume when nothing leads it back: the air below
 * it has its velocity, so that the surface reaches the floor (half of it ran through without), liquid samples
 * lie opposite to air samples in the wedge at the contact line, and that line goes as fast as the surface
 * comes down. */
static void balls_stop_at_the_floor(void **state)
{
    (void)state;
    static const char ball[] =
        "{ \"rill\": 1, \"name\": \"ball\", \"method\": \"voronoi\", \"spacing\": 0.04,\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [1.2,0.8,1.2] }, \"time\": { \"frames\": 2, \"fps\": 30 "
        "},\n"
        "  \"voronoi\": { \"keep_volume\": false },\n"
        "  \"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [0.6,0.22,0.6], \"radius\": 0.2 } },\n"
        "                \"velocity\": [0,-1.8,0] } ] }";
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    brochu *s = make_scene(ctx, ball, &scene);
    const double before = s->volume;
    while (s->sim.time < 0.1) (void)step(s, s->sim.method->max_dt(&s->sim));
    print_message("a ball on the floor: volume %+.3f\n", s->volume / before - 1);
    assert_true(fabs(s->volume / before - 1) < 0.015);
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static rill_vec3 spreading(void *user, rill_vec3 x)
{
    (void)user;
    return v3(2 * (x.x - 1), -4 * x.y, 2 * (x.z - 1));
}

/* A square film of 0.1 spacings on the floor that spreads: without weight its parts keep their speed, so that
 * it is 1.5 times as wide after 0.25 s, and 0.44 times as high. Nothing leads its volume back. */
static void films_spread(void **state)
{
    (void)state;
    static const char film[] =
        "{ \"rill\": 1, \"name\": \"film\", \"method\": \"voronoi\", \"spacing\": 0.06,\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [2,0.6,2] }, \"gravity\": [0,0,0],\n"
        "  \"voronoi\": { \"keep_volume\": false },\n"
        "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0.6,0,0.6], \"max\": [1.4,0.3,1.4] } } } ] }";
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    const double thick = 0.006, until = 0.25, wider = 1.5;
    read_scene(ctx, film, &scene);
    scene.liquid[0].shape.box.max.y = thick; /* the scene's own check would refuse it */
    scene.liquid[0].velocity = (velocity_field){.function = spreading};
    brochu *s = brochu_of(method_create(ctx, &scene));
    const double before = s->volume;
    while (s->sim.time < until - 1e-9)
        (void)step(s, fmin(s->sim.method->max_dt(&s->sim), until - s->sim.time));
    double height = 0, widest = 0;
    int inner = 0;
    for (size_t v = 0; v < s->view.vertex_count; v++) {
        const rill_vec3 x = s->view.position[v];
        const double away = fmax(fabs(x.x - 1), fabs(x.z - 1));
        widest = fmax(widest, away);
        if (!(x.y > 0) || away > 0.8 * 0.4 * wider) continue;
        height += x.y;
        inner++;
    }
    height *= wider * wider / (thick * inner);
    print_message("a film that spreads: height %.3f, width %.3f of what they are to be, volume %+.3f\n",
                  height, widest / (0.4 * wider), s->volume / before - 1);
    assert_true(fabs(height - 1) < 0.03);
    assert_true(fabs(widest / (0.4 * wider) - 1) < 0.1 &&
                fabs(s->volume / before - 1) < 0.15); /* the rim is a wedge then */
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* The filter of softened tension on a sphere, whose second harmonic has the Laplacian -6: a constant passes,
 * the harmonic is divided by 1 + b^2 36. */
static void waves_are_softened(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    trimesh m = make_icosphere(ctx, 1, 4);
    double *value;
    assert_ok(ctx, MEM_NEW(ctx, value, m.vertex_count));
    for (size_t v = 0; v < m.vertex_count; v++) value[v] = 2;
    assert_ok(ctx, brochu_soften_values(&arena, &m, 0.3, value));
    for (size_t v = 0; v < m.vertex_count; v++) assert_true(fabs(value[v] - 2) < 1e-7);
    static const double bs[] = {0.02, 0.1, 0.5};
    for (int k = 0; k < 3; k++) {
        double sum = 0, all = 0;
        for (size_t v = 0; v < m.vertex_count; v++) value[v] = 1.5 * m.position[v].y * m.position[v].y - 0.5;
        assert_ok(ctx, brochu_soften_values(&arena, &m, bs[k], value));
        for (size_t v = 0; v < m.vertex_count; v++) {
            const double is = 1.5 * m.position[v].y * m.position[v].y - 0.5;
            sum += is * value[v];
            all += is * is;
        }
        const double exact = 1 / (1 + 36 * bs[k] * bs[k]);
        assert_true(fabs(sum / all / exact - 1) < 0.03);
    }
    /* No wave turns faster than the step can follow, and a step a hundredth as long changes nothing. */
    const double b = brochu_soft_length2(1, 1, 1);
    for (double q = 0.1; q < 100; q *= 1.1) assert_true(q * q * q / (1 + b * b * q * q * q * q) < 2.001);
    assert_true(brochu_soft_length2(1, 1, 0.01) < 0.01 * b);
    mem_free(ctx, value);
    trimesh_clear(ctx, &m);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static const char pool_text[] =
    "{ \"rill\": 1, \"name\": \"pool\", \"method\": \"voronoi\", \"spacing\": 0.1,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] }, \"time\": { \"frames\": 2, \"fps\": 30 },\n"
    "  \"voronoi\": { \"jitter\": 0.25, \"reflection\": true },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [1,0.53,1] } } } ] }";

/* With reflection a pool stays at rest and has the pressure of its depth, and a block falls with g. */
static void reflection_keeps_rest_and_fall(void **state)
{
    (void)state;
    static const char block[] =
        "{ \"rill\": 1, \"name\": \"block\", \"method\": \"voronoi\", \"spacing\": 0.1,\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [1,3,1] }, \"time\": { \"frames\": 2, \"fps\": 30 },\n"
        "  \"voronoi\": { \"reflection\": true },\n"
        "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0.3,2.2,0.3], \"max\": [0.7,2.6,0.7] } } } ] }";
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    brochu *s = make_scene(ctx, pool_text, &scene);
    double most = 0, p;
    const rill_vec3 deep = {0.5, 0.23, 0.5};
    for (int i = 0; i < 10; i++) most = fmax(most, step(s, 0.01));
    assert_true(most < 1e-9);
    assert_ok(ctx, s->sim.method->pressure(&s->sim, 1, &deep, &p));
    assert_true(fabs(p / (1000 * 9.81 * 0.3) - 1) < 1e-3);
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    s = make_scene(ctx, block, &scene);
    for (int i = 1; i <= 10; i++) assert_true(fabs(step(s, 0.01) / (9.81 * 0.01 * i) - 1) < 1e-9);
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(films_on_walls_are_stable),
        cmocka_unit_test(balls_stop_at_the_floor),
        cmocka_unit_test(films_spread),
        cmocka_unit_test(waves_are_softened),
        cmocka_unit_test(reflection_keeps_rest_and_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
