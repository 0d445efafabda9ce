/* What a host changes while a simulation runs, and what it is told after a step: against scenes that say the
 * same from the start, and against saved states. */
#include "folders.h"
#include "support.h"

#include "flow/host.h"
#include "run/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A column of liquid beside a paddle, an emitter above; gravity, speed and motion by the caller. */
static const char tank[] =
    "{ \"rill\": 1, \"method\": \"%s\", \"spacing\": 0.1, \"sph\": { \"solver\": \"dfsph\" },\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1.2,1,0.6] }, \"gravity\": [0,%g,0],\n"
    "  \"time\": { \"frames\": 4, \"fps\": 40 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.5,0.6] } } } ],\n"
    "  \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.9,0.9,0.3], \"normal\": [0,-1,0],\n"
    "                  \"radius\": 0.1 } }, \"speed\": %g } ],\n"
    "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.4,0.4,0.6] } }, \"count\": 50 "
    "} ],\n"
    "  \"solids\": [ { \"name\": \"paddle\", \"shape\": { \"box\": { \"min\": [0.6,0,0], \"max\": "
    "[0.7,0.4,0.6] } },\n"
    "                \"motion\": { \"keyframes\": [ { \"t\": 0, \"translate\": [0,0,0] }%s ] } },\n"
    "              { \"shape\": { \"sphere\": { \"center\": [1.1,0.1,0.3], \"radius\": 0.1 } } } ],\n"
    "  \"gauges\": [ { \"name\": \"H\", \"height\": [0.25,0.25] }, { \"name\": \"P\", \"pressure\": "
    "[0.2,0.1,0.3] } ] }\n";

typedef struct {
    rill_ctx *ctx;
    rill_scene *scene;
    rill_sim *sim;
} fixture;

static fixture start(const char *method, double gravity, double speed, const char *keys)
{
    fixture f = {.ctx = test_ctx(2)};
    char text[sizeof tank + 400];
    snprintf(text, sizeof text, tank, method, gravity, speed, keys);
    assert_ok(f.ctx, rill_scene_parse(f.ctx, "tank.json", text, strlen(text), &f.scene));
    assert_ok(f.ctx, rill_sim_create(f.ctx, f.scene, &f.sim));
    return f;
}

static void stop(fixture *f)
{
    rill_sim_destroy(f->sim);
    rill_scene_destroy(f->scene);
    rill_ctx_destroy(f->ctx);
}

static void assert_same_liquid(const rill_sim *a, const rill_sim *b)
{
    rill_particles p, q;
    rill_sim_view(a, &p);
    rill_sim_view(b, &q);
    assert_int_equal(p.count, q.count);
    assert_true(p.count > 0);
    assert_memory_equal(p.position, q.position, p.count * sizeof *p.position);
    assert_memory_equal(p.velocity, q.velocity, p.count * sizeof *p.velocity);
}

static const char *const carried[] = {"sph", "grid", "points"};

/* A change at the start gives the bits of a scene that says the same; not in sph, whose parameters follow
 * from the largest speed the scene can explain. */
static void changes_are_as_the_scene_would_say(void **state)
{
    (void)state;
    for (size_t m = 1; m < sizeof carried / sizeof *carried; m++) {
        fixture a =
            start(carried[m], -5, 2, ", { \"t\": 0.1, \"translate\": [-0.05,0,0], \"rotate\": [0,0,4] }");
        fixture b = start(carried[m], -9, 1, "");
        const rill_pose pose = {{-0.05, 0, 0}, {0, 0, 4}};
        rill_pose at;
        assert_ok(b.ctx, rill_sim_set_gravity(b.sim, v3(0, -5, 0)));
        assert_ok(b.ctx, rill_sim_set_emitter(b.sim, 0, 2));
        assert_ok(b.ctx, rill_sim_set_pose(b.sim, 0, &pose, 0.1));
        for (int frame = 1; frame <= 2; frame++) {
            assert_ok(a.ctx, rill_sim_advance(a.sim, frame / 40.0));
            assert_ok(b.ctx, rill_sim_advance(b.sim, frame / 40.0));
            assert_same_liquid(a.sim, b.sim);
        }
        assert_ok(b.ctx, rill_sim_pose(b.sim, 0, &at));
        assert_true(fabs(at.translate.x + 0.025) < 1e-12 && fabs(at.rotate.z - 2) < 1e-12);
        stop(&a);
        stop(&b);
    }
}

