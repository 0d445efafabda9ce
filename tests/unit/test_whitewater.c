/* White water: potentials against sums over all pairs, what particles are, their ways, counts, lifetimes,
 * threads and state. */
#include "support.h"

#include "base/random.h"
#include "flow/snapshot.h"
#include "whitewater/potentials.h"
#include "whitewater/whitewater.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- liquids ---- */

typedef struct {
    liquid_samples samples;
    rill_vec3 *position, *velocity;
    uint64_t *id;
    float *size;
} liquid;

static liquid liquid_new(size_t count, double spacing, int dimensions)
{
    liquid l = {.position = calloc(count + 1, sizeof *l.position),
                .velocity = calloc(count + 1, sizeof *l.velocity),
                .id = calloc(count + 1, sizeof *l.id),
                .size = calloc(count + 1, sizeof *l.size)};
    for (size_t i = 0; i < count; i++) l.id[i] = 1000 + 7 * i, l.size[i] = (float)spacing;
    l.samples = (liquid_samples){count, l.position, l.velocity, l.id, NULL, NULL, spacing, dimensions};
    return l;
}

static void liquid_free(liquid *l)
{
    free(l->position);
    free(l->velocity);
    free(l->id);
    free(l->size);
}

static double noise(uint64_t id, int k)
{
    const random4 r = random_at(5, id, (uint32_t)k, 9);
    return random_unit(r.v[0], r.v[1]);
}

/* A lattice in the box, disordered by a share of the spacing. */
static liquid lattice(rill_box b, double h, double disorder, int dimensions)
{
    int n[3];
    for (int a = 0; a < 3; a++) n[a] = (int)floor((v3_axis(b.max, a) - v3_axis(b.min, a)) / h + 0.5);
    if (dimensions == 2) n[2] = 1;
    liquid l = liquid_new((size_t)(n[0] * n[1] * n[2]), h, dimensions);
    size_t i = 0;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++, i++) {
                const rill_vec3 off = v3(noise(i, 0) - 0.5, noise(i, 1) - 0.5, noise(i, 2) - 0.5);
                const rill_vec3 at = v3_madd(b.min, h, v3(x + 0.5, y + 0.5, z + 0.5));
                l.position[i] = v3_madd(at, disorder * h, off);
                if (dimensions == 2) l.position[i].z = 0;
            }
    return l;
}

static rill_scene scene_of(int dimensions)
{
    rill_scene scene = {.dimensions = dimensions, .spacing = 0.05};
    scene.domain.min = v3(0, 0, 0);
    scene.domain.max = v3(1, 1, 1);
    scene.domain.open = 63; /* all sides */
    scene.gravity = v3(0, -9.81, 0);
    scene.whitewater = (scene_whitewater){.trapped_air = 100,
                                          .wave_crests = 100,
                                          .buoyancy = 2,
                                          .drag = 80,
                                          .life_min = 1,
                                          .life_max = 3,
                                          .most = 1000000};
    return scene;
}

/* ---- potentials ---- */

/* Equations 2 and 4 to 7 as they are written, over all pairs. */
static void brute_force(const rill_scene *scene, const sample_cells *c, double *trapped, double *crest,
                        double (*normal)[3])
{
    for (size_t i = 0; i < c->count; i++) {
        rill_vec3 n = v3(0, 0, 0);
        double all = 0;
        trapped[i] = 0;
        for (size_t j = 0; j < c->count; j++) {
            const rill_vec3 x = v3_sub(c->position[i], c->position[j]),
                            v = v3_sub(c->velocity[i], c->velocity[j]);
            const double w = 1 - v3_length(x) / (2 * (double)c->spacing[j]);
            if (i == j || w <= 0 || v3_length(x) == 0) continue;
            if (v3_length(v) > 0) trapped[i] += v3_length(v) * (1 - v3_dot(v3_unit(v), v3_unit(x))) * w;
            n = v3_madd(n, w, v3_unit(x));
            all += w;
        }
        const bool surface = v3_length(n) > 0.25 * all && v3_length(n) > 0;
        n = surface ? v3_unit(n) : v3(0, 0, 0);
        for (int a = 0; a < 3; a++) normal[i][a] = v3_axis(n, a);
    }
    const double slowest = potential_ranges_of(scene).speed[0];
    for (size_t i = 0; i < c->count; i++) {
        const rill_vec3 n = v3(normal[i][0], normal[i][1], normal[i][2]), v = c->velocity[i];
        crest[i] = 0;
        if (v3_length(n) < 0.5 || v3_dot(v, n) < 0.6 * v3_length(v) || v3_length(v) <= slowest) continue;
        for (size_t j = 0; j < c->count; j++) {
            const rill_vec3 m = v3(normal[j][0], normal[j][1], normal[j][2]),
                            x = v3_sub(c->position[j], c->position[i]);
            const double w = 1 - v3_length(x) / (2 * (double)c->spacing[j]);
            if (i != j && w > 0 && v3_length(m) > 0.5 && v3_dot(v3_unit(x), n) < 0)
                crest[i] += (1 - v3_dot(n, m)) * w;
        }
    }
}

