/* Gas in the points method: open sides, wind, smoke and its weight; the paper's polyhedral cells; the
 * pressure of the air; momentum of what flies. */
#include "points_scenes.h"

#include "points/bodies.h"
#include "run/stepper.h"

#include <math.h>
#include <string.h>

static scene_smoke *add_smoke(rill_ctx *ctx, rill_scene *scene, rill_box b)
{
    scene_smoke *smoke;
    assert_ok(ctx, scene_add_smoke(ctx, scene, &smoke));
    smoke->shape = (shape){.kind = SHAPE_BOX, .box = {b.min, b.max}};
    return smoke;
}

static points *make(rill_ctx *ctx, rill_scene *scene)
{
    rill_sim *sim = NULL;
    assert_ok(ctx, points_method.check(ctx, scene));
    assert_ok(ctx, points_method.create(ctx, scene, &sim));
    return points_of(sim);
}

static void run_to(points *s, double until)
{
    rill_sim *sim = &s->sim;
    while (sim->time < until - 1e-9) {
        const double left = until - sim->time, dt = left / ceil(left / points_method.max_dt(sim) - 1e-9);
        rill_step_stats stats = step_stats_none();
        assert_ok(sim->ctx, bodies_begin(&sim->bodies, &sim->solids, sim->scene, sim->time, dt));
        assert_ok(sim->ctx, solids_prepare(sim->ctx, &sim->solids, sim->time, dt));
        assert_ok(sim->ctx, points_method.step(sim, dt, &stats));
        sim->time += dt;
        sim->step++;
    }
}

static void finish(rill_ctx *ctx, rill_scene *scene, points *s)
{
    if (s) points_method.destroy(&s->sim);
    scene_clear(ctx, scene);
    rill_ctx_destroy(ctx);
}

/* A domain that is filled is full without a word about liquid, and gas that weighs something rests in it,
 * whichever sides are open. */
static void still_gas_rests(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int k = 0; k < 4; k++) {
            rill_ctx *ctx = test_ctx(1);
            rill_scene scene = points_tank(ctx, dimensions, 0.6, 0.5);
            scene.fill = true;
            scene.domain.open = (uint32_t[]){0, 1u << 1, 1u << 3, 15}[k]; /* none, +x, +y, all of the plane */
            points *s = make(ctx, &scene);
            assert_int_equal(s->particles.count, 12 * 10 * (dimensions == 2 ? 1 : 6));
            run_to(s, 0.2);
            assert_int_equal(s->particles.count, 12 * 10 * (dimensions == 2 ? 1 : 6));
            assert_true(s->max_speed < 1e-5);
            for (size_t i = 0; i < s->particles.count && k; i++) /* p = 0 at the top */
                assert_float_equal(s->pressure[i], 1000 * 9.81 * (0.5 - s->particles.position[i].y), 5);
            finish(ctx, &scene, s);
        }
}

/* Wind through a channel: as many points come as go, and all of them have the wind's speed. */
static void wind_blows_through(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = points_tank(ctx, 2, 1, 0.5);
    scene.fill = true;
    scene.domain.open = 1u << 1;
    add_smoke(ctx, &scene, (rill_box){{-1, -1, -1}, {0.01, 1, 1}})->velocity.value = v3(1, 0, 0);
    scene.smoke[0].density = 0.3;
    points *s = make(ctx, &scene);
    run_to(s, 3); /* from rest: everything starts at once */
    double soot = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        assert_float_equal(s->particles.velocity[i].x, 1, 0.05);
        soot += s->gas.soot[i];
    }
    assert_in_range(s->particles.count, 180, 220); /* two rows */
    /* All that is here now came in, with its soot. */
    assert_float_equal(soot / (double)s->particles.count, 0.3, 1e-3);
    finish(ctx, &scene, s);
}

