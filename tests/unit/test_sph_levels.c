/* Particles of several sizes: sums against plain loops over all pairs, what is kept by forces,
 * splitting and merging, and feature sizes where they are known. */
#include "sph_sims.h"

#include "flow/snapshot.h"
#include "sph/sized/sized.h"
#include "surface/distances.h"

#include <math.h>
#include <string.h>

static rill_scene block_scene(rill_ctx *ctx, int dimensions, double spacing, rill_vec3 size)
{
    const bool flat = dimensions == 2;
    rill_scene scene =
        sized_scene(ctx, dimensions, spacing, (rill_box){{-4, -4, -4}, {4, 4, 4}},
                    box_shaped(v3(0, 0, flat ? -1 : 0), v3(size.x, size.y, flat ? 1 : size.z)), 5);
    scene.gravity = v3(0, 0, 0);
    def_of(&scene)->sound_speed = 20;
    return scene;
}

/* Levels that grow to the right, whatever the feature size says. */
static void give_levels(sph *s, double wide)
{
    sized_state *a = s->sized;
    for (size_t i = 0; i < s->particles.count; i++) {
        const int l =
            (int)fmin(fmax(a->class_count * s->particles.position[i].x / wide, 0), a->class_count - 1);
        a->class_number[i] = (float)l;
        a->spacing[i] = (float)a->size_class[l].spacing;
    }
}

static kernel between(const sph *s, size_t i, size_t j)
{
    const kernel *a = &size_class_of(s, i)->kernel, *b = &size_class_of(s, j)->kernel;
    return kernel_make(a->kind, a->dimensions, 0.5 * (a->support + b->support));
}

static double mean_w(const sph *s, size_t i, size_t j, double r)
{
    const kernel k = between(s, i, j);
    return kernel_w(&k, r);
}

static double mean_dw(const sph *s, size_t i, size_t j, double r)
{
    const kernel k = between(s, i, j);
    return kernel_dw_over_r(&k, r);
}

static void sums_by_all_pairs(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = block_scene(ctx, dimensions, 0.1, v3(1, 0.8, 0.6));
        def_of(&scene)->damping = 0;
        sph *s = make_sim(ctx, &scene);
        disturb(s, 0.04, dimensions);
        give_levels(s, 1);
        assert_ok(ctx, sized_sort(s));
        sized_walls(s, 0, 0);
        s->resampled = false;
        for (size_t i = 0; i < s->particles.count; i++) s->sized->excess[i] = 0;
        sized_density(s);
        sized_pressure(s);
        assert_ok(ctx, sized_forces(s, 0));
        const rill_vec3 *x = s->particles.position;
        double most_a = 0;
        for (size_t i = 0; i < s->particles.count; i++) most_a = fmax(most_a, v3_length(force_of(s, i)));
        assert_true(most_a > 1);
        rill_vec3 momentum = {0, 0, 0};
        double total = 0;
        for (size_t i = 0; i < s->particles.count; i++) {
            double density = 0;
            rill_vec3 a = {0, 0, 0};
            for (size_t j = 0; j < s->particles.count; j++) {
                const rill_vec3 d = v3_sub(x[i], x[j]);
                const double r = v3_length(d), m = size_class_of(s, j)->mass;
                density += m * mean_w(s, i, j, r);
                const double pi = (double)s->pressure[i] / ((double)s->density[i] * (double)s->density[i]);
                const double pj = (double)s->pressure[j] / ((double)s->density[j] * (double)s->density[j]);
                if (i != j) a = v3_madd(a, -s->model.calibration * m * (pi + pj) * mean_dw(s, i, j, r), d);
            }
            assert_true(fabs(s->model.calibration * density / (double)s->density[i] - 1) < 1e-5);
            assert_true(v3_length(v3_sub(a, force_of(s, i))) < 1e-4 * most_a);
            momentum = v3_madd(momentum, size_class_of(s, i)->mass, force_of(s, i));
            total += size_class_of(s, i)->mass * v3_length(force_of(s, i));
        }
        assert_true(v3_length(momentum) < 1e-6 * total);
        throw_away(ctx, &scene, s);
    }
}

