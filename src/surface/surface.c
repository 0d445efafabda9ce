/* Particles to mesh: bin, sample, cut, dress. */
#include "surface/surface.h"

#include "surface/metaballs.h"
#include "surface/spray.h"
#include "surface/williams.h"

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
    if (def->definition < 0 || def->definition >= SURFACE_DEFINITIONS)
        return rill_fail(ctx, RILL_USAGE, "surface: there is no definition %d", def->definition);
    if (def->dimensions != 2 && def->dimensions != 3)
        return rill_fail(ctx, RILL_USAGE, "surface: %d dimensions; there are 2 or 3", def->dimensions);
    return RILL_OK;
}

/* ---- definitions ---- */

/* What there is while a surface is made. */
typedef struct making {
    rill_ctx *ctx;
    const surface_def *def;
    sampler s;
    level_grid grid;
    level_patches patches;
    trimesh mesh;
} making;

static rill_status sample_metaballs(making *m)
{
    const double level = metaballs_level(m->def->radius, m->def->dimensions);
    const spray_weights spray = spray_weights_make(m->def->radius, level, m->def->dimensions);
    TRY(spray_weigh(m->ctx, &m->s, &spray));
    return metaballs_sample(m->ctx, &m->s, level, &m->grid);
}

static rill_status cut(making *m)
{
    if (m->def->dimensions == 2)
        return isocontour_build(m->ctx, &m->grid, m->def->spacing, &m->mesh, &m->patches);
    return isosurface_build(m->ctx, &m->grid, &m->mesh, &m->patches);
}

static rill_status metaballs(making *m)
{
    TRY(sample_metaballs(m));
    TRY(cut(m));
    return metaballs_dress(m->ctx, &m->s, &m->patches, &m->mesh);
}

/* Radii in spacings: a flat surface is 0.5 above the outermost particles, and at least 0.37 below the
 * rim of balls of 1 around any that are 1.4 apart. */
static williams_def williams_of(const surface_def *def, int rounds)
{
    return (williams_def){.inner = 0.4, .outer = 1, .spacing = def->spacing, .rounds = rounds, .width = 1.5};
}

static rill_status by_level(making *m)
{
    const williams_def w = williams_of(m->def, 0);
    const double radius = m->def->radius, d = 0.05;
    const double slope = (metaballs_above(radius, m->def->dimensions, 0.5 - d) -
                          metaballs_above(radius, m->def->dimensions, 0.5 + d)) /
                         (2 * d);
    TRY(sample_metaballs(m));
    TRY(williams_level(m->ctx, &m->s, slope, &w, &m->grid));
    TRY(cut(m));
    TRY(metaballs_dress(m->ctx, &m->s, &m->patches, &m->mesh));
    if (m->def->dimensions == 2) return RILL_OK; /* its normals: of the field, and of caps and rims */
    return williams_relax(m->ctx, &m->s, &m->patches, &w, &m->mesh); /* no rounds: the normals alone */
}

static rill_status by_mesh(making *m)
{
    if (m->def->dimensions == 2)
        return by_level(m); /* a planar surface is caps and a rim, not a mesh to relax */
    const williams_def w = williams_of(m->def, 80);
    TRY(metaballs(m));
    return williams_relax(m->ctx, &m->s, &m->patches, &w, &m->mesh);
}

/* By the scene's words. */
static rill_status (*const definition[SURFACE_DEFINITIONS])(making *) = {
    [SURFACE_METABALLS] = metaballs,
    [SURFACE_WILLIAMS] = by_mesh,
    [SURFACE_WILLIAMS_LEVEL] = by_level,
};

rill_status surface_from_particles(rill_ctx *ctx, const particles *p, const surface_def *def, trimesh *out)
{
    TRY(check_def(ctx, def));
    making m = {.ctx = ctx, .def = def};
    if (p->count == 0) {
        *out = m.mesh;
        return RILL_OK;
    }
    rill_status st =
        sampler_build(ctx, p, def->cell * def->spacing, def->radius * def->spacing, def->dimensions, &m.s);
    if (!st) st = definition[def->definition](&m);
    if (!st) *out = trimesh_take(&m.mesh);

    trimesh_clear(ctx, &m.mesh);
    mem_free(ctx, m.patches.patch);
    level_grid_clear(ctx, &m.grid);
    sampler_clear(ctx, &m.s);
    return st;
}
