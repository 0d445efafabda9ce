/* The start: how much liquid there is, and how still.
 *
 * Liquid in a round vessel, and over a floor that is off the lattice, cut into pieces that are off it too.
 * Its volume is known exactly; what the particles stand for must be that, wherever the lattice lies. And
 * liquid that starts at rest must stay so: after a second its speed is stated. */
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"sph", "points", "grid", NULL};
static const double radius = 0.4;

static double around(void *user, rill_vec3 x, rill_vec3 *normal)
{
    rill_vec3 d = v3_sub(x, v3(0.5, 0.5, 0.5));
    if (*(const int *)user == 2) d.z = 0;
    if (normal) *normal = v3_scale(v3_unit(d), -1);
    return radius - v3_length(d); /* the vessel is solid outside */
}

/* A vessel filled to the height y, in pieces. */
static rill_status make_vessel(verify *v, int *dimensions, double spacing, double y, rill_scene *scene)
{
    scene_solid *vessel;
    TRY(verify_scene(v, *dimensions, (rill_box){{0, 0, 0}, {1, 1, 1}}, spacing, scene));
    TRY(verify_add_box(v, scene, (rill_box){{0, 0, -1}, {0.437, y, 2}}, (velocity_field){0}));
    TRY(verify_add_box(v, scene, (rill_box){{0.437, 0, -1}, {1, y, 2}}, (velocity_field){0}));
    TRY(scene_add_solid(v->ctx, scene, &vessel));
    vessel->shape = (shape){.kind = SHAPE_FUNCTION};
    vessel->shape.by_function.function = around;
    vessel->shape.by_function.user = dimensions;
    vessel->shape.by_function.bounds = (rill_box){{-1, -1, -1}, {2, 2, 2}};
    return RILL_OK;
}

/* Of the part of the vessel below y. */
static double vessel_volume(int dimensions, double y)
{
    const double d = y - 0.5, r = radius;
    if (dimensions == 3) return M_PI * (2 * r * r * r / 3 + r * r * d - d * d * d / 3);
    return r * r * (M_PI / 2 + asin(d / r)) + d * sqrt(r * r - d * d);
}

static rill_status make_floor(verify *v, double spacing, double low, double top, rill_scene *scene)
{
    scene_solid *floor;
    TRY(verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1, 1}}, spacing, scene));
    TRY(verify_add_box(v, scene, (rill_box){{0, 0, -1}, {0.513, top, 2}}, (velocity_field){0}));
    TRY(verify_add_box(v, scene, (rill_box){{0.513, 0, -1}, {1, top, 2}}, (velocity_field){0}));
    TRY(scene_add_solid(v->ctx, scene, &floor));
    floor->shape = (shape){.kind = SHAPE_BOX, .box = {{-1, -1, -1}, {2, low, 2}}};
    return RILL_OK;
}

static double rms_speed(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += v3_dot(p->velocity[i], p->velocity[i]);
    return p->count ? sqrt(sum / (double)p->count) : 0;
}

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    double *sum = user;
    if (sim->time < 0.5) return RILL_OK;
    const double u = rms_speed(sim);
    sum[0] += u * u;
    sum[1]++;
    return RILL_OK;
}

/* Volume of the start; the rms speed in the second half of a second when it is run. */
static rill_status look_at(verify *v, rill_scene *scene, const char *name, double exact, double limit,
                           double height)
{
    rill_sim *sim = NULL;
    char text[96];
    double sum[2] = {0, 0};
    const double h = scene_particle_spacing(scene), one = scene->dimensions == 2 ? h * h : h * h * h;
    TRY(verify_create(v, scene, &sim));
    const double volume = one * (double)verify_particles(sim)->count;
    snprintf(text, sizeof text, "%s: volume, error", name);
    verify_figure(v, text, fabs(volume / exact - 1), AT_MOST, limit);
    rill_status st = height > 0 ? verify_run(sim, 1, look, sum) : RILL_OK;
    if (!st && height > 0) {
        snprintf(text, sizeof text, "%s: rms speed / sqrt(gH)", name);
        verify_figure(v, text, sqrt(sum[0] / sum[1] / (9.81 * height)), REPORT, 0);
    }
    verify_destroy(sim);
    return st;
}

static rill_status run(verify *v)
{
    static const double spacing[] = {0.08, 0.043};
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int k = 0; k < 2; k++) {
            char name[64];
            rill_scene scene = {0};
            const double y = 0.5 + 0.011 * k;
            snprintf(name, sizeof name, "round vessel, %g spacings across, %dD", 2 * radius / spacing[k],
                     dimensions);
            rill_status st = make_vessel(v, &dimensions, spacing[k], y, &scene);
            if (!st)
                st = look_at(v, &scene, name, vessel_volume(dimensions, y), 0.005 + (k ? 0 : 0.01),
                             dimensions == 2 && k ? 0.41 : 0);
            scene_clear(v->ctx, &scene);
            TRY(st);
        }
    rill_scene scene = {0};
    rill_status st = make_floor(v, 0.04, 0.127, 0.527, &scene);
    if (!st) st = look_at(v, &scene, "floor off the lattice, 10 spacings deep, 2D", 0.4, 0.005, 0.4);
    scene_clear(v->ctx, &scene);
    return st;
}

const verify_case start_volume = {"start", "The start: volume and rest anywhere on the lattice", methods,
                                  run};
