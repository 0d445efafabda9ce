#include "sph/dfsph/multigrid.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "linalg/gradients.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024, SMALL = 4096, BOTTOM = 32, BOTTOM_SWEEPS = 16 };
static const float damping = 0.8f; /* of Jacobi's sweeps; at most 1 for 6 neighbours */

/* -- levels --------------------------------------------------------------------------- */

/* Numbers of the nodes of the next level, by coordinates: a hash table with open addressing. */
typedef struct {
    uint32_t *number; /* + 1; 0: free */
    uint32_t mask;
    const uint32_t (*at)[3]; /* of the nodes */
} node_map;

/* The entry of a node, or where to enter it. */
static uint32_t *find_node(const node_map *m, const uint32_t at[3])
{
    const uint64_t key = (((uint64_t)at[2] * 0x9e3779b97f4a7c15u + at[1]) * 0x9e3779b97f4a7c15u + at[0]);
    uint32_t slot = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) & m->mask;
    while (m->number[slot] && memcmp(m->at[m->number[slot] - 1], at, sizeof *m->at) != 0)
        slot = (slot + 1) & m->mask;
    return &m->number[slot];
}

static rill_status allocate_level(rill_arena *arena, uint32_t count, cell_multigrid_level *l)
{
    l->count = count;
    TRY(ARENA_NEW(arena, l->near, count));
    TRY(ARENA_NEW(arena, l->link, count));
    TRY(ARENA_NEW(arena, l->diagonal, count));
    TRY(ARENA_NEW(arena, l->inverse, count));
    TRY(ARENA_NEW(arena, l->x, count));
    TRY(ARENA_NEW(arena, l->b, count));
    TRY(ARENA_NEW(arena, l->r, count));
    return ARENA_NEW(arena, l->parent, count);
}

/* Children of each node of the next level, by a counting sort. */
static rill_status list_children(rill_arena *arena, cell_multigrid_level *l, uint32_t nodes)
{
    TRY(ARENA_NEW(arena, l->child_first, (size_t)nodes + 1));
    TRY(ARENA_NEW(arena, l->child, l->count));
    memset(l->child_first, 0, ((size_t)nodes + 1) * sizeof *l->child_first);
    for (uint32_t n = 0; n < l->count; n++) l->child_first[l->parent[n] + 1]++;
    for (uint32_t p = 0; p < nodes; p++) l->child_first[p + 1] += l->child_first[p];
    for (uint32_t n = 0; n < l->count; n++) l->child[l->child_first[l->parent[n]]++] = n;
    for (uint32_t p = nodes; p > 0; p--) l->child_first[p] = l->child_first[p - 1];
    l->child_first[0] = 0;
    return RILL_OK;
}

/* Halves the coordinates in `at`, which then are the next level's. */
static rill_status coarsen(rill_arena *arena, cell_multigrid_level *l, uint32_t (*at)[3],
                           cell_multigrid_level *next)
{
    uint32_t slots = 16, nodes = 0;
    while (slots < 2 * l->count) slots *= 2;
    node_map map = {.mask = slots - 1, .at = (const uint32_t(*)[3])at};
    const arena_mark mark = arena_mark_of(arena);
    TRY(ARENA_NEW(arena, map.number, slots));
    memset(map.number, 0, slots * sizeof *map.number);
    for (uint32_t n = 0; n < l->count; n++) {
        const uint32_t half[3] = {at[n][0] / 2, at[n][1] / 2, at[n][2] / 2};
        uint32_t *number = find_node(&map, half);
        if (!*number) {
            *number = ++nodes;
            memcpy(at[nodes - 1], half, sizeof half); /* not after n */
        }
        l->parent[n] = *number - 1;
    }
    arena_back(arena, mark);
    TRY(list_children(arena, l, nodes));
    TRY(allocate_level(arena, nodes, next));
    for (uint32_t p = 0; p < nodes; p++)
        for (int f = 0; f < CELL_FACES; f++) next->near[p][f] = p;
    for (uint32_t n = 0; n < l->count; n++)
        for (int f = 0; f < CELL_FACES; f++)
            if (l->parent[l->near[n][f]] != l->parent[n])
                next->near[l->parent[n]][f] = l->parent[l->near[n][f]];
    return RILL_OK;
}

