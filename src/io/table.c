#include "io/table.h"

#include "base/plain.h"
#include "io/file.h"
#include "io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 256 };
static const uint64_t largest = (uint64_t)4 << 30;

/* ---- columns ---- */

void table_clear(table *t)
{
    for (uint32_t k = 0; k < t->column_count; k++) mem_free(t->ctx, t->column[k].value);
    mem_free(t->ctx, t->column);
    *t = (table){0};
}

const double *table_find(const table *t, const char *name)
{
    for (uint32_t k = 0; k < t->column_count; k++)
        if (strcmp(t->column[k].name, name) == 0) return t->column[k].value;
    return NULL;
}

static rill_status add_column(table *t, const char *name, uint32_t *index)
{
    size_t capacity = t->column_capacity;
    double *value;
    TRY(mem_grow(t->ctx, &t->column, sizeof *t->column, &capacity, t->column_count + 1));
    t->column_capacity = (uint32_t)capacity;
    TRY(MEM_NEW(t->ctx, value, t->capacity));
    for (size_t i = 0; i < t->capacity; i++) value[i] = NAN;
    *index = t->column_count++;
    table_column *c = &t->column[*index];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->value = value;
    return RILL_OK;
}

/* Lines name their columns in the same order: it is mostly the one after the last. */
static rill_status put(table *t, const char *name, double value, uint32_t *hint)
{
    uint32_t k = *hint;
    if (k >= t->column_count || strcmp(t->column[k].name, name) != 0) {
        for (k = 0; k < t->column_count && strcmp(t->column[k].name, name) != 0; k++) {
        }
        if (k == MAX_COLUMNS) return RILL_OK;
        if (k == t->column_count) TRY(add_column(t, name, &k));
    }
    t->column[k].value[t->rows] = value;
    *hint = k + 1;
    return RILL_OK;
}

static void damaged(table *t, const char *path, size_t line, const char *what)
{
    if (t->damaged++ == 0) snprintf(t->damage, sizeof t->damage, "%s:%zu: %s", path, line, what);
}

/* ---- lines ---- */

typedef struct {
    const char *path, *at, *end;
    size_t number;
} line_reader;

/* The next line, without its end; false when there is none. */
static bool next_line(line_reader *r, const char **begin, size_t *length)
{
    if (r->at >= r->end) return false;
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    *begin = r->at;
    *length = (size_t)((stop ? stop : r->end) - r->at);
    r->at = stop ? stop + 1 : r->end;
    r->number++;
    if (*length && (*begin)[*length - 1] == '\r') --*length;
    return true;
}

static size_t count_lines(const char *bytes, size_t length)
{
    size_t n = 1;
    for (size_t i = 0; i < length; i++) n += bytes[i] == '\n';
    return n;
}

typedef rill_status read_lines(table *t, line_reader *r);

static rill_status read_table(rill_ctx *ctx, const char *path, read_lines *lines, table *out)
{
    char *bytes;
    size_t length;
    TRY(file_read_all(ctx, path, largest, &bytes, &length));
    table t = {.ctx = ctx, .capacity = count_lines(bytes, length)};
    line_reader r = {path, bytes, bytes + length, 0};
    const locale_t before = plain_begin();
    const rill_status st = lines(&t, &r);
    plain_end(before);
    mem_free(ctx, bytes);
    if (st) {
        table_clear(&t);
        return st;
    }
    *out = t;
    return RILL_OK;
}

/* ---- JSON lines ---- */

static rill_status put_object(table *t, const json_value *line)
{
    uint32_t hint = 0;
    for (const json_value *v = line->child; v; v = v->next) {
        if (v->kind == JSON_NUMBER) TRY(put(t, v->key, v->number, &hint));
        if (v->kind != JSON_OBJECT) continue;
        for (const json_value *w = v->child; w; w = w->next) {
            char name[2 * TABLE_NAME];
            snprintf(name, sizeof name, "%.60s.%.60s", v->key, w->key);
            name[TABLE_NAME - 1] = 0;
            if (w->kind == JSON_NUMBER) TRY(put(t, name, w->number, &hint));
        }
    }
    t->rows++;
    return RILL_OK;
}

