/* The particle surface: field against its definition, volume, topology, odd inputs. */
#include "mesh_makers.h"
#include "support.h"

#include "base/random.h"
#include "surface/metaballs.h"
#include "surface/spray.h"
#include "surface/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Particles in the test's own storage. */
static particles make(size_t count)
{
    particles p = {.count = count, .capacity = count};
    p.position = calloc(count + 1, sizeof *p.position);
    p.velocity = calloc(count + 1, sizeof *p.velocity);
    p.id = calloc(count + 1, sizeof *p.id);
    for (size_t i = 0; i < count; i++) p.id[i] = 100 + i;
    return p;
}

static void drop(particles *p)
{
    free(p->position);
    free(p->velocity);
    free(p->id);
}

/* A block of n x n x n (n x n) particles with a jitter in spacings, lowest corner at `at`. */
static particles lattice(size_t n, int dimensions, double spacing, double jitter, rill_vec3 at)
{
    particles p = make(dimensions == 2 ? n * n : n * n * n);
    for (size_t i = 0; i < p.count; i++) {
        const random4 a = random_at(1, i, 0, 0), b = random_at(2, i, 0, 0);
        const rill_vec3 shift = v3(random_unit(a.v[0], a.v[1]) - 0.5, random_unit(a.v[2], a.v[3]) - 0.5,
                                   random_unit(b.v[0], b.v[1]) - 0.5);
        const rill_vec3 place =
            v3((double)(i % n) + 0.5, (double)(i / n % n) + 0.5, (double)(i / n / n) + 0.5);
        p.position[i] = v3_madd(at, spacing, v3_madd(place, jitter, shift));
        if (dimensions == 2) p.position[i].z = 0;
        p.velocity[i] = v3(1, -2, 0.25);
    }
    return p;
}

static void assert_same_mesh(const trimesh *a, const trimesh *b)
{
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_memory_equal(a->position, b->position, a->vertex_count * sizeof *a->position);
    assert_memory_equal(a->normal, b->normal, a->vertex_count * sizeof *a->normal);
    assert_memory_equal(a->triangle, b->triangle, a->triangle_count * sizeof *a->triangle);
    assert_memory_equal(a->column[0].value, b->column[0].value, 3 * a->vertex_count * sizeof(float));
}

/* weight NULL: 1 each. */
static double field_of(const particles *p, const double *weight, rill_vec3 x, double radius, bool planar)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        rill_vec3 d = v3_sub(x, p->position[i]);
        if (planar) d.z = 0;
        const double t = 1 - v3_dot(d, d) / (radius * radius);
        if (t > 0) sum += t * t * t * (weight ? weight[i] : 1);
    }
    return sum;
}

static double field_at(const particles *p, rill_vec3 x, double radius, bool planar)
{
    return field_of(p, NULL, x, radius, planar);
}

/* What each particle counts for, by the definition in spray.h. */
static void weigh(const particles *p, double spacing, double radius, int dimensions, double *weight)
{
    const double level = metaballs_level(radius, dimensions);
    const spray_weights w = spray_weights_make(radius, level, dimensions);
    for (size_t i = 0; i < p->count; i++) {
        const double seen = field_at(p, p->position[i], radius * spacing, dimensions == 2);
        const double lack = fmin(fmax((w.body - seen) / (w.body - 1), 0), 1);
        weight[i] = 1 + (w.most - 1) * lack;
    }
}

