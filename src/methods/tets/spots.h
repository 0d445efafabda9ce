/* A growing set of points with a grid of cells hashed over space: which is nearest?
 *
 * Points are added one by one, so that a greedy choice can look at those chosen before. A cell
 * should be about as wide as the distances that are asked for. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"

#define SPOT_NONE UINT32_MAX

typedef struct spots {
    rill_ctx *ctx;
    double cell;
    uint32_t *head, mask; /* of the hashed cells: their newest point */
    uint32_t count;
    size_t capacity, next_capacity, normal_capacity;
    rill_vec3 *x, *normal; /* normal: zero agrees with every other */
    uint32_t *next;        /* in the same hashed cell */
} spots;

/* expected: how many points there will be, about. */
RILL_CHECKED rill_status spots_init(rill_ctx *ctx, spots *s, double cell, size_t expected);
void spots_clear(spots *s);
RILL_CHECKED rill_status spots_add(spots *s, rill_vec3 x, rill_vec3 normal);
/* The nearest within r whose normal's product with `normal` is not below `agree`; SPOT_NONE. */
uint32_t spots_nearest(const spots *s, rill_vec3 x, double r, rill_vec3 normal, double agree);
