/* Values of a scene file: types, ranges and words, by the rows of the tables. */
#include "base/words.h"
#include "io/scene_later.h"
#include "io/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NOT_YET "is not available in this version of Rill (" RILL_VERSION ")"

static rill_status fail_at(scene_reader *r, const json_value *at, int line, int column, const char *format,
                           va_list args)
{
    char cause[1024];
    vsnprintf(cause, sizeof cause, format, args);
    if (at->source) return rill_fail(r->ctx, RILL_BAD_SCENE, "%s: %s", at->source, cause);
    return rill_fail(r->ctx, RILL_BAD_SCENE, "%s:%d:%d: %s", r->name, line, column, cause);
}

rill_status scene_fail(scene_reader *r, const json_value *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const rill_status st = fail_at(r, at, at->line, at->column, format, args);
    va_end(args);
    return st;
}

rill_status scene_fail_key(scene_reader *r, const json_value *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const rill_status st = fail_at(r, at, at->key_line, at->key_column, format, args);
    va_end(args);
    return st;
}

json_shown scene_show_number(double value)
{
    json_shown s;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(s.text, sizeof s.text, "%.*g", digits, value);
        double back;
        if (sscanf(s.text, "%lf", &back) == 1 && back == value) break;
    }
    if (fabs(value) < 1e9 && value == floor(value)) snprintf(s.text, sizeof s.text, "%.0f", value);
    return s;
}

static const char *kind_word(const json_value *v)
{
    static const char *const words[] = {"null", "true or false", "a number", "a text", "a list", "an object"};
    return words[v->kind];
}

/* What a value is called: its key, or its place in a list. */
static const char *key_of(const rill_param *row, const json_value *v)
{
    return v->key ? v->key : row->name;
}

static rill_status wrong_kind(scene_reader *r, const char *key, const json_value *v, const char *needed)
{
    if (v->kind == JSON_OBJECT && json_find(v, "keyframes"))
        return scene_fail(
            r, v, "\"%s\" has keyframes; a value that varies in time " NOT_YET "; give one value", key);
    return scene_fail(r, v, "\"%s\" must be %s, not %s", key, needed, kind_word(v));
}

rill_status scene_unknown(scene_reader *r, const json_value *at, bool key, const char *given,
                          const char *what, const char *const *words)
{
    const char *near = words_nearest(words, given);
    char tail[512] = "";
    size_t used = 0;
    if (near) {
        snprintf(tail, sizeof tail, "did you mean \"%s\"?", near);
    } else {
        for (; *words && used < sizeof tail; words++)
            used +=
                (size_t)snprintf(tail + used, sizeof tail - used, "%s%s", used ? ", " : "known: ", *words);
    }
    return (key ? scene_fail_key : scene_fail)(r, at, "\"%s\" is not %s; %s", json_show(given).text, what,
                                               tail);
}

/* -- single values -- */

static rill_status check_range(scene_reader *r, const rill_param *row, const char *key, const json_value *v)
{
    const double x = v->number;
    const char *const unit = row->unit && row->unit[0] ? row->unit : "", *const space = unit[0] ? " " : "";
    if (x >= row->min && x <= row->max && !(row->above_min && x == row->min)) return RILL_OK;
    if (row->min == row->max)
        return scene_fail(r, v, "\"%s\" must be %s, not %s", key, scene_show_number(row->min).text,
                          scene_show_number(x).text);
    const bool low = x <= row->min;
    return scene_fail(r, v, "\"%s\" must be %s %s%s%s, not %s", key,
                      !low             ? "at most"
                      : row->above_min ? "above"
                                       : "at least",
                      scene_show_number(low ? row->min : row->max).text, space, unit,
                      scene_show_number(x).text);
}

static rill_status read_number(scene_reader *r, const rill_param *row, const json_value *v, double *out)
{
    if (v->kind != JSON_NUMBER) return wrong_kind(r, key_of(row, v), v, "a number");
    TRY(check_range(r, row, key_of(row, v), v));
    *out = v->number == 0 ? 0 : v->number; /* -0 prints and hashes as 0 */
    return RILL_OK;
}

static rill_status read_integer(scene_reader *r, const rill_param *row, const json_value *v, int32_t *out)
{
    if (v->kind != JSON_NUMBER) return wrong_kind(r, key_of(row, v), v, "a whole number");
    if (v->number != floor(v->number))
        return scene_fail(r, v, "\"%s\" must be a whole number, not %s", key_of(row, v),
                          scene_show_number(v->number).text);
    TRY(check_range(r, row, key_of(row, v), v));
    *out = (int32_t)v->number;
    return RILL_OK;
}

