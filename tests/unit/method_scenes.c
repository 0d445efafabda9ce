#include "method_scenes.h"
#include "support.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char three[] =
    "{ \"rill\": 1, \"name\": \"all\", \"method\": \"%s\", %s \"spacing\": %s,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1.2,0.9,0.5], \"open\": [\"+y\"] },\n"
    "  \"time\": { \"frames\": 4, \"fps\": 30 },\n"
    "  \"gravity\": { \"keyframes\": [ { \"t\": 0, \"value\": [0,-9,0] }, { \"t\": 0.1, \"value\": [1,-9,0] "
    "} ] },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.6,0.5] } },\n"
    "                \"velocity\": [0.5,0,0] } ],\n"
    "%s"
    "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.6,0.5] } }, \"count\": 300 "
    "},\n"
    "              { \"shape\": { \"sphere\": { \"center\": [0.2,0.3,0.2], \"radius\": 0.1 } }, \"rate\": "
    "900,\n"
    "                \"life\": 0.08 } ],\n"
    "  \"solids\": [ { \"name\": \"post\", \"shape\": { \"sphere\": { \"center\": [0.8,0.2,0.25],\n"
    "                  \"radius\": 0.15 } } },\n"
    "              { \"name\": \"paddle\", \"shape\": { \"box\": { \"min\": [1.0,0,0], \"max\": "
    "[1.1,0.3,0.5] } },\n"
    "                \"motion\": { \"keyframes\": [ { \"t\": 0, \"translate\": [0,0,0] },\n"
    "                  { \"t\": 0.1, \"translate\": [-0.05,0,0], \"rotate\": [0,0,5] } ], \"smooth\": true } "
    "} ],\n"
    "  \"gauges\": [ { \"name\": \"P\", \"pressure\": [0.1,0.05,0.25] },\n"
    "              { \"name\": \"H\", \"height\": [0.2,0.25] } ],\n"
    "  \"output\": { \"width\": 32, \"height\": 24, \"checkpoint\": 2, \"images\": false } }\n";

/* Liquid that comes and goes, for methods that have it. */
static const char sources_text[] =
    "  \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.8,0.8,0.25], \"normal\": [0,-1,0],\n"
    "                  \"radius\": 0.15 } }, \"start\": 0.01, \"end\": 5,\n"
    "                  \"speed\": { \"keyframes\": [ { \"t\": 0, \"value\": 4 }, { \"t\": 0.1, \"value\": 5 "
    "} ] } } ],\n"
    "  \"drains\": [ { \"shape\": { \"box\": { \"min\": [0.4,0,0], \"max\": [0.6,0.3,0.5] } } } ],\n";

static const char two[] =
    "{ \"rill\": 1, \"name\": \"all\", \"method\": \"%s\", %s \"spacing\": %s, \"dimensions\": 2,\n"
    "  \"domain\": { \"min\": [0,0], \"max\": [1.2,0.9], \"open\": [\"+y\"] },\n"
    "  \"time\": { \"frames\": 4, \"fps\": 30 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0], \"max\": [0.5,0.6] } },\n"
    "                \"velocity\": [0.5,0] } ],\n"
    "  \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.8,0.8], \"normal\": [0,-1],\n"
    "                  \"radius\": 0.15 } }, \"speed\": 4, \"start\": 0.01, \"end\": 5 } ],\n"
    "  \"drains\": [ { \"shape\": { \"box\": { \"min\": [0.4,0], \"max\": [0.6,0.3] } } } ],\n"
    "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0,0], \"max\": [0.5,0.6] } }, \"count\": 200 } ],\n"
    "  \"solids\": [ { \"name\": \"post\", \"shape\": { \"sphere\": { \"center\": [0.8,0.2],\n"
    "                  \"radius\": 0.15 } } } ],\n"
    "  \"gauges\": [ { \"name\": \"P\", \"pressure\": [0.1,0.05] },\n"
    "              { \"name\": \"H\", \"height\": [0.2] } ],\n"
    "  \"output\": { \"width\": 32, \"height\": 24, \"checkpoint\": 2, \"images\": false } }\n";

