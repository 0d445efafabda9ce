/* Moving particles: velocities, positions, collisions with solids, and the figures of the step.
 *
 * move_particle and move_figures are inlined into the loops of uniform/move.c and sized/move.c. */
#pragma once

#include "sph/core/state.h"

typedef struct move_job {
    sph *s;
    double kick; /* s; how long gravity and force accelerate */
    rill_vec3 gravity;
    double drift;    /* s; how long the velocity moves */
    double shift;    /* s^2; times the force: an additional displacement */
    double since, t; /* collisions are between these times */
} move_job;

/* Velocities by gravity and force. */
void sph_kick(sph *s, double dt, rill_vec3 gravity);
/* Bodies go the way of the step with the velocities that the forces of the step have given them. */
RILL_CHECKED rill_status sph_move_bodies(sph *s, double dt);
/* Leap-frog's first half: positions by velocities. */
void sph_drift(sph *s, double dt, double since, double t);

/* The velocity that a no-slip wall drags a particle at x to: of the solid as if it reached that far, because
 * liquid that turns with it has no strain. With the surface's own, liquid slipped on a turning cylinder by
 * its spin times half a spacing. */
rill_vec3 move_wall_velocity(const sph *s, const solid_contact *c, rill_vec3 x, double t);

/* The velocity of particle i after drag and friction of the walls near it. */
rill_vec3 move_along_wall(const move_job *j, uint32_t i, double pressure_term);

/* What walls changed of the velocity of particle i in a move that gravity and step.force accelerate for
 * `kick`; before: its velocity until then. */
static inline rill_vec3 move_wall_change(const sph *s, size_t i, rill_vec3 before, double kick,
                                         rill_vec3 gravity)
{
    if (!(kick > 0)) return v3_sub(s->particles.velocity[i], before); /* there may be no forces yet */
    const float *a = s->step.force[i];
    const rill_vec3 all = v3(gravity.x + (double)a[0], gravity.y + (double)a[1], gravity.z + (double)a[2]);
    return v3_sub(s->particles.velocity[i], v3_madd(before, kick, all));
}

/* Moves particle i; the caller then resolves collisions. pressure_term: p / rho^2, by which walls push; used
 * with an equation of state and friction only. Returns the position before. */
static inline rill_vec3 move_particle(const move_job *j, uint32_t i, double pressure_term)
{
    sph *s = j->s;
    const rill_vec3 g = j->gravity, from = s->particles.position[i];
    rill_vec3 *x = &s->particles.position[i], *v = &s->particles.velocity[i];
    const float *a = s->step.force[i];
    *v = v3_madd(*v, j->kick, v3(g.x + (double)a[0], g.y + (double)a[1], g.z + (double)a[2]));
    if (s->step.drag || s->step.friction) *v = move_along_wall(j, i, pressure_term);
    *x = v3_madd(from, j->drift, *v);
    if (j->shift > 0) *x = v3_madd(*x, j->shift, v3((double)a[0], (double)a[1], (double)a[2]));
    return from;
}

/* Adds a moved particle to the figures. mass: in particles of the finest size; down: gravity. */
static inline void move_figures(const sph *s, uint32_t i, double mass, rill_vec3 down, tile_figures *f)
{
    const rill_vec3 v = s->particles.velocity[i];
    const float *a = s->step.force[i];
    const double speed2 = v3_dot(v, v);
    const double a2 = (double)a[0] * a[0] + (double)a[1] * a[1] + (double)a[2] * a[2];
    const double squeeze = s->density[i] / s->sim.scene->fluid.density - 1;
    f->mass += mass;
    f->kinetic += mass * speed2;
    f->potential -= mass * v3_dot(down, s->particles.position[i]);
    f->compression += squeeze > 0 ? mass * squeeze : 0;
    f->speed2 = speed2 > f->speed2 ? speed2 : f->speed2;
    f->acceleration2 = a2 > f->acceleration2 ? a2 : f->acceleration2;
}
