#include "run/frames.h"

#include "io/file.h"
#include "io/ply.h"
#include "io/scene_file.h"
#include "run/registry.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char surface_name[] = "frames/surface_%04u.ply", particles_name[] = "frames/particles_%04u.ply",
                  tracers_name[] = "frames/tracers_%04u.ply";

/* ---- which there are ---- */

void frames_clear(rill_ctx *ctx, frame_list *l)
{
    mem_free(ctx, l->frame);
    *l = (frame_list){0};
}

/* "surface_0012.ply" and the like, and nothing behind it. */
static bool frame_of(const char *name, uint32_t *frame)
{
    static const char *const start[] = {"surface_", "particles_", "tracers_"};
    for (int k = 0; k < 3; k++) {
        const size_t length = strlen(start[k]);
        int end = 0;
        unsigned number;
        if (strncmp(name, start[k], length) != 0) continue;
        if (sscanf(name + length, "%9u.ply%n", &number, &end) != 1 || !end || name[length + (size_t)end])
            continue;
        *frame = number;
        return true;
    }
    return false;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Sorted, each once, with the gaps counted. */
static void tidy(frame_list *l)
{
    uint32_t kept = 0;
    qsort(l->frame, l->count, sizeof *l->frame, ascending);
    for (uint32_t k = 0; k < l->count; k++) {
        if (kept && l->frame[kept - 1] == l->frame[k]) continue;
        const uint32_t expected = kept ? l->frame[kept - 1] + 1 : l->frame[k];
        if (l->frame[k] != expected) {
            if (!l->missing) l->first_missing = expected;
            l->missing += l->frame[k] - expected;
        }
        l->frame[kept++] = l->frame[k];
    }
    l->count = kept;
}

rill_status frames_list(rill_ctx *ctx, const char *folder, frame_list *out)
{
    char *path = path_join(ctx, folder, "frames");
    if (!path) return mem_failed(ctx, strlen(folder), 1);
    DIR *d = opendir(path);
    frame_list l = {0};
    size_t room = 0;
    rill_status st = RILL_OK;
    for (const struct dirent *e; d && !st && (e = readdir(d));) {
        uint32_t frame;
        if (!frame_of(e->d_name, &frame)) continue;
        st = mem_grow(ctx, &l.frame, sizeof *l.frame, &room, l.count + 1);
        if (!st) l.frame[l.count++] = frame;
    }
    if (d) closedir(d);
    mem_free(ctx, path);
    if (!st && l.count == 0)
        st = rill_fail(ctx, RILL_BAD_FILE,
                       "%s: no frames/surface_0000.ply or frames/particles_0000.ply or any later one to make "
                       "pictures of",
                       folder);
    if (st) {
        frames_clear(ctx, &l);
        return st;
    }
    tidy(&l);
    *out = l;
    return RILL_OK;
}

/* ---- one of them ---- */

rill_status frames_scene(rill_ctx *ctx, const char *folder, rill_scene *out)
{
    const scene_changes none = {0};
    char *path = path_join(ctx, folder, "scene.json");
    rill_status st = path ? RILL_OK : mem_failed(ctx, strlen(folder), 1);
    if (!st && !file_exists(path))
        st =
            rill_fail(ctx, RILL_BAD_FILE, "%s: no run in this folder (there is no scene.json in it)", folder);
    if (!st) st = scene_read(ctx, path, rill_methods, rill_method_count, &none, out);
    mem_free(ctx, path);
    return st;
}

/* DIR/format where the file is there; otherwise *path stays NULL. */
static rill_status find_file(rill_ctx *ctx, const char *folder, const char *format, uint32_t frame,
                             char **path)
{
    char name[64];
    snprintf(name, sizeof name, format, frame);
    char *p = path_join(ctx, folder, name);
    if (!p) return mem_failed(ctx, strlen(folder), 1);
    if (file_exists(p))
        *path = p;
    else
        mem_free(ctx, p);
    return RILL_OK;
}

typedef enum { WANT_SURFACE = 1, WANT_PARTICLES = 2, WANT_TRACERS = 4 } wanted;

void frame_data_clear(rill_ctx *ctx, frame_data *d)
{
    trimesh_clear(ctx, &d->surface);
    particles_clear(ctx, &d->dots);
    particles_clear(ctx, &d->tracers);
    *d = (frame_data){0};
}

/* What is wanted and there; when nothing of that is there, what is. */
static rill_status read_wanted(rill_ctx *ctx, const char *folder, const rill_scene *scene, uint32_t frame,
                               int want, frame_data *out)
{
    char *surface = NULL, *dots = NULL, *tracer = NULL;
    frame_data d = {0};
    ply_header header = {.time = 0};
    rill_status st = find_file(ctx, folder, surface_name, frame, &surface);
    if (!st) st = find_file(ctx, folder, particles_name, frame, &dots);
    if (!st && want & WANT_TRACERS) st = find_file(ctx, folder, tracers_name, frame, &tracer);
    if (!st && !surface && !dots && !tracer)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s: the files of frame %u are gone", folder, frame);
    const bool other = tracer && !(want & (WANT_SURFACE | WANT_PARTICLES)); /* they are enough */
    d.has_surface = surface && (want & WANT_SURFACE || (!dots && !other));
    d.has_particles = dots && (want & WANT_PARTICLES || (!surface && !other));
    d.has_tracers = tracer != NULL;
    if (!st && d.has_surface) st = ply_read_mesh(ctx, surface, &d.surface, &header);
    if (!st && d.has_particles) st = ply_read_particles(ctx, dots, &d.dots, &header);
    if (!st && tracer) st = ply_read_particles(ctx, tracer, &d.tracers, &header);
    d.time = header.time == header.time ? header.time : frame / scene->time.fps;
    mem_free(ctx, surface);
    mem_free(ctx, dots);
    mem_free(ctx, tracer);
    if (st) {
        frame_data_clear(ctx, &d);
        return st;
    }
    *out = d;
    return RILL_OK;
}

rill_status frame_read(rill_ctx *ctx, const char *folder, const rill_scene *scene, uint32_t frame,
                       frame_data *out)
{
    return read_wanted(ctx, folder, scene, frame, WANT_SURFACE | WANT_PARTICLES, out);
}

static rill_view view_of(const rill_scene *scene, const frame_data *d)
{
    return (rill_view){.time = d->time,
                       .spacing = scene->spacing,
                       .dimensions = scene->dimensions,
                       .domain = {scene->domain.min, scene->domain.max},
                       .particles = d->has_particles ? &d->dots : NULL,
                       .tracers = d->has_tracers ? &d->tracers : NULL};
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

rill_status frame_slice(rill_ctx *ctx, const char *folder, const rill_scene *scene, const slice_def *def,
                        uint32_t frame, image *out)
{
    frame_data d;
    TRY(read_wanted(ctx, folder, scene, frame, WANT_PARTICLES, &d));
    const rill_view view = view_of(scene, &d);
    rill_status st = RILL_OK;
    if (!d.has_particles)
        st = rill_fail(ctx, RILL_BAD_FILE,
                       "%s: frame %u has no particles to cut through (\"particles\" of \"output\" was false)",
                       folder, frame);
    if (!st) st = slice_draw(ctx, scene, &view, def, out);
    frame_data_clear(ctx, &d);
    return st;
}