/* Every stored sample against the sum over all particles, and the side of the others. */
static void samples_match_brute_force(void **state)
{
    (void)state;
    static const struct {
        double cell, radius;
        int dimensions;
    } tries[] = {{0.5, 2, 3}, {0.21, 2.3, 3}, {1, 1.1, 3}, {0.5, 2, 2}, {0.1, 1.7, 2}};
    rill_ctx *ctx = test_ctx(2);
    for (size_t t = 0; t < sizeof tries / sizeof *tries; t++) {
        const int dim = tries[t].dimensions;
        particles p = lattice(dim == 2 ? 14 : 8, dim, 0.1, 0.9, v3(-3.217, 11.03, -0.402));
        const double cell = 0.1 * tries[t].cell, radius = 0.1 * tries[t].radius;
        sampler s = {0};
        level_grid g = {0};
        const double level = metaballs_level(tries[t].radius, dim);
        const sampler_def bins = {.from = &p, .cell = cell, .radius = radius, .dimensions = dim};
        const surface_def def = {
            .spacing = 0.1, .cell = tries[t].cell, .radius = tries[t].radius, .dimensions = dim};
        field f = {0};
        assert_ok(ctx, sampler_build(ctx, &bins, &s));
        assert_ok(ctx, metaballs_prepare(ctx, &def, &s, &f));
        double many[512];
        assert_true(p.count <= 512);
        weigh(&p, 0.1, tries[t].radius, dim, many);
        assert_ok(ctx, field_sample(ctx, &f, &g));
        assert_true(g.map.count > 0);
        size_t compared = 0;
        for (size_t b = 0; b < g.map.count; b++)
            for (int k = (int)(b % 5); k < LEVEL_AREA * g.layers; k += 5) {
                const int32_t *at = g.map.block[b];
                const rill_vec3 x =
                    v3_madd(g.origin, cell,
                            v3(8.0 * at[0] + (k & 7), 8.0 * at[1] + (k >> 3 & 7), 8.0 * at[2] + (k >> 6)));
                const double want = field_of(&p, many, x, radius, dim == 2);
                if (g.slot[b] == LEVEL_INSIDE) {
                    assert_true(want > level);
                    continue;
                }
                const float got = g.value[(size_t)g.slot[b] * LEVEL_AREA * (size_t)g.layers + (size_t)k];
                if (fabs(got - want) > 2e-5 * (1 + want))
                    fail_msg("try %zu: %g instead of %g at (%g, %g, %g)", t, (double)got, want, x.x, x.y,
                             x.z);
                compared++;
            }
        assert_true(compared > 100);
        level_grid_clear(ctx, &g);
        sampler_clear(ctx, &s);
        drop(&p);
    }
    rill_ctx_destroy(ctx);
}

/* The vertices lie on the level to second order in the cell, and normals are minus the
 * gradient, by differences of the brute-force field. */
static void vertices_lie_on_the_level(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = lattice(8, 3, 0.1, 0.6, v3(4, -2, 1));
    for (size_t i = 0; i < p.count; i++) p.velocity[i] = v3_sub(p.position[i], v3(4, -2, 1)); /* linear */
    surface_def def = {
        .spacing = 0.1, .cell = 0.25, .radius = 2, .dimensions = 3, .definition = SURFACE_METABALLS};
    const double level = metaballs_level(2, 3);
    trimesh m = {0};
    assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
    assert_string_equal(m.column[0].name, "velocity");
    assert_int_equal(m.column[0].width, 3);
    double many[512];
    assert_int_equal(p.count, 512);
    weigh(&p, 0.1, 2, 3, many);
    double off = 0, turn = 0, drift = 0;
    for (size_t v = 0; v < m.vertex_count; v += 7) {
        const rill_vec3 x = m.position[v];
        const double e = 1e-5;
        const rill_vec3 slope = v3(field_of(&p, many, v3(x.x - e, x.y, x.z), 0.2, false) -
                                       field_of(&p, many, v3(x.x + e, x.y, x.z), 0.2, false),
                                   field_of(&p, many, v3(x.x, x.y - e, x.z), 0.2, false) -
                                       field_of(&p, many, v3(x.x, x.y + e, x.z), 0.2, false),
                                   field_of(&p, many, v3(x.x, x.y, x.z - e), 0.2, false) -
                                       field_of(&p, many, v3(x.x, x.y, x.z + e), 0.2, false));
        const rill_vec3 n = v3(m.normal[v][0], m.normal[v][1], m.normal[v][2]);
        assert_true(fabs(v3_length(n) - 1) < 1e-6);
        /* distance from the level: difference over slope, in spacings */
        off = fmax(off, fabs(field_of(&p, many, x, 0.2, false) - level) / (v3_length(slope) / (2 * e)) / 0.1);
        turn = fmax(turn, v3_distance(n, v3_unit(slope)));
        rill_vec3 sum = {0};
        double weight = 0;
        for (size_t i = 0; i < p.count; i++) {
            const rill_vec3 d = v3_sub(x, p.position[i]);
            const double t = fmax(0, 1 - v3_dot(d, d) / 0.04);
            sum = v3_madd(sum, t * t * t, p.velocity[i]);
            weight += t * t * t;
        }
        const float *u = m.column[0].value + 3 * v;
        drift = fmax(drift, v3_distance(v3_scale(sum, 1 / weight), v3(u[0], u[1], u[2])));
    }
    print_message("vertices off the level by at most %.4f spacings, normals by %.1e\n", off, turn);
    assert_true(off < 0.05);
    assert_true(turn < 1e-4);
    assert_true(drift < 1e-6);
    trimesh_clear(ctx, &m);
    drop(&p);
    rill_ctx_destroy(ctx);
}

