/* The files of a frame: what they are called, and how they are written. One file per part of a view and per
 * format:
 *
 *     surface_0007.ply  surface_0007.vtp  surface.pvd     the .pvd lists the .vtp files of a part by time
 */
#pragma once

#include "flow/particles.h"
#include "geom/mesh/trimesh.h"

typedef enum frame_part {
    FRAME_SURFACE,
    FRAME_PARTICLES,
    FRAME_CELLS, /* written as particles are, by their sites */
    FRAME_TRACERS,
    FRAME_BODIES, /* likewise, by where they are: flow/body_poses.h */
    FRAME_WHITEWATER,
    FRAME_PARTS
} frame_part;
extern const char *const frame_part_words[FRAME_PARTS]; /* "surface", ... */

enum { FRAME_PLY = 1, FRAME_VTK = 2 }; /* formats, as scene_output has them */

/* FOLDER/surface_0007.ply (or .vtp: ending), FOLDER/surface.pvd: the caller's to mem_free; NULL when there is
 * no memory. */
char *frame_file_path(rill_ctx *ctx, const char *folder, frame_part part, uint32_t frame, const char *ending);
char *frame_index_path(rill_ctx *ctx, const char *folder, frame_part part);

typedef struct frame_file {
    const char *folder; /* of the files themselves: RUN/frames */
    uint32_t frame;
    double time;
    uint32_t formats; /* bits */
} frame_file;

RILL_CHECKED rill_status frame_write_surface(rill_ctx *ctx, const frame_file *f, const trimesh *surface);
RILL_CHECKED rill_status frame_write_points(rill_ctx *ctx, const frame_file *f, frame_part part,
                                            const particles *points);
/* The index of these frames' .vtp files. */
RILL_CHECKED rill_status frame_write_index(rill_ctx *ctx, const char *folder, frame_part part, uint32_t count,
                                           const uint32_t *frame, const double *time);
