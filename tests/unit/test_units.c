/* What a scene means does not depend on its units, on where the origin is, or on which way is down: grid and
 * points, with solids that stand and move, an emitter, a body, viscosity and surface tension. The same scene
 * in other units must move the same; lengths in powers of four and times in powers of two leave gravity alone
 * and most roundings too. Any tolerance in metres, seconds or kilograms shows here. */
#include "method_scenes.h"
#include "support.h"

#include "grid/state.h"
#include "points/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct units {
    double length, time, mass;
    rill_vec3 origin; /* in spacings */
} units;

typedef struct setting {
    const char *method;
    int dimensions;
    int surface; /* grid */
    bool viscous, tension, body;
} setting;

/* A place of the scene, given in metres, in these units. */
static rill_vec3 place_in(const units *u, double h, bool flat, rill_vec3 x)
{
    const rill_vec3 o = v3_scale(u->origin, h);
    return v3_madd(v3(o.x, o.y, flat ? 0 : o.z), u->length, x);
}

static scene_solid *add_solid(rill_ctx *ctx, rill_scene *scene, shape form)
{
    scene_solid *solid;
    assert_ok(ctx, scene_add_solid(ctx, scene, &solid));
    solid->shape = form;
    return solid;
}

static shape box_in(const units *u, double h, bool flat, rill_vec3 low, rill_vec3 high)
{
    return (shape){.kind = SHAPE_BOX, .box = {place_in(u, h, flat, low), place_in(u, h, flat, high)}};
}

/* Liquid falls from a corner of a tank onto a ball; a wall comes nearer, a jet goes in, a box is afloat. */
static rill_scene scene_in(rill_ctx *ctx, const setting *w, const units *u)
{
    rill_scene scene;
    scene_liquid *liquid;
    scene_emitter *emitter;
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
    const bool flat = w->dimensions == 2;
    const double h = (flat ? 0.05 : 0.1) * u->length;
    scene.method = rill_method_find(w->method);
    scene.dimensions = w->dimensions;
    scene.spacing = h;
    scene.time.fps = 30 / u->time;
    scene.gravity = v3(0, -9.81, 0);
    scene.domain.min = place_in(u, h, flat, v3(0, 0, 0));
    scene.domain.max = place_in(u, h, flat, v3(1.2, 0.9, 0.5));
    if (flat) scene.domain.min.z = -h / 2, scene.domain.max.z = h / 2;
    const double density = u->mass / (u->length * u->length * u->length);
    scene.fluid.density = 1000 * density;
    if (w->viscous) scene.fluid.viscosity = 2 * u->mass / (u->length * u->time);
    if (w->tension) scene.fluid.surface_tension = 0.5 * u->mass / (u->time * u->time);
    assert_ok(ctx, scene_add_liquid(ctx, &scene, &liquid));
    liquid->shape = box_in(u, h, flat, v3(0, 0, flat ? -9 : 0), v3(0.5, 0.6, flat ? 9 : 0.5));
    liquid->velocity.value = v3(0.5 * u->length / u->time, 0, 0);
    const rill_vec3 middle = place_in(u, h, flat, v3(0.8, 0.1, flat ? 0 : 0.25)),
                    nozzle = place_in(u, h, flat, v3(0.813, 0.787, flat ? 0 : 0.263));
    add_solid(ctx, &scene, (shape){.kind = SHAPE_SPHERE, .sphere = {middle, 0.15 * u->length}});
    scene_solid *wall = add_solid(ctx, &scene, box_in(u, h, flat, v3(1.1, -0.1, -9), v3(1.5, 0.5, 9)));
    assert_ok(ctx, MEM_NEW_ZERO(ctx, wall->motion.key, 2));
    wall->motion.count = 2;
    wall->motion.key[1].t = u->time;
    wall->motion.key[1].translate = v3(-0.2 * u->length, 0, 0);
    assert_ok(ctx, scene_add_emitter(ctx, &scene, &emitter));
    emitter->shape = (shape){.kind = SHAPE_DISC,
                             .flat = {.point = nozzle, .normal = {0, -1, 0}, .radius = 0.15 * u->length}};
    emitter->speed = 2 * u->length / u->time;
    emitter->end = SCENE_FOREVER;
    if (w->body) {
        scene_solid *body = add_solid(
            ctx, &scene,
            box_in(u, h, flat, v3(0.213, 0.517, flat ? -9 : 0.113), v3(0.391, 0.683, flat ? 9 : 0.341)));
        body->is_body = true;
        body->body.density = 500 * density;
    }
    if (strcmp(w->method, "grid") == 0)
        ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = w->surface;
    else
        ((points_def *)scene_method_def_of(&scene, "points"))->max_step *= u->time;
    return scene;
}

/* Places of the particles in spacings from the tank's corner, by id. */
static size_t run_in(const setting *w, const units *u, int steps, size_t capacity, rill_vec3 *out)
{
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = scene_in(ctx, w, u);
    rill_sim *sim = method_create(ctx, &scene);
    method_steps(sim, steps);
    rill_view view = {0};
    sim_view(sim, &view);
    const particles *p = view.particles;
    assert_true(p->next_id <= capacity);
    const size_t count = p->count;
    const rill_vec3 corner = place_in(u, scene.spacing, w->dimensions == 2, v3(0, 0, 0));
    for (size_t i = 0; i < count; i++)
        out[p->id[i]] = v3_scale(v3_sub(p->position[i], corner), 1 / scene.spacing);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    return count;
}