/* Warm gas rises, and gas with soot sinks. */
static void smoke_has_weight(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = points_tank(ctx, 2, 1, 1);
        scene.fill = true;
        scene.fluid.density = 1.2;
        scene_smoke *m = add_smoke(ctx, &scene, (rill_box){{0.4, 0.4, -1}, {0.6, 0.6, 1}});
        m->end = 1e-3;
        m->temperature = k ? 293.15 : 393.15;
        m->density = k ? 0.4 : 1e-6;
        points *s = make(ctx, &scene);
        run_to(s, 0.4);
        double height = 0, all = 0;
        for (size_t i = 0; i < s->particles.count; i++) {
            height += s->gas.soot[i] * s->particles.position[i].y;
            all += s->gas.soot[i];
        }
        assert_float_equal(all, 16 * m->density, 1e-4 * m->density);
        assert_true(k ? height / all < 0.45 : height / all > 0.55);
        finish(ctx, &scene, s);
    }
}

static points *wind_at_a_ball(rill_ctx *ctx, rill_scene *scene)
{
    *scene = points_tank(ctx, 2, 1, 0.5);
    scene->fill = true;
    scene->fluid.density = 1.2;
    scene->domain.open = 1u << 1 | 1u << 3;
    scene_smoke *m = add_smoke(ctx, scene, (rill_box){{-1, -1, -1}, {0.01, 1, 1}});
    m->velocity.value = v3(1, 0.1, 0);
    m->density = 0.3;
    m->temperature = 350;
    scene_solid *ball;
    assert_ok(ctx, scene_add_solid(ctx, scene, &ball));
    ball->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.4, 0.26, 0}, 0.1}};
    return make(ctx, scene);
}

/* Saved in the middle and gone on with by another simulation with other threads: the same bits. */
static void saved_and_gone_on_with(void **state)
{
    (void)state;
    rill_ctx *ctx[2] = {test_ctx(1), test_ctx(3)};
    rill_scene scene[2];
    points *s[2];
    for (int k = 0; k < 2; k++) s[k] = wind_at_a_ball(ctx[k], &scene[k]);
    sim_state kept;
    sim_state_init(&kept, ctx[0]);
    run_to(s[0], 0.3);
    assert_ok(ctx[0], sim_state_keep(&kept, &s[0]->sim));
    assert_ok(ctx[0], sim_state_restore(&kept, &s[1]->sim));
    for (int k = 0; k < 2; k++) run_to(s[k], 0.6);
    const size_t n = s[0]->particles.count;
    assert_int_equal(n, s[1]->particles.count);
    assert_memory_equal(s[0]->particles.position, s[1]->particles.position, n * sizeof(rill_vec3));
    assert_memory_equal(s[0]->particles.velocity, s[1]->particles.velocity, n * sizeof(rill_vec3));
    assert_memory_equal(s[0]->particles.id, s[1]->particles.id, n * sizeof(uint64_t));
    assert_memory_equal(s[0]->gas.heat, s[1]->gas.heat, n * sizeof(float));
    sim_state_clear(&kept);
    for (int k = 0; k < 2; k++) finish(ctx[k], &scene[k], s[k]);
}

static rill_status two_steps(rill_ctx *ctx, void *user)
{
    (void)user;
    rill_scene scene;
    rill_sim *sim = NULL;
    scene_smoke *smoke;
    TRY(scene_default(ctx, rill_methods, rill_method_count, &scene));
    scene.method = &points_method;
    scene.dimensions = 2;
    scene.spacing = D;
    scene.fill = true;
    scene.domain.min = v3(0, 0, -D / 2);
    scene.domain.max = v3(0.3, 0.2, D / 2);
    scene.domain.open = 1u << 1;
    rill_status st = scene_add_smoke(ctx, &scene, &smoke);
    if (!st) {
        smoke->shape = (shape){.kind = SHAPE_BOX, .box = {{-1, -1, -1}, {0.01, 1, 1}}};
        smoke->velocity.value = v3(1, 0, 0);
        st = sim_start(ctx, &scene, &sim);
    }
    double dt;
    rill_step_stats stats;
    for (int k = 0; k < 3 && !st; k++) st = run_step(sim, 1, 1, &dt, &stats);
    points_method.destroy(sim);
    scene_clear(ctx, &scene);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(1, two_steps, NULL) > 50);
}

