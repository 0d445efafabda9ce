/* The viewer's server without its sockets: who may ask what, and what the bytes of a frame mean. The decoder
 * here shares nothing with the encoder but docs in wire.h. */
#include "folders.h"
#include "serve_runs.h"
#include "support.h"

#include "base/random.h"
#include "io/file.h"
#include "serve/answer.h"
#include "serve/encode.h"
#include "serve/serve.h"
#include "serve/smoke.h"
#include "serve/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a decoder ---- */

typedef struct {
    const uint8_t *data;
    size_t length, at;
} reader;

static uint32_t word(reader *r)
{
    assert_true(r->at + 4 <= r->length);
    uint32_t value;
    memcpy(&value, r->data + r->at, 4);
    r->at += 4;
    return value;
}

/* Bit by bit. */
static void read_channel(reader *r, size_t count, int64_t *out)
{
    for (size_t begin = 0; begin < count; begin += WIRE_CHUNK) {
        const int32_t base = (int32_t)word(r);
        const uint32_t bits = word(r);
        assert_true(bits <= 32);
        const uint8_t *packed = r->data + r->at;
        for (size_t k = 0; k < WIRE_CHUNK; k++) {
            uint64_t value = 0;
            for (uint32_t b = 0; b < bits; b++) {
                const size_t bit = k * bits + b;
                value |= (uint64_t)(packed[bit / 8] >> bit % 8 & 1) << b;
            }
            if (begin + k < count)
                out[begin + k] = base + (int64_t)value;
            else
                assert_int_equal(value, 0);
        }
        r->at += WIRE_CHUNK / 8 * (size_t)bits;
        assert_true(r->at <= r->length);
    }
}

static double number(const reader *r, size_t at, bool wide)
{
    float f;
    double d;
    if (wide)
        memcpy(&d, r->data + at, 8);
    else
        memcpy(&f, r->data + at, 4);
    return wide ? d : (double)f;
}

/* ---- channels ---- */

static void fill_from(void *arg, size_t begin, size_t end, int32_t *out)
{
    memcpy(out, (const int32_t *)arg + begin, (end - begin) * sizeof *out);
}

static void channels_come_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    static const size_t counts[] = {0, 1, 2, 255, 256, 257, 1000};
    for (int spread = 0; spread <= 32; spread++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const size_t count = counts[c];
            int32_t value[1000];
            int64_t got[1000];
            for (size_t i = 0; i < count; i++) {
                const uint64_t any = random_at(3, i, (uint32_t)spread, 1).v[0];
                value[i] = (int32_t)((uint32_t)(spread ? any >> (32 - spread) : 0) -
                                     (uint32_t)(spread == 32 ? 0 : 77));
            }
            if (spread == 32 && count > 1) {
                value[0] = INT32_MIN;
                value[1] = INT32_MAX;
            }
            packer p;
            packer_init(&p, ctx);
            packer_channel(&p, count, fill_from, value);
            assert_false(p.failed);
            reader r = {p.data, p.length, 0};
            read_channel(&r, count, got);
            assert_int_equal(r.at, r.length);
            for (size_t i = 0; i < count; i++) assert_int_equal(got[i], value[i]);
            packer_clear(&p);
        }
    rill_ctx_destroy(ctx);
}

/* ---- frames ---- */

static char *folder(void)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/run", own_folder);
    return path;
}

static char *file_bytes(rill_ctx *ctx, const char *name, size_t *length)
{
    char path[400], *bytes;
    snprintf(path, sizeof path, "%s/frames/%s", folder(), name);
    assert_ok(ctx, file_read_all(ctx, path, 1 << 24, &bytes, length));
    return bytes;
}