/* The same for methods without a free surface. */
static const char three_filled[] =
    "{ \"rill\": 1, \"name\": \"all\", \"method\": \"%s\", %s \"spacing\": %s, \"fill\": true,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1.2,0.9,0.5], \"open\": [\"+y\"] },\n"
    "  \"time\": { \"frames\": 4, \"fps\": 30 },\n"
    "  \"gravity\": { \"keyframes\": [ { \"t\": 0, \"value\": [0,-9,0] }, { \"t\": 0.1, \"value\": [1,-9,0] "
    "} ] },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.6,0.5] } },\n"
    "                \"velocity\": [0.5,0,0] } ],\n"
    "  \"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0,0.25], \"radius\": 0.2 } },\n"
    "               \"velocity\": [0,2,0], \"density\": 0.1, \"temperature\": 400,\n"
    "               \"tracers_per_second\": 900 } ],\n"
    "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.6,0.5] } }, \"count\": 300 "
    "},\n"
    "              { \"shape\": { \"sphere\": { \"center\": [0.2,0.3,0.2], \"radius\": 0.1 } }, \"rate\": "
    "900,\n"
    "                \"life\": 0.08 } ],\n"
    "  \"solids\": [ { \"name\": \"post\", \"shape\": { \"sphere\": { \"center\": [0.8,0.2,0.25],\n"
    "                  \"radius\": 0.15 } } },\n"
    "              { \"name\": \"paddle\", \"shape\": { \"box\": { \"min\": [1.0,0.2,0.1], \"max\": "
    "[1.1,0.5,0.4] } },\n"
    "                \"motion\": { \"keyframes\": [ { \"t\": 0, \"translate\": [0,0,0] },\n"
    "                  { \"t\": 0.1, \"translate\": [-0.05,0,0], \"rotate\": [0,0,5] } ], \"smooth\": true } "
    "} ],\n"
    "  \"gauges\": [ { \"name\": \"P\", \"pressure\": [0.1,0.05,0.25] } ],\n"
    "  \"output\": { \"width\": 32, \"height\": 24, \"checkpoint\": 2, \"images\": false } }\n";

static const char two_filled[] =
    "{ \"rill\": 1, \"name\": \"all\", \"method\": \"%s\", %s \"spacing\": %s, \"dimensions\": 2,\n"
    "  \"fill\": true, \"domain\": { \"min\": [0,0], \"max\": [1.2,0.9], \"open\": [\"+y\"] },\n"
    "  \"time\": { \"frames\": 4, \"fps\": 30 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0], \"max\": [0.5,0.6] } },\n"
    "                \"velocity\": [0.5,0] } ],\n"
    "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0,0], \"max\": [0.5,0.6] } }, \"count\": 200 } ],\n"
    "  \"solids\": [ { \"name\": \"post\", \"shape\": { \"sphere\": { \"center\": [0.8,0.2],\n"
    "                  \"radius\": 0.15 } } } ],\n"
    "  \"gauges\": [ { \"name\": \"P\", \"pressure\": [0.1,0.05] } ],\n"
    "  \"output\": { \"width\": 32, \"height\": 24, \"checkpoint\": 2, \"images\": false } }\n";

bool method_has_sources(const rill_method *method)
{
    return (method->can & CAN_FREE_SURFACE) != 0;
}

static const char *const *solvers_of(const rill_method *method, const char **usual)
{
    for (const rill_param *row = method->params; row->kind; row++)
        if (row->kind == PARAM_CHOICE && strcmp(row->name, "solver") == 0) {
            *usual = row->text;
            return row->words;
        }
    return NULL;
}

/* Elements of several sizes, split and merged. Their scene, which settles before it starts, takes the tests
 * that loop over the scenes minutes more: RILL_LEVELS=1 asks for it. */
static bool has_levels(const rill_method *method)
{
    for (const rill_param *row = method->params; row->kind; row++)
        if (strcmp(row->name, "levels") == 0) return true;
    return false;
}

