#include "serve/encode.h"

#include "serve/wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The vertices of a file: where the records begin, and the header about them. */
typedef struct records {
    const ply_element *element;
    const uint8_t *first;
} records;

/* One scalar property of the vertices. */
typedef struct strided {
    const uint8_t *first; /* NULL: there is none */
    size_t stride;
    ply_type type;
} strided;

static strided find(const records *r, const char *name)
{
    size_t offset = 0;
    for (uint32_t k = 0; k < r->element->property_count; k++) {
        const ply_property *p = &r->element->property[k];
        if (strcmp(p->name, name) == 0) return (strided){r->first + offset, r->element->record, p->type};
        offset += ply_type_size(p->type);
    }
    return (strided){0};
}

static inline double value_at(const strided *s, size_t i)
{
    const uint8_t *at = s->first + i * s->stride;
    if (s->type == PLY_F32) {
        float f;
        memcpy(&f, at, sizeof f);
        return (double)f;
    }
    if (s->type == PLY_F64) {
        double d;
        memcpy(&d, at, sizeof d);
        return d;
    }
    return ply_value(at, s->type);
}

static bool present3(const strided s[3])
{
    return s[0].first && s[1].first && s[2].first;
}

/* The header, and the vertices as the file's first element; `faces`: another follows it. */
static rill_status open_records(rill_ctx *ctx, const encode_def *def, const char *bytes, size_t length,
                                ply_header *h, records *out)
{
    TRY(ply_parse_header(ctx, def->name, bytes, length, h));
    const ply_element *e = &h->element[0];
    if (h->format != PLY_LITTLE_ENDIAN || h->element_count < (def->mesh ? 2u : 1u) ||
        strcmp(e->name, "vertex") != 0 || e->lists)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: not a frame as Rill writes it", def->name);
    if (e->count > UINT32_MAX - 1 || !e->record || e->count > (length - h->bytes) / e->record)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: the file is cut off", def->name);
    *out = (records){e, (const uint8_t *)bytes + h->bytes};
    return RILL_OK;
}

/* ---- channels ---- */

typedef struct {
    strided s;
    double origin, scale; /* scale: units a metre */
} axis_arg;

static inline int32_t quantise(double x)
{
    /* The negated comparison sends what is not a number to 0. */
    if (!(fabs(x) < 2e9)) return x >= 2e9 ? 2000000000 : x <= -2e9 ? -2000000000 : 0;
    return (int32_t)floor(x + 0.5);
}

static void fill_axis(void *arg, size_t begin, size_t end, int32_t *out)
{
    const axis_arg *a = arg;
    for (size_t i = begin; i < end; i++)
        out[i - begin] = quantise((value_at(&a->s, i) - a->origin) * a->scale);
}

typedef struct {
    strided n[3];
    int which;
} normal_arg;

/* Octahedral coordinates (Cigolle et al. 2014): the sphere folded onto a square. */
static void fill_normal(void *arg, size_t begin, size_t end, int32_t *out)
{
    const normal_arg *a = arg;
    for (size_t i = begin; i < end; i++) {
        const float x = (float)value_at(&a->n[0], i), y = (float)value_at(&a->n[1], i),
                    z = (float)value_at(&a->n[2], i);
        const float sum = fabsf(x) + fabsf(y) + fabsf(z);
        float c[2] = {0, 0};
        if (sum > 0 && sum < 1e30f) {
            c[0] = x / sum;
            c[1] = y / sum;
            if (z < 0) {
                const float u = (1 - fabsf(c[1])) * (c[0] < 0 ? -1.f : 1.f);
                c[1] = (1 - fabsf(c[0])) * (c[1] < 0 ? -1.f : 1.f);
                c[0] = u;
            }
        }
        out[i - begin] = (int32_t)((c[a->which] * 0.5f + 0.5f) * WIRE_NORMAL_LEVELS + 0.5f);
    }
}

/* The colour's values: a property, or the length of the velocity. */
typedef struct {
    strided s[3];
    int width; /* 0: none */
    double low, high, scale;
    double p02, p98;
} column_arg;

static inline double column_at(const column_arg *c, size_t i)
{
    double v = value_at(&c->s[0], i);
    if (c->width == 3) {
        const double y = value_at(&c->s[1], i), z = value_at(&c->s[2], i);
        v = sqrt(v * v + y * y + z * z);
    }
    return isfinite(v) ? v : 0;
}