static void particles_are_where_they_were(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    size_t length;
    char *bytes = file_bytes(ctx, "particles_0000.ply", &length);
    particles p = {0};
    assert_ok(ctx, ply_parse_particles(ctx, "p", bytes, length, &p, NULL));
    const encode_def def = {.name = "p", .column = "speed", .origin = {-1, 0.25, 0}, .quantum = 5e-5};
    packer out;
    packer_init(&out, ctx);
    assert_ok(ctx, encode_frame(ctx, &def, bytes, length, &out));
    reader r = {out.data, out.length, 0};
    assert_int_equal(word(&r), WIRE_MAGIC);
    assert_int_equal(word(&r), WIRE_VERSION);
    assert_int_equal(word(&r), WIRE_COLUMN);
    assert_int_equal(word(&r), SERVE_RUN_POINTS);
    assert_int_equal(word(&r), 0);
    assert_true(number(&r, 24, true) == 0.5 && number(&r, 40, true) == 0.25);
    r.at = WIRE_HEADER;
    int64_t got[SERVE_RUN_POINTS];
    for (int axis = 0; axis < 3; axis++) {
        read_channel(&r, SERVE_RUN_POINTS, got);
        for (size_t i = 0; i < p.count; i++) {
            const double x = v3_axis(def.origin, axis) + def.quantum * (double)got[i];
            assert_true(fabs(x - v3_axis(p.position[i], axis)) <= 0.5001 * def.quantum);
        }
    }
    read_channel(&r, SERVE_RUN_POINTS, got);
    const double low = number(&r, 56, false), high = number(&r, 60, false), step = (high - low) / WIRE_LEVELS;
    for (size_t i = 0; i < p.count; i++)
        assert_true(fabs(low + step * (double)got[i] - v3_length(p.velocity[i])) <= 0.51 * step);
    assert_int_equal(r.at, r.length);
    packer_clear(&out);
    particles_clear(ctx, &p);
    mem_free(ctx, bytes);
    rill_ctx_destroy(ctx);
}

/* Red, green and blue come as one column, in 255 levels of their square root. */
static void colors_come_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    size_t length;
    char *bytes = file_bytes(ctx, "particles_0000.ply", &length);
    particles p = {0};
    assert_ok(ctx, ply_parse_particles(ctx, "p", bytes, length, &p, NULL));
    ply_header *h;
    text columns;
    text_init(&columns, ctx);
    assert_ok(ctx, MEM_NEW(ctx, h, 1));
    assert_ok(ctx, ply_parse_header(ctx, "p", bytes, length, h));
    encode_columns(h, &columns);
    assert_string_equal(columns.data, "[\"speed\",\"color\",\"pressure\"]");
    const encode_def def = {.name = "p", .column = "color", .quantum = 5e-5};
    packer out;
    packer_init(&out, ctx);
    assert_ok(ctx, encode_frame(ctx, &def, bytes, length, &out));
    reader r = {out.data, out.length, 8};
    assert_int_equal(word(&r), WIRE_COLORS);
    r.at = WIRE_HEADER;
    int64_t got[3][SERVE_RUN_POINTS];
    for (int axis = 0; axis < 3; axis++) read_channel(&r, SERVE_RUN_POINTS, got[axis]);
    for (int k = 0; k < 3; k++) read_channel(&r, SERVE_RUN_POINTS, got[k]);
    assert_int_equal(r.at, r.length);
    for (size_t i = 0; i < p.count; i++) {
        assert_true(fabs((double)got[0][i] - WIRE_COLOR_LEVELS * sqrt(p.position[i].x)) <= 0.501);
        assert_int_equal(got[1][i], 128);
        assert_int_equal(got[2][i], i % 3 ? WIRE_COLOR_LEVELS : 0);
    }
    packer_clear(&out);
    text_clear(&columns);
    mem_free(ctx, h);
    particles_clear(ctx, &p);
    mem_free(ctx, bytes);
    rill_ctx_destroy(ctx);
}

/* Points of several sizes: each spacing in units of the scene's, whatever column is asked for; nonsense is of
 * size one. */
static void sizes_come_back(void **state)
{
    (void)state;
    static const float spacing[] = {0.05f, 0.1f, 0.025f, 0.0793701f, 0, -1, NAN, INFINITY, 1e30f, 1e-30f};
    static const int level[] = {0, 24, -24, 16, 0, 0, 0, WIRE_SIZE_MOST, WIRE_SIZE_MOST, -WIRE_SIZE_MOST};
    enum { COUNT = sizeof level / sizeof *level };
    rill_ctx *ctx = test_ctx(1);
    particles p = {0};
    rill_vec3 x[COUNT] = {{0}};
    char path[300], *bytes;
    size_t length;
    snprintf(path, sizeof path, "%s/sized.ply", own_folder);
    assert_ok(ctx, particles_add_column(ctx, &p, "spacing"));
    assert_ok(ctx, particles_append(ctx, &p, COUNT, x, NULL));
    memcpy(p.column[0].value, spacing, sizeof spacing);
    assert_ok(ctx, ply_write_particles(ctx, path, &p, 0, 0));
    assert_ok(ctx, file_read_all(ctx, path, 1 << 20, &bytes, &length));
    const encode_def def = {.name = "p", .column = "", .quantum = 5e-5};
    packer out;
    packer_init(&out, ctx);
    assert_ok(ctx, encode_frame(ctx, &def, bytes, length, &out));
    reader r = {out.data, out.length, 8};
    assert_int_equal(word(&r), WIRE_SIZES);
    r.at = WIRE_HEADER;
    int64_t got[COUNT];
    for (int channel = 0; channel < 4; channel++) read_channel(&r, COUNT, got);
    assert_int_equal(r.at, r.length);
    for (int i = 0; i < COUNT; i++) assert_int_equal(got[i], level[i]);
    packer_clear(&out);
    particles_clear(ctx, &p);
    mem_free(ctx, bytes);
    rill_ctx_destroy(ctx);
}

