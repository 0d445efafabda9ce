/* Surface tension: what a scene's N/m mean for pairs of particles (tension.c). */
#pragma once

#include <rill/rill.h>

enum { PULL_CELLS = 64 };

typedef struct tension {
    double cohesion, area;      /* A and B, m/s^2; 0: no tension */
    double most_share;          /* of a wall in the density: at its surface */
    float pull[PULL_CELLS + 1]; /* of a wall with adhesion 1 over A, by its share */
} tension;

struct sph;
void tension_make(const struct sph *s, tension *out);
double tension_cohesion(double q);                   /* the spline, without constants, of r / support */
double tension_step(const struct rill_scene *scene); /* longest step, s */
double tension_limit(const struct sph *s);           /* the same */