/* Liquid that fills a box and is pressed together a little, without weight: its pressure is the same
 * everywhere. What is shown along the walls is that of the middle; what the equation of state has, and pushes
 * with, is more. */
static void pressure_along_walls(void **state)
{
    (void)state;
    enum { STEPS = 400, EVERY = 20 };
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        const rill_vec3 size = dimensions == 2 ? v3(1, 0.8, 0) : v3(0.6, 0.6, 0.6);
        rill_scene scene = block_scene(ctx, dimensions, dimensions == 2 ? 0.02 : 0.05, size);
        const double thick = dimensions == 2 ? scene.spacing : size.z;
        scene.domain.min = v3(0, 0, dimensions == 2 ? -thick / 2 : 0);
        scene.domain.max = v3(size.x, size.y, scene.domain.min.z + thick);
        sph *s = make_sim(ctx, &scene);
        s->model.calibration *= 1.03; /* so much denser than at rest */
        disturb(s, 0.3 * scene.spacing, dimensions);
        double shown[2] = {0, 0}, pushing[2] = {0, 0}, mass[2] = {0, 0};
        for (int k = 0; k < STEPS; k++) {
            step_by(ctx, s, sph_method.max_dt(&s->sim));
            if (k < STEPS / 2 || k % EVERY || !s->sized->step_in_arena) continue;
            for (size_t i = 0; i < s->particles.count; i++) {
                const double m = size_class_of(s, i)->mass, rho = (double)s->density[i];
                const int where = s->step.wall[i][3] > 0;
                mass[where] += m;
                shown[where] += m * (double)s->pressure[i];
                pushing[where] += m * (double)sized_pressure_term(s, i) * rho * rho;
            }
        }
        const double middle = shown[0] / mass[0];
        assert_true(middle > 1000);
        assert_true(fabs(shown[1] / mass[1] / middle - 1) < 0.05);
        assert_true(pushing[1] / mass[1] / middle > 1.08);
        sph_method.destroy(&s->sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

static void sum_up(const sph *s, double *mass, rill_vec3 *momentum, rill_vec3 *middle)
{
    *mass = 0;
    *momentum = *middle = v3(0, 0, 0);
    for (size_t i = 0; i < s->particles.count; i++) {
        const double m = s->sized->size_class[(int)s->sized->class_number[i]].mass;
        *mass += m;
        *momentum = v3_madd(*momentum, m, s->particles.velocity[i]);
        *middle = v3_madd(*middle, m, s->particles.position[i]);
    }
}

/* Coarse where the liquid is thick and fine again when it has become thin; mass, momentum and the
 * centre of mass stay, and no two particles coincide. */
static void mass_and_momentum(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene =
            dimensions == 2 ? block_scene(ctx, 2, 0.02, v3(1, 1, 0)) : block_scene(ctx, 3, 0.05, v3(1, 1, 1));
        def_of(&scene)->solver = SPH_DFSPH;
        sph *s = make_sim(ctx, &scene);
        const size_t full = dimensions == 2 ? 2500 : 8000;
        assert_true(s->particles.count <
                    (dimensions == 2 ? full / 3 : 9 * full / 10)); /* set_up has coarsened */
        for (size_t i = 0; i < s->particles.count; i++)
            s->particles.velocity[i] = v3(s->particles.position[i].y, 1, 0);
        double mass[2];
        rill_vec3 momentum[2], middle[2];
        sum_up(s, &mass[0], &momentum[0], &middle[0]);
        assert_true(fabs(mass[0] / ((double)full * s->model.mass) - 1) < 1e-12);
        s->def.split = 200; /* everything is too coarse now */
        s->def.merge = 300;
        for (int k = 0; k < 8; k++) {
            assert_ok(ctx, sized_sort(s));
            assert_ok(ctx, resample(s, NULL));
        }
        sum_up(s, &mass[1], &momentum[1], &middle[1]);
        assert_true(s->particles.count > 0.99 * (double)full); /* all fine again */
        assert_true(fabs(mass[1] / mass[0] - 1) < 1e-12);
        assert_true(v3_distance(momentum[1], momentum[0]) < 1e-12 * v3_length(momentum[0]));
        assert_true(v3_distance(middle[1], middle[0]) < 1e-12 * v3_length(middle[0]));
        /* a linear field of velocities is what it was: nobody's neighbours lie in a row, as those of
         * particles did that were merged again and again without giving way in between */
        for (size_t i = 0; i < s->particles.count; i++) {
            const rill_vec3 want = v3(s->particles.position[i].y, 1, 0);
            assert_true(v3_distance(s->particles.velocity[i], want) < 1e-9);
        }
        for (size_t i = 0; i < s->particles.count; i++)
            for (size_t j = 0; j < i; j++)
                assert_true(v3_distance(s->particles.position[i], s->particles.position[j]) >
                            0.1 * scene.spacing);
        throw_away(ctx, &scene, s);
    }
}

/* A wide slab: the medial axis is its middle plane, and elfs(x) = distance from the surface + half the
 * thickness, away from its edges. */
static void slab(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double h = 0.05, thick = 0.5;
    rill_scene scene = block_scene(ctx, 3, h, v3(2, thick, 2));
    def_of(&scene)->levels = 1;
    def_of(&scene)->merge = 100; /* stays fine */
    def_of(&scene)->split = 50;
    sph *s = make_sim(ctx, &scene);
    assert_ok(ctx, sized_sort(s));
    const size_t n = s->particles.count;
    rill_vec3 *foot;
    float *elfs;
    uint8_t *medial;
    assert_ok(ctx, MEM_NEW(ctx, foot, n));
    assert_ok(ctx, MEM_NEW(ctx, elfs, n));
    assert_ok(ctx, MEM_NEW(ctx, medial, n));
    for (size_t i = 0; i < n; i++) { /* exact, here */
        const rill_vec3 x = s->particles.position[i];
        foot[i] = v3(x.x, x.y < thick / 2 ? 0 : thick, x.z);
    }
    assert_ok(ctx, feature_sizes(s, foot, NULL, NULL, INFINITY, elfs, medial));
    size_t asked = 0;
    for (size_t i = 0; i < n; i++) {
        const rill_vec3 x = s->particles.position[i];
        if (x.x < 0.5 || x.x > 1.5 || x.z < 0.5 || x.z > 1.5) continue;
        const double depth = fmin(x.y, thick - x.y);
        /* who sees across the middle, two spacings away, may be near the axis, but knows where it is */
        if (depth > thick / 2 - h) assert_int_equal(medial[i], 1);
        if (depth < thick / 2 - 2 * h) assert_int_equal(medial[i], 0);
        assert_true((double)elfs[i] < depth + thick / 2 + 0.1 * h);
        assert_true((double)elfs[i] > depth + thick / 2 - 1e-5 * h);
        asked++;
    }
    assert_true(asked > 1000);
    mem_free(ctx, foot);
    mem_free(ctx, elfs);
    mem_free(ctx, medial);
    throw_away(ctx, &scene, s);
}

/* Feature sizes of a rectangle by id, from nearest points that are exact. */
static void sizes_by_id(rill_ctx *ctx, sph *s, rill_vec3 size, float *by_id)
{
    assert_ok(ctx, sized_sort(s));
    const size_t n = s->particles.count;
    rill_vec3 *foot;
    float *elfs;
    assert_ok(ctx, MEM_NEW(ctx, foot, n));
    assert_ok(ctx, MEM_NEW(ctx, elfs, n));
    for (size_t i = 0; i < n; i++) {
        rill_vec3 x = s->particles.position[i];
        const double left = x.x, right = size.x - x.x, below = x.y, above = size.y - x.y;
        const double least = fmin(fmin(left, right), fmin(below, above));
        if (least == left || least == right) x.x = least == left ? 0 : size.x;
        if (least == below || least == above) x.y = least == below ? 0 : size.y;
        foot[i] = x;
    }
    assert_ok(ctx, feature_sizes(s, foot, NULL, NULL, INFINITY, elfs, NULL));
    for (size_t i = 0; i < n; i++) by_id[s->particles.id[i]] = elfs[i];
    mem_free(ctx, foot);
    mem_free(ctx, elfs);
}

/* Where particles of several sizes are moved by up to a tenth of the finest spacing, their feature sizes
 * hardly change: the axis is where the surface says, not where particles happen to be. */
static void shaken(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const rill_vec3 size = v3(1, 0.5, 0);
    rill_scene scene = block_scene(ctx, 2, 0.0125, size);
    sph *s = make_sim(ctx, &scene);
    const size_t n = s->particles.count, ids = s->particles.next_id;
    float *before, *after;
    assert_ok(ctx, MEM_NEW(ctx, before, ids));
    assert_ok(ctx, MEM_NEW(ctx, after, ids));
    sizes_by_id(ctx, s, size, before);
    disturb(s, 0.2 * scene.spacing, 2);
    sized_invalidate(s);
    sizes_by_id(ctx, s, size, after);
    size_t swing = 0, asked = 0;
    double square = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t id = s->particles.id[i];
        const double by = (double)(after[id] - before[id]) / (double)s->sized->spacing[i];
        if (after[id] < 4 * s->model.kernel.support) continue; /* finest anyway */
        square += by * by;
        swing += fabs(by) > 0.25;
        asked++;
    }
    print_message("of %zu feature sizes %zu swing, rms %.3f spacings\n", asked, swing,
                  sqrt(square / (double)asked));
    assert_true(asked > 200);
    assert_true(100 * swing <= asked);
    mem_free(ctx, before);
    mem_free(ctx, after);
    sph_method.destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Free fall of a coarsened cube: as one body, whatever is split and merged on the way. */
static void free_fall(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = block_scene(ctx, 3, 0.05, v3(1, 1, 1));
    scene.gravity = v3(0, -10, 0);
    def_of(&scene)->resample = 3;
    sph *s = make_sim(ctx, &scene);
    double mass[2];
    rill_vec3 momentum[2], middle[2];
    sum_up(s, &mass[0], &momentum[0], &middle[0]);
    while (s->sim.time < 0.05) step_by(ctx, s, fmin(sph_method.max_dt(&s->sim), 0.0501 - s->sim.time));
    sum_up(s, &mass[1], &momentum[1], &middle[1]);
    const double t = s->sim.time;
    assert_true(fabs(mass[1] / mass[0] - 1) < 1e-12);
    assert_true(v3_distance(v3_scale(momentum[1], 1 / mass[1]), v3(0, -10 * t, 0)) < 1e-5);
    throw_away(ctx, &scene, s);
}

static rill_vec3 place_of(const sph *s, size_t i) /* in the step that was taken */
{
    const int32_t *p = s->sized->step.place[i];
    return v3_scale(v3(p[0], p[1], p[2]), s->sized->step.unit);
}

static bool neighbours_then(const sph *s, size_t i, size_t j)
{
    return v3_distance(place_of(s, i), place_of(s, j)) <
           fmax(size_class_of(s, i)->kernel.support, size_class_of(s, j)->kernel.support);
}

static void all_neighbours_listed(const sph *s)
{
    for (uint32_t i = 0; i < s->particles.count; i++) {
        size_t have = 0, need = 0;
        const sized_list l = sized_list_of(&s->sized->lists, i);
        for (uint32_t j = 0; j < s->particles.count; j++) need += neighbours_then(s, i, j);
        for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);)
            have += neighbours_then(s, i, w.id);
        assert_int_equal(have, need);
    }
}