/* Every point counts: the densities that come back add up to the number of points, and lie where these are.
 */
static void smoke_adds_up(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    size_t length;
    char *bytes = file_bytes(ctx, "particles_0000.ply", &length);
    particles p = {0};
    assert_ok(ctx, ply_parse_particles(ctx, "p", bytes, length, &p, NULL));
    const smoke_def def = {.name = "p", .cell = 0.02}, soot = {.name = "p", .cell = 0.02, .soot = true};
    packer out;
    packer_init(&out, ctx);
    assert_ok(ctx, smoke_encode(ctx, &def, bytes, length, &out));
    reader r = {out.data, out.length, 0};
    assert_int_equal(word(&r), SMOKE_MAGIC);
    assert_int_equal(word(&r), WIRE_VERSION);
    size_t n[3];
    for (int a = 0; a < 3; a++) {
        n[a] = word(&r);
        assert_true(n[a] > 0 && n[a] <= SMOKE_SIDE);
    }
    const size_t count = n[0] * n[1] * n[2];
    const double high = number(&r, 20, false), cell = number(&r, 56, true), bright = number(&r, 64, false);
    int64_t *level = calloc(count, sizeof *level);
    double sum = 0, moment[3] = {0}, mean[3] = {0};
    r.at = SMOKE_HEADER;
    read_channel(&r, count, level);
    assert_int_equal(r.at, r.length);
    for (size_t i = 0; i < count; i++) {
        const double share = (double)level[i] / SMOKE_LEVELS, d = high * share * share * pow(cell, 3);
        const size_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        assert_in_range(level[i], 0, SMOKE_LEVELS);
        sum += d;
        for (int a = 0; a < 3; a++)
            moment[a] += d * (number(&r, 32 + 8 * (size_t)a, true) + cell * (double)at[a]);
    }
    for (size_t i = 0; i < p.count; i++)
        for (int a = 0; a < 3; a++) mean[a] += v3_axis(p.position[i], a) / (double)p.count;
    assert_true(fabs(sum - (double)p.count) < 0.01 * (double)p.count);
    for (int a = 0; a < 3; a++) assert_true(fabs(moment[a] / sum - mean[a]) < 0.1 * cell);
    assert_true(bright > 0 && bright <= high);
    packer_clear(&out);

    assert_int_equal(smoke_encode(ctx, &soot, bytes, length, &out), RILL_BAD_FILE);
    assert_int_equal(smoke_encode(ctx, &def, bytes, length / 2, &out), RILL_BAD_FILE);
    free(level);
    particles_clear(ctx, &p);
    mem_free(ctx, bytes);
    rill_ctx_destroy(ctx);
}

