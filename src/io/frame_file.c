#include "io/frame_file.h"

#include "io/file.h"
#include "io/ply.h"
#include "io/vtk.h"

#include <stdio.h>
#include <string.h>

const char *const frame_part_words[FRAME_PARTS] = {"surface", "particles", "cells",
                                                   "tracers", "bodies",    "whitewater"};

static rill_status no_path(rill_ctx *ctx, const char *folder)
{
    return mem_failed(ctx, strlen(folder) + 64, 1);
}

char *frame_file_path(rill_ctx *ctx, const char *folder, frame_part part, uint32_t frame, const char *ending)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%04u.%s", frame_part_words[part], frame, ending);
    return path_join(ctx, folder, name);
}

char *frame_index_path(rill_ctx *ctx, const char *folder, frame_part part)
{
    char name[64];
    snprintf(name, sizeof name, "%s.pvd", frame_part_words[part]);
    return path_join(ctx, folder, name);
}

/* surface or points, whichever is not NULL. */
static rill_status write_part(rill_ctx *ctx, const frame_file *f, frame_part part, const trimesh *surface,
                              const particles *points)
{
    char *ply = frame_file_path(ctx, f->folder, part, f->frame, "ply"),
         *vtk = frame_file_path(ctx, f->folder, part, f->frame, "vtp");
    rill_status st = ply && vtk ? RILL_OK : no_path(ctx, f->folder);
    if (!st && f->formats & FRAME_PLY)
        st = surface ? ply_write_mesh(ctx, ply, surface, f->time, f->frame)
                     : ply_write_particles(ctx, ply, points, f->time, f->frame);
    if (!st && f->formats & FRAME_VTK)
        st = surface ? vtk_write_mesh(ctx, vtk, surface, f->time)
                     : vtk_write_particles(ctx, vtk, points, f->time);
    mem_free(ctx, ply);
    mem_free(ctx, vtk);
    return st;
}

rill_status frame_write_surface(rill_ctx *ctx, const frame_file *f, const trimesh *surface)
{
    return write_part(ctx, f, FRAME_SURFACE, surface, NULL);
}

rill_status frame_write_points(rill_ctx *ctx, const frame_file *f, frame_part part, const particles *points)
{
    return write_part(ctx, f, part, NULL, points);
}

rill_status frame_write_index(rill_ctx *ctx, const char *folder, frame_part part, uint32_t count,
                              const uint32_t *frame, const double *time)
{
    char name[64], *path = frame_index_path(ctx, folder, part);
    snprintf(name, sizeof name, "%s_%%04u.vtp", frame_part_words[part]);
    const rill_status st = path ? vtk_write_index(ctx, path, name, count, frame, time) : no_path(ctx, folder);
    mem_free(ctx, path);
    return st;
}
