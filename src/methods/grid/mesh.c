/* The surface as triangles: the level set of the particles where they are now (or the one
 * the grid carries), on a grid as fine as the scene asks, through the shared isosurface. */
#include "grid/mesh_field.h"
#include "grid/narrow.h"
#include "surface/finish.h"
#include "surface/settle.h"

#include <string.h>

/* Samples along a cell: `surface.cell` is met in whole parts of the grid's own. */
static int samples_of(const rill_scene *scene)
{
    const double parts = 1 / fmax(scene->surface.cell, 0.1);
    return parts < 1.5 ? 1 : (int)floor(parts + 0.5);
}

static rill_status bin(grid *s, const grid_past *past)
{
    grid_core *deep = NULL;
    size_t count = 0;
    if (!grid_narrow(s)) return grid_bin(s, NULL, 0, 3, false);
    TRY(narrow_cores(past, &s->scratch, &deep, &count));
    return grid_bin(s, deep, count, s->band, false);
}

/* What a mesh is made of. */
typedef struct {
    surface_def def;
    borders ends;
    level_grid level;
    level_patches patches;
    trimesh mesh;
    float *raw;    /* samples before they are cut, of the scratch */
    float *weight; /* per vertex, of the scratch */
    uint8_t *on;   /* per vertex: on a wall or the box */
} meshing;

static rill_status make_level(grid *s, const grid_past *past, bool carried, meshing *m)
{
    if (!carried) TRY(bin(s, past));
    TRY(grid_walls(s, s->sim.time));
    if (grid_narrow(s)) TRY(narrow_fill(s, past, NULL));
    if (!carried) TRY(grid_level(s));
    return grid_fine_level(s, samples_of(s->sim.scene), !carried, &m->ends, &m->level, &m->raw);
}

/* The mesh of the level set, at its place along walls, dressed and finished as the scene asks. */
static rill_status make_mesh(grid *s, meshing *m)
{
    rill_ctx *ctx = s->sim.ctx;
    TRY(s->tiles.dimensions == 2 ? isocontour_build(ctx, &m->level, s->h, &m->mesh, &m->patches)
                                 : isosurface_build(ctx, &m->level, &m->mesh, &m->patches));
    float *cut = m->level.value;
    m->level.value = m->raw;
    rill_status st = settle_vertices(ctx, &m->ends, &m->level, &m->patches, &m->mesh, &m->on);
    if (!st)
        st = grid_dress(s, &m->level, &m->patches, m->def.columns, &m->mesh,
                        m->def.smooth ? &m->weight : NULL);
    m->level.value = cut;
    const finish_def finish = {
        .surface = &m->def, .ends = &m->ends, .cell = m->level.cell, .on = m->on, .weight = m->weight};
    return st ? st : finish_mesh(ctx, &finish, &m->mesh);
}

rill_status grid_mesh(const grid *from, trimesh *out)
{
    rill_ctx *ctx = from->sim.ctx;
    if (from->particles.count == 0) {
        *out = (trimesh){0};
        return RILL_OK;
    }
    const grid_past past = narrow_past(from);
    grid s = *from; /* its particles, bins and fields of its own */
    const bool carried = from->def.surface == GRID_LEVEL_SET || from->def.surface == GRID_PARTICLE_SET;
    meshing m = {.def = surface_def_of_scene(from->sim.scene)};
    m.ends = (borders){
        .walls = &s.sim.solids, .time = s.sim.time, .box = m.def.clip, .dimensions = s.tiles.dimensions};
    s.bin.core = (block_map){0};
    s.walls.cache.lent = true;
    s.narrow.fill = NULL;
    arena_init(&s.scratch, ctx);
    arena_init(&s.sorting, ctx);
    if (!carried) {
        grid_tiles_init(&s.tiles, from->tiles.dimensions, from->h, from->tiles.origin);
        memcpy(s.tiles.low, from->tiles.low, sizeof s.tiles.low);
        memcpy(s.tiles.high, from->tiles.high, sizeof s.tiles.high);
    }
    rill_status st = make_level(&s, &past, carried, &m);
    if (!st) st = make_mesh(&s, &m);
    if (!st) *out = trimesh_take(&m.mesh);

    trimesh_clear(ctx, &m.mesh);
    mem_free(ctx, m.patches.patch);
    mem_free(ctx, m.on);
    level_grid_clear(ctx, &m.level);
    arena_clear(&s.scratch);
    arena_clear(&s.sorting);
    block_map_clear(ctx, &s.bin.core);
    if (!carried) grid_tiles_clear(ctx, &s.tiles);
    return st;
}

rill_status grid_mesh_of(grid *s, const particles *p, double time, trimesh *out)
{
    if (grid_narrow(s) || s->def.surface == GRID_LEVEL_SET || s->def.surface == GRID_PARTICLE_SET)
        return rill_fail(
            s->sim.ctx, RILL_USAGE,
            "surface: the liquid of this run is not in its particles alone (\"particle_band\" or a "
            "level set): its surfaces are those the run has made");
    TRY(solids_prepare(s->sim.ctx, &s->sim.solids, time, 0));
    grid other = *s;
    other.particles = *p;
    other.sim.time = time;
    return grid_mesh(&other, out);
}
