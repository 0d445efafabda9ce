/* Solids that deform: how fast they are where they are, and that nothing gets through. */
#include "meshes.h"
#include "solid_scenes.h"

enum { ACROSS = 24 };

/* A sheet over the middle of the domain and a little beyond, that waves in time. */
static double sheet_height(double x, double z, double t)
{
    return 0.5 + 0.15 * sin(5 * x - 9 * t) * cos(3 * z) + 0.1 * sin(4 * t);
}

static trimesh sheet_at(rill_ctx *ctx, double t)
{
    trimesh m = mesh_room(ctx, (ACROSS + 1) * (ACROSS + 1), 2 * ACROSS * ACROSS);
    mesh_side(&m, ACROSS, v3(-0.2, 0, -0.2), v3(0, 0, 1.4), v3(2.4, 0, 0));
    for (size_t i = 0; i < m.vertex_count; i++)
        m.position[i].y = sheet_height(m.position[i].x, m.position[i].z, t);
    return m;
}

static mesh_sequence *sheet_sequence(rill_ctx *ctx, double shell, int keys, double fps)
{
    mesh_sequence *s = NULL;
    assert_ok(ctx, mesh_sequence_create(ctx, &(mesh_sequence_def){.shell = shell}, &s));
    for (int k = 0; k < keys; k++) {
        trimesh m = sheet_at(ctx, k / fps);
        assert_ok(ctx, mesh_sequence_add(ctx, s, &m, k / fps));
        trimesh_clear(ctx, &m);
    }
    return s;
}

static shape sequence_shape(const mesh_sequence *s)
{
    return (shape){.kind = SHAPE_SEQUENCE, .sequence = {.frames = s}};
}

/* Which side of the sheet x is on. */
static bool above_sheet(const solids *s, rill_vec3 x, double t)
{
    solid_place room;
    const mesh_moment now = mesh_morph_at(&s->morph[0], t);
    const rill_vec3 local = solid_to_local(&solids_place_at(s, 0, t, &room)->pose, x);
    const mesh_closest c = mesh_distance_closest_at(now.span, now.share, local);
    rill_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        mesh_closest corner = {.triangle = c.triangle};
        corner.weight[k] = 1;
        p[k] = mesh_distance_point_at(now.span, now.share, &corner);
    }
    return v3_dot(v3_sub(local, c.point), v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]))) > 0;
}

