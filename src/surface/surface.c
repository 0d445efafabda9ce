/* Particles to mesh: bin, sample, cut, dress. */
#include "surface/surface.h"

#include "surface/metaballs.h"
#include "surface/spray.h"

surface_def surface_def_default(void)
{
    return (surface_def){.spacing = 1, .cell = 0.5, .radius = 2, .dimensions = 3};
}

static rill_status check_def(rill_ctx *ctx, const surface_def *def)
{
    if (!(def->spacing > 0) || !isfinite(def->spacing))
        return rill_fail(ctx, RILL_USAGE, "surface: a spacing of %g is no length; it must be above 0",
                         def->spacing);
    if (!(def->cell >= 0.05 && def->cell <= 1))
        return rill_fail(ctx, RILL_USAGE,
                         "surface: a cell of %g spacings; from 0.05 to 1 the grid can resolve the surface",
                         def->cell);
    if (!(def->radius >= 1 && def->radius <= 8))
        return rill_fail(ctx, RILL_USAGE,
                         "surface: a radius of %g spacings; from 1 to 8 the balls of neighbours join",
                         def->radius);
    if (def->dimensions != 2 && def->dimensions != 3)
        return rill_fail(ctx, RILL_USAGE, "surface: %d dimensions; there are 2 or 3", def->dimensions);
    return RILL_OK;
}

/* Bins the particles and samples their field; both are the caller's, also on failure. */
static rill_status sample(rill_ctx *ctx, const particles *p, const surface_def *def, sampler *s,
                          level_grid *grid)
{
    const double cell = def->cell * def->spacing, radius = def->radius * def->spacing;
    const double level = metaballs_level(def->radius, def->dimensions);
    const spray_weights spray = spray_weights_make(def->radius, level, def->dimensions);
    TRY(sampler_build(ctx, p, cell, radius, def->dimensions, s));
    TRY(spray_weigh(ctx, s, &spray));
    return metaballs_sample(ctx, s, level, grid);
}

rill_status surface_field(rill_ctx *ctx, const particles *p, const surface_def *def, level_grid *out)
{
    TRY(check_def(ctx, def));
    sampler s = {0};
    level_grid grid = {.cell = def->cell * def->spacing, .layers = def->dimensions == 2 ? 1 : LEVEL_BLOCK};
    const rill_status st = p->count ? sample(ctx, p, def, &s, &grid) : RILL_OK;
    if (!st) *out = grid;
    sampler_clear(ctx, &s);
    return st;
}

rill_status surface_from_particles(rill_ctx *ctx, const particles *p, const surface_def *def, trimesh *out)
{
    TRY(check_def(ctx, def));
    sampler s = {0};
    level_grid grid = {0};
    level_patches patches = {0};
    trimesh mesh = {0};
    if (p->count == 0) {
        *out = mesh;
        return RILL_OK;
    }
    rill_status st = sample(ctx, p, def, &s, &grid);
    if (!st)
        st = def->dimensions == 2 ? isocontour_build(ctx, &grid, def->spacing, &mesh, &patches)
                                  : isosurface_build(ctx, &grid, &mesh, &patches);
    if (!st) st = metaballs_dress(ctx, &s, &patches, &mesh);
    if (!st) *out = trimesh_take(&mesh);

    trimesh_clear(ctx, &mesh);
    mem_free(ctx, patches.patch);
    level_grid_clear(ctx, &grid);
    sampler_clear(ctx, &s);
    return st;
}
