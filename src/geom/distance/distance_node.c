/* The nodes of a distance grid.
 *
 * A cell of 4 h and more is asked in its middle, and where its corners' values do not rise
 * evenly in the middle of its faces and edges, too. In a cell of h the error is estimated from
 * the second differences of the samples around it, with room for kinks that pass between them;
 * where that is too large, it is looked at in seven points. A cell that fails is cut when it is
 * at the surface and wanted, else left to the exact function; so are those that still fail at h / 4.
 *
 * Signs: two samples farther from the surface, together, than from each other are on
 * the same side of it. So the sign goes from sample to sample, starting from the corners,
 * which the parent knows; only what is not reached asks whether it is inside. */
#include "geom/distance/distance_node.h"
#include "base/parallel.h"
#include "geom/search/block_map.h"

#include <string.h>

enum { NODE_BLOCK = 4 };

static const double diagonal = 1.7320508075688772;

typedef struct {
    const distance_grid *g;
    const grid_task *task;
    grid_node *node;
    int level, units; /* of a cell */
    block_map map;    /* the nodes by their place */
} filling;

static double tolerance(const distance_grid *g, double distance) /* half of what is allowed */
{
    return 0.5 * (grid_error_near * g->h + grid_error_far * fabs(distance));
}

static rill_vec3 sample_place(const filling *f, const grid_task *t, int i, int j, int k)
{
    return grid_place(f->g, t->base[0] + (int64_t)i * f->units, t->base[1] + (int64_t)j * f->units,
                      t->base[2] + (int64_t)k * f->units);
}

/* Linear along each axis between the corners. */
static double between(const double corner[8], const double share[3])
{
    double value = 0;
    for (int c = 0; c < 8; c++) {
        double weight = 1;
        for (int a = 0; a < 3; a++) weight *= c >> a & 1 ? share[a] : 1 - share[a];
        value += weight * corner[c];
    }
    return value;
}

/* Whether the corners' values are those of a plane, within `most`, that rises by nearly one a
 * unit of length: a distance never rises by more, so there is no room for a kink between them. */
static bool rises_evenly(const double corner[8], double size, double most)
{
    double mean = 0, rise[3] = {0};
    for (int c = 0; c < 8; c++) {
        mean += 0.125 * corner[c];
        for (int a = 0; a < 3; a++) rise[a] += (c >> a & 1 ? 0.25 : -0.25) * corner[c];
    }
    const double slope = sqrt(rise[0] * rise[0] + rise[1] * rise[1] + rise[2] * rise[2]) / size;
    if (!(slope > 0.97 && slope < 1.03)) return false;
    for (int c = 0; c < 8; c++) {
        double plane = mean;
        for (int a = 0; a < 3; a++) plane += (c >> a & 1 ? 0.5 : -0.5) * rise[a];
        if (fabs(corner[c] - plane) > most) return false;
    }
    return true;
}

bool grid_coarse_cut(const distance_grid *g, rill_vec3 low, double size, const double corner[8],
                     uint32_t *hint)
{
    /* the middle first, then by threes: low, middle and high along each axis */
    for (int at = -1; at < 27; at++) {
        const int digit[3] = {at % 3, at / 3 % 3, at / 9};
        if (at >= 0 && digit[0] != 1 && digit[1] != 1 && digit[2] != 1) continue; /* a corner */
        double share[3] = {0.5, 0.5, 0.5};
        for (int a = 0; at >= 0 && a < 3; a++) share[a] = 0.5 * digit[a];
        int side;
        const rill_vec3 x = v3_madd(low, size, v3(share[0], share[1], share[2]));
        const double d = g->source.surface(g->source.user, x, hint, &side);
        if (at < 0 && d <= 0.5 * diagonal * size + g->source.shell + 0.5 * g->h) return true;
        const double allowed = tolerance(g, fmax(d - g->source.shell, 0));
        if (fabs(fabs(between(corner, share)) - d) > allowed) return true;
        if (at < 0 && rises_evenly(corner, size, allowed)) return false;
    }
    return false;
}

