/* Signed distances against sampled surfaces, gradients against differences, and the
 * faces a point sees in corners. */
#include "support.h"

#include "base/random.h"
#include "geom/shape/shape.h"

#include <math.h>
#include <string.h>

static double uniform(uint64_t id, uint32_t stream, double lo, double hi)
{
    const random4 r = random_at(11, id, 0, stream);
    return lo + (hi - lo) * random_unit(r.v[0], r.v[1]);
}

static rill_vec3 random_point(uint64_t id, double reach)
{
    return v3(uniform(id, 1, -reach, reach), uniform(id, 2, -reach, reach), uniform(id, 3, -reach, reach));
}

/* --- sampled surfaces --- */

enum { SIDE = 96, MAX_SAMPLES = 6 * SIDE * SIDE };
static rill_vec3 sample[MAX_SAMPLES];
static size_t sample_count;

static void add_sample(rill_vec3 x)
{
    assert_true(sample_count < MAX_SAMPLES);
    sample[sample_count++] = x;
}

static void frame_of(rill_vec3 axis, rill_vec3 *u, rill_vec3 *v)
{
    *u = v3_unit(v3_cross(axis, fabs(axis.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0)));
    *v = v3_cross(axis, *u);
}

static void sample_rectangle(rill_vec3 corner, rill_vec3 a, rill_vec3 b)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            add_sample(v3_madd(v3_madd(corner, i / (SIDE - 1.0), a), j / (SIDE - 1.0), b));
}

/* A surface of revolution: radius and height by a parameter from 0 to 1. */
static void sample_turned(rill_vec3 from, rill_vec3 axis,
                          double (*profile)(const shape_rod *, double, double *), const shape_rod *rod)
{
    rill_vec3 u, v;
    frame_of(axis, &u, &v);
    for (int i = 0; i < 2 * SIDE; i++) {
        double height;
        const double radius = profile(rod, i / (2 * SIDE - 1.0), &height);
        for (int j = 0; j < 2 * SIDE; j++) {
            const double angle = 2 * M_PI * j / (2 * SIDE);
            const rill_vec3 r = v3_add(v3_scale(u, radius * cos(angle)), v3_scale(v, radius * sin(angle)));
            add_sample(v3_add(v3_madd(from, height, axis), r));
        }
    }
}

static double cylinder_profile(const shape_rod *rod, double t, double *height)
{
    const double length = v3_distance(rod->from, rod->to), path = (2 * rod->radius + length) * t;
    *height = fmin(fmax(path - rod->radius, 0), length);
    return path < rod->radius ? path : fmin(rod->radius, 2 * rod->radius + length - path);
}

static double capsule_profile(const shape_rod *rod, double t, double *height)
{
    const double length = v3_distance(rod->from, rod->to), quarter = M_PI / 2 * rod->radius;
    const double path = (2 * quarter + length) * t;
    if (path < quarter) {
        *height = -rod->radius * cos(path / rod->radius);
        return rod->radius * sin(path / rod->radius);
    }
    if (path < quarter + length) {
        *height = path - quarter;
        return rod->radius;
    }
    const double angle = (path - quarter - length) / rod->radius;
    *height = length + rod->radius * sin(angle);
    return rod->radius * cos(angle);
}

static double sphere_profile(const shape_rod *rod, double t, double *height)
{
    *height = -rod->radius * cos(M_PI * t);
    return rod->radius * sin(M_PI * t);
}

static double disc_profile(const shape_rod *rod, double t, double *height)
{
    *height = 0;
    return rod->radius * t;
}

