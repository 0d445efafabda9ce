/* docs/scene.md: the reference of scene files, from the tables. */
#include "io/scene_docs.h"

#include <string.h>

typedef struct reference {
    text *out;
    const rill_method *const *methods;
    uint32_t method_count;
} reference;

rill_param docs_gauge(const rill_param *row, int word)
{
    rill_param one = *row;
    one.name = row->words[word];
    one.help = gauge_helps[word];
    if (word >= GAUGE_FLOW) one.unit = "";
    if (word != GAUGE_HEIGHT)
        one.kind = word == GAUGE_FLOW ? PARAM_BLOCK : word == GAUGE_FORCE ? PARAM_TEXT : PARAM_POINT;
    return one;
}

bool docs_has_default(const rill_param *row)
{
    if (row->required || row->optional) return false;
    switch (row->kind) {
    case PARAM_SHAPE:
    case PARAM_BLOCK:
    case PARAM_NAMED_POINT:
    case PARAM_PAIR:
    case PARAM_END: return false;
    default: return true;
    }
}

void docs_default(const rill_param *row, const rill_method *const *methods, uint32_t method_count, text *out)
{
    const double x[] = {row->point.x, row->point.y, row->point.z};
    switch (row->kind) {
    case PARAM_NUMBER:
    case PARAM_INTEGER: text_number(out, row->value); break;
    case PARAM_BOOL: text_add(out, row->value != 0 ? "true" : "false"); break;
    case PARAM_CHOICE:
    case PARAM_TEXT: text_quoted(out, row->text); break;
    case PARAM_METHOD: text_quoted(out, method_count ? methods[0]->name : ""); break;
    case PARAM_LIST: text_add(out, "[]"); break;
    case PARAM_FLAGS:
        text_add(out, "[");
        for (const char *word = row->text; *word; word += strspn(word, " ")) {
            const size_t length = strcspn(word, " ");
            if (word != row->text) text_add(out, ", ");
            text_print(out, "\"%.*s\"", (int)length, word);
            word += length;
        }
        text_add(out, "]");
        break;
    case PARAM_POINT:
    case PARAM_POINT3:
    case PARAM_VELOCITY:
        for (int k = 0; k < 3; k++) {
            text_add(out, k ? ", " : "[");
            text_number(out, x[k]);
        }
        text_add(out, "]");
        break;
    case PARAM_SHAPE:
    case PARAM_BLOCK:
    case PARAM_NAMED_POINT:
    case PARAM_PAIR:
    case PARAM_END: break;
    }
}

/* Keyframes of values have the name already. */
static const char *section_of(const rill_param *row)
{
    return row->table == scene_motion_key_params ? "motion-keyframes" : row->name;
}

static void type_of(const reference *r, const rill_param *row)
{
    switch (row->kind) {
    case PARAM_NUMBER: text_add(r->out, "number"); break;
    case PARAM_INTEGER: text_add(r->out, "whole number"); break;
    case PARAM_BOOL: text_add(r->out, "true or false"); break;
    case PARAM_FLAGS: text_add(r->out, "list of words: "); break;
    case PARAM_CHOICE: text_add(r->out, "word: "); break;
    case PARAM_TEXT: text_add(r->out, "text"); break;
    case PARAM_POINT: text_add(r->out, "vector"); break;
    case PARAM_POINT3: text_add(r->out, "three numbers"); break;
    case PARAM_PAIR: text_add(r->out, "two numbers"); break;
    case PARAM_NAMED_POINT: text_add(r->out, "vector"); break;
    case PARAM_SHAPE: text_add(r->out, "[shape](#shapes)"); break;
    case PARAM_VELOCITY: text_add(r->out, "vector, or [named field](#velocity-fields)"); break;
    case PARAM_BLOCK: text_print(r->out, "[block](#%s)", row->name); break;
    case PARAM_LIST: text_print(r->out, "[list](#%s)", section_of(row)); break;
    case PARAM_METHOD: text_add(r->out, "[method](#methods)"); break;
    case PARAM_END: break;
    }
    if (row->varies) text_add(r->out, ", or [keyframes](#keyframes)");
    if (row->kind != PARAM_FLAGS && row->kind != PARAM_CHOICE) return;
    for (int k = 0; row->words[k]; k++) text_print(r->out, "%s`\"%s\"`", k ? ", " : "", row->words[k]);
}

