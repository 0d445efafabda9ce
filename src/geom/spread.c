#include "geom/spread.h"

#include <string.h>

enum { BLOCK = 256, FIRST = 2 }; /* points; the first sweep over a block, the round before being one more */

typedef struct {
    const spread_def *def;
    float *best;             /* of this round */
    uint32_t *source;        /* likewise */
    const uint32_t *settled; /* of the round before */
    const uint8_t *changed;  /* in the round before */
    uint8_t *changes;        /* in this one */
    atomic_int news;
} spread_job;

/* Looks at the neighbours of one point; hot[] of the block: the last sweep in which its points changed. */
static bool look(const spread_job *j, uint32_t i, size_t begin, size_t end, const uint8_t *hot, int sweep)
{
    const spread_def *d = j->def;
    const sized_list l = sized_list_of(d->near, i);
    float best = j->best[i];
    uint32_t from = j->source[i];
    bool better = false;
    for (const uint32_t *e = l.at; e < l.end; e++) {
        uint32_t k;
        if (*e >= begin && *e < end) {
            if (hot[*e - begin] + 1 < sweep) continue;
            k = j->source[*e];
        } else {
            if (sweep > FIRST || *e >= d->count || !j->changed[*e]) continue;
            k = j->settled[*e];
        }
        if (k == from) continue;
        const float worth = d->worth(d->arg, i, k, best - d->enough[i]);
        if (!(worth < best - d->enough[i])) continue;
        best = worth;
        from = k;
        better = true;
    }
    j->best[i] = best;
    j->source[i] = from;
    return better;
}

static void spread_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    spread_job *j = arg;
    const spread_def *d = j->def;
    uint8_t hot[BLOCK]; /* the sweep of the last change */
    for (size_t i = begin; i < end; i++) hot[i - begin] = j->changed[i] ? FIRST - 1 : 0;
    memset(j->changes + begin, 0, end - begin);
    bool any = false;
    for (int sweep = FIRST, more = 1; more && sweep < UINT8_MAX; sweep++) {
        more = 0;
        for (size_t n = 0; n < end - begin; n++) {
            const size_t i = sweep & 1 ? begin + n : end - 1 - n;
            if (d->fixed && d->fixed[i]) continue;
            if (!look(j, (uint32_t)i, begin, end, hot, sweep) || !(j->best[i] < d->most)) continue;
            hot[i - begin] = (uint8_t)sweep;
            j->changes[i] = 1;
            more = any = true;
        }
    }
    if (any) atomic_store(&j->news, 1);
}

rill_status spread(rill_ctx *ctx, rill_arena *arena, const spread_def *def, float *best, uint32_t *source)
{
    const size_t n = def->count;
    uint32_t *settled;
    uint8_t *changed, *changes;
    TRY(ARENA_NEW(arena, settled, n + 1));
    TRY(ARENA_NEW(arena, changed, n + 1));
    TRY(ARENA_NEW(arena, changes, n + 1));
    for (size_t i = 0; i < n; i++) changed[i] = source[i] != SPREAD_NONE && best[i] < def->most;
    spread_job j = {.def = def, .best = best, .source = source};
    do {
        memcpy(settled, source, n * sizeof *settled);
        j.settled = settled;
        j.changed = changed;
        j.changes = changes;
        atomic_store(&j.news, 0);
        parallel_for(ctx, n, BLOCK, spread_block, &j);
        uint8_t *const last = changed;
        changed = changes;
        changes = last;
    } while (atomic_load(&j.news));
    return RILL_OK;
}
