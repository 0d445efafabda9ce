#include "run/frames.h"

#include "io/file.h"
#include "io/ply.h"
#include "io/scene_file.h"
#include "run/about.h"
#include "run/folder.h"
#include "run/registry.h"
#include "surface/surface.h"

#include <stdio.h>
#include <string.h>

static const char surface_name[] = "frames/surface_%04u.ply", particles_name[] = "frames/particles_%04u.ply",
                  tracers_name[] = "frames/tracers_%04u.ply", cells_name[] = "frames/cells_%04u.ply";

/* ---- which there are ---- */

void frames_clear(rill_ctx *ctx, frame_list *l)
{
    mem_free(ctx, l->frame);
    *l = (frame_list){0};
}

rill_status frames_list(rill_ctx *ctx, const char *folder, frame_list *out)
{
    frame_list l = {0};
    TRY(run_folder_numbers(ctx, folder, RUN_PARTICLES | RUN_SURFACES | RUN_CELLS | RUN_TRACERS, &l.frame,
                           &l.count));
    if (l.count == 0)
        return rill_fail(
            ctx, RILL_BAD_FILE,
            "%s: no frames here: no file such as frames/surface_0000.ply or frames/particles_0000.ply",
            folder);
    for (uint32_t k = 1; k < l.count; k++) {
        const uint32_t gap = l.frame[k] - l.frame[k - 1] - 1;
        if (gap && !l.missing) l.first_missing = l.frame[k - 1] + 1;
        l.missing += gap;
    }
    if (l.missing)
        rill_log(ctx, RILL_LOG_WARNING, "%s: %u frame%s missing between %u and %u, the first of them %u",
                 folder, l.missing, l.missing == 1 ? " is" : "s are", l.frame[0], l.frame[l.count - 1],
                 l.first_missing);
    *out = l;
    return RILL_OK;
}

/* ---- the scene ---- */

rill_status frames_scene(rill_ctx *ctx, const char *folder, rill_scene *out)
{
    const scene_changes as_far_as_it_goes = {.tolerant = true};
    char *path = path_join(ctx, folder, "scene.json");
    rill_status st = path ? RILL_OK : mem_failed(ctx, strlen(folder), 1);
    if (!st && !file_exists(path))
        st =
            rill_fail(ctx, RILL_BAD_FILE, "%s: no run in this folder (there is no scene.json in it)", folder);
    if (!st) st = run_about_check(ctx, folder, true);
    if (!st) st = scene_read(ctx, path, rill_methods, rill_method_count, &as_far_as_it_goes, out);
    mem_free(ctx, path);
    return st;
}

/* ---- one of them ---- */

void frame_data_clear(rill_ctx *ctx, frame_data *d)
{
    trimesh_clear(ctx, &d->surface);
    particles_clear(ctx, &d->dots);
    particles_clear(ctx, &d->tracers);
    particles_clear(ctx, &d->cells);
    *d = (frame_data){0};
}

typedef enum { WANT_SURFACE = 1, WANT_PARTICLES = 2, WANT_CELLS = 4, WANT_TRACERS = 8 } wanted;

typedef struct {
    rill_ctx *ctx;
    const char *folder;
    uint32_t frame;
    uint32_t there, damaged; /* bits of wanted */
    frame_data data;
    ply_header *header;
} reading;

/* One of the frame's files, when it is there; one that cannot be read is told and left out. */
static rill_status read_part(reading *r, const char *format, wanted part)
{
    char name[64];
    snprintf(name, sizeof name, format, r->frame);
    char *path = path_join(r->ctx, r->folder, name);
    if (!path) return mem_failed(r->ctx, strlen(r->folder), 1);
    rill_status st = RILL_OK;
    frame_data *d = &r->data;
    if (file_exists(path)) {
        particles *points = part == WANT_CELLS ? &d->cells : part == WANT_TRACERS ? &d->tracers : &d->dots;
        st = part == WANT_SURFACE ? ply_read_mesh(r->ctx, path, &d->surface, r->header)
                                  : ply_read_particles(r->ctx, path, points, r->header);
        if (!st) {
            r->there |= part;
            d->time = r->header->time;
        } else if (st == RILL_BAD_FILE) {
            r->damaged |= part;
            rill_log(r->ctx, RILL_LOG_WARNING, "%s; left out", rill_ctx_message(r->ctx));
            st = RILL_OK;
        }
    }
    mem_free(r->ctx, path);
    return st;
}

