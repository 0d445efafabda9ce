/* What the tests of sph have in common: simulations made, disturbed, stepped and summed up; and
 * its sums as plain loops over all pairs in double. */
#pragma once

#include "support.h"

#include "run/registry.h"
#include "sph/dfsph/pairs.h"
#include "sph/resample/resample.h"
#include "sph/sph.h"
#include "sph/uniform/viscous_pairs.h"

sph_def *def_of(rill_scene *scene);
sph *make_sim(rill_ctx *ctx, const rill_scene *scene);
/* A simulation, its scene and its context. */
void throw_away(rill_ctx *ctx, rill_scene *scene, sph *s);
/* Particles of several sizes with an equation of state: liquid of a shape in a box, which in two dimensions
 * is a spacing thick. */
rill_scene sized_scene(rill_ctx *ctx, int dimensions, double spacing, rill_box domain, shape form,
                       int levels);
shape box_shaped(rill_vec3 min, rill_vec3 max);

void step_by(rill_ctx *ctx, sph *s, double dt);
void take_steps(rill_ctx *ctx, sph *s, int steps);
void run_until(rill_ctx *ctx, sph *s, double end); /* with walls that move */
/* Moves particles about and gives them speeds, the same for the same id. */
void disturb(sph *s, double by, int dimensions);

rill_vec3 force_of(const sph *s, size_t i);
rill_vec3 mean_velocity(const sph *s);
double kinetic(const sph *s); /* sum of squares */

double brute_density(const sph *s, size_t i);
/* The pair's viscous acceleration, densities as they are, s_i and s_j from s->uniform->viscosity_factor. */
rill_vec3 brute_viscosity(const sph *s, size_t i, size_t j);
double brute_thick(const sph *s, size_t i); /* s_i */

/* A simulation of the rill_scene `scene` made, moved by a step and thrown away: for every_allocation_fails().
 */
rill_status sph_created_and_stepped(rill_ctx *ctx, void *scene);
