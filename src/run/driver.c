/* Time and frames: steps, retries, the files at the end of a frame, checkpoints. */
#include "io/checkpoint.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps per frame beyond which the method is not getting anywhere. */
static const double most_steps = 1e6;
static const double progress_every = 0.1; /* seconds */

double run_time_of(const rill_scene *scene, uint32_t frame)
{
    const uint32_t preroll = run_preroll_frames(scene);
    if (frame >= preroll) return (double)(frame - preroll) / scene->time.fps;
    return -scene->time.preroll * (double)(preroll - frame) / preroll; /* evenly, from the very start */
}

double run_frame_time(const run *r, uint32_t frame)
{
    return run_time_of(r->scene, frame);
}

uint32_t run_preroll_frames(const rill_scene *scene)
{
    return (uint32_t)ceil(scene->time.preroll * scene->time.fps - 1e-9);
}

uint32_t run_last(const run *r)
{
    return r->preroll + (uint32_t)r->scene->time.frames;
}

int64_t run_number(const run *r, uint32_t frame)
{
    return (int64_t)frame - r->preroll;
}

double run_choose_dt(double remaining, double most)
{
    if (remaining <= most * (1 + 1e-9)) return remaining; /* not another step for the rounding */
    if (remaining < 2 * most) return remaining / 2;       /* no tiny last step */
    return most;
}

/* ---- saving and going back ---- */

static rill_status keep_start(run *r, uint32_t frame)
{
    snapshot_reset(&r->start);
    TRY(sim_save(r->sim, &r->start.writer));
    r->frame = frame;
    r->step = r->sim->step;
    return RILL_OK;
}

rill_status run_go_back(run *r)
{
    record_discard(&r->record);
    return sim_load(r->sim, run_frame_time(r, r->frame), r->step, &r->start.reader);
}

/* The kept start of the frame as a file; the older ones go once it is verified. */
static rill_status save_checkpoint(run *r)
{
    if (r->saved_frame == (int64_t)r->frame) return RILL_OK;
    checkpoint_head head = {.scene_hash = r->hash,
                            .time = run_frame_time(r, r->frame),
                            .frame = r->frame,
                            .step = r->step,
                            .stats_bytes = r->record.stats_bytes,
                            .gauges_bytes = r->record.gauges_bytes};
    snprintf(head.method, sizeof head.method, "%s", r->scene->method->name);
    char *path = run_folder_path(&r->folder, "checkpoints/%04u.rill", r->frame);
    if (!path) return mem_failed(r->ctx, strlen(r->folder.path), 1);
    rill_status st = record_sync(&r->record, &r->folder);
    if (!st) st = checkpoint_write(r->ctx, path, &head, &r->start);
    if (!st) st = run_folder_keep_two(&r->folder, r->frame);
    if (!st) r->saved_frame = r->frame;
    mem_free(r->ctx, path);
    return st;
}

/* ---- one frame ---- */

static void tell_progress(run *r, uint32_t frame, double dt, uint64_t elements, bool now)
{
    if (!r->ctx->def.progress) return;
    const double wall = clock_seconds();
    if (!now && wall - r->told_wall < progress_every) return;
    r->told_wall = wall;
    const double done = r->sim->time - r->began_time;
    const double left = run_frame_time(r, run_last(r)) - r->sim->time;
    const rill_progress p = {.frame = frame > r->preroll ? frame - r->preroll : 0,
                             .frames = (uint32_t)r->scene->time.frames,
                             .step = r->sim->step,
                             .elements = elements,
                             .time = r->sim->time,
                             .dt = dt,
                             .seconds_left = done > 0 ? (wall - r->began_wall) * left / done : -1};
    r->ctx->def.progress(r->ctx->def.user, &p);
}

/* The step the method allows; RILL_BLEW_UP when it makes no sense. */
static rill_status allowed_step(const rill_sim *sim, double *out)
{
    const double most = sim->method->max_dt(sim);
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
    TRY(solids_prepare(sim->ctx, &sim->solids, began, taken));
    TRY(sim->method->step(sim, taken, &s));
    sim->time = taken == remaining ? end : sim->time + taken;
    sim->step++;
    TRY(check_after(sim, &before, sim->speed_limit));
    if (scene_tracer_sources(sim->scene)) {
        double since = clock_seconds();
        TRY(tracers_step(sim, began, taken));
        step_stats_stage(&s, "tracers", &since);
    }
    *dt = taken;
    *stats = s;
    return RILL_OK;
}

static rill_status take_step(run *r, double scale, double end, uint32_t frame)
{
    const double clock = clock_seconds();
    double dt = 0;
    rill_step_stats stats;
    TRY(run_step(r->sim, scale, end, &dt, &stats));
    TRY(record_step(&r->record, r->sim, run_number(r, frame), dt, clock_seconds() - clock, &stats));
    tell_progress(r, frame, dt, stats.elements, false);
    return RILL_OK;
}

