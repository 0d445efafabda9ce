#include "geom/search/spread.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 256 }; /* points: a bit for each fits into a register */

typedef struct {
    const spread_def *def;
    float *best;             /* of this round */
    uint32_t *source;        /* likewise */
    const uint32_t *settled; /* of the round before */
    const uint8_t *changed;  /* in the round before */
    uint8_t *changes;        /* in this one */
    uint8_t *asked;          /* has neighbours in other blocks that changed in the round before */
    _Atomic uint8_t *asks;   /* in this one: set by any of them, and always to 1 */
    bool begins;             /* the first round */
    atomic_int news;
} spread_job;

/* A block of points, and a queue of those with a new source to hand on, first in, first out. */
typedef struct {
    spread_job *job;
    uint32_t first, size;
    float limit[BLOCK]; /* what is below this is better than what a point has */
    union {
        uint32_t word[BLOCK / 32];
        __m256i all;
    } open; /* a bit each: it takes what is better */
    uint32_t queue[BLOCK], head, tail;
    uint8_t queued[BLOCK];
} spread_work;

static void take(spread_work *w, uint32_t i, float worth, uint32_t source)
{
    const uint32_t at = i - w->first;
    spread_job *j = w->job;
    j->best[i] = worth;
    j->source[i] = source;
    w->limit[at] = worth - j->def->enough[i];
    if (!(worth < j->def->most)) return; /* not to be handed on */
    j->changes[i] = 1;
    if (w->queued[at]) return;
    w->queued[at] = 1;
    w->queue[w->tail++ % BLOCK] = i;
}

/* Tries up to eight sources at point i, in their order. */
static void try_sources(spread_work *w, uint32_t i, uint32_t *source, size_t count)
{
    const spread_def *d = w->job->def;
    uint32_t point[SPREAD_LANES];
    float worth[SPREAD_LANES];
    for (size_t n = 0; n < SPREAD_LANES; n++) point[n] = i;
    for (size_t n = count; n < SPREAD_LANES; n++) source[n] = source[0];
    d->worth(d->arg, point, source, worth);
    for (size_t n = 0; n < count; n++)
        if (worth[n] < w->limit[i - w->first]) take(w, i, worth[n], source[n]);
}

/* What neighbours in other blocks got in the round before. Most have nothing new, and which do is hard to
 * foresee: the code has no branch for it. */
static void ask_others(spread_work *w, uint32_t i)
{
    const spread_job *j = w->job;
    const sized_list l = sized_list_of(j->def->near, i);
    uint32_t source[2 * SPREAD_LANES];
    size_t count = 0;
    for (const sized_eight *e = l.at; e < l.end; e++) {
        const sized_who who = sized_who_of(e);
        for (int n = 0; n < SIZED_LANES; n++) {
            source[count] = j->settled[who.id[n]]; /* of a padding lane: a source that is known already */
            count += (who.id[n] - w->first >= w->size) & j->changed[who.id[n]];
        }
        if (count < SPREAD_LANES) continue;
        try_sources(w, i, source, SPREAD_LANES);
        count -= SPREAD_LANES;
        memcpy(source, source + SPREAD_LANES, SPREAD_LANES * sizeof *source);
    }
    if (count) try_sources(w, i, source, count);
}

/* Which of eight are of this block. */
static unsigned here8(const spread_work *w, __m256i id)
{
    const __m256i at = _mm256_sub_epi32(id, _mm256_set1_epi32((int)w->first));
    const __m256i last = _mm256_set1_epi32((int)w->size - 1);
    const __m256i here = _mm256_cmpeq_epi32(_mm256_min_epu32(at, last), at);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(here));
}

/* Which of them are open; for others than those of this block the answer means nothing. */
static unsigned open8(const spread_work *w, __m256i id)
{
    const __m256i at = _mm256_sub_epi32(id, _mm256_set1_epi32((int)w->first));
    const __m256i word = _mm256_permutevar8x32_epi32(w->open.all, _mm256_srli_epi32(at, 5));
    const __m256i left = _mm256_sub_epi32(_mm256_set1_epi32(31), _mm256_and_si256(at, _mm256_set1_epi32(31)));
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(word, left)));
}

/* What point i has, to its neighbours in the block; those in other blocks will ask. */
static void hand_on(spread_work *w, uint32_t i)
{
    spread_job *j = w->job;
    const spread_def *d = j->def;
    const sized_list l = sized_list_of(d->near, i);
    uint32_t source[SPREAD_LANES];
    float worth[SPREAD_LANES];
    for (int n = 0; n < SPREAD_LANES; n++) source[n] = j->source[i];
    for (const sized_eight *e = l.at; e < l.end; e++) {
        const sized_who who = sized_who_of(e);
        const unsigned here = here8(w, who.all), there = ~here & sized_present(e);
        unsigned open = here & open8(w, who.all);
        if (open) {
            uint32_t point[SPREAD_LANES];
            for (int n = 0; n < SPREAD_LANES; n++) point[n] = here >> n & 1 ? who.id[n] : i;
            d->worth(d->arg, point, source, worth);
            for (; open; open &= open - 1) {
                const int n = __builtin_ctz(open);
                if (worth[n] < w->limit[who.id[n] - w->first]) take(w, who.id[n], worth[n], source[n]);
            }
        }
        for (unsigned m = there; m && j->changes[i]; m &= m - 1) {
            const uint32_t k = who.id[__builtin_ctz(m)];
            atomic_store_explicit(&j->asks[k], 1, memory_order_relaxed);
        }
    }
}

static void spread_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    spread_job *j = arg;
    const spread_def *d = j->def;
    spread_work w = {.job = j, .first = (uint32_t)begin, .size = (uint32_t)(end - begin)};
    if (!j->begins && !memchr(j->asked + begin, 1, end - begin)) {
        memset(j->changes + begin, 0, end - begin);
        return;
    }
    for (uint32_t n = 0; n < w.size; n++) {
        const uint32_t i = w.first + n;
        w.limit[n] = j->best[i] - d->enough[i];
        w.open.word[n / 32] |= (uint32_t) !(d->fixed && d->fixed[i]) << n % 32;
        j->changes[i] = 0;
        if (!j->begins || !j->changed[i]) continue;
        w.queued[n] = 1;
        w.queue[w.tail++ % BLOCK] = i;
    }
    for (uint32_t n = 0; n < w.size; n++)
        if (j->asked[w.first + n] && w.open.word[n / 32] >> n % 32 & 1) ask_others(&w, w.first + n);
    memset(j->asked + begin, 0, end - begin); /* they will be those of the next round but one */
    while (w.head != w.tail) {
        const uint32_t i = w.queue[w.head++ % BLOCK];
        w.queued[i - w.first] = 0;
        hand_on(&w, i);
    }
    if (memchr(j->changes + begin, 1, end - begin)) atomic_store(&j->news, 1);
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
    changed[n] = changes[n] = 0; /* the padding point has no source */
    settled[n] = SPREAD_NONE;
    memset(asked, 1, n);
    memset(asks, 0, n + 1);
    spread_job j = {.def = def, .best = best, .source = source, .settled = settled, .begins = true};
    do {
        memcpy(settled, source, n * sizeof *settled);
        j.changed = changed;
        j.changes = changes;
        j.asked = asked;
        j.asks = (_Atomic uint8_t *)asks;
        atomic_store(&j.news, 0);
        parallel_for(ctx, n, BLOCK, spread_block, &j);
        j.begins = false;
        uint8_t *const last = changed, *const done = asked;
        changed = changes;
        changes = last;
        asked = asks;
        asks = done;
    } while (atomic_load(&j.news));
    return RILL_OK;
}