typedef struct {
    double distance[NODE_SAMPLES];
    int8_t sign[NODE_SAMPLES]; /* 0: not known yet */
} samples;

/* Gives its sign to every sample that can be reached from `from`. */
static void spread_sign(samples *s, double step, int from)
{
    int queue[NODE_SAMPLES], head = 0, tail = 0;
    queue[tail++] = from;
    while (head < tail) {
        const int at = queue[head++], i = at % NODE_SIDE, j = at / NODE_SIDE % NODE_SIDE,
                  k = at / (NODE_SIDE * NODE_SIDE);
        for (int c = k > 0 ? k - 1 : 0; c <= k + 1 && c < NODE_SIDE; c++)
            for (int b = j > 0 ? j - 1 : 0; b <= j + 1 && b < NODE_SIDE; b++)
                for (int a = i > 0 ? i - 1 : 0; a <= i + 1 && a < NODE_SIDE; a++) {
                    static const double length[4] = {0, 1, 1.4142135623730951, 1.7320508075688772};
                    const int to = node_sample(a, b, c);
                    if (s->sign[to]) continue;
                    const double apart = step * length[(a != i) + (b != j) + (c != k)];
                    if (s->distance[at] + s->distance[to] <= apart * (1 + 1e-6)) continue;
                    s->sign[to] = s->sign[at];
                    queue[tail++] = to;
                }
    }
}

static void find_signs(const filling *f, const grid_task *t, samples *s)
{
    const distance_grid *g = f->g;
    const double step = f->units * (g->h / 4);
    for (int c = 0; c < 8; c++)
        s->sign[node_sample((c & 1) * NODE_CELLS, (c >> 1 & 1) * NODE_CELLS, (c >> 2) * NODE_CELLS)] =
            t->negative >> c & 1 ? -1 : 1;
    for (int c = 0; c < 8; c++)
        spread_sign(s, step,
                    node_sample((c & 1) * NODE_CELLS, (c >> 1 & 1) * NODE_CELLS, (c >> 2) * NODE_CELLS));
    for (int at = 0; at < NODE_SAMPLES; at++) {
        if (s->sign[at]) continue;
        const int i = at % NODE_SIDE, j = at / NODE_SIDE % NODE_SIDE, k = at / (NODE_SIDE * NODE_SIDE);
        const rill_vec3 x = sample_place(f, t, i, j, k);
        s->sign[at] = g->source.inside(g->source.user, x) ? -1 : 1;
        spread_sign(s, step, at);
    }
}

static const int axis_step[3] = {1, NODE_SIDE, NODE_SIDE *NODE_SIDE};

/* Whether neighbours of different sign are farther from the surface than it can be from
 * both, which means that the signs do not belong together (the sides of an open surface
 * beyond its rim). */
static bool contradictory(const samples *s, double step)
{
    for (int at = 0; at < NODE_SAMPLES; at++)
        for (int a = 0; a < 3; a++) {
            if (at / axis_step[a] % NODE_SIDE == NODE_CELLS) continue;
            const int to = at + axis_step[a];
            if (s->sign[at] != s->sign[to] && s->distance[at] + s->distance[to] > step * (1 + 1e-6))
                return true;
        }
    return false;
}

static void cell_corners(const grid_node *n, int at, double corner[8])
{
    for (int c = 0; c < 8; c++)
        corner[c] =
            (double)n->value[at + (c & 1) + (c >> 1 & 1) * NODE_SIDE + (c >> 2) * NODE_SIDE * NODE_SIDE];
}

static double cell_mean(const grid_node *n, int corner, double *least)
{
    double mean = 0;
    *least = INFINITY;
    for (int c = 0; c < 8; c++) {
        const double v =
            (double)n->value[corner + (c & 1) + (c >> 1 & 1) * NODE_SIDE + (c >> 2) * NODE_SIDE * NODE_SIDE];
        mean += 0.125 * v;
        *least = fmin(*least, fabs(v));
    }
    return mean;
}

/* A bound of the interpolation's error in the cell with this low corner, from the second
 * differences along each axis at its corners. A kink between two samples shows in both of
 * theirs and costs at most half of the larger; where the node ends and one is not known,
 * as much as the other. */
