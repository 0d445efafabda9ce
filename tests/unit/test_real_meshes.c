/* The bunny and the teapot, where scripts/fetch_meshes.sh has put them (skipped elsewhere). */
#include "meshes.h"

#include "geom/distance/mesh_distance.h"
#include "geom/mesh/mesh_solid.h"
#include "io/file.h"
#include "io/mesh_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static trimesh fetched(rill_ctx *ctx, const char *name)
{
    trimesh m = {0};
    char *path = path_join(ctx, RILL_MESHES, name);
    if (!file_exists(path)) {
        print_message("%s is not there: scripts/fetch_meshes.sh fetches it\n", path);
        mem_free(ctx, path);
        rill_ctx_destroy(ctx);
        skip();
    }
    assert_ok(ctx, mesh_read(ctx, path, NULL, &m));
    mem_free(ctx, path);
    return m;
}

static void refused(rill_ctx *ctx, const char *name, trimesh *m, const char *message)
{
    assert_int_equal(mesh_check_solid(ctx, name, m, false, 0), RILL_BAD_FILE);
    if (!strstr(rill_ctx_message(ctx), message))
        fail_msg("\"%s\" does not say \"%s\"", rill_ctx_message(ctx), message);
}

/* As packaged, its bottom is closed by a fan about its last vertex; without it, it is open as scanned. */
static void bunny(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh m = fetched(ctx, "bunny.obj");
    trimesh_report closed, open;
    assert_ok(ctx, mesh_check_solid(ctx, "bunny.obj", &m, false, 0));
    assert_ok(ctx, trimesh_check(ctx, &m, &closed));
    assert_true(closed.volume > 150 && closed.volume < 250);

    size_t kept = 0;
    for (size_t i = 0; i < m.triangle_count; i++) {
        const uint32_t *t = m.triangle[i], last = (uint32_t)m.vertex_count - 1;
        if (t[0] != last && t[1] != last && t[2] != last) memmove(m.triangle[kept++], t, sizeof *m.triangle);
    }
    const size_t hole = m.triangle_count - kept;
    assert_true(hole > 2 && hole < 500);
    m.triangle_count = kept;
    char message[64];
    snprintf(message, sizeof message, "bunny.obj is open at %zu edges, the first near (", hole);
    refused(ctx, "bunny.obj", &m, message);
    assert_ok(ctx, mesh_check_solid(ctx, "bunny.obj", &m, true, 0));
    assert_ok(ctx, mesh_check_solid(ctx, "bunny.obj", &m, false, 0.05));
    assert_ok(ctx, trimesh_check(ctx, &m, &open));
    assert_true(fabs(open.volume - closed.volume) < 0.05 * closed.volume);
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

static void teapot(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh m = fetched(ctx, "teapot.obj");
    refused(ctx, "teapot.obj", &m, "teapot.obj is open at 64 edges, the first near (");
    refused(ctx, "teapot.obj", &m, "accept small holes with \"holes\": true");
    assert_ok(ctx, mesh_check_solid(ctx, "teapot.obj", &m, true, 0));
    assert_ok(ctx, mesh_check_solid(ctx, "teapot.obj", &m, false, 0.1));
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

/* The cached distance keeps its promise at every one of many points, most of them near the
 * surface: of a closed mesh, and of open patches that overlap as a shell. */
static void cache_keeps_its_error(void **state)
{
    (void)state;
    const struct {
        const char *file;
        mesh_distance_def def;
    } cases[] = {{"bunny.obj", {.resolution = 128}}, {"teapot.obj", {.shell = 0.1, .resolution = 128}}};
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(2);
        trimesh m = fetched(ctx, cases[k].file);
        mesh_distance *d = NULL;
        assert_ok(ctx, mesh_distance_create(ctx, &m, &cases[k].def, &d));
        const rill_box b = mesh_distance_bounds(d);
        const rill_vec3 s = box_size(b);
        const double h = fmax(s.x, fmax(s.y, s.z)) / 128;
        double worst = 0;
        for (uint64_t i = 0; i < 150000; i++) {
            const double far = i % 4 == 0 ? 16 * h : i % 4 == 1 ? 4 * h : h;
            const rill_vec3 at = m.position[i * 2654435761u % m.vertex_count];
            const rill_vec3 x =
                v3_add(at, random_point((rill_box){{-far, -far, -far}, {far, far, far}}, 11, i));
            const double cached = mesh_distance_at(d, x, NULL), exact = mesh_distance_exact(d, x, NULL);
            worst = fmax(worst, fabs(cached - exact) / mesh_distance_error(d, cached));
        }
        print_message("%s: the worst of 150000 points has %.3f of the promised error\n", cases[k].file,
                      worst);
        assert_true(worst <= 1);
        mesh_distance_destroy(ctx, d);
        trimesh_clear(ctx, &m);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bunny), cmocka_unit_test(teapot),
                                       cmocka_unit_test(cache_keeps_its_error)};
    return cmocka_run_group_tests_name("real_meshes", tests, NULL, NULL);
}
