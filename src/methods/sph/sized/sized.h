/* Particles of several sizes, [Adams] section 3: the door of this room.
 *
 * A particle of size class l has 2^l times the mass of the finest, and a spacing and kernel radius 2^(l/3)
 * times as large, in two dimensions 2^(l/2) (errata E-A6). Between particles of different classes density and
 * forces use the kernel of the mean of their radii: with one radius alone density jumps between classes
 * (errata E-A7), and forces are not the derivative of an energy. DEVIATES: [Adams] takes the mean of both
 * kernels. Neighbours are about (h_i + h_j) / 2 apart, where the kernel of the mean radius has the value that
 * one size has at its own spacing; the mean of both kernels is 3 percent less there, so that classes mix to
 * save space: a pool sank by 4 percent in 12 s, and the lost potential energy became noise. (dfsph uses each
 * particle's own kernel: pairs.c.) Pairs of one class, nearly all of them, take the plain form: lists come in
 * two parts (geom/search/sized_lists.h).
 *
 * Splitting and merging changes the sum of a density by up to a third, and an equation of state would answer
 * with an explosion. Densities therefore continue, rho = (1 + excess) sum, and the excess fades over the time
 * that sound needs for some kernel radii (temporal blending; Orthmann and Kolb 2012 blend old and new
 * particles).
 *
 * Lists are kept for several steps: they reach farther than the kernels by LIST_SKIN of the radius, and hold
 * until particles may have moved that much relative to each other (Verlet 1967); the lists of leaves where
 * they have are rebuilt (kept.c). All lists are rebuilt at the start of each frame and after saving: a
 * resumed run, which has no lists, continues with the same bits.
 *
 * Positions for the passes are 32-bit integers in units of 2^-29 of the liquid's extent: differences are
 * exact, and neighbours need no common frame of reference. Arrays have one more element than particles: the
 * padding particle, out of reach of every kernel and without mass, to which unused lanes point. */
#pragma once

#include "geom/search/sized_lists.h"
#include "sph/core/move.h"
#include "sph/core/operations.h"

#include <math.h>

typedef struct size_class {
    double spacing, volume, mass;
    kernel kernel;
    walls walls;
} size_class;

/* Constants of pairs of one class with each other class: 1 / R of their kernel, and the kernel's constants
 * times the other's mass; 0 for the padding particle. */
typedef struct class_pair {
    float per_reach[SIZED_MOST + 1], w[SIZED_MOST + 1], g[SIZED_MOST + 1];
    float wider2[SIZED_MOST + 1]; /* square of the larger radius, m^2 */
} class_pair;

/* dfsph: the pairs of a step, those within reach of either kernel, in groups of eight neighbours of one
 * particle; unused lanes of the last group hold the padding particle; the particle itself is left out
 * (step_pairs.c). */
typedef struct step_pairs {
    uint32_t *first;       /* per particle, and one more: its first group */
    uint32_t *id, *sizes;  /* per group: particles, and their size classes, four bits each */
    uint16_t *own, *other; /* gradients as half floats, x of eight, y of eight, z of eight (pairs.c) */
} step_pairs;

/* -- lists that are kept (kept.c) -- */

/* The particles of a leaf when its lists were built, m: mean position, largest distance from it, smallest
 * kernel radius, and the inverse of sum |r|^2 - r r^T (xx yy zz xy yz zx). */
typedef struct leaf_shape {
    rill_vec3 middle;
    double far, radius, turns[6];
} leaf_shape;

/* Their motion since: mean displacement, m, the best-fitting rotation about the middle, and the largest
 * deviation of a particle from both, m, strays excepted; the same without candidates for strays, and the
 * number of these. */
typedef struct leaf_motion {
    rill_vec3 mean, turn;
    double off, off_without;
    uint32_t strays;
} leaf_motion;

/* Between the last rebuild of all lists and the last rebuild of this leaf's: its mean displacement, the mean
 * displacement of all particles, and the largest displacement relative to that, in kernel radii. round: the
 * rebuild in which its lists were built. */
typedef struct leaf_history {
    rill_vec3 mean, drift;
    double way;
    uint32_t round;
    bool stale; /* its lists must be rebuilt */
} leaf_history;

/* A leaf near another. At the last rebuild of either: their distance beyond the reach of kernels, the
 * difference of their mean displacements, and the other's deviation; m. */
typedef struct near_leaf {
    uint32_t leaf, round;
    float apart, mean[3], off;
    bool stale;
} near_leaf;

