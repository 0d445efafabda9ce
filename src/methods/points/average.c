/* Averages over neighbours: the constant moving least-squares fit of [Sin09] eq. 12 with the
 * kernel of eq. 13 (3.4).
 *
 * The nearest points of the same component count, up to a largest number and a largest distance.
 * DEVIATES: distances are divided by a little more than the farthest neighbour's, which would
 * otherwise have no weight, and of two points neither would see the other (errata E-S6). */
#include "base/parallel.h"
#include "geom/search/nearest.h"
#include "points/state.h"

double points_weight(int kernel, double d)
{
    if (!(d < 1)) return 0;
    if (kernel == POINTS_WENDLAND) {
        const double a = (1 - d) * (1 - d);
        return a * a * (1 + 4 * d);
    }
    return 1 + d * d * (-6 + d * (8 - 3 * d));
}

typedef struct {
    points *s;
    const rill_vec3 *value;
    rill_vec3 *out;
} job;

/* The farthest neighbour's distance, and a little more. */
static double scale_of(double farthest2)
{
    return farthest2 > 0 ? 1 / (1.08 * sqrt(farthest2)) : 0;
}

static void weigh_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    const uint32_t most = s->average.most;
    for (size_t i = begin; i < end; i++) {
        uint32_t *near = s->average.near + i * most;
        float *share = s->average.share + i * most;
        uint32_t n = 0;
        double sum = 0, weight[NEAREST_MOST], d2[NEAREST_MOST];
        for (; n < most && near[n] != UINT32_MAX; n++) {
            const rill_vec3 d = v3_sub(s->particles.position[near[n]], s->particles.position[i]);
            d2[n] = v3_dot(d, d);
        }
        const double scale = n ? scale_of(d2[n - 1]) : 0;
        for (uint32_t k = 0; k < n; k++) {
            weight[k] = points_weight(s->def.kernel, scale * sqrt(d2[k])) * points_size_of(s, near[k])->share;
            sum += weight[k];
        }
        for (uint32_t k = 0; k < most; k++) {
            share[k] = k < n ? (float)(weight[k] / sum) : 0;
            if (k >= n) near[k] = (uint32_t)i;
        }
    }
}

rill_status points_neighbours(points *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    job j = {.s = s};
    uint32_t *label;
    TRY(ARENA_NEW(&s->scratch, s->average.near, n * s->average.most));
    TRY(ARENA_NEW(&s->scratch, s->average.share, n * s->average.most));
    TRY(ARENA_NEW(&s->scratch, label, n));
    for (size_t i = 0; i < n; i++) label[i] = (uint32_t)s->component[i];
    const nearest_query q = {.points = &s->average.bins,
                             .x = s->particles.position,
                             .count = n,
                             .k = s->average.most,
                             .within = s->def.reach * points_coarsest(s)->radius,
                             .label = label,
                             .label_of = label};
    TRY(nearest_find(ctx, &q, s->average.near, NULL, NULL));
    parallel_for(ctx, n, POINTS_BLOCK, weigh_block, &j);
    return RILL_OK;
}

static void average_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *near = s->average.near + i * s->average.most;
        const float *share = s->average.share + i * s->average.most;
        const rill_vec3 own = j->value[i];
        rill_vec3 sum = {0, 0, 0};
        for (uint32_t k = 0; k < s->average.most; k++)
            sum = v3_madd(sum, share[k], v3_sub(j->value[near[k]], own));
        j->out[i] = sum;
    }
}

void points_excess(points *s, const rill_vec3 *value, rill_vec3 *out)
{
    job j = {.s = s, .value = value, .out = out};
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, average_block, &j);
}

rill_vec3 points_average_at(const points *s, const rill_vec3 *value, uint32_t i, rill_vec3 x)
{
    const uint32_t *near = s->average.near + (size_t)i * s->average.most;
    double d2[NEAREST_MOST], farthest = 0, all = 0;
    rill_vec3 sum = {0, 0, 0};
    for (uint32_t k = 0; k < s->average.most; k++) {
        const rill_vec3 d = v3_sub(s->particles.position[near[k]], x);
        d2[k] = v3_dot(d, d);
        farthest = fmax(farthest, d2[k]);
    }
    const double scale = scale_of(farthest);
    for (uint32_t k = 0; k < s->average.most; k++) {
        if (k > 0 && near[k] == i) continue; /* filled up with itself */
        const double w =
            points_weight(s->def.kernel, scale * sqrt(d2[k])) * points_size_of(s, near[k])->share;
        sum = v3_madd(sum, w, value[near[k]]);
        all += w;
    }
    return all > 0 ? v3_scale(sum, 1 / all) : value[i];
}
