/* Triangle meshes that tests are made with. Corners run counter-clockwise seen from
 * outside. */
#pragma once

#include "support.h"

#include "base/random.h"
#include "geom/mesh/trimesh.h"

#include <math.h>
#include <string.h>

static inline uint32_t mesh_vertex(trimesh *m, rill_vec3 p)
{
    m->position[m->vertex_count] = p;
    return (uint32_t)m->vertex_count++;
}

static inline void mesh_triangle(trimesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    memcpy(m->triangle[m->triangle_count++], (uint32_t[]){a, b, c}, 12);
}

static inline trimesh mesh_room(rill_ctx *ctx, size_t vertices, size_t triangles)
{
    trimesh m = {0};
    assert_ok(ctx, MEM_NEW(ctx, m.position, vertices));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, triangles));
    return m;
}

/* Adds one side of a box, cut into n x n pairs of triangles: corner, and its two edges in
 * the order that puts their cross product outside. */
static inline void mesh_side(trimesh *m, int n, rill_vec3 corner, rill_vec3 u, rill_vec3 v)
{
    const uint32_t first = (uint32_t)m->vertex_count, row = (uint32_t)n + 1;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++)
            mesh_vertex(m, v3_madd(v3_madd(corner, (double)i / n, u), (double)j / n, v));
    for (uint32_t j = 0; j < (uint32_t)n; j++)
        for (uint32_t i = 0; i < (uint32_t)n; i++) {
            const uint32_t a = first + j * row + i;
            mesh_triangle(m, a, a + 1, a + row + 1);
            mesh_triangle(m, a, a + row + 1, a + row);
        }
}

/* Adds a box with its own vertices on every side; sides: bits, -x +x -y +y -z +z. */
static inline void mesh_box_sides(trimesh *m, int n, rill_box b, unsigned sides)
{
    const rill_vec3 s = box_size(b), x = v3(s.x, 0, 0), y = v3(0, s.y, 0), z = v3(0, 0, s.z);
    if (sides & 1) mesh_side(m, n, b.min, z, y);
    if (sides & 2) mesh_side(m, n, v3(b.max.x, b.min.y, b.min.z), y, z);
    if (sides & 4) mesh_side(m, n, b.min, x, z);
    if (sides & 8) mesh_side(m, n, v3(b.min.x, b.max.y, b.min.z), z, x);
    if (sides & 16) mesh_side(m, n, b.min, y, x);
    if (sides & 32) mesh_side(m, n, v3(b.min.x, b.min.y, b.max.z), x, y);
}

static inline trimesh mesh_of_box(rill_ctx *ctx, rill_box b, int n, unsigned sides)
{
    trimesh m = mesh_room(ctx, 6u * (size_t)(n + 1) * (size_t)(n + 1), 12u * (size_t)n * (size_t)n);
    mesh_box_sides(&m, n, b, sides);
    return m;
}

/* A box with a hollow box in it. */
static inline trimesh mesh_of_container(rill_ctx *ctx, rill_box outer, rill_box inner, int n)
{
    trimesh m = mesh_room(ctx, 12u * (size_t)(n + 1) * (size_t)(n + 1), 24u * (size_t)n * (size_t)n);
    mesh_box_sides(&m, n, outer, 63);
    const size_t first = m.triangle_count;
    mesh_box_sides(&m, n, inner, 63);
    for (size_t i = first; i < m.triangle_count; i++) {
        const uint32_t swap = m.triangle[i][1];
        m.triangle[i][1] = m.triangle[i][2];
        m.triangle[i][2] = swap;
    }
    return m;
}

/* A sphere between two poles; bumps: share of the radius. */
static inline rill_vec3 mesh_sphere_point(rill_vec3 center, double radius, double bumps, rill_vec3 d)
{
    return v3_madd(center, radius * (1 + bumps * sin(7 * d.x) * sin(8 * d.y) * sin(9 * d.z)), d);
}

static inline trimesh mesh_of_sphere(rill_ctx *ctx, rill_vec3 center, double radius, double bumps, int rings)
{
    const double pi = 3.14159265358979323846;
    const int around = 2 * rings;
    trimesh m =
        mesh_room(ctx, (size_t)(rings - 1) * (size_t)around + 2, 2 * (size_t)(rings - 1) * (size_t)around);
    for (int i = 1; i < rings; i++)
        for (int j = 0; j < around; j++) {
            const double a = pi * i / rings, b = 2 * pi * j / around;
            mesh_vertex(
                &m, mesh_sphere_point(center, radius, bumps, v3(sin(a) * cos(b), cos(a), -sin(a) * sin(b))));
        }
    const uint32_t top = mesh_vertex(&m, mesh_sphere_point(center, radius, bumps, v3(0, 1, 0)));
    const uint32_t bottom = mesh_vertex(&m, mesh_sphere_point(center, radius, bumps, v3(0, -1, 0)));
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < around; j++) {
            const uint32_t a = (uint32_t)((i - 1) * around + j),
                           b = (uint32_t)((i - 1) * around + (j + 1) % around);
            const uint32_t c = a + (uint32_t)around, d = b + (uint32_t)around;
            if (i + 1 < rings) mesh_triangle(&m, i > 0 ? a : top, c, d);
            if (i > 0) mesh_triangle(&m, b, a, i + 1 < rings ? d : bottom);
        }
    return m;
}

/* A torus around y. */
static inline trimesh mesh_of_torus(rill_ctx *ctx, double large, double small, int around, int across)
{
    const double pi = 3.14159265358979323846;
    const size_t n = (size_t)around * (size_t)across;
    trimesh m = mesh_room(ctx, n, 2 * n);
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            const double a = 2 * pi * i / around, b = 2 * pi * j / across, r = large + small * cos(b);
            mesh_vertex(&m, v3(r * cos(a), small * sin(b), -r * sin(a)));
        }
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            const uint32_t a = (uint32_t)(i * across + j), b = (uint32_t)((i + 1) % around * across + j);
            const uint32_t c = (uint32_t)(i * across + (j + 1) % across),
                           d = (uint32_t)((i + 1) % around * across + (j + 1) % across);
            mesh_triangle(&m, a, b, d);
            mesh_triangle(&m, a, d, c);
        }
    return m;
}

/* The i-th of a series of points in a box. */
static inline rill_vec3 random_point(rill_box b, uint64_t seed, uint64_t i)
{
    const random4 r = random_at(seed, i, 0, 0), q = random_at(seed, i, 1, 0);
    const rill_vec3 s = box_size(b);
    return v3(b.min.x + s.x * random_unit(r.v[0], r.v[1]), b.min.y + s.y * random_unit(r.v[2], r.v[3]),
              b.min.z + s.z * random_unit(q.v[0], q.v[1]));
}
