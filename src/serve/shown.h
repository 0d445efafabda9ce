/* A run that is shown: its folder, read anew whenever someone asks, and the process that
 * writes it when the server started that.
 *
 * Nothing is kept that could become wrong: a folder may grow, be replaced (rill run --force),
 * cut short (rill resume) or disappear at any moment; then replies say so, and go on when it is
 * back. Each function may be called by several threads at once, each with a context of its own. */
#pragma once

#include "serve/blob.h"
#include "serve/child.h"

#include "base/text.h"
#include "flow/solids.h"
#include "io/ply.h"

/* The volume has no file of its own: it is made of the tracers, or of the cells' soot, when it is asked for.
 */
typedef enum shown_part {
    PART_SURFACE,
    PART_PARTICLES,
    PART_TRACERS,
    PART_WHITEWATER,
    PART_CELLS,
    PART_VOLUME,
    PARTS
} shown_part;
extern const char *const shown_part_names[PARTS + 1]; /* as in the addresses and in the names of files */

/* Solids in their places, read with the first question about them: meshes may take a while. */
typedef struct shown_solids {
    pthread_mutex_t lock;
    rill_ctx *ctx; /* what they are made with; under the lock */
    bool ready;
    uint64_t generation; /* of the run they belong to */
    rill_scene scene;
    solids solids;
} shown_solids;

typedef struct shown {
    rill_ctx *ctx; /* for memory alone */
    int id;        /* its number in the addresses */
    char *folder;  /* owned */
    child process;
    shown_solids solids;
    blobs *blobs; /* borrowed */
    pthread_mutex_t lock;
    /* Under the lock: the newest index, for those who ask at the same moment. */
    char *index;
    size_t index_length;
    double index_time;
    char *columns[PARTS]; /* of the first frame, as JSON; NULL: not read yet */
    uint64_t columns_generation;
} shown;

RILL_CHECKED rill_status shown_init(shown *s, rill_ctx *ctx, blobs *cache, int id, const char *folder,
                                    bool echo);
void shown_clear(shown *s);

/* shown_index.c: what there is, as JSON (docs/viewer.md has an example). */
RILL_CHECKED rill_status shown_index(rill_ctx *ctx, shown *s, text *out);
/* The scene as the run wrote it, when it is sound JSON. */
RILL_CHECKED rill_status shown_scene(rill_ctx *ctx, shown *s, text *out);
/* What the page needs to know of the scene before anything can be drawn. */
typedef struct shown_facts {
    double spacing, fps;
    uint32_t frames;
    int dimensions;
    rill_vec3 origin; /* the lower corner of the domain */
} shown_facts;
RILL_CHECKED rill_status shown_read_facts(rill_ctx *ctx, shown *s, shown_facts *out);
bool shown_can_resume(rill_ctx *ctx, shown *s); /* unfinished, and nothing writes it */
uint64_t shown_generation(const shown *s); /* another run in the same folder has another; 0: there is none */

/* shown_frame.c: frames, single elements of them, and tables, as wire.h has them. RILL_BAD_FILE when there is
 * no such frame, or it cannot be read. */
RILL_CHECKED rill_status shown_frame(rill_ctx *ctx, shown *s, shown_part part, uint32_t frame,
                                     const char *column, blob **out);
RILL_CHECKED rill_status shown_pick(rill_ctx *ctx, shown *s, shown_part part, uint32_t frame, uint32_t index,
                                    text *out);
RILL_CHECKED rill_status shown_table(rill_ctx *ctx, shown *s, bool gauges, uint32_t from, blob **out);

/* shown_solids.c. */
RILL_CHECKED rill_status shown_solid_list(rill_ctx *ctx, shown *s, text *out);
RILL_CHECKED rill_status shown_solid_mesh(rill_ctx *ctx, shown *s, uint32_t solid, uint32_t frame,
                                          blob **out);
RILL_CHECKED rill_status shown_poses(rill_ctx *ctx, shown *s, blob **out);
void shown_solids_clear(shown *s);

/* Stop and resume: the only things that are written, and by the run itself. RILL_USAGE when it makes no
 * sense now. */
RILL_CHECKED rill_status shown_stop(rill_ctx *ctx, shown *s);
RILL_CHECKED rill_status shown_resume(rill_ctx *ctx, shown *s);
