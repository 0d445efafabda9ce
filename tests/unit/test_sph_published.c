/* [Adams] eq. 1 and what errata E-A1 changes of it: against a loop over all pairs, and what each of the
 * three forms of the force keeps. All are antisymmetric and keep momentum. As printed the force pulls
 * compressed liquid together; put right it pushes; and only the derivative of the density gives back the
 * energy that was put in. */
#include "sph_sims.h"

#include "sph/sized/sized.h"

#include <math.h>

/* A block of particles of several sizes at random, pressed together by 4 percent. */
static sph *make_block(rill_ctx *ctx, rill_scene *scene, int force)
{
    *scene = sized_scene(ctx, 3, 0.1, (rill_box){{-4, -4, -4}, {4, 4, 4}},
                         box_shaped(v3(0, 0, 0), v3(0.8, 0.6, 0.6)), 3);
    scene->gravity = v3(0, 0, 0);
    def_of(scene)->sound_speed = 20;
    def_of(scene)->damping = 0;
    def_of(scene)->pair_pressure = force;
    sph *s = make_sim(ctx, scene);
    disturb(s, 0.02, 3);
    for (size_t i = 0; i < s->particles.count; i++) {
        const int l = (int)(i % 3);
        s->sized->class_number[i] = (float)l;
        s->sized->spacing[i] = (float)s->sized->size_class[l].spacing;
    }
    return s;
}

static void accelerate(rill_ctx *ctx, sph *s)
{
    assert_ok(ctx, sized_sort(s));
    sized_walls(s, 0, 0);
    s->resampled = false;
    for (size_t i = 0; i < s->particles.count; i++) s->sized->excess[i] = 0;
    sized_density(s);
    sized_pressure(s);
    assert_ok(ctx, sized_forces(s, 0));
}

/* Eq. 1 of one pair over m_i, as printed or put right; and the own density of i. */
static rill_vec3 pair_force(const sph *s, size_t i, size_t j, bool printed)
{
    const rill_vec3 d = v3_sub(s->particles.position[i], s->particles.position[j]);
    const double r = v3_length(d), rho_i = (double)s->density[i], rho_j = (double)s->density[j];
    const double p =
        (double)sized_pressure_term(s, i) * rho_i * rho_i + (double)sized_pressure_term(s, j) * rho_j * rho_j;
    const double slope = 0.5 * (kernel_dw_over_r(&size_class_of(s, i)->kernel, r) +
                                kernel_dw_over_r(&size_class_of(s, j)->kernel, r));
    const double share = s->model.calibration * size_class_of(s, j)->mass / (rho_i * rho_j);
    return v3_scale(d, (printed ? 1 : -0.5) * share * p * slope);
}

static void matches_all_pairs(void **state)
{
    (void)state;
    for (int printed = 0; printed < 2; printed++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene;
        sph *s = make_block(ctx, &scene, printed ? SPH_ADAMS_PRINTED : SPH_ADAMS);
        accelerate(ctx, s);
        rill_vec3 momentum = {0, 0, 0};
        double most = 0, total = 0;
        for (size_t i = 0; i < s->particles.count; i++) most = fmax(most, v3_length(force_of(s, i)));
        assert_true(most > 1);
        for (size_t i = 0; i < s->particles.count; i++) {
            rill_vec3 a = {0, 0, 0};
            double density = 0;
            for (size_t j = 0; j < s->particles.count; j++) {
                const double r = v3_distance(s->particles.position[i], s->particles.position[j]);
                density += size_class_of(s, j)->mass * kernel_w(&size_class_of(s, i)->kernel, r);
                if (j != i) a = v3_add(a, pair_force(s, i, j, printed));
            }
            assert_true(fabs(s->model.calibration * density / (double)s->density[i] - 1) < 1e-5);
            assert_true(v3_length(v3_sub(a, force_of(s, i))) < 1e-4 * most);
            momentum = v3_madd(momentum, size_class_of(s, i)->mass, force_of(s, i));
            total += size_class_of(s, i)->mass * v3_length(force_of(s, i));
        }
        assert_true(v3_length(momentum) < 1e-6 * total);
        throw_away(ctx, &scene, s);
    }
}

/* The virial, sum m x a over that of the mean force: positive when the block is pushed apart. */
static void what_the_sign_does(void **state)
{
    (void)state;
    double virial[3];
    for (int force = SPH_OF_DENSITY; force <= SPH_ADAMS_PRINTED; force++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene;
        sph *s = make_block(ctx, &scene, force);
        s->model.calibration *= 1.1; /* as if it were denser than at rest everywhere */
        accelerate(ctx, s);
        rill_vec3 middle = {0, 0, 0};
        double mass = 0;
        for (size_t i = 0; i < s->particles.count; i++) {
            const double m = size_class_of(s, i)->mass;
            mass += m;
            middle = v3_madd(middle, m, s->particles.position[i]);
        }
        middle = v3_scale(middle, 1 / mass);
        virial[force] = 0;
        for (size_t i = 0; i < s->particles.count; i++)
            virial[force] +=
                size_class_of(s, i)->mass * v3_dot(v3_sub(s->particles.position[i], middle), force_of(s, i));
        throw_away(ctx, &scene, s);
    }
    assert_true(virial[SPH_OF_DENSITY] > 0 && virial[SPH_ADAMS] > 0);
    assert_true(fabs(virial[SPH_ADAMS_PRINTED] / virial[SPH_ADAMS] + 2) < 1e-4); /* E-A1: -2 times */
}

/* Work of the forces along a small random displacement, beside the change of sum m e(rho), de = P / rho^2
 * drho. Returns the part that is missing, relative to the sum of the parts. */
static double energy_off(int force)
{
    enum { MOST = 2000 };
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    sph *s = make_block(ctx, &scene, force);
    s->model.calibration *= 1.1;
    accelerate(ctx, s);
    const size_t n = s->particles.count;
    double work = 0, heat = 0, parts = 0;
    double before[MOST], term[MOST];
    assert_true(n <= MOST);
    for (size_t i = 0; i < n; i++) {
        before[i] = (double)s->density[i];
        term[i] = (double)sized_pressure_term(s, i);
        /* a stretch, which no lattice noise hides */
        const rill_vec3 x = s->particles.position[i], way = v3(1e-4 * (x.x - 0.4), -1e-4 * (x.y - 0.3), 0);
        work += size_class_of(s, i)->mass * v3_dot(way, force_of(s, i));
        s->particles.position[i] = v3_add(x, way);
    }
    const uint64_t first = s->particles.id[0];
    accelerate(ctx, s);
    assert_true(s->particles.id[0] == first); /* the same order */
    for (size_t i = 0; i < n; i++) {
        const double de = size_class_of(s, i)->mass * term[i] * ((double)s->density[i] - before[i]);
        heat += de;
        parts += fabs(de);
    }
    throw_away(ctx, &scene, s);
    return fabs(work + heat) / parts;
}

static void only_the_derivative_keeps_energy(void **state)
{
    (void)state;
    const double density = energy_off(SPH_OF_DENSITY), adams = energy_off(SPH_ADAMS);
    print_message("energy missing: %.2g of the density's derivative, %.2g of eq. 1\n", density, adams);
    assert_true(density < 0.02);
    assert_true(adams > 5 * density);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_all_pairs),
        cmocka_unit_test(what_the_sign_does),
        cmocka_unit_test(only_the_derivative_keeps_energy),
    };
    return cmocka_run_group_tests_name("sph_published", tests, NULL, NULL);
}
