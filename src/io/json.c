/* The JSON reader: values, lists and objects. Recursive, at most JSON_MAX_DEPTH deep;
 * time and memory grow in proportion to the text. */
#include "io/json_parser.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

rill_status json_fail(const json_parser *p, int line, int column, const char *format, ...)
{
    char cause[512];
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    if (p->source) return rill_fail(p->ctx, RILL_BAD_SCENE, "%s: %s", p->source, cause);
    return rill_fail(p->ctx, RILL_BAD_SCENE, "%s:%d:%d: %s", p->name, line, column, cause);
}

rill_status json_unexpected(const json_parser *p, const char *needed)
{
    if (p->at == p->end)
        return json_fail(p, p->line, p->column, "%s is needed here, but the text ends", needed);
    const unsigned c = *p->at;
    if (c == '/' || c == '#')
        return json_fail(p, p->line, p->column, "comments are not allowed in JSON; remove it");
    if (c > 0x20 && c < 0x7F)
        return json_fail(p, p->line, p->column, "%s is needed here, not '%c'", needed, (int)c);
    const size_t n = json_utf8_length(p->at, p->end);
    if (n > 1)
        return json_fail(p, p->line, p->column, "%s is needed here, not '%.*s'", needed, (int)n,
                         (const char *)p->at);
    return json_fail(p, p->line, p->column, "%s is needed here, not the byte 0x%02x", needed, c);
}

json_shown json_show(const char *string)
{
    json_shown s;
    const unsigned char *c = (const unsigned char *)string, *end = c + strlen(string);
    size_t used = 0;
    while (c < end) {
        const size_t n = json_utf8_length(c, end);
        if (used + n + 4 >= sizeof s.text) {
            memcpy(s.text + used, "...", 3);
            used += 3;
            break;
        }
        if (n == 0 || *c < 0x20 || *c == 0x7F) {
            s.text[used++] = '?';
            c++;
        } else {
            memcpy(s.text + used, c, n);
            used += n;
            c += n;
        }
    }
    s.text[used] = 0;
    return s;
}

static void skip_space(json_parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
        json_advance(p);
}

static bool next_is(const json_parser *p, int c)
{
    return p->at < p->end && *p->at == c;
}

static rill_status value_create(json_parser *p, json_value **out)
{
    enum { AT_A_TIME = 32 };
    if (p->value_count == JSON_MAX_VALUES)
        return json_fail(p, p->line, p->column, "more than %d values", JSON_MAX_VALUES);
    if (p->spare_count == 0) {
        TRY(ARENA_NEW(p->arena, p->spare, AT_A_TIME));
        p->spare_count = AT_A_TIME;
    }
    json_value *v = p->spare++;
    p->spare_count--;
    p->value_count++;
    *v = (json_value){
        .line = p->source ? 0 : p->line, .column = p->source ? 0 : p->column, .source = p->source};
    *out = v;
    return RILL_OK;
}

static rill_status parse_value(json_parser *p, int depth, json_value **out);

/* true, false, null; anything else that looks like a word is refused by name. */
static rill_status parse_word(json_parser *p, json_value *v)
{
    const int line = p->line, column = p->column;
    const unsigned char *start = p->at;
    while (p->at < p->end && ((*p->at | 0x20) >= 'a') && ((*p->at | 0x20) <= 'z')) json_advance(p);
    const size_t n = (size_t)(p->at - start);
    const char *word = (const char *)start;
    if (n == 4 && memcmp(word, "true", 4) == 0) {
        v->kind = JSON_BOOL;
        v->boolean = true;
    } else if (n == 5 && memcmp(word, "false", 5) == 0) {
        v->kind = JSON_BOOL;
    } else if (n == 4 && memcmp(word, "null", 4) == 0) {
        v->kind = JSON_NULL;
    } else {
        return json_fail(p, line, column,
                         "%.*s is not a value of JSON; write a number, a text in double quotes, true, false, "
                         "a list or an object",
                         (int)(n < 32 ? n : 32), word);
    }
    return RILL_OK;
}

static void append(json_value *parent, json_value ***last, json_value *child)
{
    **last = child;
    *last = &child->next;
    parent->count++;
}

/* After an element: a comma that is followed by another, or the end. */
static rill_status after_element(json_parser *p, int close, bool *done)
{
    const char *const needed = close == ']' ? "',' or ']'" : "',' or '}'";
    skip_space(p);
    if (next_is(p, close)) {
        json_advance(p);
        *done = true;
        return RILL_OK;
    }
    if (!next_is(p, ',')) return json_unexpected(p, needed);
    const int line = p->line, column = p->column;
    json_advance(p);
    skip_space(p);
    if (next_is(p, close)) return json_fail(p, line, column, "a comma before '%c'; remove it", close);
    *done = false;
    return RILL_OK;
}

static rill_status parse_array(json_parser *p, int depth, json_value *array)
{
    json_value **last = &array->child;
    json_advance(p);
    skip_space(p);
    array->kind = JSON_ARRAY;
    bool done = next_is(p, ']');
    if (done) json_advance(p);
    while (!done) {
        json_value *element;
        TRY(parse_value(p, depth + 1, &element));
        append(array, &last, element);
        TRY(after_element(p, ']', &done));
    }
    return RILL_OK;
}

