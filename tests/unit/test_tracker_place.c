/* A tracker whose vertices are held to a wall, and one that goes on from where another stopped. */
#include "tracker_support.h"

#include "base/vec.h"

#include <string.h>

/* The wall z = 0: what lies in it stays in it, nothing goes below. */
static bool hold(void *user, tracker_change change, rill_vec3 a, rill_vec3 b, rill_vec3 *x)
{
    (void)user;
    const bool in_a = a.z == 0, in_b = b.z == 0;
    if (change == TRACKER_COLLAPSE && in_a != in_b) {
        *x = in_a ? a : b;
        return true;
    }
    if (x->z < 0 || (in_a && in_b)) x->z = 0;
    return true;
}

/* Along the wall everything shears and stretches; away from it the motion is slower. */
static rill_status shear(void *user, const trimesh *mesh, double dt, rill_vec3 *x)
{
    (void)user;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const rill_vec3 p = x[i];
        const double s = 1 + p.z;
        x[i] = v3(p.x + dt * (2 * p.y * s + p.x), p.y + dt * (sin(5 * p.x) - p.y),
                  p.z + dt * 0.2 * p.z * cos(9 * p.x));
    }
    return RILL_OK;
}

/* A ball whose lower third is pressed flat onto the wall. */
static trimesh flattened(rill_ctx *ctx)
{
    trimesh m = make_icosphere(ctx, 0.5, 3);
    for (size_t v = 0; v < m.vertex_count; v++) {
        rill_vec3 *x = &m.position[v];
        x->z = fmax(x->z + 0.25, 0);
        if (x->z == 0) { /* the cap becomes a disc */
            const double r = hypot(x->x, x->y), to = 0.433 * fmin(1, r / 0.433);
            if (r > 0) x->x *= to / r, x->y *= to / r;
        }
    }
    return m;
}

static void vertices_stay_in_walls(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tracker_def def = tracker_def_default();
    def.place = hold;
    trimesh m = flattened(ctx);
    tracker *t = make(ctx, &def, &m);
    uint32_t changes = 0;
    for (int i = 0; i < 30; i++) {
        tracker_stats s;
        assert_ok(ctx, tracker_advance_to(t, 0.02, shear, NULL, &s));
        changes += s.splits * (s.collapses > 0) + s.collapses;
        const trimesh v = tracker_view(t);
        size_t in = 0;
        for (size_t k = 0; k < v.vertex_count; k++) {
            assert_true(v.position[k].z >= 0);
            in += v.position[k].z == 0;
        }
        /* Triangles in the wall have all corners in it: none was lifted off by an operation. */
        assert_true(in > 20);
        assert_sound(ctx, t);
    }
    assert_true(changes > 20);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

static void assert_same(const tracker *a, const tracker *b)
{
    const trimesh m = tracker_view(a), n = tracker_view(b);
    assert_int_equal(m.vertex_count, n.vertex_count);
    assert_int_equal(m.triangle_count, n.triangle_count);
    assert_memory_equal(m.position, n.position, m.vertex_count * sizeof *m.position);
    assert_memory_equal(m.triangle, n.triangle, m.triangle_count * sizeof *m.triangle);
}

/* Stopped after any step, restored from what can be seen of it, it goes on to the same bits. */
static void goes_on_to_the_bit(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(3);
    tracker_def def = tracker_def_default();
    def.keep_volume = true;
    def.restorable = true;
    trimesh m = make_icosphere(ctx, 0.4, 3);
    tracker *t = make(ctx, &def, &m), *u = NULL;
    def.edge = tracker_edge(t);
    for (int i = 0; i < 24; i++) {
        if (i % 5 == 2) {
            const tracker_part *part;
            size_t parts;
            double target[16];
            tracker_parts(t, &part, &parts);
            assert_true(parts <= 16);
            for (size_t k = 0; k < parts; k++) target[k] = part[k].target;
            const trimesh v = tracker_view(t);
            tracker_destroy(u);
            assert_ok(ctx,
                      tracker_restore(ctx, &def, &v, tracker_time(t), tracker_steps(t), target, parts, &u));
            for (size_t k = 0; k < v.vertex_count; k++)
                assert_int_equal(tracker_vertex_parts(t)[k], tracker_vertex_parts(u)[k]);
        }
        assert_ok(ctx, tracker_advance(t, 0.05, pinching, NULL, NULL));
        if (u) {
            assert_ok(ctx, tracker_advance(u, 0.05, pinching, NULL, NULL));
            assert_same(t, u);
        }
    }
    const trimesh v = tracker_view(t);
    const double wrong[2] = {1, 1};
    tracker *none = NULL;
    assert_int_equal(tracker_restore(ctx, &def, &v, 0, 0, wrong, 0, &none), RILL_BAD_FILE);
    assert_null(none);
    tracker_destroy(t);
    tracker_destroy(u);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vertices_stay_in_walls),
                                       cmocka_unit_test(goes_on_to_the_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
