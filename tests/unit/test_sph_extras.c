/* Thick liquids, surface tension, vorticity confinement and drag of the air in sph. */
#include "sph_sims.h"

#include "base/random.h"
#include "flow/snapshot.h"

#include <stdlib.h>
#include <string.h>

/* A box of liquid from 0 to `size` in a wide domain, spacing 0.1 m, no gravity. */
static void make_scene(rill_ctx *ctx, int dimensions, rill_vec3 size, rill_scene *scene)
{
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->dimensions = dimensions;
    scene->spacing = 0.1;
    scene->gravity = v3(0, 0, 0);
    scene->domain.min = v3(-10, -10, dimensions == 2 ? -0.05 : -10);
    scene->domain.max = v3(20, 20, dimensions == 2 ? 0.05 : 20);
    if (dimensions == 2) size.z = 1;
    scene_liquid *liquid;
    assert_ok(ctx, scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, dimensions == 2 ? -1 : 0}, size}};
}

/* Lists, densities, and what the extra passes need, for the particles as they are. */
static void prepare(rill_ctx *ctx, sph *s)
{
    assert_ok(ctx, uniform_sort(s));
    uniform_walls(s, 0, 0);
    assert_ok(ctx, pairs_prepare(s));
    for (size_t i = 0; i < s->particles.count; i++) {
        s->step.velocity[i][3] = 1 / s->density[i];
        for (int c = 0; c < 4; c++) s->step.force[i][c] = 0;
    }
    assert_ok(ctx, viscous_pairs_prepare(s));
}

static rill_vec3 mean_force(const sph *s, double *scale)
{
    rill_vec3 sum = {0, 0, 0};
    *scale = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        const rill_vec3 a = force_of(s, i);
        sum = v3_add(sum, a);
        *scale += v3_length(a) / (double)s->particles.count;
    }
    return v3_scale(sum, 1 / (double)s->particles.count);
}

/* -- viscosity ------------------------------------------------------------------------ */

/* (1 + dt L) v of the sums over all pairs, in double. */
static rill_vec3 brute_operator(const sph *s, size_t i, double dt)
{
    const particles *p = &s->particles;
    rill_vec3 a = p->velocity[i];
    for (size_t j = 0; j < p->count; j++)
        if (j != i) a = v3_madd(a, -dt, brute_viscosity(s, i, j));
    const wall_share w =
        walls_at(&s->model.walls, &s->sim.solids, s->sim.scene->gravity, p->position[i], v3(0, 0, 0), 0, 0);
    const rill_vec3 n = v3_unit(w.gradient), v = p->velocity[i];
    return v3_madd(a, dt * s->model.kinematic * w.drag, v3_madd(v, -v3_dot(v, n), n));
}

/* The solve undone by the operator gives back the velocities before it: every kernel, next
 * to a wall that does not slip, at 30 times the explicit limit. */
static void viscosity_solves_all_pairs(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int kind = 0; kind < SPH_KERNELS; kind++) {
            rill_scene scene = {0};
            make_scene(ctx, dimensions, v3(dimensions == 2 ? 2 : 0.9, 0.9, 0.9), &scene);
            def_of(&scene)->kernel = kind;
            def_of(&scene)->viscosity_tolerance = 1e-5;
            scene.fluid.viscosity = 50;
            scene_solid *plate;
            assert_ok(ctx, scene_add_solid(ctx, &scene, &plate));
            plate->shape = (shape){.kind = SHAPE_BOX, .box = {{-5, -2, -5}, {5, 0, 5}}};
            plate->slip = SLIP_NONE;
            sph *s = make_sim(ctx, &scene);
            disturb(s, 0.05, dimensions);
            prepare(ctx, s);
            const size_t n = s->particles.count;
            rill_vec3 *before = malloc(n * sizeof *before);
            memcpy(before, s->particles.velocity, n * sizeof *before);
            const double dt = 30 * viscous_limit(s), energy = kinetic(s);
            assert_true(s->step.drag != NULL);
            assert_ok(ctx, uniform_viscosity(s, dt));
            double worst = 0, largest = 0;
            for (size_t i = 0; i < n; i++) {
                worst = fmax(worst, v3_distance(brute_operator(s, i, dt), before[i]));
                largest = fmax(largest, v3_length(before[i]));
            }
            assert_true(worst < 2e-4 * largest);
            assert_true(kinetic(s) < energy);
            free(before);
            sph_method.destroy(&s->sim);
            scene_clear(ctx, &scene);
        }
    rill_ctx_destroy(ctx);
}

