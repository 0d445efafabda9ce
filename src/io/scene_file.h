/* The scene file: reading, printing, and the documents made from its tables. */
#pragma once

#include "base/text.h"
#include "flow/method.h"
#include "flow/scene.h"

/* What the command line changes in a scene. Zero-initialised: nothing. */
typedef struct scene_changes {
    const char *method;     /* NULL: as the scene says */
    int64_t frames;         /* 0: as the scene says */
    const char *const *set; /* "PATH=VALUE" */
    int set_count;
    bool tolerant; /* what is not understood is left out with a warning: to look at runs of other versions */
    bool of_run;   /* the file of a run, which names every key: what the method has no use for is warned of */
    bool of_particles; /* surfaces will be made from particles, whatever the method makes of them in a run */
} scene_changes;

/* Reads, checks everything (all methods' blocks, the chosen method's own check too)
 * and fills defaults. Mesh files are read, paths that are not absolute from the scene
 * file's folder on, and become absolute. Messages are "path:line:column: cause; remedy". RILL_BAD_FILE
 * when the file or one it names cannot be read, RILL_BAD_SCENE for anything in it. */
RILL_CHECKED rill_status scene_read(rill_ctx *ctx, const char *path, const rill_method *const *methods,
                                    uint32_t method_count, const scene_changes *changes, rill_scene *out);
/* The same from memory; `name` as if it were its path. */
RILL_CHECKED rill_status scene_parse(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                     const rill_method *const *methods, uint32_t method_count,
                                     const scene_changes *changes, rill_scene *out);

/* One entry of "liquid" from memory, for a scene with this number of dimensions; meshes are refused. The
 * caller clears it with scene_liquid_params. */
RILL_CHECKED rill_status scene_parse_liquid(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                            int dimensions, scene_liquid *out);

/* The scene as a file with every default written out; reading it back gives the same
 * scene and the same hash. */
void scene_print(const rill_scene *scene, text *out);
/* Of the printed text, but of files only their names and their contents. */
RILL_CHECKED rill_status scene_hash(rill_ctx *ctx, const rill_scene *scene, uint64_t *hash);
/* The same without what is about pictures alone: equal for scenes whose runs compute the same. The camera
 * counts where the chosen method samples by its view. */
RILL_CHECKED rill_status scene_state_hash(rill_ctx *ctx, const rill_scene *scene, uint64_t *hash);
void scene_schema(const rill_method *const *methods, uint32_t method_count, text *out);    /* JSON Schema */
void scene_reference(const rill_method *const *methods, uint32_t method_count, text *out); /* docs/scene.md */
