/* Strings and numbers of JSON, RFC 8259 sections 6 and 7. */
#include "io/json_parser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t json_utf8_length(const unsigned char *at, const unsigned char *end)
{
    const unsigned char c = *at;
    if (c < 0x80) return 1;
    const size_t n = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (n == 0 || (size_t)(end - at) < n) return 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    if ((c == 0xE0 && at[1] < 0xA0) || (c == 0xED && at[1] > 0x9F) || (c == 0xF0 && at[1] < 0x90) ||
        (c == 0xF4 && at[1] > 0x8F))
        return 0;
    return n;
}

static void put(json_parser *p, unsigned byte)
{
    p->pool[p->pool_used++] = (char)byte;
}

static void put_code(json_parser *p, unsigned code)
{
    if (code < 0x80) {
        put(p, code);
    } else if (code < 0x800) {
        put(p, 0xC0 | code >> 6);
        put(p, 0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(p, 0xE0 | code >> 12);
        put(p, 0x80 | (code >> 6 & 0x3F));
        put(p, 0x80 | (code & 0x3F));
    } else {
        put(p, 0xF0 | code >> 18);
        put(p, 0x80 | (code >> 12 & 0x3F));
        put(p, 0x80 | (code >> 6 & 0x3F));
        put(p, 0x80 | (code & 0x3F));
    }
}

/* The four hexadecimal digits after \u, or -1. */
static int hex4(const unsigned char *at, const unsigned char *end)
{
    if (end - at < 4) return -1;
    int code = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned char c = at[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return -1;
        code = code << 4 | digit;
    }
    return code;
}

/* \uXXXX, or two of them for a character beyond U+FFFF; p->at is at the u. */
static rill_status scan_unicode(json_parser *p, int line, int column)
{
    int code = hex4(p->at + 1, p->end);
    size_t bytes = 5;
    if (code < 0) return json_fail(p, line, column, "\\u needs four hexadecimal digits, as in \\u00e9");
    if (code == 0) return json_fail(p, line, column, "\\u0000 is not allowed in a text");
    if (code >= 0xDC00 && code <= 0xDFFF)
        return json_fail(p, line, column, "\\u%04x is the second half of a pair without its first", code);
    if (code >= 0xD800 && code <= 0xDBFF) {
        const bool pair = p->end - p->at >= 11 && p->at[5] == '\\' && p->at[6] == 'u';
        const int low = pair ? hex4(p->at + 7, p->end) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return json_fail(p, line, column, "\\u%04x is the first half of a pair without its second", code);
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        bytes = 11;
    }
    put_code(p, (unsigned)code);
    for (size_t i = 0; i < bytes; i++) json_advance(p);
    return RILL_OK;
}

static rill_status scan_escape(json_parser *p)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const int line = p->line, column = p->column;
    json_advance(p);                     /* the backslash */
    if (p->at == p->end) return RILL_OK; /* reported as an unclosed string */
    if (*p->at == 'u') return scan_unicode(p, line, column);
    const char *found = *p->at ? strchr(letters, *p->at) : NULL;
    if (!found)
        return json_fail(p, line, column,
                         "a backslash is followed by one of \" \\ / b f n r t u; write \\\\ for a backslash "
                         "itself");
    put(p, (unsigned char)meanings[found - letters]);
    json_advance(p);
    return RILL_OK;
}

rill_status json_scan_string(json_parser *p, const char **out)
{
    const int line = p->line, column = p->column;
    char *start = p->pool + p->pool_used;
    json_advance(p); /* the opening quote */
    while (p->at < p->end && *p->at != '"') {
        if (*p->at == '\\') {
            TRY(scan_escape(p));
            continue;
        }
        if (*p->at == '\n' || *p->at == '\r')
            return json_fail(p, line, column,
                             "a text is not closed on its line; end it with \", or write \\n");
        if (*p->at < 0x20)
            return json_fail(p, p->line, p->column,
                             "a control character (0x%02x) inside a text; write \\u%04x", *p->at, *p->at);
        const size_t n = json_utf8_length(p->at, p->end);
        if (n == 0)
            return json_fail(p, p->line, p->column, "byte 0x%02x is not UTF-8; save the file as UTF-8",
                             *p->at);
        for (size_t i = 0; i < n; i++) {
            put(p, *p->at);
            json_advance(p);
        }
    }
    if (p->at == p->end) return json_fail(p, line, column, "a text is not closed; end it with \"");
    json_advance(p);
    put(p, 0);
    *out = start;
    return RILL_OK;
}

static bool digit_at(const json_parser *p)
{
    return p->at < p->end && *p->at >= '0' && *p->at <= '9';
}

static rill_status scan_digits(json_parser *p, const char *where)
{
    if (!digit_at(p)) return json_unexpected(p, where);
    while (digit_at(p)) json_advance(p);
    return RILL_OK;
}

rill_status json_scan_number(json_parser *p, double *out)
{
    const int line = p->line, column = p->column;
    const unsigned char *start = p->at;
    if (*p->at == '-') json_advance(p);
    if (p->at < p->end && *p->at == '0') {
        json_advance(p);
        if (digit_at(p)) return json_fail(p, line, column, "a number does not begin with 0 and more digits");
    } else {
        TRY(scan_digits(p, "a digit"));
    }
    if (p->at < p->end && *p->at == '.') {
        json_advance(p);
        TRY(scan_digits(p, "a digit after the point"));
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        json_advance(p);
        if (p->at < p->end && (*p->at == '+' || *p->at == '-')) json_advance(p);
        TRY(scan_digits(p, "a digit of the exponent"));
    }

    /* The pool is large enough: it holds as many bytes as the text so far, and one. */
    char *copy = p->pool + p->pool_used;
    const size_t length = (size_t)(p->at - start);
    memcpy(copy, start, length);
    copy[length] = 0;
    const double value = strtod_l(copy, NULL, p->plain);
    if (!isfinite(value))
        return json_fail(p, line, column, "the number is too large (the limit is about 1.8e308)");
    *out = value;
    return RILL_OK;
}