static void fill_column(void *arg, size_t begin, size_t end, int32_t *out)
{
    const column_arg *c = arg;
    for (size_t i = begin; i < end; i++)
        out[i - begin] = (int32_t)((column_at(c, i) - c->low) * c->scale + 0.5);
}

/* The liquid's own colours (flow/colors.h), one component at a time. */
typedef struct {
    strided s[3];
    int which;
} color_arg;

static const char *const color_names[3] = {"red", "green", "blue"};

static void fill_color(void *arg, size_t begin, size_t end, int32_t *out)
{
    const color_arg *c = arg;
    for (size_t i = begin; i < end; i++) {
        const double v = value_at(&c->s[c->which], i);
        /* The negated comparison sends what is not a number to 0. */
        const double share = !(v > 0) ? 0 : v < 1 ? v : 1;
        out[i - begin] = (int32_t)(sqrt(share) * WIRE_COLOR_LEVELS + 0.5);
    }
}

static color_arg colors_of(const records *r, const char *name)
{
    color_arg c = {0};
    if (!name || strcmp(name, "color") != 0) return c;
    for (int k = 0; k < 3; k++) c.s[k] = find(r, color_names[k]);
    return c;
}

/* Spacings of points of several sizes, in units of the scene's. */
typedef struct {
    strided s;
    double scale;
} size_arg;

