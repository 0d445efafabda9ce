/* Walls without boundary particles: the mirror potential.
 *
 * A plane wall is taken to reflect the liquid: layers of particles one spacing D apart,
 * the first as far behind the wall as the particle is in front of it. With w1(z), the
 * integral of the kernel over a plane at distance z,
 *     B(d) = D sum_k w1(2d + kD),   B'(d) = 2D sum_k w1'(2d + kD)
 * is the wall's share of density / rest density and its derivative by distance. Used in
 * the density and, times p / rho^2, in the force: the gradient is the derivative of the
 * value, or energy is created. On a lattice that starts half a spacing from the walls
 * the density is 1.0003 at a face, 0.997 at an edge and 0.992 in a corner (cubic, R = 2D).
 *
 * Several planes combine as 1 - prod(1 - w_k B_k), nearest first, w_k = the smallest
 * sqrt(1 - n_j . n_k) over the nearer ones, at most 1.
 *
 * B reaches R/2 and is continued in a straight line below 0.02 D and inside the wall. */
#pragma once

#include "sph/core/kernel.h"

enum { WALL_CELLS = 256 };

typedef struct walls {
    double reach;                                        /* B is 0 beyond */
    double straight;                                     /* below this distance B is a straight line */
    double scale;                                        /* cells per metre */
    double value[WALL_CELLS + 1], slope[WALL_CELLS + 1]; /* B and B', of the density kernel */
    double push[WALL_CELLS + 1]; /* B' of the pressure kernel; the same but for mueller */
    double drag[WALL_CELLS + 1]; /* 4D sum w1'(z)/z: velocity Laplacian of a mirrored, reversed liquid */
} walls;

void walls_make(const kernel *k, double spacing, walls *out);

/* B(d) and, when not NULL, its slope for the force. */
double walls_value(const walls *w, double distance, double *slope);

/* What all walls near x give together.
 *
 * The mirrored liquid has the particle's own pressure, but one that gravity presses
 * against the wall has more: the column between the two is 2d high, rho g d on average.
 * `weight` is that share of the force, -(g . n) d grad B, without which the first layer
 * carries 8 percent too much (5 with it). */
typedef struct wall_share {
    double density;     /* 1 - prod(1 - w B) */
    rill_vec3 gradient; /* for the force */
    rill_vec3 weight;   /* m/s^2, to be subtracted */
    double bend;        /* second derivative of density along the gradient, over the gradient's square */
    double closing;     /* sum of gradient times the walls' own velocity, 1/s */
    double spread[6];   /* sum of distance times gradient, n n^T: xx yy zz xy yz zx */
    double drag;        /* no-slip walls: velocity along the wall decays at viscosity times this */
    rill_vec3 normal;   /* of the nearest of those */
    double friction;    /* sum of coefficients times gradient, 1/m */
    double rubbing;     /* and times weight, m/s^2 */
} wall_share;

/* Whether x is too far from all walls for them to matter, by their distance from a point nearby: distances
 * change no faster than the point moves. A quarter of the reach is for what they are rounded by. */
static inline bool walls_out_of_reach(const walls *w, double distance, rill_vec3 from, rill_vec3 x)
{
    const rill_vec3 way = v3_sub(x, from);
    const double left = distance - 1.25 * w->reach;
    return left > 0 && left * left > v3_dot(way, way);
}

/* No solid goes farther in the step from t on. */
static inline double walls_travel(const solids *s, double t, double dt)
{
    return s->moving ? 1.0001 * dt * solids_max_speed(s, t, t + dt) : 0;
}

/* The share b[3] where it would by its slope have changed by `way`; it only falls towards the liquid. */
static inline float walls_after(const float *b, float way, float bend)
{
    const float turn = bend > 0 && bend * way < -1 ? -1 / bend : way;
    const float share = b[3] + turn * (1 + 0.5f * bend * turn);
    return share > 0 ? share : 0;
}

/* v: the particle's velocity in the step dt. B reaches no farther than R/2, which a fast
 * particle, or a fast wall, crosses in a step; as they come nearer the slope is therefore
 * the secant over that way when it is steeper. dt 0: steps are short. */
wall_share walls_at(const walls *w, const solids *s, rill_vec3 gravity, rill_vec3 x, rill_vec3 v, double dt,
                    double t);

/* What one body gives of it. */
typedef struct wall_part {
    uint32_t body;
    rill_vec3 gradient, weight;
    double closing;
} wall_part;

enum { WALL_MOST_PARTS = 6 };

/* The parts of those solids that are bodies; body: of each solid, BODY_NONE for the others. Returns their
 * number. Bodies beyond WALL_MOST_PARTS are left out. */
int wall_parts_at(const walls *w, const solids *s, const uint32_t *body, rill_vec3 gravity, rill_vec3 x,
                  rill_vec3 v, double dt, double t, wall_part out[WALL_MOST_PARTS]);
