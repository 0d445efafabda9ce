/* Preview pictures: shaded surface or coloured particles, solids, ground, soft light.
 *
 * Knows a simulation only as a rill_view and a surface mesh. The picture is the same
 * for any number of threads. */
#pragma once

#include "flow/method.h"
#include "geom/iso/level_grid.h"
#include "geom/mesh/trimesh.h"

typedef struct image {
    int width, height;
    uint8_t *rgb; /* owned, 3 bytes a pixel, first row on top */
} image;

void image_clear(rill_ctx *ctx, image *im);
RILL_CHECKED rill_status image_write_png(rill_ctx *ctx, const char *path, const image *im); /* atomically */
/* A PNG file's bytes; name: for messages. RILL_BAD_FILE. */
RILL_CHECKED rill_status image_decode_png(rill_ctx *ctx, const char *name, const uint8_t *bytes,
                                          size_t length, image *out);
/* With a note of at most 2000 bytes, which image_note reads back; false: there is no such file, or no note in
 * it. */
RILL_CHECKED rill_status image_write_noted(rill_ctx *ctx, const char *path, const image *im,
                                           const char *note);
bool image_note(const char *path, char *out, size_t capacity);

typedef struct render_def {
    int width, height;
    int samples;        /* per pixel, a square number */
    int look;           /* LOOK_SURFACE, LOOK_PARTICLES, LOOK_TRACERS: nothing of the fluid but them, or
                         * LOOK_VOLUME: the surface, and tracers as smoke */
    const char *column; /* the particles' colour: a column, or "speed" */
    double low, high;   /* the colour range; equal: fitted to the data */
    bool own;           /* particles that have colours of their own are drawn in them instead */
    bool draft;         /* small, one ray a sample, no shadows */
} render_def;

render_def render_def_default(void);
/* What the scene's "output" block asks for. One range of speeds for all frames, up to
 * that of a fall through the domain, so that a video's colours mean the same throughout. */
render_def render_def_of_scene(const rill_scene *scene);

/* The same, small: at most 320 pixels wide, one sample. */
void render_def_draft(render_def *def);

/* surface may be NULL (then particles are drawn whatever the look). */
RILL_CHECKED rill_status render_view(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                     const trimesh *surface, const render_def *def, image *out);

/* The same of the liquid's level in a sampled field, by ray casting, without a mesh
 * ([Braley] section 5.5). */
RILL_CHECKED rill_status render_field(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                      const level_grid *field, const render_def *def, image *out);

/* A video from DIR/images/%04d.png by the ffmpeg program (RILL_DISK with a message
 * when it is missing or fails; the file appears only when complete). */
RILL_CHECKED rill_status video_write(rill_ctx *ctx, const char *image_folder, uint32_t first, uint32_t count,
                                     double fps, const char *path);
