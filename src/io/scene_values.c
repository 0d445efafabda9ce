/* Single values of a scene file: types, ranges and words, by their row of a table. */
#include "io/scene_later.h"
#include "io/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a value is called: its key, or its place in a list. */
static const char *key_of(const rill_param *row, const json_value *v)
{
    return v->key ? v->key : row->name;
}

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
    if (v->kind != JSON_NUMBER) return scene_wrong_kind(r, key_of(row, v), v, "a number");
    TRY(check_range(r, row, key_of(row, v), v));
    *out = v->number == 0 ? 0 : v->number; /* -0 prints and hashes as 0 */
    return RILL_OK;
}

static rill_status read_integer(scene_reader *r, const rill_param *row, const json_value *v, int32_t *out)
{
    if (v->kind != JSON_NUMBER) return scene_wrong_kind(r, key_of(row, v), v, "a whole number");
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
    if (v->kind != JSON_STRING) return scene_wrong_kind(r, key, v, "one of its words, in double quotes");
    for (int k = 0; row->words[k]; k++)
        if (strcmp(row->words[k], v->string) == 0) {
            *out = k;
            return RILL_OK;
        }
    if (later_word(v->string)) return scene_fail(r, v, "\"%s\" " SCENE_NOT_YET, v->string);
    if (strcmp(v->string, "vdb") == 0 && strcmp(key, "formats") == 0)
        return scene_fail(
            r, v,
            "\"formats\" are those of particles and surfaces; .vdb files hold volumes: leave \"vdb\" "
            "out and set \"volume\" to true");
    char what[96];
    snprintf(what, sizeof what, "a word of \"%s\"", key);
    return scene_unknown(r, v, false, v->string, what, row->words);
}

