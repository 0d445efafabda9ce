/* Points of several sizes: what splitting and merging keep, where they happen, the depths under them against
 * a plain search, and that threads change nothing. */
#include "points_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    rill_ctx *ctx;
    rill_scene *scene;
    points *s;
} tank;

/* A column at the left wall that will collapse, 16 x 24 spacings, in three dimensions 6 deep. */
static tank make(int dimensions, int threads, int levels)
{
    tank k = {.ctx = test_ctx(threads), .scene = malloc(sizeof *k.scene)};
    rill_sim *sim = NULL;
    *k.scene = points_tank(k.ctx, dimensions, 3, 2);
    points_def_of(k.scene)->levels = levels;
    points_def_of(k.scene)->split = 2.5; /* the column is hardly deep enough for more */
    points_add_liquid(k.ctx, k.scene, (rill_box){{0, 0, -9}, {16 * D, 24 * D, 9}}, v3(0.3, -0.2, 0));
    assert_ok(k.ctx, points_method.create(k.ctx, k.scene, &sim));
    k.s = points_of(sim);
    return k;
}

static void unmake(tank *k)
{
    points_method.destroy(&k->s->sim);
    scene_clear(k->ctx, k->scene);
    free(k->scene);
    rill_ctx_destroy(k->ctx);
}

static rill_step_stats step(points *s, int steps)
{
    rill_step_stats stats = step_stats_none();
    for (int k = 0; k < steps; k++) {
        const double dt = points_method.max_dt(&s->sim);
        stats = step_stats_none();
        assert_ok(s->sim.ctx, solids_prepare(s->sim.ctx, &s->sim.solids, s->sim.time, dt));
        assert_ok(s->sim.ctx, points_method.step(&s->sim, dt, &stats));
        s->sim.time += dt;
    }
    return stats;
}

typedef struct {
    double mass;
    rill_vec3 middle, momentum;
} sums;

static sums sum(const points *s)
{
    sums a = {0};
    for (size_t i = 0; i < s->particles.count; i++) {
        const double m = points_size_of(s, i)->share;
        a.mass += m;
        a.middle = v3_madd(a.middle, m, s->particles.position[i]);
        a.momentum = v3_madd(a.momentum, m, s->particles.velocity[i]);
    }
    return a;
}

static void cells(points *s)
{
    assert_ok(s->sim.ctx, points_sort(s));
    assert_ok(s->sim.ctx, points_diagram(s, 0));
    assert_ok(s->sim.ctx, points_clip(s, 0));
    assert_ok(s->sim.ctx, points_join(s, 0));
    assert_ok(s->sim.ctx, points_neighbours(s));
}

/* Volume to the last bit, center of mass and momentum to rounding, whether points split or merge. */
static void changes_conserve(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        tank k = make(dimensions, 2, 3);
        points *s = k.s;
        step(s, 2);
        for (int way = 0; way < 2; way++) { /* all are too coarse; all may be coarser */
            s->def.split = way == 0 ? 50 : 1;
            cells(s);
            const size_t count = s->particles.count;
            const sums before = sum(s);
            assert_ok(k.ctx, points_sizes_change(s, 0));
            const sums after = sum(s);
            assert_true(way == 0 ? s->particles.count > count : s->particles.count < count);
            assert_true(after.mass == before.mass);
            assert_true(v3_distance(after.middle, before.middle) < 1e-12 * v3_length(before.middle));
            assert_true(v3_distance(after.momentum, before.momentum) < 1e-12 * v3_length(before.momentum));
            for (size_t i = 0; i < s->particles.count; i++)
                assert_true(s->sizes.spacing[i] == (float)points_size_of(s, i)->h);
            points_forget(s);
        }
        unmake(&k);
    }
}

/* Chains of neighbours, shortest first: each settled point once, by a search through all. */
static void depths_match_plain_search(void **state)
{
    (void)state;
    tank k = make(2, 2, 3);
    points *s = k.s;
    step(s, 5);
    cells(s);
    const size_t n = s->particles.count;
    const double most = 12 * D;
    double *depth, *plain = malloc(n * sizeof *plain);
    bool *settled = calloc(n, sizeof *settled);
    assert_ok(k.ctx, points_depths(s, most, &depth));
    for (size_t i = 0; i < n; i++) plain[i] = s->mesh.cell[i].air > 0 ? 0 : most;
    for (size_t round = 0; round < n; round++) {
        size_t next = n;
        for (size_t i = 0; i < n; i++)
            if (!settled[i] && (next == n || plain[i] < plain[next])) next = i;
        settled[next] = true;
        for (uint32_t f = 0; f < s->mesh.inner_count; f++) {
            const points_face *face = &s->mesh.face[f];
            if (face->a == next) plain[face->b] = fmin(plain[face->b], plain[next] + face->reach);
            if (face->b == next) plain[face->a] = fmin(plain[face->a], plain[next] + face->reach);
        }
    }
    double deepest = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(fabs(depth[i] - plain[i]) < 1e-12);
        deepest = fmax(deepest, depth[i]);
    }
    assert_true(deepest > 8 * D);
    free(plain);
    free(settled);
    points_forget(s);
    unmake(&k);
}