/* At a small step both forms are one, to the order of the step. */
static void implicit_meets_explicit(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = {0};
    make_scene(ctx, 3, v3(0.9, 0.9, 0.9), &scene);
    scene.fluid.viscosity = 50;
    sph *s = make_sim(ctx, &scene);
    def_of(&scene)->damping = s->def.damping = 0;
    disturb(s, 0.05, 3);
    prepare(ctx, s);
    const double dt = 1e-4 * viscous_limit(s);
    s->def.viscosity_tolerance = 1e-6;
    uniform_pair_forces(s);
    const size_t n = s->particles.count;
    rill_vec3 *before = malloc(n * sizeof *before);
    memcpy(before, s->particles.velocity, n * sizeof *before);
    const rill_vec3 momentum = mean_velocity(s);
    assert_ok(ctx, uniform_viscosity(s, dt));
    double worst = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        const rill_vec3 a = force_of(s, i);
        worst = fmax(worst, v3_distance(v3_scale(v3_sub(s->particles.velocity[i], before[i]), 1 / dt), a));
        largest = fmax(largest, v3_length(a));
    }
    assert_true(worst < 1e-3 * largest);
    assert_float_equal(v3_distance(mean_velocity(s), momentum), 0, 1e-8);
    free(before);
    throw_away(ctx, &scene, s);
}

/* A shear wave u = cos(k y) in a long strip that does not move, far from its ends, on the
 * lattice. Each step multiplies it by 1 / (1 + rate dt), whatever the step. Backward Euler itself
 * is slow at 100 times the limit: 0.72 of exp(-nu k^2 t)'s rate. */
