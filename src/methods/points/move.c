/* Points move ([Sin09] 3.4), stay out of solids, and become one where they are too near. */
#include "base/parallel.h"
#include "points/state.h"

#include <string.h>

typedef struct {
    points *s;
    double t, dt;
    uint8_t *keep;
    uint32_t *other;
} job;

/* DEVIATES: by their own velocity, with which the cells' volumes stay what they are, not by the
 * average of eq. 12 (METHODS E-S4). What comes near a solid is put back to a distance from it. */
static void move_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    rill_vec3 *x = s->particles.position, *u = s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 from = x[i];
        x[i] = v3_add(v3_madd(from, j->dt, u[i]), s->step[i]);
        solids_push_out(&s->sim.solids, j->t, j->t + j->dt, 0.1 * s->h, from, &x[i], &u[i]);
    }
}

rill_status points_move(points *s, double t, double dt)
{
    job j = {.s = s, .t = t, .dt = dt};
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, move_block, &j);
    return RILL_OK;
}
