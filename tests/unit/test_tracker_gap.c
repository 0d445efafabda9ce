/* The continuous collision test: no contact missed, few reported that are none; the checker against meshes
 * that are known to cross or not; exact signs against long arithmetic.
 *
 * Contacts are planted in dyadic numbers: positions and velocities at the time of contact are multiples of
 * 2^-10, time and weights of 2^-6, so that the paths pass through the contact exactly in doubles, and "no" is
 * wrong beyond doubt. */
#include "mesh_makers.h"
#include "support.h"

#include "base/random.h"
#include "tracker/check.h"
#include "tracker/exact.h"
#include "tracker/gap.h"

#include <math.h>
#include <string.h>

typedef struct {
    uint64_t seed, at;
    random4 word;
} dice;

static uint32_t roll(dice *d)
{
    if (d->at % 4 == 0) d->word = random_at(d->seed, d->at / 4, 0, 0);
    return d->word.v[d->at++ % 4];
}
static double dyadic(dice *d, int bits) /* in [-1, 1) */
{
    return ((double)(roll(d) % (2u << bits)) - (double)(1u << bits)) / (double)(1u << bits);
}
static double unit(dice *d)
{
    return random_unit(roll(d), roll(d));
}

typedef enum { INNER, FEATURE, AT_END, COPLANAR, SLIVER, GRAZING, FAR_AWAY, TINY, KINDS } kind;

static rill_vec3 dyadic_point(dice *d, int bits)
{
    const double x = dyadic(d, bits), y = dyadic(d, bits);
    return v3(x, y, dyadic(d, bits));
}

/* Weights of the touching points: u along the first edge or the triangle's second corner, v likewise. */
static void pick_weights(dice *d, kind k, bool edges, double *u, double *v)
{
    do {
        *u = (double)(roll(d) % 65) / 64;
        *v = (double)(roll(d) % 65) / 64;
        if (k == FEATURE) {
            *u = roll(d) % 2;
            if (!edges) *v = roll(d) % 2 ? 1 - *u : 0;
        }
    } while (!edges && *u + *v > 1);
}

static gap_query plant(dice *d, kind k, bool edges)
{
    gap_query q = {.edges = edges};
    const double time = k == AT_END ? 1 : (double)(1 + roll(d) % 63) / 64;
    double u, v;
    pick_weights(d, k, edges, &u, &v);
    rill_vec3 c[4], w[4]; /* where they are at the contact, and their velocities */
    for (int i = 0; i < 4; i++) c[i] = dyadic_point(d, 10), w[i] = dyadic_point(d, 10);
    if (k == SLIVER) { /* two corners nearly the same */
        const int a = edges ? 1 : 2, o = edges ? 0 : 1;
        c[a] = v3_madd(c[o], 0x1p-16, dyadic_point(d, 4));
        w[a] = w[o];
    }
    if (k == COPLANAR)
        for (int i = 0; i < 4; i++)
            c[i].z = 0.5 * c[i].x - 0.25 * c[i].y, w[i].z = 0.5 * w[i].x - 0.25 * w[i].y;
    if (edges) {
        const rill_vec3 p = v3_madd(v3_scale(c[0], 1 - u), u, c[1]),
                        r = v3_madd(v3_scale(c[2], 1 - v), v, c[3]);
        for (int i = 2; i < 4; i++) c[i] = v3_add(c[i], v3_sub(p, r));
        if (k == GRAZING) {
            const rill_vec3 wp = v3_madd(v3_scale(w[0], 1 - u), u, w[1]),
                            wr = v3_madd(v3_scale(w[2], 1 - v), v, w[3]);
            for (int i = 2; i < 4; i++) w[i] = v3_add(w[i], v3_sub(wp, wr));
        }
    } else {
        c[0] = v3_madd(v3_madd(v3_scale(c[1], 1 - u - v), u, c[2]), v, c[3]);
        if (k == GRAZING) w[0] = v3_madd(v3_madd(v3_scale(w[1], 1 - u - v), u, w[2]), v, w[3]);
    }
    const rill_vec3 offset = k == FAR_AWAY ? v3(roll(d) % 1048576, roll(d) % 1048576, 77) : v3(0, 0, 0);
    const double scale = k == TINY ? 0x1p-30 : 1;
    for (int i = 0; i < 4; i++) {
        q.from[i] = v3_madd(offset, scale, v3_madd(c[i], -time, w[i]));
        q.to[i] = v3_madd(offset, scale, v3_madd(c[i], 1 - time, w[i]));
    }
    return q;
}