static void lattice_keeps_its_volume(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    static const double radius[] = {1.4, 2, 3, 2, 2};
    static const int kind[] = {0, 0, 0, SURFACE_WILLIAMS, SURFACE_WILLIAMS_LEVEL};
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 5; k++)
            for (int j = 0; j < 2; j++) {
                particles p = lattice(24, dim, 0.05, 0.2 * j, v3(0.3, -7, 12));
                surface_def def = {.spacing = 0.05,
                                   .cell = 0.5,
                                   .radius = radius[k],
                                   .dimensions = dim,
                                   .definition = kind[k]};
                trimesh m = {0};
                trimesh_report r;
                assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
                assert_sound_mesh(ctx, &m, &r);
                assert_int_equal(m.triangle_count, 2 * (m.vertex_count - 2)); /* Euler: no holes */
                const double ratio = r.volume / ((double)p.count * pow(0.05, 3));
                print_message("%dD, %s, radius %.1f, jitter %.1f: volume / (n spacing^3) = %.4f\n", dim,
                              scene_surface_words[kind[k]], radius[k], 0.2 * j, ratio);
                assert_true(fabs(ratio - 1) < 0.03);
                trimesh_clear(ctx, &m);
                drop(&p);
            }
    rill_ctx_destroy(ctx);
}

/* Spray counts for more, bodies of liquid do not, and what is between is in between. */
static void spray_is_weighed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dim = 2; dim <= 3; dim++) {
        /* a block, and behind it particles that are ever farther apart */
        particles p = lattice(6, dim, 0.1, 0, v3(0, 0, 0));
        const size_t body = p.count - 6;
        for (size_t i = body; i < p.count; i++)
            p.position[i] = v3(2 + 0.03 * (double)((i - body) * (i - body)), 0.3, 0);
        double many[256];
        assert_true(p.count <= 256);
        sampler s = {0};
        const spray_weights w = spray_weights_make(2, metaballs_level(2, dim), dim);
        assert_true(w.most > 1.5 && w.body > 1.5);
        const sampler_def bins = {.from = &p, .cell = 0.05, .radius = 0.2, .dimensions = dim};
        assert_ok(ctx, sampler_build(ctx, &bins, &s));
        assert_ok(ctx, spray_weigh(ctx, &s, &w));
        weigh(&p, 0.1, 2, dim, many);
        int alone = 0, between = 0, whole = 0;
        for (size_t i = 0; i < p.count; i++) {
            const float weight = powf(s.value[0][i], 3);
            assert_float_equal(weight, many[s.particle[i]], 1e-5);
            alone += weight > 0.999f * w.most;
            whole += weight == 1;
            between += weight > 1.01f && weight < 0.99f * w.most;
        }
        if (alone < 1 || between < 2 || whole < (int)(0.8 * (double)body))
            fail_msg("%d alone, %d between, %d whole of %zu", alone, between, whole, body);
        sampler_clear(ctx, &s);
        drop(&p);
    }
    rill_ctx_destroy(ctx);
}