static void sample_shape(const shape *s)
{
    sample_count = 0;
    if (s->kind == SHAPE_BOX) {
        const rill_vec3 e = v3_sub(s->box.max, s->box.min);
        const rill_vec3 x = v3(e.x, 0, 0), y = v3(0, e.y, 0), z = v3(0, 0, e.z);
        sample_rectangle(s->box.min, x, y);
        sample_rectangle(s->box.min, y, z);
        sample_rectangle(s->box.min, x, z);
        sample_rectangle(s->box.max, v3_neg(x), v3_neg(y));
        sample_rectangle(s->box.max, v3_neg(y), v3_neg(z));
        sample_rectangle(s->box.max, v3_neg(x), v3_neg(z));
    } else if (s->kind == SHAPE_SPHERE) {
        const shape_rod rod = {.radius = s->sphere.radius};
        sample_turned(s->sphere.center, v3(0, 0, 1), sphere_profile, &rod);
    } else if (s->kind == SHAPE_DISC) {
        const shape_rod rod = {.radius = s->flat.radius};
        sample_turned(s->flat.point, v3_unit(s->flat.normal), disc_profile, &rod);
    } else {
        sample_turned(s->rod.from, v3_unit(v3_sub(s->rod.to, s->rod.from)),
                      s->kind == SHAPE_CYLINDER ? cylinder_profile : capsule_profile, &s->rod);
    }
}

/* Inside by another way than the distance. */
static bool inside(const shape *s, rill_vec3 x)
{
    if (s->kind == SHAPE_BOX) return box_contains((rill_box){s->box.min, s->box.max}, x);
    if (s->kind == SHAPE_SPHERE) return v3_distance(s->sphere.center, x) < s->sphere.radius;
    if (s->kind == SHAPE_DISC) return false;
    const rill_vec3 a = v3_unit(v3_sub(s->rod.to, s->rod.from)), r = v3_sub(x, s->rod.from);
    const double t = v3_dot(a, r), length = v3_distance(s->rod.from, s->rod.to);
    if (s->kind == SHAPE_CAPSULE)
        return v3_distance(r, v3_scale(a, fmin(fmax(t, 0), length))) < s->rod.radius;
    return t > 0 && t < length && v3_length(v3_cross(a, r)) < s->rod.radius;
}

static const shape primitives[] = {
    {.kind = SHAPE_BOX, .box = {{-0.7, -0.2, -0.4}, {0.3, 0.5, 0.6}}},
    {.kind = SHAPE_SPHERE, .sphere = {{0.1, -0.2, 0.3}, 0.6}},
    {.kind = SHAPE_CYLINDER, .rod = {{-0.4, -0.3, 0.1}, {0.3, 0.5, 0.2}, 0.35}},
    {.kind = SHAPE_CAPSULE, .rod = {{-0.4, -0.3, 0.1}, {0.3, 0.5, 0.2}, 0.35}},
    {.kind = SHAPE_DISC, .flat = {{0.1, 0.2, -0.1}, {2, 4, -1}, 0.7}},
};
enum { PRIMITIVES = sizeof primitives / sizeof *primitives };

static void distances_match_sampled_surfaces(void **state)
{
    (void)state;
    for (int k = 0; k < PRIMITIVES; k++) {
        const shape *s = &primitives[k];
        sample_shape(s);
        for (uint64_t i = 0; i < 60; i++) {
            const rill_vec3 x = random_point(i, 1.2);
            const double d = shape_distance(s, x, NULL);
            double nearest = INFINITY;
            for (size_t j = 0; j < sample_count; j++) nearest = fmin(nearest, v3_distance(x, sample[j]));
            assert_true((d < 0) == inside(s, x));
            assert_true(nearest > fabs(d) - 1e-9);
            assert_true(nearest < fabs(d) + 0.015); /* every surface point has a sample that near */
        }
        const rill_box b = shape_bounds(s);
        rill_box tight = box_empty();
        for (size_t j = 0; j < sample_count; j++) {
            assert_true(box_contains(box_grown(b, 1e-12), sample[j]));
            tight = box_with(tight, sample[j]);
        }
        assert_true(v3_distance(b.min, tight.min) < 0.01 && v3_distance(b.max, tight.max) < 0.01);
    }
}

static void assert_gradient(const shape *s, rill_vec3 x)
{
    const double e = 1e-6;
    rill_vec3 n, g;
    shape_distance(s, x, &n);
    assert_true(fabs(v3_length(n) - 1) < 1e-12);
    for (int k = 0; k < 3; k++) {
        rill_vec3 a = x, b = x;
        v3_set_axis(&a, k, v3_axis(x, k) - e);
        v3_set_axis(&b, k, v3_axis(x, k) + e);
        v3_set_axis(&g, k, (shape_distance(s, b, NULL) - shape_distance(s, a, NULL)) / (2 * e));
    }
    if (fabs(v3_length(g) - 1) > 1e-7) return; /* across a kink */
    assert_true(v3_distance(n, g) < 1e-5);
}

