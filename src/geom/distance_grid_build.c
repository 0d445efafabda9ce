/* Sampling a distance on an adaptive grid, level by level.
 *
 * A coarse cell (16 h, 4 h) is cut when the surface can be in it or within h / 2 of it,
 * told by the distance of its middle, or when that distance is not what the corners
 * interpolate to. In a cell of h the error is bounded by the second differences of
 * the samples around it. A cell that fails is cut when it is at the
 * surface, else left to the exact function; so are those that still fail at h / 4, and
 * all of them where there are more than twice as many as nodes (a wall thinner than a
 * cell: cutting would cost more memory than all of the rest, and help little).
 *
 * Signs: two samples farther from the surface, together, than from each other are on
 * the same side of it. So the sign goes from sample to sample, starting from the corners,
 * which the parent knows; only what is not reached asks whether it is inside. */
#include "base/parallel.h"
#include "geom/block_map.h"
#include "geom/distance_node.h"

#include <string.h>

enum { ROOT_BLOCK = 64, NODE_BLOCK = 4, MAX_ROOT_CELLS = 1 << 24 };

static const double diagonal = 1.7320508075688772;

/* A node to be filled: its low corner in units of h / 4, its cells in the same, and the
 * signs of its corners. */
typedef struct {
    int32_t base[3];
    uint8_t negative; /* bit di + 2 dj + 4 dk */
} task;

typedef struct {
    distance_grid *g;
    task *task;
    grid_node *node;  /* of this level */
    int level, units; /* of a cell */
    block_map map;    /* the nodes of this level by their place */
} filling;

static rill_vec3 place(const distance_grid *g, int64_t i, int64_t j, int64_t k)
{
    const double unit = g->h / 4;
    return v3_add(g->origin, v3((double)i * unit, (double)j * unit, (double)k * unit));
}

static double tolerance(const distance_grid *g, double distance) /* half of what is promised */
{
    return 0.5 * (grid_error_near * g->h + grid_error_far * fabs(distance));
}

static rill_vec3 sample_place(const filling *f, const task *t, int i, int j, int k)
{
    return place(f->g, t->base[0] + (int64_t)i * f->units, t->base[1] + (int64_t)j * f->units,
                 t->base[2] + (int64_t)k * f->units);
}

/* --- coarse cells --- */

/* Whether a cell of `size` with this middle and the mean of its corners is to be cut. */
static bool coarse_cut(const distance_grid *g, rill_vec3 middle, double size, double mean, uint32_t *hint)
{
    int side;
    const double d = g->source.surface(g->source.user, middle, hint, &side);
    return d <= 0.5 * diagonal * size + g->source.shell + 0.5 * g->h ||
           fabs(fabs(mean) - d) > tolerance(g, fmax(d - 0.5 * size, 0));
}

static void root_sample_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const filling *f = arg;
    distance_grid *g = f->g;
    uint32_t hint = UINT32_MAX;
    for (size_t at = begin; at < end; at++) {
        const size_t row = (size_t)g->n[0] + 1, i = at % row, j = at / row % ((size_t)g->n[1] + 1),
                     k = at / row / ((size_t)g->n[1] + 1);
        const rill_vec3 x =
            place(g, (int64_t)i * ROOT_UNITS, (int64_t)j * ROOT_UNITS, (int64_t)k * ROOT_UNITS);
        int side;
        const double d = g->source.surface(g->source.user, x, &hint, &side);
        g->value[at] = (float)(!g->shell && g->source.inside(g->source.user, x) ? -d : d);
    }
}

static void root_cell_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const filling *f = arg;
    distance_grid *g = f->g;
    uint32_t hint = UINT32_MAX;
    const size_t row = (size_t)g->n[0] + 1, layer = row * ((size_t)g->n[1] + 1);
    for (size_t at = begin; at < end; at++) {
        const int i = (int)(at % (size_t)g->n[0]), j = (int)(at / (size_t)g->n[0] % (size_t)g->n[1]),
                  k = (int)(at / (size_t)g->n[0] / (size_t)g->n[1]);
        double mean = 0;
        for (size_t c = 0; c < 8; c++)
            mean +=
                0.125 *
                (double)g->value[root_sample(g, i, j, k) + (c & 1) + (c >> 1 & 1) * row + (c >> 2) * layer];
        const int64_t half = ROOT_UNITS / 2;
        const rill_vec3 middle = place(g, (int64_t)i * ROOT_UNITS + half, (int64_t)j * ROOT_UNITS + half,
                                       (int64_t)k * ROOT_UNITS + half);
        g->root[at] = coarse_cut(g, middle, 16 * g->h, mean, &hint) ? 0 : NODE_NONE;
    }
}

