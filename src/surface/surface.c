/* Particles to mesh: bin, sample, cut, dress. */
#include "surface/surface.h"

#include "surface/anchor.h"
#include "surface/anisotropic.h"
#include "surface/averages.h"
#include "surface/distances.h"
#include "surface/metaballs.h"

/* A definition of the surface. prepare gets the particles binned by their reach, may keep values with them
 * (sampler_add_value) or bin them anew, and fills in the field. */
typedef struct definition {
    double radius; /* reach of a particle when none is given, in spacings */
    bool anchored; /* held to the particles' volume (anchor.h) */
    rill_status (*prepare)(rill_ctx *ctx, const surface_def *def, sampler *s, field *out);
} definition;

static const definition definitions[SURFACE_DEFINITIONS] = {
    [SURFACE_METABALLS] = {2, false, metaballs_prepare},
    [SURFACE_ZHU_BRIDSON] = {2.5, false, zhu_bridson_prepare},
    [SURFACE_DISTANCE] = {2.5, true, distance_prepare},
    [SURFACE_ANISOTROPIC] = {3, false, anisotropic_prepare},
};

surface_def surface_def_default(void)
{
    return (surface_def){.spacing = 1, .cell = 0.5, .dimensions = 3};
}

surface_def surface_def_of_scene(const rill_scene *scene)
{
    const scene_surface *s = &scene->surface;
    return (surface_def){.spacing = scene_particle_spacing(scene),
                         .cell = s->cell,
                         .radius = s->radius,
                         .dimensions = scene->dimensions,
                         .definition = s->definition,
                         .columns = s->columns};
}

double surface_radius_default(int d)
{
    return definitions[d].radius;
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
    if (!(def->radius >= 1 && def->radius <= 8) && def->radius != 0)
        return rill_fail(ctx, RILL_USAGE,
                         "surface: a radius of %g spacings; from 1 to 8 the balls of neighbours join, and 0 "
                         "stands for the definition's own",
                         def->radius);
    if (def->dimensions != 2 && def->dimensions != 3)
        return rill_fail(ctx, RILL_USAGE, "surface: %d dimensions; there are 2 or 3", def->dimensions);
    if (def->definition < 0 || def->definition >= SURFACE_DEFINITIONS)
        return rill_fail(ctx, RILL_USAGE, "surface: there is no definition %d", def->definition);
    return RILL_OK;
}

/* The particles by the reach of each. */
static rill_status bin_particles(rill_ctx *ctx, const particles *p, const surface_def *def, sampler *out)
{
    const float *spacing = particles_column(p, "spacing");
    float *reach = NULL;
    sampler_def s = {.from = p,
                     .cell = def->cell * def->spacing,
                     .radius = def->radius * def->spacing,
                     .dimensions = def->dimensions};
    if (spacing) {
        TRY(MEM_NEW(ctx, reach, p->count));
        for (size_t i = 0; i < p->count; i++) reach[i] = (float)def->radius * spacing[i];
        s.reach = reach;
    }
    const rill_status st = sampler_build(ctx, &s, out);
    mem_free(ctx, reach);
    return st;
}

rill_status surface_from_particles(rill_ctx *ctx, const particles *p, const surface_def *given, trimesh *out)
{
    TRY(check_def(ctx, given));
    surface_def def = *given;
    if (def.radius == 0) def.radius = surface_radius_default(def.definition);
    sampler s = {0};
    field f = {0};
    level_grid grid = {0};
    level_patches patches = {0};
    trimesh mesh = {0};
    double moved = 0;
    if (p->count == 0) {
        *out = mesh;
        return RILL_OK;
    }
    rill_status st = bin_particles(ctx, p, &def, &s);
    if (!st) st = definitions[def.definition].prepare(ctx, &def, &s, &f);
    if (!st) st = field_sample(ctx, &f, &grid);
    if (!st && definitions[def.definition].anchored)
        st = anchor_mesh(ctx, p, &def, &grid, &mesh, &patches, &moved);
    else if (!st)
        st = def.dimensions == 2 ? isocontour_build(ctx, &grid, def.spacing, &mesh, &patches)
                                 : isosurface_build(ctx, &grid, &mesh, &patches);
    if (!st) st = field_dress(ctx, &f, &patches, def.columns, &mesh);
    if (!st) *out = trimesh_take(&mesh);

    trimesh_clear(ctx, &mesh);
    mem_free(ctx, patches.patch);
    level_grid_clear(ctx, &grid);
    sampler_clear(ctx, &s);
    return st;
}

rill_status distances_anchor(rill_ctx *ctx, const particles *p, const surface_def *given,
                             const float *distance, double *out)
{
    surface_def def = *given;
    def.definition = SURFACE_DISTANCE;
    TRY(check_def(ctx, &def));
    if (def.radius == 0) def.radius = surface_radius_default(def.definition);
    sampler s = {0};
    field f = {0};
    level_grid grid = {0};
    level_patches patches = {0};
    trimesh mesh = {0};
    double moved = 0;
    if (p->count == 0) {
        *out = 0;
        return RILL_OK;
    }
    rill_status st = bin_particles(ctx, p, &def, &s);
    if (!st) st = distance_prepare_with(ctx, &s, distance, &f);
    if (!st) st = field_sample(ctx, &f, &grid);
    if (!st) st = anchor_mesh(ctx, p, &def, &grid, &mesh, &patches, &moved);
    if (!st) *out = moved * grid.cell;

    trimesh_clear(ctx, &mesh);
    mem_free(ctx, patches.patch);
    level_grid_clear(ctx, &grid);
    sampler_clear(ctx, &s);
    return st;
}
