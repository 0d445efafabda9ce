/* Points that are too near each other become one ([Sin09] 3.3: for the sake of the matrix), and for
 * each that went another comes where there is most room: DEVIATES, the paper only takes points away
 * and so "probably cannot run arbitrarily long". */
#include "base/parallel.h"
#include "geom/nearest.h"
#include "points/state.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t cell;
    double volume;
} room;

static int roomiest(const void *a, const void *b)
{
    const room *x = a, *y = b;
    if (x->volume != y->volume) return x->volume > y->volume ? -1 : 1;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* Where to: beyond the middle of a cell that is much larger than it should be, on the side its point
 * leaves empty. From the cells as they were before the points moved. */
rill_status points_find_room(points *s)
{
    const size_t n = s->particles.count;
    uint32_t count = 0;
    room *r;
    s->new_count = 0;
    if (s->owed == 0) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, r, n));
    for (size_t i = 0; i < n; i++) {
        const points_cell *c = &s->cell[i];
        const double off = v3_distance(c->centroid, s->particles.position[i]);
        if (c->volume > 1.3 * s->whole && c->joined > 2 && off > 0.15 * s->h)
            r[count++] = (room){(uint32_t)i, c->volume};
    }
    qsort(r, count, sizeof *r, roomiest);
    if (count > s->owed) count = (uint32_t)s->owed;
    TRY(ARENA_NEW(&s->scratch, s->new_cell, count));
    TRY(ARENA_NEW(&s->scratch, s->new_offset, count));
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = r[k].cell;
        const rill_vec3 d = v3_sub(s->cell[i].centroid, s->particles.position[i]);
        s->new_cell[k] = i;
        s->new_offset[k] = v3_scale(d, 0.6 * s->h / v3_length(d));
    }
    s->new_count = count;
    return RILL_OK;
}

/* With the velocity that averages have there. */
rill_status points_insert(points *s, double t)
{
    particles *p = &s->particles;
    rill_vec3 *x, *u;
    size_t n = 0;
    if (s->new_count == 0) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, x, s->new_count));
    TRY(ARENA_NEW(&s->scratch, u, s->new_count));
    for (uint32_t k = 0; k < s->new_count; k++) {
        const uint32_t i = s->new_cell[k];
        const rill_vec3 at = v3_add(p->position[i], s->new_offset[k]);
        if (!(solids_distance(&s->sim.solids, at, t, NULL) > 0.1 * s->h)) continue;
        x[n] = at;
        u[n++] = points_average_at(s, p->velocity, i, at);
    }
    TRY(particles_append(s->sim.ctx, p, n, x, u));
    points_columns(s);
    for (size_t k = 0; k < n; k++) s->component[p->count - n + k] = 0;
    s->owed -= n;
    return RILL_OK;
}

/* A pair is merged when neither has gone already: into the middle, the first of the two staying. */
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
    if (s->def.insert) s->owed += gone;
    return RILL_OK;
}