static void range_of(const reference *r, const rill_param *row)
{
    const bool number = row->kind == PARAM_NUMBER || row->kind == PARAM_INTEGER;
    if (row->kind == PARAM_LIST) text_print(r->out, "at most %.0f", row->max);
    if (!number && row->kind != PARAM_POINT && row->kind != PARAM_POINT3 && row->kind != PARAM_PAIR &&
        row->kind != PARAM_VELOCITY && row->kind != PARAM_NAMED_POINT)
        return;
    if (!number) text_add(r->out, "each ");
    if (row->min == row->max) {
        text_number(r->out, row->min);
        return;
    }
    text_add(r->out, row->above_min ? "above " : "");
    text_number(r->out, row->min);
    text_add(r->out, row->above_min ? ", to " : " to ");
    text_number(r->out, row->max);
}

static void table_row(const reference *r, const rill_param *row, const char *needed)
{
    text_print(r->out, "| `%s` | ", row->name);
    type_of(r, row);
    text_print(r->out, " | %s | ", docs_has_unit(row) ? row->unit : "");
    range_of(r, row);
    text_add(r->out, " | ");
    if (row->required) {
        text_add(r->out, needed);
    } else if (docs_has_default(row)) {
        text_add(r->out, "`");
        docs_default(row, r->methods, r->method_count, r->out);
        text_add(r->out, "`");
    }
    text_print(r->out, " | %s |\n", row->help);
}

static void table_of(const reference *r, const rill_param *table)
{
    text_add(r->out, "| key | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n");
    for (const rill_param *row = table; row->kind; row++) {
        if (row->kind != PARAM_NAMED_POINT) table_row(r, row, "required");
        for (int k = 0; row->kind == PARAM_NAMED_POINT && row->words[k]; k++) {
            const rill_param one = docs_gauge(row, k);
            table_row(r, &one, "one of these");
        }
    }
    text_add(r->out, "\n");
}

static void sections(const reference *r, const rill_param *table, const char *heading, const char *of)
{
    for (const rill_param *row = table; row->kind; row++) {
        if (row->kind == PARAM_NAMED_POINT) {
            text_print(r->out, "%s flow\n\n`\"flow\"` of an entry: %s.\n\n", heading,
                       gauge_helps[GAUGE_FLOW]);
            table_of(r, row->table);
        }
        if (row->kind != PARAM_BLOCK && row->kind != PARAM_LIST) continue;
        text_print(r->out, "%s %s\n\n`\"%s\"`%s: %s%s\n\n", heading, section_of(row), row->name, of,
                   row->help, row->kind == PARAM_LIST ? ". A list; each entry has these keys:" : ".");
        table_of(r, row->table);
        sections(r, row->table, "###", row->kind == PARAM_LIST ? " of an entry" : " of the block");
    }
}

static void shapes(const reference *r)
{
    text_add(
        r->out,
        "## Shapes\n\nA shape is an object with one key, its kind: "
        "`{\"sphere\": {\"center\": [0, 1, 0], \"radius\": 0.5}}`. In two dimensions a box is a rectangle, "
        "a sphere a circle, a cylinder a rectangle along its axis, a disc a straight line. A sequence can be "
        "the "
        "shape of a solid alone, and is not combined with others.\n\n");
    for (int k = 0; k < SHAPE_KINDS; k++) {
        if (!shape_params[k]) continue;
        text_print(r->out, "### %s\n\n", shape_names[k]);
        table_of(r, shape_params[k]);
    }
    text_add(
        r->out,
        "### union, intersection, difference\n\nCombinations hold a list of at least two shapes, "
        "combinations among them: `{\"difference\": [{\"box\": ...}, {\"sphere\": ...}]}`. A difference is "
        "its first shape without the others.\n\n");
}

