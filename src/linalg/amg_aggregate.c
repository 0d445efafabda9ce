/* Which rows belong together. One serial pass: it reads every entry once, and its result
 * depends on the order of the rows, which space-sorted cells make a good one. */
#include "linalg/amg_level.h"

#include "base/parallel.h"

typedef struct {
    const amg_level *level;
    float threshold;
    uint8_t *strong;
} strength;

static void strength_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const strength *s = arg;
    const amg_level *l = s->level;
    const float limit = s->threshold * s->threshold;
    for (size_t i = begin; i < end; i++) {
        const float own = limit * l->diagonal[i];
        for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++)
            s->strong[k] = l->weight[k] * l->weight[k] > own * l->diagonal[l->column[k]];
    }
}

void amg_strength(rill_ctx *ctx, const amg_level *l, float threshold, uint8_t *strong)
{
    strength s = {l, threshold, strong};
    parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, strength_rows, &s);
}

enum { UNDECIDED = -2 };

/* A row that is still undecided takes its strong neighbours, also out of other
 * aggregates, and those of their neighbours that are undecided. */
static void gather(const amg_level *l, const uint8_t *strong, uint32_t root, int32_t id, int32_t *aggregate,
                   uint32_t *taken)
{
    uint32_t count = 0;
    aggregate[root] = id;
    for (uint32_t k = l->start[root]; k < l->start[root + 1]; k++) {
        const uint32_t j = l->column[k];
        if (!strong[k] || aggregate[j] == AMG_ALONE) continue;
        aggregate[j] = id;
        taken[count++] = j;
    }
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t k = l->start[taken[t]]; k < l->start[taken[t] + 1]; k++)
            if (strong[k] && aggregate[l->column[k]] == UNDECIDED) aggregate[l->column[k]] = id;
}

/* Aggregates of which nothing is left get no number. */
static uint32_t renumber(uint32_t rows, int32_t *aggregate, uint32_t count, uint32_t *number)
{
    for (uint32_t c = 0; c < count; c++) number[c] = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (aggregate[i] >= 0) number[aggregate[i]] = 1;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < count; c++) number[c] = number[c] ? kept++ : 0;
    for (uint32_t i = 0; i < rows; i++)
        if (aggregate[i] >= 0) aggregate[i] = (int32_t)number[aggregate[i]];
    return kept;
}

uint32_t amg_aggregate(const amg_level *l, const uint8_t *strong, int32_t *aggregate, uint32_t *scratch)
{
    for (uint32_t i = 0; i < l->rows; i++) {
        aggregate[i] = AMG_ALONE;
        for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++)
            if (strong[k]) {
                aggregate[i] = UNDECIDED;
                break;
            }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->rows; i++)
        if (aggregate[i] == UNDECIDED) gather(l, strong, i, (int32_t)count++, aggregate, scratch);
    return renumber(l->rows, aggregate, count, scratch);
}