static void shear_decays_at_any_step(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int times = 1; times <= 100; times *= 10) {
        rill_scene scene = {0};
        make_scene(ctx, 2, v3(12, 2, 0), &scene);
        scene.fluid.viscosity = 50;
        sph *s = make_sim(ctx, &scene);
        const double k = M_PI / 2, dt = times * viscous_limit(s), rate = s->model.kinematic * k * k;
        const int steps = 300 / times;
        for (size_t i = 0; i < s->particles.count; i++)
            s->particles.velocity[i] = v3(cos(k * s->particles.position[i].y) + 10, 0, 0);
        double energy = kinetic(s);
        const rill_vec3 momentum = mean_velocity(s);
        for (int n = 0; n < steps; n++) {
            prepare(ctx, s);
            assert_ok(ctx, uniform_viscosity(s, dt));
            assert_true(kinetic(s) <= energy * (1 + 1e-7));
            energy = kinetic(s);
        }
        double amplitude = 0, norm = 0;
        for (size_t i = 0; i < s->particles.count; i++) {
            const rill_vec3 x = s->particles.position[i];
            if (fabs(x.x - 6) > 0.5) continue;
            amplitude += cos(k * x.y) * (s->particles.velocity[i].x - 10);
            norm += cos(k * x.y) * cos(k * x.y);
        }
        const double measured = -log(amplitude / norm) / (steps * dt);
        const double law = log(1 + rate * dt) / dt;
        print_message("step %3d x limit: decay %.4f of nu k^2, %.4f of backward Euler's; %d iterations\n",
                      times, measured / rate, measured / law, s->step.viscous_iterations);
        assert_true(fabs(measured / law - 1) < 0.03);
        assert_float_equal(v3_distance(mean_velocity(s), momentum), 0, 1e-6);
        sph_method.destroy(&s->sim);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

/* A thick block on a plate: steps as long as without viscosity, and no energy appears. */
static void thick_liquid_takes_long_steps(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int solver = SPH_DFSPH; solver <= SPH_TAIT; solver++) {
        rill_scene scene = {0};
        make_scene(ctx, 2, v3(2, 2, 0), &scene);
        scene.domain.min.y = 0;
        scene.gravity = v3(0, -9.81, 0);
        scene.fluid.viscosity = 5000;
        def_of(&scene)->solver = solver;
        def_of(&scene)->viscosity = SPH_EXPLICIT;
        sph *thin = make_sim(ctx, &scene);
        def_of(&scene)->viscosity = SPH_AUTO;
        sph *s = make_sim(ctx, &scene);
        assert_true(sph_method.max_dt(&thin->sim) <= 0.1251 * 0.01 / 5);
        take_steps(ctx, s, 100);
        assert_true(sph_method.max_dt(&s->sim) > 2 * sph_method.max_dt(&thin->sim));
        assert_true(s->max_speed < 2);
        for (size_t i = 0; i < s->particles.count; i++) assert_true(s->particles.position[i].y < 2.1);
        sph_method.destroy(&s->sim);
        sph_method.destroy(&thin->sim);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

/* -- surface tension ------------------------------------------------------------------ */

/* Pair forces against all pairs, and no net force. */
static void tension_matches_all_pairs(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int kind = 0; kind < SPH_KERNELS; kind++) {
            rill_scene scene = {0};
            make_scene(ctx, dimensions, v3(dimensions == 2 ? 2 : 0.8, 0.8, 0.8), &scene);
            def_of(&scene)->kernel = kind;
            scene.fluid.surface_tension = 10;
            sph *s = make_sim(ctx, &scene);
            disturb(s, 0.05, dimensions);
            prepare(ctx, s);
            assert_ok(ctx, uniform_tension(s));
            const size_t n = s->particles.count;
            const rill_vec3 *x = s->particles.position;
            const double R = s->model.kernel.support;
            rill_vec3 *normal = calloc(n, sizeof *normal);
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < n; j++) {
                    const rill_vec3 d = v3_sub(x[i], x[j]);
                    normal[i] = v3_madd(normal[i],
                                        R * s->model.calibration * s->model.volume *
                                            kernel_dw_over_r(&s->model.kernel, v3_length(d)),
                                        d);
                }
            double worst = 0, largest = 0, scale;
            for (size_t i = 0; i < n; i++) {
                rill_vec3 a = {0, 0, 0};
                for (size_t j = 0; j < n; j++) {
                    const rill_vec3 d = v3_sub(x[i], x[j]);
                    const double r = v3_length(d);
                    if (i == j || r >= R) continue;
                    const double K = 2000 / ((double)s->density[i] + (double)s->density[j]);
                    a = v3_madd(a, -K * s->uniform->tension.cohesion * tension_cohesion(r / R) / r, d);
                    a = v3_madd(a, -K * s->uniform->tension.area, v3_sub(normal[i], normal[j]));
                }
                worst = fmax(worst, v3_distance(a, force_of(s, i)));
                largest = fmax(largest, v3_length(a));
            }
            assert_true(worst < 2e-5 * largest);
            const rill_vec3 net = mean_force(s, &scale);
            assert_true(v3_length(net) < 1e-6 * scale);
            free(normal);
            sph_method.destroy(&s->sim);
            scene_clear(ctx, &scene);
        }
    rill_ctx_destroy(ctx);
}

/* Distance of the farthest particle from the middle, over the radius of a ball of that volume. */
static double farthest(const sph *s)
{
    rill_vec3 middle = {0, 0, 0};
    double most = 0;
    const double n = (double)s->particles.count, dim = s->model.kernel.dimensions;
    for (size_t i = 0; i < s->particles.count; i++) middle = v3_madd(middle, 1 / n, s->particles.position[i]);
    for (size_t i = 0; i < s->particles.count; i++)
        most = fmax(most, v3_distance(middle, s->particles.position[i]));
    return most / (dim == 2 ? sqrt(n * s->model.volume / M_PI) : cbrt(n * s->model.volume * 3 / (4 * M_PI)));
}

