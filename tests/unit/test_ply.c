/* PLY: what is written comes back, and what is damaged is refused without harm. */
#include "folders.h"
#include "support.h"

#include "base/random.h"
#include "base/text.h"
#include "io/file.h"
#include "io/ply.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[128];

static int make_folder(void **state)
{
    if (own_folder_make(state)) return -1;
    snprintf(path, sizeof path, "%s", in_own_folder("a.ply"));
    return 0;
}

static double unit(uint64_t id, uint32_t k)
{
    const random4 r = random_at(7, id, k, 0);
    return random_unit(r.v[0], r.v[1]) - 0.5;
}

/* A value that single precision holds. Through memory: GCC 12 with SLP vectorisation drops
 * the rounding of (double)(float)v in neighbouring members. */
static double unit_float(uint64_t id, uint32_t k)
{
    volatile float v = (float)unit(id, k);
    return v;
}

static particles some_particles(rill_ctx *ctx, size_t n)
{
    particles p = {0};
    assert_ok(ctx, particles_add_column(ctx, &p, "density"));
    assert_ok(ctx, particles_add_column(ctx, &p, "pressure"));
    for (size_t i = 0; i < n; i++) {
        const rill_vec3 x = {unit(i, 0), unit(i, 1), unit(i, 2)};
        const rill_vec3 v = {unit_float(i, 3), unit_float(i, 4), unit_float(i, 5)};
        assert_ok(ctx, particles_append(ctx, &p, 1, &x, &v));
        p.id[i] = i * 0x123456789ull;
        p.column[0].value[i] = (float)unit(i, 6);
        p.column[1].value[i] = (float)unit(i, 7);
    }
    return p;
}

static void particles_come_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const size_t counts[] = {0, 1, 1023, 1024, 1025, 5000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        particles p = some_particles(ctx, counts[k]), q = {0};
        ply_header *h;
        assert_ok(ctx, MEM_NEW(ctx, h, 1));
        assert_ok(ctx, ply_write_particles(ctx, path, &p, 0.1, 3));
        assert_ok(ctx, ply_read_particles(ctx, path, &q, h));
        assert_true(h->time == 0.1);
        assert_int_equal(h->frame, 3);
        assert_string_equal(h->version, "rill " RILL_VERSION);
        assert_int_equal(q.count, p.count);
        assert_int_equal(q.column_count, 2);
        assert_string_equal(q.column[1].name, "pressure");
        if (p.count) {
            assert_memory_equal(q.position, p.position, p.count * sizeof *p.position);
            assert_memory_equal(q.velocity, p.velocity, p.count * sizeof *p.velocity);
            assert_memory_equal(q.id, p.id, p.count * sizeof *p.id);
            for (int c = 0; c < 2; c++)
                assert_memory_equal(q.column[c].value, p.column[c].value, p.count * sizeof(float));
            assert_true(q.next_id > p.id[p.count - 1]);
        }
        ply_header *seen = h;
        assert_ok(ctx, ply_inspect(ctx, path, seen));
        assert_int_equal(seen->element[0].count, p.count);
        assert_int_equal(seen->element[0].property_count, 10);
        if (p.count > 1000) {
            assert_true(seen->element[0].property[0].min >= -0.5 && seen->element[0].property[0].min < -0.45);
            assert_true(seen->element[0].property[0].max < 0.5 && seen->element[0].property[0].max > 0.45);
        }
        mem_free(ctx, h);
        particles_clear(ctx, &p);
        particles_clear(ctx, &q);
    }
    rill_ctx_destroy(ctx);
}

