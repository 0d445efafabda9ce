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
    uint8_t *asked;          /* has neighbours in other blocks that changed in the round before */
    _Atomic uint8_t *asks;   /* in this one: set by any of them, and always to 1 */
    atomic_int news;
} spread_job;

/* What a point has, while it looks at its neighbours. */
typedef struct {
    float best, enough;
    uint32_t from;
} holding;

/* Tries `count` sources, in their order. */
static bool try_sources(const spread_def *d, uint32_t i, uint32_t *source, size_t count, holding *h)
{
    float worth[SPREAD_LANES];
    for (size_t n = count; n < SPREAD_LANES; n++) source[n] = source[0];
    d->worth(d->arg, i, source, worth);
    bool better = false;
    for (size_t n = 0; n < count; n++)
        if (worth[n] < h->best - h->enough) {
            h->best = worth[n];
            h->from = source[n];
            better = true;
        }
    return better;
}

/* Looks at the neighbours of one point; hot[] of the block: the last sweep in which its points changed. Most
 * neighbours bring nothing new, and which do is hard to foresee: no branch tells them apart. */
static bool look(const spread_job *j, uint32_t i, size_t begin, size_t end, const uint8_t *hot, int sweep)
{
    const spread_def *d = j->def;
    const sized_list l = sized_list_of(d->near, i);
    const uint32_t first = (uint32_t)begin, size = (uint32_t)(end - begin);
    const int inside = sweep - 1,
              outside = sweep > FIRST ? UINT8_MAX : 1; /* what is new is not below these */
    holding h = {j->best[i], d->enough[i], j->source[i]};
    uint32_t news[2 * SPREAD_LANES];
    size_t count = 0;
    bool better = false;
    for (const uint32_t *e = l.at; e < l.end; e += SIZED_LANES) {
        for (int n = 0; n < SIZED_LANES; n++) {
            const uint32_t k = e[n], at = k - first;
            const bool here = at < size;
            const uint8_t when = *(here ? hot + at : j->changed + k);
            const uint32_t source = *(here ? j->source + k : j->settled + k);
            news[count] = source;
            count += (when >= (here ? inside : outside)) & (source != h.from);
        }
        if (count < SPREAD_LANES) continue;
        better |= try_sources(d, i, news, SPREAD_LANES, &h);
        count -= SPREAD_LANES;
        memcpy(news, news + SPREAD_LANES, SPREAD_LANES * sizeof *news);
    }
    if (count) better |= try_sources(d, i, news, count, &h);
    j->best[i] = h.best;
    j->source[i] = h.from;
    return better;
}

/* Those who are to look at point i again: in the block in this round, outside in the next. */
static void ask(const spread_job *j, uint32_t i, size_t begin, size_t end, uint8_t *want)
{
    const sized_list l = sized_list_of(j->def->near, i);
    for (const uint32_t *e = l.at; e < l.end; e++) {
        if (*e >= begin && *e < end)
            want[*e - begin] = 1;
        else if (*e < j->def->count)
            atomic_store_explicit(&j->asks[*e], 1, memory_order_relaxed);
    }
}

static void spread_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    spread_job *j = arg;
    const spread_def *d = j->def;
    uint8_t hot[BLOCK]; /* the sweep of the last change */
    uint8_t want[BLOCK];
    for (size_t i = begin; i < end; i++) hot[i - begin] = j->changed[i] ? FIRST - 1 : 0;
    memcpy(want, j->asked + begin, end - begin);
    memset(j->asked + begin, 0, end - begin); /* they will be those of the next round but one */
    memset(j->changes + begin, 0, end - begin);
    bool any = false;
    for (int sweep = FIRST; sweep < UINT8_MAX && memchr(want, 1, end - begin); sweep++)
        for (size_t n = 0; n < end - begin; n++) {
            const size_t i = sweep & 1 ? end - 1 - n : begin + n;
            if (!want[i - begin]) continue;
            want[i - begin] = 0;
            if (d->fixed && d->fixed[i]) continue;
            if (!look(j, (uint32_t)i, begin, end, hot, sweep) || !(j->best[i] < d->most)) continue;
            hot[i - begin] = (uint8_t)sweep;
            j->changes[i] = 1;
            any = true;
            ask(j, (uint32_t)i, begin, end, want);
        }
    if (any) atomic_store(&j->news, 1);
}

rill_status spread(rill_ctx *ctx, rill_arena *arena, const spread_def *def, float *best, uint32_t *source)
{
    const size_t n = def->count;
    uint32_t *settled;
    uint8_t *changed, *changes, *asked, *asks;
    TRY(ARENA_NEW(arena, settled, n + 1));
    TRY(ARENA_NEW(arena, changed, n + 1));
    TRY(ARENA_NEW(arena, changes, n + 1));
    TRY(ARENA_NEW(arena, asked, n + 1));
    TRY(ARENA_NEW(arena, asks, n + 1));
    for (size_t i = 0; i < n; i++) changed[i] = source[i] != SPREAD_NONE && best[i] < def->most;
    changed[n] = changes[n] = 0; /* nobody knows nothing */
    settled[n] = SPREAD_NONE;
    memset(asked, 1, n);
    memset(asks, 0, n);
    spread_job j = {.def = def, .best = best, .source = source, .settled = settled};
    do {
        memcpy(settled, source, n * sizeof *settled);
        j.changed = changed;
        j.changes = changes;
        j.asked = asked;
        j.asks = (_Atomic uint8_t *)asks;
        atomic_store(&j.news, 0);
        parallel_for(ctx, n, BLOCK, spread_block, &j);
        uint8_t *const last = changed, *const done = asked;
        changed = changes;
        changes = last;
        asked = asks;
        asks = done;
    } while (atomic_load(&j.news));
    return RILL_OK;
}