/* Lists that are kept: in every step they hold all neighbours there are, few steps make them, and a run saved
 * between two of these and resumed elsewhere goes on with the same bits. */
static void lists_that_are_kept(void **state)
{
    (void)state;
    enum { STEPS = 30, SAVED = 17 };
    rill_ctx *ctx = test_ctx(2), *other = test_ctx(1);
    rill_scene scene = block_scene(ctx, 3, 0.1, v3(1, 1, 1));
    scene.gravity = v3(0, -10, 0);
    scene.domain.min = v3(0, 0, 0);
    scene.domain.max = v3(2, 2, 1);
    sph *s = make_sim(ctx, &scene), *resumed = make_sim(other, &scene);
    for (size_t i = 0; i < s->particles.count; i++)
        s->particles.velocity[i] = v3(s->particles.position[i].y, 0, 0);
    snapshot saved;
    snapshot_init(&saved, ctx);
    int made = 0;
    bool between = false;
    double from = 0;
    for (int k = 0; k < STEPS; k++) {
        if (k == SAVED) {
            from = s->sim.time;
            between = s->sized->kept.count > 0;
            assert_ok(ctx, sim_save(&s->sim, &saved.writer));
        }
        const rill_vec3 first = s->sized->kept.count ? s->sized->kept.position[0] : v3(NAN, NAN, NAN);
        step_by(ctx, s, sph_method.max_dt(&s->sim));
        const bool resampled = s->sized->kept.count == 0;
        made += resampled || memcmp(&first, &s->sized->kept.position[0], sizeof first) != 0;
        if (!resampled && s->sized->step_in_arena) all_neighbours_listed(s); /* `place` is there */
    }
    assert_true(between);
    assert_true(made > 2 && made < STEPS / 2);
    assert_ok(other, sim_load(&resumed->sim, from, SAVED, &saved.reader));
    for (int k = SAVED; k < STEPS; k++) step_by(other, resumed, sph_method.max_dt(&resumed->sim));
    assert_int_equal(resumed->particles.count, s->particles.count);
    assert_memory_equal(resumed->particles.id, s->particles.id, s->particles.count * sizeof(uint64_t));
    assert_memory_equal(resumed->particles.position, s->particles.position,
                        s->particles.count * sizeof(rill_vec3));
    assert_memory_equal(resumed->density, s->density, s->particles.count * sizeof(float));
    snapshot_clear(&saved);
    sph_method.destroy(&s->sim);
    sph_method.destroy(&resumed->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    rill_ctx_destroy(other);
}

/* Rigid rotation has one vorticity, in the mean and roughly at each particle, however they lie; and particles
 * are as fine as these criteria want them: the finest where the liquid turns fast, in a region of the level
 * it says. */
static void extra_criteria(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = block_scene(ctx, 3, 0.05, v3(1, 1, 1));
    def_of(&scene)->split = 0.5; /* coarse everywhere, were it not for them */
    def_of(&scene)->merge = 0.7;
    def_of(&scene)->levels = 3;
    for (int turn = 0; turn < 2; turn++) {
        if (turn) {
            def_of(&scene)->split_vorticity = 3;
        } else {
            def_of(&scene)->region =
                (shape){.kind = SHAPE_PLANE, .flat = {.point = {0.5, 0, 0}, .normal = {-1, 0, 0}}};
            def_of(&scene)->region_level = 1;
        }
        sph *s = make_sim(ctx, &scene);
        const rill_vec3 omega = v3(0, 2, 0), middle = v3(0.5, 0.5, 0.5);
        for (int k = 0; k < 12; k++) {
            for (size_t i = 0; i < s->particles.count; i++)
                s->particles.velocity[i] = v3_cross(omega, v3_sub(s->particles.position[i], middle));
            assert_ok(ctx, sized_sort(s));
            if (k == 11) break;
            assert_ok(ctx, resample(s, NULL));
        }
        criteria c;
        assert_ok(ctx, criteria_begin(s, &s->sized->arena, &c));
        size_t asked = 0, other = 0;
        double mean = 0, most = 0;
        for (size_t i = 0; i < s->particles.count; i++) {
            const rill_vec3 x = s->particles.position[i], d = v3_sub(x, middle);
            const bool inside = fmax(fmax(fabs(d.x), fabs(d.y)), fabs(d.z)) < 0.35;
            if (turn && inside) {
                most = fmax(most, fabs((double)c.vorticity[i] / 4 - 1));
                mean += (double)c.vorticity[i] / 4;
                assert_true(s->sized->class_number[i] <= 0);
                asked++;
            } else if (!turn && x.x > 0.52) {
                assert_true(s->sized->class_number[i] <= 1);
                asked++;
            } else if (!turn && x.x < 0.3) {
                other += s->sized->class_number[i] > 2;
            }
        }
        assert_true(asked > 500);
        assert_true(!turn || (fabs(mean / (double)asked - 1) < 0.03 && most < 0.5));
        assert_true(turn || other > 50);
        def_of(&scene)->region = (shape){0};
        sph_method.destroy(&s->sim);
    }
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Projection by leaves against that by blocks, whose distances are carried on: the same surface. */
static void projected_alike(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = block_scene(ctx, dimensions, 0.05, v3(1, 1, 1));
        sph *s = make_sim(ctx, &scene);
        assert_ok(ctx, sized_sort(s));
        const size_t n = s->particles.count;
        const surface_def def = {.spacing = scene.spacing, .dimensions = dimensions};
        float *want, *got;
        rill_vec3 *foot, *at;
        float(*normal)[4];
        assert_ok(ctx, MEM_NEW(ctx, want, n));
        assert_ok(ctx, MEM_NEW(ctx, got, n));
        assert_ok(ctx, MEM_NEW(ctx, foot, n));
        assert_ok(ctx, MEM_NEW(ctx, at, n));
        assert_ok(ctx, MEM_NEW(ctx, normal, n));
        memcpy(want, s->sized->distance, n * sizeof *want);
        assert_ok(ctx, distances_update(ctx, &s->particles, &def, want, foot));
        const distances_tree tree = {.points = &s->sized->points, .wide = 1.25};
        assert_ok(ctx, distances_project(ctx, &s->particles, &def, &tree, &s->sized->arena,
                                         s->sized->distance, got, at, normal));
        size_t projected = 0;
        for (size_t i = 0; i < n; i++) {
            if (!isfinite(got[i])) continue;
            assert_true(fabsf(got[i] - want[i]) < 1e-4f * s->sized->spacing[i]);
            assert_true(v3_distance(at[i], foot[i]) < 2e-4 * (double)s->sized->spacing[i]);
            const surface_disk disk = {at[i],
                                       v3((double)normal[i][0], (double)normal[i][1], (double)normal[i][2]),
                                       (double)normal[i][3]};
            assert_float_equal(v3_length(disk.normal), 1, 1e-5);
            rill_vec3 beside;
            const rill_vec3 x = v3_madd(at[i], -0.1, disk.normal);
            assert_float_equal(surface_disk_distance(&disk, x, &beside), 0.1, 1e-5);
            assert_true(v3_distance(beside, at[i]) < 1e-5 && disk.radius > 0);
            projected++;
        }
        assert_true(projected > n / 4);
        mem_free(ctx, want);
        mem_free(ctx, got);
        mem_free(ctx, foot);
        mem_free(ctx, at);
        mem_free(ctx, normal);
        throw_away(ctx, &scene, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_by_all_pairs),
        cmocka_unit_test(pressure_along_walls),
        cmocka_unit_test(mass_and_momentum),
        cmocka_unit_test(slab),
        cmocka_unit_test(shaken),
        cmocka_unit_test(free_fall),
        cmocka_unit_test(lists_that_are_kept),
        cmocka_unit_test(extra_criteria),
        cmocka_unit_test(projected_alike),
    };
    return cmocka_run_group_tests_name("sph, particles of several sizes", tests, NULL, NULL);
}
