#include "geom/distance/distance_node.h"

void distance_grid_destroy(rill_ctx *ctx, distance_grid *g)
{
    if (!g) return;
    mem_free(ctx, g->value);
    mem_free(ctx, g->root);
    for (int l = 0; l < GRID_LEVELS; l++) mem_free(ctx, g->node[l]);
    mem_free(ctx, g);
}

double distance_grid_error(const distance_grid *g, double distance)
{
    return grid_error_promise * (grid_error_near * g->h + grid_error_far * fabs(distance));
}

int distance_grid_side(const distance_grid *g, double distance)
{
    return fabs(distance) > distance_grid_error(g, distance) ? distance < 0 ? -1 : 1 : 0;
}

/* Linear along each axis between the eight corners from v on; f in [0, 1]. */
static double interpolate(const float *v, size_t row, size_t layer, double fx, double fy, double fz,
                          rill_vec3 *gradient)
{
    const double a = v[0], b = v[1], c = v[row], d = v[row + 1];
    const double e = v[layer], f = v[layer + 1], g = v[layer + row], h = v[layer + row + 1];
    const double x0 = a + fx * (b - a), x1 = c + fx * (d - c), x2 = e + fx * (f - e), x3 = g + fx * (h - g);
    const double y0 = x0 + fy * (x1 - x0), y1 = x2 + fy * (x3 - x2);
    const double dx0 = (b - a) + fy * ((d - c) - (b - a)), dx1 = (f - e) + fy * ((h - g) - (f - e));
    *gradient = v3(dx0 + fz * (dx1 - dx0), (x1 - x0) + fz * ((x3 - x2) - (x1 - x0)), y1 - y0);
    return y0 + fz * (y1 - y0);
}

/* The same of a node, in its cell (i, j, k). */
static double interpolate_kept(const kept_node *n, int i, int j, int k, double fx, double fy, double fz,
                               rill_vec3 *gradient)
{
    const int at = node_sample(i, j, k);
    float corner[8];
    for (int c = 0; c < 8; c++)
        corner[c] = n->value[at + (c & 1) + (c >> 1 & 1) * NODE_SIDE + (c >> 2) * NODE_SIDE * NODE_SIDE];
    const double value = interpolate(corner, 2, 4, fx, fy, fz, gradient), step = (double)n->step;
    const rill_vec3 rise = v3((double)n->rise[0], (double)n->rise[1], (double)n->rise[2]);
    *gradient = v3_madd(rise, step, *gradient);
    return (double)n->low + step * value + v3_dot(rise, v3(i + fx, j + fy, k + fz));
}

/* The side of a point of a cell without values, as far as its corners tell: one that is farther from the
 * surface than from the point is on the point's side of it. f: of the point, in shares of the cell; size: of
 * the cell; doubt: of the values. The winding number costs ten times the distance itself. */
static int side_of_corners(const double corner[8], const double f[3], double size, double doubt)
{
    for (int c = 0; c < 8; c++) {
        double square = 0;
        for (int a = 0; a < 3; a++) {
            const double away = (c >> a & 1) - f[a];
            square += away * away;
        }
        const double room = fabs(corner[c]) * (1 - 1e-5) - doubt;
        if (room > 0 && room * room > square * size * size) return corner[c] < 0 ? -1 : 1;
    }
    return 0;
}

/* The same of a coarse cell without values. */
static int root_side(const distance_grid *g, int i, int j, int k, const double f[3])
{
    const size_t row = (size_t)g->n[0] + 1, layer = row * ((size_t)g->n[1] + 1);
    const float *v = &g->value[root_sample(g, i, j, k)];
    double corner[8];
    for (int c = 0; c < 8; c++) corner[c] = (double)v[(c & 1) + (c >> 1 & 1) * row + (c >> 2) * layer];
    return g->shell ? 0 : side_of_corners(corner, f, 1 / g->per_root, 0);
}

/* The same of the cell (i, j, k) of a node. */
static int kept_side(const distance_grid *g, const kept_node *n, int i, int j, int k, const double f[3],
                     double size)
{
    const int at = node_sample(i, j, k);
    double corner[8];
    for (int c = 0; c < 8; c++) {
        const int a = c & 1, b = c >> 1 & 1, d = c >> 2;
        corner[c] =
            (double)n->low + (double)n->step * n->value[at + a + b * NODE_SIDE + d * NODE_SIDE * NODE_SIDE] +
            (i + a) * (double)n->rise[0] + (j + b) * (double)n->rise[1] + (k + d) * (double)n->rise[2];
    }
    return g->shell ? 0 : side_of_corners(corner, f, size, (double)n->step);
}

