/* Conjugate gradients with the multigrid cycle.
 *
 * Memory traffic is what a solve costs, so vectors are in single precision but for the
 * answer. That is safe because the product of a direction and the matrix is formed from the
 * direction as it is stored, in double where single precision would cancel (stencil.h):
 * the answer and the residual then move by the same step, and the residual carried along stays within about
 * 1e-7 of the true one. At the end, and whenever it has fallen by FRESH, it is computed anew in double from
 * the answer (iterative refinement), so that tolerances far below single precision can be had.
 *
 * The cycle is symmetric but for rounding, and the K-cycle is not linear: beta in its
 * flexible form, -alpha z.q / (r.z before). */
#include "grid/pressure/bodies.h"
#include "grid/pressure/stencil.h"
#include "grid/pressure/sweep.h"
#include "linalg/gradients.h"

#include <math.h>

#define FRESH 3e-7

enum { V_CYCLES = 12 }; /* then the domain is of the kind that needs K-cycles */

typedef struct job {
    const solve *s;
    rill_ctx *ctx;
    multigrid *grid;
    const level *l;
    double *x;
    float *p, *q, *r, *z;
    float alpha, beta;
    double scale; /* r and what comes from it are this times the system's */
} job;

static void direction_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    float *restrict p = w->p;
    const float *restrict z = w->z;
    for (size_t i = begin * w->l->cells; i < end * w->l->cells; i++) p[i] = z[i] + w->beta * p[i];
}

/* q = A p, with p.q to the sums. */
static void apply_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    d4 sum = {0};
    for (size_t t = begin; t < end; t++)
        for (int colour = 0; colour < 2; colour++) {
            if (t + 1 < end) {
                fetch_stencil(l, w->p, (uint32_t)t + 1, 1 - colour);
                fetch_coef(l, (uint32_t)t + 1, colour);
            }
            const halves h = halves_of(l, w->p, (uint32_t)t, 1 - colour);
            const size_t at = t * l->cells + (size_t)colour * l->half;
            for (int line = 0; line < 4 * l->planes; line++) {
                if (!line_bit(l->lines[t], line)) continue;
                const six s = six_at(&h, l->planes, line >> 2, line & 3, row_first(colour, 0, line >> 2));
                const f8 p = load8(w->p + at + line * LINE);
                const f8 q = line_bit(l->plain[t], line)
                                 ? six_apply_plain(&s, l->planes, p)
                                 : six_apply_wide(&s, line_coef(l, (uint32_t)t, colour, line), p);
                sum += product8(p, q);
                store8(w->q + at + line * LINE, q);
            }
        }
    l->sums[begin / TILE_GRAIN] = add4(sum);
}

/* x += alpha p, r -= alpha q, |r|^2 to the sums; and the next cycle's first half sweep. */
static void update_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    const float a = w->alpha;
    const double step = (double)a / w->scale;
    double sum[4] = {0};
    for (size_t t = begin; t < end; t++) {
        double *restrict x = w->x + t * l->cells;
        float *restrict r = w->r + t * l->cells;
        const float *restrict p = w->p + t * l->cells, *restrict q = w->q + t * l->cells;
        for (uint32_t i = 0; i < l->cells; i += 4)
            for (uint32_t k = 0; k < 4; k++) {
                x[i + k] += step * p[i + k];
                r[i + k] = (float)(r[i + k] - (double)a * q[i + k]);
                sum[k] += (double)r[i + k] * r[i + k];
            }
        sweep_first_tile(l, (uint32_t)t, w->z, w->r);
    }
    l->sums[begin / TILE_GRAIN] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double sums_after(rill_ctx *ctx, const level *l, parallel_body *body, job *w)
{
    double sum;
    level_for(ctx, l, body, w);
    level_sums(l, 1, &sum);
    return sum;
}

/* The operations of linalg/gradients.h. */
static void precondition(void *arg, double dots[2])
{
    const job *w = arg;
    solve_bodies_take(w->s, w->z, w->r);
    multigrid_cycle(w->grid, w->z, w->r, w->q, dots);
    dots[0] += solve_bodies_put_back(w->s, w->z, w->r);
}

