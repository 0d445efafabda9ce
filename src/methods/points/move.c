/* Points move ([Sin09] 3.4) and stay out of solids. */
#include "base/parallel.h"
#include "points/state.h"

typedef struct {
    points *s;
    double t, dt;
} job;

/* DEVIATES: by their own velocity, with which the cells' volumes stay what they are, not by the
 * average of eq. 12 (errata E-S4). What comes near a solid is put back to a distance from it. */
static void move_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    rill_vec3 *x = s->particles.position, *u = s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 from = x[i];
        x[i] = v3_add(from, v3_madd(s->step[i], j->dt, u[i]));
        solids_push_out(&s->sim.solids, j->t, j->t + j->dt, 0.1 * points_size_of(s, i)->h, from, &x[i],
                        &u[i]);
    }
}

/* 3.4, second order: where a step takes a point farther than half a spacing, its way bends with the averaged
 * field, from here to the middle of the way. */
static void bend_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    const rill_vec3 *u = s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const double way = j->dt * v3_length(u[i]) / points_size_of(s, i)->h, share = fmin(1, way - 0.5);
        if (!(share > 0) || s->mesh.cell[i].joined == 0) continue;
        const rill_vec3 x = s->particles.position[i], middle = v3_madd(x, 0.5 * j->dt, u[i]);
        const rill_vec3 more =
            v3_sub(points_average_at(s, u, (uint32_t)i, middle), points_average_at(s, u, (uint32_t)i, x));
        s->step[i] = v3_madd(s->step[i], share * j->dt, more);
    }
}

static void paper_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t i = begin; i < end; i++) j->s->step[i] = points_paper_way(j->s, (uint32_t)i, j->dt);
}

static void put_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 from = s->particles.position[i];
        s->particles.position[i] = v3_add(from, s->step[i]);
        solids_push_out(&s->sim.solids, j->t, j->t + j->dt, 0.1 * s->h, from, &s->particles.position[i],
                        &s->particles.velocity[i]);
    }
}

rill_status points_move(points *s, double t, double dt)
{
    job j = {.s = s, .t = t, .dt = dt};
    const size_t n = s->particles.count;
    if (s->def.scheme == POINTS_PAPER) { /* averages read places: all of them before any moves */
        parallel_for(s->sim.ctx, n, POINTS_BLOCK, paper_block, &j);
        parallel_for(s->sim.ctx, n, POINTS_BLOCK, put_block, &j);
    } else {
        parallel_for(s->sim.ctx, n, POINTS_BLOCK, bend_block, &j);
        parallel_for(s->sim.ctx, n, POINTS_BLOCK, move_block, &j);
    }
    return RILL_OK;
}
