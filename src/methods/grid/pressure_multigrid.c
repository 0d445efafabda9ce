/* Conjugate gradients with the multigrid cycle.
 *
 * Memory traffic is what a solve costs, so vectors are in single precision but for the
 * answer. That is safe because the product of a direction and the matrix is formed in
 * double from the direction as it is stored: the answer and the residual then move by the
 * same step, and the residual carried along stays within about 1e-7 of the true one. At the
 * end, and whenever it has fallen by FRESH, it is computed anew in double from the answer
 * (iterative refinement), so that tolerances far below single precision can be had.
 *
 * The cycle is symmetric but for rounding, and the K-cycle is not linear: beta in its
 * flexible form, -alpha z.q / (r.z before). */
#include "grid/pressure_solve.h"
#include "grid/pressure_stencil.h"
#include "grid/pressure_sweep.h"

#include <math.h>

#define FRESH 3e-7

enum { V_CYCLES = 12 }; /* then the domain is of the kind that needs K-cycles */

typedef struct job {
    const level *l;
    double *x;
    float *p, *q, *r, *z;
    float alpha, beta, over;
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
    const int axes = l->planes == 1 ? 2 : 3;
    for (size_t t = begin; t < end; t++)
        for (int colour = 0; colour < 2; colour++) {
            const halves h = halves_of(l, w->p, (uint32_t)t, 1 - colour);
            const size_t at = t * l->cells + (size_t)colour * l->half;
            const float *c = l->kind[t] == TILE_UNIFORM ? NULL : tile_coef(l, (uint32_t)t, colour);
            for (int z = 0; z < l->planes; z++)
                for (int y = 0; y < 8; y++) {
                    if (!(l->rows[t] >> (z * 8 + y) & 1)) continue;
                    const int r = (z * 8 + y) * ROW;
                    const six s = six_at(&h, l->planes, z, y, row_first(colour, y, z));
                    const f4 p = load4(w->p + at + r);
                    const d4 q =
                        c ? six_apply_wide(&s, c + r, l->half, p) : six_apply_wide_uniform(&s, axes, p);
                    sum += q * wide4(p);
                    store4(w->q + at + r, __builtin_convertvector(q, f4));
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
    double sum[4] = {0};
    for (size_t t = begin; t < end; t++) {
        double *restrict x = w->x + t * l->cells;
        float *restrict r = w->r + t * l->cells, *restrict z = w->z + t * l->cells;
        const float *restrict p = w->p + t * l->cells, *restrict q = w->q + t * l->cells;
        for (uint32_t i = 0; i < l->cells; i += 4)
            for (uint32_t k = 0; k < 4; k++) {
                x[i + k] += (double)a * p[i + k];
                r[i + k] = (float)(r[i + k] - (double)a * q[i + k]);
                sum[k] += (double)r[i + k] * r[i + k];
            }
        if (l->kind[t] == TILE_UNIFORM) {
            for (uint32_t i = 0; i < l->half; i++) z[i] = r[i] * w->over;
        } else {
            const float *restrict inverse = tile_coef(l, (uint32_t)t, 0) + C_INV * l->half;
            for (uint32_t i = 0; i < l->half; i++) z[i] = r[i] * inverse[i];
        }
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

rill_status solve_multigrid(solve *s)
{
    multigrid *grid = s->grid;
    const level *l = &grid->level[0];
    job w = {.l = l, .x = s->x, .over = 1.0f / (l->planes == 1 ? 4 : 6)};
    TRY(level_vector(s->memory, l, &w.p));
    TRY(level_vector(s->memory, l, &w.q));
    TRY(level_vector(s->memory, l, &w.r));
    TRY(level_vector(s->memory, l, &w.z));
    const uint32_t most = s->def->max_iterations ? s->def->max_iterations : 200;
    const double target = s->def->tolerance * s->norm;

    double residual = sqrt(double_residual(s->ctx, l, s->x, s->b, w.r));
    double refreshed = residual; /* when it was last computed from the answer */
    double rz_before = 0, alpha = 0;
    watch look = {.start = fmax(residual, s->norm), .best = residual, .patience = 40};
    bool restart = true;
    sweep_first(s->ctx, l, w.z, w.r);
    s->report->iterations = 0;
    s->report->end = PRESSURE_CONVERGED;
    while (!(residual <= target)) {
        if (s->report->iterations == most) {
            s->report->end = PRESSURE_MAX_ITERATIONS;
            break;
        }
        if (++s->report->iterations == V_CYCLES + 1) TRY(multigrid_use_k_cycle(s->memory, grid));
        double dots[2];
        multigrid_cycle(grid, w.z, w.r, w.q, dots);
        const double rz = dots[0];
        w.beta = restart ? 0 : (float)(-alpha * dots[1] / rz_before);
        level_for(s->ctx, l, direction_block, &w);
        const double pq = sums_after(s->ctx, l, apply_block, &w);
        if (!(rz > 0 && pq > 0)) { /* rounding has the better of it, or the matrix is not positive */
            s->report->end = isfinite(rz) && isfinite(pq) ? PRESSURE_STALLED : PRESSURE_DIVERGED;
            break;
        }
        restart = false;
        rz_before = rz;
        w.alpha = (float)(rz / pq);
        alpha = w.alpha; /* as it was used */
        residual = sqrt(sums_after(s->ctx, l, update_block, &w));
        if (watch_ends(&look, residual, &s->report->end)) break;
        if (residual <= 0.95 * target || residual <= FRESH * refreshed) {
            residual = sqrt(double_residual(s->ctx, l, s->x, s->b, w.r));
            if (!(residual <= target) && residual > 0.5 * refreshed) {
                s->report->end = PRESSURE_STALLED;
                break;
            }
            refreshed = residual;
            sweep_first(s->ctx, l, w.z, w.r);
            restart = true;
        }
    }
    return RILL_OK;
}