static void cube_becomes_round(void **state)
{
    (void)state;
    if (unless_sanitized(0, 1)) skip(); /* thousands of steps of what the others see in a few */
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_scene scene = {0};
        make_scene(ctx, dimensions, dimensions == 2 ? v3(2, 2, 0) : v3(1, 1, 1), &scene);
        scene.fluid.surface_tension = 100;
        scene.fluid.viscosity = 20;
        sph *s = make_sim(ctx, &scene);
        const double before = farthest(s);
        const rill_vec3 momentum = mean_velocity(s);
        while (s->sim.time < (dimensions == 2 ? 6 : 4)) take_steps(ctx, s, 10);
        const double after = farthest(s);
        print_message("%dD: farthest particle %.3f, then %.3f radii, speed %.4f\n", dimensions, before, after,
                      s->max_speed);
        assert_true(before > 1.15 && after < 1.06);
        assert_float_equal(v3_distance(mean_velocity(s), momentum), 0, 1e-4);
        sph_method.destroy(&s->sim);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

/* Frequency of the second mode of a drop that has come to rest and is given a push:
 * omega^2 = 6 gamma / (rho r^3) in two dimensions, 8 in three (Rayleigh), corrected for the decay. */
static double mode_of(const sph *s)
{
    double mode = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        const rill_vec3 x = s->particles.position[i];
        mode += x.x * x.x - (s->model.kernel.dimensions == 2 ? x.y * x.y : 0.5 * (x.y * x.y + x.z * x.z));
    }
    return mode / (double)s->particles.count;
}

static double tension_by_oscillation(rill_ctx *ctx, int dimensions, int cells)
{
    const double gamma = 100;
    rill_scene scene = {0};
    make_scene(ctx, dimensions, v3(0, 0, 0), &scene);
    scene.liquid[0].shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0, 0, 0}, cells * 0.1}};
    scene.fluid.surface_tension = gamma;
    def_of(&scene)->damping = 0;
    sph *s = make_sim(ctx, &scene);
    const double volume = (double)s->particles.count * s->model.volume;
    const double r = dimensions == 2 ? sqrt(volume / M_PI) : cbrt(volume * 3 / (4 * M_PI));
    const double omega = sqrt((dimensions == 2 ? 6 : 8) * gamma / (1000 * r * r * r));
    s->model.kinematic = 0.1; /* thick, until it has come to rest */
    scene.fluid.viscosity = 100;
    while (s->sim.time * omega < 2 * M_PI) take_steps(ctx, s, 1);
    const double noise = sqrt(kinetic(s) / (double)s->particles.count), rest = mode_of(s);
    s->model.kinematic = 0;
    scene.fluid.viscosity = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        const rill_vec3 x = s->particles.position[i];
        s->particles.velocity[i] =
            v3_scale(dimensions == 2 ? v3(x.x, -x.y, 0) : v3(x.x, -x.y / 2, -x.z / 2), 0.15 * omega);
    }
    s->max_speed = 0.2 * r * omega;
    /* extremes of the mode: half periods apart */
    double at[3] = {0}, value[3] = {0}, best = -1;
    int found = 0;
    const double begin = s->sim.time;
    double crossing[4] = {0}, last = 1;
    int crossings = 0;
    while (crossings < 2 && (s->sim.time - begin) * omega < 4 * 2 * M_PI) {
        take_steps(ctx, s, 1);
        const double m = mode_of(s) - rest, sign = found % 2 ? -1 : 1;
        if (sign * m > best) {
            best = sign * m;
            at[found] = s->sim.time;
            value[found] = best;
        }
        if ((m < 0) != (last < 0)) {
            crossing[crossings++] = s->sim.time;
            found++;
            best = -1;
        }
        last = m;
    }
    const double half = crossing[1] - crossing[0], delta = log(value[0] / value[1]) / (at[1] - at[0]);
    const double measured = (pow(M_PI / half, 2) + delta * delta) / (omega * omega);
    print_message("%dD drop, radius %d spacings: tension %.3f of gamma; decay %.2f per period, noise at rest "
                  "%.4f of sqrt(gamma / rho r)\n",
                  dimensions, cells, measured, delta * 2 * M_PI / omega, noise / sqrt(gamma / (1000 * r)));
    sph_method.destroy(&s->sim);
    scene_clear(ctx, &scene);
    return measured;
}

static void drop_oscillates(void **state)
{
    (void)state;
    if (unless_sanitized(0, 1)) skip();
    rill_ctx *ctx = test_ctx(2);
    const double two = tension_by_oscillation(ctx, 2, 12), three = tension_by_oscillation(ctx, 3, 8);
    assert_true(two > 0.7 && two < 1.4);
    assert_true(three > 0.9 && three < 1.1);
    rill_ctx_destroy(ctx);
}

