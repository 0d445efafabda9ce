/* Particles into the lists of others, without making these anew: of leaves that were just listed, whom the
 * lists of their neighbours may not hold, and of strays and their neighbours.
 *
 * Who lacks whom is found in parallel, and written down in any order; they are put into the lists in the
 * order of their numbers, so that lists are the same for any number of threads. Lists are padded to whole
 * eights, and most have a place or two to spare; where one has not, its leaf is to be listed. */
#include "sph/levels.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    const sph *s;
    leaf_choice some;
    const sized_eight *entries; /* of the lists */
    _Atomic size_t count;
} join_job;

static void lacks(join_job *j, uint32_t who, uint32_t other)
{
    const struct levels *a = j->s->levels;
    const size_t at = atomic_fetch_add(&j->count, 1);
    if (at < a->joins_most) a->join[at] = (uint64_t)who << 32 | other;
}

static void leaf_joins(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    join_job *j = arg;
    const sph *s = j->s;
    const struct levels *a = s->levels;
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, leaf_chosen(&j->some, k));
        for (uint32_t i = c->begin; i < c->end; i++) {
            const sized_list l = sized_list_of(&a->lists, i);
            const sized_eight *e = j->entries + (l.at - a->lists.pool);
            for (sized_walk w = sized_walk_over(e, e + (l.end - l.at)); sized_walk_on(&w);)
                if (!(w.id >= c->begin && w.id < c->end) && !sized_lists_hold(&a->lists, j->entries, w.id, i))
                    lacks(j, w.id, i);
        }
    }
}

static void stray_joins(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    enum { NEAR = 1024 };
    join_job *j = arg;
    const sph *s = j->s;
    const struct levels *a = s->levels;
    uint32_t near[NEAR];
    for (size_t n = begin; n < end; n++) {
        const uint32_t i = a->stray[n];
        const size_t found = sized_points_near(&a->points, s->particles.position, s->particles.position[i],
                                               a->size[i], (1 + 1e-9) / (1 + LEVELS_SKIN), near, NEAR);
        if (found > NEAR) atomic_fetch_add(&j->count, a->joins_most); /* all have to be listed */
        for (size_t k = 0; k < found && k < NEAR; k++) {
            const bool has = sized_lists_hold(&a->lists, j->entries, i, near[k]),
                       known = sized_lists_hold(&a->lists, j->entries, near[k], i);
            if ((has && known) || (s->thin && !a->whole && !levels_see(s, i, near[k], false))) continue;
            if (!has) lacks(j, i, near[k]);
            if (!known) lacks(j, near[k], i);
        }
    }
}

static size_t leaf_of(const sized_points *p, uint32_t i)
{
    size_t low = 0, high = p->leaves;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (sized_leaf(p, middle)->begin <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

rill_status levels_begin_joins(sph *s)
{
    struct levels *a = s->levels;
    a->joins_most = s->particles.count / 4 + 1024;
    return ARENA_NEW(&s->scratch, a->join, a->joins_most);
}

size_t levels_join(sph *s, size_t count, bool strays)
{
    struct levels *a = s->levels;
    sized_eight *entries = a->whole ? a->whole : a->lists.pool;
    join_job j = {.s = s, .some = {a->stale_leaf, count}, .entries = entries};
    parallel_for(s->sim.ctx, count, 1, leaf_joins, &j);
    if (strays) parallel_for(s->sim.ctx, a->strays, 4, stray_joins, &j);
    const size_t joins = atomic_load(&j.count);
    if (joins > a->joins_most) return a->points.leaves;
    qsort(a->join, joins, sizeof *a->join, by_number);
    for (size_t k = 0; k < a->points.leaves; k++) a->leaf_past[k].stale = false;
    for (size_t n = 0; n < joins; n++) {
        const uint32_t who = (uint32_t)(a->join[n] >> 32), other = (uint32_t)a->join[n];
        if (n > 0 && a->join[n] == a->join[n - 1]) continue; /* two strays */
        if (!sized_lists_put(&a->lists, &a->points, entries, who, other))
            a->leaf_past[leaf_of(&a->points, who)].stale = true;
    }
    return levels_choose_stale(s);
}
