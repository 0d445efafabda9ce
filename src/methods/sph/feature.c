/* Extended local feature size, [Adams] section 4.1:
 *     elfs(x) = min over surface points y of |x - y| + lfs(y),                          (3)
 * lfs(y) the distance of y from the liquid's medial axis. The axis is made of particles: of two
 * neighbours whose nearest surface points lie in directions more than 60 degrees apart, and farther
 * from each other than they are themselves (4; errata E-A2), when half their neighbours are such as
 * well. Near the surface elfs follows from a particle's own footpoint; from there it is handed on to
 * neighbours, with the footpoint it came from.
 *
 * DEVIATES: not by a queue but in rounds, in which every particle looks at what its neighbours got in the
 * round before: parallel, the same bits for any number of threads, and the same answer at the end. */
#include "geom/nearest.h"
#include "sph/levels.h"

#include <math.h>
#include <string.h>

#define NO_SOURCE UINT32_MAX

typedef struct {
    sph *s;
    const rill_vec3 *foot;
    uint8_t *near, *medial;
    float most;
    float *elfs, *before;       /* of this round, and of the last */
    uint32_t *source, *settled; /* the particle whose footpoint it is, likewise */
    uint8_t *changed, *changes; /* in the last round, in this one */
    const float *lfs;           /* of a particle's footpoint */
    _Atomic uint64_t news;
} feature_job;

/* Eq. 4 for one pair. */
static bool across_axis(rill_vec3 xi, rill_vec3 yi, rill_vec3 xj, rill_vec3 yj)
{
    const rill_vec3 a = v3_sub(yi, xi), b = v3_sub(yj, xj);
    const double aa = v3_dot(a, a), bb = v3_dot(b, b), ab = v3_dot(a, b);
    if (ab > 0 && ab * ab >= 0.25 * aa * bb) return false; /* less than 60 degrees */
    const rill_vec3 y = v3_sub(yi, yj), x = v3_sub(xi, xj);
    return v3_dot(y, y) > v3_dot(x, x);
}

/* Lists reach farther than neighbours are, by their skin. */
static bool neighbours_now(const sph *s, size_t i, size_t j)
{
    const rill_vec3 d = v3_sub(s->particles.position[i], s->particles.position[j]);
    const double ri = level_of(s, i)->kernel.support, rj = level_of(s, j)->kernel.support;
    return v3_dot(d, d) < (ri > rj ? ri * ri : rj * rj);
}

static void find_near(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const feature_job *j = arg;
    const rill_vec3 *x = j->s->particles.position;
    const uint32_t nobody = (uint32_t)j->s->particles.count;
    for (size_t i = begin; i < end; i++) {
        const sized_list l = sized_list_of(&j->s->levels->lists, i);
        bool found = false;
        for (const uint32_t *e = l.at; e < l.end && !found; e++)
            found = *e != nobody && *e != i && across_axis(x[i], j->foot[i], x[*e], j->foot[*e]) &&
                    neighbours_now(j->s, i, *e);
        j->near[i] = found;
    }
}

static void find_medial(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const feature_job *j = arg;
    const uint32_t nobody = (uint32_t)j->s->particles.count;
    for (size_t i = begin; i < end; i++) {
        const sized_list l = sized_list_of(&j->s->levels->lists, i);
        uint32_t others = 0, near = 0;
        for (const uint32_t *e = l.at; e < l.end; e++)
            if (*e != nobody && *e != i && neighbours_now(j->s, i, *e)) {
                others++;
                near += j->near[*e];
            }
        j->medial[i] = others == 0 || (j->near[i] && 2 * near >= others);
    }
}

