/* The viscous operator of the points: symmetric, nothing for what moves or turns as a whole, exact for linear
 * flows; and a nozzle that holds what it gives. */
#include "support.h"

#include "base/random.h"
#include "points/viscous.h"
#include "run/registry.h"

#include <math.h>
#include <string.h>

static const double D = 0.1;

static points *make(rill_ctx *ctx, rill_scene *scene, int dimensions, shape form, double jitter)
{
    rill_sim *sim = NULL;
    scene_liquid *liquid;
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->method = &points_method;
    scene->dimensions = dimensions;
    scene->spacing = D;
    scene->domain.min = v3(0, 0, dimensions == 2 ? -D / 2 : 0);
    scene->domain.max = v3(1, 1, dimensions == 2 ? D / 2 : 1);
    ((points_def *)scene_method_def_of(scene, "points"))->jitter = jitter;
    assert_ok(ctx, scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = form;
    assert_ok(ctx, points_method.create(ctx, scene, &sim));
    points *s = points_of(sim);
    assert_ok(ctx, points_sort(s));
    assert_ok(ctx, points_diagram(s, 0));
    assert_ok(ctx, points_clip(s, 0));
    assert_ok(ctx, points_join(s, 0));
    return s;
}

static void finish(rill_ctx *ctx, rill_scene *scene, points *s)
{
    points_forget(s);
    points_method.destroy(&s->sim);
    scene_clear(ctx, scene);
    rill_ctx_destroy(ctx);
}

static double dot(size_t n, const rill_vec3 *a, const rill_vec3 *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += v3_dot(a[i], b[i]);
    return sum;
}

static void fill(rill_vec3 *u, size_t n, int dimensions, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        const random4 r = random_at(seed, i, 0, 0);
        u[i] = v3(random_unit(r.v[0], 0) - 0.5, random_unit(r.v[1], 0) - 0.5,
                  dimensions == 3 ? random_unit(r.v[2], 0) - 0.5 : 0);
    }
}

static void operator_is_symmetric_and_positive(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int slip = SLIP_FREE; slip <= SLIP_NONE; slip++) {
            rill_ctx *ctx = test_ctx(2);
            rill_scene scene;
            points *s = make(ctx, &scene, dimensions,
                             (shape){.kind = SHAPE_BOX, .box = {{0, 0, -1}, {0.6, 0.5, 2}}}, 0.4);
            scene.domain.slip = slip;
            const size_t n = s->particles.count;
            viscous v;
            rill_vec3 *u, *w, *au, *aw;
            assert_ok(ctx, points_viscous_build(s, 0, 0.01, &v));
            assert_ok(ctx, ARENA_NEW(&s->scratch, u, n));
            assert_ok(ctx, ARENA_NEW(&s->scratch, w, n));
            assert_ok(ctx, ARENA_NEW(&s->scratch, au, n));
            assert_ok(ctx, ARENA_NEW(&s->scratch, aw, n));
            fill(u, n, dimensions, 1);
            fill(w, n, dimensions, 2);
            points_viscous_apply(&v, u, au);
            points_viscous_apply(&v, w, aw);
            const double scale = sqrt(dot(n, au, au) * dot(n, w, w));
            assert_true(fabs(dot(n, w, au) - dot(n, u, aw)) < 1e-12 * scale);
            assert_true(dot(n, u, au) > 0 && dot(n, w, aw) > 0);
            finish(ctx, &scene, s);
        }
}

/* A drop in the air, disordered: forces without inertia, over those of a shear as fast. */
static void rigid_motion_is_free(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene;
        points *s =
            make(ctx, &scene, dimensions,
                 (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.5, dimensions == 2 ? 0 : 0.5}, 0.38}}, 0.2);
        const size_t n = s->particles.count;
        viscous v;
        rill_vec3 *u, *au;
        double energy[3];
        assert_ok(ctx, points_viscous_build(s, 0, 1, &v));
        assert_ok(ctx, ARENA_NEW(&s->scratch, u, n));
        assert_ok(ctx, ARENA_NEW(&s->scratch, au, n));
        memset(v.inertia, 0, n * sizeof *v.inertia);
        double volume = 0;
        for (size_t i = 0; i < n; i++) volume += s->mesh.cell[i].volume;
        for (int kind = 0; kind < 3; kind++) {
            for (size_t i = 0; i < n; i++) {
                const rill_vec3 x = s->particles.position[i];
                u[i] = kind == 0 ? v3(3, -2, 0) : kind == 1 ? v3(-x.y, x.x, 0) : v3(x.y, x.x, 0);
            }
            points_viscous_apply(&v, u, au);
            energy[kind] = dot(n, u, au);
        }
        print_message("%dD: energy of moving %.2g, of turning %.2g, of a strain %.5f of 4 V\n", dimensions,
                      energy[0], energy[1] / energy[2], energy[2] / (4 * volume));
        assert_true(fabs(energy[0]) < 1e-20 * energy[2] + 1e-18);
        assert_true(energy[1] < 1e-3 * energy[2]);
        assert_true(fabs(energy[2] / (4 * volume) - 1) < 0.02); /* 2 e:e = 4 */
        finish(ctx, &scene, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operator_is_symmetric_and_positive),
        cmocka_unit_test(rigid_motion_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