static void gradients_match_differences(void **state)
{
    (void)state;
    shape part[PRIMITIVES];
    memcpy(part, primitives, sizeof part);
    for (uint64_t i = 0; i < 500; i++) {
        const rill_vec3 x = random_point(i, 1.2);
        for (int k = 0; k < PRIMITIVES; k++) assert_gradient(&primitives[k], x);
        for (int kind = SHAPE_UNION; kind <= SHAPE_DIFFERENCE; kind++) {
            const shape s = {.kind = (shape_kind)kind, .parts = {part, PRIMITIVES - 1}};
            assert_gradient(&s, x);
        }
        const shape plane = {.kind = SHAPE_PLANE, .flat = {{1, 2, 3}, {1e-200, -2e-200, 2e-200}, 0}};
        assert_gradient(&plane, x);
        assert_true(fabs(shape_distance(&plane, v3_madd(v3(1, 2, 3), 3, x), NULL) - v3_dot(x, v3(1, -2, 2))) <
                    1e-12);
    }
}

/* Unit gradients also where there is no one direction. */
static void gradients_at_kinks_are_unit(void **state)
{
    (void)state;
    rill_vec3 n;
    shape_distance(&primitives[1], primitives[1].sphere.center, &n);
    assert_true(v3_length(n) == 1 && n.z == 0);
    shape_distance(&primitives[2], v3_scale(v3_add(primitives[2].rod.from, primitives[2].rod.to), 0.5), &n);
    assert_true(fabs(v3_length(n) - 1) < 1e-12);
    const shape point = {.kind = SHAPE_CYLINDER, .rod = {{1, 1, 1}, {1, 1, 1}, 0.1}};
    assert_true(isfinite(shape_distance(&point, v3(1, 1, 1), &n)) && v3_length(n) == 1);
    const shape none = {0};
    assert_true(isinf(shape_distance(&none, v3(0, 0, 0), &n)));
    const shape empty = {.kind = SHAPE_UNION};
    assert_true(isinf(shape_distance(&empty, v3(0, 0, 0), NULL)));
}

/* A rectangle of a two-dimensional scene. */
static void flat_boxes_are_prisms(void **state)
{
    (void)state;
    const shape s = {.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 2, 0}}};
    rill_vec3 n;
    assert_true(shape_distance(&s, v3(0.4, 1, 0), &n) == -0.4 && n.x == -1 && n.z == 0);
    assert_true(shape_distance(&s, v3(1.5, 1, 7), &n) == 0.5 && n.x == 1);
    assert_true(isinf(shape_bounds(&s).max.z));
}

/* --- faces --- */

static bool has_plane(const shape_plane *p, int count, double distance, rill_vec3 normal)
{
    for (int i = 0; i < count; i++)
        if (fabs(p[i].distance - distance) < 1e-9 && v3_distance(p[i].normal, normal) < 1e-9) return true;
    return false;
}

static void assert_nearest_first(const shape_plane *p, int count)
{
    for (int i = 1; i < count; i++) assert_true(p[i - 1].distance <= p[i].distance);
}

