/* The records of a PLY file, all little endian: how the readers walk them. Private to io. */
#pragma once

#include "io/ply.h"

/* Every record is bounded by `length` before it is looked at; the header has bounded the counts.
 * Files in ascii or big endian order are turned into little endian ones first (ply_native.c). */
typedef struct ply_data {
    rill_ctx *ctx;
    const char *name;
    const ply_header *header;
    const char *source; /* the file, borrowed */
    size_t source_length;
    const uint8_t *bytes; /* of the file, or own */
    size_t length, start; /* start: of the first record */
    size_t at;            /* where the walk is */
    uint8_t *own;
} ply_data;

/* A scalar column of an element without lists: where its first value is, and its type. */
typedef struct ply_column {
    const uint8_t *first; /* NULL: there is none */
    size_t stride;
    ply_type type;
} ply_column;

/* Parses the header into *header, which must outlive d. ply_close in the end, also on failure. */
RILL_CHECKED rill_status ply_open(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                  ply_header *header, ply_data *d);
void ply_close(ply_data *d);

/* d->own: the records as little endian ones. */
RILL_CHECKED rill_status ply_from_ascii(ply_data *d);
RILL_CHECKED rill_status ply_from_big_endian(ply_data *d);
/* The line on which that record of an ascii file begins. */
size_t ply_line_of(const ply_data *d, const ply_element *e, uint64_t record);

/* RILL_BAD_FILE at a record: its line in an ascii file, the byte `at` in a binary one. */
rill_status ply_bad(const ply_data *d, const ply_element *e, uint64_t record, const uint8_t *at,
                    const char *format, ...) RILL_FORMAT(5, 6);
/* The same about the header: at the line of that element, or (NULL) at its end. */
rill_status ply_bad_header(const ply_data *d, const ply_element *e, const char *format, ...)
    RILL_FORMAT(3, 4);

/* The list at d->at: its length and where its values begin; moves behind it. */
RILL_CHECKED rill_status ply_next_list(ply_data *d, const ply_element *e, uint64_t record,
                                       const ply_property *p, uint32_t *count, const uint8_t **values);
RILL_CHECKED rill_status ply_skip_property(ply_data *d, const ply_element *e, uint64_t record,
                                           const ply_property *p);
/* Moves to the element of that name; it must be there. */
RILL_CHECKED rill_status ply_find_element(ply_data *d, const char *name, const ply_element **out);
/* The element "vertex", without lists and with x, y, z. used: those three are marked. */
RILL_CHECKED rill_status ply_find_vertices(ply_data *d, const ply_element **e, ply_column c[3], bool *used);

uint32_t ply_find_property(const ply_element *e, const char *name); /* UINT32_MAX: there is none */
ply_column ply_column_at(const ply_data *d, const ply_element *e, uint32_t index);
ply_column ply_find_column(const ply_data *d, const ply_element *e, const char *name, bool *used);
/* Three columns by name, all there or none counted. */
bool ply_find_three(const ply_data *d, const ply_element *e, const char *a, const char *b, const char *c,
                    ply_column out[3], bool *used);

/* Columns as numbers; what is not finite is refused. */
RILL_CHECKED rill_status ply_floats(const ply_data *d, const ply_element *e, const ply_column *c, float *out,
                                    size_t stride);
RILL_CHECKED rill_status ply_vectors(const ply_data *d, const ply_element *e, const ply_column c[3],
                                     rill_vec3 *out);
