/* The pairs of a step of dfsph between particles of several sizes: those that the larger of their two kernels
 * reaches.
 *
 * Lists are kept for several steps, reach farther than kernels do, and come in two parts each of which is
 * filled up with nobody: of 46 places in them 37 are left here. What a solve repeats some fifty times in a
 * step goes over these alone. Both ends find the same of a pair, since differences of places are exact. */
#include "sph/level_pass.h"
#include "sph/pairs.h"

typedef struct {
    sph *s;
    uint8_t *mask; /* per eight entries of the lists: which of them */
} find_job;

/* Which of eight are within reach, and are not the particle itself. */
SPH_INLINE unsigned within8(const struct levels *a, uint32_t i, const sized_eight *e, __m256 reach2,
                            __m256 unit)
{
    const vec8 at = near8(a->place, e);
    const __m256 d2 = places_apart(a->place[i], &at, unit, _mm256_setzero_ps()).d2;
    const __m256i itself = _mm256_cmpeq_epi32(sized_who_of(e).all, _mm256_set1_epi32((int)i));
    const __m256 within = _mm256_cmp_ps(d2, reach2, _CMP_LT_OQ);
    return (unsigned)_mm256_movemask_ps(_mm256_andnot_ps(_mm256_castsi256_ps(itself), within));
}

static void look_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const find_job *j = arg;
    const sph *s = j->s;
    const struct levels *a = s->levels;
    const __m256 unit = _mm256_set1_ps((float)a->unit);
    for (uint32_t i = level_leaf(s, begin).begin; i < level_leaf(s, end - 1).end; i++) {
        const sized_list l = sized_list_of(&a->lists, i);
        const float *wider2 = a->pair[a->size[i]].wider2;
        const table8 reach2 = table8_make(wider2);
        const __m256 alike = _mm256_set1_ps(wider2[a->size[i]]);
        uint8_t *mask = j->mask + a->lists.first[i];
        int count = 0;
        for (const sized_eight *e = l.at; e < l.end; e++, mask++) {
            const __m256 r2 = e < l.mixed ? alike : pick8(&reach2, levels8(e->sizes));
            *mask = (uint8_t)within8(a, i, e, r2, unit);
            count += __builtin_popcount(*mask);
        }
        a->step.first[i + 1] = (uint32_t)(count + SIZED_LANES - 1) / SIZED_LANES;
    }
}

static void fill_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const find_job *j = arg;
    const sph *s = j->s;
    const struct levels *a = s->levels;
    const step_pairs *p = &a->step;
    const uint32_t nobody = (uint32_t)s->particles.count;
    for (uint32_t i = level_leaf(s, begin).begin; i < level_leaf(s, end - 1).end; i++) {
        const sized_list l = sized_list_of(&a->lists, i);
        const step_list to = step_list_of(s, i);
        const uint8_t *mask = j->mask + a->lists.first[i];
        uint32_t *id = p->id + SIZED_LANES * to.begin, *last = p->id + SIZED_LANES * to.end;
        for (const sized_eight *e = l.at; e < l.end; e++)
            for (unsigned m = *mask++; m; m &= m - 1) *id++ = e->base + e->off[__builtin_ctz(m)];
        while (id < last) *id++ = nobody;
        for (size_t k = to.begin; k < to.end; k++) {
            uint32_t sizes = 0;
            for (int n = 0; n < SIZED_LANES; n++)
                sizes |= (uint32_t)a->size[p->id[SIZED_LANES * k + (size_t)n]] << 4 * n;
            p->sizes[k] = sizes;
        }
    }
}

/* Both gradients of eight neighbours, who they are and their sizes, in half floats. */
enum { HALVES = 2 * LEVEL_GROUP + 2 * SIZED_LANES + 2 };

rill_status levels_find_pairs(sph *s)
{
    struct levels *a = s->levels;
    step_pairs *p = &a->step;
    const arena_mark mark = arena_mark_of(&a->sampling);
    find_job j = {.s = s};
    TRY(ARENA_NEW(&a->sampling, j.mask, (size_t)a->lists.used + 1));
    parallel_for(s->sim.ctx, a->points.leaves, LEVEL_LEAVES, look_leaves, &j);
    p->first[0] = 0;
    for (size_t i = 0; i < s->particles.count; i++) p->first[i + 1] += p->first[i];
    const size_t groups = p->first[s->particles.count];
    const rill_status st = pairs_make_room(s, HALVES / 3 * (uint64_t)groups);
    if (!st) {
        p->own = s->gradient;
        p->other = p->own + LEVEL_GROUP * groups;
        p->id = (uint32_t *)(void *)(p->other + LEVEL_GROUP * groups);
        p->sizes = p->id + SIZED_LANES * groups;
        parallel_for(s->sim.ctx, a->points.leaves, LEVEL_LEAVES, fill_leaves, &j);
    }
    arena_back(&a->sampling, mark);
    return st;
}
