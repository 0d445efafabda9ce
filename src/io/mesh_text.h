/* Words and numbers of the text mesh formats (OBJ, ascii PLY and STL), read in place.
 *
 * Lines end in \n, \r\n or \r, also mixed; they are counted from 1. Numbers are decimal and
 * read to the nearest double whatever the program's locale is. "nan" and "inf" are numbers
 * here; whether they are welcome is for the caller to say. */
#pragma once

#include "base/context.h"

#include <locale.h>
#include <stddef.h>

typedef struct mesh_text {
    rill_ctx *ctx;
    const char *name;     /* of the file, for messages */
    const char *at, *end; /* what is left */
    size_t line;          /* of at */
    locale_t plain;
} mesh_text;

typedef struct mesh_word {
    const char *start;
    size_t length;
    size_t line;
} mesh_word;

enum { MESH_SHOWN = 40 }; /* capacity for a word in a message */

/* line: the number of the first one. mesh_text_clear in the end. A byte order mark is skipped. */
RILL_CHECKED rill_status mesh_text_init(mesh_text *t, rill_ctx *ctx, const char *name, const char *bytes,
                                        size_t length, size_t line);
void mesh_text_clear(mesh_text *t);

bool mesh_text_word(mesh_text *t, mesh_word *out);    /* across lines; false at the end of the text */
void mesh_text_end_line(mesh_text *t);                /* moves over one line end at t->at */
void mesh_text_skip_line(mesh_text *t);               /* to the start of the next line */
bool mesh_word_is(const mesh_word *w, const char *s); /* letter case free */
bool mesh_word_number(const mesh_text *t, const mesh_word *w, double *out);
/* The word as a message may show it: cut, and with '?' for what does not print. */
const char *mesh_word_shown(const mesh_word *w, char shown[MESH_SHOWN]);

static inline bool mesh_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}
static inline bool mesh_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