/* Distance of the footpoints of particles near the surface from the medial axis; of the others INFINITY. */
static rill_status measure(feature_job *j, rill_arena *arena, float *lfs)
{
    const sph *s = j->s;
    const size_t n = s->particles.count;
    rill_vec3 *axis, *place;
    uint32_t *who, *nearest, axes = 0, places = 0;
    double *d2;
    TRY(ARENA_NEW(arena, axis, n));
    TRY(ARENA_NEW(arena, place, n));
    TRY(ARENA_NEW(arena, who, n));
    for (uint32_t i = 0; i < n; i++) {
        lfs[i] = INFINITY;
        if (j->medial[i]) axis[axes++] = s->particles.position[i];
        if (v3_distance(s->particles.position[i], j->foot[i]) < level_of(s, i)->kernel.support) {
            place[places] = j->foot[i];
            who[places++] = i;
        }
    }
    if (axes == 0 || places == 0) return RILL_OK;
    TRY(ARENA_NEW(arena, nearest, places));
    TRY(ARENA_NEW(arena, d2, places));
    bins b;
    TRY(bins_build(s->sim.ctx, arena, axis, axes, &b));
    const nearest_query q = {.points = &b, .x = place, .count = places, .k = 1, .within = INFINITY};
    TRY(nearest_find(s->sim.ctx, &q, nearest, NULL, d2));
    for (uint32_t k = 0; k < places; k++) lfs[who[k]] = (float)sqrt(d2[k]);
    return RILL_OK;
}

static void hand_on(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    feature_job *j = arg;
    const rill_vec3 *x = j->s->particles.position;
    uint64_t news = 0;
    for (size_t i = begin; i < end; i++) {
        const sized_list l = sized_list_of(&j->s->levels->lists, i);
        float best = j->before[i];
        uint32_t from = j->settled[i];
        const float enough = 1e-3f * (float)level_of(j->s, i)->spacing;
        for (const uint32_t *e = l.at; e < l.end; e++) {
            if (!j->changed[*e]) continue;
            const uint32_t k = j->settled[*e];
            if (k == from) continue;
            const float d = (float)v3_distance(x[i], j->foot[k]) + j->lfs[k];
            if (d >= best - enough) continue;
            best = d;
            from = k;
        }
        j->elfs[i] = best;
        j->source[i] = from;
        j->changes[i] = best < j->before[i] && best < j->most;
        news += j->changes[i];
    }
    atomic_fetch_add(&j->news, news);
}

static void swap_rounds(feature_job *j)
{
    float *const elfs = j->elfs;
    uint32_t *const source = j->source;
    uint8_t *const changes = j->changes;
    j->elfs = j->before;
    j->before = elfs;
    j->source = j->settled;
    j->settled = source;
    j->changes = j->changed;
    j->changed = changes;
}

rill_status feature_sizes(sph *s, const rill_vec3 *foot, double most, float *elfs, uint8_t *medial)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    rill_arena *arena = &s->levels->sampling;
    feature_job j = {.s = s, .foot = foot, .most = (float)most};
    float *lfs;
    TRY(ARENA_NEW(arena, j.near, n + 1));
    TRY(ARENA_NEW(arena, j.medial, n + 1));
    TRY(ARENA_NEW(arena, j.elfs, n + 1));
    TRY(ARENA_NEW(arena, j.before, n + 1));
    TRY(ARENA_NEW(arena, j.source, n + 1));
    TRY(ARENA_NEW(arena, j.settled, n + 1));
    TRY(ARENA_NEW(arena, j.changed, n + 1));
    TRY(ARENA_NEW(arena, j.changes, n + 1));
    TRY(ARENA_NEW(arena, lfs, n + 1));
    parallel_for(ctx, n, 256, find_near, &j);
    parallel_for(ctx, n, 256, find_medial, &j);
    TRY(measure(&j, arena, lfs));
    j.lfs = lfs;
    for (size_t i = 0; i < n; i++) {
        const bool seed = isfinite(lfs[i]);
        j.before[i] = seed ? (float)v3_distance(s->particles.position[i], foot[i]) + lfs[i] : INFINITY;
        j.settled[i] = seed ? (uint32_t)i : NO_SOURCE;
        j.changed[i] = seed;
    }
    j.changed[n] = j.changes[n] = 0; /* nobody */
    do {
        atomic_store(&j.news, 0);
        parallel_for(ctx, n, 256, hand_on, &j);
        swap_rounds(&j);
    } while (atomic_load(&j.news) > 0);
    memcpy(elfs, j.before, n * sizeof *elfs);
    if (medial) memcpy(medial, j.medial, n);
    return RILL_OK;
}
