/* Checkpoints: exact, and any damage is seen. */
#include "folders.h"
#include "support.h"

#include "base/random.h"
#include "io/checkpoint.h"
#include "io/file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char path[128];

static int make_folder(void **state)
{
    if (own_folder_make(state)) return -1;
    snprintf(path, sizeof path, "%s", in_own_folder("0001.rill"));
    return 0;
}

static const checkpoint_head the_head = {"fake", 0x1234567890abcdefull, 0.25, 7, 123456789012ull, 1000, 77};

/* Compressible, random, empty and longer than a block. */
static void fill(rill_ctx *ctx, snapshot *s, size_t large)
{
    snapshot_init(s, ctx);
    double *zeros = mem_zero(ctx, large, sizeof *zeros);
    uint32_t *noise = mem_alloc(ctx, 1000, sizeof *noise);
    for (size_t i = 0; i < 1000; i++) noise[i] = random_at(1, i, 0, 0).v[0];
    for (size_t i = 0; i < large; i += 97) zeros[i] = (double)i;
    assert_ok(ctx, save_chunk(&s->writer, "field", SAVE_F64, large, zeros));
    assert_ok(ctx, save_chunk(&s->writer, "noise", SAVE_U32, 1000, noise));
    assert_ok(ctx, save_chunk(&s->writer, "none", SAVE_F32, 0, NULL));
    assert_ok(ctx, save_chunk(&s->writer, "byte", SAVE_U8, 1, "x"));
    mem_free(ctx, zeros);
    mem_free(ctx, noise);
}

static void same_state(const snapshot *a, const snapshot *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t k = 0; k < a->count; k++) {
        assert_string_equal(a->chunk[k].name, b->chunk[k].name);
        assert_int_equal(a->chunk[k].type, b->chunk[k].type);
        assert_int_equal(a->chunk[k].count, b->chunk[k].count);
        const size_t bytes = a->chunk[k].count * save_type_size(a->chunk[k].type);
        if (bytes) assert_memory_equal(a->chunk[k].data, b->chunk[k].data, bytes);
    }
}

static void comes_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const size_t sizes[] = {1, 1000, 1048576, 2500000}; /* the third is one block, exactly */
    for (size_t k = 0; k < 4; k++) {
        snapshot s, back;
        fill(ctx, &s, sizes[k]);
        snapshot_init(&back, ctx);
        assert_ok(ctx, checkpoint_write(ctx, path, &the_head, &s));
        checkpoint_head head;
        assert_ok(ctx, checkpoint_read(ctx, path, &head, &back));
        same_state(&s, &back);
        assert_string_equal(head.method, "fake");
        assert_true(head.scene_hash == the_head.scene_hash && head.time == 0.25 && head.frame == 7);
        assert_true(head.step == the_head.step && head.stats_bytes == 1000 && head.gauges_bytes == 77);
        snapshot_clear(&s);
        snapshot_clear(&back);
    }
    rill_ctx_destroy(ctx);
}

/* Every byte of a small file changed, every shorter file, and one longer. */
static void damage_is_seen(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    snapshot s, back;
    fill(ctx, &s, 50);
    snapshot_init(&back, ctx);
    assert_ok(ctx, save_chunk(&back.writer, "mine", SAVE_U8, 1, "y"));
    assert_ok(ctx, checkpoint_write(ctx, path, &the_head, &s));
    char *bytes;
    size_t n;
    assert_ok(ctx, file_read_all(ctx, path, 1 << 20, &bytes, &n));
    char other[160];
    snprintf(other, sizeof other, "%s/bad.rill", own_folder);
    checkpoint_head head = the_head;
    for (size_t i = 0; i < 2 * n + 1; i++) {
        FILE *f = fopen(other, "wb");
        if (i < n) {
            bytes[i] = (char)(bytes[i] ^ (1 << (i % 8)));
            fwrite(bytes, 1, n, f);
            bytes[i] = (char)(bytes[i] ^ (1 << (i % 8)));
        } else if (i < 2 * n) {
            fwrite(bytes, 1, i - n, f);
        } else {
            fwrite(bytes, 1, n, f);
            fputc(0, f);
        }
        fclose(f);
        if (i % 7 && i < 2 * n && i % n > 400 && i % n < n - 100) continue; /* the middle of the data: some */
        assert_int_equal(checkpoint_read(ctx, other, &head, &back), RILL_BAD_FILE);
        assert_int_equal(back.count, 1);
    }
    assert_int_equal(head.frame, 7);
    assert_int_equal(checkpoint_read(ctx, "/nowhere", &head, &back), RILL_BAD_FILE);
    assert_int_equal(checkpoint_read(ctx, own_folder, &head, &back), RILL_BAD_FILE);
    unlink(other);
    mem_free(ctx, bytes);
    snapshot_clear(&s);
    snapshot_clear(&back);
    rill_ctx_destroy(ctx);
}

static void full_disk(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    unlink(path);
    snapshot s;
    fill(ctx, &s, 50);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){3000, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const rill_status st = checkpoint_write(ctx, path, &the_head, &s);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(st, RILL_DISK);
    assert_false(file_exists(path));
    snapshot_clear(&s);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator a = {0};
    rill_ctx *ctx = test_ctx_failing(1, &a);
    snapshot s, back;
    fill(ctx, &s, 50);
    uint64_t live = a.live;
    for (uint64_t n = 1;; n++) {
        a.calls = 0;
        a.fail_at = n;
        const rill_status st = checkpoint_write(ctx, path, &the_head, &s);
        assert_int_equal(a.live, live);
        if (!st) break;
        assert_int_equal(st, RILL_NO_MEMORY);
    }
    for (uint64_t n = 1;; n++) {
        a.calls = 0;
        a.fail_at = n;
        snapshot_init(&back, ctx);
        checkpoint_head head;
        const rill_status st = checkpoint_read(ctx, path, &head, &back);
        assert_int_equal(back.count, st ? 0 : 4);
        snapshot_clear(&back);
        assert_int_equal(a.live, live);
        if (!st) break;
        assert_int_equal(st, RILL_NO_MEMORY);
    }
    a.fail_at = 0;
    snapshot_clear(&s);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(damage_is_seen),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, make_folder, own_folder_remove);
}
