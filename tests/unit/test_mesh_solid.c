/* Which meshes can be solids, what is said about the others, and merging against its twin. */
#include "mesh_makers.h"

#include "base/random.h"
#include "geom/mesh/mesh_solid.h"
#include "geom/mesh/trimesh_merge.h"

#include <math.h>
#include <string.h>

static int warnings;

static void count_warnings(void *user, rill_log_level level, const char *message)
{
    (void)user;
    (void)message;
    warnings += level == RILL_LOG_WARNING;
}

static void refused(rill_ctx *ctx, trimesh *m, bool holes, double shell, const char *message)
{
    assert_int_equal(mesh_check_solid(ctx, "statue.obj", m, holes, shell), RILL_BAD_FILE);
    if (!strstr(rill_ctx_message(ctx), message))
        fail_msg("\"%s\" does not say \"%s\"", rill_ctx_message(ctx), message);
}

static void soundness(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh shape[3] = {make_cube(ctx, 1), make_icosphere(ctx, 1, 2), make_torus(ctx, 2, 0.5, 20, 12)};
    for (int k = 0; k < 3; k++) {
        assert_ok(ctx, mesh_check_solid(ctx, "a", &shape[k], false, 0));
        assert_ok(ctx, mesh_check_solid(ctx, "a", &shape[k], true, 0));
        assert_ok(ctx, mesh_check_solid(ctx, "a", &shape[k], false, 0.1));
    }

    /* A cube without one triangle of its side x = -1. */
    shape[0].triangle_count--;
    memmove(shape[0].triangle, shape[0].triangle + 1, 11 * sizeof *shape[0].triangle);
    refused(ctx, &shape[0], false, 0,
            "statue.obj is open at 3 edges, the first near (-1, -1, 0); make it a wall with \"shell\": "
            "THICKNESS, close it, or accept small holes with \"holes\": true");
    assert_ok(ctx, mesh_check_solid(ctx, "a", &shape[0], true, 0));
    assert_ok(ctx, mesh_check_solid(ctx, "a", &shape[0], false, 0.1));

    /* One triangle of the sphere turned over. */
    const uint32_t kept = shape[1].triangle[5][0];
    shape[1].triangle[5][0] = shape[1].triangle[5][1];
    shape[1].triangle[5][1] = kept;
    refused(ctx, &shape[1], false, 0, "has 3 edges whose two triangles face opposite ways, the first near (");
    refused(ctx, &shape[1], true, 0, "\"shell\"");
    assert_ok(ctx, mesh_check_solid(ctx, "a", &shape[1], false, 0.1));

    /* A bowl: open along its rim. */
    trimesh bowl = make_bowl(ctx, 1, 16, 4), none = {0};
    refused(ctx, &bowl, false, 0, "is open at 16 edges");
    assert_ok(ctx, mesh_check_solid(ctx, "a", &bowl, true, 0));
    assert_ok(ctx, mesh_check_solid(ctx, "a", &bowl, false, 0.01));
    refused(ctx, &none, true, 1, "statue.obj has no triangles");

    /* Two cubes that share an edge: part of it is run through four times. */
    trimesh a = make_cube(ctx, 1), b = make_cube(ctx, 1), both = {0};
    assert_ok(ctx, MEM_NEW(ctx, both.position, 16));
    assert_ok(ctx, MEM_NEW(ctx, both.triangle, 24));
    both.vertex_count = 16;
    both.triangle_count = 24;
    for (size_t i = 0; i < 8; i++) {
        both.position[i] = a.position[i];
        both.position[8 + i] = v3_add(b.position[i], v3(2, 2, 0));
    }
    for (size_t i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++) {
            both.triangle[i][k] = a.triangle[i][k];
            both.triangle[12 + i][k] = b.triangle[i][k] + 8;
        }
    assert_ok(ctx, mesh_check_solid(ctx, "a", &both, false, 0)); /* as two parts */
    assert_ok(ctx, trimesh_merge(ctx, &both));
    assert_int_equal(both.vertex_count, 14);
    refused(ctx, &both, false, 0, "has an edge with more than two triangles, near (1, 1, 0)");
    assert_ok(ctx, mesh_check_solid(ctx, "a", &both, true, 0));

    /* Flat: two triangles back to back. */
    const uint32_t back[2][3] = {{0, 1, 2}, {0, 2, 1}};
    memcpy(a.triangle, back, sizeof back);
    a.triangle_count = 2;
    refused(ctx, &a, false, 0, "encloses nothing");
    assert_ok(ctx, mesh_check_solid(ctx, "a", &a, false, 0.1));
    for (int k = 0; k < 3; k++) trimesh_clear(ctx, &shape[k]);
    trimesh_clear(ctx, &bowl);
    trimesh_clear(ctx, &a);
    trimesh_clear(ctx, &b);
    trimesh_clear(ctx, &both);
    rill_ctx_destroy(ctx);
}

