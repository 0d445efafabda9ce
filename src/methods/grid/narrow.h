/* Particles near the surface alone ([Ferstl16]: narrow band FLIP). */
#pragma once

#include "grid/state.h"

static inline bool grid_narrow(const grid *s)
{
    return s->def.narrow > 0 && s->def.surface == GRID_PARTICLES;
}

/* What the fields of the last step, or of a loaded state, say of the liquid. */
grid_past narrow_past(const grid *s);
/* Puts the fields aside, for the arena and the tiles are about to be used anew. */
RILL_CHECKED rill_status narrow_keep(grid *s);
/* Tiles with liquid by the grid, and its range. */
RILL_CHECKED rill_status narrow_cores(const grid_past *past, rill_arena *arena, grid_core **out,
                                      size_t *count);
/* s->fill: cells that are liquid by what the past says, carried to now; and, unless NULL, the
 * velocity of their faces, in the past's frame. After the walls. */
RILL_CHECKED rill_status narrow_fill(grid *s, const grid_past *past, float *const carry[3]);
/* Gives that velocity to the faces that particles do not determine. */
void narrow_velocity(grid *s, const grid_past *past, float *const carry[3]);

/* How deep cells lie, and what the liquid's volume is; after the level set. */
RILL_CHECKED rill_status narrow_layers(grid *s);
/* New particles where they are too few, and which are to go; before they move. */
RILL_CHECKED rill_status narrow_reseed(grid *s);
/* Removes the particles that narrow_reseed marked. */
void narrow_absorb(grid *s);

/* The first fields; deep particles go. */
RILL_CHECKED rill_status narrow_start(grid *s);
RILL_CHECKED rill_status narrow_save(const grid *s, rill_writer *w);
RILL_CHECKED rill_status narrow_load(grid *s, rill_reader *r);
