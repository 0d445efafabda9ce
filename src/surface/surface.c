/* Particles to mesh: bin, sample, cut, dress. */
#include "surface/surface.h"

#include "surface/anchor.h"
#include "surface/anisotropic.h"
#include "surface/averages.h"
#include "surface/distances.h"
#include "surface/finish.h"
#include "surface/metaballs.h"
#include "surface/spray.h"
#include "surface/williams.h"

/* A definition of the surface. prepare gets the particles binned by their reach, may keep values with them
 * (sampler_add_value) or bin them anew, and fills in the field; the others are NULL where there is nothing to
 * do. */
typedef struct definition {
    double radius; /* reach of a particle when none is given, in spacings */
    bool anchored; /* held to the particles' volume (anchor.h) */
    bool plain;    /* takes particles of one size, and no box */
    rill_status (*prepare)(rill_ctx *ctx, const surface_def *def, sampler *s, field *out);
    rill_status (*sampled)(rill_ctx *ctx, const surface_def *def, const sampler *s, level_grid *grid);
    rill_status (*dressed)(rill_ctx *ctx, const surface_def *def, const sampler *s,
                           const level_patches *patches, trimesh *mesh);
} definition;

/* ---- Williams ---- */

/* Radii in spacings: a flat surface is 0.5 above the outermost particles, and at least 0.37 below the
 * rim of balls of 1 around any that are 1.4 apart. */
static williams_def williams_of(const surface_def *def, int rounds)
{
    return (williams_def){.inner = 0.4, .outer = 1, .spacing = def->spacing, .rounds = rounds, .width = 1.5};
}

static rill_status by_level(rill_ctx *ctx, const surface_def *def, const sampler *s, level_grid *grid)
{
    const williams_def w = williams_of(def, 0);
    const double d = 0.05;
    const double slope = (metaballs_above(def->radius, def->dimensions, 0.5 - d) -
                          metaballs_above(def->radius, def->dimensions, 0.5 + d)) /
                         (2 * d);
    return williams_level(ctx, s, slope, &w, grid);
}

/* A planar surface is caps and a rim, not a mesh to relax: it goes by the level set. */
static rill_status by_level_if_planar(rill_ctx *ctx, const surface_def *def, const sampler *s,
                                      level_grid *grid)
{
    return def->dimensions == 2 ? by_level(ctx, def, s, grid) : RILL_OK;
}

static rill_status relax(rill_ctx *ctx, const surface_def *def, const sampler *s,
                         const level_patches *patches, trimesh *mesh)
{
    const williams_def w = williams_of(def, 80);
    return def->dimensions == 2 ? RILL_OK : williams_relax(ctx, s, patches, &w, mesh);
}

/* In two dimensions normals are the field's, and those of caps and rims. */
static rill_status normals_of_mesh(rill_ctx *ctx, const surface_def *def, const sampler *s,
                                   const level_patches *patches, trimesh *mesh)
{
    const williams_def w = williams_of(def, 0);
    return def->dimensions == 2 ? RILL_OK : williams_relax(ctx, s, patches, &w, mesh);
}

static const definition definitions[SURFACE_DEFINITIONS] = {
    [SURFACE_METABALLS] = {2, false, false, metaballs_prepare, NULL, NULL},
    [SURFACE_ZHU_BRIDSON] = {2.5, false, false, zhu_bridson_prepare, NULL, NULL},
    [SURFACE_DISTANCE] = {2.5, true, false, distance_prepare, NULL, NULL},
    [SURFACE_ANISOTROPIC] = {3, false, false, anisotropic_prepare, NULL, NULL},
    [SURFACE_WILLIAMS] = {2, false, true, metaballs_prepare, by_level_if_planar, relax},
    [SURFACE_WILLIAMS_LEVEL] = {2, false, true, metaballs_prepare, by_level, normals_of_mesh},
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
                         .columns = s->columns,
                         .smooth = s->smooth,
                         .smallest = s->smallest,
                         .slivers = s->slivers,
                         .clip = {s->clip_min, s->clip_max}};
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
    if (!(def->smooth >= 0 && def->smooth <= 1000) || !(def->smallest >= 0) ||
        !(def->slivers >= 0 && def->slivers <= 0.5))
        return rill_fail(
            ctx, RILL_USAGE,
            "surface: %d rounds of smoothing, parts from %g particles on, slivers below %g cells; they go "
            "from 0 to 1000, from 0 on, and from 0 to 0.5",
            def->smooth, def->smallest, def->slivers);
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

