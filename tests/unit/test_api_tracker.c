/* The surface tracker through the public header alone, but for the meshes and the checker. */
#include "mesh_makers.h"
#include "support.h"

#include "tracker/check.h"

#include <math.h>
#include <string.h>

static rill_mesh public_of(const trimesh *m)
{
    return (rill_mesh){.vertex_count = m->vertex_count,
                       .triangle_count = m->triangle_count,
                       .position = m->position,
                       .triangle = (const uint32_t(*)[3])m->triangle};
}

static rill_status up(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)time, (void)x;
    for (size_t i = 0; i < n; i++) u[i] = v3(0, *(double *)user, 0);
    return RILL_OK;
}

static rill_status refuses(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time, (void)n, (void)x, (void)u;
    return RILL_BLEW_UP;
}

static void rises(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    trimesh m = make_icosphere(ctx, 0.25, 2);
    rill_mesh mesh = public_of(&m);
    float(*velocity)[3];
    assert_ok(ctx, MEM_NEW(ctx, velocity, m.vertex_count));
    for (size_t i = 0; i < m.vertex_count; i++) velocity[i][0] = 1, velocity[i][1] = 2, velocity[i][2] = 3;
    mesh.velocity = (const float(*)[3])velocity;
    const rill_tracker_def def = rill_tracker_def_default();
    rill_tracker *t = NULL;
    assert_ok(ctx, rill_tracker_create(ctx, &def, &mesh, &t));
    double speed = 0.5;
    rill_tracker_stats stats;
    for (int i = 0; i < 10; i++) assert_ok(ctx, rill_tracker_advance(t, 0.1, up, &speed, &stats));
    assert_true(fabs(rill_tracker_time(t) - 1) < 1e-12);
    assert_int_equal(stats.steps, 1);
    rill_mesh view;
    rill_tracker_view(t, &view);
    double y = 0;
    for (size_t i = 0; i < view.vertex_count; i++) {
        y += view.position[i].y / (double)view.vertex_count;
        assert_true(view.velocity[i][0] == 1 && view.velocity[i][2] == 3);
    }
    assert_true(fabs(y - 0.5) < 1e-3);
    assert_null(view.normal);
    assert_int_equal(rill_tracker_part_count(t), 1);
    rill_tracker_part part;
    assert_ok(ctx, rill_tracker_part_at(t, 0, &part));
    assert_true(fabs(part.volume - stats.volume) < 1e-12);
    assert_int_equal(part.genus, 0);
    assert_int_equal(part.triangle_count, view.triangle_count);
    assert_int_equal(rill_tracker_part_at(t, 1, &part), RILL_USAGE);

    assert_int_equal(rill_tracker_advance(t, 0.1, refuses, NULL, NULL), RILL_BLEW_UP);
    assert_non_null(strstr(rill_ctx_message(ctx), "velocity callback failed at t = 1 s"));
    assert_int_equal(rill_tracker_advance(t, -1, up, &speed, NULL), RILL_USAGE);
    assert_int_equal(rill_tracker_advance(t, 0.1, NULL, NULL, NULL), RILL_USAGE);
    assert_int_equal(rill_tracker_advance(NULL, 0.1, up, &speed, NULL), RILL_USAGE);
    rill_ctx_cancel(ctx);
    assert_int_equal(rill_tracker_advance(t, 0.1, up, &speed, NULL), RILL_CANCELLED);
    assert_ok(ctx, rill_tracker_advance(t, 0.1, up, &speed, NULL)); /* the request is dealt with */
    rill_tracker_destroy(t);
    rill_tracker_destroy(NULL);
    mem_free(ctx, velocity);
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

static void refuses_bad_input(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh m = make_bowl(ctx, 1, 12, 4);
    rill_mesh mesh = public_of(&m);
    rill_tracker_def def = rill_tracker_def_default();
    rill_tracker *t = NULL;
    assert_int_equal(rill_tracker_create(ctx, &def, &mesh, &t), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "open at"));
    assert_null(t);
    mesh.triangle = NULL;
    assert_int_equal(rill_tracker_create(ctx, &def, &mesh, &t), RILL_USAGE);
    const uint32_t wild[1][3] = {{0, 1, 4000000}};
    mesh.triangle = wild;
    mesh.triangle_count = 1;
    assert_int_not_equal(rill_tracker_create(ctx, &def, &mesh, &t), RILL_OK);
    def.edge = NAN;
    mesh = public_of(&m);
    assert_int_equal(rill_tracker_create(ctx, &def, &mesh, &t), RILL_USAGE);
    assert_int_equal(rill_tracker_create(ctx, NULL, &mesh, &t), RILL_USAGE);
    assert_int_equal(rill_tracker_create(NULL, &def, &mesh, &t), RILL_USAGE);
    assert_null(t);

    def = rill_tracker_def_default();
    def.repair = 1;
    def.edge = 0.2;
    assert_ok(ctx, rill_tracker_create(ctx, &def, &mesh, &t)); /* the bowl gets a lid */
    rill_tracker_part part;
    assert_ok(ctx, rill_tracker_part_at(t, 0, &part));
    assert_true(part.volume > 1.5 && part.volume < 2.2); /* half a ball: 2.09 */
    rill_tracker_destroy(t);
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    rill_ctx *plain = test_ctx(1);
    trimesh m = make_icosphere(plain, 0.25, 1);
    m.triangle_count--; /* open: the repair allocates too */
    const rill_mesh mesh = public_of(&m);
    rill_tracker_def def = rill_tracker_def_default();
    def.repair = 1;
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        f.fail_at = f.calls + n;
        rill_tracker *t = NULL;
        double speed = 0.1;
        rill_status st = rill_tracker_create(ctx, &def, &mesh, &t);
        if (st) assert_null(t);
        if (!st) st = rill_tracker_advance(t, 0.1, up, &speed, NULL);
        if (st) assert_int_equal(st, RILL_NO_MEMORY);
        rill_tracker_destroy(t);
        rill_ctx_destroy(ctx);
        assert_int_equal(f.live, 0);
        if (!st) break;
    }
    trimesh_clear(plain, &m);
    rill_ctx_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rises),
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
