/* What dfsph repeats between particles of several sizes, against plain loops over all pairs; momentum; fields
 * that corrected gradients see exactly; what is taken out of velocities, and what is not; threads, and
 * failing allocations. */
#include "sph_sims.h"

#include "sph/sized/sized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A block with levels that grow to the right, in a domain without walls nearby or just around it. */
static sph *graded_block(rill_ctx *ctx, rill_scene *scene, int dimensions, bool walled)
{
    const double deep = dimensions == 2 ? 1 : 0;
    const rill_vec3 size = v3(1, 0.8, dimensions == 2 ? deep : 0.6);
    const rill_box wide = {{-4, -4, -4}, {4, 4, 4}}, tight = {{0, 0, 0}, size};
    *scene = sized_scene(ctx, dimensions, 0.1, walled ? tight : wide, box_shaped(v3(0, 0, -deep), size), 4);
    def_of(scene)->solver = SPH_DFSPH;
    scene->gravity = v3(0, 0, 0);
    sph *s = make_sim(ctx, scene);
    disturb(s, 0.03, dimensions);
    for (size_t i = 0; i < s->particles.count; i++) {
        const int l =
            (int)fmin(fmax(s->sized->class_count * s->particles.position[i].x, 0), s->sized->class_count - 1);
        s->sized->class_number[i] = (float)l;
        s->sized->spacing[i] = (float)s->sized->size_class[l].spacing;
    }
    sized_invalidate(s);
    s->step.dt = 1e-3;
    assert_ok(ctx, sized_sort(s));
    sized_walls(s, 0, s->step.dt);
    return s;
}

static double value_at(size_t i, uint32_t salt)
{
    return sin(12.9898 * (double)i + salt);
}

/* C V_j L_i grad W(x_ij, R_i), L as the step found it. */
static rill_vec3 gradient(const sph *s, size_t i, size_t j, size_t whose)
{
    const rill_vec3 d = v3_sub(s->particles.position[i], s->particles.position[j]);
    const double r = v3_length(d), w = kernel_dw_over_r(&size_class_of(s, whose)->kernel, r);
    const double volume = s->model.calibration * size_class_of(s, j)->volume;
    const float *m = s->solve.correction[0][whose], *o = s->solve.correction[1][whose];
    const rill_vec3 g = v3_scale(d, i == j ? 0 : volume * w);
    return v3((double)m[0] * g.x + (double)o[0] * g.y + (double)o[2] * g.z,
              (double)o[0] * g.x + (double)m[1] * g.y + (double)o[1] * g.z,
              (double)o[2] * g.x + (double)o[1] * g.y + (double)m[2] * g.z);
}

/* Halves have 11 bits. */
static const double rounding = 2e-3;

static void sums_by_all_pairs(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = {0};
        sph *s = graded_block(ctx, &scene, dimensions, false);
        const size_t n = s->particles.count;
        assert_ok(ctx, pairs_prepare(s));
        pairs_correct(s);
        for (size_t i = 0; i < n; i++) {
            double density = 0;
            for (size_t j = 0; j < n; j++)
                density += size_class_of(s, j)->mass *
                           kernel_w(&size_class_of(s, i)->kernel,
                                    v3_distance(s->particles.position[i], s->particles.position[j]));
            assert_true(fabs(s->model.calibration * density / (double)s->density[i] - 1) < 1e-5);
            s->solve.k[i] = (float)(1.5 + value_at(i, 1));
        }
        pairs_accelerate(s, s->solve.k);
        rill_vec3 momentum = {0, 0, 0};
        double total = 0, most = 0;
        for (size_t i = 0; i < n; i++) most = fmax(most, v3_length(force_of(s, i)));
        for (size_t i = 0; i < n; i++) {
            rill_vec3 a = {0, 0, 0};
            for (size_t j = 0; j < n; j++) {
                a = v3_madd(a, -(double)s->solve.k[i], gradient(s, i, j, i));
                a = v3_madd(a, -(double)s->solve.k[j], gradient(s, i, j, j));
            }
            assert_true(v3_distance(a, force_of(s, i)) < rounding * most);
            momentum = v3_madd(momentum, size_class_of(s, i)->mass, force_of(s, i));
            total += size_class_of(s, i)->mass * v3_length(force_of(s, i));
        }
        assert_true(v3_length(momentum) < 1e-6 * total);

        /* D of that force is minus the transpose's: sum m k D(a) = -sum m a.a */
        pairs_job rate = {.s = s, .use = PAIRS_RATE, .vector = (const float(*)[4])s->step.force};
        pairs_divergence(&rate);
        double work = 0, square = 0;
        for (size_t i = 0; i < n; i++) {
            double d = 0;
            for (size_t j = 0; j < n; j++)
                d += v3_dot(v3_sub(force_of(s, i), force_of(s, j)), gradient(s, i, j, i));
            assert_true(fabs(d - (double)s->solve.target[i]) < rounding * most / scene.spacing);
            work += size_class_of(s, i)->mass * (double)s->solve.k[i] * (double)s->solve.target[i];
            square += size_class_of(s, i)->mass * v3_dot(force_of(s, i), force_of(s, i));
        }
        assert_true(fabs(work / square + 1) < 1e-5);

        /* One k alone moves its own D by what the factor says. */
        for (size_t one = 0; one < n; one += n / 5) {
            memset(s->solve.k, 0, n * sizeof *s->solve.k);
            s->solve.k[one] = 1;
            pairs_accelerate(s, s->solve.k);
            pairs_divergence(&rate);
            assert_true(fabs(-(double)s->solve.target[one] * (double)s->solve.factor[one] - 1) < 1e-3);
        }
        throw_away(ctx, &scene, s);
    }
}