static trimesh some_mesh(rill_ctx *ctx, size_t vertices, size_t triangles)
{
    trimesh m = {.vertex_count = vertices, .triangle_count = triangles, .column_count = 3};
    m.position = mem_alloc(ctx, vertices, sizeof *m.position);
    m.normal = mem_alloc(ctx, vertices, sizeof *m.normal);
    m.triangle = mem_alloc(ctx, triangles, sizeof *m.triangle);
    strcpy(m.column[0].name, "velocity");
    strcpy(m.column[1].name, "heat");
    strcpy(m.column[2].name, "colour");
    const int width[3] = {3, 1, 3};
    for (int c = 0; c < 3; c++) {
        m.column[c].width = width[c];
        m.column[c].value = mem_alloc(ctx, vertices * (size_t)width[c], sizeof(float));
        for (size_t i = 0; i < vertices * (size_t)width[c]; i++)
            m.column[c].value[i] = (float)unit(i, 20 + (uint32_t)c);
    }
    for (size_t i = 0; i < vertices; i++) {
        m.position[i] = (rill_vec3){unit_float(i, 0), unit_float(i, 1), unit_float(i, 2)};
        for (uint32_t a = 0; a < 3; a++) m.normal[i][a] = (float)unit(i, 10 + a);
    }
    for (size_t i = 0; i < triangles; i++)
        for (uint32_t a = 0; a < 3; a++)
            m.triangle[i][a] = (uint32_t)((unit(i, 30 + a) + 0.5) * (double)vertices);
    return m;
}

static void meshes_come_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const size_t counts[][2] = {{0, 0}, {1, 0}, {3, 1}, {2000, 4100}};
    for (size_t k = 0; k < 4; k++) {
        trimesh m = some_mesh(ctx, counts[k][0], counts[k][1]), q = {0};
        assert_ok(ctx, ply_write_mesh(ctx, path, &m, 1.5, 0));
        assert_ok(ctx, ply_read_mesh(ctx, path, &q, NULL));
        assert_int_equal(q.vertex_count, m.vertex_count);
        assert_int_equal(q.triangle_count, m.triangle_count);
        assert_int_equal(q.column_count, 3);
        if (m.vertex_count) {
            assert_memory_equal(q.position, m.position, m.vertex_count * sizeof *m.position);
            assert_memory_equal(q.normal, m.normal, m.vertex_count * sizeof *m.normal);
            if (m.triangle_count)
                assert_memory_equal(q.triangle, m.triangle, m.triangle_count * sizeof *m.triangle);
            for (int c = 0; c < 3; c++) {
                assert_string_equal(q.column[c].name, m.column[c].name);
                assert_int_equal(q.column[c].width, m.column[c].width);
                assert_memory_equal(q.column[c].value, m.column[c].value,
                                    m.vertex_count * (size_t)m.column[c].width * sizeof(float));
            }
        }
        trimesh_clear(ctx, &m);
        trimesh_clear(ctx, &q);
    }
    rill_ctx_destroy(ctx);
}

