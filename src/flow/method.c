#include "flow/method.h"

#include "base/text.h"

const char *const can_words[] = {
    "free surface", "two dimensions", "viscosity",      "surface tension",
    "bodies",       "smoke",          "periodic sides", NULL,
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
        .compression = NAN,
        .div_max = NAN,
        .div_rms = NAN,
        .solve_residual = NAN,
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
    if (!st) st = sources_create(ctx, scene, &s.sources);
    if (st) {
        sim_clear(&s);
        return st;
    }
    *sim = s;
    return RILL_OK;
}

void sim_clear(rill_sim *sim)
{
    rill_ctx *ctx = sim->ctx;
    if (!ctx) return; /* never filled */
    sources_clear(ctx, &sim->sources);
    solids_clear(ctx, &sim->solids);
    *sim = (rill_sim){0};
}

rill_status sim_load(rill_sim *sim, double time, uint64_t step, rill_reader *reader)
{
    sim->time = time;
    sim->step = step;
    TRY(solids_prepare(sim->ctx, &sim->solids, time, 0)); /* who asks next asks about this time */
    return sim->method->load(sim, reader);
}