/* The pairs of a step are those that the larger of the two kernels reaches, once each, also when the lists
 * are those of other places. */
static void pairs_within_reach(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = {0};
        sph *s = graded_block(ctx, &scene, dimensions, false);
        const size_t n = s->particles.count;
        for (size_t i = 0; i < n; i++) s->particles.position[i].x += 2e-3 * value_at(i, 5);
        assert_ok(ctx, sized_sort(s));
        assert_true(v3_distance(s->sized->kept.position[0], s->particles.position[0]) >
                    0); /* they still serve */
        assert_ok(ctx, sized_find_step_pairs(s));
        const step_pairs *p = &s->sized->step.pairs;
        uint8_t *met = calloc(n + 1, 1);
        size_t mixed = 0;
        for (size_t i = 0; i < n; i++) {
            memset(met, 0, n + 1);
            for (size_t e = 8 * (size_t)p->first[i]; e < 8 * (size_t)p->first[i + 1]; e++) {
                const uint32_t who = p->id[e];
                const unsigned size = p->sizes[e / 8] >> 4 * (e % 8) & 15;
                assert_true(who <= n && size == s->sized->size[who]);
                assert_true(who == n || !met[who]);
                met[who] = 1;
            }
            for (size_t j = 0; j < n; j++) {
                const double reach =
                    fmax(size_class_of(s, i)->kernel.support, size_class_of(s, j)->kernel.support);
                const double d = v3_distance(s->particles.position[i], s->particles.position[j]);
                if (fabs(d / reach - 1) < 1e-5) continue; /* rounding may decide */
                assert_int_equal(met[j], i != j && d < reach);
                mixed += met[j] && s->sized->size[i] != s->sized->size[j];
            }
        }
        assert_true(mixed > n);
        free(met);
        throw_away(ctx, &scene, s);
    }
}

/* Viscosity between sizes is the same for both ends, too. */
static void viscous_momentum(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = {0};
    sph *s = graded_block(ctx, &scene, 3, false);
    scene.fluid.viscosity = 1;
    s->model.damping_speed = 10;
    assert_ok(ctx, pairs_prepare(s));
    for (size_t i = 0; i < s->particles.count; i++) s->step.velocity[i][3] = 1 / s->density[i];
    assert_ok(ctx, sized_forces(s, 0));
    rill_vec3 momentum = {0, 0, 0};
    double total = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        momentum = v3_madd(momentum, size_class_of(s, i)->mass, force_of(s, i));
        total += size_class_of(s, i)->mass * v3_length(force_of(s, i));
    }
    assert_true(total > 0);
    assert_true(v3_length(momentum) < 1e-6 * total);
    throw_away(ctx, &scene, s);
}

/* A pool that falls over: a few steps, the first of which resample. */
static rill_scene pool_scene(rill_ctx *ctx)
{
    const rill_box domain = {{0, 0, 0}, {3, 2, 0}};
    rill_scene scene = sized_scene(ctx, 2, 0.05, domain, box_shaped(v3(0, 0, -1), v3(1.5, 1.5, 1)), 4);
    def_of(&scene)->solver = SPH_DFSPH;
    return scene;
}

static void same_bits_for_any_threads(void **state)
{
    (void)state;
    rill_vec3 *places[2];
    size_t count[2];
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(1 + 3 * k);
        rill_scene scene = pool_scene(ctx);
        sph *s = make_sim(ctx, &scene);
        for (int step = 0; step < 8; step++) step_by(ctx, s, 2e-3);
        count[k] = s->particles.count;
        places[k] = malloc(count[k] * sizeof *places[k]);
        memcpy(places[k], s->particles.position, count[k] * sizeof *places[k]);
        throw_away(ctx, &scene, s);
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(places[0], places[1], count[0] * sizeof *places[0]);
    free(places[0]);
    free(places[1]);
}

