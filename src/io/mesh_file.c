#include "io/mesh_file.h"

#include "geom/mesh/trimesh_merge.h"
#include "io/file.h"
#include "io/mesh_text.h"
#include "io/ply.h"

#include <string.h>
#include <strings.h>

static const uint64_t largest = (uint64_t)1 << 36;
static const double farthest = 1e12; /* metres; its square and cube are harmless, also in single precision */

mesh_read_def mesh_read_def_default(void)
{
    return (mesh_read_def){.scale = 1, .merge = true};
}

const char *mesh_kind_word(mesh_kind kind)
{
    static const char *const word[] = {"OBJ", "PLY", "ascii STL", "binary STL"};
    return word[kind];
}

/* A step takes a few nanoseconds: a quarter of a second for each MB, and a little for small files. */
uint64_t mesh_cutting_steps(size_t length)
{
    return ((uint64_t)1 << 24) + ((uint64_t)length << 6);
}

/* ---- the kind of a file ---- */

static bool has_extension(const char *name, const char *extension)
{
    const size_t n = strlen(name), k = strlen(extension);
    return n > k && strcasecmp(name + n - k, extension) == 0;
}

/* A length of exactly the triangles it counts: no text has such a count within its reach, and
 * no PLY header. Many binary files begin with "solid" too. */
static bool sized_as_binary_stl(const char *bytes, size_t length)
{
    uint32_t count;
    if (length < 84) return false;
    memcpy(&count, bytes + 80, sizeof count);
    return count > 0 && (uint64_t)length == 84 + 50 * (uint64_t)count;
}

static bool begins_with(const char *bytes, size_t length, const char *word)
{
    const size_t n = strlen(word);
    return length > n && strncasecmp(bytes, word, n) == 0 &&
           (mesh_is_blank(bytes[n]) || mesh_is_line_end(bytes[n]));
}

/* Text has no zero bytes, a binary STL file has them in its count. */
static bool looks_like_text(const char *bytes, size_t length)
{
    return memchr(bytes, 0, length < 1024 ? length : 1024) == NULL;
}

/* The first statement that is no comment. */
static bool looks_like_obj(const char *bytes, size_t length)
{
    static const char *const words[] = {"v", "vt", "vn",     "vp",     "f", "g",
                                        "o", "s",  "mtllib", "usemtl", "l", "p"};
    const char *c = bytes, *end = bytes + length;
    if (length >= 3 && memcmp(c, "\xef\xbb\xbf", 3) == 0) c += 3;
    while (c < end) {
        while (c < end && (mesh_is_blank(*c) || mesh_is_line_end(*c))) c++;
        if (c == end || *c != '#') break;
        while (c < end && !mesh_is_line_end(*c)) c++;
    }
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (begins_with(c, (size_t)(end - c), words[k])) return true;
    return false;
}

