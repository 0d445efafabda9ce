/* Sites by place in a hash grid, to refuse those that would be too near to one there is: [Brochu10] 5.1.
 * A cell is a spacing wide, which no distance asked about exceeds. Lives in an arena. */
#pragma once

#include "base/arena.h"
#include "voronoi/state.h"

typedef struct brochu_near {
    double cell;
    uint32_t mask;
    uint32_t *head, *next; /* next: [site], as many as there was room for */
    uint32_t room;
} brochu_near;

RILL_CHECKED rill_status brochu_near_init(rill_arena *arena, double cell, uint32_t most, brochu_near *out);
/* Site i, whose place and kind are in the list. */
void brochu_near_add(brochu_near *n, const brochu_sites *sites, uint32_t i);
/* Whether a site of the same kind is nearer than `same`, or one of the other than `other`. */
bool brochu_near_any(const brochu_near *n, const brochu_sites *sites, rill_vec3 x, bool liquid, double same,
                     double other);
