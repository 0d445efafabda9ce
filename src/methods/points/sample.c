/* Velocity and pressure at places: fits over the nearest points of the nearest point's component
 * ([Sin09] 3.4), eq. 12 for velocities, and linear as in eq. 8 to 10 for pressures, which have a
 * gradient even at rest. Farther from every point than the fit's reach the velocity is zero and the pressure
 * that of the air. */
#include "base/parallel.h"
#include "geom/search/nearest.h"
#include "points/fit.h"
#include "points/state.h"

typedef struct {
    const points *s;
    const rill_vec3 *x;
    const uint32_t *near;
    const double *d2;
    rill_vec3 *u;
    double *p;
} job;

static void sample_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *near = j->near + i * s->average.most;
        const double *d2 = j->d2 + i * s->average.most;
        uint32_t n = 0;
        while (n < s->average.most && near[n] != UINT32_MAX) n++;
        points_fit fit = points_fit_none();
        const double scale = n && d2[n - 1] > 0 ? 1 / (1.08 * sqrt(d2[n - 1])) : 0;
        rill_vec3 sum = {0, 0, 0};
        double all = 0;
        for (uint32_t k = 0; k < n; k++) {
            const double w =
                points_weight(s->def.kernel, scale * sqrt(d2[k])) * points_size_of(s, near[k])->share;
            all += w;
            if (j->u) sum = v3_madd(sum, w, s->particles.velocity[near[k]]);
            if (j->p)
                points_fit_add(&fit, w, v3_scale(v3_sub(s->particles.position[near[k]], j->x[i]), 1 / s->h),
                               s->pressure[near[k]]);
        }
        if (j->u) j->u[i] = all > 0 ? v3_scale(sum, 1 / all) : v3(0, 0, 0);
        if (j->p) j->p[i] = n ? points_fit_solve(&fit, NULL) : s->def.air;
    }
}

rill_status points_sample(const points *s, size_t n, const rill_vec3 *x, rill_vec3 *u, double *p)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t all = s->particles.count;
    rill_arena arena;
    uint32_t *label = NULL, *first = NULL, *label_of = NULL, *near = NULL;
    double *d2 = NULL;
    bins b;
    for (size_t i = 0; i < n; i++)
        if (!v3_finite(x[i])) return rill_fail(ctx, RILL_USAGE, "point %zu is not a finite position", i);
    if (all == 0) {
        for (size_t i = 0; i < n; i++) {
            if (u) u[i] = v3(0, 0, 0);
            if (p) p[i] = s->def.air;
        }
        return RILL_OK;
    }
    arena_init(&arena, ctx);
    rill_status st = ARENA_NEW(&arena, label, all);
    if (!st) st = ARENA_NEW(&arena, first, n);
    if (!st) st = ARENA_NEW(&arena, label_of, n);
    if (!st) st = ARENA_NEW(&arena, near, n * s->average.most);
    if (!st) st = ARENA_NEW(&arena, d2, n * s->average.most);
    if (!st) st = bins_build(ctx, &arena, s->particles.position, (uint32_t)all, &b);
    nearest_query q = {
        .points = &b, .x = x, .count = n, .k = 1, .within = s->def.reach * points_coarsest(s)->radius};
    if (!st) st = nearest_find(ctx, &q, first, NULL, NULL);
    if (!st) {
        for (size_t i = 0; i < all; i++) label[i] = (uint32_t)s->component[i];
        for (size_t i = 0; i < n; i++) label_of[i] = first[i] == UINT32_MAX ? UINT32_MAX : label[first[i]];
        q.k = s->average.most;
        q.label = label;
        q.label_of = label_of;
        st = nearest_find(ctx, &q, near, NULL, d2);
    }
    if (!st) {
        job j = {s, x, near, d2, u, p};
        parallel_for(ctx, n, 64, sample_block, &j);
    }
    arena_clear(&arena);
    return st;
}
