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
        return g->source.exact(g->source.user, x, 0, normal);
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
            if (node->exact & bit) return g->source.exact(g->source.user, x, 0, normal);
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

/* --- sides --- */

/* The finest cell around a point. */
typedef struct {
    double corner[8], f[3]; /* values at c & 1, c >> 1 & 1, c >> 2; the point, in shares of the cell */
    double size, doubt;     /* of the cell; of the values */
} leaf;

static void root_corners(const distance_grid *g, const int at[3], leaf *out)
{
    const size_t row = (size_t)g->n[0] + 1, layer = row * ((size_t)g->n[1] + 1);
    const float *v = &g->value[root_sample(g, at[0], at[1], at[2])];
    for (int c = 0; c < 8; c++)
        out->corner[c] = (double)v[(size_t)(c & 1) + (size_t)(c >> 1 & 1) * row + (size_t)(c >> 2) * layer];
}

static void node_corners(const kept_node *n, const int at[3], leaf *out)
{
    for (int c = 0; c < 8; c++) {
        const int i = at[0] + (c & 1), j = at[1] + (c >> 1 & 1), k = at[2] + (c >> 2);
        out->corner[c] = (double)n->low + (double)n->step * n->value[node_sample(i, j, k)] +
                         i * (double)n->rise[0] + j * (double)n->rise[1] + k * (double)n->rise[2];
    }
    out->doubt = (double)n->step;
}

/* False: the point is beyond the grid. */
static bool leaf_at(const distance_grid *g, rill_vec3 x, leaf *out)
{
    int at[3];
    out->size = 1 / g->per_root;
    out->doubt = 0;
    for (int a = 0; a < 3; a++) {
        const double p = (v3_axis(x, a) - v3_axis(g->origin, a)) * g->per_root;
        if (!(p >= 0 && p <= g->n[a])) return false;
        at[a] = (int)p < g->n[a] ? (int)p : g->n[a] - 1;
        out->f[a] = p - at[a];
    }
    uint32_t node = g->root[root_cell(g, at[0], at[1], at[2])];
    if (node == NODE_NONE || node == NODE_EXACT) {
        root_corners(g, at, out);
        return true;
    }
    for (int level = 0;; level++) {
        const kept_node *n = &g->node[level][node];
        out->size /= NODE_CELLS;
        for (int a = 0; a < 3; a++) {
            const double p = out->f[a] * NODE_CELLS;
            at[a] = (int)p < NODE_CELLS ? (int)p : NODE_CELLS - 1;
            out->f[a] = p - at[a];
        }
        const uint64_t bit = (uint64_t)1 << node_cell(at[0], at[1], at[2]);
        if (!(n->cut & bit)) {
            node_corners(n, at, out);
            return true;
        }
        node = n->child + (uint32_t)__builtin_popcountll(n->cut & (bit - 1));
    }
}

int distance_grid_side_at(const distance_grid *g, rill_vec3 x, double distance)
{
    leaf l;
    if (g->shell || !leaf_at(g, x, &l)) return 0;
    for (int c = 0; c < 8; c++) {
        double square = 0;
        for (int a = 0; a < 3; a++) {
            const double away = (c >> a & 1) - l.f[a];
            square += away * away;
        }
        const double own = fabs(l.corner[c]) * (1 - 1e-5) - l.doubt, both = own + distance * (1 - 1e-9);
        if (own > 0 && both * both > square * l.size * l.size) return l.corner[c] < 0 ? -1 : 1;
    }
    return 0;
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
