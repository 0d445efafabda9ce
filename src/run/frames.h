/* The frames of a run folder, as they can be read again: which there are, and pictures
 * of them.
 *
 * Folders may be half copied, or made by another version: what can be read is read, and warnings
 * name the rest. */
#pragma once

#include "flow/scene.h"
#include "io/frame_file.h"
#include "io/scene_file.h"
#include "render/render.h"
#include "render/slice.h"

typedef struct frame_list {
    uint32_t count;
    uint32_t *frame;        /* ascending, owned */
    uint32_t missing;       /* frames between the first and the last that are not there */
    uint32_t first_missing; /* one of them, when there are any */
} frame_list;

/* Frames that have a file of any part; what is missing between them goes to the log as a
 * warning. RILL_BAD_FILE when there is none. */
RILL_CHECKED rill_status frames_list(rill_ctx *ctx, const char *folder, frame_list *out);
void frames_clear(rill_ctx *ctx, frame_list *l);

/* The scene of a run folder; RILL_BAD_FILE when there is none. What another version has put in and this
 * one does not know goes to the log as a warning and is left out. */
RILL_CHECKED rill_status frames_scene(rill_ctx *ctx, const char *folder, rill_scene *out);
/* The same with changes; strict unless they are tolerant. */
RILL_CHECKED rill_status frames_scene_changed(rill_ctx *ctx, const char *folder, const scene_changes *changes,
                                              rill_scene *out);

/* What a frame's files hold. */
typedef struct frame_data {
    uint32_t parts; /* those that are there: bits by frame_part */
    trimesh surface;
    particles points[FRAME_PARTS]; /* by frame_part; that of the surface is empty */
    struct solid_ride *rides;      /* owned: where the bodies are, per solid; NULL: not known */
    double time;
} frame_data;

static inline bool frame_has(const frame_data *d, frame_part part)
{
    return d->parts >> part & 1;
}

/* All parts that are there. RILL_BAD_FILE when none can be read; of several files one that is damaged goes to
 * the log as a warning. */
RILL_CHECKED rill_status frame_read(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                    uint32_t frame, frame_data *out);
void frame_data_clear(rill_ctx *ctx, frame_data *d);

/* The same as a view, which borrows it. */
rill_view frame_view(const rill_scene *scene, const frame_data *d);

/* A picture of a frame from its files; surface or particles as def looks, the other when
 * there is only that. */
RILL_CHECKED rill_status frame_draw(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                    const render_def *def, uint32_t frame, image *out);
/* The same in final quality and linear light. */
struct path_def;
struct path_picture;
RILL_CHECKED rill_status frame_draw_final(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                          const struct path_def *def, int look, uint32_t frame,
                                          struct path_picture *out);
/* The liquid's level in the field of the frame's particles, by ray casting. */
RILL_CHECKED rill_status frame_draw_field(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                          const render_def *def, uint32_t frame, image *out);
/* A cut through a frame's particles or cells. */
RILL_CHECKED rill_status frame_slice(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                     const slice_def *def, uint32_t frame, image *out);
