/* The tracker as a whole: motion that stays free of intersections, necks, merges, parts, threads. The
 * checker, which shares nothing with the tracker, looks after every step. */
#include "tracker_support.h"

#include "base/hash.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

static tracker_def no_topology(void)
{
    tracker_def d = tracker_def_default();
    d.merge = d.neck = d.drop = 0;
    return d;
}

/* ---- velocities ---- */

/* Each point for itself, several edges a step: the roughest motion there is. */
typedef struct {
    uint64_t seed;
    double speed;
} shaking;

static rill_status shake(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const shaking *s = user;
    (void)time;
    for (size_t i = 0; i < n; i++) {
        const random4 r = random_at(s->seed, hash_bytes(&x[i], sizeof x[i], 1), 0, 0);
        u[i] = v3_scale(
            v3(random_unit(r.v[0], 0) - 0.5, random_unit(r.v[1], 0) - 0.5, random_unit(r.v[2], 0) - 0.5),
            s->speed);
    }
    return RILL_OK;
}

/* ---- tests ---- */

/* A rigid turn changes nothing but the place. */
static void turns_rigidly(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tracker_def def = tracker_def_default();
    trimesh m = make_moved(make_icosphere(ctx, 0.3, 3), v3(1, 0, 0), v3(1, 1, 1));
    trimesh_report before;
    assert_ok(ctx, trimesh_check(ctx, &m, &before));
    tracker *t = make(ctx, &def, &m);
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < 40; i++) assert_ok(ctx, tracker_advance(t, 2 * pi / 40, turning, NULL, NULL));
    assert_true(fabs(tracker_time(t) - 2 * pi) < 1e-12);
    assert_sound(ctx, t);
    const trimesh v = tracker_view(t);
    double worst = 0;
    for (size_t i = 0; i < v.vertex_count; i++)
        worst = fmax(worst, fabs(v3_distance(v.position[i], v3(1, 0, 0)) - 0.3));
    assert_true(worst < 0.02 * tracker_edge(t));
    const tracker_part *part;
    size_t parts;
    tracker_parts(t, &part, &parts);
    assert_int_equal(parts, 1);
    assert_int_equal(part->genus, 0);
    assert_true(fabs(part->volume / before.volume - 1) < 2e-3);
    assert_true(fabs(part->target / before.volume - 1) < 1e-12);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Two spheres driven into each other, with nothing that merges them: they stop. */