/* The start has fewer points, the finest at the surface, and cells of their volume. */
static void starts_graded(void **state)
{
    (void)state;
    tank k = make(2, 2, 4);
    points *s = k.s;
    assert_true(sum(s).mass == 16 * 24);
    assert_true(s->particles.count < 16 * 24 * 2 / 3);
    cells(s);
    float coarsest = 0;
    double missing = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        const points_size *size = points_size_of(s, i);
        coarsest = fmaxf(coarsest, s->sizes.level[i]);
        if (s->mesh.cell[i].air > 0)
            assert_true(s->sizes.grains[i] == 1);
        else {
            missing += fmax(0, size->whole - s->mesh.cell[i].volume);
            assert_true(s->mesh.cell[i].volume > 0.5 * size->whole);
        }
    }
    assert_true(coarsest >= 2);
    assert_true(missing < 0.02 * 16 * 24 * D * D * D);
    points_forget(s);
    unmake(&k);
}

/* A region keeps its level however deep it is. */
static void regions_stay_fine(void **state)
{
    (void)state;
    tank k = {.ctx = test_ctx(1), .scene = malloc(sizeof *k.scene)};
    rill_sim *sim = NULL;
    *k.scene = points_tank(k.ctx, 2, 1, 2);
    points_def *def = points_def_of(k.scene);
    def->levels = 4;
    def->region = (shape){.kind = SHAPE_BOX, .box = {{0, 0, -9}, {0.3, 0.3, 9}}};
    points_add_liquid(k.ctx, k.scene, (rill_box){{0, 0, -9}, {1, 1, 9}}, v3(0, 0, 0));
    assert_ok(k.ctx, points_method.create(k.ctx, k.scene, &sim));
    k.s = points_of(sim);
    float coarsest = 0;
    for (size_t i = 0; i < k.s->particles.count; i++) {
        const rill_vec3 x = k.s->particles.position[i];
        if (x.x < 0.3 && x.y < 0.3) assert_true(k.s->sizes.grains[i] == 1);
        coarsest = fmaxf(coarsest, k.s->sizes.level[i]);
    }
    assert_true(coarsest >= 2);
    unmake(&k);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    tank k[2];
    for (int t = 0; t < 2; t++) {
        k[t] = make(3, 1 + 2 * t, 3);
        step(k[t].s, 6);
    }
    assert_int_equal(k[0].s->particles.count, k[1].s->particles.count);
    const size_t n = k[0].s->particles.count;
    assert_memory_equal(k[0].s->particles.position, k[1].s->particles.position, n * sizeof(rill_vec3));
    assert_memory_equal(k[0].s->particles.velocity, k[1].s->particles.velocity, n * sizeof(rill_vec3));
    assert_memory_equal(k[0].s->sizes.level, k[1].s->sizes.level, n * sizeof(float));
    for (int t = 0; t < 2; t++) unmake(&k[t]);
}

/* A collapse: nothing is lost, nothing is thrown, and cells keep their volumes. */
static void collapses_whole(void **state)
{
    (void)state;
    tank k = make(2, 2, 4);
    const double mass = sum(k.s).mass;
    double compression = 0;
    for (int n = 0; n < 15; n++) {
        const rill_step_stats stats = step(k.s, 10);
        assert_true(stats.max_speed < 8);
        compression = fmax(compression, stats.compression);
    }
    assert_true(sum(k.s).mass == mass);
    if (!(compression < 0.06)) fail_msg("compression %g", compression);
    unmake(&k);
}

/* What does not go together is refused before anything is made. */
static void refusals(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = points_tank(ctx, 2, 1, 1);
    points_def *def = points_def_of(&scene);
    def->region_level = 1;
    assert_int_equal(points_method.check(ctx, &scene), RILL_BAD_SCENE);
    def->levels = 3;
    assert_int_equal(points_method.check(ctx, &scene), RILL_BAD_SCENE);
    def->region = (shape){.kind = SHAPE_BOX, .box = {{0, 0, -9}, {1, 1, 9}}};
    assert_ok(ctx, points_method.check(ctx, &scene));
    def->region_level = 4;
    assert_int_equal(points_method.check(ctx, &scene), RILL_BAD_SCENE);
    def->region_level = 0;
    def->scheme = POINTS_PAPER;
    assert_int_equal(points_method.check(ctx, &scene), RILL_BAD_SCENE);
    def->scheme = POINTS_VOLUME;
    scene.domain.open = 1;
    assert_int_equal(points_method.check(ctx, &scene), RILL_BAD_SCENE);
    scene.domain.open = 0;
    scene.fill = true;
    assert_int_equal(points_method.check(ctx, &scene), RILL_BAD_SCENE);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_conserve), cmocka_unit_test(depths_match_plain_search),
        cmocka_unit_test(starts_graded),    cmocka_unit_test(regions_stay_fine),
        cmocka_unit_test(collapses_whole),  cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("points_sizes", tests, NULL, NULL);
}
