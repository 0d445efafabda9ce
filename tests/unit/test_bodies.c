/* Rigid bodies by themselves: mass, free motion, joints and contact, against formulas. */
#include "bodies/body_mass.h"
#include "bodies/world.h"
#include "support.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const rill_vec3 down = {0, -9.81, 0};

/* ---- mass ---- */

static shape box_shape(rill_vec3 min, rill_vec3 max)
{
    return (shape){.kind = SHAPE_BOX, .box = {min, max}};
}
static shape ball_shape(rill_vec3 center, double radius)
{
    return (shape){.kind = SHAPE_SPHERE, .sphere = {center, radius}};
}
static shape rod_shape(shape_kind kind, rill_vec3 from, rill_vec3 to, double radius)
{
    return (shape){.kind = kind, .rod = {from, to, radius}};
}

/* The formulas against quadrature of the same shape as a union of one: other code, the same integral. */
static void formulas_match_quadrature(void **state)
{
    (void)state;
    const struct {
        shape s;
        int dimensions;
    } row[] = {
        {box_shape(v3(1, 2, 3), v3(1.5, 2.25, 4)), 3},
        {ball_shape(v3(-1, 0.5, 2), 0.7), 3},
        {rod_shape(SHAPE_CYLINDER, v3(0, 0, 0), v3(1, 0.5, 0.3), 0.4), 3},
        {rod_shape(SHAPE_CAPSULE, v3(0, 0, 0), v3(0.3, 0.9, -0.2), 0.35), 3},
        {box_shape(v3(1, 2, 0), v3(1.5, 2.25, 0)), 2},
        {ball_shape(v3(-1, 0.5, 0), 0.7), 2},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        shape part = row[k].s, whole = {.kind = SHAPE_UNION, .parts = {&part, 1}};
        mass_moments a, b;
        assert_true(mass_of_shape(&part, row[k].dimensions, &a));
        assert_true(mass_of_shape(&whole, row[k].dimensions, &b));
        assert_true(fabs(a.volume / b.volume - 1) < 3e-3);
        assert_true(v3_distance(a.center, b.center) < 1e-3);
        const double size = a.inertia[0][0] + a.inertia[1][1] + a.inertia[2][2];
        for (int i = row[k].dimensions == 2 ? 2 : 0; i < 3; i++)
            for (int j = row[k].dimensions == 2 ? 2 : 0; j < 3; j++)
                assert_true(fabs(a.inertia[i][j] - b.inertia[i][j]) < 4e-3 * size);
    }
}

/* A box as twelve triangles, far from the origin: exact. */
static void mesh_mass_is_exact(void **state)
{
    (void)state;
    rill_vec3 corner[8];
    for (int k = 0; k < 8; k++)
        corner[k] = v3(1000 + (k & 1) * 0.5, -300 + (k >> 1 & 1) * 0.25, (k >> 2) * 2.0);
    uint32_t triangle[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const trimesh m = {.position = corner, .vertex_count = 8, .triangle = triangle, .triangle_count = 12};
    const shape box = box_shape(corner[0], corner[7]);
    mass_moments a, b;
    assert_true(mass_of_mesh(&m, &a));
    assert_true(mass_of_shape(&box, 3, &b));
    assert_true(fabs(a.volume / b.volume - 1) < 1e-12);
    assert_true(v3_distance(a.center, b.center) < 1e-9);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) assert_true(fabs(a.inertia[i][j] - b.inertia[i][j]) < 1e-10);
}

static void unbounded_shapes_have_no_mass(void **state)
{
    (void)state;
    const shape plane = {.kind = SHAPE_PLANE, .flat = {{0, 0, 0}, {0, 1, 0}, 0}};
    const shape endless = box_shape(v3(0, 0, 0), v3(1, INFINITY, 1)),
                flat = box_shape(v3(0, 0, 0), v3(1, 0, 1));
    mass_moments m;
    assert_false(mass_of_shape(&plane, 3, &m));
    assert_false(mass_of_shape(&endless, 3, &m));
    assert_false(mass_of_shape(&flat, 3, &m));
}