static double extent(const gap_query *q)
{
    double e = 0;
    for (int i = 0; i < 4; i++)
        e = fmax(e, fmax(v3_distance(q->from[i], q->from[0]), v3_distance(q->to[i], q->from[0])));
    return e;
}

static void planted_contacts_are_found(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int edges = 0; edges < 2; edges++) {
            dice d = {.seed = (uint64_t)(100 + 2 * k + edges)};
            for (int i = 0; i < 10000; i++) {
                const gap_query q = plant(&d, (kind)k, edges);
                double safe;
                const bool hit = gap_contact(&q, 1e-9 * extent(&q), &safe);
                if (!hit) fail_msg("kind %d, edges %d, case %d: missed", k, edges, i);
                assert_true(safe >= 0 && safe <= 1);
            }
        }
}

/* The twin: the distance at many times, and between them by how fast it can change. Returns 1 contact within
 * `touch`, 0 proven none, -1 undecided. Shares the distance with nothing but the triangle's own formula. */
static double distance_at(const gap_query *q, double t)
{
    rill_vec3 x[4], between;
    double weight[4];
    for (int i = 0; i < 4; i++) x[i] = v3_madd(v3_scale(q->from[i], 1 - t), t, q->to[i]);
    return sqrt(gap_closest(x, q->edges, &between, weight));
}

static int by_lipschitz(const gap_query *q, double touch)
{
    double speed = 0;
    for (int i = 0; i < 4; i++) speed = fmax(speed, v3_distance(q->from[i], q->to[i]));
    for (double t = 0; t < 1;) {
        const double d = distance_at(q, t);
        if (d <= touch) return 1;
        const double step = 0.99 * d / (2 * speed);
        if (step < 1e-7) return -1;
        t += step;
    }
    return distance_at(q, 1) <= touch ? 1 : 0;
}

static void agrees_with_advancement(void **state)
{
    (void)state;
    dice d = {.seed = 5};
    int wrong = 0, hits = 0, decided = 0;
    for (int i = 0; i < 20000; i++) {
        gap_query q = {.edges = i % 2};
        for (int k = 0; k < 4; k++) {
            q.from[k] = v3(unit(&d), unit(&d), unit(&d));
            q.to[k] = v3_madd(q.from[k], 0.6, v3(unit(&d) - 0.5, unit(&d) - 0.5, unit(&d) - 0.5));
        }
        double safe;
        const bool hit = gap_contact(&q, 1e-6, &safe);
        const int twin = by_lipschitz(&q, 1e-6);
        if (twin < 0) {
            assert_true(hit); /* nearer than the twin can follow: a contact */
            continue;
        }
        decided++;
        hits += twin;
        if (twin == 1) assert_true(hit);
        wrong += hit != (twin == 1);
        if (hit && safe > 0) { /* what is called safe is */
            gap_query part = q;
            for (int k = 0; k < 4; k++)
                part.to[k] = v3_madd(q.from[k], 0.999 * safe, v3_sub(q.to[k], q.from[k]));
            assert_int_not_equal(by_lipschitz(&part, 1e-9), 1);
        }
    }
    assert_true(decided > 15000);
    assert_true(wrong <= decided / 1000);
    (void)hits;
}

/* The weights and the vector belong together. */
static void closest_points(void **state)
{
    (void)state;
    dice d = {.seed = 9};
    for (int i = 0; i < 20000; i++) {
        rill_vec3 x[4], between, sum = {0};
        double w[4], side[2] = {0};
        const bool edges = i % 2;
        for (int k = 0; k < 4; k++) x[k] = v3(unit(&d), unit(&d), unit(&d));
        const double square = gap_closest(x, edges, &between, w);
        for (int k = 0; k < 4; k++) sum = v3_madd(sum, w[k], x[k]), side[k >= (edges ? 2 : 1)] += w[k];
        assert_true(v3_distance(sum, between) < 1e-9);
        assert_true(fabs(square - v3_dot(between, between)) < 1e-9);
        assert_true(fabs(side[0] - 1) < 1e-12 && fabs(side[1] + 1) < 1e-12);
        for (int s = 0; s < 20; s++) { /* no other pair of points is nearer */
            const double a = unit(&d), b = unit(&d) * (edges ? 1 : 1 - a);
            const rill_vec3 p = edges ? v3_madd(x[0], a, v3_sub(x[1], x[0])) : x[0];
            const rill_vec3 r = edges ? v3_madd(x[2], b, v3_sub(x[3], x[2]))
                                      : v3_madd(v3_madd(x[1], a, v3_sub(x[2], x[1])), b, v3_sub(x[3], x[1]));
            assert_true(v3_distance(p, r) >= sqrt(square) - 1e-9);
        }
    }
}