static void direct(void *arg, double beta)
{
    job *w = arg;
    w->beta = (float)beta;
    level_for(w->ctx, w->l, direction_block, w);
}

static double apply(void *arg)
{
    job *w = arg;
    const double pq = sums_after(w->ctx, w->l, apply_block, w);
    return pq + solve_bodies_apply_single(w->s, w->p, w->q);
}

static double advance(void *arg, double alpha)
{
    job *w = arg;
    w->alpha = (float)alpha;
    return sqrt(sums_after(w->ctx, w->l, update_block, w)) / w->scale;
}

static const gradients_system operations = {.precondition = precondition,
                                            .direct = direct,
                                            .apply = apply,
                                            .advance = advance,
                                            .flexible = true,
                                            .single = true};

static rill_status make_vectors(rill_arena *memory, job *w)
{
    TRY(level_vector(memory, w->l, &w->p));
    TRY(level_vector(memory, w->l, &w->q));
    TRY(level_vector(memory, w->l, &w->r));
    return level_vector(memory, w->l, &w->z);
}

/* The domain is of the kind that needs K-cycles. Columns of bodies are those of the cycle that is used. */
static rill_status use_k_cycle(solve *s, job *w, gradients *g)
{
    TRY(multigrid_use_k_cycle(s->memory, s->grid));
    if (!s->bodies) return RILL_OK;
    TRY(solve_bodies_columns(s, w->z, w->q));
    sweep_first(s->ctx, w->l, w->z, w->r);
    gradients_restart(g);
    return RILL_OK;
}

rill_status solve_multigrid(solve *s)
{
    multigrid *grid = s->grid;
    const level *l = &grid->level[0];
    job w = {.s = s, .ctx = s->ctx, .grid = grid, .l = l, .x = s->x};
    TRY(make_vectors(s->memory, &w));
    const uint32_t most = s->def->max_iterations ? s->def->max_iterations : 200;
    const double target = s->def->tolerance * s->norm;
    /* Values of about 1, by a power of two: single precision has no other limits then. */
    w.scale = exp2(-floor(log2(s->norm / sqrt((double)s->report->cells))));

    TRY(solve_bodies_columns(s, w.z, w.r));
    double residual = sqrt(solve_residual(s, s->def->warm ? s->x : NULL, w.scale, w.r));
    double refreshed = residual; /* when it was last computed from the answer */
    watch look = {.start = fmax(residual, s->norm), .best = residual, .patience = 40};
    gradients g = {.system = &operations, .arg = &w};
    gradients_end end = GRADIENTS_GO_ON;
    bool known = true; /* residual is the true one */
    sweep_first(s->ctx, l, w.z, w.r);
    s->report->end = PRESSURE_CONVERGED;
    while (!(residual <= target)) {
        if (g.iterations == most) {
            s->report->end = PRESSURE_MAX_ITERATIONS;
            break;
        }
        if (g.iterations == V_CYCLES) TRY(use_k_cycle(s, &w, &g));
        end = gradients_step(&g, &residual);
        if (end != GRADIENTS_GO_ON) { /* rounding dominates, or the matrix is not positive */
            s->report->end = end == GRADIENTS_NOT_POSITIVE ? PRESSURE_STALLED : PRESSURE_DIVERGED;
            break;
        }
        known = false;
        if (watch_ends(&look, residual, &s->report->end)) break;
        if (residual <= 0.95 * target || residual <= FRESH * refreshed) {
            residual = sqrt(solve_residual(s, s->x, w.scale, w.r));
            known = true;
            if (!(residual <= target) && residual > 0.5 * refreshed) {
                s->report->end = PRESSURE_STALLED;
                break;
            }
            refreshed = residual;
            sweep_first(s->ctx, l, w.z, w.r);
            gradients_restart(&g);
        }
    }
    s->report->iterations = g.iterations + (end != GRADIENTS_GO_ON);
    if (known) s->report->residual = residual / s->norm;
    return RILL_OK;
}
