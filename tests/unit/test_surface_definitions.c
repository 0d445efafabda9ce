/* The definitions of the particle surface beside each other: fields against their formulas, what they have in
 * common, how bumpy they are, and the distances that one of them carries. */
#include "mesh_makers.h"
#include "support.h"

#include "base/random.h"
#include "surface/anisotropic.h"
#include "surface/averages.h"
#include "surface/distances.h"
#include "surface/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double uniform(uint64_t seed, uint64_t i, uint64_t which)
{
    const random4 r = random_at(seed, i, which, 0);
    return random_unit(r.v[0], r.v[1]);
}

static void add(rill_ctx *ctx, particles *p, rill_vec3 x)
{
    assert_ok(ctx, particles_append(ctx, p, 1, &x, NULL));
}

enum { SIZES = SURFACE_WILLIAMS }; /* definitions before it take particles of different sizes */

typedef double depth_of(rill_vec3 x);

static double ball_depth(rill_vec3 x)
{
    return 8 - v3_length(x);
}

static double slab_depth(rill_vec3 x) /* 20 x 8 x 20, its top at y = 0 */
{
    return fmin(fmin(-x.y, x.y + 8), fmin(10 - fabs(x.x), 10 - fabs(x.z)));
}

/* A turned, jittered lattice of spacing 1 in a shape; exact distances in the column "surface_distance". */
static particles fill(rill_ctx *ctx, depth_of *depth, double jitter)
{
    particles p = {0};
    assert_ok(ctx, particles_add_column(ctx, &p, "surface_distance"));
    for (uint64_t i = 0; i < 40 * 40 * 40; i++) {
        const double x = (double)(i % 40) - 19.5 + jitter * (uniform(1, i, 0) - 0.5),
                     y = (double)(i / 40 % 40) - 19.5 + jitter * (uniform(1, i, 1) - 0.5),
                     z = (double)(i / 1600) - 19.5 + jitter * (uniform(1, i, 2) - 0.5);
        const double a = cos(0.5) * x - sin(0.5) * y, b = sin(0.5) * x + cos(0.5) * y;
        const rill_vec3 at = v3(a, cos(0.8) * b - sin(0.8) * z, sin(0.8) * b + cos(0.8) * z);
        if (depth(at) < 0) continue;
        add(ctx, &p, at);
        p.column[0].value[p.count - 1] = (float)depth(at);
    }
    return p;
}

/* ---- the field of averages ---- */

static double phi_by_sums(const particles *p, const float *spacing, double radius, rill_vec3 x, bool planar)
{
    double w = 0, d = 0, nearest = 0;
    rill_vec3 a = {0};
    for (size_t i = 0; i < p->count; i++) {
        rill_vec3 away = v3_sub(p->position[i], x);
        if (planar) away.z = 0;
        const double r = radius * spacing[i], t = 1 - v3_dot(away, away) / (r * r);
        if (t <= 0) continue;
        const double k = t * t * t / r;
        w += k;
        d += k * p->column[0].value[i];
        a = v3_madd(a, k, away);
        nearest = fmax(nearest, t);
    }
    if (!(w > 0)) return NAN;
    const double lack = fmax(0, (0.75 - nearest) / 0.11), f = fmax(-1, 1 - lack * lack * lack);
    return d / w * f - v3_length(a) / w;
}

