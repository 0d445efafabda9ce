/* Inside the scene reader: what its files share.
 *
 * scene_file.c reads the text and applies changes, scene_values.c fills structs from
 * tables, scene_check.c looks at what one row cannot see. */
#pragma once

#include "io/json.h"
#include "io/scene_file.h"

enum {
    SCENE_MAX_TEXT = 1000,      /* bytes of one text */
    SCENE_MAX_TEXTS = 1 << 20,  /* bytes of all texts together */
    SCENE_MAX_SHAPE_DEPTH = 16, /* combinations within combinations */
    SCENE_MAX_PARTS = 10000     /* of one combination */
};

typedef struct scene_reader {
    rill_ctx *ctx;
    const char *name; /* of the file, for messages */
    rill_scene *scene;
    size_t text_bytes; /* copied so far */
} scene_reader;

/* RILL_BAD_SCENE with "name:line:column: cause; remedy" at a value, or at its key. A
 * value that came from the command line is named by that instead. */
rill_status scene_fail(scene_reader *r, const json_value *at, const char *format, ...) RILL_FORMAT(3, 4);
rill_status scene_fail_key(scene_reader *r, const json_value *at, const char *format, ...) RILL_FORMAT(3, 4);

/* A number as messages show it. */
json_shown scene_show_number(double value);

/* Fills a struct that holds its defaults from an object; `label` is what messages call
 * the block, in mid-sentence. Memory put into the struct is the struct's. */
RILL_CHECKED rill_status scene_read_block(scene_reader *r, const rill_param *table, const char *label,
                                          const json_value *object, void *block);
RILL_CHECKED rill_status scene_read_row(scene_reader *r, const rill_param *row, const json_value *v,
                                        void *block);
RILL_CHECKED rill_status scene_read_shape(scene_reader *r, const json_value *v, int depth, shape *out);
RILL_CHECKED rill_status scene_read_velocity(scene_reader *r, const rill_param *row, const json_value *v,
                                             velocity_field *out);
RILL_CHECKED rill_status scene_read_point(scene_reader *r, const rill_param *row, const json_value *v,
                                          int least, int most, double *out);

/* Says that a word is not known, with the nearest of the known ones, or all of them. */
rill_status scene_unknown(scene_reader *r, const json_value *at, bool key, const char *given,
                          const char *what, const char *const *words);

/* What one row cannot see: values that do not go together. */
RILL_CHECKED rill_status scene_check(scene_reader *r, const json_value *root);
