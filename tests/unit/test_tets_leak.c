/* Plates of tets that part the domain: nothing of one side is ever on the other. Soot, heat and tracers start
 * below a plate of 0.2 edges; the mesh has no tetrahedron with nodes on both sides, and nothing comes through
 * while the plate turns in its plane, rocks, or moves fast, with and without reflection. */
#include "support.h"

#include "io/scene_file.h"
#include "method_scenes.h"
#include "run/registry.h"
#include "tets/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name, *motion, *more; /* more: of the block tets */
    double spacing, thickness;        /* thickness: spacings */
    double dt;
    int steps;
} parting;

typedef struct {
    uint32_t through; /* fluid tetrahedra with nodes on both sides, of all steps */
    uint32_t tracers; /* on the other side */
    double soot;      /* on the other side, the most at a node */
    double below;     /* the most on its own side */
} leaks;

static double height(const walls *w, rill_vec3 x)
{
    return wall_local(w, 0, x).y - 0.5;
}

static void measure(const tets *s, leaks *out)
{
    const tets_state *a = &s->state[s->now];
    const tet_mesh *m = &a->mesh;
    for (uint32_t t = 0; t < m->d.finite; t++) {
        bool above = false, below = false;
        for (int i = 0; i < 4 && m->fluid[t]; i++) {
            const double y = height(&s->walls, m->x[m->d.tet[t].v[i]]);
            above |= y > 0;
            below |= y < 0;
        }
        out->through += above && below;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        double *most = height(&s->walls, m->x[i]) > 0 ? &out->soot : &out->below;
        *most = fmax(*most, a->soot[i]);
    }
    const particles *dots = &s->sim.tracers.dots;
    out->tracers = 0;
    for (size_t i = 0; i < dots->count; i++) {
        const rill_vec3 x = dots->position[i];
        out->tracers += height(&s->walls, x) > 0;
    }
}

static rill_sim *start(rill_ctx *ctx, const parting *p, rill_scene *scene)
{
    char json[2000], motion[400] = "";
    if (p->motion)
        snprintf(motion, sizeof motion, ", \"motion\": { \"pivot\": [0.5,0.5,0.5], \"keyframes\": [ %s ] }",
                 p->motion);
    snprintf(
        json, sizeof json,
        "{ \"rill\": 1, \"method\": \"tets\", \"spacing\": %g, \"fill\": true, \"tets\": { %s },\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] },\n"
        "  \"solids\": [ { \"shape\": { \"box\": { \"min\": [-2,%.9g,-2], \"max\": [3,%.9g,3] } }%s } ],\n"
        "  \"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.3,0.3,0.5], \"radius\": 0.12 } },\n"
        "    \"density\": 1, \"temperature\": 400, \"velocity\": [0.5,2,0], \"tracers_per_second\": "
        "2000 } ] }",
        p->spacing, p->more, 0.5 - 0.5 * p->thickness * p->spacing, 0.5 + 0.5 * p->thickness * p->spacing,
        motion);
    assert_ok(ctx,
              scene_parse(ctx, "s.json", json, strlen(json), rill_methods, rill_method_count, NULL, scene));
    return method_create(ctx, scene);
}

static void parted(const parting *p)
{
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    rill_sim *sim = start(ctx, p, &scene);
    leaks found = {0};
    for (int k = 0; k < p->steps; k++) {
        rill_step_stats stats = step_stats_none();
        assert_ok(ctx, solids_prepare(ctx, &sim->solids, sim->time, p->dt));
        assert_ok(ctx, sim->method->step(sim, p->dt, &stats));
        assert_ok(ctx, tracers_step(sim, sim->time, p->dt));
        sim->time += p->dt;
        sim->step++;
        measure(tets_of(sim), &found);
        if (getenv("TETS_TELL"))
            print_message("%s: step %d, %u through, left %u, soot %.3g, %u tracers of %zu\n", p->name, k + 1,
                          found.through, tets_of(sim)->mesher.left, found.soot, found.tracers,
                          (size_t)sim->tracers.dots.count);
    }
    assert_true(found.below > 0.9);
    assert_int_equal(found.through, 0);
    assert_true(found.soot == 0);
    assert_int_equal(found.tracers, 0);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void a_plate_that_turns_in_its_plane(void **state)
{
    (void)state;
    const char *turns = "{\"t\":0}, {\"t\":1,\"rotate\":[0,180,0]}";
    parted(&(parting){"turns", turns, "", 0.13, 0.2, 0.04, 20});
    parted(&(parting){"turns, reflection", turns, "\"reflection\": true", 0.13, 0.2, 0.04, 8});
}

static void a_plate_that_rocks(void **state)
{
    (void)state;
    const char *rocks = "{\"t\":0}, {\"t\":0.3,\"rotate\":[0,0,20]}, {\"t\":0.9,\"rotate\":[0,0,-20]}, "
                        "{\"t\":1.5,\"rotate\":[0,0,20]}";
    parted(&(parting){"rocks", rocks, "", 0.13, 0.2, 0.04, 20});
    parted(&(parting){"rocks, reflection", rocks, "\"reflection\": true", 0.13, 0.2, 0.04, 8});
    parted(&(parting){"rocks fast", rocks, "", 0.13, 0.2, 0.15, 8});
    parted(&(parting){"rocks, very thin", rocks, "", 0.13, 0.02, 0.04, 12});
}

static void a_plate_at_rest(void **state)
{
    (void)state;
    parted(&(parting){"rests", NULL, "", 0.13, 0.2, 0.04, 10});
    parted(&(parting){"rests, one mesh", NULL, "\"remesh\": false", 0.13, 0.2, 0.04, 10});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_that_turns_in_its_plane),
        cmocka_unit_test(a_plate_that_rocks),
        cmocka_unit_test(a_plate_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