static void hollow_box_shows_its_faces(void **state)
{
    (void)state;
    shape part[] = {
        {.kind = SHAPE_BOX, .box = {{-1, -1, -1}, {2, 2, 2}}},
        {.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 1, 1}}},
    };
    const shape s = {.kind = SHAPE_DIFFERENCE, .parts = {part, 2}};
    shape_plane p[SHAPE_MAX_PLANES];
    int n = shape_planes(&s, v3(0.1, 0.05, 0.9), 0.15, p);
    assert_int_equal(n, 3);
    assert_nearest_first(p, n);
    assert_true(has_plane(p, n, 0.1, v3(1, 0, 0)) && has_plane(p, n, 0.05, v3(0, 1, 0)) &&
                has_plane(p, n, 0.1, v3(0, 0, -1)));
    assert_int_equal(shape_planes(&s, v3(0.5, 0.5, 0.5), 0.15, p), 0);
    assert_int_equal(shape_planes(&s, v3(0.5, 0.5, 0.5), 0.51, p), 6);
    /* in the wall: the face that was crossed, not the feet that lie in the wall too */
    n = shape_planes(&s, v3(-0.02, 0.05, 0.5), 0.15, p);
    assert_true(has_plane(p, n, -0.02, v3(1, 0, 0)));
    n = shape_planes(&s, v3(-0.03, -0.04, 0.5), 0.15, p);
    assert_true(n >= 1 && has_plane(p, n, -0.05, v3(0.6, 0.8, 0)));
}

static void hollow_cylinder_shows_side_and_ends(void **state)
{
    (void)state;
    shape part[] = {
        {.kind = SHAPE_PLANE, .flat = {{0, 9, 0}, {0, 1, 0}, 0}},
        {.kind = SHAPE_CYLINDER, .rod = {{0, 0, 0}, {0, 2, 0}, 1}},
    };
    const shape s = {.kind = SHAPE_DIFFERENCE, .parts = {part, 2}};
    shape_plane p[SHAPE_MAX_PLANES];
    const int n = shape_planes(&s, v3(0.9, 0.2, 0), 0.3, p);
    assert_int_equal(n, 2);
    assert_true(has_plane(p, n, 0.1, v3(-1, 0, 0)) && has_plane(p, n, 0.2, v3(0, 1, 0)));
}

static void union_shows_concave_corners(void **state)
{
    (void)state;
    shape part[] = {
        {.kind = SHAPE_BOX, .box = {{0, 0, 0}, {4, 1, 4}}}, /* floor */
        {.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 4, 4}}}, /* wall */
    };
    const shape s = {.kind = SHAPE_UNION, .parts = {part, 2}};
    shape_plane p[SHAPE_MAX_PLANES];
    int n = shape_planes(&s, v3(1.2, 1.1, 2), 0.5, p);
    assert_int_equal(n, 2);
    assert_nearest_first(p, n);
    assert_true(has_plane(p, n, 0.1, v3(0, 1, 0)) && has_plane(p, n, 0.2, v3(1, 0, 0)));
    n = shape_planes(&s, v3(3.9, 1.1, 2), 0.5, p); /* a convex edge: the nearest only */
    assert_int_equal(n, 1);
    n = shape_planes(&s, v3(4.03, 1.04, 2), 0.5, p);
    assert_int_equal(n, 1);
    assert_true(has_plane(p, n, 0.05, v3(0.6, 0.8, 0)));
    /* beyond the wall, its other side: the floor's end there is the same plane */
    n = shape_planes(&s, v3(-0.1, 0.5, 2), 0.5, p);
    assert_int_equal(n, 1);
    assert_true(has_plane(p, n, 0.1, v3(-1, 0, 0)));
    /* inside both: at least one */
    n = shape_planes(&s, v3(0.4, 0.5, 2), 0.1, p);
    assert_true(n >= 1 && p[0].distance < 0);
}

/* A floor of tiles is a floor. */
static void seams_show_one_face(void **state)
{
    (void)state;
    shape part[] = {
        {.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 1, 4}}},
        {.kind = SHAPE_BOX, .box = {{1, 0, 0}, {2, 1, 4}}},
    };
    const shape s = {.kind = SHAPE_UNION, .parts = {part, 2}};
    shape_plane p[SHAPE_MAX_PLANES];
    for (int i = 0; i <= 40; i++) {
        const int n = shape_planes(&s, v3(0.8 + 0.01 * i, 1.07, 2), 0.3, p);
        assert_int_equal(n, 1);
        assert_true(has_plane(p, n, 0.07, v3(0, 1, 0)));
    }
    /* A ramp that starts on the floor is seen once its slope is the nearest. */
    shape ramp[] = {
        {.kind = SHAPE_PLANE, .flat = {{0, 0, 0}, {0, 1, 0}, 0}},
        {.kind = SHAPE_PLANE, .flat = {{0, 0, 0}, {-1, 1, 0}, 0}},
    };
    const shape r = {.kind = SHAPE_UNION, .parts = {ramp, 2}};
    const double c = sqrt(0.5);
    const int n = shape_planes(&r, v3(-0.05, 0.15, 0), 0.3, p);
    assert_int_equal(n, 2);
    assert_true(has_plane(p, n, 0.15, v3(0, 1, 0)) && has_plane(p, n, 0.2 * c, v3(-c, c, 0)));
}