static rill_status read_flags(scene_reader *r, const rill_param *row, const json_value *v, uint32_t *out)
{
    if (v->kind != JSON_ARRAY) return scene_wrong_kind(r, key_of(row, v), v, "a list of words");
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
    if (v->kind != JSON_STRING) return scene_wrong_kind(r, key_of(row, v), v, "a text in double quotes");
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

static rill_status read_point(scene_reader *r, const rill_param *row, const json_value *v, int least,
                              int most, double *out)
{
    static const char *const counts[] = {"no", "one", "two", "three"};
    if (v->kind != JSON_ARRAY) return scene_wrong_kind(r, key_of(row, v), v, "a list of numbers");
    if (v->count < (uint32_t)least || v->count > (uint32_t)most)
        return scene_fail(r, v, "\"%s\" takes %s number%s%s, not %u", key_of(row, v), counts[least],
                          least == 1 ? "" : "s",
                          least < 3 && r->scene->dimensions == 2 ? " in two dimensions" : "", v->count);
    int n = 0;
    for (const json_value *e = v->child; e; e = e->next, n++) {
        if (e->kind != JSON_NUMBER) return scene_wrong_kind(r, key_of(row, v), e, "a list of numbers");
        TRY(check_range(r, row, key_of(row, v), e));
        out[n] = e->number == 0 ? 0 : e->number;
        if (n == 2 && least == 2 && e->number != 0)
            return scene_fail(r, e, "\"%s\" has z = %s, but the scene has two dimensions; leave z out",
                              key_of(row, v), scene_show_number(e->number).text);
    }
    return RILL_OK;
}

static rill_status read_pair(scene_reader *r, const rill_param *row, const json_value *v, double *out)
{
    double x[2];
    if (v->kind != JSON_ARRAY || v->count != 2)
        return scene_wrong_kind(r, key_of(row, v), v, "a list of two numbers, the lower and the upper");
    TRY(read_point(r, row, v, 2, 2, x));
    if (x[0] > x[1])
        return scene_fail(r, v, "\"%s\" begins with %s, above its end, %s; exchange them", key_of(row, v),
                          scene_show_number(x[0]).text, scene_show_number(x[1]).text);
    out[0] = x[0];
    out[1] = x[1];
    return RILL_OK;
}

static rill_status read_vector(scene_reader *r, const rill_param *row, const json_value *v, rill_vec3 *out)
{
    double x[3] = {0, 0, 0};
    const bool flat = r->scene->dimensions == 2 && row->kind != PARAM_POINT3;
    TRY(read_point(r, row, v, flat ? 2 : 3, 3, x));
    *out = v3(x[0], x[1], x[2]);
    return RILL_OK;
}

/* "pressure" and "velocity": [x, y, z], "height": [x, z]; in two dimensions [x, y] and [x]; "flow": a disc;
 * "force": the name of a solid. */
rill_status scene_read_named_point(scene_reader *r, const rill_param *row, int word, const json_value *v,
                                   void *block)
{
    rill_vec3 *point = (rill_vec3 *)((char *)block + row->offset);
    *(gauge_kind *)((char *)block + row->count_offset) = (gauge_kind)word;
    if (word == GAUGE_FLOW) return scene_read_block(r, row->table, "\"flow\"", v, block);
    if (word == GAUGE_FORCE) {
        const rill_param named = {.name = row->words[word], .kind = PARAM_TEXT};
        return read_text(r, &named, v, (char **)((char *)block + row->keys_offset));
    }
    if (word != GAUGE_HEIGHT) return read_vector(r, row, v, point);
    double x[2] = {0, 0};
    const int numbers = r->scene->dimensions == 2 ? 1 : 2;
    TRY(read_point(r, row, v, numbers, numbers, x));
    *point = v3(x[0], 0, x[1]);
    return RILL_OK;
}

static rill_status read_method(scene_reader *r, const json_value *v, const rill_method **out)
{
    if (v->kind != JSON_STRING)
        return scene_wrong_kind(r, "method", v, "the name of a method, in double quotes");
    const char *names[64] = {0};
    const rill_scene *s = r->scene;
    for (uint32_t k = 0; k < s->method_count; k++) {
        if (k < 63) names[k] = s->methods[k].method->name;
        if (strcmp(s->methods[k].method->name, v->string) == 0) {
            *out = s->methods[k].method;
            return RILL_OK;
        }
    }
    if (later_method(v->string)) return scene_fail(r, v, "the method \"%s\" " SCENE_NOT_YET, v->string);
    return scene_unknown(r, v, false, v->string, "a method", names);
}

static rill_status read_velocity(scene_reader *r, const rill_param *row, const json_value *v,
                                 velocity_field *out)
{
    velocity_field field = {0};
    if (v->kind == JSON_ARRAY) {
        TRY(read_vector(r, row, v, &field.value));
        *out = field;
        return RILL_OK;
    }
    const json_value *name = json_find(v, "field");
    if (!name)
        return scene_wrong_kind(r, row->name, v, "a list of numbers, or an object with the key \"field\"");
    if (name->kind != JSON_STRING) return scene_wrong_kind(r, "field", name, "a text in double quotes");
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

rill_status scene_read_row(scene_reader *r, const rill_param *row, const json_value *v, void *block)
{
    void *at = (char *)block + row->offset;
    if (row->varies && v->kind == JSON_OBJECT) return scene_read_keyframes(r, row, v, block);
    if (row->optional) *(bool *)((char *)block + row->count_offset) = true;
    switch (row->kind) {
    case PARAM_NUMBER: return read_number(r, row, v, at);
    case PARAM_INTEGER: return read_integer(r, row, v, at);
    case PARAM_BOOL:
        if (v->kind != JSON_BOOL) return scene_wrong_kind(r, row->name, v, "true or false");
        *(bool *)at = v->boolean;
        return RILL_OK;
    case PARAM_CHOICE: return read_word(r, row, row->name, v, at);
    case PARAM_FLAGS: return read_flags(r, row, v, at);
    case PARAM_TEXT: return read_text(r, row, v, at);
    case PARAM_POINT:
    case PARAM_POINT3: return read_vector(r, row, v, at);
    case PARAM_SHAPE: return scene_read_shape(r, v, 1, at);
    case PARAM_VELOCITY: return read_velocity(r, row, v, at);
    case PARAM_BLOCK: return scene_read_sub_block(r, row, v, at);
    case PARAM_PAIR: return read_pair(r, row, v, at);
    case PARAM_LIST: return scene_read_list(r, row, v, block);
    case PARAM_METHOD: return read_method(r, v, at);
    case PARAM_NAMED_POINT: /* by read_member, which knows the word */
    case PARAM_END: break;
    }
    return RILL_OK;
}