rill_status cell_multigrid_build(rill_ctx *ctx, rill_arena *arena, const uint32_t (*at)[3],
                                 const uint32_t (*beside)[CELL_FACES], uint32_t count, cell_multigrid *out)
{
    cell_multigrid m = {.ctx = ctx, .beside = beside, .level_count = 1};
    uint32_t(*place)[3];
    TRY(ARENA_NEW(arena, place, (size_t)count + 1));
    if (count) memcpy(place, at, count * sizeof *place);
    TRY(ARENA_NEW(arena, m.direction, (size_t)count + 1));
    TRY(ARENA_NEW(arena, m.image, (size_t)count + 1));
    TRY(allocate_level(arena, count, &m.level[0]));
    for (uint32_t n = 0; n < count; n++)
        for (int f = 0; f < CELL_FACES; f++)
            m.level[0].near[n][f] = beside[n][f] < CELL_WALL ? beside[n][f] : n;
    while (m.level_count < MULTIGRID_LEVELS && m.level[m.level_count - 1].count > BOTTOM) {
        cell_multigrid_level *l = &m.level[m.level_count - 1];
        TRY(coarsen(arena, l, place, &m.level[m.level_count]));
        m.level_count++;
        if (m.level[m.level_count - 1].count == l->count) break; /* far apart: nothing left to join */
    }
    *out = m;
    return RILL_OK;
}

/* -- the operator --------------------------------------------------------------------- */

typedef struct {
    cell_multigrid *m;
    cell_multigrid_level *l, *next;
    const uint8_t *state;
    float shift;
} level_job;

static void run(cell_multigrid *m, uint32_t count, parallel_body *body, level_job *j)
{
    if (count <= SMALL)
        body(j, 0, count, 0);
    else
        parallel_for(m->ctx, count, BLOCK, body, j);
}

static void set_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const level_job *j = arg;
    cell_multigrid_level *l = j->l;
    for (size_t n = begin; n < end; n++) {
        float sum = j->shift;
        for (int f = 0; f < CELL_FACES; f++) {
            const uint32_t to = j->m->beside[n][f];
            l->link[n][f] = 0;
            if (to == CELL_WALL) continue;
            const bool air = to == CELL_AIR || j->state[to] == CELL_OUT;
            sum += air ? 2 : 1;
            if (!air && j->state[to] == CELL_FREE && j->state[n] == CELL_FREE) l->link[n][f] = 1;
        }
        l->diagonal[n] = j->state[n] == CELL_FREE ? sum : 0;
        l->inverse[n] = j->state[n] == CELL_FREE ? 1 / sum : 0;
    }
}

/* Half of Galerkin's operator. */
static void set_nodes(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const level_job *j = arg;
    const cell_multigrid_level *l = j->l;
    cell_multigrid_level *next = j->next;
    for (size_t p = begin; p < end; p++) {
        float sum = 0, link[CELL_FACES] = {0};
        for (uint32_t c = l->child_first[p]; c < l->child_first[p + 1]; c++) {
            const uint32_t n = l->child[c];
            sum += l->diagonal[n];
            for (int f = 0; f < CELL_FACES; f++) {
                if (l->parent[l->near[n][f]] == p)
                    sum -= l->link[n][f];
                else
                    link[f] += l->link[n][f];
            }
        }
        next->diagonal[p] = 0.5f * sum;
        next->inverse[p] = sum > 0 ? 2 / sum : 0;
        for (int f = 0; f < CELL_FACES; f++) next->link[p][f] = 0.5f * link[f];
    }
}

void cell_multigrid_set(cell_multigrid *m, const uint8_t *state, float shift)
{
    level_job j = {.m = m, .l = &m->level[0], .state = state, .shift = shift};
    run(m, m->level[0].count, set_cells, &j);
    for (int k = 0; k + 1 < m->level_count; k++) {
        j.l = &m->level[k];
        j.next = &m->level[k + 1];
        run(m, j.next->count, set_nodes, &j);
    }
}

float cell_multigrid_apply(const cell_multigrid *m, const uint8_t *state, float shift, const float *x,
                           uint32_t n)
{
    float sum = shift * x[n];
    for (int f = 0; f < CELL_FACES; f++) {
        const uint32_t to = m->beside[n][f];
        if (to == CELL_WALL) continue;
        sum += to == CELL_AIR || state[to] == CELL_OUT ? 2 * x[n] : x[n] - x[to];
    }
    return sum;
}

static float level_apply(const cell_multigrid_level *l, const float *x, size_t n)
{
    float sum = l->diagonal[n] * x[n];
    for (int f = 0; f < CELL_FACES; f++) sum -= l->link[n][f] * x[l->near[n][f]];
    return sum;
}

/* -- the cycle ------------------------------------------------------------------------ */

static void first_sweep(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cell_multigrid_level *l = ((const level_job *)arg)->l;
    for (size_t n = begin; n < end; n++) l->x[n] = damping * l->inverse[n] * l->b[n];
}

static void residuals(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cell_multigrid_level *l = ((const level_job *)arg)->l;
    for (size_t n = begin; n < end; n++) l->r[n] = l->inverse[n] > 0 ? l->b[n] - level_apply(l, l->x, n) : 0;
}

static void last_sweep(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cell_multigrid_level *l = ((const level_job *)arg)->l;
    for (size_t n = begin; n < end; n++) l->x[n] += damping * l->inverse[n] * l->r[n];
}