static void potentials_match_brute_force(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int variant = 0; variant < 3; variant++) {
        const int dimensions = variant == 1 ? 2 : 3;
        rill_scene scene = scene_of(dimensions);
        scene.whitewater.speed_range[1] = 1e-3; /* all that moves */
        const rill_box b = {v3(0.2, 0.2, 0.2), v3(0.7, 0.6, 0.55)};
        liquid l = lattice(b, 0.05, 0.8, dimensions);
        for (size_t i = 0; i < l.samples.count; i++) {
            l.velocity[i] = v3(noise(i, 3) - 0.5, noise(i, 4), noise(i, 5) - 0.5);
            if (dimensions == 2) l.velocity[i].z = 0;
            if (variant == 2 && i % 3 == 0) l.size[i] = 0.1f; /* two sizes */
        }
        if (variant == 2) l.samples.size = l.size;
        rill_arena arena;
        arena_init(&arena, ctx);
        sample_cells cells;
        potentials p;
        assert_ok(ctx, sample_cells_build(ctx, &arena, &l.samples, v3(-3, 0.01, 0), &cells));
        assert_int_equal(cells.count, l.samples.count);
        assert_ok(ctx, potentials_build(ctx, &arena, &scene, &cells, &p));
        double *trapped = calloc(cells.count, sizeof *trapped), *crest = calloc(cells.count, sizeof *crest);
        double(*normal)[3] = calloc(cells.count, sizeof *normal);
        brute_force(&scene, &cells, trapped, crest, normal);
        size_t crests = 0;
        for (size_t i = 0; i < cells.count; i++) {
            if (fabs(trapped[i] - (double)p.trapped[i]) > 1e-4 * (1 + trapped[i])) fail_msg("air of %zu", i);
            for (int a = 0; a < 3; a++) /* those at the limit of being a surface may fall on either side */
                if (fabs(normal[i][a] - (double)p.normal[i][a]) > 1e-4) fail_msg("normal of %zu", i);
            if (fabs(crest[i] - (double)p.crest[i]) > 1e-3) fail_msg("crest of %zu", i);
            crests += crest[i] > 0.1;
        }
        assert_true(crests > 5); /* there was something to compare */
        free(trapped);
        free(crest);
        free(normal);
        sample_cells_clear(ctx, &cells);
        arena_clear(&arena);
        liquid_free(&l);
    }
    rill_ctx_destroy(ctx);
}

/* Liquid that moves as one traps nothing; two halves that meet do, those that part do not as much. */
static void air_is_trapped_where_liquid_meets(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    double most[3] = {0};
    for (int way = -1; way <= 1; way++) {
        rill_scene scene = scene_of(3);
        liquid l = lattice((rill_box){v3(0.2, 0.2, 0.2), v3(0.8, 0.5, 0.5)}, 0.05, 0, 3);
        for (size_t i = 0; i < l.samples.count; i++)
            l.velocity[i] = v3(way == 0 ? 3 : l.position[i].x < 0.5 ? way : -way, 0, 0);
        rill_arena arena;
        arena_init(&arena, ctx);
        sample_cells cells;
        potentials p;
        assert_ok(ctx, sample_cells_build(ctx, &arena, &l.samples, v3(0, 0, 0), &cells));
        assert_ok(ctx, potentials_build(ctx, &arena, &scene, &cells, &p));
        for (size_t i = 0; i < cells.count; i++) most[way + 1] = fmax(most[way + 1], (double)p.trapped[i]);
        sample_cells_clear(ctx, &cells);
        arena_clear(&arena);
        liquid_free(&l);
    }
    assert_true(most[1] < 1e-5);
    assert_true(most[2] > 5 * most[0] && most[2] > 5);
    rill_ctx_destroy(ctx);
}

