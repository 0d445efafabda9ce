/* Voronoi cells against half-spaces one by one, known lattices, and what must hold for any
 * points. */
#include "support.h"

#include "base/random.h"
#include "geom/voronoi/voronoi.h"
#include "point_sets.h"

#include <stdlib.h>
#include <string.h>

static const rill_box unit = {{0, 0, 0}, {1, 1, 1}};

/* -- the twin: a face is a plane's square cut by every other half-space ---------------- */

enum { TWIN_CORNERS = 256 };

typedef struct {
    rill_vec3 p[TWIN_CORNERS];
    int n;
} twin_face;

static void twin_clip(twin_face *f, rill_vec3 n, double d) /* keeps n . p <= d */
{
    twin_face out = {.n = 0};
    for (int i = 0; i < f->n; i++) {
        const rill_vec3 a = f->p[i], b = f->p[(i + 1) % f->n];
        const double s = d - v3_dot(n, a), t = d - v3_dot(n, b);
        if (s >= 0) out.p[out.n++] = a;
        if ((s >= 0) != (t >= 0)) out.p[out.n++] = v3_madd(a, s / (s - t), v3_sub(b, a));
    }
    *f = out;
}

/* Face of i and j (or of i and side `wall` of the box when j == i), relative to x_i. */
static rill_vec3 twin_area(const rill_vec3 *x, const double *w, uint32_t count, uint32_t i, uint32_t j,
                           int wall, rill_box box)
{
    const rill_vec3 lo = v3_sub(box.min, x[i]), hi = v3_sub(box.max, x[i]);
    rill_vec3 n = {0, 0, 0};
    double d;
    if (j != i) {
        n = v3_sub(x[j], x[i]);
        d = 0.5 * (v3_dot(n, n) + (w ? w[i] - w[j] : 0));
    } else {
        v3_set_axis(&n, wall / 2, wall % 2 ? 1 : -1);
        d = wall % 2 ? v3_axis(hi, wall / 2) : -v3_axis(lo, wall / 2);
    }
    const rill_vec3 u = v3_unit(n);
    const rill_vec3 e = v3_unit(v3_cross(u, fabs(u.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0))), g = v3_cross(u, e);
    const double big = 4 * v3_length(box_size(box));
    const rill_vec3 o = v3_scale(u, d / v3_length(n));
    twin_face f = {.n = 4};
    for (int c = 0; c < 4; c++)
        f.p[c] = v3_madd(v3_madd(o, c == 0 || c == 3 ? big : -big, e), c < 2 ? big : -big, g);
    for (int side = 0; side < 6; side++) {
        rill_vec3 m = {0, 0, 0};
        v3_set_axis(&m, side / 2, side % 2 ? 1 : -1);
        if (j == i && side == wall) continue;
        twin_clip(&f, m, side % 2 ? v3_axis(hi, side / 2) : -v3_axis(lo, side / 2));
    }
    for (uint32_t k = 0; k < count && f.n; k++) {
        if (k == i || k == j) continue;
        const rill_vec3 m = v3_sub(x[k], x[i]);
        twin_clip(&f, m, 0.5 * (v3_dot(m, m) + (w ? w[i] - w[k] : 0)));
    }
    rill_vec3 area = {0, 0, 0};
    for (int c = 1; c + 1 < f.n; c++)
        area = v3_madd(area, 0.5, v3_cross(v3_sub(f.p[c], f.p[0]), v3_sub(f.p[c + 1], f.p[0])));
    return area;
}

static void assert_like_twin(const voronoi *v, const rill_vec3 *x, const double *w, uint32_t count,
                             double tolerance)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i; j < count + 6; j++) {
            if (j == i) continue;
            const uint32_t other = j < count ? j : VORONOI_WALL + j - count;
            const rill_vec3 t = twin_area(x, w, count, i, j < count ? j : i, (int)(j - count), v->box);
            rill_vec3 got = {0, 0, 0};
            for (uint32_t e = 0; e < v->cell[i].faces; e++) {
                const voronoi_face *f = &v->face[v->link[v->cell[i].begin + e]];
                if (f->a == i && f->b == other) got = f->area;
            }
            if (v3_distance(t, got) > tolerance)
                fail_msg("face of %u and %u: (%g, %g, %g), by half-spaces (%g, %g, %g)", i, other, got.x,
                         got.y, got.z, t.x, t.y, t.z);
        }
}

/* Where two points are d apart, their planes to a third meet at an angle of d over the
 * spacing, and the edge between them is uncertain by the tolerance over that angle. */
