#include "tracker/check.h"

#include "base/parallel.h"
#include "geom/mesh/mesh_solid.h"
#include "tracker/exact.h"

#include <string.h>

typedef struct {
    const rill_vec3 *x;
    const uint32_t (*triangle)[3];
    const rill_box *box;   /* [triangle] */
    const uint32_t *order; /* triangles by the lower end of their box along the axis */
    uint32_t *hits, *first;
    size_t count;
    int axis;
} sweep;

/* ---- two triangles ---- */

/* An axis along which the triangle has an area; -1: there is none. */
static int seen_along(const rill_vec3 t[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (exact_orient2(t[0], t[1], t[2], axis) != 0) return axis;
    return -1;
}

static bool between_flat(rill_vec3 p, rill_vec3 a, rill_vec3 b, int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return fmin(v3_axis(a, u), v3_axis(b, u)) <= v3_axis(p, u) &&
           v3_axis(p, u) <= fmax(v3_axis(a, u), v3_axis(b, u)) &&
           fmin(v3_axis(a, v), v3_axis(b, v)) <= v3_axis(p, v) &&
           v3_axis(p, v) <= fmax(v3_axis(a, v), v3_axis(b, v));
}

static bool segments_meet_flat(rill_vec3 p, rill_vec3 q, rill_vec3 a, rill_vec3 b, int axis)
{
    const int pa = exact_orient2(a, b, p, axis), qa = exact_orient2(a, b, q, axis);
    const int ap = exact_orient2(p, q, a, axis), bp = exact_orient2(p, q, b, axis);
    if (pa * qa < 0 && ap * bp < 0) return true;
    return (pa == 0 && between_flat(p, a, b, axis)) || (qa == 0 && between_flat(q, a, b, axis)) ||
           (ap == 0 && between_flat(a, p, q, axis)) || (bp == 0 && between_flat(b, p, q, axis));
}

static bool inside_flat(rill_vec3 p, const rill_vec3 t[3], int axis)
{
    const int a = exact_orient2(t[0], t[1], p, axis), b = exact_orient2(t[1], t[2], p, axis),
              c = exact_orient2(t[2], t[0], p, axis);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static bool segment_meets(rill_vec3 p, rill_vec3 q, const rill_vec3 t[3])
{
    const int sp = exact_orient3(t[0], t[1], t[2], p), sq = exact_orient3(t[0], t[1], t[2], q);
    if (sp * sq > 0) return false;
    if (sp == 0 && sq == 0) {
        const int axis = seen_along(t);
        return inside_flat(p, t, axis) || inside_flat(q, t, axis) ||
               segments_meet_flat(p, q, t[0], t[1], axis) || segments_meet_flat(p, q, t[1], t[2], axis) ||
               segments_meet_flat(p, q, t[2], t[0], axis);
    }
    const int a = exact_orient3(p, q, t[0], t[1]), b = exact_orient3(p, q, t[1], t[2]),
              c = exact_orient3(p, q, t[2], t[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

/* Two triangles that share no vertex intersect when an edge of one meets the other; with one vertex in
 * common, when the edge across from it does; with an edge in common, when they lie on each other. */
static bool triangles_meet(const sweep *s, uint32_t i, uint32_t j)
{
    rill_vec3 t[2][3];
    int shared[2][3] = {{0}}, count = 0;
    const uint32_t *v[2] = {s->triangle[i], s->triangle[j]};
    for (int k = 0; k < 3; k++) t[0][k] = s->x[v[0][k]], t[1][k] = s->x[v[1][k]];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (v[0][a] == v[1][b]) shared[0][a] = shared[1][b] = 1, count++;
    if (count >= 2) {
        int a = 0, b = 0;
        while (a < 2 && shared[0][a]) a++;
        while (b < 2 && shared[1][b]) b++;
        const rill_vec3 p = t[0][(a + 1) % 3], q = t[0][(a + 2) % 3];
        if (count == 3) return true;
        if (exact_orient3(t[0][0], t[0][1], t[0][2], t[1][b]) != 0) return false;
        const int axis = seen_along(t[0]);
        return exact_orient2(p, q, t[0][a], axis) == exact_orient2(p, q, t[1][b], axis);
    }
    for (int side = 0; side < 2; side++)
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3;
            if (shared[side][a] || shared[side][b]) continue;
            if (segment_meets(t[side][a], t[side][b], t[1 - side])) return true;
        }
    return false;
}

/* ---- all of them ---- */

static bool boxes_apart(const rill_box *a, const rill_box *b)
{
    return a->min.x > b->max.x || b->min.x > a->max.x || a->min.y > b->max.y || b->min.y > a->max.y ||
           a->min.z > b->max.z || b->min.z > a->max.z;
}

static void sweep_block(void *arg, size_t begin, size_t end, int worker)
{
    sweep *s = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const uint32_t t = s->order[i];
        const double reach = v3_axis(s->box[t].max, s->axis);
        s->hits[i] = 0;
        for (size_t j = i + 1; j < s->count && v3_axis(s->box[s->order[j]].min, s->axis) <= reach; j++) {
            const uint32_t u = s->order[j];
            if (boxes_apart(&s->box[t], &s->box[u]) || !triangles_meet(s, t, u)) continue;
            if (s->hits[i]++ == 0) s->first[i] = u;
        }
    }
}

/* Doubles in the order of unsigned integers. */
static uint64_t order_key(double x)
{
    uint64_t bits;
    x += 0.0; /* -0 */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

static rill_status find_crossings(rill_ctx *ctx, const trimesh *m, tracker_report *out)
{
    const size_t n = m->triangle_count;
    rill_box *box = NULL;
    uint64_t *key = NULL, *spare_key = NULL;
    uint32_t *order = NULL, *hits = NULL, *first = NULL;
    const rill_vec3 size = box_size(trimesh_bounds(m));
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    rill_status st = MEM_NEW(ctx, box, n);
    if (!st) st = MEM_NEW(ctx, key, n);
    if (!st) st = MEM_NEW(ctx, spare_key, n);
    if (!st) st = MEM_NEW(ctx, order, n);
    if (!st) st = MEM_NEW(ctx, hits, n);
    if (!st) st = MEM_NEW(ctx, first, n);
    for (uint32_t t = 0; !st && t < n; t++) {
        box[t] = box_empty();
        for (int i = 0; i < 3; i++) box[t] = box_with(box[t], m->position[m->triangle[t][i]]);
        key[t] = order_key(v3_axis(box[t].min, axis));
        order[t] = t;
    }
    if (!st) st = sort_by_key(ctx, n, 64, key, order, spare_key, hits);
    if (!st) {
        sweep s = {.x = m->position,
                   .triangle = (const uint32_t(*)[3])m->triangle,
                   .box = box,
                   .order = order,
                   .hits = hits,
                   .first = first,
                   .count = n,
                   .axis = axis};
        parallel_for(ctx, n, 64, sweep_block, &s);
        for (size_t i = 0; i < n; i++) {
            if (hits[i] && out->crossings == 0) {
                out->crossing[0] = order[i];
                out->crossing[1] = first[i];
                out->place = box_center(box[order[i]]);
            }
            out->crossings += hits[i];
        }
    }
    mem_free(ctx, box);
    mem_free(ctx, key);
    mem_free(ctx, spare_key);
    mem_free(ctx, order);
    mem_free(ctx, hits);
    mem_free(ctx, first);
    return st;
}

rill_status tracker_report_build(rill_ctx *ctx, const trimesh *mesh, tracker_report *out)
{
    tracker_report r = {0};
    for (size_t v = 0; v < mesh->vertex_count; v++) r.not_finite += !v3_finite(mesh->position[v]);
    TRY(trimesh_check(ctx, mesh, &r.mesh));
    for (size_t i = 0; i < mesh->triangle_count && r.mesh.degenerate_triangles == 0; i++) {
        const uint32_t *v = mesh->triangle[i];
        const rill_vec3 t[3] = {mesh->position[v[0]], mesh->position[v[1]], mesh->position[v[2]]};
        if (seen_along(t) < 0 && r.flat_triangles++ == 0) r.place = t[0];
    }
    const bool sound = !r.not_finite && !r.flat_triangles && !r.mesh.degenerate_triangles &&
                       !r.mesh.open_edges && !r.mesh.nonmanifold_edges && !r.mesh.misoriented_edges &&
                       !r.mesh.nonmanifold_vertices;
    if (sound) TRY(find_crossings(ctx, mesh, &r));
    *out = r;
    return RILL_OK;
}

rill_status tracker_check(rill_ctx *ctx, const char *name, const trimesh *mesh)
{
    tracker_report r;
    TRY(tracker_report_build(ctx, mesh, &r));
    if (r.not_finite)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: %zu vertices have no finite position", name, r.not_finite);
    if (r.mesh.open_edges || r.mesh.nonmanifold_edges || r.mesh.misoriented_edges) {
        char fault[256];
        trimesh_describe(&r.mesh, fault, sizeof fault);
        return rill_fail(ctx, RILL_BAD_FILE, "%s: not a closed surface (%s); close it, or ask for the repair",
                         name, fault);
    }
    if (r.mesh.nonmanifold_vertices)
        return rill_fail(
            ctx, RILL_BAD_FILE,
            "%s: at %zu vertices the surface meets itself in a point, the first near (%.4g, %.4g, "
            "%.4g); give each part a vertex of its own, apart, or ask for the repair",
            name, r.mesh.nonmanifold_vertices, r.mesh.first_fans.x, r.mesh.first_fans.y, r.mesh.first_fans.z);
    if (r.mesh.degenerate_triangles || r.flat_triangles) {
        const rill_vec3 at = r.mesh.degenerate_triangles ? r.mesh.first_degenerate : r.place;
        return rill_fail(
            ctx, RILL_BAD_FILE,
            "%s: %zu triangles have no area, the first near (%.4g, %.4g, %.4g); remove them, or ask "
            "for the repair",
            name, r.mesh.degenerate_triangles + r.flat_triangles, at.x, at.y, at.z);
    }
    if (r.crossings)
        return rill_fail(ctx, RILL_BAD_FILE,
                         "%s: %zu pairs of triangles intersect, the first near (%.4g, %.4g, %.4g); "
                         "untangle it, or ask for the repair",
                         name, r.crossings, r.place.x, r.place.y, r.place.z);
    return RILL_OK;
}