/* ---- steps ---- */

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    solids walls;
    whitewater *w;
} basin;

static basin basin_new(int threads, rill_scene scene)
{
    basin b = {.ctx = test_ctx(threads), .scene = scene};
    return b;
}

static void basin_start(basin *b)
{
    assert_ok(b->ctx, solids_create(b->ctx, &b->scene, &b->walls));
    assert_ok(b->ctx, whitewater_create(b->ctx, &b->scene, 0, &b->w));
}

static void basin_end(basin *b)
{
    whitewater_destroy(b->ctx, b->w);
    solids_clear(b->ctx, &b->walls);
    rill_ctx_destroy(b->ctx);
}

static void put(basin *b, rill_vec3 x, rill_vec3 v, double life)
{
    assert_ok(b->ctx, particles_append(b->ctx, &b->w->dots, 1, &x, &v));
    b->w->dots.column[WHITEWATER_LIFE].value[b->w->dots.count - 1] = (float)life;
    b->w->made++;
}

static void step(basin *b, const liquid *l, double dt)
{
    assert_ok(b->ctx, whitewater_step(b->ctx, b->w, &l->samples, &b->walls, dt));
}

/* Away from liquid: a parabola, exactly, and with drag of air the exponential. */
static void spray_flies(void **state)
{
    (void)state;
    for (int drag = 0; drag < 2; drag++) {
        basin b = basin_new(1, scene_of(3));
        const double k = 1.5, dt = 0.01;
        b.scene.whitewater.air_drag = drag ? k : 0;
        basin_start(&b);
        liquid none = liquid_new(0, 0.05, 3);
        const rill_vec3 x = v3(0.1, 0.3, 0.5), v = v3(1.5, 1, 0);
        put(&b, x, v, 5);
        for (int i = 0; i < 20; i++) step(&b, &none, dt);
        const double t = 20 * dt, e = exp(-k * t), g = -9.81;
        const rill_vec3 at = b.w->dots.position[0];
        const double fall = drag ? g / k * t + (v.y - g / k) * (1 - e) / k : v.y * t + g * t * t / 2;
        assert_int_equal(b.w->dots.count, 1);
        assert_true(fabs(at.y - (x.y + fall)) < 1e-12);
        assert_true(fabs(at.x - (x.x + (drag ? v.x * (1 - e) / k : v.x * t))) < 1e-12);
        assert_true(b.w->dots.column[WHITEWATER_TYPE].value[0] == WATER_SPRAY);
        assert_true(b.w->dots.column[WHITEWATER_LIFE].value[0] == 5); /* spray does not age */
        liquid_free(&none);
        basin_end(&b);
    }
}

/* Deep in liquid at rest: terminal speed buoyancy * g / drag, reached as exp(-drag t). */
static void bubbles_rise(void **state)
{
    (void)state;
    basin b = basin_new(1, scene_of(3));
    basin_start(&b);
    liquid l = lattice((rill_box){v3(0, 0, 0), v3(1, 1, 1)}, 0.05, 0, 3);
    const double dt = 0.003, terminal = 2 * 9.81 / 80;
    put(&b, v3(0.5, 0.3, 0.5), v3(0, 0, 0), 5);
    double y = 0.3;
    for (int i = 1; i <= 100; i++) {
        step(&b, &l, dt);
        const double t = i * dt, wanted = 0.3 + terminal * (t - (1 - exp(-80 * t)) / 80);
        y = b.w->dots.position[0].y;
        assert_true(fabs(y - wanted) < 1e-6);
        assert_true(b.w->dots.column[WHITEWATER_TYPE].value[0] == WATER_BUBBLE);
    }
    assert_true(fabs(b.w->dots.velocity[0].y - terminal) < 1e-6);
    for (int i = 0; i < 1500 && b.w->dots.column[WHITEWATER_TYPE].value[0] == WATER_BUBBLE; i++)
        step(&b, &l, dt);
    assert_true(b.w->dots.column[WHITEWATER_TYPE].value[0] == WATER_FOAM); /* at the surface, and no higher */
    assert_true(fabs(b.w->dots.position[0].y - 1) < 0.05);
    liquid_free(&l);
    basin_end(&b);
}

