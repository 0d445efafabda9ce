/* PLY records in ascii or big endian order, turned into little endian ones of the same header,
 * so that the readers know one form. Errors keep their place: a big endian file has the same
 * byte offsets, and the line of an ascii record is found again by walking the text. */
#include "io/mesh_text.h"
#include "io/ply_data.h"

#include <math.h>
#include <string.h>

/* ---- big endian ---- */

static void reverse(uint8_t *at, size_t size)
{
    for (size_t k = 0; k < size / 2; k++) {
        const uint8_t kept = at[k];
        at[k] = at[size - 1 - k];
        at[size - 1 - k] = kept;
    }
}

/* The length of a list must be turned before it is read, so the walk is the readers' own, one
 * property behind the turning. */
static rill_status turn_property(ply_data *d, const ply_element *e, uint64_t record, const ply_property *p)
{
    const size_t head = p->list ? ply_type_size(p->count_type) : ply_type_size(p->type);
    if (d->length - d->at >= head) reverse(d->own + d->at, head);
    if (!p->list) return ply_skip_property(d, e, record, p);
    uint32_t count;
    const uint8_t *values;
    TRY(ply_next_list(d, e, record, p, &count, &values));
    const size_t size = ply_type_size(p->type), first = (size_t)(values - d->own);
    for (size_t k = 0; k < count; k++) reverse(d->own + first + k * size, size);
    return RILL_OK;
}

rill_status ply_from_big_endian(ply_data *d)
{
    TRY(MEM_NEW(d->ctx, d->own, d->source_length));
    memcpy(d->own, d->source, d->source_length);
    d->bytes = d->own;
    d->at = d->start;
    for (uint32_t k = 0; k < d->header->element_count; k++) {
        const ply_element *e = &d->header->element[k];
        for (uint64_t i = 0; i < e->count; i++)
            for (uint32_t p = 0; p < e->property_count; p++) TRY(turn_property(d, e, i, &e->property[p]));
    }
    return RILL_OK;
}

/* ---- ascii ---- */

typedef struct {
    ply_data *data;
    mesh_text text;
    size_t capacity; /* of data->own */
} ascii_reader;

static rill_status start_text(const ply_data *d, mesh_text *t)
{
    return mesh_text_init(t, d->ctx, d->name, d->source + d->header->bytes,
                          d->source_length - d->header->bytes, (size_t)d->header->lines + 1);
}

static rill_status next_number(ascii_reader *r, const ply_element *e, uint64_t record, ply_type type,
                               double *out)
{
    static const double least[] = {INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0},
                        most[] = {INT8_MAX, UINT8_MAX, INT16_MAX, UINT16_MAX, INT32_MAX, UINT32_MAX};
    mesh_word w;
    char shown[MESH_SHOWN];
    if (!mesh_text_word(&r->text, &w))
        return rill_fail(r->text.ctx, RILL_BAD_FILE,
                         "%s:%zu: the file ends early, in %s %llu of %llu; it is cut off or damaged",
                         r->text.name, r->text.line, e->name, (unsigned long long)record,
                         (unsigned long long)e->count);
    if (!mesh_word_number(&r->text, &w, out))
        return rill_fail(r->text.ctx, RILL_BAD_FILE, "%s:%zu: \"%s\" is not a number", r->text.name, w.line,
                         mesh_word_shown(&w, shown));
    if (type < PLY_F32 && !(*out >= least[type] && *out <= most[type] && *out == floor(*out)))
        return rill_fail(r->text.ctx, RILL_BAD_FILE, "%s:%zu: \"%s\" does not fit the type %s", r->text.name,
                         w.line, mesh_word_shown(&w, shown), ply_type_word(type));
    return RILL_OK;
}

static rill_status put_number(ascii_reader *r, ply_type type, double value)
{
    ply_data *d = r->data;
    const size_t size = ply_type_size(type);
    TRY(mem_grow(d->ctx, &d->own, 1, &r->capacity, d->length + size));
    if (type == PLY_F64) {
        memcpy(d->own + d->length, &value, size);
    } else if (type == PLY_F32) {
        const float v = (float)value; /* too large becomes infinite, which the readers refuse */
        memcpy(d->own + d->length, &v, size);
    } else { /* two's complement: the low bytes of the wide one */
        const int64_t v = (int64_t)value;
        memcpy(d->own + d->length, &v, size);
    }
    d->length += size;
    return RILL_OK;
}

static rill_status read_property(ascii_reader *r, const ply_element *e, uint64_t record,
                                 const ply_property *p)
{
    double value = 0, count = 1;
    if (p->list) {
        TRY(next_number(r, e, record, p->count_type, &count));
        TRY(put_number(r, p->count_type, count));
    }
    for (double k = 0; k < count; k++) {
        TRY(next_number(r, e, record, p->type, &value));
        TRY(put_number(r, p->type, value));
    }
    return RILL_OK;
}

static rill_status read_records(ascii_reader *r)
{
    const ply_header *h = r->data->header;
    uint64_t least = 1;
    for (uint32_t k = 0; k < h->element_count; k++) least += h->element[k].count * h->element[k].record;
    TRY(mem_grow(r->data->ctx, &r->data->own, 1, &r->capacity, least));
    for (uint32_t k = 0; k < h->element_count; k++) {
        const ply_element *e = &h->element[k];
        for (uint64_t i = 0; i < e->count; i++)
            for (uint32_t p = 0; p < e->property_count; p++) TRY(read_property(r, e, i, &e->property[p]));
    }
    return RILL_OK;
}

rill_status ply_from_ascii(ply_data *d)
{
    ascii_reader r = {.data = d};
    TRY(start_text(d, &r.text));
    d->length = d->start = 0;
    const rill_status st = read_records(&r);
    d->bytes = d->own;
    mesh_text_clear(&r.text);
    return st;
}

/* Moves over a property; false at the end of the text. */
static bool skip_words(mesh_text *t, const ply_property *p)
{
    mesh_word w;
    double count = 1;
    if (p->list && (!mesh_text_word(t, &w) || !mesh_word_number(t, &w, &count))) return false;
    for (double k = 0; k < count; k++)
        if (!mesh_text_word(t, &w)) return false;
    return true;
}

size_t ply_line_of(const ply_data *d, const ply_element *e, uint64_t record)
{
    mesh_text t;
    mesh_word w;
    if (start_text(d, &t)) return 0;
    bool going = true;
    for (const ply_element *x = d->header->element; going && x <= e; x++) {
        const uint64_t count = x == e ? record : x->count;
        for (uint64_t i = 0; going && i < count; i++)
            for (uint32_t k = 0; going && k < x->property_count; k++) going = skip_words(&t, &x->property[k]);
    }
    const size_t line = going && mesh_text_word(&t, &w) ? w.line : t.line;
    mesh_text_clear(&t);
    return line;
}
