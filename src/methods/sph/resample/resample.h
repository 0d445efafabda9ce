/* Which size particles should have, and making them so, [Adams] section 4: the door of this room. */
#pragma once

#include "sph/sized/sized.h"

/* Whether resampling is due: when a particle has moved its own spacing against the mean of all, or half of it
 * and 100 steps have passed; or after the number of steps the scene gives. Liquid at rest is left alone:
 * feature sizes fluctuate with the particles they are computed from, and with an equation of state each split
 * or merge adds noise. [Adams] resamples every fifth step, and suggests a criterion of this kind in section
 * 7. */
bool resampling_due(const sph *s);
/* Distances from the surface, feature sizes, splitting and merging. Uses the sorted order and the lists of
 * the step; afterwards they are invalid if particles were replaced. stats (NULL: not wanted) gets the stages
 * of [Adams] table 1: "projection", "redistancing", "feature_size" and "resampling". */
RILL_CHECKED rill_status resample(sph *s, rill_step_stats *stats);
/* The same, but only particles with ids from `from` on are split and merged. */
RILL_CHECKED rill_status resample_from(sph *s, uint64_t from, rill_step_stats *stats);
/* Instead of sources_fill: particles with their size classes (bricks.h). */
RILL_CHECKED rill_status resample_fill(sph *s);
/* Relaxes the initial particles, and resamples until their number is steady. */
RILL_CHECKED rill_status resample_start(sph *s);
/* The same for the particles with ids from `from` on, which join in this step; others stay where they are. */
RILL_CHECKED rill_status resample_join(sph *s, uint64_t from);

/* Feature size over kernel radius above which particles merge. DEVIATES: in two dimensions the next radius is
 * 2^(1/2) as large instead of 2^(1/3), and beta = 3/2 alpha would leave 6 percent between the feature size of
 * a merged particle (beta / 2^(1/2)) and that of a split (alpha), less than feature sizes fluctuate in liquid
 * at rest: the same 19 percent as in three dimensions. */
static inline double merge_ratio(const sph *s)
{
    return s->def.merge * (s->sim.scene->dimensions == 2 ? 0x1.1f59ac3c7d6cp+0 : 1); /* 2^(1/6) */
}

/* -- between the files of this room -- */

extern const char stage_redistancing[]; /* stages are compared by address */

/* criteria.c: what bounds sizes besides the feature size, [Adams] 4.3. */
typedef struct criteria {
    const sph *s;
    float *vorticity; /* of the velocity field, 1/s; NULL: not a criterion */
} criteria;
RILL_CHECKED rill_status criteria_begin(sph *s, rill_arena *arena, criteria *out);
/* The length that decides on the size of a particle, m; grows with elfs. */
double criteria_size(const criteria *c, size_t i, double elfs);
double criteria_size_at(const sph *s, rill_vec3 x, double elfs); /* at a point, without vorticity */

/* feature.c: extended local feature size of each particle, [Adams] 4.1, m; INFINITY beyond `most`. foot:
 * nearest surface points. nearest (NULL: unknown): initial guesses, particles near the surface whose
 * footpoints are near these; SPREAD_NONE for none. medial (NULL: not wanted): 1 for particles on the medial
 * axis. */
RILL_CHECKED rill_status feature_sizes(sph *s, const rill_vec3 *foot, const uint32_t *nearest,
                                       const criteria *c, double most, float *elfs, uint8_t *medial);

/* redistance.c: updates the distances from the surface, [Adams] 5.2. foot: per particle; source: the particle
 * whose footpoint's disk is nearest, SPREAD_NONE if none is known. stats: of its two stages; NULL: not
 * wanted. */
struct surface_def;
RILL_CHECKED rill_status redistance(sph *s, const struct surface_def *def, rill_vec3 *foot, uint32_t *source,
                                    rill_step_stats *stats);
