#include "geom/mesh_sequence.h"

#include "geom/mesh_close.h"

#include <string.h>

struct mesh_sequence {
    trimesh mesh;    /* owned: triangles, and positions at the time set */
    rill_vec3 **key; /* owned; positions at each time */
    double *time;    /* owned */
    size_t count;
    mesh_distance_def def;
    mesh_distance *distance; /* at the time set */
    double at;
    rill_box bounds;
};

static rill_status check_def(rill_ctx *ctx, const mesh_sequence_def *def)
{
    if (def->count == 0) return rill_fail(ctx, RILL_USAGE, "a mesh sequence of no meshes");
    const trimesh *first = &def->mesh[0];
    for (size_t i = 0; i < def->count; i++) {
        const trimesh *m = &def->mesh[i];
        if (!isfinite(def->time[i]) || (i > 0 && !(def->time[i] > def->time[i - 1])))
            return rill_fail(ctx, RILL_USAGE,
                             "mesh sequence: time %zu, %g s, does not come after the one before", i,
                             def->time[i]);
        if (m->vertex_count != first->vertex_count || m->triangle_count != first->triangle_count)
            return rill_fail(
                ctx, RILL_BAD_FILE,
                "mesh sequence: mesh %zu has %zu vertices and %zu triangles, the first %zu and %zu; "
                "only positions may differ",
                i, m->vertex_count, m->triangle_count, first->vertex_count, first->triangle_count);
        if (memcmp(m->triangle, first->triangle, m->triangle_count * sizeof *m->triangle) != 0)
            return rill_fail(
                ctx, RILL_BAD_FILE,
                "mesh sequence: mesh %zu has other triangles than the first; only positions may differ", i);
        for (size_t v = 0; v < m->vertex_count; v++)
            if (!v3_finite(m->position[v]))
                return rill_fail(ctx, RILL_BAD_FILE, "mesh sequence: vertex %zu of mesh %zu is not finite", v,
                                 i);
        for (size_t k = 0; i == 0 && k < 3 * m->triangle_count; k++)
            if (m->triangle[k / 3][k % 3] >= m->vertex_count)
                return rill_fail(ctx, RILL_BAD_FILE, "mesh sequence: triangle %zu names vertex %u of %zu",
                                 k / 3, m->triangle[k / 3][k % 3], m->vertex_count);
    }
    return RILL_OK;
}

static rill_status copy_triangles(rill_ctx *ctx, const trimesh *from, const rill_vec3 *position, trimesh *to)
{
    TRY(MEM_NEW(ctx, to->position, from->vertex_count));
    TRY(MEM_NEW(ctx, to->triangle, from->triangle_count));
    memcpy(to->position, position, from->vertex_count * sizeof *to->position);
    memcpy(to->triangle, from->triangle, from->triangle_count * sizeof *to->triangle);
    to->vertex_count = from->vertex_count;
    to->triangle_count = from->triangle_count;
    return RILL_OK;
}

/* Key k: its positions, and those of the vertices that close the holes of the first. */
static rill_status add_key(rill_ctx *ctx, mesh_sequence *s, const trimesh *mesh, const mesh_rim *rim,
                           size_t k)
{
    trimesh m = {0};
    rill_status st = copy_triangles(ctx, mesh, mesh->position, &m);
    if (!st && rim) st = mesh_close(ctx, &m, rim);
    if (!st) {
        s->key[k] = m.position;
        m.position = NULL;
        for (size_t i = 0; i < m.vertex_count; i++) s->bounds = box_with(s->bounds, s->key[k][i]);
        if (k == 0) {
            s->mesh.triangle = m.triangle;
            s->mesh.vertex_count = m.vertex_count;
            s->mesh.triangle_count = m.triangle_count;
            m.triangle = NULL;
        }
    }
    trimesh_clear(ctx, &m);
    return st;
}

