/* The state of an SPH simulation, and what both kinds of particles (of one size, of several sizes) share.
 *
 *   sph            what is saved: particles, their columns, figures of the last step
 *   sph_model      constants derived from the scene when the simulation is created
 *   step_arrays       arrays of the step under way, common to both kinds of particles
 *   solve_arrays      arrays of the pressure solver (dfsph)
 *   uniform, sized what only one kind needs; owned by the rooms of these names, the other is NULL
 *
 * Arrays of a step are in the sorted order of the particles and live in an arena. */
#pragma once

#include "sph/core/kernel.h"
#include "sph/core/walls.h"

/* What one tile or leaf adds to the figures of a step; summed in their order. */
typedef struct tile_figures {
    double mass; /* in particles of the finest size; the weight of the other sums */
    double kinetic, potential, compression;
    double speed2, acceleration2; /* largest squares */
} tile_figures;

/* What one tile or leaf adds to the means of a solver's iteration; summed in their order. */
typedef struct tile_sums {
    double error, all;
} tile_sums;

typedef struct sph_model {
    kernel kernel; /* of the finest particles */
    walls walls;   /* likewise */
    double widest; /* largest kernel radius of any particle, m */

    double volume, mass;  /* of one particle of the finest size; in two dimensions area, and per metre */
    double calibration;   /* 1 / density ratio that the kernel gives a cubic lattice at rest */
    double sound_speed;   /* m/s */
    double damping_speed; /* m/s, of artificial viscosity */
    double kinematic;     /* viscosity / density, m^2/s */
    uint8_t *thin;        /* owned; per solid: thinner than the widest kernel; NULL: none is */
    bool wall_friction;   /* some wall has friction */
    bool wall_drag;       /* some wall is no-slip, and the liquid is viscous */
    int spray_neighbours; /* a particle with fewer, itself included, is spray */
} sph_model;

typedef struct step_arrays {
    double dt;
    rill_arena arena;     /* of the lists and what belongs to them */
    float (*velocity)[4]; /* and 1 / density */
    float (*force)[4];    /* acceleration without gravity */
    float (*wall)[4];     /* gradient and value of the walls' share of density */
    float (*weight)[4];   /* acceleration by the weight that walls carry, and their closing rate; equation of
                           * state: the same array as `force` */
    float *drag;          /* of no-slip walls; NULL: none */
    float (*friction)[2]; /* of walls, by p / rho_0 and by weight; NULL: none */
    uint8_t *near_wall;   /* per tile or leaf */
    bool implicit;        /* viscosity is solved for instead of being one of the forces */
    int viscous_iterations;
    double viscous_residual; /* over the change of velocity, both as root mean squares */
    tile_figures *figures;   /* per tile or leaf */
    uint32_t figure_count;
} step_arrays;

typedef struct solve_arrays {
    float *k;                  /* pressure / rest density */
    float *factor;             /* diagonal of the relaxation, m^2 */
    float *target;             /* right side */
    float *change;             /* last change of k; between solves scratch */
    float *residual;           /* signed; 0 where the first solve's pressure may not act */
    float (*correction[2])[4]; /* moments, then their inverse: xx yy zz; xy yz zx */
    float (*wall_gradient)[4]; /* the walls' gradient and closing rate, corrected */
    float (*velocity)[4];      /* at the start of the step, then at the time the first solve holds */
    float (*ahead)[4];      /* predicted position, relative to the tile, and the walls' second derivative */
    float (*wall_ahead)[4]; /* the walls' share there */
    float *slack;           /* rate at which liquid with gaps may close, 1/s */
    uint8_t *inside;        /* away from the free surface */
    uint8_t *spray;         /* too few neighbours for pressure */
    tile_sums *sums;        /* per tile or leaf */
    uint16_t *gradient;     /* owned; pairs.h; grows and is reused */
    size_t gradient_capacity;
} solve_arrays;

/* A particle and a body within its reach (body_rows.h). */
typedef struct body_row {
    uint32_t particle;
    float mass;        /* kg */
    float gradient[3]; /* the body's part of the walls' gradient; dfsph: corrected */
    float weight[3];   /* its part of step.weight, m/s^2 */
    float arm[3];      /* from the centre of mass, m */
} body_row;