static void fill_sizes(void *arg, size_t begin, size_t end, int32_t *out)
{
    const size_arg *a = arg;
    for (size_t i = begin; i < end; i++) {
        const double size = value_at(&a->s, i) * a->scale;
        const double level = size > 0 ? floor(WIRE_OCTAVE * log2(size) + 0.5) : 0;
        const double most = WIRE_SIZE_MOST;
        out[i - begin] = (int32_t)(level < -most ? -most : level < most ? level : most);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static column_arg column_of(const records *r, const char *name)
{
    column_arg c = {0};
    if (!name || !*name) return c;
    if (strcmp(name, "speed") == 0) {
        static const char *const names[3] = {"vx", "vy", "vz"};
        for (int k = 0; k < 3; k++) c.s[k] = find(r, names[k]);
        c.width = present3(c.s) ? 3 : 0;
    }
    if (!c.width) {
        c.s[0] = find(r, name);
        c.width = c.s[0].first ? 1 : 0;
    }
    const size_t count = r->element->count;
    if (!c.width || !count) return (column_arg){0};
    enum { SAMPLES = 2048 };
    double sample[SAMPLES];
    const size_t step = (count + SAMPLES - 1) / SAMPLES;
    size_t samples = 0;
    c.low = INFINITY;
    c.high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double v = column_at(&c, i);
        c.low = v < c.low ? v : c.low;
        c.high = v > c.high ? v : c.high;
        if (i % step == 0) sample[samples++] = v;
    }
    qsort(sample, samples, sizeof *sample, ascending);
    c.p02 = sample[samples / 50];
    c.p98 = sample[samples - 1 - samples / 50];
    c.scale = c.high > c.low ? WIRE_LEVELS / (c.high - c.low) : 0;
    if (!isfinite(c.scale)) c.scale = 0;
    return c;
}

/* Faces of three corners each, as Rill writes them: records of a byte 3 and three 32-bit indices. */
typedef struct {
    const uint8_t *first;
    uint32_t vertices;
    bool bad;
} face_arg;
enum { FACE_RECORD = 13 };

static void fill_faces(void *arg, size_t begin, size_t end, int32_t *out)
{
    face_arg *f = arg;
    for (size_t i = begin; i < end; i++) {
        const uint8_t *record = f->first + i / 3 * FACE_RECORD;
        uint32_t v;
        memcpy(&v, record + 1 + 4 * (i % 3), sizeof v);
        if (record[0] != 3 || v >= f->vertices) f->bad = true;
        out[i - begin] = (int32_t)v;
    }
}

static rill_status find_faces(rill_ctx *ctx, const encode_def *def, const ply_header *h, const records *r,
                              size_t length, uint32_t *count, face_arg *out)
{
    const ply_element *e = &h->element[1];
    const ply_property *p = &e->property[0];
    if (strcmp(e->name, "face") != 0 || e->property_count != 1 || !p->list ||
        ply_type_size(p->count_type) != 1 || (p->type != PLY_I32 && p->type != PLY_U32))
        return rill_fail(ctx, RILL_BAD_FILE, "%s: not a surface as Rill writes it", def->name);
    const size_t start = h->bytes + r->element->count * r->element->record;
    if (e->count > (length - start) / FACE_RECORD || e->count > INT32_MAX / 3)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: the file is cut off", def->name);
    *count = (uint32_t)e->count;
    *out = (face_arg){r->first + r->element->count * r->element->record, (uint32_t)r->element->count, false};
    return RILL_OK;
}

/* ---- frames ---- */

static void put_header(packer *p, const encode_def *def, uint32_t flags, uint32_t count, uint32_t triangles,
                       double time, const column_arg *c)
{
    packer_u32(p, WIRE_MAGIC);
    packer_u32(p, WIRE_VERSION);
    packer_u32(p, flags);
    packer_u32(p, count);
    packer_u32(p, triangles);
    packer_f32(p, def->quantum);
    packer_f64(p, time);
    packer_f64(p, def->origin.x);
    packer_f64(p, def->origin.y);
    packer_f64(p, def->origin.z);
    packer_f32(p, c->low);
    packer_f32(p, c->high);
    packer_f32(p, c->p02);
    packer_f32(p, c->p98);
    packer_u32(p, 0);
    packer_u32(p, 0);
}

static void put_axes(packer *p, const encode_def *def, const strided x[3], size_t count)
{
    const double origin[3] = {def->origin.x, def->origin.y, def->origin.z};
    for (int k = 0; k < 3; k++) {
        axis_arg a = {x[k], origin[k], 1 / def->quantum};
        packer_channel(p, count, fill_axis, &a);
    }
}

static rill_status encode_records(rill_ctx *ctx, const encode_def *def, const ply_header *h, const records *r,
                                  size_t length, packer *out)
{
    const size_t count = r->element->count;
    strided x[3] = {find(r, "x"), find(r, "y"), find(r, "z")};
    normal_arg normal = {.n = {find(r, "nx"), find(r, "ny"), find(r, "nz")}};
    column_arg column = column_of(r, def->column);
    color_arg color = colors_of(r, def->column);
    face_arg faces = {0};
    uint32_t triangles = 0;
    if (!present3(x)) return rill_fail(ctx, RILL_BAD_FILE, "%s: the vertices have no place", def->name);
    if (def->mesh) TRY(find_faces(ctx, def, h, r, length, &triangles, &faces));
    size_arg sizes = {.s = find(r, "spacing"), .scale = 1e-3 / def->quantum};
    const bool normals = def->mesh && present3(normal.n), colors = present3(color.s),
               sized = !def->mesh && sizes.s.first;
    const uint32_t flags = (normals ? WIRE_NORMALS : 0u) | (column.width ? WIRE_COLUMN : 0u) |
                           (colors ? WIRE_COLORS : 0u) | (sized ? WIRE_SIZES : 0u);
    put_header(out, def, flags, (uint32_t)count, triangles, h->time, &column);
    put_axes(out, def, x, count);
    for (normal.which = 0; normals && normal.which < 2; normal.which++)
        packer_channel(out, count, fill_normal, &normal);
    if (column.width) packer_channel(out, count, fill_column, &column);
    for (color.which = 0; colors && color.which < 3; color.which++)
        packer_channel(out, count, fill_color, &color);
    if (sized) packer_channel(out, count, fill_sizes, &sizes);
    packer_channel(out, 3 * (size_t)triangles, fill_faces, &faces);
    if (faces.bad)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: a face is no triangle, or names a vertex that is not there",
                         def->name);
    return out->failed ? mem_failed(ctx, out->length, 1) : RILL_OK;
}

rill_status encode_frame(rill_ctx *ctx, const encode_def *def, const char *bytes, size_t length, packer *out)
{
    ply_header *h;
    records r;
    packer made;
    packer_init(&made, out->ctx);
    TRY(MEM_NEW(ctx, h, 1));
    rill_status st = open_records(ctx, def, bytes, length, h, &r);
    if (!st) st = encode_records(ctx, def, h, &r, length, &made);
    mem_free(ctx, h);
    if (st) {
        packer_clear(&made);
        return st;
    }
    *out = made;
    return RILL_OK;
}

static void fill_corners(void *arg, size_t begin, size_t end, int32_t *out)
{
    const trimesh *m = arg;
    for (size_t i = begin; i < end; i++) out[i - begin] = (int32_t)m->triangle[i / 3][i % 3];
}

