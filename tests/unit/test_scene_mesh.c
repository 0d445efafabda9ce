/* Mesh files of scenes: where they are found, that they are read once, and what is said
 * when they have changed. */
#include "support.h"

#include "io/file.h"
#include "io/scene_file.h"
#include "run/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char root[64];

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/tmp/rill_mesh_XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static const char *in_root(const char *name)
{
    static char path[8][128];
    static int k;
    k = (k + 1) % 8;
    snprintf(path[k], sizeof path[k], "%s/%s", root, name);
    return path[k];
}

static void write_file(rill_ctx *ctx, const char *path, const char *content)
{
    char folder[128];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = 0;
    assert_ok(ctx, folder_create(ctx, folder));
    assert_ok(ctx, file_write_all(ctx, path, content, strlen(content)));
}

/* A corner of a cube with sides of 1, its diagonal face cut off. */
static const char corner[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

static const char scene_text[] =
    "{ \"rill\": 1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }, \"spacing\": 0.05,\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [0.4, 0.6, 1] } } } ],\n"
    "  \"drains\": [ { \"shape\": { \"union\": [ { \"sphere\": { \"center\": [1, 2, 0], \"radius\": 0.1 } "
    "},\n"
    "                                     { \"mesh\": { \"file\": \"parts/corner.obj\", \"scale\": 3 } } ] } "
    "} ],\n"
    "  \"solids\": [ { \"name\": \"a\", \"shape\": { \"mesh\": { \"file\": \"parts/corner.obj\" } },\n"
    "                 \"transform\": { \"translate\": [1, 0, 0], \"scale\": 0.5 } },\n"
    "               { \"name\": \"b\", \"shape\": { \"mesh\": { \"file\": \"./parts/../parts/corner.obj\" } "
    "},\n"
    "                 \"transform\": { \"translate\": [1.5, 0, 0], \"scale\": 0.4 } },\n"
    "               { \"name\": \"c\", \"shape\": { \"mesh\": { \"file\": \"parts/corner.obj\", \"z_up\": "
    "true } } } ] }\n";

static const char small_text[] =
    "{ \"rill\": 1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }, \"spacing\": 0.2,\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [0.4, 0.6, 1] } } } ],\n"
    "  \"solids\": [ { \"shape\": { \"mesh\": { \"file\": \"parts/corner.obj\" } } } ] }\n";

static rill_status read_scene(rill_ctx *ctx, const char *path, rill_scene *out)
{
    return scene_read(ctx, path, rill_methods, rill_method_count, NULL, out);
}

static text printed(rill_ctx *ctx, const rill_scene *s)
{
    text t;
    text_init(&t, ctx);
    scene_print(s, &t);
    assert_ok(ctx, text_check(&t));
    return t;
}

static void found_beside_the_scene(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    write_file(ctx, in_root("one/scene.json"), scene_text);
    write_file(ctx, in_root("one/parts/corner.obj"), corner);
    write_file(ctx, in_root("two/scene.json"), scene_text);
    write_file(ctx, in_root("two/parts/corner.obj"), corner);
    rill_scene a, b, c;
    assert_ok(ctx, read_scene(ctx, in_root("one/scene.json"), &a));
    assert_ok(ctx, read_scene(ctx, in_root("two/scene.json"), &b));
    assert_int_equal(a.hash, b.hash); /* the same wherever it is */

    /* Once for each set of keys: a and b share. */
    assert_int_equal(a.mesh_count, 3);
    assert_ptr_equal(a.solids[0].shape.mesh.owned, a.solids[1].shape.mesh.owned);
    assert_ptr_not_equal(a.solids[0].shape.mesh.owned, a.solids[2].shape.mesh.owned);
    rill_vec3 n;
    const double d = shape_distance(&a.solids[0].shape, v3(1, 1, 1), &n);
    assert_true(fabs(d - 2 / sqrt(3)) < 0.3 && fabs(n.x - 1 / sqrt(3)) < 0.05);
    assert_true(shape_distance(&a.solids[0].shape, v3(0.1, 0.1, 0.1), NULL) < 0);
    assert_true(shape_distance(&a.solids[2].shape, v3(0.1, 0.1, -0.1), NULL) < 0); /* z up: y goes to -z */
    assert_true(shape_distance(&a.drains[0].shape, v3(0.8, 0.8, 0.8), NULL) < 0);

    /* The printed scene finds its files from anywhere. */
    text t = printed(ctx, &a);
    assert_non_null(strstr(t.data, in_root("one/parts/corner.obj")));
    write_file(ctx, in_root("far/away/printed.json"), t.data);
    assert_ok(ctx, read_scene(ctx, in_root("far/away/printed.json"), &c));
    assert_int_equal(a.hash, c.hash);
    text again = printed(ctx, &c);
    assert_string_equal(t.data, again.data);
    scene_clear(ctx, &c);

    /* A changed file changes the scene, and is told to who has seen the old one. */
    char other[sizeof corner];
    strcpy(other, corner);
    *strchr(other, '1') = '2';
    write_file(ctx, in_root("one/parts/corner.obj"), other);
    assert_ok(ctx, read_scene(ctx, in_root("one/scene.json"), &c));
    assert_true(a.hash != c.hash);
    scene_clear(ctx, &c);
    assert_int_equal(read_scene(ctx, in_root("far/away/printed.json"), &c), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "has changed"));

    text_clear(&t);
    text_clear(&again);
    scene_clear(ctx, &a);
    scene_clear(ctx, &b);
    rill_ctx_destroy(ctx);
}

static void relative_to_where_one_is(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    char here[256];
    assert_non_null(getcwd(here, sizeof here));
    write_file(ctx, in_root("cwd/scene.json"), scene_text);
    write_file(ctx, in_root("cwd/parts/corner.obj"), corner);
    assert_int_equal(chdir(in_root("cwd")), 0);
    rill_scene s;
    const rill_status st = read_scene(ctx, "scene.json", &s);
    assert_int_equal(chdir(here), 0);
    assert_ok(ctx, st);
    scene_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    write_file(ctx, in_root("fail/scene.json"), small_text);
    write_file(ctx, in_root("fail/parts/corner.obj"), corner);
    const uint64_t before = f.live;
    const char *path = in_root("fail/scene.json");
    rill_status st = RILL_NO_MEMORY;
    uint64_t n = 1;
    for (; st != RILL_OK && n < 5000; n++) {
        rill_scene s = {.version = 77};
        f.calls = 0;
        f.fail_at = n;
        st = read_scene(ctx, path, &s);
        if (st == RILL_OK) {
            scene_clear(ctx, &s);
            if (f.calls >= n) st = RILL_NO_MEMORY; /* one that could be done without */
        } else {
            assert_int_equal(st, RILL_NO_MEMORY);
            assert_int_equal(s.version, 77);
        }
        assert_int_equal(f.live, before);
    }
    assert_int_equal(st, RILL_OK);
    assert_true(n > 40);
    f.fail_at = 0;
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_beside_the_scene),
        cmocka_unit_test(relative_to_where_one_is),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("scene meshes", tests, make_root, remove_root);
}