typedef struct body_rows {
    bool sequential;               /* negative control of tests: bodies answer after the solve, not in it */
    double (*kept)[BODY_FREEDOMS]; /* saved; per body: dfsph, acceleration by pressure in the last step */
    /* Of the step under way, in the arena: */
    rill_arena arena;
    size_t count;
    body_row *row;
    float (*u)[BODY_FREEDOMS];
    float *value;                                 /* per row, scratch */
    uint32_t *first;                              /* per body and one more: its first row */
    double (*root)[BODY_FREEDOMS][BODY_FREEDOMS]; /* per body: rigid_body_root */
    rill_vec3 *velocity;                          /* of the particles before they are moved */
} body_rows;

/* Solids whose force a gauge shows (wall_forces.h). */
typedef struct wall_forces {
    uint32_t count;       /* of these solids; 0 in most scenes */
    uint32_t *slot;       /* owned; per solid: its number among them, or BODY_NONE */
    double (*impulse)[6]; /* owned; per number: of the step so far, with the moment about the origin */
    /* Of the step under way, in the arena: */
    rill_arena arena;
    size_t rows;
    body_row *row;       /* particles that feel these solids */
    uint32_t *of;        /* per row: the solid's number */
    rill_vec3 *velocity; /* of the particles before they are moved */
} wall_forces;

/* Emitters (nozzles.h); bits by the emitter's number modulo 64. */
typedef struct nozzle_state {
    double capacity;  /* of the domain, in particles of the finest size */
    uint64_t blocked; /* in this step */
    uint64_t told;    /* the log has said so */
} nozzle_state;

struct sph_operations;
struct uniform_state;
struct sized_state;

typedef struct sph {
    rill_sim sim; /* first: a rill_sim is one of these */
    sph_def def;
    const struct sph_operations *ops; /* operations.h; chosen when the simulation is created */
    sph_model model;

    /* Saved: */
    particles particles;
    float *density, *pressure;       /* columns of the particles, kg/m^3 and Pa */
    float *kept_density, *kept_rate; /* dfsph: columns; initial guesses of the next solves */
    double max_speed;                /* at the end of the last step */
    double max_acceleration;         /* in the last step, without gravity */
    double step_scale;               /* dfsph: fraction of max_step; falls while solves are slow */
    bool resampled;                  /* particles were split or merged since densities were last summed */

    step_arrays step;
    solve_arrays solve;
    body_rows bodies;
    wall_forces forces;
    nozzle_state nozzles;
    struct uniform_state *uniform; /* uniform/uniform.h: particles of one size */
    struct sized_state *sized;     /* sized/sized.h: particles of several sizes */
} sph;

static inline sph *sph_of(rill_sim *sim)
{
    return (sph *)sim;
}
static inline const sph *sph_view_of(const rill_sim *sim)
{
    return (const sph *)sim;
}

/* The equation of state: Tait's, or linear; stiff = rho_0 c^2. Negative pressure is cut off. */
static inline float sph_state(const sph *s, float stiff, float ratio)
{
    const float r2 = ratio * ratio;
    const float p = s->def.solver == SPH_TAIT ? stiff / 7 * (r2 * r2 * r2 * ratio - 1) : stiff * (ratio - 1);
    return p > 0 ? p : 0;
}

/* Finds the particles' columns again after particles were added, removed or loaded. */
void sph_columns(sph *s);

/* Weighted averages at points: velocity (u) or pressure (p), the other NULL. */
RILL_CHECKED rill_status sph_sample(const sph *s, size_t n, const rill_vec3 *x, rill_vec3 *u, double *p);
/* As rill_method.trace. */
RILL_CHECKED rill_status sph_trace(const sph *s, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u);

/* plates.c: solids thinner than the kernel. */
RILL_CHECKED rill_status plates_find(sph *s); /* sets model.thin */
/* Whether viscosity is more than inertia over a few spacings, at that speed. */
static inline bool sph_is_thick(const sph *s, double speed)
{
    return speed * s->sim.scene->spacing < 10 * s->model.kinematic;
}
double plates_margin(const sph *s); /* m; nearer to a plate is ambiguous */
bool plates_between(const sph *s, rill_vec3 particle, rill_vec3 point); /* at the start of the step */

/* distance.c: holds the column "surface_distance" to the liquid's volume (errata E-A5). */
struct surface_def;
struct surface_def sph_distance_surface(const sph *s);
RILL_CHECKED rill_status sph_anchor_distances(sph *s, const struct surface_def *def);