const method_scene *method_scenes(void)
{
    static method_scene list[64];
    int n = 0;
    const char *only = getenv("RILL_METHOD"); /* these tests for one method alone */
    for (const rill_method *const *m = rill_methods; *m && n < 50; m++) {
        if (only && strcmp(only, (*m)->name) != 0) continue;
        list[n++] = (method_scene){*m, 3, NULL, NULL};
        /* the slab of a method without particles costs as much as its scene in space */
        if ((*m)->can & CAN_TWO_DIMENSIONS && ((*m)->has_particles || unless_sanitized(1, 0)))
            list[n++] = (method_scene){*m, 2, NULL, NULL};
        if ((*m)->filled) {
            list[n++] = (method_scene){(*m)->filled, 3, NULL, NULL};
            list[n++] = (method_scene){(*m)->filled, 2, NULL, NULL};
        }
        const char *usual = NULL;
        const char *const *word = solvers_of(*m, &usual);
        for (; word && *word && n < 62; word++)
            if (strcmp(*word, usual) != 0) list[n++] = (method_scene){*m, 3, *word, NULL};
        if (has_levels(*m) && n < 60 && getenv("RILL_LEVELS")) {
            list[n++] = (method_scene){*m, 3, "tait", ", \"levels\": 3, \"resample\": 2"};
            list[n++] = (method_scene){*m, 3, "dfsph", ", \"levels\": 3, \"resample\": 2"};
        }
    }
    list[n] = (method_scene){0};
    return list;
}

void method_scene_text(rill_ctx *ctx, const method_scene *which, text *out)
{
    char block[128] = "";
    const char *name = which->method->name;
    if (which->solver)
        snprintf(block, sizeof block, "\"%s\": { \"solver\": \"%s\"%s },", name, which->solver,
                 which->more ? which->more : "");
    text_init(out, ctx);
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"");
    if (!(which->method->can & CAN_FREE_SURFACE))
        text_print(out, which->dimensions == 2 ? two_filled : three_filled, name, block,
                   strcmp(name, "tets")     ? "0.06"
                   : which->dimensions == 2 ? "0.18"
                                            : "0.25");
    else if (which->dimensions == 2)
        text_print(out, two, name, block, strcmp(name, "voronoi") ? "0.05" : "0.24");
    else
        text_print(out, three, name, block, strcmp(name, "voronoi") ? "0.1" : "0.24",
                   method_has_sources(which->method) ? sources_text : "");
    _Pragma("GCC diagnostic pop");
    assert_false(out->failed);
}

rill_scene method_scene_read(rill_ctx *ctx, const method_scene *which, const char *const *set)
{
    text t;
    method_scene_text(ctx, which, &t);
    rill_scene scene = {0};
    scene_changes changes = {.set = set};
    while (set && set[changes.set_count]) changes.set_count++;
    assert_ok(ctx, scene_parse(ctx, which->method->name, t.data, t.length, rill_methods, rill_method_count,
                               &changes, &scene));
    text_clear(&t);
    return scene;
}

rill_sim *method_create(rill_ctx *ctx, const rill_scene *scene)
{
    rill_sim *sim = NULL;
    assert_ok(ctx, scene->method->create(ctx, scene, &sim));
    assert_non_null(sim);
    sim->time = 0;
    sim->step = 0;
    return sim;
}

rill_status method_step(rill_sim *sim)
{
    rill_step_stats stats = step_stats_none();
    double dt = sim->method->max_dt(sim);
    if (!(dt < 1 / sim->scene->time.fps)) dt = 1 / sim->scene->time.fps;
    TRY(bodies_begin(&sim->bodies, &sim->solids, sim->scene, sim->time, dt));
    TRY(solids_prepare(sim->ctx, &sim->solids, sim->time, dt));
    TRY(sim->method->step(sim, dt, &stats));
    TRY(bodies_end(&sim->bodies, sim->scene, sim->time + dt, dt));
    TRY(tracers_step(sim, sim->time, dt));
    sim->time += dt;
    sim->step++;
    return RILL_OK;
}

void method_steps(rill_sim *sim, int count)
{
    for (int k = 0; k < count; k++) assert_ok(sim->ctx, method_step(sim));
}

uint64_t method_hash(const rill_sim *sim)
{
    snapshot s;
    snapshot_init(&s, sim->ctx);
    assert_ok(sim->ctx, sim_save(sim, &s.writer));
    uint64_t hash = hash_bytes(&sim->time, sizeof sim->time, 0);
    for (size_t k = 0; k < s.count; k++) {
        hash = hash_bytes(s.chunk[k].name, strlen(s.chunk[k].name), hash);
        hash = hash_bytes(s.chunk[k].data, s.chunk[k].count * save_type_size(s.chunk[k].type), hash);
    }
    snapshot_clear(&s);
    return hash;
}
