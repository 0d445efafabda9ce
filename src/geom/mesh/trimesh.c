/* Triangle meshes: ownership, bounds, and the check that a mesh bounds a volume.
 *
 * The check looks at combinatorics alone (which triangles share which edges), so it is
 * exact; volume and area are the divergence-theorem sums relative to the middle of the
 * mesh, which keeps them accurate far from the origin; of an open mesh, relative to the middle
 * of its open edges, which closes a single hole by a cone to its centre. */
#include "geom/mesh/trimesh.h"

#include "base/parallel.h"
#include "base/union_find.h"

#include <string.h>

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

rill_status trimesh_append(rill_ctx *ctx, trimesh *mesh, trimesh *more)
{
    trimesh m = {0};
    const size_t vertices = mesh->vertex_count + more->vertex_count,
                 triangles = mesh->triangle_count + more->triangle_count;
    rill_status st = MEM_NEW(ctx, m.position, vertices);
    if (!st) st = MEM_NEW(ctx, m.triangle, triangles);
    if (!st) {
        for (size_t i = 0; i < mesh->vertex_count; i++) m.position[i] = mesh->position[i];
        for (size_t i = 0; i < more->vertex_count; i++)
            m.position[mesh->vertex_count + i] = more->position[i];
        if (mesh->triangle_count)
            memcpy(m.triangle, mesh->triangle, mesh->triangle_count * sizeof *m.triangle);
        for (size_t i = 0; i < more->triangle_count; i++)
            for (int k = 0; k < 3; k++)
                m.triangle[mesh->triangle_count + i][k] = more->triangle[i][k] + (uint32_t)mesh->vertex_count;
        m.vertex_count = vertices;
        m.triangle_count = triangles;
        trimesh_clear(ctx, mesh);
        *mesh = trimesh_take(&m);
    }
    trimesh_clear(ctx, &m);
    trimesh_clear(ctx, more);
    return st;
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

/* The scratch of a check; a side is one triangle's use of an edge, named by the corner it
 * starts from. */
typedef struct {
    uint32_t *side, *spare; /* sorted: sides of the same edge stand together */
    uint32_t *parent;       /* [corner = 3 * triangle + place] union-find over corners of one fan */
    uint32_t *count;        /* per vertex, and one more */
    size_t sides;
} scratch;

/* Side s of a triangle runs from corner s to its successor. */
static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint32_t vertex_at(const trimesh *m, uint32_t corner)
{
    return m->triangle[corner / 3][corner % 3];
}

/* The lower and the higher vertex of a side. */
static uint32_t end_of(const trimesh *m, uint32_t side, bool higher)
{
    const uint32_t a = vertex_at(m, side), b = vertex_at(m, next_corner(side));
    return (a > b) == higher ? a : b;
}

static void collect_sides(const trimesh *m, scratch *s, trimesh_report *report)
{
    for (size_t i = 0; i < m->triangle_count; i++) {
        if (degenerate(m->triangle[i])) {
            if (report->degenerate_triangles++ == 0)
                report->first_degenerate = m->position[m->triangle[i][0]];
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) s->side[s->sides++] = (uint32_t)(3 * i) + k;
    }
}

/* A stable counting sort of `from` by one end of the sides. */
static void sort_sides(const trimesh *m, scratch *s, bool higher, const uint32_t *from, uint32_t *to)
{
    memset(s->count, 0, (m->vertex_count + 1) * sizeof *s->count);
    for (size_t i = 0; i < s->sides; i++) s->count[end_of(m, from[i], higher) + 1]++;
    for (size_t v = 0; v < m->vertex_count; v++) s->count[v + 1] += s->count[v];
    for (size_t i = 0; i < s->sides; i++) to[s->count[end_of(m, from[i], higher)]++] = from[i];
}

static bool same_edge(const trimesh *m, uint32_t a, uint32_t b)
{
    return end_of(m, a, false) == end_of(m, b, false) && end_of(m, a, true) == end_of(m, b, true);
}

static rill_vec3 middle_of(const trimesh *m, uint32_t side)
{
    return v3_scale(v3_add(m->position[vertex_at(m, side)], m->position[vertex_at(m, next_corner(side))]),
                    0.5);
}

static void count_fault(const trimesh *m, uint32_t side, size_t *count, rill_vec3 *first)
{
    if ((*count)++ == 0) *first = middle_of(m, side);
}

/* open_sum: the middles of the open edges, added up. */
static void judge_edges(const trimesh *m, scratch *s, trimesh_report *report, rill_vec3 *open_sum)
{
    union_find_init(s->parent, (uint32_t)(3 * m->triangle_count));
    for (size_t begin = 0, end; begin < s->sides; begin = end) {
        const uint32_t a = s->side[begin];
        for (end = begin + 1; end < s->sides && same_edge(m, a, s->side[end]); end++) {
            const uint32_t b = s->side[end];
            const bool along = vertex_at(m, a) == vertex_at(m, b);
            union_find_join(s->parent, a, along ? b : next_corner(b));
            union_find_join(s->parent, next_corner(a), along ? next_corner(b) : b);
        }
        if (end - begin == 1) {
            count_fault(m, a, &report->open_edges, &report->first_open);
            *open_sum = v3_add(*open_sum, middle_of(m, a));
        } else if (end - begin > 2) {
            count_fault(m, a, &report->nonmanifold_edges, &report->first_nonmanifold);
        } else if (vertex_at(m, a) == vertex_at(m, s->side[begin + 1])) {
            count_fault(m, a, &report->misoriented_edges, &report->first_misoriented);
        }
    }
}

static void judge_vertices(const trimesh *m, scratch *s, trimesh_report *report)
{
    uint32_t *fans = s->count;
    memset(fans, 0, m->vertex_count * sizeof *fans);
    for (size_t i = 0; i < s->sides; i++)
        if (s->parent[s->side[i]] == s->side[i]) fans[vertex_at(m, s->side[i])]++;
    for (size_t i = 0; i < m->vertex_count; i++)
        if (fans[i] > 1 && report->nonmanifold_vertices++ == 0) report->first_fans = m->position[i];
}

static void measure(rill_ctx *ctx, const trimesh *m, rill_vec3 open_sum, trimesh_report *report)
{
    measure_arg arg = {m, m->vertex_count ? box_center(trimesh_bounds(m)) : v3(0, 0, 0)};
    if (report->open_edges) arg.middle = v3_scale(open_sum, 1 / (double)report->open_edges);
    double sum[2];
    parallel_sums(ctx, m->triangle_count, measure_block, &arg, 2, sum);
    report->volume = sum[0];
    report->area = sum[1];
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
    trimesh_report report = {0};
    scratch s = {0};
    rill_vec3 open_sum = {0, 0, 0};
    const size_t n = 3 * m->triangle_count;
    rill_status st = MEM_NEW(ctx, s.side, n);
    if (!st) st = MEM_NEW(ctx, s.spare, n);
    if (!st) st = MEM_NEW(ctx, s.parent, n);
    if (!st) st = MEM_NEW(ctx, s.count, m->vertex_count + 1);
    if (!st) {
        collect_sides(m, &s, &report);
        sort_sides(m, &s, true, s.side, s.spare);
        sort_sides(m, &s, false, s.spare, s.side);
        judge_edges(m, &s, &report, &open_sum);
        judge_vertices(m, &s, &report);
        measure(ctx, m, open_sum, &report);
        *out = report;
    }
    mem_free(ctx, s.side);
    mem_free(ctx, s.spare);
    mem_free(ctx, s.parent);
    mem_free(ctx, s.count);
    return st;
}