static rill_status read_word(scene_reader *r, const rill_param *row, const char *key, const json_value *v,
                             int *out)
{
    if (v->kind != JSON_STRING) return wrong_kind(r, key, v, "one of its words, in double quotes");
    for (int k = 0; row->words[k]; k++)
        if (strcmp(row->words[k], v->string) == 0) {
            *out = k;
            return RILL_OK;
        }
    if (later_word(v->string)) return scene_fail(r, v, "\"%s\" " NOT_YET, v->string);
    char what[96];
    snprintf(what, sizeof what, "a word of \"%s\"", key);
    return scene_unknown(r, v, false, v->string, what, row->words);
}

static rill_status read_flags(scene_reader *r, const rill_param *row, const json_value *v, uint32_t *out)
{
    if (v->kind != JSON_ARRAY) return wrong_kind(r, key_of(row, v), v, "a list of words");
    uint32_t flags = 0;
    for (const json_value *e = v->child; e; e = e->next) {
        int k;
        TRY(read_word(r, row, key_of(row, v), e, &k));
        if (flags & 1u << k)
            return scene_fail(r, e, "\"%s\" is in the list \"%s\" twice; remove one", e->string,
                              key_of(row, v));
        flags |= 1u << k;
    }
    *out = flags;
    return RILL_OK;
}

