/* Writing PLY: records are put together a block at a time and handed to the file. */
#include "base/text.h"
#include "io/file.h"
#include "io/ply.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are copied as they lie in memory");

enum { BLOCK = 1024 }; /* records put together before a write */

static void header_begin(text *t, double time, int64_t frame)
{
    text_print(t, "ply\nformat binary_little_endian 1.0\ncomment rill %s\n", RILL_VERSION);
    text_print(t, "comment time %.17g\ncomment frame %lld\n", time, (long long)frame);
}

/* Ends the header and writes it. Clears t. */
static rill_status header_end(text *t, out_file *f)
{
    text_add(t, "end_header\n");
    rill_status st = text_check(t);
    if (!st) st = file_write(f, t->data, t->length);
    text_clear(t);
    return st;
}

static uint8_t *put(uint8_t *at, const void *value, size_t bytes)
{
    memcpy(at, value, bytes);
    return at + bytes;
}

static uint8_t *put_float(uint8_t *at, double value)
{
    const float v = (float)value;
    return put(at, &v, sizeof v);
}

static uint8_t *put_particle(uint8_t *at, const particles *p, size_t i)
{
    at = put(at, &p->position[i], sizeof p->position[i]);
    at = put_float(at, p->velocity[i].x);
    at = put_float(at, p->velocity[i].y);
    at = put_float(at, p->velocity[i].z);
    for (uint32_t c = 0; c < p->column_count; c++) at = put(at, &p->column[c].value[i], sizeof(float));
    const uint32_t half[2] = {(uint32_t)p->id[i], (uint32_t)(p->id[i] >> 32)};
    return put(at, half, sizeof half);
}

static rill_status particle_records(rill_ctx *ctx, out_file *f, const particles *p)
{
    const size_t record = 24 + 12 + 4 * (size_t)p->column_count + 8;
    uint8_t *block;
    TRY(MEM_NEW(ctx, block, BLOCK * record));
    rill_status st = RILL_OK;
    for (size_t i = 0; i < p->count && !st;) {
        uint8_t *at = block;
        for (size_t end = i + BLOCK < p->count ? i + BLOCK : p->count; i < end; i++)
            at = put_particle(at, p, i);
        st = file_write(f, block, (size_t)(at - block));
    }
    mem_free(ctx, block);
    return st;
}

rill_status ply_write_particles(rill_ctx *ctx, const char *path, const particles *p, double time,
                                int64_t frame)
{
    out_file f;
    TRY(file_begin(ctx, path, &f));
    text t;
    text_init(&t, ctx);
    header_begin(&t, time, frame);
    text_print(&t, "element vertex %zu\n", p->count);
    text_add(&t, "property double x\nproperty double y\nproperty double z\n"
                 "property float vx\nproperty float vy\nproperty float vz\n");
    for (uint32_t c = 0; c < p->column_count; c++) text_print(&t, "property float %s\n", p->column[c].name);
    text_add(&t, "property uint id_low\nproperty uint id_high\n");

    rill_status st = header_end(&t, &f);
    if (!st) st = particle_records(ctx, &f, p);
    if (!st) st = file_commit(&f);
    file_abandon(&f);
    return st;
}

static uint8_t *put_vertex(uint8_t *at, const trimesh *m, size_t i)
{
    at = put_float(at, m->position[i].x);
    at = put_float(at, m->position[i].y);
    at = put_float(at, m->position[i].z);
    if (m->normal) at = put(at, m->normal[i], sizeof m->normal[i]);
    for (uint32_t c = 0; c < m->column_count; c++) {
        const size_t width = (size_t)m->column[c].width;
        at = put(at, m->column[c].value + width * i, width * sizeof(float));
    }
    return at;
}

static uint8_t *put_face(uint8_t *at, const trimesh *m, size_t i)
{
    *at = 3;
    return put(at + 1, m->triangle[i], sizeof m->triangle[i]);
}

static rill_status mesh_records(rill_ctx *ctx, out_file *f, const trimesh *m)
{
    size_t record = 12 + 12;
    for (uint32_t c = 0; c < m->column_count; c++) record += (size_t)m->column[c].width * sizeof(float);
    uint8_t *block;
    TRY(MEM_NEW(ctx, block, BLOCK * record)); /* a face takes 13 */
    rill_status st = RILL_OK;
    for (size_t i = 0; i < m->vertex_count && !st;) {
        uint8_t *at = block;
        for (size_t end = i + BLOCK < m->vertex_count ? i + BLOCK : m->vertex_count; i < end; i++)
            at = put_vertex(at, m, i);
        st = file_write(f, block, (size_t)(at - block));
    }
    for (size_t i = 0; i < m->triangle_count && !st;) {
        uint8_t *at = block;
        for (size_t end = i + BLOCK < m->triangle_count ? i + BLOCK : m->triangle_count; i < end; i++)
            at = put_face(at, m, i);
        st = file_write(f, block, (size_t)(at - block));
    }
    mem_free(ctx, block);
    return st;
}

static void mesh_column_lines(text *t, const trimesh_column *c)
{
    if (c->width == 1)
        text_print(t, "property float %s\n", c->name);
    else if (strcmp(c->name, "velocity") == 0)
        text_add(t, "property float vx\nproperty float vy\nproperty float vz\n");
    else
        for (int k = 0; k < 3; k++) text_print(t, "property float %s_%c\n", c->name, 'x' + k);
}

rill_status ply_write_mesh(rill_ctx *ctx, const char *path, const trimesh *m, double time, int64_t frame)
{
    if (m->vertex_count > INT32_MAX)
        return rill_fail(ctx, RILL_USAGE, "%s: PLY meshes hold at most 2^31 - 1 vertices", path);
    out_file f;
    TRY(file_begin(ctx, path, &f));
    text t;
    text_init(&t, ctx);
    header_begin(&t, time, frame);
    text_print(&t, "element vertex %zu\n", m->vertex_count);
    text_add(&t, "property float x\nproperty float y\nproperty float z\n");
    if (m->normal) text_add(&t, "property float nx\nproperty float ny\nproperty float nz\n");
    for (uint32_t c = 0; c < m->column_count; c++) mesh_column_lines(&t, &m->column[c]);
    text_print(&t, "element face %zu\nproperty list uchar int vertex_indices\n", m->triangle_count);

    rill_status st = header_end(&t, &f);
    if (!st) st = mesh_records(ctx, &f, m);
    if (!st) st = file_commit(&f);
    file_abandon(&f);
    return st;
}
