#include "geom/distance/mesh_sequence.h"

#include "geom/distance/mesh_sequence_keys.h"
#include "geom/mesh/mesh_close.h"

#include <string.h>

rill_status mesh_sequence_create(rill_ctx *ctx, const mesh_sequence_def *def, mesh_sequence **out)
{
    mesh_sequence *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->def = *def;
    s->bounds = box_empty();
    *out = s;
    return RILL_OK;
}

void mesh_sequence_destroy(rill_ctx *ctx, mesh_sequence *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->count; i++) mem_free(ctx, s->key[i].position);
    mem_free(ctx, s->key);
    mesh_rim_clear(ctx, &s->rim);
    trimesh_clear(ctx, &s->given);
    trimesh_clear(ctx, &s->mesh);
    mem_free(ctx, s);
}

size_t mesh_sequence_count(const mesh_sequence *s)
{
    return s->count;
}

rill_box mesh_sequence_bounds(const mesh_sequence *s)
{
    return box_grown(s->bounds, s->def.shell / 2);
}

/* --- the same triangles --- */

enum { LARGEST = 64 }; /* triangles of a polygon that may be cut differently */

/* The sides of the triangles that none of them runs through the other way, sorted; a side
 * is its two vertices in order. */
static size_t rim_of(const uint32_t (*triangle)[3], size_t count, uint64_t *side)
{
    size_t n = 0;
    for (size_t i = 0; i < 3 * count; i++) {
        const uint32_t from = triangle[i / 3][i % 3], to = triangle[i / 3][(i + 1) % 3];
        const uint64_t this = (uint64_t)from << 32 | to, back = (uint64_t)to << 32 | from;
        size_t at = 0;
        while (at < n && side[at] != back) at++;
        if (at < n) {
            memmove(&side[at], &side[at + 1], (n - at - 1) * sizeof *side);
            n--;
            continue;
        }
        for (at = n++; at > 0 && side[at - 1] > this; at--) side[at] = side[at - 1];
        side[at] = this;
    }
    return n;
}

/* How many triangles from i on are two ways to cut one polygon: they have the same sides
 * around. 0: they are not. */
static size_t same_polygon(const trimesh *a, const trimesh *b, size_t i)
{
    uint64_t of_a[3 * LARGEST], of_b[3 * LARGEST];
    for (size_t n = 2; n <= LARGEST && i + n <= a->triangle_count; n++) {
        const size_t count = rim_of((const uint32_t(*)[3])a->triangle + i, n, of_a);
        if (count != n + 2) return 0;
        if (rim_of((const uint32_t(*)[3])b->triangle + i, n, of_b) == count &&
            memcmp(of_a, of_b, count * sizeof *of_a) == 0)
            return n;
    }
    return 0;
}

static rill_status check_same(rill_ctx *ctx, const trimesh *first, const trimesh *m)
{
    if (m->vertex_count != first->vertex_count || m->triangle_count != first->triangle_count)
        return rill_fail(ctx, RILL_BAD_FILE,
                         "it has %zu vertices and %zu triangles, the first of the sequence %zu and %zu; only "
                         "positions may differ",
                         m->vertex_count, m->triangle_count, first->vertex_count, first->triangle_count);
    for (size_t i = 0; i < m->triangle_count;) {
        if (memcmp(m->triangle[i], first->triangle[i], sizeof *m->triangle) == 0) {
            i++;
            continue;
        }
        const size_t n = same_polygon(first, m, i);
        if (n == 0)
            return rill_fail(ctx, RILL_BAD_FILE,
                             "its triangle %zu joins other vertices than in the first of the sequence; only "
                             "positions may differ",
                             i);
        i += n;
    }
    for (size_t v = 0; v < m->vertex_count; v++)
        if (!v3_finite(m->position[v]) || !(v3_length(m->position[v]) < 1e15))
            return rill_fail(ctx, RILL_BAD_FILE, "vertex %zu of the mesh is at (%g, %g, %g)", v,
                             m->position[v].x, m->position[v].y, m->position[v].z);
    return RILL_OK;
}

/* --- keys --- */

static rill_status copy(rill_ctx *ctx, const rill_vec3 *position, size_t vertices,
                        const uint32_t (*triangle)[3], size_t triangles, trimesh *to)
{
    if (position) {
        TRY(MEM_NEW(ctx, to->position, vertices));
        memcpy(to->position, position, vertices * sizeof *position);
    }
    TRY(MEM_NEW(ctx, to->triangle, triangles));
    memcpy(to->triangle, triangle, triangles * sizeof *triangle);
    to->vertex_count = vertices;
    to->triangle_count = triangles;
    return RILL_OK;
}