static void gather_up(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const level_job *j = arg;
    for (size_t p = begin; p < end; p++) {
        float sum = 0;
        for (uint32_t c = j->l->child_first[p]; c < j->l->child_first[p + 1]; c++)
            sum += j->l->r[j->l->child[c]];
        j->next->b[p] = sum;
    }
}

static void spread_down(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const level_job *j = arg;
    for (size_t n = begin; n < end; n++)
        if (j->l->inverse[n] > 0) j->l->x[n] += j->next->x[j->l->parent[n]];
}

/* level[k].x = an approximation of A^-1 level[k].b, linear and symmetric in b. */
static void cycle(cell_multigrid *m, int k)
{
    level_job j = {.m = m, .l = &m->level[k], .next = &m->level[k + 1]};
    const uint32_t count = j.l->count;
    run(m, count, first_sweep, &j);
    if (k + 1 == m->level_count) {
        for (int n = 0; n < BOTTOM_SWEEPS; n++) {
            run(m, count, residuals, &j);
            run(m, count, last_sweep, &j);
        }
        return;
    }
    run(m, count, residuals, &j);
    run(m, j.next->count, gather_up, &j);
    cycle(m, k + 1);
    run(m, count, spread_down, &j);
    run(m, count, residuals, &j);
    run(m, count, last_sweep, &j);
}

/* -- conjugate gradients -------------------------------------------------------------- */

typedef struct {
    cell_multigrid *m;
    float *e, *r;
} cell_solve;

static void products(void *arg, size_t begin, size_t end, double *out)
{
    const cell_solve *g = arg;
    const cell_multigrid_level *l = &g->m->level[0];
    for (size_t n = begin; n < end; n++) out[0] += (double)g->r[n] * (double)l->x[n];
}

static void squares(void *arg, size_t begin, size_t end, double *out)
{
    const cell_solve *g = arg;
    for (size_t n = begin; n < end; n++) out[0] += (double)g->r[n] * (double)g->r[n];
}

static void turn(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cell_solve *g = arg;
    cell_multigrid *m = g->m;
    for (size_t n = begin; n < end; n++) m->direction[n] = m->level[0].x[n] + m->beta * m->direction[n];
}

static void images(void *arg, size_t begin, size_t end, double *out)
{
    const cell_solve *g = arg;
    const cell_multigrid *m = g->m;
    for (size_t n = begin; n < end; n++) {
        m->image[n] = m->level[0].inverse[n] > 0 ? level_apply(&m->level[0], m->direction, n) : 0;
        out[0] += (double)m->image[n] * (double)m->direction[n];
    }
}

static void advance(void *arg, size_t begin, size_t end, double *out)
{
    const cell_solve *g = arg;
    const cell_multigrid *m = g->m;
    for (size_t n = begin; n < end; n++) {
        g->e[n] += m->alpha * m->direction[n];
        g->r[n] -= m->alpha * m->image[n];
        out[0] += (double)g->r[n] * (double)g->r[n];
    }
}

/* The operations of linalg/gradients.h. */
static void precondition(void *arg, double dots[2])
{
    cell_solve *g = arg;
    cell_multigrid *m = g->m;
    memcpy(m->level[0].b, g->r, m->level[0].count * sizeof *g->r);
    cycle(m, 0);
    parallel_sums(m->ctx, m->level[0].count, products, g, 1, dots);
}

static void direct(void *arg, double beta)
{
    cell_solve *g = arg;
    g->m->beta = (float)beta;
    parallel_for(g->m->ctx, g->m->level[0].count, BLOCK, turn, g);
}

static double apply(void *arg)
{
    cell_solve *g = arg;
    double curvature;
    parallel_sums(g->m->ctx, g->m->level[0].count, images, g, 1, &curvature);
    return curvature;
}

static double advance_by(void *arg, double alpha)
{
    cell_solve *g = arg;
    double square;
    g->m->alpha = (float)alpha;
    parallel_sums(g->m->ctx, g->m->level[0].count, advance, g, 1, &square);
    return sqrt(square);
}

int cell_multigrid_solve(cell_multigrid *m, float *e, float *r, double tolerance, int most)
{
    static const gradients_system system = {.precondition = precondition,
                                            .direct = direct,
                                            .apply = apply,
                                            .advance = advance_by,
                                            .single = true};
    const uint32_t count = m->level[0].count;
    cell_solve solve = {m, e, r};
    gradients g = {.system = &system, .arg = &solve};
    double square;
    parallel_sums(m->ctx, count, squares, &solve, 1, &square);
    memset(m->direction, 0, count * sizeof *m->direction);
    double residual = sqrt(square);
    const double target = tolerance * residual;
    while (g.iterations < (uint32_t)most && residual > target &&
           gradients_step(&g, &residual) == GRADIENTS_GO_ON)
        continue;
    return (int)g.iterations;
}
