/* Liquid that begins in particles of several sizes: feature sizes on the grid against exact ones, what bricks
 * and clusters keep, and the start beside one from fine particles. Liquid of one size with an equation of
 * state starts and joins at rest. */
#include "sph_sims.h"

#include "sph/resample/bricks.h"

#include <math.h>

static rill_scene pool_scene(rill_ctx *ctx, int dimensions, double spacing, shape form)
{
    return sized_scene(ctx, dimensions, spacing, (rill_box){{0, 0, 0}, {2, 2, 2}}, form, 9);
}

static shape ball_of(rill_vec3 center, double radius)
{
    return (shape){.kind = SHAPE_SPHERE, .sphere = {center, radius}};
}

/* -- feature sizes ------------------------------------------------------------------------- */

static cell_sizes sizes_of(rill_ctx *ctx, const rill_scene *scene)
{
    sources from;
    solids around;
    source_sites sites;
    cell_sizes sizes;
    assert_ok(ctx, solids_create(ctx, scene, &around));
    assert_ok(ctx, sources_create(ctx, scene, &from));
    assert_ok(ctx, sources_sites(ctx, &from, &around, 0, 64, &sites));
    assert_ok(ctx, cell_sizes_build(ctx, &sites, scene->dimensions, &sizes));
    source_sites_clear(ctx, &sites);
    sources_clear(ctx, &from);
    solids_clear(ctx, &around);
    return sizes;
}

/* Of a rectangle: its axis is made of lines that halve its corners, and one between them. The least over many
 * points of its rim. */
/* At a point of a long side. */
static double rectangle_lfs(double wide, double high, double along)
{
    return fmin(fmin(along, wide - along) / sqrt(2), 0.5 * high);
}

static double rectangle_elfs(double wide, double high, double x, double y)
{
    double least = INFINITY;
    for (int k = 0; k <= 400; k++) {
        const double a = wide * k / 400.0, b = high * k / 400.0;
        const double below = hypot(x - a, y) + rectangle_lfs(wide, high, a),
                     above = hypot(x - a, high - y) + rectangle_lfs(wide, high, a);
        /* of a short side: the halving lines end in its middle, half the side away */
        const double rise = fmin(b, high - b) / sqrt(2);
        const double left = hypot(x, y - b) + rise, right = hypot(wide - x, y - b) + rise;
        least = fmin(fmin(least, fmin(below, above)), fmin(left, right));
    }
    return least;
}

