/* V-20 with the meshes and the step of tets: a ball in a spherical tank, free to move, released at once. The
 * tank is a solid with a hole. Then the same ball let go in a box: its path for several density ratios, and
 * the share of the speed it would have without drag, by its added mass alone. */
#include "tets/state.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"tets", NULL};
static const double radius = 0.5;

static void set_ball(rill_sim *sim, double ratio, double r)
{
    rigid_body *b = &sim->bodies.world.body[0];
    b->mass = ratio * 1000 * 4 / 3.0 * M_PI * r * r * r;
    b->velocity = b->spin = v3(0, 0, 0);
    for (int k = 0; k < 3; k++) b->inertia[k][k] = 0.4 * b->mass * r * r;
}

/* ---- in a tank ---- */

static rill_status make_tank(verify *v, double h, rill_scene *scene, rill_sim **sim)
{
    const rill_box box = {{-1, -1, -1}, {1, 1, 1}};
    scene_solid *solid;
    TRY(verify_scene(v, 3, box, h, scene));
    scene->fill = true;
    tets_def *def = scene_method_def_of(scene, "tets");
    def->tolerance = 1e-9;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    shape *part;
    TRY(MEM_NEW_ZERO(v->ctx, part, 2));
    part[0] = (shape){.kind = SHAPE_BOX, .box = {{-2, -2, -2}, {2, 2, 2}}};
    part[1] = (shape){.kind = SHAPE_SPHERE, .sphere = {.radius = 1}};
    solid->shape = (shape){.kind = SHAPE_DIFFERENCE, .parts = {part, 2}};
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {.radius = radius}};
    solid->is_body = true;
    solid->body.density = 1000;
    return verify_create(v, scene, sim);
}

/* What a projection that began with fluid at rest does to the momentum of fluid and body, beside what the
 * walls give: their sum over the largest of the three. The fluid of a face is what lies between the pressure
 * sites (or site and body), area times distance, as the projection weighs it. */
static double momentum_lost(const tets *s, rill_vec3 gained_by_body, double dt)
{
    const tets_state *a = &s->state[s->now];
    const fv_mesh *fv = &a->mesh.fv;
    const float *weight = projection_weights(s->projection);
    rill_vec3 fluid = {0, 0, 0}, tank = {0, 0, 0};
    for (uint32_t k = 0; k < fv->face_count; k++) {
        const fv_face *f = &fv->face[k];
        if (k < fv->inner_count)
            fluid = v3_madd(fluid, 1000 * a->flux[k] / (double)weight[k], f->area);
        else if (fv->boundary[k - fv->inner_count].kind == FV_BODY)
            fluid = v3_madd(fluid, 1000 * a->flux[k] * f->distance / v3_length(f->area), f->area);
        else
            tank = v3_madd(tank, a->pressure[f->a] * dt, f->area);
    }
    const double most = fmax(v3_length(fluid), fmax(v3_length(tank), v3_length(gained_by_body)));
    return v3_length(v3_add(v3_add(fluid, gained_by_body), tank)) / most;
}

/* From rest: its acceleration over g, upward. */
static rill_status released(tets *s, double ratio, double *acceleration, double *lost)
{
    tets_state *a = tets_now(s);
    const rigid_body *ball = &s->sim.bodies.world.body[0];
    const double dt = 1e-3;
    rill_step_stats stats = step_stats_none();
    set_ball(&s->sim, ratio, radius);
    for (uint32_t k = 0; k < a->mesh.fv.face_count; k++) a->flux[k] = 0;
    tets_bodies_weigh(s, dt);
    tets_bodies_lift(s, dt);
    const rill_vec3 before = ball->velocity;
    TRY(tets_project(s, a, 0, dt, &stats));
    *acceleration = ball->velocity.y / (9.81 * dt);
    *lost = momentum_lost(s, v3_scale(v3_sub(ball->velocity, before), ball->mass), dt);
    return RILL_OK;
}

