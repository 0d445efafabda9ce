/* A distance grid from coarse to fine, level by level.
 *
 * Cells of h are cut only while there are at most eight times as many as nodes: a wall thinner
 * than a cell makes more, and cutting them would cost more than all of the rest and help
 * little. They are left to the exact function then. */
#include "base/parallel.h"
#include "geom/distance/distance_node.h"

#include <math.h>

enum { ROOT_BLOCK = 64, MAX_ROOT_CELLS = 1 << 24 };

static void root_sample_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    distance_grid *g = arg;
    uint32_t hint = UINT32_MAX;
    for (size_t at = begin; at < end; at++) {
        const size_t row = (size_t)g->n[0] + 1, i = at % row, j = at / row % ((size_t)g->n[1] + 1),
                     k = at / row / ((size_t)g->n[1] + 1);
        const rill_vec3 x =
            grid_place(g, (int64_t)i * ROOT_UNITS, (int64_t)j * ROOT_UNITS, (int64_t)k * ROOT_UNITS);
        int side;
        const double d = g->source.surface(g->source.user, x, &hint, &side);
        g->value[at] = (float)(!g->shell && g->source.inside(g->source.user, x) ? -d : d);
    }
}

static void root_cell_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    distance_grid *g = arg;
    uint32_t hint = UINT32_MAX;
    const size_t row = (size_t)g->n[0] + 1, layer = row * ((size_t)g->n[1] + 1);
    for (size_t at = begin; at < end; at++) {
        const int i = (int)(at % (size_t)g->n[0]), j = (int)(at / (size_t)g->n[0] % (size_t)g->n[1]),
                  k = (int)(at / (size_t)g->n[0] / (size_t)g->n[1]);
        double corner[8];
        for (size_t c = 0; c < 8; c++)
            corner[c] =
                (double)g->value[root_sample(g, i, j, k) + (c & 1) + (c >> 1 & 1) * row + (c >> 2) * layer];
        const rill_vec3 low =
            grid_place(g, (int64_t)i * ROOT_UNITS, (int64_t)j * ROOT_UNITS, (int64_t)k * ROOT_UNITS);
        const bool cut = grid_coarse_cut(g, low, 16 * g->h, corner, &hint);
        g->root[at] = !cut ? NODE_NONE : grid_wanted(g, low, 16 * g->h) ? 0 : NODE_EXACT;
    }
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
static rill_status root_tasks(rill_ctx *ctx, distance_grid *g, grid_task **out, size_t *count)
{
    const size_t cells = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    const size_t row = (size_t)g->n[0] + 1, layer = row * ((size_t)g->n[1] + 1);
    size_t n = 0;
    for (size_t i = 0; i < cells; i++)
        if (g->root[i] < NODE_EXACT) g->root[i] = (uint32_t)n++;
    TRY(MEM_NEW(ctx, *out, n));
    *count = n;
    for (size_t at = 0; at < cells; at++) {
        if (g->root[at] >= NODE_EXACT) continue;
        const int i = (int)(at % (size_t)g->n[0]), j = (int)(at / (size_t)g->n[0] % (size_t)g->n[1]),
                  k = (int)(at / (size_t)g->n[0] / (size_t)g->n[1]);
        (*out)[g->root[at]] = (grid_task){{i * ROOT_UNITS, j * ROOT_UNITS, k * ROOT_UNITS},
                                          corner_signs(&g->value[root_sample(g, i, j, k)], row, layer)};
    }
    return RILL_OK;
}

/* Those of the cells that the nodes of a level cut. */
static rill_status child_tasks(rill_ctx *ctx, grid_node *node, size_t nodes, int level,
                               const grid_task *parent, int units, grid_task **out, size_t *count)
{
    size_t n = 0;
    for (size_t i = 0; i < nodes; i++) n += (size_t)__builtin_popcountll(node[i].cut);
    if (level == 1 && n > 8 * nodes + 1024) {
        for (size_t i = 0; i < nodes; i++) {
            node[i].exact |= node[i].cut;
            node[i].cut = 0;
        }
        n = 0;
    }
    if (n >= NODE_EXACT) return mem_failed(ctx, n, sizeof *node);
    grid_task *list;
    TRY(MEM_NEW(ctx, list, n));
    size_t next = 0;
    for (size_t i = 0; i < nodes; i++) {
        grid_node *p = &node[i];
        p->child = (uint32_t)next;
        for (uint64_t left = p->cut; left; left &= left - 1) {
            const int cell = __builtin_ctzll(left), a = cell % NODE_CELLS, b = cell / NODE_CELLS % NODE_CELLS,
                      c = cell / (NODE_CELLS * NODE_CELLS);
            const int32_t *base = parent[i].base;
            list[next++] =
                (grid_task){{base[0] + a * units, base[1] + b * units, base[2] + c * units},
                            corner_signs(&p->value[node_sample(a, b, c)], NODE_SIDE, NODE_SIDE * NODE_SIDE)};
        }
    }
    *out = list;
    *count = n;
    return RILL_OK;
}

