/* V-19 and V-20 for sph, in two dimensions: bodies that float, are held, and are let go under water; momentum
 * of a drop with a body in it; and bodies of any mass. */
#include "sph/core/state.h"
#include "sph_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"sph", NULL};
static const double g = 9.81, rho = 1000, spacing = 0.02;

static shape box_at(double x, double y, double half)
{
    return (shape){.kind = SHAPE_BOX, .box = {{x - half, y - half, -1}, {x + half, y + half, 1}}};
}
static shape disc_at(double x, double y, double radius)
{
    return (shape){.kind = SHAPE_SPHERE, .sphere = {{x, y, 0}, radius}};
}

typedef struct {
    double width, height, level;
    shape shape;
    double ratio; /* of densities */
    variant by;
    double until;        /* held so long */
    bool slides, sticks; /* sticks: no slip, on the body and the walls */
    double viscosity;
    rill_vec3 velocity;
} tank;

/* A tank with a body in it. */
static rill_status make_tank(verify *v, const tank *p, rill_scene *scene, rill_sim **sim)
{
    scene_solid *solid;
    TRY(verify_scene(v, 2, (rill_box){{0, 0, 0}, {p->width, p->height, 0}}, spacing, scene));
    TRY(verify_add_box(v, scene, (rill_box){{0, 0, 0}, {p->width, p->level, 0}}, (velocity_field){0}));
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = p->shape;
    solid->is_body = true;
    solid->body = (scene_body){.density = p->ratio * rho, .sliding = p->slides, .velocity = p->velocity};
    solid->body.slide.axis = v3(0, 1, 0);
    scene->fluid.viscosity = p->viscosity;
    if (p->sticks) scene->domain.slip = solid->slip = SLIP_NONE;
    if (p->until > 0) {
        scene_motion_key *key;
        TRY(MEM_NEW_ZERO(v->ctx, key, 2));
        key[1].t = p->until;
        solid->motion = (scene_motion){.key = key, .count = 2};
    }
    variant_choose(scene, p->by);
    return verify_create(v, scene, sim);
}

/* Means over the time of a run, and the deepest that a particle was inside the body. */
typedef struct {
    double from, time, y, force, fastest, deepest;
    double last;
    int steps;
} watched;

static double deepest_inside(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    double deepest = 0;
    for (size_t i = 0; i < p->count; i++)
        deepest = fmax(deepest, -solids_distance(&sim->solids, p->position[i], sim->time, NULL));
    return deepest;
}

static rill_status watch(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    watched *w = user;
    const rigid_body *b = &sim->bodies.world.body[0];
    const double dt = sim->time - w->last;
    w->last = sim->time;
    w->fastest = fmax(w->fastest, v3_length(b->velocity));
    if (w->steps++ % 8 == 0) w->deepest = fmax(w->deepest, deepest_inside(sim));
    if (sim->time <= w->from) return RILL_OK;
    w->time += dt;
    w->y += dt * b->center.y;
    w->force += dt * sim->bodies.force[0].y;
    return RILL_OK;
}

static void figure_of(verify *v, const char *what, double ratio, variant by, const char *figure, double value,
                      verify_kind kind, double target)
{
    char name[120];
    snprintf(name, sizeof name, "%s, density ratio %g%s: %s", what, ratio, variant_name(by), figure);
    verify_figure(v, name, value, kind, target);
}

/* ---- V-19 ---- */

