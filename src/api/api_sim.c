/* Simulations for a host: created, taken through time, saved and loaded.
 *
 * Time is the driver's (run/stepper.h), so that a host that goes from frame to frame gets the same bits as a
 * run folder has. */
#include "api/api.h"
#include "base/text.h"
#include "flow/host.h"
#include "io/checkpoint.h"
#include "run/driver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

rill_status rill_sim_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    TRY(api_enter(ctx, "rill_sim_create"));
    if (!scene || !out) return rill_fail(ctx, RILL_USAGE, "rill_sim_create: the scene or the output is NULL");
    return sim_start(ctx, scene, out);
}

void rill_sim_destroy(rill_sim *sim)
{
    if (!sim) return;
    if (sim->busy != SIM_IDLE)
        rill_log(sim->ctx, RILL_LOG_ERROR,
                 "rill_sim_destroy: not from a callback of the simulation; it is kept");
    else
        sim->method->destroy(sim);
}

double rill_sim_time(const rill_sim *sim)
{
    return sim ? sim->time : 0;
}

uint64_t rill_sim_steps(const rill_sim *sim)
{
    return sim ? sim->step : 0;
}

/* ---- stepping ---- */

/* A request to stop is dealt with by the call that returns RILL_CANCELLED. */
static rill_status stop_if_asked(rill_ctx *ctx)
{
    if (!rill_cancelled(ctx)) return RILL_OK;
    atomic_store(&ctx->cancelled, 0);
    return rill_fail(ctx, RILL_CANCELLED, "stopped on request");
}

/* Around whatever changes the simulation and may call back meanwhile. */
static void begin_change(rill_sim *sim)
{
    sim->busy = SIM_STEPPING;
    sim->ctx->calls++;
}

static void end_change(rill_sim *sim)
{
    sim->busy = SIM_IDLE;
    sim->ctx->calls--;
}

/* Keeps what the step said, and calls the host. */
static rill_status call_step(rill_sim *sim, double dt, double wall_s, const rill_step_stats *stats)
{
    host *h = sim->host;
    h->stats = *stats;
    h->dt = dt;
    h->wall_s = wall_s;
    if (!h->stepped) return RILL_OK;
    sim->ctx->message[0] = 0;
    sim->busy = SIM_STEERED;
    const rill_status st = h->stepped(h->user, sim);
    sim->busy = SIM_STEPPING;
    if (st && !sim->ctx->message[0])
        return rill_fail(sim->ctx, st, "stopped by the step callback at t = %.6g s", sim->time);
    return st;
}

rill_status rill_sim_step(rill_sim *sim, double max_dt, double *taken)
{
    TRY(api_may_change(sim, "rill_sim_step"));
    TRY(api_check_sound(sim, "rill_sim_step"));
    if (!(max_dt > 0))
        return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_step: a step of %g s; it must be above 0", max_dt);
    if (sim->time + max_dt == sim->time)
        return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_step: a step of %g s is nothing at t = %.6g s",
                         max_dt, sim->time);
    TRY(stop_if_asked(sim->ctx));

    double dt = 0;
    rill_step_stats stats;
    const double since = clock_seconds();
    begin_change(sim);
    rill_status st = run_step(sim, 1, sim->time + max_dt, &dt, &stats);
    if (st == RILL_CANCELLED) atomic_store(&sim->ctx->cancelled, 0);
    if (st)
        sim->failed = true;
    else {
        if (taken) *taken = dt;
        st = call_step(sim, dt, clock_seconds() - since, &stats);
        end_change(sim);
        return st;
    }
    end_change(sim);
    return st == RILL_BLEW_UP ? rill_fail_prefix(sim->ctx, st, "t = %.6g s: ", sim->time) : st;
}

static rill_status go_back(rill_sim *sim, sim_state *to)
{
    const rill_status st = sim_state_restore(to, sim);
    sim->failed = st != RILL_OK;
    return st;
}

/* An advance in progress: where it goes, and where and when the attempt began. */
typedef struct journey {
    rill_sim *sim;
    double until, began, clock;
} journey;

static void set_out(void *user)
{
    journey *j = user;
    j->began = j->sim->time;
    j->clock = clock_seconds();
}

/* To the step callback, then to the progress. */
static rill_status tell_step(void *user, double dt, double wall_s, const rill_step_stats *stats)
{
    const journey *j = user;
    rill_sim *sim = j->sim;
    const rill_ctx *ctx = sim->ctx;
    TRY(call_step(sim, dt, wall_s, stats));
    if (!ctx->def.progress) return RILL_OK;
    const double frame = ceil(sim->time * sim->scene->time.fps - 1e-6), spent = clock_seconds() - j->clock;
    const rill_progress p = {.frame = frame > 0 && frame < UINT32_MAX ? (uint32_t)frame : 0,
                             .frames = (uint32_t)sim->scene->time.frames,
                             .step = sim->step,
                             .elements = stats->elements,
                             .time = sim->time,
                             .dt = dt,
                             .seconds_left = spent * (j->until - sim->time) / (sim->time - j->began)};
    sim->busy = SIM_SHOWN;
    ctx->def.progress(ctx->def.user, &p);
    sim->busy = SIM_STEPPING;
    return RILL_OK;
}

/* Frames that are complete, those of the pre-roll included, as a run counts them. */
static uint32_t frames_done(const rill_sim *sim)
{
    const scene_time *time = &sim->scene->time;
    const double preroll = run_preroll_frames(sim->scene);
    const double done =
        sim->time < 0 ? preroll * (1 + sim->time / time->preroll) : preroll + sim->time * time->fps;
    return done > 0 && done < UINT32_MAX - 1 ? (uint32_t)floor(done + 1e-6) : 0;
}