static rill_status build(rill_ctx *ctx, mesh_sequence *s, const mesh_sequence_def *def)
{
    TRY(check_def(ctx, def));
    s->def = def->distance;
    s->count = def->count;
    s->bounds = box_empty();
    TRY(MEM_NEW_ZERO(ctx, s->key, def->count));
    TRY(MEM_NEW(ctx, s->time, def->count));
    memcpy(s->time, def->time, def->count * sizeof *s->time);
    mesh_rim rim = {0};
    const bool close = def->distance.holes && def->distance.shell == 0;
    rill_status st = close ? mesh_rim_build(ctx, &def->mesh[0], &rim) : RILL_OK;
    for (size_t k = 0; !st && k < def->count; k++)
        st = add_key(ctx, s, &def->mesh[k], close ? &rim : NULL, k);
    mesh_rim_clear(ctx, &rim);
    if (!st) st = MEM_NEW(ctx, s->mesh.position, s->mesh.vertex_count);
    if (!st) st = mesh_sequence_set(ctx, s, s->time[0]);
    return st;
}

rill_status mesh_sequence_create(rill_ctx *ctx, const mesh_sequence_def *def, mesh_sequence **out)
{
    mesh_sequence *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    const rill_status st = build(ctx, s, def);
    if (st)
        mesh_sequence_destroy(ctx, s);
    else
        *out = s;
    return st;
}

void mesh_sequence_destroy(rill_ctx *ctx, mesh_sequence *s)
{
    if (!s) return;
    mesh_distance_destroy(ctx, s->distance);
    for (size_t i = 0; s->key && i < s->count; i++) mem_free(ctx, s->key[i]);
    mem_free(ctx, s->key);
    mem_free(ctx, s->time);
    trimesh_clear(ctx, &s->mesh);
    mem_free(ctx, s);
}

/* The keys around the time, and the share of the second; the same twice: it stands still. */
static double span_at(const mesh_sequence *s, double time, size_t *a, size_t *b)
{
    if (!(time >= s->time[0])) return *a = *b = 0, 0;
    if (time > s->time[s->count - 1] || s->count == 1) return *a = *b = s->count - 1, 0;
    size_t k = 1;
    while (k + 1 < s->count && time >= s->time[k]) k++;
    *a = k - 1, *b = k;
    return (time - s->time[k - 1]) / (s->time[k] - s->time[k - 1]);
}

rill_status mesh_sequence_set(rill_ctx *ctx, mesh_sequence *s, double time)
{
    size_t a, b;
    const double share = span_at(s, time, &a, &b);
    for (size_t i = 0; i < s->mesh.vertex_count; i++)
        s->mesh.position[i] = v3_add(v3_scale(s->key[a][i], 1 - share), v3_scale(s->key[b][i], share));
    mesh_distance *distance = NULL;
    TRY(mesh_distance_create(ctx, &s->mesh, &s->def, &distance));
    mesh_distance_destroy(ctx, s->distance);
    s->distance = distance;
    s->at = time;
    return RILL_OK;
}

mesh_distance *mesh_sequence_distance(const mesh_sequence *s)
{
    return s->distance;
}

rill_vec3 mesh_sequence_velocity(const mesh_sequence *s, rill_vec3 x)
{
    size_t a, b;
    span_at(s, s->at, &a, &b);
    rill_vec3 v = {0};
    if (a == b) return v;
    const mesh_closest c = mesh_distance_closest(s->distance, x);
    const uint32_t *corner = mesh_distance_surface(s->distance)->triangle[c.triangle];
    for (int k = 0; k < 3; k++) {
        if (corner[k] >= s->mesh.vertex_count)
            continue; /* closes a gap between vertices that drifted apart */
        v = v3_madd(v, c.weight[k], v3_sub(s->key[b][corner[k]], s->key[a][corner[k]]));
    }
    return v3_scale(v, 1 / (s->time[b] - s->time[a]));
}

rill_box mesh_sequence_bounds(const mesh_sequence *s)
{
    return box_grown(s->bounds, s->def.shell / 2);
}
