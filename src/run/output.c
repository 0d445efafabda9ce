/* The files of a frame (particles, surface, image), and those that say what the run is. */
#include "base/parallel.h"
#include "io/file.h"
#include "io/ply.h"
#include "io/scene_file.h"
#include "io/vtk.h"
#include "render/render.h"
#include "run/machine.h"
#include "run/run.h"
#include "surface/surface.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static rill_status no_path(const run_folder *f)
{
    return mem_failed(f->ctx, strlen(f->path), 1);
}

enum { FORMAT_PLY = 1, FORMAT_VTK = 2 }; /* as scene_output.formats has them */

/* .pvd: the frames so far, by time. Frames of a run follow each other from 0 on. */
static rill_status write_index(run *r, const char *index, const char *name, uint32_t frame)
{
    uint32_t *number = NULL;
    double *time = NULL;
    char *path = run_folder_path(&r->folder, index, 0);
    rill_status st = path ? MEM_NEW(r->ctx, number, (size_t)frame + 1) : no_path(&r->folder);
    if (!st) st = MEM_NEW(r->ctx, time, (size_t)frame + 1);
    for (uint32_t k = 0; !st && k <= frame; k++) {
        number[k] = k;
        time[k] = k / r->scene->time.fps;
    }
    if (!st) st = vtk_write_index(r->ctx, path, name, frame + 1, number, time);
    mem_free(r->ctx, number);
    mem_free(r->ctx, time);
    mem_free(r->ctx, path);
    return st;
}

/* Particles, or cells, whose sites are written alike; `kind` names the files. */
static rill_status write_points(run *r, uint32_t frame, const char *kind, const particles *p)
{
    const uint32_t formats = r->scene->output.formats;
    char name[3][64];
    snprintf(name[0], sizeof name[0], "frames/%s_%%04u.ply", kind);
    snprintf(name[1], sizeof name[1], "frames/%s_%%04u.vtp", kind);
    snprintf(name[2], sizeof name[2], "frames/%s.pvd", kind);
    char *ply = run_folder_path(&r->folder, name[0], frame),
         *vtk = run_folder_path(&r->folder, name[1], frame);
    rill_status st = ply && vtk ? RILL_OK : no_path(&r->folder);
    if (!st && formats & FORMAT_PLY) st = ply_write_particles(r->ctx, ply, p, r->sim->time, frame);
    if (!st && formats & FORMAT_VTK) {
        st = vtk_write_particles(r->ctx, vtk, p, r->sim->time, false);
        if (!st) st = write_index(r, name[2], name[1] + strlen("frames/"), frame);
    }
    mem_free(r->ctx, ply);
    mem_free(r->ctx, vtk);
    return st;
}

static rill_status write_surface(run *r, uint32_t frame, const rill_view *view, const trimesh *surface)
{
    const uint32_t formats = r->scene->output.formats;
    char *ply = run_folder_path(&r->folder, "frames/surface_%04u.ply", frame),
         *vtk = run_folder_path(&r->folder, "frames/surface_%04u.vtp", frame);
    rill_status st = ply && vtk ? RILL_OK : no_path(&r->folder);
    if (!st && formats & FORMAT_PLY) st = ply_write_mesh(r->ctx, ply, surface, view->time, frame);
    if (!st && formats & FORMAT_VTK) {
        st = vtk_write_mesh(r->ctx, vtk, surface, view->time, false);
        if (!st) st = write_index(r, "frames/surface.pvd", "surface_%04u.vtp", frame);
    }
    mem_free(r->ctx, ply);
    mem_free(r->ctx, vtk);
    return st;
}

/* The method's own cells, made for this file alone. */
static rill_status write_cells(run *r, uint32_t frame)
{
    particles cells = {0};
    rill_status st = r->sim->method->cells(r->sim, &cells);
    if (!st) st = write_points(r, frame, "cells", &cells);
    particles_clear(r->ctx, &cells);
    return st;
}

static rill_status write_image(run *r, uint32_t frame, const rill_view *view, const trimesh *surface)
{
    render_def def = render_def_of_scene(r->scene);
    if (r->scene->output.color != 0 && !particles_column(view->particles, def.column)) def.column = "speed";

    image picture = {0};
    char *path = run_folder_path(&r->folder, "images/%04u.png", frame);
    rill_status st = path ? RILL_OK : no_path(&r->folder);
    if (!st) st = render_view(r->ctx, r->scene, view, surface, &def, &picture);
    if (!st) st = image_write_png(r->ctx, path, &picture);
    image_clear(r->ctx, &picture);
    mem_free(r->ctx, path);
    return st;
}

rill_status run_surface(const rill_sim *sim, const rill_view *view, trimesh *out)
{
    if (sim->method->surface) return sim->method->surface(sim, out);
    surface_def def = surface_def_of_scene(sim->scene);
    def.walls = &sim->solids;
    def.time = sim->time;
    return surface_from_particles(sim->ctx, view->particles, &def, out);
}

rill_status output_frame(run *r, uint32_t frame)
{
    const scene_output *output = &r->scene->output;
    rill_view view = {0};
    sim_view(r->sim, &view);
    trimesh made = {0};
    const trimesh *surface = view.surface;
    const bool wanted = output->surface || (output->images && output->look == LOOK_SURFACE);

    rill_status st = RILL_OK;
    if (output->particles && view.particles) st = write_points(r, frame, "particles", view.particles);
    if (!st && output->tracers && view.tracers) st = write_points(r, frame, "tracers", view.tracers);
    if (!st && output->cells && r->sim->method->cells) st = write_cells(r, frame);
    if (!st && wanted && !surface && view.particles) {
        st = run_surface(r->sim, &view, &made);
        surface = &made;
    }
    if (!st && output->surface && surface) st = write_surface(r, frame, &view, surface);
    if (!st && output->images && view.particles) st = write_image(r, frame, &view, surface);
    trimesh_clear(r->ctx, &made);
    return st;
}

bool output_video_wanted(const rill_scene *scene)
{
    return scene->output.images && scene->output.video;
}

rill_status output_video(const run *r)
{
    char *images = run_folder_path(&r->folder, "images", 0),
         *path = run_folder_path(&r->folder, "video.mp4", 0);
    rill_status st = images && path ? RILL_OK : no_path(&r->folder);
    if (!st) st = video_write(r->ctx, images, 0, r->frame - r->preroll + 1, r->scene->time.fps, path);
    mem_free(r->ctx, images);
    mem_free(r->ctx, path);
    return st;
}

/* Writes a text under a name in the folder, and clears it. */
static rill_status write_text(const run_folder *folder, const char *name, text *t)
{
    char *path = run_folder_path(folder, name, 0);
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
