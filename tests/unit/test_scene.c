#include "scene_text.h"

#include "flow/method.h"
#include "run/registry.h"
#include "sph/core/def.h"

#include <string.h>

static void defaults(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene s;
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &s));
    assert_int_equal(s.version, 1);
    assert_int_equal(s.dimensions, 3);
    assert_true(s.gravity.x == 0 && s.gravity.y == -9.81 && s.gravity.z == 0);
    assert_int_equal(s.time.frames, 120);
    assert_true(s.time.fps == 30 && s.fluid.density == 1000 && s.fluid.viscosity == 0);
    assert_true(s.spacing > 0 && s.domain.max.x > s.domain.min.x);
    assert_ptr_equal(s.method, rill_methods[0]);
    assert_int_equal(s.output.formats, 1);
    assert_true(s.output.particles && s.output.surface && s.output.images && s.output.video);
    assert_true(s.surface.cell == 0.5 && s.surface.radius == 0);
    const sph_def *def = scene_method_def_of(&s, "sph");
    assert_non_null(def);
    assert_int_equal(def->kernel, SPH_CUBIC);
    assert_true(def->support == 2);
    assert_null(scene_method_def_of(&s, "sphh"));
    scene_clear(ctx, &s);
    scene_clear(ctx, &s); /* twice is allowed */
    rill_ctx_destroy(ctx);
}

static rill_status build(rill_ctx *ctx, rill_scene *out)
{
    rill_scene s = {0};
    scene_liquid *liquid;
    scene_emitter *emitter;
    scene_drain *drain;
    scene_solid *solid;
    scene_gauge *gauge;
    rill_status st = scene_default(ctx, rill_methods, rill_method_count, &s);
    for (int i = 0; i < 3 && !st; i++) {
        st = scene_add_liquid(ctx, &s, &liquid);
        if (!st) liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0, 0, i}, 1}};
        if (!st) st = scene_add_emitter(ctx, &s, &emitter);
        if (!st) emitter->start = i;
        if (!st) st = scene_add_drain(ctx, &s, &drain);
        if (!st) st = scene_add_solid(ctx, &s, &solid);
        if (!st) st = scene_add_gauge(ctx, &s, &gauge);
    }
    if (st)
        scene_clear(ctx, &s);
    else
        *out = s;
    return st;
}

static void lists(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene s;
    assert_ok(ctx, build(ctx, &s));
    assert_int_equal(s.liquid_count, 3);
    assert_int_equal(s.solid_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(s.liquid[i].shape.kind == SHAPE_SPHERE && s.liquid[i].shape.sphere.center.z == i);
        assert_true(s.emitters[i].start == i && s.emitters[i].speed == 1);
        assert_true(s.emitters[i].end == SCENE_FOREVER);
        assert_string_equal(s.solids[i].name, "");
        assert_true(s.solids[i].transform.scale == 1);
        assert_int_equal(s.drains[i].shape.kind, SHAPE_NONE);
    }
    scene_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static rill_status make_scene(rill_ctx *ctx, const void *user, rill_scene *out)
{
    (void)user;
    return build(ctx, out);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    assert_true(scene_survives(ctx, &f, make_scene, NULL) > 20);
    rill_ctx_destroy(ctx);
}

/* Rows that could not be read or documented properly. */
static void check_table(const rill_param *table)
{
    for (const rill_param *row = table; row->kind; row++) {
        assert_true(row->name && row->name[0] && row->help && row->help[0]);
        if (row->kind == PARAM_NUMBER || row->kind == PARAM_INTEGER)
            assert_true(row->min <= row->value && row->value <= row->max &&
                        (!row->above_min || row->value > row->min));
        if (row->kind == PARAM_CHOICE) {
            int found = 0;
            for (const char *const *w = row->words; *w; w++) found += strcmp(*w, row->text) == 0;
            assert_int_equal(found, 1);
        }
        if (row->kind == PARAM_BLOCK || row->kind == PARAM_LIST) check_table(row->table);
        for (const rill_param *other = table; other != row; other++)
            assert_string_not_equal(row->name, other->name);
    }
}

static void tables(void **state)
{
    (void)state;
    check_table(scene_params);
    for (int k = 0; k < SHAPE_KINDS; k++)
        if (shape_params[k]) check_table(shape_params[k]);
    for (uint32_t k = 0; k < rill_method_count; k++) check_table(rill_methods[k]->params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(lists),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
