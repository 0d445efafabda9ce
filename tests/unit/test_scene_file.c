/* Scene files: values, messages, round trips, changes, failing memory, damaged bytes.
 * Malformed scenes as a user would write them are in tests/robust/scenes. */
#include "scene_text.h"

#include "base/random.h"
#include "io/json.h"
#include "run/registry.h"
#include "sph/core/def.h"
#include "sph/sph.h"

#include <stdio.h>
#include <string.h>

static const char minimal[] =
    "{ \"rill\": 1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }, \"spacing\": 0.05,\n"
    "  \"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [1, 0.5, 0.5], \"radius\": 0.3 } } } ] }\n";

/* Something of everything. */
static const char rich[] =
    "{\n"
    "  \"rill\": 1, \"name\": \"caf\\u00e9 \\\"\\ud83d\\ude00\\\"\",\n"
    "  \"domain\": { \"min\": [-1, 0, 0.1], \"max\": [2, 1.25, 1], \"open\": [\"+y\", \"-x\"] },\n"
    "  \"spacing\": 0.021, \"gravity\": [0.1, -9.7, -0.0],\n"
    "  \"time\": { \"fps\": 23.976, \"frames\": 7 }, \"fluid\": { \"viscosity\": 1e-3, \"density\": 998.2 "
    "},\n"
    "  \"method\": \"sph\", \"sph\": { \"kernel\": \"wendland\", \"support\": 2.4 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [0.6, 0.6, 1] } },\n"
    "                 \"velocity\": { \"field\": \"rotation\", \"angular_velocity\": [0, 1, 0], \"center\": "
    "[0.3, 0, 0.5] } },\n"
    "              { \"shape\": { \"difference\": [ { \"union\": [ { \"sphere\": { \"center\": [1, 0.5, "
    "0.5], \"radius\": 0.3 } },\n"
    "                                                    { \"capsule\": { \"from\": [1, 0, 0.5], \"to\": [1, "
    "1, 0.5], \"radius\": 0.1 } } ] },\n"
    "                                        { \"plane\": { \"point\": [1, 0.2, 0.5], \"normal\": [0, 3, 4] "
    "} },\n"
    "                                        { \"cylinder\": { \"from\": [1, 0, 0.5], \"to\": [1, 1, 0.7], "
    "\"radius\": 0.01 } } ] },\n"
    "                 \"velocity\": [0.1, -0.2, 0.3] },\n"
    "              { \"shape\": { \"intersection\": [ { \"sphere\": { \"center\": [1, 0.5, 0.5], \"radius\": "
    "0.3 } },\n"
    "                                        { \"sphere\": { \"center\": [1.1, 0.5, 0.5], \"radius\": 0.3 } "
    "} ] },\n"
    "                 \"velocity\": { \"field\": \"taylor-green\", \"speed\": 0.5 } } ],\n"
    "  \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [1, 0.9, 0.5], \"normal\": [0, -2, 0], "
    "\"radius\": 0.05 } }, \"speed\": 2, \"end\": 1.5 } ],\n"
    "  \"drains\": [ { \"shape\": { \"box\": { \"min\": [-9, -9, -9], \"max\": [9, -1, 9] } } } ],\n"
    "  \"solids\": [ { \"name\": \"rock\", \"shape\": { \"sphere\": { \"center\": [0, 0, 0], \"radius\": 0.1 "
    "} },\n"
    "                 \"transform\": { \"translate\": [1, 0, 0.5], \"rotate\": [0, 45, 0], \"scale\": 1.5 }, "
    "\"slip\": \"none\" } ],\n"
    "  \"gauges\": [ { \"name\": \"P1\", \"pressure\": [0.8, 0.02, 0.5] }, { \"name\": \"H1\", \"height\": "
    "[0.5, 0.25] } ],\n"
    "  \"camera\": { \"eye\": [3, 2, 4], \"target\": [1, 0.3, 0.5], \"fov\": 35 },\n"
    "  \"output\": { \"particles\": false, \"images\": false, \"formats\": [\"ply\"], \"look\": "
    "\"particles\", \"color\": \"pressure\" },\n"
    "  \"surface\": { \"cell\": 0.3 }\n"
    "}\n";