/* ---- exact signs ---- */

static void signs_are_exact(void **state)
{
    (void)state;
    dice d = {.seed = 11};
    for (int i = 0; i < 20000; i++) { /* 20-bit integers: 64-bit arithmetic is exact */
        int64_t p[4][3];
        rill_vec3 x[4];
        const uint32_t range = i % 2 ? 5 : 1u << 19;
        for (int k = 0; k < 4; k++) {
            for (int a = 0; a < 3; a++) p[k][a] = (int64_t)(roll(&d) % range);
            x[k] = v3((double)p[k][0] * 0x1p-40, (double)p[k][1] * 0x1p-40, (double)p[k][2] * 0x1p-40);
        }
        int64_t e[3][3];
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++) e[k][a] = p[k][a] - p[3][a];
        const int64_t det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                            e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
        assert_int_equal(exact_orient3(x[0], x[1], x[2], x[3]), (det > 0) - (det < 0));
        const int64_t flat =
            (p[0][0] - p[2][0]) * (p[1][1] - p[2][1]) - (p[0][1] - p[2][1]) * (p[1][0] - p[2][0]);
        assert_int_equal(exact_orient2(x[0], x[1], x[2], 2), (flat > 0) - (flat < 0));
    }
    /* One unit in the last place off the plane, where doubles see nothing. */
    const rill_vec3 a = v3(0.1, 0.2, 0.1 + 0.2), b = v3(12.3, 4.5, 12.3 + 4.5), c = v3(-7.7, 3.3, -7.7 + 3.3);
    rill_vec3 q = a;
    assert_int_equal(exact_orient3(a, b, c, q), 0);
    q.z = nextafter(q.z, 10);
    const int up = exact_orient3(a, b, c, q);
    q.z = nextafter(nextafter(q.z, -10), -10);
    assert_int_equal(up * exact_orient3(a, b, c, q), -1);
}

/* ---- the checker ---- */

static size_t crossings(rill_ctx *ctx, const trimesh *m)
{
    tracker_report r;
    assert_ok(ctx, tracker_report_build(ctx, m, &r));
    return r.crossings;
}

static trimesh two_spheres(rill_ctx *ctx, double apart, double scale, rill_vec3 at)
{
    trimesh a = make_icosphere(ctx, 1, 2), m = {0};
    assert_ok(ctx, MEM_NEW(ctx, m.position, 2 * a.vertex_count));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, 2 * a.triangle_count));
    for (size_t i = 0; i < 2 * a.vertex_count; i++) {
        const rill_vec3 x = a.position[i % a.vertex_count];
        m.position[i] = v3_madd(at, scale, i < a.vertex_count ? x : v3_add(x, v3(apart, 0.03, 0.05)));
    }
    for (size_t i = 0; i < 2 * a.triangle_count; i++)
        for (int k = 0; k < 3; k++)
            m.triangle[i][k] =
                a.triangle[i % a.triangle_count][k] + (i < a.triangle_count ? 0u : (uint32_t)a.vertex_count);
    m.vertex_count = 2 * a.vertex_count;
    m.triangle_count = 2 * a.triangle_count;
    trimesh_clear(ctx, &a);
    return m;
}

static void checker_finds_crossings(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double scales[] = {1e-6, 1, 1e6};
    for (int s = 0; s < 3; s++)
        for (int far = 0; far < 2; far++) {
            const rill_vec3 at = far ? v3(1000 * scales[s], -500 * scales[s], 3 * scales[s]) : v3(0, 0, 0);
            trimesh m = two_spheres(ctx, 2.01, scales[s], at);
            assert_int_equal(crossings(ctx, &m), 0);
            assert_ok(ctx, tracker_check(ctx, "two", &m));
            trimesh_clear(ctx, &m);
            m = two_spheres(ctx, 1.9, scales[s], at);
            assert_true(crossings(ctx, &m) > 0);
            assert_int_equal(tracker_check(ctx, "two", &m), RILL_BAD_FILE);
            assert_non_null(strstr(rill_ctx_message(ctx), "intersect"));
            trimesh_clear(ctx, &m);
            m = two_spheres(ctx, 0, scales[s], at); /* nearly on each other */
            assert_true(crossings(ctx, &m) > 0);
            trimesh_clear(ctx, &m);
        }
    rill_ctx_destroy(ctx);
}

