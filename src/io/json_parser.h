/* Inside the JSON reader: the place in the text, and what its two files share. */
#pragma once

#include "io/json.h"

#include <locale.h>

typedef struct json_parser {
    rill_ctx *ctx;
    rill_arena *arena;
    const char *name, *source; /* as in json_parse and json_value */
    const unsigned char *at, *end;
    int line, column;
    char *pool; /* capacity for every decoded string: none is longer than its source */
    size_t pool_used;
    json_value *spare; /* values are cut from the arena some at a time */
    uint32_t spare_count, value_count;
    locale_t plain; /* "C": a host's decimal comma does not change what a number is */
} json_parser;

/* RILL_BAD_SCENE with "name:line:column: cause" (from a source: "source: cause"). */
rill_status json_fail(const json_parser *p, int line, int column, const char *format, ...) RILL_FORMAT(4, 5);
/* At the place reached: `needed` is needed, not what is there. */
rill_status json_unexpected(const json_parser *p, const char *needed);

/* Bytes of the UTF-8 sequence at `at` (RFC 3629: no overlong forms, no surrogates,
 * nothing above U+10FFFF); 0 when it is none. */
size_t json_utf8_length(const unsigned char *at, const unsigned char *end);

/* One byte on, counting lines and columns. */
static inline void json_advance(json_parser *p)
{
    const unsigned char c = *p->at++;
    if (c == '\n') {
        p->line++;
        p->column = 1;
    } else if ((c & 0xC0) != 0x80) {
        p->column++;
    }
}

/* Each begins at the first character of its kind and ends after the last. */
RILL_CHECKED rill_status json_scan_string(json_parser *p, const char **out);
RILL_CHECKED rill_status json_scan_number(json_parser *p, double *out);

/* json_parse of a text that is not a file's: values get line 0 and the source. */
RILL_CHECKED rill_status json_parse_source(rill_ctx *ctx, rill_arena *arena, const char *name,
                                           const char *source, const char *bytes, size_t length,
                                           json_value **out);
