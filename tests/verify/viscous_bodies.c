/* Viscous drag on bodies in `grid`, whose faces move with the body in the viscous solve.
 *
 * A ball sinks along the axis of a closed cylinder so slowly that inertia plays no part. Its speed is Stokes'
 * over the factor of Haberman and Sayre (1958) for the cylinder's wall. Its ends are three diameters away
 * from the ball. A disc that spins in the middle of a weightless drop drags the drop along until both turn as
 * one: its spin is then that which keeps the angular momentum. */
#include "verify/verify.h"

#include "io/scene_file.h"
#include "run/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"grid", NULL};

static rill_status parse(verify *v, const char *source, rill_scene *out)
{
    return scene_parse(v->ctx, "case", source, strlen(source), rill_methods, rill_method_count, NULL, out);
}

/* ---- Stokes ---- */

static const double radius = 0.1, tube = 0.4, viscosity = 400, heavier = 1000;

/* Lambda: ball over tube. */
static double wall_factor(double l)
{
    return (1 - 0.75857 * pow(l, 5)) /
           (1 - 2.1050 * l + 2.0865 * pow(l, 3) - 1.7068 * pow(l, 5) + 0.72603 * pow(l, 6));
}

static rill_status stokes(verify *v, int cells)
{
    rill_scene scene;
    rill_sim *sim = NULL;
    char source[1400], name[64];
    snprintf(source, sizeof source,
             "{ \"rill\": 1, \"method\": \"grid\", \"spacing\": %.9g, \"grid\": { \"pack\": 0 },\n"
             "  \"domain\": { \"min\": [-0.45,-0.8,-0.45], \"max\": [0.45,0.8,0.45], \"slip\": \"none\" },\n"
             "  \"time\": { \"frames\": 10, \"fps\": 30 }, \"fluid\": { \"viscosity\": %g },\n"
             "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [-0.45,-0.8,-0.45], \"max\": "
             "[0.45,0.8,0.45] } } } ],\n"
             "  \"solids\": [ { \"shape\": { \"difference\": [ { \"box\": { \"min\": [-1,-2,-1], \"max\": "
             "[1,2,1] } },\n"
             "      { \"cylinder\": { \"from\": [0,-1.5,0], \"to\": [0,1.5,0], \"radius\": %g } } ] }, "
             "\"slip\": \"none\" },\n"
             "    { \"shape\": { \"sphere\": { \"center\": [0,0,0], \"radius\": %g } }, \"slip\": \"none\",\n"
             "      \"transform\": { \"translate\": [0,0.05,0] }, \"body\": { \"density\": %g } } ] }\n",
             2 * radius / cells, viscosity, tube, radius, 1000 + heavier);
    const double free_speed = 2.0 / 9 * heavier * 9.81 * radius * radius / viscosity,
                 expected = free_speed / wall_factor(radius / tube);
    TRY(parse(v, source, &scene));
    /* A few of the times in which friction stops the ball. */
    const double scale = 2.0 / 9 * 2000 * radius * radius / viscosity, until = 12 * scale;
    rill_step_stats stats = step_stats_none();
    rill_status st = verify_create(v, &scene, &sim);
    for (int k = 0; k < 12 && !st; k++) st = verify_step(sim, until / 12, &stats);
    /* Pressure and viscosity are solved one after the other: the last part in short steps. */
    for (int k = 0; k < 16 && !st; k++) st = verify_step(sim, until / 48, &stats);
    if (!st) {
        const world_state *s = &sim->bodies.world.state[0];
        const double off = fabs(-s->velocity.y / expected - 1);
        snprintf(name, sizeof name, "ball of %d cells, speed over that of Stokes, off 1", cells);
        verify_figure(v, name, off, cells < 8 ? WANTED : AT_MOST, 0.1);
        verify_figure(v, "iterations of the viscous solve", stats.viscous_iterations, REPORT, NAN);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- a drop that is dragged along ---- */

static rill_status drop(verify *v)
{
    static const char source[] =
        "{ \"rill\": 1, \"method\": \"grid\", \"dimensions\": 2, \"spacing\": 0.02, \"gravity\": [0,0],\n"
        "  \"grid\": { \"pack\": 0 },\n"
        "  \"domain\": { \"min\": [0,0], \"max\": [1,1] }, \"time\": { \"frames\": 10, \"fps\": 30 },\n"
        "  \"fluid\": { \"viscosity\": 100 },\n"
        "  \"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5], \"radius\": 0.3 } } } ],\n"
        "  \"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5], \"radius\": 0.12 } }, \"slip\": "
        "\"none\",\n"
        "                  \"body\": { \"density\": 1000, \"spin\": [0,0,10] } } ] }\n";
    rill_scene scene;
    rill_sim *sim = NULL;
    const double together = 10 * pow(0.12 / 0.3, 4);
    rill_step_stats stats = step_stats_none();
    TRY(parse(v, source, &scene));
    rill_status st = verify_create(v, &scene, &sim);
    for (int k = 0; k < 60 && !st; k++) st = verify_step(sim, 0.02, &stats);
    if (!st) {
        const world_state *s = &sim->bodies.world.state[0];
        verify_figure(v, "disc in a drop, spin over that of both together, off 1",
                      fabs(s->spin.z / together - 1), AT_MOST, 0.1);
        verify_figure(v, "disc in a drop, its speed (m/s)", v3_length(s->velocity), AT_MOST, 1e-3);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    TRY(drop(v));
    return stokes(v, v->full ? 8 : 6);
}

const verify_case viscous_bodies_case = {"viscous-bodies", "Viscous drag on a ball and a disc", methods, run};