static const char flat[] =
    "{ \"dimensions\": 2, \"rill\": 1, \"domain\": { \"min\": [0, 0], \"max\": [2, 1, 0], \"open\": [\"+y\"] "
    "}, \"spacing\": 0.02,\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0], \"max\": [0.6, 0.6] } },\n"
    "                 \"velocity\": { \"field\": \"rotation\", \"angular_velocity\": [0, 0, 2], \"center\": "
    "[0.3, 0.3] } } ],\n"
    "  \"solids\": [ { \"shape\": { \"box\": { \"min\": [1, 0], \"max\": [1.2, 0.1] } }, \"transform\": { "
    "\"rotate\": [0, 0, 30] } } ],\n"
    "  \"gauges\": [ { \"name\": \"P\", \"pressure\": [1, 0.1] }, { \"name\": \"H\", \"height\": [0.5] } ],\n"
    "  \"camera\": { \"eye\": [1, 0.5, 3], \"target\": [1, 0.5, 0], \"fov\": 30 } }\n";

/* Everything that can vary in time. */
static const char moving[] =
    "{ \"rill\": 1, \"domain\": { \"min\": [0, 0, 0], \"max\": [2, 1, 1] }, \"spacing\": 0.05,\n"
    "  \"time\": { \"frames\": 9, \"preroll\": 1.5 },\n"
    "  \"gravity\": { \"keyframes\": [ { \"t\": -1, \"value\": [0, -9, 0] }, { \"t\": 2, \"value\": [1, 0, "
    "3] } ] },\n"
    "  \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [1, 0.9, 0.5], \"normal\": [0, -2, 0], "
    "\"radius\": 0.1 "
    "} },\n"
    "     \"start\": -1, \"speed\": { \"smooth\": true, \"keyframes\": [ { \"t\": 0, \"value\": 2.5 }, { "
    "\"t\": 1, "
    "\"value\": 0 } ] } } ],\n"
    "  \"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0, 0, 0], \"radius\": 0.1 } },\n"
    "     \"motion\": { \"smooth\": true, \"pivot\": [0, 0.1, 0], \"keyframes\": [ { \"t\": 0 }, { \"t\": 1, "
    "\"translate\": [1, 0, 0] },\n"
    "        { \"t\": 2, \"rotate\": [0, 720, 0] }, { \"t\": 3, \"translate\": [0, 1, 0] } ] } } ] }\n";

static rill_status parse(rill_ctx *ctx, const char *json, const scene_changes *changes, rill_scene *out)
{
    return scene_parse(ctx, "s", json, strlen(json), rill_methods, rill_method_count, changes, out);
}

