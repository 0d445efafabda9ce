/* A scene as a file, every default written out, in the order of the tables.
 *
 * Canonical: the same scene gives the same text, and the text read back gives the same
 * scene; the scene's hash is this text's. Blocks take a line per key, entries of lists
 * a line each. Numbers are the shortest that read back the same. */
#include "base/hash.h"
#include "io/scene_file.h"

#include <string.h>

typedef struct printer {
    text *out;
    const rill_scene *scene;
    bool names; /* files without their folders */
    bool state; /* only what a checkpoint is checked against */
} printer;

static void print_block(const printer *p, const rill_param *table, const void *block, const char *between);

static void print_numbers(const printer *p, const double *x, int count)
{
    text_add(p->out, "[");
    for (int i = 0; i < count; i++) {
        if (i) text_add(p->out, ", ");
        text_number(p->out, x[i]);
    }
    text_add(p->out, "]");
}

static void print_vector(const printer *p, rill_vec3 v, bool always_three)
{
    const double x[] = {v.x, v.y, v.z};
    print_numbers(p, x, p->scene->dimensions == 2 && !always_three ? 2 : 3);
}

static void print_flags(const printer *p, const char *const *words, uint32_t flags)
{
    bool first = true;
    text_add(p->out, "[");
    for (int k = 0; words[k]; k++) {
        if (!(flags >> k & 1)) continue;
        if (!first) text_add(p->out, ", ");
        first = false;
        text_quoted(p->out, words[k]);
    }
    text_add(p->out, "]");
}

/* What a shape's keys are in: itself, or the scene's files whose distance it borrows. */
static const void *body_of(const printer *p, const shape *s)
{
    if (s->kind == SHAPE_SEQUENCE) {
        for (uint32_t k = 0; k < p->scene->sequence_count; k++)
            if (p->scene->sequences[k].frames == s->sequence.frames) return &p->scene->sequences[k];
        return NULL;
    }
    if (s->kind != SHAPE_MESH) return &s->box;
    for (uint32_t k = 0; k < p->scene->mesh_count; k++)
        if (p->scene->meshes[k].distance == s->mesh.owned) return &p->scene->meshes[k];
    return NULL;
}

static void print_shape(const printer *p, const shape *s)
{
    const void *body = body_of(p, s);
    if (!shape_names[s->kind] || !body) { /* none, or by callback: only scenes built in C have these */
        text_add(p->out, "null");
        return;
    }
    text_add(p->out, "{ ");
    text_quoted(p->out, shape_names[s->kind]);
    text_add(p->out, ": ");
    if (shape_params[s->kind]) {
        text_add(p->out, "{ ");
        print_block(p, shape_params[s->kind], body, ", ");
        text_add(p->out, " }");
    } else {
        text_add(p->out, "[");
        for (uint32_t i = 0; i < s->parts.count; i++) {
            if (i) text_add(p->out, ", ");
            print_shape(p, &s->parts.part[i]);
        }
        text_add(p->out, "]");
    }
    text_add(p->out, " }");
}

static void print_velocity(const printer *p, const velocity_field *v)
{
    if (v->function) {
        text_add(p->out, "null"); /* as above */
    } else if (v->named == 0) {
        print_vector(p, v->value, false);
    } else {
        text_add(p->out, "{ \"field\": ");
        text_quoted(p->out, velocity_field_names[v->named]);
        text_add(p->out, ", ");
        print_block(p, velocity_params[v->named], v, ", ");
        text_add(p->out, " }");
    }
}

static void print_list(const printer *p, const rill_param *row, const void *block, bool nested)
{
    const char *list = *(char *const *)((const char *)block + row->offset);
    const uint32_t count = *(const uint32_t *)((const char *)block + row->count_offset);
    text_add(p->out, "[");
    for (uint32_t i = 0; i < count; i++) {
        text_add(p->out, i ? "," : "");
        text_add(p->out, !nested ? "\n    { " : i ? " { " : "{ ");
        print_block(p, row->table, list + i * row->size, ", ");
        text_add(p->out, " }");
    }
    text_add(p->out, count && !nested ? "\n  ]" : "]");
}

