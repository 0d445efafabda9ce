#include "geom/voronoi/voronoi.h"

#include <math.h>

static rill_status check_links(rill_ctx *ctx, const voronoi *v, uint8_t *times)
{
    for (uint32_t i = 0; i < v->count; i++) {
        const voronoi_cell *c = &v->cell[i];
        if (c->begin > v->link_count || c->faces > v->link_count - c->begin)
            return rill_fail(ctx, RILL_BLEW_UP, "cell %u: its links are outside of the list", i);
        if (!(c->volume >= 0) || !v3_finite(c->centroid))
            return rill_fail(ctx, RILL_BLEW_UP, "cell %u: volume %g", i, c->volume);
        for (uint32_t e = 0; e < c->faces; e++) {
            const uint32_t f = v->link[c->begin + e];
            if (f >= v->face_count || (v->face[f].a != i && v->face[f].b != i))
                return rill_fail(ctx, RILL_BLEW_UP, "cell %u: face %u is not its own", i, f);
            times[f]++;
        }
    }
    for (uint32_t f = 0; f < v->face_count; f++) {
        const voronoi_face *face = &v->face[f];
        const bool cell = voronoi_is_cell(face->b);
        if (face->a >= v->count || (cell && (face->b >= v->count || face->a >= face->b)))
            return rill_fail(ctx, RILL_BLEW_UP, "face %u: cells %u and %u", f, face->a, face->b);
        if (times[f] != (cell ? 2 : 1))
            return rill_fail(ctx, RILL_BLEW_UP, "face %u of cells %u and %u is linked %d times", f, face->a,
                             face->b, times[f]);
        if (!v3_finite(face->area) || !v3_finite(face->centroid))
            return rill_fail(ctx, RILL_BLEW_UP, "face %u is not finite", f);
    }
    return RILL_OK;
}

/* Faces beside a capped cell may have lost what the cap of the other cell cut off. */
static bool capped(const voronoi *v, uint32_t i)
{
    const voronoi_cell *c = &v->cell[i];
    for (uint32_t e = 0; e < c->faces; e++)
        if (voronoi_is_cap(v->face[v->link[c->begin + e]].b)) return true;
    return false;
}

static bool near_cap(const voronoi *v, uint32_t i)
{
    if (v->cap == 0 || v->clipped) return false; /* clipped cells are closed, capped or not */
    const voronoi_cell *c = &v->cell[i];
    for (uint32_t e = 0; e < c->faces; e++) {
        const voronoi_face *f = &v->face[v->link[c->begin + e]];
        const uint32_t other = f->a == i ? f->b : f->a;
        if (voronoi_is_cell(other) && capped(v, other)) return true;
    }
    return capped(v, i);
}

static rill_status check_closed(rill_ctx *ctx, const voronoi *v, const rill_vec3 *x, double tolerance)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (near_cap(v, i)) continue;
        const voronoi_cell *c = &v->cell[i];
        rill_vec3 sum = {0, 0, 0};
        double area = 0, volume = 0, reach = 0;
        for (uint32_t e = 0; e < c->faces; e++) {
            const voronoi_face *f = &v->face[v->link[c->begin + e]];
            const rill_vec3 a = voronoi_outward(f, i), r = v3_sub(f->centroid, x[i]);
            sum = v3_add(sum, a);
            area += v3_length(a);
            volume += v3_dot(a, r) / 3;
            if (v->clipped) volume = c->volume; /* boundaries are not flat */
            reach = fmax(reach, v3_length(f->centroid) + v3_length(x[i]));
        }
        if (!(v3_length(sum) <= tolerance * area))
            return rill_fail(ctx, RILL_BLEW_UP, "cell %u: its area vectors add up to %.3g of its surface", i,
                             v3_length(sum) / area);
        /* Centroids of faces are in the coordinates of the world and as exact as these. */
        if (!(fabs(volume - c->volume) <= (tolerance + 1e-15) * area * (reach + cbrt(c->volume))))
            return rill_fail(ctx, RILL_BLEW_UP, "cell %u: volume %.17g, from its faces %.17g", i, c->volume,
                             volume);
    }
    return RILL_OK;
}

static rill_status check_corners(rill_ctx *ctx, const voronoi *v)
{
    const double scale = v3_length(v->box.min) + v3_length(v->box.max);
    for (uint32_t f = 0; v->vertices && f < v->face_count; f++) {
        const voronoi_face *face = &v->face[f];
        const bool boundary = face->b >= VORONOI_SOLID && !voronoi_is_cell(face->b);
        if (boundary) continue; /* closes its cell, whatever its corners say */
        if (face->count < 3 || face->first > v->corner_count || face->count > v->corner_count - face->first)
            return rill_fail(ctx, RILL_BLEW_UP, "face %u has %u corners", f, face->count);
        rill_vec3 area = {0, 0, 0};
        double size = 0;
        for (uint32_t e = 0; e < face->count; e++) {
            const uint32_t p = v->corner[face->first + e], q = v->corner[face->first + (e + 1) % face->count];
            if (p >= v->vertex_count) return rill_fail(ctx, RILL_BLEW_UP, "face %u: vertex %u", f, p);
            const rill_vec3 d = v3_sub(v->vertex[p], face->centroid),
                            g = v3_sub(v->vertex[q], face->centroid);
            area = v3_madd(area, 0.5, v3_cross(d, g));
            size = fmax(size, v3_length(d));
        }
        if (!(v3_distance(area, face->area) <=
              1e-12 * size * size + 1e-14 * size * scale + 1e-28 * scale * scale))
            return rill_fail(ctx, RILL_BLEW_UP, "face %u: its corners enclose another area", f);
    }
    return RILL_OK;
}

rill_status voronoi_check(rill_ctx *ctx, const voronoi *v, const rill_vec3 *x, double tolerance)
{
    uint8_t *times;
    TRY(MEM_NEW_ZERO(ctx, times, v->face_count));
    rill_status st = check_links(ctx, v, times);
    mem_free(ctx, times);
    if (!st) st = check_closed(ctx, v, x, tolerance);
    if (!st) st = check_corners(ctx, v);
    double sum = 0, lost = 0; /* of many equal terms the rounding errors add up: compensated */
    for (uint32_t i = 0; i < v->count; i++) {
        const double term = v->cell[i].volume - lost, after = sum + term;
        lost = (after - sum) - term;
        sum = after;
    }
    const rill_vec3 size = box_size(v->box);
    const double whole = size.x * size.y * size.z;
    if (!st && v->cap == 0 && !v->clipped && v->count && !(fabs(sum - whole) <= tolerance * whole))
        st = rill_fail(ctx, RILL_BLEW_UP, "the cells' volumes add up to %.15g of the box", sum / whole);
    return st;
}
