#include "run/stepper.h"

#include "base/text.h"
#include "flow/host.h"
#include "run/run.h"
#include "whitewater/whitewater.h"

#include <math.h>

/* Steps per frame beyond which the method is not getting anywhere. */
static const double most_steps = 1e6;

uint32_t run_preroll_frames(const rill_scene *scene)
{
    return (uint32_t)ceil(scene->time.preroll * scene->time.fps - 1e-9);
}

double run_time_of(const rill_scene *scene, uint32_t frame)
{
    const uint32_t preroll = run_preroll_frames(scene);
    if (frame >= preroll) return (double)(frame - preroll) / scene->time.fps;
    return -scene->time.preroll * (double)(preroll - frame) / preroll; /* evenly, from the very start */
}

double run_choose_dt(double remaining, double most)
{
    if (remaining <= most * (1 + 1e-9)) return remaining; /* not another step for the rounding */
    if (remaining < 2 * most) return remaining / 2;       /* no tiny last step */
    return most;
}

/* ---- states ---- */

rill_status sim_start(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    rill_sim *sim = NULL;
    host *h = NULL;
    TRY(host_create(ctx, scene, &h));
    const rill_status st = scene->method->create(ctx, &h->scene, &sim);
    if (st) {
        host_destroy(h);
        return st;
    }
    sim->host = h;
    sim->sources.given = &h->liquid;
    sim->time = run_time_of(scene, 0);
    sim->step = 0;
    sim->speed_limit = h->limit = run_speed_limit(sim);
    if (scene->has_whitewater) {
        whitewater *w = NULL;
        const rill_status made = whitewater_create(ctx, sim->scene, sim->time, &w);
        if (made) {
            scene->method->destroy(sim);
            return made;
        }
        sim->whitewater = &w->rider;
    }
    *out = sim;
    return RILL_OK;
}

void sim_state_init(sim_state *s, rill_ctx *ctx)
{
    *s = (sim_state){0};
    snapshot_init(&s->chunks, ctx);
}

void sim_state_clear(sim_state *s)
{
    snapshot_clear(&s->chunks);
}

rill_status sim_state_keep(sim_state *s, const rill_sim *sim)
{
    snapshot_reset(&s->chunks);
    s->time = sim->time;
    s->step = sim->step;
    return sim_save(sim, &s->chunks.writer);
}

rill_status sim_state_restore(sim_state *s, rill_sim *sim)
{
    return sim_load(sim, s->time, s->step, &s->chunks.reader);
}

/* ---- steps ---- */

/* The step the method allows; RILL_BLEW_UP when it makes no sense. */
static rill_status allowed_step(const rill_sim *sim, double *out)
{
    double most = sim->method->max_dt(sim);
    /* of liquid that joins in this step the method knows nothing yet */
    const double speed = sources_joining_speed(sim->scene, sim->time, sim->time + most);
    if (speed > 0) most = fmin(most, 0.4 * scene_particle_spacing(sim->scene) / speed);
    if (!(most * most_steps * sim->scene->time.fps >= 1))
        return rill_fail(sim->ctx, RILL_BLEW_UP, "the method asks for a step of %.3g s", most);
    *out = most;
    return RILL_OK;
}

rill_status run_step(rill_sim *sim, double scale, double end, double *dt, rill_step_stats *stats)
{
    double most = 0;
    TRY(allowed_step(sim, &most));
    const double remaining = end - sim->time, taken = run_choose_dt(remaining, most * scale);
    rill_step_stats s = step_stats_none();
    const run_before before = check_before(sim);

    const double began = sim->time;
    TRY(bodies_begin(&sim->bodies, &sim->solids, sim->scene, began, taken));
    TRY(solids_prepare(sim->ctx, &sim->solids, began, taken));
    host_push(sim, taken);
    TRY(sim->method->step(sim, taken, &s));
    TRY(bodies_end(&sim->bodies, sim->scene, began + taken, taken));
    sim->time = taken == remaining ? end : sim->time + taken;
    sim->step++;
    TRY(check_after(sim, &before, sim->speed_limit));
    if (scene_tracer_sources(sim->scene)) {
        double since = clock_seconds();
        TRY(tracers_step(sim, began, taken));
        step_stats_stage(&s, "tracers", &since);
    }
    if (sim->whitewater) {
        double since = clock_seconds();
        TRY(whitewater_follow(sim, sim->time == end));
        step_stats_stage(&s, "whitewater", &since);
    }
    *dt = taken;
    *stats = s;
    return RILL_OK;
}

static rill_status attempt(rill_sim *sim, double scale, const run_interval *interval)
{
    while (sim->time < interval->end) {
        const double clock = clock_seconds();
        double dt = 0;
        rill_step_stats stats;
        if (rill_cancelled(sim->ctx)) return rill_fail(sim->ctx, RILL_CANCELLED, "stopped on request");
        if (interval->step_begins) interval->step_begins(interval->user);
        rill_status st = run_step(sim, scale, interval->end, &dt, &stats);
        if (interval->step_ends) interval->step_ends(interval->user);
        if (!st && interval->stepped)
            st = interval->stepped(interval->user, dt, clock_seconds() - clock, &stats);
        if (st == RILL_BLEW_UP)
            return rill_fail_prefix(sim->ctx, st, "%st = %.6g s: ", interval->name ? interval->name : "",
                                    sim->time);
        TRY(st);
    }
    return RILL_OK;
}

rill_status run_advance(rill_sim *sim, sim_state *start, const run_interval *interval)
{
    double scale = 1;
    for (int attempts = 0;; attempts++, scale /= 2) {
        const rill_status st = attempt(sim, scale, interval);
        if (st != RILL_BLEW_UP || attempts == RUN_RETRIES) return st;
        rill_log(sim->ctx, RILL_LOG_WARNING, "%s; trying again with 1/%d of the step",
                 rill_ctx_message(sim->ctx), 2 << attempts);
        TRY(sim_state_restore(start, sim));
        if (interval->restarted) interval->restarted(interval->user);
    }
}