/* The sheet is much thinner than the way of a step, its own and the particles'. */
static void nothing_gets_through_a_sheet(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    mesh_sequence *frames = sheet_sequence(ctx, 0.002, 31, 20);
    scene_motion_key key[] = {{0, {0, 0, 0}, {0, 0, 0}}, {1.5, {0.05, 0.2, 0}, {0, 0, 12}}};
    size_t met = 0, steps = 0;
    double deepest = 1;
    for (int moving = 0; moving < 2; moving++) {
        scene_solid solid = {.shape = sequence_shape(frames)};
        if (moving) solid.motion = (scene_motion){key, 2, true, v3(1, 0.5, 0.5)};
        const rill_scene scene = scene_of(3, &solid, 1);
        solids s;
        assert_ok(ctx, solids_create(ctx, &scene, &s));
        assert_int_equal(s.moving, 1);
        const double dts[] = {0.004, 0.02, 0.075}, clearance = 0.01; /* the last: more than a key */
        enum { PARTICLES = 20 };
        for (int k = 0; k < 3; k++) {
            rill_vec3 x[PARTICLES], v[PARTICLES];
            bool above[PARTICLES], there[PARTICLES];
            assert_ok(ctx, solids_prepare(ctx, &s, 0, 0));
            for (uint64_t i = 0; i < PARTICLES; i++) {
                const uint64_t id = 3 * i + (uint64_t)k;
                x[i] = random_in((rill_box){{0.1, 0.1, 0.1}, {1.9, 0.9, 0.9}}, id);
                v[i] = v3(uniform(id, 5, -2, 2), uniform(id, 6, -4, 4), uniform(id, 7, -2, 2));
                there[i] = solids_distance(&s, x[i], 0, NULL) >= clearance;
                above[i] = above_sheet(&s, x[i], 0);
            }
            const double dt = dts[k];
            for (double t = 0; t < 1.5; t += dt) {
                assert_ok(ctx, solids_prepare(ctx, &s, t, dt));
                for (int i = 0; i < PARTICLES; i++) {
                    if (!there[i]) continue;
                    const rill_vec3 from = x[i];
                    x[i] = v3_madd(from, dt, v[i]);
                    met += solids_push_out(&s, t, t + dt, clearance, from, &x[i], &v[i]);
                    steps++;
                    assert_true(v3_finite(x[i]) && v3_finite(v[i]));
                    assert_true(above_sheet(&s, x[i], t + dt) == above[i]);
                    deepest = fmin(deepest, solids_distance(&s, x[i], t + dt, NULL) / clearance);
                    /* against the sheet */
                    v[i] = v3_add(v3_scale(v[i], 0.98), v3(0, above[i] ? -10 * dt : 10 * dt, 0));
                }
            }
        }
        solids_clear(ctx, &s);
    }
    print_message("sheet: met in %zu of %zu steps, nearest %.3f of the clearance\n", met, steps, deepest);
    assert_true(met > steps / 4);
    assert_true(deepest > 0.4);
    mesh_sequence_destroy(ctx, frames);
    rill_ctx_destroy(ctx);
}

/* A sphere that swells while it is moved, turned and scaled: the normal velocity at the
 * nearest point is how the distance changes; its fastest point is no faster than said. */
static void velocities_are_differences(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    mesh_sequence *frames = NULL;
    assert_ok(ctx, mesh_sequence_create(ctx, &(mesh_sequence_def){0}, &frames));
    for (int k = 0; k < 4; k++) {
        trimesh m = mesh_of_sphere(ctx, v3(0.05 * k, 0, 0), 0.2 + 0.05 * (k % 2), 0.1, 20);
        assert_ok(ctx, mesh_sequence_add(ctx, frames, &m, 0.5 * k));
        trimesh_clear(ctx, &m);
    }
    scene_motion_key key[] = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {0.4, 0.1, 0}, {20, 90, -30}}};
    for (int moving = 0; moving < 2; moving++) {
        scene_solid solid = {
            .shape = sequence_shape(frames),
            .transform = {.translate = {0.7, 0.5, 0.5}, .rotate = {10, 20, 30}, .scale = 0.8}};
        if (moving) solid.motion = (scene_motion){key, 2, false, v3(0.1, 0, 0)};
        rill_scene scene = scene_of(3, &solid, 1);
        scene.domain.open = 63;
        solids s;
        assert_ok(ctx, solids_create(ctx, &scene, &s));
        const double most = solids_max_speed(&s, 0, 2);
        double fastest = 0, worst = 0;
        size_t count = 0;
        for (uint64_t i = 0; i < 2000; i++) {
            const double t = 0.01 + 1.44 * (double)i / 2000, h = 1e-6; /* each span is built once */
            if (fabs(t - 0.5) < 1e-5 || fabs(t - 1) < 1e-5) continue;
            const rill_vec3 x = random_in((rill_box){{0.3, 0.1, 0.1}, {1.5, 0.9, 0.9}}, i);
            assert_ok(ctx, solids_prepare(ctx, &s, t - h, 2 * h));
            solid_contact c;
            const double d = solids_distance(&s, x, t, &c);
            const double change =
                (solids_distance(&s, x, t + h, NULL) - solids_distance(&s, x, t - h, NULL)) / (2 * h);
            fastest = fmax(fastest, v3_length(c.velocity));
            assert_true(v3_length(c.velocity) <= most * (1 + 1e-9));
            if (fabs(d) < 1e-4 || d < -0.1) continue; /* where the nearest point jumps */
            const double error = fabs(change + v3_dot(c.velocity, c.normal));
            worst = fmax(worst, error);
            count++;
            assert_true(error < 1e-5 * (1 + most));
        }
        assert_true(count > 1500 && fastest > 0.5 * most * (moving ? 0.5 : 1));
        print_message("velocity against the distance's change: worst %.2g m/s at up to %.3g m/s\n", worst,
                      fastest);
        solids_clear(ctx, &s);
    }
    mesh_sequence_destroy(ctx, frames);
    rill_ctx_destroy(ctx);
}

