/* Reading PLY from memory. Every record is bounded by the length of the file before it
 * is looked at; the header has bounded the counts. */
#include "io/file.h"
#include "io/ply.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint64_t largest = (uint64_t)1 << 36;

/* A walk over the records of one element. */
typedef struct ply_data {
    rill_ctx *ctx;
    const char *name;
    const uint8_t *bytes;
    size_t length, at;
} ply_data;

static rill_status cut_off(const ply_data *d)
{
    return rill_fail(d->ctx, RILL_BAD_FILE, "%s: the file ends early; it is cut off or damaged", d->name);
}

/* The list at d->at: its length and where its values begin; moves behind it. */
static rill_status next_list(ply_data *d, const ply_property *p, uint32_t *count, const uint8_t **values)
{
    const size_t head = ply_type_size(p->count_type);
    if (d->length - d->at < head) return cut_off(d);
    const double n = ply_value(d->bytes + d->at, p->count_type);
    d->at += head;
    if (n < 0 || n * (double)ply_type_size(p->type) > (double)(d->length - d->at)) return cut_off(d);
    *count = (uint32_t)n;
    *values = d->bytes + d->at;
    d->at += (size_t)n * ply_type_size(p->type);
    return RILL_OK;
}

static rill_status skip_property(ply_data *d, const ply_property *p)
{
    uint32_t count;
    const uint8_t *values;
    if (p->list) return next_list(d, p, &count, &values);
    if (d->length - d->at < ply_type_size(p->type)) return cut_off(d);
    d->at += ply_type_size(p->type);
    return RILL_OK;
}

static rill_status skip_element(ply_data *d, const ply_element *e)
{
    if (!e->lists) {
        if (e->count > (d->length - d->at) / e->record) return cut_off(d);
        d->at += e->count * e->record;
        return RILL_OK;
    }
    for (uint64_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < e->property_count; k++) TRY(skip_property(d, &e->property[k]));
    return RILL_OK;
}

/* Moves to the element of that name; it must be there. */
static rill_status find_element(ply_data *d, const ply_header *h, const char *name, const ply_element **out)
{
    d->at = h->bytes;
    for (uint32_t k = 0; k < h->element_count; k++) {
        if (strcmp(h->element[k].name, name) == 0) {
            *out = &h->element[k];
            return RILL_OK;
        }
        TRY(skip_element(d, &h->element[k]));
    }
    return rill_fail(d->ctx, RILL_BAD_FILE, "%s: the PLY file has no element \"%s\"", d->name, name);
}

/* A scalar column of an element without lists: where its first value is, and its type. */
typedef struct ply_column {
    const uint8_t *first; /* NULL: there is none */
    size_t stride;
    ply_type type;
} ply_column;

static ply_column column_at(const ply_data *d, const ply_element *e, uint32_t index)
{
    ply_column c = {d->bytes + d->at, e->record, e->property[index].type};
    for (uint32_t k = 0; k < index; k++) c.first += ply_type_size(e->property[k].type);
    return c;
}

static uint32_t find_property(const ply_element *e, const char *name)
{
    for (uint32_t k = 0; k < e->property_count; k++)
        if (strcmp(e->property[k].name, name) == 0) return k;
    return UINT32_MAX;
}

static ply_column find_column(const ply_data *d, const ply_element *e, const char *name, bool *used)
{
    const uint32_t k = find_property(e, name);
    if (k == UINT32_MAX) return (ply_column){0};
    used[k] = true;
    return column_at(d, e, k);
}

static rill_status value_at(const ply_data *d, const ply_column *c, size_t i, double *out)
{
    const double v = ply_value(c->first + i * c->stride, c->type);
    if (!isfinite(v))
        return rill_fail(d->ctx, RILL_BAD_FILE, "%s: vertex %zu has a value that is not finite", d->name, i);
    *out = v;
    return RILL_OK;
}

static rill_status floats_at(const ply_data *d, const ply_column *c, size_t count, float *out, size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        double v = 0;
        TRY(value_at(d, c, i, &v));
        out[i * stride] = (float)v;
        if (!isfinite(out[i * stride]))
            return rill_fail(d->ctx, RILL_BAD_FILE, "%s: vertex %zu has a value beyond single precision",
                             d->name, i);
    }
    return RILL_OK;
}

