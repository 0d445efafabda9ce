#include "sph/dfsph/residuals.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 8192 };

rill_status residuals_build(sph *s, rill_arena *arena, residuals *out)
{
    residuals a = {.s = s};
    const size_t n = s->particles.count + 1;
    TRY(ARENA_NEW(arena, a.k0, n));
    TRY(ARENA_NEW(arena, a.r0, n));
    for (int d = 0; d <= RESIDUALS_DEPTH; d++) {
        TRY(ARENA_NEW(arena, a.step[d], n));
        TRY(ARENA_NEW(arena, a.drop[d], n));
    }
    *out = a;
    return RILL_OK;
}

void residuals_restart(residuals *a, bool pushes)
{
    a->count = 0;
    a->begun = false;
    a->pushes = pushes;
}

/* What counts of a residual. */
static float counted(const residuals *a, float k, float r)
{
    return a->pushes && r < 0 && !(k > 0) ? 0 : r;
}

/* The cycle's step and drop, and products with those before. */
static void cycle_terms(void *arg, size_t begin, size_t end, double *out)
{
    const residuals *a = arg;
    const sph *s = a->s;
    float *step = a->step[RESIDUALS_DEPTH], *drop = a->drop[RESIDUALS_DEPTH];
    for (size_t i = begin; i < end; i++) {
        const float k = s->solve.k[i] - s->solve.change[i];
        step[i] = k - a->k0[i];
        drop[i] = a->r0[i] - counted(a, k, s->solve.residual[i]);
        for (int d = 0; d < a->count; d++) out[d] += (double)drop[i] * (double)a->drop[d][i];
    }
}

/* Takes the last drops out of this one. */
static void orthogonal_terms(void *arg, size_t begin, size_t end, double *out)
{
    const residuals *a = arg;
    float *step = a->step[RESIDUALS_DEPTH], *drop = a->drop[RESIDUALS_DEPTH];
    for (size_t i = begin; i < end; i++) {
        for (int d = 0; d < a->count; d++) {
            step[i] -= (float)a->weight[d] * a->step[d][i];
            drop[i] -= (float)a->weight[d] * a->drop[d][i];
        }
        out[0] += (double)drop[i] * (double)drop[i];
        out[1] += (double)drop[i] * (double)a->r0[i];
    }
}

static void combine_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const residuals *a = arg;
    sph *s = a->s;
    const float *step = a->step[RESIDUALS_DEPTH], *drop = a->drop[RESIDUALS_DEPTH];
    const float factor = (float)a->factor;
    for (size_t i = begin; i < end; i++) {
        const float k = s->solve.k[i] - s->solve.change[i], r = s->solve.residual[i];
        const float mixed = a->k0[i] + factor * step[i];
        const bool pulls = !a->pushes && s->solve.inside[i];
        const float to = mixed > 0 || pulls ? mixed : 0;
        /* outside of what counts the residual stays as it is */
        if (counted(a, k, r) != 0 || a->r0[i] != 0) s->solve.residual[i] = a->r0[i] - factor * drop[i];
        s->solve.k[i] = to;
    }
}

static void begin_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const residuals *a = arg;
    sph *s = a->s;
    for (size_t i = begin; i < end; i++) {
        if (!a->begun) s->solve.k[i] -= s->solve.change[i];
        a->k0[i] = s->solve.k[i];
        a->r0[i] = counted(a, a->k0[i], s->solve.residual[i]);
    }
}

/* The newest takes the place of the oldest. */
static void keep(residuals *a, double square)
{
    const int last = RESIDUALS_DEPTH;
    int d = a->count;
    if (d == RESIDUALS_DEPTH) {
        float *step = a->step[0], *drop = a->drop[0];
        for (d = 0; d + 1 < RESIDUALS_DEPTH; d++) {
            a->step[d] = a->step[d + 1];
            a->drop[d] = a->drop[d + 1];
            a->square[d] = a->square[d + 1];
        }
        a->step[d] = step;
        a->drop[d] = drop;
    } else {
        a->count++;
    }
    float *step = a->step[d], *drop = a->drop[d];
    a->step[d] = a->step[last];
    a->drop[d] = a->drop[last];
    a->square[d] = square;
    a->step[last] = step;
    a->drop[last] = drop;
}

void residuals_combine(residuals *a)
{
    sph *s = a->s;
    const size_t n = s->particles.count;
    if (a->begun) {
        double sums[RESIDUALS_DEPTH] = {0}, two[2];
        parallel_sums(s->sim.ctx, n, cycle_terms, a, RESIDUALS_DEPTH, sums);
        for (int d = 0; d < a->count; d++) a->weight[d] = a->square[d] > 0 ? sums[d] / a->square[d] : 0;
        parallel_sums(s->sim.ctx, n, orthogonal_terms, a, 2, two);
        a->factor = two[0] > 0 ? fmin(fmax(two[1] / two[0], 0), 2) : 1;
        parallel_for(s->sim.ctx, n, BLOCK, combine_block, a);
        keep(a, two[0]);
    }
    parallel_for(s->sim.ctx, n, BLOCK, begin_block, a);
    a->begun = true;
}

static void relax_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const residuals *a = arg;
    sph *s = a->s;
    for (size_t i = begin; i < end; i++) {
        const float k = s->solve.k[i] + s->solve.change[i];
        s->solve.k[i] = k > 0 || (!a->pushes && s->solve.inside[i]) ? k : 0;
    }
}

void residuals_relax(residuals *a)
{
    parallel_for(a->s->sim.ctx, a->s->particles.count, BLOCK, relax_block, a);
}

void residuals_return(residuals *a)
{
    const size_t n = a->s->particles.count;
    memcpy(a->s->solve.k, a->k0, n * sizeof *a->k0);
    memset(a->s->solve.change, 0, n * sizeof *a->s->solve.change);
}
