/* Triangle meshes: ownership, bounds, and the check that a mesh bounds a volume.
 *
 * The check looks at combinatorics alone (which triangles share which edges), so it is
 * exact; volume and area are the divergence-theorem sums relative to the middle of the
 * mesh, which keeps them accurate far from the origin. */
#include "geom/trimesh.h"

#include "base/parallel.h"

void trimesh_clear(rill_ctx *ctx, trimesh *m)
{
    mem_free(ctx, m->position);
    mem_free(ctx, m->normal);
    mem_free(ctx, m->triangle);
    for (uint32_t i = 0; i < m->column_count; i++) mem_free(ctx, m->column[i].value);
    *m = (trimesh){0};
}

trimesh trimesh_take(trimesh *m)
{
    const trimesh taken = *m;
    *m = (trimesh){0};
    return taken;
}

rill_box trimesh_bounds(const trimesh *m)
{
    rill_box box = box_empty();
    for (size_t i = 0; i < m->vertex_count; i++) box = box_with(box, m->position[i]);
    return box;
}

typedef struct {
    const trimesh *mesh;
    rill_vec3 middle;
} measure_arg;

static void measure_block(void *arg, size_t begin, size_t end, double *out)
{
    const measure_arg *a = arg;
    const trimesh *m = a->mesh;
    double volume = 0, area = 0;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 p = v3_sub(m->position[m->triangle[i][0]], a->middle);
        const rill_vec3 q = v3_sub(m->position[m->triangle[i][1]], a->middle);
        const rill_vec3 r = v3_sub(m->position[m->triangle[i][2]], a->middle);
        const rill_vec3 n = v3_cross(v3_sub(q, p), v3_sub(r, p));
        volume += v3_dot(p, n) / 6;
        area += v3_length(n) / 2;
    }
    out[0] = volume;
    out[1] = area;
}

static bool degenerate(const uint32_t t[3])
{
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/* Corners (3 * triangle + place) that belong to the same fan, as a forest. */
static uint32_t fan_of(uint32_t *parent, uint32_t corner)
{
    while (parent[corner] != corner) {
        parent[corner] = parent[parent[corner]];
        corner = parent[corner];
    }
    return corner;
}

static void join_fans(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = fan_of(parent, a);
    b = fan_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* The scratch of a check; a side is one triangle's use of an edge. */
typedef struct {
    uint64_t *key, *spare_key; /* per side: lower vertex, higher vertex */
    uint32_t *side, *spare_side;
    uint32_t *parent; /* per corner */
    uint32_t *fans;   /* per vertex */
    size_t count;     /* of sides */
} sides;

/* Side s of a triangle runs from corner s to its successor. */
static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint32_t vertex_at(const trimesh *m, uint32_t corner)
{
    return m->triangle[corner / 3][corner % 3];
}

static void collect_sides(const trimesh *m, int bits, sides *s, trimesh_report *report)
{
    for (size_t i = 0; i < m->triangle_count; i++) {
        if (degenerate(m->triangle[i])) {
            report->degenerate_triangles++;
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t corner = (uint32_t)(3 * i) + k;
            const uint64_t a = vertex_at(m, corner), b = vertex_at(m, next_corner(corner));
            s->key[s->count] = a < b ? a << bits | b : b << bits | a;
            s->side[s->count++] = corner;
        }
    }
}

static void judge_edges(const trimesh *m, sides *s, trimesh_report *report)
{
    for (size_t i = 0; i < 3 * m->triangle_count; i++) s->parent[i] = (uint32_t)i;
    for (size_t begin = 0, end; begin < s->count; begin = end) {
        for (end = begin + 1; end < s->count && s->key[end] == s->key[begin]; end++) {
            const uint32_t a = s->side[begin], b = s->side[end];
            const bool along = vertex_at(m, a) == vertex_at(m, b);
            join_fans(s->parent, a, along ? b : next_corner(b));
            join_fans(s->parent, next_corner(a), along ? next_corner(b) : b);
        }
        if (end - begin == 1)
            report->open_edges++;
        else if (end - begin > 2)
            report->nonmanifold_edges++;
        else if (vertex_at(m, s->side[begin]) == vertex_at(m, s->side[begin + 1]))
            report->misoriented_edges++;
    }
}

static void judge_vertices(const trimesh *m, sides *s, trimesh_report *report)
{
    for (size_t i = 0; i < m->vertex_count; i++) s->fans[i] = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->parent[s->side[i]] == s->side[i]) s->fans[vertex_at(m, s->side[i])]++;
    for (size_t i = 0; i < m->vertex_count; i++) report->nonmanifold_vertices += s->fans[i] > 1;
}

static rill_status check_indices(rill_ctx *ctx, const trimesh *m)
{
    if (m->vertex_count > UINT32_MAX || m->triangle_count > UINT32_MAX / 3)
        return rill_fail(ctx, RILL_USAGE,
                         "mesh check: %zu vertices and %zu triangles are more than 32-bit ids can name; "
                         "check the mesh in parts",
                         m->vertex_count, m->triangle_count);
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (m->triangle[i][k] >= m->vertex_count)
                return rill_fail(ctx, RILL_USAGE, "mesh check: triangle %zu names vertex %u of %zu", i,
                                 m->triangle[i][k], m->vertex_count);
    return RILL_OK;
}

rill_status trimesh_check(rill_ctx *ctx, const trimesh *m, trimesh_report *out)
{
    TRY(check_indices(ctx, m));
    int bits = 1;
    while (m->vertex_count >> bits) bits++;

    trimesh_report report = {0};
    sides s = {0};
    const size_t n = 3 * m->triangle_count;
    rill_status st = MEM_NEW(ctx, s.key, n);
    if (!st) st = MEM_NEW(ctx, s.spare_key, n);
    if (!st) st = MEM_NEW(ctx, s.side, n);
    if (!st) st = MEM_NEW(ctx, s.spare_side, n);
    if (!st) st = MEM_NEW(ctx, s.parent, n);
    if (!st) st = MEM_NEW(ctx, s.fans, m->vertex_count);
    if (!st) collect_sides(m, bits, &s, &report);
    if (!st) st = sort_by_key(ctx, s.count, 2 * bits, s.key, s.side, s.spare_key, s.spare_side);
    if (!st) {
        judge_edges(m, &s, &report);
        judge_vertices(m, &s, &report);
        measure_arg arg = {m, m->vertex_count ? box_center(trimesh_bounds(m)) : v3(0, 0, 0)};
        double sum[2];
        parallel_sums(ctx, m->triangle_count, measure_block, &arg, 2, sum);
        report.volume = sum[0];
        report.area = sum[1];
        *out = report;
    }
    mem_free(ctx, s.key);
    mem_free(ctx, s.spare_key);
    mem_free(ctx, s.side);
    mem_free(ctx, s.spare_side);
    mem_free(ctx, s.parent);
    mem_free(ctx, s.fans);
    return st;
}