/* A drop set on a plate spreads with adhesion and beads without. */
static void adhesion_spreads_a_drop(void **state)
{
    (void)state;
    if (unless_sanitized(0, 1)) skip();
    rill_ctx *ctx = test_ctx(2);
    double width[3], height[3];
    for (int k = 0; k < 3; k++) {
        rill_scene scene = {0};
        make_scene(ctx, 2, v3(3, 1, 0), &scene);
        scene.domain.min.y = 0;
        scene.fluid.surface_tension = 100;
        scene.fluid.viscosity = 20;
        def_of(&scene)->adhesion = 0.5 * k;
        sph *s = make_sim(ctx, &scene);
        while (s->sim.time < 8) take_steps(ctx, s, 10);
        rill_box b = box_empty();
        for (size_t i = 0; i < s->particles.count; i++) b = box_with(b, s->particles.position[i]);
        width[k] = b.max.x - b.min.x;
        height[k] = b.max.y - b.min.y;
        print_message("adhesion %.1f: %.2f wide, %.2f high, lowest %.3f\n", 0.5 * k, width[k], height[k],
                      b.min.y);
        sph_method.destroy(&s->sim);
        scene_clear(ctx, &scene);
    }
    assert_true(width[0] < width[1] && width[1] < width[2]);
    assert_true(height[0] > height[1] && height[1] > height[2]);
    rill_ctx_destroy(ctx);
}

/* -- vorticity and air ---------------------------------------------------------------- */

/* Taylor and Green's vortex in a box: energy after a while, without confinement and with it. */
static void vorticity_keeps_energy(void **state)
{
    (void)state;
    if (unless_sanitized(0, 1)) skip();
    rill_ctx *ctx = test_ctx(2);
    double kept[3];
    for (int k = 0; k < 3; k++) {
        rill_scene scene = {0};
        make_scene(ctx, 2, v3(3, 3, 0), &scene);
        scene.domain.min = v3(0, 0, -0.05);
        scene.domain.max = v3(3, 5, 0.05);
        scene.gravity = v3(0, -9.81, 0); /* pressure everywhere: nothing opens */
        def_of(&scene)->vorticity = 0.5 * k;
        sph *s = make_sim(ctx, &scene);
        for (size_t i = 0; i < s->particles.count; i++) {
            const rill_vec3 x = v3_scale(s->particles.position[i], M_PI / 3);
            s->particles.velocity[i] = v3(sin(x.x) * cos(x.y), -cos(x.x) * sin(x.y), 0);
        }
        if (k) {
            double scale;
            prepare(ctx, s);
            assert_ok(ctx, uniform_vorticity(s));
            const rill_vec3 net = mean_force(s, &scale);
            assert_true(scale > 0 && v3_length(net) < 1e-6 * scale);
        }
        const double energy = kinetic(s);
        while (s->sim.time < 0.6) step_by(ctx, s, 0.002);
        kept[k] = kinetic(s) / energy;
        print_message("vorticity %.1f: %.3f of the energy after 0.6 s\n", 0.5 * k, kept[k]);
        sph_method.destroy(&s->sim);
        scene_clear(ctx, &scene);
    }
    assert_true(kept[0] < kept[1] && kept[1] < kept[2]);
    rill_ctx_destroy(ctx);
}

static void drop_falls_at_terminal_speed(void **state)
{
    (void)state;
    if (unless_sanitized(0, 1)) skip();
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int solver = SPH_DFSPH; solver <= SPH_TAIT; solver++) {
            rill_scene scene = {0};
            make_scene(ctx, dimensions, v3(0.1, 0.1, 0.1), &scene);
            scene.domain.min.y = -1000;
            scene.gravity = v3(0, -9.81, 0);
            scene.spacing = 0.01;
            scene.liquid[0].shape.box = (shape_box){{0, 0, -0.01}, {0.01, 0.01, 0.01}};
            if (dimensions == 3) scene.liquid[0].shape.box.min.z = 0;
            def_of(&scene)->air_drag = 0.47;
            def_of(&scene)->solver = solver;
            def_of(&scene)->sound_speed = 30;
            sph *s = make_sim(ctx, &scene);
            assert_int_equal(s->particles.count, 1);
            const double volume = dimensions == 2 ? 1e-4 : 1e-6, mass = 1000 * volume;
            const double area =
                dimensions == 2 ? 2 * sqrt(volume / M_PI) : M_PI * pow(volume / (4.0 / 3 * M_PI), 2.0 / 3);
            const double terminal = sqrt(2 * mass * 9.81 / (1.2 * 0.47 * area));
            s->particles.velocity[0] = v3(0, -0.8 * terminal, 0);
            while (s->sim.time < 6) step_by(ctx, s, 0.001);
            assert_float_equal(-s->particles.velocity[0].y / terminal, 1, 0.003);
            sph_method.destroy(&s->sim);
            scene_clear(ctx, &scene);
        }
    rill_ctx_destroy(ctx);
}

