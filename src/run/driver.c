#include "run/driver.h"

#include "base/hash.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/scene_file.h"
#include "run/estimate.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Steps per frame beyond which the method is not getting anywhere. */
static const double most_steps = 1e6;
static const double progress_every = 0.1; /* seconds */

double run_frame_time(const run *r, uint32_t frame)
{
    return (double)frame / r->scene->time.fps;
}

double run_choose_dt(double remaining, double most)
{
    if (remaining <= most * (1 + 1e-9)) return remaining; /* not another step for the rounding */
    if (remaining < 2 * most) return remaining / 2;       /* no tiny last step */
    return most;
}

rill_status run_scene_hash(rill_ctx *ctx, const rill_scene *scene, uint64_t *hash)
{
    rill_scene same = *scene; /* shallow, only to be printed */
    same.time.frames = 1;
    text t;
    text_init(&t, ctx);
    scene_print(&same, &t);
    const rill_status st = text_check(&t);
    if (!st) *hash = hash_bytes(t.data, t.length, 0);
    text_clear(&t);
    return st;
}

/* ---- saving and going back ---- */

static rill_status keep_start(run *r, uint32_t frame)
{
    snapshot_reset(&r->start);
    TRY(r->sim->method->save(r->sim, &r->start.writer));
    r->frame = frame;
    r->step = r->sim->step;
    return RILL_OK;
}

static rill_status go_back(run *r)
{
    record_discard(&r->record);
    r->sim->time = run_frame_time(r, r->frame);
    r->sim->step = r->step;
    return r->sim->method->load(r->sim, &r->start.reader);
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
    const double left = run_frame_time(r, (uint32_t)r->scene->time.frames) - r->sim->time;
    const rill_progress p = {.frame = frame,
                             .frames = (uint32_t)r->scene->time.frames,
                             .step = r->sim->step,
                             .elements = elements,
                             .time = r->sim->time,
                             .dt = dt,
                             .seconds_left = done > 0 ? (wall - r->began_wall) * left / done : -1};
    r->ctx->def.progress(r->ctx->def.user, &p);
}

/* The step the method allows, scaled by the retries; RILL_BLEW_UP when it makes no sense. */
static rill_status allowed_step(run *r, double scale, double *out)
{
    const double most = r->sim->method->max_dt(r->sim);
    if (!(most * most_steps * r->scene->time.fps >= 1))
        return rill_fail(r->ctx, RILL_BLEW_UP, "the method asks for a step of %.3g s", most);
    *out = most * scale;
    return RILL_OK;
}

static rill_status take_step(run *r, double scale, double end, uint32_t frame)
{
    rill_sim *sim = r->sim;
    double most = 0;
    TRY(allowed_step(r, scale, &most));
    const double remaining = end - sim->time, dt = run_choose_dt(remaining, most);
    const double clock = clock_seconds();
    rill_step_stats stats = step_stats_none();
    const run_before before = check_before(sim);

    TRY(sim->method->step(sim, dt, &stats));
    sim->time = dt == remaining ? end : sim->time + dt;
    sim->step++;
    TRY(check_after(sim, &before, r->speed_limit));
    TRY(record_step(&r->record, sim, frame, dt, clock_seconds() - clock, &stats));
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
            return rill_fail_prefix(r->ctx, st, "frame %u, t = %.6g s: ", frame, r->sim->time);
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
        TRY(go_back(r));
    }
    char cause[sizeof r->ctx->message];
    memcpy(cause, r->ctx->message, sizeof cause);
    return rill_fail(
        r->ctx, RILL_BLEW_UP,
        "the simulation blew up: %s; also with 1/%d of the step. Frames 0 to %u are complete. "
        "Look at frame %u for what starts it: often liquid that begins inside a solid or too fast an "
        "emitter; a smaller cfl or more viscosity helps otherwise",
        cause, 1 << RUN_RETRIES, r->frame, r->frame);
}

static rill_status next_frame(run *r)
{
    const uint32_t frame = r->frame + 1;
    TRY(advance_frame(r));
    TRY(output_frame(r, frame));
    if (rill_cancelled(r->ctx)) return RILL_CANCELLED;
    TRY(record_flush(&r->record, &r->folder));
    TRY(keep_start(r, frame));
    const bool last = frame == (uint32_t)r->scene->time.frames;
    if (last || frame % (uint32_t)r->scene->output.checkpoint == 0) TRY(save_checkpoint(r));
    return RILL_OK;
}