static void print_gauge_point(const printer *p, const rill_param *row, const void *block)
{
    const gauge_kind kind = *(const gauge_kind *)((const char *)block + row->count_offset);
    const rill_vec3 x = *(const rill_vec3 *)((const char *)block + row->offset);
    if (kind == GAUGE_HEIGHT) {
        print_numbers(p, (double[]){x.x, x.z}, p->scene->dimensions == 2 ? 1 : 2);
    } else if (kind == GAUGE_FORCE) {
        const char *solid = *(char *const *)((const char *)block + row->keys_offset);
        text_quoted(p->out, solid ? solid : "");
    } else if (kind == GAUGE_FLOW) {
        text_add(p->out, "{ ");
        print_block(p, row->table, block, ", ");
        text_add(p->out, " }");
    } else {
        print_vector(p, x, false);
    }
}

static void print_text(const printer *p, const rill_param *row, const char *value)
{
    if (!value) value = "";
    if (p->names && (row == &scene_mesh_params[0] || row == &scene_sequence_params[0])) {
        /* a path; its contents are in the hash beside it */
        const char *slash = strrchr(value, '/');
        value = slash ? slash + 1 : value;
    }
    text_quoted(p->out, value);
}

static void print_keyframes(const printer *p, const rill_param *row, const keyframes *keys)
{
    text_add(p->out, "{ \"keyframes\": [");
    for (uint32_t i = 0; i < keys->count; i++) {
        text_add(p->out, i ? ", { \"t\": " : "{ \"t\": ");
        text_number(p->out, keys->key[i].t);
        text_add(p->out, ", \"value\": ");
        if (row->kind == PARAM_NUMBER)
            text_number(p->out, keys->key[i].value.x);
        else
            print_vector(p, keys->key[i].value, false);
        text_add(p->out, " }");
    }
    text_print(p->out, "], \"smooth\": %s }", keys->smooth ? "true" : "false");
}

static void print_value(const printer *p, const rill_param *row, const void *block, bool nested)
{
    const void *at = (const char *)block + row->offset;
    const keyframes *keys = row->varies ? (const void *)((const char *)block + row->keys_offset) : NULL;
    if (keys && keys->count) {
        print_keyframes(p, row, keys);
        return;
    }
    switch (row->kind) {
    case PARAM_NUMBER: text_number(p->out, *(const double *)at); break;
    case PARAM_INTEGER: text_print(p->out, "%d", (int)*(const int32_t *)at); break;
    case PARAM_BOOL: text_add(p->out, *(const bool *)at ? "true" : "false"); break;
    case PARAM_CHOICE: text_quoted(p->out, row->words[*(const int *)at]); break;
    case PARAM_FLAGS: print_flags(p, row->words, *(const uint32_t *)at); break;
    case PARAM_TEXT: print_text(p, row, *(char *const *)at); break;
    case PARAM_POINT: print_vector(p, *(const rill_vec3 *)at, false); break;
    case PARAM_POINT3: print_vector(p, *(const rill_vec3 *)at, true); break;
    case PARAM_SHAPE: print_shape(p, at); break;
    case PARAM_VELOCITY: print_velocity(p, at); break;
    case PARAM_BLOCK:
        text_add(p->out, nested ? "{ " : "{\n    ");
        print_block(p, row->table, at, nested ? ", " : ",\n    ");
        text_add(p->out, nested ? " }" : "\n  }");
        break;
    case PARAM_PAIR:
        text_add(p->out, "[");
        text_number(p->out, ((const double *)at)[0]);
        text_add(p->out, ", ");
        text_number(p->out, ((const double *)at)[1]);
        text_add(p->out, "]");
        break;
    case PARAM_LIST: print_list(p, row, block, nested); break;
    case PARAM_NAMED_POINT: print_gauge_point(p, row, block); break;
    case PARAM_METHOD: text_quoted(p->out, p->scene->method ? p->scene->method->name : ""); break;
    case PARAM_END: break;
    }
}

static void print_key(const printer *p, const rill_param *row, const void *block)
{
    const char *key = row->name;
    if (row->kind == PARAM_NAMED_POINT)
        key = row->words[*(const gauge_kind *)((const char *)block + row->count_offset)];
    text_quoted(p->out, key);
    text_add(p->out, ": ");
}

/* Whether where the camera looks changes what the chosen method computes. */
static bool samples_by_view(const rill_scene *scene)
{
    const rill_param *row = scene->method ? scene->method->params : NULL;
    for (; row && row->kind; row++)
        if (row->kind == PARAM_BOOL && strcmp(row->name, "view_dependent") == 0)
            return *(const bool *)((const char *)scene_method_def_of(scene, scene->method->name) +
                                   row->offset);
    return false;
}

static bool about_pictures(const printer *p, const rill_param *row)
{
    return p->state && row->picture && !(row->table == scene_camera_params && samples_by_view(p->scene));
}

