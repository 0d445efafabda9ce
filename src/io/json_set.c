/* Changes to a JSON value from the command line: PATH=VALUE.
 *
 * A path is keys joined by points, each followed by any number of indices in brackets,
 * from 0. Members that are missing are made, elements are not. */
#include "io/json_parser.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_KEY = 64 };

typedef struct setter {
    rill_ctx *ctx;
    rill_arena *arena;
    const char *path, *source;
} setter;

static bool is_key_byte(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static rill_status bad_path(const setter *s, const char *at)
{
    return rill_fail(s->ctx, RILL_USAGE,
                     "%s: the path is wrong from its character %zu on; it is written like sph.kernel or "
                     "liquid[0].velocity",
                     s->source, (size_t)(at - s->path) + 1);
}

/* The value: JSON, or a bare word, which is a string. */
static rill_status parse_given(const setter *s, const char *value, json_value **out)
{
    const bool word = value[0] == 0 || !strchr("{[\"+-.0123456789 \t\r\n", value[0]);
    const bool constant = !strcmp(value, "true") || !strcmp(value, "false") || !strcmp(value, "null");
    if (!word || constant)
        return json_parse_source(s->ctx, s->arena, "", s->source, value, strlen(value), out);
    text quoted; /* through the reader all the same: it checks UTF-8 */
    text_init(&quoted, s->ctx);
    text_quoted(&quoted, value);
    rill_status st = text_check(&quoted);
    if (!st) st = json_parse_source(s->ctx, s->arena, "", s->source, quoted.data, quoted.length, out);
    text_clear(&quoted);
    return st;
}

static rill_status member_create(const setter *s, json_value *object, const char *key, json_value **out)
{
    json_value *m;
    char *name;
    TRY(ARENA_NEW(s->arena, m, 1));
    TRY(ARENA_NEW(s->arena, name, strlen(key) + 1));
    strcpy(name, key);
    *m = (json_value){.kind = JSON_OBJECT, .source = s->source, .key = name};
    json_value **last = &object->child;
    while (*last) last = &(*last)->next;
    *last = m;
    object->count++;
    *out = m;
    return RILL_OK;
}

static rill_status enter_key(const setter *s, const char **at, json_value **v)
{
    char key[LONGEST_KEY + 1];
    size_t n = 0;
    while (is_key_byte((unsigned char)(*at)[n])) n++;
    if (n == 0 || n > LONGEST_KEY) return bad_path(s, *at);
    memcpy(key, *at, n);
    key[n] = 0;
    if ((*v)->kind != JSON_OBJECT)
        return rill_fail(s->ctx, RILL_BAD_SCENE, "%s: what \"%s\" should be a key of is not an object",
                         s->source, key);
    *at += n;
    json_value *found = (json_value *)json_find(*v, key);
    if (!found) TRY(member_create(s, *v, key, &found));
    *v = found;
    return RILL_OK;
}

static rill_status enter_index(const setter *s, const char **at, json_value **v)
{
    const char *c = *at + 1;
    uint32_t index = 0;
    size_t digits = strspn(c, "0123456789");
    if (digits == 0 || digits > 7 || c[digits] != ']') return bad_path(s, c);
    for (; digits; digits--) index = 10 * index + (uint32_t)(*c++ - '0');
    if ((*v)->kind != JSON_ARRAY || index >= (*v)->count)
        return rill_fail(s->ctx, RILL_BAD_SCENE, "%s: there is no element [%u]; the scene has %u there",
                         s->source, index, (*v)->kind == JSON_ARRAY ? (*v)->count : 0);
    json_value *element = (*v)->child;
    while (index--) element = element->next;
    *v = element;
    *at = c + 1;
    return RILL_OK;
}

/* The value takes the place of the old one and keeps its key and siblings. */
static void replace(json_value *old, const json_value *fresh)
{
    json_value v = *fresh;
    v.key = old->key;
    v.key_line = old->key_line;
    v.key_column = old->key_column;
    v.next = old->next;
    *old = v;
}

rill_status json_set_from(rill_ctx *ctx, rill_arena *arena, json_value *root, const char *path,
                          const char *value, const char *source)
{
    const setter s = {ctx, arena, path, source};
    json_value *fresh, *v = root;
    const char *at = path;
    TRY(parse_given(&s, value, &fresh));
    for (;;) {
        TRY(enter_key(&s, &at, &v));
        while (*at == '[') TRY(enter_index(&s, &at, &v));
        if (*at == 0) break;
        if (*at != '.') return bad_path(&s, at);
        at++;
    }
    replace(v, fresh);
    return RILL_OK;
}

rill_status json_set(rill_ctx *ctx, rill_arena *arena, json_value *root, const char *path, const char *value)
{
    enum { LONGEST = 2 * sizeof(json_shown) + 8 };
    char *source = NULL;
    TRY(ARENA_NEW(arena, source, LONGEST));
    snprintf(source, LONGEST, "--set %s=%s", json_show(path).text, json_show(value).text);
    return json_set_from(ctx, arena, root, path, value, source);
}
