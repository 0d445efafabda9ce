/* Mesh files: what is written comes back in every format, and what other programs write, or
 * break, is understood or refused with its place. */
#include "mesh_makers.h"

#include "base/random.h"
#include "io/file.h"
#include "io/mesh_file.h"
#include "io/mesh_text.h"
#include "io/ply.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rill_vec3 corner_of(const trimesh *m, size_t i, int k)
{
    return m->position[m->triangle[i][k]];
}

static void assert_same_corners(const trimesh *a, const trimesh *b)
{
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_int_equal(a->vertex_count, b->vertex_count);
    for (size_t i = 0; i < a->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const rill_vec3 x = corner_of(a, i, k), y = corner_of(b, i, k);
            assert_true(x.x == y.x && x.y == y.y && x.z == y.z);
        }
}

static void round_trips(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh shape[4] = {make_cube(ctx, 0.7), make_icosphere(ctx, 1.3, 3), make_torus(ctx, 2, 0.4, 40, 17),
                        make_bowl(ctx, 0.25, 24, 6)};
    char folder[] = "/tmp/rill_mesh_XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (int s = 0; s < 4; s++) {
        trimesh_report r;
        assert_ok(ctx, trimesh_check(ctx, &shape[s], &r));
        assert_int_equal(r.open_edges, s == 3 ? 24 : 0);
        assert_int_equal(r.misoriented_edges + r.nonmanifold_edges + r.nonmanifold_vertices, 0);
        assert_true(r.volume > 0);
        for (int form = 0; form < MESH_FORMS; form++) {
            text t;
            text_init(&t, ctx);
            write_mesh(&t, &shape[s], (mesh_form)form);
            char *path = path_join(ctx, folder, mesh_form_name[form]);
            assert_ok(ctx, file_write_all(ctx, path, t.data, t.length));
            trimesh m = {0};
            assert_ok(ctx, mesh_read(ctx, path, NULL, &m));
            assert_same_corners(&m, &shape[s]);
            if (form != AS_STL && form != AS_STL_ASCII)
                assert_memory_equal(m.triangle, shape[s].triangle, m.triangle_count * sizeof *m.triangle);
            trimesh_clear(ctx, &m);
            unlink(path);
            mem_free(ctx, path);
            text_clear(&t);
        }
        trimesh_clear(ctx, &shape[s]);
    }
    rmdir(folder);
    rill_ctx_destroy(ctx);
}

static trimesh parse(rill_ctx *ctx, const char *name, const char *file)
{
    trimesh m = {0};
    assert_ok(ctx, mesh_parse(ctx, name, file, strlen(file), NULL, &m, NULL));
    return m;
}

/* A tetrahedron in every spelling that OBJ allows. */
static void obj_spellings(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    static const char v[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    static const char *const files[] = {
        "%sf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
        "%sf -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1",
        "# comment\r\nmtllib a.mtl\r\n%so a b c\r\ng x\rs off\rusemtl stone\r\nf 1/1 3/2 2/3\rf 1//1 2//1 "
        "4//1\n\n"
        "f 2/1/1 3/1/1 4/1/1\r\n\tf   3/5/7\t1/1/1  4/1/1   # the last\r\n",
        "%sf \\\n1 \\\r\n3\\\n 2\nf 1 2 4\nf 2 3 4\ncurv2 1 2 \\\n3 4 5\nf 3 1 4 \\\n\n",
        "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n%s",                           /* before its vertices */
        "%sf 1 3 2\nf 1 1 2\nf 1 2 2 4\nf 2 3 4 4\nl 1 2\np 1\nf +3 1 4\n", /* corners twice */
        "\xef\xbb\xbfvn 0 0 1\nvt 0 0\n%sf 1/ 3/ 2/\nf 1 2 4\nf 2 3 4\nf 3 1 4",
    };
    trimesh expected = {0};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char file[1024];
        snprintf(file, sizeof file, files[k], v);
        trimesh m = parse(ctx, k == 6 ? "odd.txt" : "a.obj", file);
        assert_int_equal(m.vertex_count, 4);
        assert_int_equal(m.triangle_count, 4);
        if (k == 0) expected = trimesh_take(&m);
        if (k) assert_memory_equal(m.triangle, expected.triangle, 4 * sizeof *m.triangle);
        trimesh_clear(ctx, &m);
    }
    trimesh_clear(ctx, &expected);
    rill_ctx_destroy(ctx);
}

