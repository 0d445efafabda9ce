/* The state of an SPH simulation, and the passes of its step. */
#pragma once

#include "geom/search/neighbours.h"
#include "sph/sph.h"
#include "sph/tension.h"
#include "sph/walls.h"

/* What one tile adds to the figures of a step; summed in tile order. */
typedef struct tile_figures {
    double mass; /* in particles of the finest size, which the sums are weighted by */
    double kinetic, potential, compression;
    double speed2, acceleration2; /* largest squares */
} tile_figures;

/* What one tile adds to the means of an iteration, likewise. */
typedef struct tile_sums {
    double left, all;
} tile_sums;

typedef struct sph {
    rill_sim sim; /* first: a rill_sim is one of these */
    sph_def def;
    kernel kernel;
    walls walls;
    tension tension;

    double volume, mass;     /* of one particle; in two dimensions area, and per metre */
    double calibration;      /* 1 / density ratio the kernel gives a cubic lattice of rest */
    double sound_speed;      /* m/s */
    double damping_speed;    /* m/s, of artificial viscosity */
    double kinematic;        /* viscosity / density, m^2/s */
    uint8_t *thin;           /* per solid: thinner than the support; NULL: none is */
    bool wall_friction;      /* some wall has friction */
    bool wall_drag;          /* some wall does not slip, and the liquid is viscous */
    double max_speed;        /* at the end of the last step */
    double max_acceleration; /* in the last step, without gravity */
    double step_scale;       /* dfsph: shorter steps while solves are hard */
    int few;                 /* dfsph: neighbours, itself included, below which a particle is spray */

    struct levels *levels; /* levels.h: particles of several sizes; NULL: all alike */
    particles particles;
    float *density, *pressure;       /* columns of the particles, kg/m^3 and Pa */
    float *kept_density, *kept_rate; /* dfsph: pressures to begin the next solves from */
    uint16_t *gradient;              /* dfsph: pairs.h; kept, for its memory */
    size_t gradient_capacity;

    /* Of the step under way, in the arena, in sorted order: */
    rill_arena scratch;
    tiles tiles;
    halos halos;
    neighbours lists;     /* kept, for its memory */
    float (*position)[4]; /* relative to the tile; then p / rho^2 */
    float (*velocity)[4]; /* and 1 / rho */
    float (*force)[4];    /* acceleration without gravity */
    float (*weight)[4];   /* what walls add to it, and their closing rate; may be `force` itself */
    float *thick;         /* of viscosity, against a lattice (thick.c); NULL: not viscous */
    float *drag;          /* of no-slip walls; NULL: there is none */
    float (*rub)[2];      /* friction of walls by p / rho_0, and by weight; NULL: there is none */
    double dt;            /* of the step */
    bool implicit;        /* viscosity is solved for, not among the forces */
    int viscous_iterations;
    float (*wall)[4];     /* gradient and value of the walls' share */
    uint8_t *near_wall;   /* per tile */
    float *cell_distance; /* from walls, of the middles of the cells of tiles near them (density.c) */
    /* While there are solids thinner than the support, of the one being asked: */
    float *plate;        /* distance from it, or infinity */
    uint8_t *near_plate; /* per tile */
    /* dfsph: */
    float *k;               /* pressure / rest density */
    float *factor;          /* of the relaxation, m^2 */
    float *wanted, *change; /* right side; last change of k, and scratch between solves */
    float *left;            /* of it, signed; of velocities 0 where pressure may not act */
    float (*fix[2])[4];     /* symmetric: xx yy zz; xy yz zx. Moments, then their inverse (correct.c) */
    float (*push)[4];       /* the walls' gradient and closing rate, corrected */
    float (*blend)[4];      /* velocities at the start of the step, then between that and its end */
    float (*ahead)[4];      /* where the step leads, relative to the tile, and the bend of walls (ahead.c) */
    float (*wall_ahead)[4]; /* the walls' share there */
    uint8_t *inner;         /* far from the free surface */
    uint8_t *lonely;        /* too few neighbours to be told from spray */
    tile_sums *sums;        /* per tile */
    tile_figures *figures;  /* per tile; with levels per leaf */
    uint32_t figure_count;
    struct halo_copy *copy; /* per worker: local copies of a tile and its halo */
} sph;

