/* The text in front of a PLY file. Everything the data part relies on is checked here:
 * each element has properties, names are unique, and the least number of bytes the
 * counts call for is there. */
#include "io/ply.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *other;
    size_t size;
} types[PLY_TYPES] = {{"char", "int8", 1},     {"uchar", "uint8", 1},   {"short", "int16", 2},
                      {"ushort", "uint16", 2}, {"int", "int32", 4},     {"uint", "uint32", 4},
                      {"float", "float32", 4}, {"double", "float64", 8}};

const char *ply_type_word(ply_type type)
{
    return types[type].word;
}

size_t ply_type_size(ply_type type)
{
    return types[type].size;
}

double ply_value(const uint8_t *at, ply_type type)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } v;
    memcpy(&v, at, types[type].size);
    switch (type) {
    case PLY_I8: return v.i8;
    case PLY_U8: return v.u8;
    case PLY_I16: return v.i16;
    case PLY_U16: return v.u16;
    case PLY_I32: return v.i32;
    case PLY_U32: return v.u32;
    case PLY_F32: return v.f32;
    default: return v.f64;
    }
}

/* One line of the header, cut into words. */
enum { MAX_WORDS = 6, MAX_LINE = 1024 };
typedef struct header_line {
    int number;
    char text[MAX_LINE];
    char *word[MAX_WORDS];
    int words; /* MAX_WORDS: perhaps more */
} header_line;

typedef struct header_reader {
    rill_ctx *ctx;
    const char *name, *bytes;
    size_t length, at;
    bool cr; /* lines end in \r alone */
    header_line line;
    ply_header *out;
} header_reader;

static rill_status bad(header_reader *r, const char *cause)
{
    return rill_fail(r->ctx, RILL_BAD_FILE, "%s:%d: %s", r->name, r->line.number, cause);
}

static rill_status next_line(header_reader *r)
{
    header_line *l = &r->line;
    l->number++;
    const size_t limit = r->length < PLY_MAX_HEADER ? r->length : PLY_MAX_HEADER;
    const size_t left = limit - r->at;
    const char *start = r->bytes + r->at, *end = left ? memchr(start, r->cr ? '\r' : '\n', left) : NULL;
    if (!end) return bad(r, "the PLY header has no end_header");
    size_t n = (size_t)(end - start);
    r->at += n + 1;
    if (n >= MAX_LINE || memchr(start, 0, n)) return bad(r, "not a line of a PLY header");
    memcpy(l->text, start, n);
    while (n > 0 && (l->text[n - 1] == '\r' || l->text[n - 1] == ' ')) n--;
    l->text[n] = 0;
    l->words = 0;
    for (char *c = l->text; *c && l->words < MAX_WORDS;) {
        while (*c == ' ' || *c == '\t') *c++ = 0;
        if (!*c) break;
        l->word[l->words++] = c;
        while (*c && *c != ' ' && *c != '\t') c++;
    }
    return RILL_OK;
}

static bool is_word(const header_line *l, int k, const char *word)
{
    return k < l->words && strcmp(l->word[k], word) == 0;
}

static bool find_type(const char *word, ply_type *out)
{
    for (int t = 0; t < PLY_TYPES; t++)
        if (strcmp(word, types[t].word) == 0 || strcmp(word, types[t].other) == 0) {
            *out = (ply_type)t;
            return true;
        }
    return false;
}

static void read_comment(header_reader *r)
{
    const header_line *l = &r->line;
    if (l->words != 3) return;
    if (is_word(l, 1, "rill")) {
        snprintf(r->out->version, PLY_NAME, "rill %.40s", l->word[2]);
    } else if (is_word(l, 1, "time")) {
        const double t = strtod(l->word[2], NULL);
        if (isfinite(t)) r->out->time = t;
    } else if (is_word(l, 1, "frame")) {
        const long long f = strtoll(l->word[2], NULL, 10);
        if (f >= 0) r->out->frame = f;
    }
}

static rill_status read_element(header_reader *r)
{
    const header_line *l = &r->line;
    if (l->words != 3) return bad(r, "expected \"element NAME COUNT\"");
    if (r->out->element_count == PLY_MAX_ELEMENTS)
        return bad(r, "more kinds of elements than Rill takes (8)");
    ply_element *e = &r->out->element[r->out->element_count++];
    *e = (ply_element){.line = l->number};
    if (strlen(l->word[1]) >= PLY_NAME) return bad(r, "the name of the element is too long");
    strcpy(e->name, l->word[1]);
    for (uint32_t k = 0; k + 1 < r->out->element_count; k++)
        if (strcmp(r->out->element[k].name, e->name) == 0)
            return bad(r, "an element of this name is there already");
    const char *c = l->word[2];
    if (strlen(c) > 12 || strspn(c, "0123456789") != strlen(c)) return bad(r, "not a count of elements");
    e->count = strtoull(c, NULL, 10);
    return RILL_OK;
}