rill_status mesh_kind_of(rill_ctx *ctx, const char *name, const char *bytes, size_t length, mesh_kind *kind)
{
    if (length == 0) return rill_fail(ctx, RILL_BAD_FILE, "%s:1: the file is empty", name);
    const char *text = bytes;
    size_t left = length;
    while (left && (mesh_is_blank(*text) || mesh_is_line_end(*text))) text++, left--;
    if (left >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, left -= 3;

    if (sized_as_binary_stl(bytes, length))
        *kind = MESH_STL_BINARY;
    else if (begins_with(bytes, length, "ply"))
        *kind = MESH_PLY;
    else if (begins_with(text, left, "solid") && looks_like_text(bytes, length))
        *kind = MESH_STL_ASCII;
    else if (looks_like_obj(bytes, length))
        *kind = MESH_OBJ;
    else if (length >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return rill_fail(ctx, RILL_BAD_FILE, "%s:1: UTF-16 text; save it as plain or UTF-8 text", name);
    else if (has_extension(name, ".stl"))
        *kind = MESH_STL_BINARY;
    else if (has_extension(name, ".obj"))
        *kind = MESH_OBJ;
    else if (has_extension(name, ".ply"))
        *kind = MESH_PLY;
    else
        return rill_fail(ctx, RILL_BAD_FILE, "%s:1: not a mesh that Rill reads: neither OBJ, PLY nor STL",
                         name);
    return RILL_OK;
}

/* ---- reading ---- */

static rill_status parse_kind(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                              mesh_kind kind, trimesh *out)
{
    switch (kind) {
    case MESH_OBJ: return obj_parse_mesh(ctx, name, bytes, length, out);
    case MESH_PLY: return ply_parse_mesh(ctx, name, bytes, length, out, NULL);
    case MESH_STL_ASCII: return stl_parse_ascii(ctx, name, bytes, length, out);
    default: return stl_parse_binary(ctx, name, bytes, length, out);
    }
}

static rill_status place(rill_ctx *ctx, const char *name, const mesh_read_def *def, trimesh *m)
{
    for (size_t i = 0; i < m->vertex_count; i++) {
        const rill_vec3 x = m->position[i];
        m->position[i] = v3_scale(def->z_up ? v3(x.x, x.z, -x.y) : x, def->scale);
        const double far = fmax(fabs(m->position[i].x), fmax(fabs(m->position[i].y), fabs(m->position[i].z)));
        if (!(far <= farthest))
            return rill_fail(ctx, RILL_BAD_FILE,
                             "%s: vertex %zu lies %.3g m from the origin, beyond the %.0e m Rill works with; "
                             "the file is damaged, or needs a smaller \"scale\"",
                             name, i, far, farthest);
    }
    for (size_t i = 0; def->z_up && m->normal && i < m->vertex_count; i++) {
        const float y = m->normal[i][1];
        m->normal[i][1] = m->normal[i][2];
        m->normal[i][2] = -y;
    }
    return RILL_OK;
}

/* Merging is for what is open as written: a sound mesh keeps its vertices, also where two of its
 * parts touch. */
static rill_status merge_if_open(rill_ctx *ctx, trimesh *m)
{
    trimesh_report report;
    TRY(trimesh_check(ctx, m, &report));
    if (report.open_edges) TRY(trimesh_merge(ctx, m));
    trimesh_drop_degenerate(m);
    return RILL_OK;
}

rill_status mesh_parse(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                       const mesh_read_def *def, trimesh *out, mesh_kind *kind)
{
    const mesh_read_def plain = mesh_read_def_default();
    mesh_kind k;
    trimesh m = {0};
    if (!def) def = &plain;
    if (!(def->scale > 0 && def->scale < INFINITY))
        return rill_fail(ctx, RILL_USAGE, "%s: a scale of %g; it must be positive and finite", name,
                         def->scale);
    TRY(mesh_kind_of(ctx, name, bytes, length, &k));
    rill_status st = parse_kind(ctx, name, bytes, length, k, &m);
    if (!st && m.triangle_count == 0)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s:1: the mesh has no triangles", name);
    if (!st) st = place(ctx, name, def, &m);
    if (!st) trimesh_drop_degenerate(&m);
    if (!st && def->merge) st = merge_if_open(ctx, &m);
    if (!st && m.triangle_count == 0)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s:1: all triangles of the mesh are flat to a line or a point",
                       name);
    if (!st) {
        trimesh_clear(ctx, out);
        *out = trimesh_take(&m);
        if (kind) *kind = k;
    }
    trimesh_clear(ctx, &m);
    return st;
}

rill_status mesh_read(rill_ctx *ctx, const char *path, const mesh_read_def *def, trimesh *out)
{
    char *bytes;
    size_t length;
    TRY(file_read_all(ctx, path, largest, &bytes, &length));
    const rill_status st = mesh_parse(ctx, path, bytes, length, def, out, NULL);
    mem_free(ctx, bytes);
    return st;
}
