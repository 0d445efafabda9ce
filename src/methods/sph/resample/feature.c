/* Extended local feature size, [Adams] section 4.1:
 *     elfs(x) = min over surface points y of |x - y| + lfs(y),                          (3)
 * lfs(y) the distance of y from the liquid's medial axis. The axis is found from pairs of neighbours whose
 * nearest surface points lie in directions more than 60 degrees apart, and farther from each other than the
 * particles (4; errata E-A2), when half of their neighbours are such pairs as well. Near the surface elfs
 * follows from a particle's own footpoint; from there it spreads to neighbours, together with the footpoint
 * it came from.
 *
 * DEVIATES: the axis is not at these particles but where a ball that touches the surface at the footpoint of
 * one touches the tangent plane of the other. The particles form a band two kernel radii wide, whose edge
 * depends on the arrangement: elfs was up to a radius too small and varied by 0.6 spacings from one
 * resampling to the next in liquid at rest. DEVIATES: values spread in rounds instead of by a queue
 * (geom/search/spread.h), with the same result. */
#include "geom/search/nearest.h"
#include "geom/search/spread.h"
#include "sph/core/pair8.h"
#include "sph/resample/resample.h"

#include <math.h>
#include <string.h>

typedef struct {
    sph *s;
    const rill_vec3 *foot;
    uint8_t *near, *medial;
    /* In floats; one more element than particles, for padding: */
    float (*place)[4];   /* particles, from the middle of the liquid; the fourth: R^2 */
    float (*toward)[4];  /* from them to their footpoints */
    float (*axis)[4];    /* from those near the medial axis to a point of it */
    float (*footing)[4]; /* later: footpoints as particles; their distance from the axis */
} feature_job;

SPH_INLINE __m256 dot8(const vec8 *a, const vec8 *b)
{
    return _mm256_fmadd_ps(a->x, b->x, _mm256_fmadd_ps(a->y, b->y, _mm256_mul_ps(a->z, b->z)));
}

/* Which of eight are neighbours of particle i now, and not i itself: lists reach farther, by their skin. */
SPH_INLINE unsigned neighbours_now(const feature_job *j, size_t i, const sized_eight *e, const sized_who *ids,
                                   const vec8 *other, pair8 *apart)
{
    *apart = pair_of(same8(j->place[i]), *other);
    const __m256 reach2 = _mm256_max_ps(_mm256_set1_ps(j->place[i][3]), other->w);
    const __m256i self = _mm256_cmpeq_epi32(ids->all, _mm256_set1_epi32((int)i));
    const __m256 now = _mm256_cmp_ps(apart->d2, reach2, _CMP_LT_OQ);
    return (unsigned)_mm256_movemask_ps(_mm256_andnot_ps(_mm256_castsi256_ps(self), now)) & sized_present(e);
}

/* Eq. 4 for eight pairs; a, b: from the particles to their footpoints. */
SPH_INLINE unsigned across_axis(const pair8 *apart, const vec8 *a, const vec8 *b)
{
    const __m256 ab = positive8(dot8(a, b));
    const __m256 wide = _mm256_cmp_ps(
        _mm256_mul_ps(ab, ab), /* 60 degrees and more */
        _mm256_mul_ps(_mm256_set1_ps(0.25f), _mm256_mul_ps(dot8(a, a), dot8(b, b))), _CMP_LE_OQ);
    const vec8 feet = {_mm256_add_ps(apart->x, _mm256_sub_ps(a->x, b->x)),
                       _mm256_add_ps(apart->y, _mm256_sub_ps(a->y, b->y)),
                       _mm256_add_ps(apart->z, _mm256_sub_ps(a->z, b->z)), apart->d2};
    const __m256 apart_too = _mm256_cmp_ps(dot8(&feet, &feet), apart->d2, _CMP_GT_OQ);
    return (unsigned)_mm256_movemask_ps(_mm256_and_ps(wide, apart_too));
}

/* Where the axis is, seen from particle i and eight others, some of which are across it: on the line from the
 * footpoint of i through i, as far from it as from the tangent plane at the footpoint of the other,
 *     R = (f_i - f_j) . n_j / (1 - n_i . n_j),   n: unit, from the footpoint inwards,
 * which is exact between planes and in cylinders and balls. Sums up |a| - R, how far that is beyond i towards
 * its footpoint, at most as far as neighbours reach; pairs that are about to leave each other, or to be no
 * longer across, have small weights. */