static void placed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char file[] = "v 1 2 3\nv 2 2 3\nv 1 3 3\nf 1 2 3\n";
    mesh_read_def def = mesh_read_def_default();
    def.z_up = true;
    def.scale = 0.5;
    trimesh m = {0};
    assert_ok(ctx, mesh_parse(ctx, "a.obj", file, strlen(file), &def, &m, NULL));
    assert_true(m.position[0].x == 0.5 && m.position[0].y == 1.5 && m.position[0].z == -1);
    trimesh_clear(ctx, &m);
    def.scale = NAN;
    assert_int_equal(mesh_parse(ctx, "a.obj", file, strlen(file), &def, &m, NULL), RILL_USAGE);
    def.scale = 1e13;
    assert_int_equal(mesh_parse(ctx, "a.obj", file, strlen(file), &def, &m, NULL), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "vertex 0 lies"));
    rill_ctx_destroy(ctx);
}

/* Seams: a cube whose faces share no vertices is closed again; one that is closed keeps its own,
 * also where two parts touch. */
static void merging(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh cube = make_cube(ctx, 1);
    text split, twins;
    text_init(&split, ctx);
    text_init(&twins, ctx);
    for (size_t i = 0; i < 36; i++) {
        const rill_vec3 x = corner_of(&cube, i / 3, (int)(i % 3));
        text_print(&split, "v %g %g %g\n", x.x, x.y, x.z == -1 && i % 2 ? -1.0 : x.z);
    }
    for (int i = 0; i < 12; i++) text_print(&split, "f %d %d %d\n", 3 * i + 1, 3 * i + 2, 3 * i + 3);
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 8; i++)
            text_print(&twins, "v %g %g %g\n", cube.position[i].x + 2 * s, cube.position[i].y,
                       cube.position[i].z);
    for (uint32_t s = 0; s < 16; s += 8)
        for (int i = 0; i < 12; i++)
            text_print(&twins, "f %u %u %u\n", cube.triangle[i][0] + s + 1, cube.triangle[i][1] + s + 1,
                       cube.triangle[i][2] + s + 1);
    trimesh m = parse(ctx, "split.obj", split.data);
    trimesh_report r;
    assert_int_equal(m.vertex_count, 8);
    assert_ok(ctx, trimesh_check(ctx, &m, &r));
    assert_true(r.open_edges == 0 && fabs(r.volume - 8) < 1e-12);
    trimesh_clear(ctx, &m);

    mesh_read_def def = mesh_read_def_default();
    def.merge = false;
    assert_ok(ctx, mesh_parse(ctx, "split.obj", split.data, split.length, &def, &m, NULL));
    assert_int_equal(m.vertex_count, 36);
    trimesh_clear(ctx, &m);
    m = parse(ctx, "twins.obj", twins.data);
    assert_int_equal(m.vertex_count, 16);
    trimesh_clear(ctx, &m);
    trimesh_clear(ctx, &cube);
    text_clear(&split);
    text_clear(&twins);
    rill_ctx_destroy(ctx);
}

/* The kind is what is in the file, whatever it is called. */
static void kinds(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    static const mesh_kind expected[MESH_FORMS] = {MESH_OBJ, MESH_STL_ASCII, MESH_STL_BINARY,
                                                   MESH_PLY, MESH_PLY,       MESH_PLY};
    trimesh cube = make_cube(ctx, 1), m = {0};
    for (int form = 0; form < MESH_FORMS; form++) {
        text t;
        text_init(&t, ctx);
        write_mesh(&t, &cube, (mesh_form)form);
        const char *const name[] = {"a", "a.obj", "a.stl", "a.PLY", "a.json"};
        for (int k = 0; k < 5; k++) {
            mesh_kind kind;
            assert_ok(ctx, mesh_parse(ctx, name[k], t.data, t.length, NULL, &m, &kind));
            assert_int_equal(kind, expected[form]);
            assert_int_equal(m.triangle_count, 12);
        }
        text_clear(&t);
    }
    trimesh_clear(ctx, &m);
    trimesh_clear(ctx, &cube);
    rill_ctx_destroy(ctx);
}

static void refuses(rill_ctx *ctx, const char *name, const char *file, size_t length, const char *message)
{
    trimesh m = {0};
    char *exact = mem_alloc(ctx, length, 1); /* a sanitizer sees what reads beyond it */
    memcpy(exact, file, length);
    assert_int_equal(mesh_parse(ctx, name, exact, length, NULL, &m, NULL), RILL_BAD_FILE);
    if (!strstr(rill_ctx_message(ctx), message))
        fail_msg("\"%s\" does not say \"%s\"", rill_ctx_message(ctx), message);
    assert_null(m.position);
    mem_free(ctx, exact);
}