/* At the surface of liquid that moves steadily foam goes as far as the liquid does. */
static void foam_goes_with_the_liquid(void **state)
{
    (void)state;
    basin b = basin_new(2, scene_of(3));
    b.scene.whitewater.trapped_air = b.scene.whitewater.wave_crests = 0;
    basin_start(&b);
    liquid l = lattice((rill_box){v3(0, 0, 0), v3(1, 0.5, 1)}, 0.05, 0, 3);
    const rill_vec3 u = v3(0.5, 0.0, -0.25);
    for (size_t i = 0; i < l.samples.count; i++) l.velocity[i] = u;
    put(&b, v3(0.3, 0.5, 0.6), v3(9, 9, 9), 5);
    for (int i = 0; i < 20; i++) step(&b, &l, 0.01);
    const rill_vec3 wanted = v3_madd(v3(0.3, 0.5, 0.6), 0.2, u);
    assert_true(b.w->dots.column[WHITEWATER_TYPE].value[0] == WATER_FOAM);
    assert_true(v3_distance(b.w->dots.position[0], wanted) < 1e-6);
    assert_true(fabs(b.w->dots.column[WHITEWATER_LIFE].value[0] - 4.8f) < 1e-5f);
    liquid_free(&l);
    basin_end(&b);
}

/* Kinds by numbers of neighbours that were counted one by one, also where sides cut the liquid off. */
static void kinds_follow_the_count(void **state)
{
    (void)state;
    basin b = basin_new(2, scene_of(3));
    b.scene.whitewater.trapped_air = b.scene.whitewater.wave_crests = 0;
    basin_start(&b);
    liquid l = lattice((rill_box){v3(0.1, 0, 0.1), v3(0.9, 0.5, 0.9)}, 0.05, 0.5, 3);
    enum { N = 400 };
    rill_vec3 x[N];
    for (int i = 0; i < N; i++) {
        x[i] = v3(noise((uint64_t)i, 11), 0.15 + 0.7 * noise((uint64_t)i, 12), noise((uint64_t)i, 13));
        put(&b, x[i], v3(0, 0, 0), 5);
    }
    step(&b, &l, 1e-9);
    int seen[WATER_KINDS] = {0};
    for (size_t k = 0; k < b.w->dots.count; k++) {
        const uint64_t i = b.w->dots.id[k];
        int count = 0;
        for (size_t s = 0; s < l.samples.count; s++) count += v3_distance(x[i], l.position[s]) < 0.1;
        const int kind = count < 6 ? WATER_SPRAY : count > 20 ? WATER_BUBBLE : WATER_FOAM;
        assert_int_equal((int)b.w->dots.column[WHITEWATER_TYPE].value[k], kind);
        seen[kind]++;
    }
    for (int k = 0; k < WATER_KINDS; k++) assert_true(seen[k] > 20);
    liquid_free(&l);
    basin_end(&b);

    b = basin_new(1, scene_of(3)); /* in a corner that is closed, deep below the surface */
    b.scene.domain.open = 8;
    basin_start(&b);
    l = lattice((rill_box){v3(0, 0, 0), v3(1, 0.8, 1)}, 0.05, 0, 3);
    put(&b, v3(0.01, 0.01, 0.01), v3(0, 0, 0), 5);
    step(&b, &l, 1e-6);
    assert_true(b.w->dots.column[WHITEWATER_TYPE].value[0] == WATER_BUBBLE);
    liquid_free(&l);
    basin_end(&b);
}

