/* Parameter tables: one row per key of a scene block.
 *
 * A table describes how a block of the scene file fills a struct: name, kind, offset,
 * unit, range, default, help. Reading, range checks, `--print`, the JSON Schema and
 * docs/scene.md all walk the same rows. A table ends with a row of zeros. */
#pragma once

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum param_kind {
    PARAM_END,
    PARAM_NUMBER,      /* double */
    PARAM_INTEGER,     /* int32_t */
    PARAM_BOOL,        /* bool */
    PARAM_CHOICE,      /* int: index into words */
    PARAM_FLAGS,       /* uint32_t: a list of words, bit k for words[k] */
    PARAM_TEXT,        /* char *, owned by the scene; at most 1000 bytes */
    PARAM_POINT,       /* rill_vec3; in two dimensions two numbers, or three with z = 0 */
    PARAM_SHAPE,       /* shape */
    PARAM_VELOCITY,    /* velocity_field: a vector, or {"field": NAME, ...} */
    PARAM_BLOCK,       /* a struct in place, filled by the sub-table */
    PARAM_LIST,        /* struct array: a pointer at offset, uint32_t count at count_offset */
    PARAM_NAMED_POINT, /* gauges: a value under the key that names its kind: words, kind at count_offset; a
                        * point, or a text at keys_offset, or what `table` fills */
    PARAM_POINT3,      /* rill_vec3: three numbers whatever the dimensions */
    PARAM_METHOD,      /* const rill_method *: the name of a registered method */
    PARAM_PAIR         /* double[2]: a lower and an upper number; both 0 by default */
} param_kind;

typedef struct rill_param {
    const char *name;
    param_kind kind;
    size_t offset;
    const char *unit, *help;
    double value, min, max;         /* default and closed range of NUMBER, INTEGER, BOOL (0 or 1);
                                     * the range also of a POINT's numbers and a LIST's length */
    bool required, above_min;       /* above_min: min itself is not allowed */
    const char *const *words;       /* CHOICE, FLAGS: ends with NULL */
    const char *text;               /* default of TEXT, CHOICE (a word), FLAGS (words with spaces) */
    rill_vec3 point;                /* default of POINT */
    const struct rill_param *table; /* BLOCK, LIST */
    size_t size, count_offset;      /* LIST: of one element, of the counter */
    bool varies;                    /* NUMBER, POINT: may be keyframes as well, which go to */
    size_t keys_offset;             /* keyframes; the value itself is then the first key's */
    bool sparse;                    /* BLOCK: not printed while its first row, a list, is empty; TEXT: while
                                     * it is empty */
    bool optional;                  /* BLOCK, POINT3: means something by being there: the bool at count_offset
                                     * of the struct around it becomes true; not printed while that is
                                     * false */
    bool picture; /* about pictures alone: a run may go on when it has changed (scene_state_hash) */
} rill_param;

#define RILL_NUMBER(key, type, member, def, lo, hi, unit_, help_)                                     \
    {                                                                                                 \
        .name = key, .kind = PARAM_NUMBER, .offset = offsetof(type, member), .value = def, .min = lo, \
        .max = hi, .unit = unit_, .help = help_                                                       \
    }
#define RILL_POSITIVE(key, type, member, def, hi, unit_, help_)                                      \
    {                                                                                                \
        .name = key, .kind = PARAM_NUMBER, .offset = offsetof(type, member), .value = def, .min = 0, \
        .max = hi, .above_min = true, .unit = unit_, .help = help_                                   \
    }
#define RILL_INTEGER(key, type, member, def, lo, hi, unit_, help_)                                     \
    {                                                                                                  \
        .name = key, .kind = PARAM_INTEGER, .offset = offsetof(type, member), .value = def, .min = lo, \
        .max = hi, .unit = unit_, .help = help_                                                        \
    }
#define RILL_BOOL(key, type, member, def, help_)                                                             \
    {                                                                                                        \
        .name = key, .kind = PARAM_BOOL, .offset = offsetof(type, member), .value = def, .min = 0, .max = 1, \
        .help = help_                                                                                        \
    }
#define RILL_CHOICE(key, type, member, def, words_, help_)                                                 \
    {                                                                                                      \
        .name = key, .kind = PARAM_CHOICE, .offset = offsetof(type, member), .text = def, .words = words_, \
        .help = help_                                                                                      \
    }
#define RILL_FLAGS(key, type, member, def, words_, help_)                                                 \
    {                                                                                                     \
        .name = key, .kind = PARAM_FLAGS, .offset = offsetof(type, member), .text = def, .words = words_, \
        .help = help_                                                                                     \
    }
#define RILL_TEXT(key, type, member, def, help_)                                                      \
    {                                                                                                 \
        .name = key, .kind = PARAM_TEXT, .offset = offsetof(type, member), .text = def, .help = help_ \
    }