/* Particles of sizes from 1 to 5, distances at random: samples as by the formula. */
static void averages_match_their_formula(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dim = 2; dim <= 3; dim++) {
        particles p = {0};
        assert_ok(ctx, particles_add_column(ctx, &p, "surface_distance"));
        assert_ok(ctx, particles_add_column(ctx, &p, "spacing"));
        for (uint64_t i = 0; i < 250; i++) {
            add(ctx, &p,
                v3(5 + 20 * uniform(2, i, 0), -3 + 20 * uniform(2, i, 1),
                   dim == 2 ? 0 : 20 * uniform(2, i, 2)));
            p.column[0].value[i] = (float)(2 * uniform(2, i, 3));
            p.column[1].value[i] = i % 17 == 0 ? 5 : 1 + (float)uniform(2, i, 4);
        }
        float reach[250];
        for (size_t i = 0; i < p.count; i++) reach[i] = 2.5f * p.column[1].value[i];
        const sampler_def bins = {.from = &p, .reach = reach, .cell = 0.4, .dimensions = dim};
        surface_def def = surface_def_default();
        def.cell = 0.4;
        def.dimensions = dim;
        sampler s = {0};
        field f = {0};
        level_grid g = {0};
        assert_ok(ctx, sampler_build(ctx, &bins, &s));
        assert_true(s.groups > 1);
        assert_ok(ctx, distance_prepare(ctx, &def, &s, &f));
        assert_ok(ctx, field_sample(ctx, &f, &g));
        size_t compared = 0;
        for (size_t b = 0; b < g.map.count; b++)
            for (int k = (int)(b % 7); k < LEVEL_AREA * g.layers && g.slot[b] < LEVEL_INSIDE; k += 7) {
                const int32_t *at = g.map.block[b];
                const rill_vec3 x =
                    v3_madd(g.origin, 0.4,
                            v3(8.0 * at[0] + (k & 7), 8.0 * at[1] + (k >> 3 & 7), 8.0 * at[2] + (k >> 6)));
                const double want = phi_by_sums(&p, p.column[1].value, 2.5, x, dim == 2) / 0.4;
                const float got = g.value[(size_t)g.slot[b] * LEVEL_AREA * (size_t)g.layers + (size_t)k];
                if (isnan(want) ? got != g.outside : fabs(got - want) > 1e-4 * (1 + fabs(want)))
                    fail_msg("%dD: %g instead of %g at (%g, %g, %g)", dim, (double)got, want, x.x, x.y, x.z);
                compared++;
            }
        assert_true(compared > 200);
        level_grid_clear(ctx, &g);
        sampler_clear(ctx, &s);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

/* The gradient by differences, where the nearest particle is near enough for f = 1. */
static void gradient_is_that_of_phi(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = fill(ctx, ball_depth, 0.4);
    const sampler_def bins = {.from = &p, .cell = 0.5, .radius = 2.5, .dimensions = 3};
    surface_def def = surface_def_default();
    sampler s = {0};
    field f = {0};
    sampler_near near = {0};
    assert_ok(ctx, sampler_build(ctx, &bins, &s));
    assert_ok(ctx, distance_prepare(ctx, &def, &s, &f));
    assert_ok(ctx, sampler_near_init(ctx, &s, &near));
    const int32_t block[3] = {4, 2, 2};
    sampler_gather(&s, block, &near);
    assert_true(near.count > 50);
    const float e = 0.02f;
    for (uint64_t i = 0; i < 50; i++) {
        const float x = 8 * (float)uniform(3, i, 0), y = 8 * (float)uniform(3, i, 1),
                    z = 8 * (float)uniform(3, i, 2);
        rill_vec3 g;
        if (averages_at(&near, x, y, z, &g) < -0.8f) continue; /* f < 1 farther out */
        const rill_vec3 want =
            v3((averages_at(&near, x + e, y, z, NULL) - averages_at(&near, x - e, y, z, NULL)) / (2 * e),
               (averages_at(&near, x, y + e, z, NULL) - averages_at(&near, x, y - e, z, NULL)) / (2 * e),
               (averages_at(&near, x, y, z + e, NULL) - averages_at(&near, x, y, z - e, NULL)) / (2 * e));
        if (v3_distance(g, want) > 0.02 * (1 + v3_length(want)))
            fail_msg("(%g, %g, %g) instead of (%g, %g, %g)", g.x, g.y, g.z, want.x, want.y, want.z);
    }
    sampler_near_clear(ctx, &near);
    sampler_clear(ctx, &s);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

/* ---- what all definitions have in common ---- */

static void lone_particles_are_balls(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int d = 0; d < SIZES; d++)
        for (int dim = 2; dim <= 3; dim++)
            for (int large = 0; large < 2; large++) {
                particles p = {0};
                trimesh m = {0};
                trimesh_report r;
                const double size = large ? 2.5 : 1;
                assert_ok(ctx, particles_add_column(ctx, &p, "spacing"));
                add(ctx, &p, v3(0.3, -7.1, 0));
                p.column[0].value[0] = (float)size;
                surface_def def = surface_def_default();
                def.definition = d;
                def.dimensions = dim;
                def.cell = 0.1;
                assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
                assert_sound_mesh(ctx, &m, &r);
                const double want = pow(size, dim);
                if (fabs(r.volume / want - 1) > 0.06)
                    fail_msg("%s, %dD, size %g: volume %g", scene_surface_words[d], dim, size, r.volume);
                trimesh_clear(ctx, &m);
                particles_clear(ctx, &p);
            }
    rill_ctx_destroy(ctx);
}

/* The top of a lattice at half a spacing over its outermost layer, for every definition and a radius that is
 * not its own. */
static void flat_sides_are_calibrated(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int d = 0; d < SIZES; d++)
        for (int own = 0; own < 2; own++) {
            particles p = {0};
            trimesh m = {0};
            for (int i = 0; i < 16 * 16 * 16; i++)
                add(ctx, &p, v3(i % 16 + 0.5, i / 16 % 16 + 0.5, i / 256 + 0.5));
            surface_def def = surface_def_default();
            def.definition = d;
            def.radius = own ? 0 : 2.2;
            assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
            double sum = 0;
            size_t count = 0;
            for (size_t v = 0; v < m.vertex_count; v++) {
                const rill_vec3 x = m.position[v];
                if (x.x < 5 || x.x > 11 || x.z < 5 || x.z > 11 || x.y < 8) continue;
                sum += x.y;
                count++;
            }
            const double off = sum / (double)count - 16,
                         limit = d == SURFACE_DISTANCE || d == SURFACE_FILTERED
                                     ? 0.2
                                     : 0.02; /* held to the volume */
            if (!(count > 100 && fabs(off) < limit)) fail_msg("%s: off by %g", scene_surface_words[d], off);
            trimesh_clear(ctx, &m);
            particles_clear(ctx, &p);
        }
    rill_ctx_destroy(ctx);
}

