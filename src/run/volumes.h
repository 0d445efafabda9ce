/* The volumes of frames as files: frames/volume_0007.vdb. */
#pragma once

#include "flow/method.h"
#include "geom/mesh/trimesh.h"

/* FOLDER/volume_0007.vdb of what is viewed; surface may be NULL. */
RILL_CHECKED rill_status volumes_write(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                       const trimesh *surface, const char *folder, uint32_t frame);

typedef struct volumes_def {
    const char *folder;                            /* of the run */
    const char *to;                                /* folder for the files; NULL: the run's own frames */
    uint32_t from, last;                           /* frames, both included */
    void (*report)(uint32_t frame, uint32_t last); /* called after each frame; may be NULL */
} volumes_def;

/* Of the frames of a run, from their files. *done: how many were written, also on failure. RILL_USAGE without
 * OpenVDB; the folder is locked meanwhile, unless the files go elsewhere. */
RILL_CHECKED rill_status volumes_of_run(rill_ctx *ctx, const rill_scene *scene, const volumes_def *def,
                                        uint32_t *done);
