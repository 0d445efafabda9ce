/* Growing text: numbers that read back, JSON strings, failed allocations. */
#include "support.h"

#include "base/random.h"
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void assert_number(rill_ctx *ctx, double value, const char *expected)
{
    text t;
    text_init(&t, ctx);
    text_number(&t, value);
    assert_ok(ctx, text_check(&t));
    if (expected) assert_string_equal(t.data, expected);
    const double back = strtod(t.data, NULL);
    if (isfinite(value)) assert_memory_equal(&back, &value, sizeof value);
    text_clear(&t);
}

static void numbers_read_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    assert_number(ctx, 0, "0");
    assert_number(ctx, -0.0, "-0");
    assert_number(ctx, 0.1, "0.1");
    assert_number(ctx, -9.81, "-9.81");
    assert_number(ctx, 1e22, "1e+22");
    assert_number(ctx, 1.0 / 3, "0.3333333333333333");
    assert_number(ctx, 120, "120");
    assert_number(ctx, NAN, "null"); /* JSON has no other word for them */
    assert_number(ctx, INFINITY, "null");
    assert_number(ctx, DBL_MAX, NULL);
    assert_number(ctx, DBL_MIN, NULL);
    assert_number(ctx, DBL_TRUE_MIN, NULL);
    for (uint32_t i = 0; i < 20000; i++) { /* any bit pattern that is a number */
        const random4 r = random_at(11, i, 0, 0);
        const uint64_t bits = (uint64_t)r.v[0] << 32 | r.v[1];
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) assert_number(ctx, value, NULL);
    }
    rill_ctx_destroy(ctx);
}

/* The digits a search through all lengths finds. */
static void shortest_there_is(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (uint32_t i = 0; i < 20000; i++) {
        const random4 r = random_at(12, i, 0, 0);
        uint64_t bits = (uint64_t)r.v[0] << 32 | r.v[1];
        if (i % 4 == 1) bits &= ~(0x7ffull << 52) | 1ull << 52; /* subnormal, or the smallest normal ones */
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i % 4 == 2) value = (r.v[0] % 2000000 - 1e6) / 1000; /* few digits */
        if (i % 4 == 3) value = random_unit(r.v[0], r.v[1]);
        if (!isfinite(value) || value == floor(value)) continue;
        char expected[40];
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(expected, sizeof expected, "%.*g", digits, value);
            if (strtod(expected, NULL) == value) break;
        }
        assert_number(ctx, value, expected);
    }
    rill_ctx_destroy(ctx);
}

/* Sets a locale with a decimal comma, as a host might: hardly any is installed where tests
 * run, so it is laid down as the C library keeps them on the disk. False where that is not
 * taken. */
static bool set_comma_locale(void)
{
    static const unsigned char numeric[] =
        "\x14\x11\x03\x20\x06\0\0\0\x20\0\0\0\x22\0\0\0\x24\0\0\0\x28\0\0\0\x2c\0\0\0\x30\0\0\0"
        ",\0.\0\3\3\0\0,\0\0\0.\0\0\0UTF-8";
    char folder[] = "/tmp/rill_locale_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/xx_XX", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/xx_XX/LC_NUMERIC", folder);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(numeric, sizeof numeric, 1, f), 1);
    fclose(f);
    setenv("LOCPATH", folder, 1);
    const bool set = setlocale(LC_NUMERIC, "xx_XX") != NULL;
    unsetenv("LOCPATH");
    remove(path);
    snprintf(path, sizeof path, "%s/xx_XX", folder);
    rmdir(path);
    rmdir(folder);
    return set;
}

static void a_host_with_a_comma(void **state)
{
    (void)state;
    if (!set_comma_locale()) {
        print_message("no locale with a decimal comma can be had here\n");
        skip();
    }
    rill_ctx *ctx = test_ctx(1);
    char before[16], after[16];
    snprintf(before, sizeof before, "%.1f", 0.5);
    text t;
    text_init(&t, ctx);
    text_number(&t, -9.81);
    text_print(&t, " %.2f ", 0.25);
    text_number(&t, 1.0 / 3);
    const rill_status st = rill_fail(ctx, RILL_USAGE, "%g", 1.5);
    snprintf(after, sizeof after, "%.1f", 0.5);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(before, "0,5"); /* the test's own premise */
    assert_ok(ctx, text_check(&t));
    assert_string_equal(t.data, "-9.81 0.25 0.3333333333333333");
    assert_int_equal(st, RILL_USAGE);
    assert_string_equal(rill_ctx_message(ctx), "1.5");
    assert_string_equal(after, "0,5"); /* the host has its own again */
    text_clear(&t);
    rill_ctx_destroy(ctx);
}

static void quoting(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    text t;
    text_init(&t, ctx);
    text_quoted(&t, "a \"b\" \\ \n\t\r\x01 \xc3\xa9");
    assert_ok(ctx, text_check(&t));
    assert_string_equal(t.data, "\"a \\\"b\\\" \\\\ \\n\\t\\u000d\\u0001 \xc3\xa9\"");
    text_clear(&t);
    text_quoted(&t, "");
    assert_string_equal(t.data, "\"\"");
    text_clear(&t);
    assert_null(t.data);
    rill_ctx_destroy(ctx);
}

static void long_prints(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    char big[3000];
    for (size_t length = 500; length < sizeof big; length += 3) { /* around the small buffer's 512 */
        memset(big, 'y', length);
        big[length] = 0;
        text t;
        text_init(&t, ctx);
        text_print(&t, "<%s|%d>", big, 5);
        assert_int_equal(t.length, length + 4);
        assert_int_equal(strlen(t.data), t.length);
        assert_true(t.data[0] == '<' && strcmp(t.data + length + 1, "|5>") == 0);
        text_clear(&t);
    }
    rill_ctx_destroy(ctx);
}

static void write_much(text *t)
{
    for (int i = 0; i < 300; i++) text_print(t, "%d,", i);
    text_quoted(t, "words");
    char big[2000];
    memset(big, 'z', sizeof big - 1);
    big[sizeof big - 1] = 0;
    text_print(t, "%s", big);
    text_number(t, 0.5);
}

static void failures_are_kept(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    bool succeeded = false;
    for (uint64_t n = 1; !succeeded && n < 100; n++) {
        text t;
        text_init(&t, ctx);
        f.calls = 0;
        f.fail_at = n;
        write_much(&t);
        succeeded = f.calls < n;
        assert_int_equal(text_check(&t), succeeded ? RILL_OK : RILL_NO_MEMORY);
        if (t.data) assert_int_equal(strlen(t.data), t.length);
        text_clear(&t);
        assert_true(f.live == 1);
    }
    assert_true(succeeded);
    rill_ctx_destroy(ctx);
}

static void clock_goes_forward(void **state)
{
    (void)state;
    const double a = clock_seconds(), b = clock_seconds();
    assert_true(b >= a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_back),   cmocka_unit_test(shortest_there_is),
        cmocka_unit_test(a_host_with_a_comma), cmocka_unit_test(quoting),
        cmocka_unit_test(long_prints),         cmocka_unit_test(failures_are_kept),
        cmocka_unit_test(clock_goes_forward),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