static void never_pass_through(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const tracker_def def = no_topology();
    trimesh m = make_joined(ctx, make_moved(make_icosphere(ctx, 0.3, 2), v3(-0.35, 0, 0), v3(1, 1, 1)),
                            make_moved(make_icosphere(ctx, 0.3, 2), v3(0.35, 0.02, 0.01), v3(1, 1, 1)));
    tracker *t = make(ctx, &def, &m);
    uint32_t contacts = 0;
    for (int i = 0; i < 30; i++) {
        tracker_stats s;
        assert_ok(ctx, tracker_advance(t, 0.01, together, NULL, &s));
        contacts += s.contacts;
        assert_sound(ctx, t);
    }
    assert_true(contacts > 0);
    const tracker_part *part;
    size_t parts;
    tracker_parts(t, &part, &parts);
    assert_int_equal(parts, 2);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* The same without the tests tangles: the check sees what they prevent. */
static void tangles_without_collisions(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tracker_def def = no_topology();
    def.collisions = false;
    trimesh m = make_joined(ctx, make_moved(make_icosphere(ctx, 0.3, 2), v3(-0.35, 0, 0), v3(1, 1, 1)),
                            make_moved(make_icosphere(ctx, 0.3, 2), v3(0.35, 0.02, 0.01), v3(1, 1, 1)));
    tracker *t = make(ctx, &def, &m);
    for (int i = 0; i < 30; i++) assert_ok(ctx, tracker_advance(t, 0.01, together, NULL, NULL));
    const trimesh v = tracker_view(t);
    tracker_report r;
    assert_ok(ctx, tracker_report_build(ctx, &v, &r));
    assert_true(r.crossings > 0);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Random motions of random size over meshes of several kinds, all operations on. The long version of this is
 * `rill verify tracker-adversarial`. */
static void survives_shaking(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (uint64_t seed = 0; seed < 16; seed++) {
        tracker_def def = tracker_def_default();
        trimesh m = seed % 4 == 0   ? make_icosphere(ctx, 0.3, 1)
                    : seed % 4 == 1 ? make_torus(ctx, 0.4, 0.1, 16, 6)
                    : seed % 4 == 2
                        ? make_cube(ctx, 0.3)
                        : make_joined(ctx, make_icosphere(ctx, 0.3, 1),
                                      make_moved(make_icosphere(ctx, 0.3, 1), v3(0.62, 0, 0), v3(1, 1, 1)));
        if (seed % 4 == 2) def.edge = 0.2;
        tracker *t = make(ctx, &def, &m);
        shaking s = {.seed = seed, .speed = tracker_edge(t) * (0.2 + 0.7 * (double)(seed % 5))};
        for (int i = 0; i < 2; i++) {
            s.seed += 1000;
            assert_ok(ctx, tracker_advance(t, 1, shake, &s, NULL));
            assert_sound(ctx, t);
        }
        tracker_destroy(t);
    }
    rill_ctx_destroy(ctx);
}

static void cuts_necks(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const tracker_def def = tracker_def_default();
    trimesh m = make_moved(make_icosphere(ctx, 1, 3), v3(0, 0, 0), v3(0.4, 0.2, 0.2));
    trimesh_report before;
    assert_ok(ctx, trimesh_check(ctx, &m, &before));
    tracker *t = make(ctx, &def, &m);
    tracker_stats s = {0};
    uint32_t cuts = 0;
    double dropped = 0;
    for (int i = 0; i < 80; i++) {
        assert_ok(ctx, tracker_advance(t, 0.025, pinching, NULL, &s));
        cuts += s.cuts;
        dropped += s.dropped_volume;
        assert_sound(ctx, t);
    }
    const tracker_part *part;
    size_t parts;
    tracker_parts(t, &part, &parts);
    assert_int_equal(parts, 2);
    assert_true(cuts >= 1);
    assert_int_equal(part[0].genus, 0);
    assert_int_equal(part[1].genus, 0);
    assert_true(fabs(s.volume / before.volume - 1) < 0.01);
    /* Shared out: what is missing was dropped. */
    assert_true(fabs((part[0].target + part[1].target + dropped) / before.volume - 1) < 1e-3);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Two spheres that come near at a point become one part without a tunnel, and gain next to nothing. */
static void merges(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const tracker_def def = tracker_def_default();
    for (int turn = 0; turn < 4; turn++) { /* a vertex, an edge, a triangle ahead; and one way or the other */
        const double a = 0.4 * turn;
        trimesh left = make_icosphere(ctx, 0.3, 3), right = make_icosphere(ctx, 0.3, 3);
        for (size_t i = 0; i < right.vertex_count; i++) {
            const rill_vec3 x = right.position[i];
            right.position[i] = v3(cos(a) * x.x - sin(a) * x.y, sin(a) * x.x + cos(a) * x.y, x.z);
        }
        trimesh m = make_joined(ctx, make_moved(left, v3(-0.31, 0, 0), v3(1, 1, 1)),
                                make_moved(right, v3(0.31, 0.003, 0.002), v3(1, 1, 1)));
        trimesh_report before;
        assert_ok(ctx, trimesh_check(ctx, &m, &before));
        tracker *t = make(ctx, &def, &m);
        tracker_stats s;
        uint32_t merged = 0;
        for (int i = 0; i < 12 && !merged; i++) {
            assert_ok(ctx, tracker_advance(t, 0.002, together, NULL, &s));
            merged += s.merges;
            assert_sound(ctx, t);
        }
        assert_int_equal(merged, 1);
        const tracker_part *part;
        size_t parts;
        tracker_parts(t, &part, &parts);
        assert_int_equal(parts, 1);
        assert_int_equal(part->genus, 0);
        assert_true(fabs(s.volume / before.volume - 1) < 0.005);
        assert_true(fabs(part->target / before.volume - 1) < 1e-9); /* the sum of both */
        tracker_destroy(t);
    }
    rill_ctx_destroy(ctx);
}

/* Two balls grow from their centres into each other: they join at a point, and the pocket of air around the
 * seam goes with them, so that the volume is that of their union. */
static void pockets_close(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tracker_def def = tracker_def_default();
    def.merge = 0.6;
    trimesh m = make_joined(ctx, make_moved(make_icosphere(ctx, 0.3, 3), v3(-0.31, 0, 0), v3(1, 1, 1)),
                            make_moved(make_icosphere(ctx, 0.3, 3), v3(0.31, 0, 0), v3(1, 1, 1)));
    tracker *t = make(ctx, &def, &m);
    for (int i = 0; i < 12; i++) {
        assert_ok(ctx, tracker_advance_to(t, 0.01, growing, NULL, NULL));
        assert_sound(ctx, t);
    }
    const tracker_part *part;
    size_t parts;
    tracker_parts(t, &part, &parts);
    assert_int_equal(parts, 1);
    assert_int_equal(part->genus, 0);
    const double r = 0.42, d = 0.62, pi = 3.14159265358979323846;
    const double both = 8 * pi / 3 * r * r * r - pi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12;
    assert_true(fabs(part->volume / both - 1) < 0.01);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Each part is led to its own volume: one that was told a larger one grows to it, the other stays. */
static rill_status shrinking_field(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time;
    for (size_t i = 0; i < n; i++)
        u[i] = x[i].x > 0 ? v3_scale(v3_sub(x[i], v3(0.5, 0, 0)), -0.02) : v3(0, 0, 0);
    return RILL_OK;
}

static void keeps_volumes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int keep = 0; keep < 2; keep++) {
        tracker_def def = tracker_def_default();
        def.keep_volume = keep;
        trimesh m = make_joined(ctx, make_moved(make_icosphere(ctx, 0.2, 2), v3(-0.5, 0, 0), v3(1, 1, 1)),
                                make_moved(make_icosphere(ctx, 0.3, 2), v3(0.5, 0, 0), v3(1, 1, 1)));
        tracker *t = make(ctx, &def, &m);
        for (int i = 0; i < 40; i++) assert_ok(ctx, tracker_advance(t, 0.1, shrinking_field, NULL, NULL));
        const tracker_part *part;
        size_t parts;
        tracker_parts(t, &part, &parts);
        assert_int_equal(parts, 2);
        for (int k = 0; k < 2; k++) {
            const double off = fabs(part[k].volume / part[k].target - 1);
            if (keep) assert_true(off < 0.01);
            if (!keep && part[k].target > 0.05) assert_true(off > 0.1);
        }
        tracker_destroy(t);
    }
    rill_ctx_destroy(ctx);
}

static void drops_crumbs(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    tracker_def def = tracker_def_default();
    def.edge = 0.1;
    trimesh m = make_joined(ctx, make_icosphere(ctx, 0.3, 2),
                            make_moved(make_icosphere(ctx, 0.005, 0), v3(0.5, 0, 0), v3(1, 1, 1)));
    tracker *t = make(ctx, &def, &m);
    tracker_stats s = {0};
    assert_ok(ctx, tracker_improve(t, &s));
    assert_int_equal(s.drops, 1);
    assert_true(s.dropped_volume > 0);
    assert_sound(ctx, t);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        rill_ctx *ctx = test_ctx((int[]){1, 2, 5}[k]);
        const tracker_def def = tracker_def_default();
        trimesh m = make_joined(ctx, make_moved(make_icosphere(ctx, 0.3, 3), v3(-0.35, 0, 0), v3(1, 1, 1)),
                                make_moved(make_icosphere(ctx, 0.3, 3), v3(0.35, 0.02, 0.01), v3(1, 1, 1)));
        tracker *t = make(ctx, &def, &m);
        for (int i = 0; i < 10; i++) assert_ok(ctx, tracker_advance(t, 0.02, together, NULL, NULL));
        const trimesh v = tracker_view(t);
        hash[k] = hash_bytes(v.position, v.vertex_count * sizeof *v.position, 0);
        hash[k] = hash_bytes(v.triangle, v.triangle_count * sizeof *v.triangle, hash[k]);
        tracker_destroy(t);
        rill_ctx_destroy(ctx);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(int argc, char **argv) /* a pattern of test names, to run those alone */
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_rigidly),
        cmocka_unit_test(never_pass_through),
        cmocka_unit_test(tangles_without_collisions),
        cmocka_unit_test(survives_shaking),
        cmocka_unit_test(cuts_necks),
        cmocka_unit_test(merges),
        cmocka_unit_test(pockets_close),
        cmocka_unit_test(keeps_volumes),
        cmocka_unit_test(drops_crumbs),
        cmocka_unit_test(threads_do_not_matter),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