static double cell_error(const grid_node *n, int corner)
{
    double error = 0;
    for (int a = 0; a < 3; a++) {
        const int step = axis_step[a], i = corner / step % NODE_SIDE;
        const bool end = i == 0 || i == NODE_CELLS - 1;
        double largest = 0;
        for (int c = 0; c < 8; c++) {
            int at = corner + (c & 1) + (c >> 1 & 1) * NODE_SIDE + (c >> 2) * NODE_SIDE * NODE_SIDE;
            const int place_along = at / step % NODE_SIDE;
            if (place_along == 0 || place_along == NODE_CELLS) continue;
            const double bend =
                fabs((double)n->value[at - step] - 2 * (double)n->value[at] + (double)n->value[at + step]);
            if (bend > largest) largest = bend;
        }
        error += (end ? 1 : 0.5) * largest;
    }
    return error;
}

/* Whether the error at a point of the cell, in shares of its side, is within the tolerance
 * (with room for what is worse beside it). */
static bool good_at(const filling *f, const grid_node *n, const grid_task *t, const int cell[3],
                    const double share[3], uint32_t *hint)
{
    const distance_grid *g = f->g;
    double corner[8];
    cell_corners(n, node_sample(cell[0], cell[1], cell[2]), corner);
    double value = between(corner, share);
    const double size = f->units * (g->h / 4);
    const rill_vec3 x =
        v3_madd(sample_place(f, t, cell[0], cell[1], cell[2]), size, v3(share[0], share[1], share[2]));
    int side;
    double d = g->source.surface(g->source.user, x, hint, &side);
    const double allowed = 0.6 * tolerance(g, d - g->source.shell);
    if (g->shell)
        value = fabs(value);
    else if (fabs(value) < 2 * allowed ? g->source.inside(g->source.user, x) : value < 0)
        d = -d;
    return fabs(value - d) <= allowed;
}

/* What the second differences cannot promise may hold all the same: facets that meet at
 * small angles. Asked in the middle of the cell and of its faces. */
static bool good_cell(const filling *f, const grid_node *n, const grid_task *t, int i, int j, int k,
                      uint32_t *hint)
{
    for (int at = 0; at < 7; at++) {
        double share[3] = {0.5, 0.5, 0.5};
        if (at > 0) share[(at - 1) / 2] = (at - 1) % 2;
        if (!good_at(f, n, t, (int[]){i, j, k}, share, hint)) return false;
    }
    return true;
}

static void judge_cells(const filling *f, const grid_task *t, bool unsure, grid_node *n)
{
    const distance_grid *g = f->g;
    const double size = f->units * (g->h / 4);
    uint32_t hint = UINT32_MAX;
    for (int cell = 0; cell < NODE_CELLS * NODE_CELLS * NODE_CELLS; cell++) {
        const int i = cell % NODE_CELLS, j = cell / NODE_CELLS % NODE_CELLS,
                  k = cell / (NODE_CELLS * NODE_CELLS);
        const int corner = node_sample(i, j, k);
        const uint64_t bit = (uint64_t)1 << cell;
        double least;
        const double mean = cell_mean(n, corner, &least);
        if (f->level == 0) {
            double values[8];
            cell_corners(n, corner, values);
            const rill_vec3 low = sample_place(f, t, i, j, k);
            if (grid_coarse_cut(g, low, size, values, &hint))
                *(grid_wanted(g, low, size) ? &n->cut : &n->exact) |= bit;
            continue;
        }
        const bool hidden = unsure && least <= diagonal * size; /* the middle of a shell may be in it */
        if (!hidden && cell_error(n, corner) <= 1.5 * tolerance(g, fabs(mean) - g->source.shell)) continue;
        if (!hidden && f->level == 1 && good_cell(f, n, t, i, j, k, &hint)) continue;
        if (f->level == 1 && fabs(fabs(mean) - g->source.shell) <= g->h &&
            grid_wanted(g, sample_place(f, t, i, j, k), size))
            n->cut |= bit;
        else
            n->exact |= bit;
    }
}

