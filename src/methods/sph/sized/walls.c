/* The walls' share of particles of several sizes (core/walls.h), and the clearance of particles from walls.
 *
 * Finding the faces near a particle is expensive where walls are meshes, and large particles see walls from
 * far away: each particle therefore has a clearance, a lower bound of its distance from walls, and only
 * particles that may be within reach of a wall are evaluated. A distance changes no faster than the particle
 * moves. While walls are at rest, the clearance where the lists were built is used as long as the lists are;
 * when walls move, each leaf is evaluated once a step. A resumed run has all that both need. */
#include "sph/sized/sized.h"

#include <math.h>
#include <string.h>

typedef struct {
    sph *s;
    double t, dt;
    leaf_set some;
} walls_job;

/* -- clearance ------------------------------------------------------------------------------ */

/* Lower bounds by the distance of the leaf's middle; where these are too small, by the particles' own. */
static void measure_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    sph *s = j->s;
    sized_state *a = s->sized;
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, leaf_at(&j->some, k));
        const rill_vec3 middle = box_center(c->box);
        const double d = solids_distance(&s->sim.solids, middle, j->t, NULL);
        for (uint32_t i = c->begin; i < c->end; i++) {
            double clearance = d - v3_distance(a->kept.position[i], middle);
            if (clearance < 2 * size_class_of(s, i)->kernel.support)
                clearance = solids_distance(&s->sim.solids, a->kept.position[i], j->t, NULL);
            a->walls.clearance[i] = (float)clearance;
        }
    }
}

rill_status sized_measure_clearance(sph *s)
{
    sized_state *a = s->sized;
    a->walls.clearance = NULL;
    if (s->sim.solids.moving) return RILL_OK;
    TRY(ARENA_NEW(&s->step.arena, a->walls.clearance, s->particles.count + 1));
    sized_measure_clearance_of(s, (leaf_set){NULL, a->points.leaves});
    return RILL_OK;
}

void sized_measure_clearance_of(sph *s, leaf_set some)
{
    walls_job j = {.s = s, .t = s->sim.time, .some = some};
    if (s->sized->walls.clearance) parallel_for(s->sim.ctx, some.count, 8, measure_leaves, &j);
}

bool sized_clear_of_walls(const sph *s, size_t i, double clearance, double way2)
{
    const double left = (double)s->sized->walls.clearance_now[i] - 4 * s->sized->walls.travel;
    const double spare = 0.5 * left - clearance; /* half: distances may be rounded */
    return spare > 0 && spare * spare > 4 * way2;
}

/* -- the walls' share ------------------------------------------------------------------------ */

static void take_share(sph *s, size_t i, const wall_share *w)
{
    const double wall[4] = {w->gradient.x, w->gradient.y, w->gradient.z, w->density};
    const double weight[3] = {w->weight.x, w->weight.y, w->weight.z};
    for (int n = 0; n < 4; n++) s->step.wall[i][n] = (float)wall[n];
    for (int n = 0; n < 3; n++) s->step.weight[i][n] = (float)(-s->model.calibration * weight[n]);
    s->step.weight[i][3] = (float)w->closing;
    for (int n = 0; s->solve.correction[0] && n < 6; n++)
        s->solve.correction[n / 3][i][n % 3] = (float)w->spread[n];
    if (s->step.drag) s->step.drag[i] = (float)w->drag;
    if (s->step.friction) {
        s->step.friction[i][0] = (float)(s->model.calibration * w->friction);
        s->step.friction[i][1] = (float)(s->model.calibration * w->rubbing);
    }
}

static void wall_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    sph *s = j->s;
    sized_state *a = s->sized;
    const rill_vec3 g = scene_gravity(s->sim.scene, j->t), *x = s->particles.position;
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, k);
        const rill_vec3 middle = box_center(c->box);
        const double half = 0.5 * v3_distance(c->box.min, c->box.max);
        const double d = a->walls.clearance ? 0 : solids_distance(&s->sim.solids, middle, j->t, NULL);
        double least = INFINITY;
        for (uint32_t i = c->begin; i < c->end; i++) {
            const size_class *l = size_class_of(s, i);
            const double left = a->walls.clearance
                                    ? (double)a->walls.clearance[i] - v3_distance(x[i], a->kept.position[i])
                                    : d - v3_distance(x[i], middle);
            a->walls.clearance_now[i] = (float)left;
            least = left < least ? left : least;
            wall_share w = {0};
            if (!(left > 1.25 * l->walls.reach)) /* as walls_out_of_reach */
                w = walls_at(&l->walls, &s->sim.solids, g, x[i], s->particles.velocity[i], j->dt, j->t);
            take_share(s, i, &w);
        }
        /* half of it for the reach of walls, the rest for the displacement of the step */
        s->step.near_wall[k] = a->walls.clearance ? least < 3 * c->reach : d < half + 1.5 * c->reach;
    }
}

void sized_walls(sph *s, double t, double dt)
{
    walls_job j = {.s = s, .t = t, .dt = dt};
    const double from = s->sim.time, to = from + s->step.dt;
    s->sized->walls.travel =
        s->sim.solids.moving ? s->step.dt * solids_max_speed(&s->sim.solids, from, to) : 0;
    parallel_for(s->sim.ctx, s->sized->points.leaves, 8, wall_leaves, &j);
}
