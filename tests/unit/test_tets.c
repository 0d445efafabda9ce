/* The tets method: what it refuses, smoke that stays smoke, bodies. */
#include "folders.h"
#include "support.h"

#include "io/scene_file.h"
#include "meshes.h"
#include "method_scenes.h"
#include "run/registry.h"
#include "run/stepper.h"
#include "tets/state.h"

#include <stdio.h>
#include <string.h>

#define BALL(body)                                                                                           \
    "\"fill\": true, \"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], \"radius\": 0.2 " \
    "} }, \"body\": { " body " } } ]"
#define FLAP(body)                                                                              \
    "\"fill\": true, \"solids\": [ { \"shape\": { \"box\": { \"min\": [0.3,0.6,0.3], \"max\": " \
    "[0.7,0.64,0.7] } }, \"body\": { " body " } } ]"

static rill_status read_scene(rill_ctx *ctx, const char *rest, rill_scene *out)
{
    char json[2000];
    snprintf(json, sizeof json,
             "{ \"rill\": 1, \"method\": \"tets\", \"spacing\": 0.2,\n"
             "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1], \"open\": [\"+y\"] },\n%s }",
             rest);
    return scene_parse(ctx, "s.json", json, strlen(json), rill_methods, rill_method_count, NULL, out);
}

static void refused(const char *rest, const char *place, const char *word)
{
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = read_scene(ctx, rest, &scene);
    if (!st) st = scene.method->create(ctx, &scene, &sim);
    assert_int_equal(st, RILL_BAD_SCENE);
    const char *message = rill_ctx_message(ctx);
    if (!strstr(message, word) || (place && strncmp(message, place, strlen(place)) != 0))
        fail_msg("expected %s and \"%s\": %s", place ? place : "a message", word, message);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    refused("\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [1,0.5,1] } } } ]",
            "s.json:3:", "fill");
    refused(
        "\"fill\": true,\n\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.5,0.5,0.5], \"normal\": "
        "[0,1,0], \"radius\": 0.1 } }, \"speed\": 1 } ]",
        "s.json:4:", "smoke");
    refused("\"fill\": true, \"fluid\": {\n\"viscosity\": 1 }", "s.json:4:", "viscosity");
    refused("\"fill\": true, \"smoke\": [ {\n\"shape\": { \"sphere\": { \"center\": [5,5,5], \"radius\": 0.1 "
            "} } } ]",
            "s.json:4:", "outside");
    refused("\"fill\": true, \"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], "
            "\"radius\": 0.05 } } } ],"
            "\"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], \"radius\": 0.3 } } } ]",
            NULL, "inside of solid");
    refused("\"fill\": true, \"smoke\": [ { \"shape\": { \"box\": { \"min\": [0.3,0.3,0.3], \"max\": "
            "[0.7,0.7,0.7] } } } ], \"solids\": [ { \"shape\": { \"box\": { \"min\": [0.2,0.2,0.2], "
            "\"max\": [0.8,0.8,0.8] } } } ]",
            NULL, "inside of solid");
    refused("\"fill\": true, \"solids\": [ { \"shape\": { \"box\": { \"min\": [-1,-1,-1], \"max\": "
            "[0.5,2,2] } } }, { \"shape\": { \"box\": { \"min\": [0.5,-1,-1], \"max\": [2,2,2] } } } ]",
            NULL, "no room");
    refused("\"tets\": {\n\"remesh\": false }, " BALL("\"density\": 10"), "s.json:3:", "remesh");
    refused("\"fill\": true, \"solids\": [ { \"shape\": { \"box\": { \"min\": [-1,-1,-1], \"max\": [2,2,2] } "
            "} } ]",
            NULL, "no room");
}

