/* Flow rate: what emitters give, and the balance of what comes and goes.
 *
 * Two round jets fall for 2 s, one into a drain, the other out of the open bottom. An
 * emitter's volume is speed times area times the time, short by less than a layer. Counts must
 * not depend on the time steps. What came less what went is what is there. */
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"sph", NULL};

static const double spacing = 0.02, until = 2, radius = 0.1;
enum { JETS = 2 };
static const double speed[JETS] = {1, 0.777};

static rill_status add_jet(verify *v, rill_scene *scene, rill_vec3 point, double at)
{
    scene_emitter *e;
    TRY(scene_add_emitter(v->ctx, scene, &e));
    e->shape = (shape){.kind = SHAPE_DISC, .flat = {point, {0, -1, 0}, radius}};
    e->speed = at;
    return RILL_OK;
}

static rill_status make_scene(verify *v, rill_scene *scene)
{
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 0.8, 0.5}}, spacing, scene));
    scene->domain.open = 1u << 2; /* -y */
    TRY(add_jet(v, scene, v3(0.25, 0.7, 0.25), speed[0]));
    TRY(add_jet(v, scene, v3(0.75, 0.7, 0.25), speed[1]));
    scene_drain *drain;
    TRY(scene_add_drain(v->ctx, scene, &drain));
    drain->shape = (shape){.kind = SHAPE_BOX, .box = {{0.5, 0.2, 0}, {1, 0.4, 0.5}}};
    return RILL_OK;
}

typedef struct {
    double emitted, there, drained, left, unbalanced; /* particles; unbalanced: most in any state */
} balance;

static balance balance_of(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    balance b = {.emitted = (double)p->next_id, /* ids are never reused */
                 .there = (double)p->count,
                 .drained = (double)sim->sources.drained,
                 .left = (double)sim->sources.left};
    b.unbalanced = fabs(b.emitted - b.there - b.drained - b.left);
    return b;
}

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    balance *most = user, b = balance_of(sim);
    b.unbalanced = fmax(b.unbalanced, most->unbalanced);
    *most = b;
    return RILL_OK;
}

/* Whole layers of the jet of one speed, and what speed times area times time asks for. */
typedef struct {
    double whole, asked; /* particles */
    double area;         /* that gives over the disc's */
} expected;

static expected expect(const rill_sim *sim, int jet)
{
    const double places = sim->sources.layer[jet].count;
    const double thickness = sim->sources.layer[jet].thickness, layers = speed[jet] * until / thickness;
    return (expected){places * floor(layers + 1e-9),
                      speed[jet] * until * M_PI * radius * radius / pow(spacing, 3),
                      places * pow(spacing, 3) / thickness / (M_PI * radius * radius)};
}

/* step: of a fixed length; 0 takes the method's own. */
static rill_status jets(verify *v, double step, balance *out, expected e[JETS])
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = make_scene(v, &scene);
    if (!st && step > 0) verify_param(&scene, "max_step", step);
    if (!st) st = verify_create(v, &scene, &sim);
    *out = (balance){0};
    if (!st) st = verify_run(sim, until, look, out);
    for (int i = 0; !st && i < JETS; i++) e[i] = expect(sim, i);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    expected e[JETS];
    balance b, other;
    TRY(jets(v, 0, &b, e));
    double whole = 0;
    for (int i = 0; i < JETS; i++) {
        char name[80];
        snprintf(name, sizeof name, "jet at %g m/s: area that gives / disc area - 1", speed[i]);
        verify_figure(v, name, fabs(e[i].area - 1), AT_MOST, 1e-12);
        snprintf(name, sizeof name, "jet at %g m/s: given / (speed x area x time)", speed[i]);
        verify_figure(v, name, e[i].whole / e[i].asked, REPORT, 0);
        whole += e[i].whole;
    }
    verify_figure(v, "particles given - speed x area x time, whole layers", fabs(b.emitted - whole), AT_MOST,
                  0);
    verify_figure(v, "came - went - are there, most of any step", b.unbalanced, AT_MOST, 0);
    verify_figure(v, "left through the open side / came", b.left / b.emitted, AT_LEAST, 0.1);
    verify_figure(v, "drained / came", b.drained / b.emitted, AT_LEAST, 0.1);
    if (!v->full) return RILL_OK;
    TRY(jets(v, 0.0013, &other, e));
    verify_figure(v, "given with other time steps, difference", fabs(other.emitted - b.emitted), AT_MOST, 0);
    return RILL_OK;
}

const verify_case flow_rate = {"flow-rate", "Emitters, drains and open sides", methods, run};
