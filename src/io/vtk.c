/* The header names every array and the byte it begins at; then the arrays follow, each behind
 * its length in eight bytes. They are put together a block at a time. */
#include "io/vtk.h"

#include "base/text.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are copied as they lie in memory");

enum { BLOCK = 4096, MAX_ARRAYS = 32 };

typedef enum { TYPE_F32, TYPE_F64, TYPE_I32, TYPE_I64 } type;

/* One array: where its values come from. */
typedef struct array {
    const char *name;
    type type;
    int width;
    size_t count;     /* of tuples */
    const void *from; /* NULL: first, first + step, ... (offsets) */
    bool doubles;     /* `from` is rill_vec3 */
    int64_t first, step;
} array;

typedef struct writer {
    rill_ctx *ctx;
    array array[MAX_ARRAYS];
    uint32_t count;
    text head;
    uint64_t offset;
} writer;

static size_t type_size(type t)
{
    return t == TYPE_F32 || t == TYPE_I32 ? 4 : 8;
}

static void add(writer *w, array a)
{
    static const char *const words[] = {"Float32", "Float64", "Int32", "Int64"};
    if (w->count == MAX_ARRAYS) return;
    w->array[w->count++] = a;
    text_print(&w->head,
               "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
               "offset=\"%llu\"/>\n",
               words[a.type], a.name, a.width, (unsigned long long)w->offset);
    w->offset += 8 + a.count * (size_t)a.width * type_size(a.type);
}

/* Points and vectors in double (positions) or float (others). */
static array vectors(const char *name, type t, size_t count, const rill_vec3 *from)
{
    return (array){.name = name, .type = t, .width = 3, .count = count, .from = from, .doubles = true};
}

static array floats(const char *name, int width, size_t count, const float *from)
{
    return (array){.name = name, .type = TYPE_F32, .width = width, .count = count, .from = from};
}

static array sequence(const char *name, size_t count, int64_t first, int64_t step)
{
    return (array){.name = name, .type = TYPE_I64, .width = 1, .count = count, .first = first, .step = step};
}

/* ---- values ---- */

/* Of vectors in double. */
static uint8_t *put_vector(const array *a, size_t i, uint8_t *to)
{
    double v[3];
    memcpy(v, (const rill_vec3 *)a->from + i, sizeof v);
    for (int k = 0; k < 3; k++, to += type_size(a->type)) {
        const float single = (float)v[k];
        if (a->type == TYPE_F64)
            memcpy(to, &v[k], sizeof v[k]);
        else
            memcpy(to, &single, sizeof single);
    }
    return to;
}

static uint8_t *put_tuple(const array *a, size_t i, uint8_t *to)
{
    if (!a->from) {
        const int64_t v = a->first + (int64_t)i * a->step;
        memcpy(to, &v, sizeof v);
        return to + sizeof v;
    }
    if (a->doubles) return put_vector(a, i, to);
    const size_t bytes = (size_t)a->width * type_size(a->type);
    memcpy(to, (const uint8_t *)a->from + i * bytes, bytes);
    return to + bytes;
}

static rill_status write_array(const array *a, out_file *f, uint8_t *block)
{
    const uint64_t bytes = a->count * (size_t)a->width * type_size(a->type);
    rill_status st = file_write(f, &bytes, sizeof bytes);
    for (size_t i = 0; !st && i < a->count;) {
        uint8_t *at = block;
        for (size_t end = i + BLOCK < a->count ? i + BLOCK : a->count; i < end; i++) at = put_tuple(a, i, at);
        st = file_write(f, block, (size_t)(at - block));
    }
    return st;
}

/* ---- files ---- */

static void begin(writer *w, rill_ctx *ctx, double time, size_t points, size_t verts, size_t polygons)
{
    *w = (writer){.ctx = ctx};
    text_init(&w->head, ctx);
    text_print(
        &w->head,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
        "NumberOfTuples=\"1\" format=\"ascii\">");
    text_number(&w->head, time);
    text_print(&w->head,
               "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" "
               "NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
               points, verts, polygons);
}

