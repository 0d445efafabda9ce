/* Scenes of other versions, read as far as they are understood. */
#include "scene_text.h"
#include "support.h"

#include "run/registry.h"

#include <stdio.h>
#include <string.h>

static int warnings;
static char said[4096];

static void hear(void *user, rill_log_level level, const char *message)
{
    (void)user;
    if (level != RILL_LOG_WARNING) return;
    warnings++;
    const size_t used = strlen(said);
    if (used + strlen(message) + 2 <= sizeof said) sprintf(said + used, "%s\n", message);
}

static rill_status parse(rill_ctx *ctx, const char *content, bool tolerant, rill_scene *out)
{
    const scene_changes changes = {.tolerant = tolerant};
    warnings = 0;
    said[0] = 0;
    ctx->def.log = hear;
    return scene_parse(ctx, "run/scene.json", content, strlen(content), rill_methods, rill_method_count,
                       &changes, out);
}

static const char later[] =
    "{ \"rill\": 7, \"name\": \"tide\", \"spacing\": 0.1, \"tides\": { \"moon\": [1, 2] },\n"
    "  \"method\": \"lattice\", \"lattice\": { \"sites\": 19 }, \"sph\": { \"kernel\": \"quartic\" },\n"
    "  \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }, \"time\": { \"fps\": 25, \"zone\": \"utc\" "
    "},\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [1, 1, 1] } } } ],\n"
    "  \"solids\": [ { \"name\": \"a\", \"shape\": { \"torus\": { \"radius\": 1 } } },\n"
    "                { \"name\": \"b\", \"shape\": { \"sphere\": { \"center\": [1.5, 0.5, 0.5], \"radius\": "
    "0.2 } } },\n"
    "                { \"name\": \"c\", \"shape\": { \"mesh\": { \"file\": \"gone.obj\" } } } ] }";

static void what_is_known_is_read(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene s = {.version = 77};
    assert_int_equal(parse(ctx, later, false, &s), RILL_BAD_SCENE);
    assert_int_equal(s.version, 77);
    assert_int_equal(warnings, 0);

    assert_ok(ctx, parse(ctx, later, true, &s));
    assert_string_equal(s.name, "tide");
    assert_true(s.spacing == 0.1 && s.domain.max.x == 2 && s.time.fps == 25);
    assert_ptr_equal(s.method, rill_methods[0]);
    assert_int_equal(s.liquid_count, 1);
    assert_int_equal(s.solid_count, 1); /* one has a shape nobody knows, one a mesh that is gone */
    assert_string_equal(s.solids[0].name, "b");
    /* each once, with its place */
    assert_int_equal(warnings, 8);
    static const char *const about[] = {"scene.json:1:11: \"rill\"",
                                        "\"tides\"",
                                        "\"lattice\" is not a method",
                                        "\"zone\"",
                                        "\"quartic\"",
                                        "torus",
                                        "gone.obj"};
    for (size_t k = 0; k < sizeof about / sizeof *about; k++)
        if (!strstr(said, about[k])) fail_msg("nothing is said of %s in:\n%s", about[k], said);
    scene_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* What cannot be done without, and what is no scene at all. */
static void some_things_are_needed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    static const char *const bad[] = {
        "{ \"rill\": 1, \"spacing\": \"small\", \"domain\": { \"max\": [2, 1, 1] } }",
        "{ \"rill\": 1, \"spacing\": 0.1, \"domain\": { \"max\": [2, 1] } }",
        "{ \"rill\": 1, \"spacing\": 0.1, \"dimensions\": 4 }",
        "{ \"spacing\": 0.1 }",
        "[ 1, 2 ]",
        "{ \"rill\": 1, \"spacing\": 0.1",
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        rill_scene s = {.version = 77};
        assert_int_equal(parse(ctx, bad[k], true, &s), RILL_BAD_SCENE);
        assert_int_equal(s.version, 77);
        assert_non_null(strstr(rill_ctx_message(ctx), "scene.json:"));
    }
    rill_ctx_destroy(ctx);
}

/* A scene without faults is the same either way, to the hash. */
static void a_sound_scene_is_the_same(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    static const char sound[] =
        "{ \"rill\": 1, \"spacing\": 0.1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] },"
        "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [1, 1, 1] } } } ] }";
    rill_scene a, b;
    assert_ok(ctx, parse(ctx, sound, false, &a));
    assert_ok(ctx, parse(ctx, sound, true, &b));
    assert_int_equal(warnings, 0);
    assert_true(a.hash == b.hash);
    scene_clear(ctx, &a);
    scene_clear(ctx, &b);
    rill_ctx_destroy(ctx);
}

/* Many faults end, one way or the other. */
static void there_is_an_end_to_it(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    text t;
    text_init(&t, ctx);
    text_add(&t, "{ \"rill\": 1, \"spacing\": 0.1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }");
    for (int i = 0; i < 3000; i++) text_print(&t, ", \"new_%d\": %d", i, i);
    text_add(&t, " }");
    assert_ok(ctx, text_check(&t));
    rill_scene s = {0};
    assert_int_equal(parse(ctx, t.data, true, &s), RILL_BAD_SCENE);
    text_clear(&t);
    rill_ctx_destroy(ctx);
}

static rill_status parse_later(rill_ctx *ctx, const void *user, rill_scene *out)
{
    (void)user;
    return parse(ctx, later, true, out);
}

static void survives_failed_allocations(void **state)
{
    (void)state;
    failing_allocator f = {.fail_at = 0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    assert_true(scene_survives(ctx, &f, parse_later, NULL) > 50);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_is_read),       cmocka_unit_test(some_things_are_needed),
        cmocka_unit_test(a_sound_scene_is_the_same),   cmocka_unit_test(there_is_an_end_to_it),
        cmocka_unit_test(survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
