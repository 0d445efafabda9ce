/* Bubbles and contact angles of voronoi. */
#include "method_scenes.h"
#include "support.h"

#include "io/scene_file.h"
#include "voronoi/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static brochu *make(rill_ctx *ctx, const char *from, rill_scene *scene)
{
    assert_ok(ctx,
              scene_parse(ctx, "scene", from, strlen(from), rill_methods, rill_method_count, NULL, scene));
    return brochu_of(method_create(ctx, scene));
}

static void until(brochu *s, double t)
{
    while (s->sim.time < t - 1e-12) {
        rill_step_stats stats = step_stats_none();
        const double dt = fmin(s->sim.method->max_dt(&s->sim), t - s->sim.time);
        assert_ok(s->sim.ctx, s->sim.method->step(&s->sim, dt, &stats));
        s->sim.time += dt;
        s->sim.step++;
    }
}

/* The largest cavity: its volume, and the height of its centroid. */
static double cavity(const brochu *s, double *height)
{
    const tracker_part *part;
    size_t count, best = 0;
    tracker_parts(s->tracker, &part, &count);
    for (size_t p = 0; p < count; p++)
        if (part[p].volume < part[best].volume) best = p;
    double sum = 0, volume = 0;
    for (size_t t = 0; t < s->view.triangle_count; t++) {
        const uint32_t *v = s->view.triangle[t];
        if (tracker_vertex_parts(s->tracker)[v[0]] != best) continue;
        const rill_vec3 a = s->view.position[v[0]], b = s->view.position[v[1]], c = s->view.position[v[2]];
        const double cone = v3_dot(a, v3_cross(b, c)) / 6;
        volume += cone;
        sum += cone * (a.y + b.y + c.y) / 4;
    }
    *height = sum / volume;
    return count && part[best].volume < 0 ? -part[best].volume : 0;
}

/* A bubble rises as one without mass and half of its liquid's as added mass does, and keeps its volume; where
 * air is not kept, it collapses. */
static void bubbles_rise(void **state)
{
    (void)state;
    double volume[2], rise[2];
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene;
        char t[1024];
        snprintf(
            t, sizeof t,
            "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.09, \"voronoi\": { \"bubbles\": %s },\n"
            "\"domain\": { \"min\": [0,0,0], \"max\": [1,1.3,1] }, \"liquid\": [ { \"shape\": { "
            "\"difference\": "
            "[ { \"box\": { \"min\": [0,0,0], \"max\": [1,1,1] } }, { \"sphere\": { \"center\": "
            "[0.5,0.4,0.5], "
            "\"radius\": 0.22 } } ] } } ] }",
            k ? "false" : "true");
        brochu *s = make(ctx, t, &scene);
        double from, to;
        const double before = cavity(s, &from);
        assert_true(before > 0.04);
        until(s, 0.1);
        volume[k] = cavity(s, &to) / before;
        rise[k] = to - from;
        s->sim.method->destroy(&s->sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
    print_message("a bubble after 0.1 s: %.4f of its volume, %.3f m higher; not kept: %.3f of its volume\n",
                  volume[0], rise[0], volume[1]);
    assert_true(fabs(volume[0] - 1) < 0.01);
    assert_true(rise[0] > 0.05 && rise[0] < 0.11); /* 0.098 m in liquid without end, less between walls */
    assert_true(volume[1] < 0.8);
}

/* A cavity that does not keep its air closes; the liquid around has the volume that it had before. */
static void cavities_close(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    brochu *s = make(
        ctx,
        "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.1, \"domain\": { \"min\": [0,0,0], "
        "\"max\": [1,1.3,1] }, \"liquid\": [ { \"shape\": { \"difference\": [ { \"box\": { \"min\": "
        "[0,0,0], \"max\": [1,1,1] } }, { \"sphere\": { \"center\": [0.5,0.4,0.5], \"radius\": 0.2 } } ] } } "
        "] }",
        &scene);
    const double before = s->volume;
    const tracker_part *part;
    size_t parts = 2;
    for (int k = 1; k <= 30 && parts > 1; k++) {
        until(s, 0.02 * k);
        tracker_parts(s->tracker, &part, &parts);
    }
    assert_int_equal(parts, 1);
    until(s, s->sim.time + 0.1);
    print_message("a cavity has closed by %.2f s: volume of the liquid %+.2g\n", s->sim.time - 0.1,
                  s->volume / before - 1);
    assert_true(fabs(s->volume / before - 1) < 2e-3);
    tracker_parts(s->tracker, &part, &parts); /* the last of it was removed: the liquid filled it */
    assert_int_equal(parts, 1);
    assert_true(fabs(part[0].target / before - 1) < 1e-9);
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* A cap on the floor that has the angle asked for stays; of others it does not. */
static double angle_after(double start, double angle, double *speed)
{
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    char t[1024];
    snprintf(
        t, sizeof t,
        "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.08, \"gravity\": [0,0,0], \"voronoi\": { "
        "\"contact_angle\": %g },\n"
        "\"fluid\": { \"density\": 1, \"surface_tension\": 1 }, \"domain\": { \"min\": [-0.7,0,-0.7], "
        "\"max\": [0.7,1,0.7] },\n"
        "\"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [0,%.6f,0], \"radius\": 0.4 } } } ] }",
        angle, -0.4 * cos(start * M_PI / 180));
    brochu *s = make(ctx, t, &scene);
    until(s, 0.25);
    double high = 0, wide = 0, n = 0;
    for (size_t v = 0; v < s->view.vertex_count; v++) {
        const rill_vec3 x = s->view.position[v];
        high = fmax(high, x.y);
        if (x.y > 0 || !(s->surface.area[v] > 0)) continue;
        wide += hypot(x.x, x.z);
        n++;
    }
    *speed = s->max_speed;
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    return 2 * atan(high / (wide / n)) * 180 / M_PI;
}

static void contact_angles_hold(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double angle = k ? 120 : 60;
        double slow, fast;
        const double is = angle_after(angle, angle, &slow), moved = angle_after(angle, 90, &fast);
        print_message("contact angle %g: %.1f degrees, %.3g m/s; asked for 90: %.1f, %.3g m/s\n", angle, is,
                      slow, moved, fast);
        assert_true(fabs(is - angle) < 5);
        assert_true(fabs(moved - angle) > 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bubbles_rise),
        cmocka_unit_test(cavities_close),
        cmocka_unit_test(contact_angles_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
