/* The walls' share of particles of several sizes (walls.h), and who is clear of walls.
 *
 * Asking for the faces near a particle is dear where walls are meshes, and large particles see walls from far
 * away: so it is known of each how much room it has, a lower bound of its distance, and only those that may
 * be within reach of a wall are asked. A distance changes no faster than the particle moves. While walls
 * stand still, the room where particles were listed serves as long as the lists do; when they move, each leaf
 * is asked once a step. Both follow from what a resumed run knows as well. */
#include "sph/levels.h"

#include <math.h>
#include <string.h>

typedef struct {
    sph *s;
    double t, dt;
    leaf_choice some;
} walls_job;

/* -- room ----------------------------------------------------------------------------------- */

/* Lower bounds by the distance of the leaf's middle; where that leaves doubt, of the particles themselves. */
static void room_of_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    sph *s = j->s;
    struct levels *a = s->levels;
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, leaf_chosen(&j->some, k));
        const rill_vec3 middle = box_center(c->box);
        const double d = solids_distance(&s->sim.solids, middle, j->t, NULL);
        for (uint32_t i = c->begin; i < c->end; i++) {
            double room = d - v3_distance(a->listed[i], middle);
            if (room < 2 * level_of(s, i)->kernel.support)
                room = solids_distance(&s->sim.solids, a->listed[i], j->t, NULL);
            a->room[i] = (float)room;
        }
    }
}

rill_status levels_find_room(sph *s)
{
    struct levels *a = s->levels;
    a->room = NULL;
    if (s->sim.solids.moving) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, a->room, s->particles.count + 1));
    levels_find_room_some(s, (leaf_choice){NULL, a->points.leaves});
    return RILL_OK;
}

void levels_find_room_some(sph *s, leaf_choice some)
{
    walls_job j = {.s = s, .t = s->sim.time, .some = some};
    if (s->levels->room) parallel_for(s->sim.ctx, some.count, 8, room_of_leaves, &j);
}

bool levels_clear(const sph *s, size_t i, double clearance, double way2)
{
    const double left = (double)s->levels->left[i] - 4 * s->levels->wall_way;
    const double spare = 0.5 * left - clearance; /* half: distances may be rounded */
    return spare > 0 && spare * spare > 4 * way2;
}

/* -- the walls' share ------------------------------------------------------------------------ */

static void take_share(sph *s, size_t i, const wall_share *w)
{
    const double wall[4] = {w->gradient.x, w->gradient.y, w->gradient.z, w->density};
    const double weight[3] = {w->weight.x, w->weight.y, w->weight.z};
    for (int n = 0; n < 4; n++) s->wall[i][n] = (float)wall[n];
    for (int n = 0; n < 3; n++) s->weight[i][n] = (float)(-s->calibration * weight[n]);
    s->weight[i][3] = (float)w->closing;
    for (int n = 0; s->fix[0] && n < 6; n++) s->fix[n / 3][i][n % 3] = (float)w->spread[n];
    if (s->drag) s->drag[i] = (float)w->drag;
    if (s->rub) {
        s->rub[i][0] = (float)(s->calibration * w->friction);
        s->rub[i][1] = (float)(s->calibration * w->rubbing);
    }
}

static void wall_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    sph *s = j->s;
    struct levels *a = s->levels;
    const rill_vec3 g = scene_gravity(s->sim.scene, j->t), *x = s->particles.position;
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, k);
        const rill_vec3 middle = box_center(c->box);
        const double half = 0.5 * v3_distance(c->box.min, c->box.max);
        const double d = a->room ? 0 : solids_distance(&s->sim.solids, middle, j->t, NULL);
        double least = INFINITY;
        for (uint32_t i = c->begin; i < c->end; i++) {
            const level *l = level_of(s, i);
            const double left = a->room ? (double)a->room[i] - v3_distance(x[i], a->listed[i])
                                        : d - v3_distance(x[i], middle);
            a->left[i] = (float)left;
            least = left < least ? left : least;
            wall_share w = {0};
            if (!(left > 1.25 * l->walls.reach)) /* as walls_out_of_reach */
                w = walls_at(&l->walls, &s->sim.solids, g, x[i], s->particles.velocity[i], j->dt, j->t);
            take_share(s, i, &w);
        }
        /* half of it the walls', the rest for the step's way */
        s->near_wall[k] = a->room ? least < 3 * c->reach : d < half + 1.5 * c->reach;
    }
}

void levels_walls(sph *s, double t, double dt)
{
    walls_job j = {.s = s, .t = t, .dt = dt};
    const double from = s->sim.time, to = from + s->dt;
    s->levels->wall_way = s->sim.solids.moving ? s->dt * solids_max_speed(&s->sim.solids, from, to) : 0;
    parallel_for(s->sim.ctx, s->levels->points.leaves, 8, wall_leaves, &j);
}
