#include "geom/mesh/geodesic.h"

#include "geom/mesh/trimesh_merge.h"

static const double corner[4][2] = {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}};

static const uint32_t face[20][3] = {
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
};

/* Three rectangles of golden proportion, in turn in the planes x y, y z, z x. */
static rill_vec3 corner_at(uint32_t i)
{
    const double golden = 0.5 * (1 + sqrt(5)), a = corner[i % 4][0], b = golden * corner[i % 4][1];
    return i < 4 ? v3(a, b, 0) : i < 8 ? v3(0, a, b) : v3(b, 0, a);
}

uint32_t geodesic_cuts(size_t triangles)
{
    const double n = round(sqrt((double)triangles / 20));
    return n < 1 ? 1 : n > 10000 ? 10000 : (uint32_t)n;
}

/* The corners in the order of their ids, so that both sides of an edge give the same bits. */
static rill_vec3 point_of(const uint32_t f[3], const uint32_t weight[3], rill_vec3 center, double radius)
{
    uint32_t order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (f[order[j]] > f[order[j + 1]]) {
                const uint32_t swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    rill_vec3 x = {0};
    for (int i = 0; i < 3; i++) x = v3_madd(x, weight[order[i]], corner_at(f[order[i]]));
    return v3_madd(center, radius, v3_unit(x));
}

rill_status geodesic_sphere(rill_ctx *ctx, rill_vec3 center, double radius, uint32_t n, trimesh *out)
{
    if (n < 1 || n > 10000)
        return rill_fail(ctx, RILL_USAGE, "geodesic sphere: %u cuts of a side; 1 to 10000 work", n);
    const size_t row = (size_t)n + 1, per_face = row * (row + 1) / 2;
    trimesh m = {0};
    rill_status st = MEM_NEW(ctx, m.position, 20 * per_face);
    if (!st) st = MEM_NEW(ctx, m.triangle, 20 * (size_t)n * n);
    for (uint32_t f = 0; !st && f < 20; f++) {
        const uint32_t first = (uint32_t)m.vertex_count;
        for (uint32_t j = 0; j <= n; j++) /* row j has n + 1 - j points */
            for (uint32_t i = 0; i + j <= n; i++)
                m.position[m.vertex_count++] =
                    point_of(face[f], (uint32_t[]){n - i - j, i, j}, center, radius);
        uint32_t at = first;
        for (uint32_t j = 0; j < n; at += n + 1 - j, j++)
            for (uint32_t i = 0; i + j < n; i++) {
                const uint32_t a = at + i, b = a + 1, c = a + n + 1 - j, d = c + 1;
                uint32_t *t = m.triangle[m.triangle_count++];
                t[0] = a, t[1] = b, t[2] = c;
                if (i + j + 1 == n) continue;
                t = m.triangle[m.triangle_count++];
                t[0] = b, t[1] = d, t[2] = c;
            }
    }
    if (!st) st = trimesh_merge(ctx, &m);
    if (!st) *out = trimesh_take(&m);
    trimesh_clear(ctx, &m);
    return st;
}