static rill_status vectors_at(const ply_data *d, const ply_column c[3], size_t count, rill_vec3 *out)
{
    for (size_t i = 0; i < count; i++) {
        TRY(value_at(d, &c[0], i, &out[i].x));
        TRY(value_at(d, &c[1], i, &out[i].y));
        TRY(value_at(d, &c[2], i, &out[i].z));
    }
    return RILL_OK;
}

/* The element "vertex", without lists and with x, y, z. */
static rill_status find_vertices(ply_data *d, const ply_header *h, const ply_element **e, ply_column c[3],
                                 bool *used)
{
    TRY(find_element(d, h, "vertex", e));
    if ((*e)->lists)
        return rill_fail(d->ctx, RILL_BAD_FILE, "%s: lists among the vertices are not read", d->name);
    if ((*e)->count > UINT32_MAX - 1)
        return rill_fail(d->ctx, RILL_BAD_FILE, "%s: more vertices than Rill takes (2^32 - 2)", d->name);
    static const char *const names[3] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        c[k] = find_column(d, *e, names[k], used);
        if (!c[k].first)
            return rill_fail(d->ctx, RILL_BAD_FILE, "%s: the vertices have no \"%s\"", d->name, names[k]);
    }
    return RILL_OK;
}

/* Three columns by name, all there or none counted. */
static bool find_three(const ply_data *d, const ply_element *e, const char *a, const char *b, const char *c,
                       ply_column out[3], bool *used)
{
    const char *const name[3] = {a, b, c};
    for (int k = 0; k < 3; k++)
        if (find_property(e, name[k]) == UINT32_MAX) return false;
    for (int k = 0; k < 3; k++) out[k] = find_column(d, e, name[k], used);
    return true;
}

static rill_status read_ids(const ply_data *d, const ply_element *e, bool *used, particles *p)
{
    const ply_column low = find_column(d, e, "id_low", used), high = find_column(d, e, "id_high", used);
    const bool wide = low.first && high.first && low.type == PLY_U32 && high.type == PLY_U32;
    for (size_t i = 0; i < e->count; i++) {
        p->id[i] = wide ? (uint64_t)ply_value(low.first + i * low.stride, PLY_U32) |
                              (uint64_t)ply_value(high.first + i * high.stride, PLY_U32) << 32
                        : i;
        if (p->id[i] == UINT64_MAX)
            return rill_fail(d->ctx, RILL_BAD_FILE, "%s: vertex %zu has an id out of range", d->name, i);
        if (p->id[i] >= p->next_id) p->next_id = p->id[i] + 1;
    }
    return RILL_OK;
}

static rill_status fill_particles(ply_data *d, const ply_header *h, particles *p)
{
    const ply_element *e;
    ply_column x[3], v[3];
    bool used[PLY_MAX_PROPERTIES] = {false};
    TRY(find_vertices(d, h, &e, x, used));
    const bool moving = find_three(d, e, "vx", "vy", "vz", v, used);
    TRY(particles_reserve(d->ctx, p, e->count));
    p->count = e->count;
    TRY(vectors_at(d, x, e->count, p->position));
    if (moving)
        TRY(vectors_at(d, v, e->count, p->velocity));
    else if (e->count)
        memset(p->velocity, 0, e->count * sizeof *p->velocity);
    TRY(read_ids(d, e, used, p));
    for (uint32_t k = 0; k < e->property_count && p->column_count < PARTICLE_MAX_COLUMNS; k++) {
        if (used[k] || strlen(e->property[k].name) >= PARTICLE_NAME) continue;
        TRY(particles_add_column(d->ctx, p, e->property[k].name));
        const ply_column c = column_at(d, e, k);
        TRY(floats_at(d, &c, e->count, p->column[p->column_count - 1].value, 1));
    }
    return RILL_OK;
}

