/* Long waves of pressure, solved on cells (coarse.c). */
#pragma once

#include "geom/search/tiles.h"
#include "sph/core/state.h"
#include "sph/dfsph/multigrid.h"
#include "sph/dfsph/residuals.h"

/* The occupied cells of a step's tiles; with particles of several sizes of tiles made for it, with cells as
 * wide as the largest kernel there is. Lives in the arena of the step. */
typedef struct coarse {
    residuals *cycles; /* of the solve */
    sph *s;
    tiles tiles;
    const uint32_t *order;      /* the particles in the tiles' order; NULL: as they are */
    const uint8_t *size;        /* size class of each particle; NULL: all of class 0 */
    const uint8_t *near_wall;   /* per tile; NULL: any may be */
    const float *wall_distance; /* per slot of tiles near walls; NULL: to be computed */
    uint32_t count;
    uint32_t *slot;        /* of a cell: 64 tile + cell in the tile */
    uint32_t (*beside)[6]; /* -x +x -y +y -z +z: a cell, air or wall */
    cell_multigrid grid;
    uint8_t *state, *next; /* cell_state; after the next revision */
    float *e;              /* change of k */
    float *b, *r;          /* right side; residual */
    float *k;              /* mean of the cell */
    float unit, mean;      /* of the right side */
    float per_rest;
    bool pulls;
    bool closed; /* no cell is beside air: the liquid is as large as its tank */
} coarse;

RILL_CHECKED rill_status coarse_build(sph *s, rill_arena *arena, coarse *out);
/* Changes s->solve.k by what s->solve.residual asks for, where that is not 0: left + scale laplace(change) =
 * 0. With `pulls`, k may be negative inside. False: the residual has no long waves. */
bool coarse_correct(coarse *c, double scale, bool pulls);