static void values(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene s;
    assert_ok(ctx, parse(ctx, rich, NULL, &s));
    assert_string_equal(s.name, "caf\xc3\xa9 \"\xf0\x9f\x98\x80\"");
    assert_true(s.domain.min.x == -1 && s.domain.max.y == 1.25 && s.domain.open == (1 << 3 | 1 << 0));
    assert_true(s.spacing == 0.021 && s.gravity.x == 0.1 && s.time.frames == 7 && s.time.fps == 23.976);
    assert_true(s.fluid.viscosity == 1e-3 && s.fluid.density == 998.2 && s.fluid.surface_tension == 0);
    const sph_def *def = scene_method_def_of(&s, "sph");
    assert_true(def->kernel == SPH_WENDLAND && def->support == 2.4 && def->solver == SPH_DFSPH);
    assert_int_equal(s.liquid_count, 3);
    assert_true(s.liquid[0].shape.kind == SHAPE_BOX && s.liquid[0].shape.box.max.y == 0.6);
    assert_true(s.liquid[0].velocity.named == 1 && s.liquid[0].velocity.value.y == 1);
    const shape *d = &s.liquid[1].shape;
    assert_true(d->kind == SHAPE_DIFFERENCE && d->parts.count == 3 && d->parts.part[0].kind == SHAPE_UNION);
    assert_true(d->parts.part[0].parts.part[1].kind == SHAPE_CAPSULE);
    assert_true(d->parts.part[0].parts.part[1].rod.radius == 0.1);
    assert_true(s.liquid[1].velocity.named == 0 && s.liquid[1].velocity.value.z == 0.3);
    assert_true(s.liquid[2].velocity.named == 2 && s.liquid[2].velocity.value.x == 0.5);
    assert_true(s.emitters[0].shape.flat.normal.y == -2 && s.emitters[0].end == 1.5);
    assert_true(s.solids[0].slip == SLIP_NONE && s.solids[0].transform.scale == 1.5);
    assert_true(s.gauges[1].kind == GAUGE_HEIGHT && s.gauges[1].point.x == 0.5 &&
                s.gauges[1].point.z == 0.25);
    assert_true(!s.output.images && !s.output.video && s.output.surface && s.output.color == 2);
    scene_clear(ctx, &s);

    assert_ok(ctx, parse(ctx, flat, NULL, &s));
    assert_true(s.domain.min.z == -0.01 && s.domain.max.z == 0.01); /* one spacing thick */
    assert_true(s.liquid[0].shape.box.min.z == 0 && s.liquid[0].shape.box.max.z == 0);
    assert_true(s.gauges[1].point.x == 0.5 && s.camera.eye.z == 3);
    scene_clear(ctx, &s);

    assert_ok(ctx, parse(ctx, moving, NULL, &s));
    assert_true(s.time.preroll == 1.5 && s.gravity.y == -9 && s.gravity_keys.count == 2);
    assert_true(scene_gravity(&s, 0.5).y == -4.5 && scene_gravity(&s, 9).z == 3);
    assert_true(s.emitters[0].speed == 2.5 && s.emitters[0].speed_keys.smooth && s.emitters[0].start == -1);
    const scene_motion *m = &s.solids[0].motion; /* what a key leaves out is as before */
    assert_true(m->count == 4 && m->smooth && m->pivot.y == 0.1);
    assert_true(m->key[0].translate.x == 0 && m->key[2].translate.x == 1 && m->key[3].translate.x == 0);
    assert_true(m->key[1].rotate.y == 0 && m->key[2].rotate.y == 720 && m->key[3].rotate.y == 720);
    scene_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void round_trips(void **state)
{
    (void)state;
    static const char *const texts[] = {minimal, rich, flat, moving};
    rill_ctx *ctx = test_ctx(1);
    for (int i = 0; i < 4; i++) {
        rill_scene a, b;
        assert_ok(ctx, parse(ctx, texts[i], NULL, &a));
        text first = scene_printed(ctx, &a);
        assert_ok(ctx, parse(ctx, first.data, NULL, &b));
        text second = scene_printed(ctx, &b);
        assert_string_equal(first.data, second.data);
        assert_int_equal(a.hash, b.hash);
        assert_true(a.hash != 0);
        text_clear(&first);
        text_clear(&second);
        scene_clear(ctx, &a);
        scene_clear(ctx, &b);
    }
    rill_ctx_destroy(ctx);
}

/* A file that gives the required keys alone is the scene built in C. */
static void defaults_are_the_tables(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene a, b;
    scene_liquid *liquid;
    assert_ok(ctx, parse(ctx, minimal, NULL, &a));
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &b));
    b.domain.max = v3(2, 1, 1);
    b.spacing = 0.05;
    assert_ok(ctx, scene_add_liquid(ctx, &b, &liquid));
    liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{1, 0.5, 0.5}, 0.3}};
    text first = scene_printed(ctx, &a), second = scene_printed(ctx, &b);
    assert_string_equal(first.data, second.data);
    text_clear(&first);
    text_clear(&second);
    scene_clear(ctx, &a);
    scene_clear(ctx, &b);
    rill_ctx_destroy(ctx);
}