/* The first mesh decides which triangles there are: those that close it, and which way
 * they face. */
static rill_status add_first(rill_ctx *ctx, mesh_sequence *s, const trimesh *mesh)
{
    const mesh_distance_def def = {.shell = s->def.shell, .holes = s->def.holes};
    mesh_distance *d = NULL;
    TRY(mesh_distance_create(ctx, mesh, &def, &d));
    const trimesh *surface = mesh_distance_surface(d);
    trimesh whole = {0}, given = {0};
    mesh_rim rim = {0};
    rill_status st = copy(ctx, NULL, surface->vertex_count, (const uint32_t(*)[3])surface->triangle,
                          surface->triangle_count, &whole);
    if (!st)
        st = copy(ctx, mesh->position, mesh->vertex_count, (const uint32_t(*)[3])mesh->triangle,
                  mesh->triangle_count, &given);
    if (!st && s->def.holes && s->def.shell == 0) st = mesh_rim_build(ctx, mesh, &rim);
    mesh_distance_destroy(ctx, d);
    if (st) {
        mesh_rim_clear(ctx, &rim);
        trimesh_clear(ctx, &given);
        trimesh_clear(ctx, &whole);
        return st;
    }
    trimesh_clear(ctx, &s->mesh);
    trimesh_clear(ctx, &s->given);
    mesh_rim_clear(ctx, &s->rim);
    s->mesh = whole;
    s->given = given;
    s->rim = rim;
    return RILL_OK;
}

/* The positions of a key, with those of the vertices that close the holes of the first. */
static rill_status make_key(rill_ctx *ctx, const mesh_sequence *s, const trimesh *mesh, rill_vec3 **out)
{
    trimesh m = {0};
    rill_status st = copy(ctx, mesh->position, mesh->vertex_count, (const uint32_t(*)[3])s->given.triangle,
                          s->given.triangle_count, &m);
    if (!st && s->rim.count > 0) st = mesh_close(ctx, &m, &s->rim);
    if (!st) {
        *out = m.position;
        m.position = NULL;
    }
    trimesh_clear(ctx, &m);
    return st;
}

static double fastest(const mesh_sequence *s, const rill_vec3 *a, const rill_vec3 *b, double time)
{
    double most = 0;
    for (size_t i = 0; i < s->mesh.vertex_count; i++) most = fmax(most, v3_distance(a[i], b[i]));
    return most / time;
}

rill_status mesh_sequence_add(rill_ctx *ctx, mesh_sequence *s, const trimesh *mesh, double time)
{
    const mesh_key *before = s->count ? &s->key[s->count - 1] : NULL;
    if (!isfinite(time) || (before && !(time > before->time)))
        return rill_fail(ctx, RILL_USAGE, "mesh sequence: time %zu, %g s, does not come after the one before",
                         s->count, time);
    TRY(s->count ? check_same(ctx, &s->given, mesh) : add_first(ctx, s, mesh));
    if (s->count == s->capacity) {
        const size_t capacity = s->capacity ? 2 * s->capacity : 8;
        mesh_key *key;
        TRY(MEM_NEW(ctx, key, capacity));
        if (s->count) memcpy(key, s->key, s->count * sizeof *key);
        mem_free(ctx, s->key);
        s->key = key;
        s->capacity = capacity;
    }
    mesh_key k = {.time = time};
    TRY(make_key(ctx, s, mesh, &k.position));
    for (size_t i = 0; i < s->mesh.vertex_count; i++) s->bounds = box_with(s->bounds, k.position[i]);
    if (s->count) {
        mesh_key *last = &s->key[s->count - 1];
        last->speed = fastest(s, last->position, k.position, time - last->time);
    }
    s->key[s->count++] = k;
    return RILL_OK;
}

size_t mesh_sequence_span(const mesh_sequence *s, double time)
{
    size_t low = 0, high = s->count > 1 ? s->count - 2 : 0; /* the answer is in [low, high] */
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (time >= s->key[middle].time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

double mesh_sequence_max_speed(const mesh_sequence *s, double from, double to)
{
    double most = 0;
    if (s->count < 2 || to < s->key[0].time || from > s->key[s->count - 1].time) return 0;
    const size_t last = mesh_sequence_span(s, to);
    for (size_t k = mesh_sequence_span(s, from); k <= last; k++) most = fmax(most, s->key[k].speed);
    return most;
}
