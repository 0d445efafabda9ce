/* Beginning a run, and taking one on. */
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/scene_file.h"
#include "run/about.h"
#include "run/estimate.h"
#include "run/run.h"

#include <string.h>
#include <sys/stat.h>

rill_status run_scene_hash(rill_ctx *ctx, const rill_scene *scene, uint64_t *hash)
{
    rill_scene same = *scene; /* shallow, only to be printed */
    same.time.frames = 1;
    return scene_state_hash(ctx, &same, hash);
}

static rill_status run_init(run *r, rill_ctx *ctx, const rill_scene *scene)
{
    *r = (run){.ctx = ctx, .scene = scene, .folder = {.ctx = ctx, .lock = -1}, .saved_frame = -1};
    sim_state_init(&r->start, ctx);
    TRY(record_init(&r->record, ctx, scene));
    TRY(run_scene_hash(ctx, scene, &r->hash));
    r->preroll = run_preroll_frames(scene);
    TRY(sim_start(ctx, scene, &r->sim));
    return output_check(r);
}

static void run_clear(run *r)
{
    if (r->sim) r->sim->method->destroy(r->sim);
    record_clear(&r->record);
    sim_state_clear(&r->start);
    run_folder_close(&r->folder);
}

static void fill_result(const run *r, double since, run_result *out)
{
    char *video = r->folder.path ? run_folder_path(&r->folder, "video.mp4") : NULL;
    *out = (run_result){.frame = r->frame > r->preroll ? r->frame - r->preroll : 0,
                        .frames = (uint32_t)r->scene->time.frames,
                        .step = r->start.step,
                        .elements = r->sim ? run_elements(r) : 0,
                        .time = run_frame_time(r, r->frame),
                        .wall_s = clock_seconds() - since,
                        .images = r->scene->output.images,
                        .video = output_video_wanted(r->scene) && video && file_exists(video)};
    mem_free(r->ctx, video);
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
    if (!options->force) TRY(run_folder_check_free(ctx, options->out));
    run_estimate estimate;
    TRY(run_estimate_make(ctx, scene, &estimate));
    TRY(run_estimate_check(ctx, scene, &estimate, options));

    run r;
    rill_status st = run_init(&r, ctx, scene);
    r.stop = options->stop;
    if (!st) st = run_folder_create(ctx, options->out, options->force, &r.folder);
    if (!st) st = output_scene(&r.folder, scene); /* from here on it can be resumed */
    if (!st) st = output_about(&r.folder, scene, r.hash);
    if (!st) st = run_begin(&r);
    if (!st) st = run_frames(&r);
    fill_result(&r, since, out);
    run_clear(&r);
    return st;
}

/* ---- resuming ---- */

static bool usable(const run *r, const checkpoint_head *head, const uint64_t bytes[RECORD_FILES],
                   bool *other_scene)
{
    if (head->scene_hash != r->hash || strcmp(head->method, r->scene->method->name) != 0) {
        *other_scene = true;
        rill_fail(r->ctx, RILL_BAD_FILE, "it belongs to another scene");
        return false;
    }
    if (record_reaches(&r->record, &r->folder, bytes)) return true;
    rill_fail(r->ctx, RILL_BAD_FILE,
              "stats.jsonl, gauges.csv or bodies.csv is shorter than the checkpoint says");
    return false;
}

/* How long the files of the record were. */
static rill_status record_lengths(run *r, const checkpoint_head *head, uint64_t bytes[RECORD_FILES])
{
    bytes[RECORD_STATS] = head->stats_bytes;
    bytes[RECORD_GAUGES] = head->gauges_bytes;
    bytes[RECORD_BODIES] = 0;
    if (!r->record.wanted[RECORD_BODIES]) return RILL_OK;
    return load_chunk(&r->start.chunks.reader, RUN_BODIES_BYTES, SAVE_U64, 1, &bytes[RECORD_BODIES]);
}

static rill_status load_checkpoint(run *r, uint32_t frame, uint64_t bytes[RECORD_FILES], bool *other_scene)
{
    checkpoint_head head;
    char *path = run_file_path(r->ctx, r->folder.path, RUN_CHECKPOINTS, frame);
    if (!path) return mem_failed(r->ctx, strlen(r->folder.path), 1);
    rill_status st = checkpoint_read(r->ctx, path, &head, &r->start.chunks);
    if (!st) {
        st = record_lengths(r, &head, bytes);
        if (!st && head.frame != frame)
            st = rill_fail(r->ctx, RILL_BAD_FILE, "it was saved for frame %u", head.frame);
        if (st || !usable(r, &head, bytes, other_scene))
            st = rill_fail_prefix(r->ctx, RILL_BAD_FILE, "%s: ", path);
    }
    if (!st) {
        r->frame = frame;
        r->start.time = run_frame_time(r, frame);
        r->start.step = head.step;
        st = run_go_back(r);
    }
    mem_free(r->ctx, path);
    return st;
}