rill_status encode_mesh(rill_ctx *ctx, const encode_def *def, const trimesh *mesh, packer *out)
{
    packer made;
    packer_init(&made, out->ctx);
    const column_arg none = {0};
    const uint8_t *first = (const uint8_t *)mesh->position;
    strided x[3];
    for (int k = 0; k < 3; k++)
        x[k] = (strided){first + (size_t)k * sizeof(double), sizeof *mesh->position, PLY_F64};
    put_header(&made, def, 0, (uint32_t)mesh->vertex_count, (uint32_t)mesh->triangle_count, 0, &none);
    put_axes(&made, def, x, mesh->vertex_count);
    trimesh borrowed = *mesh;
    packer_channel(&made, 3 * mesh->triangle_count, fill_corners, &borrowed);
    if (made.failed) {
        packer_clear(&made);
        return mem_failed(ctx, mesh->vertex_count, sizeof(rill_vec3));
    }
    *out = made;
    return RILL_OK;
}

/* ---- columns and single vertices ---- */

static bool is_place(const char *name)
{
    static const char *const names[] = {"x",  "y",  "z",  "nx",     "ny",      "nz",
                                        "vx", "vy", "vz", "id_low", "id_high", NULL};
    for (int k = 0; names[k]; k++)
        if (strcmp(names[k], name) == 0) return true;
    return false;
}

static bool is_color(const char *name)
{
    for (int k = 0; k < 3; k++)
        if (strcmp(color_names[k], name) == 0) return true;
    return false;
}

static void put_name(text *out, bool *first, const char *name)
{
    if (!*first) text_add(out, ",");
    text_quoted(out, name);
    *first = false;
}

void encode_columns(const ply_header *header, text *out)
{
    const ply_element *e = &header->element[0];
    const uint32_t count = header->element_count ? e->property_count : 0;
    int velocity = 0, colors = 0;
    for (uint32_t k = 0; k < count; k++) {
        const char *name = e->property[k].name;
        velocity += strcmp(name, "vx") == 0 || strcmp(name, "vy") == 0 || strcmp(name, "vz") == 0;
        colors += is_color(name);
    }
    bool first = true;
    text_add(out, "[");
    if (velocity == 3) put_name(out, &first, "speed");
    if (colors == 3) put_name(out, &first, "color");
    for (uint32_t k = 0; k < count; k++) {
        const char *name = e->property[k].name;
        if (e->property[k].list || is_place(name) || (colors == 3 && is_color(name))) continue;
        put_name(out, &first, name);
    }
    text_add(out, "]");
}

static void put_vector(text *out, const char *key, const strided s[3], size_t i)
{
    if (!present3(s)) return;
    text_print(out, ",\"%s\":[", key);
    for (int k = 0; k < 3; k++) {
        if (k) text_add(out, ",");
        const double v = value_at(&s[k], i);
        text_number(out, isfinite(v) ? v : 0);
    }
    text_add(out, "]");
}

static void put_vertex(const records *r, size_t i, text *out)
{
    const strided low = find(r, "id_low"), high = find(r, "id_high");
    const double id =
        low.first && high.first ? value_at(&low, i) + 4294967296.0 * value_at(&high, i) : (double)i;
    text_print(out, "{\"id\":%.0f", id);
    const strided x[3] = {find(r, "x"), find(r, "y"), find(r, "z")},
                  v[3] = {find(r, "vx"), find(r, "vy"), find(r, "vz")};
    put_vector(out, "position", x, i);
    put_vector(out, "velocity", v, i);
    text_add(out, ",\"values\":{");
    bool first = true;
    for (uint32_t k = 0; k < r->element->property_count; k++) {
        const char *name = r->element->property[k].name;
        if (is_place(name)) continue;
        const strided s = find(r, name);
        const double value = value_at(&s, i);
        if (!first) text_add(out, ",");
        text_quoted(out, name);
        text_add(out, ":");
        text_number(out, isfinite(value) ? value : 0);
        first = false;
    }
    text_add(out, "}}");
}

rill_status encode_vertex(rill_ctx *ctx, const encode_def *def, const char *bytes, size_t length,
                          uint64_t index, text *out)
{
    ply_header *h;
    records r;
    TRY(MEM_NEW(ctx, h, 1));
    rill_status st = open_records(ctx, def, bytes, length, h, &r);
    if (!st && index >= r.element->count)
        st = rill_fail(ctx, RILL_USAGE, "%s: there is no element %llu", def->name, (unsigned long long)index);
    if (!st) put_vertex(&r, (size_t)index, out);
    if (!st) st = text_check(out);
    mem_free(ctx, h);
    return st;
}
