/* Cutting polygons: areas add up and no triangle turns over, whatever the shape. */
#include "support.h"

#include "base/random.h"
#include "geom/mesh/polygon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };
static rill_vec3 position[MOST];
static uint32_t corner[MOST], triangle[MOST][3];

static double unit(uint64_t a, uint64_t b)
{
    const random4 r = random_at(11, a, (uint32_t)b, 0);
    return random_unit(r.v[0], r.v[1]);
}

/* The plane z = 0 turned so that its normal is n. */
static void tilt(uint32_t count, rill_vec3 n)
{
    const rill_vec3 w = v3_unit(n), u = v3_unit(v3_cross(fabs(w.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0), w));
    const rill_vec3 v = v3_cross(w, u);
    for (uint32_t i = 0; i < count; i++) {
        const rill_vec3 p = position[i];
        position[i] = v3_add(v3(5, -3, 2), v3_add(v3_scale(u, p.x), v3_scale(v, p.y)));
    }
}

static rill_vec3 area_of(uint32_t a, uint32_t b, uint32_t c)
{
    return v3_scale(v3_cross(v3_sub(position[b], position[a]), v3_sub(position[c], position[a])), 0.5);
}

/* Cuts the polygon 0 .. count - 1, counter-clockwise about n. */
static void check_cut(rill_ctx *ctx, uint32_t count, rill_vec3 n, uint64_t budget)
{
    polygon_cutter cutter;
    uint32_t made = 0;
    double whole = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) corner[i] = i;
    for (uint32_t i = 1; i + 1 < count; i++) whole += v3_dot(area_of(0, i, i + 1), v3_unit(n));
    assert_true(whole > 0);
    polygon_cutter_init(&cutter, ctx, budget);
    assert_ok(ctx, polygon_cut(&cutter, position, corner, count, triangle, &made));
    polygon_cutter_clear(&cutter);
    assert_int_equal(made, count - 2);
    int *used = calloc(count, sizeof *used);
    for (uint32_t i = 0; i < made; i++) {
        const double a = v3_dot(area_of(triangle[i][0], triangle[i][1], triangle[i][2]), v3_unit(n));
        assert_true(a > -1e-6 * whole);
        sum += a;
        for (int k = 0; k < 3; k++) used[triangle[i][k]] = 1;
    }
    for (uint32_t i = 0; i < count; i++) assert_true(used[i]);
    free(used);
    assert_true(fabs(sum - whole) < 1e-9 * whole);
}

static const rill_vec3 normals[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -1, 0}, {1, 2, 3}, {-3, 1, -1}};

static void stars(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double pi = acos(-1);
    for (uint64_t shape = 0; shape < 300; shape++) {
        const uint32_t n = 4 + (uint32_t)(shape % 60);
        for (uint32_t i = 0; i < n; i++) {
            const double r = 0.05 + unit(shape, i), a = 2 * pi * i / n;
            position[i] = v3(r * cos(a), r * sin(a), 0);
        }
        const rill_vec3 normal = normals[shape % 6];
        tilt(n, normal);
        check_cut(ctx, n, normal, 1 << 24);
    }
    rill_ctx_destroy(ctx);
}