/* A run cuts its pre-roll into frames and gives each its own steps: so is it here. */
static double next_stop(const rill_sim *sim, double until)
{
    if (sim->time >= 0) return until;
    const double stop = run_time_of(sim->scene, frames_done(sim) + 1);
    return stop > sim->time && stop < until ? stop : until;
}

/* Through the frames of a pre-roll, each with a start of its own, to the end. */
static rill_status travel(rill_sim *sim, sim_state *start, double until)
{
    journey j = {.sim = sim, .until = until};
    sim_state leg;
    sim_state_init(&leg, sim->ctx);
    set_out(&j);
    rill_status st = RILL_OK;
    while (!st && sim->time < until) {
        const run_interval to = {
            .end = next_stop(sim, until), .stepped = tell_step, .restarted = set_out, .user = &j};
        const bool first = sim->time == start->time;
        if (!first) st = sim_state_keep(&leg, sim);
        if (!st) st = run_advance(sim, first ? start : &leg, &to);
    }
    sim_state_clear(&leg);
    return st;
}

/* Going back may itself fail for want of memory; what led to it stays the answer. */
static rill_status give_up(rill_sim *sim, sim_state *before, rill_status st)
{
    char cause[sizeof sim->ctx->message];
    memcpy(cause, sim->ctx->message, sizeof cause);
    if (st == RILL_CANCELLED) atomic_store(&sim->ctx->cancelled, 0); /* found inside a step */
    if (go_back(sim, before) == RILL_OK) return rill_fail(sim->ctx, st, "%s", cause);
    return rill_fail(sim->ctx, st, "%s; and the state before it could not be restored: load or destroy it",
                     cause);
}

rill_status rill_sim_advance(rill_sim *sim, double until)
{
    TRY(api_may_change(sim, "rill_sim_advance"));
    TRY(api_check_sound(sim, "rill_sim_advance"));
    if (!isfinite(until) || until < sim->time)
        return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_advance: from t = %.6g s there is no way to %.6g s",
                         sim->time, until);
    sim_state start;
    sim_state_init(&start, sim->ctx);
    begin_change(sim);
    rill_status st = sim_state_keep(&start, sim);
    if (!st) {
        st = travel(sim, &start, until);
        if (st) st = give_up(sim, &start, st);
    }
    end_change(sim);
    sim_state_clear(&start);
    return st;
}

/* ---- files ---- */

rill_status rill_sim_save(const rill_sim *sim, const char *path)
{
    TRY(api_may_read(sim, "rill_sim_save"));
    if (!path) return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_save: the path is NULL");
    TRY(api_check_sound(sim, "rill_sim_save"));
    const double frame = floor(sim->time * sim->scene->time.fps + 1e-6);
    checkpoint_head head = {
        .time = sim->time, .frame = frame > 0 && frame < UINT32_MAX ? (uint32_t)frame : 0, .step = sim->step};
    snprintf(head.method, sizeof head.method, "%s", sim->method->name);
    TRY(run_scene_hash(sim->ctx, sim->host->given, &head.scene_hash));
    sim_state now;
    sim_state_init(&now, sim->ctx);
    rill_status st = sim_state_keep(&now, sim);
    if (!st) st = checkpoint_write(sim->ctx, path, &head, &now.chunks);
    sim_state_clear(&now);
    return st;
}

static rill_status check_head(const rill_sim *sim, const char *path, const checkpoint_head *head)
{
    uint64_t hash = 0;
    TRY(run_scene_hash(sim->ctx, sim->host->given, &hash));
    if (strcmp(head->method, sim->method->name) != 0)
        return rill_fail(sim->ctx, RILL_BAD_FILE,
                         "%s: a state of the method \"%s\", this simulation is of \"%s\"", path, head->method,
                         sim->method->name);
    if (head->scene_hash != hash)
        return rill_fail(sim->ctx, RILL_BAD_FILE,
                         "%s: a state of another scene; only the number of frames may differ", path);
    if (!isfinite(head->time))
        return rill_fail(sim->ctx, RILL_BAD_FILE, "%s: a state of no time; it is damaged", path);
    return RILL_OK;
}

/* Replaces the state; on failure the one before comes back. */
static rill_status replace(rill_sim *sim, sim_state *fresh)
{
    const bool failed = sim->failed;
    sim_state before;
    sim_state_init(&before, sim->ctx);
    rill_status st = sim_state_keep(&before, sim);
    if (!st) {
        st = go_back(sim, fresh);
        if (st) st = give_up(sim, &before, st);
        if (st && failed) sim->failed = true;
    }
    sim_state_clear(&before);
    return st;
}

rill_status rill_sim_load(rill_sim *sim, const char *path)
{
    TRY(api_may_change(sim, "rill_sim_load"));
    if (!path) return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_load: the path is NULL");
    sim_state fresh;
    sim_state_init(&fresh, sim->ctx);
    checkpoint_head head = {0};
    rill_status st = checkpoint_read(sim->ctx, path, &head, &fresh.chunks);
    if (!st) st = check_head(sim, path, &head);
    if (!st) {
        fresh.time = head.time;
        fresh.step = head.step;
        begin_change(sim);
        st = replace(sim, &fresh);
        end_change(sim);
    }
    sim_state_clear(&fresh);
    return st;
}
