#include "grid/pressure/multigrid.h"

#include "grid/pressure/sweep.h"

rill_status multigrid_build(rill_arena *memory, rill_arena *scratch, multigrid *m)
{
    m->levels = 1;
    m->k_cycle = false;
    for (bool more = true; m->levels < MAX_LEVELS; m->levels++) {
        TRY(multigrid_coarsen(memory, scratch, &m->level[m->levels - 1], &m->level[m->levels], &more));
        if (!more) break;
    }
    return RILL_OK;
}

rill_status multigrid_use_k_cycle(rill_arena *memory, multigrid *m)
{
    for (int i = 1; i < m->levels; i++)
        for (int k = 0; k < 4 && !m->level[i].k[k]; k++)
            TRY(level_vector(memory, &m->level[i], &m->level[i].k[k]));
    m->k_cycle = true;
    return RILL_OK;
}

static void k_solve(multigrid *m, int at);

/* l->x = M l->b, twice a sweep of each colour before and after. */
static void coarse_cycle(multigrid *m, int at)
{
    const level *l = &m->level[at];
    sweep_first(m->ctx, l, l->x, l->b);
    sweep(m->ctx, l, 1, l->x, l->b, NULL, NULL);
    if (at + 1 == m->levels) return; /* no links: that was the solution */
    sweep(m->ctx, l, 0, l->x, l->b, NULL, NULL);
    sweep(m->ctx, l, 1, l->x, l->b, NULL, NULL);
    const level *c = &m->level[at + 1];
    restrict_red(m->ctx, l, c, l->x, l->b, false);
    if (m->k_cycle)
        k_solve(m, at + 1);
    else
        coarse_cycle(m, at + 1);
    prolong_red(m->ctx, l, c, l->x);
    for (int i = 0; i < 2; i++) {
        sweep(m->ctx, l, 1, l->x, l->b, NULL, NULL);
        sweep(m->ctx, l, 0, l->x, l->b, NULL, NULL);
    }
}

/* --- K-cycle --- */

typedef struct pair {
    const float *u, *v;
} pair;

static double dot_term(void *arg, size_t begin, size_t end)
{
    const pair *p = arg;
    double sum[4] = {0};
    for (size_t i = begin; i < end; i++) sum[i & 3] += (double)p->u[i] * p->v[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double dot(multigrid *m, const level *l, const float *u, const float *v)
{
    pair p = {u, v};
    return parallel_sum(m->ctx, l->length, dot_term, &p);
}

/* Two steps of conjugate gradients for l->x, l->b with the cycle as preconditioner: Notay
 * 2010, algorithm 4.1. The second is left out when the first took the residual below a quarter. */
static void k_solve(multigrid *m, int at)
{
    const level *l = &m->level[at];
    if (at + 1 == m->levels) {
        coarse_cycle(m, at);
        return;
    }
    float *c = l->k[0], *v = l->k[1], *w = l->k[2], *b = l->k[3];
    coarse_cycle(m, at);
    memcpy(c, l->x, l->length * sizeof *c);
    apply_single(m->ctx, l, c, v);
    const double rho = dot(m, l, c, v), alpha = dot(m, l, c, l->b);
    if (!(rho > 0)) return;
    const double before = dot(m, l, l->b, l->b);
    const float step = (float)(alpha / rho);
    memcpy(b, l->b, l->length * sizeof *b);
    for (size_t i = 0; i < l->length; i++) l->b[i] = b[i] - step * v[i];
    if (dot(m, l, l->b, l->b) <= 0.0625 * before) {
        for (size_t i = 0; i < l->length; i++) l->x[i] = step * c[i];
    } else {
        coarse_cycle(m, at);
        apply_single(m->ctx, l, l->x, w);
        const double gamma = dot(m, l, l->x, v), beta = dot(m, l, l->x, w), alpha2 = dot(m, l, l->x, l->b);
        const double rho2 = beta - gamma * gamma / rho;
        const bool useful = rho2 > 1e-6 * beta;
        const float t = useful ? (float)(alpha2 / rho2) : 0;
        const float s = (float)(alpha / rho - (useful ? gamma * alpha2 / (rho * rho2) : 0));
        for (size_t i = 0; i < l->length; i++) l->x[i] = s * c[i] + t * l->x[i];
    }
    memcpy(l->b, b, l->length * sizeof *b);
}

void multigrid_first_half(multigrid *m, float *x, const float *b)
{
    sweep_first(m->ctx, &m->level[0], x, b);
}

void multigrid_cycle(multigrid *m, float *x, const float *b, const float *q, double *dots)
{
    const level *l = &m->level[0];
    sweep(m->ctx, l, 1, x, b, NULL, NULL);
    if (m->levels > 1) {
        restrict_red(m->ctx, l, &m->level[1], x, b, true);
        if (m->k_cycle)
            k_solve(m, 1);
        else
            coarse_cycle(m, 1);
        prolong_red(m->ctx, l, &m->level[1], x);
        sweep(m->ctx, l, 1, x, b, NULL, NULL);
    }
    sweep(m->ctx, l, 0, x, b, q, dots);
}

/* --- parts without a free surface --- */

typedef struct labelling {
    const level *l, *c;
    const uint32_t *above;
    uint32_t *label, *count;
} labelling;

static void label_node(labelling *w, uint32_t node, float e)
{
    const uint32_t up = w->c ? multigrid_parent(w->l, w->c, node) : NO_NODE;
    w->label[node] = up != NO_NODE ? w->above[up] : e == 0 ? (*w->count)++ : NO_NODE;
}

rill_status multigrid_labels(rill_arena *memory, rill_arena *scratch, const multigrid *m, uint32_t **label,
                             uint32_t *count)
{
    *label = NULL;
    *count = 0;
    bool any = false;
    for (int i = 0; i < m->levels; i++) any |= m->level[i].singular;
    if (!any) return RILL_OK;
    uint32_t *above = NULL;
    for (int i = m->levels - 1; i >= 0; i--) {
        const level *l = &m->level[i];
        labelling w = {l, i + 1 < m->levels ? &m->level[i + 1] : NULL, above, NULL, count};
        TRY(ARENA_NEW(i ? scratch : memory, w.label, l->length));
        memset(w.label, 0xff, l->length * sizeof *w.label);
        for (uint32_t t = 0; t < l->tiles; t++)
            for (uint32_t k = 0; k < l->cells; k++) {
                const place p = {t, (int)(k & 7), (int)(k >> 3 & 7), (int)(k >> 6)};
                const size_t at = (size_t)l->source[t] * l->cells + k;
                if (l->active[at]) label_node(&w, level_index(l, t, p.x, p.y, p.z), l->e[at]);
            }
        for (uint32_t k = 0; k < l->loose; k++) label_node(&w, loose_base(l) + k, l->loose_e[k]);
        above = w.label;
    }
    *label = above;
    return RILL_OK;
}