/* -- all of it ------------------------------------------------------------------------ */

static void make_everything(rill_ctx *ctx, int solver, rill_scene *scene)
{
    make_scene(ctx, 3, v3(1.2, 1.2, 1.2), scene);
    scene->domain.min = v3(0, 0, 0);
    scene->domain.max = v3(3, 3, 1.2);
    scene->gravity = v3(0, -9.81, 0);
    scene->fluid.viscosity = 200;
    scene->fluid.surface_tension = 5;
    sph_def *d = def_of(scene);
    d->solver = solver;
    d->viscosity = SPH_IMPLICIT;
    d->vorticity = 0.5;
    d->air_drag = 0.47;
    scene->domain.friction = 0.2;
    scene_solid *plate; /* thin, and in the middle of the liquid */
    assert_ok(ctx, scene_add_solid(ctx, scene, &plate));
    plate->shape = (shape){.kind = SHAPE_BOX, .box = {{0.6, 0.3, -1}, {0.61, 0.9, 2}}};
    plate->friction = 0.5;
}

static void assert_same_particles(const particles *a, const particles *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->position, b->position, a->count * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, a->count * sizeof *a->velocity);
    assert_memory_equal(a->id, b->id, a->count * sizeof *a->id);
    for (uint32_t c = 0; c < a->column_count; c++)
        assert_memory_equal(a->column[c].value, b->column[c].value, a->count * sizeof(float));
}

/* Threads, and a state saved half way, change no bit. */
static void results_are_the_same(void **state)
{
    (void)state;
    for (int solver = SPH_DFSPH; solver <= SPH_TAIT; solver++) {
        sph *s[4];
        rill_scene scene[4] = {0};
        rill_ctx *ctx[4];
        for (int k = 0; k < 4; k++) {
            ctx[k] = test_ctx(k < 3 ? k + 1 : 2);
            make_everything(ctx[k], solver, &scene[k]);
            s[k] = make_sim(ctx[k], &scene[k]);
            if (k == 3) { /* goes on from where the third was saved */
                snapshot saved;
                snapshot_init(&saved, ctx[3]);
                sph *half = make_sim(ctx[3], &scene[3]);
                take_steps(ctx[3], half, 10);
                assert_ok(ctx[3], sph_method.save(&half->sim, &saved.writer));
                assert_ok(ctx[3], sph_method.load(&s[3]->sim, &saved.reader));
                s[3]->sim.time = half->sim.time;
                s[3]->sim.step = half->sim.step;
                snapshot_clear(&saved);
                sph_method.destroy(&half->sim);
            }
            take_steps(ctx[k], s[k], k == 3 ? 10 : 20);
            if (k) assert_same_particles(&s[0]->particles, &s[k]->particles);
        }
        for (int k = 0; k < 4; k++) throw_away(ctx[k], &scene[k], s[k]);
    }
}

static void failing_allocations_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    make_everything(ctx, SPH_DFSPH, &scene);
    every_allocation_fails(2, sph_created_and_stepped, &scene);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(viscosity_solves_all_pairs),
        cmocka_unit_test(implicit_meets_explicit),
        cmocka_unit_test(shear_decays_at_any_step),
        cmocka_unit_test(thick_liquid_takes_long_steps),
        cmocka_unit_test(tension_matches_all_pairs),
        cmocka_unit_test(cube_becomes_round),
        cmocka_unit_test(drop_oscillates),
        cmocka_unit_test(adhesion_spreads_a_drop),
        cmocka_unit_test(vorticity_keeps_energy),
        cmocka_unit_test(drop_falls_at_terminal_speed),
        cmocka_unit_test(results_are_the_same),
        cmocka_unit_test(failing_allocations_are_told),
    };
    return cmocka_run_group_tests_name("sph_extras", tests, NULL, NULL);
}
