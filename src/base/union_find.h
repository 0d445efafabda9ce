/* Disjoint sets over indices: a forest in which every index points towards the root of its set.
 *
 * The root is the lowest index of its set, whatever the order of joining: results do not depend on
 * it, and a pass from the first index on meets a root before the rest of its set. Finding a root
 * halves the path to it, so parents are written by finding too: one thread at a time. */
#pragma once

#include <stdint.h>

/* Every index a set of its own. */
static inline void union_find_init(uint32_t *parent, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) parent[i] = i;
}

static inline uint32_t union_find_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Makes one set of those of a and b; returns its root. */
static inline uint32_t union_find_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = union_find_root(parent, a);
    b = union_find_root(parent, b);
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return parent[high] = low;
}

/* Replaces parents by the numbers of the sets, in the order of their roots; returns how many. */
static inline uint32_t union_find_number(uint32_t *parent, uint32_t count)
{
    uint32_t sets = 0;
    for (uint32_t i = 0; i < count; i++) parent[i] = union_find_root(parent, i);
    for (uint32_t i = 0; i < count; i++) parent[i] = parent[i] == i ? sets++ : parent[parent[i]];
    return sets;
}
