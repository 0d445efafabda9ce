/* Triangle meshes from PLY. */
#include "geom/mesh/polygon.h"
#include "io/file.h"
#include "io/mesh_file.h"
#include "io/ply_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static rill_status add_column(const ply_data *d, const ply_element *e, trimesh *m, const char *name,
                              size_t name_length, int width, const ply_column *c)
{
    if (m->column_count == TRIMESH_MAX_COLUMNS || name_length >= TRIMESH_NAME) return RILL_OK;
    trimesh_column *to = &m->column[m->column_count];
    TRY(MEM_NEW(d->ctx, to->value, m->vertex_count * (size_t)width));
    m->column_count++;
    memcpy(to->name, name, name_length);
    to->name[name_length] = 0;
    to->width = width;
    for (int a = 0; a < width; a++) TRY(ply_floats(d, e, &c[a], to->value + a, (size_t)width));
    return RILL_OK;
}

static rill_status fill_vertices(ply_data *d, trimesh *m)
{
    const ply_element *e;
    ply_column c[3];
    bool used[PLY_MAX_PROPERTIES] = {false};
    TRY(ply_find_vertices(d, &e, c, used));
    TRY(MEM_NEW(d->ctx, m->position, e->count));
    m->vertex_count = e->count;
    TRY(ply_vectors(d, e, c, m->position));
    if (ply_find_three(d, e, "nx", "ny", "nz", c, used)) {
        TRY(MEM_NEW(d->ctx, m->normal, e->count));
        for (int a = 0; a < 3; a++) TRY(ply_floats(d, e, &c[a], &m->normal[0][a], 3));
    }
    if (ply_find_three(d, e, "vx", "vy", "vz", c, used)) TRY(add_column(d, e, m, "velocity", 8, 3, c));
    for (uint32_t k = 0; k < e->property_count; k++) {
        if (used[k]) continue;
        const int width = column_width(e, k);
        const char *name = e->property[k].name;
        for (int a = 0; a < width; a++) c[a] = ply_column_at(d, e, k + (uint32_t)a);
        TRY(add_column(d, e, m, name, strlen(name) - (width == 3 ? 2 : 0), width, c));
        k += (uint32_t)width - 1;
    }
    return RILL_OK;
}

/* The faces, and what is needed to cut them. */
typedef struct {
    ply_data *data;
    const ply_element *element;
    uint32_t list;    /* the property that holds the corners */
    uint32_t *corner; /* of one face; owned */
    size_t capacity;
    polygon_cutter cutter;
} face_reader;

static rill_status read_corners(face_reader *r, uint64_t face, uint32_t count, const uint8_t *values,
                                size_t vertices)
{
    const ply_data *d = r->data;
    const ply_property *p = &r->element->property[r->list];
    if (count < 3)
        return ply_bad(d, r->element, face, values, "face %llu has %u corners; it takes 3",
                       (unsigned long long)face, count);
    if (count > 3 && count > vertices)
        return ply_bad(d, r->element, face, values, "face %llu has %u corners, there are %zu vertices",
                       (unsigned long long)face, count, vertices);
    TRY(mem_grow(d->ctx, &r->corner, sizeof *r->corner, &r->capacity, count));
    for (uint32_t k = 0; k < count; k++) {
        const uint8_t *at = values + k * ply_type_size(p->type);
        const double v = ply_value(at, p->type);
        if (!(v >= 0 && v < (double)vertices) || v != floor(v))
            return ply_bad(d, r->element, face, at, "face names vertex %.17g, there are %zu", v, vertices);
        r->corner[k] = (uint32_t)v;
    }
    return RILL_OK;
}

/* Triangles of the mesh for a face. Three corners are kept as they are, also when two are the same. */
static rill_status add_face(face_reader *r, uint64_t face, uint32_t count, const uint8_t *values, trimesh *m)
{
    TRY(read_corners(r, face, count, values, m->vertex_count));
    uint32_t(*to)[3] = m->triangle + m->triangle_count;
    if (count == 3) {
        memcpy(to, r->corner, sizeof *to);
        m->triangle_count++;
        return RILL_OK;
    }
    uint32_t made = 0;
    const rill_status st = polygon_cut(&r->cutter, m->position, r->corner, count, to, &made);
    m->triangle_count += made;
    if (st != RILL_BAD_FILE) return st;
    char cause[256];
    snprintf(cause, sizeof cause, "%s", rill_ctx_message(r->data->ctx));
    return ply_bad(r->data, r->element, face, values, "%s", cause);
}

/* All faces: counts their triangles (m NULL), or adds them to m. */
static rill_status walk_faces(face_reader *r, size_t *triangles, trimesh *m)
{
    ply_data *d = r->data;
    const ply_element *e = r->element;
    for (uint64_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < e->property_count; k++) {
            uint32_t count;
            const uint8_t *values;
            if (k != r->list) {
                TRY(ply_skip_property(d, e, i, &e->property[k]));
                continue;
            }
            TRY(ply_next_list(d, e, i, &e->property[k], &count, &values));
            if (m)
                TRY(add_face(r, i, count, values, m));
            else
                *triangles += count > 2 ? count - 2 : 0;
        }
    return RILL_OK;
}

static rill_status fill_faces(ply_data *d, trimesh *m)
{
    face_reader r = {.data = d};
    TRY(ply_find_element(d, "face", &r.element));
    r.list = ply_find_property(r.element, "vertex_indices");
    if (r.list == UINT32_MAX) r.list = ply_find_property(r.element, "vertex_index");
    if (r.list == UINT32_MAX || !r.element->property[r.list].list)
        return ply_bad_header(d, r.element, "the faces have no list \"vertex_indices\"");
    polygon_cutter_init(&r.cutter, d->ctx, mesh_cutting_steps(d->source_length));

    const size_t first = d->at;
    size_t triangles = 0;
    rill_status st = walk_faces(&r, &triangles, NULL);
    if (!st && triangles > UINT32_MAX / 3)
        st = ply_bad_header(d, r.element, "%zu triangles are more than 32-bit ids can name", triangles);
    if (!st) st = MEM_NEW(d->ctx, m->triangle, triangles);
    d->at = first;
    if (!st) st = walk_faces(&r, NULL, m);
    mem_free(d->ctx, r.corner);
    polygon_cutter_clear(&r.cutter);
    return st;
}

rill_status ply_parse_mesh(rill_ctx *ctx, const char *name, const char *bytes, size_t length, trimesh *out,
                           ply_header *header)
{
    ply_data d;
    ply_header *h;
    trimesh m = {0};
    TRY(MEM_NEW(ctx, h, 1));
    rill_status st = ply_open(ctx, name, bytes, length, h, &d);
    if (!st) st = fill_vertices(&d, &m);
    if (!st) st = fill_faces(&d, &m);
    if (!st) {
        trimesh_clear(ctx, out);
        *out = trimesh_take(&m);
        if (header) *header = *h;
    }
    trimesh_clear(ctx, &m);
    ply_close(&d);
    mem_free(ctx, h);
    return st;
}

rill_status ply_read_mesh(rill_ctx *ctx, const char *path, trimesh *out, ply_header *header)
{
    char *bytes;
    size_t length;
    TRY(file_read_all(ctx, path, PLY_LARGEST, &bytes, &length));
    const rill_status st = ply_parse_mesh(ctx, path, bytes, length, out, header);
    mem_free(ctx, bytes);
    return st;
}
