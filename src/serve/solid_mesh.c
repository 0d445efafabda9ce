#include "serve/solid_mesh.h"

#include "geom/iso/isosurface.h"

#include <math.h>
#include <string.h>

enum { ROUND = 48, RINGS = 24, CELLS = 64 }; /* CELLS: samples along the longest side of a combination */

typedef struct builder {
    rill_ctx *ctx;
    rill_box bounds;
    trimesh mesh;
    size_t vertex_capacity, triangle_capacity;
} builder;

static rill_status add_vertex(builder *b, rill_vec3 x)
{
    trimesh *m = &b->mesh;
    TRY(mem_grow(b->ctx, &m->position, sizeof *m->position, &b->vertex_capacity, m->vertex_count + 1));
    m->position[m->vertex_count++] = x;
    return RILL_OK;
}

static rill_status add_triangle(builder *b, size_t i, size_t j, size_t k)
{
    trimesh *m = &b->mesh;
    TRY(mem_grow(b->ctx, &m->triangle, sizeof *m->triangle, &b->triangle_capacity, m->triangle_count + 1));
    const uint32_t corner[3] = {(uint32_t)i, (uint32_t)j, (uint32_t)k};
    memcpy(m->triangle[m->triangle_count++], corner, sizeof corner);
    return RILL_OK;
}

static rill_status add_mesh(builder *b, const trimesh *more)
{
    const size_t first = b->mesh.vertex_count;
    for (size_t i = 0; i < more->vertex_count; i++) TRY(add_vertex(b, more->position[i]));
    for (size_t i = 0; i < more->triangle_count; i++)
        TRY(add_triangle(b, first + more->triangle[i][0], first + more->triangle[i][1],
                         first + more->triangle[i][2]));
    return RILL_OK;
}

static double clamped(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static rill_status add_box(builder *b, rill_box box)
{
    /* Each face with corners of its own, so that edges are sharp. */
    rill_vec3 low = box.min, high = box.max;
    if (low.z == high.z) { /* a rectangle of a two-dimensional scene */
        low.z = b->bounds.min.z;
        high.z = b->bounds.max.z;
    }
    double end[2][3];
    for (int k = 0; k < 3; k++) {
        const double least = v3_axis(b->bounds.min, k), most = v3_axis(b->bounds.max, k);
        end[0][k] = clamped(v3_axis(low, k), least, most);
        end[1][k] = clamped(v3_axis(high, k), least, most);
        if (!(end[1][k] > end[0][k])) return RILL_OK;
    }
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            const size_t first = b->mesh.vertex_count;
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (int k = 0; k < 4; k++) {
                rill_vec3 x = {0, 0, 0};
                v3_set_axis(&x, axis, end[side][axis]);
                v3_set_axis(&x, u, end[k == 1 || k == 2][u]);
                v3_set_axis(&x, v, end[k >= 2][v]);
                TRY(add_vertex(b, x));
            }
            const size_t i = first + 1, j = first + 3;
            TRY(add_triangle(b, first, side ? i : first + 2, side ? first + 2 : i));
            TRY(add_triangle(b, first, side ? first + 2 : j, side ? j : first + 2));
        }
    return RILL_OK;
}

/* A profile (distance along the axis, radius) turned about the line from `from` in direction `axis`. */
static rill_status add_turned(builder *b, rill_vec3 from, rill_vec3 axis, const double (*profile)[2],
                              int count)
{
    const rill_vec3 other = fabs(axis.x) < 0.7 ? v3(1, 0, 0) : v3(0, 1, 0);
    const rill_vec3 u = v3_unit(v3_cross(axis, other)), v = v3_cross(axis, u);
    const size_t first = b->mesh.vertex_count;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < ROUND; k++) {
            const double angle = 2 * 3.14159265358979323846 * k / ROUND;
            const rill_vec3 out = v3_add(v3_scale(u, cos(angle)), v3_scale(v, sin(angle)));
            TRY(add_vertex(b, v3_madd(v3_madd(from, profile[i][0], axis), profile[i][1], out)));
        }
    for (size_t i = 0; i + 1 < (size_t)count; i++)
        for (size_t k = 0; k < ROUND; k++) {
            const size_t a = first + i * ROUND + k, c = first + i * ROUND + (k + 1) % ROUND;
            TRY(add_triangle(b, a, c, a + ROUND));
            TRY(add_triangle(b, c, c + ROUND, a + ROUND));
        }
    return RILL_OK;
}

/* Half circles at both ends of a line of that length: a ball when it is 0. */
static rill_status add_capsule(builder *b, rill_vec3 from, rill_vec3 axis, double length, double radius)
{
    double profile[2 * RINGS + 2][2];
    for (int i = 0; i <= RINGS; i++) {
        const double angle = 3.14159265358979323846 / 2 * i / RINGS;
        profile[i][0] = -radius * cos(angle);
        profile[i][1] = radius * sin(angle);
        profile[2 * RINGS + 1 - i][0] = length + radius * cos(angle);
        profile[2 * RINGS + 1 - i][1] = radius * sin(angle);
    }
    return add_turned(b, from, axis, profile, 2 * RINGS + 2);
}

