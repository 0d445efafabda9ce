/* The points method where the verification cases do not look: plates thinner than a cell, ceilings, solids
 * that move, full domains, components, emitters, and points that come too near. */
#include "points_scenes.h"

#include <math.h>

static scene_solid *add_box(rill_ctx *ctx, rill_scene *scene, rill_vec3 min, rill_vec3 max)
{
    scene_solid *solid;
    assert_ok(ctx, scene_add_solid(ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_BOX, .box = {min, max}};
    return solid;
}

static points *make(rill_ctx *ctx, rill_scene *scene)
{
    rill_sim *sim = NULL;
    assert_ok(ctx, points_method.create(ctx, scene, &sim));
    return points_of(sim);
}

static rill_step_stats run_to(points *s, double until)
{
    rill_sim *sim = &s->sim;
    rill_step_stats stats = step_stats_none();
    while (sim->time < until - 1e-9) {
        /* No short step at the end: pressures are for a step's length. */
        const double left = until - sim->time, dt = left / ceil(left / points_method.max_dt(sim) - 1e-9);
        stats = step_stats_none();
        assert_ok(sim->ctx, solids_prepare(sim->ctx, &sim->solids, sim->time, dt));
        assert_ok(sim->ctx, points_method.step(sim, dt, &stats));
        sim->time += dt;
        sim->step++;
        assert_true(stats.max_speed < 30);
    }
    return stats;
}

static void finish(rill_ctx *ctx, rill_scene *scene, points *s)
{
    points_method.destroy(&s->sim);
    scene_clear(ctx, scene);
    rill_ctx_destroy(ctx);
}

/* Liquid on one side of a plate a tenth of a spacing thick stays there; what is on both sides is not one
 * component, and levels do not meet. */
static void plates_part(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = points_tank(ctx, dimensions, 1, 1);
        scene.fluid.viscosity = 5; /* the plate leaves gaps in the lattice: it sloshes at first */
        add_box(ctx, &scene, v3(0.498, -1, -9), v3(0.503, 2, 9));
        points_add_liquid(ctx, &scene, (rill_box){{0, 0, -9}, {0.5, 0.6, 9}}, v3(0, 0, 0));
        points_add_liquid(ctx, &scene, (rill_box){{0.5, 0, -9}, {1, 0.3, 9}}, v3(0, 0, 0));
        points *s = make(ctx, &scene);
        size_t left = 0, after = 0;
        for (size_t i = 0; i < s->particles.count; i++) left += s->particles.position[i].x < 0.5;
        const rill_step_stats stats = run_to(s, 1);
        float low = 0, high = 0;
        for (size_t i = 0; i < s->particles.count; i++) {
            const bool here = s->particles.position[i].x < 0.5;
            after += here;
            float *component = here ? &low : &high;
            if (*component == 0) *component = s->component[i];
            assert_true(*component == s->component[i]);
        }
        assert_int_equal(left, after);
        assert_true(low != high);
        assert_true(stats.compression < 0.05);
        /* The pressures on both sides of the plate are those of their own columns. */
        const rill_vec3 x[2] = {{0.45, 0.1, dimensions == 3 ? 0.15 : 0},
                                {0.55, 0.1, dimensions == 3 ? 0.15 : 0}};
        double p[2];
        assert_ok(ctx, points_method.pressure(&s->sim, 2, x, p));
        /* 0.6 and 0.3 deep. */
        const double weight = 1000 * 9.81;
        assert_true(fabs(p[0] / (weight * 0.5) - 1) < 0.05);
        assert_true(fabs(p[1] / (weight * 0.2) - 1) < 0.1);
        finish(ctx, &scene, s);
    }
}

/* A box full to the ceiling, with gravity: at rest, and pressure hangs from nothing but its mean. */
static void full_boxes_rest(void **state)
{
    (void)state;
    for (int filled = 0; filled < 2; filled++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            rill_ctx *ctx = test_ctx(2);
            rill_scene scene = points_tank(ctx, dimensions, 0.5, 0.5);
            points_def_of(&scene)->filled = filled;
            points_add_liquid(ctx, &scene, (rill_box){{0, 0, -9}, {9, 9, 9}}, v3(0, 0, 0));
            points *s = make(ctx, &scene);
            const rill_step_stats stats = run_to(s, 0.3);
            assert_true(stats.max_speed < 1e-4);
            const double z = dimensions == 3 ? 0.15 : 0;
            const rill_vec3 x[2] = {{0.25, 0.1, z}, {0.25, 0.4, z}};
            double p[2];
            assert_ok(ctx, points_method.pressure(&s->sim, 2, x, p));
            assert_true(fabs(p[0] - p[1] - 1000 * 9.81 * 0.3) < 20);
            finish(ctx, &scene, s);
        }
}