static bool clips(const surface_def *def)
{
    bool wide = true;
    for (int axis = 0; axis < def->dimensions; axis++)
        wide &= v3_axis(def->clip.max, axis) > v3_axis(def->clip.min, axis);
    return wide;
}

/* How much each particle's surface may be smoothed: not at all where it is alone, wholly in the liquid. */
static rill_status weigh_liquid(rill_ctx *ctx, const surface_def *def, const sampler *s, float **out)
{
    const spray_weights w = spray_weights_make(def->radius, 1, def->dimensions);
    const size_t n = s->from->count;
    float *seen = NULL, *weight = NULL;
    rill_status st = MEM_NEW(ctx, seen, n);
    if (!st) st = MEM_NEW(ctx, weight, n);
    if (!st) st = spray_seen(ctx, s, w.body, seen);
    for (size_t i = 0; i < n && !st; i++) {
        const float share = (seen[i] - w.alone) / (w.body - w.alone),
                    t = share > 0 ? share < 1 ? share : 1 : 0;
        weight[s->particle[i]] = t * t * (3 - 2 * t);
    }
    mem_free(ctx, seen);
    if (st)
        mem_free(ctx, weight);
    else
        *out = weight;
    return st;
}

/* The options that work on the mesh. */
static rill_status finish(rill_ctx *ctx, const surface_def *def, trimesh *mesh)
{
    const double h = def->spacing;
    if (def->smallest > 0) TRY(finish_components(ctx, mesh, def->smallest * h * h * h));
    if (def->smooth) {
        trimesh_column *weight = &mesh->column[mesh->column_count - 1];
        TRY(finish_smooth(ctx, mesh, def->smooth, weight->value, def->dimensions == 2));
        mem_free(ctx, weight->value);
        *weight = (trimesh_column){0};
        mesh->column_count--;
    }
    if (def->slivers > 0 && def->dimensions == 3)
        TRY(finish_slivers(ctx, mesh, def->slivers * def->cell * h));
    return RILL_OK;
}

/* ---- from particles to a mesh ---- */

/* What there is while a surface is made. */
typedef struct making {
    rill_ctx *ctx;
    surface_def def;
    const definition *how;
    sampler s;
    field f;
    level_grid grid;
    level_patches patches;
    trimesh mesh;
    float *weight; /* per particle: how much its surface may be smoothed; NULL: none is */
    double moved;  /* the surface, to hold the volume: cells outward */
} making;

static making making_of(rill_ctx *ctx, const surface_def *def)
{
    making m = {.ctx = ctx, .def = *def, .how = &definitions[def->definition]};
    if (m.def.radius == 0) m.def.radius = m.how->radius;
    return m;
}

static void making_clear(making *m)
{
    mem_free(m->ctx, m->weight);
    trimesh_clear(m->ctx, &m->mesh);
    mem_free(m->ctx, m->patches.patch);
    level_grid_clear(m->ctx, &m->grid);
    sampler_clear(m->ctx, &m->s);
}

static rill_status cut(making *m)
{
    if (m->def.dimensions == 2)
        return isocontour_build(m->ctx, &m->grid, m->def.spacing, &m->mesh, &m->patches);
    return isosurface_build(m->ctx, &m->grid, &m->mesh, &m->patches);
}

