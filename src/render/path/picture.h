/* A picture in linear light, and its files: EXR, Radiance .hdr, .pfm. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"

typedef struct path_picture {
    int width, height;
    float *rgb; /* owned, first row on top */
} path_picture;

void picture_clear(rill_ctx *ctx, path_picture *p);
RILL_CHECKED rill_status picture_create(rill_ctx *ctx, int width, int height, path_picture *out); /* black */

/* OpenEXR, scan lines without compression; half: 16 bits a number, which end at 65504. Atomically. */
RILL_CHECKED rill_status picture_write_exr(rill_ctx *ctx, const char *path, const path_picture *p, bool half);
uint16_t picture_half(float x); /* rounded to nearest; not a number: 0 */

/* A .hdr, .pfm or PNG file by what it begins with. RILL_BAD_FILE with the file's name. Numbers that are
 * negative or not finite become 0. */
RILL_CHECKED rill_status picture_read(rill_ctx *ctx, const char *path, path_picture *out);
