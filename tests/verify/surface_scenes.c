/* surface-scenes: the surfaces of three scenes in which liquid splashes, by the default, in every frame:
 * closed, within the walls, tight where these are wet, and with the liquid's volume. dam_break has its own
 * case.
 *
 *     tap_into_glass   sph: a jet, and a glass whose wall is thinner than particles reach
 *     drop_into_pool   grid, whose surface is its own
 *     points_splash    points
 *
 * Quick: coarser, and the first part of each. */
#include "io/scene_file.h"
#include "run/registry.h"
#include "surface/surface.h"
#include "verify/surface_measure.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *method;
    const char *text;    /* the scene, without its spacing */
    double coarse, fine; /* spacing: quick, full */
    int quick, full;     /* frames */
    int every;           /* measured in the full form */
} splash;

static const splash splashes[] = {
    {"tap_into_glass", "sph",
     "\"domain\": { \"min\": [-0.1, 0, -0.1], \"max\": [0.1, 0.2, 0.1],\n"
     "  \"open\": [\"-x\", \"+x\", \"+y\", \"-z\", \"+z\"] },\n"
     "\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.01, 0.165, 0], \"normal\": [0, -1, 0],\n"
     "  \"radius\": 0.009 } }, \"speed\": 0.9 } ],\n"
     "\"solids\": [ { \"friction\": 0.1, \"shape\": { \"difference\": [\n"
     "  { \"cylinder\": { \"from\": [0, 0, 0], \"to\": [0, 0.11, 0], \"radius\": 0.043 } },\n"
     "  { \"cylinder\": { \"from\": [0, 0.005, 0], \"to\": [0, 0.2, 0], \"radius\": 0.04 } } ] } } ]",
     0.004, 0.004, 14, 96, 6},
    {"drop_into_pool", "grid",
     "\"domain\": { \"min\": [0, 0, 0], \"max\": [1, 1, 1], \"open\": [\"+y\"] },\n"
     "\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [1, 0.3, 1] } } },\n"
     "  { \"shape\": { \"sphere\": { \"center\": [0.5, 0.7, 0.5], \"radius\": 0.12 } },\n"
     "    \"velocity\": [0, -2, 0] } ]",
     0.05, 0.02, 18, 72, 6},
    {"points_splash", "points",
     "\"domain\": { \"min\": [0, 0, 0], \"max\": [1, 1.2, 1], \"open\": [\"+y\"] },\n"
     "\"points\": { \"cfl\": 4, \"max_step\": 0.0041667 },\n"
     "\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [1, 0.25, 1] } } },\n"
     "  { \"shape\": { \"sphere\": { \"center\": [0.5, 0.62, 0.5], \"radius\": 0.2 } },\n"
     "    \"velocity\": [0, -3, 0] } ]",
     0.06, 0.025, 12, 40, 6},
};
enum { FPS = 30 };

static rill_status read_splash(verify *v, const splash *s, rill_scene *out)
{
    char bytes[2000];
    const int length =
        snprintf(bytes, sizeof bytes,
                 "{ \"rill\": 1, \"method\": \"%s\", \"spacing\": %g, \"time\": { \"fps\": %d },\n%s }\n",
                 s->method, v->full ? s->fine : s->coarse, FPS, s->text);
    return scene_parse(v->ctx, s->name, bytes, (size_t)length, rill_methods, rill_method_count,
                       &(scene_changes){0}, out);
}

static rill_status surface_of(const rill_sim *sim, trimesh *out)
{
    if (sim->method->surface) return sim->method->surface(sim, out);
    surface_def def = surface_def_of_scene(sim->scene);
    def.walls = &sim->solids;
    def.time = sim->time;
    return surface_from_particles(sim->ctx, verify_particles(sim), &def, out);
}

typedef struct {
    double edges, overshoot, gap, volume, farthest;
} worst;

static rill_status measure(verify *v, const rill_sim *sim, worst *w)
{
    const particles *p = verify_particles(sim);
    const double h = scene_particle_spacing(sim->scene);
    trimesh m = {0};
    surface_at_walls walls = {0};
    surface_parts parts = {0};
    trimesh_report report = {0};
    if (p->count == 0) return RILL_OK;
    rill_status st = surface_of(sim, &m);
    if (!st) st = surface_walls(v->ctx, &m, p, &sim->solids, sim->time, h, &walls);
    if (!st) st = surface_measure_parts(v->ctx, &m, p, &sim->solids, sim->time, h, &parts);
    if (!st) st = trimesh_check(v->ctx, &m, &report);
    trimesh_clear(v->ctx, &m);
    if (st) return st;
    w->edges += (double)(report.open_edges + report.nonmanifold_edges + report.misoriented_edges);
    w->overshoot = fmax(w->overshoot, walls.overshoot);
    w->gap = fmax(w->gap, walls.gap);
    w->volume = fmax(w->volume, fabs(parts.volume - 1));
    w->farthest = fmax(w->farthest, parts.farthest);
    return RILL_OK;
}

static void tell(verify *v, const splash *s, const char *what, double value, verify_kind kind, double target)
{
    char name[96];
    snprintf(name, sizeof name, "%s: %s", s->name, what);
    verify_figure(v, name, value, kind, target);
}

static rill_status run(verify *v)
{
    for (size_t k = 0; k < sizeof splashes / sizeof *splashes; k++) {
        const splash *s = &splashes[k];
        if (strcmp(s->method, v->method) != 0) continue;
        rill_scene scene = {0};
        rill_sim *sim = NULL;
        worst w = {0};
        rill_status st = read_splash(v, s, &scene);
        if (!st) st = verify_create(v, &scene, &sim);
        for (int frame = 0; frame <= (v->full ? s->full : s->quick) && !st; frame++) {
            if (frame) st = verify_run(sim, frame / (double)FPS, NULL, NULL);
            if (!st && frame % (v->full ? s->every : 1) == 0) st = measure(v, sim, &w);
        }
        if (!st) {
            tell(v, s, "open or non-manifold edges", w.edges, AT_MOST, 0);
            tell(v, s, "beyond walls, spacings", w.overshoot, AT_MOST, 0.05);
            /* the grid's surface is that of its level set, which goes on where particles are sparse; that of
             * the tap leaves its drops by 2.13 spacings in one frame (docs/dfsph.md, Gaps) */
            tell(v, s, "surface from the nearest particle, spacings", w.farthest,
                 strcmp(v->method, "grid") == 0 ? REPORT
                 : k == 0 && v->full            ? WANTED
                                                : AT_MOST,
                 2);
            tell(v, s, "gaps at wet walls, spacings", w.gap, AT_MOST, 0.1);
            tell(v, s, "volume, off by", w.volume, AT_MOST, 0.02);
        }
        verify_destroy(sim);
        scene_clear(v->ctx, &scene);
        TRY(st);
    }
    return RILL_OK;
}

static const char *const methods[] = {"sph", "grid", "points", NULL};
const verify_case surface_scenes = {"surface-scenes", "Surfaces of splashes, in every frame", methods, run};
