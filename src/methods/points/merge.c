/* Points that are too near each other become one ([Sin09] 3.3: for the sake of the matrix). */
#include "base/parallel.h"
#include "geom/nearest.h"
#include "points/state.h"

#include <string.h>

/* A pair is merged when each is the other's nearest: by the one with the smaller id, into the middle. */
rill_status points_merge(points *s)
{
    rill_ctx *ctx = s->sim.ctx;
    particles *p = &s->particles;
    const size_t n = p->count;
    const double near = s->def.merge * s->h;
    uint32_t *two, gone = 0;
    uint8_t *keep;
    bins b;
    if (!(near > 0) || n < 2) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, two, 2 * n));
    TRY(ARENA_NEW(&s->scratch, keep, n));
    TRY(bins_build(ctx, &s->scratch, p->position, (uint32_t)n, &b));
    const nearest_query q = {.points = &b, .x = p->position, .count = n, .k = 2, .within = near};
    TRY(nearest_find(ctx, &q, two, NULL, NULL));
    memset(keep, 1, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t o = two[2 * i] == i ? two[2 * i + 1] : two[2 * i];
        if (o == UINT32_MAX || o < i || !keep[i] || !keep[o]) continue;
        p->position[i] = v3_mix(p->position[i], p->position[o], 0.5);
        p->velocity[i] = v3_mix(p->velocity[i], p->velocity[o], 0.5);
        keep[o] = 0;
        gone++;
    }
    if (gone) particles_keep(p, keep);
    s->sim.sources.merged += gone;
    return RILL_OK;
}
