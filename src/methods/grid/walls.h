/* Walls on the grid: what walls.c and walls_thin.c share. */
#pragma once

#include "grid/state.h"

/* Cells whose centre is nearer to a solid than this, in cells, are buried: what particles around say
 * of the surface there is about the wall. */
#define WALLS_BURIED 0.1f

/* Which solids of the scene are thin (s->thin); NULL stays when none is. */
RILL_CHECKED rill_status walls_find_thin(grid *s);

/* Fills s->soft: a particle that goes less far in a step, and is less deep in a solid, came in through
 * the face it is nearest to. Meshes are sampled for it. */
void walls_find_soft(grid *s);

/* Closes the faces of a tile that have a thin solid between the cells on their two sides, and
 * measures the room of the cells it goes through; whether any is near. */
bool walls_part(grid *s, const solids *within, double t, uint32_t tile, rill_vec3 corner);

/* The point that stands for the cell with its centre at x: the centre, or where it is nearest
 * outside of the solids. */
rill_vec3 walls_side(const grid *s, const solids *within, double t, rill_vec3 x);
/* Whether a thin solid is between two points, the first of them outside. */
bool walls_between(const grid *s, const solids *within, double t, rill_vec3 from, rill_vec3 to);
