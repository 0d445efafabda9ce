/* The order of grid sites along Hilbert's space-filling curve: neighbours in the order
 * are neighbours in space. Keys by Hamilton's automaton of 24 states (Hamilton and
 * Rau-Chaplin 2008). */
#pragma once

#include "base/arena.h"
#include "base/parallel.h"
#include "geom/delaunay/predicates.h"

enum { HILBERT_BITS = 21 }; /* the finest keys, per axis */

typedef struct hilbert_automaton {
    uint8_t digit[24][8], next[24][8]; /* by state and octant x + 2 y + 4 z */
} hilbert_automaton;

void hilbert_automaton_make(hilbert_automaton *a);
/* The key of a site by the `bits` highest bits of its coordinates, which are below 2^25. */
uint64_t hilbert_key(const hilbert_automaton *a, const grid_site *s, int bits);

/* order[k]: the k-th site along the curve, of those whose keep is not UINT32_MAX
 * (NULL: of all). Sites in the same cell of the curve go by coordinates and
 * then by index, so that the order is a function of the points and twins are next to each
 * other. Scratch comes from the arena; order has `count` elements; *ordered is the number written. */
RILL_CHECKED rill_status hilbert_order(rill_ctx *ctx, rill_arena *arena, const grid_site *site, size_t count,
                                       const uint32_t *keep, uint32_t *order, size_t *ordered);