/* Samples on the high faces of a node are those on the low faces of its neighbours, which
 * take them when they are there: near[di + 2 dj + 4 dk]. */
static void find_near(const filling *f, const grid_task *t, uint32_t near[8])
{
    const int32_t side = NODE_CELLS * f->units;
    for (int c = 1; c < 8; c++)
        near[c] = block_map_find(&f->map, t->base[0] / side + (c & 1), t->base[1] / side + (c >> 1 & 1),
                                 t->base[2] / side + (c >> 2));
    near[0] = BLOCK_NONE;
}

static int high_faces(int i, int j, int k)
{
    return (i == NODE_CELLS) + 2 * (j == NODE_CELLS) + 4 * (k == NODE_CELLS);
}

/* The samples that are a node's own: their distance, in a shell with the side. */
static void own_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const filling *f = arg;
    const distance_grid *g = f->g;
    for (size_t at = begin; at < end; at++) {
        const grid_task *t = &f->task[at];
        uint32_t near[8], hint = UINT32_MAX;
        find_near(f, t, near);
        for (int k = 0; k < NODE_SIDE; k++)
            for (int j = 0; j < NODE_SIDE; j++)
                for (int i = 0; i < NODE_SIDE; i++) {
                    if (near[high_faces(i, j, k)] != BLOCK_NONE) continue;
                    int side = 1;
                    const double d =
                        g->source.surface(g->source.user, sample_place(f, t, i, j, k), &hint, &side);
                    f->node[at].value[node_sample(i, j, k)] = (float)(g->shell ? side * d : d);
                }
    }
}

static void share_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const filling *f = arg;
    for (size_t at = begin; at < end; at++) {
        uint32_t near[8];
        find_near(f, &f->task[at], near);
        for (int k = 0; k < NODE_SIDE; k++)
            for (int j = 0; j < NODE_SIDE; j++)
                for (int i = 0; i < NODE_SIDE; i++) {
                    const uint32_t owner = near[high_faces(i, j, k)];
                    if (owner != BLOCK_NONE)
                        f->node[at].value[node_sample(i, j, k)] =
                            f->node[owner].value[node_sample(i % NODE_CELLS, j % NODE_CELLS, k % NODE_CELLS)];
                }
    }
}

static void judge_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const filling *f = arg;
    const distance_grid *g = f->g;
    for (size_t at = begin; at < end; at++) {
        const grid_task *t = &f->task[at];
        grid_node *n = &f->node[at];
        samples s = {0};
        for (int i = 0; i < NODE_SAMPLES; i++) {
            s.distance[i] = fabs((double)n->value[i]);
            if (g->shell) s.sign[i] = n->value[i] < 0 ? -1 : 1;
        }
        bool unsure = false;
        if (!g->shell)
            find_signs(f, t, &s);
        else if ((unsure = contradictory(&s, f->units * (g->h / 4))))
            memset(s.sign, 1, sizeof s.sign);
        for (int i = 0; i < NODE_SAMPLES; i++) n->value[i] = (float)(s.sign[i] * s.distance[i]);
        n->child = 0;
        n->cut = n->exact = 0;
        judge_cells(f, t, unsure, n);
    }
}

rill_status grid_nodes_fill(rill_ctx *ctx, const distance_grid *g, const grid_task *task, size_t count,
                            int level, int units, grid_node *node)
{
    filling f = {.g = g, .task = task, .node = node, .level = level, .units = units};
    rill_status st = block_map_reserve(ctx, &f.map, count);
    for (size_t i = 0; !st && i < count; i++) {
        const int32_t *base = f.task[i].base, side = NODE_CELLS * f.units;
        st = block_map_add(ctx, &f.map, base[0] / side, base[1] / side, base[2] / side);
    }
    if (!st) {
        parallel_for(ctx, count, NODE_BLOCK, own_block, &f);
        parallel_for(ctx, count, 16 * NODE_BLOCK, share_block, &f);
        parallel_for(ctx, count, NODE_BLOCK, judge_block, &f);
    }
    block_map_clear(ctx, &f.map);
    return st;
}
