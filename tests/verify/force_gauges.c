/* Gauges of force and flow: what the fluid does to a solid that does not move.
 *
 * Archimedes: a disc, in full length a ball, ten spacings across, held in a pool at rest is pushed up by the
 * weight of the liquid in its place, in the mean from 1 s on. A jet 0.1 m wide at 2 m/s on a plate, without
 * gravity: it is turned aside and its momentum pushes the plate, density x width x speed^2; what flows
 * through a line across the jet is width x speed. Of sph, pressure gauges along the plate add up to the same
 * force. */
#include "flow/gauges.h"
#include "sph_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"grid", "sph", "points", NULL};
static const double gravity = 9.81;

/* dfsph's jet pushes 4 percent too much: its film leaves the plate (docs/dfsph.md). A guard of 5 percent
 * holds what is reached. */
static verify_kind kind_of(const verify *v, bool is_jet, variant by)
{
    const bool dfsph = strcmp(v->method, "sph") == 0 && by == BY_DEFAULT;
    return is_jet && (dfsph || strcmp(v->method, "grid") == 0) ? WANTED : AT_MOST;
}

/* Means of the gauges' columns over the steps after a time. */
enum { PLATE_GAUGES = 140, COLUMNS = PLATE_GAUGES + 8 };
typedef struct means {
    double since, before, time, sum[COLUMNS];
} means;

static rill_status add_up(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    means *m = user;
    double value[COLUMNS];
    const double dt = sim->time - m->before;
    m->before = sim->time;
    if (sim->time <= m->since) return RILL_OK;
    TRY(gauges_read(sim, value));
    m->time += dt;
    for (uint32_t k = 0; k < gauges_columns(sim->scene); k++) m->sum[k] += dt * value[k];
    return RILL_OK;
}

static rill_status add_text(verify *v, const char *given, char **to)
{
    mem_free(v->ctx, *to);
    *to = mem_text(v->ctx, given);
    return *to ? RILL_OK : mem_failed(v->ctx, strlen(given) + 1, 1);
}

/* A named solid and a gauge of the force on it. */
static rill_status add_solid(verify *v, rill_scene *scene, shape form)
{
    scene_solid *solid;
    scene_gauge *gauge;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = form;
    TRY(add_text(v, "it", &solid->name));
    TRY(scene_add_gauge(v->ctx, scene, &gauge));
    gauge->kind = GAUGE_FORCE;
    TRY(add_text(v, "F", &gauge->name));
    return add_text(v, "it", &gauge->solid);
}

static rill_status mean_gauges(verify *v, rill_scene *scene, double since, double until, means *out)
{
    rill_sim *sim = NULL;
    *out = (means){.since = since};
    TRY(verify_create(v, scene, &sim));
    const rill_status st = verify_run(sim, until, add_up, out);
    for (int k = 0; k < COLUMNS; k++) out->sum[k] /= out->time;
    verify_destroy(sim);
    return st;
}

static rill_status held_ball(verify *v, int dimensions, double spacing)
{
    rill_scene scene = {0};
    means m;
    const double radius = 5 * spacing;
    const rill_box tank = {{0, 0, 0}, {20 * spacing, 24 * spacing, 20 * spacing}};
    const rill_vec3 middle = {0.5 * tank.max.x + 0.3 * spacing, 9.2 * spacing,
                              dimensions == 2 ? 0 : 0.5 * tank.max.z};
    rill_status st = verify_scene(v, dimensions, tank, spacing, &scene);
    if (!st) scene.gravity = v3(0, -gravity, 0);
    if (!st)
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {tank.max.x, 18 * spacing, tank.max.z}},
                            (velocity_field){0});
    if (!st) st = add_solid(v, &scene, (shape){.kind = SHAPE_SPHERE, .sphere = {middle, radius}});
    if (!st) st = mean_gauges(v, &scene, 1, v->full ? 4 : 2, &m);
    if (!st) {
        const double volume = dimensions == 2 ? M_PI * radius * radius : 4 * M_PI / 3 * pow(radius, 3);
        const double displaced = scene.fluid.density * gravity * volume;
        char name[80];
        snprintf(name, sizeof name, "force / weight of the displaced liquid - 1, %dD", dimensions);
        verify_figure(v, name, fabs(m.sum[1] / displaced - 1), kind_of(v, false, BY_DEFAULT),
                      strcmp(v->method, "grid") == 0 ? 0.01 : 0.02);
        snprintf(name, sizeof name, "force sideways / the same, %dD", dimensions);
        verify_figure(v, name, fabs(m.sum[0] / displaced), AT_MOST, 0.02);
    }
    scene_clear(v->ctx, &scene);
    return st;
}