static void surfaces_keep_corners_and_normals(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    size_t length;
    char *bytes = file_bytes(ctx, "surface_0000.ply", &length);
    const encode_def def = {.name = "s", .column = "nothing", .quantum = 5e-5, .mesh = true};
    packer out;
    packer_init(&out, ctx);
    assert_ok(ctx, encode_frame(ctx, &def, bytes, length, &out));
    reader r = {out.data, out.length, 8};
    assert_int_equal(word(&r), WIRE_NORMALS);
    assert_int_equal(word(&r), SERVE_RUN_VERTICES);
    assert_int_equal(word(&r), SERVE_RUN_TRIANGLES);
    r.at = WIRE_HEADER;
    int64_t uv[2][SERVE_RUN_VERTICES], *corner = malloc(3 * SERVE_RUN_TRIANGLES * sizeof *corner);
    for (int axis = 0; axis < 3; axis++) read_channel(&r, SERVE_RUN_VERTICES, uv[0]);
    for (int k = 0; k < 2; k++) read_channel(&r, SERVE_RUN_VERTICES, uv[k]);
    for (size_t i = 0; i < SERVE_RUN_VERTICES; i++) {
        double x = 2.0 * (double)uv[0][i] / WIRE_NORMAL_LEVELS - 1,
               y = 2.0 * (double)uv[1][i] / WIRE_NORMAL_LEVELS - 1;
        const double z = 1 - fabs(x) - fabs(y);
        if (z < 0) {
            const double u = (1 - fabs(y)) * (x < 0 ? -1 : 1);
            y = (1 - fabs(x)) * (y < 0 ? -1 : 1);
            x = u;
        }
        const double s = 1 / sqrt(x * x + y * y + z * z);
        assert_true(fabs(s * x - 0.6) < 2e-3 && fabs(s * y + 0.64) < 2e-3);
        assert_true(fabs(s * z - (i & 1 ? 0.48 : -0.48)) < 2e-3);
    }
    read_channel(&r, 3 * SERVE_RUN_TRIANGLES, corner);
    for (size_t i = 0; i < SERVE_RUN_TRIANGLES; i++)
        for (size_t k = 0; k < 3; k++) assert_int_equal(corner[3 * i + k], i % (SERVE_RUN_VERTICES - 2) + k);
    assert_int_equal(r.at, r.length);
    free(corner);
    packer_clear(&out);
    mem_free(ctx, bytes);
    rill_ctx_destroy(ctx);
}

/* Whatever is cut off or changed: a frame or a refusal, and nothing written on failure. */
static void damaged_files_are_refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int mesh = 0; mesh < 2; mesh++) {
        size_t length;
        char *bytes = file_bytes(ctx, mesh ? "surface_0000.ply" : "particles_0000.ply", &length);
        const encode_def def = {.name = "d", .column = "speed", .quantum = 5e-5, .mesh = mesh};
        for (size_t cut = 0; cut < length; cut += cut < 900 ? 1 : 997) {
            packer out;
            packer_init(&out, ctx);
            assert_int_equal(encode_frame(ctx, &def, bytes, cut, &out), RILL_BAD_FILE);
            assert_null(out.data);
        }
        for (uint32_t k = 0; k < 3000; k++) {
            const random4 r = random_at(11, k, (uint32_t)mesh, 0);
            const size_t at = r.v[0] % length;
            const char kept = bytes[at];
            bytes[at] = (char)r.v[1];
            packer out;
            packer_init(&out, ctx);
            const rill_status st = encode_frame(ctx, &def, bytes, length, &out);
            assert_true(st == RILL_OK || st == RILL_BAD_FILE);
            packer_clear(&out);
            bytes[at] = kept;
        }
        mem_free(ctx, bytes);
    }
    rill_ctx_destroy(ctx);
}

static rill_status encode_once(rill_ctx *ctx, void *user)
{
    const char *file = user;
    char *bytes;
    size_t length;
    TRY(file_read_all(ctx, file, 1 << 24, &bytes, &length));
    const encode_def def = {.name = "a", .column = "pressure", .quantum = 5e-5};
    packer out;
    packer_init(&out, ctx);
    const rill_status st = encode_frame(ctx, &def, bytes, length, &out);
    packer_clear(&out);
    mem_free(ctx, bytes);
    return st;
}

static void failed_allocations_come_back(void **state)
{
    (void)state;
    char path[400];
    snprintf(path, sizeof path, "%s/frames/particles_0000.ply", folder());
    assert_true(every_allocation_fails(1, encode_once, path) > 3);
}

/* ---- requests ---- */

static const char token[] = "0123456789abcdef0123456789abcdef", host[] = "127.0.0.1:8080";

static void open_server(server *s, rill_ctx *ctx)
{
    shown *one;
    assert_ok(ctx, serve_init(s, ctx));
    assert_int_equal(strlen(s->token), SERVE_TOKEN);
    strcpy(s->token, token);
    s->port = 8080;
    assert_ok(ctx, serve_add(s, folder(), false, &one));
}

static int code_of(server *s, const char *method, const char *path, const char *from, const char *origin)
{
    rill_ctx *ctx = test_ctx(1);
    reply r;
    const request q = {method, path, from, origin};
    answer(ctx, s, &q, &r);
    const int code = r.code;
    if (code != 200) assert_true(r.body.length > 10 && !r.blob && !r.file.data);
    reply_clear(&r);
    rill_ctx_destroy(ctx);
    return code;
}

static int get(server *s, const char *rest)
{
    char path[512];
    snprintf(path, sizeof path, "/%s/%s", token, rest);
    return code_of(s, "GET", path, host, NULL);
}

