/* Blocks and lists of a scene file: which keys they have, by their tables. */
#include "base/words.h"
#include "io/scene_later.h"
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

rill_status scene_read_list(scene_reader *r, const rill_param *row, const json_value *v, void *block)
{
    if (v->kind != JSON_ARRAY) return scene_wrong_kind(r, row->name, v, "a list");
    if (v->count > row->max)
        return scene_fail(r, v, "\"%s\" has %u entries; at most %.0f are allowed", row->name, v->count,
                          row->max);
    if (v->count < row->min)
        return scene_fail(r, v, "\"%s\" is empty; give at least one entry, or leave it out", row->name);
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

rill_status scene_read_sub_block(scene_reader *r, const rill_param *row, const json_value *v, void *at)
{
    char label[64];
    snprintf(label, sizeof label, "\"%s\"", row->name);
    return scene_read_block(r, row->table, label, v, at);
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

/* The block of the scene that has a key which was given outside it; NULL: none has. */
static const rill_param *block_with(const char *key)
{
    for (const rill_param *block = scene_params; block->kind; block++) {
        if (block->kind != PARAM_BLOCK) continue;
        for (const rill_param *row = block->table; row->kind; row++)
            if (strcmp(row->name, key) == 0) return block;
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
    const bool later = later_key(table, m->key);
    if (later && table == scene_domain_params && m->kind == JSON_ARRAY && !m->child)
        return RILL_OK; /* "periodic": [], as scenes of earlier versions have it, asks for nothing */
    if (later) return scene_fail_key(r, m, "\"%s\" " SCENE_NOT_YET "; remove it", m->key);
    const char *now = replaced_key(label, m->key);
    if (now && m->kind == JSON_BOOL && !m->boolean) return RILL_OK; /* likewise */
    if (r->other_method && r->of_run) { /* runs of other versions name the keys of all methods */
        scene_warn(r, m,
                   "\"%s\" is not a key of %s in this version; the method is not used, and the key left out",
                   json_show(m->key).text, label);
        return RILL_OK;
    }
    if (now) return scene_fail_key(r, m, "\"%s\" is no key of %s any more; %s", m->key, label, now);
    if (table == scene_params) {
        if (later_method(m->key))
            return scene_fail_key(r, m, "the method \"%s\" " SCENE_NOT_YET "; remove its block", m->key);
        for (uint32_t k = 0; k < r->scene->method_count && n < MOST; k++)
            names[n++] = r->scene->methods[k].method->name;
    }
    const rill_param *block =
        table == scene_params && !words_nearest(names, m->key) ? block_with(m->key) : NULL;
    if (block)
        return scene_fail_key(r, m, "\"%s\" is a key of \"%s\": write \"%s\": { \"%s\": ... }", m->key,
                              block->name, block->name, m->key);
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
        r->other_method = r->scene->method && d->method != r->scene->method;
        const rill_status st = scene_read_block(r, d->method->params, label, m, d->def);
        r->other_method = false;
        return st;
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
    if (row->kind == PARAM_NAMED_POINT) return scene_read_named_point(r, row, word, m, block);
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
        return scene_fail(r, object, "%s must be an object, { ... }, not %s", label, scene_kind_word(object));
    uint64_t seen = 0;
    for (const json_value *m = object->child; m; m = m->next)
        if (!is_field_key(table, m->key)) TRY(read_member(r, table, label, m, block, &seen));
    for (const rill_param *row = table; row->kind; row++)
        if (row->required && !(seen & (uint64_t)1 << (row - table)))
            return scene_fail(r, object, "%s needs the key \"%s\": %s", label, row->name, row->help);
    return RILL_OK;
}
