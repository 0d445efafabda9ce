/* Particles of several sizes: [Adams] section 3.
 *
 * A particle of level l stands for 2^l times the mass of the finest and has a spacing, and a
 * kernel radius, 2^(l/3) times as large, in two dimensions 2^(l/2) (errata E-A6). Between
 * particles of different sizes the kernel of the mean of their radii counts, in the density as well as in the
 * forces: density jumps between levels when it gathers with one radius (errata E-A7), and forces are then
 * not the derivative of any energy. DEVIATES: [Adams] takes the mean of both kernels. Neighbours are about
 * (h_i + h_j) / 2 apart, where the kernel of the mean radius is what that of one size is at its own spacing;
 * the mean of both has three percent less there, so that sizes mix for the room it saves: a pool sank by
 * four percent in 12 s, and what fell was heat. (dfsph sums with own kernels: level_pairs.c.) Pairs of one
 * level, which are nearly all, take the plain form: lists come in two parts (geom/search/sized_lists.h).
 *
 * A sum over other particles than before is another sum, by up to a third where particles were just split or
 * merged, and an equation of state would answer with a bang. So densities go on as they were, rho = (1 +
 * excess) sum, and the excess fades over the time sound needs for a few kernel radii (temporal blending;
 * Orthmann and Kolb 2012 blend old and new particles).
 *
 * Lists are kept for several steps: they reach a little farther than the kernels, by LEVELS_SKIN of their
 * radius, and serve until particles may have moved as much against each other (Verlet 1967); where they have,
 * those of the leaves around are made anew (kept.c). All are with each frame that begins, and after the state
 * was saved: a run that is resumed, which has none, goes on with the same bits.
 *
 * Positions for the passes are 32-bit integers in units of 2^-30 of the liquid's extent: differences
 * are exact, and no frame of reference has to be changed between neighbours. */
#pragma once

#include "geom/search/sized_lists.h"
#include "sph/state.h"

#include <math.h>

typedef struct level {
    double spacing, volume, mass;
    kernel kernel;
    walls walls;
} level;

/* dfsph: the pairs of a step, those that one of the two kernels reaches, eight neighbours of a particle at a
 * time and nobody in what is left of the last eight; without the particle itself (level_near.c). */
typedef struct step_pairs {
    uint32_t *first;       /* per particle, and one more: its first eight */
    uint32_t *id, *sizes;  /* of each eight: who, and their levels, four bits each */
    uint16_t *own, *other; /* gradients as half floats, x of eight, y of eight, z of eight (level_pairs.c) */
} step_pairs;

/* The particles of a leaf as they were listed, m: their mean place, the farthest from it, the smallest kernel
 * radius among them, and the inverse of sum |r|^2 - r r^T (xx yy zz xy yz zx). */
typedef struct leaf_form {
    rill_vec3 middle;
    double far, radius, turns[6];
} leaf_form;

/* How they have moved since: their mean way, m, the turn about the middle that fits best, and how far any of
 * them, strays left out, is off both, m; the same without those who might be strays from now on, and how many
 * these are. */
typedef struct leaf_way {
    rill_vec3 mean, turn;
    double off, off_without;
    uint32_t strays;
} leaf_way;

/* From when all were listed until the leaf was, alone or with some others: its mean way; the mean way of all
 * until then; the farthest of any, in kernel radii, against that. round: in which it was listed. */
typedef struct leaf_past {
    rill_vec3 mean, drift;
    double way;
    uint32_t round;
    bool stale; /* and has to be listed again */
} leaf_past;

/* A leaf near another. When one of them was last listed: by how much farther apart they were than kernels
 * reach, the difference of their mean ways, and how far the other was off; m. */
typedef struct near_leaf {
    uint32_t leaf, round;
    float apart, mean[3], off;
    bool stale;
} near_leaf;

/* Some leaves; NULL: all. */
typedef struct leaf_choice {
    const uint32_t *leaf;
    size_t count;
} leaf_choice;
static inline size_t leaf_chosen(const leaf_choice *some, size_t k)
{
    return some->leaf ? some->leaf[k] : k;
}

/* Of pairs of particles of one level with those of each other: 1 / R of their kernel, and its constants times
 * the other's mass. */
typedef struct level_pair {
    float per_reach[SIZED_MOST + 1], w[SIZED_MOST + 1], g[SIZED_MOST + 1]; /* nobody's is 0 */
    float wider2[SIZED_MOST + 1]; /* square of the larger of their radii, m^2 */
} level_pair;

#define LEVELS_SKIN 0.05

