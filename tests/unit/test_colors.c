/* Colours of liquid: every method with particles carries them, its surface mixes them, and a saved state has
 * them. */
#include "method_scenes.h"
#include "support.h"

#include "flow/colors.h"
#include "run/driver.h"

#include <math.h>
#include <string.h>

/* Liquid is red and what the emitter gives is blue: whatever is split, merged or made in between has red +
 * blue = 1 and no green. */
static void assert_between(const particles *p, double *red, double *blue)
{
    float *color[3];
    *red = *blue = 0;
    assert_true(colors_columns(p, color));
    for (size_t i = 0; i < p->count; i++) {
        const double r = color[0][i], g = color[1][i], b = color[2][i];
        if (fabs(r + b - 1) > 1e-5 || fabs(g) > 1e-6 || r < -1e-6 || b < -1e-6)
            fail_msg("particle %zu of %zu: %g %g %g", i, p->count, r, g, b);
        *red += r, *blue += b;
    }
}

static void assert_mixed(const trimesh *m)
{
    const float *red = NULL, *blue = NULL;
    for (uint32_t c = 0; c < m->column_count; c++) {
        if (strcmp(m->column[c].name, "red") == 0) red = m->column[c].value;
        if (strcmp(m->column[c].name, "blue") == 0) blue = m->column[c].value;
    }
    assert_true(m->vertex_count == 0 || (red && blue));
    for (size_t i = 0; i < m->vertex_count; i++)
        assert_true(fabs((double)red[i] + (double)blue[i] - 1) < 1e-4);
}

static void methods_carry_colors(void **state)
{
    (void)state;
    static const char *const set[] = {"liquid[0].color=[1,0,0]", "emitters[0].color=[0,0,1]", NULL};
    rill_ctx *ctx = test_ctx(2);
    for (const method_scene *m = method_scenes(); m->method; m++) {
        if (!m->method->has_particles || !method_has_sources(m->method)) continue;
        rill_scene scene = method_scene_read(ctx, m, set);
        rill_sim *sim = method_create(ctx, &scene), *again = method_create(ctx, &scene);
        rill_view view = {0};
        double red, blue;
        sim_view(sim, &view);
        if (!view.particles || view.particles->count == 0) { /* a level set alone */
            sim->method->destroy(sim);
            again->method->destroy(again);
            scene_clear(ctx, &scene);
            continue;
        }
        assert_between(view.particles, &red, &blue);
        assert_true(red > 0 && blue == 0);
        method_steps(sim, 12);
        sim_view(sim, &view);
        assert_between(view.particles, &red, &blue);
        trimesh surface = {0};
        assert_ok(ctx, run_surface(sim, &view, &surface));
        assert_mixed(&surface);
        trimesh_clear(ctx, &surface);

        snapshot kept;
        snapshot_init(&kept, ctx);
        assert_ok(ctx, sim_save(sim, &kept.writer));
        assert_ok(ctx, sim_load(again, sim->time, sim->step, &kept.reader));
        assert_true(method_hash(sim) == method_hash(again));
        sim_view(again, &view);
        double red_again, blue_again;
        assert_between(view.particles, &red_again, &blue_again);
        assert_true(red == red_again && blue == blue_again);
        snapshot_clear(&kept);
        sim->method->destroy(sim);
        again->method->destroy(again);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

/* Nothing has columns where the scene gives no colour; liquid without one beside coloured liquid is blue. */
static void colors_are_there_when_wanted(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const method_scene *m = method_scenes();
    rill_scene scene = method_scene_read(ctx, m, NULL);
    particles p = {0};
    float *color[3];
    const rill_vec3 x = v3(0, 0, 0);
    assert_false(scene_has_colors(&scene));
    assert_ok(ctx, colors_add_columns(ctx, &scene, &p));
    assert_int_equal(p.column_count, 0);
    assert_false(colors_columns(&p, color));
    colors_set(&p, 0, v3(1, 1, 1));
    scene.emitters[0].colored = true;
    assert_true(scene_has_colors(&scene));
    assert_ok(ctx, colors_add_columns(ctx, &scene, &p));
    assert_ok(ctx, colors_add_columns(ctx, &scene, &p));
    assert_int_equal(p.column_count, 3);
    assert_ok(ctx, particles_append(ctx, &p, 1, &x, NULL));
    colors_set(&p, 0, colors_of_liquid(&scene.liquid[0]));
    assert_true(colors_columns(&p, color) && color[2][0] > color[0][0]);
    particles_clear(ctx, &p);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_carry_colors),
        cmocka_unit_test(colors_are_there_when_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
