#include "tets/sides.h"

#include "base/parallel.h"

enum { MOST_POINTS = 2000000 };

void side_grid_clear(rill_ctx *ctx, side_grid *g)
{
    mem_free(ctx, g->d);
    *g = (side_grid){0};
}

static rill_vec3 point_at(const side_grid *g, uint32_t i, uint32_t j, uint32_t k)
{
    return v3(g->box.min.x + i * g->cell, g->box.min.y + j * g->cell, g->box.min.z + k * g->cell);
}

/* The signed distance of the grid point nearest to x, and how far that is; false outside of the grid. */
static bool nearest_point(const side_grid *g, rill_vec3 x, double *d, double *away)
{
    uint32_t at[3];
    for (int k = 0; k < 3; k++) {
        const double p = floor((v3_axis(x, k) - v3_axis(g->box.min, k)) / g->cell + 0.5);
        if (!(p >= 0 && p < g->n[k])) return false;
        at[k] = (uint32_t)p;
    }
    *d = g->d[((size_t)at[2] * g->n[1] + at[1]) * g->n[0] + at[0]];
    *away = v3_distance(x, point_at(g, at[0], at[1], at[2]));
    return true;
}

/* By the triangle next to x: 1 outside, -1 inside, 0 when its edge or a corner is nearest. */
static int side_of_triangle(const side_grid *g, rill_vec3 x, const mesh_closest *c)
{
    rill_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        if (!(c->weight[k] > 1e-3)) return 0;
        mesh_closest corner = {.triangle = c->triangle};
        corner.weight[k] = 1;
        p[k] = mesh_distance_point_at(g->now.span, g->now.share, &corner);
    }
    const double up = v3_dot(v3_sub(x, c->point), v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
    return up > 0 ? 1 : up < 0 ? -1 : 0;
}

double side_grid_bound(const side_grid *g, rill_vec3 x)
{
    double d, away;
    return nearest_point(g, x, &d, &away) ? d - away : 0;
}

double side_grid_distance(const side_grid *g, rill_vec3 x, rill_vec3 *normal)
{
    double d, away;
    const mesh_closest c = mesh_distance_closest_at(g->now.span, g->now.share, x);
    int side = 0;
    if (!(c.distance > 1e-3 * g->cell)) return mesh_distance_exact_at(g->now.span, g->now.share, x, normal);
    if (nearest_point(g, x, &d, &away) && fabs(d) > away) side = d > 0 ? 1 : -1;
    if (!side && g->clean) side = side_of_triangle(g, x, &c);
    if (!side) return mesh_distance_exact_at(g->now.span, g->now.share, x, normal);
    if (normal) *normal = v3_scale(v3_sub(x, c.point), side / c.distance);
    return side * c.distance;
}

/* Rounded so that a bound stays one. */
static float towards_zero(double d)
{
    return (float)(d * (1 - 1e-6));
}

static double fill_points(void *arg, size_t begin, size_t end)
{
    side_grid *g = arg;
    double wrong = 0;
    for (size_t q = begin; q < end; q++) {
        const uint32_t i = (uint32_t)(q % g->n[0]), j = (uint32_t)(q / g->n[0] % g->n[1]),
                       k = (uint32_t)(q / g->n[0] / g->n[1]);
        const rill_vec3 x = point_at(g, i, j, k);
        const double d = mesh_distance_exact_at(g->now.span, g->now.share, x, NULL);
        g->d[q] = towards_zero(d);
        if (!(fabs(d) < 2 * g->cell)) continue;
        const mesh_closest c = mesh_distance_closest_at(g->now.span, g->now.share, x);
        const int side = side_of_triangle(g, x, &c);
        if (side && side * d < 0) wrong = 1;
    }
    return wrong;
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
    for (int k = 0; k < 3; k++) g->n[k] = n[k];
    g->clean = !(parallel_max(ctx, points, fill_points, g) > 0);
    return RILL_OK;
}
