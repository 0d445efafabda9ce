/* Particles in space order, their float copies and neighbour lists, [Braley] 5.4. */
#include "sph/state.h"

static void copy_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity;
    for (size_t k = begin; k < end; k++) {
        const tile *t = &s->tiles.tile[k];
        const rill_vec3 corner = tile_corner(&s->tiles, t);
        for (uint32_t i = t->begin; i < t->end; i++) {
            s->position[i][0] = (float)(x[i].x - corner.x);
            s->position[i][1] = (float)(x[i].y - corner.y);
            s->position[i][2] = (float)(x[i].z - corner.z);
            s->position[i][3] = 0;
            s->velocity[i][0] = (float)v[i].x;
            s->velocity[i][1] = (float)v[i].y;
            s->velocity[i][2] = (float)v[i].z;
            s->velocity[i][3] = 0;
        }
    }
}

/* Local copies for every worker, with a particle that is nowhere at local id 0. */
static rill_status make_copies(sph *s)
{
    const int workers = parallel_workers(s->sim.ctx);
    const size_t n = (size_t)s->tiles.most_halo + 1;
    TRY(ARENA_NEW(&s->scratch, s->copy, (size_t)workers));
    for (int w = 0; w < workers; w++) {
        TRY(ARENA_NEW(&s->scratch, s->copy[w].position, n));
        TRY(ARENA_NEW(&s->scratch, s->copy[w].vector, n));
        TRY(ARENA_NEW(&s->scratch, s->copy[w].value, n));
        s->copy[w].value[0] = 0;
        for (int c = 0; c < 4; c++) {
            s->copy[w].position[0][c] = c < 3 ? 1e15f : 0;
            s->copy[w].vector[0][c] = 0;
        }
    }
    return RILL_OK;
}

rill_status sph_sort(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    particles *p = &s->particles;
    arena_reset(&s->scratch);
    TRY(tiles_build(ctx, &s->scratch, p->position, p->count, s->kernel.support, s->sim.scene->dimensions,
                    &s->tiles));
    TRY(halos_build(ctx, &s->scratch, &s->tiles, &s->halos));
    TRY(particles_permute(ctx, p, s->tiles.order));
    sph_columns(s);

    s->position = s->tiles.spare; /* 16 bytes each, as it happens */
    TRY(ARENA_NEW(&s->scratch, s->velocity, p->count));
    TRY(ARENA_NEW(&s->scratch, s->force, p->count));
    TRY(ARENA_NEW(&s->scratch, s->wall, p->count));
    s->weight = s->force;
    if (s->def.solver == SPH_DFSPH) {
        TRY(ARENA_NEW(&s->scratch, s->weight, p->count));
        TRY(ARENA_NEW(&s->scratch, s->k, p->count));
        TRY(ARENA_NEW(&s->scratch, s->fix[0], p->count));
        TRY(ARENA_NEW(&s->scratch, s->fix[1], p->count));
    }
    s->thick = NULL;
    s->drag = NULL;
    if (s->wall_drag) TRY(ARENA_NEW(&s->scratch, s->drag, p->count));
    s->rub = NULL;
    if (s->wall_friction) TRY(ARENA_NEW(&s->scratch, s->rub, p->count));
    TRY(ARENA_NEW(&s->scratch, s->near_wall, s->tiles.count));
    TRY(ARENA_NEW(&s->scratch, s->cell_distance, (size_t)s->tiles.count * TILE_CELLS));
    TRY(ARENA_NEW(&s->scratch, s->figures, s->tiles.count));
    if (s->thin) {
        TRY(ARENA_NEW(&s->scratch, s->plate, p->count));
        TRY(ARENA_NEW(&s->scratch, s->near_plate, s->tiles.count));
    }
    TRY(make_copies(s));
    parallel_for(ctx, s->tiles.count, 8, copy_tiles, s);
    return neighbours_build(&s->lists, &s->tiles, (const float(*)[4])s->position, (float)s->kernel.support);
}