/* ---- worlds ---- */

enum { MOST = 64 };

typedef struct setting {
    rill_ctx *ctx;
    shape form[MOST];
    world_body_def body[MOST];
    world_obstacle_def obstacle[MOST];
    uint32_t bodies, obstacles, forms;
    int dimensions;
    body_world w;
} setting;

static const struct solid_pose unturned = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, 1};

static world_body_def *add_body(setting *s, shape form, double density)
{
    shape *f = &s->form[s->forms++];
    world_body_def *b = &s->body[s->bodies++];
    mass_moments m;
    *f = form;
    assert_true(mass_of_shape(f, s->dimensions, &m));
    *b = (world_body_def){.shape = f,
                          .pose = unturned,
                          .mass = density * m.volume,
                          .center = m.center,
                          .lower = 1,
                          .upper = -1};
    for (int i = 0; i < 9; i++) b->inertia[i / 3][i % 3] = density * m.inertia[i / 3][i % 3];
    return b;
}

static world_obstacle_def *add_obstacle(setting *s, shape form)
{
    shape *f = &s->form[s->forms++];
    *f = form;
    s->obstacle[s->obstacles] = (world_obstacle_def){.shape = f, .pose = unturned};
    return &s->obstacle[s->obstacles++];
}

static shape floor_shape(rill_vec3 normal)
{
    return (shape){.kind = SHAPE_PLANE, .flat = {{0, 0, 0}, normal, 0}};
}

static void start(setting *s, int dimensions)
{
    *s = (setting){.ctx = test_ctx(1), .dimensions = dimensions};
}

static void create(setting *s)
{
    assert_int_equal(
        world_create(s->ctx, s->dimensions, s->body, s->bodies, s->obstacle, s->obstacles, NULL, NULL, &s->w),
        RILL_OK);
}

static void steps(setting *s, double time, double dt, rill_vec3 gravity)
{
    const long n = lround(time / dt);
    for (long k = 0; k < n; k++) {
        assert_int_equal(world_move(&s->w, (double)k * dt, dt), RILL_OK);
        world_push(&s->w, gravity, NULL, NULL, dt);
        assert_int_equal(world_settle(&s->w, (double)(k + 1) * dt, dt, v3_length(gravity)), RILL_OK);
    }
}

static void end(setting *s)
{
    world_clear(&s->w);
    rill_ctx_destroy(s->ctx);
}

/* Without forces a tumbling box keeps its angular momentum, and its energy to the order of the step. */
static void tumbling_keeps_angular_momentum(void **state)
{
    (void)state;
    double drift[2];
    for (int fine = 0; fine < 2; fine++) {
        setting s;
        start(&s, 3);
        world_body_def *b = add_body(&s, box_shape(v3(0, 0, 0), v3(1, 2, 3)), 10);
        b->spin = v3(0.1, 2, 0.05); /* about the middle axis: it turns over */
        create(&s);
        double energy[2] = {0}, momentum[2][3] = {{0}};
        for (int k = 0; k < 2; k++) {
            if (k) steps(&s, 10, fine ? 0.0025 : 0.005, v3(0, 0, 0));
            const rigid_body *r = &s.w.body[0];
            const double w[3] = {r->spin.x, r->spin.y, r->spin.z};
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    momentum[k][i] += r->inertia[i][j] * w[j];
                    energy[k] += 0.5 * w[i] * r->inertia[i][j] * w[j];
                }
        }
        for (int i = 0; i < 3; i++)
            assert_true(fabs(momentum[1][i] - momentum[0][i]) < 1e-9 * fabs(momentum[0][1]));
        drift[fine] = fabs(energy[1] / energy[0] - 1);
        end(&s);
    }
    assert_true(drift[0] < 0.02);
    assert_true(drift[1] < 0.6 * drift[0]);
}

