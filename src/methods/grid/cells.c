/* The cells that hold liquid, for cuts and files: where the particles are now, with the
 * velocity and pressure of the last step. */
#include "grid/state.h"

static rill_vec3 centre(const grid_tiles *t, uint32_t tile, int c)
{
    return v3_madd(grid_tile_corner(t, tile), t->h,
                   v3(c % 8 + 0.5, c / 8 % 8 + 0.5, t->layers == 1 ? 0 : c / 64 + 0.5));
}

/* Cells whose centre is in the domain and at most half a cell outside of the liquid. */
static bool shows(const grid *s, uint32_t tile, int c)
{
    const scene_domain *d = &s->sim.scene->domain;
    const rill_vec3 x = centre(&s->tiles, tile, c);
    return s->field.phi[(size_t)tile * (size_t)s->tiles.cells + (size_t)c] < 0.5f &&
           box_contains((rill_box){d->min, d->max}, x);
}

/* Of the particles in a cell: what there is before the first step. */
static rill_vec3 mean_velocity(const grid *s, uint32_t tile, int c)
{
    rill_vec3 sum = v3(0, 0, 0);
    if (s->bin.core_of[tile] == GRID_NONE) return sum;
    const uint32_t *first = s->bin.first + (size_t)s->bin.core_of[tile] * (size_t)s->tiles.cells + c;
    for (uint32_t q = first[0]; q < first[1]; q++)
        sum = v3_add(sum, s->particles.velocity[s->bin.order ? s->bin.order[q] : q]);
    return first[1] > first[0] ? v3_scale(sum, 1.0 / (first[1] - first[0])) : sum;
}

static rill_status fill(const grid *from, const grid *s, particles *out)
{
    rill_ctx *ctx = from->sim.ctx;
    const int cells = s->tiles.cells;
    const bool stepped = from->tiles.count > 0;
    double *pressure = NULL;
    size_t count = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++)
        for (int c = 0; c < cells; c++) count += shows(s, t, c);
    TRY(particles_add_column(ctx, out, "pressure"));
    TRY(particles_add_column(ctx, out, "level"));
    TRY(particles_reserve(ctx, out, count));
    float *level = particles_column(out, "level"), *value = particles_column(out, "pressure");
    for (uint32_t t = 0; t < s->tiles.count; t++)
        for (int c = 0; c < cells; c++) {
            if (!shows(s, t, c)) continue;
            out->position[out->count] = centre(&s->tiles, t, c);
            out->velocity[out->count] = stepped ? v3(0, 0, 0) : mean_velocity(s, t, c);
            out->id[out->count] = out->count;
            level[out->count++] = (float)(s->field.phi[(size_t)t * (size_t)cells + (size_t)c] * s->h);
        }
    out->next_id = out->count;
    TRY(MEM_NEW(ctx, pressure, count));
    rill_status st = stepped ? grid_sample(from, count, out->position, out->velocity, NULL) : RILL_OK;
    if (!st) st = grid_sample(from, count, out->position, NULL, pressure);
    for (size_t i = 0; !st && i < count; i++) value[i] = (float)pressure[i];
    mem_free(ctx, pressure);
    return st;
}

rill_status grid_cells(const rill_sim *sim, particles *out)
{
    const grid *from = grid_view_of(sim);
    rill_ctx *ctx = sim->ctx;
    particles made = {0};
    const bool carried = from->def.surface == GRID_LEVEL_SET || from->def.surface == GRID_PARTICLE_SET;
    if (from->particles.count == 0) return RILL_OK;
    grid s = *from; /* bins and fields of its own, as in mesh.c */
    s.bin.core = (block_map){0};
    s.walls.cache.lent = true;
    arena_init(&s.scratch, ctx);
    arena_init(&s.sorting, ctx);
    rill_status st = RILL_OK;
    if (!carried) {
        grid_tiles_init(&s.tiles, from->tiles.dimensions, from->h, from->tiles.origin);
        st = grid_bin(&s, NULL, 0, 3, false);
        if (!st) st = grid_walls(&s, s.sim.time);
        if (!st) st = grid_level(&s);
    }
    if (!st) st = fill(from, &s, &made);
    if (!st)
        *out = made;
    else
        particles_clear(ctx, &made);
    arena_clear(&s.scratch);
    arena_clear(&s.sorting);
    block_map_clear(ctx, &s.bin.core);
    if (!carried) grid_tiles_clear(ctx, &s.tiles);
    return st;
}