static double tolerance_of(const rill_vec3 *x, uint32_t count)
{
    double nearest = 1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double d = v3_distance(x[i], x[j]);
            if (d > 0) nearest = fmin(nearest, d);
        }
    return 1e-12 * fmax(1, 0.1 / nearest);
}

static void cells_match_half_spaces(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 5, 40, 100};
    rill_ctx *ctx = test_ctx(2);
    voronoi v;
    voronoi_init(&v, ctx);
    rill_vec3 x[100];
    double w[100];
    for (int set = 0; set < SETS; set++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int weighted = 0; weighted < 2; weighted++) {
                const uint32_t n = point_set_make((point_set)set, counts[c], 3, x);
                voronoi_def def = voronoi_def_default(unit);
                def.vertices = true;
                for (uint32_t i = 0; i < n; i++) w[i] = 0.02 * random_unit(random_at(5, i, 0, 0).v[0], 0);
                if (weighted && set != SET_RANDOM && set != SET_CUBIC) continue;
                if (weighted) def.weight = w;
                assert_ok(ctx, voronoi_build(&v, &def, x, n));
                const double tolerance = tolerance_of(x, n);
                assert_ok(ctx, voronoi_check(ctx, &v, x, tolerance));
                assert_like_twin(&v, x, weighted ? w : NULL, n, 10 * tolerance);
            }
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

/* Every set at a size where bins are refined; closed to V-01's figure, nothing one-sided on
 * lattices. */
