#include "base/text.h"

#include "base/plain.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void text_init(text *t, rill_ctx *ctx)
{
    *t = (text){.ctx = ctx};
}

void text_clear(text *t)
{
    mem_free(t->ctx, t->data);
    text_init(t, t->ctx);
}

void text_bytes(text *t, const char *bytes, size_t count)
{
    if (t->failed) return;
    if (mem_grow(t->ctx, &t->data, 1, &t->capacity, t->length + count + 1) != RILL_OK) {
        t->failed = true;
        return;
    }
    memcpy(t->data + t->length, bytes, count);
    t->length += count;
    t->data[t->length] = 0;
}

void text_add(text *t, const char *string)
{
    text_bytes(t, string, strlen(string));
}

void text_print(text *t, const char *format, ...)
{
    char small[512];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const locale_t host = plain_begin();
    const int n = vsnprintf(small, sizeof small, format, args);
    if (n >= 0 && (size_t)n < sizeof small) {
        text_bytes(t, small, (size_t)n);
    } else if (n >= 0 && !t->failed) {
        if (mem_grow(t->ctx, &t->data, 1, &t->capacity, t->length + (size_t)n + 1) != RILL_OK) {
            t->failed = true;
        } else {
            vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
            t->length += (size_t)n;
        }
    }
    plain_end(host);
    va_end(again);
    va_end(args);
}

/* The shortest decimal with a point that reads back as the value, in the C locale. */
static void shortest(char *s, size_t capacity, double value)
{
    /* A decimal of up to 15 digits survives the way through a normal double, and %g drops
     * its zeros: fewer need not be tried. The subnormal ones hold less. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(s, capacity, "%.*g", digits, value);
        if (strtod(s, NULL) == value) return;
    }
}

void text_number(text *t, double value)
{
    char s[40];
    if (!isfinite(value)) {
        text_add(t, "null");
        return;
    }
    const locale_t host = plain_begin();
    if (value == floor(value) && fabs(value) < 1e15) /* 120, where %g would say 1.2e+02 */
        snprintf(s, sizeof s, "%.0f", value);
    else
        shortest(s, sizeof s, value);
    plain_end(host);
    text_add(t, s);
}

void text_quoted(text *t, const char *string)
{
    text_add(t, "\"");
    for (const unsigned char *c = (const unsigned char *)string; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_print(t, "\\%c", *c);
        else if (*c == '\n')
            text_add(t, "\\n");
        else if (*c == '\t')
            text_add(t, "\\t");
        else if (*c < 0x20)
            text_print(t, "\\u%04x", *c);
        else
            text_bytes(t, (const char *)c, 1);
    }
    text_add(t, "\"");
}

rill_status text_check(const text *t)
{
    return t->failed ? rill_fail(t->ctx, RILL_NO_MEMORY, "out of memory while writing a text") : RILL_OK;
}

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