static void addresses_are_those_of_the_table(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    server *s = malloc(sizeof *s);
    open_server(s, ctx);
    static const char *const there[] = {"",
                                        "app.js",
                                        "worker.js",
                                        "style.css",
                                        "runs.json",
                                        "run/0/index.json",
                                        "run/0/scene.json",
                                        "run/0/frame/surface/0",
                                        "run/0/frame/particles/1/speed",
                                        "run/0/frame/particles/1/unknown",
                                        "run/0/stats/0",
                                        "run/0/gauges/1",
                                        "run/0/stats/999999999",
                                        "run/0/pick/particles/0/999",
                                        "run/0/solids.json",
                                        "run/0/poses",
                                        "run/0/solid/0/0",
                                        "run/0/solid/1/1"};
    for (size_t k = 0; k < sizeof there / sizeof *there; k++)
        if (get(s, there[k]) != 200) fail_msg("%s", there[k]);
    static const char *const not [] = {"../",
                                       "..",
                                       "%2e%2e/",
                                       "run/0/../0/index.json",
                                       "run/1/index.json",
                                       "run/-1/index.json",
                                       "run/0/index.json/",
                                       "run/0/index.json%00",
                                       "run//index.json",
                                       "run/0",
                                       "index.html",
                                       "run/0/frame/surface/2",
                                       "run/0/frame/surface/00000000000",
                                       "run/0/frame/surface/-1",
                                       "run/0/frame/etc/0",
                                       "run/0/frame/surface/0/..%2f",
                                       "run/0/frame/surface/0/a/b",
                                       "run/0/frame/surface/1e3",
                                       "run/0/solid/2/0",
                                       "run/0/frame/cells/0",
                                       "run/4294967296/index.json",
                                       "/",
                                       "//"};
    for (size_t k = 0; k < sizeof not / sizeof *not ; k++)
        if (get(s, not [k]) != 404) fail_msg("%s", not [k]);
    assert_int_equal(get(s, "run/0/pick/particles/0/1000"), 409);
    assert_int_equal(get(s, "run/0/stop"), 405);
    serve_clear(s);
    free(s);
    rill_ctx_destroy(ctx);
}

static void strangers_are_refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    server *s = malloc(sizeof *s);
    open_server(s, ctx);
    char page[64], stop[64], wrong[64];
    snprintf(page, sizeof page, "/%s/", token);
    snprintf(stop, sizeof stop, "/%s/run/0/stop", token);
    snprintf(wrong, sizeof wrong, "/%.31s0/", token);
    assert_int_equal(code_of(s, "GET", page, host, NULL), 200);
    assert_int_equal(code_of(s, "GET", page, "localhost:8080", NULL), 200);
    assert_int_equal(code_of(s, "GET", page, host, "http://127.0.0.1:8080"), 200);
    static const char *const hosts[] = {"evil.example:8080", "127.0.0.1", "127.0.0.1:80800",
                                        "127.0.0.1:8081",    "",          "127.0.0.1:8080 "};
    for (size_t k = 0; k < sizeof hosts / sizeof *hosts; k++)
        assert_int_equal(code_of(s, "GET", page, hosts[k], NULL), 403);
    assert_int_equal(code_of(s, "GET", page, NULL, NULL), 403);
    static const char *const origins[] = {"null", "http://evil.example", "https://127.0.0.1:8080",
                                          "http://127.0.0.1:8081"};
    for (size_t k = 0; k < sizeof origins / sizeof *origins; k++)
        assert_int_equal(code_of(s, "GET", page, host, origins[k]), 403);
    static const char *const paths[] = {"", "/", "/0123", "no", "/0123456789abcdef0123456789abcdef"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
        assert_int_equal(code_of(s, "GET", paths[k], host, NULL), 404);
    assert_int_equal(code_of(s, "GET", wrong, host, NULL), 404);
    /* Writing: with the page's origin alone, and where it makes sense. */
    assert_int_equal(code_of(s, "POST", stop, host, NULL), 403);
    assert_int_equal(code_of(s, "POST", stop, host, "http://127.0.0.1:8080"), 409);
    snprintf(stop, sizeof stop, "/%s/run/0/resume", token);
    assert_int_equal(code_of(s, "POST", stop, host, "http://127.0.0.1:8080"), 409); /* finished */
    assert_int_equal(code_of(s, "DELETE", page, host, NULL), 404);
    assert_int_equal(code_of(s, "POST", page, host, "http://127.0.0.1:8080"), 404);
    serve_clear(s);
    free(s);
    rill_ctx_destroy(ctx);
}

