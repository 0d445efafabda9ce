#include "io/bobj.h"

#include "io/file.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are copied as they lie in memory");

enum { BUFFER = 1 << 16, GZIP = 16 + MAX_WBITS, LEVEL = 3 };

typedef struct {
    rill_ctx *ctx;
    out_file *file;
    z_stream z;
    uint8_t in[BUFFER], out[BUFFER];
    size_t used;
    rill_status failed;
} packer;

static void *take(void *ctx, unsigned count, unsigned size)
{
    return mem_alloc(ctx, count, size);
}

static void give_back(void *ctx, void *memory)
{
    mem_free(ctx, memory);
}

/* Compresses the buffered bytes into the file. */
static void drain(packer *p, int flush)
{
    p->z.next_in = p->in;
    p->z.avail_in = (unsigned)p->used;
    p->used = 0;
    int state = Z_OK;
    while (!p->failed && (p->z.avail_in || flush == Z_FINISH) && state != Z_STREAM_END) {
        p->z.next_out = p->out;
        p->z.avail_out = BUFFER;
        state = deflate(&p->z, flush);
        if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
            p->failed = rill_fail(p->ctx, RILL_DISK, "%s: compressing failed", p->file->path);
        else
            p->failed = file_write(p->file, p->out, BUFFER - p->z.avail_out);
    }
}

static void put(packer *p, const void *data, size_t bytes)
{
    if (p->used + bytes > BUFFER) drain(p, Z_NO_FLUSH);
    memcpy(p->in + p->used, data, bytes);
    p->used += bytes;
}

static void put_count(packer *p, size_t count)
{
    const int32_t n = (int32_t)count;
    put(p, &n, sizeof n);
}

static void put_vector(packer *p, double x, double y, double z)
{
    const float v[3] = {(float)x, (float)-z, (float)y}; /* z up */
    put(p, v, sizeof v);
}

static void put_mesh(packer *p, const trimesh *m, rill_box domain)
{
    const rill_vec3 middle = box_center(domain), size = box_size(domain);
    const double scale = 1 / fmax(size.x, fmax(size.y, size.z));
    put_count(p, m->vertex_count);
    for (size_t i = 0; i < m->vertex_count; i++) {
        const rill_vec3 v = v3_scale(v3_sub(m->position[i], middle), scale);
        put_vector(p, v.x, v.y, v.z);
    }
    put_count(p, m->vertex_count);
    for (size_t i = 0; i < m->vertex_count; i++) {
        if (m->normal)
            put_vector(p, m->normal[i][0], m->normal[i][1], m->normal[i][2]);
        else
            put_vector(p, 0, 1, 0);
    }
    put_count(p, m->triangle_count);
    for (size_t i = 0; i < m->triangle_count; i++) put(p, m->triangle[i], sizeof m->triangle[i]);
    drain(p, Z_FINISH);
}

rill_status bobj_write(rill_ctx *ctx, const char *path, const trimesh *m, rill_box domain)
{
    out_file f;
    packer *p;
    if (m->vertex_count > INT32_MAX || m->triangle_count > INT32_MAX)
        return rill_fail(ctx, RILL_USAGE, "%s: a mesh of %zu vertices is more than this kind of file holds",
                         path, m->vertex_count);
    TRY(MEM_NEW_ZERO(ctx, p, 1));
    *p = (packer){.ctx = ctx, .file = &f, .z = {.zalloc = take, .zfree = give_back, .opaque = ctx}};
    rill_status st = file_begin(ctx, path, &f);
    if (!st) {
        if (deflateInit2(&p->z, LEVEL, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            st = mem_failed(ctx, 1, BUFFER);
        if (!st) {
            put_mesh(p, m, domain);
            st = p->failed;
            deflateEnd(&p->z);
        }
        if (!st) st = file_commit(&f);
        file_abandon(&f);
    }
    mem_free(ctx, p);
    return st;
}
