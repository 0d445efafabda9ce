/* Smoke as the page draws it: the density of a frame's tracers, or of the soot in its cells, on a dense grid
 * of bytes (wire.h). At most SMOKE_SIDE cells along the longest side of what there is: the page keeps it as
 * a texture. */
#pragma once

#include "serve/pack.h"

#include "base/vec.h"

enum { SMOKE_SIDE = 128 };

typedef struct smoke_def {
    const char *name; /* what messages call the file */
    double cell;      /* the smallest that makes sense: a spacing */
    bool soot;        /* of the column "soot"; otherwise every point counts alike */
} smoke_def;

/* A PLY file's bytes. RILL_BAD_FILE when the file is damaged or has no such column. */
RILL_CHECKED rill_status smoke_encode(rill_ctx *ctx, const smoke_def *def, const char *bytes, size_t length,
                                      packer *out);
