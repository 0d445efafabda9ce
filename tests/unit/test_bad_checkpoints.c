/* Damaged checkpoints, made from sound ones of every method: cut, extended, changed bit by
 * bit, and changed with every hash made right again, down to files that are sound in form
 * and absurd in content. Each is refused with its name and the cause, or loaded and stepped
 * without harm. */
#include "checkpoint_bytes.h"
#include "method_scenes.h"
#include "support.h"

#include "io/checkpoint.h"
#include "io/file.h"
#include "run/run.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned prepared, files, refused, loaded;

typedef struct bench {
    failing_allocator allocator;
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    snapshot start; /* what the simulation goes back to */
    double time;
    uint8_t *data; /* the sound file */
    size_t size;
    int fd; /* a file in memory that the damaged ones are written to */
    char path[64];
} bench;

static void set_file(bench *b, const uint8_t *data, size_t size)
{
    assert_int_equal(ftruncate(b->fd, 0), 0);
    assert_true(pwrite(b->fd, data, size, 0) == (ssize_t)size);
}

static void bench_open(bench *b, const method_scene *which)
{
    *b = (bench){0};
    b->ctx = test_ctx_failing(1, &b->allocator);
    b->scene = method_scene_read(b->ctx, which, NULL);
    b->sim = method_create(b->ctx, &b->scene);
    method_steps(b->sim, 10);
    b->time = b->sim->time;
    snapshot_init(&b->start, b->ctx);
    assert_ok(b->ctx, sim_save(b->sim, &b->start.writer));
    b->fd = memfd_create("checkpoint", 0);
    assert_true(b->fd >= 0);
    snprintf(b->path, sizeof b->path, "/proc/self/fd/%d", b->fd);

    char name[] = "/tmp/rill_bad_checkpoint_XXXXXX";
    const int made = mkstemp(name);
    assert_true(made >= 0);
    close(made);
    checkpoint_head head = {.time = b->time, .frame = 3, .step = b->sim->step};
    snprintf(head.method, sizeof head.method, "%s", which->method->name);
    assert_ok(b->ctx, checkpoint_write(b->ctx, name, &head, &b->start));
    char *bytes = NULL;
    assert_ok(b->ctx, file_read_all(b->ctx, name, 1 << 30, &bytes, &b->size));
    b->data = (uint8_t *)bytes;
    unlink(name);
}

static void bench_close(bench *b)
{
    close(b->fd);
    mem_free(b->ctx, b->data);
    snapshot_clear(&b->start);
    b->sim->method->destroy(b->sim);
    scene_clear(b->ctx, &b->scene);
    rill_ctx_destroy(b->ctx);
    assert_int_equal(b->allocator.live, 0);
}

/* What was read goes to the method, which refuses it or steps on with it. */
static rill_status use(bench *b, const snapshot *read)
{
    rill_sim *sim = b->sim;
    rill_status st = sim_load(sim, sim->time, sim->step, (rill_reader *)&read->reader);
    const double limit = 1e4;
    for (int k = 0; k < 3 && !st; k++) {
        const double dt = sim->method->max_dt(sim);
        if (!(dt > 0)) return RILL_BLEW_UP; /* as the driver says */
        const run_before before = check_before(sim);
        st = method_step(sim);
        if (!st) st = check_after(sim, &before, limit);
    }
    return st;
}

/* Whether this one of the many is tried. */
static bool chosen(void)
{
    return prepared++ % test_stride(5) == 0;
}

/* Reads the file that was set and uses what it holds. */
static rill_status attempt(bench *b, const char *what, int k)
{
    const uint64_t live = b->allocator.live;
    snapshot read;
    snapshot_init(&read, b->ctx);
    checkpoint_head head;
    rill_status st = checkpoint_read(b->ctx, b->path, &head, &read);
    if (st == RILL_BAD_FILE && strncmp(rill_ctx_message(b->ctx), b->path, strlen(b->path)) != 0)
        fail_msg("%s %d: the message does not name the file: %s", what, k, rill_ctx_message(b->ctx));
    if (st && read.count != 0) fail_msg("%s %d: refused, but something was handed out", what, k);
    files++;
    const bool accepted = st == RILL_OK;
    if (accepted) st = use(b, &read);
    if (st && st != RILL_BAD_FILE && st != RILL_BLEW_UP && st != RILL_NO_MEMORY)
        fail_msg("%s %d: status %d: %s", what, k, st, rill_ctx_message(b->ctx));
    refused += st == RILL_BAD_FILE;
    loaded += accepted;
    snapshot_clear(&read);
    if (accepted) { /* and back to sense, as resuming goes on to the next checkpoint */
        assert_ok(b->ctx, sim_load(b->sim, b->time, 10, &b->start.reader));
    } else {
        assert_int_equal(b->allocator.live, live);
    }
    return st;
}

