/* Pieces of the surface of a shape, from samples of its distance: any shape, formula, combination or mesh,
 * the same way. Corners and edges are cut off by about half a cell; what is round is a polygon between points
 * of the surface. In two dimensions the contour at z = 0, a metre thick. */
#include "flow/gauge_parts.h"

#include "geom/iso/isosurface.h"

#include <string.h>

enum { LONGEST = 160 }; /* samples along the longest side at most: coarser for what is larger */

void surface_samples_clear(rill_ctx *ctx, surface_samples *s)
{
    mem_free(ctx, s->x);
    mem_free(ctx, s->area);
    *s = (surface_samples){0};
}

/* Negative inside the shape and the box. */
static double distance_at(const shape *s, rill_box box, int dimensions, rill_vec3 x)
{
    const rill_vec3 out = v3_max(v3_sub(box.min, x), v3_sub(x, box.max));
    const double flat = fmax(out.x, out.y);
    return fmax(shape_distance(s, x, NULL), dimensions == 2 ? flat : fmax(flat, out.z));
}

static rill_vec3 sample_place(const level_grid *g, const int32_t *block, int k)
{
    return v3_add(g->origin, v3(g->cell * (8 * block[0] + (k & 7)), g->cell * (8 * block[1] + (k >> 3 & 7)),
                                g->cell * (8 * block[2] + (k >> 6))));
}

/* Blocks that the surface may pass through have samples. */
static rill_status fill_grid(rill_ctx *ctx, const shape *s, rill_box box, int dimensions, level_grid *g)
{
    const rill_vec3 size = box_size(box);
    const size_t samples = (size_t)LEVEL_AREA * (size_t)g->layers;
    const double reach = 4 * sqrt(3) * g->cell * 1.01; /* from the middle of a block, and the next samples */
    uint32_t used = 0;
    const int32_t deep = dimensions == 2 ? 0 : (int32_t)((size.z + 3 * g->cell) / (8 * g->cell));
    for (int32_t z = 0; z <= deep; z++)
        for (int32_t y = 0; y <= (int32_t)((size.y + 3 * g->cell) / (8 * g->cell)); y++)
            for (int32_t x = 0; x <= (int32_t)((size.x + 3 * g->cell) / (8 * g->cell)); x++)
                TRY(block_map_add(ctx, &g->map, x, y, z));
    TRY(MEM_NEW(ctx, g->slot, g->map.count));
    for (size_t i = 0; i < g->map.count; i++) {
        const double half = 3.5 * g->cell;
        const rill_vec3 middle =
            v3_add(sample_place(g, g->map.block[i], 0), v3(half, half, dimensions == 2 ? 0 : half));
        const double d = distance_at(s, box, dimensions, middle);
        g->slot[i] = d > reach + g->cell ? LEVEL_OUTSIDE : d < -reach - g->cell ? LEVEL_INSIDE : used++;
    }
    TRY(MEM_NEW(ctx, g->value, used * samples));
    for (size_t i = 0; i < g->map.count; i++) {
        if (g->slot[i] >= LEVEL_INSIDE) continue;
        for (size_t k = 0; k < samples; k++)
            g->value[g->slot[i] * samples + k] =
                (float)-distance_at(s, box, dimensions, sample_place(g, g->map.block[i], (int)k));
    }
    return RILL_OK;
}

/* Onto the surface, when it is near: corners that were cut off come closer, what is round is met. */
static rill_vec3 drawn(const shape *s, double cell, int dimensions, rill_vec3 x)
{
    rill_vec3 normal;
    if (dimensions == 2) x.z = 0;
    const double d = shape_distance(s, x, &normal);
    if (!(fabs(d) < cell)) return x;
    normal = v3_unit(normal);
    return v3_madd(x, -d, dimensions == 2 ? v3(normal.x, normal.y, 0) : normal);
}

/* The area vector of the surface above a triangle, by triangles of half and then a quarter of the size whose
 * corners are drawn onto it; edges are shared, so that a closed surface stays closed. */
