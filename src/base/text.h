/* A string that grows: what messages, JSON and generated documents are written into.
 *
 * A failed allocation is kept in `failed` and later writes do nothing, so that a
 * writer is checked once, at its end. Always terminated once anything was written. */
#pragma once

#include "base/memory.h"

typedef struct text {
    rill_ctx *ctx;
    char *data; /* NULL while empty */
    size_t length, capacity;
    bool failed;
} text;

void text_init(text *t, rill_ctx *ctx);
void text_clear(text *t);
void text_bytes(text *t, const char *bytes, size_t count);
void text_add(text *t, const char *string);
void text_print(text *t, const char *format, ...) RILL_FORMAT(2, 3);
/* The shortest decimal that reads back as the same double, as JSON takes it. */
void text_number(text *t, double value);
/* As a JSON string, quotes included. */
void text_quoted(text *t, const char *string);
RILL_CHECKED rill_status text_check(const text *t); /* RILL_NO_MEMORY when a write failed */

double clock_seconds(void); /* monotonic wall clock */