static const setting settings[] = {
    {"grid", 2, GRID_PARTICLES, false, false, true},
    {"grid", 3, GRID_PARTICLES, true, false, true},
    {"grid", 2, GRID_PARTICLES, true, true, false},
    {"grid", 2, GRID_MARKERS, false, false, false},
    {"grid", 2, GRID_LEVEL_SET, false, true, false},
    {"grid", 2, GRID_PARTICLE_SET, false, false, true},
    {"points", 2, 0, false, false, true},
    {"points", 3, 0, false, false, false},
    {"points", 2, 0, true, false, true},
};

static void same_in(const units *other, int steps, double tolerance)
{
    enum { CAPACITY = 20000 };
    static rill_vec3 a[CAPACITY], b[CAPACITY];
    static const units usual = {1, 1, 1, {0, 0, 0}};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const setting *w = &settings[k];
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        const size_t na = run_in(w, &usual, steps, CAPACITY, a), nb = run_in(w, other, steps, CAPACITY, b);
        double square = 0; /* single particles may be on a boundary that rounding moves */
        for (size_t i = 0; i < CAPACITY; i++) square += v3_dot(v3_sub(a[i], b[i]), v3_sub(a[i], b[i]));
        const double apart = sqrt(square / (double)na);
        if (getenv("RILL_SHOW")) print_message("%d: %g\n", (int)k, apart);
        if (na != nb || !(apart < tolerance))
            fail_msg("%s %dD, surface %d, setting %d: %d and %d particles, %g spacings apart (rms)",
                     w->method, w->dimensions, w->surface, (int)k, (int)na, (int)nb, apart);
    }
}

static void small_and_large_scenes_move_alike(void **state)
{
    (void)state;
    static const units small = {0x1p-16, 0x1p-8, 0x1p-48, {0, 0, 0}},
                       large = {0x1p12, 0x1p6, 0x1p36, {0, 0, 0}};
    same_in(&small, 8, 1e-6);
    same_in(&large, 8, 1e-6);
}

static void density_does_not_matter(void **state)
{
    (void)state;
    static const units light = {1, 1, 0x1p-10, {0, 0, 0}};
    same_in(&light, 8, 1e-6);
}

static void the_origin_does_not_matter(void **state)
{
    (void)state;
    static const units far = {1, 1, 1, {1 << 18, -(1 << 18), 1 << 16}};
    same_in(&far, 4, 0.02); /* positions are rounded to 4e-11 spacings, and splashes make that grow */
}

/* A pool at rest stays so whichever way is down. */
static void any_way_is_down(void **state)
{
    (void)state;
    static const char *const methods[] = {"grid", "points"};
    for (int m = 0; m < 2; m++)
        for (int d = 2; d <= 3; d++)
            for (int down = 0; down < 2 * d; down++) {
                rill_ctx *ctx = test_ctx(1);
                rill_scene scene;
                scene_liquid *liquid;
                assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
                const double h = d == 2 ? 0.05 : 0.1;
                rill_box box = {{0, 0, 0}, {0.8, 0.8, 0.8}};
                scene.method = rill_method_find(methods[m]);
                scene.dimensions = d;
                scene.spacing = h;
                scene.domain.min = v3(0, 0, d == 2 ? -h / 2 : 0);
                scene.domain.max = v3(0.8, 0.8, d == 2 ? h / 2 : 0.8);
                scene.gravity = v3(0, 0, 0);
                v3_set_axis(&scene.gravity, down / 2, down % 2 ? 9.81 : -9.81);
                if (down % 2)
                    v3_set_axis(&box.min, down / 2, 0.4);
                else
                    v3_set_axis(&box.max, down / 2, 0.4);
                if (d == 2) box.min.z = -9, box.max.z = 9;
                assert_ok(ctx, scene_add_liquid(ctx, &scene, &liquid));
                liquid->shape = (shape){.kind = SHAPE_BOX, .box = {box.min, box.max}};
                rill_sim *sim = method_create(ctx, &scene);
                rill_view view = {0};
                double square = 0;
                method_steps(sim, 20);
                sim_view(sim, &view);
                for (size_t i = 0; i < view.particles->count; i++)
                    square += v3_dot(view.particles->velocity[i], view.particles->velocity[i]);
                const double rms = sqrt(square / (double)view.particles->count) / sqrt(9.81 * 0.4);
                if (!(rms < 0.02)) fail_msg("%s %dD, down %d: rms %g sqrt(g H)", methods[m], d, down, rms);
                sim->method->destroy(sim);
                scene_clear(ctx, &scene);
                rill_ctx_destroy(ctx);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_and_large_scenes_move_alike),
        cmocka_unit_test(density_does_not_matter),
        cmocka_unit_test(the_origin_does_not_matter),
        cmocka_unit_test(any_way_is_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
