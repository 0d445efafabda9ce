/* Moves particles of several sizes; the clearance from walls (walls.c) decides which need collisions. */
#include "sph/core/move.h"
#include "sph/sized/sized.h"

static tile_figures move_leaf(const move_job *j, const sized_node *leaf, bool near_wall)
{
    sph *s = j->s;
    const rill_vec3 down = scene_gravity(s->sim.scene, j->t);
    tile_figures f = {0};
    for (uint32_t i = leaf->begin; i < leaf->end; i++) {
        const int class = s->sized->size[i];
        const double clearance = 0.05 * s->sized->size_class[class].spacing;
        const rill_vec3 from = move_particle(j, i, (double)sized_pressure_term(s, i));
        const rill_vec3 way = v3_sub(s->particles.position[i], from);
        if (near_wall && !sized_clear_of_walls(s, i, clearance, v3_dot(way, way)))
            solids_push_out(&s->sim.solids, j->since, j->t, clearance, from, &s->particles.position[i],
                            &s->particles.velocity[i]);
        move_figures(s, i, (double)(1u << class), down, &f);
    }
    return f;
}

static void move_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const move_job *j = arg;
    sph *s = j->s;
    for (size_t k = begin; k < end; k++)
        s->step.figures[k] = move_leaf(j, sized_leaf(&s->sized->points, k), s->step.near_wall[k]);
}

void sized_move(const move_job *j)
{
    sph *s = j->s;
    move_job job = *j;
    s->step.figure_count = s->sized->points.leaves;
    parallel_for(s->sim.ctx, s->step.figure_count, 8, move_leaves, &job);
}