static rill_vec3 area_above(const shape *s, double cell, rill_vec3 a, rill_vec3 b, rill_vec3 c, int depth)
{
    if (depth == 0) return v3_scale(v3_cross(v3_sub(b, a), v3_sub(c, a)), 0.5);
    const rill_vec3 ab = drawn(s, cell, 3, v3_scale(v3_add(a, b), 0.5)),
                    bc = drawn(s, cell, 3, v3_scale(v3_add(b, c), 0.5)),
                    ca = drawn(s, cell, 3, v3_scale(v3_add(c, a), 0.5));
    return v3_add(
        v3_add(area_above(s, cell, a, ab, ca, depth - 1), area_above(s, cell, ab, b, bc, depth - 1)),
        v3_add(area_above(s, cell, ca, bc, c, depth - 1), area_above(s, cell, ab, bc, ca, depth - 1)));
}

/* Triangles as pieces; the caps of an extruded contour are none. */
static rill_status take_triangles(rill_ctx *ctx, const shape *form, double cell, const trimesh *m,
                                  int dimensions, surface_samples *out)
{
    surface_samples s = {0};
    rill_status st = MEM_NEW(ctx, s.x, m->triangle_count);
    if (!st) st = MEM_NEW(ctx, s.area, m->triangle_count);
    for (size_t i = 0; !st && i < m->triangle_count; i++) {
        const uint32_t *t = m->triangle[i];
        const rill_vec3 a = m->position[t[0]], b = m->position[t[1]], c = m->position[t[2]];
        rill_vec3 area = v3_scale(v3_cross(v3_sub(b, a), v3_sub(c, a)), 0.5);
        if (dimensions == 2) {
            if (fabs(area.z) > fabs(area.x) + fabs(area.y)) continue;
            area.z = 0;
        } else {
            area = area_above(form, cell, a, b, c, 2);
        }
        if (!(v3_dot(area, area) > 0)) continue;
        s.x[s.count] = drawn(form, cell, dimensions, v3_scale(v3_add(v3_add(a, b), c), 1.0 / 3));
        s.area[s.count++] = area;
    }
    if (st) {
        surface_samples_clear(ctx, &s);
        return st;
    }
    *out = s;
    return RILL_OK;
}

/* ---- shapes ---- */

static rill_status add_piece(rill_ctx *ctx, surface_samples *s, rill_vec3 x, rill_vec3 area)
{
    TRY(mem_grow(ctx, &s->x, sizeof *s->x, &s->x_capacity, s->count + 1));
    TRY(mem_grow(ctx, &s->area, sizeof *s->area, &s->area_capacity, s->count + 1));
    s->x[s->count] = x;
    s->area[s->count++] = area;
    return RILL_OK;
}

/* The faces of a box as they are. */
static rill_status box_pieces(rill_ctx *ctx, rill_box box, int dimensions, double cell, surface_samples *out)
{
    const rill_vec3 size = box_size(box);
    for (int side = 0; side < 2 * dimensions; side++) {
        const int axis = side_axis(side), u = (axis + 1) % dimensions, v = (axis + 2) % 3;
        const int across = (int)fmin(ceil(v3_axis(size, u) / cell), LONGEST),
                  along = dimensions == 2 ? 1 : (int)fmin(ceil(v3_axis(size, v) / cell), LONGEST);
        rill_vec3 area = {0, 0, 0};
        v3_set_axis(&area, axis,
                    (side & 1 ? 1 : -1) * v3_axis(size, u) / across *
                        (dimensions == 2 ? 1 : v3_axis(size, v) / along));
        for (int i = 0; i < across; i++)
            for (int j = 0; j < along; j++) {
                rill_vec3 x = box.min;
                if (side & 1) v3_set_axis(&x, axis, v3_axis(box.max, axis));
                v3_set_axis(&x, u, v3_axis(box.min, u) + (i + 0.5) / across * v3_axis(size, u));
                if (dimensions == 2)
                    x.z = 0;
                else
                    v3_set_axis(&x, v, v3_axis(box.min, v) + (j + 0.5) / along * v3_axis(size, v));
                TRY(add_piece(ctx, out, x, area));
            }
    }
    return RILL_OK;
}

