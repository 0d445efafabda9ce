/* Connected parts of the liquid that touch no air, found by walking over the cells. The
 * solvers without a hierarchy use it; multigrid_labels gives the same parts for less. */
#pragma once

#include "grid/pressure/level.h"

/* label: per index of l, number of the part, or NO_NODE; NULL when there are none. */
RILL_CHECKED rill_status components_label(rill_arena *memory, rill_arena *scratch, const level *l,
                                          uint32_t **label, uint32_t *count);
