#include "sph/dfsph/pairs.h"

#include "geom/search/neighbours.h"
#include "sph/core/operations.h"
#include "sph/dfsph/body_pressure.h"

rill_status pairs_prepare(sph *s)
{
    return s->ops->prepare(s);
}

void pairs_accelerate(sph *s, const float *k)
{
    s->ops->accelerate(s, k, 0, 0);
}

void pairs_shift(sph *s, const float *k, double dt, double longest)
{
    s->ops->accelerate(s, k, dt, longest);
}

void pairs_divergence(pairs_job *j)
{
    j->apart = j->use == PAIRS_RELAX && j->s->bodies.count > 0 && !j->s->bodies.sequential;
    j->body_error = 0;
    j->s->ops->divergence(j);
    if (!j->apart) return;
    body_pressure_precondition(j);
    j->s->ops->relax(j);
}

void pairs_look_ahead(sph *s, double dt)
{
    s->ops->look_ahead(s, dt);
}

void pairs_squeeze(pairs_job *j)
{
    j->s->ops->squeeze(j);
}

rill_status pairs_reserve(sph *s, uint64_t entries)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t need = 3 * ((size_t)entries + NEIGHBOUR_LANES);
    if (need <= s->solve.gradient_capacity) return RILL_OK;
    mem_free(ctx, s->solve.gradient); /* nothing in it is worth keeping */
    s->solve.gradient = NULL;
    s->solve.gradient_capacity = 0;
    TRY(MEM_NEW(ctx, s->solve.gradient, need + need / 8));
    s->solve.gradient_capacity = need + need / 8;
    return RILL_OK;
}

rill_status pairs_allocate(sph *s, rill_arena *arena, size_t n, size_t parts)
{
    TRY(ARENA_NEW(arena, s->solve.factor, n));
    TRY(ARENA_NEW(arena, s->solve.target, n));
    TRY(ARENA_NEW(arena, s->solve.change, n));
    TRY(ARENA_NEW(arena, s->solve.residual, n));
    TRY(ARENA_NEW(arena, s->solve.slack, n));
    TRY(ARENA_NEW(arena, s->solve.spray, n));
    TRY(ARENA_NEW(arena, s->solve.inside, n));
    TRY(ARENA_NEW(arena, s->solve.wall_gradient, n));
    return ARENA_NEW(arena, s->solve.sums, parts);
}

void pairs_sum_up(pairs_job *j, uint32_t parts)
{
    const sph *s = j->s;
    double left = 0, all = 0; /* in order: the same for any number of threads */
    for (uint32_t t = 0; t < parts; t++) {
        left += s->solve.sums[t].error;
        all += s->solve.sums[t].all;
    }
    const double count = (double)s->particles.count;
    j->residual = count > 0 ? left / count : 0;
    j->mean = count > 0 ? all / count : 0;
}
