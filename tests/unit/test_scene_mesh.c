/* Mesh files of scenes: where they are found, that they are read once, and what is said
 * when they have changed. */
#include "folders.h"
#include "scene_text.h"

#include "flow/solids.h"
#include "io/file.h"
#include "run/registry.h"
#include "sph/core/def.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    "true } } } ],\n"
    "  \"sph\": { \"levels\": 2, \"region\": { \"union\": [ { \"sphere\": { \"center\": [1, 2, 0], "
    "\"radius\": 0.1 } },\n"
    "                                  { \"mesh\": { \"file\": \"parts/corner.obj\", \"scale\": 3 } } ] } } "
    "}\n";

static const char small_text[] =
    "{ \"rill\": 1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }, \"spacing\": 0.2,\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [0.4, 0.6, 1] } } } ],\n"
    "  \"solids\": [ { \"shape\": { \"mesh\": { \"file\": \"parts/corner.obj\" } } } ] }\n";

static rill_status read_scene(rill_ctx *ctx, const char *path, rill_scene *out)
{
    return scene_read(ctx, path, rill_methods, rill_method_count, NULL, out);
}

static void found_beside_the_scene(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    write_file(ctx, in_own_folder("one/scene.json"), scene_text);
    write_file(ctx, in_own_folder("one/parts/corner.obj"), corner);
    write_file(ctx, in_own_folder("two/scene.json"), scene_text);
    write_file(ctx, in_own_folder("two/parts/corner.obj"), corner);
    rill_scene a, b, c;
    assert_ok(ctx, read_scene(ctx, in_own_folder("one/scene.json"), &a));
    assert_ok(ctx, read_scene(ctx, in_own_folder("two/scene.json"), &b));
    assert_int_equal(a.hash, b.hash); /* the same wherever it is */

    /* Once for each set of keys: a and b share, and the drain with the method's region. */
    assert_int_equal(a.mesh_count, 3);
    assert_ptr_equal(a.solids[0].shape.mesh.owned, a.solids[1].shape.mesh.owned);
    assert_ptr_not_equal(a.solids[0].shape.mesh.owned, a.solids[2].shape.mesh.owned);
    const shape *region = &((sph_def *)scene_method_def_of(&a, "sph"))->region;
    assert_int_equal(region->kind, SHAPE_UNION);
    assert_ptr_equal(region->parts.part[1].mesh.owned, a.drains[0].shape.parts.part[1].mesh.owned);
    rill_vec3 n;
    const double d = shape_distance(&a.solids[0].shape, v3(1, 1, 1), &n);
    assert_true(fabs(d - 2 / sqrt(3)) < 0.3 && fabs(n.x - 1 / sqrt(3)) < 0.05);
    assert_true(shape_distance(&a.solids[0].shape, v3(0.1, 0.1, 0.1), NULL) < 0);
    assert_true(shape_distance(&a.solids[2].shape, v3(0.1, 0.1, -0.1), NULL) < 0); /* z up: y goes to -z */
    assert_true(shape_distance(&a.drains[0].shape, v3(0.8, 0.8, 0.8), NULL) < 0);

    /* The printed scene finds its files from anywhere. */
    text t = scene_printed(ctx, &a);
    assert_non_null(strstr(t.data, in_own_folder("one/parts/corner.obj")));
    write_file(ctx, in_own_folder("far/away/printed.json"), t.data);
    assert_ok(ctx, read_scene(ctx, in_own_folder("far/away/printed.json"), &c));
    assert_int_equal(a.hash, c.hash);
    text again = scene_printed(ctx, &c);
    assert_string_equal(t.data, again.data);
    scene_clear(ctx, &c);

    /* A changed file changes the scene, and is told to who has seen the old one. */
    char other[sizeof corner];
    strcpy(other, corner);
    *strchr(other, '1') = '2';
    write_file(ctx, in_own_folder("one/parts/corner.obj"), other);
    assert_ok(ctx, read_scene(ctx, in_own_folder("one/scene.json"), &c));
    assert_true(a.hash != c.hash);
    scene_clear(ctx, &c);
    assert_int_equal(read_scene(ctx, in_own_folder("far/away/printed.json"), &c), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "has changed"));

    text_clear(&t);
    text_clear(&again);
    scene_clear(ctx, &a);
    scene_clear(ctx, &b);
    rill_ctx_destroy(ctx);
}