/* What is wanted and there; when nothing of that can be read, what can. */
static rill_status read_wanted(rill_ctx *ctx, const char *folder, const rill_scene *scene, uint32_t frame,
                               uint32_t want, frame_data *out)
{
    reading r = {.ctx = ctx, .folder = folder, .frame = frame, .data = {.time = NAN}};
    TRY(MEM_NEW_ZERO(ctx, r.header, 1));
    rill_status st = RILL_OK;
    if (want & WANT_SURFACE) st = read_part(&r, surface_name, WANT_SURFACE);
    if (!st && want & WANT_PARTICLES) st = read_part(&r, particles_name, WANT_PARTICLES);
    if (!st && want & WANT_CELLS) st = read_part(&r, cells_name, WANT_CELLS);
    if (!st && want & WANT_TRACERS) st = read_part(&r, tracers_name, WANT_TRACERS);
    /* Tracers go with something, and are enough where nothing else is wanted. */
    const uint32_t enough = want == WANT_TRACERS ? r.there : r.there & ~(uint32_t)WANT_TRACERS;
    static const struct {
        const char *name;
        wanted part;
    } instead[] = {{particles_name, WANT_PARTICLES}, {surface_name, WANT_SURFACE}, {cells_name, WANT_CELLS}};
    for (int k = 0; k < 3 && !st && !enough && !(r.there & ~(uint32_t)WANT_TRACERS); k++)
        if (!(want & instead[k].part)) st = read_part(&r, instead[k].name, instead[k].part);
    if (!st && !r.there)
        st = rill_fail(ctx, RILL_BAD_FILE,
                       r.damaged ? "%s: no file of frame %u can be read"
                                 : "%s: the files of frame %u are gone",
                       folder, frame);
    r.data.has_surface = r.there & WANT_SURFACE;
    r.data.has_particles = r.there & WANT_PARTICLES;
    r.data.has_cells = r.there & WANT_CELLS;
    r.data.has_tracers = r.there & WANT_TRACERS;
    if (!(r.data.time == r.data.time)) r.data.time = frame / scene->time.fps;
    mem_free(ctx, r.header);
    if (st) {
        frame_data_clear(ctx, &r.data);
        return st;
    }
    *out = r.data;
    return RILL_OK;
}

rill_status frame_read(rill_ctx *ctx, const char *folder, const rill_scene *scene, uint32_t frame,
                       frame_data *out)
{
    return read_wanted(ctx, folder, scene, frame, WANT_SURFACE | WANT_PARTICLES | WANT_CELLS, out);
}

/* ---- pictures ---- */

static rill_view view_of(const rill_scene *scene, const frame_data *d)
{
    return (rill_view){.time = d->time,
                       .spacing = scene->spacing,
                       .dimensions = scene->dimensions,
                       .domain = {scene->domain.min, scene->domain.max},
                       .particles = d->has_particles ? &d->dots : NULL,
                       .tracers = d->has_tracers ? &d->tracers : NULL,
                       .cells = d->has_cells ? &d->cells : NULL,
                       .shape = d->has_cells ? scene->method->cell_shape : VIEW_NO_CELLS};
}

rill_status frame_draw(rill_ctx *ctx, const char *folder, const rill_scene *scene, const render_def *def,
                       uint32_t frame, image *out)
{
    frame_data d;
    static const int want[] = {WANT_SURFACE | WANT_TRACERS, WANT_PARTICLES | WANT_TRACERS, WANT_TRACERS};
    TRY(read_wanted(ctx, folder, scene, frame, want[def->look], &d));
    const rill_view view = view_of(scene, &d);
    const rill_status st = render_view(ctx, scene, &view, d.has_surface ? &d.surface : NULL, def, out);
    frame_data_clear(ctx, &d);
    return st;
}

static rill_status need_particles(rill_ctx *ctx, const char *folder, const rill_scene *scene, uint32_t frame,
                                  const char *what)
{
    if (!scene->method->has_particles)
        return rill_fail(ctx, RILL_USAGE, "%s: the method \"%s\" has no particles to %s", folder,
                         scene->method->name, what);
    return rill_fail(
        ctx, RILL_BAD_FILE,
        "%s: frame %u has no particles to %s (\"particles\" of \"output\" was false, or the file "
        "is gone)",
        folder, frame, what);
}

rill_status frame_draw_field(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                             const render_def *def, uint32_t frame, image *out)
{
    frame_data d;
    level_grid field = {0};
    const surface_def how = surface_def_of_scene(scene);
    TRY(read_wanted(ctx, folder, scene, frame, WANT_PARTICLES, &d));
    const rill_view view = view_of(scene, &d);
    rill_status st = d.has_particles ? surface_field(ctx, &d.dots, &how, &field)
                                     : need_particles(ctx, folder, scene, frame, "cast rays at");
    if (!st) st = render_field(ctx, scene, &view, &field, def, out);
    level_grid_clear(ctx, &field);
    frame_data_clear(ctx, &d);
    return st;
}

rill_status frame_slice(rill_ctx *ctx, const char *folder, const rill_scene *scene, const slice_def *def,
                        uint32_t frame, image *out)
{
    frame_data d;
    const bool own = def->kind == SLICE_CELLS || def->kind == SLICE_TETS; /* the method's, when it has some */
    TRY(read_wanted(ctx, folder, scene, frame, own ? WANT_PARTICLES | WANT_CELLS : WANT_PARTICLES, &d));
    const rill_view view = view_of(scene, &d);
    const rill_status st = d.has_particles || d.has_cells
                               ? slice_draw(ctx, scene, &view, def, out)
                               : need_particles(ctx, folder, scene, frame, "cut through");
    frame_data_clear(ctx, &d);
    return st;
}
