#include "run/frames.h"

#include "io/file.h"
#include "io/ply.h"
#include "io/scene_file.h"
#include "run/registry.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char surface_name[] = "frames/surface_%04u.ply", particles_name[] = "frames/particles_%04u.ply";

/* ---- which there are ---- */

void frames_clear(rill_ctx *ctx, frame_list *l)
{
    mem_free(ctx, l->frame);
    *l = (frame_list){0};
}

/* "surface_0012.ply" or "particles_0012.ply", and nothing behind it. */
static bool frame_of(const char *name, uint32_t *frame)
{
    int end = 0;
    unsigned number;
    if (sscanf(name, "surface_%9u.ply%n", &number, &end) != 1 || !end || name[end])
        if (end = 0, sscanf(name, "particles_%9u.ply%n", &number, &end) != 1 || !end || name[end])
            return false;
    *frame = number;
    return true;
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

rill_status frame_draw(rill_ctx *ctx, const char *folder, const rill_scene *scene, const render_def *def,
                       uint32_t frame, image *out)
{
    char *surface_path = NULL, *particles_path = NULL;
    trimesh surface = {0};
    particles dots = {0};
    ply_header header = {.time = 0};
    rill_view view = {.spacing = scene->spacing,
                      .dimensions = scene->dimensions,
                      .domain = {scene->domain.min, scene->domain.max}};

    rill_status st = find_file(ctx, folder, surface_name, frame, &surface_path);
    if (!st) st = find_file(ctx, folder, particles_name, frame, &particles_path);
    const bool draw_surface = surface_path && (def->look == LOOK_SURFACE || !particles_path);
    if (!st && !surface_path && !particles_path)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s: the files of frame %u are gone", folder, frame);
    if (!st) {
        st = draw_surface ? ply_read_mesh(ctx, surface_path, &surface, &header)
                          : ply_read_particles(ctx, particles_path, &dots, &header);
    }
    if (!st) {
        view.time = header.time == header.time ? header.time : frame / scene->time.fps;
        if (!draw_surface) view.particles = &dots;
        st = render_view(ctx, scene, &view, draw_surface ? &surface : NULL, def, out);
    }
    particles_clear(ctx, &dots);
    trimesh_clear(ctx, &surface);
    mem_free(ctx, particles_path);
    mem_free(ctx, surface_path);
    return st;
}