/* Of a solid that stands still, the distance is kept finely where it is in the domain; not when it moves, or
 * when others have its file, too. */
static void kept_in_the_domain(void **state)
{
    (void)state;
    static const char one[] = "{ \"shape\": { \"mesh\": { \"file\": \"parts/corner.obj\" } },"
                              "  \"transform\": { \"translate\": [1, -0.5, 0], \"rotate\": [0, 0, 90],"
                              "                   \"scale\": 2 }%s }";
    rill_ctx *ctx = test_ctx(2);
    write_file(ctx, in_own_folder("part/parts/corner.obj"), corner);
    for (int k = 0; k < 3; k++) {
        char solid[512], content[2048];
        snprintf(solid, sizeof solid, one,
                 k == 1 ? ", \"motion\": { \"keyframes\": [ { \"t\": 0 }, { \"t\": 1, "
                          "\"translate\": [0, 1, 0] } ] }"
                        : "");
        snprintf(
            content, sizeof content,
            "{ \"rill\": 1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }, \"spacing\": 0.05,\n"
            "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [0.4, 0.6, 1] } } } ],\n"
            "  \"solids\": [ %s%s%s ] }\n",
            solid, k == 2 ? ", " : "", k == 2 ? solid : "");
        write_file(ctx, in_own_folder("part/scene.json"), content);
        rill_scene s;
        assert_ok(ctx, read_scene(ctx, in_own_folder("part/scene.json"), &s));
        assert_int_equal(s.mesh_count, 1);
        const rill_box w = s.meshes[0].wanted;
        if (k > 0) {
            assert_true(isinf(w.min.x) && isinf(w.max.y));
        } else { /* x of the shape is y of the world, y is -x; with four spacings around it */
            assert_true(v3_distance(w.min, v3((0.5 - 0.2) / 2, (-1 - 0.2) / 2, -0.2 / 2)) < 1e-12);
            assert_true(v3_distance(w.max, v3((1.5 + 0.2) / 2, (1 + 0.2) / 2, 1.2 / 2)) < 1e-12);
        }
        scene_clear(ctx, &s);
    }
    rill_ctx_destroy(ctx);
}