/* A file as another program writes it: other order, other types, a quad, things to skip. */
static void foreign_files(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    text t;
    text_init(&t, ctx);
    text_add(&t, "ply\r\nformat binary_little_endian 1.0\r\nobj_info hello\r\ncomment made elsewhere\r\n"
                 "element strip 1\r\nproperty list ushort short a\r\nproperty uchar b\r\n"
                 "element vertex 4\r\nproperty uchar red\r\nproperty float64 z\r\nproperty int16 x\r\n"
                 "property float y\r\n"
                 "element face 2\r\nproperty uchar flag\r\nproperty list uint8 uint32 vertex_index\r\n"
                 "end_header\r\n");
    const uint8_t strip[] = {2, 0, 1, 0, 2, 0, 9};
    text_bytes(&t, (const char *)strip, sizeof strip);
    for (int i = 0; i < 4; i++) {
        const uint8_t red = (uint8_t)(10 * i);
        const double z = 0.5 * i;
        const int16_t x = (int16_t)-i;
        const float y = 2.0f * (float)i;
        text_bytes(&t, (const char *)&red, 1);
        text_bytes(&t, (const char *)&z, 8);
        text_bytes(&t, (const char *)&x, 2);
        text_bytes(&t, (const char *)&y, 4);
    }
    const uint32_t quad[] = {0, 1, 2, 3}, triangle[] = {3, 2, 1};
    text_bytes(&t, "\1\4", 2);
    text_bytes(&t, (const char *)quad, sizeof quad);
    text_bytes(&t, "\0\3", 2);
    text_bytes(&t, (const char *)triangle, sizeof triangle);
    assert_ok(ctx, text_check(&t));

    trimesh m = {0};
    assert_ok(ctx, ply_parse_mesh(ctx, "foreign.ply", t.data, t.length, &m, NULL));
    assert_int_equal(m.vertex_count, 4);
    assert_int_equal(m.triangle_count, 3);
    assert_true(m.position[3].x == -3 && m.position[3].y == 6 && m.position[3].z == 1.5);
    const uint32_t expected[3][3] = {{0, 1, 2}, {0, 2, 3}, {3, 2, 1}};
    assert_memory_equal(m.triangle, expected, sizeof expected);
    assert_null(m.normal);
    assert_int_equal(m.column_count, 1);
    assert_true(m.column[0].value[2] == 20);
    trimesh_clear(ctx, &m);

    particles p = {0};
    assert_ok(ctx, ply_parse_particles(ctx, "foreign.ply", t.data, t.length, &p, NULL));
    assert_int_equal(p.count, 4);
    assert_int_equal(p.id[3], 3);
    assert_true(p.velocity[3].x == 0);

    /* An index out of range, and every shorter file. */
    t.data[t.length - 1] = 1;
    assert_int_equal(ply_parse_mesh(ctx, "foreign.ply", t.data, t.length, &m, NULL), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "there are 4"));
    t.data[t.length - 1] = 0;
    for (size_t n = 0; n < t.length; n++)
        assert_int_equal(ply_parse_mesh(ctx, "foreign.ply", t.data, n, &m, NULL), RILL_BAD_FILE);
    assert_null(m.position);
    particles_clear(ctx, &p);
    text_clear(&t);
    rill_ctx_destroy(ctx);
}

static void refuses(rill_ctx *ctx, const char *file, const char *message)
{
    particles p = {0};
    assert_int_equal(ply_parse_particles(ctx, "bad.ply", file, strlen(file), &p, NULL), RILL_BAD_FILE);
    if (!strstr(rill_ctx_message(ctx), message))
        fail_msg("\"%s\" does not say \"%s\"", rill_ctx_message(ctx), message);
    assert_null(p.position);
}

#define START "ply\nformat binary_little_endian 1.0\n"

static void bad_headers(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    refuses(ctx, "", "not a PLY");
    refuses(ctx, "plyx\n", "not a PLY");
    refuses(ctx, "ply\nformat ascii 2.0\n", "bad.ply:2: expected");
    refuses(ctx, "ply\nelement vertex 0\nproperty float x\nend_header\n", "no format");
    refuses(ctx, START "element vertex 99999999999\nproperty float x\nend_header\n", "cut off");
    refuses(ctx, START "element vertex 9999999999999\nproperty float x\nend_header\n", "count");
    refuses(ctx, START "element vertex -1\nproperty float x\nend_header\n", "count");
    refuses(ctx, START "element vertex 4\nend_header\n", "no properties");
    refuses(ctx, START "property float x\n", "before any element");
    refuses(ctx, START "element vertex 0\nproperty float x\nproperty float x\n", "already");
    refuses(ctx, START "element vertex 0\nproperty list float int x\nend_header\n", "integer");
    refuses(ctx, START "element vertex 0\nproperty half x\nend_header\n", "unknown type");
    refuses(ctx, START "element vertex 0\nproperty float x\nend_header\n", "no \"y\"");
    refuses(ctx, START "element edge 0\nproperty float x\nend_header\n", "no element \"vertex\"");
    refuses(ctx, START "nonsense\nend_header\n", "bad.ply:3");
    const float nan_point[3] = {1, NAN, 0};
    char file[256];
    const int n = snprintf(file, sizeof file,
                           START "element vertex 1\nproperty float x\nproperty float y\n"
                                 "property float z\nend_header\n");
    memcpy(file + n, nan_point, sizeof nan_point);
    particles p = {0};
    assert_int_equal(ply_parse_particles(ctx, "nan.ply", file, (size_t)n + 12, &p, NULL), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "not finite"));
    rill_ctx_destroy(ctx);
}

