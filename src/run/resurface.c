#include "run/resurface.h"

#include "flow/body_poses.h"
#include "flow/method.h"
#include "io/file.h"
#include "io/ply.h"
#include "run/folder.h"
#include "run/frames.h"
#include "surface/surface.h"

#include <string.h>

typedef struct {
    rill_ctx *ctx;
    const rill_scene *scene;
    const resurface_def *def;
    solids walls;
    rill_sim *sim;   /* of methods that make their own surface; otherwise NULL */
    char *to;        /* owned */
    uint32_t *frame; /* owned: those that were made, and their times */
    double *time;
    resurface_report report;
} remaking;

static rill_status no_path(const remaking *r)
{
    return mem_failed(r->ctx, strlen(r->def->folder) + 64, 1);
}

/* As the run makes it, or by the definition. */
static rill_status make_surface(remaking *r, const particles *dots, double time, trimesh *out)
{
    if (r->sim) return r->scene->method->surface_of(r->sim, dots, time, out);
    surface_def def = surface_def_of_scene(r->scene);
    def.walls = &r->walls;
    def.time = time;
    TRY(solids_prepare(r->ctx, &r->walls, time, 0));
    return surface_from_particles(r->ctx, dots, &def, out);
}

/* Bodies where they were in the frame; the simulation, when there is one, sees them there too. */
static rill_status place_bodies(remaking *r, const char *frames, uint32_t frame)
{
    particles poses = {0};
    struct solid_ride *rides = NULL;
    char *path = frame_file_path(r->ctx, frames, FRAME_BODIES, frame, "ply");
    if (!path) return no_path(r);
    rill_status st = RILL_OK;
    if (file_exists(path)) {
        st = ply_read_particles(r->ctx, path, &poses, NULL);
        if (!st) st = body_poses_rides(r->ctx, r->scene, &poses, &rides);
        if (!st) solids_follow(&r->walls, rides);
        if (!st && r->sim) solids_follow(&r->sim->solids, rides);
    }
    mem_free(r->ctx, rides);
    particles_clear(r->ctx, &poses);
    mem_free(r->ctx, path);
    return st;
}

/* One frame; *there: it has particles. */
static rill_status remake(remaking *r, const char *frames, uint32_t frame, bool *there)
{
    particles dots = {0};
    trimesh mesh = {0};
    ply_header header = {.time = 0};
    char *path = frame_file_path(r->ctx, frames, FRAME_PARTICLES, frame, "ply");
    if (!path) return no_path(r);
    *there = file_exists(path);
    rill_status st = RILL_OK;
    if (*there) {
        st = ply_read_particles(r->ctx, path, &dots, &header);
        const double time = header.time == header.time ? header.time : frame / r->scene->time.fps;
        const frame_file f = {r->to, frame, time, r->scene->output.formats};
        if (!st) st = place_bodies(r, frames, frame);
        if (!st) st = make_surface(r, &dots, time, &mesh);
        if (!st) st = frame_write_surface(r->ctx, &f, &mesh);
        if (!st) {
            r->frame[r->report.done] = frame;
            r->time[r->report.done++] = time;
        }
    }
    trimesh_clear(r->ctx, &mesh);
    particles_clear(r->ctx, &dots);
    mem_free(r->ctx, path);
    return st;
}

static rill_status remake_all(remaking *r, const char *frames, const frame_list *list)
{
    const resurface_def *d = r->def;
    uint32_t expected = d->from;
    for (uint32_t k = 0; k < list->count; k++) {
        const uint32_t frame = list->frame[k];
        if (frame < d->from || frame > d->last) continue;
        if (frame > expected) {
            if (!r->report.missing) r->report.first_missing = expected;
            r->report.missing += frame - expected;
        }
        expected = frame + 1;
        if (rill_cancelled(r->ctx))
            return rill_fail(r->ctx, RILL_CANCELLED, "stopped before frame %u", frame);
        bool there = false;
        TRY(remake(r, frames, frame, &there));
        if (!there && !r->report.bare++) r->report.first_bare = frame;
        if (there && d->report) d->report(frame, d->last);
    }
    if (r->report.done == 0)
        return rill_fail(
            r->ctx, RILL_BAD_FILE,
            "%s: none of the frames %u to %u has a particle file to make a surface from; run the scene "
            "with \"particles\": true in \"output\", and \"ply\" among its \"formats\"",
            d->folder, d->from, d->last);
    return RILL_OK;
}

/* The index of .vtp files names what is in the folder now: all frames when these are all, otherwise these. */
static rill_status write_index(const remaking *r)
{
    if (!(r->scene->output.formats & FRAME_VTK)) return RILL_OK;
    return frame_write_index(r->ctx, r->to, FRAME_SURFACE, r->report.done, r->frame, r->time);
}

rill_status resurface(rill_ctx *ctx, const rill_scene *scene, const resurface_def *def, resurface_report *out)
{
    if (!scene->method->has_particles)
        return rill_fail(ctx, RILL_USAGE, "%s: the method \"%s\" has no particles to make a surface from; %s",
                         def->folder, scene->method->name,
                         scene->method->surface ? "the surfaces of the run are its own"
                                                : "it has no surface");
    remaking r = {.ctx = ctx, .scene = scene, .def = def};
    run_folder folder = {.ctx = ctx, .lock = -1};
    frame_list list = {0};
    char *frames = path_join(ctx, def->folder, "frames");
    r.to = def->to ? mem_text(ctx, def->to) : path_join(ctx, def->folder, "frames");
    rill_status st = frames && r.to ? frames_list(ctx, def->folder, &list) : no_path(&r);
    if (!st && !def->to) st = run_folder_open(ctx, def->folder, &folder);
    if (!st && def->to) st = folder_create(ctx, def->to);
    if (!st) st = MEM_NEW(ctx, r.frame, list.count);
    if (!st) st = MEM_NEW(ctx, r.time, list.count);
    if (!st) st = solids_create(ctx, scene, &r.walls);
    if (!st && scene->method->surface && !def->defined) st = scene->method->create(ctx, scene, &r.sim);
    if (!st) st = remake_all(&r, frames, &list);
    if (!st) st = write_index(&r);
    *out = r.report;
    if (folder.path) run_folder_close(&folder);
    frames_clear(ctx, &list);
    solids_clear(ctx, &r.walls);
    scene->method->destroy(r.sim);
    mem_free(ctx, r.frame);
    mem_free(ctx, r.time);
    mem_free(ctx, r.to);
    mem_free(ctx, frames);
    return st;
}