/* The cell that holds the point px, py, pz, in coarse cells from the origin. */
static double value_inside(const distance_grid *g, rill_vec3 x, double px, double py, double pz,
                           rill_vec3 *normal)
{
    const int i = (int)px < g->n[0] ? (int)px : g->n[0] - 1;
    const int j = (int)py < g->n[1] ? (int)py : g->n[1] - 1;
    const int k = (int)pz < g->n[2] ? (int)pz : g->n[2] - 1;
    double fx = px - i, fy = py - j, fz = pz - k, value, per_cell = g->per_root;
    rill_vec3 gradient;
    uint32_t at = g->root[root_cell(g, i, j, k)];
    if (at == NODE_NONE) {
        const size_t row = (size_t)g->n[0] + 1;
        value = interpolate(&g->value[root_sample(g, i, j, k)], row, row * ((size_t)g->n[1] + 1), fx, fy, fz,
                            &gradient);
    } else if (at == NODE_EXACT) {
        const int side = root_side(g, i, j, k, (double[]){fx, fy, fz});
        return g->source.exact(g->source.user, x, side, normal);
    } else {
        for (int level = 0;; level++) {
            const kept_node *node = &g->node[level][at];
            fx *= NODE_CELLS, fy *= NODE_CELLS, fz *= NODE_CELLS, per_cell *= NODE_CELLS;
            int a = (int)fx, b = (int)fy, c = (int)fz;
            a -= a == NODE_CELLS, b -= b == NODE_CELLS, c -= c == NODE_CELLS;
            fx -= a, fy -= b, fz -= c;
            const uint64_t bit = (uint64_t)1 << node_cell(a, b, c);
            if (node->cut & bit) {
                at = node->child + (uint32_t)__builtin_popcountll(node->cut & (bit - 1));
                continue;
            }
            if (node->exact & bit) {
                const int side = kept_side(g, node, a, b, c, (double[]){fx, fy, fz}, 1 / per_cell);
                return g->source.exact(g->source.user, x, side, normal);
            }
            value = interpolate_kept(node, a, b, c, fx, fy, fz, &gradient);
            break;
        }
    }
    const double sign = g->shell && value < 0 ? -1 : 1;
    value *= sign;
    if (normal) {
        const double length = v3_length(gradient);
        /* At a kink it is a mean of directions, and not of unit length. */
        if (!(fabs(length * per_cell - 1) < 0.1))
            return g->source.exact(g->source.user, x, g->shell ? 0 : distance_grid_side(g, value), normal);
        *normal = v3_scale(gradient, sign / length);
    }
    return g->shell ? value - g->source.shell : value;
}

/* Beyond the box: its point nearest to x, at the distance `gap`, is d away from the solid.
 * The solid is inside the box, so seen from that point it is on the far side of a right
 * angle: the distance is at least the root of gap^2 + d^2. */
static double value_outside(const distance_grid *g, rill_vec3 x, rill_vec3 *normal)
{
    if (!v3_finite(x)) {
        if (normal) *normal = v3(0, 1, 0);
        return INFINITY;
    }
    const double size = 1 / g->per_root;
    const rill_vec3 far = v3(g->n[0] * size, g->n[1] * size, g->n[2] * size);
    const rill_vec3 inside = v3_min(v3_max(v3_sub(x, g->origin), v3(0, 0, 0)), far);
    const rill_vec3 p = v3_add(g->origin, inside);
    rill_vec3 n;
    const double d =
        value_inside(g, p, fmin(inside.x * g->per_root, g->n[0]), fmin(inside.y * g->per_root, g->n[1]),
                     fmin(inside.z * g->per_root, g->n[2]), &n);
    const double gap = v3_distance(x, p), least = fmax(d - distance_grid_error(g, d), 0);
    if (normal) {
        const rill_vec3 away = v3_sub(x, v3_madd(p, -d, n));
        *normal = v3_length(away) > 0 ? v3_unit(away) : n;
    }
    return sqrt(gap * gap + least * least);
}

double distance_grid_at(const distance_grid *g, rill_vec3 x, rill_vec3 *normal)
{
    const double px = (x.x - g->origin.x) * g->per_root, py = (x.y - g->origin.y) * g->per_root,
                 pz = (x.z - g->origin.z) * g->per_root;
    if (px >= 0 && py >= 0 && pz >= 0 && px <= g->n[0] && py <= g->n[1] && pz <= g->n[2])
        return value_inside(g, x, px, py, pz, normal);
    if (g->part) return g->source.exact(g->source.user, x, 0, normal);
    return value_outside(g, x, normal);
}

distance_grid_stats distance_grid_measure(const distance_grid *g)
{
    distance_grid_stats s = {0};
    for (int l = 0; l < GRID_LEVELS; l++) {
        s.nodes[l] = g->count[l];
        s.bytes += g->count[l] * sizeof *g->node[l];
        for (size_t i = 0; i < g->count[l]; i++) s.exact += (size_t)__builtin_popcountll(g->node[l][i].exact);
    }
    const size_t cells = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    for (size_t i = 0; i < cells; i++) s.exact += g->root[i] == NODE_EXACT;
    s.bytes +=
        sizeof *g + cells * sizeof *g->root + root_sample(g, g->n[0], g->n[1], g->n[2]) * sizeof *g->value;
    return s;
}