static bool all_default(const rill_param *table, const void *block);

/* Whether a row has the value it has when the file does not name it. */
static bool is_default(const rill_param *row, const void *block)
{
    const void *at = (const char *)block + row->offset;
    if (row->required || row->optional) return false;
    if (row->varies && ((const keyframes *)(const void *)((const char *)block + row->keys_offset))->count)
        return false;
    switch (row->kind) {
    case PARAM_NUMBER: return *(const double *)at == row->value;
    case PARAM_INTEGER: return *(const int32_t *)at == row->value;
    case PARAM_BOOL: return *(const bool *)at == (row->value != 0);
    case PARAM_CHOICE: return strcmp(row->words[*(const int *)at], row->text) == 0;
    case PARAM_FLAGS: return *(const uint32_t *)at == 0 && !(row->text && row->text[0]);
    case PARAM_TEXT: {
        const char *value = *(char *const *)at;
        return strcmp(value ? value : "", row->text ? row->text : "") == 0;
    }
    case PARAM_POINT:
    case PARAM_POINT3: return v3_distance(*(const rill_vec3 *)at, row->point) == 0;
    case PARAM_BLOCK: return all_default(row->table, at);
    case PARAM_PAIR: return ((const double *)at)[0] == 0 && ((const double *)at)[1] == 0;
    case PARAM_LIST: return *(const uint32_t *)((const char *)block + row->count_offset) == 0;
    default: return false;
    }
}

static bool all_default(const rill_param *table, const void *block)
{
    for (const rill_param *row = table; row->kind; row++)
        if (!is_default(row, block)) return false;
    return true;
}

/* Never a table's first row, except from what is only hashed: that leaves defaults out, so that keys of later
 * versions do not change it. */
static bool left_out(const printer *p, const rill_param *row, const void *block)
{
    if (about_pictures(p, row) || (p->state && is_default(row, block))) return true;
    const size_t at = row->offset;
    if (row->kind == PARAM_SHAPE && !row->required)
        return ((const shape *)((const char *)block + at))->kind == SHAPE_NONE;
    if (row->kind == PARAM_TEXT && row->sparse) {
        const char *value = *(char *const *)((const char *)block + at);
        return !value || !value[0];
    }
    if (row->optional) return !*(const bool *)((const char *)block + row->count_offset);
    return row->sparse && *(const uint32_t *)((const char *)block + at + row->table->count_offset) == 0;
}

static void print_block(const printer *p, const rill_param *table, const void *block, const char *between)
{
    for (const rill_param *row = table; row->kind; row++) {
        if (left_out(p, row, block)) continue;
        if (row != table) text_add(p->out, between);
        print_key(p, row, block);
        print_value(p, row, block, true);
    }
}

static void print_scene(const rill_scene *scene, bool names, bool state, text *out)
{
    const printer p = {out, scene, names, state};
    for (const rill_param *row = scene_params; row->kind; row++) {
        if (left_out(&p, row, scene)) continue;
        text_add(out, row == scene_params ? "{\n  " : ",\n  ");
        print_key(&p, row, scene);
        print_value(&p, row, scene, false);
        if (row->kind != PARAM_METHOD) continue;
        for (uint32_t k = 0; k < scene->method_count; k++) {
            if (state && scene->methods[k].method != scene->method) continue;
            text_add(out, ",\n  ");
            text_quoted(out, scene->methods[k].method->name);
            text_add(out, ": {\n    ");
            print_block(&p, scene->methods[k].method->params, scene->methods[k].def, ",\n    ");
            text_add(out, "\n  }");
        }
    }
    text_add(out, "\n}\n");
}

void scene_print(const rill_scene *scene, text *out)
{
    print_scene(scene, false, false, out);
}

static rill_status hash_printed(rill_ctx *ctx, const rill_scene *scene, bool state, uint64_t *hash)
{
    text t;
    text_init(&t, ctx);
    print_scene(scene, true, state, &t);
    const rill_status st = text_check(&t);
    if (!st) *hash = hash_bytes(t.data, t.length, 0);
    text_clear(&t);
    return st;
}

rill_status scene_hash(rill_ctx *ctx, const rill_scene *scene, uint64_t *hash)
{
    return hash_printed(ctx, scene, false, hash);
}

rill_status scene_state_hash(rill_ctx *ctx, const rill_scene *scene, uint64_t *hash)
{
    return hash_printed(ctx, scene, true, hash);
}
