/* Extended local feature size, [Adams] section 4.1:
 *     elfs(x) = min over surface points y of |x - y| + lfs(y),                          (3)
 * lfs(y) the distance of y from the liquid's medial axis. The axis is made of particles: of two
 * neighbours whose nearest surface points lie in directions more than 60 degrees apart, and farther
 * from each other than they are themselves (4; errata E-A2), when half their neighbours are such as
 * well. Near the surface elfs follows from a particle's own footpoint; from there it is handed on to
 * neighbours, with the footpoint it came from.
 *
 * DEVIATES: not by a queue but in rounds (geom/spread.h), with the same answer at the end. */
#include "geom/nearest.h"
#include "geom/spread.h"
#include "sph/levels.h"
#include "sph/simd.h"

#include <math.h>
#include <string.h>

typedef struct {
    sph *s;
    const rill_vec3 *foot;
    uint8_t *near, *medial;
    /* Particles, and footpoints with their distances from the axis; from the middle of the liquid. */
    float (*place)[4], (*footing)[4];
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
        for (const uint32_t *e = l.at; e < l.end && (j->near[i] || others == 0); e++)
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
    for (uint32_t i = 0; i < n; i++) {
        lfs[i] =
            v3_distance(s->particles.position[i], j->foot[i]) < level_of(s, i)->kernel.support ? 0 : INFINITY;
        axes += j->medial[i];
        places += lfs[i] <= 0;
    }
    TRY(ARENA_NEW(arena, axis, axes));
    TRY(ARENA_NEW(arena, place, places));
    TRY(ARENA_NEW(arena, who, places));
    axes = places = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (j->medial[i]) axis[axes++] = s->particles.position[i];
        if (lfs[i] > 0) continue;
        place[places] = j->foot[i];
        who[places++] = i;
        lfs[i] = INFINITY;
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

/* Eq. 3 of eight particles, each with a surface point. */
static void feature_worth(const void *arg, const uint32_t *point, const uint32_t *source, float *worth)
{
    const feature_job *j = arg;
    const vec8 x = fetch8(j->place, point), y = fetch8(j->footing, source);
    const __m256 dx = _mm256_sub_ps(x.x, y.x), dy = _mm256_sub_ps(x.y, y.y), dz = _mm256_sub_ps(x.z, y.z);
    const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
    _mm256_storeu_ps(worth, _mm256_add_ps(_mm256_sqrt_ps(d2), y.w));
}

rill_status feature_sizes(sph *s, const rill_vec3 *foot, const uint32_t *nearest, const criteria *c,
                          double most, float *elfs, uint8_t *medial)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    rill_arena *arena = &s->levels->sampling;
    feature_job j = {.s = s, .foot = foot};
    float *lfs, *enough;
    uint32_t *source;
    uint8_t *fixed;
    TRY(ARENA_NEW(arena, j.near, n + 1));
    TRY(ARENA_NEW(arena, j.medial, n + 1));
    TRY(ARENA_NEW(arena, source, n + 1));
    TRY(ARENA_NEW(arena, enough, n + 1));
    TRY(ARENA_NEW(arena, fixed, n + 1));
    TRY(ARENA_NEW(arena, lfs, n + 1));
    TRY(ARENA_NEW(arena, j.place, n + 1));
    TRY(ARENA_NEW(arena, j.footing, n + 1));
    parallel_for(ctx, n, 256, find_near, &j);
    parallel_for(ctx, n, 256, find_medial, &j);
    TRY(measure(&j, arena, lfs));
    const rill_vec3 middle = box_center(s->levels->points.bounds);
    for (size_t i = 0; i < n; i++) {
        row_store(j.place[i], v3_sub(s->particles.position[i], middle), 0);
        row_store(j.footing[i], v3_sub(foot[i], middle), lfs[i]);
        const uint32_t from = isfinite(lfs[i]) ? (uint32_t)i : nearest ? nearest[i] : SPREAD_NONE;
        const bool known = from != SPREAD_NONE && isfinite(lfs[from]);
        elfs[i] = known ? (float)v3_distance(s->particles.position[i], foot[from]) + lfs[from] : INFINITY;
        source[i] = known ? from : SPREAD_NONE;
        enough[i] = 3e-2f * s->levels->spacing[i];
        fixed[i] = c && known && s->levels->size[i] == 0 &&
                   criteria_size(c, i, (double)elfs[i]) <= levels_merge(s) * s->kernel.support;
    }
    const spread_def def = {.near = &s->levels->lists,
                            .count = n,
                            .worth = feature_worth,
                            .arg = &j,
                            .most = (float)most,
                            .enough = enough,
                            .fixed = fixed};
    TRY(spread(ctx, arena, &def, elfs, source));
    if (medial) memcpy(medial, j.medial, n);
    return RILL_OK;
}
