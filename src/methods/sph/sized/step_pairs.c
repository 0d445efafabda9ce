/* The pairs of a step of dfsph between particles of several sizes: those within reach of the larger of their
 * two kernels.
 *
 * Lists are kept for several steps, reach farther than the kernels, and come in two parts, each padded to
 * whole groups: of 46 entries 37 remain here. The passes that a solve repeats some fifty times a step visit
 * these alone. Both ends of a pair decide alike, since differences of positions are exact. */
#include "sph/dfsph/coarse.h"
#include "sph/dfsph/pairs.h"
#include "sph/sized/pass.h"

typedef struct {
    sph *s;
    uint8_t *mask; /* per group of the lists: which of its eight entries */
} find_job;

/* Which of eight entries are within reach and not the particle itself. */
SPH_INLINE unsigned within8(const sized_state *a, uint32_t i, const sized_eight *e, __m256 reach2,
                            __m256 unit)
{
    const vec8 at = near8(a->step.place, e);
    const __m256 d2 = places_apart(a->step.place[i], &at, unit, _mm256_setzero_ps()).d2;
    const __m256i itself = _mm256_cmpeq_epi32(sized_who_of(e).all, _mm256_set1_epi32((int)i));
    const __m256 within = _mm256_cmp_ps(d2, reach2, _CMP_LT_OQ);
    return (unsigned)_mm256_movemask_ps(_mm256_andnot_ps(_mm256_castsi256_ps(itself), within));
}

static void look_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const find_job *j = arg;
    const sph *s = j->s;
    const sized_state *a = s->sized;
    const __m256 unit = _mm256_set1_ps((float)a->step.unit);
    for (uint32_t i = leaf_particles(s, begin).begin; i < leaf_particles(s, end - 1).end; i++) {
        const sized_list l = sized_list_of(&a->lists, i);
        const float *wider2 = a->pair[a->size[i]].wider2;
        const table8 reach2 = table8_make(wider2);
        const __m256 alike = _mm256_set1_ps(wider2[a->size[i]]);
        uint8_t *mask = j->mask + a->lists.first[i];
        int count = 0;
        for (const sized_eight *e = l.at; e < l.end; e++, mask++) {
            const __m256 r2 = e < l.mixed ? alike : pick8(&reach2, classes8(e->sizes));
            *mask = (uint8_t)within8(a, i, e, r2, unit);
            count += __builtin_popcount(*mask);
        }
        a->step.pairs.first[i + 1] = (uint32_t)(count + SIZED_LANES - 1) / SIZED_LANES;
    }
}

static void fill_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const find_job *j = arg;
    const sph *s = j->s;
    const sized_state *a = s->sized;
    const step_pairs *p = &a->step.pairs;
    const uint32_t padding = (uint32_t)s->particles.count;
    for (uint32_t i = leaf_particles(s, begin).begin; i < leaf_particles(s, end - 1).end; i++) {
        const sized_list l = sized_list_of(&a->lists, i);
        const step_list to = step_list_of(s, i);
        const uint8_t *mask = j->mask + a->lists.first[i];
        uint32_t *id = p->id + SIZED_LANES * to.begin, *last = p->id + SIZED_LANES * to.end;
        for (const sized_eight *e = l.at; e < l.end; e++)
            for (unsigned m = *mask++; m; m &= m - 1) *id++ = e->base + e->off[__builtin_ctz(m)];
        while (id < last) *id++ = padding;
        for (size_t k = to.begin; k < to.end; k++) {
            uint32_t sizes = 0;
            for (int n = 0; n < SIZED_LANES; n++)
                sizes |= (uint32_t)a->size[p->id[SIZED_LANES * k + (size_t)n]] << 4 * n;
            p->sizes[k] = sizes;
        }
    }
}

/* Size of a group: both gradients, particles and classes, in half floats. */
enum { HALVES = 2 * GROUP_HALVES + 2 * SIZED_LANES + 2 };

rill_status sized_find_step_pairs(sph *s)
{
    sized_state *a = s->sized;
    step_pairs *p = &a->step.pairs;
    const arena_mark mark = arena_mark_of(&a->arena);
    find_job j = {.s = s};
    TRY(ARENA_NEW(&a->arena, j.mask, (size_t)a->lists.used + 1));
    parallel_for(s->sim.ctx, a->points.leaves, LEAVES_PER_TASK, look_leaves, &j);
    p->first[0] = 0;
    for (size_t i = 0; i < s->particles.count; i++) p->first[i + 1] += p->first[i];
    const size_t groups = p->first[s->particles.count];
    const rill_status st = pairs_reserve(s, HALVES / 3 * (uint64_t)groups);
    if (!st) {
        p->own = s->solve.gradient;
        p->other = p->own + GROUP_HALVES * groups;
        p->id = (uint32_t *)(void *)(p->other + GROUP_HALVES * groups);
        p->sizes = p->id + SIZED_LANES * groups;
        parallel_for(s->sim.ctx, a->points.leaves, LEAVES_PER_TASK, fill_leaves, &j);
    }
    arena_back(&a->arena, mark);
    return st;
}

/* -- for the solves ------------------------------------------------------------------------- */

/* Pressures of particles of several sizes are rougher: the column is the mean over neighbours. */
const float *sized_shown_pressure(sph *s)
{
    sized_smooth(s, s->solve.change, s->solve.residual);
    return s->solve.residual;
}

/* step.arena is that of the lists, and lasts longer than a step. */
rill_arena *sized_solve_arena(sph *s)
{
    return &s->sized->arena;
}

/* Cells as wide as the largest kernel among the particles: in smaller ones some would be empty. */
rill_status sized_cells(sph *s, rill_arena *arena, coarse *out)
{
    const sized_state *a = s->sized;
    int coarsest = 0;
    for (size_t i = 0; i < s->particles.count; i++) coarsest = a->size[i] > coarsest ? a->size[i] : coarsest;
    TRY(tiles_build(s->sim.ctx, arena, s->particles.position, s->particles.count, a->kernel[coarsest].support,
                    s->sim.scene->dimensions, &out->tiles));
    out->order = out->tiles.order;
    out->size = a->size;
    return RILL_OK;
}