/* A mesh with an open edge bounds nothing: refused with the file, the place and the remedy. */
static void an_open_mesh_is_refused(void **state)
{
    (void)state;
    const char *path = in_own_folder("open.obj");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "v 0.3 0.3 0.3\nv 0.7 0.3 0.3\nv 0.3 0.7 0.3\nv 0.3 0.3 0.7\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    assert_int_equal(fclose(f), 0);
    char rest[300];
    snprintf(rest, sizeof rest,
             "\"fill\": true, \"solids\": [ {\n\"shape\": { \"mesh\": { \"file\": \"%s\" } } } ]", path);
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = read_scene(ctx, rest, &scene);
    if (!st) st = sim_start(ctx, &scene, &sim);
    assert_null(sim);
    assert_true(st == RILL_BAD_FILE || st == RILL_BAD_SCENE);
    const char *message = rill_ctx_message(ctx);
    if (!strstr(message, "open.obj") || !strstr(message, "holes") || !strstr(message, "near ("))
        fail_msg("%s", message);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* More tetrahedra than memory or indices hold: said before anything is taken. */
static void too_fine_a_mesh_is_refused(void **state)
{
    (void)state;
    static const double spacing[] = {2e-3, 1e-5};
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = {0};
        rill_sim *sim = NULL;
        assert_ok(ctx, read_scene(ctx, "\"fill\": true", &scene));
        scene.spacing = spacing[k];
        assert_int_equal(scene.method->create(ctx, &scene, &sim), RILL_NO_MEMORY);
        assert_null(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

/* Soot is never more than a source gives, nor less than none. */
static void smoke_stays_within_bounds(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    assert_ok(
        ctx,
        read_scene(
            ctx,
            "\"fill\": true, \"tets\": { \"coarsest\": 2, \"smoke\": 1, \"vorticity\": 1 },\n"
            "\"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.2,0.5], \"radius\": 0.2 } }, "
            "\"density\": 2, \"temperature\": 500, \"velocity\": [0,1,0], \"tracers_per_second\": 100 } ]",
            &scene));
    rill_sim *sim = method_create(ctx, &scene);
    double most = 0, warmest = 0;
    for (int k = 0; k < 6; k++) {
        rill_step_stats stats = step_stats_none();
        assert_ok(ctx, solids_prepare(ctx, &sim->solids, sim->time, 0.05));
        assert_ok(ctx, sim->method->step(sim, 0.05, &stats));
        assert_ok(ctx, tracers_step(sim, sim->time, 0.05));
        sim->time += 0.05;
        sim->step++;
    }
    const tets_state *a = tets_now(tets_of(sim));
    for (uint32_t i = 0; i < a->mesh.count; i++) {
        assert_true(a->soot[i] >= 0 && a->soot[i] <= 2 * (1 + 1e-9));
        most = fmax(most, a->soot[i]);
        warmest = fmax(warmest, a->heat[i]);
    }
    assert_true(most > 1.9 && warmest > 200);
    assert_true(sim->tracers.dots.count > 20);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* ---- walls that deform ---- */

/* A solid that grows in a closed domain leaves its fluid no way out (errata E-K7): what it pushes is spread
 * over its surface and the fluid stays free of divergence; a warning tells. With an open side nothing is
 * changed. */
static void a_growing_solid_in_a_closed_domain(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene;
        rill_sim *sim;
        scene_solid *solid;
        mesh_sequence *frames = NULL;
        assert_ok(ctx, read_scene(ctx, "\"fill\": true", &scene));
        if (!open) scene.domain.open = 0;
        assert_ok(ctx, mesh_sequence_create(ctx, &(mesh_sequence_def){0}, &frames));
        for (int k = 0; k < 2; k++) {
            const double r = 0.2 + 0.1 * k;
            trimesh m =
                mesh_of_box(ctx, (rill_box){{0.5 - r, 0.5 - r, 0.5 - r}, {0.5 + r, 0.5 + r, 0.5 + r}}, 2, 63);
            assert_ok(ctx, mesh_sequence_add(ctx, frames, &m, k));
            trimesh_clear(ctx, &m);
        }
        assert_ok(ctx, scene_add_solid(ctx, &scene, &solid));
        solid->shape = (shape){.kind = SHAPE_SEQUENCE, .sequence = {.frames = frames}};
        assert_ok(ctx, sim_start(ctx, &scene, &sim));
        for (int k = 0; k < 2; k++) {
            rill_step_stats stats = step_stats_none();
            assert_ok(ctx, solids_prepare(ctx, &sim->solids, sim->time, 0.05));
            assert_ok(ctx, sim->method->step(sim, 0.05, &stats));
            sim->time += 0.05;
            sim->step++;
            assert_true(stats.div_max < 1e-4 && isfinite(stats.max_speed));
        }
        const tets_state *a = tets_now(tets_of(sim));
        const fv_mesh *fv = &a->mesh.fv;
        double pushed = 0, out = 0;
        for (int corner = 0; corner < 8; corner++) { /* its corners are nodes, its edges are followed */
            const double r = 0.2 + 0.1 * sim->time;
            const rill_vec3 x = {0.5 + (corner & 1 ? r : -r), 0.5 + (corner & 2 ? r : -r),
                                 0.5 + (corner & 4 ? r : -r)};
            double nearest = INFINITY;
            for (uint32_t i = 0; i < a->mesh.count; i++)
                nearest = fmin(nearest, v3_distance(a->mesh.x[i], x));
            assert_true(nearest < 1e-6);
        }
        for (uint32_t k = fv->inner_count; k < fv->face_count; k++)
            *(a->mesh.wall[k - fv->inner_count] < WALL_SIDE ? &pushed : &out) += a->flux[k];
        /* sides of 0.4 to 0.42 m, each of the six faces at 0.1 m/s */
        assert_true(open ? -pushed > 0.09 && -pushed < 0.11 : fabs(pushed) < 1e-9);
        assert_true(fabs(out + pushed) < 1e-5);
        assert_true(tets_of(sim)->told_flux == !open);
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        mesh_sequence_destroy(ctx, frames);
        rill_ctx_destroy(ctx);
    }
}

/* A piston of 0.3 m/s that closes two chambers: no fluid can make room. Both are balanced, so that the fluid
 * is free of divergence and hardly moves, and a warning tells. */
static void a_piston_in_a_closed_domain(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    rill_sim *sim;
    assert_ok(ctx,
              read_scene(ctx,
                         "\"fill\": true, \"solids\": [ { \"shape\": { \"box\": { \"min\": [-1,0,-1], "
                         "\"max\": [2,0.2,2] } }, \"motion\": { \"keyframes\": [ { \"t\": 0, \"translate\": "
                         "[0,0.3,0] }, { \"t\": 1, \"translate\": [0,0.6,0] } ] } } ]",
                         &scene));
    scene.domain.open = 0;
    assert_ok(ctx, sim_start(ctx, &scene, &sim));
    for (int k = 0; k < 2; k++) {
        rill_step_stats stats = step_stats_none();
        assert_ok(ctx, solids_prepare(ctx, &sim->solids, sim->time, 0.05));
        assert_ok(ctx, sim->method->step(sim, 0.05, &stats));
        sim->time += 0.05;
        sim->step++;
        assert_true(stats.div_max < 1e-5 && stats.max_speed < 0.15);
    }
    assert_true(tets_of(sim)->told_flux);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* A source without a velocity covers the open side; a jet comes in through the side across: all of it leaves.
 */
static void a_source_leaves_an_open_side_open(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    rill_sim *sim;
    assert_ok(ctx,
              read_scene(ctx,
                         "\"fill\": true, \"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0,0.5], "
                         "\"radius\": 0.3 } }, \"velocity\": [0,1,0] }, { \"shape\": { \"box\": { \"min\": "
                         "[-1,0.9,-1], \"max\": [2,2,2] } }, \"density\": 1 } ]",
                         &scene));
    assert_ok(ctx, sim_start(ctx, &scene, &sim));
    rill_step_stats stats = step_stats_none();
    assert_ok(ctx, sim->method->step(sim, 0.05, &stats));
    const tets_state *a = tets_now(tets_of(sim));
    const fv_mesh *fv = &a->mesh.fv;
    double in = 0, out = 0;
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++) {
        const uint32_t side = a->mesh.wall[k - fv->inner_count] - WALL_SIDE;
        if (side == 3) assert_int_equal(fv->boundary[k - fv->inner_count].kind, FV_SURFACE);
        *(side == 3 ? &out : &in) += a->flux[k];
    }
    assert_true(-in > 0.1 && fabs(in + out) < 1e-4 * out);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* ---- bodies ---- */

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
} bath;

/* In place: a simulation borrows its scene. */
static void fill_bath_with(bath *b, const char *rest, int threads)
{
    *b = (bath){.ctx = test_ctx(threads)};
    assert_ok(b->ctx, read_scene(b->ctx, rest, &b->scene));
    assert_ok(b->ctx, sim_start(b->ctx, &b->scene, &b->sim));
}

static void fill_bath(bath *b, const char *rest)
{
    fill_bath_with(b, rest, 2);
}

static void drain(bath *b)
{
    b->sim->method->destroy(b->sim);
    scene_clear(b->ctx, &b->scene);
    rill_ctx_destroy(b->ctx);
}

static void take_steps(rill_sim *sim, double dt, int steps)
{
    for (int k = 0; k < steps; k++) {
        rill_step_stats stats = step_stats_none();
        assert_ok(sim->ctx, bodies_begin(&sim->bodies, &sim->solids, sim->scene, sim->time, dt));
        assert_ok(sim->ctx, solids_prepare(sim->ctx, &sim->solids, sim->time, dt));
        assert_ok(sim->ctx, sim->method->step(sim, dt, &stats));
        assert_ok(sim->ctx, bodies_end(&sim->bodies, sim->scene, sim->time + dt, dt));
        sim->time += dt;
        sim->step++;
    }
}

static const rigid_body *body_of(const bath *b)
{
    return &b->sim->bodies.world.body[0];
}

/* A flap heavier than the fluid swings down about its hinge and stays on it. */
static void a_hinged_body_stays_on_its_hinge(void **state)
{
    (void)state;
    bath b;
    fill_bath(&b, FLAP("\"density\": 3000, \"hinge\": { \"point\": [0.3,0.62,0.5], \"axis\": [0,0,1] }"));
    take_steps(b.sim, 0.02, 5);
    const rigid_body *now = body_of(&b);
    assert_true(now->spin.z < -0.1 && now->spin.x == 0 && now->spin.y == 0);
    assert_true(fabs(v3_distance(now->center, now->point) - 0.2) < 1e-12);
    assert_true(now->center.y < 0.62);
    assert_true(v3_length(v3_sub(now->velocity, v3_cross(now->spin, v3_sub(now->center, now->point)))) <
                1e-9);
    drain(&b);
}

/* The same flap on a stop: neither it nor the fluid moves. */
static void fluid_around_a_stopped_body_rests(void **state)
{
    (void)state;
    bath b;
    fill_bath(&b, FLAP("\"density\": 3000, \"hinge\": { \"point\": [0.3,0.62,0.5], \"axis\": [0,0,1], "
                       "\"limits\": [0, 40] }"));
    take_steps(b.sim, 0.02, 4);
    assert_true(fabs(body_of(&b)->spin.z) < 1e-9);
    assert_true(tets_of(b.sim)->max_speed < 1e-6);
    drain(&b);
}

/* A pinned plate turns about its pin, one on rails does not turn. */
static void joints_leave_their_freedoms(void **state)
{
    (void)state;
    bath b;
    fill_bath(&b, FLAP("\"density\": 3000, \"pin\": { \"point\": [0.3,0.62,0.4] }"));
    take_steps(b.sim, 0.02, 4);
    assert_true(fabs(v3_distance(body_of(&b)->center, v3(0.3, 0.62, 0.4)) - hypot(0.2, 0.1)) < 1e-12);
    assert_true(body_of(&b)->spin.z < -0.1 && fabs(body_of(&b)->spin.x) > 0.01);
    drain(&b);
    fill_bath(&b, FLAP("\"density\": 3000, \"slide\": { \"axis\": [1,-1,0] }"));
    take_steps(b.sim, 0.02, 4);
    const rill_vec3 v = body_of(&b)->velocity, gone = v3_sub(body_of(&b)->center, v3(0.5, 0.62, 0.5));
    assert_true(v.x > 0.05 && fabs(v.x + v.y) < 1e-12 && v.z == 0 && v3_length(body_of(&b)->spin) == 0);
    assert_true(gone.x > 0 && fabs(gone.x + gone.y) < 1e-12 && fabs(gone.z) < 1e-12);
    drain(&b);
}

/* What the fluid did is what the body's momentum changed by, besides its weight. */
static void forces_are_changes_of_momentum(void **state)
{
    (void)state;
    bath b;
    fill_bath(&b, BALL("\"density\": 300, \"velocity\": [0.5,0,0.2], \"spin\": [0,3,0]"));
    const double dt = 0.02;
    for (int k = 0; k < 3; k++) {
        const rigid_body before = *body_of(&b);
        take_steps(b.sim, dt, 1);
        const rigid_body *now = body_of(&b);
        rill_vec3 gained = v3_scale(v3_sub(now->velocity, before.velocity), now->mass);
        gained.y += 9.81 * dt * now->mass;
        assert_true(v3_distance(gained, v3_scale(b.sim->bodies.force[0], dt)) < 1e-9 * v3_length(gained));
    }
    drain(&b);
}

/* A body as heavy as the fluid stays where it is, to the last digits; with reflection too. */
static void a_neutral_body_stays(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        bath b;
        fill_bath(&b, k ? "\"tets\": { \"reflection\": true }, " BALL("\"density\": 1000")
                        : BALL("\"density\": 1000"));
        take_steps(b.sim, 0.02, 3);
        assert_true(v3_length(body_of(&b)->velocity) < 1e-12);
        drain(&b);
    }
}

/* A heavy ball that lies on the ground leaves the fluid alone. */
static void a_ball_on_the_ground_rests(void **state)
{
    (void)state;
    bath b;
    fill_bath(&b, "\"fill\": true, \"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.2,0.5], "
                  "\"radius\": 0.2 } }, \"body\": { \"density\": 5000 } } ]");
    take_steps(b.sim, 0.02, 5);
    assert_true(tets_of(b.sim)->max_speed < 0.02); /* of the 0.2 m/s a step that it would fall */
    assert_true(fabs(body_of(&b)->center.y - 0.2) < 2e-3);
    drain(&b);
}

/* Light bodies on the floor of a closed domain leave it: the mesh has no faces where they touch it, which
 * neither stops the pressure solve nor holds them down. */
static void light_bodies_leave_the_floor(void **state)
{
    (void)state;
    static const char *const form[] = {
        "\"sphere\": { \"center\": [0.5,0.2,0.5], \"radius\": 0.2 }",
        "\"sphere\": { \"center\": [0.5,0.201,0.5], \"radius\": 0.2 }",
        "\"box\": { \"min\": [0.3,0,0.3], \"max\": [0.7,0.4,0.7] }",
    };
    for (size_t k = 0; k < sizeof form / sizeof *form; k++) {
        char rest[300];
        bath b = {.ctx = test_ctx(2)};
        snprintf(rest, sizeof rest,
                 "\"fill\": true, \"solids\": [ { \"shape\": { %s }, \"body\": { \"density\": 1 } } ]",
                 form[k]);
        assert_ok(b.ctx, read_scene(b.ctx, rest, &b.scene));
        b.scene.domain.open = 0;
        assert_ok(b.ctx, sim_start(b.ctx, &b.scene, &b.sim));
        const double before = body_of(&b)->center.y;
        take_steps(b.sim, 0.02, 8);
        assert_true(body_of(&b)->center.y > before + 0.01);
        drain(&b);
    }
}

/* Body and fluid solved for at once: a piston between two closed chambers stays, and a ball of almost no
 * mass rises as its added mass says. By turns the speed of either grows with every step. */
static void solved_by_turns_light_bodies_blow_up(void **state)
{
    (void)state;
    const char *piston = "\"fill\": true, \"solids\": [ { \"shape\": { \"box\": { \"min\": [0,0.3,0], "
                         "\"max\": [1,0.4,1] } }, \"body\": { \"density\": 300, "
                         "\"slide\": { \"axis\": [0,1,0] } } }, { \"shape\": { \"box\": { \"min\": "
                         "[-0.1,0.8,-0.1], \"max\": [1.1,0.95,1.1] } } } ]";
    double speed[2][2];
    for (int turns = 0; turns < 2; turns++) {
        bath b;
        fill_bath(&b, piston);
        tets_of(b.sim)->bodies.by_turns = turns;
        take_steps(b.sim, 1e-3, 2);
        speed[0][turns] = fabs(body_of(&b)->velocity.y) / (9.81 * 2e-3);
        drain(&b);
        fill_bath(&b, BALL("\"density\": 0.1"));
        tets_of(b.sim)->bodies.by_turns = turns;
        take_steps(b.sim, 1e-4, 1);
        speed[1][turns] = fabs(body_of(&b)->velocity.y) / (9.81 * 1e-4);
        drain(&b);
    }
    assert_true(speed[0][0] < 1e-6 && speed[0][1] > 20);
    assert_true(speed[1][0] > 0.8 && speed[1][0] < 2);
    assert_true(speed[1][1] > 1e6);
}

/* A run that is saved and loaded in the middle, with other threads, goes on in the same bits. */
static void bodies_resume(void **state)
{
    (void)state;
    static const char rest[] = BALL("\"density\": 300, \"spin\": [0,3,0]");
    bath a, b;
    fill_bath_with(&a, rest, 3);
    fill_bath_with(&b, rest, 1);
    rill_step_stats stats;
    sim_state half;
    double dt;
    sim_state_init(&half, a.ctx);
    for (int k = 0; k < 3; k++) assert_ok(a.ctx, run_step(a.sim, 1, 10, &dt, &stats));
    assert_ok(a.ctx, sim_state_keep(&half, a.sim));
    assert_ok(b.ctx, sim_state_restore(&half, b.sim));
    for (int k = 0; k < 3; k++) {
        assert_ok(a.ctx, run_step(a.sim, 1, 10, &dt, &stats));
        assert_ok(b.ctx, run_step(b.sim, 1, 10, &dt, &stats));
    }
    assert_true(a.sim->time == b.sim->time);
    assert_memory_equal(body_of(&a), body_of(&b), sizeof(rigid_body));
    const tets_state *p = tets_now(tets_of(a.sim)), *q = tets_now(tets_of(b.sim));
    assert_int_equal(p->mesh.fv.face_count, q->mesh.fv.face_count);
    assert_memory_equal(p->flux, q->flux, p->mesh.fv.face_count * sizeof *p->flux);
    sim_state_clear(&half);
    drain(&a);
    drain(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(an_open_mesh_is_refused),
        cmocka_unit_test(too_fine_a_mesh_is_refused),
        cmocka_unit_test(smoke_stays_within_bounds),
        cmocka_unit_test(a_growing_solid_in_a_closed_domain),
        cmocka_unit_test(a_piston_in_a_closed_domain),
        cmocka_unit_test(a_source_leaves_an_open_side_open),
        cmocka_unit_test(a_hinged_body_stays_on_its_hinge),
        cmocka_unit_test(fluid_around_a_stopped_body_rests),
        cmocka_unit_test(joints_leave_their_freedoms),
        cmocka_unit_test(forces_are_changes_of_momentum),
        cmocka_unit_test(a_neutral_body_stays),
        cmocka_unit_test(a_ball_on_the_ground_rests),
        cmocka_unit_test(light_bodies_leave_the_floor),
        cmocka_unit_test(solved_by_turns_light_bodies_blow_up),
        cmocka_unit_test(bodies_resume),
    };
    return cmocka_run_group_tests(tests, own_folder_make, own_folder_remove);
}