static void attempt_bytes(bench *b, uint8_t *data, size_t size, bool repair, bool must, const char *what,
                          int k)
{
    if (!chosen()) return;
    if (repair) checkpoint_repair(data, size);
    set_file(b, data, size);
    const rill_status st = attempt(b, what, k);
    if (must && st != RILL_BAD_FILE) fail_msg("%s %d: accepted (status %d)", what, k, st);
}

static uint8_t *copy(bench *b)
{
    uint8_t *data = mem_alloc(b->ctx, b->size + 4096, 1);
    assert_non_null(data);
    memcpy(data, b->data, b->size);
    memset(data + b->size, 0xA5, 4096);
    return data;
}

static void cut_and_extended(bench *b)
{
    size_t offset[64];
    const size_t n = checkpoint_chunks(b->data, b->size, offset, 64);
    assert_true(n > 3 && offset[n] + CKPT_END == b->size); /* our own idea of the file is right */
    uint8_t *data = copy(b);
    int k = 0;
    for (size_t c = 0; c <= n; c++)
        for (int by = -1; by <= 1; by++)
            attempt_bytes(b, data, offset[c] + (size_t)by, false, true, "cut at", (int)offset[c] + by);
    const size_t ends[] = {
        0, 1, 7, 8, 16, 95, 103, b->size - 1, b->size - 8, b->size - 16, b->size + 1, b->size + 4096};
    for (; k < (int)(sizeof ends / sizeof *ends); k++)
        for (int repair = 0; repair < 2; repair++) {
            memcpy(data, b->data, b->size);
            attempt_bytes(b, data, ends[k], repair, true, "size", (int)ends[k]);
        }
    mem_free(b->ctx, data);
}

static void changed_bits(bench *b)
{
    uint8_t *data = copy(b);
    const size_t step = b->size / 180 + 1;
    for (size_t at = 0; at < b->size; at += at < CKPT_HEAD ? 3 : step) {
        const uint8_t bit = (uint8_t)(1u << (at % 8));
        data[at] ^= bit;
        attempt_bytes(b, data, b->size, false, true, "bit at", (int)at);
        data[at] ^= bit;
    }
    mem_free(b->ctx, data);
}

/* A number of the file changed, and all hashes made right for it. */
static void edit(bench *b, size_t at, const void *value, size_t bytes, bool must, const char *what)
{
    uint8_t *data = copy(b);
    memcpy(data + at, value, bytes);
    attempt_bytes(b, data, b->size, true, must, what, (int)at);
    mem_free(b->ctx, data);
}

static void edited_heads(bench *b)
{
    static const uint32_t versions[] = {0, 2, 1000, UINT32_MAX};
    for (int k = 0; k < 4; k++) edit(b, HEAD_VERSION, &versions[k], 4, true, "version");
    size_t offset[64];
    const uint32_t n = (uint32_t)checkpoint_chunks(b->data, b->size, offset, 64);
    const uint32_t counts[] = {0, 1, n - 1, n + 1, 1000, 1001, 1u << 31, UINT32_MAX};
    for (int k = 0; k < 8; k++) edit(b, HEAD_CHUNKS, &counts[k], 4, true, "number of chunks");
    char endless[32];
    memset(endless, 'x', sizeof endless);
    edit(b, HEAD_METHOD, endless, sizeof endless, true, "method without an end");
    const uint64_t frame = (uint64_t)1 << 32;
    edit(b, HEAD_FRAME, &frame, 8, true, "frame");
    edit(b, 0, "RILLMSH", 8, true, "magic");
}

static void edited_chunks(bench *b)
{
    size_t offset[64];
    const size_t n = checkpoint_chunks(b->data, b->size, offset, 64);
    for (size_t c = 0; c < n; c++) {
        const size_t at = offset[c];
        uint32_t type;
        uint64_t count;
        memcpy(&type, b->data + at + CHUNK_TYPE, 4);
        memcpy(&count, b->data + at + CHUNK_COUNT, 8);
        for (uint32_t t = 0; t < 8; t++)
            if (t != type) edit(b, at + CHUNK_TYPE, &t, 4, t >= SAVE_TYPES, "type");
        const uint32_t one = 1, wild = UINT32_MAX;
        edit(b, at + CHUNK_TYPE, &wild, 4, true, "type");
        edit(b, at + CHUNK_ZERO, &one, 4, true, "padding");
        const uint64_t counts[] = {
            0, count + 1, count - 1, 2 * count, (uint64_t)1 << 32, (uint64_t)1 << 61, UINT64_MAX, 3000000000};
        for (int k = 0; k < 8; k++)
            if (counts[k] != count) edit(b, at + CHUNK_COUNT, &counts[k], 8, count > 0, "count");
        char endless[48];
        memset(endless, 'n', sizeof endless);
        edit(b, at + CHUNK_NAME, endless, 48, true, "name without an end");
        edit(b, at + CHUNK_NAME, "", 1, true, "no name");
        if (c > 0) edit(b, at + CHUNK_NAME, b->data + offset[c - 1], 48, true, "a name twice");
        if (count == 0) continue;
        uint32_t block[2];
        memcpy(block, b->data + at + CKPT_CHUNK, 8);
        const uint32_t sizes[][2] = {
            {block[0] + 1, block[1]}, {block[0], block[1] - 1}, {block[0], block[1] + 1}, {0, 0},
            {UINT32_MAX, block[1]},   {block[0], UINT32_MAX},   {block[1], block[1]},     {block[0], 0}};
        for (int k = 0; k < 8; k++)
            if (memcmp(sizes[k], block, 8) != 0)
                edit(b, at + CKPT_CHUNK, sizes[k], 8, true, "size of a block");
        if (block[1] > 16 && block[1] < block[0]) /* compressed data that are none */
            edit(b, at + CKPT_CHUNK + CKPT_BLOCK + 4, "garbage garbage", 8, false, "compressed data");
    }
}