/* Thrown against a ceiling, liquid comes down again, all of it. */
static void ceilings_let_go(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = points_tank(ctx, 3, 0.5, 0.6);
    points_add_liquid(ctx, &scene, (rill_box){{0.1, 0.2, 0}, {0.4, 0.45, 0.3}}, v3(0, 3, 0));
    points *s = make(ctx, &scene);
    const size_t count = s->particles.count;
    run_to(s, 0.1);
    double top = 0, mean = 0;
    for (size_t i = 0; i < count; i++) top = fmax(top, s->particles.position[i].y);
    assert_true(top > 0.5);
    run_to(s, 2);
    assert_int_equal(s->particles.count, count);
    for (size_t i = 0; i < count; i++) {
        mean += s->particles.position[i].y / (double)count;
        assert_true(s->particles.position[i].y < 0.55);
    }
    /* 300 of its cells fill 0.15 of the tank's height. */
    assert_true(mean < 0.2);
    finish(ctx, &scene, s);
}

/* A piston halves the box from one side: liquid goes before it and rises. */
static void pistons_push(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = points_tank(ctx, dimensions, 1, 1);
        scene_solid *piston = add_box(ctx, &scene, v3(-1, -1, -9), v3(0.1, 2, 9));
        scene_motion_key key[2] = {{.t = 0}, {.t = 1, .translate = {0.4, 0, 0}}};
        piston->motion.key = mem_alloc(ctx, 2, sizeof *key);
        assert_non_null(piston->motion.key);
        piston->motion.key[0] = key[0];
        piston->motion.key[1] = key[1];
        piston->motion.count = 2;
        piston->motion.smooth = true;
        points_add_liquid(ctx, &scene, (rill_box){{0.1, 0, -9}, {1, 0.2, 9}}, v3(0, 0, 0));
        points *s = make(ctx, &scene);
        const size_t count = s->particles.count;
        const rill_step_stats stats = run_to(s, 1.6);
        double mean = 0;
        for (size_t i = 0; i < s->particles.count; i++) {
            assert_true(s->particles.position[i].x > 0.5);
            mean += s->particles.position[i].y / (double)s->particles.count;
        }
        assert_true((double)s->particles.count > 0.98 * (double)count);
        /* 0.9 wide and 0.2 deep becomes 0.5 wide and 0.36 deep. */
        assert_true(fabs(2 * mean / 0.36 - 1) < 0.08);
        assert_true(stats.compression < 0.05);
        finish(ctx, &scene, s);
    }
}

/* A lone point flies as gravity has it, through to rounding. */
static void lone_points_fly(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = points_tank(ctx, 3, 2, 2);
    points_add_liquid(ctx, &scene, (rill_box){{0.2, 1.0, 0.15}, {0.2 + D, 1.0 + D, 0.2}}, v3(2, 1, 0));
    points *s = make(ctx, &scene);
    assert_int_equal(s->particles.count, 1);
    const rill_vec3 from = s->particles.position[0];
    run_to(s, 0.2);
    const rill_vec3 u = s->particles.velocity[0], x = s->particles.position[0];
    assert_true(fabs(u.x - 2) < 1e-12 && fabs(u.y - (1 - 9.81 * 0.2)) < 1e-12);
    assert_true(fabs(x.x - from.x - 0.4) < 1e-12);
    finish(ctx, &scene, s);
}

/* Two points in one place become one, and the other comes back where there is room. */
static void near_points_merge(void **state)
{
    (void)state;
    for (int insert = 0; insert < 2; insert++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = points_tank(ctx, 3, 0.5, 0.6);
        points_def_of(&scene)->insert = insert;
        points_add_liquid(ctx, &scene, (rill_box){{0, 0, 0}, {0.5, 0.3, 0.3}}, v3(0, 0, 0));
        points *s = make(ctx, &scene);
        const size_t count = s->particles.count;
        s->particles.position[10] = v3_add(s->particles.position[200], v3(0.01 * D, 0, 0));
        /* Restoring volumes would push them apart first. */
        s->def.restore = 0;
        s->def.merge = 0.4;
        run_to(s, 0.3);
        assert_int_equal(s->sim.sources.merged, 1);
        assert_int_equal(s->particles.count, insert ? count : count - 1);
        finish(ctx, &scene, s);
    }
}

