/* The force on solids that gauges show is the momentum that the liquid loses to them, step by step; what
 * emitters may not give. */
#include "sph_sims.h"

#include "flow/gauges.h"
#include "run/stepper.h"

#include <math.h>
#include <string.h>

static const double spacing = 0.04;

static char *text_of(rill_ctx *ctx, const char *given)
{
    char *made = mem_text(ctx, given);
    assert_non_null(made);
    return made;
}

/* A weightless drop that meets a disc and nothing else, with a gauge of the force on it. */
static rill_scene drop_on_disc(rill_ctx *ctx, int solver, int levels, int integrator, double viscosity)
{
    rill_scene scene = {0};
    scene_liquid *liquid;
    scene_solid *solid;
    scene_gauge *gauge;
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
    scene.method = &sph_method;
    scene.dimensions = 2;
    scene.spacing = spacing;
    scene.gravity = v3(0, 0, 0);
    scene.domain.min = v3(-2, -2, -spacing / 2);
    scene.domain.max = v3(2, 2, spacing / 2);
    scene.fluid.viscosity = viscosity;
    assert_ok(ctx, scene_add_liquid(ctx, &scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.1, 0.45, 0}, 0.3}};
    liquid->velocity.value = v3(0.4, -1.5, 0);
    assert_ok(ctx, scene_add_solid(ctx, &scene, &solid));
    solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0, 0, 0}, 0.2}};
    solid->friction = viscosity > 0 ? 0 : 0.2;
    solid->slip = viscosity > 0 ? SLIP_NONE : SLIP_FREE;
    mem_free(ctx, solid->name);
    solid->name = text_of(ctx, "disc");
    assert_ok(ctx, scene_add_gauge(ctx, &scene, &gauge));
    gauge->kind = GAUGE_FORCE;
    mem_free(ctx, gauge->name);
    gauge->name = text_of(ctx, "F");
    mem_free(ctx, gauge->solid);
    gauge->solid = text_of(ctx, "disc");
    def_of(&scene)->solver = solver;
    def_of(&scene)->levels = levels;
    def_of(&scene)->integrator = integrator;
    return scene;
}

/* Momentum, and angular momentum about the origin, where the disc's pivot is. */
static void momentum_of(const sph *s, double out[3])
{
    const particle_sizes sizes = s->ops->sizes(s);
    memset(out, 0, 3 * sizeof *out);
    for (size_t i = 0; i < s->particles.count; i++) {
        const double mass = ldexp(s->model.mass, sizes.class_number ? (int)sizes.class_number[i] : 0);
        const rill_vec3 x = s->particles.position[i], v = s->particles.velocity[i];
        out[0] += mass * v.x;
        out[1] += mass * v.y;
        out[2] += mass * (x.x * v.y - x.y * v.x);
    }
}

static void force_is_momentum_lost(void **state)
{
    (void)state;
    static const struct {
        int solver, levels, integrator;
        double viscosity;
    } how[] = {{SPH_DFSPH, 0, 0, 0},
               {SPH_DFSPH, 0, 0, 5},
               {SPH_TAIT, 0, SPH_SYMPLECTIC, 0},
               {SPH_TAIT, 0, SPH_LEAPFROG, 0},
               {SPH_DFSPH, 2, 0, 0}};
    for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene =
            drop_on_disc(ctx, how[k].solver, how[k].levels, how[k].integrator, how[k].viscosity);
        sph *s = make_sim(ctx, &scene);
        double before[3], after[3], force[3], pushed = 0;
        s->sim.speed_limit = 1000;
        momentum_of(s, before);
        for (int step = 0; step < 120; step++) {
            double dt;
            rill_step_stats stats;
            assert_ok(ctx, run_step(&s->sim, 1, 10, &dt, &stats));
            assert_ok(ctx, gauges_read(&s->sim, force));
            momentum_of(s, after);
            const double scale = fabs(before[1]) + 1;
            for (int c = 0; c < 2; c++)
                assert_true(fabs(before[c] - after[c] - dt * force[c]) < 2e-5 * scale);
            pushed += dt * force[1];
            memcpy(before, after, sizeof before);
        }
        assert_true(pushed < -10); /* N s a metre: it was hit */
        throw_away(ctx, &scene, s);
    }
}

/* A box without space: nothing comes out, and the run goes on. */
static void blocked_emitters_stop(void **state)
{
    (void)state;
    for (int solver = SPH_DFSPH; solver <= SPH_TAIT; solver++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = {0};
        scene_liquid *liquid;
        scene_emitter *e;
        assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
        scene.method = &sph_method;
        scene.dimensions = 2;
        scene.spacing = spacing;
        scene.domain.min = v3(0, 0, -spacing / 2);
        scene.domain.max = v3(0.4, 0.4, spacing / 2);
        assert_ok(ctx, scene_add_liquid(ctx, &scene, &liquid));
        liquid->shape = box_shaped(v3(0, 0, -1), v3(0.4, 0.4, 1));
        assert_ok(ctx, scene_add_emitter(ctx, &scene, &e));
        e->shape = (shape){.kind = SHAPE_DISC, .flat = {{0.2, 0.3, 0}, {0, -1, 0}, 0.08}};
        e->speed = 2;
        def_of(&scene)->solver = solver;
        sph *s = make_sim(ctx, &scene);
        const size_t count = s->particles.count;
        s->sim.speed_limit = 1000;
        while (s->sim.time < 0.1) {
            double dt;
            rill_step_stats stats;
            assert_ok(ctx, run_step(&s->sim, 1, 0.1, &dt, &stats));
        }
        assert_int_equal(s->particles.count, count);
        assert_true(s->nozzles.told & 1);
        throw_away(ctx, &scene, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_is_momentum_lost),
        cmocka_unit_test(blocked_emitters_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
