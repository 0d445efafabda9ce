/* The files of a frame (particles, surface, image), and those that say what the run is. */
#include "base/parallel.h"
#include "flow/body_poses.h"
#include "io/file.h"
#include "io/frame_file.h"
#include "io/scene_file.h"
#include "render/render.h"
#include "run/machine.h"
#include "run/run.h"
#include "run/volumes.h"
#include "surface/surface.h"
#include "volume/fields.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static rill_status no_path(const run_folder *f)
{
    return mem_failed(f->ctx, strlen(f->path), 1);
}

/* .pvd: the frames so far, by time. Frames of a run follow each other from 0 on. */
static rill_status write_index(run *r, const frame_file *f, frame_part part)
{
    uint32_t *number = NULL;
    double *time = NULL;
    rill_status st = MEM_NEW(r->ctx, number, (size_t)f->frame + 1);
    if (!st) st = MEM_NEW(r->ctx, time, (size_t)f->frame + 1);
    for (uint32_t k = 0; !st && k <= f->frame; k++) {
        number[k] = k;
        time[k] = k / r->scene->time.fps;
    }
    if (!st) st = frame_write_index(r->ctx, f->folder, part, f->frame + 1, number, time);
    mem_free(r->ctx, number);
    mem_free(r->ctx, time);
    return st;
}

/* A part of the frame in every format: the surface, or points. */
static rill_status write_part(run *r, const frame_file *f, frame_part part, const trimesh *surface,
                              const particles *points)
{
    TRY(surface ? frame_write_surface(r->ctx, f, surface) : frame_write_points(r->ctx, f, part, points));
    return f->formats & FRAME_VTK ? write_index(r, f, part) : RILL_OK;
}

/* The method's own cells, made for this file alone. */
static rill_status write_cells(run *r, const frame_file *f)
{
    particles cells = {0};
    rill_status st = r->sim->method->cells(r->sim, &cells);
    if (!st) st = write_part(r, f, FRAME_CELLS, NULL, &cells);
    particles_clear(r->ctx, &cells);
    return st;
}

/* Fields on sparse grids, with the method's cells where they have what is wanted. */
static rill_status write_volume(run *r, const frame_file *f, const rill_view *view, const trimesh *surface)
{
    particles cells = {0};
    rill_view with = *view;
    rill_status st = RILL_OK;
    if (volume_needs_cells(r->scene)) {
        st = r->sim->method->cells(r->sim, &cells);
        with.cells = &cells;
    }
    if (!st) st = volumes_write(r->ctx, r->scene, &with, surface, f->folder, f->frame);
    particles_clear(r->ctx, &cells);
    return st;
}

static rill_status write_image(run *r, uint32_t frame, const rill_view *view, const trimesh *surface)
{
    const render_def def = render_def_of_scene(r->scene);
    const bool soot = def.look == LOOK_VOLUME && !volume_has_tracers(r->scene) && r->scene->smoke_count > 0 &&
                      r->sim->method->cells;
    image picture = {0};
    particles cells = {0};
    rill_view with = *view;
    char *path = run_file_path(r->ctx, r->folder.path, RUN_IMAGES, frame);
    rill_status st = path ? RILL_OK : no_path(&r->folder);
    if (!st && soot) {
        st = r->sim->method->cells(r->sim, &cells);
        with.cells = &cells;
    }
    if (!st) st = render_view(r->ctx, r->scene, &with, surface, &def, &picture);
    particles_clear(r->ctx, &cells);
    if (!st) st = image_write_png(r->ctx, path, &picture);
    image_clear(r->ctx, &picture);
    mem_free(r->ctx, path);
    return st;
}

rill_status output_check(const run *r)
{
    rill_view view = {0};
    const render_def def = render_def_of_scene(r->scene);
    sim_view(r->sim, &view);
    if (!r->scene->output.images || r->scene->output.look != LOOK_PARTICLES || r->scene->output.color == 0)
        return RILL_OK;
    if (view.particles && particles_column(view.particles, def.column)) return RILL_OK;
    return rill_fail(
        r->ctx, RILL_BAD_SCENE,
        "the particles of the method \"%s\" have no \"%s\"; take another \"color\" in \"output\"",
        r->scene->method->name, def.column);
}

rill_status run_surface(const rill_sim *sim, const rill_view *view, trimesh *out)
{
    if (sim->method->surface) return sim->method->surface(sim, out);
    if (!view->particles) return RILL_OK; /* there is none */
    surface_def def = surface_def_of_scene(sim->scene);
    def.walls = &sim->solids;
    def.time = sim->time;
    return surface_from_particles(sim->ctx, view->particles, &def, out);
}

