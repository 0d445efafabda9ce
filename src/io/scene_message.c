/* What the scene reader says: place, cause, remedy. */
#include "base/words.h"
#include "io/scene_reader.h"

#include <math.h>
#include <stdio.h>

static rill_status fail_at(scene_reader *r, rill_status status, const json_value *at, int line, int column,
                           const char *format, va_list args)
{
    char cause[1536];
    vsnprintf(cause, sizeof cause, format, args);
    r->fault = at;
    if (at->source) return rill_fail(r->ctx, status, "%s: %s", at->source, cause);
    return rill_fail(r->ctx, status, "%s:%d:%d: %s", r->name, line, column, cause);
}

rill_status scene_fail_as(scene_reader *r, rill_status status, const json_value *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(r, status, at, at->line, at->column, format, args);
    va_end(args);
    return status;
}

rill_status scene_fail(scene_reader *r, const json_value *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const rill_status st = fail_at(r, RILL_BAD_SCENE, at, at->line, at->column, format, args);
    va_end(args);
    return st;
}

void scene_warn(const scene_reader *r, const json_value *at, const char *format, ...)
{
    char cause[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    if (at->source)
        rill_log(r->ctx, RILL_LOG_WARNING, "%s: %s", at->source, cause);
    else
        rill_log(r->ctx, RILL_LOG_WARNING, "%s:%d:%d: %s", r->name, at->line, at->column, cause);
}

rill_status scene_fail_key(scene_reader *r, const json_value *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const rill_status st = fail_at(r, RILL_BAD_SCENE, at, at->key_line, at->key_column, format, args);
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

const char *scene_kind_word(const json_value *v)
{
    static const char *const words[] = {"null", "true or false", "a number", "a text", "a list", "an object"};
    return words[v->kind];
}

rill_status scene_wrong_kind(scene_reader *r, const char *key, const json_value *v, const char *needed)
{
    if (v->kind == JSON_OBJECT && json_find(v, "keyframes"))
        return scene_fail(r, v, "\"%s\" has keyframes, but does not vary in time; give one value", key);
    return scene_fail(r, v, "\"%s\" must be %s, not %s", key, needed, scene_kind_word(v));
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