static rill_status read_text(scene_reader *r, const rill_param *row, const json_value *v, char **out)
{
    if (v->kind != JSON_STRING) return wrong_kind(r, key_of(row, v), v, "a text in double quotes");
    const size_t length = strlen(v->string);
    if (length > SCENE_MAX_TEXT)
        return scene_fail(r, v, "\"%s\" has %zu bytes; at most %d are allowed", key_of(row, v), length,
                          SCENE_MAX_TEXT);
    for (const char *c = v->string; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            return scene_fail(r, v, "\"%s\" contains a control character; remove it", key_of(row, v));
    r->text_bytes += length;
    if (r->text_bytes > SCENE_MAX_TEXTS)
        return scene_fail(r, v, "the texts of the scene have more than %d bytes together", SCENE_MAX_TEXTS);
    char *copy = mem_text(r->ctx, v->string);
    if (!copy) return mem_failed(r->ctx, length + 1, 1);
    mem_free(r->ctx, *out);
    *out = copy;
    return RILL_OK;
}

rill_status scene_read_point(scene_reader *r, const rill_param *row, const json_value *v, int least, int most,
                             double *out)
{
    static const char *const counts[] = {"no", "one", "two", "three"};
    if (v->kind != JSON_ARRAY) return wrong_kind(r, key_of(row, v), v, "a list of numbers");
    if (v->count < (uint32_t)least || v->count > (uint32_t)most)
        return scene_fail(r, v, "\"%s\" takes %s number%s%s, not %u", key_of(row, v), counts[least],
                          least == 1 ? "" : "s",
                          least < 3 && r->scene->dimensions == 2 ? " in two dimensions" : "", v->count);
    int n = 0;
    for (const json_value *e = v->child; e; e = e->next, n++) {
        if (e->kind != JSON_NUMBER) return wrong_kind(r, key_of(row, v), e, "a list of numbers");
        TRY(check_range(r, row, key_of(row, v), e));
        out[n] = e->number == 0 ? 0 : e->number;
        if (n == 2 && least == 2 && e->number != 0)
            return scene_fail(r, e, "\"%s\" has z = %s, but the scene has two dimensions; leave z out",
                              key_of(row, v), scene_show_number(e->number).text);
    }
    return RILL_OK;
}

static rill_status read_vector(scene_reader *r, const rill_param *row, const json_value *v, rill_vec3 *out)
{
    double x[3] = {0, 0, 0};
    const bool flat = r->scene->dimensions == 2 && row->kind != PARAM_POINT3;
    TRY(scene_read_point(r, row, v, flat ? 2 : 3, 3, x));
    *out = v3(x[0], x[1], x[2]);
    return RILL_OK;
}

/* "pressure": [x, y, z] or "height": [x, z]; in two dimensions [x, y] and [x]. */
static rill_status read_named_point(scene_reader *r, const rill_param *row, int word, const json_value *v,
                                    void *block)
{
    rill_vec3 *point = (rill_vec3 *)((char *)block + row->offset);
    *(gauge_kind *)((char *)block + row->count_offset) = (gauge_kind)word;
    if (word == GAUGE_PRESSURE) return read_vector(r, row, v, point);
    double x[2] = {0, 0};
    const int numbers = r->scene->dimensions == 2 ? 1 : 2;
    TRY(scene_read_point(r, row, v, numbers, numbers, x));
    *point = v3(x[0], 0, x[1]);
    return RILL_OK;
}

static rill_status read_method(scene_reader *r, const json_value *v, const rill_method **out)
{
    if (v->kind != JSON_STRING) return wrong_kind(r, "method", v, "the name of a method, in double quotes");
    const char *names[64] = {0};
    const rill_scene *s = r->scene;
    for (uint32_t k = 0; k < s->method_count; k++) {
        if (k < 63) names[k] = s->methods[k].method->name;
        if (strcmp(s->methods[k].method->name, v->string) == 0) {
            *out = s->methods[k].method;
            return RILL_OK;
        }
    }
    if (later_method(v->string)) return scene_fail(r, v, "the method \"%s\" " NOT_YET, v->string);
    return scene_unknown(r, v, false, v->string, "a method", names);
}

rill_status scene_read_velocity(scene_reader *r, const rill_param *row, const json_value *v,
                                velocity_field *out)
{
    velocity_field field = {0};
    if (v->kind == JSON_ARRAY) {
        TRY(read_vector(r, row, v, &field.value));
        *out = field;
        return RILL_OK;
    }
    const json_value *name = json_find(v, "field");
    if (!name) return wrong_kind(r, row->name, v, "a list of numbers, or an object with the key \"field\"");
    if (name->kind != JSON_STRING) return wrong_kind(r, "field", name, "a text in double quotes");
    while (field.named < VELOCITY_KINDS &&
           (!velocity_params[field.named] || strcmp(velocity_field_names[field.named], name->string) != 0))
        field.named++;
    if (field.named == VELOCITY_KINDS)
        return scene_unknown(r, name, false, name->string, "a velocity field", velocity_field_names + 1);
    char label[64];
    snprintf(label, sizeof label, "the field \"%s\"", name->string);
    TRY(params_default(r->ctx, velocity_params[field.named], &field));
    TRY(scene_read_block(r, velocity_params[field.named], label, v, &field));
    *out = field;
    return RILL_OK;
}

/* -- blocks and lists -- */

static rill_status read_list(scene_reader *r, const rill_param *row, const json_value *v, void *block)
{
    if (v->kind != JSON_ARRAY) return wrong_kind(r, row->name, v, "a list");
    if (v->count > row->max)
        return scene_fail(r, v, "\"%s\" has %u entries; at most %.0f are allowed", row->name, v->count,
                          row->max);
    if (v->count == 0) return RILL_OK;
    char *list = mem_zero(r->ctx, v->count, row->size);
    if (!list) return mem_failed(r->ctx, v->count, row->size);
    *(void **)((char *)block + row->offset) = list;
    uint32_t *count = (uint32_t *)((char *)block + row->count_offset);
    char label[64];
    snprintf(label, sizeof label, "an entry of \"%s\"", row->name);
    for (const json_value *e = v->child; e; e = e->next) {
        void *element = list + *count * row->size;
        TRY(params_default(r->ctx, row->table, element));
        *count += 1;
        TRY(scene_read_block(r, row->table, label, e, element));
    }
    return RILL_OK;
}

static rill_status read_sub_block(scene_reader *r, const rill_param *row, const json_value *v, void *at)
{
    char label[64];
    snprintf(label, sizeof label, "\"%s\"", row->name);
    return scene_read_block(r, row->table, label, v, at);
}

rill_status scene_read_row(scene_reader *r, const rill_param *row, const json_value *v, void *block)
{
    void *at = (char *)block + row->offset;
    switch (row->kind) {
    case PARAM_NUMBER: return read_number(r, row, v, at);
    case PARAM_INTEGER: return read_integer(r, row, v, at);
    case PARAM_BOOL:
        if (v->kind != JSON_BOOL) return wrong_kind(r, row->name, v, "true or false");
        *(bool *)at = v->boolean;
        return RILL_OK;
    case PARAM_CHOICE: return read_word(r, row, row->name, v, at);
    case PARAM_FLAGS: return read_flags(r, row, v, at);
    case PARAM_TEXT: return read_text(r, row, v, at);
    case PARAM_POINT:
    case PARAM_POINT3: return read_vector(r, row, v, at);
    case PARAM_SHAPE: return scene_read_shape(r, v, 1, at);
    case PARAM_VELOCITY: return scene_read_velocity(r, row, v, at);
    case PARAM_BLOCK: return read_sub_block(r, row, v, at);
    case PARAM_LIST: return read_list(r, row, v, block);
    case PARAM_METHOD: return read_method(r, v, at);
    case PARAM_NAMED_POINT: /* by read_member, which knows the word */
    case PARAM_END: break;
    }
    return RILL_OK;
}

/* The row of a key, and which of its words the key is when it is named by words. */
static const rill_param *find_row(const rill_param *table, const char *key, int *word)
{
    *word = 0;
    for (const rill_param *row = table; row->kind; row++) {
        if (row->kind == PARAM_NAMED_POINT) {
            for (*word = 0; row->words[*word]; ++*word)
                if (strcmp(row->words[*word], key) == 0) return row;
        } else if (strcmp(row->name, key) == 0) {
            return row;
        }
    }
    return NULL;
}

static rill_status unknown_key(scene_reader *r, const rill_param *table, const char *label,
                               const json_value *m)
{
    enum { MOST = 96 };
    const char *names[MOST + 1] = {0};
    size_t n = 0;
    for (const rill_param *row = table; row->kind; row++) {
        if (row->kind != PARAM_NAMED_POINT && n < MOST) names[n++] = row->name;
        if (row->kind == PARAM_NAMED_POINT)
            for (int k = 0; row->words[k] && n < MOST; k++) names[n++] = row->words[k];
    }
    if (later_key(table, m->key)) return scene_fail_key(r, m, "\"%s\" " NOT_YET "; remove it", m->key);
    if (table == scene_params) {
        if (later_method(m->key))
            return scene_fail_key(r, m, "the method \"%s\" " NOT_YET "; remove its block", m->key);
        for (uint32_t k = 0; k < r->scene->method_count && n < MOST; k++)
            names[n++] = r->scene->methods[k].method->name;
    }
    char what[96];
    snprintf(what, sizeof what, "a key of %s", label);
    return scene_unknown(r, m, true, m->key, what, names);
}

/* A method's own block, when the key is a method's name. */
static rill_status read_method_block(scene_reader *r, const json_value *m, bool *found)
{
    for (uint32_t k = 0; k < r->scene->method_count; k++) {
        const scene_method_def *d = &r->scene->methods[k];
        if (strcmp(d->method->name, m->key) != 0) continue;
        char label[64];
        snprintf(label, sizeof label, "\"%s\"", m->key);
        *found = true;
        return scene_read_block(r, d->method->params, label, m, d->def);
    }
    return RILL_OK;
}

static rill_status read_member(scene_reader *r, const rill_param *table, const char *label,
                               const json_value *m, void *block, uint64_t *seen)
{
    int word;
    const rill_param *row = find_row(table, m->key, &word);
    if (!row) {
        bool found = false;
        if (table == scene_params) TRY(read_method_block(r, m, &found));
        return found ? RILL_OK : unknown_key(r, table, label, m);
    }
    const uint64_t bit = (uint64_t)1 << (row - table);
    if (*seen & bit)
        return scene_fail_key(r, m, "only one of %s can be given; remove \"%s\" or make two of them",
                              row->name, m->key);
    *seen |= bit;
    if (row->kind == PARAM_NAMED_POINT) return read_named_point(r, row, word, m, block);
    return scene_read_row(r, row, m, block);
}

static bool is_field_key(const rill_param *table, const char *key)
{
    for (int k = 0; k < VELOCITY_KINDS; k++)
        if (table == velocity_params[k]) return strcmp(key, "field") == 0;
    return false;
}

rill_status scene_read_block(scene_reader *r, const rill_param *table, const char *label,
                             const json_value *object, void *block)
{
    if (object->kind != JSON_OBJECT)
        return scene_fail(r, object, "%s must be an object, { ... }, not %s", label, kind_word(object));
    uint64_t seen = 0;
    for (const json_value *m = object->child; m; m = m->next)
        if (!is_field_key(table, m->key)) TRY(read_member(r, table, label, m, block, &seen));
    for (const rill_param *row = table; row->kind; row++)
        if (row->required && !(seen & (uint64_t)1 << (row - table)))
            return scene_fail(r, object, "%s needs the key \"%s\": %s", label, row->name, row->help);
    return RILL_OK;
}