static void changes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene s;
    const char *const good[] = {"spacing=0.1", "sph.kernel=wendland", "liquid[0].velocity=[1,2,3]",
                                "name=two words", "output.images=false"};
    assert_ok(ctx, parse(ctx, minimal,
                         &(scene_changes){.method = "sph", .frames = 9, .set = good, .set_count = 5}, &s));
    assert_true(s.spacing == 0.1 && s.time.frames == 9 && s.liquid[0].velocity.value.z == 3);
    assert_string_equal(s.name, "two words");
    assert_true(((const sph_def *)scene_method_def_of(&s, "sph"))->kernel == SPH_WENDLAND &&
                !s.output.images);
    scene_clear(ctx, &s);

    static const struct {
        const char *set, *message;
        rill_status status;
    } bad[] = {
        {"spacing=-1", "--set spacing=-1: \"spacing\" must be above 0 m, not -1", RILL_BAD_SCENE},
        {"spacng=1", "--set spacng=1: \"spacng\" is not a key of the scene; did you mean \"spacing\"?",
         RILL_BAD_SCENE},
        {"points.no_slip=true",
         "--set points.no_slip=true: \"no_slip\" is no key of \"points\" any more; give the domain \"slip\": "
         "\"none\" (domain.slip)",
         RILL_BAD_SCENE},
        {"sph.kernel=cubik",
         "--set sph.kernel=cubik: \"cubik\" is not a word of \"kernel\"; did you mean \"cubic\"?",
         RILL_BAD_SCENE},
        {"gravity=[0,1]", "--set gravity=[0,1]: \"gravity\" takes three numbers, not 2", RILL_BAD_SCENE},
        {"gravity=[0,1", "--set gravity=[0,1: ',' or ']' is needed here, but the text ends", RILL_BAD_SCENE},
        {"spacing=0.9", "--set spacing=0.9: \"spacing\" is too large", RILL_BAD_SCENE},
        {"liquid[3].velocity=[0,0,0]", "--set liquid[3].velocity=[0,0,0]: there is no element [3]",
         RILL_BAD_SCENE},
        {"spacing", "--set spacing: a path and a value are needed", RILL_USAGE},
        {"a..b=1", "--set a..b=1: the path is wrong", RILL_USAGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const scene_changes c = {.set = &bad[i].set, .set_count = 1};
        assert_int_equal(parse(ctx, minimal, &c, &s), bad[i].status);
        if (strncmp(rill_ctx_message(ctx), bad[i].message, strlen(bad[i].message)) != 0)
            fail_msg("expected %s, got %s", bad[i].message, rill_ctx_message(ctx));
    }
    assert_int_equal(parse(ctx, minimal, &(scene_changes){.method = "shp"}, &s), RILL_BAD_SCENE);
    assert_string_equal(rill_ctx_message(ctx),
                        "--method \"shp\": \"shp\" is not a method; did you mean \"sph\"?");
    assert_int_equal(parse(ctx, minimal, &(scene_changes){.frames = 2000000}, &s), RILL_BAD_SCENE);
    assert_non_null(strstr(rill_ctx_message(ctx), "--frames 2000000: \"frames\" must be at most"));
    rill_ctx_destroy(ctx);
}

/* Methods that can do less, and that object themselves. */
typedef struct odd_def {
    char *title;
    int32_t count;
    rill_vec3 point;
} odd_def;
static const rill_param odd_params[] = {
    RILL_TEXT("title", odd_def, title, "none", "a text"),
    RILL_INTEGER("count", odd_def, count, 3, -5, 5, "", "an integer"),
    {.name = "point",
     .kind = PARAM_POINT,
     .offset = offsetof(odd_def, point),
     .min = -1,
     .max = 1,
     .help = "a point"},
    {0},
};
static rill_status odd_check(rill_ctx *ctx, const rill_scene *scene)
{
    const odd_def *d = scene_method_def_of(scene, "odd");
    return d->count % 2 ? RILL_OK : rill_fail(ctx, RILL_BAD_SCENE, "\"count\" must be odd");
}
static const rill_method odd = {.name = "odd",
                                .can = CAN_FREE_SURFACE,
                                .paper = "none",
                                .params = odd_params,
                                .def_size = sizeof(odd_def),
                                .check = odd_check};

