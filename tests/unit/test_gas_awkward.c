/* Scenes that fill their domain and are as odd as a scene may be, with every method that can: they run, or
 * one message says why not. */
#include "support.h"

#include "io/scene_file.h"
#include "run/registry.h"
#include "run/stepper.h"
#include "tets/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CUBE       "'spacing': 0.2, 'domain': { 'min': [0,0,0], 'max': [1,1,1] }"
#define OPEN(side) "'spacing': 0.2, 'domain': { 'min': [0,0,0], 'max': [1,1,1], 'open': ['" side "'] }"
#define WARM(at, r)                                                        \
    "'smoke': [ { 'shape': { 'sphere': { 'center': [" at "], 'radius': " r \
    " } }, 'density': 0.5, 'temperature': 400 } ]"
#define BALL(at, r, more)    "{ 'shape': { 'sphere': { 'center': [" at "], 'radius': " r " } }" more " }"
#define BOX(low, high, more) "{ 'shape': { 'box': { 'min': [" low "], 'max': [" high "] } }" more " }"
#define TO(t, at)            "{ 't': " t ", 'translate': [" at "] }"

typedef struct {
    const char *what, *text;
    const char *refused; /* a word of the message; NULL: it runs */
    double speed;        /* m/s: no more than this */
    double dt;           /* s: no longer than this */
} odd_scene;