static rill_status read_property(header_reader *r)
{
    const header_line *l = &r->line;
    if (r->out->element_count == 0) return bad(r, "a property before any element");
    ply_element *e = &r->out->element[r->out->element_count - 1];
    if (e->property_count == PLY_MAX_PROPERTIES) return bad(r, "more properties than Rill takes (40)");
    ply_property *p = &e->property[e->property_count];
    *p = (ply_property){.min = INFINITY, .max = -INFINITY};
    p->list = is_word(l, 1, "list");
    const int type = p->list ? 3 : 1;
    if (l->words != type + 2)
        return bad(r, "expected \"property TYPE NAME\" or \"property list TYPE TYPE NAME\"");
    if (!find_type(l->word[type], &p->type)) return bad(r, "unknown type of a property");
    if (p->list && (!find_type(l->word[2], &p->count_type) || p->count_type >= PLY_F32))
        return bad(r, "the length of a list must be of an integer type");
    if (strlen(l->word[type + 1]) >= PLY_NAME) return bad(r, "the name of the property is too long");
    strcpy(p->name, l->word[type + 1]);
    for (uint32_t k = 0; k < e->property_count; k++)
        if (strcmp(e->property[k].name, p->name) == 0)
            return bad(r, "a property of this name is there already");
    e->property_count++;
    e->lists |= p->list;
    e->record += types[p->list ? p->count_type : p->type].size;
    return RILL_OK;
}

/* An ascii file has a digit and something between numbers for every value (but behind the last). */
static size_t least_bytes(const ply_header *h, const ply_element *e)
{
    return h->format == PLY_ASCII ? 2 * (size_t)e->property_count : e->record;
}

static rill_status check_sizes(header_reader *r)
{
    uint64_t left = r->length - r->at + (r->out->format == PLY_ASCII);
    for (uint32_t k = 0; k < r->out->element_count; k++) {
        const ply_element *e = &r->out->element[k];
        if (e->property_count == 0)
            return rill_fail(r->ctx, RILL_BAD_FILE, "%s:%d: element \"%s\" has no properties", r->name,
                             e->line, e->name);
        const size_t least = least_bytes(r->out, e);
        if (e->count > left / least)
            return rill_fail(r->ctx, RILL_BAD_FILE,
                             "%s:%d: %llu of \"%s\" do not fit in the file; it is cut off or damaged",
                             r->name, e->line, (unsigned long long)e->count, e->name);
        left -= e->count * least;
    }
    return RILL_OK;
}

static rill_status read_format(header_reader *r)
{
    static const char *const words[] = {"binary_little_endian", "binary_big_endian", "ascii"};
    const header_line *l = &r->line;
    for (int k = 0; k < 3; k++)
        if (l->words == 3 && is_word(l, 1, words[k]) && is_word(l, 2, "1.0")) {
            r->out->format = (ply_format)k;
            return RILL_OK;
        }
    return bad(r, "expected \"format ascii 1.0\", binary_little_endian or binary_big_endian");
}

rill_status ply_parse_header(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                             ply_header *out)
{
    ply_header *h;
    TRY(MEM_NEW_ZERO(ctx, h, 1)); /* large for a stack */
    h->time = NAN;
    h->frame = -1;
    header_reader r = {.ctx = ctx, .name = name, .bytes = bytes, .length = length, .out = h};
    const header_line *l = &r.line;

    rill_status st = RILL_OK;
    if (length < 4 || memcmp(bytes, "ply", 3) != 0)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s:1: not a PLY file", name);
    r.cr = !st && bytes[3] == '\r' && length > 4 && bytes[4] != '\n';
    if (!st) st = next_line(&r);
    if (!st && (l->words != 1 || !is_word(l, 0, "ply"))) st = bad(&r, "not a PLY file");
    bool format = false, done = false;
    while (!st && !done) {
        st = next_line(&r);
        if (st || l->words == 0) continue;
        if (is_word(l, 0, "format")) {
            st = format ? bad(&r, "the format is given twice") : read_format(&r);
            format = true;
        } else if (is_word(l, 0, "comment") || is_word(l, 0, "obj_info")) {
            read_comment(&r);
        } else if (is_word(l, 0, "element")) {
            st = read_element(&r);
        } else if (is_word(l, 0, "property")) {
            st = read_property(&r);
        } else if (is_word(l, 0, "end_header")) {
            done = true;
        } else {
            st = bad(&r, "not a line of a PLY header");
        }
    }
    if (!st && !format)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s:%d: the PLY header has no format", name, l->number);
    if (!st) st = check_sizes(&r);
    h->bytes = r.at;
    h->lines = l->number;
    if (!st) *out = *h;
    mem_free(ctx, h);
    return st;
}