static void all_sets_hold(void **state)
{
    (void)state;
    enum { N = 3000 };
    rill_ctx *ctx = test_ctx(2);
    voronoi v;
    voronoi_init(&v, ctx);
    rill_vec3 *x = malloc(N * sizeof *x);
    for (int set = 0; set < SETS; set++) {
        const uint32_t n = point_set_make((point_set)set, N, 11, x);
        voronoi_def def = voronoi_def_default(unit);
        def.vertices = true;
        assert_ok(ctx, voronoi_build(&v, &def, x, n));
        const double tolerance =
            set >= SET_NESTED && set != SET_PLANE && set != SET_LINE ? tolerance_of(x, n) : 1e-12;
        if (voronoi_check(ctx, &v, x, tolerance))
            fail_msg("%s: %s", point_set_names[set], rill_ctx_message(ctx));
        if (set >= SET_CUBIC && set <= SET_FCC) {
            assert_int_equal(v.one_sided, 0);
            for (uint32_t i = 0; i < n; i++) assert_true(v.cell[i].faces <= 18);
        }
    }
    free(x);
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

/* Inner cells of lattices: volume, number of faces, centroid at the site. */
static void lattices_are_exact(void **state)
{
    (void)state;
    static const struct {
        point_set set;
        uint32_t count, per_cell, faces;
    } known[] = {{SET_CUBIC, 22 * 22 * 22, 1, 6}, {SET_BCC, 2 * 1000, 2, 14}, {SET_FCC, 4 * 1000, 4, 12}};
    rill_ctx *ctx = test_ctx(2);
    voronoi v;
    voronoi_init(&v, ctx);
    rill_vec3 *x = malloc(22 * 22 * 22 * sizeof *x);
    for (size_t s = 0; s < 3; s++) {
        const uint32_t n = point_set_make(known[s].set, known[s].count, 0, x);
        assert_int_equal(n, known[s].count);
        const voronoi_def def = voronoi_def_default(unit);
        assert_ok(ctx, voronoi_build(&v, &def, x, n));
        assert_int_equal(v.one_sided, 0);
        const double a = cbrt((double)known[s].per_cell / n);
        uint32_t inner = 0;
        for (uint32_t i = 0; i < n; i++) {
            const double wall =
                fmin(fmin(fmin(x[i].x, 1 - x[i].x), fmin(x[i].y, 1 - x[i].y)), fmin(x[i].z, 1 - x[i].z));
            if (wall < 1.1 * a) continue;
            inner++;
            assert_int_equal(v.cell[i].faces, known[s].faces);
            assert_true(fabs(v.cell[i].volume * n - 1) < 1e-12);
            assert_true(v3_distance(v.cell[i].centroid, x[i]) < 1e-13);
        }
        assert_true(inner > 100);
    }
    free(x);
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

/* Far from the origin, and very small: what a cell is does not depend on where it is. */
static void scale_and_place_do_not_matter(void **state)
{
    (void)state;
    enum { N = 2000 };
    static const double scales[] = {1, 1e-6, 1e6, 1};
    static const double offsets[] = {0, 0, 0, 1e6};
    rill_ctx *ctx = test_ctx(2);
    voronoi v;
    voronoi_init(&v, ctx);
    rill_vec3 *x = malloc(N * sizeof *x);
    for (int set = SET_RANDOM; set <= SET_FCC; set++)
        for (int s = 0; s < 4; s++) {
            const uint32_t n = point_set_make((point_set)set, N, 2, x);
            const rill_vec3 o = v3(offsets[s], offsets[s], offsets[s]);
            for (uint32_t i = 0; i < n; i++) x[i] = v3_madd(o, scales[s], x[i]);
            voronoi_def def = voronoi_def_default((rill_box){o, v3_madd(o, scales[s], v3(1, 1, 1))});
            def.vertices = true;
            assert_ok(ctx, voronoi_build(&v, &def, x, n));
            assert_ok(ctx, voronoi_check(ctx, &v, x, 1e-12));
        }
    free(x);
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

/* A slab one element thick: areas of its cells are those of the plane's diagram. */
static void slab_is_two_dimensional(void **state)
{
    (void)state;
    enum { N = 3000 };
    rill_ctx *ctx = test_ctx(2);
    voronoi v;
    voronoi_init(&v, ctx);
    rill_vec3 *x = malloc(N * sizeof *x);
    const uint32_t n = point_set_make(SET_RANDOM, N, 2, x);
    const double thick = 0.02;
    for (uint32_t i = 0; i < n; i++) x[i].z = thick / 2;
    voronoi_def def = voronoi_def_default((rill_box){{0, 0, 0}, {1, 1, thick}});
    assert_ok(ctx, voronoi_build(&v, &def, x, n));
    assert_ok(ctx, voronoi_check(ctx, &v, x, 1e-12));
    for (uint32_t i = 0; i < n; i++) {
        double side[2] = {0, 0};
        for (uint32_t e = 0; e < v.cell[i].faces; e++) {
            const voronoi_face *f = &v.face[v.link[v.cell[i].begin + e]];
            if (f->b == VORONOI_WALL + 4) side[0] = -f->area.z;
            if (f->b == VORONOI_WALL + 5) side[1] = f->area.z;
            if (voronoi_is_cell(f->b)) assert_true(fabs(f->area.z) <= 1e-18);
        }
        assert_true(fabs(side[0] * thick - v.cell[i].volume) < 1e-14);
        assert_true(fabs(side[0] - side[1]) < 1e-14);
    }
    free(x);
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

/* What is nearer to the site than the cap is the same with it and without. */
static void cap_keeps_what_is_near(void **state)
{
    (void)state;
    enum { N = 4000 };
    rill_ctx *ctx = test_ctx(2);
    voronoi v, whole;
    voronoi_init(&v, ctx);
    voronoi_init(&whole, ctx);
    rill_vec3 *x = malloc(N * sizeof *x);
    const uint32_t n = point_set_make(SET_BCC, N, 2, x);
    for (uint32_t i = 0; i < n; i++) x[i].y *= 0.5;
    voronoi_def def = voronoi_def_default(unit);
    def.vertices = true;
    assert_ok(ctx, voronoi_build(&whole, &def, x, n));
    def.cap = 2 * cbrt(0.5 / n);
    assert_ok(ctx, voronoi_build(&v, &def, x, n));
    assert_ok(ctx, voronoi_check(ctx, &v, x, 1e-12));
    uint32_t capped = 0, same = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool cap = false;
        for (uint32_t e = 0; e < v.cell[i].faces; e++)
            cap |= voronoi_is_cap(v.face[v.link[v.cell[i].begin + e]].b);
        capped += cap;
        if (cap) {
            assert_true(v.cell[i].volume < whole.cell[i].volume);
            assert_true(v.cell[i].volume <= 8 * def.cap * def.cap * def.cap);
        } else {
            assert_true(fabs(v.cell[i].volume / whole.cell[i].volume - 1) < 1e-13);
            same++;
        }
    }
    assert_true(capped > 50 && same > 1000);
    free(x);
    voronoi_clear(&v);
    voronoi_clear(&whole);
    rill_ctx_destroy(ctx);
}

static void twins_are_told_or_merged(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    voronoi v;
    voronoi_init(&v, ctx);
    enum { N = 500 };
    rill_vec3 *x = malloc(N * sizeof *x);
    point_set_make(SET_RANDOM, N, 9, x);
    x[123] = x[77];
    x[400] = x[77];
    x[499] = x[10];
    voronoi_def def = voronoi_def_default(unit);
    v.count = 42;
    assert_int_equal(voronoi_build(&v, &def, x, N), RILL_BLEW_UP);
    assert_int_equal(v.count, 42);
    v.count = 0;
    assert_non_null(strstr(rill_ctx_message(ctx), "points 77 and 123"));
    def.merge = true;
    assert_ok(ctx, voronoi_build(&v, &def, x, N));
    assert_ok(ctx, voronoi_check(ctx, &v, x, 1e-12));
    assert_int_equal(v.merged, 3);
    assert_int_equal(v.cell[123].faces, 0);
    assert_true(v.cell[77].volume > 0 && v.cell[400].volume == 0 && v.cell[499].volume == 0);
    x[200] = v3(0, 0.5, 0.5);
    x[201] = v3(1e-200, 0.5, 0.5); /* its square is nothing */
    assert_ok(ctx, voronoi_build(&v, &def, x, N));
    assert_ok(ctx, voronoi_check(ctx, &v, x, 1e-12));
    assert_int_equal(v.merged, 4);
    for (uint32_t i = 100; i < N; i++) x[i] = x[3]; /* a crowd in one place */
    assert_ok(ctx, voronoi_build(&v, &def, x, N));
    assert_ok(ctx, voronoi_check(ctx, &v, x, 1e-12));
    assert_int_equal(v.merged, 400);
    free(x);
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

static void wrong_points_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    voronoi v;
    voronoi_init(&v, ctx);
    rill_vec3 x[5] = {{0.1, 0.1, 0.1}, {0.5, 0.5, 0.5}, {0.2, 0.7, 0.9}, {0.3, 0.3, 0.3}, {1, 1, 1}};
    voronoi_def def = voronoi_def_default(unit);
    static const rill_vec3 wrong[] = {
        {NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}, {0.5, 0.5, 1.0000001}, {-1e-300, 0, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const rill_vec3 right = x[3];
        x[3] = wrong[i];
        v.count = 42;
        assert_int_equal(voronoi_build(&v, &def, x, 5), RILL_BLEW_UP);
        assert_int_equal(v.count, 42);
        assert_non_null(strstr(rill_ctx_message(ctx), "point 3"));
        x[3] = right;
    }
    v.count = 0;
    const double weight[5] = {0, 0, NAN, 0, 0};
    def.weight = weight;
    assert_int_equal(voronoi_build(&v, &def, x, 5), RILL_BLEW_UP);
    assert_non_null(strstr(rill_ctx_message(ctx), "weight of point 2"));
    def.weight = NULL;
    def.box.max.y = 0;
    assert_int_equal(voronoi_build(&v, &def, x, 5), RILL_USAGE);
    def.box = unit;
    def.cap = NAN;
    assert_int_equal(voronoi_build(&v, &def, x, 5), RILL_USAGE);
    def.cap = 0;
    assert_ok(ctx, voronoi_build(&v, &def, x, 0));
    assert_int_equal(v.count, 0);
    assert_ok(ctx, voronoi_build(&v, &def, x, 5));
    assert_ok(ctx, voronoi_check(ctx, &v, x, 1e-12));
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    enum { N = 5000 }; /* more than a wave */
    static const point_set sets[] = {SET_RANDOM, SET_BCC, SET_CLUSTERED, SET_PAIRS};
    rill_vec3 *x = malloc(N * sizeof *x);
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        const uint32_t n = point_set_make(sets[s], N, 21, x);
        voronoi_def def = voronoi_def_default(unit);
        def.vertices = true;
        voronoi v[3];
        rill_ctx *ctx[3];
        for (int t = 0; t < 3; t++) {
            ctx[t] = test_ctx(t + 1);
            voronoi_init(&v[t], ctx[t]);
            assert_ok(ctx[t], voronoi_build(&v[t], &def, x, n));
        }
        for (int t = 1; t < 3; t++) {
            assert_int_equal(v[t].face_count, v[0].face_count);
            assert_int_equal(v[t].corner_count, v[0].corner_count);
            assert_memory_equal(v[t].cell, v[0].cell, n * sizeof *v[0].cell);
            assert_memory_equal(v[t].face, v[0].face, v[0].face_count * sizeof *v[0].face);
            assert_memory_equal(v[t].corner, v[0].corner, v[0].corner_count * sizeof *v[0].corner);
            assert_memory_equal(v[t].vertex, v[0].vertex, v[0].vertex_count * sizeof *v[0].vertex);
        }
        for (int t = 0; t < 3; t++) {
            voronoi_clear(&v[t]);
            rill_ctx_destroy(ctx[t]);
        }
    }
    free(x);
}

/* With the thread pool allocations come in any order: one thread, so that every one is met. */
static void failing_allocations_are_told(void **state)
{
    (void)state;
    enum { N = 400 };
    rill_vec3 x[N];
    for (int set = 0; set < 2; set++) {
        const uint32_t n = point_set_make(set ? SET_SPHERE : SET_CLUSTERED, N, 5, x);
        for (uint64_t at = 1;; at++) {
            failing_allocator f = {0};
            rill_ctx *ctx = test_ctx_failing(1, &f);
            const uint64_t before = f.live;
            f.fail_at = f.calls + at;
            f.sticky = true; /* an arena asks again for less */
            voronoi v;
            voronoi_init(&v, ctx);
            voronoi_def def = voronoi_def_default(unit);
            def.vertices = true;
            const rill_status st = voronoi_build(&v, &def, x, n);
            const bool reached = f.calls >= f.fail_at;
            if (st) assert_int_equal(v.count, 0);
            voronoi_clear(&v);
            assert_int_equal(f.live, before);
            rill_ctx_destroy(ctx);
            if (!reached) {
                assert_int_equal(st, RILL_OK);
                break;
            }
            assert_int_equal(st, RILL_NO_MEMORY);
        }
    }
}

/* Adversarial points without a plan: few coordinates, so that lines, planes, spheres and
 * twins abound; now and then nearly the same, and weights. */
static void any_points_hold(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    voronoi v;
    voronoi_init(&v, ctx);
    rill_vec3 x[300];
    double w[300];
    for (uint32_t round = 0; round < 120; round++) {
        const random4 r = random_at(17, round, 0, 9);
        const uint32_t n = 1 + r.v[0] % 300, grid = 1 + r.v[1] % 12;
        const double noise = r.v[2] % 3 ? 0 : pow(10, -(double)(r.v[2] % 9));
        for (uint32_t i = 0; i < n; i++) {
            const random4 a = random_at(18, i, round, 0), b = random_at(18, i, round, 1);
            x[i] = v3((double)(a.v[0] % (grid + 1)) / grid, (double)(a.v[1] % (grid + 1)) / grid,
                      (double)(a.v[2] % (grid + 1)) / grid);
            x[i] = v3_madd(x[i], noise,
                           v3(random_unit(b.v[0], 0), random_unit(b.v[1], 0), random_unit(b.v[2], 0)));
            x[i] = v3_min(x[i], v3(1, 1, 1));
            w[i] = (double)(b.v[3] % 4) / 16 / grid / grid;
        }
        voronoi_def def = voronoi_def_default(unit);
        def.merge = true;
        def.vertices = true;
        if (r.v[3] % 3 == 0) def.weight = w;
        assert_ok(ctx, voronoi_build(&v, &def, x, n));
        if (voronoi_check(ctx, &v, x, tolerance_of(x, n)))
            fail_msg("round %u, %u points on %u^3, noise %g: %s", round, n, grid, noise,
                     rill_ctx_message(ctx));
    }
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

/* Two points on either side of a plate do not cut each other's cells; one beyond its rim cuts both. */
static void plates_part_points(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const rill_vec3 x[3] = {{0.4, 0.5, 0.5}, {0.6, 0.5, 0.5}, {0.5, 0.9, 0.5}};
    const rill_vec3 away[3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}},
                    facing[3] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 0}};
    voronoi v;
    voronoi_init(&v, ctx);
    voronoi_def def = voronoi_def_default((rill_box){{0, 0, 0}, {1, 1, 1}});
    def.away = away;
    assert_ok(ctx, voronoi_build(&v, &def, x, 2));
    assert_true(fabs(v.cell[0].volume - 1) < 1e-12 && fabs(v.cell[1].volume - 1) < 1e-12);
    assert_ok(ctx, voronoi_build(&v, &def, x, 3));
    assert_true(v.cell[0].volume < 0.9 && v.cell[1].volume < 0.9);
    def.away = facing; /* a gap between two walls: not between the points */
    assert_ok(ctx, voronoi_build(&v, &def, x, 2));
    assert_true(fabs(v.cell[0].volume - 0.5) < 1e-12);
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_part_points),
        cmocka_unit_test(cells_match_half_spaces),
        cmocka_unit_test(all_sets_hold),
        cmocka_unit_test(lattices_are_exact),
        cmocka_unit_test(scale_and_place_do_not_matter),
        cmocka_unit_test(slab_is_two_dimensional),
        cmocka_unit_test(cap_keeps_what_is_near),
        cmocka_unit_test(twins_are_told_or_merged),
        cmocka_unit_test(wrong_points_are_told),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(failing_allocations_are_told),
        cmocka_unit_test(any_points_hold),
    };
    return cmocka_run_group_tests_name("voronoi", tests, NULL, NULL);
}