static void inside_out(void **state)
{
    (void)state;
    rill_ctx_def def = rill_ctx_def_default();
    def.threads = 1;
    def.log = count_warnings;
    rill_ctx *ctx;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    /* Far from the origin, and open: the sign of the volume must not come from the place. */
    trimesh shape[2] = {make_icosphere(ctx, 1, 1), make_bowl(ctx, 1, 12, 4)};
    for (int k = 0; k < 2; k++)
        for (int place = 0; place < 3; place++) {
            for (size_t i = 0; i < shape[k].vertex_count; i++)
                shape[k].position[i] = v3_add(shape[k].position[i], v3(-3, 8.0 * place, -8));
            warnings = 0;
            assert_ok(ctx, mesh_check_solid(ctx, "a", &shape[k], true, 0));
            assert_int_equal(warnings, 0);
            trimesh_flip(&shape[k]);
            assert_ok(ctx, mesh_check_solid(ctx, "a", &shape[k], true, 0));
            assert_int_equal(warnings, 1);
            trimesh_report r;
            assert_ok(ctx, trimesh_check(ctx, &shape[k], &r));
            assert_true(r.volume > 0);
        }
    trimesh_clear(ctx, &shape[0]);
    trimesh_clear(ctx, &shape[1]);
    rill_ctx_destroy(ctx);
}

/* Points on a coarse lattice, with signed zeros, against the search over all pairs. */
static void merge_twin(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    static const double place[5] = {-1, -0.0, 0, 0.1, 1e300};
    for (uint32_t n = 1; n < 200; n += 33) {
        trimesh m = {.vertex_count = n, .triangle_count = n, .column_count = 1};
        assert_ok(ctx, MEM_NEW(ctx, m.position, n));
        assert_ok(ctx, MEM_NEW(ctx, m.triangle, n));
        assert_ok(ctx, MEM_NEW(ctx, m.column[0].value, n));
        m.column[0].width = 1;
        rill_vec3 old[200];
        uint32_t first[200], old_triangle[200][3], kept = 0;
        for (uint32_t i = 0; i < n; i++) {
            const random4 r = random_at(5, i, n, 0);
            old[i] = m.position[i] = v3(place[r.v[0] % 5], place[r.v[1] % 5], place[r.v[2] % 5]);
            m.column[0].value[i] = (float)i;
            for (int k = 0; k < 3; k++) old_triangle[i][k] = m.triangle[i][k] = r.v[k] % n;
            first[i] = i;
            for (uint32_t j = 0; j < i && first[i] == i; j++)
                if (old[j].x == old[i].x && old[j].y == old[i].y && old[j].z == old[i].z) first[i] = j;
            kept += first[i] == i;
        }
        rill_status st = RILL_NO_MEMORY;
        const uint64_t live = f.live;
        for (uint64_t k = 1; st; k++) {
            f.fail_at = f.calls + k;
            st = trimesh_merge(ctx, &m);
            assert_int_equal(f.live, live);
            assert_true(st == RILL_OK || (st == RILL_NO_MEMORY && m.vertex_count == n));
        }
        f.fail_at = 0;
        assert_int_equal(m.vertex_count, kept);
        for (uint32_t i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                assert_true(m.column[0].value[m.triangle[i][k]] == (float)first[old_triangle[i][k]]);
        for (uint32_t i = 1; i < kept; i++) assert_true(m.column[0].value[i - 1] < m.column[0].value[i]);
        trimesh_clear(ctx, &m);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soundness),
        cmocka_unit_test(inside_out),
        cmocka_unit_test(merge_twin),
    };
    return cmocka_run_group_tests_name("mesh_solid", tests, NULL, NULL);
}