SPH_INLINE void add_crossing(__m256 *sum, __m256 *weight, const vec8 *e, __m256 reach2, const vec8 *a,
                             const vec8 *b, unsigned across)
{
    const __m256 one = _mm256_set1_ps(1), half = _mm256_set1_ps(0.5f), tiny = _mm256_set1_ps(1e-30f);
    const __m256 deep_a = _mm256_sqrt_ps(dot8(a, a)), deep_b = _mm256_sqrt_ps(dot8(b, b));
    const __m256 per_a = _mm256_div_ps(one, _mm256_max_ps(deep_a, tiny)),
                 per_b = _mm256_div_ps(one, _mm256_max_ps(deep_b, tiny));
    const __m256 cosine = _mm256_mul_ps(_mm256_mul_ps(per_a, per_b), dot8(a, b));
    const vec8 feet = {_mm256_add_ps(e->x, _mm256_sub_ps(a->x, b->x)),
                       _mm256_add_ps(e->y, _mm256_sub_ps(a->y, b->y)),
                       _mm256_add_ps(e->z, _mm256_sub_ps(a->z, b->z)), e->w};
    const __m256 turn = _mm256_max_ps(_mm256_sub_ps(one, cosine), half), /* the angle is 60 degrees or more */
        along = _mm256_mul_ps(per_b, dot8(&feet, b)), reach = _mm256_sqrt_ps(reach2);
    const __m256 beyond = _mm256_add_ps(deep_a, _mm256_div_ps(along, turn)), /* |a| - R */
        bounded = _mm256_max_ps(_mm256_min_ps(beyond, reach), _mm256_sub_ps(_mm256_setzero_ps(), reach));
    const __m256 near = _mm256_sub_ps(one, _mm256_div_ps(dot8(e, e), reach2));
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i counts = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)across), bit), bit);
    const __m256 w = _mm256_and_ps(positive8(_mm256_mul_ps(near, _mm256_sub_ps(half, cosine))),
                                   _mm256_castsi256_ps(counts));
    *sum = _mm256_fmadd_ps(w, bounded, *sum);
    *weight = _mm256_add_ps(*weight, w);
}

/* The mean of where the axis is, seen from particle i and those across it. The particle itself if it has no
 * neighbours. */
static void find_axis(const feature_job *j, size_t i)
{
    const sized_list l = sized_list_of(&j->s->sized->lists, i);
    const vec8 mine = same8(j->toward[i]);
    __m256 sum = _mm256_setzero_ps(), weight = _mm256_setzero_ps();
    for (const sized_eight *e = l.at; e < l.end; e++) {
        const sized_who ids = sized_who_of(e);
        const vec8 other = fetch8(j->place, ids.id), theirs = fetch8(j->toward, ids.id);
        pair8 apart;
        unsigned across = neighbours_now(j, i, e, &ids, &other, &apart);
        across &= across_axis(&apart, &mine, &theirs);
        if (!across) continue;
        const vec8 way = {apart.x, apart.y, apart.z, apart.d2};
        add_crossing(&sum, &weight, &way, _mm256_max_ps(_mm256_set1_ps(j->place[i][3]), other.w), &mine,
                     &theirs, across);
    }
    const float *a = j->toward[i], all = sum8(weight), deep = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    const float beyond = all > 0 && deep > 0 ? sum8(sum) / (all * deep) : 0;
    _mm_store_ps(j->axis[i], _mm_mul_ps(_mm_load_ps(a), _mm_set1_ps(beyond)));
}

static void find_near(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const feature_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        const sized_list l = sized_list_of(&j->s->sized->lists, i);
        const vec8 mine = same8(j->toward[i]);
        bool found = false;
        for (const sized_eight *e = l.at; e < l.end && !found; e++) {
            const sized_who ids = sized_who_of(e);
            const vec8 other = fetch8(j->place, ids.id), theirs = fetch8(j->toward, ids.id);
            pair8 apart;
            const unsigned now = neighbours_now(j, i, e, &ids, &other, &apart);
            found = now & across_axis(&apart, &mine, &theirs);
        }
        j->near[i] = found;
    }
}

static void find_medial(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const feature_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        const sized_list l = sized_list_of(&j->s->sized->lists, i);
        uint32_t others = 0, near = 0;
        for (const sized_eight *e = l.at; e < l.end && (j->near[i] || others == 0); e++) {
            const sized_who ids = sized_who_of(e);
            const vec8 other = fetch8(j->place, ids.id);
            pair8 apart;
            const unsigned now = neighbours_now(j, i, e, &ids, &other, &apart);
            others += (uint32_t)__builtin_popcount(now);
            for (unsigned m = now; m; m &= m - 1) near += j->near[ids.id[__builtin_ctz(m)]];
        }
        j->medial[i] = others == 0 || (j->near[i] && 2 * near >= others);
        if (j->medial[i]) find_axis(j, i);
    }
}

/* Distance from the axis, by the nearest of its points: their mean, of those not much farther than the first.
 * The nearest alone is too near by as much as the points scatter. */
static float from_axis(const uint32_t *nearest, const double *d2, int count, double farther)
{
    double sum = 0;
    int found = 0;
    for (int k = 0; k < count && nearest[k] != UINT32_MAX && sqrt(d2[k]) <= sqrt(d2[0]) + farther;
         k++, found++)
        sum += sqrt(d2[k]);
    return (float)(sum / found);
}

/* Distance of the footpoints of particles near the surface from the medial axis; of the others INFINITY. Some
 * thousand at a time are asked for. */
