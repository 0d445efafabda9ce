#include "run/frames.h"

#include "flow/body_poses.h"
#include "io/file.h"
#include "io/ply.h"
#include "io/scene_file.h"
#include "render/path/path.h"
#include "run/about.h"
#include "run/folder.h"
#include "run/registry.h"
#include "surface/surface.h"

#include <stdio.h>
#include <string.h>

/* ---- which there are ---- */

void frames_clear(rill_ctx *ctx, frame_list *l)
{
    mem_free(ctx, l->frame);
    *l = (frame_list){0};
}

rill_status frames_list(rill_ctx *ctx, const char *folder, frame_list *out)
{
    frame_list l = {0};
    TRY(run_folder_numbers(ctx, folder, RUN_FRAMES, &l.frame, &l.count));
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

rill_status frames_scene_changed(rill_ctx *ctx, const char *folder, const scene_changes *changes,
                                 rill_scene *out)
{
    char *path = path_join(ctx, folder, "scene.json");
    rill_status st = path ? RILL_OK : mem_failed(ctx, strlen(folder), 1);
    if (!st && !file_exists(path))
        st =
            rill_fail(ctx, RILL_BAD_FILE, "%s: no run in this folder (there is no scene.json in it)", folder);
    if (!st && changes->tolerant) st = run_about_check(ctx, folder, true);
    if (!st) st = scene_read(ctx, path, rill_methods, rill_method_count, changes, out);
    mem_free(ctx, path);
    return st;
}

rill_status frames_scene(rill_ctx *ctx, const char *folder, rill_scene *out)
{
    const scene_changes tolerant = {.tolerant = true};
    return frames_scene_changed(ctx, folder, &tolerant, out);
}

/* ---- one of them ---- */

void frame_data_clear(rill_ctx *ctx, frame_data *d)
{
    trimesh_clear(ctx, &d->surface);
    for (int part = 0; part < FRAME_PARTS; part++) particles_clear(ctx, &d->points[part]);
    mem_free(ctx, d->rides);
    *d = (frame_data){0};
}

/* Parts, as bits. */
enum {
    WANT_SURFACE = 1 << FRAME_SURFACE,
    WANT_PARTICLES = 1 << FRAME_PARTICLES,
    WANT_CELLS = 1 << FRAME_CELLS,
    WANT_TRACERS = 1 << FRAME_TRACERS,
    WANT_BODIES = 1 << FRAME_BODIES, /* always: solids are drawn with everything */
    WANT_WHITEWATER = 1 << FRAME_WHITEWATER,
    WANT_ALL = (1 << FRAME_PARTS) - 1
};

typedef struct {
    rill_ctx *ctx;
    const char *frames; /* folder */
    uint32_t frame;
    bool damaged;
    frame_data data;
    ply_header *header;
} reading;

/* One of the frame's files, when it exists; one that cannot be read is left out with a warning. */
static rill_status read_part(reading *r, frame_part part)
{
    char *path = frame_file_path(r->ctx, r->frames, part, r->frame, "ply");
    if (!path) return mem_failed(r->ctx, strlen(r->frames), 1);
    rill_status st = RILL_OK;
    frame_data *d = &r->data;
    if (file_exists(path)) {
        st = part == FRAME_SURFACE ? ply_read_mesh(r->ctx, path, &d->surface, r->header)
                                   : ply_read_particles(r->ctx, path, &d->points[part], r->header);
        if (!st) {
            d->parts |= 1u << part;
            d->time = r->header->time;
        } else if (st == RILL_BAD_FILE) {
            r->damaged = true;
            rill_log(r->ctx, RILL_LOG_WARNING, "%s; left out", rill_ctx_message(r->ctx));
            st = RILL_OK;
        }
    }
    mem_free(r->ctx, path);
    return st;
}

static rill_status read_parts(reading *r, uint32_t want)
{
    want |= WANT_BODIES;
    for (int part = 0; part < FRAME_PARTS; part++)
        if (want >> part & 1) TRY(read_part(r, (frame_part)part));
    /* White water, tracers and bodies go with something; tracers are enough where nothing else is wanted. */
    const uint32_t beside =
        WANT_WHITEWATER | WANT_BODIES | ((want & ~(uint32_t)WANT_BODIES) == WANT_TRACERS ? 0 : WANT_TRACERS);
    static const frame_part instead[] = {FRAME_PARTICLES, FRAME_SURFACE, FRAME_CELLS};
    for (int k = 0; k < 3 && !(r->data.parts & ~beside); k++)
        if (!(want >> instead[k] & 1)) TRY(read_part(r, instead[k]));
    return RILL_OK;
}

/* What is wanted and there; when nothing of that can be read, what can. */
static rill_status read_wanted(rill_ctx *ctx, const char *folder, const rill_scene *scene, uint32_t frame,
                               uint32_t want, frame_data *out)
{
    char *frames = path_join(ctx, folder, "frames");
    reading r = {.ctx = ctx, .frames = frames, .frame = frame, .data = {.time = NAN}};
    rill_status st = frames ? MEM_NEW_ZERO(ctx, r.header, 1) : mem_failed(ctx, strlen(folder), 1);
    if (!st) st = read_parts(&r, want);
    /* White water and bodies beside files that are damaged are not the frame. */
    const uint32_t alone = WANT_WHITEWATER | WANT_BODIES;
    if (!st && (!r.data.parts || (r.damaged && !(r.data.parts & ~alone))))
        st = rill_fail(ctx, RILL_BAD_FILE,
                       r.damaged ? "%s: no file of frame %u can be read"
                                 : "%s: the files of frame %u are gone",
                       folder, frame);
    if (!(r.data.time == r.data.time)) r.data.time = frame / scene->time.fps;
    if (!st && frame_has(&r.data, FRAME_BODIES))
        st = body_poses_rides(ctx, scene, &r.data.points[FRAME_BODIES], &r.data.rides);
    mem_free(ctx, r.header);
    mem_free(ctx, frames);
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
    return read_wanted(ctx, folder, scene, frame, WANT_ALL, out);
}

/* ---- pictures ---- */

rill_view frame_view(const rill_scene *scene, const frame_data *d)
{
    rill_view view = {.time = d->time,
                      .spacing = scene->spacing,
                      .dimensions = scene->dimensions,
                      .domain = {scene->domain.min, scene->domain.max},
                      .rides = d->rides};
    if (frame_has(d, FRAME_PARTICLES)) view.particles = &d->points[FRAME_PARTICLES];
    if (frame_has(d, FRAME_TRACERS)) view.tracers = &d->points[FRAME_TRACERS];
    if (frame_has(d, FRAME_WHITEWATER)) view.whitewater = &d->points[FRAME_WHITEWATER];
    if (frame_has(d, FRAME_CELLS)) view.cells = &d->points[FRAME_CELLS];
    if (view.cells) view.shape = scene->method->cell_shape;
    return view;
}

/* Parts for each look. */
static const int parts_shown[] = {WANT_SURFACE | WANT_TRACERS | WANT_WHITEWATER,
                                  WANT_PARTICLES | WANT_TRACERS | WANT_WHITEWATER, WANT_TRACERS,
                                  WANT_SURFACE | WANT_TRACERS | WANT_WHITEWATER};

rill_status frame_draw_final(rill_ctx *ctx, const char *folder, const rill_scene *scene, const path_def *def,
                             int look, uint32_t frame, path_picture *out)
{
    frame_data d;
    TRY(read_wanted(ctx, folder, scene, frame, parts_shown[look], &d));
    rill_view view = frame_view(scene, &d);
    const bool surface = frame_has(&d, FRAME_SURFACE) && (look == LOOK_SURFACE || look == LOOK_VOLUME);
    if (look == LOOK_TRACERS) view.particles = NULL;
    const rill_status st = path_draw(ctx, scene, &view, surface ? &d.surface : NULL, def, out);
    frame_data_clear(ctx, &d);
    return st;
}

rill_status frame_draw(rill_ctx *ctx, const char *folder, const rill_scene *scene, const render_def *def,
                       uint32_t frame, image *out)
{
    frame_data d;
    TRY(read_wanted(ctx, folder, scene, frame, parts_shown[def->look], &d));
    const rill_view view = frame_view(scene, &d);
    const rill_status st =
        render_view(ctx, scene, &view, frame_has(&d, FRAME_SURFACE) ? &d.surface : NULL, def, out);
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
    surface_def how = surface_def_of_scene(scene);
    solids walls = {0};
    TRY(read_wanted(ctx, folder, scene, frame, WANT_PARTICLES, &d));
    const rill_view view = frame_view(scene, &d);
    rill_status st = solids_create(ctx, scene, &walls);
    if (!st) solids_follow(&walls, view.rides);
    if (!st) st = solids_prepare(ctx, &walls, view.time, 0);
    how.walls = &walls;
    how.time = view.time;
    if (!st)
        st = view.particles ? surface_field(ctx, view.particles, &how, &field)
                            : need_particles(ctx, folder, scene, frame, "cast rays at");
    if (!st) st = render_field(ctx, scene, &view, &field, def, out);
    solids_clear(ctx, &walls);
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
    const rill_view view = frame_view(scene, &d);
    const rill_status st = view.particles || view.cells
                               ? slice_draw(ctx, scene, &view, def, out)
                               : need_particles(ctx, folder, scene, frame, "cut through");
    frame_data_clear(ctx, &d);
    return st;
}