/* -- as nodes are kept -------------------------------------------------------------------------- */

typedef struct {
    const grid_node *from;
    kept_node *to;
} keep_job;

/* The plane that fits a node's values best, in its low corner and by its rise over a cell. */
static void fit_plane(const grid_node *n, float *low, float rise[3])
{
    enum { MIDDLE = NODE_CELLS / 2 };
    double mean = 0, slope[3] = {0};
    for (int at = 0; at < NODE_SAMPLES; at++) {
        const int place[3] = {at % NODE_SIDE, at / NODE_SIDE % NODE_SIDE, at / (NODE_SIDE * NODE_SIDE)};
        const double value = (double)n->value[at];
        mean += value / NODE_SAMPLES;
        for (int a = 0; a < 3; a++) slope[a] += (place[a] - MIDDLE) * value / (2 * NODE_SAMPLES);
    }
    *low = (float)(mean - MIDDLE * (slope[0] + slope[1] + slope[2]));
    for (int a = 0; a < 3; a++) rise[a] = (float)slope[a];
}

static void keep_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const keep_job *j = arg;
    const float steps = 127;
    for (size_t at = begin; at < end; at++) {
        const grid_node *n = &j->from[at];
        kept_node *k = &j->to[at];
        *k = (kept_node){.cut = n->cut, .exact = n->exact, .child = n->child};
        fit_plane(n, &k->low, k->rise);
        float left[NODE_SAMPLES], low = INFINITY, high = -INFINITY; /* over the plane */
        for (int i = 0; i < NODE_SAMPLES; i++) {
            left[i] = n->value[i] - (k->low + k->rise[0] * (float)(i % NODE_SIDE) +
                                     k->rise[1] * (float)(i / NODE_SIDE % NODE_SIDE) +
                                     k->rise[2] * (float)(i / (NODE_SIDE * NODE_SIDE)));
            low = left[i] < low ? left[i] : low;
            high = left[i] > high ? left[i] : high;
        }
        const float middle = 0.5f * (low + high);
        k->low += middle;
        k->step = high > low ? 0.5f * (high - low) / steps : 1;
        for (int i = 0; i < NODE_SAMPLES; i++) {
            const float q = roundf((left[i] - middle) / k->step);
            k->value[i] = (int8_t)fminf(fmaxf(q, -steps), steps);
        }
    }
}

static rill_status keep_nodes(rill_ctx *ctx, distance_grid *g, int level, const grid_node *node, size_t count)
{
    TRY(MEM_NEW(ctx, g->node[level], count));
    g->count[level] = count;
    keep_job job = {node, g->node[level]};
    parallel_for(ctx, count, ROOT_BLOCK, keep_block, &job);
    return RILL_OK;
}

static rill_status fill_levels(rill_ctx *ctx, distance_grid *g)
{
    grid_task *list = NULL;
    size_t count = 0;
    rill_status st = root_tasks(ctx, g, &list, &count);
    int units = ROOT_UNITS / NODE_CELLS;
    for (int level = 0; !st && level < GRID_LEVELS; level++, units /= NODE_CELLS) {
        grid_node *node = NULL;
        grid_task *next = NULL;
        size_t more = 0;
        st = MEM_NEW(ctx, node, count);
        if (!st && rill_cancelled(ctx)) st = rill_fail(ctx, RILL_CANCELLED, "stopped on request");
        if (!st) st = grid_nodes_fill(ctx, g, list, count, level, units, node);
        if (!st && level + 1 < GRID_LEVELS)
            st = child_tasks(ctx, node, count, level, list, units, &next, &more);
        if (!st) st = keep_nodes(ctx, g, level, node, count);
        mem_free(ctx, node);
        mem_free(ctx, list);
        list = next;
        count = more;
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
    g->wanted = def->wanted ? *def->wanted : box_grown(box, size);
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
    parallel_for(ctx, corners, ROOT_BLOCK, root_sample_block, g);
    parallel_for(ctx, cells, ROOT_BLOCK, root_cell_block, g);
    return fill_levels(ctx, g);
}

rill_status distance_grid_create(rill_ctx *ctx, const distance_grid_def *def, distance_grid **out)
{
    distance_grid *g;
    TRY(MEM_NEW_ZERO(ctx, g, 1));
    g->source = def->source;
    g->shell = !def->source.inside;
    g->part = def->part;
    const rill_status st = build(ctx, g, def);
    if (st)
        distance_grid_destroy(ctx, g);
    else
        *out = g;
    return st;
}