/* A ball dropped from 1 m bounces to restitution^2, within 3 percent. */
static void ball_bounces(void **state)
{
    (void)state;
    const double e[] = {0, 0.5, 0.8, 1};
    for (int k = 0; k < 4; k++) {
        setting s;
        start(&s, 3);
        world_body_def *b = add_body(&s, ball_shape(v3(0, 1.1, 0), 0.1), 500);
        b->restitution = e[k];
        add_obstacle(&s, floor_shape(v3(0, 1, 0)));
        create(&s);
        const double dt = 0.001;
        double highest = 0, before = 0;
        bool rising = false;
        for (long n = 0; n < 1200; n++) {
            steps(&s, dt, dt, down);
            const double v = s.w.body[0].velocity.y;
            if (before < -1 && v > before + 1) rising = true;
            if (rising) highest = fmax(highest, s.w.body[0].center.y - 0.1);
            before = v;
        }
        assert_true(rising);
        assert_true(fabs(highest - e[k] * e[k]) < 0.03 * fmax(e[k] * e[k], 0.01));
        end(&s);
    }
}

/* A box on an incline rests below the friction angle and slides above it as Coulomb says. */
static void friction_angle(void **state)
{
    (void)state;
    const double friction = 0.5, angle = atan(friction), degree = pi / 180;
    for (int above = 0; above < 2; above++) {
        setting s;
        start(&s, 3);
        world_body_def *b = add_body(&s, box_shape(v3(-0.1, 0, -0.1), v3(0.1, 0.1, 0.1)), 500);
        b->friction = friction;
        add_obstacle(&s, floor_shape(v3(0, 1, 0)))->friction = friction;
        create(&s);
        const double slope = angle + (above ? degree : -degree); /* gravity leans instead of the floor */
        steps(&s, 2, 0.005, v3(9.81 * sin(slope), -9.81 * cos(slope), 0));
        const double way = s.w.body[0].center.x, a = 9.81 * (sin(slope) - friction * cos(slope));
        if (above)
            assert_true(fabs(way - 0.5 * a * 4) < 0.05 * 0.5 * a * 4);
        else
            assert_true(fabs(way) < 1e-4);
        end(&s);
    }
}

/* Five boxes, each on the other, stand still for 10 s. */
static void stack_stands(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        setting s;
        start(&s, dimensions);
        for (int k = 0; k < 5; k++)
            add_body(&s, box_shape(v3(-0.1, 0.2 * k, -0.1), v3(0.1, 0.2 * k + 0.2, 0.1)), 500)->friction =
                0.5;
        add_obstacle(&s, floor_shape(v3(0, 1, 0)))->friction = 0.5;
        create(&s);
        steps(&s, 10, 0.005, down);
        for (uint32_t k = 0; k < 5; k++) {
            assert_true(v3_distance(s.w.body[k].center, v3(0, 0.2 * k + 0.1, 0)) < 2e-3);
            assert_true(v3_length(s.w.body[k].velocity) < 1e-3);
            assert_true(v3_length(s.w.body[k].spin) < 1e-2);
        }
        end(&s);
    }
}

/* A plate of 1 cm at 50 m/s does not pass a wall of 1 cm, head on, edge on or turning. */
static void thin_and_fast_does_not_tunnel(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        setting s;
        start(&s, 3);
        const rill_vec3 half = k == 1 ? v3(0.2, 0.005, 0.2) : v3(0.005, 0.2, 0.2);
        world_body_def *b =
            add_body(&s, box_shape(v3_sub(v3(0.3, 0, 0), half), v3_add(v3(0.3, 0, 0), half)), 1000);
        b->velocity = v3(50, 3, 0);
        b->spin = k == 2 ? v3(0, 0, 60) : k == 3 ? v3(0, 200, 0) : v3(0, 0, 0);
        add_obstacle(&s, box_shape(v3(1, -5, -5), v3(1.01, 5, 5)));
        create(&s);
        steps(&s, 0.1, 1.0 / 60, v3(0, 0, 0));
        assert_true(s.w.body[0].center.x < 1.0);
        end(&s);
    }
}

