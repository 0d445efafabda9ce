/* Particles in space order, their float copies and neighbour lists, [Braley] 5.4. */
#include "sph/uniform/uniform.h"

static void copy_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity;
    for (size_t k = begin; k < end; k++) {
        const tile *t = &s->uniform->tiles.tile[k];
        const rill_vec3 corner = tile_corner(&s->uniform->tiles, t);
        for (uint32_t i = t->begin; i < t->end; i++) {
            s->uniform->position[i][0] = (float)(x[i].x - corner.x);
            s->uniform->position[i][1] = (float)(x[i].y - corner.y);
            s->uniform->position[i][2] = (float)(x[i].z - corner.z);
            s->uniform->position[i][3] = 0;
            s->step.velocity[i][0] = (float)v[i].x;
            s->step.velocity[i][1] = (float)v[i].y;
            s->step.velocity[i][2] = (float)v[i].z;
            s->step.velocity[i][3] = 0;
        }
    }
}

/* Local copies for every worker, with a particle that is nowhere at local id 0. */
static rill_status make_copies(sph *s)
{
    const int workers = parallel_workers(s->sim.ctx);
    const size_t n = (size_t)s->uniform->tiles.most_halo + 1;
    TRY(ARENA_NEW(&s->step.arena, s->uniform->copy, (size_t)workers));
    for (int w = 0; w < workers; w++) {
        TRY(ARENA_NEW(&s->step.arena, s->uniform->copy[w].position, n));
        TRY(ARENA_NEW(&s->step.arena, s->uniform->copy[w].vector, n));
        TRY(ARENA_NEW(&s->step.arena, s->uniform->copy[w].value, n));
        s->uniform->copy[w].value[0] = 0;
        for (int c = 0; c < 4; c++) {
            s->uniform->copy[w].position[0][c] = c < 3 ? 1e15f : 0;
            s->uniform->copy[w].vector[0][c] = 0;
        }
    }
    return RILL_OK;
}

rill_status uniform_sort(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    particles *p = &s->particles;
    arena_reset(&s->step.arena);
    TRY(tiles_build(ctx, &s->step.arena, p->position, p->count, s->model.kernel.support,
                    s->sim.scene->dimensions, &s->uniform->tiles));
    TRY(halos_build(ctx, &s->step.arena, &s->uniform->tiles, &s->uniform->halos));
    TRY(particles_permute(ctx, p, s->uniform->tiles.order));
    sph_columns(s);

    s->uniform->position = s->uniform->tiles.spare; /* 16 bytes each, as it happens */
    TRY(ARENA_NEW(&s->step.arena, s->step.velocity, p->count));
    TRY(ARENA_NEW(&s->step.arena, s->step.force, p->count));
    TRY(ARENA_NEW(&s->step.arena, s->step.wall, p->count));
    s->step.weight = s->step.force;
    if (s->def.solver == SPH_DFSPH) {
        TRY(ARENA_NEW(&s->step.arena, s->step.weight, p->count));
        TRY(ARENA_NEW(&s->step.arena, s->solve.k, p->count));
        TRY(ARENA_NEW(&s->step.arena, s->solve.correction[0], p->count));
        TRY(ARENA_NEW(&s->step.arena, s->solve.correction[1], p->count));
    }
    s->uniform->viscosity_factor = NULL;
    s->step.drag = NULL;
    if (s->model.wall_drag) TRY(ARENA_NEW(&s->step.arena, s->step.drag, p->count));
    s->step.friction = NULL;
    if (s->model.wall_friction) TRY(ARENA_NEW(&s->step.arena, s->step.friction, p->count));
    TRY(ARENA_NEW(&s->step.arena, s->step.near_wall, s->uniform->tiles.count));
    TRY(ARENA_NEW(&s->step.arena, s->uniform->cell_distance, (size_t)s->uniform->tiles.count * TILE_CELLS));
    TRY(ARENA_NEW(&s->step.arena, s->step.figures, s->uniform->tiles.count));
    if (s->model.thin) {
        TRY(ARENA_NEW(&s->step.arena, s->uniform->plate_distance, p->count));
        TRY(ARENA_NEW(&s->step.arena, s->uniform->near_plate, s->uniform->tiles.count));
    }
    TRY(make_copies(s));
    parallel_for(ctx, s->uniform->tiles.count, 8, copy_tiles, s);
    return neighbours_build(&s->uniform->lists, &s->uniform->tiles, (const float(*)[4])s->uniform->position,
                            (float)s->model.kernel.support);
}
