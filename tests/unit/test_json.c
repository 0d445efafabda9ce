/* The JSON reader against lists of texts RFC 8259 allows and forbids. */
#include "support.h"

#include "io/json.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static json_value *parse(rill_ctx *ctx, rill_arena *arena, const char *json)
{
    json_value *v = NULL;
    assert_ok(ctx, json_parse(ctx, arena, "t", json, strlen(json), &v));
    return v;
}

static void accepted(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-1",
        "1.5",
        "1e3",
        "1E+3",
        "1e-3",
        "0.0e0",
        "1e-400",
        "123456789012345678901234567890",
        " \t\r\n[ ] \n",
        "\"\"",
        "\"a\"",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\xc3\xa9\"",
        "\"\xf0\x9f\x98\x80\"",
        "\"\xef\xbf\xbf\"",
        "\"\x7f\"",
        "\"/* not a comment */\"",
        "[1,2,3]",
        "[[],{}]",
        "[null]",
        "{\"a\":1,\"A\":2}",
        "{\"\":0}",
        "{\"a\":{\"a\":{\"a\":[]}}}",
        "[1.7976931348623157e308]",
        "[\"\\u0001\"]",
    };
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) parse(ctx, &arena, texts[i]);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void refused(void **state)
{
    (void)state;
    /* text, place, part of the message */
    static const struct {
        const char *text, *place, *part;
    } cases[] = {
        {"", "1:1", "nothing"},
        {"  \n ", "2:2", "nothing"},
        {"\xef\xbb\xbf{}", "1:1", "byte order mark"},
        {"\xff\xfe{", "1:1", "UTF-16"},
        {"{", "1:2", "a key"},
        {"[", "1:2", "a value"},
        {"[1", "1:3", "',' or ']'"},
        {"[1,", "1:4", "text ends"},
        {"[1,]", "1:3", "comma"},
        {"[,1]", "1:2", "not ','"},
        {"[1 2]", "1:4", "',' or ']'"},
        {"[1,,2]", "1:4", "a value"},
        {"]", "1:1", "a value"},
        {"[1}", "1:3", "not '}'"},
        {"{\"a\":1,}", "1:7", "comma"},
        {"{\"a\" 1}", "1:6", "':'"},
        {"{\"a\":}", "1:6", "a value"},
        {"{a:1}", "1:2", "double quotes"},
        {"{'a':1}", "1:2", "double quotes"},
        {"{1:1}", "1:2", "double quotes"},
        {"['a']", "1:2", "single"},
        {"{\"a\":1 \"b\":2}", "1:8", "',' or '}'"},
        {"{\"a\":1,\n \"a\":2}", "2:2", "line 1 column 2"},
        {"{} {}", "1:4", "end of the text"},
        {"1 2", "1:3", "end of the text"},
        {"// x\n{}", "1:1", "comments"},
        {"{} // x", "1:4", "comments"},
        {"[1, /* x */ 2]", "1:5", "comments"},
        {"# x\n{}", "1:1", "comments"},
        {"NaN", "1:1", "NaN"},
        {"[Infinity]", "1:2", "Infinity"},
        {"[-Infinity]", "1:3", "digit"},
        {"True", "1:1", "True"},
        {"nul", "1:1", "nul"},
        {"nulll", "1:1", "nulll"},
        {"+1", "1:1", "'+'"},
        {".5", "1:1", "'.'"},
        {"5.", "1:3", "after the point"},
        {"[1.e3]", "1:4", "after the point"},
        {"1e", "1:3", "exponent"},
        {"1e+", "1:4", "exponent"},
        {"-", "1:2", "digit"},
        {"01", "1:1", "begin with 0"},
        {"-01", "1:1", "begin with 0"},
        {"0x10", "1:2", "end of the text"},
        {"1_000", "1:2", "end of the text"},
        {"1,5", "1:2", "end of the text"},
        {"1e999", "1:1", "too large"},
        {"[-1e309]", "1:2", "too large"},
        {"\"abc", "1:1", "not closed"},
        {"\"abc\\", "1:1", "not closed"},
        {"\"a\nb\"", "1:1", "not closed on its line"},
        {"\"a\tb\"", "1:3", "control"},
        {"\"\x01\"", "1:2", "control"},
        {"\"\\x41\"", "1:2", "backslash"},
        {"\"a\\'\"", "1:3", "backslash"},
        {"\"\\u12\"", "1:2", "four"},
        {"\"\\u12g4\"", "1:2", "four"},
        {"\"\\u0000\"", "1:2", "not allowed"},
        {"\"\\ud83d\"", "1:2", "first half"},
        {"\"\\ud83dx\"", "1:2", "first half"},
        {"\"\\ud83d\\u0041\"", "1:2", "first half"},
        {"\"\\ude00\"", "1:2", "second half"},
        {"\"\xe9\"", "1:2", "UTF-8"},
        {"\"\xc0\xaf\"", "1:2", "UTF-8"},         /* overlong */
        {"\"\xe0\x80\x80\"", "1:2", "UTF-8"},     /* overlong */
        {"\"\xed\xa0\x80\"", "1:2", "UTF-8"},     /* surrogate */
        {"\"\xf4\x90\x80\x80\"", "1:2", "UTF-8"}, /* above U+10FFFF */
        {"\"\xf5\x80\x80\x80\"", "1:2", "UTF-8"},
        {"\"\xc3\"", "1:2", "UTF-8"}, /* cut */
        {"\"\x80\"", "1:2", "UTF-8"}, /* continuation alone */
        {"{\"a\": \xe2\x80\x9cx\xe2\x80\x9d}", "1:7", "\xe2\x80\x9c"},
        {"\x0c{}", "1:1", "byte 0x0c"}, /* form feed is not white space */
        {"\xc2\xa0{}", "1:1", "a value"},
        {"{\"\xc3\xa9\xc3\xa9\": x}", "1:8", "x is not"}, /* columns are characters */
    };
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_value *v = (json_value *)&arena;
        const rill_status st = json_parse(ctx, &arena, "t", cases[i].text, strlen(cases[i].text), &v);
        if (st != RILL_BAD_SCENE) fail_msg("case %zu: status %d: %s", i, st, cases[i].text);
        assert_ptr_equal(v, &arena);
        char place[32];
        snprintf(place, sizeof place, "t:%s: ", cases[i].place);
        const char *message = rill_ctx_message(ctx);
        if (strncmp(message, place, strlen(place)) != 0 || !strstr(message, cases[i].part))
            fail_msg("case %zu: expected %s...%s..., got: %s", i, place, cases[i].part, message);
        assert_null(strchr(message, '\n'));
        arena_reset(&arena);
    }
    /* A byte of zero, anywhere */
    json_value *v;
    assert_int_equal(json_parse(ctx, &arena, "t", "[1,\0]", 5, &v), RILL_BAD_SCENE);
    assert_int_equal(json_parse(ctx, &arena, "t", "\"a\0b\"", 5, &v), RILL_BAD_SCENE);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void limits(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    char deep[2 * JSON_MAX_DEPTH + 4] = {0};
    json_value *v;
    for (int extra = 0; extra <= 1; extra++) {
        const int n = JSON_MAX_DEPTH + extra;
        memset(deep, '[', (size_t)n);
        memset(deep + n, ']', (size_t)n);
        const rill_status st = json_parse(ctx, &arena, "t", deep, (size_t)(2 * n), &v);
        assert_int_equal(st, extra ? RILL_BAD_SCENE : RILL_OK);
    }
    assert_non_null(strstr(rill_ctx_message(ctx), "t:1:65: "));

    /* Many members: quick, and a duplicate among them is found. */
    enum { MANY = 100000 };
    text t;
    text_init(&t, ctx);
    text_add(&t, "{");
    for (int i = 0; i < MANY; i++) text_print(&t, "\"k%d\":%d,\n", i, i);
    const size_t before = t.length;
    text_add(&t, "\"last\":0}");
    assert_ok(ctx, json_parse(ctx, &arena, "t", t.data, t.length, &v));
    assert_int_equal(v->count, MANY + 1);
    t.length = before;
    text_add(&t, "\"k777\":0}");
    assert_int_equal(json_parse(ctx, &arena, "t", t.data, t.length, &v), RILL_BAD_SCENE);
    assert_non_null(strstr(rill_ctx_message(ctx), "t:100001:1: "));
    assert_non_null(strstr(rill_ctx_message(ctx), "line 778 column 1"));

    /* Too many values, too many bytes. */
    text_clear(&t);
    text_add(&t, "[0");
    for (int i = 0; i < JSON_MAX_VALUES; i++) text_add(&t, ",0");
    text_add(&t, "]");
    arena_clear(&arena);
    assert_int_equal(json_parse(ctx, &arena, "t", t.data, t.length, &v), RILL_BAD_SCENE);
    assert_non_null(strstr(rill_ctx_message(ctx), "values"));
    assert_int_equal(json_parse(ctx, &arena, "t", t.data, (size_t)JSON_MAX_BYTES + 1, &v), RILL_BAD_SCENE);
    text_clear(&t);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void values_and_places(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    const json_value *v = parse(ctx, &arena,
                                "{ \"a\": [1, -2.5e1,\n   true],\r\n"
                                "\t\"\\u00e9\": { \"t\": \"x\\ud83d\\ude00\\n\" }, \"n\": null }");
    assert_int_equal(v->kind, JSON_OBJECT);
    assert_int_equal(v->count, 3);
    assert_true(v->line == 1 && v->column == 1 && !v->key && !v->source);
    const json_value *a = json_find(v, "a");
    assert_true(a->line == 1 && a->column == 8 && a->key_line == 1 && a->key_column == 3);
    assert_int_equal(a->count, 3);
    assert_true(a->child->number == 1 && a->child->next->number == -25);
    assert_true(a->child->next->next->boolean && a->child->next->next->line == 2);
    assert_int_equal(a->child->next->next->column, 4);
    assert_null(a->child->next->next->next);
    const json_value *e = json_find(v, "\xc3\xa9");
    assert_true(e->key_line == 3 && e->key_column == 2 && e->column == 12);
    assert_string_equal(json_find(e, "t")->string, "x\xf0\x9f\x98\x80\n");
    assert_int_equal(json_find(v, "n")->kind, JSON_NULL);
    assert_null(json_find(v, "b"));
    assert_null(json_find(a, "b"));
    assert_null(json_find(NULL, "b"));
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

/* Every number written by text_number reads back the same; and in a locale with a
 * decimal comma too, where the machine has one. */
static void numbers(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    static const double cases[] = {0.1,     -9.81, 1e-300,   4.9e-324, 1.7976931348623157e308,
                                   1.0 / 3, 1e22,  123456789};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text t;
        text_init(&t, ctx);
        text_number(&t, cases[i]);
        assert_true(parse(ctx, &arena, t.data)->number == cases[i]);
        text_clear(&t);
    }
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        assert_true(parse(ctx, &arena, "[0.5]")->child->number == 0.5);
        setlocale(LC_NUMERIC, "C");
    }
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void set_values(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    json_value *v = parse(ctx, &arena, "{\"a\": [1, {\"b\": 2}], \"c\": 3}");
    assert_ok(ctx, json_set(ctx, &arena, v, "a[1].b", "[4, 5]"));
    assert_ok(ctx, json_set(ctx, &arena, v, "c", "cubic"));
    assert_ok(ctx, json_set(ctx, &arena, v, "d.e.f", "true"));
    assert_ok(ctx, json_set(ctx, &arena, v, "g", "\"1\""));
    assert_ok(ctx, json_set(ctx, &arena, v, "h", "two words \"quoted\""));
    const json_value *b = json_find(json_find(v, "a")->child->next, "b");
    assert_true(b->kind == JSON_ARRAY && b->count == 2 && b->line == 0 && b->child->next->number == 5);
    assert_string_equal(b->source, "--set a[1].b=[4, 5]");
    assert_string_equal(b->child->source, "--set a[1].b=[4, 5]");
    assert_string_equal(json_find(v, "c")->string, "cubic");
    assert_int_equal(json_find(v, "c")->key_line, 1);
    assert_true(json_find(json_find(json_find(v, "d"), "e"), "f")->boolean);
    assert_string_equal(json_find(v, "g")->string, "1");
    assert_string_equal(json_find(v, "h")->string, "two words \"quoted\"");
    assert_int_equal(v->count, 5);

    static const struct {
        const char *path, *value;
        rill_status status;
    } bad[] = {
        {"", "1", RILL_USAGE},         {".a", "1", RILL_USAGE},        {"a.", "1", RILL_USAGE},
        {"a b", "1", RILL_USAGE},      {"a[", "1", RILL_USAGE},        {"a[x]", "1", RILL_USAGE},
        {"a[-1]", "1", RILL_USAGE},    {"a[0", "1", RILL_USAGE},       {"a[99999999]", "1", RILL_USAGE},
        {"a[2]", "1", RILL_BAD_SCENE}, {"g[0]", "1", RILL_BAD_SCENE},  {"g.x", "1", RILL_BAD_SCENE},
        {"c", "[1,", RILL_BAD_SCENE},  {"c", "1.2.3", RILL_BAD_SCENE}, {"c", "\xff", RILL_BAD_SCENE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(json_set(ctx, &arena, v, bad[i].path, bad[i].value), bad[i].status);
        assert_non_null(strstr(rill_ctx_message(ctx), "--set "));
    }
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void shown(void **state)
{
    (void)state;
    assert_string_equal(json_show("plain").text, "plain");
    assert_string_equal(json_show("a\nb\x1b[0m").text, "a?b?[0m");
    char longer[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_true(strlen(json_show(longer).text) < sizeof(json_shown));
    for (size_t i = 0; i + 2 < sizeof longer - 1; i += 2) memcpy(longer + i, "\xc3\xa9", 2);
    const json_shown cut = json_show(longer);
    assert_non_null(strstr(cut.text, "..."));
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    text t;
    text_init(&t, ctx);
    text_add(&t, "{\"list\": [0");
    for (int i = 0; i < 2000; i++) text_print(&t, ",{\"a\":%d}", i);
    text_add(&t, "]}");
    const uint64_t before = f.live;
    rill_status st = RILL_NO_MEMORY;
    for (uint64_t n = 1; st != RILL_OK && n < 100; n++) {
        rill_arena arena;
        json_value *v = NULL;
        arena_init(&arena, ctx);
        f.calls = 0;
        f.fail_at = n;
        f.sticky = true;
        st = json_parse(ctx, &arena, "t", t.data, t.length, &v);
        if (!st) st = json_set(ctx, &arena, v, "a.b", "some words");
        if (st) assert_int_equal(st, RILL_NO_MEMORY);
        arena_clear(&arena);
        assert_int_equal(f.live, before);
    }
    assert_int_equal(st, RILL_OK);
    f.fail_at = 0;
    text_clear(&t);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted), cmocka_unit_test(refused),
        cmocka_unit_test(limits),   cmocka_unit_test(values_and_places),
        cmocka_unit_test(numbers),  cmocka_unit_test(set_values),
        cmocka_unit_test(shown),    cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