/* The flat side of a lattice lies half a spacing outside the outermost layer. */
static void flat_side_is_calibrated(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = lattice(16, 3, 1, 0, v3(0.3, 0.1, 0.7));
    surface_def def = {
        .spacing = 1, .cell = 0.25, .radius = 2, .dimensions = 3, .definition = SURFACE_METABALLS};
    trimesh m = {0};
    assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
    double sum = 0;
    size_t count = 0;
    for (size_t v = 0; v < m.vertex_count; v++) {
        const rill_vec3 x = v3_sub(m.position[v], v3(0.3, 0.1, 0.7));
        if (x.x < 4 || x.x > 12 || x.z < 4 || x.z > 12 || x.y < 8) continue;
        sum += x.y;
        count++;
        assert_true(m.normal[v][1] > 0.8);
    }
    print_message("flat side at %.4f spacings, should be 16\n", sum / (double)count);
    assert_true(count > 500 && fabs(sum / (double)count - 16) < 0.02);
    trimesh_clear(ctx, &m);
    drop(&p);
    rill_ctx_destroy(ctx);
}

static void moved_by_whole_cells(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int dim = 2; dim <= 3; dim++) {
        /* cells of a power of two, so that the move is exact */
        const rill_vec3 at = v3(0.3, -0.2, 0.1),
                        far = v3(0.3 + 1024, -0.2 - 513.25, dim == 2 ? 0.1 : 7.5 + 0.1);
        particles p = lattice(12, dim, 0.25, 0.8, at), q = lattice(12, dim, 0.25, 0.8, at);
        for (size_t i = 0; i < q.count; i++)
            q.position[i] = v3_add(q.position[i], v3(1024, -513.25, dim == 2 ? 0 : 7.5));
        surface_def def = {
            .spacing = 0.25, .cell = 0.5, .radius = 2, .dimensions = dim, .definition = SURFACE_METABALLS};
        trimesh a = {0}, b = {0};
        trimesh_report ra, rb;
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &a));
        assert_ok(ctx, surface_from_particles(ctx, &q, &def, &b));
        assert_sound_mesh(ctx, &a, &ra);
        assert_sound_mesh(ctx, &b, &rb);
        assert_int_equal(a.vertex_count, b.vertex_count);
        assert_int_equal(a.triangle_count, b.triangle_count);
        assert_true(fabs(ra.volume / rb.volume - 1) < 1e-5);
        assert_true(fabs(trimesh_bounds(&b).min.x - trimesh_bounds(&a).min.x - (far.x - at.x)) < 1e-5);
        trimesh_clear(ctx, &a);
        trimesh_clear(ctx, &b);
        drop(&p);
        drop(&q);
    }
    rill_ctx_destroy(ctx);
}

static void threads_agree(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * SURFACE_DEFINITIONS; k++) {
        const int dim = 2 + k % 2;
        particles p = lattice(dim == 2 ? 60 : 18, dim, 0.1, 0.7, v3(0, 0, 0));
        surface_def def = {.spacing = 0.1, .cell = 0.5, .radius = 2, .dimensions = dim, .definition = k / 2};
        rill_ctx *ctx[4];
        trimesh m[4] = {0};
        for (int threads = 1; threads <= 3; threads++) {
            ctx[threads] = test_ctx(threads);
            assert_ok(ctx[threads], surface_from_particles(ctx[threads], &p, &def, &m[threads]));
            assert_same_mesh(&m[1], &m[threads]);
        }
        for (int threads = 1; threads <= 3; threads++) {
            trimesh_clear(ctx[threads], &m[threads]);
            rill_ctx_destroy(ctx[threads]);
        }
        drop(&p);
    }
}

static void few_particles(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh m = {0};
    trimesh_report r;
    for (int dim = 2; dim <= 3; dim++) {
        surface_def def = surface_def_default();
        def.dimensions = dim;
        particles p = make(64);

        p.count = 0; /* none */
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        assert_true(m.vertex_count == 0 && m.triangle_count == 0);

        p.count = 1; /* one: a ball of its volume */
        p.position[0] = v3(0.3, -5, 0);
        def.cell = 0.1;
        for (int k = 0; k < 4; k++) {
            def.definition = k < 3 ? SURFACE_METABALLS : SURFACE_FILTERED;
            def.radius = k < 3 ? 2 + k : 0;
            assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
            assert_sound_mesh(ctx, &m, &r);
            assert_int_equal(m.triangle_count, 2 * (m.vertex_count - 2));
            assert_true(fabs(r.volume - 1) < 0.05);
            trimesh_clear(ctx, &m);
        }
        def.radius = 1.25;

        p.count = 2; /* two, a million spacings apart, in two directions */
        p.position[1] = v3(1e6, -1e6, 0);
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        assert_sound_mesh(ctx, &m, &r);
        assert_int_equal(m.triangle_count, 2 * (m.vertex_count - 4));
        assert_true(trimesh_bounds(&m).max.x > 9e5 && trimesh_bounds(&m).min.x < 1);
        trimesh_clear(ctx, &m);

        p.count = 64; /* all in one place: one ball */
        for (size_t i = 0; i < p.count; i++) p.position[i] = v3(8, 16, 0);
        def.radius = 2;
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        assert_sound_mesh(ctx, &m, &r);
        assert_int_equal(m.triangle_count, 2 * (m.vertex_count - 2));
        for (size_t v = 0; v < m.vertex_count; v++)
            for (int k = 0; k < 3; k++) assert_true(isfinite(m.normal[v][k]));
        trimesh_clear(ctx, &m);
        drop(&p);
    }
    rill_ctx_destroy(ctx);
}

