/* Sheets of liquid that are thinner than `film` get holes, and only these; the mesh stays sound. */
#include "tracker_support.h"

#include "tracker/tmesh.h"

#include <string.h>

/* A hollow ball of liquid, its wall as thick as given, with a cavity of its own mesh. */
static trimesh make_shell(rill_ctx *ctx, double thickness)
{
    trimesh out = make_icosphere(ctx, 1, 3), in = make_icosphere(ctx, 1 - thickness, 3), m = {0};
    const size_t n = out.vertex_count, k = out.triangle_count;
    m.vertex_count = 2 * n;
    m.triangle_count = 2 * k;
    assert_ok(ctx, MEM_NEW(ctx, m.position, 2 * n));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, 2 * k));
    memcpy(m.position, out.position, n * sizeof *m.position);
    memcpy(m.position + n, in.position, n * sizeof *m.position);
    memcpy(m.triangle, out.triangle, k * sizeof *m.triangle);
    for (size_t t = 0; t < k; t++)
        for (size_t i = 0; i < 3; i++)
            m.triangle[k + t][i] = in.triangle[t][2 - i] + (uint32_t)n; /* its normals point into the air */
    trimesh_clear(ctx, &out);
    trimesh_clear(ctx, &in);
    return m;
}

static rill_status still(void *user, const trimesh *mesh, double dt, rill_vec3 *x)
{
    (void)user, (void)mesh, (void)dt, (void)x;
    return RILL_OK;
}

static size_t parts_of(const tracker *t, double *volume)
{
    const tracker_part *part;
    size_t count;
    tracker_parts(t, &part, &count);
    *volume = 0;
    for (size_t p = 0; p < count; p++) *volume += part[p].volume;
    return count;
}

static void thin_sheets_get_holes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    static const struct {
        double film;
        size_t parts;
    } given[] = {{0, 2}, {0.2, 2}, {0.5, 1}}; /* edges; the wall is a third of one */
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        tracker_def def = tracker_def_default();
        def.film = given[k].film;
        trimesh m = make_shell(ctx, 0.05);
        tracker *t = make(ctx, &def, &m);
        double before, after;
        assert_int_equal(parts_of(t, &before), 2);
        uint32_t holes = 0;
        for (int i = 0; i < 3; i++) {
            tracker_stats s;
            assert_ok(ctx, tracker_advance_to(t, 0.01, still, NULL, &s));
            holes += s.punctures;
            assert_sound(ctx, t);
        }
        assert_int_equal(parts_of(t, &after), given[k].parts);
        assert_true((holes > 0) == (given[k].parts == 1));
        assert_true(after > 0.8 * before && after < 1.01 * before); /* holes, not the whole sheet */
        tracker_destroy(t);
    }
    rill_ctx_destroy(ctx);
}

/* Inside out and back again: what the edits keep true holds both ways. */
static void turning_twice_is_nothing(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh from = make_icosphere(ctx, 1, 2);
    tmesh m = {0};
    assert_ok(ctx, tmesh_build(ctx, &from, &m));
    const double volume = tmesh_volume(&m);
    tmesh_turn(&m);
    assert_ok(ctx, tmesh_check(&m));
    assert_true(fabs(tmesh_volume(&m) + volume) < 1e-12);
    tmesh_turn(&m);
    assert_ok(ctx, tmesh_check(&m));
    const trimesh view = tmesh_view(&m);
    assert_memory_equal(view.triangle, from.triangle, from.triangle_count * sizeof *from.triangle);
    tmesh_clear(&m);
    trimesh_clear(ctx, &from);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(thin_sheets_get_holes),
                                       cmocka_unit_test(turning_twice_is_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
