/* Files that are whole or not there. */
#include "support.h"

#include "io/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/rill_file_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static int k;
    k = (k + 1) % 4;
    snprintf(path[k], sizeof path[k], "%s/%s", folder, name);
    return path[k];
}

/* Whether a temporary file is in the folder, or in one inside it. */
static bool temporaries(const char *part)
{
    DIR *d = opendir(in_folder(part));
    bool found = false;
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        const size_t n = strlen(e->d_name);
        found = found || (e->d_name[0] == '.' && n > 4 && strcmp(e->d_name + n - 4, ".tmp") == 0);
    }
    if (d) closedir(d);
    return found;
}

static void appears_only_when_complete(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *path = in_folder("a.bin");
    out_file f;
    assert_ok(ctx, file_begin(ctx, path, &f));
    assert_ok(ctx, file_write(&f, "abc", 3));
    assert_ok(ctx, file_flush(&f));
    assert_false(file_exists(path));
    assert_true(temporaries("."));
    assert_ok(ctx, file_commit(&f));
    file_abandon(&f);
    assert_true(file_exists(path));
    assert_false(temporaries("."));
    assert_int_equal(file_length(path), 3);

    /* A second one that is given up leaves the first as it was. */
    assert_ok(ctx, file_begin(ctx, path, &f));
    assert_ok(ctx, file_write(&f, "xxxxxx", 6));
    file_abandon(&f);
    assert_false(temporaries("."));
    char *data;
    size_t n;
    assert_ok(ctx, file_read_all(ctx, path, 100, &data, &n));
    assert_int_equal(n, 3);
    assert_string_equal(data, "abc");
    mem_free(ctx, data);
    assert_int_equal(file_read_all(ctx, path, 2, &data, &n), RILL_BAD_FILE);
    assert_int_equal(file_read_all(ctx, folder, 100, &data, &n), RILL_BAD_FILE);
    assert_int_equal(file_read_all(ctx, in_folder("none"), 100, &data, &n), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "none"));
    rill_ctx_destroy(ctx);
}

static void large_writes_arrive_in_order(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    enum { N = 1000000 };
    uint8_t *bytes = mem_alloc(ctx, N, 1);
    for (size_t i = 0; i < N; i++) bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    const size_t piece[] = {1, 7, 262143, 262144, 262145, 3, 99999};
    out_file f;
    assert_ok(ctx, file_begin(ctx, in_folder("big"), &f));
    size_t at = 0;
    for (size_t k = 0; at < N; k++) {
        const size_t n = piece[k % 7] < N - at ? piece[k % 7] : N - at;
        assert_ok(ctx, file_write(&f, bytes + at, n));
        at += n;
    }
    assert_int_equal(f.length, N);
    assert_ok(ctx, file_commit(&f));
    file_abandon(&f);
    char *back;
    size_t n;
    assert_ok(ctx, file_read_all(ctx, in_folder("big"), N, &back, &n));
    assert_int_equal(n, N);
    assert_memory_equal(back, bytes, N);
    mem_free(ctx, back);
    mem_free(ctx, bytes);
    rill_ctx_destroy(ctx);
}

static void full_disk_leaves_nothing(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){100000, old.rlim_max};
    const char *path = in_folder("full");
    char *bytes = mem_zero(ctx, 300000, 1);
    setrlimit(RLIMIT_FSIZE, &small);
    const rill_status whole = file_write_all(ctx, path, bytes, 300000);
    char message[512];
    snprintf(message, sizeof message, "%s", rill_ctx_message(ctx));
    const rill_status grown = file_append(ctx, in_folder("log"), 0, bytes, 90000);
    const rill_status over = file_append(ctx, in_folder("log"), 90000, bytes, 90000);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(whole, RILL_DISK);
    assert_non_null(strstr(message, "full"));
    assert_non_null(strstr(message, "too large"));
    assert_false(file_exists(path));
    assert_false(temporaries("."));
    assert_int_equal(grown, RILL_OK);
    assert_int_equal(over, RILL_DISK);
    assert_int_equal(file_length(in_folder("log")), 90000);
    mem_free(ctx, bytes);

    /* The device that is always full says so at the first write, or the last. */
    out_file f;
    assert_int_equal(file_begin(ctx, "/nowhere/at/all", &f), RILL_DISK);
    rill_ctx_destroy(ctx);
}

static void growing_files_are_cut(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *path = in_folder("grow");
    assert_ok(ctx, file_append(ctx, path, 0, "one\n", 4));
    assert_ok(ctx, file_append(ctx, path, 4, "two\n", 4));
    assert_ok(ctx, file_append(ctx, path, 4, "three\n", 6));
    assert_ok(ctx, file_sync(ctx, path));
    char *data;
    size_t n;
    assert_ok(ctx, file_read_all(ctx, path, 100, &data, &n));
    assert_string_equal(data, "one\nthree\n");
    mem_free(ctx, data);
    rill_ctx_destroy(ctx);
}

static void folders(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    assert_ok(ctx, folder_create(ctx, in_folder("x/y//z/")));
    assert_ok(ctx, folder_create(ctx, in_folder("x/y/z")));
    assert_true(file_exists(in_folder("x/y/z")));
    assert_ok(ctx, file_write_all(ctx, in_folder("x/plain"), "", 0));
    assert_int_equal(folder_create(ctx, in_folder("x/plain")), RILL_DISK);
    assert_int_equal(folder_create(ctx, in_folder("x/plain/more")), RILL_DISK);
    assert_ok(ctx, file_write_all(ctx, in_folder("x/.stale.ply.tmp"), "a", 1));
    assert_ok(ctx, file_write_all(ctx, in_folder("x/kept.tmp"), "a", 1));
    assert_ok(ctx, folder_remove_temporaries(ctx, in_folder("x")));
    assert_ok(ctx, folder_remove_temporaries(ctx, in_folder("missing")));
    assert_false(file_exists(in_folder("x/.stale.ply.tmp")));
    assert_true(file_exists(in_folder("x/kept.tmp")));
    assert_ok(ctx, file_remove(ctx, in_folder("x/kept.tmp")));
    assert_ok(ctx, file_remove(ctx, in_folder("x/kept.tmp")));
    char *p = path_join(ctx, "a/", "b");
    assert_string_equal(p, "a/b");
    mem_free(ctx, p);
    p = path_join(ctx, "a", "b");
    assert_string_equal(p, "a/b");
    mem_free(ctx, p);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator a = {0};
    rill_ctx *ctx = test_ctx_failing(1, &a);
    const uint64_t live = a.live;
    for (uint64_t n = 1;; n++) {
        a.calls = 0;
        a.fail_at = n;
        const rill_status st = file_write_all(ctx, in_folder("mem"), "abc", 3);
        assert_int_equal(a.live, live);
        if (st == RILL_OK) break;
        assert_int_equal(st, RILL_NO_MEMORY);
        assert_false(temporaries("."));
    }
    a.fail_at = 0;
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appears_only_when_complete),
        cmocka_unit_test(large_writes_arrive_in_order),
        cmocka_unit_test(full_disk_leaves_nothing),
        cmocka_unit_test(growing_files_are_cut),
        cmocka_unit_test(folders),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("file", tests, make_folder, remove_folder);
}