/* What every change does to a simulation, from its callback, at the given step. */
typedef struct {
    uint64_t at;
    const char *path; /* saved right after the changes */
    uint64_t added;
    int calls;
} plan;

static rill_status change_all(void *user, rill_sim *sim)
{
    plan *p = user;
    p->calls++;
    if (rill_sim_steps(sim) != p->at) return RILL_OK;
    const char liquid[] = "{ \"shape\": { \"box\": { \"min\": [0,0.6,0], \"max\": [0.3,0.8,0.6] } }, "
                          "\"velocity\": [0.5,0,0] }";
    const rill_pose pose = {{0.05, 0.02, 0}, {0, 0, -5}};
    const rill_force force = {{0.3, 0.3, 0.3}, {2, 5, 0}, 0.3};
    TRY(rill_sim_set_gravity(sim, v3(1, -8, 0)));
    TRY(rill_sim_set_force(sim, 3, &force));
    TRY(rill_sim_set_emitter(sim, 0, 3));
    TRY(rill_sim_set_pose(sim, 0, &pose, rill_sim_time(sim) + 0.05));
    TRY(rill_sim_add_liquid(sim, liquid, strlen(liquid), &p->added));
    return p->path ? rill_sim_save(sim, p->path) : RILL_OK;
}

static void changes_are_part_of_what_is_saved(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof carried / sizeof *carried; m++) {
        const char *path = in_own_folder("saved.rill");
        fixture a = start(carried[m], -9, 1, ""), b = start(carried[m], -9, 1, "");
        plan p = {.at = 2, .path = path};
        rill_particles seen;
        rill_sim_view(a.sim, &seen);
        const size_t before = seen.count;
        assert_ok(a.ctx, rill_sim_on_step(a.sim, change_all, &p));
        for (int i = 0; i < 7; i++) assert_ok(a.ctx, rill_sim_step(a.sim, INFINITY, NULL));
        rill_sim_view(a.sim, &seen);
        assert_int_equal(p.calls, 7);
        assert_true(p.added > 10 && seen.count >= before + p.added);
        assert_ok(b.ctx, rill_sim_load(b.sim, path));
        for (int i = 0; i < 5; i++) assert_ok(b.ctx, rill_sim_step(b.sim, INFINITY, NULL));
        assert_same_liquid(a.sim, b.sim);
        assert_true(b.sim->speed_limit == a.sim->speed_limit);

        /* A state without changes brings none: the simulation is as if it had never had them. */
        fixture c = start(carried[m], -9, 1, "");
        assert_ok(c.ctx, rill_sim_save(c.sim, path));
        assert_ok(b.ctx, rill_sim_load(b.sim, path));
        for (int i = 0; i < 3; i++) {
            assert_ok(c.ctx, rill_sim_step(c.sim, INFINITY, NULL));
            assert_ok(b.ctx, rill_sim_step(b.sim, INFINITY, NULL));
        }
        assert_same_liquid(c.sim, b.sim);
        stop(&a);
        stop(&b);
        stop(&c);
    }
}

static rill_status change_and_stop(void *user, rill_sim *sim)
{
    plan *p = user;
    p->at = rill_sim_steps(sim);
    const rill_status st = change_all(p, sim);
    return st ? st : RILL_CANCELLED;
}