static void failing_allocations(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = pool_scene(ctx);
    scene.spacing = 0.1;
    every_allocation_fails(2, sph_created_and_stepped, &scene);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Densities ahead are those of particles that have gone there. */
static void density_ahead(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = {0};
        sph *s = graded_block(ctx, &scene, dimensions, true);
        const size_t n = s->particles.count;
        const double dt = s->step.dt;
        assert_ok(ctx, pairs_prepare(s));
        pairs_correct(s);
        for (size_t i = 0; i < n; i++) s->solve.k[i] = (float)(0.5 * fabs(value_at(i, 2)));
        pairs_look_ahead(s, dt);
        pairs_shift(s, s->solve.k, dt, 0.2);
        pairs_job j = {.s = s, .k = s->solve.k, .scale = (float)(dt * dt), .rest = 1};
        pairs_squeeze(&j);
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            rill_vec3 to[2];
            for (size_t q = 0; q < n; q++) {
                const size_t who[2] = {i, q};
                for (int e = 0; e < 2; e++)
                    to[e] = v3_madd(v3_madd(s->particles.position[who[e]], dt, s->particles.velocity[who[e]]),
                                    dt * dt, force_of(s, who[e]));
                sum += size_class_of(s, q)->volume *
                       kernel_w(&size_class_of(s, i)->kernel, v3_distance(to[0], to[1]));
            }
            const wall_share w =
                walls_at(&size_class_of(s, i)->walls, &s->sim.solids, v3(0, 0, 0), to[0], v3(0, 0, 0), 0, dt);
            assert_true(fabs(s->model.calibration * (sum + w.density) - 1 - (double)s->solve.residual[i]) <
                        2e-4);
        }
        throw_away(ctx, &scene, s);
    }
}

static rill_vec3 turning(rill_vec3 x)
{
    return v3(0.3 - 2 * x.y, 2 * x.x + 0.1, 0);
}

/* What calm does to velocities: nothing to a turning block, little to a long wave, much to noise; momentum is
 * kept and energy does not grow. */
static void calm_takes_noise(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = {0};
        sph *s = graded_block(ctx, &scene, dimensions, false);
        const size_t n = s->particles.count;
        for (int what = 0; what < 3; what++) {
            sized_walls(s, 0, s->step.dt);
            assert_ok(ctx, pairs_prepare(s));
            /* inside all over, and corrected in full: that is what is tested */
            memset(s->solve.inside, 1, n);
            float *summed = malloc(n * sizeof *summed);
            memcpy(summed, s->density, n * sizeof *summed);
            for (size_t i = 0; i < n; i++) s->density[i] = (float)scene.fluid.density;
            pairs_correct(s);
            memcpy(s->density, summed, n * sizeof *summed);
            free(summed);
            rill_vec3 before = {0, 0, 0}, after = {0, 0, 0};
            double energy = 0, left = 0, changed = 0, all = 0;
            for (size_t i = 0; i < n; i++) {
                const rill_vec3 x = s->particles.position[i];
                const rill_vec3 v = what == 0   ? turning(x)
                                    : what == 1 ? v3(sin(2 * x.y), cos(2 * x.x), 0)
                                                : v3(value_at(i, 3), value_at(i, 4), 0);
                s->particles.velocity[i] = v;
                s->step.velocity[i][0] = (float)v.x;
                s->step.velocity[i][1] = (float)v.y;
                s->step.velocity[i][2] = 0;
                before = v3_madd(before, size_class_of(s, i)->mass, v);
                energy += size_class_of(s, i)->mass * v3_dot(v, v);
            }
            sized_smooth_velocities(s);
            for (size_t i = 0; i < n; i++) {
                const rill_vec3 v = s->particles.velocity[i], x = s->particles.position[i];
                after = v3_madd(after, size_class_of(s, i)->mass, v);
                left += size_class_of(s, i)->mass * v3_dot(v, v);
                if (what == 0) changed = fmax(changed, v3_distance(v, turning(x)));
                all += size_class_of(s, i)->mass;
            }
            assert_true(v3_distance(before, after) < 1e-6 * sqrt(energy * all));
            if (what == 0) assert_true(changed < 1e-2 /* of 2 m/s: halves */);
            if (what == 1) assert_true(fabs(left / energy - 1) < 0.01);
            if (what == 2) assert_true(left < 0.7 * energy);
        }
        throw_away(ctx, &scene, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_by_all_pairs),   cmocka_unit_test(pairs_within_reach),
        cmocka_unit_test(viscous_momentum),    cmocka_unit_test(same_bits_for_any_threads),
        cmocka_unit_test(failing_allocations), cmocka_unit_test(density_ahead),
        cmocka_unit_test(calm_takes_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
