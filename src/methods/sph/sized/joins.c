/* Adds entries to existing lists: particles of leaves whose lists were just rebuilt into the lists of their
 * neighbours, and strays and their neighbours into each other's.
 *
 * Missing entries are found in parallel, in any order, sorted by particle numbers and then added, so that
 * lists are the same for any number of threads. Lists are padded to whole groups of eight, and most have one
 * or two unused lanes; where a list has none, its leaf becomes stale. */
#include "sph/sized/sized.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    const sph *s;
    leaf_set some;
    const sized_eight *entries; /* of the lists */
    _Atomic size_t count;
} join_job;

static void lacks(join_job *j, uint32_t particle, uint32_t other)
{
    const sized_state *a = j->s->sized;
    const size_t at = atomic_fetch_add(&j->count, 1);
    if (at < a->strays.join_capacity) a->strays.join[at] = (uint64_t)particle << 32 | other;
}

static void leaf_joins(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    join_job *j = arg;
    const sph *s = j->s;
    const sized_state *a = s->sized;
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, leaf_at(&j->some, k));
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
    const sized_state *a = s->sized;
    uint32_t near[NEAR];
    for (size_t n = begin; n < end; n++) {
        const uint32_t i = a->strays.particle[n];
        const size_t found = sized_points_near(&a->points, s->particles.position, s->particles.position[i],
                                               a->size[i], (1 + 1e-9) / (1 + LIST_SKIN), near, NEAR);
        if (found > NEAR)
            atomic_fetch_add(&j->count, a->strays.join_capacity); /* all lists must be rebuilt */
        for (size_t k = 0; k < found && k < NEAR; k++) {
            const bool has = sized_lists_hold(&a->lists, j->entries, i, near[k]),
                       known = sized_lists_hold(&a->lists, j->entries, near[k], i);
            if ((has && known) || (s->model.thin && !a->plates.whole && !sized_visible(s, i, near[k], false)))
                continue;
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

rill_status sized_begin_joins(sph *s)
{
    sized_state *a = s->sized;
    a->strays.join_capacity = s->particles.count / 4 + 1024;
    return ARENA_NEW(&s->step.arena, a->strays.join, a->strays.join_capacity);
}

size_t sized_join_lists(sph *s, size_t count, bool strays)
{
    sized_state *a = s->sized;
    sized_eight *entries = a->plates.whole ? a->plates.whole : a->lists.pool;
    join_job j = {.s = s, .some = {a->kept.stale_leaf, count}, .entries = entries};
    parallel_for(s->sim.ctx, count, 1, leaf_joins, &j);
    if (strays) parallel_for(s->sim.ctx, a->strays.count, 4, stray_joins, &j);
    const size_t joins = atomic_load(&j.count);
    if (joins > a->strays.join_capacity) return a->points.leaves;
    qsort(a->strays.join, joins, sizeof *a->strays.join, by_number);
    for (size_t k = 0; k < a->points.leaves; k++) a->kept.history[k].stale = false;
    for (size_t n = 0; n < joins; n++) {
        const uint32_t particle = (uint32_t)(a->strays.join[n] >> 32), other = (uint32_t)a->strays.join[n];
        if (n > 0 && a->strays.join[n] == a->strays.join[n - 1]) continue; /* found by both strays */
        if (!sized_lists_put(&a->lists, &a->points, entries, particle, other))
            a->kept.history[leaf_of(&a->points, particle)].stale = true;
    }
    return sized_collect_stale(s);
}