/* A pendulum on a hinge swings with its period, and keeps to its hinge to rounding. */
static void pendulum(void **state)
{
    (void)state;
    setting s;
    start(&s, 3);
    world_body_def *b = add_body(&s, box_shape(v3(-0.05, -1, -0.05), v3(0.05, 0, 0.05)), 500);
    b->constraint = BODY_HINGED;
    b->axis = v3(0, 0, 1);
    b->spin = v3(0, 0, 0.2);
    b->velocity = v3_cross(b->spin, b->center);
    create(&s);
    const double m = b->mass, about = b->inertia[2][2] + m * 0.25,
                 expected = 2 * pi * sqrt(about / (m * 9.81 * 0.5));
    double first = 0, last = 0, before = 0.2;
    int crossings = 0;
    const double dt = 0.002;
    for (int k = 1; k < 5000; k++) {
        steps(&s, dt, dt, down);
        const double spin = s.w.body[0].spin.z;
        if (before < 0 && spin >= 0) {
            last = (k - spin / (spin - before)) * dt;
            if (crossings++ == 0) first = last;
        }
        before = spin;
        assert_true(fabs(v3_length(s.w.body[0].center) - 0.5) < 1e-12);
    }
    assert_true(crossings >= 5);
    assert_true(fabs((last - first) / (crossings - 1) / expected - 1) < 5e-3);
    end(&s);
}

/* A hinge stops at its limit; a slide goes along its axis alone and stops at its own. */
static void limits_hold(void **state)
{
    (void)state;
    setting s;
    start(&s, 3);
    world_body_def *door = add_body(&s, box_shape(v3(0, -0.05, -0.05), v3(1, 0.05, 0.05)), 500);
    door->constraint = BODY_HINGED;
    door->axis = v3(0, 0, 1);
    door->lower = -0.5, door->upper = 0.1;
    world_body_def *piston = add_body(&s, box_shape(v3(5, 0, 0), v3(6, 1, 1)), 500);
    piston->constraint = BODY_SLIDING;
    piston->axis = v3_unit(v3(1, -1, 0));
    piston->lower = 0, piston->upper = 0.7;
    create(&s);
    steps(&s, 3, 0.004, down);
    assert_true(fabs(s.w.state[0].limit_at + 0.5) < 1e-3);
    assert_true(fabs(s.w.state[1].limit_at - 0.7) < 1e-3);
    assert_true(v3_distance(s.w.body[1].center, v3_madd(v3(5.5, 0.5, 0.5), 0.7, v3_unit(v3(1, -1, 0)))) <
                1e-3);
    end(&s);
}

/* Head on, without friction: momentum is kept, and energy with restitution one. */
static void collisions_keep_momentum(void **state)
{
    (void)state;
    setting s;
    start(&s, 3);
    world_body_def *a = add_body(&s, ball_shape(v3(0, 0, 0), 0.1), 1000);
    a->velocity = v3(2, 0, 0);
    a->restitution = 1;
    add_body(&s, ball_shape(v3(1, 0.08, 0), 0.2), 300);
    create(&s);
    const double ma = s.w.body[0].mass, mb = s.w.body[1].mass;
    steps(&s, 2, 0.01, v3(0, 0, 0));
    const rill_vec3 va = s.w.body[0].velocity, vb = s.w.body[1].velocity;
    assert_true(v3_length(vb) > 0.5);
    assert_true(v3_distance(v3_add(v3_scale(va, ma), v3_scale(vb, mb)), v3(2 * ma, 0, 0)) < 1e-9 * ma);
    const double energy = ma * v3_dot(va, va) + mb * v3_dot(vb, vb);
    assert_true(fabs(energy / (4 * ma) - 1) < 1e-6);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_match_quadrature),
        cmocka_unit_test(mesh_mass_is_exact),
        cmocka_unit_test(unbounded_shapes_have_no_mass),
        cmocka_unit_test(tumbling_keeps_angular_momentum),
        cmocka_unit_test(ball_bounces),
        cmocka_unit_test(friction_angle),
        cmocka_unit_test(stack_stands),
        cmocka_unit_test(thin_and_fast_does_not_tunnel),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(collisions_keep_momentum),
    };
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