static void messages(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
#define REFUSES(name, file, message) refuses(ctx, name, file, sizeof(file) - 1, message)
    REFUSES("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9001\n",
            "a.obj:4: face names vertex 9001, there are 3");
    REFUSES("a.obj", "v 0 0 0\nv 1 0 0\nf -3 1 2\nv 0 1 0\n",
            "a.obj:3: face names vertex -3, there are 2 before it");
    REFUSES("a.obj", "v 0 0 0\nf 0 1 1\n", "a.obj:2: face names vertex 0; OBJ counts from 1");
    REFUSES("a.obj", "v 0 0 0\rv 1 nan 0\r", "a.obj:2: \"nan\" is not finite");
    REFUSES("a.obj", "v 0 0 0\r\nv 1 1e999 0\r\n", "a.obj:2: \"1e999\" is not finite");
    REFUSES("a.obj", "v 0 0 0\nv 1 \\\n\\\n 0x 0\n", "a.obj:4: \"0x\" is not a number");
    REFUSES("a.obj", "v 0 0 0\nv 1 2\n", "a.obj:2: a vertex with 2 coordinates instead of 3");
    REFUSES("a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2: a face with more corners than there are vertices (1)");
    REFUSES("a.obj", "v 0 0 0\nv 0 0 1\nv 0 1 1\nf 1 2\n", "a.obj:4: a face with 2 corners");
    REFUSES("a.obj", "v 0 0 0\nf 1/a 1 1\n", "a.obj:2: \"1/a\" is not a corner");
    REFUSES("a.obj", "v 0 0 0\nfoo 1\n", "a.obj:2: \"foo\" does not begin a statement");
    REFUSES("a.obj", "v 0 0 0\n", "a.obj:2: no faces");
    REFUSES("a.obj", "\xff\xfev\0 \0", "UTF-16");
    REFUSES("a.txt", "hello", "neither OBJ, PLY nor STL");
    REFUSES("a.obj", "", "empty");
    REFUSES("a.stl", "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 x\n",
            "a.stl:4: \"x\" is not a number");
    REFUSES("a.stl", "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 inf\n",
            "a.stl:4: \"inf\" is not a finite number");
    REFUSES("a.stl", "solid a\nfacet normal 0 0 0\nouter loop\n", "a.stl:4: the file ends where \"vertex\"");
    REFUSES(
        "a.stl",
        "solid a\nfacet normal 1 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n",
        "a.stl:7: \"vertex\" where \"endloop\"");
    REFUSES("a.stl", "solid\nendsolid\n", "no facets");
    char binary[184] = "made elsewhere";
    binary[80] = 100;
    refuses(ctx, "a.stl", binary, sizeof binary,
            "a.stl: byte 184: the STL file ends early: 100 triangles take 5084");
    binary[80] = 2;
    const float nan = NAN;
    memcpy(binary + 84 + 50 + 24, &nan, 4);
    refuses(ctx, "a.stl", binary, sizeof binary,
            "a.stl: byte 158: triangle 1 has a corner that is not finite");
#define PLY_START \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACES "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    REFUSES("a.ply", PLY_START PLY_FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n",
            "a.ply:13: face names vertex 9, there are 3");
    REFUSES("a.ply", PLY_START PLY_FACES "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n",
            "a.ply:11: vertex 1 has a value that is not finite");
    REFUSES("a.ply", PLY_START PLY_FACES "0 0 0\n1 z 0\n0 1 0\n3 0 1 2\n", "a.ply:11: \"z\" is not a number");
    REFUSES("a.ply", PLY_START PLY_FACES "0 0 0\n1 0 0\n0 1 0\n300 0 1 2\n",
            "a.ply:13: \"300\" does not fit the type uchar");
    REFUSES("a.ply", PLY_START PLY_FACES "0 0 0\n1 0 0\n0 1 0\n30 0 1 2\n",
            "a.ply:14: the file ends early, in face 0 of 1");
    REFUSES("a.ply", PLY_START "end_header\n0 0 0\n1 0 0\n0 1 0\n",
            "a.ply:7: the PLY file has no element \"face\"");
    REFUSES("a.ply", "ply\nformat ascii 1.0\nelement vertex 9999\nproperty float x\nend_header\n1\n",
            "a.ply:3: 9999 of \"vertex\" do not fit in the file");
    REFUSES(
        "a.ply",
        "ply\rformat binary_big_endian 1.0\relement face 1\rproperty list int int vertex_indices\r"
        "element vertex 0\rproperty char x\rproperty char y\rproperty char z\rend_header\r\0\0\0\1\0\0\0\7",
        "a.ply: byte 165: face 0 has 1 corners; it takes 3");
#undef REFUSES
    rill_ctx_destroy(ctx);
}