/* A step gives the same whatever was prepared before: after a retry with half the step, in
 * another simulation of the same scene, after a resume. */
static void steps_do_not_depend_on_the_past(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    mesh_sequence *frames = sheet_sequence(ctx, 0.01, 11, 20);
    scene_solid solid = {.shape = sequence_shape(frames), .slip = SLIP_NONE};
    const rill_scene scene = scene_of(3, &solid, 1);
    solids a, b;
    assert_ok(ctx, solids_create(ctx, &scene, &a));
    assert_ok(ctx, solids_create(ctx, &scene, &b));
    size_t met = 0;
    for (uint64_t i = 0; i < 200; i++) {
        const double t = uniform(i, 4, -0.1, 0.5), dt = uniform(i, 8, 0.001, 0.1);
        const rill_vec3 from = random_in((rill_box){{0.1, 0.2, 0.1}, {1.9, 0.8, 0.9}}, i);
        const rill_vec3 to =
            v3_madd(from, dt, v3(uniform(i, 5, -2, 2), uniform(i, 6, -4, 4), uniform(i, 7, -2, 2)));
        assert_ok(ctx, solids_prepare(ctx, &a, t, dt));
        assert_ok(ctx, solids_prepare(ctx, &b, uniform(i, 9, -1, 2), 0.3));
        assert_ok(ctx, solids_prepare(ctx, &b, t, 2 * dt));
        rill_vec3 x[2] = {to, to}, v[2] = {{0, 1, 0}, {0, 1, 0}};
        const bool changed = solids_push_out(&a, t, t + dt, 0.02, from, &x[0], &v[0]);
        assert_int_equal(changed, solids_push_out(&b, t, t + dt, 0.02, from, &x[1], &v[1]));
        assert_memory_equal(&x[0], &x[1], sizeof x[0]);
        assert_memory_equal(&v[0], &v[1], sizeof v[0]);
        met += changed;
    }
    assert_true(met > 50);
    solids_clear(ctx, &a);
    solids_clear(ctx, &b);
    mesh_sequence_destroy(ctx, frames);
    rill_ctx_destroy(ctx);
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    mesh_sequence *frames = sheet_sequence(ctx, 0.01, 3, 10);
    scene_solid solid[2] = {{.shape = sequence_shape(frames)}, {.shape = sequence_shape(frames)}};
    const rill_scene scene = scene_of(3, solid, 2);
    const uint64_t held = f.live;
    for (uint64_t n = 1;; n++) {
        solids s = {.count = 77};
        f.fail_at = f.calls + n;
        rill_status st = solids_create(ctx, &scene, &s);
        if (st) {
            assert_true(s.count == 77 && st == RILL_NO_MEMORY && f.live == held);
            continue;
        }
        st = solids_prepare(ctx, &s, 0.1, 0.05);
        assert_true(st == RILL_OK || st == RILL_NO_MEMORY);
        solids_clear(ctx, &s);
        assert_int_equal(f.live, held);
        if (st == RILL_OK) break;
    }
    f.fail_at = 0;
    mesh_sequence_destroy(ctx, frames);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_gets_through_a_sheet),
        cmocka_unit_test(velocities_are_differences),
        cmocka_unit_test(steps_do_not_depend_on_the_past),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