rill_status ply_parse_particles(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                particles *out, ply_header *header)
{
    ply_data d = {ctx, name, (const uint8_t *)bytes, length, 0};
    ply_header *h;
    particles p = {0};
    TRY(MEM_NEW(ctx, h, 1));
    rill_status st = ply_parse_header(ctx, name, bytes, length, h);
    if (!st) st = fill_particles(&d, h, &p);
    if (!st) {
        particles_clear(ctx, out);
        *out = p;
        if (header) *header = *h;
    } else {
        particles_clear(ctx, &p);
    }
    mem_free(ctx, h);
    return st;
}

/* ---- meshes ---- */

/* A column named NAME_x whose followers are NAME_y and NAME_z is one of width 3. */
static int column_width(const ply_element *e, uint32_t k)
{
    const char *name = e->property[k].name;
    const size_t n = strlen(name);
    if (n < 3 || strcmp(name + n - 2, "_x") != 0 || k + 2 >= e->property_count) return 1;
    for (uint32_t a = 1; a < 3; a++) {
        const char *other = e->property[k + a].name;
        if (strlen(other) != n || strncmp(other, name, n - 1) != 0 || other[n - 1] != (char)('x' + (char)a))
            return 1;
    }
    return 3;
}

static rill_status add_column(const ply_data *d, trimesh *m, const char *name, size_t name_length, int width,
                              const ply_column *c)
{
    if (m->column_count == TRIMESH_MAX_COLUMNS || name_length >= TRIMESH_NAME) return RILL_OK;
    trimesh_column *to = &m->column[m->column_count];
    TRY(MEM_NEW(d->ctx, to->value, m->vertex_count * (size_t)width));
    m->column_count++;
    memcpy(to->name, name, name_length);
    to->name[name_length] = 0;
    to->width = width;
    for (int a = 0; a < width; a++) TRY(floats_at(d, &c[a], m->vertex_count, to->value + a, (size_t)width));
    return RILL_OK;
}

static rill_status fill_vertices(ply_data *d, const ply_header *h, trimesh *m)
{
    const ply_element *e;
    ply_column c[3];
    bool used[PLY_MAX_PROPERTIES] = {false};
    TRY(find_vertices(d, h, &e, c, used));
    TRY(MEM_NEW(d->ctx, m->position, e->count));
    m->vertex_count = e->count;
    TRY(vectors_at(d, c, e->count, m->position));
    if (find_three(d, e, "nx", "ny", "nz", c, used)) {
        TRY(MEM_NEW(d->ctx, m->normal, e->count));
        for (int a = 0; a < 3; a++) TRY(floats_at(d, &c[a], e->count, &m->normal[0][a], 3));
    }
    if (find_three(d, e, "vx", "vy", "vz", c, used)) TRY(add_column(d, m, "velocity", 8, 3, c));
    for (uint32_t k = 0; k < e->property_count; k++) {
        if (used[k]) continue;
        const int width = column_width(e, k);
        const char *name = e->property[k].name;
        for (int a = 0; a < width; a++) c[a] = column_at(d, e, k + (uint32_t)a);
        TRY(add_column(d, m, name, strlen(name) - (width == 3 ? 2 : 0), width, c));
        k += (uint32_t)width - 1;
    }
    return RILL_OK;
}

static rill_status corner(const ply_data *d, const trimesh *m, const ply_property *p, const uint8_t *values,
                          uint32_t k, uint32_t *out)
{
    const double v = ply_value(values + k * ply_type_size(p->type), p->type);
    if (!(v >= 0 && v < (double)m->vertex_count) || v != floor(v))
        return rill_fail(d->ctx, RILL_BAD_FILE, "%s: a face refers to vertex %.17g of %zu", d->name, v,
                         m->vertex_count);
    *out = (uint32_t)v;
    return RILL_OK;
}

static rill_status add_fan(const ply_data *d, trimesh *m, size_t *capacity, const ply_property *p,
                           uint32_t count, const uint8_t *values)
{
    if (count < 3) return rill_fail(d->ctx, RILL_BAD_FILE, "%s: a face with %u corners", d->name, count);
    TRY(mem_grow(d->ctx, &m->triangle, sizeof *m->triangle, capacity, m->triangle_count + count - 2));
    uint32_t first = 0, previous = 0, next = 0;
    TRY(corner(d, m, p, values, 0, &first));
    TRY(corner(d, m, p, values, 1, &previous));
    for (uint32_t k = 2; k < count; k++) {
        TRY(corner(d, m, p, values, k, &next));
        uint32_t *t = m->triangle[m->triangle_count++];
        t[0] = first;
        t[1] = previous;
        t[2] = next;
        previous = next;
    }
    return RILL_OK;
}

