/* Wavefront OBJ: vertices and faces. Passes over the text: one counts, so that
 * nothing grows; one reads the vertices; one the faces, which may come before their vertices.
 *
 * A statement is a line; a backslash at its end joins the next. Face corners are v, v/t, v//n
 * or v/t/n; v counts from 1, or back from -1, the vertex written last. */
#include "geom/mesh/polygon.h"
#include "io/mesh_file.h"
#include "io/mesh_text.h"

#include <math.h>
#include <string.h>

/* What an OBJ file may have besides v and f, and Rill leaves out. */
static const char *const left_out[] = {
    "vt",     "vn",     "vp",    "g",      "o",        "s",      "usemtl",   "mtllib", "l",          "p",
    "usemap", "maplib", "mg",    "bevel",  "c_interp", "lod",    "d_interp", "end",    "shadow_obj", "parm",
    "trim",   "hole",   "scrv",  "sp",     "curv",     "curv2",  "surf",     "cstype", "trace_obj",  "deg",
    "bmat",   "step",   "ctech", "stech",  "con",      "call",   "csh",      "vc",     "bsp",        "bzp",
    "cdc",    "cdp",    "res",   "usemtx", "maplibx",  "mtllibx"};

typedef struct {
    mesh_text text;
    size_t vertices, triangles; /* by the counting pass; triangles: at most */
    uint32_t *corner;           /* of the face being read; owned */
    size_t corner_capacity;
    size_t before; /* vertices in front of the face being read */
    polygon_cutter cutter;
    trimesh mesh; /* its counts: what is filled so far */
} obj_reader;

/* The next word of the statement; false at its end. */
static bool next_word(mesh_text *t, mesh_word *w)
{
    for (;;) {
        while (t->at < t->end && mesh_is_blank(*t->at)) t->at++;
        if (t->at + 1 < t->end && *t->at == '\\' && mesh_is_line_end(t->at[1])) {
            t->at++;
            mesh_text_end_line(t);
            continue;
        }
        break;
    }
    if (t->at == t->end || mesh_is_line_end(*t->at) || *t->at == '#') return false;
    *w = (mesh_word){t->at, 0, t->line};
    while (t->at < t->end && !mesh_is_blank(*t->at) && !mesh_is_line_end(*t->at)) {
        if (*t->at == '\\' && t->at + 1 < t->end && mesh_is_line_end(t->at[1])) break;
        t->at++;
    }
    w->length = (size_t)(t->at - w->start);
    return true;
}

/* Behind the statement: lines that it joins to itself included, but a comment joins none. */
static void end_statement(mesh_text *t)
{
    mesh_word w;
    while (next_word(t, &w)) {
    }
    mesh_text_skip_line(t);
}

static rill_status bad_word(const mesh_text *t, const mesh_word *w, const char *what)
{
    char shown[MESH_SHOWN];
    return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: \"%s\" %s", t->name, w->line, mesh_word_shown(w, shown),
                     what);
}

static rill_status count_statements(obj_reader *r)
{
    mesh_text t = r->text;
    mesh_word w;
    while (t.at < t.end) {
        if (next_word(&t, &w)) {
            if (w.length == 1 && *w.start == 'v') {
                r->vertices++;
            } else if (w.length == 1 && *w.start == 'f') {
                size_t corners = 0;
                while (next_word(&t, &w)) corners++;
                if (corners > 2) r->triangles += corners - 2;
            }
        }
        end_statement(&t);
    }
    if (r->vertices >= UINT32_MAX || r->triangles >= UINT32_MAX / 3)
        return rill_fail(t.ctx, RILL_BAD_FILE,
                         "%s: %zu vertices and %zu triangles are more than 32-bit ids can name", t.name,
                         r->vertices, r->triangles);
    return RILL_OK;
}

static rill_status read_vertex(obj_reader *r, size_t line)
{
    mesh_text *t = &r->text;
    mesh_word w;
    double x[3] = {0, 0, 0};
    int count = 0;
    while (next_word(t, &w)) {
        double value;
        if (!mesh_word_number(t, &w, &value)) return bad_word(t, &w, "is not a number");
        if (count < 3 && !isfinite(value)) return bad_word(t, &w, "is not finite");
        if (count < 3) x[count] = value;
        if (++count > 8) return bad_word(t, &w, "is one number too many for a vertex");
    }
    if (count < 3)
        return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: a vertex with %d coordinates instead of 3", t->name,
                         line, count);
    r->mesh.position[r->mesh.vertex_count++] = v3(x[0], x[1], x[2]);
    return RILL_OK;
}

/* A whole number at *c; false when there is none. Huge ones stay huge. */
static bool read_integer(const char **c, const char *end, int64_t *out)
{
    const bool negative = *c < end && **c == '-';
    if (*c < end && (**c == '-' || **c == '+')) ++*c;
    const char *first = *c;
    int64_t v = 0;
    for (; *c < end && **c >= '0' && **c <= '9'; ++*c)
        if (v < (int64_t)1 << 56) v = 10 * v + (**c - '0');
    *out = negative ? -v : v;
    return *c > first;
}

