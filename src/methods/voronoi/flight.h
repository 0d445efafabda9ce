/* Parts of the liquid in flight: touched by no wall and no solid, with a surface all around.
 *
 * Gravity moves such a part as a whole and presses nothing. Its mean velocity is taken out of the fluxes
 * before the projection and put back afterwards with what gravity adds, so that a part that falls as a whole
 * does so exactly, whatever the weights of the projection are rounded to. */
#pragma once

#include "voronoi/state.h"

typedef struct brochu_flight {
    const uint32_t *part; /* [cell of the mesh] */
    rill_vec3 *velocity;  /* [part] taken out */
    uint8_t *flies;       /* [part] */
} brochu_flight;

/* cell: of each real site, or SITE_NONE. Fluxes are those of mesh; both as they are before the projection.
 * The result is in the arena. */
RILL_CHECKED rill_status brochu_flight_find(rill_arena *arena, const brochu_diagram *d, const uint32_t *cell,
                                            const fv_mesh *mesh, const double *flux, brochu_flight *out);

static inline bool brochu_flies(const brochu_flight *f, uint32_t cell)
{
    return f->flies[f->part[cell]];
}