/* What the method cannot do it says before it begins. */
static void gas_is_checked(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = points_tank(ctx, 2, 1, 1);
        points_add_liquid(ctx, &scene, (rill_box){{0, 0, -1}, {1, 1, 1}}, v3(0, 0, 0));
        scene.fill = k > 0;
        add_smoke(ctx, &scene, (rill_box){{0.4, 0.4, -1}, {0.6, 0.6, 1}});
        if (k == 1) scene.domain.open = 1, points_def_of(&scene)->scheme = POINTS_PAPER;
        assert_int_equal(points_method.check(ctx, &scene), k == 2 ? RILL_OK : RILL_BAD_SCENE);
        finish(ctx, &scene, NULL);
    }
}

/* ---- not gas ---- */

/* eq. 11: the air's pressure is added to all, and pushes nothing. */
static void air_presses_all_over(void **state)
{
    (void)state;
    points *s[2];
    rill_scene scene[2];
    rill_ctx *ctx[2];
    for (int k = 0; k < 2; k++) {
        ctx[k] = test_ctx(1);
        scene[k] = points_tank(ctx[k], 2, 0.6, 1);
        points_def_of(&scene[k])->air = k ? 1e5 : 0;
        points_def_of(&scene[k])->tolerance = 1e-10;
        points_add_liquid(ctx[k], &scene[k], (rill_box){{0, 0, -1}, {0.3, 0.5, 1}}, v3(0, 0, 0));
        s[k] = make(ctx[k], &scene[k]);
        run_to(s[k], 0.1);
    }
    assert_int_equal(s[0]->particles.count, s[1]->particles.count);
    for (size_t i = 0; i < s[0]->particles.count; i++) {
        assert_true(v3_distance(s[0]->particles.velocity[i], s[1]->particles.velocity[i]) < 1e-6);
        assert_float_equal(s[1]->pressure[i] - s[0]->pressure[i], 1e5, 1);
    }
    const rill_vec3 far = {0.55, 0.95, 0};
    double p;
    assert_ok(ctx[1], points_method.pressure(&s[1]->sim, 1, &far, &p));
    assert_float_equal(p, 1e5, 1e-6);
    for (int k = 0; k < 2; k++) finish(ctx[k], &scene[k], s[k]);
}

static void cells_of(points *s)
{
    rill_ctx *ctx = s->sim.ctx;
    assert_ok(ctx, solids_prepare(ctx, &s->sim.solids, 0, 0.01));
    assert_ok(ctx, points_sort(s));
    assert_ok(ctx, points_diagram(s, 0));
    assert_ok(ctx, points_clip(s, 0));
    assert_ok(ctx, points_join(s, 0));
}

/* 3.2 as published: cells are polyhedra inside of the exact ones at the surface, the same within, closed;
 * what has all its corners outside has no cell, and flies. */
static void published_cells_are_polyhedra(void **state)
{
    (void)state;
    double volume[2][64];
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = points_tank(ctx, 3, 0.9, 0.9);
        scene.domain.max.z = 0.9;
        points_def_of(&scene)->scheme = POINTS_PAPER;
        points_def_of(&scene)->clipping = k ? POINTS_BALLS : POINTS_POLYHEDRA;
        points_add_liquid(ctx, &scene, (rill_box){{0.3, 0.3, 0.3}, {0.5, 0.5, 0.5}}, v3(0, 0, 0));
        points_add_liquid(ctx, &scene, (rill_box){{0.75, 0.75, 0.75}, {0.8, 0.8, 0.8}}, v3(0, 1, 0));
        points *s = make(ctx, &scene);
        assert_int_equal(s->particles.count, 65);
        cells_of(s);
        for (uint32_t i = 0; i < 65; i++) {
            const points_cell *c = &s->mesh.cell[i];
            rill_vec3 sum = c->air_area;
            for (uint32_t e = c->begin; e < c->end; e++) {
                const points_face *f = &s->mesh.face[s->mesh.link[e]];
                sum = v3_madd(sum, f->a == i ? 1 : -1, points_shape(s, f)->area);
            }
            assert_true(v3_length(sum) < 1e-9 * D * D);
            if (s->particles.position[i].x > 0.7)
                assert_true(k ? c->volume > D * D * D : c->volume == 0 && c->joined == 0);
            else if (s->particles.id[i] < 64)
                volume[k][s->particles.id[i]] = c->volume;
        }
        points_forget(s);
        scene.gravity = v3(0, 0, 0);
        run_to(s, 0.02); /* and steps can be taken */
        for (size_t i = 0; i < s->particles.count; i++)
            if (s->particles.id[i] == 64) assert_float_equal(s->particles.position[i].y, 0.795, 1e-9);
        finish(ctx, &scene, s);
    }
    for (int i = 0; i < 64; i++) {
        const int at[3] = {i % 4, i / 4 % 4, i / 16};
        const bool inner = at[0] % 3 && at[1] % 3 && at[2] % 3;
        if (inner)
            assert_float_equal(volume[0][i], volume[1][i], 1e-9 * D * D * D);
        else
            assert_true(volume[0][i] > 0.2 * D * D * D && volume[0][i] < volume[1][i]);
    }
}

