/* The files of a frame (particles, surface, image), and those that say what the run is. */
#include "base/parallel.h"
#include "io/file.h"
#include "io/ply.h"
#include "io/scene_file.h"
#include "render/render.h"
#include "run/machine.h"
#include "run/run.h"
#include "surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static rill_status no_path(const run_folder *f)
{
    return mem_failed(f->ctx, strlen(f->path), 1);
}

static rill_status write_particles(run *r, uint32_t frame, const rill_view *view)
{
    char *path = run_folder_path(&r->folder, "frames/particles_%04u.ply", frame);
    const rill_status st =
        path ? ply_write_particles(r->ctx, path, view->particles, view->time, frame) : no_path(&r->folder);
    mem_free(r->ctx, path);
    return st;
}

static rill_status write_surface(run *r, uint32_t frame, const rill_view *view, const trimesh *surface)
{
    char *path = run_folder_path(&r->folder, "frames/surface_%04u.ply", frame);
    const rill_status st =
        path ? ply_write_mesh(r->ctx, path, surface, view->time, frame) : no_path(&r->folder);
    mem_free(r->ctx, path);
    return st;
}

static rill_status write_image(run *r, uint32_t frame, const rill_view *view, const trimesh *surface)
{
    static const char *const columns[] = {"speed", "density", "pressure"};
    const scene_output *output = &r->scene->output;
    render_def def = render_def_default();
    def.width = output->width;
    def.height = output->height;
    def.look = output->look;
    def.column = columns[output->color >= 0 && output->color < 3 ? output->color : 0];
    if (output->color == 0) { /* one scale for all frames: the speed of a fall from top to bottom */
        def.low = 0;
        def.high = sqrt(2 * scene_gravity_most(r->scene) * box_size(view->domain).y);
    } else if (!particles_column(view->particles, def.column)) {
        def.column = "speed";
    }

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
    const rill_scene *scene = sim->scene;
    surface_def def = surface_def_default();
    def.spacing = scene_particle_spacing(scene);
    def.cell = scene->surface.cell;
    def.radius = scene->surface.radius;
    def.dimensions = view->dimensions;
    return surface_from_particles(sim->ctx, view->particles, &def, out);
}

rill_status output_frame(run *r, uint32_t frame)
{
    const scene_output *output = &r->scene->output;
    rill_view view = {0};
    r->sim->method->view(r->sim, &view);
    trimesh made = {0};
    const trimesh *surface = view.surface;
    const bool wanted = output->surface || (output->images && output->look == LOOK_SURFACE);

    rill_status st = RILL_OK;
    if (output->particles && view.particles) st = write_particles(r, frame, &view);
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