typedef struct halo_copy {
    float (*position)[4], (*vector)[4];
    float *value;
} halo_copy;

static inline sph *sph_of(rill_sim *sim)
{
    return (sph *)sim;
}
static inline const sph *sph_view_of(const rill_sim *sim)
{
    return (const sph *)sim;
}

/* The equation of state: Tait's, or linear; stiff = rho_0 c^2. Tension is cut off. */
static inline float sph_state(const sph *s, float stiff, float ratio)
{
    const float r2 = ratio * ratio;
    const float p = s->def.solver == SPH_TAIT ? stiff / 7 * (r2 * r2 * r2 * ratio - 1) : stiff * (ratio - 1);
    return p > 0 ? p : 0;
}

/* In the order of the step: */
void sph_drift(sph *s, double dt, double since, double t); /* leap-frog's first half */
RILL_CHECKED rill_status sph_sort(sph *s);                 /* section 5.4: cells, lists */
/* The walls' share, and nobody sees through plates; dt 0: short steps. */
void sph_walls(sph *s, double t, double dt);
void sph_density(sph *s);  /* eq. 36 */
void sph_pressure(sph *s); /* equation of state */
void sph_forces(sph *s);   /* eq. 35 */
/* Velocity (gravity and force), position, collisions; the drift is from `since` to t, and
 * `shift` times the force comes to it. */
void sph_move(sph *s, double kick, rill_vec3 gravity, double drift, double shift, double since, double t);

/* Part of sph_walls: takes pairs with a thin solid between them out of the lists. */
void sph_plates(sph *s, double t);
RILL_CHECKED rill_status sph_find_plates(sph *s);                   /* once */
double sph_plate_margin(const sph *s);                              /* nearer to a plate is in doubt, m */
bool sph_parted(const sph *s, rill_vec3 particle, rill_vec3 point); /* at the start of the step */

/* adds to the forces */
RILL_CHECKED rill_status sph_tension(sph *s);
RILL_CHECKED rill_status sph_vorticity(sph *s);
void sph_kick(sph *s, double dt, rill_vec3 gravity); /* velocities by gravity and force */
/* act on the velocities */
double sph_viscous_limit(const sph *s);              /* longest step of explicit viscosity */
double sph_viscous_step(double h, double kinematic); /* the same; h: half the support */
bool sph_viscosity_is_implicit(const sph *s, double dt);
RILL_CHECKED rill_status sph_viscosity(sph *s, double dt);
double sph_air_rate(const sph *s); /* of a lone particle: drag / (mass speed^2), 1/m */
void sph_air_drag(sph *s, double dt);

RILL_CHECKED rill_status levels_step(sph *s, double dt, rill_step_stats *stats);
RILL_CHECKED rill_status dfsph_step(sph *s, double dt, rill_step_stats *stats);
double dfsph_max_dt(const sph *s);
/* distance.c: the column "surface_distance" of scenes whose surface is defined by it. */
RILL_CHECKED rill_status sph_start_distances(sph *s);
RILL_CHECKED rill_status sph_carry_distances(sph *s);  /* after each step */
RILL_CHECKED rill_status sph_anchor_distances(sph *s); /* to the liquid's volume */

void sph_columns(sph *s); /* finds the particles' columns again after they moved */

/* Weighted averages at points: velocity (u) or pressure (p), the other NULL. */
RILL_CHECKED rill_status sph_sample(const sph *s, size_t n, const rill_vec3 *x, rill_vec3 *u, double *p);
/* As rill_method.trace. */
RILL_CHECKED rill_status sph_trace(const sph *s, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u);