/* A block of two sizes, twice as wide on one side: the surface passes from one to the other. */
static void sizes_may_differ(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int d = 0; d < SIZES; d++) {
        particles p = {0};
        trimesh m = {0};
        trimesh_report r;
        assert_ok(ctx, particles_add_column(ctx, &p, "spacing"));
        double volume = 0;
        for (int i = 0; i < 12 * 12 * 12 + 6 * 6 * 6; i++) {
            const int k = i - 12 * 12 * 12;
            add(ctx, &p,
                k < 0 ? v3(i % 12 + 0.5, i / 12 % 12 + 0.5, i / 144 + 0.5)
                      : v3(13 + 2 * (k % 6), 1 + 2 * (k / 6 % 6), 1 + 2 * (k / 36)));
            p.column[0].value[i] = k < 0 ? 1 : 2;
            volume += k < 0 ? 1 : 8;
        }
        surface_def def = surface_def_default();
        def.definition = d;
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        assert_sound_mesh(ctx, &m, &r);
        assert_int_equal(m.triangle_count, 2 * (m.vertex_count - 2)); /* one piece, no holes */
        if (fabs(r.volume / volume - 1) > 0.06)
            fail_msg("%s: %g of %g", scene_surface_words[d], r.volume, volume);
        double worst = 0;
        for (size_t v = 0; v < m.vertex_count; v++) {
            const rill_vec3 x = m.position[v];
            if (x.x < 4 || x.x > 20 || x.z < 4 || x.z > 8 || x.y < 8) continue;
            worst = fmax(worst, fabs(x.y - 12));
        }
        if (worst > 0.5) /* a quarter of the larger spacing */
            fail_msg("%s: top off by %g", scene_surface_words[d], worst);
        trimesh_clear(ctx, &m);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

/* Clouds of sizes that differ tenfold: whatever it is, it is closed, and the same for any number of threads.
 */
static void clouds_are_closed_and_threads_agree(void **state)
{
    (void)state;
    rill_ctx *one = test_ctx(1), *three = test_ctx(3);
    for (uint64_t seed = 0; seed < 24; seed++) {
        const int dim = seed % 2 ? 2 : 3;
        particles p = {0};
        assert_ok(one, particles_add_column(one, &p, "spacing"));
        for (uint64_t i = 0; i < 300; i++) {
            add(one, &p,
                v3(16 * uniform(seed, i, 0), 16 * uniform(seed, i, 1),
                   dim == 2 ? 0 : 16 * uniform(seed, i, 2)));
            p.column[0].value[i] = (float)(0.6 + (i % 50 ? 1 : 5) * uniform(seed, i, 3));
        }
        surface_def def = surface_def_default();
        def.cell = 0.7;
        def.dimensions = dim;
        def.definition = (int)(seed / 2 % SIZES);
        def.smooth = seed % 5 ? 0 : 4;
        def.slivers = seed % 3 ? 0 : 0.3;
        def.smallest = seed % 7 ? 0 : 3;
        if (seed % 4 == 0) def.clip = (rill_box){v3(2.1, 3, 1.7), v3(13, 12.3, 14)};
        trimesh a = {0}, b = {0};
        trimesh_report r;
        assert_ok(one, surface_from_particles(one, &p, &def, &a));
        assert_ok(three, surface_from_particles(three, &p, &def, &b));
        assert_sound_mesh(one, &a, &r);
        assert_true(r.volume > 0);
        assert_int_equal(a.vertex_count, b.vertex_count);
        assert_int_equal(a.triangle_count, b.triangle_count);
        assert_memory_equal(a.position, b.position, a.vertex_count * sizeof *a.position);
        assert_memory_equal(a.normal, b.normal, a.vertex_count * sizeof *a.normal);
        assert_memory_equal(a.triangle, b.triangle, a.triangle_count * sizeof *a.triangle);
        assert_memory_equal(a.column[0].value, b.column[0].value, 3 * a.vertex_count * sizeof(float));
        trimesh_clear(one, &a);
        trimesh_clear(three, &b);
        particles_clear(one, &p);
    }
    rill_ctx_destroy(one);
    rill_ctx_destroy(three);
}

static void failing_memory(void **state)
{
    (void)state;
    for (int d = 0; d < SIZES; d++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(2, &f);
        particles p = {0};
        for (int i = 0; i < 60; i++)
            add(ctx, &p, v3(i % 4 + 0.1 * uniform(4, (uint64_t)i, 0), i / 4 % 4, i / 16));
        surface_def def = surface_def_default();
        def.cell = 0.9;
        def.definition = d;
        def.smooth = 2;
        def.smallest = 1;
        def.slivers = 0.2;
        def.clip = (rill_box){v3(-9, -9, -9), v3(9, 2.5, 9)};
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
        assert_true(n > 30);
        f.fail_at = 0;
        trimesh_clear(ctx, &m);
        assert_true(f.live == before);
        particles_clear(ctx, &p);
        rill_ctx_destroy(ctx);
    }
}

/* ---- how bumpy they are ---- */

/* Root mean square of the angle between normals and those of the shape, in degrees. */
static double bumps(const trimesh *m, bool ball)
{
    double sum = 0;
    size_t count = 0;
    for (size_t v = 0; v < m->vertex_count; v++) {
        const rill_vec3 x = m->position[v], n = v3(m->normal[v][0], m->normal[v][1], m->normal[v][2]);
        if (!ball && (fabs(x.x) > 6 || fabs(x.z) > 6 || x.y < -4)) continue;
        const double angle = acos(fmin(1, v3_dot(n, ball ? v3_unit(x) : v3(0, 1, 0))));
        sum += angle * angle;
        count++;
    }
    assert_true(count > 300);
    return sqrt(sum / (double)count) * 180 / M_PI;
}

/* On a sampled plane and ball: with the distances they should carry, and with distances made from nothing. */
static void distances_bump_least(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int ball = 0; ball < 2; ball++) {
        particles p = fill(ctx, ball ? ball_depth : slab_depth, 0.4);
        double angle[SIZES + 1];
        for (int d = 0; d <= SIZES; d++) {
            surface_def def = surface_def_default();
            trimesh m = {0};
            def.definition = d < SIZES ? d : SURFACE_DISTANCE;
            if (d == SIZES) assert_ok(ctx, distances_start(ctx, &p, &def, p.column[0].value, NULL));
            assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
            angle[d] = bumps(&m, ball);
            print_message("%s, %s%s: normals off by %.2f degrees\n", ball ? "ball" : "plane",
                          scene_surface_words[def.definition], d < SIZES ? "" : " from nothing", angle[d]);
            trimesh_clear(ctx, &m);
        }
        const double exact = angle[SURFACE_DISTANCE], made = angle[SIZES];
        assert_true(exact < 0.25 * angle[SURFACE_ZHU_BRIDSON] && exact < 0.15 * angle[SURFACE_METABALLS]);
        assert_true(made < 0.6 * angle[SURFACE_ZHU_BRIDSON] && made < 0.4 * angle[SURFACE_METABALLS]);
        assert_true(angle[SURFACE_ZHU_BRIDSON] < angle[SURFACE_METABALLS]);
        assert_true(angle[SURFACE_ANISOTROPIC] < 0.6 * angle[SURFACE_METABALLS]);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

/* ---- carried distances ---- */

/* From exact ones, an update gives nearly the same, deep inside too, and footpoints are where they say. */
static void update_keeps_exact_distances(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int ball = 0; ball < 2; ball++) {
        particles p = fill(ctx, ball ? ball_depth : slab_depth, 0.4);
        float *d = calloc(p.count, sizeof *d);
        rill_vec3 *foot = calloc(p.count, sizeof *foot);
        memcpy(d, p.column[0].value, p.count * sizeof *d);
        const surface_def def = surface_def_default();
        assert_ok(ctx, distances_update(ctx, &p, &def, d, foot));
        double sum = 0, square = 0, deep = 0, apart = 0;
        for (size_t i = 0; i < p.count; i++) {
            const double off = d[i] - p.column[0].value[i];
            sum += off;
            square += off * off;
            if (p.column[0].value[i] > 3.5) deep = fmax(deep, fabs(off));
            apart = fmax(apart, fabs(v3_distance(p.position[i], foot[i]) - d[i]));
        }
        const double n = (double)p.count;
        print_message("%s: distances off by %.3f, deviation %.3f, deep inside at most %.3f\n",
                      ball ? "ball" : "slab", sum / n, sqrt(square / n), deep);
        assert_true(fabs(sum / n) < 0.06 && sqrt(square / n) < 0.15 && deep < 0.6 && apart < 1e-3);
        free(d);
        free(foot);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

/* Forty updates, anchored every fifth: the surface stays where it is and stays smooth. Without the anchor it
 * drifts. */
static void anchor_stops_the_drift(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    particles p = fill(ctx, ball_depth, 0.4);
    surface_def def = surface_def_default();
    def.definition = SURFACE_DISTANCE;
    float *free_running = calloc(p.count, sizeof *free_running), *d = p.column[0].value;
    memcpy(free_running, d, p.count * sizeof *d);
    double by = 0, drift = 0;
    for (int k = 1; k <= 40; k++) {
        assert_ok(ctx, distances_update(ctx, &p, &def, d, NULL));
        if (k <= 20) assert_ok(ctx, distances_update(ctx, &p, &def, free_running, NULL));
        if (k % 5) continue;
        assert_ok(ctx, distances_anchor(ctx, &p, &def, d, &by));
        for (size_t i = 0; i < p.count; i++) d[i] += (float)by;
    }
    assert_ok(ctx, distances_anchor(ctx, &p, &def, free_running, &drift));
    assert_ok(ctx, distances_anchor(ctx, &p, &def, d, &by));
    trimesh m = {0};
    trimesh_report r;
    assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
    assert_sound_mesh(ctx, &m, &r);
    print_message(
        "after 40 updates: volume %.4f, normals off by %.2f degrees; lacks %.3f, unanchored after 20 %.3f\n",
        r.volume / (double)p.count, bumps(&m, true), by, drift);
    assert_true(fabs(by) < 0.02 && fabs(drift) > 5 * fabs(by));
    assert_true(fabs(r.volume / (double)p.count - 1) < 0.005 && bumps(&m, true) < 6);
    trimesh_clear(ctx, &m);
    free(free_running);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

/* Drops of one, two and five do not dwindle. */
static void drops_stay(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = {0};
    assert_ok(ctx, particles_add_column(ctx, &p, "surface_distance"));
    static const rill_vec3 drop[] = {{0, 0, 0},    {10, 0, 0},     {10.8, 0.2, 0},   {20, 0, 0},
                                     {20.9, 0, 0}, {20.4, 0.8, 0}, {20.4, 0.3, 0.8}, {20.4, 0.3, -0.8}};
    for (int i = 0; i < 8; i++) add(ctx, &p, drop[i]);
    surface_def def = surface_def_default();
    def.definition = SURFACE_DISTANCE;
    def.cell = 0.2;
    assert_ok(ctx, distances_start(ctx, &p, &def, p.column[0].value, NULL));
    double volume[2] = {0};
    for (int k = 1; k <= 50; k++) {
        assert_ok(ctx, distances_update(ctx, &p, &def, p.column[0].value, NULL));
        if (k != 10 && k != 50) continue;
        trimesh m = {0};
        trimesh_report r;
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        assert_sound_mesh(ctx, &m, &r);
        bool there[3] = {false, false, false};
        for (size_t v = 0; v < m.vertex_count; v++) there[(int)(m.position[v].x / 10 + 0.5)] = true;
        assert_true(there[0] && there[1] && there[2]);
        volume[k == 50] = r.volume;
        trimesh_clear(ctx, &m);
    }
    print_message("drops of one, two and five: volume %.3f of 8 after 10 updates, %.3f after 50\n", volume[0],
                  volume[1]);
    assert_true(volume[1] > 0.6 * 8 && volume[1] < 1.25 * 8 && volume[1] > 0.98 * volume[0]);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

/* A body of liquid, torn into drops that still carry the distances they had in it, is not drawn as one lump.
 */
static void torn_apart(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    particles p = {0};
    assert_ok(ctx, particles_add_column(ctx, &p, "surface_distance"));
    for (uint64_t i = 0; i < 1000; i++)
        add(ctx, &p,
            v3_scale(v3((double)(i % 10) + 0.6 * uniform(5, i, 0),
                        (double)(i / 10 % 10) + 0.6 * uniform(5, i, 1),
                        (double)(i / 100) + 0.6 * uniform(5, i, 2)),
                     1.8));
    for (size_t i = 0; i < p.count; i++) p.column[0].value[i] = 1.2f;
    surface_def def = surface_def_default();
    def.definition = SURFACE_DISTANCE;
    trimesh m = {0};
    trimesh_report r;
    assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
    assert_sound_mesh(ctx, &m, &r);
    print_message("a cloud of drops: volume %.3f of 1000\n", r.volume);
    assert_true(r.volume > 800 && r.volume < 2000);
    trimesh_clear(ctx, &m);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

static void updates_fail_cleanly(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(2, &f), *other = test_ctx(1);
    particles p = {0};
    for (int i = 0; i < 100; i++) add(ctx, &p, v3(i % 5, i / 5 % 5, i / 25));
    const surface_def def = surface_def_default();
    float d[100], same[100];
    for (int i = 0; i < 100; i++) d[i] = same[i] = 0.5f;
    const uint64_t before = f.live;
    rill_status st = RILL_NO_MEMORY;
    for (uint64_t n = 1; st; n++) {
        f.fail_at = f.calls + n;
        st = distances_update(ctx, &p, &def, d, NULL);
        if (st) assert_true(st == RILL_NO_MEMORY && f.live == before && d[7] == 0.5f);
    }
    f.fail_at = 0;
    assert_true(f.live == before);
    assert_ok(other, distances_update(other, &p, &def, same, NULL)); /* and threads agree */
    assert_memory_equal(d, same, sizeof d);
    p.position[3].y = NAN;
    assert_int_equal(distances_update(other, &p, &def, same, NULL), RILL_BLEW_UP);
    assert_memory_equal(d, same, sizeof d);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
    rill_ctx_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_match_their_formula),
        cmocka_unit_test(gradient_is_that_of_phi),
        cmocka_unit_test(lone_particles_are_balls),
        cmocka_unit_test(flat_sides_are_calibrated),
        cmocka_unit_test(sizes_may_differ),
        cmocka_unit_test(clouds_are_closed_and_threads_agree),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(distances_bump_least),
        cmocka_unit_test(update_keeps_exact_distances),
        cmocka_unit_test(anchor_stops_the_drift),
        cmocka_unit_test(drops_stay),
        cmocka_unit_test(torn_apart),
        cmocka_unit_test(updates_fail_cleanly),
    };
    return cmocka_run_group_tests_name("surface definitions", tests, NULL, NULL);
}