/* Every shorter file, and every byte changed: an answer, and nothing held. */
static void damage(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    trimesh cube = make_cube(ctx, 1), m = {0};
    const char other[] = {0, '\n', ' ', '9', '-', 'x', (char)0xff};
    for (int form = 0; form < MESH_FORMS; form++) {
        text t;
        text_init(&t, ctx);
        write_mesh(&t, &cube, (mesh_form)form);
        char *copy = mem_alloc(ctx, t.length, 1);
        const uint64_t live = f.live;
        size_t refused = 0;
        for (size_t n = 0; n + 2 < t.length; n++) {
            const rill_status st = mesh_parse(ctx, mesh_form_name[form], t.data, n, NULL, &m, NULL);
            assert_true(st == RILL_OK || st == RILL_BAD_FILE);
            refused += st != RILL_OK;
            trimesh_clear(ctx, &m);
        }
        if (form != AS_OBJ) assert_true(refused + 24 > t.length); /* the name behind endsolid may miss */
        for (size_t i = 0; i < t.length; i++)
            for (size_t k = 0; k < sizeof other; k++) {
                memcpy(copy, t.data, t.length);
                copy[i] = other[k];
                const rill_status st = mesh_parse(ctx, mesh_form_name[form], copy, t.length, NULL, &m, NULL);
                assert_true(st == RILL_OK || st == RILL_BAD_FILE);
                trimesh_clear(ctx, &m);
            }
        assert_int_equal(f.live, live);
        mem_free(ctx, copy);
        text_clear(&t);
    }
    trimesh_clear(ctx, &cube);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    trimesh bowl = make_bowl(ctx, 1, 5, 2), m = {0};
    for (int form = 0; form < MESH_FORMS; form++) {
        text t;
        text_init(&t, ctx);
        write_mesh(&t, &bowl, (mesh_form)form);
        if (form == AS_OBJ) text_add(&t, "f 6 7 8 9 10\n");
        const uint64_t live = f.live;
        for (uint64_t n = 1;; n++) {
            f.calls = 0;
            f.fail_at = n;
            const rill_status st = mesh_parse(ctx, mesh_form_name[form], t.data, t.length, NULL, &m, NULL);
            if (!st) break;
            assert_int_equal(st, RILL_NO_MEMORY);
            assert_int_equal(f.live, live);
            assert_null(m.position);
        }
        f.fail_at = 0;
        trimesh_clear(ctx, &m);
        text_clear(&t);
    }
    trimesh_clear(ctx, &bowl);
    rill_ctx_destroy(ctx);
}

/* Numbers against the C library, in its plain locale. */
static void numbers(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    mesh_text t;
    assert_ok(ctx, mesh_text_init(&t, ctx, "numbers", "", 0, 1));
    const char *const format[] = {"%.17g", "%.9g", "%.6f", "%e", "%.0f", "%.3g", "%.25e", "%+.8E"};
    for (uint64_t i = 0; i < 40000; i++) {
        const random4 r = random_at(3, i, 0, 0);
        const double v = (random_unit(r.v[0], r.v[1]) - 0.5) * pow(10, (int)(r.v[2] % 60) - 30);
        char s[128];
        snprintf(s, sizeof s, format[i % 8], v);
        const mesh_word w = {s, strlen(s), 1};
        double got;
        assert_true(mesh_word_number(&t, &w, &got));
        assert_true(got == strtod(s, NULL));
    }
    const char *const good[] = {"0",
                                "-0",
                                ".5",
                                "5.",
                                "1e5",
                                "1E-5",
                                "+1.5e+300",
                                "00012",
                                "4.9e-324",
                                "1e-400",
                                "123456789012345678901234567890",
                                "0.000000000000000000000000000000001",
                                "9007199254740993"};
    const char *const bad[] = {"",     "-",  ".",   "e5",  "1e", "1e+",   "1.2.3",
                               "0x10", "1f", "--1", "1,5", "na", "1e5.5", "1 "};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        double got;
        const mesh_word w = {good[k], strlen(good[k]), 1};
        assert_true(mesh_word_number(&t, &w, &got) && got == strtod(good[k], NULL));
        assert_true(signbit(got) == signbit(strtod(good[k], NULL)));
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double got;
        const mesh_word w = {bad[k], strlen(bad[k]), 1};
        assert_false(mesh_word_number(&t, &w, &got));
    }
    mesh_text_clear(&t);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips), cmocka_unit_test(obj_spellings),
        cmocka_unit_test(placed),      cmocka_unit_test(merging),
        cmocka_unit_test(kinds),       cmocka_unit_test(messages),
        cmocka_unit_test(damage),      cmocka_unit_test(failing_allocations),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests_name("mesh_file", tests, NULL, NULL);
}