static void other_methods(void **state)
{
    (void)state;
    static const rill_method *const methods[] = {&odd, &sph_method};
    static const struct {
        const char *set[3];
        int count;
        const char *message; /* NULL: it is fine */
    } cases[] = {
        {{"odd.title=x", "odd.count=-3", "odd.point=[0,1,0]"}, 3, NULL},
        {{"odd.count=2"}, 1, "\"count\" must be odd"},
        {{"odd.count=2", "method=sph"}, 2, NULL}, /* only the chosen method objects */
        {{"odd.count=6", "method=sph"},
         2,
         "\"count\" must be at most 5, not 6"}, /* but ranges hold for all */
        {{"fluid.viscosity=1"},
         1,
         "the method \"odd\" cannot do viscosity; leave it out, or take the method \"sph\""},
        {{"fluid.surface_tension=1"},
         1,
         "cannot do surface tension; leave it out, or take the method \"sph\""},
        {{"domain.periodic=[\"x\"]"}, 1, "\"periodic\" is not available"},
        {{"odd.title=7"}, 1, "\"title\" must be a text"},
    };
    rill_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rill_scene s;
        const scene_changes c = {.set = cases[i].set, .set_count = cases[i].count};
        const rill_status st = scene_parse(ctx, "s", minimal, strlen(minimal), methods, 2, &c, &s);
        if (!cases[i].message) {
            assert_ok(ctx, st);
            text first = scene_printed(ctx, &s);
            rill_scene again;
            assert_ok(ctx, scene_parse(ctx, "s", first.data, first.length, methods, 2, NULL, &again));
            assert_int_equal(again.hash, s.hash);
            text_clear(&first);
            scene_clear(ctx, &again);
            scene_clear(ctx, &s);
        } else {
            assert_int_equal(st, RILL_BAD_SCENE);
            if (!strstr(rill_ctx_message(ctx), cases[i].message))
                fail_msg("expected %s, got %s", cases[i].message, rill_ctx_message(ctx));
        }
    }
    rill_ctx_destroy(ctx);
}

static void files(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene s = {.version = 77};
    assert_int_equal(scene_read(ctx, "no such scene.json", rill_methods, rill_method_count, NULL, &s),
                     RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "no such scene.json"));
    assert_int_equal(scene_read(ctx, ".", rill_methods, rill_method_count, NULL, &s), RILL_BAD_FILE);
    assert_int_equal(s.version, 77);
    rill_ctx_destroy(ctx);
}