/* What follows the vertex of a corner: nothing, /t, /t/n or //n (and, as some write, / or //). */
static bool corner_tail(const char *c, const char *end)
{
    int64_t ignored;
    for (int k = 0; k < 2 && c < end; k++) {
        if (*c != '/') return false;
        c++;
        if (c < end && *c != '/' && !read_integer(&c, end, &ignored)) return false;
    }
    return c == end;
}

static rill_status read_corner(obj_reader *r, const mesh_word *w, uint32_t *out)
{
    const mesh_text *t = &r->text;
    const char *c = w->start, *end = c + w->length;
    int64_t v;
    if (!read_integer(&c, end, &v) || !corner_tail(c, end))
        return bad_word(t, w, "is not a corner of a face (v, v/t, v//n or v/t/n)");
    if (v == 0)
        return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: face names vertex 0; OBJ counts from 1", t->name,
                         w->line);
    if (v > (int64_t)r->vertices)
        return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: face names vertex %lld, there are %zu", t->name,
                         w->line, (long long)v, r->vertices);
    if (v < -(int64_t)r->before)
        return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: face names vertex %lld, there are %zu before it",
                         t->name, w->line, (long long)v, r->before);
    *out = (uint32_t)(v > 0 ? v - 1 : (int64_t)r->before + v);
    return RILL_OK;
}

static rill_status read_face(obj_reader *r, size_t line)
{
    mesh_text *t = &r->text;
    mesh_word w;
    size_t count = 0;
    while (next_word(t, &w)) {
        TRY(mem_grow(t->ctx, &r->corner, sizeof *r->corner, &r->corner_capacity, count + 1));
        TRY(read_corner(r, &w, &r->corner[count]));
        if (++count > r->vertices)
            return rill_fail(t->ctx, RILL_BAD_FILE,
                             "%s:%zu: a face with more corners than there are vertices (%zu)", t->name, line,
                             r->vertices);
    }
    if (count < 3)
        return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: a face with %zu corners; it takes 3", t->name, line,
                         count);
    uint32_t made = 0;
    const rill_status st = polygon_cut(&r->cutter, r->mesh.position, r->corner, (uint32_t)count,
                                       r->mesh.triangle + r->mesh.triangle_count, &made);
    if (st == RILL_BAD_FILE) return rill_fail_prefix(t->ctx, st, "%s:%zu: ", t->name, line);
    r->mesh.triangle_count += made;
    return st;
}

static bool is_left_out(const mesh_word *w)
{
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
        if (strlen(left_out[k]) == w->length && memcmp(left_out[k], w->start, w->length) == 0) return true;
    return false;
}

static rill_status fill_vertices(obj_reader *r)
{
    mesh_text *t = &r->text;
    mesh_word w;
    while (t->at < t->end) {
        if (next_word(t, &w)) {
            if (w.length == 1 && *w.start == 'v')
                TRY(read_vertex(r, w.line));
            else if ((w.length != 1 || *w.start != 'f') && !is_left_out(&w))
                return bad_word(t, &w, "does not begin a statement of an OBJ file");
        }
        end_statement(t);
    }
    return RILL_OK;
}

static rill_status fill_faces(obj_reader *r)
{
    mesh_text *t = &r->text;
    mesh_word w;
    while (t->at < t->end) {
        if (next_word(t, &w) && w.length == 1) {
            if (*w.start == 'v')
                r->before++;
            else if (*w.start == 'f')
                TRY(read_face(r, w.line));
        }
        end_statement(t);
    }
    if (r->mesh.triangle_count == 0)
        return rill_fail(t->ctx, RILL_BAD_FILE, "%s:%zu: no faces up to the end of the file", t->name,
                         t->line);
    return RILL_OK;
}

static rill_status fill(obj_reader *r)
{
    const mesh_text start = r->text;
    TRY(count_statements(r));
    TRY(MEM_NEW(start.ctx, r->mesh.position, r->vertices));
    TRY(MEM_NEW(start.ctx, r->mesh.triangle, r->triangles));
    TRY(fill_vertices(r));
    r->text = start;
    return fill_faces(r);
}

rill_status obj_parse_mesh(rill_ctx *ctx, const char *name, const char *bytes, size_t length, trimesh *out)
{
    obj_reader r = {0};
    TRY(mesh_text_init(&r.text, ctx, name, bytes, length, 1));
    polygon_cutter_init(&r.cutter, ctx, mesh_cutting_steps(length));
    const rill_status st = fill(&r);
    if (!st) {
        trimesh_clear(ctx, out);
        *out = trimesh_take(&r.mesh);
    }
    trimesh_clear(ctx, &r.mesh);
    mem_free(ctx, r.corner);
    polygon_cutter_clear(&r.cutter);
    mesh_text_clear(&r.text);
    return st;
}