/* What an advance that does not arrive has changed is undone, and the next one does not know of it. */
static void a_stopped_advance_undoes_its_changes(void **state)
{
    (void)state;
    fixture a = start("points", -9, 1, ""), b = start("points", -9, 1, "");
    plan p = {0};
    assert_ok(a.ctx, rill_sim_advance(a.sim, 0.02));
    assert_ok(b.ctx, rill_sim_advance(b.sim, 0.02));
    assert_ok(a.ctx, rill_sim_on_step(a.sim, change_and_stop, &p));
    assert_int_equal(rill_sim_advance(a.sim, 0.05), RILL_CANCELLED);
    assert_non_null(strstr(rill_ctx_message(a.ctx), "step callback"));
    assert_true(p.calls == 1 && rill_sim_time(a.sim) == 0.02);
    assert_ok(a.ctx, rill_sim_on_step(a.sim, NULL, NULL));
    assert_ok(a.ctx, rill_sim_advance(a.sim, 0.05));
    assert_ok(b.ctx, rill_sim_advance(b.sim, 0.05));
    assert_same_liquid(a.sim, b.sim);
    stop(&a);
    stop(&b);
}

/* A cube of liquid that nothing holds. */
static fixture float_cube(const char *method)
{
    static const char cube[] =
        "{ \"rill\": 1, \"method\": \"%s\", \"spacing\": 0.1, \"gravity\": [0,0,0],\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [2,2,2] }, \"time\": { \"frames\": 1 },\n"
        "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0.7,0.7,0.7], \"max\": [1.3,1.3,1.3] } } } ] }";
    char text[sizeof cube + 20];
    fixture f = {.ctx = test_ctx(2)};
    snprintf(text, sizeof text, cube, method);
    assert_ok(f.ctx, rill_scene_parse(f.ctx, "cube.json", text, strlen(text), &f.scene));
    assert_ok(f.ctx, rill_sim_create(f.ctx, f.scene, &f.sim));
    return f;
}

static rill_vec3 mean_velocity(const rill_sim *sim)
{
    rill_particles p;
    rill_vec3 sum = {0, 0, 0};
    rill_sim_view(sim, &p);
    for (size_t i = 0; i < p.count; i++) sum = v3_add(sum, p.velocity[i]);
    return v3_scale(sum, 1.0 / (double)p.count);
}

static void gravity_makes_it_fall(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof carried / sizeof *carried; m++) {
        fixture f = float_cube(carried[m]);
        const rill_vec3 g = {1, -4, 0.5};
        assert_ok(f.ctx, rill_sim_set_gravity(f.sim, g));
        assert_ok(f.ctx, rill_sim_advance(f.sim, 0.05));
        assert_true(v3_distance(mean_velocity(f.sim), v3_scale(g, 0.05)) < 1e-3 * 0.05 * v3_length(g));
        stop(&f);
    }
}

/* Each particle gets the acceleration of its place; a step keeps the momentum but for what the method loses.
 */
static void a_force_gives_its_momentum(void **state)
{
    (void)state;
    fixture f = float_cube("points");
    const rill_force force = {{1, 1, 1.1}, {3, -2, 1}, 0.4};
    const double dt = 1e-3;
    rill_particles p;
    rill_sim_view(f.sim, &p);
    assert_ok(f.ctx, rill_sim_set_force(f.sim, 0, &force));
    host_push(f.sim, dt);
    size_t inside = 0;
    for (size_t i = 0; i < p.count; i++) {
        const rill_vec3 d = v3_sub(p.position[i], force.center);
        const double w = fmax(1 - v3_dot(d, d) / 0.16, 0);
        assert_true(v3_distance(p.velocity[i], v3_scale(force.acceleration, w * w * dt)) < 1e-15);
        inside += w > 0;
    }
    assert_true(inside > 100 && inside < p.count);
    const rill_vec3 once = mean_velocity(f.sim);
    assert_ok(f.ctx, rill_sim_step(f.sim, dt, NULL)); /* pushes a second time */
    const rill_vec3 twice = mean_velocity(f.sim);
    assert_true(v3_distance(twice, v3_scale(once, 2)) < 0.03 * v3_length(twice));
    assert_ok(f.ctx, rill_sim_set_force(f.sim, 0, NULL));
    assert_ok(f.ctx, rill_sim_step(f.sim, dt, NULL));
    assert_true(v3_distance(twice, mean_velocity(f.sim)) < 0.03 * v3_length(twice));
    stop(&f);
}

