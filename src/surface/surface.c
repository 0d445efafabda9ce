/* Particles to mesh: bin, sample, cut, dress. */
#include "surface/surface.h"

#include "surface/anchor.h"
#include "surface/anisotropic.h"
#include "surface/averages.h"
#include "surface/blur.h"
#include "surface/borders.h"
#include "surface/distances.h"
#include "surface/filtered.h"
#include "surface/finish.h"
#include "surface/metaballs.h"
#include "surface/mirror.h"
#include "surface/retreat.h"
#include "surface/settle.h"
#include "surface/spray.h"
#include "surface/support.h"
#include "surface/williams.h"

#include <string.h>

/* A definition of the surface. prepare gets the particles binned by their reach, may keep values with them
 * (sampler_add_value) or bin them anew, and fills in the field; the others are NULL where there is nothing to
 * do. */
typedef struct definition {
    double radius; /* reach of a particle when none is given, in spacings */
    bool anchored; /* held to the particles' volume (anchor.h) */
    bool plain;    /* takes particles of one size, and no box */
    bool balls;    /* its field is a sum of balls with weights (support.h) */
    rill_status (*prepare)(rill_ctx *ctx, const surface_def *def, sampler *s, field *out);
    rill_status (*sampled)(rill_ctx *ctx, const surface_def *def, const sampler *s, level_grid *grid,
                           float **share);
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

static rill_status by_level(rill_ctx *ctx, const surface_def *def, const sampler *s, level_grid *grid,
                            float **share)
{
    (void)share;
    const williams_def w = williams_of(def, 0);
    const double d = 0.05;
    const double slope = (metaballs_above(def->radius, def->dimensions, 0.5 - d) -
                          metaballs_above(def->radius, def->dimensions, 0.5 + d)) /
                         (2 * d);
    return williams_level(ctx, s, slope, &w, grid);
}

/* A planar surface is caps and a rim, not a mesh to relax: it goes by the level set. */
static rill_status by_level_if_planar(rill_ctx *ctx, const surface_def *def, const sampler *s,
                                      level_grid *grid, float **share)
{
    return def->dimensions == 2 ? by_level(ctx, def, s, grid, share) : RILL_OK;
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
    [SURFACE_FILTERED] = {2.4, true, false, true, filtered_prepare, filtered_samples, NULL},
    [SURFACE_METABALLS] = {2, false, false, true, metaballs_prepare, NULL, NULL},
    [SURFACE_ZHU_BRIDSON] = {2.5, false, false, false, zhu_bridson_prepare, NULL, NULL},
    [SURFACE_DISTANCE] = {2.5, true, false, false, distance_prepare, NULL, NULL},
    [SURFACE_ANISOTROPIC] = {3, false, false, false, anisotropic_prepare, NULL, NULL},
    [SURFACE_WILLIAMS] = {2, false, true, false, metaballs_prepare, by_level_if_planar, relax},
    [SURFACE_WILLIAMS_LEVEL] = {2, false, true, false, metaballs_prepare, by_level, normals_of_mesh},
};

surface_def surface_def_default(void)
{
    return (surface_def){.spacing = 1, .cell = 0.5, .dimensions = 3, .definition = SURFACE_FILTERED};
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

/* ---- from particles to a mesh ---- */

/* Liquid that had to move in by more than `apart` of anchor_most has come apart: it may go as far as
 * farthest_in, in spacings. A flat surface is half a spacing above its outermost particles. */
static const double apart = 0.6, farthest_in = 0.45;

/* What there is while a surface is made. */
typedef struct making {
    rill_ctx *ctx;
    surface_def def;
    const definition *how;
    borders ends;
    particles mirrored;  /* the particles and their images behind walls; empty: there are no walls */
    size_t real;         /* of the sampler's particles; the others are images */
    mirror_image *image; /* per image; NULL: none is in the open behind a plate */
    sampler s;
    field f;
    level_grid grid;
    float *raw;    /* the samples as the definition has them; the grid's are moved and cut at the borders */
    float *share;  /* per sample: how much it moves to hold the volume; NULL: all alike */
    float *inward; /* per sample: the same for a move inward (retreat.h); NULL: as outward */
    float *end;    /* per sample: distance of the borders, in cells; NULL: there are none */
    level_patches patches;
    trimesh mesh;
    uint8_t *on;     /* per vertex: on a border; NULL: there are none */
    float *weight;   /* per particle: how much its surface may be smoothed; NULL: none is */
    double moved;    /* the surface, to hold the volume: cells outward */
    anchor_end held; /* how that was found; rate 0: it was not */
} making;

static making making_of(rill_ctx *ctx, const surface_def *def)
{
    making m = {.ctx = ctx, .def = *def, .how = &definitions[def->definition]};
    if (m.def.radius == 0) m.def.radius = m.how->radius;
    m.ends =
        (borders){.walls = def->walls, .time = def->time, .box = def->clip, .dimensions = def->dimensions};
    return m;
}

static void forget_samples(making *m)
{
    mem_free(m->ctx, m->raw);
    mem_free(m->ctx, m->share);
    mem_free(m->ctx, m->inward);
    mem_free(m->ctx, m->end);
    mem_free(m->ctx, m->patches.patch);
    m->raw = m->share = m->inward = m->end = NULL;
    m->patches = (level_patches){0};
    trimesh_clear(m->ctx, &m->mesh);
    level_grid_clear(m->ctx, &m->grid);
}

static void making_clear(making *m)
{
    forget_samples(m);
    mem_free(m->ctx, m->on);
    mem_free(m->ctx, m->weight);
    mem_free(m->ctx, m->image);
    sampler_clear(m->ctx, &m->s);
    particles_clear(m->ctx, &m->mirrored);
}

/* Particles, images, bins, and the field they make. */
static rill_status make_field(making *m, const particles *p)
{
    m->real = p->count;
    if (m->def.walls) {
        const mirror_def mirror = {.from = p,
                                   .walls = m->def.walls,
                                   .time = m->def.time,
                                   .spacing = m->def.spacing,
                                   .reach = m->def.radius};
        TRY(mirror_particles(m->ctx, &mirror, &m->mirrored, &m->image));
        p = &m->mirrored;
    }
    TRY(bin_particles(m->ctx, p, &m->def, &m->s));
    if (m->def.smooth) TRY(weigh_liquid(m->ctx, &m->def, &m->s, &m->weight));
    TRY(m->how->prepare(m->ctx, &m->def, &m->s, &m->f));
    if (borders_any(&m->ends)) m->f.ends = &m->ends;
    return RILL_OK;
}

static void sample_ends(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const making *m = arg;
    const level_grid *g = &m->grid;
    for (size_t b = begin; b < end; b++) {
        if (g->slot[b] >= LEVEL_INSIDE) continue;
        const int32_t *at = g->map.block[b];
        const rill_vec3 corner = v3_madd(g->origin, LEVEL_BLOCK * g->cell, v3(at[0], at[1], at[2]));
        borders_sample(&m->ends, corner, g->cell, g->layers,
                       m->end + (size_t)g->slot[b] * LEVEL_AREA * (size_t)g->layers);
    }
}

/* How much each sample moves; NULL: all alike. */
static const float *shares(const making *m)
{
    return m->inward && m->moved < 0 ? m->inward : m->share;
}

static void compose_some(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const making *m = arg;
    const float by = m->f.steep * (float)m->moved, level = m->grid.level, *share = shares(m);
    for (size_t i = begin; i < end; i++) {
        const float v = m->raw[i] + by * (share ? share[i] : 1);
        const float cut = m->end ? level + m->f.steep * m->end[i] : v;
        m->grid.value[i] = cut < v ? cut : v;
    }
}

/* The samples, moved outward and cut at the borders, as a mesh. */
static rill_status cut(void *user, double moved, trimesh *mesh)
{
    making *m = user;
    m->moved = moved;
    parallel_for(m->ctx, level_kept(&m->grid), 16384, compose_some, m);
    mem_free(m->ctx, m->patches.patch);
    m->patches = (level_patches){0};
    if (m->def.dimensions == 2) return isocontour_build(m->ctx, &m->grid, m->def.spacing, mesh, &m->patches);
    return isosurface_build(m->ctx, &m->grid, mesh, &m->patches);
}

static rill_status sample(making *m)
{
    TRY(field_sample(m->ctx, &m->f, &m->grid));
    if (m->how->sampled) TRY(m->how->sampled(m->ctx, &m->def, &m->s, &m->grid, &m->share));
    const size_t n = level_kept(&m->grid);
    TRY(MEM_NEW(m->ctx, m->raw, n));
    memcpy(m->raw, m->grid.value, n * sizeof *m->raw);
    if (!m->f.ends) return RILL_OK;
    TRY(MEM_NEW(m->ctx, m->end, n));
    parallel_for(m->ctx, m->grid.map.count, 8, sample_ends, m);
    const support held = {.s = &m->s,
                          .ends = &m->ends,
                          .grid = &m->grid,
                          .value = m->raw,
                          .count = m->real,
                          .reach = 1.25f / (float)m->def.radius,
                          .image = m->image,
                          .balls = m->how->balls,
                          .ball = (float)(averages_ball(m->def.dimensions) / m->def.radius)};
    return support_samples(m->ctx, &held, m->end);
}

/* Per sample of a field that moves inward, how much. */
static rill_status make_inward(making *m)
{
    const retreat def = {.s = &m->s,
                         .ends = &m->ends,
                         .grid = &m->grid,
                         .value = m->raw,
                         .end = m->end,
                         .count = m->real,
                         .radius = m->def.radius,
                         .spacing = 1 / m->def.cell};
    TRY(MEM_NEW(m->ctx, m->inward, level_kept(&m->grid)));
    return retreat_shares(m->ctx, &def, m->share, m->inward);
}

/* Moves the surface until it holds the volume of the particles; p: without images. Where these have come
 * apart it goes farther in than it may go out, and no hollows open. */
static rill_status hold_volume(making *m, const particles *p)
{
    TRY(anchor_mesh(m->ctx, p, &m->def, anchor_most, cut, m, &m->mesh, &m->held));
    if (!m->share || m->held.moved > -apart * m->held.inward) return RILL_OK;
    TRY(make_inward(m));
    trimesh_clear(m->ctx, &m->mesh);
    return anchor_mesh(m->ctx, p, &m->def, farthest_in, cut, m, &m->mesh, &m->held);
}

/* How far outward the surface of all the liquid is, to hold its volume; p: without images. */
static rill_status find_move(making *m, const particles *p)
{
    const rill_box box = m->ends.box;
    m->ends.box = (rill_box){0};
    m->f.ends = borders_any(&m->ends) ? &m->ends : NULL;
    TRY(sample(m));
    TRY(hold_volume(m, p));
    m->ends.box = box;
    m->f.ends = &m->ends;
    return RILL_OK;
}

/* What is held to the volume is held as a whole, and cut at the box then. */
static rill_status make_mesh(making *m, const particles *p)
{
    const bool boxed = borders_boxed(&m->ends);
    bool inward = false;
    if (m->how->anchored && !boxed) {
        TRY(sample(m));
        return hold_volume(m, p);
    }
    if (m->how->anchored) {
        TRY(find_move(m, p));
        inward = m->inward != NULL;
        forget_samples(m);
    }
    TRY(sample(m));
    if (inward) TRY(make_inward(m));
    return cut(m, m->moved, &m->mesh);
}

static void uncut_some(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const making *m = arg;
    const float by = m->f.steep * (float)m->moved, *share = shares(m);
    for (size_t i = begin; i < end; i++) m->grid.value[i] = m->raw[i] + by * (share ? share[i] : 1);
}

/* The grid's samples as the field has them, without borders. */
static void uncut(making *m)
{
    parallel_for(m->ctx, level_kept(&m->grid), 16384, uncut_some, m);
}

/* Vertices onto the borders. That adds what the grid had cut off along them, a few percent of the volume of
 * little liquid in much glass: the surface is then moved again. */
static rill_status settle(making *m)
{
    enum { ROUNDS = 3 };
    static const double tolerance = 3e-3;
    uncut(m);
    if (!m->f.ends) return RILL_OK;
    for (int round = 0; round < ROUNDS; round++) {
        TRY(settle_vertices(m->ctx, &m->ends, &m->grid, &m->patches, &m->mesh, &m->on));
        const bool held = m->how->anchored && m->def.walls && !borders_boxed(&m->ends) && round < ROUNDS - 1;
        if (!held || !anchor_again(m->ctx, &m->def, &m->mesh, tolerance, &m->held)) break;
        mem_free(m->ctx, m->on);
        m->on = NULL;
        trimesh_clear(m->ctx, &m->mesh);
        TRY(cut(m, m->held.moved, &m->mesh));
        uncut(m);
    }
    return RILL_OK;
}

/* Normals and columns; what is on a border stays there. */
static rill_status dress(making *m)
{
    TRY(settle(m));
    TRY(field_dress(m->ctx, &m->f, &m->grid, &m->patches, m->def.columns, m->weight, &m->mesh));
    if (!m->how->dressed) return RILL_OK;
    rill_vec3 *before = NULL;
    TRY(MEM_NEW(m->ctx, before, m->mesh.vertex_count));
    memcpy(before, m->mesh.position, m->mesh.vertex_count * sizeof *before);
    const rill_status done = m->how->dressed(m->ctx, &m->def, &m->s, &m->patches, &m->mesh);
    for (size_t v = 0; v < m->mesh.vertex_count && m->on && !done; v++)
        if (m->on[v]) m->mesh.position[v] = before[v];
    mem_free(m->ctx, before);
    return done;
}

static rill_status finish(making *m)
{
    float *weight = NULL;
    if (m->def.smooth) { /* the last column, which has no name */
        trimesh_column *last = &m->mesh.column[--m->mesh.column_count];
        weight = last->value;
        *last = (trimesh_column){0};
    }
    const finish_def def = {.surface = &m->def,
                            .ends = &m->ends,
                            .cell = m->grid.cell,
                            .on = m->on,
                            .weight = weight,
                            .moved = m->how->dressed != NULL};
    const rill_status st = finish_mesh(m->ctx, &def, &m->mesh);
    mem_free(m->ctx, weight);
    return st;
}

rill_status surface_field(rill_ctx *ctx, const particles *p, const surface_def *def, level_grid *out)
{
    TRY(check_def(ctx, def));
    making m = making_of(ctx, def);
    m.grid = (level_grid){.cell = def->cell * def->spacing, .layers = def->dimensions == 2 ? 1 : LEVEL_BLOCK};
    rill_status st = RILL_OK;
    if (p->count) {
        m.grid = (level_grid){0};
        st = make_field(&m, p);
        if (!st) st = make_mesh(&m, p); /* which is thrown away: it finds how far the surface is moved */
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
    if (m.how->plain && (borders_boxed(&m.ends) || particles_column(p, "spacing")))
        return rill_fail(
            ctx, RILL_USAGE,
            "surface: %s takes particles of one size and no box to cut it; another definition does",
            scene_surface_words[def->definition]);
    rill_status st = make_field(&m, p);
    if (!st) st = make_mesh(&m, p);
    if (!st) st = dress(&m);
    if (!st) st = finish(&m);
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
    def.walls = NULL;
    def.clip = (rill_box){0};
    making m = making_of(ctx, &def);
    rill_status st = bin_particles(ctx, p, &m.def, &m.s);
    if (!st) st = distance_prepare_with(ctx, &m.def, &m.s, distance, &m.f);
    if (!st) st = sample(&m);
    if (!st) st = anchor_mesh(ctx, p, &m.def, anchor_most, cut, &m, &m.mesh, &m.held);
    if (!st) *out = m.moved * m.grid.cell;
    making_clear(&m);
    return st;
}
