/* Malformed scenes, made from sound ones of every method: cut after every token, a token
 * left out, twice, in place of its neighbour, or replaced by something else. Each is
 * refused with file, line, column and cause, or is a scene that prints, reads back as
 * itself and can be set up. */
#include "method_scenes.h"
#include "support.h"

#include "run/estimate.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct piece {
    size_t begin, end;
} piece;

enum { MOST_TOKENS = 2000 };

/* Strings, numbers, words and single marks. */
static size_t cut_up(const char *s, piece *out)
{
    size_t n = 0;
    for (size_t i = 0; s[i] && n < MOST_TOKENS;) {
        if (isspace((unsigned char)s[i])) {
            i++;
            continue;
        }
        size_t end = i + 1;
        if (s[i] == '"')
            for (; s[end] && s[end] != '"'; end++) {
            }
        if (s[i] == '"' && s[end]) end++;
        if (isalnum((unsigned char)s[i]) || s[i] == '-' || s[i] == '+')
            for (; isalnum((unsigned char)s[end]) || s[end] == '.' || s[end] == '-'; end++) {
            }
        out[n++] = (piece){i, end};
        i = end;
    }
    return n;
}

static const char *const replacements[] = {
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "0x10",
    "01",
    "1.",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"x\"",
    "[[[[[[]]]]]]",
    "{\"a\":{\"b\":1}}",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\xff\"",
    "'x'",
    "//",
    "\x01",
    "99999999",
    "0.00001",
    "1000000",
    "[0,0,0]",
    "[0,0]",
    "[1,2,3,4]",
    "-0",
    "2",
    "1",
    "\"sph\"",
};
enum { REPLACEMENTS = sizeof replacements / sizeof *replacements };

static unsigned made, tried, refused, accepted, set_up;

static bool names_its_place(const char *message)
{
    int line = 0, column = 0, n = 0;
    return sscanf(message, "scene.json:%d:%d: %n", &line, &column, &n) == 2 && line > 0 && column > 0 &&
           strlen(message) > (size_t)n + 5 && !strchr(message, '\n');
}

/* Prints and reads back as the same; what is small enough is set up and takes a step. */
static void use(rill_ctx *ctx, rill_scene *scene)
{
    text t;
    text_init(&t, ctx);
    scene_print(scene, &t);
    rill_scene again = {0};
    assert_ok(ctx, text_check(&t));
    assert_ok(ctx, scene_parse(ctx, "printed.json", t.data, t.length, rill_methods, rill_method_count, NULL,
                               &again));
    assert_true(again.hash == scene->hash);
    scene_clear(ctx, &again);
    text_clear(&t);

    run_estimate e;
    const rill_status st = run_estimate_make(ctx, scene, &e);
    if (st) assert_int_equal(st, RILL_BAD_SCENE); /* more particles than can be counted */
    if (st || e.elements > 3000 || tracers_most(scene) > 20000 || tried % 5) return;
    rill_sim *sim = NULL;
    const rill_status created = scene->method->create(ctx, scene, &sim);
    if (created) { /* as an emitter of more particles than can be counted */
        assert_true(created == RILL_BAD_SCENE || created == RILL_NO_MEMORY);
        assert_null(sim);
        return;
    }
    const rill_status step = sim->method->max_dt(sim) > 0 ? method_step(sim) : RILL_OK;
    if (step && step != RILL_BLEW_UP && step != RILL_NO_MEMORY)
        fail_msg("a step: status %d: %s", step, rill_ctx_message(ctx));
    sim->method->destroy(sim);
    set_up++;
}

static void attempt(rill_ctx *ctx, failing_allocator *a, const char *bytes, size_t length)
{
    const uint64_t live = a->live;
    rill_scene scene = {0};
    if (made++ % test_stride(7)) return;
    ctx->message[0] = 0;
    const rill_status st =
        scene_parse(ctx, "scene.json", bytes, length, rill_methods, rill_method_count, NULL, &scene);
    tried++;
    if (st == RILL_OK) {
        accepted++;
        use(ctx, &scene);
        scene_clear(ctx, &scene);
    } else {
        refused++;
        if (st != RILL_BAD_SCENE || !names_its_place(rill_ctx_message(ctx)))
            fail_msg("status %d, \"%s\" for:\n%.*s", st, rill_ctx_message(ctx), (int)length, bytes);
    }
    assert_int_equal(a->live, live);
}

/* The text with token i replaced by some bytes. */
static size_t with(const char *s, size_t length, piece t, const char *bytes, size_t n, char *out)
{
    memcpy(out, s, t.begin);
    memcpy(out + t.begin, bytes, n);
    memcpy(out + t.begin + n, s + t.end, length - t.end);
    return length + n - (t.end - t.begin);
}

static void every_token(void **state)
{
    (void)state;
    static piece token[MOST_TOKENS];
    static char changed[20000];
    for (const method_scene *which = method_scenes(); which->method; which++) {
        failing_allocator a = {0};
        rill_ctx *ctx = test_ctx_failing(1, &a);
        text t;
        method_scene_text(ctx, which, &t);
        const char *s = t.data;
        assert_true(t.length < sizeof changed / 2);
        const size_t n = cut_up(s, token);
        for (size_t i = 0; i < n; i++) {
            const size_t width = token[i].end - token[i].begin;
            attempt(ctx, &a, s, token[i].end);                                      /* cut after it */
            attempt(ctx, &a, s, token[i].begin + width / 2);                        /* and within it */
            attempt(ctx, &a, changed, with(s, t.length, token[i], "", 0, changed)); /* left out */
            char twice[600];
            if (2 * width + 1 < sizeof twice) {
                snprintf(twice, sizeof twice, "%.*s %.*s", (int)width, s + token[i].begin, (int)width,
                         s + token[i].begin);
                attempt(ctx, &a, changed, with(s, t.length, token[i], twice, strlen(twice), changed));
            }
            if (i > 0) /* the one before it in its place */
                attempt(ctx, &a, changed,
                        with(s, t.length, token[i], s + token[i - 1].begin,
                             token[i - 1].end - token[i - 1].begin, changed));
            for (size_t k = 0; k < REPLACEMENTS; k++)
                attempt(ctx, &a, changed,
                        with(s, t.length, token[i], replacements[k], strlen(replacements[k]), changed));
            if (s[token[i].begin] == '"' &&
                width > 3) { /* a slip of the pen: a letter doubled, dropped, changed */
                char slip[600];
                const char *from = s + token[i].begin;
                snprintf(slip, sizeof slip, "%.*s%c%s", 2, from, from[1], from + 2);
                attempt(ctx, &a, changed, with(s, t.length, token[i], slip, width + 1, changed));
                snprintf(slip, sizeof slip, "\"%s", from + 2);
                attempt(ctx, &a, changed, with(s, t.length, token[i], slip, width - 1, changed));
                snprintf(slip, sizeof slip, "\"%c%s", from[1] ^ 0x20, from + 2);
                attempt(ctx, &a, changed, with(s, t.length, token[i], slip, width, changed));
            }
        }
        attempt(ctx, &a, s, t.length); /* and the sound one */
        text_clear(&t);
        rill_ctx_destroy(ctx);
        assert_int_equal(a.live, 0);
    }
}

static int enough(void **state)
{
    (void)state;
    print_message("%u scenes: %u refused at their place, %u sound (%u of them set up)\n", tried, refused,
                  accepted, set_up);
    return refused >= 300 && accepted > 0 && set_up > 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_token),
    };
    return cmocka_run_group_tests_name("bad scenes", tests, NULL, enough);
}
