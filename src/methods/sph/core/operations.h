/* What differs between particles of one size and of several: one table each, chosen when a simulation is
 * created (sph/operations.c). A function is called once per pass over all particles, never per particle. */
#pragma once

#include "sph/core/state.h"

struct move_job;
struct pairs_job;
struct coarse;

/* The kernel and the mass of each particle. */
typedef struct particle_sizes {
    const float *class_number; /* per particle; NULL: all of class 0 */
    const kernel *kernel;      /* per class */
    const walls *const *walls; /* per class */
} particle_sizes;

typedef struct sph_operations {
    /* Creation. Particles are filled in after `create` has added the columns. */
    rill_status (*create)(sph *s);
    void (*destroy)(sph *s);
    rill_status (*fill)(sph *s);                       /* the initial liquid */
    rill_status (*start)(sph *s);                      /* brings it into equilibrium */
    rill_status (*join)(sph *s, uint64_t from);        /* the same for liquid that joins in this step: the
                                                        * particles with ids from there on */
    void (*columns)(sph *s);                           /* as sph_columns; NULL: no further columns */
    rill_status (*save)(const sph *s, rill_writer *w); /* NULL: nothing further */
    rill_status (*load)(sph *s, rill_reader *r);

    /* The step. */
    rill_status (*sort)(sph *s);                 /* order of the particles, neighbour lists, float copies */
    void (*walls)(sph *s, double t, double dt);  /* the walls' share of density; dt 0: short steps */
    void (*density)(sph *s);                     /* equation of state */
    void (*pressure)(sph *s);                    /* likewise */
    void (*no_pressure)(sph *s);                 /* dfsph: pressure is not one of the explicit forces */
    rill_status (*forces)(sph *s, double dt);    /* explicit accelerations; sets step.implicit */
    rill_status (*viscosity)(sph *s, double dt); /* implicit; NULL: always explicit */
    void (*smooth_velocities)(sph *s); /* dfsph: removes the noise of single particles; NULL: none */
    void (*move)(const struct move_job *j);
    rill_status (*carry_distances)(sph *s); /* from the surface, after a step */
    bool (*resampling_due)(const sph *s);   /* NULL: never */
    rill_status (*resample)(sph *s, rill_step_stats *stats);
    particle_sizes (*sizes)(const sph *s);

    /* Passes over pairs that dfsph repeats (dfsph/pairs.h). */
    rill_status (*prepare)(sph *s);
    void (*correct)(sph *s);
    void (*accelerate)(sph *s, const float *k, double dt, double longest);
    void (*divergence)(struct pairs_job *j);
    void (*relax)(struct pairs_job *j); /* the end of `divergence`, where that leaves it out */
    void (*look_ahead)(sph *s, double dt);
    void (*squeeze)(struct pairs_job *j);
    const float *(*shown_pressure)(sph *s); /* of solve.change, per rest density */
    rill_arena *(*solve_arena)(sph *s);     /* scratch of the two solves */
    rill_status (*cells)(sph *s, rill_arena *arena, struct coarse *out); /* of coarse.h */
    double position_spread;                                              /* of eigenvalues: dfsph/solve.c */
} sph_operations;