/* A table of the keys seen, so that an object of many members costs no more per member
 * than one of few. */
static rill_status refuse_duplicates(json_parser *p, const json_value *object)
{
    size_t size = 4;
    while (size < 2 * (size_t)object->count) size *= 2;
    const json_value *few[64] = {0}, **seen = few;
    if (size > 64) {
        TRY(ARENA_NEW(p->arena, seen, size));
        memset(seen, 0, size * sizeof *seen);
    }
    for (const json_value *m = object->child; m; m = m->next) {
        size_t slot = (size_t)hash_bytes(m->key, strlen(m->key), 0) & (size - 1);
        for (; seen[slot]; slot = (slot + 1) & (size - 1))
            if (strcmp(seen[slot]->key, m->key) == 0)
                return json_fail(p, m->key_line, m->key_column,
                                 "\"%s\" is given twice, first at line %d column %d; remove one",
                                 json_show(m->key).text, seen[slot]->key_line, seen[slot]->key_column);
        seen[slot] = m;
    }
    return RILL_OK;
}

static rill_status parse_object(json_parser *p, int depth, json_value *object)
{
    json_value **last = &object->child;
    json_advance(p);
    skip_space(p);
    object->kind = JSON_OBJECT;
    bool done = next_is(p, '}');
    if (done) json_advance(p);
    while (!done) {
        const int line = p->line, column = p->column;
        const char *key;
        if (!next_is(p, '"')) return json_unexpected(p, "a key in double quotes");
        TRY(json_scan_string(p, &key));
        skip_space(p);
        if (!next_is(p, ':')) return json_unexpected(p, "':' after the key");
        json_advance(p);
        skip_space(p);
        json_value *member;
        TRY(parse_value(p, depth + 1, &member));
        member->key = key;
        member->key_line = line;
        member->key_column = column;
        append(object, &last, member);
        TRY(after_element(p, '}', &done));
    }
    return refuse_duplicates(p, object);
}

static rill_status parse_value(json_parser *p, int depth, json_value **out)
{
    if (p->at == p->end) return json_unexpected(p, "a value");
    json_value *v = NULL;
    TRY(value_create(p, &v));
    const unsigned c = *p->at;
    if (c == '{' || c == '[') {
        if (depth > JSON_MAX_DEPTH)
            return json_fail(p, p->line, p->column, "lists and objects nested more than %d deep",
                             JSON_MAX_DEPTH);
        TRY(c == '{' ? parse_object(p, depth, v) : parse_array(p, depth, v));
    } else if (c == '"') {
        v->kind = JSON_STRING;
        TRY(json_scan_string(p, &v->string));
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        v->kind = JSON_NUMBER;
        TRY(json_scan_number(p, &v->number));
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
        TRY(parse_word(p, v));
    } else if (c == '\'') {
        return json_fail(p, p->line, p->column, "texts are written in double quotes, not single ones");
    } else {
        return json_unexpected(p, "a value");
    }
    *out = v;
    return RILL_OK;
}

/* Encodings other editors save: the message names them, since the bytes are invisible. */
static rill_status refuse_encodings(const json_parser *p)
{
    const unsigned char *b = p->at;
    const size_t n = (size_t)(p->end - p->at);
    if (n >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF)
        return json_fail(p, 1, 1, "the text begins with a byte order mark; save it as UTF-8 without one");
    if (n >= 2 &&
        ((b[0] == 0xFE && b[1] == 0xFF) || (b[0] == 0xFF && b[1] == 0xFE) || b[0] == 0 || b[1] == 0))
        return json_fail(p, 1, 1, "the text is not UTF-8 (UTF-16?); save it as UTF-8");
    return RILL_OK;
}

static rill_status parse_text(json_parser *p, json_value **out)
{
    json_value *root;
    TRY(refuse_encodings(p));
    skip_space(p);
    if (p->at == p->end) return json_fail(p, p->line, p->column, "there is nothing in it");
    TRY(parse_value(p, 1, &root));
    skip_space(p);
    if (p->at < p->end) return json_unexpected(p, "the end of the text");
    *out = root;
    return RILL_OK;
}

rill_status json_parse_source(rill_ctx *ctx, rill_arena *arena, const char *name, const char *source,
                              const char *bytes, size_t length, json_value **out)
{
    json_parser p = {.ctx = ctx,
                     .arena = arena,
                     .name = name,
                     .source = source,
                     .at = (const unsigned char *)bytes,
                     .end = (const unsigned char *)bytes + length,
                     .line = 1,
                     .column = 1};
    if (length > JSON_MAX_BYTES)
        return json_fail(&p, 1, 1, "the text is longer than %d bytes", JSON_MAX_BYTES);
    TRY(ARENA_NEW(arena, p.pool, length + 1));
    p.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!p.plain) return mem_failed(ctx, 1, sizeof p.plain);
    const rill_status st = parse_text(&p, out);
    freelocale(p.plain);
    return st;
}

rill_status json_parse(rill_ctx *ctx, rill_arena *arena, const char *name, const char *bytes, size_t length,
                       json_value **out)
{
    return json_parse_source(ctx, arena, name, NULL, bytes, length, out);
}

const json_value *json_find(const json_value *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (const json_value *m = object->child; m; m = m->next)
        if (strcmp(m->key, key) == 0) return m;
    return NULL;
}