static rill_status add_cylinder(builder *b, rill_vec3 from, rill_vec3 axis, double length, double radius)
{
    const double profile[6][2] = {{0, 0},           {0, radius},      {0, radius},
                                  {length, radius}, {length, radius}, {length, 0}};
    /* The ends with rings of their own, so that edges are sharp. */
    TRY(add_turned(b, from, axis, profile, 2));
    TRY(add_turned(b, from, axis, profile + 2, 2));
    return add_turned(b, from, axis, profile + 4, 2);
}

/* The zero level of the distance inside the bounds, sampled. */
static rill_status add_sampled(builder *b, const shape *s)
{
    rill_box box = shape_bounds(s);
    box.min = v3_max(box.min, b->bounds.min);
    box.max = v3_min(box.max, b->bounds.max);
    const rill_vec3 size = box_size(box);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) return RILL_OK;
    const double cell = longest / CELLS;
    level_grid g = {.origin = v3_sub(box.min, v3(1.5 * cell, 1.5 * cell, 1.5 * cell)),
                    .cell = cell,
                    .layers = 8,
                    .level = 0,
                    .outside = -1,
                    .inside = 1};
    trimesh made = {0};
    rill_status st = RILL_OK;
    for (int32_t z = 0; !st && z * 8 * cell <= size.z + 3 * cell; z++)
        for (int32_t y = 0; !st && y * 8 * cell <= size.y + 3 * cell; y++)
            for (int32_t x = 0; !st && x * 8 * cell <= size.x + 3 * cell; x++)
                st = block_map_add(b->ctx, &g.map, x, y, z);
    if (!st) st = MEM_NEW(b->ctx, g.slot, g.map.count);
    if (!st) st = MEM_NEW(b->ctx, g.value, g.map.count * LEVEL_SAMPLES);
    for (size_t i = 0; !st && i < g.map.count; i++) {
        g.slot[i] = (uint32_t)i;
        for (int k = 0; k < LEVEL_SAMPLES; k++) {
            const int32_t *at = g.map.block[i];
            const rill_vec3 x =
                v3_add(g.origin, v3(cell * (8 * at[0] + (k & 7)), cell * (8 * at[1] + (k >> 3 & 7)),
                                    cell * (8 * at[2] + (k >> 6))));
            const rill_vec3 out = v3_max(v3_sub(box.min, x), v3_sub(x, box.max));
            const double d = fmax(shape_distance(s, x, NULL), fmax(out.x, fmax(out.y, out.z)));
            g.value[i * LEVEL_SAMPLES + (size_t)k] = (float)-d;
        }
    }
    if (!st) st = isosurface_build(b->ctx, &g, &made, NULL);
    if (!st) st = add_mesh(b, &made);
    trimesh_clear(b->ctx, &made);
    level_grid_clear(b->ctx, &g);
    return st;
}

/* A deforming mesh as it is at that moment. */
static rill_status add_moment(builder *b, const mesh_moment *now)
{
    if (!now->span) return RILL_OK;
    const trimesh *m = mesh_distance_surface(now->span);
    const size_t first = b->mesh.vertex_count;
    TRY(add_mesh(b, m));
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            mesh_closest corner = {.triangle = (uint32_t)t};
            corner.weight[k] = 1;
            b->mesh.position[first + m->triangle[t][k]] =
                mesh_distance_point_at(now->span, now->share, &corner);
        }
    return RILL_OK;
}

static rill_status add_shape(builder *b, const shape *s)
{
    const rill_vec3 along = v3_sub(s->rod.to, s->rod.from);
    switch (s->kind) {
    case SHAPE_BOX: return add_box(b, (rill_box){s->box.min, s->box.max});
    case SHAPE_SPHERE: return add_capsule(b, s->sphere.center, v3(0, 1, 0), 0, s->sphere.radius);
    case SHAPE_CYLINDER: return add_cylinder(b, s->rod.from, v3_unit(along), v3_length(along), s->rod.radius);
    case SHAPE_CAPSULE: return add_capsule(b, s->rod.from, v3_unit(along), v3_length(along), s->rod.radius);
    case SHAPE_MESH: return s->mesh.owned ? add_mesh(b, mesh_distance_surface(s->mesh.owned)) : RILL_OK;
    case SHAPE_SEQUENCE: return add_moment(b, &s->sequence.now);
    case SHAPE_UNION:
        for (uint32_t k = 0; k < s->parts.count; k++) TRY(add_shape(b, &s->parts.part[k]));
        return RILL_OK;
    case SHAPE_NONE:
    case SHAPE_DISC: return RILL_OK;
    default: return add_sampled(b, s);
    }
}

rill_status solid_mesh(rill_ctx *ctx, const shape *s, rill_box bounds, trimesh *out)
{
    builder b = {.ctx = ctx, .bounds = bounds};
    const rill_status st = add_shape(&b, s);
    if (st) {
        trimesh_clear(ctx, &b.mesh);
        return st;
    }
    trimesh_clear(ctx, out);
    *out = b.mesh;
    return RILL_OK;
}