/* Closed and opened again an emitter gives what its open time is worth, whatever it gave before. */
static void an_emitter_is_closed_and_opened(void **state)
{
    (void)state;
    fixture f = start("points", 0, 2, "");
    rill_particles p;
    rill_sim_view(f.sim, &p);
    const size_t first = p.count;
    const double h = rill_scene_spacing(f.scene), area = M_PI * 0.01;
    assert_ok(f.ctx, rill_sim_advance(f.sim, 0.1)); /* 0.2 m */
    rill_sim_view(f.sim, &p);
    const size_t open = p.count - first;
    assert_ok(f.ctx, rill_sim_set_emitter(f.sim, 0, 0));
    assert_ok(f.ctx, rill_sim_advance(f.sim, 0.15));
    rill_sim_view(f.sim, &p);
    assert_int_equal(p.count - first, open);
    assert_ok(f.ctx, rill_sim_set_emitter(f.sim, 0, 1));
    assert_ok(f.ctx, rill_sim_advance(f.sim, 0.4)); /* 0.25 m more */
    rill_sim_view(f.sim, &p);
    assert_true(fabs((double)(p.count - first) * h * h * h - 0.45 * area) < 1.01 * area * h);
    assert_true(p.count - first > open);
    stop(&f);
}

/* Added liquid keeps its distance from walls and from all other particles, and comes once. */
static void added_liquid_has_its_room(void **state)
{
    (void)state;
    fixture f = start("sph", -9, 0.001, "");
    const char everywhere[] = "{ \"shape\": { \"box\": { \"min\": [-1,-1,-1], \"max\": [3,3,3] } } }";
    uint64_t added = 0, again = 1;
    rill_particles p;
    rill_sim_view(f.sim, &p);
    const size_t before = p.count;
    assert_ok(f.ctx, rill_sim_add_liquid(f.sim, everywhere, strlen(everywhere), &added));
    assert_ok(f.ctx, rill_sim_add_liquid(f.sim, everywhere, strlen(everywhere), &again));
    assert_true(added > 200 && again == 0);
    const particles *given = &f.sim->host->liquid;
    for (size_t i = 0; i < given->count; i++) {
        assert_true(solids_distance(&f.sim->solids, given->position[i], 0, NULL) > 0.049);
        for (size_t j = 0; j < before; j++)
            assert_true(v3_distance(given->position[i], p.position[j]) >= 0.09 - 1e-9);
        for (size_t j = 0; j < i; j++)
            assert_true(v3_distance(given->position[i], given->position[j]) >= 0.09 - 1e-9);
    }
    assert_ok(f.ctx, rill_sim_step(f.sim, 1e-4, NULL));
    rill_sim_view(f.sim, &p);
    assert_int_equal(p.count, before + added);
    assert_int_equal(f.sim->host->liquid.count, 0);

    const char *const bad[] = {"[", "{}", "{ \"shape\": { \"disc\": { \"radius\": 1 } } }",
                               "{ \"shape\": { \"mesh\": { \"file\": \"a.obj\" } } }",
                               "{ \"shape\": { \"ball\": {} } }"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(rill_sim_add_liquid(f.sim, bad[i], strlen(bad[i]), &added), RILL_BAD_SCENE);
        assert_non_null(strstr(rill_ctx_message(f.ctx), "added liquid:1"));
    }
    stop(&f);
}

