/* The JSON Schema (draft 2020-12) of scene files, from the tables. Checks that need
 * several values at once are the reader's. */
#include "io/scene_docs.h"

#include <stdio.h>

typedef struct schema {
    text *out;
    const rill_method *const *methods;
    uint32_t method_count;
} schema;

static void line(const schema *s, int depth)
{
    text_print(s->out, "\n%*s", 2 * depth, "");
}

static void words_of(const schema *s, const char *const *words)
{
    text_add(s->out, "\"enum\": [");
    for (int k = 0; words[k]; k++) {
        if (k) text_add(s->out, ", ");
        text_quoted(s->out, words[k]);
    }
    text_add(s->out, "]");
}

static void range(const schema *s, const rill_param *row)
{
    text_add(s->out, row->above_min ? ", \"exclusiveMinimum\": " : ", \"minimum\": ");
    text_number(s->out, row->min);
    text_add(s->out, ", \"maximum\": ");
    text_number(s->out, row->max);
}

static void numbers(const schema *s, const rill_param *row, int least, int most)
{
    text_print(s->out,
               "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": { \"type\": \"number\"",
               least, most);
    range(s, row);
    text_add(s->out, " }");
}

static void object(const schema *s, const rill_param *table, int depth, const char *first_key);

static void velocity(const schema *s, const rill_param *row, int depth)
{
    text_add(s->out, "\"oneOf\": [");
    line(s, depth + 1);
    text_add(s->out, "{ ");
    numbers(s, row, 2, 3);
    text_add(s->out, " }");
    for (int k = 0; k < VELOCITY_KINDS; k++) {
        if (!velocity_params[k]) continue;
        text_add(s->out, ",");
        line(s, depth + 1);
        text_add(s->out, "{ ");
        object(s, velocity_params[k], depth + 1, velocity_field_names[k]);
        text_add(s->out, " }");
    }
    line(s, depth);
    text_add(s->out, "]");
}

static void method_names(const schema *s)
{
    text_add(s->out, "\"enum\": [");
    for (uint32_t k = 0; k < s->method_count; k++) {
        if (k) text_add(s->out, ", ");
        text_quoted(s->out, s->methods[k]->name);
    }
    text_add(s->out, "]");
}

/* Inside the braces of one key's schema, but for the default. */
static void plain_value(const schema *s, const rill_param *row, int depth)
{
    switch (row->kind) {
    case PARAM_NUMBER:
        text_add(s->out, "\"type\": \"number\"");
        range(s, row);
        break;
    case PARAM_INTEGER:
        text_add(s->out, "\"type\": \"integer\"");
        range(s, row);
        break;
    case PARAM_BOOL: text_add(s->out, "\"type\": \"boolean\""); break;
    case PARAM_CHOICE: words_of(s, row->words); break;
    case PARAM_FLAGS:
        text_add(s->out, "\"type\": \"array\", \"uniqueItems\": true, \"items\": { ");
        words_of(s, row->words);
        text_add(s->out, " }");
        break;
    case PARAM_TEXT: text_add(s->out, "\"type\": \"string\", \"maxLength\": 1000"); break;
    case PARAM_POINT: numbers(s, row, 2, 3); break;
    case PARAM_POINT3: numbers(s, row, 3, 3); break;
    case PARAM_PAIR: numbers(s, row, 2, 2); break;
    case PARAM_NAMED_POINT: numbers(s, row, 1, 2); break; /* a height: the others have kinds of their own */
    case PARAM_SHAPE: text_add(s->out, "\"$ref\": \"#/$defs/shape\""); break;
    case PARAM_VELOCITY: velocity(s, row, depth); break;
    case PARAM_BLOCK: object(s, row->table, depth, NULL); break;
    case PARAM_LIST:
        text_add(s->out, "\"type\": \"array\", ");
        if (row->min > 0) text_print(s->out, "\"minItems\": %.0f, ", row->min);
        text_print(s->out, "\"maxItems\": %.0f, \"items\": { ", row->max);
        object(s, row->table, depth, NULL);
        text_add(s->out, " }");
        break;
    case PARAM_METHOD: method_names(s); break;
    case PARAM_END: break;
    }
}

/* A value, or keyframes of it (scene_keyframes.c). */
static void varying(const schema *s, const rill_param *row, int depth)
{
    rill_param key = *row;
    key.above_min = false;
    text_add(s->out, "\"oneOf\": [");
    line(s, depth + 1);
    text_add(s->out, "{ ");
    plain_value(s, row, depth + 1);
    text_add(s->out, " },");
    line(s, depth + 1);
    text_add(s->out,
             "{ \"type\": \"object\", \"additionalProperties\": false, \"required\": [\"keyframes\"], "
             "\"properties\": {");
    line(s, depth + 2);
    text_add(s->out,
             "\"keyframes\": { \"type\": \"array\", \"minItems\": 1, \"maxItems\": 100000, \"items\": { "
             "\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"t\", \"value\"], "
             "\"properties\": { \"t\": { \"type\": \"number\" }, \"value\": { ");
    plain_value(s, &key, depth + 2);
    text_add(s->out, " } } } },");
    line(s, depth + 2);
    text_add(s->out, "\"smooth\": { \"type\": \"boolean\", \"default\": false }");
    line(s, depth + 1);
    text_add(s->out, "} }");
    line(s, depth);
    text_add(s->out, "]");
}

static void value(const schema *s, const rill_param *row, int depth)
{
    if (row->varies)
        varying(s, row, depth);
    else
        plain_value(s, row, depth);
    if (docs_has_default(row)) {
        text_add(s->out, ", \"default\": ");
        docs_default(row, s->methods, s->method_count, s->out);
    }
}

static void property(const schema *s, const rill_param *row, const char *key, int depth, bool *first)
{
    text_add(s->out, *first ? "" : ",");
    *first = false;
    line(s, depth);
    text_quoted(s->out, key);
    text_add(s->out, ": { \"description\": ");
    char help[512];
    snprintf(help, sizeof help, "%s%s%s%s", row->help, docs_has_unit(row) ? " (" : "",
             docs_has_unit(row) ? row->unit : "", docs_has_unit(row) ? ")" : "");
    text_quoted(s->out, help);
    text_add(s->out, ", ");
    value(s, row, depth);
    text_add(s->out, " }");
}

static void required_keys(const schema *s, const rill_param *table, const char *field)
{
    bool first = true;
    if (field) text_add(s->out, ", \"required\": [\"field\"");
    first = !field;
    for (const rill_param *row = table; row->kind; row++) {
        if (!row->required || row->kind == PARAM_NAMED_POINT) continue;
        text_add(s->out, first ? ", \"required\": [" : ", ");
        text_quoted(s->out, row->name);
        first = false;
    }
    if (!first) text_add(s->out, "]");
    for (const rill_param *row = table; row->kind; row++) {
        if (row->kind != PARAM_NAMED_POINT) continue;
        text_add(s->out, ", \"oneOf\": [");
        for (int k = 0; row->words[k]; k++)
            text_print(s->out, "%s{ \"required\": [\"%s\"] }", k ? ", " : "", row->words[k]);
        text_add(s->out, "]");
    }
}

/* `field` names the velocity field whose keys these are, otherwise NULL. The top level
 * has the methods' blocks among its keys. */
static void object(const schema *s, const rill_param *table, int depth, const char *field)
{
    bool first = true;
    text_add(s->out, "\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    if (field) {
        line(s, depth + 1);
        text_add(s->out, "\"field\": { \"const\": ");
        text_quoted(s->out, field);
        text_add(s->out, " }");
        first = false;
    }
    for (const rill_param *row = table; row->kind; row++) {
        if (row->kind == PARAM_NAMED_POINT)
            for (int k = 0; row->words[k]; k++) {
                const rill_param one = docs_gauge(row, k);
                property(s, &one, row->words[k], depth + 1, &first);
            }
        else
            property(s, row, row->name, depth + 1, &first);
        if (row->kind != PARAM_METHOD) continue;
        for (uint32_t k = 0; k < s->method_count; k++) {
            const rill_param block = {
                .kind = PARAM_BLOCK, .table = s->methods[k]->params, .help = s->methods[k]->paper};
            property(s, &block, s->methods[k]->name, depth + 1, &first);
        }
    }
    line(s, depth);
    text_add(s->out, "}");
    required_keys(s, table, field);
}

static void shapes(const schema *s)
{
    text_add(s->out, "\"type\": \"object\", \"minProperties\": 1, \"maxProperties\": 1, "
                     "\"additionalProperties\": false, \"properties\": {");
    bool first = true;
    for (int k = 0; k < SHAPE_KINDS; k++) {
        if (!shape_names[k]) continue;
        text_add(s->out, first ? "" : ",");
        first = false;
        line(s, 4);
        text_quoted(s->out, shape_names[k]);
        text_add(s->out, ": { ");
        if (shape_params[k])
            object(s, shape_params[k], 4, NULL);
        else
            text_add(s->out,
                     "\"type\": \"array\", \"minItems\": 2, \"items\": { \"$ref\": \"#/$defs/shape\" }");
        text_add(s->out, " }");
    }
    line(s, 3);
    text_add(s->out, "}");
}

void scene_schema(const rill_method *const *methods, uint32_t method_count, text *out)
{
    const schema s = {out, methods, method_count};
    text_add(out,
             "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
             "  \"title\": \"Rill scene\",\n  \"description\": \"A fluid animation for the rill program. "
             "SI units, y up. Generated by rill validate --schema.\",\n  ");
    object(&s, scene_params, 1, NULL);
    text_add(out, ",\n  \"$defs\": {\n    \"shape\": { ");
    shapes(&s);
    text_add(out, " }\n  }\n}\n");
}
