/* Moves particles of one size; tiles away from walls need no collisions. */
#include "sph/uniform/uniform.h"

static tile_figures move_tile(const move_job *j, const tile *t, bool near_wall)
{
    sph *s = j->s;
    const rill_vec3 down = scene_gravity(s->sim.scene, j->t);
    const double clearance = 0.05 * s->sim.scene->spacing;
    tile_figures f = {0};
    for (uint32_t i = t->begin; i < t->end; i++) {
        const double inverse = (double)s->step.velocity[i][3]; /* 1 / rho */
        const rill_vec3 from = move_particle(j, i, (double)s->pressure[i] * inverse * inverse);
        if (near_wall)
            solids_push_out(&s->sim.solids, j->since, j->t, clearance, from, &s->particles.position[i],
                            &s->particles.velocity[i]);
        move_figures(s, i, 1, down, &f);
    }
    return f;
}

static void move_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const move_job *j = arg;
    sph *s = j->s;
    for (size_t k = begin; k < end; k++)
        s->step.figures[k] = move_tile(j, &s->uniform->tiles.tile[k], s->step.near_wall[k]);
}

void uniform_move(const move_job *j)
{
    sph *s = j->s;
    move_job job = *j;
    s->step.figure_count = s->uniform->tiles.count;
    parallel_for(s->sim.ctx, s->step.figure_count, 8, move_tiles, &job);
}