static void nonsense_changes_nothing(void **state)
{
    (void)state;
    fixture f = start("sph", -9, 1, "");
    const rill_pose pose = {{0, 0, 0}, {0, 0, 0}}, far = {{NAN, 0, 0}, {0, 0, 0}};
    const rill_force flat = {{0, 0, 0}, {1, 0, 0}, 0};
    rill_pose at;
    double value[2];
    assert_int_equal(rill_sim_set_gravity(f.sim, v3(0, NAN, 0)), RILL_USAGE);
    assert_int_equal(rill_sim_set_force(f.sim, 0, &flat), RILL_USAGE);
    assert_int_equal(rill_sim_set_force(f.sim, RILL_FORCES, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_set_emitter(f.sim, 1, 1), RILL_USAGE);
    assert_int_equal(rill_sim_set_emitter(f.sim, 0, -1), RILL_USAGE);
    assert_int_equal(rill_sim_set_emitter(f.sim, 0, NAN), RILL_USAGE);
    assert_int_equal(rill_sim_set_pose(f.sim, 0, &far, 1), RILL_USAGE);
    assert_int_equal(rill_sim_set_pose(f.sim, 0, &pose, 0), RILL_USAGE);
    assert_int_equal(rill_sim_set_pose(f.sim, 1, &pose, 1), RILL_USAGE); /* it stands still */
    assert_non_null(strstr(rill_ctx_message(f.ctx), "motion"));
    assert_int_equal(rill_sim_set_pose(f.sim, 2, &pose, 1), RILL_USAGE);
    assert_int_equal(rill_sim_pose(f.sim, 2, &at), RILL_USAGE);
    assert_int_equal(rill_sim_gauges(f.sim, 1, value), RILL_USAGE);
    assert_int_equal(rill_sim_gauges(f.sim, 2, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_add_liquid(f.sim, NULL, 0, NULL), RILL_USAGE);
    assert_false(f.sim->host->changed);
    assert_int_equal(rill_sim_set_gravity(NULL, v3(0, 0, 0)), RILL_USAGE);
    assert_int_equal(rill_sim_set_force(NULL, 0, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_set_emitter(NULL, 0, 0), RILL_USAGE);
    assert_int_equal(rill_sim_add_liquid(NULL, "{}", 2, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_pose(NULL, 0, &at), RILL_USAGE);
    assert_int_equal(rill_sim_set_pose(NULL, 0, &pose, 1), RILL_USAGE);
    assert_int_equal(rill_sim_on_step(NULL, NULL, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_gauges(NULL, 0, NULL), RILL_USAGE);
    rill_sim_stats(NULL, NULL);
    stop(&f);
}

/* Loading what no host could have set. */
static void a_damaged_change_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *chunk;
        size_t index;
        double value;
    } damage[] = {{"host", 0, -1},         {"host", 3, NAN},       {"host.emitters", 3, INFINITY},
                  {"host.poses", 2, -1e9}, {"host.poses", 5, NAN}, {"host.poses", 15, 1},
                  {"host.forces", 27, -1}, {"host.forces", 0, NAN}};
    fixture f = start("points", -9, 1, "");
    plan p = {.at = 1};
    assert_ok(f.ctx, rill_sim_on_step(f.sim, change_all, &p));
    assert_ok(f.ctx, rill_sim_step(f.sim, INFINITY, NULL));
    for (size_t k = 0; k < sizeof damage / sizeof *damage; k++) {
        sim_state kept;
        sim_state_init(&kept, f.ctx);
        assert_ok(f.ctx, sim_state_keep(&kept, f.sim));
        for (size_t c = 0; c < kept.chunks.count; c++)
            if (strcmp(kept.chunks.chunk[c].name, damage[k].chunk) == 0) {
                double *value = kept.chunks.chunk[c].data, before = value[damage[k].index];
                value[damage[k].index] = damage[k].value;
                assert_int_equal(sim_state_restore(&kept, f.sim), RILL_BAD_FILE);
                value[damage[k].index] = before;
            }
        assert_ok(f.ctx, sim_state_restore(&kept, f.sim));
        sim_state_clear(&kept);
    }
    stop(&f);
}

static rill_status steered_run(rill_ctx *ctx, void *user)
{
    (void)user;
    rill_scene *scene = NULL;
    rill_sim *sim = NULL;
    char text[sizeof tank + 400];
    plan p = {.at = 0};
    snprintf(text, sizeof text, tank, "points", -9.0, 1.0, "");
    rill_status st = rill_scene_parse(ctx, "tank.json", text, strlen(text), &scene);
    if (!st) st = rill_sim_create(ctx, scene, &sim);
    if (!st) st = change_all(&p, sim);
    sim_state kept;
    sim_state_init(&kept, ctx);
    if (!st) st = sim_state_keep(&kept, sim);
    if (!st) st = sim_state_restore(&kept, sim);
    sim_state_clear(&kept);
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    return st;
}

static void changes_survive_a_lack_of_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(1, steered_run, NULL) > 20);
}

/* ---- what a step tells ---- */

static void refuse_to_steer(void *user, const rill_progress *progress)
{
    (void)progress;
    rill_sim **sim = user;
    if (*sim) assert_int_equal(rill_sim_set_gravity(*sim, v3(0, 0, 0)), RILL_USAGE);
}

static void the_progress_callback_only_reads(void **state)
{
    (void)state;
    rill_sim *sim = NULL;
    rill_ctx_def def = rill_ctx_def_default();
    def.progress = refuse_to_steer;
    def.user = &sim;
    def.threads = 1;
    fixture f = {0};
    char text[sizeof tank + 400];
    snprintf(text, sizeof text, tank, "points", -9.0, 1.0, "");
    assert_int_equal(rill_ctx_create(&def, &f.ctx), RILL_OK);
    assert_ok(f.ctx, rill_scene_parse(f.ctx, "tank.json", text, strlen(text), &f.scene));
    assert_ok(f.ctx, rill_sim_create(f.ctx, f.scene, &f.sim));
    sim = f.sim;
    assert_ok(f.ctx, rill_sim_advance(f.sim, 0.01));
    stop(&f);
}

static void a_step_tells_its_figures(void **state)
{
    (void)state;
    fixture f = start("sph", -9, 1, "");
    rill_stats s;
    double dt = 0, value[2] = {0, 0}, direct = 0;
    rill_sim_stats(f.sim, &s);
    assert_true(isnan(s.dt) && isnan(s.kinetic) && s.stage_count == 0);
    assert_ok(f.ctx, rill_sim_step(f.sim, INFINITY, &dt));
    rill_sim_stats(f.sim, &s);
    assert_true(s.dt == dt && s.seconds > 0 && s.kinetic > 0 && s.elements == rill_sim_elements(f.sim));
    assert_true(s.stage_count > 2 && strcmp(s.stage_name[0], "neighbours") == 0);

    assert_int_equal(rill_scene_gauge_count(f.scene), 2);
    assert_string_equal(rill_scene_gauge_name(f.scene, 0), "H");
    assert_string_equal(rill_scene_gauge_name(f.scene, 2), "");
    assert_int_equal(rill_scene_solid_count(f.scene), 2);
    assert_string_equal(rill_scene_solid_name(f.scene, 0), "paddle");
    assert_string_equal(rill_scene_solid_name(f.scene, 1), "");
    assert_int_equal(rill_scene_emitter_count(f.scene), 1);
    assert_true(
        rill_scene_gauge_count(NULL) + rill_scene_solid_count(NULL) + rill_scene_emitter_count(NULL) == 0);
    assert_ok(f.ctx, rill_sim_gauges(f.sim, 2, value));
    const rill_vec3 at = {0.2, 0.1, 0.3};
    assert_ok(f.ctx, rill_sim_pressure(f.sim, 1, &at, &direct));
    assert_true(fabs(value[0] - 0.5) < 0.02 && value[1] == direct);

    rill_particles t;
    rill_sim_tracers(f.sim, &t);
    assert_true(t.count == 50 && t.column_count > 0);
    assert_non_null(rill_sim_tracer_column(f.sim, "age"));
    assert_string_equal(rill_sim_tracer_column_name(f.sim, 0), "age");
    assert_null(rill_sim_tracer_column_name(f.sim, t.column_count));
    assert_null(rill_sim_tracer_column(NULL, "age"));
    assert_non_null(strstr(rill_build(), RILL_VERSION));
    stop(&f);
}

/* ---- scenes and meshes ---- */

static void overrides_are_applied_before_the_check(void **state)
{
    (void)state;
    fixture f = start("sph", -9, 1, "");
    char text[sizeof tank + 400];
    snprintf(text, sizeof text, tank, "sph", -9.0, 1.0, "");
    const char *set[] = {"spacing=0.08", "name=\"other\""}, *bad[] = {"spacing"}, *unknown[] = {"spacng=1"};
    rill_overrides with = {.method = "points", .frames = 7, .set = set, .set_count = 2};
    rill_scene *scene = NULL;
    assert_ok(f.ctx, rill_scene_parse_with(f.ctx, "tank.json", text, strlen(text), &with, &scene));
    assert_string_equal(rill_scene_method(scene), "points");
    assert_string_equal(rill_scene_name(scene), "other");
    assert_true(rill_scene_frames(scene) == 7 && rill_scene_spacing(scene) == 0.08);
    rill_scene_destroy(scene);
    scene = NULL;
    with = (rill_overrides){.set = bad, .set_count = 1};
    assert_int_equal(rill_scene_parse_with(f.ctx, "t", text, strlen(text), &with, &scene), RILL_USAGE);
    with.set = unknown;
    assert_int_equal(rill_scene_parse_with(f.ctx, "t", text, strlen(text), &with, &scene), RILL_BAD_SCENE);
    assert_non_null(strstr(rill_ctx_message(f.ctx), "did you mean"));
    with = (rill_overrides){.frames = -1};
    assert_int_equal(rill_scene_parse_with(f.ctx, "t", text, strlen(text), &with, &scene), RILL_USAGE);
    with = (rill_overrides){.set_count = 1};
    assert_int_equal(rill_scene_parse_with(f.ctx, "t", text, strlen(text), &with, &scene), RILL_USAGE);
    assert_int_equal(rill_scene_read_with(f.ctx, "/nowhere.json", &with, &scene), RILL_USAGE);
    with = (rill_overrides){0};
    assert_int_equal(rill_scene_read_with(f.ctx, "/nowhere.json", &with, &scene), RILL_BAD_FILE);
    assert_null(scene);
    stop(&f);
}

static void only_owned_meshes_are_destroyed(void **state)
{
    (void)state;
    fixture f = start("sph", -9, 1, "");
    rill_scene *scene = NULL;
    char text[sizeof tank + 400];
    snprintf(text, sizeof text, tank, "sph", -9.0, 1.0, "");
    const char *set[] = {"surface.columns=\"density\""};
    const rill_overrides with = {.set = set, .set_count = 1};
    assert_ok(f.ctx, rill_scene_parse_with(f.ctx, "tank.json", text, strlen(text), &with, &scene));
    rill_sim_destroy(f.sim);
    assert_ok(f.ctx, rill_sim_create(f.ctx, scene, &f.sim));
    assert_ok(f.ctx, rill_sim_step(f.sim, INFINITY, NULL));
    rill_mesh *mesh = NULL;
    assert_ok(f.ctx, rill_sim_surface(f.sim, &mesh));
    rill_mesh copy = *mesh, own = {.vertex_count = mesh->vertex_count, .position = mesh->position};
    rill_mesh_destroy(&copy); /* neither does anything */
    rill_mesh_destroy(&own);
    bool density = false;
    for (uint32_t c = 0; c < mesh->column_count; c++) {
        if (strcmp(mesh->column_name[c], "density") != 0) continue;
        density = mesh->column_width[c] == 1 && mesh->column[c][0] > 500;
    }
    assert_true(density);
    rill_tracker_def def = rill_tracker_def_default();
    rill_tracker *tracker = NULL;
    rill_mesh view;
    def.repair = 1;
    assert_ok(f.ctx, rill_tracker_create(f.ctx, &def, mesh, &tracker));
    rill_tracker_view(tracker, &view);
    rill_mesh_destroy(&view);
    assert_true(view.vertex_count > 0);
    rill_tracker_destroy(tracker);
    rill_mesh_destroy(mesh);
    rill_sim_destroy(f.sim);
    f.sim = NULL;
    rill_scene_destroy(scene);
    stop(&f);
}

/* ---- memory ---- */

static void held_arrays_outlive_everything(void **state)
{
    (void)state;
    rill_keeper *keeper = rill_keeper_create();
    rill_ctx_def def = rill_ctx_def_default();
    def.allocator = rill_keeper_allocator(keeper);
    def.threads = 2;
    fixture f = {0};
    char text[sizeof tank + 400];
    snprintf(text, sizeof text, tank, "points", -9.0, 8.0, "");
    assert_int_equal(rill_ctx_create(&def, &f.ctx), RILL_OK);
    assert_ok(f.ctx, rill_scene_parse(f.ctx, "tank.json", text, strlen(text), &f.scene));
    assert_ok(f.ctx, rill_sim_create(f.ctx, f.scene, &f.sim));
    rill_particles p, q;
    rill_sim_view(f.sim, &p);
    assert_int_equal(rill_keeper_hold(keeper, p.position), RILL_OK);
    assert_int_equal(rill_keeper_hold(keeper, p.position), RILL_OK);
    assert_int_equal(rill_keeper_hold(keeper, p.id), RILL_OK);
    assert_ok(f.ctx, rill_sim_advance(f.sim, 0.1)); /* grows beyond its arrays */
    rill_sim_view(f.sim, &q);
    assert_int_equal(rill_keeper_hold(keeper, q.velocity), RILL_OK);
    assert_true(q.count > p.count);
    stop(&f);
    double sum = 0;
    for (size_t i = 0; i < p.count; i++)
        sum += p.position[i].x + (double)p.id[i]; /* readable, of any value */
    for (size_t i = 0; i < q.count; i++) sum += q.velocity[i].y;
    assert_true(sum == sum || sum != sum);
    rill_keeper_drop(keeper, p.position);
    assert_true(p.position[0].x == p.position[0].x || true);
    rill_keeper_drop(keeper, p.position);
    rill_keeper_drop(keeper, p.id);
    rill_keeper_drop(keeper, p.id); /* once too often: nothing */
    rill_keeper_destroy(keeper);    /* with what is still held */
    rill_keeper_destroy(NULL);
    assert_int_equal(rill_keeper_hold(NULL, "x"), RILL_USAGE);
    rill_keeper_drop(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_as_the_scene_would_say),
        cmocka_unit_test(changes_are_part_of_what_is_saved),
        cmocka_unit_test(a_stopped_advance_undoes_its_changes),
        cmocka_unit_test(gravity_makes_it_fall),
        cmocka_unit_test(a_force_gives_its_momentum),
        cmocka_unit_test(an_emitter_is_closed_and_opened),
        cmocka_unit_test(added_liquid_has_its_room),
        cmocka_unit_test(nonsense_changes_nothing),
        cmocka_unit_test(a_damaged_change_is_refused),
        cmocka_unit_test(changes_survive_a_lack_of_memory),
        cmocka_unit_test(the_progress_callback_only_reads),
        cmocka_unit_test(a_step_tells_its_figures),
        cmocka_unit_test(overrides_are_applied_before_the_check),
        cmocka_unit_test(only_owned_meshes_are_destroyed),
        cmocka_unit_test(held_arrays_outlive_everything),
    };
    return cmocka_run_group_tests(tests, own_folder_make, own_folder_remove);
}
