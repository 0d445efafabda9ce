/* Named columns of numbers: what stats.jsonl, gauges.csv and an experiment's CSV hold.
 *
 * Reading is lenient where a run folder may be half copied: lines that cannot be read are
 * left out, and `damage` describes the first of them. */
#pragma once

#include "base/memory.h"

enum { TABLE_NAME = 64, TABLE_DAMAGE = 192 };

typedef struct table_column {
    char name[TABLE_NAME]; /* "kinetic"; of a member of a member: "stage_s.pressure" */
    double *value;         /* NAN where a row has none; owned */
} table_column;

typedef struct table {
    rill_ctx *ctx;
    size_t rows, capacity;
    uint32_t column_count, column_capacity;
    table_column *column;      /* owned */
    size_t damaged;            /* lines left out */
    char damage[TABLE_DAMAGE]; /* "stats.jsonl:17: ..." of the first; empty when there is none */
} table;

/* One JSON object a line; numbers, and those of objects one level down. */
RILL_CHECKED rill_status table_read_jsonl(rill_ctx *ctx, const char *path, table *out);
/* Numbers between commas. '#' begins a comment; a first line with anything that is no
 * number has the names, otherwise they are "1", "2", ... */
RILL_CHECKED rill_status table_read_csv(rill_ctx *ctx, const char *path, table *out);
void table_clear(table *t);

const double *table_find(const table *t, const char *name); /* NULL: there is none */