/* A vertex pushed through its neighbours, or through the far side; a fold; a point that just touches. */
static void checker_finds_small_faults(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh m = make_icosphere(ctx, 1, 2);
    const rill_vec3 x = m.position[40];
    m.position[40] = v3_scale(x, -1.2);
    assert_true(crossings(ctx, &m) > 0);
    m.position[40] = v3_scale(x, 1.5);
    assert_int_equal(crossings(ctx, &m), 0);
    m.position[40] = v3_scale(x, -0.5);
    assert_int_equal(crossings(ctx, &m), 0);
    m.position[40] = m.position[7]; /* touches another vertex */
    assert_true(crossings(ctx, &m) > 0);
    trimesh_clear(ctx, &m);

    m = make_cube(ctx, 1); /* two triangles of one side laid on each other */
    const uint32_t *t = m.triangle[0];
    const rill_vec3 keep = m.position[t[0]];
    m.position[t[0]] = v3_scale(v3_add(m.position[t[1]], m.position[t[2]]), 0.5);
    tracker_report r;
    assert_ok(ctx, tracker_report_build(ctx, &m, &r));
    assert_true(r.flat_triangles + r.crossings > 0);
    m.position[t[0]] = keep;
    assert_int_equal(crossings(ctx, &m), 0);
    m.triangle_count--;
    assert_int_equal(tracker_check(ctx, "cube", &m), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "open"));
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

/* Every pair by brute force: how many segments of one triangle pass through the inside of another, in general
 * position, must be none exactly when the checker says none. */
static void checker_matches_brute_force(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    int free_of = 0, tangled = 0;
    for (uint64_t s = 0; s < 60; s++) {
        trimesh m = make_icosphere(ctx, 1, 1);
        dice d = {.seed = 1000 + s};
        for (size_t i = 0; i < m.vertex_count; i++) {
            const double r = 0.02 * (double)s;
            m.position[i] = v3_madd(m.position[i], r, v3(unit(&d) - 0.5, unit(&d) - 0.5, unit(&d) - 0.5));
        }
        size_t brute = 0;
        for (size_t i = 0; i < m.triangle_count; i++)
            for (size_t j = 0; j < m.triangle_count; j++)
                for (int e = 0; e < 3; e++) {
                    const uint32_t p = m.triangle[i][e], q = m.triangle[i][(e + 1) % 3], *t = m.triangle[j];
                    if (p == t[0] || p == t[1] || p == t[2] || q == t[0] || q == t[1] || q == t[2]) continue;
                    const rill_vec3 *x = m.position;
                    rill_vec3 u = v3_sub(x[t[1]], x[t[0]]), v = v3_sub(x[t[2]], x[t[0]]),
                              w = v3_sub(x[p], x[q]);
                    const rill_vec3 r = v3_sub(x[p], x[t[0]]);
                    const double det = v3_dot(u, v3_cross(v, w));
                    const double a = v3_dot(r, v3_cross(v, w)) / det, b = v3_dot(u, v3_cross(r, w)) / det,
                                 c = v3_dot(u, v3_cross(v, r)) / det;
                    brute += a > 0 && b > 0 && a + b < 1 && c > 0 && c < 1;
                }
        const size_t found = crossings(ctx, &m);
        assert_int_equal(found > 0, brute > 0);
        free_of += brute == 0;
        tangled += brute > 0;
        trimesh_clear(ctx, &m);
    }
    assert_true(free_of > 5 && tangled > 5);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_contacts_are_found),
        cmocka_unit_test(agrees_with_advancement),
        cmocka_unit_test(closest_points),
        cmocka_unit_test(signs_are_exact),
        cmocka_unit_test(checker_finds_crossings),
        cmocka_unit_test(checker_finds_small_faults),
        cmocka_unit_test(checker_matches_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