/* Both documents name every key; the schema is JSON itself. */
static void documents(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    text schema, reference;
    text_init(&schema, ctx);
    text_init(&reference, ctx);
    scene_schema(rill_methods, rill_method_count, &schema);
    scene_reference(rill_methods, rill_method_count, &reference);
    json_value *root;
    assert_ok(ctx, json_parse(ctx, &arena, "schema", schema.data, schema.length, &root));
    const json_value *properties = json_find(root, "properties");
    for (const rill_param *row = scene_params; row->kind; row++) {
        char key[64];
        snprintf(key, sizeof key, "| `%s` |", row->name);
        assert_non_null(json_find(properties, row->name));
        assert_non_null(strstr(reference.data, key));
    }
    assert_non_null(json_find(json_find(json_find(properties, "sph"), "properties"), "kernel"));
    assert_int_equal(json_find(json_find(json_find(root, "$defs"), "shape"), "properties")->count, 11);
    text_clear(&schema);
    text_clear(&reference);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static rill_status parse_changed(rill_ctx *ctx, const void *json, rill_scene *out)
{
    const char *const set[] = {"sph.kernel=wendland"};
    const scene_changes c = {.method = "sph", .frames = 5, .set = set, .set_count = 1};
    return parse(ctx, json, &c, out);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    for (int k = 0; k < 4; k++) {
        f.sticky = k & 1;
        assert_true(scene_survives(ctx, &f, parse_changed, k & 2 ? moving : rich) > 20);
    }
    rill_ctx_destroy(ctx);
}

/* Damaged scenes: any answer but a crash, a leak or a strange status; and a scene that
 * is taken prints itself and is taken again. */
static void random_damage(void **state)
{
    (void)state;
    static const char bits[] = "{}[],:\"\\0123456789.-+eE truefalsn\n\t\x80\xff/";
    static const char *const texts[] = {minimal, rich, flat, moving};
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const uint64_t before = f.live;
    int taken = 0;
    for (uint32_t round = 0; round < 10000; round++) {
        char bytes[sizeof rich + 64];
        const char *source = texts[round % 4];
        size_t length = strlen(source);
        memcpy(bytes, source, length);
        const uint32_t edits = 1 + round % 4;
        for (uint32_t k = 0; k < edits && length > 0; k++) {
            const random4 r = random_at(20, round, k, 0);
            const size_t at = r.v[0] % length;
            switch (r.v[1] % 5) {
            case 0: bytes[at] = bits[r.v[2] % (sizeof bits - 1)]; break;
            case 1: bytes[at] = (char)r.v[2]; break;
            case 2: memmove(bytes + at, bytes + at + 1, --length - at); break;
            case 3:
                memmove(bytes + at + 1, bytes + at, length++ - at);
                bytes[at] = bits[r.v[2] % (sizeof bits - 1)];
                break;
            case 4:
                if (r.v[2] % 16 == 0) length = at + 1; /* cut short */
                break;
            }
        }
        rill_scene s = {.version = 77};
        const rill_status st =
            scene_parse(ctx, "s", bytes, length, rill_methods, rill_method_count, NULL, &s);
        if (st == RILL_OK) {
            taken++;
            text t = scene_printed(ctx, &s);
            rill_scene again;
            assert_ok(ctx,
                      scene_parse(ctx, "s", t.data, t.length, rill_methods, rill_method_count, NULL, &again));
            assert_int_equal(again.hash, s.hash);
            text_clear(&t);
            scene_clear(ctx, &again);
            scene_clear(ctx, &s);
        } else {
            assert_int_equal(st, RILL_BAD_SCENE);
            assert_int_equal(s.version, 77);
            assert_true(strncmp(rill_ctx_message(ctx), "s:", 2) == 0);
            assert_null(strchr(rill_ctx_message(ctx), '\n'));
        }
        assert_int_equal(f.live, before);
    }
    assert_true(taken > 100 && taken < 9000);
    rill_ctx_destroy(ctx);
}

/* ---- warnings of a method ---- */

static char warned[1024];

static void keep_warning(void *user, rill_log_level level, const char *message)
{
    assert_ptr_equal(user, warned);
    if (level == RILL_LOG_WARNING) snprintf(warned, sizeof warned, "%s", message);
}

/* Waves of surface tension in sph: the warning has the line of the key, the cause and a remedy; liquid too
 * coarse for such waves gets none, and the host's log is its own again. */
static void methods_warn_with_the_line(void **state)
{
    (void)state;
    rill_ctx_def def = rill_ctx_def_default();
    def.log = keep_warning;
    def.user = warned;
    def.threads = 1;
    rill_ctx *ctx = NULL;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    for (int coarse = 0; coarse < 2; coarse++) {
        char written[512];
        rill_scene scene = {0};
        snprintf(
            written, sizeof written,
            "{ \"rill\": 1, \"method\": \"sph\", \"spacing\": %s,\n"
            " \"domain\": { \"min\": [0,0,0], \"max\": [0.1,0.1,0.1] },\n"
            " \"fluid\": { \"density\": 1000,\n   \"surface_tension\": 0.07 },\n"
            " \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.1,0.05,0.1] } } } ] }",
            coarse ? "0.01" : "0.001");
        warned[0] = 0;
        assert_ok(ctx, scene_parse(ctx, "w.json", written, strlen(written), rill_methods, rill_method_count,
                                   NULL, &scene));
        if (coarse) {
            assert_string_equal(warned, "");
        } else {
            assert_ptr_equal(strstr(warned, "w.json:4:23: \"surface_tension\": sph"), warned);
            assert_non_null(strstr(warned, "half their speed"));
            assert_non_null(strstr(warned, "take the method \"grid\""));
        }
        assert_true(ctx->def.log == keep_warning && ctx->def.user == warned);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_warn_with_the_line),
        cmocka_unit_test(values),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(defaults_are_the_tables),
        cmocka_unit_test(changes),
        cmocka_unit_test(other_methods),
        cmocka_unit_test(files),
        cmocka_unit_test(documents),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(random_damage),
    };
    return cmocka_run_group_tests_name("scene_file", tests, NULL, NULL);
}
