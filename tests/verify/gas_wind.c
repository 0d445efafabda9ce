/* Gas around solids and at open sides: energy comes from nothing but the wind that is blown in. */
#include "grid/grid.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"grid", NULL};
static const char *const words[] = {"linear", "cubic", "maccormack"};

static rill_status make(verify *v, double width, double height, int advection, bool reflection,
                        rill_scene *scene)
{
    TRY(verify_scene(v, 2, (rill_box){{0, 0, 0}, {width, height, 0}}, 0.025, scene));
    scene->fill = true;
    scene->fluid.density = 1.2;
    grid_def *def = scene_method_def_of(scene, "grid");
    def->advection = advection;
    def->reflection = reflection;
    return RILL_OK;
}

static rill_status add_disc(verify *v, rill_scene *scene, double radius)
{
    scene_solid *disc;
    TRY(scene_add_solid(v->ctx, scene, &disc));
    disc->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.52, 0}, radius}};
    return RILL_OK;
}

/* Largest kinetic energy over that after the first step. */
static rill_status most_energy(rill_sim *sim, double dt, int steps, double *out)
{
    double first = 0, most = 0;
    for (int k = 0; k < steps; k++) {
        rill_step_stats stats;
        TRY(verify_step(sim, dt, &stats));
        if (k == 0) first = stats.kinetic;
        most = fmax(most, stats.kinetic);
    }
    *out = most / first;
    return RILL_OK;
}

/* Jets in all directions around a disc in a closed box, short steps. */
static rill_status closed_box(verify *v, int advection, bool reflection)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    double most;
    rill_status st = make(v, 1, 1, advection, reflection, &scene);
    for (int k = 0; !st && k < 8; k++) {
        const double at = 0.25 * M_PI * k, x = 0.5 + 0.32 * cos(at), y = 0.5 + 0.32 * sin(at);
        st = verify_add_box(v, &scene, (rill_box){{x - 0.08, y - 0.08, 0}, {x + 0.08, y + 0.08, 0}},
                            (velocity_field){.value = v3(2 * cos(2.5 * k), 2 * sin(2.5 * k), 0)});
    }
    if (!st) st = add_disc(v, &scene, 0.1);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = most_energy(sim, 1.0 / 240, v->full ? 1200 : 500, &most);
    char name[120];
    snprintf(name, sizeof name, "disc in a closed box, %s%s: largest energy, of the first", words[advection],
             reflection ? ", reflection" : "");
    if (!st) verify_figure(v, name, most, AT_MOST, 1.01);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* Wind of 1 m/s past a disc 0.4 m across, less than its width before the open side: eddies leave through it
 * and draw gas in. */
static rill_status outlet(verify *v, int advection, bool reflection)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_smoke *m;
    double most;
    const velocity_field wind = {.value = v3(1, 0, 0)};
    rill_status st = make(v, 1, 1, advection, reflection, &scene);
    scene.domain.open = 1u << 1;
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, 1, 0}}, wind);
    if (!st) st = scene_add_smoke(v->ctx, &scene, &m);
    if (!st) {
        m->shape = (shape){.kind = SHAPE_BOX, .box = {{-1, -1, -1}, {0.0125, 2, 1}}};
        m->velocity = wind;
        m->density = 0;
        st = add_disc(v, &scene, 0.2);
    }
    if (!st) scene.solids[0].slip = SLIP_NONE;
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = most_energy(sim, 1.0 / 120, v->full ? 960 : 480, &most);
    char name[120];
    snprintf(name, sizeof name, "disc before an open side, %s%s: largest energy, of the first",
             words[advection], reflection ? ", reflection" : "");
    if (!st) verify_figure(v, name, most, AT_MOST, 1.5);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    for (int advection = GRID_LINEAR; advection <= GRID_MACCORMACK; advection++)
        for (int reflection = 0; reflection < 2; reflection++) {
            TRY(closed_box(v, advection, reflection));
            TRY(outlet(v, advection, reflection));
        }
    return RILL_OK;
}

const verify_case gas_wind = {"gas-wind", "Energy of gas around solids and at open sides", methods, run};
