/* Particles of one size: the door of this room.
 *
 * Particles are sorted into tiles of cells a kernel radius wide; lists hold 16-bit local ids of the tile's
 * halo (geom/search/neighbours.h). The functions below are entries of the table of operations; operations.h
 * of the core says what each does. */
#pragma once

#include "geom/search/neighbours.h"
#include "sph/core/move.h"
#include "sph/core/operations.h"
#include "sph/uniform/tension.h"

/* Per worker: copies of a tile and its halo, by local id. */
typedef struct halo_copy {
    float (*position)[4], (*vector)[4];
    float *value;
} halo_copy;

typedef struct uniform_state {
    tension tension;
    const walls *walls; /* the model's */
    neighbours lists;   /* owned; rebuilt every step, its memory is reused */
    /* Of the step under way, in its arena: */
    tiles tiles;
    halos halos;
    float (*position)[4];    /* relative to the tile; then p / rho^2 */
    float *viscosity_factor; /* of viscous_pairs.h; NULL: not viscous */
    float *cell_distance;    /* from walls, of the centres of the cells of tiles near them */
    float *plate_distance;   /* from the thin solid being processed, or infinity */
    uint8_t *near_plate;     /* per tile, likewise */
    halo_copy *copy;         /* per worker */
} uniform_state;

RILL_CHECKED rill_status uniform_create(sph *s);
void uniform_destroy(sph *s);
RILL_CHECKED rill_status uniform_fill(sph *s);
RILL_CHECKED rill_status uniform_start(sph *s);
RILL_CHECKED rill_status uniform_join(sph *s, uint64_t from);
RILL_CHECKED rill_status uniform_sort(sph *s);
void uniform_walls(sph *s, double t, double dt);
void uniform_density(sph *s); /* eq. 36 */
void uniform_pressure(sph *s);
void uniform_no_pressure(sph *s);
RILL_CHECKED rill_status uniform_forces(sph *s, double dt);
RILL_CHECKED rill_status uniform_viscosity(sph *s, double dt);
void uniform_move(const move_job *j);
RILL_CHECKED rill_status uniform_start_distances(sph *s); /* part of uniform_start */
RILL_CHECKED rill_status uniform_carry_distances(sph *s);
particle_sizes uniform_sizes(const sph *s);

/* Passes that dfsph repeats (dfsph/pairs.h). */
RILL_CHECKED rill_status uniform_pairs_prepare(sph *s);
void uniform_pairs_correct(sph *s);
void uniform_pairs_accelerate(sph *s, const float *k, double dt, double longest);
void uniform_pairs_divergence(struct pairs_job *j);
void uniform_pairs_relax(struct pairs_job *j);
void uniform_pairs_look_ahead(sph *s, double dt);
void uniform_pairs_squeeze(struct pairs_job *j);
const float *uniform_shown_pressure(sph *s);
rill_arena *uniform_solve_arena(sph *s);
RILL_CHECKED rill_status uniform_cells(sph *s, rill_arena *arena, struct coarse *out);

/* Parts of uniform_walls and uniform_forces. */
void uniform_hide_pairs(sph *s, double t); /* removes pairs with a thin solid between them from the lists */
void uniform_pair_forces(sph *s);          /* eq. 35 */
RILL_CHECKED rill_status uniform_tension(sph *s);
RILL_CHECKED rill_status uniform_vorticity(sph *s);
void uniform_air_drag(sph *s, double dt);
double air_drag_rate(const sph *s); /* of an isolated particle: drag / (mass speed^2), 1/m */

/* Longest step of explicit viscosity, s; h: half the kernel radius. */
double viscous_step(double h, double kinematic);
double viscous_limit(const sph *s); /* the same of a simulation */
bool viscosity_is_implicit(const sph *s, double dt);