static rill_status try_frame(run *r, double scale)
{
    const uint32_t frame = r->frame + 1;
    const double end = run_frame_time(r, frame);
    while (r->sim->time < end) {
        if (rill_cancelled(r->ctx)) return RILL_CANCELLED;
        const rill_status st = take_step(r, scale, end, frame);
        if (st == RILL_BLEW_UP)
            return rill_fail_prefix(r->ctx, st, "frame %lld, t = %.6g s: ", (long long)run_number(r, frame),
                                    r->sim->time);
        TRY(st);
    }
    return RILL_OK;
}

/* Steps to the end of the next frame, beginning again with half the step when that fails. */
static rill_status advance_frame(run *r)
{
    double scale = 1;
    for (int attempt = 0;; attempt++, scale /= 2) {
        const rill_status st = try_frame(r, scale);
        if (st != RILL_BLEW_UP) return st;
        if (attempt == RUN_RETRIES) break;
        rill_log(r->ctx, RILL_LOG_WARNING, "%s; trying the frame again with 1/%d of the step",
                 rill_ctx_message(r->ctx), 2 << attempt);
        TRY(run_go_back(r));
    }
    char cause[sizeof r->ctx->message];
    memcpy(cause, r->ctx->message, sizeof cause);
    char seen[96] = "It was in the pre-roll, before frame 0. Look";
    if (r->frame >= r->preroll)
        snprintf(seen, sizeof seen, "Frames 0 to %u are complete. Look at frame %u", r->frame - r->preroll,
                 r->frame - r->preroll);
    return rill_fail(r->ctx, RILL_BLEW_UP,
                     "the simulation blew up: %s; also with 1/%d of the step. %s "
                     "for what starts it: often liquid that begins inside a solid or too fast an "
                     "emitter; a smaller cfl or more viscosity helps otherwise",
                     cause, 1 << RUN_RETRIES, seen);
}

static rill_status next_frame(run *r)
{
    const uint32_t frame = r->frame + 1;
    TRY(advance_frame(r));
    if (frame >= r->preroll) TRY(output_frame(r, frame - r->preroll));
    if (rill_cancelled(r->ctx)) return RILL_CANCELLED;
    TRY(record_flush(&r->record, &r->folder));
    TRY(keep_start(r, frame));
    const bool last = frame == run_last(r);
    if (last || frame % (uint32_t)r->scene->output.checkpoint == 0) TRY(save_checkpoint(r));
    return RILL_OK;
}

uint64_t run_elements(const run *r)
{
    rill_view view = {0};
    sim_view(r->sim, &view);
    return view.elements;
}

/* ---- a run ---- */

static void make_video(run *r)
{
    /* Everything else is there: a missing ffmpeg is no reason to call the run a failure. */
    if (output_video(r) != RILL_OK)
        rill_log(r->ctx, RILL_LOG_WARNING, "no video: %s; the images are complete", rill_ctx_message(r->ctx));
}

static rill_status interrupted(run *r)
{
    const rill_status st = save_checkpoint(r);
    if (st) return rill_fail_prefix(r->ctx, st, "interrupted, and the checkpoint could not be written: ");
    return rill_fail(r->ctx, RILL_CANCELLED, "interrupted; continue with rill resume %s", r->folder.path);
}

/* Adds to the message of a failure what is there and how to go on. */
static rill_status stopped(run *r, rill_status st)
{
    if (st != RILL_DISK && st != RILL_NO_MEMORY) return st;
    char cause[sizeof r->ctx->message];
    memcpy(cause, r->ctx->message, sizeof cause);
    return rill_fail(r->ctx, st, "%s; what is complete stays, continue later with rill resume %s", cause,
                     r->folder.path);
}

/* From a kept start to the end. */
rill_status run_frames(run *r)
{
    const uint32_t frames = run_last(r);
    r->began_wall = clock_seconds();
    r->began_time = r->sim->time;
    tell_progress(r, r->frame, 0, run_elements(r), true);
    rill_status st = RILL_OK;
    while (r->frame < frames && !st) {
        st = next_frame(r);
        if (!st) tell_progress(r, r->frame, 0, run_elements(r), true);
    }
    if (!st && output_video_wanted(r->scene)) make_video(r);
    return st == RILL_CANCELLED ? interrupted(r) : stopped(r, st);
}

/* The initial state, frame 0 without a pre-roll, and empty records. */
rill_status run_begin(run *r)
{
    rill_status st = record_begin(&r->record, &r->folder);
    if (!st) st = keep_start(r, 0);
    if (!st && r->preroll == 0) st = output_frame(r, 0);
    if (st == RILL_CANCELLED) /* no checkpoint: frame 0 is not complete */
        return rill_fail(r->ctx, st, "interrupted; continue with rill resume %s", r->folder.path);
    return stopped(r, st);
}