typedef struct kept_lists {
    rill_vec3 *position; /* owned; of each particle when its list was built, in sorted order */
    size_t capacity;
    size_t count;         /* of particles then; 0: there are no lists */
    uint64_t next_id;     /* of the particles then; a new particle changes it */
    rill_vec3 sum;        /* of positions when all lists were built */
    double frame;         /* in which all lists were built */
    bool saved;           /* the state was saved since */
    uint32_t round;       /* partial rebuilds since */
    uint64_t *near_first; /* per leaf: the first of its entries in near_leaf */
    near_leaf *near_leaf;
    leaf_shape *shape; /* per leaf */
    leaf_motion *motion;
    leaf_history *history;
    uint32_t *stale_leaf; /* leaves whose lists must be rebuilt */
} kept_lists;

/* Particles that leave those around them (strays.c), and entries missing in lists (joins.c). */
typedef struct list_strays {
    uint8_t *is_stray; /* per particle */
    uint32_t *particle;
    size_t count, capacity;
    uint64_t *join;
    size_t join_capacity;
} list_strays;

/* Solids thinner than the kernels (plates.c). */
typedef struct plate_lists {
    float *clearance;       /* per particle: distance from the nearest thin solid, up to the reach of lists */
    float (*clear_ball)[4]; /* per leaf: centre and radius of a ball without thin solids */
    bool *near;             /* per leaf: thin solids may be near; otherwise its ball is not set */
    sized_eight *whole;   /* plates that move: lists before pairs are removed, which is done in every step */
    uint16_t *whole_same; /* and the lengths of their first parts */
} plate_lists;

/* Lower bounds of the distance from walls (walls.c), m. */
typedef struct wall_clearance {
    double travel;        /* the largest distance any wall moves in this step */
    float *clearance;     /* per particle, at kept.position; NULL: walls move */
    float *clearance_now; /* per particle, in this step */
} wall_clearance;

/* Arrays of the step under way. */
typedef struct sized_step {
    rill_vec3 origin;         /* of `place`, m */
    double unit;              /* of `place`, m */
    int32_t (*place)[4];      /* position; the fourth: the bits of p / rho^2 */
    float fading[SIZED_MOST]; /* per class: fraction of the excess that fades in this step */
    /* dfsph: */
    int32_t (*ahead)[4];  /* predicted position; the fourth: the bits of the walls' second derivative */
    float (*slope[3])[4]; /* gradient of the velocity (smooth.c) */
    float (*pull)[4];     /* acceleration by a particle's own k */
    step_pairs pairs;
} sized_step;

#define LIST_SKIN 0.05

typedef struct sized_state {
    int class_count;
    size_class size_class[SIZED_MOST];
    kernel kernel[SIZED_MOST]; /* of the classes */
    const walls *class_walls[SIZED_MOST];
    class_pair pair[SIZED_MOST], own[SIZED_MOST]; /* with the mean radius; with the class's own radius */
    float half_reach[SIZED_MOST + 1];             /* R / 2 */

    /* Saved: */
    float *class_number, *spacing; /* columns of the particles */
    float *distance, *excess;      /* columns: below the surface, m; of density over its sum, relative */
    double moved; /* largest displacement in own spacings since the lists were built, against the mean */
    double moved_before; /* the same between the last resampling and the building of the lists */
    bool moved_known;    /* `moved` is that of the particles as they are */
    double anchored;     /* frame in which distances were last held to the volume */
    bool started;        /* `distance` is known */

    sized_points points; /* the particles under a tree of leaves, in sorted order */
    uint8_t *size;       /* class of each */
    sized_lists lists;   /* owned; their memory is reused */
    rill_arena arena;    /* scratch of resampling; between resamplings of the steps */
    bool step_in_arena;  /* the arena holds the arrays of the steps */
    kept_lists kept;
    list_strays strays;
    plate_lists plates;
    wall_clearance walls;
    sized_step step;
} sized_state;

/* Some leaves; leaf NULL: all. */
typedef struct leaf_set {
    const uint32_t *leaf;
    size_t count;
} leaf_set;
static inline size_t leaf_at(const leaf_set *some, size_t k)
{
    return some->leaf ? some->leaf[k] : k;
}

/* The number of the frame that time t is in. */
static inline double frame_at(const sph *s, double t)
{
    return floor(t * s->sim.scene->time.fps + 1e-6);
}

static inline const size_class *size_class_of(const sph *s, size_t i)
{
    return &s->sized->size_class[s->sized->size[i]];
}