static void links_are_not_followed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    server *s = malloc(sizeof *s);
    open_server(s, ctx);
    char from[400], to[400];
    snprintf(from, sizeof from, "%s/frames/particles_0000.ply", folder());
    snprintf(to, sizeof to, "%s/frames/particles_0007.ply", folder());
    assert_int_equal(symlink(from, to), 0);
    assert_int_equal(get(s, "run/0/frame/particles/0"), 200);
    assert_int_equal(get(s, "run/0/frame/particles/7"), 404);
    assert_int_equal(get(s, "run/0/pick/particles/7/0"), 404);
    assert_int_equal(unlink(to), 0);
    serve_clear(s);
    free(s);
    rill_ctx_destroy(ctx);
}

static bool index_says(server *s, const char *what)
{
    rill_ctx *ctx = test_ctx(1);
    text t;
    text_init(&t, ctx);
    s->run[0].index_time = -1e9; /* not the kept one */
    assert_ok(ctx, shown_index(ctx, &s->run[0], &t));
    const bool there = strstr(t.data, what) != NULL;
    text_clear(&t);
    rill_ctx_destroy(ctx);
    return there;
}

static void folders_may_go_and_come_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    server *s = malloc(sizeof *s);
    open_server(s, ctx);
    char away[300];
    snprintf(away, sizeof away, "%s.away", folder());
    assert_true(index_says(s, "\"status\":\"finished\""));
    assert_true(
        index_says(s, "\"particles\":{\"frames\":[[0,1]],\"columns\":[\"speed\",\"color\",\"pressure\"]}"));
    assert_int_equal(rename(folder(), away), 0);
    assert_true(index_says(s, "\"status\":\"missing\""));
    assert_int_equal(get(s, "run/0/frame/particles/0"), 404);
    assert_int_equal(get(s, "run/0/stats/0"), 404);
    assert_int_equal(rename(away, folder()), 0);
    assert_true(index_says(s, "\"status\":\"finished\""));
    assert_int_equal(get(s, "run/0/frame/particles/0"), 200);
    serve_clear(s);
    free(s);
    rill_ctx_destroy(ctx);
}

/* The cache gives the same bytes, drops the oldest, and what is alive stays below the limit. */
static void blobs_are_shared_and_bounded(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    blobs *b = malloc(sizeof *b);
    blobs_init(b, ctx);
    for (int k = 0; k < 2 * BLOBS_CACHED; k++) {
        char key[32];
        uint8_t *data = mem_alloc(ctx, 100, 1);
        snprintf(key, sizeof key, "%d", k);
        blob *made = blob_take(b, data, 100);
        assert_non_null(made);
        blobs_keep(b, key, made);
        blob_release(made);
        blob *again = blobs_find(b, key);
        assert_ptr_equal(again, made);
        blob_release(again);
    }
    assert_null(blobs_find(b, "0"));
    assert_int_equal(atomic_load(&b->alive), 100 * BLOBS_CACHED);
    /* Lengths are what counts, so that the test need not have the memory. */
    blob *large = blob_take(b, mem_alloc(ctx, 1, 1), BLOBS_MOST - 100 * BLOBS_CACHED);
    assert_non_null(large);
    assert_null(blob_take(b, mem_alloc(ctx, 1, 1), 1));
    blob_release(large);
    blob *small = blob_take(b, mem_alloc(ctx, 1, 1), 1);
    assert_non_null(small);
    blob_release(small);
    blobs_clear(b);
    free(b);
    rill_ctx_destroy(ctx);
}

static int make_run(void **state)
{
    if (own_folder_make(state)) return -1;
    rill_ctx *ctx = test_ctx(1);
    const bool made = serve_run_make(ctx, folder());
    rill_ctx_destroy(ctx);
    return made ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_come_back),
        cmocka_unit_test(particles_are_where_they_were),
        cmocka_unit_test(colors_come_back),
        cmocka_unit_test(sizes_come_back),
        cmocka_unit_test(smoke_adds_up),
        cmocka_unit_test(surfaces_keep_corners_and_normals),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(failed_allocations_come_back),
        cmocka_unit_test(addresses_are_those_of_the_table),
        cmocka_unit_test(strangers_are_refused),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(folders_may_go_and_come_back),
        cmocka_unit_test(blobs_are_shared_and_bounded),
    };
    return cmocka_run_group_tests(tests, make_run, own_folder_remove);
}