static const double plate_left = 0.15, plate_right = 0.85, plate_top = 0.16;

/* Gauges of pressure along the plate. */
static rill_status add_row(verify *v, rill_scene *scene)
{
    for (int k = 0; k < PLATE_GAUGES; k++) {
        scene_gauge *gauge;
        char name[16];
        TRY(scene_add_gauge(v->ctx, scene, &gauge));
        gauge->kind = GAUGE_PRESSURE;
        gauge->point = v3(plate_left + (k + 0.5) / PLATE_GAUGES * (plate_right - plate_left), plate_top, 0);
        snprintf(name, sizeof name, "P%d", k);
        TRY(add_text(v, name, &gauge->name));
    }
    return RILL_OK;
}

static void jet_figures(verify *v, const means *m, double flux, double flow, variant by)
{
    char name[80];
    snprintf(name, sizeof name, "jet%s: force / momentum flux - 1", variant_name(by));
    verify_figure(v, name, fabs(-m->sum[1] / flux - 1), kind_of(v, true, by), 0.03);
    snprintf(name, sizeof name, "jet%s: force sideways / the same", variant_name(by));
    verify_figure(v, name, fabs(m->sum[0] / flux), AT_MOST, 0.03);
    snprintf(name, sizeof name, "jet%s: flow through a line / (width x speed) - 1", variant_name(by));
    verify_figure(v, name, fabs(m->sum[3] / flow - 1), AT_MOST, 0.02);
    if (strcmp(v->method, "points") == 0) return;
    snprintf(name, sizeof name, "jet%s: force / momentum flux - 1, guard", variant_name(by));
    verify_figure(v, name, fabs(-m->sum[1] / flux - 1), AT_MOST, 0.05);
    if (strcmp(v->method, "sph") != 0) return;
    double sum = 0;
    for (int k = 0; k < PLATE_GAUGES; k++) sum += m->sum[4 + k] * (plate_right - plate_left) / PLATE_GAUGES;
    snprintf(name, sizeof name, "jet%s: pressures along the plate / its force - 1", variant_name(by));
    verify_figure(v, name, fabs(sum / -m->sum[1] - 1), AT_MOST, 0.03);
    snprintf(name, sizeof name, "jet%s: pressures along the plate / momentum flux - 1", variant_name(by));
    verify_figure(v, name, fabs(sum / flux - 1), kind_of(v, true, by), 0.03);
}

/* What the jet does between 0.8 s and the end. */
static rill_status jet(verify *v, variant by)
{
    static const double speed = 2, width = 0.1, spacing = 0.01;
    rill_scene scene = {0};
    means m;
    scene_emitter *e;
    scene_gauge *flow;
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 0.6, 0}}, spacing, &scene);
    if (!st) {
        scene.gravity = v3(0, 0, 0);
        scene.domain.open = 0xf;
        st = scene_add_emitter(v->ctx, &scene, &e);
    }
    if (!st) {
        e->shape = (shape){.kind = SHAPE_DISC, .flat = {{0.5, 0.5, 0}, {0, -1, 0}, width / 2}};
        e->speed = speed;
        st =
            add_solid(v, &scene,
                      (shape){.kind = SHAPE_BOX, .box = {{plate_left, 0.1, 0}, {plate_right, plate_top, 0}}});
    }
    if (!st) st = scene_add_gauge(v->ctx, &scene, &flow);
    if (!st) {
        flow->kind = GAUGE_FLOW;
        flow->point = v3(0.5, 0.42, 0);
        flow->normal = v3(0, -1, 0);
        flow->radius = width;
        st = add_text(v, "Q", &flow->name);
    }
    const bool row = strcmp(v->method, "sph") == 0;
    if (!st && row) variant_choose(&scene, by);
    if (!st && row) st = add_row(v, &scene);
    if (!st) st = mean_gauges(v, &scene, 0.8, v->full ? 2 : 1.4, &m);
    if (!st) jet_figures(v, &m, scene.fluid.density * width * speed * speed, width * speed, by);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    TRY(held_ball(v, 2, 0.02));
    if (v->full) TRY(held_ball(v, 3, 0.02));
    TRY(jet(v, BY_DEFAULT));
    return strcmp(v->method, "sph") == 0 ? jet(v, BY_TAIT) : RILL_OK;
}

const verify_case force_gauges = {"force-gauges", "The fluid's force on solids that do not move", methods,
                                  run};