static const odd_scene scenes[] = {
    {"a domain two spacings thick",
     "'spacing': 0.2, 'domain': { 'min': [0,0,0], 'max': [1,0.4,1] }, " WARM("0.5,0.05,0.5", "0.3"), NULL, 5,
     0.05},
    {"a domain thinner than a spacing",
     "'spacing': 0.2, 'domain': { 'min': [0,0,0], 'max': [1,0.1,1] }, " WARM("0.5,0.05,0.5", "0.3"),
     "spacing", 5, 0.05},
    {"a tenth of a millimetre",
     "'spacing': 2e-5, 'domain': { 'min': [0,0,0], 'max': [1e-4,1e-4,1e-4] }, " WARM(
         "5e-5,3e-5,5e-5", "2e-5") ", 'solids': [" BALL("5e-5,7e-5,5e-5", "2e-5", "") "]",
     NULL, 0.1, 1e-3},
    {"five kilometres",
     "'spacing': 1000, 'domain': { 'min': [0,0,0], 'max': [5e3,5e3,5e3] }, " WARM(
         "2.5e3,1.5e3,2.5e3", "1e3") ", 'solids': [" BALL("2.5e3,3.5e3,2.5e3", "1e3", "") "]",
     NULL, 5, 0.05},
    {"a source that covers the domain",
     OPEN("+y") ", 'smoke': [ { 'shape': { 'box': { 'min': [-1,-1,-1], 'max': [2,2,2] } }, 'density': 1, "
                "'temperature': 500, 'velocity': [0,2,0] } ]",
     NULL, 5, 0.05},
    {"a source that covers a closed domain",
     CUBE ", 'smoke': [ { 'shape': { 'box': { 'min': [-1,-1,-1], 'max': [2,2,2] } }, 'density': 1, "
          "'temperature': 500, 'velocity': [0,2,0] } ]",
     NULL, 5, 0.05},
    {"a source smaller than anything", CUBE ", " WARM("0.5,0.5,0.5", "1e-7"), NULL, 1, 0.05},
    {"soot as heavy as lead, hotter than the sun",
     CUBE
     ", 'smoke': [ { 'shape': { 'sphere': { 'center': [0.5,0.5,0.5], 'radius': 0.2 } }, 'density': 11000 }, "
     "{ 'shape': { 'sphere': { 'center': [0.5,0.2,0.5], 'radius': 0.2 } }, 'temperature': 1e4 } ]",
     NULL, 1e4, 0.01},
    {"a jet of 300 m/s",
     OPEN("+x") ", 'smoke': [ { 'shape': { 'sphere': { 'center': [0,0.5,0.5], 'radius': 0.3 } }, 'velocity': "
                "[300,0,0] } ]",
     NULL, 1200, 0.05},
    {"a ball of 200 m/s",
     CUBE ", 'solids': [" BALL(
         "0,0,0", "0.2",
         ", 'motion': { 'keyframes': [" TO("0", "0.3,0.5,0.5") "," TO("0.002", "0.7,0.5,0.5") "] }") "]",
     NULL, 1500, 0.05},
    {"balls that touch each other and the sides",
     CUBE ", " WARM("0.5,0.9,0.5", "0.1") ", 'solids': [" BALL("0.25,0.25,0.25", "0.25", "") "," BALL(
         "0.75,0.25,0.25", "0.25", "") "," BALL("0.5,0.25,0.5", "0.1035533905932738", "") "]",
     NULL, 5, 0.05},
    {"plates a nanometre apart",
     CUBE ", " WARM("0.5,0.2,0.5", "0.2") ", 'solids': [" BOX("0.2,0.5,0.2", "0.8,0.6,0.8", "") "," BOX(
         "0.2,0.600000001,0.2", "0.8,0.7,0.8", "") "]",
     NULL, 5, 0.05},
    {"a plate of a micrometre",
     CUBE ", " WARM("0.5,0.2,0.5", "0.2") ", 'solids': [" BOX("0.2,0.5,0.2", "0.8,0.500001,0.8", "") "]",
     NULL, 5, 0.05},
    {"a source in a sealed box",
     CUBE ", " WARM("0.5,0.5,0.5",
                    "0.15") ", 'solids': [ { 'shape': { 'difference': [ { 'box': { 'min': [-1,-1,-1], 'max': "
                            "[2,2,2] } }, { 'box': { 'min': [0.2,0.2,0.2], 'max': [0.8,0.8,0.8] } } ] } } ]",
     NULL, 5, 0.05},
    {"a body larger than the domain",
     OPEN("+y") ", 'solids': [" BALL("0.5,-1.7,0.5", "2", ", 'body': { 'density': 0.3 }") "]", "move it out",
     50, 0.05},
    {"a body that no fluid touches",
     OPEN("+y") ", 'solids': [" BALL("5,5,5", "0.2", ", 'body': { 'density': 3 }") "]", "move it out", 5,
     0.05},
    {"a body that leaves little room",
     OPEN("+y") ", 'solids': [" BOX("0.01,0.01,0.01", "0.99,0.6,0.99", ", 'body': { 'density': 0.3 }") "]",
     NULL, 50, 0.05},
    {"a body without weight in a jet",
     OPEN("+y") ", 'smoke': [ { 'shape': { 'sphere': { 'center': [0.5,0,0.5], 'radius': 0.3 } }, 'velocity': "
                "[0,20,0] } ], 'solids': [" BALL("0.5,0.5,0.5", "0.2", ", 'body': { 'density': 1e-6 }") "]",
     NULL, 200, 0.05},
    {"a ball in and out through a side of a closed domain",
     CUBE ", 'solids': [" BALL("0,0,0", "0.2",
                               ", 'motion': { 'keyframes': [" TO("0", "0.9,0.5,0.5") "," TO(
                                   "0.1", "1.3,0.5,0.5") "," TO("0.2", "0.7,0.5,0.5") "] }") "]",
     NULL, 60, 0.05},
    {"a piston in a closed cylinder",
     CUBE ", 'solids': [" BOX(
         "-1,0,-1", "2,0.2,2",
         ", 'motion': { 'keyframes': [" TO("0", "0,0.2,0") "," TO("0.5", "0,0.5,0") "] }") "]",
     NULL, 5, 0.05},
    {"solids that fill the domain", CUBE ", 'solids': [" BALL("0.5,0.5,0.5", "3", "") "]", "no room", 0, 0},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static rill_status read_scene(rill_ctx *ctx, const char *method, const char *rest, rill_scene *out)
{
    char json[2000];
    snprintf(json, sizeof json,
             "{ 'rill': 1, 'method': '%s', 'fill': true, 'fluid': { 'density': 1.2 }, %s }", method, rest);
    for (char *c = json; *c; c++)
        if (*c == '\'') *c = '"';
    return scene_parse(ctx, "s.json", json, strlen(json), rill_methods, rill_method_count, NULL, out);
}

/* Steps as the driver takes them, with shorter ones after a failure. */
static rill_status run_some(const odd_scene *which, rill_sim *sim)
{
    enum { STEPS = 6 };
    sim_state start;
    sim_state_init(&start, sim->ctx);
    rill_status st = RILL_OK;
    for (int k = 0; k < STEPS && !st; k++) {
        st = sim_state_keep(&start, sim);
        const run_interval next = {.end = sim->time + fmin(which->dt, sim->method->max_dt(sim))};
        if (!st) st = run_advance(sim, &start, &next);
    }
    sim_state_clear(&start);
    return st;
}

/* Whether it ran, or was refused, as it should; a message tells when not. */
static bool as_expected(const odd_scene *which, const char *method)
{
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = read_scene(ctx, method, which->text, &scene);
    if (!st) st = sim_start(ctx, &scene, &sim);
    if (!st) st = run_some(which, sim);
    const char *message = st ? rill_ctx_message(ctx) : "it runs";
    bool good = which->refused ? st == RILL_BAD_SCENE && strstr(message, which->refused) : st == RILL_OK;
    if (!good) print_error("%s, %s: status %d: %s\n", method, which->what, (int)st, message);
    if (!st) {
        rill_vec3 where;
        const double speed = sim->method->max_speed(sim, &where);
        if (!(speed <= which->speed)) print_error("%s, %s: %g m/s\n", method, which->what, speed);
        good &= speed <= which->speed;
    }
    if (sim) sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    return good;
}

static void check_all(const char *method)
{
    int wrong = 0;
    for (int k = 0; k < SCENES; k++) wrong += !as_expected(&scenes[k], method);
    assert_int_equal(wrong, 0);
}

static void tetrahedra(void **state)
{
    (void)state;
    check_all("tets");
}

/* A mesh needs fluid; the cells of a grid stay. */
static void solids_may_cover_all_of_it_later(void **state)
{
    (void)state;
    odd_scene block = {
        .what = "a block that pushes all fluid out",
        .text = OPEN("+y") ", 'solids': [" BOX(
            "-1,-3,-1", "2,0,2",
            ", 'motion': { 'keyframes': [" TO("0", "0,0.3,0") "," TO("0.1", "0,1.5,0") "] }") "]",
        .speed = 100,
        .dt = 0.05};
    assert_true(as_expected(&block, "grid"));
    block.refused = "no room";
    assert_true(as_expected(&block, "tets"));
}

static void gas_in_the_grid(void **state)
{
    (void)state;
    check_all("grid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tetrahedra), cmocka_unit_test(gas_in_the_grid),
                                       cmocka_unit_test(solids_may_cover_all_of_it_later)};
    return cmocka_run_group_tests_name("gas_awkward", tests, NULL, NULL);
}
