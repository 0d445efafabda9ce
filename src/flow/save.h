/* How a method saves itself: named chunks of plain arrays.
 *
 * The method writes chunks in an order of its choosing and reads them back in the same
 * order by name. The destination is memory (snapshot.h) or, through that, a checkpoint
 * file. */
#pragma once

#include "base/memory.h"

typedef enum save_type { SAVE_U8, SAVE_I32, SAVE_U32, SAVE_U64, SAVE_F32, SAVE_F64, SAVE_TYPES } save_type;
size_t save_type_size(save_type type);

enum { SAVE_NAME = 48 };

typedef struct rill_writer {
    rill_status (*write)(struct rill_writer *w, const char *name, save_type type, uint64_t count,
                         const void *data);
} rill_writer;

typedef struct rill_reader {
    /* The count of a chunk; RILL_BAD_FILE with a message when it is missing or of another type. */
    rill_status (*count)(struct rill_reader *r, const char *name, save_type type, uint64_t *count);
    /* Its data; count must be the chunk's. */
    rill_status (*read)(struct rill_reader *r, const char *name, save_type type, uint64_t count, void *data);
} rill_reader;

static inline RILL_CHECKED rill_status save_chunk(rill_writer *w, const char *name, save_type type,
                                                  uint64_t count, const void *data)
{
    return w->write(w, name, type, count, data);
}
static inline RILL_CHECKED rill_status load_count(rill_reader *r, const char *name, save_type type,
                                                  uint64_t *count)
{
    return r->count(r, name, type, count);
}
static inline RILL_CHECKED rill_status load_chunk(rill_reader *r, const char *name, save_type type,
                                                  uint64_t count, void *data)
{
    return r->read(r, name, type, count, data);
}

struct particles;
/* Particles with all their columns, under names that start with prefix. Loading checks
 * everything and replaces the contents only when all of it is there; columns must have
 * been added already and be the same. */
RILL_CHECKED rill_status particles_save(const struct particles *p, const char *prefix, rill_writer *w);
RILL_CHECKED rill_status particles_load(rill_ctx *ctx, struct particles *p, const char *prefix,
                                        rill_reader *r);
