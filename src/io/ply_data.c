#include "io/ply_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

rill_status ply_open(rill_ctx *ctx, const char *name, const char *bytes, size_t length, ply_header *header,
                     ply_data *d)
{
    *d = (ply_data){.ctx = ctx, .name = name, .header = header, .source = bytes, .source_length = length};
    TRY(ply_parse_header(ctx, name, bytes, length, header));
    d->bytes = (const uint8_t *)bytes;
    d->length = length;
    d->start = header->bytes;
    if (header->format == PLY_ASCII) return ply_from_ascii(d);
    if (header->format == PLY_BIG_ENDIAN) return ply_from_big_endian(d);
    return RILL_OK;
}

void ply_close(ply_data *d)
{
    mem_free(d->ctx, d->own);
    d->own = NULL;
}

rill_status ply_bad(const ply_data *d, const ply_element *e, uint64_t record, const uint8_t *at,
                    const char *format, ...)
{
    char cause[512];
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    if (d->header->format == PLY_ASCII)
        return rill_fail(d->ctx, RILL_BAD_FILE, "%s:%zu: %s", d->name, ply_line_of(d, e, record), cause);
    return rill_fail(d->ctx, RILL_BAD_FILE, "%s: byte %zu: %s", d->name, (size_t)(at - d->bytes), cause);
}

rill_status ply_bad_header(const ply_data *d, const ply_element *e, const char *format, ...)
{
    char cause[512];
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    return rill_fail(d->ctx, RILL_BAD_FILE, "%s:%d: %s", d->name, e ? e->line : d->header->lines, cause);
}

static rill_status cut_off(const ply_data *d, const ply_element *e, uint64_t record)
{
    return ply_bad(d, e, record, d->bytes + d->at,
                   "the file ends early, in %s %llu of %llu; it is cut off or damaged", e->name,
                   (unsigned long long)record, (unsigned long long)e->count);
}

rill_status ply_next_list(ply_data *d, const ply_element *e, uint64_t record, const ply_property *p,
                          uint32_t *count, const uint8_t **values)
{
    const size_t head = ply_type_size(p->count_type);
    if (d->length - d->at < head) return cut_off(d, e, record);
    const double n = ply_value(d->bytes + d->at, p->count_type);
    if (n < 0)
        return ply_bad(d, e, record, d->bytes + d->at, "a list of %.0f in %s %llu", n, e->name,
                       (unsigned long long)record);
    if (n * (double)ply_type_size(p->type) > (double)(d->length - d->at - head)) return cut_off(d, e, record);
    d->at += head;
    *count = (uint32_t)n;
    *values = d->bytes + d->at;
    d->at += (size_t)n * ply_type_size(p->type);
    return RILL_OK;
}

rill_status ply_skip_property(ply_data *d, const ply_element *e, uint64_t record, const ply_property *p)
{
    uint32_t count;
    const uint8_t *values;
    if (p->list) return ply_next_list(d, e, record, p, &count, &values);
    if (d->length - d->at < ply_type_size(p->type)) return cut_off(d, e, record);
    d->at += ply_type_size(p->type);
    return RILL_OK;
}

static rill_status skip_element(ply_data *d, const ply_element *e)
{
    if (!e->lists) {
        const uint64_t fit = (d->length - d->at) / e->record;
        if (e->count > fit) return cut_off(d, e, fit);
        d->at += e->count * e->record;
        return RILL_OK;
    }
    for (uint64_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < e->property_count; k++) TRY(ply_skip_property(d, e, i, &e->property[k]));
    return RILL_OK;
}

rill_status ply_find_element(ply_data *d, const char *name, const ply_element **out)
{
    const ply_header *h = d->header;
    d->at = d->start;
    for (uint32_t k = 0; k < h->element_count; k++) {
        if (strcmp(h->element[k].name, name) == 0) {
            *out = &h->element[k];
            return RILL_OK;
        }
        TRY(skip_element(d, &h->element[k]));
    }
    return ply_bad_header(d, NULL, "the PLY file has no element \"%s\"", name);
}

ply_column ply_column_at(const ply_data *d, const ply_element *e, uint32_t index)
{
    ply_column c = {d->bytes + d->at, e->record, e->property[index].type};
    for (uint32_t k = 0; k < index; k++) c.first += ply_type_size(e->property[k].type);
    return c;
}

uint32_t ply_find_property(const ply_element *e, const char *name)
{
    for (uint32_t k = 0; k < e->property_count; k++)
        if (strcmp(e->property[k].name, name) == 0) return k;
    return UINT32_MAX;
}

ply_column ply_find_column(const ply_data *d, const ply_element *e, const char *name, bool *used)
{
    const uint32_t k = ply_find_property(e, name);
    if (k == UINT32_MAX) return (ply_column){0};
    used[k] = true;
    return ply_column_at(d, e, k);
}

bool ply_find_three(const ply_data *d, const ply_element *e, const char *a, const char *b, const char *c,
                    ply_column out[3], bool *used)
{
    const char *const name[3] = {a, b, c};
    for (int k = 0; k < 3; k++)
        if (ply_find_property(e, name[k]) == UINT32_MAX) return false;
    for (int k = 0; k < 3; k++) out[k] = ply_find_column(d, e, name[k], used);
    return true;
}

rill_status ply_find_vertices(ply_data *d, const ply_element **e, ply_column c[3], bool *used)
{
    TRY(ply_find_element(d, "vertex", e));
    if ((*e)->lists) return ply_bad_header(d, *e, "lists among the vertices are not read");
    if ((*e)->count > UINT32_MAX - 1)
        return ply_bad_header(d, *e, "more vertices than Rill takes (2^32 - 2)");
    static const char *const names[3] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        c[k] = ply_find_column(d, *e, names[k], used);
        if (!c[k].first) return ply_bad_header(d, *e, "the vertices have no \"%s\"", names[k]);
    }
    /* The header was held against the file with lists empty; those before the vertices may not be. */
    const uint64_t fit = (d->length - d->at) / (*e)->record;
    return (*e)->count > fit ? cut_off(d, *e, fit) : RILL_OK;
}

static rill_status value_at(const ply_data *d, const ply_element *e, const ply_column *c, size_t i,
                            double *out)
{
    const uint8_t *at = c->first + i * c->stride;
    const double v = ply_value(at, c->type);
    if (!isfinite(v)) return ply_bad(d, e, i, at, "%s %zu has a value that is not finite", e->name, i);
    *out = v;
    return RILL_OK;
}

rill_status ply_floats(const ply_data *d, const ply_element *e, const ply_column *c, float *out,
                       size_t stride)
{
    for (size_t i = 0; i < e->count; i++) {
        double v = 0;
        TRY(value_at(d, e, c, i, &v));
        out[i * stride] = (float)v;
        if (!isfinite(out[i * stride]))
            return ply_bad(d, e, i, c->first + i * c->stride, "%s %zu has a value beyond single precision",
                           e->name, i);
    }
    return RILL_OK;
}

rill_status ply_vectors(const ply_data *d, const ply_element *e, const ply_column c[3], rill_vec3 *out)
{
    for (size_t i = 0; i < e->count; i++) {
        TRY(value_at(d, e, &c[0], i, &out[i].x));
        TRY(value_at(d, e, &c[1], i, &out[i].y));
        TRY(value_at(d, e, &c[2], i, &out[i].z));
    }
    return RILL_OK;
}
