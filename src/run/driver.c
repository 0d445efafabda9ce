/* Time and frames: steps, retries, the files at the end of a frame, checkpoints. */
#include "io/checkpoint.h"
#include "run/saver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double progress_every = 0.1; /* seconds */

double run_frame_time(const run *r, uint32_t frame)
{
    return run_time_of(r->scene, frame);
}

uint32_t run_last(const run *r)
{
    return r->preroll + (uint32_t)r->scene->time.frames;
}

int64_t run_number(const run *r, uint32_t frame)
{
    return (int64_t)frame - r->preroll;
}

/* ---- saving and going back ---- */

static rill_status keep_start(run *r, uint32_t frame)
{
    TRY(sim_state_keep(&r->start, r->sim));
    /* The head of a checkpoint has the lengths of the other two files. */
    if (r->record.wanted[RECORD_BODIES])
        TRY(save_chunk(&r->start.chunks.writer, RUN_BODIES_BYTES, SAVE_U64, 1,
                       &r->record.bytes[RECORD_BODIES]));
    r->frame = frame;
    return RILL_OK;
}

rill_status run_go_back(run *r)
{
    record_discard(&r->record);
    return sim_state_restore(&r->start, r->sim);
}

/* Writes the kept start of the frame as a file and removes older checkpoints once it is verified. ctx: for
 * messages. */
static rill_status save_checkpoint(run *r, rill_ctx *ctx)
{
    if (r->saved_frame == (int64_t)r->frame) return RILL_OK;
    checkpoint_head head = {.scene_hash = r->hash,
                            .time = r->start.time,
                            .frame = r->frame,
                            .step = r->start.step,
                            .stats_bytes = r->record.bytes[RECORD_STATS],
                            .gauges_bytes = r->record.bytes[RECORD_GAUGES]};
    snprintf(head.method, sizeof head.method, "%s", r->scene->method->name);
    run_record record = r->record;
    run_folder folder = r->folder;
    record.ctx = folder.ctx = ctx;
    char *path = run_file_path(ctx, folder.path, RUN_CHECKPOINTS, r->frame);
    if (!path) return mem_failed(ctx, strlen(folder.path), 1);
    rill_status st = record_sync(&record, &folder);
    if (!st) st = checkpoint_write(ctx, path, &head, &r->start.chunks);
    if (!st) st = run_folder_keep_two(&folder, r->frame);
    if (!st) r->saved_frame = r->frame;
    mem_free(ctx, path);
    return st;
}

/* ---- one frame ---- */

static void report_progress(run *r, uint32_t frame, double dt, uint64_t elements, bool now)
{
    if (!r->ctx->def.progress) return;
    const double wall = clock_seconds();
    if (!now && wall - r->reported_wall < progress_every) return;
    r->reported_wall = wall;
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

static rill_status stepped(void *user, double dt, double wall_s, const rill_step_stats *stats)
{
    run *r = user;
    TRY(record_step(&r->record, r->sim, run_number(r, r->frame + 1), dt, wall_s, stats));
    report_progress(r, r->frame + 1, dt, stats->elements, false);
    return RILL_OK;
}

static void restarted(void *user)
{
    record_discard(&((run *)user)->record);
}

static void step_begins(void *user)
{
    run_saver_release(((run *)user)->saver);
}

static void step_ends(void *user)
{
    run_saver_hold(((run *)user)->saver);
}

/* Steps to the end of the next frame. */
static rill_status advance_frame(run *r)
{
    const uint32_t frame = r->frame + 1;
    char name[32];
    snprintf(name, sizeof name, "frame %lld, ", (long long)run_number(r, frame));
    const run_interval interval = {.end = run_frame_time(r, frame),
                                   .name = name,
                                   .stepped = stepped,
                                   .restarted = restarted,
                                   .step_begins = step_begins,
                                   .step_ends = step_ends,
                                   .user = r};
    const rill_status st = run_advance(r->sim, &r->start, &interval);
    if (st != RILL_BLEW_UP) return st;
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
    if (last || frame % (uint32_t)r->scene->output.checkpoint == 0) TRY(save_checkpoint(r, r->ctx));
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

rill_status run_interrupted(run *r, rill_ctx *ctx)
{
    const rill_status st = save_checkpoint(r, ctx);
    if (st) return rill_fail_prefix(ctx, st, "interrupted, and the checkpoint could not be written: ");
    return rill_fail(ctx, RILL_CANCELLED, "interrupted; continue with rill resume %s", r->folder.path);
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
    report_progress(r, r->frame, 0, run_elements(r), true);
    rill_status st = RILL_OK;
    run_saver saver;
    run_saver_start(&saver, r);
    r->saver = &saver;
    while (r->frame < frames && !st) {
        st = next_frame(r);
        if (!st) report_progress(r, r->frame, 0, run_elements(r), true);
    }
    run_saver_end(&saver);
    r->saver = NULL;
    if (!st && output_video_wanted(r->scene)) make_video(r);
    return st == RILL_CANCELLED ? run_interrupted(r, r->ctx) : stopped(r, st);
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