static rill_status write_contents(writer *w, out_file *f)
{
    uint8_t *block;
    TRY(MEM_NEW(w->ctx, block, (size_t)BLOCK * 3 * sizeof(double)));
    rill_status st = file_write(f, w->head.data, w->head.length);
    for (uint32_t k = 0; !st && k < w->count; k++) st = write_array(&w->array[k], f, block);
    static const char tail[] = "\n</AppendedData>\n</VTKFile>\n";
    if (!st) st = file_write(f, tail, sizeof tail - 1);
    mem_free(w->ctx, block);
    return st;
}

static rill_status finish(writer *w, const char *path)
{
    out_file f;
    text_add(&w->head, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    rill_status st = text_check(&w->head);
    if (!st) st = file_begin(w->ctx, path, &f);
    if (!st) {
        st = write_contents(w, &f);
        if (!st) st = file_commit(&f);
        file_abandon(&f);
    }
    text_clear(&w->head);
    return st;
}

rill_status vtk_write_particles(rill_ctx *ctx, const char *path, const particles *p, double time)
{
    writer w;
    begin(&w, ctx, time, p->count, p->count, 0);
    text_add(&w.head, "<Points>\n");
    add(&w, vectors("Points", TYPE_F64, p->count, p->position));
    text_add(&w.head, "</Points>\n<PointData Vectors=\"velocity\">\n");
    add(&w, vectors("velocity", TYPE_F32, p->count, p->velocity));
    for (uint32_t k = 0; k < p->column_count; k++)
        add(&w, floats(p->column[k].name, 1, p->count, p->column[k].value));
    add(&w, (array){.name = "id", .type = TYPE_I64, .width = 1, .count = p->count, .from = p->id});
    text_add(&w.head, "</PointData>\n<Verts>\n");
    add(&w, sequence("connectivity", p->count, 0, 1));
    add(&w, sequence("offsets", p->count, 1, 1));
    text_add(&w.head, "</Verts>\n");
    return finish(&w, path);
}

rill_status vtk_write_mesh(rill_ctx *ctx, const char *path, const trimesh *m, double time)
{
    writer w;
    begin(&w, ctx, time, m->vertex_count, 0, m->triangle_count);
    text_add(&w.head, "<Points>\n");
    add(&w, vectors("Points", TYPE_F64, m->vertex_count, m->position));
    text_print(&w.head, "</Points>\n<PointData%s>\n", m->normal ? " Normals=\"normal\"" : "");
    if (m->normal) add(&w, floats("normal", 3, m->vertex_count, &m->normal[0][0]));
    for (uint32_t k = 0; k < m->column_count; k++)
        add(&w, floats(m->column[k].name, m->column[k].width, m->vertex_count, m->column[k].value));
    text_add(&w.head, "</PointData>\n<Polys>\n");
    add(&w, (array){.name = "connectivity",
                    .type = TYPE_I32,
                    .width = 1,
                    .count = 3 * m->triangle_count,
                    .from = m->triangle});
    add(&w, sequence("offsets", m->triangle_count, 3, 3));
    text_add(&w.head, "</Polys>\n");
    return finish(&w, path);
}

rill_status vtk_write_index(rill_ctx *ctx, const char *path, const char *name, uint32_t count,
                            const uint32_t *frame, const double *time)
{
    text t;
    text_init(&t, ctx);
    text_add(&t, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                 "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (uint32_t k = 0; k < count; k++) {
        char file[96];
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"");
        snprintf(file, sizeof file, name, frame[k]);
        _Pragma("GCC diagnostic pop");
        text_add(&t, "<DataSet timestep=\"");
        text_number(&t, time[k]);
        text_print(&t, "\" part=\"0\" file=\"%s\"/>\n", file);
    }
    text_add(&t, "</Collection>\n</VTKFile>\n");
    rill_status st = text_check(&t);
    if (!st) st = file_write_all(ctx, path, t.data, t.length);
    text_clear(&t);
    return st;
}
