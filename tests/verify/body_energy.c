/* Energy of liquid and bodies together, in tanks that nothing outside works on: a gate that a difference of
 * levels pushes open, and a paddle wheel with two blades under falling liquid. Kinetic and potential energy
 * of both can only go down: what the coupling of pressures and bodies gives to one it takes from the other.
 */
#include "verify/grid_bodies.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"grid", "sph", "points", NULL};

typedef struct {
    bool started;
    double first, lowest, last; /* J a metre */
    double above, climb;        /* the most above the first, and above the lowest before it */
    double turned;              /* rad: the most */
} energy;

static double energy_of_bodies(const rill_sim *sim)
{
    const body_world *w = &sim->bodies.world;
    double sum = 0;
    for (uint32_t i = 0; i < w->bodies; i++) {
        const rigid_body *b = &w->body[i];
        const world_state *s = &w->state[i];
        sum += 0.5 * b->mass * v3_dot(s->velocity, s->velocity) +
               0.5 * b->inertia[2][2] * s->spin.z * s->spin.z -
               b->mass * v3_dot(sim->scene->gravity, s->center);
    }
    return sum;
}

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    energy *e = user;
    const quaternion q = sim->bodies.world.state[0].turn;
    const double now = stats->kinetic + stats->potential + energy_of_bodies(sim);
    if (!e->started) *e = (energy){.started = true, .first = now, .lowest = now};
    e->above = fmax(e->above, now - e->first);
    e->climb = fmax(e->climb, now - e->lowest);
    e->lowest = fmin(e->lowest, now);
    e->last = now;
    e->turned = fmax(e->turned, fabs(2 * atan2(q.z, q.w)));
    return RILL_OK;
}

/* A plate from low to high, hinged at `point`. */
static rill_status add_plate(verify *v, rill_scene *scene, rill_vec3 low, rill_vec3 high, rill_vec3 point,
                             double ratio, double limit)
{
    TRY(grid_add_body(v, scene, (shape){.kind = SHAPE_BOX, .box = {low, high}}, v3(0, 0, 0), ratio));
    scene_body *b = &scene->solids[scene->solid_count - 1].body;
    b->hinged = true;
    b->hinge.point = point;
    b->hinge.axis = v3(0, 0, 1);
    b->hinge.limits[1] = limit;
    return RILL_OK;
}

static rill_status add_wall(verify *v, rill_scene *scene, rill_box box)
{
    scene_solid *s;
    TRY(scene_add_solid(v->ctx, scene, &s));
    s->shape = (shape){.kind = SHAPE_BOX, .box = {box.min, box.max}};
    return RILL_OK;
}

static rill_status gate(verify *v, double h, rill_scene *scene)
{
    TRY(verify_scene(v, 2, (rill_box){v3(0, 0, 0), v3(2, 0.9, 0)}, h, scene));
    TRY(verify_add_box(v, scene, (rill_box){v3(0, 0, 0), v3(0.95, 0.6, 0)}, (velocity_field){0}));
    TRY(verify_add_box(v, scene, (rill_box){v3(1.05, 0, 0), v3(2, 0.15, 0)}, (velocity_field){0}));
    TRY(add_plate(v, scene, v3(0.95, 0.01, -1), v3(1.05, 0.4, 1), v3(1, 0.4, 0), 0.8, 75));
    return add_wall(v, scene, (rill_box){v3(0.95, 0.42, -1), v3(1.05, 0.95, 1)});
}

static rill_status wheel(verify *v, double h, rill_scene *scene)
{
    TRY(verify_scene(v, 2, (rill_box){v3(0, 0, 0), v3(1.2, 1.2, 0)}, h, scene));
    TRY(verify_add_box(v, scene, (rill_box){v3(0.7, 0.7, 0), v3(0.95, 1.15, 0)}, (velocity_field){0}));
    return add_plate(v, scene, v3(0.25, 0.44, -1), v3(0.95, 0.52, 1), v3(0.6, 0.48, 0), 0.7, 0);
}

static rill_status energy_of(verify *v, const char *what, rill_status (*make)(verify *, double, rill_scene *))
{
    rill_scene scene;
    rill_sim *sim = NULL;
    energy e = {.started = false};
    char name[64];
    TRY(make(v, v->full ? 0.02 : 0.03, &scene));
    rill_status st = verify_create(v, &scene, &sim);
    if (!st) st = verify_run(sim, v->full ? 4 : 2, look, &e);
    if (!st) {
        const double lost = e.first - e.last;
        snprintf(name, sizeof name, "%s: energy above the start, of what is lost", what);
        verify_figure(v, name, e.above / lost, AT_MOST, 0.01);
        snprintf(name, sizeof name, "%s: energy above an earlier one, of what is lost", what);
        verify_figure(v, name, e.climb / lost, WANTED, 0.02);
        snprintf(name, sizeof name, "%s: turned (rad)", what);
        verify_figure(v, name, e.turned, AT_LEAST, 0.2);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    TRY(energy_of(v, "gate", gate));
    return energy_of(v, "wheel", wheel);
}

const verify_case body_energy_case = {"body-energy", "Gate and wheel: energy of bodies and liquid", methods,
                                      run};
