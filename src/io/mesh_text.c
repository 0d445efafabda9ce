#include "io/mesh_text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

rill_status mesh_text_init(mesh_text *t, rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                           size_t line)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return rill_fail(ctx, RILL_NO_MEMORY, "%s: no memory for the plain locale", name);
    *t = (mesh_text){.ctx = ctx, .name = name, .at = bytes, .end = bytes + length, .line = line};
    t->plain = plain;
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) t->at += 3;
    return RILL_OK;
}

void mesh_text_clear(mesh_text *t)
{
    if (t->plain) freelocale(t->plain);
    t->plain = (locale_t)0;
}

void mesh_text_end_line(mesh_text *t)
{
    if (t->at == t->end) return;
    const bool pair = *t->at == '\r' && t->end - t->at > 1 && t->at[1] == '\n';
    t->at += pair ? 2 : 1;
    t->line++;
}

void mesh_text_skip_line(mesh_text *t)
{
    while (t->at < t->end && !mesh_is_line_end(*t->at)) t->at++;
    mesh_text_end_line(t);
}

bool mesh_text_word(mesh_text *t, mesh_word *out)
{
    while (t->at < t->end && (mesh_is_blank(*t->at) || mesh_is_line_end(*t->at))) {
        if (mesh_is_line_end(*t->at))
            mesh_text_end_line(t);
        else
            t->at++;
    }
    if (t->at == t->end) return false;
    *out = (mesh_word){t->at, 0, t->line};
    while (t->at < t->end && !mesh_is_blank(*t->at) && !mesh_is_line_end(*t->at)) t->at++;
    out->length = (size_t)(t->at - out->start);
    return true;
}

bool mesh_word_is(const mesh_word *w, const char *s)
{
    return strlen(s) == w->length && strncasecmp(w->start, s, w->length) == 0;
}

const char *mesh_word_shown(const mesh_word *w, char shown[MESH_SHOWN])
{
    const size_t n = w->length < MESH_SHOWN - 4 ? w->length : MESH_SHOWN - 4;
    for (size_t i = 0; i < n; i++) {
        const char c = w->start[i];
        shown[i] = c > ' ' && c < 127 && c != '"' ? c : '?';
    }
    strcpy(shown + n, n < w->length ? "..." : "");
    return shown;
}

static bool not_finite_word(const char *s, size_t n, double *out)
{
    static const char *const word[] = {"nan", "inf", "infinity"};
    const bool negative = n && *s == '-';
    if (n && (*s == '-' || *s == '+')) s++, n--;
    for (int k = 0; k < 3; k++)
        if (strlen(word[k]) == n && strncasecmp(s, word[k], n) == 0) {
            *out = k == 0 ? NAN : negative ? -INFINITY : INFINITY;
            return true;
        }
    return false;
}

/* The C library's rounding, for what does not fit the exact short way below. */
static bool long_number(const mesh_text *t, const mesh_word *w, double *out)
{
    char copy[512]; /* the longest double written out has fewer than 350 digits before or after its point */
    if (w->length >= sizeof copy) return false;
    memcpy(copy, w->start, w->length);
    copy[w->length] = 0;
    *out = strtod_l(copy, NULL, t->plain);
    return true;
}

bool mesh_word_number(const mesh_text *t, const mesh_word *w, double *out)
{
    /* Up to 2^53 and times or by a power of ten up to 10^22: both exact doubles, so that the
     * one operation rounds right [Clinger 1990]. Holds for nearly all numbers in files. */
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *c = w->start, *const end = c + w->length;
    if (c == end) return false;
    const bool negative = *c == '-';
    if (negative || *c == '+') c++;
    uint64_t digits = 0;
    int significant = 0, any = 0, power = 0;
    bool point = false;
    for (; c < end && ((*c >= '0' && *c <= '9') || (*c == '.' && !point)); c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        any = 1;
        if (significant < 19) {
            digits = 10 * digits + (uint64_t)(*c - '0');
            if (digits) significant++;
            power -= point;
        } else {
            significant = 20; /* more than we keep: the long way */
        }
    }
    if (!any) return not_finite_word(w->start, w->length, out);
    if (c < end && (*c == 'e' || *c == 'E')) {
        c++;
        const bool down = c < end && *c == '-';
        if (c < end && (*c == '-' || *c == '+')) c++;
        if (c == end) return false;
        int e = 0;
        for (; c < end && *c >= '0' && *c <= '9'; c++)
            if (e < 100000) e = 10 * e + (*c - '0');
        power += down ? -e : e;
    }
    if (c != end) return false;
    if (significant > 19 || digits > (uint64_t)1 << 53 || power < -22 || power > 22)
        return long_number(t, w, out);
    const double v = power < 0 ? (double)digits / ten[-power] : (double)digits * ten[power];
    *out = negative ? -v : v;
    return true;
}