/* Sound in form: the numbers of one chunk become something no simulation saves. */
static void absurd_contents(bench *b)
{
    static const double f64[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e12, -1e7, 5e-324};
    static const float f32[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e12f, -1e7f, 1e-45f};
    static const uint64_t u64[] = {0,          1,          UINT64_MAX,     UINT64_MAX - 1,
                                   1ull << 63, 1ull << 32, 12345678901ull, 7};
    for (size_t c = 0; c < b->start.count; c++)
        for (int v = 0; v < 8; v++)
            for (int where = 0; where < 2; where++) { /* one value, all values */
                if (!chosen()) continue;
                snapshot evil;
                snapshot_init(&evil, b->ctx);
                for (size_t k = 0; k < b->start.count; k++) {
                    const snapshot_chunk *from = &b->start.chunk[k];
                    assert_ok(b->ctx,
                              save_chunk(&evil.writer, from->name, from->type, from->count, from->data));
                }
                snapshot_chunk *to = &evil.chunk[c];
                for (uint64_t i = where ? 0 : to->count / 2;
                     i < (where ? to->count : to->count / 2 + 1) && to->count; i++) {
                    if (to->type == SAVE_F64) ((double *)to->data)[i] = f64[v];
                    if (to->type == SAVE_F32) ((float *)to->data)[i] = f32[v];
                    if (to->type == SAVE_U64) ((uint64_t *)to->data)[i] = u64[v];
                    if (to->type == SAVE_U32) ((uint32_t *)to->data)[i] = (uint32_t)u64[v];
                    if (to->type == SAVE_I32) ((int32_t *)to->data)[i] = (int32_t)u64[v];
                    if (to->type == SAVE_U8) ((uint8_t *)to->data)[i] = (uint8_t)u64[v];
                }
                files++;
                const rill_status st = use(b, &evil);
                if (st && st != RILL_BAD_FILE && st != RILL_BLEW_UP && st != RILL_NO_MEMORY)
                    fail_msg("\"%s\", value %d: status %d: %s", to->name, v, st, rill_ctx_message(b->ctx));
                refused += st == RILL_BAD_FILE;
                loaded += st != RILL_BAD_FILE;
                snapshot_clear(&evil);
                assert_ok(b->ctx, sim_load(b->sim, b->time, 10, &b->start.reader));
            }
}

static void all_methods(void (*attack)(bench *), const char *name)
{
    const unsigned before = files, refused_before = refused;
    for (const method_scene *which = method_scenes(); which->method; which++) {
        bench b;
        bench_open(&b, which);
        const uint64_t good = method_hash(b.sim);
        attack(&b);
        assert_true(method_hash(b.sim) == good);
        bench_close(&b);
    }
    print_message("%s: %u files, %u refused\n", name, files - before, refused - refused_before);
}

#define ATTACK(name)                      \
    static void test_##name(void **state) \
    {                                     \
        (void)state;                      \
        all_methods(name, #name);         \
    }
ATTACK(cut_and_extended)
ATTACK(changed_bits)
ATTACK(edited_heads)
ATTACK(edited_chunks)
ATTACK(absurd_contents)

static int enough(void **state)
{
    (void)state;
    print_message("%u malformed checkpoints: %u refused, %u loaded without harm\n", files, refused, loaded);
    return refused >= 300 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_and_extended), cmocka_unit_test(test_changed_bits),
        cmocka_unit_test(test_edited_heads),     cmocka_unit_test(test_edited_chunks),
        cmocka_unit_test(test_absurd_contents),
    };
    return cmocka_run_group_tests_name("bad checkpoints", tests, NULL, enough);
}