static rill_status fill_faces(ply_data *d, const ply_header *h, trimesh *m)
{
    const ply_element *e;
    TRY(find_element(d, h, "face", &e));
    uint32_t list = find_property(e, "vertex_indices");
    if (list == UINT32_MAX) list = find_property(e, "vertex_index");
    if (list == UINT32_MAX || !e->property[list].list)
        return rill_fail(d->ctx, RILL_BAD_FILE, "%s: the faces have no list \"vertex_indices\"", d->name);
    size_t capacity = 0;
    TRY(mem_grow(d->ctx, &m->triangle, sizeof *m->triangle, &capacity, e->count ? e->count : 1));
    for (uint64_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < e->property_count; k++) {
            if (k != list) {
                TRY(skip_property(d, &e->property[k]));
                continue;
            }
            uint32_t count;
            const uint8_t *values;
            TRY(next_list(d, &e->property[k], &count, &values));
            TRY(add_fan(d, m, &capacity, &e->property[k], count, values));
        }
    return RILL_OK;
}

rill_status ply_parse_mesh(rill_ctx *ctx, const char *name, const char *bytes, size_t length, trimesh *out,
                           ply_header *header)
{
    ply_data d = {ctx, name, (const uint8_t *)bytes, length, 0};
    ply_header *h;
    trimesh m = {0};
    TRY(MEM_NEW(ctx, h, 1));
    rill_status st = ply_parse_header(ctx, name, bytes, length, h);
    if (!st) st = fill_vertices(&d, h, &m);
    if (!st) st = fill_faces(&d, h, &m);
    if (!st) {
        trimesh_clear(ctx, out);
        *out = trimesh_take(&m);
        if (header) *header = *h;
    }
    trimesh_clear(ctx, &m);
    mem_free(ctx, h);
    return st;
}

/* ---- files ---- */

rill_status ply_read_particles(rill_ctx *ctx, const char *path, particles *out, ply_header *header)
{
    char *bytes;
    size_t length;
    TRY(file_read_all(ctx, path, largest, &bytes, &length));
    const rill_status st = ply_parse_particles(ctx, path, bytes, length, out, header);
    mem_free(ctx, bytes);
    return st;
}

rill_status ply_read_mesh(rill_ctx *ctx, const char *path, trimesh *out, ply_header *header)
{
    char *bytes;
    size_t length;
    TRY(file_read_all(ctx, path, largest, &bytes, &length));
    const rill_status st = ply_parse_mesh(ctx, path, bytes, length, out, header);
    mem_free(ctx, bytes);
    return st;
}

static rill_status range_element(ply_data *d, ply_element *e)
{
    for (uint64_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < e->property_count; k++) {
            ply_property *p = &e->property[k];
            const size_t at = d->at;
            TRY(skip_property(d, p));
            if (p->list) continue;
            const double v = ply_value(d->bytes + at, p->type);
            if (!isfinite(v)) {
                p->not_finite++;
            } else {
                p->min = fmin(p->min, v);
                p->max = fmax(p->max, v);
            }
        }
    return RILL_OK;
}

rill_status ply_inspect(rill_ctx *ctx, const char *path, ply_header *out)
{
    char *bytes;
    size_t length;
    ply_header *h = NULL;
    TRY(file_read_all(ctx, path, largest, &bytes, &length));
    rill_status st = MEM_NEW(ctx, h, 1);
    if (!st) st = ply_parse_header(ctx, path, bytes, length, h);
    ply_data d = {ctx, path, (const uint8_t *)bytes, length, st ? 0 : h->bytes};
    for (uint32_t k = 0; !st && k < h->element_count; k++) st = range_element(&d, &h->element[k]);
    if (!st) *out = *h;
    mem_free(ctx, h);
    mem_free(ctx, bytes);
    return st;
}