static void sizes_of_a_rectangle(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double h = 0.01, wide = 1.2, high = 0.6;
    rill_scene scene = pool_scene(ctx, 2, h, box_shaped(v3(0.4, 0.4, -1), v3(0.4 + wide, 0.4 + high, 1)));
    cell_sizes sizes = sizes_of(ctx, &scene);
    for (double y = 0.02; y < high; y += 0.037)
        for (double x = 0.02; x < wide; x += 0.041) {
            const double want = rectangle_elfs(wide, high, x, y),
                         got = cell_sizes_at(&sizes, v3(0.4 + x, 0.4 + y, 0));
            assert_true(got < want + 2 * h); /* a cell */
            assert_true(got > want - 5 * h);
        }
    assert_true(cell_sizes_at(&sizes, v3(0.3, 0.5, 0)) <= 0);
    assert_true(cell_sizes_at(&sizes, v3(5, 0.5, 0)) <= 0);
    cell_sizes_clear(ctx, &sizes);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Of a ball: depth and radius. Its surface is made of steps, which are no features. */
static void sizes_of_a_ball(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double h = 0.02, radius = 0.6;
    const rill_vec3 middle = v3(1.003, 0.997, 1.001);
    rill_scene scene = pool_scene(ctx, 3, h, ball_of(middle, radius));
    cell_sizes sizes = sizes_of(ctx, &scene);
    size_t asked = 0;
    for (double r = 0.05; r < radius - 2 * h; r += 0.08)
        for (int k = 0; k < 60; k++) {
            const double z = -1 + k / 29.5, turn = 2.4 * k, rim = sqrt(fmax(1 - z * z, 0));
            const rill_vec3 x = v3_madd(middle, r, v3(rim * cos(turn), rim * sin(turn), z));
            const double want = 2 * radius - r, got = cell_sizes_at(&sizes, x);
            assert_true(got < want + 3 * h);
            assert_true(got > want - 7 * h);
            asked++;
        }
    assert_true(asked > 300);
    cell_sizes_clear(ctx, &sizes);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Films of one to nine places: nowhere larger than their thickness. */
static void sizes_of_films(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double h = 0.02;
    for (int thick = 1; thick < 10; thick++) {
        rill_scene scene = pool_scene(ctx, 3, h, box_shaped(v3(0, 0, 0), v3(2, thick * h, 2)));
        cell_sizes sizes = sizes_of(ctx, &scene);
        for (double x = 0.3; x < 1.7; x += 0.13)
            for (int k = 0; k < thick; k++)
                assert_true(cell_sizes_at(&sizes, v3(x, (k + 0.5) * h, x)) <= (thick + 1) * h);
        cell_sizes_clear(ctx, &sizes);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

/* -- what is kept -------------------------------------------------------------------------- */

static rill_vec3 turning(void *user, rill_vec3 x)
{
    (void)user;
    return v3(1 - 3 * x.y, 3 * x.x, 0.5 * x.x);
}

static double sum_up(const sph *s, rill_vec3 *momentum)
{
    double mass = 0;
    *momentum = v3(0, 0, 0);
    for (size_t i = 0; i < s->particles.count; i++) {
        const double m = s->sized ? s->sized->size_class[(int)s->sized->class_number[i]].mass : s->model.mass;
        mass += m;
        *momentum = v3_madd(*momentum, m, s->particles.velocity[i]);
    }
    return mass;
}

/* Of equal particles on the sites. */
static double sum_up_sites(rill_ctx *ctx, const sph *s, rill_vec3 *momentum)
{
    const double h = s->sim.scene->spacing,
                 m = s->sim.scene->fluid.density * (s->sim.scene->dimensions == 2 ? h * h : h * h * h);
    double mass = 0;
    *momentum = v3(0, 0, 0);
    for (uint32_t q = 0; q < s->sim.scene->liquid_count; q++) {
        source_sites t;
        assert_ok(ctx, sources_sites(ctx, &s->sim.sources, &s->sim.solids, q, 64, &t));
        for (size_t k = 0; k < (size_t)t.size[0] * t.size[1] * t.size[2]; k++) {
            if (!t.taken[k]) continue;
            const rill_vec3 at = v3((double)(k % t.size[0]), (double)(k / t.size[0] % t.size[1]),
                                    (double)(k / t.size[0] / t.size[1]));
            rill_vec3 v = turning(NULL, v3_madd(t.origin, h, at));
            if (s->sim.scene->dimensions == 2) v.z = 0;
            mass += m;
            *momentum = v3_madd(*momentum, m, v);
        }
        source_sites_clear(ctx, &t);
    }
    return mass;
}

/* A ball and a box that overlap, cut by a solid, and turning: mass and momentum of equal particles; nobody is
 * where no liquid is, none of them too near to another. */
static void mass_and_momentum(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        const double h = dimensions == 2 ? 0.01 : 0.05;
        rill_scene scene =
            pool_scene(ctx, dimensions, h, ball_of(v3(0.9, 0.9, dimensions == 2 ? 0 : 0.9), 0.7));
        scene_liquid *more;
        assert_ok(ctx, scene_add_liquid(ctx, &scene, &more));
        more->shape = box_shaped(v3(0.8, 0, -0.5), v3(2, 0.9, 1));
        for (uint32_t q = 0; q < 2; q++) scene.liquid[q].velocity.function = turning;
        scene_solid *solid;
        assert_ok(ctx, scene_add_solid(ctx, &scene, &solid));
        solid->shape = box_shaped(v3(0.3, 0.3, -1), v3(0.6, 1.8, 0.7));
        sph *some = make_sim(ctx, &scene);
        def_of(&scene)->levels = 0;
        sph *one = make_sim(ctx, &scene);
        rill_vec3 momentum[2];
        const double mass[2] = {sum_up(some, &momentum[0]), sum_up_sites(ctx, one, &momentum[1])};
        assert_true(some->particles.count < one->particles.count * (dimensions == 2 ? 1 : 4) / 4);
        assert_true(fabs(mass[0] / mass[1] - 1) < 1e-12);
        assert_true(v3_distance(momentum[0], momentum[1]) < 1e-12 * v3_length(momentum[1]));
        for (size_t i = 0; i < some->particles.count; i++) {
            const rill_vec3 x = some->particles.position[i];
            assert_true(solids_distance(&some->sim.solids, x, 0, NULL) > 0);
            const double out = fmin(shape_distance(&scene.liquid[0].shape, x, NULL),
                                    shape_distance(&scene.liquid[1].shape, x, NULL));
            assert_true(out < (double)some->sized->spacing[i]);
        }
        sph_method.destroy(&some->sim);
        sph_method.destroy(&one->sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

typedef struct {
    size_t seen, parts;
    uint8_t at[32][32];
} seen_places;

static bool any_may(const void *arg, const place_at *p, int l, uint32_t extent)
{
    (void)arg;
    (void)p;
    return extent <= 2u << l / 2;
}

static rill_status see(void *arg, const place_at *p, int l)
{
    seen_places *s = arg;
    for (size_t i = 0; i < (size_t)1 << l; i++) {
        s->at[p[i].at[0]][p[i].at[1]]++;
        assert_true(p[i].at[0] - p[0].at[0] + (2u << l / 2) <= 2 * (2u << l / 2));
        s->seen++;
    }
    s->parts++;
    return RILL_OK;
}

/* Every place is in one cluster. */
static void clusters_of_a_disc(void **state)
{
    (void)state;
    place_at list[32 * 32];
    size_t n = 0;
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t j = 0; j < 32; j++)
            if ((i - 15.5) * (i - 15.5) + (j - 15.5) * (j - 15.5) < 240) list[n++] = (place_at){{i, j, 0}};
    seen_places s = {0};
    assert_int_equal(clusters_lay(list, n, 4, any_may, see, &s), RILL_OK);
    assert_int_equal(s.seen, n);
    assert_true(s.parts >= n / 16 && s.parts < n / 16 + 12);
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t j = 0; j < 32; j++)
            assert_int_equal(s.at[i][j], (i - 15.5) * (i - 15.5) + (j - 15.5) * (j - 15.5) < 240);
}

/* -- beside a start from fine particles ------------------------------------------------------ */

/* Root of the mean square of what is too dense, which alone presses, of particles away from the surface. */
static double pressed(rill_ctx *ctx, sph *s)
{
    assert_ok(ctx, sized_sort(s));
    sized_walls(s, 0, 0);
    s->resampled = false;
    for (size_t i = 0; i < s->particles.count; i++) s->sized->excess[i] = 0;
    sized_density(s);
    double sum = 0, all = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        if (s->sized->distance[i] < 2 * s->sized->spacing[i]) continue;
        const double off = fmax((double)s->density[i] / s->sim.scene->fluid.density - 1, 0);
        sum += off * off;
        all++;
    }
    assert_true(all > 400);
    return sqrt(sum / all);
}

static void beside_a_fine_start(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        const bool flat = dimensions == 2;
        const double h = flat ? 0.010 : 0.05;
        rill_scene scene =
            pool_scene(ctx, dimensions, h, box_shaped(v3(0, 0, -1), v3(flat ? 1.5 : 1.2, 1.1, 1.2)));
        sph *coarse = make_sim(ctx, &scene), *fine = make_sim(ctx, &scene);
        fine->particles.count = 0;
        assert_ok(ctx, sources_fill(ctx, &fine->sim.sources, &fine->sim.solids, &fine->particles));
        sph_columns(fine);
        for (size_t i = 0; i < fine->particles.count; i++) fine->density[i] = (float)scene.fluid.density;
        fine->sized->started = false;
        sized_invalidate(fine);
        assert_ok(ctx, resample_start(fine));
        const double ratio = (double)coarse->particles.count / (double)fine->particles.count;
        assert_true(fabs(ratio - 1) < 0.1);
        const double error[2] = {pressed(ctx, coarse), pressed(ctx, fine)};
        print_message("%zu particles beside %zu, too dense by %.4f beside %.4f\n", coarse->particles.count,
                      fine->particles.count, error[0], error[1]);
        assert_true(error[0] < 1.15 * error[1]);
        sph_method.destroy(&coarse->sim);
        sph_method.destroy(&fine->sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

/* -- one size, equation of state ------------------------------------------------------------ */

/* Largest speed relative to the mean, of the particles with ids from `from` on. */
static double spread_of(const sph *s, uint64_t from)
{
    const particles *p = &s->particles;
    rill_vec3 mean = {0, 0, 0};
    double count = 0, most = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->id[i] >= from) {
            mean = v3_add(mean, p->velocity[i]);
            count++;
        }
    assert_true(count > 100);
    for (size_t i = 0; i < p->count; i++)
        if (p->id[i] >= from) most = fmax(most, v3_distance(p->velocity[i], v3_scale(mean, 1 / count)));
    return most;
}

/* A ball cuts the lattice everywhere: 1.2 m/s without relaxation. */
static void ball_of_one_size_falls_as_one(void **state)
{
    (void)state;
    for (int solver = SPH_TAIT; solver <= SPH_LINEAR; solver++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene =
            sized_scene(ctx, 3, 0.03, (rill_box){{0, 0, 0}, {1, 1, 1}}, ball_of(v3(0.5, 0.7, 0.5), 0.2), 0);
        def_of(&scene)->solver = solver;
        sph *s = make_sim(ctx, &scene);
        const double volume = (double)s->particles.count * s->model.volume;
        assert_true(fabs(volume / (4.0 / 3 * M_PI * 0.008) - 1) < 0.005);
        run_until(ctx, s, 0.05);
        assert_true(fabs(v3_length(mean_velocity(s)) - 0.05 * 9.81) < 1e-3);
        assert_true(spread_of(s, 0) < 0.01);
        throw_away(ctx, &scene, s);
    }
}

/* A pool at rest in a domain that is no multiple of the spacing: 4.4 m/s without relaxation. A pool on the
 * lattice has 0.29; what is left is the fall into gaps beside the wall. */
static void pool_of_one_size_starts_calm(void **state)
{
    (void)state;
    static const double spacing[] = {0.03, 0.0271, 0.025};
    for (int k = 0; k < 3; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = sized_scene(ctx, 2, spacing[k], (rill_box){{0, 0, 0}, {1, 1, 0}},
                                       box_shaped(v3(0, 0, -1), v3(1, 0.3, 1)), 0);
        sph *s = make_sim(ctx, &scene);
        double most = 0;
        assert_true(fabs((double)s->particles.count * s->model.volume / 0.3 - 1) < 0.005);
        while (s->sim.time < 0.1) {
            take_steps(ctx, s, 1);
            most = fmax(most, s->max_speed);
        }
        assert_true(most < 0.9);
        throw_away(ctx, &scene, s);
    }
}

/* A ball that joins above a pool: 1.2 m/s without relaxation. The pool stays where it is meanwhile. */
static void ball_of_one_size_joins(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = sized_scene(ctx, 3, 0.03, (rill_box){{0, 0, 0}, {1, 1, 1}},
                                   box_shaped(v3(0, 0, 0), v3(1, 0.1, 1)), 0);
    scene_liquid *ball;
    assert_ok(ctx, scene_add_liquid(ctx, &scene, &ball));
    ball->shape = ball_of(v3(0.5, 0.7, 0.5), 0.2);
    ball->start = 0.01;
    sph *s = make_sim(ctx, &scene);
    const uint64_t from = s->particles.next_id;
    run_until(ctx, s, 0.06);
    assert_true(s->particles.next_id > from);
    assert_true(spread_of(s, from) < 0.01);
    for (size_t i = 0; i < s->particles.count; i++)
        if (s->particles.id[i] < from) assert_true(s->particles.position[i].y < 0.12);
    throw_away(ctx, &scene, s);
}

static void failing_allocations_of_one_size(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = pool_scene(ctx, 2, 0.11, ball_of(v3(1, 1, 0), 0.4));
    def_of(&scene)->levels = 0;
    every_allocation_fails(2, sph_created_and_stepped, &scene);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = pool_scene(ctx, 2, 0.08, box_shaped(v3(0, 0, -1), v3(1.5, 1.5, 1)));
    def_of(&scene)->levels = 4;
    every_allocation_fails(2, sph_created_and_stepped, &scene);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_a_rectangle),
        cmocka_unit_test(sizes_of_a_ball),
        cmocka_unit_test(sizes_of_films),
        cmocka_unit_test(mass_and_momentum),
        cmocka_unit_test(clusters_of_a_disc),
        cmocka_unit_test(beside_a_fine_start),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(ball_of_one_size_falls_as_one),
        cmocka_unit_test(pool_of_one_size_starts_calm),
        cmocka_unit_test(ball_of_one_size_joins),
        cmocka_unit_test(failing_allocations_of_one_size),
    };
    return cmocka_run_group_tests_name("sph, the start", tests, NULL, NULL);
}
