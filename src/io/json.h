/* Strict JSON (RFC 8259) that keeps line and column for every value and key.
 *
 * No comments, no trailing commas, no duplicate keys, no NaN; UTF-8 checked; at most
 * JSON_MAX_DEPTH levels, JSON_MAX_BYTES bytes and JSON_MAX_VALUES values. Values live
 * in the arena. Columns count characters, not bytes. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

enum { JSON_MAX_DEPTH = 64, JSON_MAX_BYTES = 16 << 20, JSON_MAX_VALUES = 1000000 };

typedef enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json_value {
    json_kind kind;
    int line, column;   /* of the value's first character, from 1; 0: not from the text */
    const char *source; /* what it came from instead ("--set spacing=1"), otherwise NULL */
    const char *key;    /* of a member of an object, otherwise NULL */
    int key_line, key_column;
    bool boolean;
    double number;
    const char *string;       /* terminated; contains no NUL */
    struct json_value *child; /* first element or member */
    struct json_value *next;  /* sibling */
    uint32_t count;           /* of children */
} json_value;

/* `name` is what messages call the text: "name:line:column: cause". Failures are
 * RILL_BAD_SCENE; callers reading other files change the status. */
RILL_CHECKED rill_status json_parse(rill_ctx *ctx, rill_arena *arena, const char *name, const char *bytes,
                                    size_t length, json_value **out);
const json_value *json_find(const json_value *object, const char *key); /* NULL: not there, or no object */

/* A string as messages show it: short, on one line. */
typedef struct json_shown {
    char text[72];
} json_shown;
json_shown json_show(const char *string);

/* Sets the value at a path like "sph.kernel" or "liquid[0].velocity" to the given JSON
 * text (a bare word is taken as a string), making missing members of objects on the
 * way. For --set PATH=VALUE: such values have line 0 and that as their source.
 * RILL_USAGE when the path makes no sense, RILL_BAD_SCENE when it does not fit. */
RILL_CHECKED rill_status json_set(rill_ctx *ctx, rill_arena *arena, json_value *root, const char *path,
                                  const char *value);
/* The same for other options: `source` is what messages call it. */
RILL_CHECKED rill_status json_set_from(rill_ctx *ctx, rill_arena *arena, json_value *root, const char *path,
                                       const char *value, const char *source);
