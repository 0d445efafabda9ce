/* Serial, entry after entry: a body's surface is few rows beside the fluid's. */
#include "linalg/low_rank.h"

void low_rank_gather(const low_rank *l, const double *p, double *s)
{
    for (uint32_t g = 0; g < l->groups; g++, s += LOW_RANK_WIDTH) {
        for (int c = 0; c < LOW_RANK_WIDTH; c++) s[c] = 0;
        for (uint32_t k = l->start[g]; k < l->start[g + 1]; k++)
            for (int c = 0; c < LOW_RANK_WIDTH; c++) s[c] += l->entry[k].v[c] * p[l->entry[k].row];
    }
}

void low_rank_scatter(const low_rank *l, const double *s, double *q)
{
    for (uint32_t g = 0; g < l->groups; g++, s += LOW_RANK_WIDTH)
        for (uint32_t k = l->start[g]; k < l->start[g + 1]; k++) {
            double sum = 0;
            for (int c = 0; c < LOW_RANK_WIDTH; c++) sum += l->entry[k].v[c] * s[c];
            q[l->entry[k].row] += sum;
        }
}
