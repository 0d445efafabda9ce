#include "flow/method.h"

#include "base/text.h"
#include "flow/gauges.h"
#include "flow/host.h"

const char *const can_words[] = {
    "free surface",  "two dimensions",       "viscosity", "surface tension", "bodies", "smoke",
    "filled domain", "refinement at solids", NULL,
};

double scene_particle_spacing(const rill_scene *scene)
{
    const int n = scene->method ? scene->method->per_axis : 0;
    return n > 1 ? scene->spacing / n : scene->spacing;
}

rill_step_stats step_stats_none(void)
{
    return (rill_step_stats){
        .volume = NAN,
        .kinetic = NAN,
        .potential = NAN,
        .max_speed = NAN,
        .lost = NAN,
        .compression = NAN,
        .div_max = NAN,
        .div_rms = NAN,
        .solve_residual = NAN,
        .viscous_residual = NAN,
    };
}

void step_stats_stage(rill_step_stats *stats, const char *name, double *since)
{
    const double now = clock_seconds();
    const double seconds = now - *since;
    *since = now;
    for (uint32_t i = 0; i < stats->stage_count; i++)
        if (stats->stage[i].name == name) { /* a stage entered twice in a step */
            stats->stage[i].seconds += seconds;
            return;
        }
    if (stats->stage_count == STEP_MAX_STAGES) return;
    stats->stage[stats->stage_count].name = name;
    stats->stage[stats->stage_count++].seconds = seconds;
}

rill_status sim_init(rill_ctx *ctx, const rill_method *method, const rill_scene *scene, rill_sim *sim)
{
    rill_sim s = {.ctx = ctx, .method = method, .scene = scene};
    rill_status st = solids_create(ctx, scene, &s.solids);
    if (!st) st = bodies_create(ctx, scene, &s.solids, &s.bodies);
    if (!st) st = solids_prepare(ctx, &s.solids, -scene->time.preroll, 0); /* bodies have places now */
    if (!st) st = sources_create(ctx, scene, &s.sources);
    if (!st) st = tracers_create(ctx, scene, &s.solids, &s.tracers);
    if (!st) st = gauges_create(ctx, scene, &s.gauges);
    if (st) {
        sim_clear(&s);
        return st;
    }
    *sim = s;
    sim->bodies.solids = &sim->solids;
    return RILL_OK;
}

void sim_clear(rill_sim *sim)
{
    rill_ctx *ctx = sim->ctx;
    if (!ctx) return; /* never filled */
    gauges_clear(ctx, sim->scene, sim->gauges);
    if (sim->whitewater) sim->whitewater->destroy(ctx, sim->whitewater);
    tracers_clear(ctx, &sim->tracers);
    sources_clear(ctx, &sim->sources);
    bodies_clear(ctx, &sim->bodies);
    host_let_go(sim->host, &sim->solids);
    solids_clear(ctx, &sim->solids);
    host_destroy(sim->host);
    *sim = (rill_sim){0};
}

void sim_view(const rill_sim *sim, rill_view *out)
{
    const rill_scene *scene = sim->scene;
    *out = (rill_view){.time = sim->time,
                       .spacing = scene->spacing,
                       .dimensions = scene->dimensions,
                       .domain = {scene->domain.min, scene->domain.max}};
    sim->method->view(sim, out);
    if (out->particles) out->elements = out->particles->count;
    out->tracers = scene_tracer_sources(scene) ? &sim->tracers.dots : NULL;
    out->rides = sim->bodies.count ? sim->solids.ride : NULL;
    out->whitewater = sim->whitewater ? sim->whitewater->dots : NULL;
}

bool method_has_surface(const rill_method *method)
{
    return method->surface || method->has_particles;
}

bool method_carried(const rill_scene *scene)
{
    const rill_method *m = scene->method;
    return m->carried ? m->carried(scene) : m->has_particles;
}

const char *method_elements_word(const rill_method *method)
{
    return method->has_particles ? "particles" : "cells";
}

rill_status sim_save(const rill_sim *sim, rill_writer *writer)
{
    TRY(sim->method->save(sim, writer));
    TRY(host_save(sim, writer));
    TRY(bodies_save(&sim->bodies, writer));
    if (scene_tracer_sources(sim->scene)) TRY(tracers_save(&sim->tracers, writer));
    return sim->whitewater ? sim->whitewater->save(sim->whitewater, writer) : RILL_OK;
}

rill_status sim_load(rill_sim *sim, double time, uint64_t step, rill_reader *reader)
{
    sim->time = time;
    sim->step = step;
    gauges_forget(sim);
    TRY(host_load(sim, reader));                                          /* poses that the solids have */
    TRY(bodies_load(sim->ctx, &sim->bodies, &sim->solids, time, reader)); /* a method may mesh around them */
    TRY(solids_prepare(sim->ctx, &sim->solids, time, 0)); /* later queries are about this time */
    TRY(sim->method->load(sim, reader));
    if (scene_tracer_sources(sim->scene)) TRY(tracers_load(sim->ctx, &sim->tracers, reader));
    return sim->whitewater ? sim->whitewater->load(sim->ctx, sim->whitewater, reader) : RILL_OK;
}