static rill_status measure(const feature_job *j, rill_arena *arena, float *lfs)
{
    enum { SOME = 8192, AXIS_POINTS = 8 };
    const sph *s = j->s;
    const uint32_t points = s->sim.scene->dimensions == 2 ? 1 : AXIS_POINTS; /* they scatter less there */
    const uint32_t n = (uint32_t)s->particles.count;
    rill_vec3 *axis, *place;
    uint32_t *particle, *nearest, axes = 0;
    double *d2;
    bins b;
    for (uint32_t i = 0; i < n; i++) axes += j->medial[i];
    TRY(ARENA_NEW(arena, axis, axes));
    TRY(ARENA_NEW(arena, place, SOME));
    TRY(ARENA_NEW(arena, particle, SOME));
    TRY(ARENA_NEW(arena, nearest, SOME * AXIS_POINTS));
    TRY(ARENA_NEW(arena, d2, SOME * AXIS_POINTS));
    axes = 0;
    for (uint32_t i = 0; i < n; i++)
        if (j->medial[i]) axis[axes++] = v3_add(s->particles.position[i], row_vec(j->axis[i]));
    if (axes) TRY(bins_build(s->sim.ctx, arena, axis, axes, &b));
    for (uint32_t i = 0; i < n;) {
        uint32_t places = 0;
        for (; i < n && places < SOME; i++) {
            lfs[i] = INFINITY;
            if (!(v3_distance(s->particles.position[i], j->foot[i]) < size_class_of(s, i)->kernel.support))
                continue;
            place[places] = j->foot[i];
            particle[places++] = i;
        }
        if (axes == 0 || places == 0) continue;
        const nearest_query q = {.points = &b, .x = place, .count = places, .k = points, .within = INFINITY};
        TRY(nearest_find(s->sim.ctx, &q, nearest, NULL, d2));
        for (uint32_t k = 0; k < places; k++)
            lfs[particle[k]] = from_axis(&nearest[points * k], &d2[points * k], (int)points,
                                         0.5 * (double)s->sized->spacing[particle[k]]);
    }
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
    rill_arena *arena = &s->sized->arena;
    feature_job j = {.s = s, .foot = foot};
    float *lfs, *enough;
    uint32_t *source;
    uint8_t *fixed;
    const arena_mark mark = arena_mark_of(arena);
    TRY(ARENA_NEW(arena, j.medial, n + 1));
    TRY(ARENA_NEW(arena, lfs, n + 1));
    TRY(ARENA_NEW(arena, j.place, n + 1));
    const arena_mark for_now = arena_mark_of(arena);
    TRY(ARENA_NEW(arena, j.axis, n + 1));
    const arena_mark for_axis = arena_mark_of(arena);
    TRY(ARENA_NEW(arena, j.near, n + 1));
    TRY(ARENA_NEW(arena, j.toward, n + 1));
    const rill_vec3 middle = box_center(s->sized->points.bounds);
    for (size_t i = 0; i < n; i++) {
        const double reach = size_class_of(s, i)->kernel.support;
        row_store(j.place[i], v3_sub(s->particles.position[i], middle), (float)(reach * reach));
        row_store(j.toward[i], v3_sub(foot[i], s->particles.position[i]), 0);
    }
    row_store(j.place[n], v3(1e9, 1e9, 1e9), 0);
    row_store(j.toward[n], v3(0, 0, 0), 0);
    parallel_for(ctx, n, 256, find_near, &j);
    parallel_for(ctx, n, 256, find_medial, &j);
    arena_back(arena, for_axis);
    TRY(measure(&j, arena, lfs));
    arena_back(arena, for_now);
    TRY(ARENA_NEW(arena, j.footing, n + 1));
    TRY(ARENA_NEW(arena, source, n + 1));
    TRY(ARENA_NEW(arena, enough, n + 1));
    TRY(ARENA_NEW(arena, fixed, n + 1));
    for (size_t i = 0; i < n; i++) {
        row_store(j.footing[i], v3_sub(foot[i], middle), lfs[i]);
        const uint32_t from = isfinite(lfs[i]) ? (uint32_t)i : nearest ? nearest[i] : SPREAD_NONE;
        const bool known = from != SPREAD_NONE && isfinite(lfs[from]);
        elfs[i] = known ? (float)v3_distance(s->particles.position[i], foot[from]) + lfs[from] : INFINITY;
        source[i] = known ? from : SPREAD_NONE;
        enough[i] = 3e-2f * s->sized->spacing[i];
        fixed[i] = c && known && s->sized->size[i] == 0 &&
                   criteria_size(c, i, (double)elfs[i]) <= merge_ratio(s) * s->model.kernel.support;
    }
    const spread_def def = {.near = &s->sized->lists,
                            .count = n,
                            .worth = feature_worth,
                            .arg = &j,
                            .most = (float)most,
                            .enough = enough,
                            .fixed = fixed};
    TRY(spread(ctx, arena, &def, elfs, source));
    if (medial) memcpy(medial, j.medial, n);
    arena_back(arena, mark);
    return RILL_OK;
}