/* Poiseuille's flow down a slit between two walls that hold it: u = g (x w - x^2) / (2 nu). */
static void walls_hold(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = points_tank(ctx, 2, 0.5, 0.25);
    scene.gravity = v3(0.02, 0, 0); /* along x, between floor and ceiling */
    scene.domain.max.x = 0.5;
    scene.fluid.viscosity = 0.5;
    scene.fluid.density = 1;
    points_def_of(&scene)->filled = true;
    scene.domain.slip = SLIP_NONE;
    points_add_liquid(ctx, &scene, (rill_box){{0, 0, -9}, {9, 9, 9}}, v3(0, 0, 0));
    points *s = make(ctx, &scene);
    /* The ends are closed: pressure holds the liquid, which must not creep. */
    const rill_step_stats still = run_to(s, 0.3);
    assert_true(still.max_speed < 2e-4); /* it would be at 6e-3 by now */
    finish(ctx, &scene, s);

    /* A shear between a wall that holds and one at rest decays as exp(-nu (pi / 2w)^2 t) or faster; without
     * slip at both, as exp(-nu (pi / w)^2 t). */
    ctx = test_ctx(2);
    scene = points_tank(ctx, 2, 0.4, 0.4);
    scene.gravity = v3(0, 0, 0);
    scene.fluid.density = 1;
    scene.fluid.viscosity = 0;
    scene.domain.slip = SLIP_NONE;
    points_def_of(&scene)->scheme = POINTS_PAPER;
    points_def_of(&scene)->filled = true;
    points_add_liquid(ctx, &scene, (rill_box){{0, 0, -9}, {9, 9, 9}}, v3(0, 0, 0));
    s = make(ctx, &scene);
    for (size_t i = 0; i < s->particles.count; i++) {
        const rill_vec3 x = v3_sub(s->particles.position[i], v3(0.2, 0.2, 0));
        s->particles.velocity[i] = v3(-x.y, x.x, 0);
    }
    run_to(s, 0.02);
    for (size_t i = 0; i < s->particles.count; i++) {
        const rill_vec3 x = s->particles.position[i];
        const bool edge = fmin(fmin(x.x, 0.4 - x.x), fmin(x.y, 0.4 - x.y)) < 0.6 * D;
        if (edge) assert_true(v3_length(s->particles.velocity[i]) < 0.06);
    }
    finish(ctx, &scene, s);
}

/* What comes out of an emitter is what its speed says, and stays whole in the air. */
static void emitters_pour(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = points_tank(ctx, 3, 1, 2);
    scene_emitter *e;
    assert_ok(ctx, scene_add_emitter(ctx, &scene, &e));
    e->shape = (shape){.kind = SHAPE_DISC, .flat = {{0.5, 1.8, 0.15}, {0, -1, 0}, 0.1}};
    e->speed = 2;
    e->end = 0.3;
    points *s = make(ctx, &scene);
    run_to(s, 0.3);
    const double volume = (double)s->particles.count * D * D * D, wanted = M_PI * 0.01 * 0.6;
    assert_true(fabs(volume / wanted - 1) < 0.1);
    for (size_t i = 0; i < s->particles.count; i++) {
        const rill_vec3 x = s->particles.position[i];
        assert_true(hypot(x.x - 0.5, x.z - 0.15) < 0.15);
    }
    finish(ctx, &scene, s);
}

/* Into a box that is full nothing comes, whatever the emitter gives; into one that is nearly full as much as
 * fits. */