struct levels {
    int count; /* 1 + the coarsest */
    level level[SIZED_MOST];
    level_pair pair[SIZED_MOST], own[SIZED_MOST]; /* with the mean radius; with that of the one level */
    float half_reach[SIZED_MOST + 1];             /* R / 2 */
    float *number, *spacing;                      /* columns of the particles: level, and its spacing */
    float *distance, *excess; /* below the surface, m; of the density over its sum, relative */
    sized_lists lists;        /* kept, for their memory */
    rill_arena sampling;      /* scratch of resampling, and between these times of the steps */
    bool roomy;               /* it is that of the steps */
    rill_vec3 *listed;        /* where particles were when their lists were made, in their order */
    size_t listed_capacity;
    size_t listed_count;  /* so many; 0: there are no lists */
    uint64_t listed_id;   /* next_id of the particles then: nobody is new */
    rill_vec3 listed_sum; /* of where particles were when all were listed */
    double listed_frame;  /* in which all were listed */
    bool saved;           /* since then */
    uint32_t round;       /* so many times some were listed since */
    uint64_t *near_first; /* per leaf: its leaves among near_leaf */
    near_leaf *near_leaf;
    leaf_form *leaf_form;
    leaf_way *leaf_way;
    leaf_past *leaf_past;
    uint32_t *stale_leaf; /* leaves to be listed again */
    uint8_t *astray;      /* per particle: it is one of the strays */
    uint32_t *stray;      /* particles that go their own way (strays.c) */
    size_t strays, strays_most, joins_most;
    uint64_t *join;       /* who lacks whom in its list (joins.c) */
    float *plate_room;    /* per particle: to the nearest thin solid; at most as far as lists reach */
    float (*clearing)[4]; /* per leaf: a ball without thin solids, and its radius */
    bool *near_plate;     /* per leaf: there may be some near; else it has no clearing */
    sized_eight
        *whole; /* the lists with who is behind plates that move: these are parted in every step; NULL */
    uint16_t *whole_same; /* and the lengths of their first parts */
    double wall_way;      /* no wall goes farther in this step, m */
    float *room;  /* per particle: from walls that stand still, where it was listed, m; NULL: walls move */
    double moved; /* own spacings that any particle has gone since, against the mean, as of the last look */
    double gone;  /* the same from resampling until the lists were made */
    /* Of the lists in use, in sorted order; one place more than particles, for nobody: */
    sized_points points;
    uint8_t *size;
    int32_t (*place)[4];  /* the fourth: the bits of p / rho^2 */
    float (*slope[3])[4]; /* dfsph: gradient of the velocity (calm.c) */
    int32_t (*ahead)[4];  /* dfsph: where the step leads; the fourth: the bits of the bend of walls */
    step_pairs step;
    float (*pull)[4];         /* dfsph: acceleration by a particle's own k */
    float *left;              /* lower bounds of the distance from walls in this step, m */
    float fading[SIZED_MOST]; /* of the excess in this step */
    rill_vec3 origin;         /* of the places, and their unit, m */
    double unit;
    double anchored; /* frame in which distances were last held to the volume */
    bool resampled;  /* since densities were last summed */
    bool started;    /* distances are carried */
};

RILL_CHECKED rill_status levels_create(sph *s);
void levels_destroy(sph *s);
RILL_CHECKED rill_status levels_sort(sph *s); /* order, lists, copies, where they do not serve any more */
void levels_void(sph *s);                     /* the particles are others now: lists must be made anew */
RILL_CHECKED rill_status levels_save(const sph *s, rill_writer *w);
RILL_CHECKED rill_status levels_load(sph *s, rill_reader *r);
void levels_give_back(sph *s);                     /* memory of what is kept between steps */
RILL_CHECKED rill_status levels_find_near(sph *s); /* leaves that are near each other */
RILL_CHECKED rill_status levels_find_room(sph *s); /* how far particles are from walls; level_walls.c */
void levels_find_room_some(sph *s, leaf_choice some);
RILL_CHECKED rill_status levels_part(sph *s);     /* nobody is listed who is behind a plate; level_plates.c */
void levels_keep_whole(sph *s, leaf_choice some); /* lists as they were made, if plates move */
void levels_plates_gone(sph *s, size_t begin, size_t end); /* these particles are listed somewhere else now */
void levels_part_again(sph *s);                            /* plates have moved */
/* No plate that stands still is between two of an `sph`, as far as it has to be asked. */
bool levels_see(const void *s, uint32_t i, uint32_t k, bool known);
bool levels_listed(const sph *s); /* the particles are those that were listed */
double
levels_way(sph *s); /* the farthest of these has gone since, in kernel radii, against the mean of all */
void levels_off(sph *s, size_t k); /* how far those of a leaf are off, and who might be strays; strays.c */
void levels_admit_strays(sph *s);  /* these are, if they are not too many */
RILL_CHECKED rill_status levels_begin_strays(sph *s); /* there are none */
void levels_release_strays(sph *s, leaf_choice some); /* in these leaves, which were just listed */
RILL_CHECKED rill_status levels_begin_joins(sph *s);
/* Those of `count` leaves that were just listed, which are in stale_leaf, and strays into the lists of their
 * neighbours; leaves whose lists have no place are stale then, and their number is returned: that of all
 * leaves when all are. */