/* Clouds: random, dense and thin, coarse cells. Whatever it is, it is closed. */
static void clouds_are_closed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (uint64_t seed = 0; seed < 60; seed++) {
        particles p = make(400);
        const double size = 4 + (double)(seed % 7) * 2;
        for (size_t i = 0; i < p.count; i++) {
            const random4 a = random_at(seed, i, 0, 0), b = random_at(seed, i, 1, 0);
            p.position[i] = v3(size * random_unit(a.v[0], a.v[1]), size * random_unit(a.v[2], a.v[3]),
                               size * random_unit(b.v[0], b.v[1]));
        }
        static const double cell[] = {1, 0.5, 0.7}, radius[] = {1, 1.3, 2};
        surface_def def = {.spacing = 1,
                           .cell = cell[seed % 3],
                           .radius = radius[seed / 3 % 3],
                           .dimensions = seed % 2 ? 2 : 3,
                           .definition = (int)(seed / 2 % SURFACE_DEFINITIONS)};
        trimesh m = {0};
        trimesh_report r;
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        assert_sound_mesh(ctx, &m, &r);
        assert_true(r.volume > 0);
        trimesh_clear(ctx, &m);
        drop(&p);
    }
    rill_ctx_destroy(ctx);
}

/* Root mean square of the height of a flat side from its mean, in spacings. */
static double roughness(const trimesh *m, double *mean)
{
    double sum = 0, squares = 0, count = 0;
    for (size_t v = 0; v < m->vertex_count; v++) {
        const rill_vec3 x = m->position[v];
        if (x.x < 3 || x.x > 13 || x.z < 3 || x.z > 13 || x.y < 8) continue;
        sum += x.y;
        squares += x.y * x.y;
        count++;
    }
    *mean = sum / count;
    return sqrt(fmax(squares / count - *mean * *mean, 0));
}

/* Williams: no vertex is in an inner ball or outside of all outer ones, and a shaken block of
 * particles has flatter sides than metaballs give it, at the same height. */
static void williams_is_between_balls_and_smooth(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    particles p = lattice(16, 3, 1, 0.5, v3(0, 0, 0));
    double rough[SURFACE_DEFINITIONS], height[SURFACE_DEFINITIONS];
    for (int k = 0; k < SURFACE_DEFINITIONS; k++) {
        surface_def def = surface_def_default();
        def.definition = k;
        trimesh m = {0};
        trimesh_report r;
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        assert_sound_mesh(ctx, &m, &r);
        double low = INFINITY, high = 0, off = 0;
        for (size_t v = 0; v < m.vertex_count; v++) {
            double least = INFINITY;
            for (size_t i = 0; i < p.count; i++)
                least = fmin(least, v3_distance(m.position[v], p.position[i]));
            low = fmin(low, least);
            high = fmax(high, least);
            off = fmax(off, fabs(v3_length(v3(m.normal[v][0], m.normal[v][1], m.normal[v][2])) - 1));
        }
        rough[k] = roughness(&m, &height[k]);
        print_message("%s: %.3f to %.3f spacings from particles, flat to %.4f at %.3f\n",
                      scene_surface_words[k], low, high, rough[k], height[k]);
        assert_true(off < 1e-5);
        /* the level set's bounds hold for its samples: to half a cell between them */
        const double slack = k == SURFACE_WILLIAMS ? 1e-5 : 0.5 * def.cell;
        if (k >= SURFACE_WILLIAMS) assert_true(low > 0.4 - slack && high < 1 + slack);
        trimesh_clear(ctx, &m);
    }
    for (int k = SURFACE_WILLIAMS; k <= SURFACE_WILLIAMS_LEVEL; k++) {
        assert_true(rough[k] < 0.7 * rough[SURFACE_METABALLS]);
        assert_true(fabs(height[k] - height[SURFACE_METABALLS]) < 0.1);
    }
    drop(&p);
    rill_ctx_destroy(ctx);
}

