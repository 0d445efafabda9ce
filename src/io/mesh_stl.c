/* STL, ascii and binary: triangles without shared vertices. Corners at exactly the same place
 * become one vertex (trimesh_merge). Normals are not looked at, as many files have none or
 * wrong ones; the order of the corners defines the outside.
 *
 * Binary: 80 bytes of anything, the number of triangles, and 50 bytes for each: normal, three
 * corners (float32, little endian), and two bytes of anything. */
#include "geom/mesh/trimesh_merge.h"
#include "io/mesh_file.h"
#include "io/mesh_text.h"

#include <math.h>
#include <string.h>

enum { HEAD = 84, RECORD = 50, CORNERS = 12 };

/* Triangles over corners that are not shared yet. */
static rill_status finish(rill_ctx *ctx, const char *name, trimesh *m, trimesh *out)
{
    if (m->vertex_count >= UINT32_MAX)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: %zu triangles are more than 32-bit ids can name", name,
                         m->vertex_count / 3);
    m->triangle_count = m->vertex_count / 3;
    TRY(MEM_NEW(ctx, m->triangle, m->triangle_count));
    for (size_t i = 0; i < m->triangle_count; i++)
        for (uint32_t k = 0; k < 3; k++) m->triangle[i][k] = (uint32_t)(3 * i) + k;
    TRY(trimesh_merge(ctx, m));
    trimesh_clear(ctx, out);
    *out = trimesh_take(m);
    return RILL_OK;
}

/* ---- binary ---- */

static rill_status fill_binary(rill_ctx *ctx, const char *name, const uint8_t *bytes, size_t length,
                               trimesh *m)
{
    uint32_t count = 0;
    if (length >= HEAD) memcpy(&count, bytes + 80, sizeof count);
    if (length < HEAD || count > (length - HEAD) / RECORD)
        return rill_fail(ctx, RILL_BAD_FILE,
                         "%s: byte %zu: the STL file ends early: %u triangles take %llu bytes, it has %zu; "
                         "it is cut off or damaged",
                         name, length, count, (unsigned long long)HEAD + (unsigned long long)RECORD * count,
                         length);
    if (count == 0) return rill_fail(ctx, RILL_BAD_FILE, "%s: byte 80: the STL file has no triangles", name);
    TRY(MEM_NEW(ctx, m->position, 3 * (size_t)count));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) {
            const size_t at = HEAD + RECORD * i + CORNERS * (k + 1);
            float x[3];
            memcpy(x, bytes + at, sizeof x);
            if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
                return rill_fail(ctx, RILL_BAD_FILE,
                                 "%s: byte %zu: triangle %zu has a corner that is not finite", name, at, i);
            m->position[m->vertex_count++] = v3(x[0], x[1], x[2]);
        }
    return RILL_OK;
}

rill_status stl_parse_binary(rill_ctx *ctx, const char *name, const char *bytes, size_t length, trimesh *out)
{
    trimesh m = {0};
    rill_status st = fill_binary(ctx, name, (const uint8_t *)bytes, length, &m);
    if (!st) st = finish(ctx, name, &m, out);
    trimesh_clear(ctx, &m);
    return st;
}

/* ---- ascii ---- */

static rill_status ends_early(const mesh_text *t, const char *wanted)
{
    return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: the file ends where \"%s\" should stand; it is cut off",
                     t->name, t->line, wanted);
}

static rill_status unexpected(const mesh_text *t, const mesh_word *w, const char *wanted)
{
    char shown[MESH_SHOWN];
    return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: \"%s\" where \"%s\" should stand", t->name, w->line,
                     mesh_word_shown(w, shown), wanted);
}

static rill_status expect(mesh_text *t, const char *wanted)
{
    mesh_word w;
    if (!mesh_text_word(t, &w)) return ends_early(t, wanted);
    return mesh_word_is(&w, wanted) ? RILL_OK : unexpected(t, &w, wanted);
}

static rill_status read_corner(mesh_text *t, rill_vec3 *out)
{
    double x[3] = {0, 0, 0};
    TRY(expect(t, "vertex"));
    for (int k = 0; k < 3; k++) {
        mesh_word w;
        char shown[MESH_SHOWN];
        if (!mesh_text_word(t, &w)) return ends_early(t, "a coordinate");
        if (!mesh_word_number(t, &w, &x[k]) || !isfinite(x[k]))
            return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: \"%s\" is not a %s", t->name, w.line,
                             mesh_word_shown(&w, shown), !isfinite(x[k]) ? "finite number" : "number");
    }
    *out = v3(x[0], x[1], x[2]);
    return RILL_OK;
}

/* From behind "facet" to "endfacet". The normal is up to three words of any kind. */
static rill_status read_facet(mesh_text *t, rill_vec3 corner[3])
{
    mesh_word w;
    TRY(expect(t, "normal"));
    for (int k = 0;; k++) {
        if (!mesh_text_word(t, &w)) return ends_early(t, "outer");
        if (mesh_word_is(&w, "outer")) break;
        if (k == 3) return unexpected(t, &w, "outer");
    }
    TRY(expect(t, "loop"));
    for (int k = 0; k < 3; k++) TRY(read_corner(t, &corner[k]));
    TRY(expect(t, "endloop")); /* four corners end here: STL holds triangles only */
    return expect(t, "endfacet");
}

static rill_status read_solid(mesh_text *t, trimesh *m, size_t *capacity)
{
    mesh_word w;
    mesh_text_skip_line(t); /* its name */
    for (;;) {
        if (!mesh_text_word(t, &w)) return ends_early(t, "endsolid");
        if (mesh_word_is(&w, "endsolid")) break;
        if (!mesh_word_is(&w, "facet")) return unexpected(t, &w, "facet");
        TRY(mem_grow(t->ctx, &m->position, sizeof *m->position, capacity, m->vertex_count + 3));
        TRY(read_facet(t, m->position + m->vertex_count));
        m->vertex_count += 3;
    }
    mesh_text_skip_line(t);
    return RILL_OK;
}

static rill_status fill_ascii(mesh_text *t, trimesh *m)
{
    mesh_word w;
    size_t capacity = 0;
    while (mesh_text_word(t, &w)) {
        if (!mesh_word_is(&w, "solid")) return unexpected(t, &w, "solid");
        TRY(read_solid(t, m, &capacity));
    }
    if (m->vertex_count == 0)
        return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: no facets up to the end of the file", t->name,
                         t->line);
    return RILL_OK;
}

rill_status stl_parse_ascii(rill_ctx *ctx, const char *name, const char *bytes, size_t length, trimesh *out)
{
    mesh_text t;
    trimesh m = {0};
    TRY(mesh_text_init(&t, ctx, name, bytes, length, 1));
    rill_status st = fill_ascii(&t, &m);
    if (!st) st = finish(ctx, name, &m, out);
    trimesh_clear(ctx, &m);
    mesh_text_clear(&t);
    return st;
}
