/* Frames and tables of a run, encoded once and kept while someone may ask again. */
#include "serve/beneath.h"
#include "serve/encode.h"
#include "serve/shown.h"
#include "serve/smoke.h"
#include "serve/wire.h"

#include "io/file.h"
#include "io/table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static rill_status too_much(rill_ctx *ctx)
{
    return rill_fail(ctx, RILL_NO_MEMORY, "too much is being sent at once; ask again");
}

/* A quantum of a thousandth of a spacing, from the lower corner of the domain. */
static rill_status define(rill_ctx *ctx, shown *s, shown_part part, const char *name, encode_def *out)
{
    shown_facts facts;
    TRY(shown_read_facts(ctx, s, &facts));
    *out = (encode_def){
        .name = name, .origin = facts.origin, .quantum = facts.spacing / 1000, .mesh = part == PART_SURFACE};
    return RILL_OK;
}

/* Reads and encodes, in a place that is kept when one is free. */
static rill_status make_frame(rill_ctx *ctx, shown *s, shown_part part, const encode_def *def, packer *made)
{
    const smoke_def smoke = {def->name, 1000 * def->quantum, strncmp(def->name, "cells", 5) == 0};
    blob_place own = {0}, *kept = blobs_borrow_place(s->blobs), *place = kept ? kept : &own;
    size_t length = 0;
    rill_status st = beneath_read_into(ctx, s->folder, "frames", def->name, (size_t)PLY_LARGEST, &place->data,
                                       &place->capacity, &length);
    if (!st && part == PART_VOLUME) st = smoke_encode(ctx, &smoke, place->data, length, made);
    if (!st && part != PART_VOLUME) st = encode_frame(ctx, def, place->data, length, made);
    blobs_return_place(s->blobs, kept);
    mem_free(ctx, own.data);
    return st;
}

/* The file that a part is made of, and its state. */
static rill_status find_file(rill_ctx *ctx, const shown *s, shown_part part, uint32_t frame, char name[64],
                             struct stat *state)
{
    const shown_part of = part == PART_VOLUME ? PART_TRACERS : part;
    snprintf(name, 64, "%s_%04u.ply", shown_part_names[of], frame);
    int fd = beneath_open(s->folder, "frames", name, state);
    if (fd < 0 && part == PART_VOLUME) {
        snprintf(name, 64, "%s_%04u.ply", shown_part_names[PART_CELLS], frame);
        fd = beneath_open(s->folder, "frames", name, state);
    }
    if (fd < 0) return rill_fail(ctx, RILL_BAD_FILE, "there is no %s", name);
    close(fd);
    return RILL_OK;
}

rill_status shown_frame(rill_ctx *ctx, shown *s, shown_part part, uint32_t frame, const char *column,
                        blob **out)
{
    char name[64], key[BLOB_KEY];
    struct stat state;
    TRY(find_file(ctx, s, part, frame, name, &state));
    /* A file that was written anew is another. */
    snprintf(key, sizeof key, "%d/%d/%s/%s/%llx/%llx.%lx/%llx", s->id, (int)part, name, column,
             (unsigned long long)state.st_ino, (unsigned long long)state.st_mtim.tv_sec,
             state.st_mtim.tv_nsec, (unsigned long long)state.st_size);
    *out = blobs_find(s->blobs, key);
    if (*out) return RILL_OK;

    encode_def def;
    packer made;
    packer_init(&made, ctx);
    TRY(define(ctx, s, part, name, &def));
    def.column = column;
    TRY(make_frame(ctx, s, part, &def, &made));
    *out = blob_take(s->blobs, made.data, made.length);
    if (!*out) return too_much(ctx);
    blobs_keep(s->blobs, key, *out);
    return RILL_OK;
}

rill_status shown_pick(rill_ctx *ctx, shown *s, shown_part part, uint32_t frame, uint32_t index, text *out)
{
    char name[64];
    char *bytes = NULL;
    size_t length = 0;
    encode_def def = {.name = name, .mesh = part == PART_SURFACE};
    snprintf(name, sizeof name, "%s_%04u.ply", shown_part_names[part], frame);
    rill_status st =
        beneath_read(ctx, s->folder, "frames", name, (size_t)PLY_LARGEST, false, &bytes, &length);
    if (!st) st = encode_vertex(ctx, &def, bytes, length, index, out);
    mem_free(ctx, bytes);
    return st;
}

/* ---- tables ---- */

static void put_table(packer *p, const table *t, uint32_t from)
{
    /* A run that was resumed may have fewer rows than the page knows: then all of them. */
    const uint32_t rows = t->rows < UINT32_MAX ? (uint32_t)t->rows : UINT32_MAX;
    const uint32_t first = from <= rows ? from : 0;
    packer_u32(p, TABLE_MAGIC);
    packer_u32(p, first);
    packer_u32(p, rows - first);
    packer_u32(p, t->column_count);
    packer_u32(p, rows);
    packer_u32(p, 0);
    for (uint32_t k = 0; k < t->column_count; k++) packer_bytes(p, t->column[k].name, TABLE_NAME);
    for (uint32_t k = 0; k < t->column_count; k++)
        for (uint32_t i = first; i < rows; i++) packer_f32(p, t->column[k].value[i]);
}

rill_status shown_table(rill_ctx *ctx, shown *s, bool gauges, uint32_t from, blob **out)
{
    const char *name = gauges ? "gauges.csv" : "stats.jsonl";
    struct stat state;
    table t = {0};
    packer made;
    packer_init(&made, ctx);
    const int fd = beneath_open(s->folder, NULL, name, &state);
    if (fd < 0) return rill_fail(ctx, RILL_BAD_FILE, "there is no %s", name);
    close(fd);
    char *path = path_join(ctx, s->folder, name);
    if (!path) return mem_failed(ctx, strlen(s->folder), 1);
    rill_status st = gauges ? table_read_csv(ctx, path, &t) : table_read_jsonl(ctx, path, &t);
    if (!st) put_table(&made, &t, from);
    if (!st && made.failed) st = mem_failed(ctx, made.length, 1);
    table_clear(&t);
    mem_free(ctx, path);
    if (st) {
        packer_clear(&made);
        return st;
    }
    *out = blob_take(s->blobs, made.data, made.length);
    return *out ? RILL_OK : too_much(ctx);
}
