/* Gas in filled `points`: buoyancy of a warm disc and ball, a channel that gas is blown through, smoke that
 * stays what it is in a closed box, and vortices behind a disc in the wind ([Sin09] figure 5, in the plane).
 */
#include "verify/points_cases.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"points", NULL};

static rill_status add_smoke(verify *v, rill_scene *scene, shape form, double kelvin, rill_vec3 velocity)
{
    scene_smoke *m;
    TRY(scene_add_smoke(v->ctx, scene, &m));
    m->shape = form;
    m->temperature = 293.15 + kelvin;
    m->density = 0.1;
    m->velocity.value = velocity;
    return RILL_OK;
}

/* ---- buoyancy ---- */

/* A fluid that begins to move from rest: a disc of buoyancy b takes its like along and starts with b / 2, a
 * ball with 2 b / 3. */
static rill_status starts(verify *v, int dimensions, double across, double radius)
{
    static const double kelvin = 10, gravity = 10, dt = 1e-3;
    const double b = gravity * kelvin / 293.15, share = dimensions == 2 ? 1.0 / 2 : 2.0 / 3;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_step_stats stats;
    const rill_vec3 middle = v3(across / 2, across / 2, dimensions == 2 ? 0 : across / 2);
    rill_status st = verify_scene(v, dimensions, (rill_box){{0, 0, 0}, {across, across, across}}, 1, &scene);
    scene.fill = true;
    scene.fluid.density = 1.2;
    scene.gravity = v3(0, -gravity, 0);
    if (!st)
        st = add_smoke(v, &scene, (shape){.kind = SHAPE_SPHERE, .sphere = {middle, radius}}, kelvin,
                       v3(0, 0, 0));
    if (!st) scene.smoke[0].density = 0;
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_step(sim, dt, &stats);
    if (!st) {
        const particles *p = verify_particles(sim);
        double sum = 0, count = 0; /* it is the same all over it; not at the rim, which is a spacing wide */
        for (size_t i = 0; i < p->count; i++)
            if (v3_distance(p->position[i], middle) < 0.6 * radius) sum += p->velocity[i].y, count++;
        char name[80];
        snprintf(name, sizeof name, "%s starts to rise: acceleration / theory - 1",
                 dimensions == 2 ? "warm disc" : "warm ball");
        verify_figure(v, name, fabs(sum / count / dt / (share * b) - 1), AT_MOST, 0.02);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- smoke in a closed box ---- */

static double soot_in(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    const float *soot = particles_column(p, "soot");
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += soot[i];
    return sum;
}

static rill_status keeps(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    double before = 0;
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1.5, 0}}, 1.0 / 32, &scene);
    scene.fill = true;
    scene.fluid.density = 1.2;
    const shape disc = {.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.3, 0}, 0.15}};
    if (!st) st = add_smoke(v, &scene, disc, 80, v3(0, 0, 0));
    if (!st) {
        scene.smoke[0].end = 1e-6;
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, 0.001, NULL, NULL);
    if (!st) before = soot_in(sim);
    if (!st) st = verify_run(sim, 2, NULL, NULL);
    if (!st) {
        const particles *p = verify_particles(sim);
        const float *heat = particles_column(p, "heat");
        double height = 0, warm = 0;
        for (size_t i = 0; i < p->count; i++) height += heat[i] * p->position[i].y, warm += heat[i];
        verify_figure(v, "closed box, 2 s: soot now / at the start - 1", fabs(soot_in(sim) / before - 1),
                      AT_MOST, 1e-6);
        verify_figure(v, "closed box, 2 s: the warm gas has risen, in radii", (height / warm - 0.3) / 0.15,
                      AT_LEAST, 2);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- wind ---- */

typedef struct wind {
    rill_vec3 place;
    double since, most, least; /* points there at most and at least */
    double along, count;       /* sum of the speeds along the wind */
    double before;
    int turns; /* how often the flow across the wind changed its direction */
} wind;

static rill_status feel(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    wind *w = user;
    const particles *p = verify_particles(sim);
    if (sim->time < w->since) return RILL_OK;
    rill_vec3 u;
    TRY(sim->method->velocity(sim, 1, &w->place, &u));
    w->most = fmax(w->most, (double)p->count);
    w->least = fmin(w->least, (double)p->count);
    w->along += u.x;
    w->count++;
    /* Less than a twentieth of the wind is no turn. */
    if (fabs(u.y) > 0.05 && u.y * w->before < 0) w->turns++;
    if (fabs(u.y) > 0.05) w->before = u.y;
    return RILL_OK;
}

/* Gas blown in over the whole of -x, and out at +x. */
static rill_status make_wind(verify *v, double length, double height, double h, double speed,
                             rill_scene *scene)
{
    TRY(verify_scene(v, 2, (rill_box){{0, 0, 0}, {length, height, 0}}, h, scene));
    scene->fill = true;
    scene->fluid.density = 1.2;
    scene->gravity = v3(0, -9.81, 0);
    scene->domain.open = 1u << 1;
    const shape inlet = {.kind = SHAPE_BOX, .box = {{-1, -1, -1}, {0.5 * h, height + 1, 1}}};
    TRY(add_smoke(v, scene, inlet, 0, v3(speed, 0, 0)));
    scene->smoke[0].density = 0;
    return verify_add_box(v, scene, (rill_box){{0, 0, 0}, {length, height, 0}},
                          (velocity_field){.value = v3(speed, 0, 0)});
}

static rill_status channel(verify *v)
{
    static const double h = 1.0 / 24;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    wind w = {.place = v3(1.5, 0.5, 0), .least = INFINITY};
    rill_status st = make_wind(v, 2, 1, h, 1, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_run(sim, v->full ? 10 : 4, feel, &w);
    if (!st) {
        verify_figure(v, "empty channel: mean speed / that of the inflow - 1", fabs(w.along / w.count - 1),
                      AT_MOST, 0.01);
        /* A row comes and another goes, not at the same moment. */
        const double start = 2 / h / h;
        verify_figure(v, "empty channel: points more or less than at the start, rows",
                      fmax(w.most - start, start - w.least) * h, AT_MOST, 2);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* A disc 0.2 m across in a wind of 1 m/s: a Strouhal number of 0.2 is a vortex every half second. */
static rill_status street(verify *v)
{
    static const double h = 0.025, end = 5;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_solid *disc;
    wind w = {.place = v3(1.0, 0.5, 0), .least = INFINITY};
    rill_status st = make_wind(v, 2, 1, h, 1, &scene);
    if (!st) st = scene_add_solid(v->ctx, &scene, &disc);
    if (!st) {
        disc->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.52, 0}, 0.1}};
        verify_param(&scene, "jitter", 0.2); /* a lattice is symmetric for long */
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, end, feel, &w);
    if (!st) {
        verify_figure(v, "disc in the wind, 5 s: turns of the flow across, a vortex each", w.turns, AT_LEAST,
                      3);
        verify_figure(v, "disc in the wind: points, largest over smallest number", w.most / w.least, AT_MOST,
                      1.05);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    TRY(starts(v, 2, 120, 8));
    TRY(starts(v, 3, 36, 4));
    TRY(keeps(v));
    TRY(channel(v));
    return street(v);
}

const verify_case points_gas = {"gas-points", "Gas that fills the domain: buoyancy, wind, vortices", methods,
                                run};