/* Every byte of the header changed in several ways, and random changes in the data: any
 * answer but a crash. */
static void damage_never_crashes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh m = some_mesh(ctx, 6, 8);
    assert_ok(ctx, ply_write_mesh(ctx, path, &m, 0, 0));
    trimesh_clear(ctx, &m);
    char *bytes;
    size_t n;
    assert_ok(ctx, file_read_all(ctx, path, 1 << 20, &bytes, &n));
    ply_header *h;
    assert_ok(ctx, MEM_NEW(ctx, h, 1));
    assert_ok(ctx, ply_parse_header(ctx, "a", bytes, n, h));
    const char other[] = {0, '\n', ' ', '9', '-', 'x', (char)0xff};
    size_t refused = 0;
    char *copy = mem_alloc(ctx, n, 1); /* exact length: a sanitizer sees what reads beyond it */
    for (size_t i = 0; i < h->bytes + 200 && i < n; i++)
        for (size_t k = 0; k < sizeof other; k++) {
            memcpy(copy, bytes, n);
            copy[i] = other[k];
            particles p = {0};
            refused += ply_parse_mesh(ctx, "a", copy, n, &m, NULL) != RILL_OK;
            if (ply_parse_particles(ctx, "a", copy, n, &p, NULL) == RILL_OK) particles_clear(ctx, &p);
            trimesh_clear(ctx, &m);
        }
    assert_true(refused > h->bytes);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(ply_parse_mesh(ctx, "a", bytes, i, &m, NULL), RILL_BAD_FILE);
    mem_free(ctx, copy);
    mem_free(ctx, h);
    mem_free(ctx, bytes);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator a = {0};
    rill_ctx *ctx = test_ctx_failing(1, &a);
    trimesh m = some_mesh(ctx, 6, 8), q = {0};
    particles p = some_particles(ctx, 9), back = {0};
    char other[160];
    snprintf(other, sizeof other, "%s.particles", path);
    uint64_t live = a.live;
    for (uint64_t n = 1;; n++) {
        a.calls = 0;
        a.fail_at = n;
        rill_status st = ply_write_mesh(ctx, path, &m, 0, 0);
        if (!st) st = ply_write_particles(ctx, other, &p, 0, 0);
        assert_int_equal(a.live, live);
        if (!st) break;
        assert_int_equal(st, RILL_NO_MEMORY);
    }
    for (uint64_t n = 1;; n++) {
        a.calls = 0;
        a.fail_at = n;
        const rill_status st = ply_read_mesh(ctx, path, &q, NULL);
        if (!st) break;
        assert_int_equal(st, RILL_NO_MEMORY);
        assert_int_equal(a.live, live);
        assert_null(q.position);
    }
    a.fail_at = 0;
    live = a.live;
    for (uint64_t n = 1;; n++) {
        a.calls = 0;
        a.fail_at = n;
        const rill_status st = ply_read_particles(ctx, other, &back, NULL);
        if (!st) break;
        assert_int_equal(st, RILL_NO_MEMORY);
        assert_int_equal(a.live, live);
        assert_null(back.position);
    }
    a.fail_at = 0;
    unlink(other);
    trimesh_clear(ctx, &m);
    trimesh_clear(ctx, &q);
    particles_clear(ctx, &p);
    particles_clear(ctx, &back);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_come_back),  cmocka_unit_test(meshes_come_back),
        cmocka_unit_test(foreign_files),        cmocka_unit_test(bad_headers),
        cmocka_unit_test(damage_never_crashes), cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("ply", tests, make_folder, own_folder_remove);
}