/* Where the bodies are; without it a picture of the frame could not be made again. */
static rill_status write_bodies(run *r, const frame_file *f)
{
    particles poses = {0};
    if (r->sim->bodies.count == 0) return RILL_OK;
    rill_status st = body_poses_make(r->ctx, &r->sim->bodies, &poses);
    if (!st) st = write_part(r, f, FRAME_BODIES, NULL, &poses);
    particles_clear(r->ctx, &poses);
    return st;
}

/* The wanted files of what the view has. */
static rill_status write_parts(run *r, const frame_file *f, const rill_view *view, const trimesh *surface)
{
    const scene_output *output = &r->scene->output;
    if (output->particles && view->particles) TRY(write_part(r, f, FRAME_PARTICLES, NULL, view->particles));
    if (output->tracers && view->tracers) TRY(write_part(r, f, FRAME_TRACERS, NULL, view->tracers));
    if (output->whitewater && view->whitewater)
        TRY(write_part(r, f, FRAME_WHITEWATER, NULL, view->whitewater));
    if (output->cells && r->sim->method->cells) TRY(write_cells(r, f));
    TRY(write_bodies(r, f));
    if (output->volume) TRY(write_volume(r, f, view, surface));
    return output->surface && surface ? write_part(r, f, FRAME_SURFACE, surface, NULL) : RILL_OK;
}

rill_status output_frame(run *r, uint32_t frame)
{
    const scene_output *output = &r->scene->output;
    rill_view view = {0};
    sim_view(r->sim, &view);
    const bool drawn =
        output->images && (output->look == LOOK_SURFACE || output->look == LOOK_VOLUME || !view.particles);
    const bool has_surface =
        method_has_surface(r->sim->method) && (output->surface || output->volume || drawn);
    trimesh made = {0}, *surface = has_surface ? &made : NULL;
    char *folder = run_folder_path(&r->folder, "frames");
    const frame_file f = {folder, frame, view.time, output->formats};

    rill_status st = folder ? RILL_OK : no_path(&r->folder);
    if (!st && surface) st = run_surface(r->sim, &view, surface);
    if (!st) st = write_parts(r, &f, &view, surface);
    if (!st && output->images) st = write_image(r, frame, &view, surface);
    trimesh_clear(r->ctx, &made);
    mem_free(r->ctx, folder);
    return st;
}

bool output_video_wanted(const rill_scene *scene)
{
    return scene->output.images && scene->output.video;
}

rill_status output_video(const run *r)
{
    char *images = run_folder_path(&r->folder, "images"), *path = run_folder_path(&r->folder, "video.mp4");
    rill_status st = images && path ? RILL_OK : no_path(&r->folder);
    if (!st) st = video_write(r->ctx, images, 0, r->frame - r->preroll + 1, r->scene->time.fps, path);
    mem_free(r->ctx, images);
    mem_free(r->ctx, path);
    return st;
}

/* Writes a text under a name in the folder, and clears it. */
static rill_status write_text(const run_folder *folder, const char *name, text *t)
{
    char *path = run_folder_path(folder, name);
    rill_status st = path ? text_check(t) : no_path(folder);
    if (!st) st = file_write_all(folder->ctx, path, t->data, t->length);
    mem_free(folder->ctx, path);
    text_clear(t);
    return st;
}

rill_status output_scene(const run_folder *folder, const rill_scene *scene)
{
    text t;
    text_init(&t, folder->ctx);
    scene_print(scene, &t);
    return write_text(folder, "scene.json", &t);
}

rill_status output_about(const run_folder *folder, const rill_scene *scene, uint64_t hash)
{
    char cpu[256], when[64];
    machine_cpu(cpu, sizeof cpu);
    const time_t now = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));

    text t;
    text_init(&t, folder->ctx);
    text_print(&t, "{\n  \"rill\": \"%s\",\n  \"name\": ", RILL_VERSION);
    text_quoted(&t, scene->name ? scene->name : "");
    text_print(&t, ",\n  \"method\": \"%s\",\n", scene->method->name);
    text_print(&t, "  \"scene_hash\": \"%016llx\",\n", (unsigned long long)scene->hash);
    text_print(&t, "  \"state_hash\": \"%016llx\",\n", (unsigned long long)hash);
    text_print(&t, "  \"started\": \"%s\",\n  \"threads\": %d,\n  \"machine\": { \"cpu\": ", when,
               parallel_workers(folder->ctx));
    text_quoted(&t, cpu);
    text_print(&t, ", \"threads\": %d }\n}\n", parallel_machine_threads());
    return write_text(folder, "run.json", &t);
}
