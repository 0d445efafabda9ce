/* Points that are too near each other become one ([Sin09] 3.3: for the sake of the matrix), and for
 * each that went another comes where its component has most room: DEVIATES, the paper only takes points
 * away and so "probably cannot run arbitrarily long".
 *
 * Room is in cells that are much larger than they should be, beyond their middle on the side their
 * point leaves empty: at the surface, or where a hole opens. A component without room keeps its pairs,
 * whose cells push them apart in the end; only what is all but in one place is merged there too. */
#include "base/parallel.h"
#include "flow/colors.h"
#include "geom/search/nearest.h"
#include "points/state.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    float component;
    double volume;
    uint32_t cell;
} room;

/* By component, the roomiest first. */
static int in_order(const void *a, const void *b)
{
    const room *x = a, *y = b;
    if (x->component != y->component) return x->component < y->component ? -1 : 1;
    if (x->volume != y->volume) return x->volume > y->volume ? -1 : 1;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

enum { CARRIED = 5 };

typedef struct {
    points *s;
    uint32_t *partner; /* per point: UINT32_MAX for none */
    uint8_t *keep;
    room *room;
    uint32_t rooms, next;
    rill_vec3 *x, *u;        /* points to come */
    float *carried[CARRIED]; /* columns that points keep: colours, soot and heat */
    float (*value)[CARRIED]; /* of those to come */
    int columns;
    uint32_t gone, come;
} resampling;

static void find_carried(resampling *r)
{
    r->columns = colors_columns(&r->s->particles, r->carried) ? 3 : 0;
    if (!r->s->gas.smoky) return;
    r->carried[r->columns++] = r->s->gas.soot;
    r->carried[r->columns++] = r->s->gas.heat;
}

/* From the middle of the cell as it was before the points moved: their places then are in the bins. */
static rill_vec3 off_middle(const points *s, uint32_t i)
{
    return v3_sub(s->mesh.cell[i].centroid,
                  v3(s->average.bins.x[i], s->average.bins.y[i], s->average.bins.z[i]));
}

static rill_status find_rooms(resampling *r)
{
    points *s = r->s;
    const uint32_t n = (uint32_t)s->particles.count;
    TRY(ARENA_NEW(&s->scratch, r->room, n));
    for (uint32_t i = 0; i < n; i++) {
        const points_cell *c = &s->mesh.cell[i];
        if (points_size_of(s, i)->share == 1 && c->volume > 1.2 * s->sizes.of[1].whole && c->joined > 2 &&
            v3_length(off_middle(s, i)) > 0.1 * s->h)
            r->room[r->rooms++] = (room){s->component[i], c->volume, i};
    }
    qsort(r->room, r->rooms, sizeof *r->room, in_order);
    return RILL_OK;
}

/* A new point in the component of the pair; false: there is no room. */
static bool put_in(resampling *r, float component, double t)
{
    points *s = r->s;
    particles *p = &s->particles;
    /* Pairs come in the order of points, not of components: each component has its own next. */
    for (uint32_t k = 0; k < r->rooms; k++) {
        room *place = &r->room[k];
        if (place->component > component) break;
        if (place->component < component || place->cell == UINT32_MAX) continue;
        const uint32_t i = place->cell;
        const rill_vec3 d = off_middle(s, i), from = p->position[i];
        rill_vec3 at = v3_madd(from, 0.6 * s->h / v3_length(d), d),
                  u = points_average_at(s, p->velocity, i, at);
        place->cell = UINT32_MAX;
        solids_push_out(&s->sim.solids, t, t, 0.1 * s->h, from, &at, &u); /* not through a plate */
        if (v3_distance(at, from) < 0.3 * s->h) continue;
        for (int c = 0; c < r->columns; c++) r->value[r->come][c] = r->carried[c][i];
        r->x[r->come] = at;
        r->u[r->come++] = u;
        return true;
    }
    return false;
}

static rill_status find_pairs(resampling *r, double near)
{
    points *s = r->s;
    const size_t n = s->particles.count;
    uint32_t *two;
    bins b;
    TRY(ARENA_NEW(&s->scratch, two, 2 * n));
    TRY(bins_build(s->sim.ctx, &s->scratch, s->particles.position, (uint32_t)n, &b));
    const nearest_query q = {.points = &b, .x = s->particles.position, .count = n, .k = 2, .within = near};
    TRY(nearest_find(s->sim.ctx, &q, two, NULL, NULL));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t o = two[2 * i] == i ? two[2 * i + 1] : two[2 * i];
        r->partner[i] = o == UINT32_MAX || o < i ? UINT32_MAX : o;
        /* Of several sizes the finest alone: what comes is of the finest. */
        if (s->sizes.grains && r->partner[i] != UINT32_MAX && s->sizes.grains[i] + s->sizes.grains[o] > 2)
            r->partner[i] = UINT32_MAX;
        r->gone += r->partner[i] != UINT32_MAX; /* at most: how much room is needed */
    }
    return RILL_OK;
}

static void merge_pair(resampling *r, uint32_t i, uint32_t o)
{
    particles *p = &r->s->particles;
    p->position[i] = v3_mix(p->position[i], p->position[o], 0.5);
    p->velocity[i] = v3_mix(p->velocity[i], p->velocity[o], 0.5);
    for (int c = 0; c < r->columns; c++) r->carried[c][i] = 0.5f * (r->carried[c][i] + r->carried[c][o]);
    r->keep[o] = 0;
    r->gone++;
}

rill_status points_resample(points *s, double t)
{
    particles *p = &s->particles;
    const uint32_t n = (uint32_t)p->count;
    resampling r = {.s = s};
    if (!(s->def.merge > 0) || n < 2) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, r.partner, n));
    TRY(find_pairs(&r, s->def.merge * s->h));
    if (r.gone == 0) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, r.keep, n));
    TRY(ARENA_NEW(&s->scratch, r.x, r.gone));
    TRY(ARENA_NEW(&s->scratch, r.u, r.gone));
    find_carried(&r);
    TRY(ARENA_NEW(&s->scratch, r.value, r.gone));
    if (s->def.insert) TRY(find_rooms(&r));
    memset(r.keep, 1, n);
    r.gone = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t o = r.partner[i];
        if (o == UINT32_MAX || !r.keep[i] || !r.keep[o] || s->component[i] != s->component[o]) continue;
        const bool one = v3_distance(p->position[i], p->position[o]) < 1e-3 * s->h;
        if (!s->def.insert || put_in(&r, s->component[i], t) || one) merge_pair(&r, i, o);
    }
    /* Room for the new ones first: nothing has changed when there is none. */
    TRY(particles_reserve(s->sim.ctx, p, (size_t)n + r.come));
    if (r.gone) particles_keep(p, r.keep);
    s->sim.sources.merged += r.gone;
    const size_t kept = p->count;
    TRY(particles_append(s->sim.ctx, p, r.come, r.x, r.u));
    points_columns(s);
    find_carried(&r); /* the arrays may have moved */
    for (uint32_t k = 0; k < r.come; k++)
        for (int c = 0; c < r.columns; c++) r.carried[c][kept + k] = r.value[k][c];
    return RILL_OK;
}