static rill_status sampled_pieces(rill_ctx *ctx, const shape *s, rill_box box, int dimensions, double cell,
                                  surface_samples *out)
{
    const rill_vec3 size = box_size(box);
    level_grid g = {.cell = fmax(cell, fmax(size.x, fmax(size.y, size.z)) / LONGEST),
                    .layers = dimensions == 2 ? 1 : 8,
                    .level = 0,
                    .outside = -1,
                    .inside = 1};
    /* Off the faces of boxes by a third of a cell: samples on a surface have no sign to go by. */
    const double off = 4.0 / 3 * g.cell;
    g.origin = v3_sub(box.min, v3(off, off, dimensions == 2 ? 0 : off));
    box = box_grown(box, 1e-3 * g.cell); /* the shape's own faces are the surface, not these */
    trimesh made = {0};
    rill_status st = fill_grid(ctx, s, box, dimensions, &g);
    if (!st)
        st = dimensions == 2 ? isocontour_build(ctx, &g, 1, &made, NULL)
                             : isosurface_build(ctx, &g, &made, NULL);
    if (!st) st = take_triangles(ctx, s, g.cell, &made, dimensions, out);
    trimesh_clear(ctx, &made);
    level_grid_clear(ctx, &g);
    return st;
}

/* The parts' surfaces without what is inside another part. */
static rill_status union_pieces(rill_ctx *ctx, const shape *s, rill_box bounds, int dimensions, double cell,
                                surface_samples *out)
{
    for (uint32_t k = 0; k < s->parts.count; k++) {
        surface_samples part = {0};
        TRY(surface_samples_make(ctx, &s->parts.part[k], bounds, dimensions, cell, &part));
        rill_status st = RILL_OK;
        for (size_t i = 0; !st && i < part.count; i++) {
            const rill_vec3 outside = v3_madd(part.x[i], 1e-3 * cell / v3_length(part.area[i]), part.area[i]);
            if (shape_distance(s, outside, NULL) >= 0) st = add_piece(ctx, out, part.x[i], part.area[i]);
        }
        surface_samples_clear(ctx, &part);
        TRY(st);
    }
    return RILL_OK;
}

rill_status surface_samples_make(rill_ctx *ctx, const shape *s, rill_box bounds, int dimensions, double cell,
                                 surface_samples *out)
{
    rill_box box = shape_bounds(s);
    bool bounded = true;
    for (int k = 0; k < dimensions; k++) { /* where it has no end */
        bounded &= isfinite(v3_axis(box.min, k)) && isfinite(v3_axis(box.max, k));
        if (!isfinite(v3_axis(box.min, k))) v3_set_axis(&box.min, k, v3_axis(bounds.min, k));
        if (!isfinite(v3_axis(box.max, k))) v3_set_axis(&box.max, k, v3_axis(bounds.max, k));
    }
    if (dimensions == 2) box.min.z = box.max.z = 0;
    const rill_vec3 size = box_size(box);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    if (!(size.x > 0 && size.y > 0 && (size.z > 0 || dimensions == 2) && longest < INFINITY)) return RILL_OK;
    surface_samples made = {0};
    rill_status st = s->kind == SHAPE_UNION ? union_pieces(ctx, s, bounds, dimensions, cell, &made)
                     : s->kind == SHAPE_BOX && bounded
                         ? box_pieces(ctx, box, dimensions, fmax(cell, longest / LONGEST), &made)
                         : sampled_pieces(ctx, s, box, dimensions, cell, &made);
    if (st) {
        surface_samples_clear(ctx, &made);
        return st;
    }
    *out = made;
    return RILL_OK;
}