/* A drop that turns and a body in it, which drags when it has no slip: nothing of their momentum is lost,
 * whatever the steps do to the points. */
static void drops_keep_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        const int dimensions = k % 2 ? 3 : 2;
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = points_tank(ctx, dimensions, 1, 1);
        if (dimensions == 3) scene.domain.max.z = 1;
        scene.gravity = v3(0, k < 4 ? -2 : 0, 0);
        const double z = dimensions == 2 ? 0 : 0.5;
        scene_liquid *l = points_add_liquid(ctx, &scene, (rill_box){{0, 0, 0}, {1, 1, 1}}, v3(0.2, 0.5, 0));
        l->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.5, z}, 0.3}};
        scene_solid *solid = NULL;
        if (k > 1) {
            assert_ok(ctx, scene_add_solid(ctx, &scene, &solid));
            solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0, 0, 0}, 0.12}};
            solid->transform.translate = v3(0.55, 0.5, z);
            solid->is_body = true;
            solid->body.density = 500;
            solid->body.velocity = v3(-0.3, 0.1, 0);
            solid->body.spin = v3(0, 0, 4);
        }
        if (k > 3) {
            scene.fluid.viscosity = 5;
            solid->slip = SLIP_NONE;
        }
        points *s = make(ctx, &scene);
        const double one = 1000 * D * D * (dimensions == 2 ? 1 : D);
        rill_vec3 linear[2], angular[2];
        double mass = 0, spin = 4;
        for (int step = 0; step < 2; step++) {
            linear[step] = angular[step] = v3(0, 0, 0);
            mass = one * (double)s->particles.count;
            for (size_t i = 0; i < s->particles.count; i++) {
                const rill_vec3 p = v3_scale(s->particles.velocity[i], one);
                linear[step] = v3_add(linear[step], p);
                angular[step] = v3_add(angular[step], v3_cross(s->particles.position[i], p));
            }
            if (solid) {
                const rigid_body *b = &s->sim.bodies.world.body[0];
                const rill_vec3 p = v3_scale(b->velocity, b->mass);
                mass += b->mass;
                spin = b->spin.z;
                linear[step] = v3_add(linear[step], p);
                angular[step] = v3_add(angular[step], v3_cross(b->center, p));
                angular[step].z += b->inertia[2][2] * b->spin.z;
            }
            if (step == 0) run_to(s, 0.1);
        }
        const rill_vec3 gained = v3_sub(linear[1], linear[0]);
        assert_float_equal(gained.x / mass, 0, 1e-9);
        assert_float_equal(gained.y / mass, scene.gravity.y * 0.1, 1e-9);
        if (k > 3) assert_float_equal((angular[1].z - angular[0].z) / mass, 0, 1e-9);
        if (solid) assert_true(k > 3 ? spin < 3 : spin > 3.99);
        finish(ctx, &scene, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_gas_rests),        cmocka_unit_test(wind_blows_through),
        cmocka_unit_test(smoke_has_weight),       cmocka_unit_test(gas_is_checked),
        cmocka_unit_test(saved_and_gone_on_with), cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(air_presses_all_over),   cmocka_unit_test(published_cells_are_polyhedra),
        cmocka_unit_test(drops_keep_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