/* --- nodes --- */

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

static void find_signs(const filling *f, const task *t, samples *s)
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

static void judge_cells(const filling *f, const task *t, bool unsure, grid_node *n)
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
            const int64_t half = f->units / 2;
            const rill_vec3 middle =
                place(g, t->base[0] + (int64_t)i * f->units + half, t->base[1] + (int64_t)j * f->units + half,
                      t->base[2] + (int64_t)k * f->units + half);
            if (coarse_cut(g, middle, size, mean, &hint)) n->cut |= bit;
            continue;
        }
        const bool hidden = unsure && least <= diagonal * size; /* the middle of a shell may be in it */
        if (!hidden && cell_error(n, corner) <= 2 * tolerance(g, mean)) continue;
        if (f->level == 1 && fabs(fabs(mean) - g->source.shell) <= g->h)
            n->cut |= bit;
        else
            n->exact |= bit;
    }
}

/* Samples on the high faces of a node are those on the low faces of its neighbours, which
 * take them when they are there: near[di + 2 dj + 4 dk]. */
static void find_near(const filling *f, const task *t, uint32_t near[8])
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
        const task *t = &f->task[at];
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
        const task *t = &f->task[at];
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

static rill_status fill_nodes(rill_ctx *ctx, filling *f, size_t count)
{
    rill_status st = block_map_reserve(ctx, &f->map, count);
    for (size_t i = 0; !st && i < count; i++) {
        const int32_t *base = f->task[i].base, side = NODE_CELLS * f->units;
        st = block_map_add(ctx, &f->map, base[0] / side, base[1] / side, base[2] / side);
    }
    if (!st) {
        parallel_for(ctx, count, NODE_BLOCK, own_block, f);
        parallel_for(ctx, count, 16 * NODE_BLOCK, share_block, f);
        parallel_for(ctx, count, NODE_BLOCK, judge_block, f);
    }
    block_map_clear(ctx, &f->map);
    return st;
}

/* --- levels --- */

static uint8_t corner_signs(const float *v, size_t row, size_t layer)
{
    uint8_t bits = 0;
    for (size_t c = 0; c < 8; c++)
        if (v[(c & 1) + (c >> 1 & 1) * row + (c >> 2) * layer] < 0) bits |= (uint8_t)(1u << c);
    return bits;
}

/* The nodes of the coarse cells that are to be cut. */
static rill_status root_tasks(rill_ctx *ctx, distance_grid *g, task **out, size_t *count)
{
    const size_t cells = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    const size_t row = (size_t)g->n[0] + 1, layer = row * ((size_t)g->n[1] + 1);
    size_t n = 0;
    for (size_t i = 0; i < cells; i++)
        if (g->root[i] != NODE_NONE) g->root[i] = (uint32_t)n++;
    TRY(MEM_NEW(ctx, *out, n));
    *count = n;
    for (size_t at = 0; at < cells; at++) {
        if (g->root[at] == NODE_NONE) continue;
        const int i = (int)(at % (size_t)g->n[0]), j = (int)(at / (size_t)g->n[0] % (size_t)g->n[1]),
                  k = (int)(at / (size_t)g->n[0] / (size_t)g->n[1]);
        (*out)[g->root[at]] = (task){{i * ROOT_UNITS, j * ROOT_UNITS, k * ROOT_UNITS},
                                     corner_signs(&g->value[root_sample(g, i, j, k)], row, layer)};
    }
    return RILL_OK;
}