static rill_status anchor(making *m, const particles *p)
{
    TRY(field_sample(m->ctx, &m->f, &m->grid));
    return anchor_mesh(m->ctx, p, &m->def, m->f.steep, &m->grid, &m->mesh, &m->patches, &m->moved);
}

/* The field as a mesh, in the box if there is one. What is held to the volume is held as a whole and cut
 * then. */
static rill_status mesh_field(making *m, const particles *p)
{
    if (m->how->anchored) {
        TRY(anchor(m, p));
        if (!clips(&m->def)) return RILL_OK;
        m->f.level -= m->f.steep * (float)m->moved;
        level_grid_clear(m->ctx, &m->grid);
        trimesh_clear(m->ctx, &m->mesh);
        mem_free(m->ctx, m->patches.patch);
        m->patches = (level_patches){0};
    }
    if (clips(&m->def)) m->f.clip = &m->def.clip;
    TRY(field_sample(m->ctx, &m->f, &m->grid));
    if (m->how->sampled) TRY(m->how->sampled(m->ctx, &m->def, &m->s, &m->grid));
    return cut(m);
}

rill_status surface_field(rill_ctx *ctx, const particles *p, const surface_def *def, level_grid *out)
{
    TRY(check_def(ctx, def));
    making m = making_of(ctx, def);
    m.grid = (level_grid){.cell = def->cell * def->spacing, .layers = def->dimensions == 2 ? 1 : LEVEL_BLOCK};
    rill_status st = RILL_OK;
    if (p->count) {
        m.grid = (level_grid){0};
        st = bin_particles(ctx, p, &m.def, &m.s);
        if (!st) st = m.how->prepare(ctx, &m.def, &m.s, &m.f);
        if (!st) st = field_sample(ctx, &m.f, &m.grid);
        if (!st && m.how->sampled) st = m.how->sampled(ctx, &m.def, &m.s, &m.grid);
    }
    if (!st) {
        *out = m.grid;
        m.grid = (level_grid){0};
    }
    making_clear(&m);
    return st;
}

rill_status surface_from_particles(rill_ctx *ctx, const particles *p, const surface_def *def, trimesh *out)
{
    TRY(check_def(ctx, def));
    if (p->count == 0) {
        *out = (trimesh){0};
        return RILL_OK;
    }
    making m = making_of(ctx, def);
    if (m.how->plain && (clips(def) || particles_column(p, "spacing")))
        return rill_fail(
            ctx, RILL_USAGE,
            "surface: %s takes particles of one size and no box to cut it; another definition does",
            scene_surface_words[def->definition]);
    rill_status st = bin_particles(ctx, p, &m.def, &m.s);
    if (!st && m.def.smooth) st = weigh_liquid(ctx, &m.def, &m.s, &m.weight);
    if (!st) st = m.how->prepare(ctx, &m.def, &m.s, &m.f);
    if (!st) st = mesh_field(&m, p);
    if (!st) st = field_dress(ctx, &m.f, &m.patches, m.def.columns, m.weight, &m.mesh);
    if (!st && m.how->dressed) st = m.how->dressed(ctx, &m.def, &m.s, &m.patches, &m.mesh);
    if (!st) st = finish(ctx, &m.def, &m.mesh);
    if (!st) *out = trimesh_take(&m.mesh);
    making_clear(&m);
    return st;
}

rill_status distances_anchor(rill_ctx *ctx, const particles *p, const surface_def *given,
                             const float *distance, double *out)
{
    surface_def def = *given;
    def.definition = SURFACE_DISTANCE;
    TRY(check_def(ctx, &def));
    if (p->count == 0) {
        *out = 0;
        return RILL_OK;
    }
    making m = making_of(ctx, &def);
    rill_status st = bin_particles(ctx, p, &m.def, &m.s);
    if (!st) st = distance_prepare_with(ctx, &m.def, &m.s, distance, &m.f);
    if (!st) st = anchor(&m, p);
    if (!st) *out = m.moved * m.grid.cell;
    making_clear(&m);
    return st;
}
