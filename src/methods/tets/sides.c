#include "tets/sides.h"

#include "base/parallel.h"

enum { MOST_POINTS = 2000000, MOST_TRIANGLES = 2000 };

void side_grid_clear(rill_ctx *ctx, side_grid *g)
{
    mem_free(ctx, g->d);
    mem_free(ctx, g->triangle);
    *g = (side_grid){0};
}

static rill_vec3 point_at(const side_grid *g, uint32_t i, uint32_t j, uint32_t k)
{
    return v3(g->box.min.x + i * g->cell, g->box.min.y + j * g->cell, g->box.min.z + k * g->cell);
}

/* The grid point nearest to x, and how far that is; beyond the grid the last one on the way there. */
static size_t nearest_point(const side_grid *g, rill_vec3 x, double *away)
{
    uint32_t at[3];
    for (int k = 0; k < 3; k++) {
        const double p = floor((v3_axis(x, k) - v3_axis(g->box.min, k)) / g->cell + 0.5);
        at[k] = (uint32_t)fmin(fmax(p, 0), g->n[k] - 1.0);
    }
    *away = v3_distance(x, point_at(g, at[0], at[1], at[2]));
    return ((size_t)at[2] * g->n[1] + at[1]) * g->n[0] + at[0];
}

/* The outward unit normal of the triangle that c is in; false on its edges and corners. */
static bool normal_within(const side_grid *g, const mesh_closest *c, rill_vec3 *normal)
{
    rill_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        if (!(c->weight[k] > 1e-3)) return false;
        mesh_closest corner = {.triangle = c->triangle};
        corner.weight[k] = 1;
        p[k] = mesh_distance_point_at(g->now.span, g->now.share, &corner);
    }
    const rill_vec3 n = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
    const double length = v3_length(n);
    if (!(length > 0)) return false;
    *normal = v3_scale(n, 1 / length);
    return true;
}

double side_grid_bound(const side_grid *g, rill_vec3 x)
{
    double away;
    const size_t q = nearest_point(g, x, &away);
    return (double)g->d[q] - away;
}

double side_grid_distance(const side_grid *g, rill_vec3 x, rill_vec3 *normal)
{
    double away;
    const size_t q = nearest_point(g, x, &away);
    const double d = (double)g->d[q];
    const mesh_closest c = mesh_distance_closest_from(g->now.span, g->now.share, x, g->triangle[q]);
    const bool touching = !(c.distance > 1e-3 * g->cell);
    rill_vec3 n = {0, 0, 0};
    int side = 0;
    if (!touching && fabs(d) > away) side = d > 0 ? 1 : -1;
    if (!side && g->clean && normal_within(g, &c, &n)) {
        const double up = v3_dot(v3_sub(x, c.point), n);
        if (touching) { /* too near for the direction to the closest point */
            if (normal) *normal = n;
            return up;
        }
        side = up > 0 ? 1 : up < 0 ? -1 : 0;
    }
    if (!side) return mesh_distance_exact_at(g->now.span, g->now.share, x, normal);
    if (normal) *normal = v3_scale(v3_sub(x, c.point), side / c.distance);
    return side * c.distance;
}

/* Rounded so that a bound stays one. */
static float towards_zero(double d)
{
    return (float)(d * (1 - 1e-6));
}

/* Of two points next to each other, both farther from the mesh than half the way between them, the second is
 * on the side of the first: no winding number is needed there. */
static double fill_points(void *arg, size_t begin, size_t end)
{
    side_grid *g = arg;
    double wrong = 0, before = 0;
    uint32_t hint = RAYS_NO_HINT;
    for (size_t q = begin; q < end; q++) {
        const uint32_t i = (uint32_t)(q % g->n[0]), j = (uint32_t)(q / g->n[0] % g->n[1]),
                       k = (uint32_t)(q / g->n[0] / g->n[1]);
        const rill_vec3 x = point_at(g, i, j, k);
        const mesh_closest c = mesh_distance_closest_from(g->now.span, g->now.share, x, hint);
        const bool known = i > 0 && q > begin && fabs(before) + c.distance > g->cell * (1 + 1e-6);
        const double d =
            known ? copysign(c.distance, before) : mesh_distance_exact_at(g->now.span, g->now.share, x, NULL);
        g->d[q] = towards_zero(d);
        g->triangle[q] = hint = c.triangle;
        before = d;
        rill_vec3 n;
        if (fabs(d) < 2 * g->cell && normal_within(g, &c, &n) && v3_dot(v3_sub(x, c.point), n) * d < 0)
            wrong = 1;
    }
    return wrong;
}

/* Whether triangles, seen from just before their middles, are on the outside: not of a mesh whose parts pass
 * through each other. */
static double covered_triangles(void *arg, size_t begin, size_t end)
{
    const side_grid *g = arg;
    const size_t count = mesh_distance_surface(g->now.span)->triangle_count;
    const size_t stride = (count + MOST_TRIANGLES - 1) / MOST_TRIANGLES;
    for (size_t k = begin; k < end && k * stride < count; k++) {
        const double third = 1.0 / 3;
        mesh_closest middle = {.triangle = (uint32_t)(k * stride), .weight = {third, third, third}};
        middle.point = mesh_distance_point_at(g->now.span, g->now.share, &middle);
        rill_vec3 n;
        if (!normal_within(g, &middle, &n)) continue;
        const rill_vec3 x = v3_madd(middle.point, 1e-3 * g->cell, n);
        if (mesh_distance_exact_at(g->now.span, g->now.share, x, NULL) < 0) return 1;
    }
    return 0;
}

rill_status side_grid_fill(rill_ctx *ctx, side_grid *g, mesh_moment now, rill_box box, double cell)
{
    g->n[0] = g->n[1] = g->n[2] = 0;
    g->now = now;
    if (!now.span || mesh_distance_is_shell(now.span)) return RILL_OK;
    const rill_vec3 size = v3_sub(box.max, box.min);
    if (!(size.x > 0 && size.y > 0 && size.z > 0) || !v3_finite(size)) return RILL_OK;
    cell = fmax(cell, cbrt(size.x * size.y * size.z / MOST_POINTS));
    g->cell = cell;
    g->box = box;
    uint32_t n[3];
    for (int k = 0; k < 3; k++) n[k] = (uint32_t)fmin(v3_axis(size, k) / cell + 2, 1e6);
    const size_t points = (size_t)n[0] * n[1] * n[2];
    TRY(mem_grow(ctx, &g->d, sizeof *g->d, &g->capacity, points));
    TRY(mem_grow(ctx, &g->triangle, sizeof *g->triangle, &g->triangle_capacity, points));
    for (int k = 0; k < 3; k++) g->n[k] = n[k];
    g->clean = !(parallel_max(ctx, points, fill_points, g) > 0) &&
               !(parallel_max(ctx, MOST_TRIANGLES, covered_triangles, g) > 0);
    return RILL_OK;
}