/* Those of the cells that the nodes of a level cut. */
static rill_status child_tasks(rill_ctx *ctx, distance_grid *g, int level, const task *parent, int units,
                               task **out, size_t *count)
{
    const size_t first = g->first[level], nodes = g->count - first;
    size_t n = 0;
    for (size_t i = 0; i < nodes; i++) n += (size_t)__builtin_popcountll(g->node[first + i].cut);
    if (level == 1 && n > 2 * nodes + 1024) {
        for (size_t i = 0; i < nodes; i++) {
            grid_node *p = &g->node[first + i];
            p->exact |= p->cut;
            p->cut = 0;
        }
        n = 0;
    }
    if (n + g->count >= NODE_NONE) return mem_failed(ctx, n, sizeof *g->node);
    task *list;
    TRY(MEM_NEW(ctx, list, n));
    size_t next = 0;
    for (size_t i = 0; i < nodes; i++) {
        grid_node *p = &g->node[first + i];
        p->child = (uint32_t)(g->count + next);
        for (uint64_t left = p->cut; left; left &= left - 1) {
            const int cell = __builtin_ctzll(left), a = cell % NODE_CELLS, b = cell / NODE_CELLS % NODE_CELLS,
                      c = cell / (NODE_CELLS * NODE_CELLS);
            const int32_t *base = parent[i].base;
            list[next++] =
                (task){{base[0] + a * units, base[1] + b * units, base[2] + c * units},
                       corner_signs(&p->value[node_sample(a, b, c)], NODE_SIDE, NODE_SIDE * NODE_SIDE)};
        }
    }
    *out = list;
    *count = n;
    return RILL_OK;
}

static rill_status fill_levels(rill_ctx *ctx, distance_grid *g)
{
    task *list = NULL;
    size_t count = 0, capacity = 0;
    rill_status st = root_tasks(ctx, g, &list, &count);
    int units = ROOT_UNITS / NODE_CELLS;
    for (int level = 0; !st && level < GRID_LEVELS; level++, units /= NODE_CELLS) {
        g->first[level] = g->count;
        st = mem_grow(ctx, &g->node, sizeof *g->node, &capacity, g->count + count);
        if (!st && rill_cancelled(ctx)) st = rill_fail(ctx, RILL_CANCELLED, "stopped on request");
        if (st) break;
        filling f = {.g = g, .task = list, .node = g->node + g->count, .level = level, .units = units};
        st = fill_nodes(ctx, &f, count);
        if (st) break;
        g->count += count;
        g->first[level + 1] = g->count;
        if (level + 1 == GRID_LEVELS) break;
        task *next = NULL;
        st = child_tasks(ctx, g, level, list, units, &next, &count);
        mem_free(ctx, list);
        list = next;
    }
    mem_free(ctx, list);
    return st;
}

static rill_status set_extent(rill_ctx *ctx, distance_grid *g, const distance_grid_def *def)
{
    const double size = 16 * def->cell;
    const rill_box box = box_grown(def->bounds, def->margin);
    const rill_vec3 span = box_size(box);
    double cells = 1;
    for (int a = 0; a < 3; a++) {
        const double n = fmax(ceil(v3_axis(span, a) / size), 1);
        cells *= n;
        if (!(cells <= MAX_ROOT_CELLS))
            return rill_fail(ctx, RILL_USAGE,
                             "a distance grid with cells of %g m is too fine for a solid of %g x %g x %g m; "
                             "ask for a lower resolution",
                             def->cell, span.x, span.y, span.z);
        g->n[a] = (int)n;
    }
    g->h = def->cell;
    g->per_root = 1 / size;
    g->origin = v3_sub(box_center(box), v3(0.5 * g->n[0] * size, 0.5 * g->n[1] * size, 0.5 * g->n[2] * size));
    return RILL_OK;
}

static rill_status build(rill_ctx *ctx, distance_grid *g, const distance_grid_def *def)
{
    TRY(set_extent(ctx, g, def));
    const size_t corners = root_sample(g, g->n[0], g->n[1], g->n[2]) + 1;
    const size_t cells = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    TRY(MEM_NEW(ctx, g->value, corners));
    TRY(MEM_NEW(ctx, g->root, cells));
    filling f = {.g = g};
    parallel_for(ctx, corners, ROOT_BLOCK, root_sample_block, &f);
    parallel_for(ctx, cells, ROOT_BLOCK, root_cell_block, &f);
    return fill_levels(ctx, g);
}

rill_status distance_grid_create(rill_ctx *ctx, const distance_grid_def *def, distance_grid **out)
{
    distance_grid *g;
    TRY(MEM_NEW_ZERO(ctx, g, 1));
    g->source = def->source;
    g->shell = !def->source.inside;
    const rill_status st = build(ctx, g, def);
    if (st)
        distance_grid_destroy(ctx, g);
    else
        *out = g;
    return st;
}