static rill_status jsonl_lines(table *t, line_reader *r)
{
    rill_arena arena;
    const char *begin;
    size_t length;
    rill_status st = RILL_OK;
    arena_init(&arena, t->ctx);
    while (!st && next_line(r, &begin, &length)) {
        json_value *line = NULL;
        if (length == 0) continue;
        arena_reset(&arena);
        st = json_parse(t->ctx, &arena, r->path, begin, length, &line);
        if (st == RILL_BAD_SCENE || (!st && line->kind != JSON_OBJECT)) {
            damaged(t, r->path, r->number, "this is not a whole line of statistics");
            st = RILL_OK;
        } else if (!st) {
            st = put_object(t, line);
        }
    }
    arena_clear(&arena);
    return st;
}

rill_status table_read_jsonl(rill_ctx *ctx, const char *path, table *out)
{
    return read_table(ctx, path, jsonl_lines, out);
}

/* ---- CSV ---- */

/* The field that begins at *at; *at moves behind its comma, or to NULL at the end. */
static size_t field(const char **at, const char *end, char *out, size_t capacity)
{
    const char *a = *at, *stop = memchr(a, ',', (size_t)(end - a));
    const char *b = stop ? stop : end;
    *at = stop ? stop + 1 : NULL;
    while (a < b && (*a == ' ' || *a == '\t' || *a == '"')) a++;
    while (b > a && (b[-1] == ' ' || b[-1] == '\t' || b[-1] == '"')) b--;
    size_t n = (size_t)(b - a);
    if (n >= capacity) n = capacity - 1;
    memcpy(out, a, n);
    out[n] = 0;
    return n;
}

static bool number_of(const char *given, double *out)
{
    char *end;
    *out = strtod(given, &end);
    return *given != 0 && *end == 0;
}

static rill_status csv_names(table *t, const char *at, const char *end, bool *named)
{
    char name[TABLE_NAME];
    double value;
    *named = false;
    for (const char *f = at; f;) *named |= field(&f, end, name, sizeof name) && !number_of(name, &value);
    for (uint32_t k = 0; at && k < MAX_COLUMNS; k++) {
        uint32_t index;
        (void)field(&at, end, name, sizeof name);
        if (!*named || !*name) snprintf(name, sizeof name, "%u", k + 1);
        TRY(add_column(t, name, &index));
    }
    return RILL_OK;
}

/* A column of texts, with whatever commas they have: the last of a table. */
static bool is_text(const table *t, uint32_t k)
{
    return k + 1 == t->column_count && strcmp(t->column[k].name, "name") == 0;
}

/* False when a field is no number or there are too many; an empty one is missing. */
static bool csv_row(table *t, const char *at, const char *end)
{
    char given[64];
    bool good = true;
    for (uint32_t k = 0; at && good && !is_text(t, k); k++) {
        double value = NAN;
        good = (!field(&at, end, given, sizeof given) || number_of(given, &value)) && k < t->column_count;
        if (good) t->column[k].value[t->rows] = value;
    }
    if (good)
        t->rows++;
    else
        for (uint32_t c = 0; c < t->column_count; c++) t->column[c].value[t->rows] = NAN;
    return good;
}

static rill_status csv_lines(table *t, line_reader *r)
{
    const char *begin;
    size_t length;
    while (next_line(r, &begin, &length)) {
        const char *comment = memchr(begin, '#', length), *end = comment ? comment : begin + length;
        bool blank = true;
        for (const char *c = begin; c < end; c++) blank &= *c == ' ' || *c == '\t';
        if (blank) continue;
        if (t->column_count == 0) {
            bool named;
            TRY(csv_names(t, begin, end, &named));
            if (named) continue;
        }
        if (!csv_row(t, begin, end)) damaged(t, r->path, r->number, "this is not a row of numbers");
    }
    return RILL_OK;
}

rill_status table_read_csv(rill_ctx *ctx, const char *path, table *out)
{
    return read_table(ctx, path, csv_lines, out);
}