static uint64_t element_count(const run *r)
{
    rill_view view = {0};
    r->sim->method->view(r->sim, &view);
    return view.particles ? view.particles->count : 0;
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

/* From a kept start to the end. */
static rill_status run_frames(run *r)
{
    const uint32_t frames = (uint32_t)r->scene->time.frames;
    r->began_wall = clock_seconds();
    r->began_time = r->sim->time;
    tell_progress(r, r->frame, 0, element_count(r), true);
    rill_status st = RILL_OK;
    while (r->frame < frames && !st) {
        st = next_frame(r);
        if (!st) tell_progress(r, r->frame, 0, element_count(r), true);
    }
    if (!st && output_video_wanted(r->scene)) make_video(r);
    if (st == RILL_CANCELLED) return interrupted(r);
    if (st == RILL_DISK || st == RILL_NO_MEMORY) {
        char cause[sizeof r->ctx->message];
        memcpy(cause, r->ctx->message, sizeof cause);
        return rill_fail(r->ctx, st, "%s; frames 0 to %u are complete, continue later with rill resume %s",
                         cause, r->frame, r->folder.path);
    }
    return st;
}

static rill_status run_init(run *r, rill_ctx *ctx, const rill_scene *scene)
{
    *r = (run){.ctx = ctx, .scene = scene, .folder = {.ctx = ctx, .lock = -1}, .saved_frame = -1};
    snapshot_init(&r->start, ctx);
    TRY(record_init(&r->record, ctx, scene));
    TRY(run_scene_hash(ctx, scene, &r->hash));
    TRY(scene->method->create(ctx, scene, &r->sim));
    r->sim->time = 0;
    r->sim->step = 0;
    r->speed_limit = check_speed_limit(r->sim);
    return RILL_OK;
}

static void run_clear(run *r)
{
    if (r->sim) r->sim->method->destroy(r->sim);
    record_clear(&r->record);
    snapshot_clear(&r->start);
    run_folder_close(&r->folder);
}

static void fill_result(const run *r, double since, run_result *out)
{
    char *video = r->folder.path ? run_folder_path(&r->folder, "video.mp4", 0) : NULL;
    *out = (run_result){.frame = r->frame,
                        .frames = (uint32_t)r->scene->time.frames,
                        .step = r->step,
                        .elements = r->sim ? element_count(r) : 0,
                        .time = run_frame_time(r, r->frame),
                        .wall_s = clock_seconds() - since,
                        .images = r->scene->output.images,
                        .video = output_video_wanted(r->scene) && video && file_exists(video)};
    mem_free(r->ctx, video);
}

/* The initial state: frame 0 and empty records. */
static rill_status begin_at_start(run *r)
{
    TRY(record_begin(&r->record, &r->folder));
    TRY(keep_start(r, 0));
    const rill_status st = output_frame(r, 0);
    if (st == RILL_CANCELLED) /* no checkpoint: frame 0 is not complete */
        return rill_fail(r->ctx, st, "interrupted; continue with rill resume %s", r->folder.path);
    return st;
}

static bool same_file(const char *a, const char *folder, rill_ctx *ctx)
{
    char *b = path_join(ctx, folder, "scene.json");
    struct stat sa, sb;
    const bool same =
        b && stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
    mem_free(ctx, b);
    return same;
}

rill_status run_start(rill_ctx *ctx, const rill_scene *scene, const run_options *options, run_result *out)
{
    const double since = clock_seconds();
    if (options->scene_file && same_file(options->scene_file, options->out, ctx))
        return rill_fail(ctx, RILL_USAGE,
                         "%s: the run would overwrite its own scene; write elsewhere with --out DIR",
                         options->scene_file);
    if (!options->force && run_folder_in_use(ctx, options->out))
        return rill_fail(
            ctx, RILL_USAGE,
            "%s holds a run already; continue it with rill resume %s, write elsewhere with --out DIR, "
            "or replace it with --force",
            options->out, options->out);
    run_estimate estimate;
    TRY(run_estimate_make(ctx, scene, &estimate));
    TRY(run_estimate_check(ctx, scene, &estimate, options));

    run r;
    rill_status st = run_init(&r, ctx, scene);
    if (!st) st = run_folder_create(ctx, options->out, options->force, &r.folder);
    if (!st) st = output_scene(&r.folder, scene); /* from here on it can be resumed */
    if (!st) st = output_about(&r.folder, scene, r.hash);
    if (!st) st = begin_at_start(&r);
    if (!st) st = run_frames(&r);
    fill_result(&r, since, out);
    run_clear(&r);
    return st;
}

/* ---- resuming ---- */

static bool usable(const run *r, const checkpoint_head *head)
{
    char *stats = run_folder_path(&r->folder, "stats.jsonl", 0),
         *gauges = run_folder_path(&r->folder, "gauges.csv", 0);
    bool ok = stats && gauges && file_length(stats) >= head->stats_bytes &&
              file_length(gauges) >= head->gauges_bytes;
    if (!ok)
        rill_fail(r->ctx, RILL_BAD_FILE, "stats.jsonl or gauges.csv is shorter than the checkpoint says");
    if (head->scene_hash != r->hash || strcmp(head->method, r->scene->method->name) != 0) {
        ok = false;
        rill_fail(r->ctx, RILL_BAD_FILE, "it belongs to another scene");
    }
    mem_free(r->ctx, stats);
    mem_free(r->ctx, gauges);
    return ok;
}

static rill_status load_checkpoint(run *r, uint32_t frame, checkpoint_head *head)
{
    char *path = run_folder_path(&r->folder, "checkpoints/%04u.rill", frame);
    if (!path) return mem_failed(r->ctx, strlen(r->folder.path), 1);
    rill_status st = checkpoint_read(r->ctx, path, head, &r->start);
    if (!st && (head->frame != frame || !usable(r, head)))
        st = rill_fail_prefix(r->ctx, RILL_BAD_FILE, "%s: ", path);
    if (!st) {
        r->frame = frame;
        r->step = head->step;
        st = go_back(r);
    }
    mem_free(r->ctx, path);
    return st;
}

/* The newest checkpoint that is sound, or the start. */
static rill_status find_place(run *r)
{
    uint32_t frame[RUN_MAX_CHECKPOINTS];
    const uint32_t count = run_folder_checkpoints(r->ctx, r->folder.path, frame, RUN_MAX_CHECKPOINTS);
    for (uint32_t k = 0; k < count; k++) {
        checkpoint_head head;
        const rill_status st = load_checkpoint(r, frame[k], &head);
        if (st == RILL_OK) {
            r->saved_frame = frame[k];
            return record_continue(&r->record, &r->folder, head.stats_bytes, head.gauges_bytes);
        }
        if (st != RILL_BAD_FILE) return st;
        rill_log(r->ctx, RILL_LOG_WARNING, "%s; going back to %s", rill_ctx_message(r->ctx),
                 k + 1 < count ? "an older checkpoint" : "the start");
    }
    if (count > 0) { /* a load that failed half-way may have left anything */
        r->sim->method->destroy(r->sim);
        r->sim = NULL;
        TRY(r->scene->method->create(r->ctx, r->scene, &r->sim));
    }
    r->frame = 0;
    r->sim->time = 0;
    r->sim->step = 0;
    return begin_at_start(r);
}

static rill_status resume_open(run *r, const rill_scene *scene, bool longer, bool *finished)
{
    TRY(find_place(r));
    const uint32_t frames = (uint32_t)scene->time.frames;
    if (r->frame > frames)
        return rill_fail(r->ctx, RILL_USAGE, "%s has %u frames already; --frames takes that many or more",
                         r->folder.path, r->frame);
    if (longer) TRY(output_scene(&r->folder, scene));
    char *video = run_folder_path(&r->folder, "video.mp4", 0),
         *about = run_folder_path(&r->folder, "run.json", 0);
    rill_status st = video && about ? RILL_OK : mem_failed(r->ctx, strlen(r->folder.path), 1);
    if (!st && !file_exists(about)) st = output_about(&r->folder, scene, r->hash);
    if (!st && r->frame < frames) st = file_remove(r->ctx, video); /* of a shorter run */
    if (!st) *finished = r->frame == frames && (file_exists(video) || !output_video_wanted(scene));
    mem_free(r->ctx, video);
    mem_free(r->ctx, about);
    return st || *finished ? st : run_frames(r);
}

rill_status run_resume(rill_ctx *ctx, const char *path, int64_t frames, const rill_method *const *methods,
                       uint32_t method_count, run_result *out)
{
    const double since = clock_seconds();
    run_folder folder;
    TRY(run_folder_open(ctx, path, &folder));
    rill_scene scene = {0};
    run r = {.ctx = ctx};
    char *scene_path = run_folder_path(&folder, "scene.json", 0);
    rill_status st = scene_path ? RILL_OK : mem_failed(ctx, strlen(path), 1);
    const scene_changes changes = {.frames = frames};
    if (!st) st = scene_read(ctx, scene_path, methods, method_count, &changes, &scene);
    mem_free(ctx, scene_path);
    if (st) {
        run_folder_close(&folder);
        return st;
    }
    bool finished = false;
    st = run_init(&r, ctx, &scene);
    r.folder = folder;
    if (!st) st = resume_open(&r, &scene, frames > 0, &finished);
    fill_result(&r, since, out);
    out->was_finished = finished;
    run_clear(&r);
    scene_clear(ctx, &scene);
    return st;
}