/* ---- counts, lifetimes, threads, state ---- */

/* Two blocks of liquid that run into each other. */
static liquid collision(void)
{
    liquid l = lattice((rill_box){v3(0.1, 0.1, 0.1), v3(0.9, 0.6, 0.9)}, 0.05, 0.3, 3);
    for (size_t i = 0; i < l.samples.count; i++) l.velocity[i] = v3(l.position[i].x < 0.5 ? 3 : -3, 1, 0);
    return l;
}

static void counts_add_up(void **state)
{
    (void)state;
    basin b = basin_new(2, scene_of(3));
    b.scene.whitewater.life_min = 0.05;
    b.scene.whitewater.life_max = 0.1;
    b.scene.whitewater.trapped_air = 4000;
    b.scene.whitewater.most = 3000;
    basin_start(&b);
    liquid l = collision();
    for (int i = 0; i < 100; i++) {
        step(&b, &l, 0.005);
        const whitewater *w = b.w;
        assert_int_equal(w->made, w->dots.count + w->ended + w->drained + w->left);
        assert_true(w->dots.count <= 3000);
        for (size_t k = 0; k < w->dots.count; k++) assert_true(w->dots.column[WHITEWATER_LIFE].value[k] > 0);
    }
    if (!(b.w->made > 3000 && b.w->ended > 100 && b.w->left > 10))
        fail_msg("made %d, ended %d, left %d", (int)b.w->made, (int)b.w->ended, (int)b.w->left);
    liquid_free(&l);
    basin_end(&b);
}

/* As many as the rate says in the mean, and lives spread evenly between the two limits (Kolmogorov-Smirnov).
 */
static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void lives_are_spread_evenly(void **state)
{
    (void)state;
    basin b = basin_new(1, scene_of(3));
    b.scene.whitewater.trapped_air = 40000;
    b.scene.whitewater.wave_crests = 0;
    basin_start(&b);
    liquid l = collision();
    rill_arena arena;
    arena_init(&arena, b.ctx);
    sample_cells cells;
    potentials p;
    assert_ok(b.ctx, sample_cells_build(b.ctx, &arena, &l.samples, v3(0, 0, 0), &cells));
    assert_ok(b.ctx, potentials_build(b.ctx, &arena, &b.scene, &cells, &p));
    double wanted = 0;
    for (size_t i = 0; i < cells.count; i++) wanted += (double)p.rate[i] * 1e-3;
    sample_cells_clear(b.ctx, &cells);
    arena_clear(&arena);
    step(&b, &l, 1e-3);
    const size_t n = b.w->dots.count;
    assert_true(n > 5000 && fabs((double)n - wanted) < 4 * sqrt(wanted));
    float *life = b.w->dots.column[WHITEWATER_LIFE].value;
    qsort(life, n, sizeof *life, by_value);
    double off = 0;
    for (size_t k = 0; k < n; k++)
        off = fmax(off, fabs(((double)life[k] - 1) / 2 - (double)(k + 1) / (double)n));
    assert_true(off < 1.95 / sqrt((double)n)); /* one in a thousand of such samples would fail */
    assert_true(life[0] >= 1 && life[n - 1] <= 3);
    liquid_free(&l);
    basin_end(&b);
}

/* Foam that is made to last between a and b seconds is gone in that order: the number alive falls linearly.
 */
static void foam_dissolves(void **state)
{
    (void)state;
    basin b = basin_new(1, scene_of(3));
    b.scene.whitewater.trapped_air = b.scene.whitewater.wave_crests = 0;
    b.scene.gravity = v3(0, 0, 0);
    basin_start(&b);
    liquid l = lattice((rill_box){v3(0, 0, 0), v3(1, 0.5, 1)}, 0.05, 0, 3);
    for (int i = 0; i < 100; i++) put(&b, v3(0.3 + 0.004 * i, 0.5, 0.5), v3(0, 0, 0), 0.01 * (i + 0.5));
    for (int i = 1; i < 100; i++) {
        step(&b, &l, 0.01);
        assert_int_equal(b.w->dots.count, 100 - i);
    }
    liquid_free(&l);
    basin_end(&b);
}