size_t levels_join(sph *s, size_t count, bool strays);
size_t levels_choose_stale(sph *s); /* those leaves that are stale into stale_leaf */
/* So many leaves' lists may not hold all neighbours any more; `moved` is known. */
size_t levels_stale(sph *s);
/* Lists these anew; they are in stale_leaf. false in *fits: there is no place for them, and all lists are
 * void. */
RILL_CHECKED rill_status levels_renew(sph *s, size_t count, bool *fits);
void levels_walls(sph *s, double t, double dt); /* dt 0: short steps */
/* Particle i can go the way, m, squared, from where the walls' share was found without coming nearer to any
 * than `clearance`. */
bool levels_clear(const sph *s, size_t i, double clearance, double way2);
void levels_density(sph *s);
void levels_pressure(sph *s);
float levels_push(const sph *s, size_t i); /* P / rho^2, by which pairs and walls push, m^5/(kg s^2) */
void levels_forces(sph *s);

/* The same for dfsph: pairs.h says what they do; level_pairs.c. */
struct pairs_job;
RILL_CHECKED rill_status levels_find_pairs(sph *s); /* levels.step, but for gradients; level_near.c */
RILL_CHECKED rill_status level_pairs_prepare(sph *s);
void level_pairs_correct(sph *s);
void level_pairs_accelerate(sph *s, const float *k, double dt, double longest); /* dt 0: not ahead */
void level_pairs_divergence(struct pairs_job *j);
void level_pairs_look_ahead(sph *s, double dt);
void level_pairs_squeeze(struct pairs_job *j);
void levels_mean(sph *s, const float *from, float *to); /* weighted by kernels */
void levels_calm(sph *s); /* takes the noise of single particles out of velocities; calm.c */

/* The largest kernel radius there can be. */
static inline double sph_widest(const sph *s)
{
    return s->levels ? s->levels->level[s->levels->count - 1].kernel.support : s->kernel.support;
}

/* The frame that time t is in, s. */
static inline double levels_frame(const sph *s, double t)
{
    return floor(t * s->sim.scene->time.fps + 1e-6);
}

static inline const level *level_of(const sph *s, size_t i)
{
    return &s->levels->level[s->levels->size[i]];
}

/* -- what the scene wants besides, [Adams] 4.3; criteria.c -- */
typedef struct criteria {
    const sph *s;
    float *vorticity; /* of the velocity field, 1/s; NULL: plays no part */
} criteria;
RILL_CHECKED rill_status criteria_begin(sph *s, rill_arena *arena, criteria *out);
/* The length that decides on the size of a particle, m; grows with elfs. */
double criteria_size(const criteria *c, size_t i, double elfs);
double criteria_size_at(const sph *s, rill_vec3 x, double elfs); /* at a place, whatever turns there */

/* -- where the liquid wants fine particles, [Adams] 4.1; feature.c -- */
/* Extended local feature size of each particle, m; INFINITY beyond `most`. foot: nearest surface
 * points. nearest (NULL: not known): particles near the surface whose footpoints are near these, to begin
 * with; SPREAD_NONE for none. medial (NULL: not wanted): 1 for particles on the medial axis. */
RILL_CHECKED rill_status feature_sizes(sph *s, const rill_vec3 *foot, const uint32_t *nearest,
                                       const criteria *c, double most, float *elfs, uint8_t *medial);

/* -- [Adams] 5.2; redistance.c -- */
struct surface_def;
/* Distances anew from those that are carried. foot: per particle; source: whose footpoint's disk is nearest,
 * SPREAD_NONE where none was heard of. */
RILL_CHECKED rill_status levels_redistance(sph *s, const struct surface_def *def, rill_vec3 *foot,
                                           uint32_t *source);

/* -- [Adams] 4.2; resample.c -- */
/* Whether its time has come: when a particle has gone as far as its own spacing against the mean of all, or a
 * half of it and 100 steps are over; or after so many steps as the scene says. Liquid in which nobody
 * moves is left alone: feature sizes move a little with the particles they are found by, and who is split or
 * merged is heat with an equation of state. The paper takes every
 * fifth step, and suggests something of the kind in its section 7. */
bool resampling_due(const sph *s);
/* Feature size over kernel radius above which particles merge. DEVIATES: in two dimensions the next radius is
 * 2^(1/2) as large instead of 2^(1/3), and beta = 3/2 alpha would leave 6 percent between what was just
 * merged (beta / 2^(1/2)) and splitting it again (alpha), less than feature sizes swing in liquid at rest:
 * the same 19 percent as in three. */
static inline double levels_merge(const sph *s)
{
    return s->def.merge * (s->sim.scene->dimensions == 2 ? 0x1.1f59ac3c7d6cp+0 : 1); /* 2^(1/6) */
}
/* Distances from the surface, feature sizes, splitting and merging. The sorted order and the lists
 * are those of the step; afterwards they are void. */
RILL_CHECKED rill_status resample(sph *s);
/* At the start, with the particles of bricks.h. */
RILL_CHECKED rill_status levels_start(sph *s);