static rill_status in_tank(verify *v, double per_diameter)
{
    static const double ratio[] = {1e-4, 0.5, 1, 2, 7.8};
    const double exact_ca = 0.5 * (1 + 2 * 0.125) / (1 - 0.125);
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = make_tank(v, 2 * radius / per_diameter, &scene, &sim);
    for (size_t k = 0; !st && k < sizeof ratio / sizeof *ratio; k++) {
        double a = 0, lost = 0;
        char name[100];
        st = released(tets_of(sim), ratio[k], &a, &lost);
        if (st) break;
        const double exact = (1 - ratio[k]) / (ratio[k] + exact_ca);
        snprintf(name, sizeof name, "density ratio %g: error of the acceleration, g", ratio[k]);
        verify_figure(v, name, fabs(a - exact), AT_MOST, ratio[k] == 1 ? 1e-3 : 0.02 * fmax(1, fabs(exact)));
        snprintf(name, sizeof name, "density ratio %g: momentum of ball and fluid, less the walls' impulse",
                 ratio[k]);
        if (ratio[k] != 1) verify_figure(v, name, lost, AT_MOST, 1e-10); /* at 1 nothing moves */
        if (ratio[k] != 0.5) continue;
        const double ca = (1 - ratio[k]) / a - ratio[k];
        verify_figure(v, "error of the added mass, 12 elements a diameter", fabs(ca / exact_ca - 1), AT_MOST,
                      0.015);
        verify_figure(v, "by turns, density ratio 1e-4: growth of an error each time", ca / 1e-4, AT_LEAST,
                      1);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- in a box ---- */

/* Of ball and fluid, along y. */
static double momentum(const rill_sim *sim)
{
    const tets *s = tets_view_of(sim);
    const tets_state *a = &s->state[s->now];
    const rigid_body *ball = &sim->bodies.world.body[0];
    double sum = ball->mass * ball->velocity.y;
    for (uint32_t t = 0; t < a->mesh.d.finite; t++)
        if (a->mesh.fluid[t]) sum += 1000 * a->mesh.volume[t] * a->u.cell[t].y;
    return sum;
}

/* What sides and gravity give to both in a step; pressures are without the weight of the fluid. */
static double given(const rill_sim *sim, double displaced, double dt)
{
    const tets *s = tets_view_of(sim);
    const tets_state *a = &s->state[s->now];
    const fv_mesh *fv = &a->mesh.fv;
    double sum = -9.81 * (sim->bodies.world.body[0].mass - displaced) * dt;
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++)
        if (fv->boundary[k - fv->inner_count].kind == FV_WALL)
            sum -= a->pressure[fv->face[k].a] * fv->face[k].area.y * dt;
    return sum;
}

/* A ball in a cube of 1 m, below the middle when it is light, above it when it is heavy. */
static rill_status make_box(verify *v, double ratio, double h, double r, rill_scene *scene, rill_sim **sim)
{
    scene_solid *solid;
    const rill_vec3 at = {0.5, ratio < 1 ? 0.3 : 0.7, 0.5};
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, h, scene));
    scene->fill = true;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {at, r}};
    solid->is_body = true;
    solid->body.density = 1000 * ratio;
    return verify_create(v, scene, sim);
}

/* Between the ball and the side it goes to: the ceiling of a light one, the floor of a heavy one. */
static double clearance(const rill_sim *sim, double ratio, double r)
{
    const double y = sim->bodies.world.body[0].center.y;
    return (ratio < 1 ? 1 - y : y) - r;
}

/* At most so many steps, and none that begins less than a radius from floor or ceiling: they slow the ball
 * down, and the contact stops it. */
static rill_status let_go(verify *v, double ratio, double h, int steps)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const double r = 0.15, dt = 0.01;
    rill_status st = make_box(v, ratio, h, r, &scene, &sim);
    double first = 0, rough = 0, before = 0, last = 0, gained = 0, got = 0;
    const double displaced = 1000 * 4 / 3.0 * M_PI * r * r * r;
    int k = 0;
    for (; !st && k < steps && clearance(sim, ratio, r) > r; k++) {
        rill_step_stats stats;
        st = verify_step(sim, dt, &stats);
        if (st) break;
        got += given(sim, displaced, dt);
        const double speed = sim->bodies.world.body[0].velocity.y, gain = speed - before;
        if (k == 0) first = gain;
        if (k > 1) rough = fmax(rough, fabs(gain - gained) / fabs(first));
        gained = gain;
        before = last = speed;
    }
    char name[100];
    const double free_speed = 9.81 * (1 - ratio) / (ratio + 0.5) * dt * k;
    snprintf(name, sizeof name, "density ratio %g: largest change of its gain of speed, first gains", ratio);
    if (!st) verify_figure(v, name, rough, AT_MOST, 0.35);
    snprintf(name, sizeof name, "density ratio %g: speed over that without drag", ratio);
    if (!st) verify_figure(v, name, last / free_speed, REPORT, NAN);
    snprintf(name, sizeof name,
             "density ratio %g: momentum not given by weight and sides, of the ball's own fluid", ratio);
    if (!st) verify_figure(v, name, fabs(momentum(sim) - got) / fabs(displaced * last), REPORT, NAN);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* The light ball at the ceiling, 4 elements a diameter: it stops there and stays. */