/* Two arms of a spiral, a comb, an arrow, a quad with a dent at each corner. */
static void concave(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (uint32_t k = 0; k < 6; k++) {
        const uint32_t n = 200;
        for (uint32_t i = 0; i < n; i++) {
            const double a = 0.1 * i;
            position[i] = v3((1 + 0.3 * a) * cos(a), (1 + 0.3 * a) * sin(a), 0);
            position[2 * n - 1 - i] = v3((0.6 + 0.3 * a) * cos(a), (0.6 + 0.3 * a) * sin(a), 0);
        }
        tilt(2 * n, normals[k]);
        check_cut(ctx, 2 * n, normals[k], 1 << 24);

        const uint32_t teeth = 500; /* a comb: down the teeth, and back along its back */
        position[0] = v3(0, 1, 0), position[1] = v3(2 * teeth, 1, 0);
        for (uint32_t i = 0; i < 2 * teeth; i++)
            position[2 + i] = v3(2 * teeth - 1 - i + 0.5, i % 2 ? -5 : 0.5, 0);
        for (uint32_t i = 0; i < (2 + 2 * teeth) / 2; i++) { /* the other way round */
            const rill_vec3 kept = position[i];
            position[i] = position[1 + 2 * teeth - i];
            position[1 + 2 * teeth - i] = kept;
        }
        tilt(2 + 2 * teeth, normals[k]);
        check_cut(ctx, 2 + 2 * teeth, normals[k], 1 << 24);
    }
    for (uint32_t dent = 0; dent < 4; dent++) {
        static const rill_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
        memcpy(position, square, sizeof square);
        position[dent] = v3_madd(square[dent], 0.7, v3_sub(square[(dent + 2) % 4], square[dent]));
        check_cut(ctx, 4, v3(0, 0, 1), 100);
    }
    rill_ctx_destroy(ctx);
}

static void degenerate_shapes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    polygon_cutter cutter;
    uint32_t made;
    polygon_cutter_init(&cutter, ctx, 1 << 22);
    /* On a line; all at one place; crossing itself; any corners at all. */
    for (uint64_t shape = 0; shape < 2000; shape++) {
        const uint32_t n = 3 + (uint32_t)(shape % 30);
        for (uint32_t i = 0; i < n; i++) {
            const double f = shape % 4 ? 1 : 0;
            position[i] = shape % 4 == 1 ? v3(i, 2.0 * i, 0)
                                         : v3(f * unit(shape, 3 * i), f * unit(shape, 3 * i + 1), 0);
            corner[i] = shape % 3 ? i : (uint32_t)(unit(shape, 900 + i) * n);
        }
        made = 77;
        assert_ok(ctx, polygon_cut(&cutter, position, corner, n, triangle, &made));
        assert_true(made <= n - 2);
        for (uint32_t i = 0; i < made; i++)
            for (int k = 0; k < 3; k++) assert_true(triangle[i][k] < n);
        if (shape % 3) assert_int_equal(made, n - 2);
    }
    polygon_cutter_clear(&cutter);

    /* Repeated corners give nothing; a triangle and less. */
    static const uint32_t twice[] = {0, 0, 1, 1, 2, 2, 3, 3, 0};
    static const rill_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    memcpy(position, square, sizeof square);
    assert_ok(ctx, polygon_cut(&cutter, position, twice, 9, triangle, &made));
    const uint32_t expected[2][3] = {{0, 1, 2}, {0, 2, 3}};
    assert_int_equal(made, 2);
    assert_memory_equal(triangle, expected, sizeof expected);
    assert_ok(ctx, polygon_cut(&cutter, position, twice, 4, triangle, &made));
    assert_int_equal(made, 0);
    polygon_cutter_clear(&cutter);
    rill_ctx_destroy(ctx);
}

static void budget(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const uint64_t before = f.live;
    polygon_cutter cutter;
    uint32_t made = 77;
    for (uint32_t i = 0; i < 1000; i++) {
        position[i] = v3(cos(i * 0.00628) * (i % 2 ? 1 : 0.5), sin(i * 0.00628) * (i % 2 ? 1 : 0.5), 0);
        corner[i] = i;
    }
    polygon_cutter_init(&cutter, ctx, 100);
    assert_int_equal(polygon_cut(&cutter, position, corner, 1000, triangle, &made), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "1000 corners"));
    assert_int_equal(made, 77);
    polygon_cutter_clear(&cutter);
    f.fail_at = f.calls + 1;
    assert_int_equal(polygon_cut(&cutter, position, corner, 5, triangle, &made), RILL_NO_MEMORY);
    f.fail_at = 0;
    polygon_cutter_clear(&cutter);
    assert_int_equal(f.live, before);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars),
        cmocka_unit_test(concave),
        cmocka_unit_test(degenerate_shapes),
        cmocka_unit_test(budget),
    };
    return cmocka_run_group_tests_name("polygon", tests, NULL, NULL);
}