/* Along the floor of an obtuse corner the slope is a wall before its face is the nearest
 * point: no jump when the foot comes out of the floor. A slope that ends under the floor
 * is none. */
static void obtuse_corners_show_both_faces(void **state)
{
    (void)state;
    shape part[] = {
        {.kind = SHAPE_PLANE, .flat = {{0, 0, 0}, {0, 1, 0}, 0}},
        {.kind = SHAPE_PLANE, .flat = {{0, 0, 0}, {-1, 2, 0}, 0}},
    };
    const shape both = {.kind = SHAPE_UNION, .parts = {part, 2}};
    shape cut[] = {part[1], {.kind = SHAPE_PLANE, .flat = {{0, -0.01, 0}, {0, 1, 0}, 0}}};
    shape hidden[] = {part[0], {.kind = SHAPE_INTERSECTION, .parts = {cut, 2}}};
    const shape floor_only = {.kind = SHAPE_UNION, .parts = {hidden, 2}};
    shape_plane p[SHAPE_MAX_PLANES];
    for (int i = 0; i <= 60; i++) {
        const rill_vec3 x = v3(-0.2 + 0.004 * i, 0.05, 0);
        if (shape_distance(&both, x, NULL) < 0) break;
        assert_int_equal(shape_planes(&both, x, 0.2, p), 2);
        assert_int_equal(shape_planes(&floor_only, x, 0.2, p), 1);
    }
}

/* Of many parts the nearest are kept. */
static void crowds_keep_the_nearest(void **state)
{
    (void)state;
    enum { N = 100 };
    shape part[N];
    for (int i = 0; i < N; i++) {
        const double angle = 2 * M_PI * i / N, r = 1.5 + 0.001 * ((i * 37) % N);
        part[i] = (shape){.kind = SHAPE_SPHERE, .sphere = {{r * cos(angle), r * sin(angle), 0}, 0.02}};
    }
    const shape s = {.kind = SHAPE_UNION, .parts = {part, N}};
    shape_plane p[SHAPE_MAX_PLANES];
    assert_int_equal(shape_planes(&s, v3(0, 0, 0), 2, p), SHAPE_MAX_PLANES);
    for (int i = 0; i < SHAPE_MAX_PLANES; i++) assert_true(fabs(p[i].distance - 1.48 - 0.001 * i) < 1e-9);
}

static void clearing_frees_nested_parts(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const uint64_t held = f.live;
    shape s = {.kind = SHAPE_DIFFERENCE};
    assert_ok(ctx, MEM_NEW_ZERO(ctx, s.parts.part, 2));
    s.parts.count = 2;
    s.parts.part[0].kind = SHAPE_UNION;
    assert_ok(ctx, MEM_NEW_ZERO(ctx, s.parts.part[0].parts.part, 3));
    s.parts.part[0].parts.count = 3;
    shape_clear(ctx, &s);
    assert_true(f.live == held && s.kind == SHAPE_NONE);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_match_sampled_surfaces),
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(gradients_at_kinks_are_unit),
        cmocka_unit_test(flat_boxes_are_prisms),
        cmocka_unit_test(hollow_box_shows_its_faces),
        cmocka_unit_test(hollow_cylinder_shows_side_and_ends),
        cmocka_unit_test(union_shows_concave_corners),
        cmocka_unit_test(seams_show_one_face),
        cmocka_unit_test(obtuse_corners_show_both_faces),
        cmocka_unit_test(crowds_keep_the_nearest),
        cmocka_unit_test(clearing_frees_nested_parts),
    };
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
