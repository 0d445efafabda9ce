/* The mesh check on meshes whose faults are known. */
#include "support.h"

#include "geom/mesh/trimesh.h"

#include <math.h>
#include <string.h>

enum { MOST = 16 };

/* A mesh in the test's own storage: nothing to free. */
typedef struct {
    rill_vec3 position[MOST];
    uint32_t triangle[MOST][3];
    trimesh mesh;
} small_mesh;

static void add_tetrahedron(small_mesh *s, const uint32_t v[4])
{
    static const uint32_t face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const rill_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 4; k++) {
        s->position[v[k]] = corner[k];
        if (v[k] >= s->mesh.vertex_count) s->mesh.vertex_count = v[k] + 1;
        for (int c = 0; c < 3; c++) s->triangle[s->mesh.triangle_count][c] = v[face[k][c]];
        s->mesh.triangle_count++;
    }
    s->mesh.position = s->position;
    s->mesh.triangle = s->triangle;
}

static trimesh_report report_of(const small_mesh *s)
{
    rill_ctx *ctx = test_ctx(1);
    trimesh_report r;
    assert_ok(ctx, trimesh_check(ctx, &s->mesh, &r));
    rill_ctx_destroy(ctx);
    return r;
}

static void assert_report(const small_mesh *s, size_t open, size_t nonmanifold, size_t misoriented,
                          size_t vertices, size_t degenerate)
{
    const trimesh_report r = report_of(s);
    assert_int_equal(r.open_edges, open);
    assert_int_equal(r.nonmanifold_edges, nonmanifold);
    assert_int_equal(r.misoriented_edges, misoriented);
    assert_int_equal(r.nonmanifold_vertices, vertices);
    assert_int_equal(r.degenerate_triangles, degenerate);
}

static void sound_mesh(void **state)
{
    (void)state;
    small_mesh s = {0};
    add_tetrahedron(&s, (const uint32_t[]){0, 1, 2, 3});
    assert_report(&s, 0, 0, 0, 0, 0);
    const trimesh_report r = report_of(&s);
    assert_true(fabs(r.volume - 1.0 / 6) < 1e-15);
    assert_true(fabs(r.area - (1.5 + sqrt(3) / 2)) < 1e-15);
    const rill_box b = trimesh_bounds(&s.mesh);
    assert_true(b.min.x == 0 && b.min.y == 0 && b.min.z == 0 && b.max.x == 1 && b.max.y == 1 && b.max.z == 1);
}

static void faults(void **state)
{
    (void)state;
    small_mesh empty = {0};
    assert_report(&empty, 0, 0, 0, 0, 0);

    small_mesh open = {0};
    add_tetrahedron(&open, (const uint32_t[]){0, 1, 2, 3});
    open.mesh.triangle_count = 3;
    assert_report(&open, 3, 0, 0, 0, 0);

    small_mesh turned = {0};
    add_tetrahedron(&turned, (const uint32_t[]){0, 1, 2, 3});
    const uint32_t t = turned.triangle[2][0];
    turned.triangle[2][0] = turned.triangle[2][1];
    turned.triangle[2][1] = t;
    assert_report(&turned, 0, 0, 3, 0, 0);

    small_mesh at_vertex = {0};
    add_tetrahedron(&at_vertex, (const uint32_t[]){0, 1, 2, 3});
    add_tetrahedron(&at_vertex, (const uint32_t[]){0, 4, 5, 6});
    assert_report(&at_vertex, 0, 0, 0, 1, 0);

    small_mesh at_edge = {0};
    add_tetrahedron(&at_edge, (const uint32_t[]){0, 1, 2, 3});
    add_tetrahedron(&at_edge, (const uint32_t[]){0, 1, 4, 5});
    assert_report(&at_edge, 0, 1, 0, 0, 0);

    small_mesh flat = {0};
    add_tetrahedron(&flat, (const uint32_t[]){0, 1, 2, 3});
    memcpy(flat.triangle[4], (const uint32_t[]){1, 1, 2}, sizeof flat.triangle[4]);
    flat.mesh.triangle_count = 5;
    assert_report(&flat, 0, 0, 0, 0, 1);
}

static void bad_index(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    small_mesh s = {0};
    add_tetrahedron(&s, (const uint32_t[]){0, 1, 2, 3});
    s.triangle[1][2] = 4;
    trimesh_report r = {.area = 7};
    assert_int_equal(trimesh_check(ctx, &s.mesh, &r), RILL_USAGE);
    assert_true(r.area == 7);
    rill_ctx_destroy(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    small_mesh s = {0};
    add_tetrahedron(&s, (const uint32_t[]){0, 1, 2, 3});
    const uint64_t before = f.live;
    trimesh_report r = {.area = 7};
    rill_status st = RILL_NO_MEMORY;
    for (uint64_t n = 1; st; n++) {
        f.fail_at = f.calls + n;
        st = trimesh_check(ctx, &s.mesh, &r);
        assert_true(st == RILL_OK || st == RILL_NO_MEMORY);
        assert_true(f.live == before);
        if (st) assert_true(r.area == 7);
    }
    f.fail_at = 0;
    rill_ctx_destroy(ctx);
}

static void take_and_clear(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const uint64_t before = f.live;
    trimesh m = {.vertex_count = 2, .column_count = 1};
    assert_ok(ctx, MEM_NEW(ctx, m.position, 2));
    assert_ok(ctx, MEM_NEW(ctx, m.normal, 2));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, 1));
    assert_ok(ctx, MEM_NEW(ctx, m.column[0].value, 6));
    trimesh taken = trimesh_take(&m);
    assert_true(m.position == NULL && m.vertex_count == 0 && m.column_count == 0);
    trimesh_clear(ctx, &m);
    trimesh_clear(ctx, &taken);
    trimesh_clear(ctx, &taken);
    assert_true(f.live == before);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_mesh),     cmocka_unit_test(faults),         cmocka_unit_test(bad_index),
        cmocka_unit_test(failing_memory), cmocka_unit_test(take_and_clear),
    };
    return cmocka_run_group_tests_name("trimesh", tests, NULL, NULL);
}