static void lost_particles_are_named(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = lattice(4, 3, 1, 0, v3(0, 0, 0));
    surface_def def = surface_def_default();
    static const double lost[] = {NAN, INFINITY, -1e300, 1e30, 0x1p31};
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++) {
        trimesh m = {.vertex_count = 77};
        p.position[13].y = lost[k];
        assert_int_equal(surface_from_particles(ctx, &p, &def, &m), RILL_BLEW_UP);
        assert_non_null(strstr(rill_ctx_message(ctx), "particle 113 at"));
        assert_int_equal(m.vertex_count, 77);
    }
    p.position[13].y = 0x1p28; /* half of the widest: thin, but no trouble */
    trimesh m = {0};
    assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
    trimesh_clear(ctx, &m);
    drop(&p);
    rill_ctx_destroy(ctx);
}

static void bad_definitions(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = lattice(2, 3, 1, 0, v3(0, 0, 0));
    static const struct {
        double spacing, cell, radius;
        int dimensions, definition;
    } bad[] = {{0, 0.5, 2, 3, 0},   {NAN, 0.5, 2, 3, 0}, {1, 0, 2, 3, 0},     {1, NAN, 2, 3, 0},
               {1, 0.5, 0.5, 3, 0}, {1, 0.5, 99, 3, 0},  {1, 0.5, NAN, 3, 0}, {1, 0.5, 2, 4, 0},
               {-1, 0.5, 2, 3, 0},  {1, 2, 2, 3, 0},     {1, 0.5, 2, 3, -1},  {1, 0.5, 2, 3, 99}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        trimesh m = {.vertex_count = 77};
        const surface_def def = {.spacing = bad[k].spacing,
                                 .cell = bad[k].cell,
                                 .radius = bad[k].radius,
                                 .dimensions = bad[k].dimensions,
                                 .definition = bad[k].definition};
        assert_int_equal(surface_from_particles(ctx, &p, &def, &m), RILL_USAGE);
        assert_int_equal(m.vertex_count, 77);
    }
    drop(&p);
    rill_ctx_destroy(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * SURFACE_DEFINITIONS; k++) {
        const int dim = 2 + k % 2;
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(2, &f);
        particles p = lattice(5, dim, 1, 0.3, v3(0, 0, 0));
        surface_def def = surface_def_default();
        def.dimensions = dim;
        def.definition = k / 2;
        const uint64_t before = f.live;
        trimesh m = {0};
        rill_status st = RILL_NO_MEMORY;
        uint64_t n = 1;
        for (; st; n++) {
            f.fail_at = f.calls + n;
            st = surface_from_particles(ctx, &p, &def, &m);
            assert_true(st == RILL_OK || st == RILL_NO_MEMORY);
            if (st) assert_true(f.live == before && m.position == NULL);
        }
        assert_true(n > 20);
        f.fail_at = 0;
        trimesh_clear(ctx, &m);
        assert_true(f.live == before);
        drop(&p);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_match_brute_force),
        cmocka_unit_test(vertices_lie_on_the_level),
        cmocka_unit_test(lattice_keeps_its_volume),
        cmocka_unit_test(flat_side_is_calibrated),
        cmocka_unit_test(moved_by_whole_cells),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(few_particles),
        cmocka_unit_test(spray_is_weighed),
        cmocka_unit_test(williams_is_between_balls_and_smooth),
        cmocka_unit_test(clouds_are_closed),
        cmocka_unit_test(lost_particles_are_named),
        cmocka_unit_test(bad_definitions),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests_name("surface", tests, NULL, NULL);
}