/* -- operations: core/operations.h says what each does -- */
RILL_CHECKED rill_status sized_create(sph *s);
void sized_destroy(sph *s);
void sized_columns(sph *s);
RILL_CHECKED rill_status sized_save(const sph *s, rill_writer *w);
RILL_CHECKED rill_status sized_load(sph *s, rill_reader *r);
RILL_CHECKED rill_status sized_sort(sph *s);
void sized_walls(sph *s, double t, double dt);
void sized_density(sph *s);
void sized_pressure(sph *s);
void sized_no_pressure(sph *s);
RILL_CHECKED rill_status sized_forces(sph *s, double dt);
void sized_smooth_velocities(sph *s);
void sized_move(const move_job *j);
RILL_CHECKED rill_status sized_carry_distances(sph *s); /* nothing to do: resampling updates them */
particle_sizes sized_sizes(const sph *s);

/* Passes that dfsph repeats (dfsph/pairs.h). */
RILL_CHECKED rill_status sized_pairs_prepare(sph *s);
void sized_pairs_correct(sph *s);
void sized_pairs_accelerate(sph *s, const float *k, double dt, double longest);
void sized_pairs_divergence(struct pairs_job *j);
void sized_pairs_relax(struct pairs_job *j);
void sized_pairs_look_ahead(sph *s, double dt);
void sized_pairs_squeeze(struct pairs_job *j);
const float *sized_shown_pressure(sph *s);
rill_arena *sized_solve_arena(sph *s);
RILL_CHECKED rill_status sized_cells(sph *s, rill_arena *arena, struct coarse *out);

/* -- for resampling -- */
void sized_invalidate(sph *s); /* particles were added or removed: all lists are invalid */
void sized_release(sph *s);    /* memory that is kept between steps */

/* -- between the files of this room -- */

float sized_pressure_term(const sph *s, size_t i); /* P / rho^2, m^5/(kg s^2) */
/* Kernel-weighted means of a value per particle. */
void sized_smooth(sph *s, const float *from, float *to);
RILL_CHECKED rill_status sized_find_step_pairs(sph *s); /* step.pairs without gradients */

/* published.c: adds the pressure of [Adams] eq. 1 to the forces, where sph_def.pair_pressure asks for it. */
void sized_published_pressure(sph *s);

/* kept.c */
RILL_CHECKED rill_status sized_find_near_leaves(sph *s);
bool sized_lists_current(const sph *s); /* the particles are those of the lists */
double sized_travel(sph *s);            /* largest displacement since, in kernel radii, against the mean */
size_t sized_find_stale(sph *s);        /* number of leaves whose lists may lack neighbours; uses `moved` */
size_t sized_collect_stale(sph *s);     /* lists stale leaves in kept.stale_leaf */
/* Rebuilds the lists of the first `count` of kept.stale_leaf. *fits false: their capacity is not sufficient,
 * and all lists are invalid. */
RILL_CHECKED rill_status sized_rebuild_leaves(sph *s, size_t count, bool *fits);

/* strays.c and joins.c */
RILL_CHECKED rill_status sized_begin_strays(sph *s);
void sized_leaf_spread(sph *s, size_t k); /* deviations within a leaf, and candidates for strays */
void sized_admit_strays(sph *s);          /* candidates become strays, unless they are too many */
void sized_release_strays(sph *s, leaf_set some);
RILL_CHECKED rill_status sized_begin_joins(sph *s);
/* Adds the particles of the first `count` of kept.stale_leaf, just rebuilt, and strays to the lists of their
 * neighbours. Leaves whose lists have no capacity left become stale; returns their number, and that of all
 * leaves when all must be rebuilt. */
size_t sized_join_lists(sph *s, size_t count, bool strays);

/* walls.c */
RILL_CHECKED rill_status sized_measure_clearance(sph *s);
void sized_measure_clearance_of(sph *s, leaf_set some);
/* Particle i can move by the distance whose square is way2 from where the walls' share was evaluated without
 * coming nearer to a wall than `clearance`. */
bool sized_clear_of_walls(const sph *s, size_t i, double clearance, double way2);

/* plates.c */
RILL_CHECKED rill_status sized_hide_pairs(sph *s);  /* removes pairs separated by a plate from the lists */
void sized_hide_pairs_again(sph *s);                /* the same after plates have moved */
void sized_keep_whole_lists(sph *s, leaf_set some); /* copies the complete lists, if plates move */
void sized_leave_plates(sph *s, size_t begin, size_t end); /* the lists of these particles are rebuilt */
/* A sized_filter of an `sph`: no plate at rest separates the two. */
bool sized_visible(const void *s, uint32_t i, uint32_t k, bool known);