static void full_boxes_take_nothing(void **state)
{
    (void)state;
    for (int gap = 0; gap < 2; gap++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = points_tank(ctx, 2, 0.5, 0.5);
        points_add_liquid(ctx, &scene, (rill_box){{0, 0, -9}, {9, gap ? 0.4 : 9, 9}}, v3(0, 0, 0));
        scene_emitter *e;
        assert_ok(ctx, scene_add_emitter(ctx, &scene, &e));
        e->shape = (shape){.kind = SHAPE_DISC, .flat = {{0.25, 0.45, 0}, {0, -1, 0}, 0.1}};
        e->speed = 1;
        points *s = make(ctx, &scene);
        const size_t most = (size_t)(scene.domain.max.x * scene.domain.max.y / (D * D) * 1.01) + 1;
        const size_t first = s->particles.count;
        run_to(s, gap ? 0.6 : 0.2);
        if (s->particles.count > most) fail_msg("%d points, %d fit", (int)s->particles.count, (int)most);
        if (gap) assert_true(s->particles.count > first);
        assert_true(s->told_full);
        finish(ctx, &scene, s);
    }
}

/* Gaps that one row of cells fills, between a wall and a ball or a plate, come to rest in two dimensions:
 * slits that the balls leave at their walls are not air. With air in them the speed was 0.05 to 0.09 sqrt(g
 * depth). */
static void narrow_gaps_rest(void **state)
{
    (void)state;
    const double depth = 0.5, wave = 9.81 * depth;
    for (int plate = 0; plate < 2; plate++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = points_tank(ctx, 2, 1, 1);
        points_def_of(&scene)->jitter = 0.6;
        if (plate)
            add_box(ctx, &scene, v3(1.6 * D, 0.1, -1), v3(0.3, 0.7, 1));
        else {
            scene_solid *ball = add_box(ctx, &scene, v3(0, 0, 0), v3(1, 1, 1));
            ball->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.3 + 1.4 * D, 0.35, 0}, 0.3}};
        }
        points_add_liquid(ctx, &scene, (rill_box){{0, 0, -9}, {1, depth, 9}}, v3(0, 0, 0));
        points *s = make(ctx, &scene);
        run_to(s, 1);
        double square = 0;
        for (int k = 1; k <= 20; k++) {
            run_to(s, 1 + 0.03 * k);
            for (size_t i = 0; i < s->particles.count; i++)
                square += v3_dot(s->particles.velocity[i], s->particles.velocity[i]) /
                          (20 * (double)s->particles.count);
        }
        assert_true(sqrt(square / wave) < 0.03);
        finish(ctx, &scene, s);
    }
}

/* The volume that is told is the liquid's: of a lattice, and of drops, as many volumes as points. */
static void volume_is_the_liquids(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = points_tank(ctx, dimensions, 1, 1);
        scene.gravity = v3(0, 0, 0);
        points_add_liquid(ctx, &scene, (rill_box){{0.2, 0.2, -9}, {0.5, 0.5, 9}}, v3(0, 0, 0));
        points_add_liquid(ctx, &scene, (rill_box){{0.7, 0.7, -9}, {0.75, 0.75, 9}}, v3(0, 0, 0));
        points *s = make(ctx, &scene);
        const double wanted = (double)s->particles.count * pow(D, dimensions);
        const rill_step_stats stats = run_to(s, 0.01);
        assert_true(fabs(stats.volume / wanted - 1) < 1e-9);
        finish(ctx, &scene, s);
    }
}

/* Liquid neither comes to nor goes from a domain that is full; gas does through open sides. */
static void full_domains_are_closed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int what = 0; what < 4; what++) {
        rill_scene scene = points_tank(ctx, 2, 1, 1);
        scene_emitter *e;
        scene_drain *d;
        points_def_of(&scene)->filled = true;
        if (what == 1) scene.domain.open = 1;
        if (what == 2) assert_ok(ctx, scene_add_emitter(ctx, &scene, &e));
        if (what == 3) assert_ok(ctx, scene_add_drain(ctx, &scene, &d));
        const rill_status st = points_method.check(ctx, &scene);
        assert_int_equal(st, what > 1 ? RILL_BAD_SCENE : RILL_OK);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_part),
        cmocka_unit_test(full_boxes_rest),
        cmocka_unit_test(ceilings_let_go),
        cmocka_unit_test(pistons_push),
        cmocka_unit_test(lone_points_fly),
        cmocka_unit_test(near_points_merge),
        cmocka_unit_test(walls_hold),
        cmocka_unit_test(emitters_pour),
        cmocka_unit_test(full_boxes_take_nothing),
        cmocka_unit_test(narrow_gaps_rest),
        cmocka_unit_test(volume_is_the_liquids),
        cmocka_unit_test(full_domains_are_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