static void same_for_any_threads_and_after_a_resume(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    liquid l = collision();
    basin one = basin_new(1, scene_of(3)), two = basin_new(3, scene_of(3));
    one.scene.domain.open = two.scene.domain.open = 8; /* walls */
    basin_start(&one);
    basin_start(&two);
    for (int i = 0; i < STEPS; i++) {
        step(&one, &l, 0.004);
        if (i == STEPS / 3 + 1) { /* the other goes on from what was saved */
            snapshot kept;
            snapshot_init(&kept, two.ctx);
            assert_ok(two.ctx, two.w->rider.save(&two.w->rider, &kept.writer));
            whitewater_destroy(two.ctx, two.w);
            assert_ok(two.ctx, whitewater_create(two.ctx, &two.scene, 0, &two.w));
            assert_ok(two.ctx, two.w->rider.load(two.ctx, &two.w->rider, &kept.reader));
            snapshot_clear(&kept);
        }
        step(&two, &l, 0.004);
    }
    const particles *p = &one.w->dots, *q = &two.w->dots;
    assert_true(p->count > 1000);
    assert_int_equal(p->count, q->count);
    assert_memory_equal(p->position, q->position, p->count * sizeof *p->position);
    assert_memory_equal(p->velocity, q->velocity, p->count * sizeof *p->velocity);
    assert_memory_equal(p->id, q->id, p->count * sizeof *p->id);
    for (int c = 0; c < WHITEWATER_COLUMNS; c++)
        assert_memory_equal(p->column[c].value, q->column[c].value, p->count * sizeof(float));
    for (size_t i = 0; i < p->count; i++)
        assert_true(box_contains((rill_box){v3(-1e-9, -1e-9, -1e-9), v3(1 + 1e-9, 1 + 1e-9, 1 + 1e-9)},
                                 p->position[i]));
    basin_end(&one);
    basin_end(&two);
    liquid_free(&l);
}

static rill_status some_steps(rill_ctx *ctx, void *user)
{
    const liquid *l = user;
    rill_scene scene = scene_of(3);
    solids walls = {0};
    whitewater *w = NULL;
    rill_status st = solids_create(ctx, &scene, &walls);
    if (!st) st = whitewater_create(ctx, &scene, 0, &w);
    for (int i = 0; i < 3 && !st; i++) st = whitewater_step(ctx, w, &l->samples, &walls, 0.01);
    whitewater_destroy(ctx, w);
    solids_clear(ctx, &walls);
    return st;
}

static void failing_allocations_are_told(void **state)
{
    (void)state;
    liquid l = collision();
    assert_true(every_allocation_fails(1, some_steps, &l) > 10);
    liquid_free(&l);
}

/* Samples that are not finite do not count, and nothing breaks. */
static void odd_samples_are_left_out(void **state)
{
    (void)state;
    basin b = basin_new(1, scene_of(3));
    basin_start(&b);
    liquid l = collision();
    l.position[3].x = NAN;
    l.velocity[4].y = INFINITY;
    l.position[5].z = 1e300;
    for (int i = 0; i < 5; i++) step(&b, &l, 0.01);
    for (size_t k = 0; k < b.w->dots.count; k++) assert_true(v3_finite(b.w->dots.position[k]));
    assert_true(b.w->dots.count > 0);
    liquid_free(&l);
    basin_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(potentials_match_brute_force),
                                       cmocka_unit_test(air_is_trapped_where_liquid_meets),
                                       cmocka_unit_test(spray_flies),
                                       cmocka_unit_test(bubbles_rise),
                                       cmocka_unit_test(foam_goes_with_the_liquid),
                                       cmocka_unit_test(kinds_follow_the_count),
                                       cmocka_unit_test(counts_add_up),
                                       cmocka_unit_test(lives_are_spread_evenly),
                                       cmocka_unit_test(foam_dissolves),
                                       cmocka_unit_test(same_for_any_threads_and_after_a_resume),
                                       cmocka_unit_test(failing_allocations_are_told),
                                       cmocka_unit_test(odd_samples_are_left_out)};
    return cmocka_run_group_tests_name("whitewater", tests, NULL, NULL);
}