/* The newest checkpoint that is sound, or the start. */
static rill_status find_place(run *r, bool run_again)
{
    bool edited = false;
    uint32_t frame[RUN_MAX_CHECKPOINTS];
    const uint32_t count = run_folder_checkpoints(r->ctx, r->folder.path, frame, RUN_MAX_CHECKPOINTS);
    for (uint32_t k = 0; k < count; k++) {
        uint64_t bytes[RECORD_FILES];
        const rill_status st = load_checkpoint(r, frame[k], bytes, &edited);
        if (st == RILL_OK) {
            r->saved_frame = frame[k];
            return record_continue(&r->record, &r->folder, bytes);
        }
        if (st != RILL_BAD_FILE) return st;
        rill_log(r->ctx, RILL_LOG_WARNING, "%s; going back to %s", rill_ctx_message(r->ctx),
                 k + 1 < count ? "an older checkpoint" : "the start");
    }
    if (edited && !run_again)
        return rill_fail(
            r->ctx, RILL_USAGE,
            "%s: scene.json has been edited since the run was made: it would be simulated from the start "
            "over the frames that are there; --force does that, or run it elsewhere with rill run "
            "%s/scene.json --out DIR",
            r->folder.path, r->folder.path);
    r->frame = 0;
    if (count > 0) { /* a load that failed half-way may have left anything */
        r->sim->method->destroy(r->sim);
        r->sim = NULL;
        TRY(sim_start(r->ctx, r->scene, &r->sim));
    }
    return run_begin(r);
}

static rill_status resume_open(run *r, const rill_scene *scene, bool longer, bool run_again, bool *finished)
{
    TRY(find_place(r, run_again));
    const uint32_t frames = run_last(r);
    if (r->frame > frames)
        return rill_fail(r->ctx, RILL_USAGE, "%s has %u frames already; --frames takes that many or more",
                         r->folder.path, r->frame - r->preroll);
    if (longer) TRY(output_scene(&r->folder, scene));
    char *video = run_folder_path(&r->folder, "video.mp4"), *about = run_folder_path(&r->folder, "run.json");
    rill_status st = video && about ? RILL_OK : mem_failed(r->ctx, strlen(r->folder.path), 1);
    if (!st && !file_exists(about)) st = output_about(&r->folder, scene, r->hash);
    if (!st && r->frame < frames) st = file_remove(r->ctx, video); /* of a shorter run */
    if (!st) *finished = r->frame == frames && (file_exists(video) || !output_video_wanted(scene));
    mem_free(r->ctx, video);
    mem_free(r->ctx, about);
    return st || *finished ? st : run_frames(r);
}

rill_status run_resume(rill_ctx *ctx, const char *path, int64_t frames, bool run_again,
                       const rill_method *const *methods, uint32_t method_count, run_result *out)
{
    return run_resume_stoppable(ctx, path, frames, run_again, methods, method_count, NULL, out);
}

rill_status run_resume_stoppable(rill_ctx *ctx, const char *path, int64_t frames, bool run_again,
                                 const rill_method *const *methods, uint32_t method_count, run_stop *stop,
                                 run_result *out)
{
    const double since = clock_seconds();
    run_folder folder;
    TRY(run_folder_open(ctx, path, &folder));
    rill_scene scene = {0};
    run r = {.ctx = ctx};
    char *scene_path = run_folder_path(&folder, "scene.json");
    rill_status st = scene_path ? RILL_OK : mem_failed(ctx, strlen(path), 1);
    const scene_changes changes = {.frames = frames, .of_run = true};
    if (!st) st = run_about_check(ctx, path, false);
    if (!st) st = scene_read(ctx, scene_path, methods, method_count, &changes, &scene);
    mem_free(ctx, scene_path);
    if (st) {
        run_folder_close(&folder);
        return st;
    }
    bool finished = false;
    st = run_init(&r, ctx, &scene);
    r.folder = folder;
    r.stop = stop;
    if (!st) st = resume_open(&r, &scene, frames > 0, run_again, &finished);
    fill_result(&r, since, out);
    out->was_finished = finished;
    run_clear(&r);
    scene_clear(ctx, &scene);
    return st;
}
