#include "sph/uniform/uniform.h"

#include "sph/dfsph/coarse.h"
#include "sph/uniform/viscous_pairs.h"

rill_status uniform_create(sph *s)
{
    TRY(MEM_NEW_ZERO(s->sim.ctx, s->uniform, 1));
    neighbours_init(&s->uniform->lists, s->sim.ctx);
    tension_make(s, &s->uniform->tension);
    s->uniform->walls = &s->model.walls;
    return RILL_OK;
}

void uniform_destroy(sph *s)
{
    if (!s->uniform) return;
    neighbours_clear(&s->uniform->lists);
    mem_free(s->sim.ctx, s->uniform);
    s->uniform = NULL;
}

rill_status uniform_fill(sph *s)
{
    return sources_fill(s->sim.ctx, &s->sim.sources, &s->sim.solids, &s->particles);
}

particle_sizes uniform_sizes(const sph *s)
{
    return (particle_sizes){NULL, &s->model.kernel, &s->uniform->walls};
}

rill_status uniform_forces(sph *s, double dt)
{
    s->step.implicit = viscosity_is_implicit(s, dt);
    TRY(viscous_pairs_prepare(s));
    uniform_pair_forces(s);
    TRY(uniform_tension(s));
    TRY(uniform_vorticity(s));
    uniform_air_drag(s, dt);
    return RILL_OK;
}

const float *uniform_shown_pressure(sph *s)
{
    return s->solve.change;
}

rill_arena *uniform_solve_arena(sph *s)
{
    return &s->step.arena;
}

/* The cells that the particles are sorted into. */
rill_status uniform_cells(sph *s, rill_arena *arena, coarse *out)
{
    (void)arena;
    out->tiles = s->uniform->tiles;
    out->near_wall = s->step.near_wall;
    out->wall_distance = s->uniform->cell_distance;
    return RILL_OK;
}
