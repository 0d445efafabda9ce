#include "volume/fields.h"

#include <stdio.h>

static const double ambient = 293.15; /* K */
static const double faint = 1e-4;     /* soot below this share of the most is left out */

static double cell_of(const rill_scene *scene)
{
    return scene->volume.cell * scene->spacing;
}

static bool wants(const rill_scene *scene, int field)
{
    return scene->volume.fields >> field & 1;
}

void volume_set_clear(rill_ctx *ctx, volume_set *s)
{
    for (int k = 0; k < s->count; k++) volume_clear(ctx, &s->field[k]);
    *s = (volume_set){0};
}

bool volume_needs_cells(const rill_scene *scene)
{
    const rill_method *m = scene->method;
    if (!m->cells) return false;
    return (scene->smoke_count > 0 && (wants(scene, VOLUME_TEMPERATURE) || wants(scene, VOLUME_DENSITY))) ||
           (wants(scene, VOLUME_VELOCITY) && !m->has_particles && scene_tracer_sources(scene) == 0);
}

bool volume_set_possible(const rill_scene *scene)
{
    const bool liquid = method_has_surface(scene->method) && !scene->fill;
    return (wants(scene, VOLUME_DENSITY) && (scene_tracer_sources(scene) || scene->smoke_count)) ||
           (wants(scene, VOLUME_TEMPERATURE) && scene->smoke_count) ||
           (wants(scene, VOLUME_VELOCITY) && (scene_tracer_sources(scene) || liquid)) ||
           (wants(scene, VOLUME_LEVEL_SET) && liquid && scene->dimensions == 3);
}

static void add(volume_set *s, volume *v, const char *name)
{
    snprintf(v->name, sizeof v->name, "%s", name);
    s->field[s->count++] = *v;
    *v = (volume){0};
}

rill_status volume_of_tracers(rill_ctx *ctx, const rill_scene *scene, const particles *dots, volume *out)
{
    return volume_of_dots(ctx, dots, scene->domain.min, cell_of(scene), scene->dimensions, out, NULL);
}

/* ---- gas ---- */

typedef struct {
    const rill_scene *scene;
    const rill_view *view;
    const particles *sites;   /* of the gas: cells, or the method's particles */
    double cube;              /* side of these cells where they are cubes; 0: they are not */
    const float *soot, *heat; /* columns of these; NULL: none */
    volume density, velocity; /* of tracers, or of soot and none; moved into the set when wanted */
} gas;

/* The side of the method's cells where these are cubes of one size with a corner at that of the domain. */
static double cube_of(const rill_scene *scene)
{
    return scene->fill && scene->method->cell_shape == VIEW_CUBES ? scene->spacing : 0;
}

static rill_status soot_field(rill_ctx *ctx, const gas *g, volume *out)
{
    float most = 0;
    for (size_t i = 0; i < g->sites->count; i++) most = g->soot[i] > most ? g->soot[i] : most;
    return volume_around_sites(ctx, g->sites, g->cube, g->soot, faint * (double)most, g->scene->domain.min,
                               cell_of(g->scene), out);
}

rill_status volume_of_soot(rill_ctx *ctx, const rill_scene *scene, const particles *cells, volume *out)
{
    const gas g = {
        .scene = scene, .sites = cells, .cube = cube_of(scene), .soot = particles_column(cells, "soot")};
    return g.soot ? soot_field(ctx, &g, out) : RILL_OK;
}

bool volume_has_tracers(const rill_scene *scene)
{
    bool some = scene->tracers_count > 0;
    for (uint32_t k = 0; k < scene->smoke_count; k++) some |= scene->smoke[k].tracers > 0;
    return some;
}

static rill_status add_gas(rill_ctx *ctx, gas *g, volume_set *s)
{
    const rill_scene *scene = g->scene;
    const bool dots = g->view->tracers != NULL && (volume_has_tracers(scene) || !g->soot);
    volume heat = {0}, soot = {0};
    if (dots)
        TRY(volume_of_dots(ctx, g->view->tracers, scene->domain.min, cell_of(scene), scene->dimensions,
                           &g->density, &g->velocity));
    else if (g->soot)
        TRY(soot_field(ctx, g, &g->density));
    else
        return RILL_OK;
    if (wants(scene, VOLUME_TEMPERATURE) && g->heat) {
        TRY(volume_of_sites(ctx, g->sites, g->cube, g->heat, ambient, &g->density, &heat));
        add(s, &heat, "temperature");
    }
    if (wants(scene, VOLUME_DENSITY) && dots && g->soot) {
        TRY(soot_field(ctx, g, &soot));
        add(s, &soot, "soot");
    }
    if (wants(scene, VOLUME_VELOCITY) && dots) add(s, &g->velocity, "velocity");
    if (wants(scene, VOLUME_VELOCITY) && !dots) {
        TRY(volume_of_sites(ctx, g->sites, g->cube, NULL, 0, &g->density, &g->velocity));
        add(s, &g->velocity, "velocity");
    }
    if (wants(scene, VOLUME_DENSITY)) add(s, &g->density, "density");
    return RILL_OK;
}

/* ---- liquid ---- */

/* Cells without liquid do not count. */
static rill_status liquid_cells(rill_ctx *ctx, const particles *cells, particles *out)
{
    const float *level = particles_column(cells, "level");
    for (size_t i = 0; i < cells->count; i++)
        if (!level || level[i] < 0)
            TRY(particles_append(ctx, out, 1, &cells->position[i], &cells->velocity[i]));
    return RILL_OK;
}

static rill_status add_liquid_velocity(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                       volume_set *s)
{
    particles inside = {0};
    const particles *dots = view->particles;
    rill_status st = RILL_OK;
    volume count = {0}, velocity = {0};
    if (!dots && !view->cells) return RILL_OK;
    if (!dots) {
        st = liquid_cells(ctx, view->cells, &inside);
        dots = &inside;
    }
    if (!st)
        st = volume_of_dots(ctx, dots, scene->domain.min, cell_of(scene), scene->dimensions, &count,
                            &velocity);
    if (!st) add(s, &velocity, "velocity");
    volume_clear(ctx, &count);
    particles_clear(ctx, &inside);
    return st;
}

static rill_status add_liquid(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                              const trimesh *surface, volume_set *s)
{
    bool moving = false; /* the velocity of the tracers is there already */
    for (int k = 0; k < s->count; k++) moving = moving || s->field[k].width == 3;
    if (wants(scene, VOLUME_VELOCITY) && !moving) TRY(add_liquid_velocity(ctx, scene, view, s));
    if (!wants(scene, VOLUME_LEVEL_SET) || !surface || scene->dimensions != 3) return RILL_OK;
    volume band = {0};
    TRY(volume_of_surface(ctx, surface, scene->domain.min, cell_of(scene), VOLUME_BAND, &band));
    add(s, &band, "level_set");
    return RILL_OK;
}

rill_status volume_set_build(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                             const trimesh *surface, volume_set *out)
{
    volume_set s = {0};
    gas g = {.scene = scene, .view = view, .sites = view->cells ? view->cells : view->particles};
    if (view->cells) g.cube = cube_of(scene);
    if (g.sites && scene->smoke_count) {
        g.soot = particles_column(g.sites, "soot");
        g.heat = particles_column(g.sites, "heat");
    }
    rill_status st = add_gas(ctx, &g, &s);
    if (!st && !scene->fill) st = add_liquid(ctx, scene, view, surface, &s);
    volume_clear(ctx, &g.density);
    volume_clear(ctx, &g.velocity);
    if (st)
        volume_set_clear(ctx, &s);
    else
        *out = s;
    return st;
}