static rill_status float_box(verify *v, double ratio, variant by)
{
    const double half = 0.2, width = 1.2;
    const tank p = {.width = width,
                    .height = 1,
                    .level = 0.5,
                    .ratio = ratio,
                    .by = by,
                    .shape = box_at(0.6, 0.5 + half * (1 - 2 * ratio), half)};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    watched w = {.from = v->full ? 3 : 1};
    rill_status st = make_tank(v, &p, &scene, &sim);
    const double liquid = st ? 0 : verify_shares(verify_particles(sim)) * spacing * spacing;
    if (!st) st = verify_run(sim, v->full ? 8 : 2, watch, &w);
    if (!st) {
        const double bottom = w.y / w.time - half;
        const double level = (liquid - bottom * 2 * half) / (width - 2 * half), draft = level - bottom;
        figure_of(v, "floating box", ratio, by, "error of the draft", fabs(draft / (2 * half * ratio) - 1),
                  AT_MOST, 0.03);
        figure_of(v, "floating box", ratio, by, "deepest particle (spacings)", w.deepest / spacing, AT_MOST,
                  0.1);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status hold_under(verify *v, bool disc, variant by)
{
    const double size = disc ? M_PI * 0.2 * 0.2 : 0.4 * 0.4;
    const tank p = {.width = 1.2,
                    .height = 1.2,
                    .level = 0.9,
                    .ratio = 1,
                    .by = by,
                    .until = 1e6,
                    .shape = disc ? disc_at(0.6, 0.5, 0.2) : box_at(0.6, 0.5, 0.2)};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    watched w = {.from = v->full ? 1 : 0.5};
    rill_status st = make_tank(v, &p, &scene, &sim);
    if (!st) st = verify_run(sim, v->full ? 5 : 1.5, watch, &w);
    const double error = fabs(w.force / w.time / (rho * g * size) - 1);
    if (!st)
        figure_of(v, disc ? "disc held under water" : "box held under water", 1, by, "error of the force",
                  error, by == BY_TAIT ? WANTED : AT_MOST, 0.02);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* Heave of a box that is let go a fifth of its draft below where it floats: half a period to its highest
 * place. */
typedef struct {
    double highest, at;
} heaving;

static rill_status watch_heave(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    heaving *h = user;
    const double y = sim->bodies.world.body[0].center.y;
    if (y > h->highest) *h = (heaving){y, sim->time};
    return RILL_OK;
}

static rill_status heave(verify *v)
{
    const double half = 0.2, start = 0.3;
    const tank p = {.width = 2.4,
                    .height = 1.2,
                    .level = 0.6,
                    .ratio = 0.5,
                    .slides = true,
                    .until = start,
                    .shape = box_at(1.2, 0.6 - 0.04, half)};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    heaving h = {0};
    rill_status st = make_tank(v, &p, &scene, &sim);
    if (!st) st = verify_run(sim, start + 0.9, watch_heave, &h);
    if (!st) {
        const double ratio = 2 * (h.at - start) / (2 * M_PI * sqrt(2 * half * 0.5 / g));
        verify_figure(v, "heave: period over that without added mass", ratio, AT_LEAST, 1.05);
        verify_figure(v, "heave: period over that without added mass", ratio, WANTED, 1.35);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- momentum ---- */

typedef struct {
    double p[3], change[2], scale[2];
    bool begun;
} momenta;

static rill_status weigh(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    momenta *m = user;
    const particles *liquid = verify_particles(sim);
    const float *level = particles_column(liquid, "level");
    const rigid_body *b = &sim->bodies.world.body[0];
    double p[3] = {b->mass * b->velocity.x, b->mass * b->velocity.y,
                   b->mass * (b->center.x * b->velocity.y - b->center.y * b->velocity.x) +
                       b->inertia[2][2] * b->spin.z};
    for (size_t i = 0; i < liquid->count; i++) {
        const double mass = verify_share(level, i) * rho * spacing * spacing;
        const rill_vec3 x = liquid->position[i], u = liquid->velocity[i];
        p[0] += mass * u.x;
        p[1] += mass * u.y;
        p[2] += mass * (x.x * u.y - x.y * u.x);
    }
    if (m->begun) {
        m->change[0] = fmax(m->change[0], hypot(p[0] - m->p[0], p[1] - m->p[1]) / m->scale[0]);
        m->change[1] = fmax(m->change[1], fabs(p[2] - m->p[2]) / m->scale[1]);
    }
    memcpy(m->p, p, sizeof p);
    m->begun = true;
    return RILL_OK;
}

/* A weightless drop with a body in it that drifts and spins against it; nothing else is touched. */
static rill_status weightless(verify *v, variant by, double viscosity)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_solid *solid;
    scene_liquid *liquid;
    const double mass = rho * M_PI * 0.3 * 0.3, speed = 0.5;
    momenta m = {.scale = {mass * speed, mass * speed * 0.3}};
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1.6, 1.6, 0}}, spacing, &scene);
    if (!st) st = scene_add_liquid(v->ctx, &scene, &liquid);
    if (!st) {
        liquid->shape = disc_at(0.8, 0.8, 0.3);
        liquid->velocity.value = v3(0.2, 0.1, 0);
        st = scene_add_solid(v->ctx, &scene, &solid);
    }
    if (!st) {
        scene.gravity = v3(0, 0, 0);
        solid->shape = box_at(0.8, 0.8, 0.1);
        solid->is_body = true;
        solid->friction = 0.3;
        solid->slip = viscosity > 0 ? SLIP_NONE : SLIP_FREE;
        scene.fluid.viscosity = viscosity;
        solid->body = (scene_body){.density = 0.5 * rho, .velocity = {0.5, -0.2, 0}, .spin = {0, 0, 4}};
        variant_choose(&scene, by);
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, 0.3, weigh, &m);
    if (!st) {
        figure_of(v, viscosity > 0 ? "weightless drop of honey" : "weightless drop", 0.5, by,
                  "largest change of momentum in a step", m.change[0], AT_MOST, 1e-5);
        figure_of(v, viscosity > 0 ? "weightless drop of honey" : "weightless drop", 0.5, by,
                  "largest change of angular momentum in a step", m.change[1],
                  by == BY_TAIT ? AT_MOST : WANTED, 1e-5);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_floating(verify *v)
{
    TRY(float_box(v, 0.5, BY_DEFAULT));
    TRY(float_box(v, 0.1, BY_DEFAULT));
    TRY(float_box(v, 0.5, BY_TAIT));
    TRY(float_box(v, 0.5, BY_LEVELS));
    TRY(hold_under(v, true, BY_DEFAULT));
    TRY(hold_under(v, false, BY_DEFAULT));
    TRY(hold_under(v, true, BY_TAIT));
    TRY(hold_under(v, true, BY_LEVELS));
    TRY(heave(v));
    for (variant by = BY_DEFAULT; by <= BY_TAIT_LEVELS; by++) TRY(weightless(v, by, 0));
    TRY(weightless(v, BY_DEFAULT, 20));
    return RILL_OK;
}

/* ---- V-20 ---- */

/* The tank changes the added mass by about 4 percent of that in unbounded liquid, by images in its walls. */
static rill_status let_go(verify *v, double ratio, variant by)
{
    const double r = 0.16, start = 0.4, t[2] = {start + 0.02, start + 0.08};
    const tank p = {.width = 2,
                    .height = 2,
                    .level = 1.6,
                    .ratio = ratio,
                    .by = by,
                    .slides = true,
                    .until = start,
                    .shape = disc_at(1, 0.8, r)};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    watched w = {0};
    double speed[2] = {0};
    rill_status st = make_tank(v, &p, &scene, &sim);
    for (int k = 0; !st && k < 2; k++) {
        st = verify_run(sim, t[k], watch, &w);
        speed[k] = st ? 0 : sim->bodies.world.body[0].velocity.y;
    }
    if (!st) {
        const double a = (speed[1] - speed[0]) / (t[1] - t[0]), ca = (1 - ratio) * g / a - ratio;
        figure_of(v, "disc let go", ratio, by, "error of the added mass", fabs(ca - 1),
                  ratio < 1 && by == BY_DEFAULT ? AT_MOST : WANTED, 0.15);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* A disc that sinks in the middle of a channel of thick liquid, against Faxen 1946: a force of
 * 4 pi mu U / (ln(h/a) - 0.9157 + 1.7244 (a/h)^2 - 1.7302 (a/h)^4) a metre, a its radius, h half the width.
 * Without walls a disc has no such speed. */
static rill_status sink_slowly(verify *v)
{
    const double a = 0.1, h = 0.4, mu = 100, t[2] = {0.25, 0.5};
    const tank p = {.width = 2 * h,
                    .height = 1.8,
                    .level = 1.6,
                    .ratio = 2,
                    .slides = true,
                    .sticks = true,
                    .viscosity = mu,
                    .shape = disc_at(h, 0.8, a)};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    watched w = {0};
    double y[2] = {0};
    rill_status st = make_tank(v, &p, &scene, &sim);
    for (int k = 0; !st && k < 2; k++) {
        st = verify_run(sim, t[k], watch, &w);
        y[k] = st ? 0 : sim->bodies.world.body[0].center.y;
    }
    if (!st) {
        const double q = a / h * a / h, share = log(h / a) - 0.9157 + 1.7244 * q - 1.7302 * q * q;
        const double speed = (p.ratio - 1) * rho * g * M_PI * a * a * share / (4 * M_PI * mu);
        figure_of(v, "disc in thick liquid", p.ratio, p.by, "error of the speed that it sinks with",
                  fabs((y[0] - y[1]) / (t[1] - t[0]) / speed - 1), AT_MOST, 0.1);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* Negative control: the liquid is solved for as if the body went on unmoved, which is pushed afterwards. A
 * light body then answers more than all the liquid around it, the other way in every step. */
static rill_status one_after_the_other(verify *v, double ratio)
{
    const tank p = {
        .width = 1.2, .height = 1.4, .level = 0.6, .ratio = ratio, .shape = disc_at(0.6, 0.3, 0.15)};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    watched w = {0};
    rill_status st = make_tank(v, &p, &scene, &sim);
    if (!st) {
        sph_of(sim)->bodies.sequential = true;
        const rill_status end = verify_run(sim, 0.3, watch, &w);
        const bool broke = end == RILL_BLEW_UP || !isfinite(w.fastest);
        const double fall = sqrt(2 * g * p.height);
        figure_of(v, "sequential control", ratio, p.by, "fastest, over a fall through the tank",
                  broke ? 1e3 : w.fastest / fall, AT_LEAST, 1);
        if (end != RILL_BLEW_UP) st = end;
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* Let go under water or above it. */
static rill_status any_mass(verify *v, double ratio, double at, variant by)
{
    const tank p = {
        .width = 1.2, .height = 1.4, .level = 0.6, .ratio = ratio, .by = by, .shape = disc_at(0.6, at, 0.15)};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    watched w = {0};
    rill_status st = make_tank(v, &p, &scene, &sim);
    if (!st) st = verify_run(sim, v->full ? 2 : 0.6, watch, &w);
    const char *what = at > p.level ? "disc dropped" : "disc let go";
    figure_of(v, what, ratio, by, "fastest, over a fall through the tank", w.fastest / sqrt(2 * g * p.height),
              AT_MOST, 1);
    figure_of(v, what, ratio, by, "deepest particle (spacings)", w.deepest / spacing, AT_MOST, 0.1);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_let_go(verify *v)
{
    static const double ratio[] = {1e-3, 0.1, 1, 10};
    TRY(let_go(v, 0.5, BY_DEFAULT));
    TRY(let_go(v, 2, BY_DEFAULT));
    TRY(sink_slowly(v));
    TRY(one_after_the_other(v, 1e-3)); /* of which the coupled solve makes half a fall's speed, below */
    TRY(one_after_the_other(v, 1e-4));
    for (int k = 0; k < 4; k++) {
        TRY(any_mass(v, ratio[k], 0.3, BY_DEFAULT));
        TRY(any_mass(v, ratio[k], 1, BY_DEFAULT));
    }
    for (variant by = BY_TAIT; by <= BY_LEVELS; by++)
        for (int k = 0; k < 4; k += 3) {
            TRY(any_mass(v, ratio[k], 0.3, by));
            TRY(any_mass(v, ratio[k], 1, by));
        }
    return RILL_OK;
}

const verify_case v19_sph = {"V-19-sph", "Floating bodies", methods, run_floating};
const verify_case v20_sph = {"V-20-sph", "Added mass, bodies of any mass", methods, run_let_go};