static void relative_to_where_one_is(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    char here[256];
    assert_non_null(getcwd(here, sizeof here));
    write_file(ctx, in_own_folder("cwd/scene.json"), scene_text);
    write_file(ctx, in_own_folder("cwd/parts/corner.obj"), corner);
    assert_int_equal(chdir(in_own_folder("cwd")), 0);
    rill_scene s;
    const rill_status st = read_scene(ctx, "scene.json", &s);
    assert_int_equal(chdir(here), 0);
    assert_ok(ctx, st);
    scene_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* --- sequences --- */

/* The corner, its top at this height; in a file whose number has three digits. */
static void write_key(rill_ctx *ctx, const char *folder, int number, double height, const char *more)
{
    char path[160], content[300];
    snprintf(path, sizeof path, "%s/bag_%03d.obj", folder, number);
    snprintf(content, sizeof content,
             "v 0 0 0\nv 1 0 0\nv 0 %g 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n%s", height, more);
    write_file(ctx, path, content);
}

static const char sequence_text[] =
    "{ \"rill\": 1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }, \"spacing\": 0.2,\n"
    "  \"time\": { \"fps\": 4 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [0.4, 0.6, 1] } } } ],\n"
    "  \"solids\": [ { \"shape\": { \"sequence\": { \"files\": \"100%/bag_%03d.obj\", \"first\": 8, "
    "\"last\": 10, \"start\": 1 } } },\n"
    "               { \"name\": \"bag\", \"shape\": { \"sequence\": { \"files\": \"100%/bag_%03d.obj\", "
    "\"first\": 8, \"last\": 10, \"start\": 1, \"fps\": 4 } } } ] }\n";

static void expect_refused(rill_ctx *ctx, const char *scene, const char *part)
{
    rill_scene s;
    assert_int_equal(read_scene(ctx, scene, &s), RILL_BAD_FILE);
    if (!strstr(rill_ctx_message(ctx), part)) fail_msg("no \"%s\" in: %s", part, rill_ctx_message(ctx));
    assert_non_null(strstr(rill_ctx_message(ctx), "scene.json:4:"));
}

static void sequences_of_files(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    char folder[128], scene[128];
    snprintf(folder, sizeof folder, "%s", in_own_folder("many/100%"));
    snprintf(scene, sizeof scene, "%s", in_own_folder("many/scene.json"));
    write_file(ctx, scene, sequence_text);
    for (int k = 8; k <= 10; k++) write_key(ctx, folder, k, k == 9 ? 3 : 1, "");
    rill_scene a, b;
    assert_ok(ctx, read_scene(ctx, scene, &a));
    assert_int_equal(a.sequence_count, 1); /* fps of the scene is 4 as well */
    const mesh_sequence *frames = a.solids[0].shape.sequence.frames;
    assert_ptr_equal(frames, a.solids[1].shape.sequence.frames);
    assert_int_equal(mesh_sequence_count(frames), 3);
    assert_float_equal(mesh_sequence_max_speed(frames, 1.1, 1.2), 8, 1e-12); /* 2 m in a quarter second */
    assert_true(mesh_sequence_max_speed(frames, 0, 0.99) == 0);
    assert_true(mesh_sequence_max_speed(frames, 1.51, 9) == 0);

    solids s;
    assert_ok(ctx, solids_create(ctx, &a, &s));
    assert_ok(ctx, solids_prepare(ctx, &s, 1.2, 0.1));
    assert_true(solids_distance(&s, v3(0.01, 2, 0.01), 1.25, NULL) < 0);
    assert_true(solids_distance(&s, v3(0.01, 1.1, 0.01), 1.2, NULL) < 0);
    solids_clear(ctx, &s);

    /* As printed it is the same from anywhere; a percent sign in a folder is no number. */
    text t = scene_printed(ctx, &a);
    write_file(ctx, in_own_folder("far/off/scene.json"), t.data);
    assert_ok(ctx, read_scene(ctx, in_own_folder("far/off/scene.json"), &b));
    assert_int_equal(a.hash, b.hash);
    text again = scene_printed(ctx, &b);
    assert_string_equal(t.data, again.data);
    scene_clear(ctx, &b);
    text_clear(&t);
    text_clear(&again);
    scene_clear(ctx, &a);

    /* What is wrong names the file. */
    write_key(ctx, folder, 9, 2, "");
    assert_int_equal(read_scene(ctx, in_own_folder("far/off/scene.json"), &b), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "has changed"));
    write_key(ctx, folder, 9, 2, "v 5 5 5\nf 1 2 5\n");
    expect_refused(ctx, scene, "bag_009.obj: it has 5 vertices and 5 triangles, the first of the sequence 4");
    write_key(ctx, folder, 9, 2, "f 1 2 77\n");
    expect_refused(ctx, scene, "bag_009.obj:9: ");
    write_key(ctx, folder, 8, 2, "f 1 2 3\n");
    expect_refused(ctx, scene, "bag_008.obj");
    char path[160];
    snprintf(path, sizeof path, "%s/bag_009.obj", folder);
    assert_ok(ctx, file_remove(ctx, path));
    expect_refused(ctx, scene, "1 of the 3 files is missing, the first is ");
    rill_ctx_destroy(ctx);
}

static rill_status make_scene(rill_ctx *ctx, const void *path, rill_scene *out)
{
    return read_scene(ctx, path, out);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    write_file(ctx, in_own_folder("fail/scene.json"), small_text);
    write_file(ctx, in_own_folder("fail/parts/corner.obj"), corner);
    assert_true(scene_survives(ctx, &f, make_scene, in_own_folder("fail/scene.json")) > 40);
    char folder[128];
    snprintf(folder, sizeof folder, "%s", in_own_folder("fail/100%"));
    for (int k = 8; k <= 10; k++) write_key(ctx, folder, k, k, "");
    write_file(ctx, in_own_folder("fail/sequence.json"), sequence_text);
    assert_true(scene_survives(ctx, &f, make_scene, in_own_folder("fail/sequence.json")) > 60);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_beside_the_scene),   cmocka_unit_test(kept_in_the_domain),
        cmocka_unit_test(relative_to_where_one_is), cmocka_unit_test(sequences_of_files),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("scene meshes", tests, own_folder_make, own_folder_remove);
}