static void varying(const reference *r)
{
    text_add(r->out,
             "## Keyframes\n\nA value that may vary in time is one value, or keyframes of it: "
             "`{\"keyframes\": [{\"t\": 0, \"value\": 2}, {\"t\": 1.5, \"value\": 0}], \"smooth\": false}`. "
             "Times are "
             "in seconds and ascend; before the first key the value is the first, after the last the last. "
             "Between "
             "two keys it changes at a constant rate, or with `\"smooth\": true` along a cubic that starts, "
             "ends and "
             "turns round gently and never goes beyond the two keys. Solids move by [keyframes of their "
             "own](#motion). Times before 0 are in the pre-roll.\n\n");
}

static void velocity_fields(const reference *r)
{
    text_add(r->out, "## Velocity fields\n\nA velocity is a vector, or an object that names a field: "
                     "`{\"field\": \"rotation\", \"angular_velocity\": [0, 0, 1]}`.\n\n");
    for (int k = 0; k < VELOCITY_KINDS; k++) {
        if (!velocity_params[k]) continue;
        text_print(r->out, "### %s\n\n", velocity_field_names[k]);
        table_of(r, velocity_params[k]);
    }
}

static void methods(const reference *r)
{
    text_add(
        r->out,
        "## Methods\n\nEvery method has a block of its own, by its name. All blocks are checked, that of "
        "the chosen method is used. What each can do:\n\n| |");
    for (uint32_t k = 0; k < r->method_count; k++) text_print(r->out, " %s |", r->methods[k]->name);
    text_add(r->out, "\n|---|");
    for (uint32_t k = 0; k < r->method_count; k++) text_add(r->out, "---|");
    for (int bit = 0; can_words[bit]; bit++) {
        text_print(r->out, "\n| %s |", can_words[bit]);
        for (uint32_t k = 0; k < r->method_count; k++)
            text_add(r->out, r->methods[k]->can >> bit & 1 ? " yes |" : " no |");
    }
    text_add(r->out, "\n\n");
    for (uint32_t k = 0; k < r->method_count; k++) {
        text_print(r->out, "### %s\n\n%s.\n\n", r->methods[k]->name, r->methods[k]->paper);
        table_of(r, r->methods[k]->params);
    }
}

void scene_reference(const rill_method *const *list, uint32_t method_count, text *out)
{
    const reference r = {out, list, method_count};
    text_add(out,
             "# The scene file\n\n<!-- Generated by `rill validate --reference`; change the tables instead. "
             "-->\n\n"
             "A scene is one JSON object: strict JSON, UTF-8, no comments. SI units, y up, time in seconds. "
             "An unknown "
             "key is an error. `rill validate SCENE` checks a scene, `rill validate SCENE --print` shows it "
             "with every "
             "default, and [scene.schema.json](scene.schema.json) lets editors complete and check it.\n\n"
             "A vector is a list of numbers, `[x, y, z]`; with `\"dimensions\": 2` it is `[x, y]`.\n\n"
             "`--set PATH=VALUE` changes a value from the command line: `--set spacing=0.01`, "
             "`--set sph.kernel=wendland`, `--set 'liquid[0].velocity=[1,0,0]'`.\n\n## The top level\n\n");
    table_of(&r, scene_params);
    sections(&r, scene_params, "##", "");
    shapes(&r);
    varying(&r);
    velocity_fields(&r);
    methods(&r);
    out->length -= out->length && !out->failed ? 1 : 0; /* the blank line after the last table */
    if (!out->failed) out->data[out->length] = 0;
}
