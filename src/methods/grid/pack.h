/* The density of the particles, and what puts it right. */
#pragma once

#include "grid/state.h"

/* How much of a cell the liquid fills, by its distance. */
static inline float grid_filled(float phi)
{
    const float f = 0.5f - phi;
    return f < 0 ? 0 : f > 1 ? 1 : f;
}

/* The time in which the density may be put right without stirring the liquid more than it moves:
 * that of its shortest waves, or in which it crosses a dozen cells. Steps may be much shorter. */
double grid_pack_time(const grid *s, double gravity);

/* Adds to flux, per cell of the tiles that have liquid (some), the flow out of it per face area, m/s, that
 * takes a share of the density's error away. spread, unless NULL, takes the large errors' part, for positions
 * alone; 0 where a cell has no pressure. Scratch is in the stage's arena. */
RILL_CHECKED rill_status grid_pack_flux(grid *s, double dt, double gravity, const uint8_t *some, float *flux,
                                        double *spread);

/* True when the fraction of particles in overfull cells is above a limit: the next step is then half as long.
 * With full steps of four cells the force of a jet on a plate was 8 % too small, and the energy of the liquid
 * rose as packed particles spread. */
bool grid_is_packed(const grid *s);