static rill_status meets_top(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const double r = 0.15, h = 0.07, dt = 0.01;
    rill_status st = make_box(v, 1e-3, h, r, &scene, &sim);
    double fastest = 0, least = INFINITY, after = 0;
    for (int k = 0; !st && k < 60; k++) {
        rill_step_stats stats;
        st = verify_step(sim, dt, &stats);
        if (st) break;
        const double speed = fabs(sim->bodies.world.body[0].velocity.y);
        fastest = fmax(fastest, speed);
        least = fmin(least, clearance(sim, 1e-3, r));
        if (k >= 50) after = fmax(after, speed);
    }
    if (!st) {
        verify_figure(v, "light ball at the ceiling: overlap, spacings", -least / h, AT_MOST, 0.01);
        verify_figure(v, "light ball at the ceiling after 0.5 s: distance, spacings",
                      clearance(sim, 1e-3, r) / h, AT_MOST, 0.15);
        verify_figure(v, "light ball at the ceiling, 0.5 to 0.6 s: speed, largest ones of the rise",
                      after / fastest, AT_MOST, 0.01);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- in a tall tank ---- */

typedef struct {
    double per_diameter, cfl;
    bool reflection;
} release;

/* A ball of density ratio 1e-3 rises three diameters: its speed over that which potential flow in a wide tank
 * gives it, 2 (1 - ratio) / (1 + 2 ratio) g s, at equal height. */
static rill_status rises(verify *v, release r, double *share)
{
    const double ratio = 1e-3, d = 0.3;
    const rill_vec3 at = {0.6, 0.35, 0.6};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_solid *solid;
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {1.2, 1.8, 1.2}}, d / r.per_diameter, &scene));
    scene.fill = true;
    tets_def *def = scene_method_def_of(&scene, "tets");
    def->coarsest = 4;
    def->distance = 0.3;
    def->cfl = r.cfl;
    def->reflection = r.reflection;
    rill_status st = scene_add_solid(v->ctx, &scene, &solid);
    if (!st) {
        solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {at, d / 2}};
        solid->is_body = true;
        solid->body.density = 1000 * ratio;
        st = verify_create(v, &scene, &sim);
    }
    rill_step_stats stats;
    while (!st && sim->bodies.world.body[0].center.y < at.y + 3 * d) {
        const double ahead = r.cfl * scene.spacing; /* from rest: the first step goes that far too */
        st = verify_step(sim, fmin(sim->method->max_dt(sim), sqrt(ahead / 9.81)), &stats);
    }
    if (!st) {
        const rigid_body *b = &sim->bodies.world.body[0];
        const double a = 9.81 * (1 - ratio) / (ratio + 0.5);
        *share = b->velocity.y / sqrt(2 * a * (b->center.y - at.y));
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status report_rise(verify *v, release r, verify_kind kind, double least)
{
    char name[120];
    double share;
    TRY(rises(v, r, &share));
    snprintf(name, sizeof name,
             "rise by 3 diameters, %g elements a diameter, CFL %g%s: speed, drag-free ones", r.per_diameter,
             r.cfl, r.reflection ? ", reflection" : "");
    verify_figure(v, name, share, kind, least);
    return RILL_OK;
}

static rill_status run(verify *v)
{
    TRY(in_tank(v, 12));
    TRY(let_go(v, 1e-3, v->full ? 0.025 : 0.07, 30));
    TRY(meets_top(v));
    if (!v->full) return RILL_OK;
    TRY(let_go(v, 0.5, 0.025, 30));
    TRY(let_go(v, 3, 0.025, 30));
    TRY(report_rise(v, (release){6, 1, false}, REPORT, NAN));
    TRY(report_rise(v, (release){6, 0.5, false}, REPORT, NAN));
    TRY(report_rise(v, (release){12, 1, false}, REPORT, NAN));
    return report_rise(v, (release){12, 1, true}, AT_LEAST, 0.7);
}

const verify_case v20_tets = {"V-20-tets", "Added mass and free balls on tetrahedra", methods, run};
