/* A few dense rows and columns that are never written out: A + V V^T.
 *
 * Each group is up to six vectors on the same rows, as a rigid body couples the cells
 * around it through its linear and angular velocity ([Klingner06] eq. 6 and 7 with the
 * root of the inverse mass matrix folded into the vectors). */
#pragma once

#include "base/memory.h"

enum { LOW_RANK_WIDTH = 6 };

typedef struct low_rank_entry {
    uint32_t row;
    double v[LOW_RANK_WIDTH];
} low_rank_entry;

typedef struct low_rank {
    uint32_t groups;
    const uint32_t *start;       /* groups + 1, into entry */
    const low_rank_entry *entry; /* a row at most once in a group */
} low_rank;

/* s[LOW_RANK_WIDTH * groups] = V^T p. */
void low_rank_gather(const low_rank *l, const double *p, double *s);
/* q += V s. */
void low_rank_scatter(const low_rank *l, const double *s, double *q);
