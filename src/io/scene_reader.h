/* Inside the scene reader: what its files share.
 *
 * scene_file.c reads the text and applies changes; scene_blocks.c, scene_values.c, scene_keyframes.c and
 * scene_shape.c fill structs from tables; scene_mesh.c and scene_sequence.c read meshes; scene_check.c,
 * scene_check_gauges.c, scene_check_motion.c, scene_check_sizes.c and scene_check_sources.c check what a
 * single row cannot; scene_warn.c warns of what is rarely meant; scene_message.c words what is wrong, and
 * scene_tolerate.c leaves it out when asked. */
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
    size_t text_bytes;                   /* copied so far */
    bool tolerant, of_run, of_particles; /* as of scene_changes */
    bool other_method;                   /* in the block of a method that is not the chosen one */
    const json_value *fault, *healed;    /* scene_tolerate.c: where it failed last; what has lost a part */
    int left_out;                        /* how often */
} scene_reader;

/* RILL_BAD_SCENE with "name:line:column: cause; remedy" at a value, or at its key. A
 * value that came from the command line is named by that instead. */
rill_status scene_fail(scene_reader *r, const json_value *at, const char *format, ...) RILL_FORMAT(3, 4);
/* The same with another status. */
rill_status scene_fail_as(scene_reader *r, rill_status status, const json_value *at, const char *format, ...)
    RILL_FORMAT(4, 5);
rill_status scene_fail_key(scene_reader *r, const json_value *at, const char *format, ...) RILL_FORMAT(3, 4);

/* The same to the log, as a warning: what is allowed and rarely meant. */
void scene_warn(const scene_reader *r, const json_value *at, const char *format, ...) RILL_FORMAT(3, 4);

/* That each key is later than the one before. */
RILL_CHECKED rill_status scene_check_times(scene_reader *r, const json_value *list, const double *t,
                                           size_t stride);

/* A number as messages show it. */
json_shown scene_show_number(double value);

/* Fills a struct that holds its defaults from an object; `label` is what messages call
 * the block, in mid-sentence. Memory put into the struct is the struct's. */
RILL_CHECKED rill_status scene_read_block(scene_reader *r, const rill_param *table, const char *label,
                                          const json_value *object, void *block);
/* One key's value into its place in a struct; the others are its cases, each in the
 * file of its kind. */
RILL_CHECKED rill_status scene_read_row(scene_reader *r, const rill_param *row, const json_value *v,
                                        void *block);
RILL_CHECKED rill_status scene_read_list(scene_reader *r, const rill_param *row, const json_value *v,
                                         void *block);
RILL_CHECKED rill_status scene_read_sub_block(scene_reader *r, const rill_param *row, const json_value *v,
                                              void *at);
RILL_CHECKED rill_status scene_read_named_point(scene_reader *r, const rill_param *row, int word,
                                                const json_value *v, void *block);
/* {"keyframes": [{"t": 0, "value": ...}, ...], "smooth": ...} for a row that may vary. */
RILL_CHECKED rill_status scene_read_keyframes(scene_reader *r, const rill_param *row, const json_value *v,
                                              void *block);
RILL_CHECKED rill_status scene_read_shape(scene_reader *r, const json_value *v, int depth, shape *out);

const char *scene_kind_word(const json_value *v); /* "a number" */
rill_status scene_wrong_kind(scene_reader *r, const char *key, const json_value *v, const char *needed);
/* Says that a word is not known, with the nearest of the known ones, or all of them. */
rill_status scene_unknown(scene_reader *r, const json_value *at, bool key, const char *given,
                          const char *what, const char *const *words);

/* Reads the files of all shapes that are meshes, once spacing and transforms are known. */
RILL_CHECKED rill_status scene_load_meshes(scene_reader *r, const json_value *root);

/* The part on a sequence, the shape of the element that messages call `label`; body is its
 * JSON. The scene has capacity for it. */
RILL_CHECKED rill_status scene_load_sequence(scene_reader *r, const char *label, const json_value *body,
                                             shape *s);
/* What it is, before its files are looked for. */
RILL_CHECKED rill_status scene_check_sequence(scene_reader *r, const json_value *body, const char *label);

/* Shared by the two: a path relative to the scene file's folder, and the place in the
 * scene put before the message of a mesh reader. `key` names the files. */
RILL_CHECKED rill_status scene_find_path(scene_reader *r, const char *label, const json_value *body,
                                         const char *key, const char *path, char **absolute);
rill_status scene_explain(scene_reader *r, rill_status st, const char *label, const json_value *body,
                          const char *key, const char *name);
RILL_CHECKED rill_status scene_check_whitewater(scene_reader *r, const json_value *root);
/* Replaces the hash that was given, or says that the files have changed. */
RILL_CHECKED rill_status scene_set_hash(scene_reader *r, const char *label, const json_value *body,
                                        const char *files, uint64_t value, char **hash);
#define SCENE_LARGEST_MESH ((uint64_t)1 << 36) /* bytes */

/* What one row cannot see: values that do not go together. */
RILL_CHECKED rill_status scene_check(scene_reader *r, const json_value *root);
/* Its part on the motion of solids, which it completes: what a key leaves out is as in the
 * key before. */
RILL_CHECKED rill_status scene_check_motion(scene_reader *r, const json_value *root);
/* Its part on solids that are bodies; the first of them, NULL: there are none. */
RILL_CHECKED rill_status scene_check_bodies(scene_reader *r, const json_value *root);
const json_value *scene_first_body(const scene_reader *r, const json_value *root);
/* Its part on gauges; that no other entry of the list has the same name. */
RILL_CHECKED rill_status scene_check_gauges(scene_reader *r, const json_value *root);
/* Warnings about what is allowed and rarely meant: scene_warn.c. */
RILL_CHECKED rill_status scene_warn_places(const scene_reader *r, const json_value *root);
/* The method's own check; its warnings get the place of the key that they name first. */
RILL_CHECKED rill_status scene_ask_method(const scene_reader *r, const json_value *root);
RILL_CHECKED rill_status scene_check_name(scene_reader *r, const json_value *list, const json_value *entry,
                                          const char *what);
/* Its part on liquid, emitters, drains and the shapes of solids. */
RILL_CHECKED rill_status scene_check_sources(scene_reader *r, const json_value *root);

/* Its parts on what the chosen method has no use for, and what it does not have to be shown. */
RILL_CHECKED rill_status scene_check_unused(scene_reader *r, const json_value *root);
RILL_CHECKED rill_status scene_check_view(scene_reader *r, const json_value *root);

/* Its parts on what the spacing has to resolve: liquid and emitters; slots between solids. */
RILL_CHECKED rill_status scene_check_sizes(scene_reader *r, const json_value *root);
RILL_CHECKED rill_status scene_check_slots(scene_reader *r, const json_value *root);

/* After a failure: takes what it was about out of the text, with a warning, so that the rest can be read
 * again. False when that cannot be done without: then the failure stands. */
bool scene_leave_out(scene_reader *r, json_value *root);

/* Where a check points: the member, or the object itself when the key was left out. */
static inline const json_value *scene_at(const json_value *object, const char *key)
{
    const json_value *v = json_find(object, key);
    return v ? v : object;
}
/* The first entry of a list; NULL when it is empty or left out. */
static inline const json_value *scene_first(const json_value *root, const char *list)
{
    const json_value *v = json_find(root, list);
    return v ? v->child : NULL;
}
