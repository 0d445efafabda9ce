/* The pump of [Klingner06] figure 5: a bulb that deforms between two tanks, and two valves on hinges that
 * only the fluid and their weight move. The scene is scenes/tets_pump.json. How much goes back through the
 * valves of what comes, and whether tracers arrive. */
#include "tets/state.h"
#include "verify/verify.h"

#include <math.h>

static const char *const methods[] = {"tets", NULL};
enum { AROUND = 20, RINGS = 16, KEYS = 9 };
static const double orifice = 0.16;

/* ---- the bulb ---- */

/* (x, radius) of ring k at share s of the squeeze. */
static void ring_at(int k, double s, double *x, double *r)
{
    const double u = (k - 2) / 10.0, across = sin(M_PI * u);
    *r = 0.36;
    if (k < 2)
        *x = k ? 1.12 : 0.95;
    else if (k <= 12)
        *x = 1.3 + 0.6 * u, *r = 0.36 + (0.08 - 0.24 * s) * across * across;
    else
        *x = k == 15 ? 0.95 : 2.05, *r = k == 13 ? 0.36 : 1.1;
}

static rill_status bulb(rill_ctx *ctx, double s, trimesh *out)
{
    trimesh m = {.vertex_count = RINGS * AROUND, .triangle_count = 2 * RINGS * AROUND};
    TRY(MEM_NEW(ctx, m.position, m.vertex_count));
    const rill_status st = MEM_NEW(ctx, m.triangle, m.triangle_count);
    for (int k = 0; !st && k < RINGS; k++)
        for (int j = 0; j < AROUND; j++) {
            const uint32_t a = (uint32_t)(k * AROUND + j), b = (uint32_t)(k * AROUND + (j + 1) % AROUND),
                           c = (uint32_t)((k + 1) % RINGS * AROUND + j),
                           d = (uint32_t)((k + 1) % RINGS * AROUND + (j + 1) % AROUND);
            double x, r;
            ring_at(k, s, &x, &r);
            m.position[a] = v3(x, 0.5 + r * cos(2 * M_PI * j / AROUND), 0.5 + r * sin(2 * M_PI * j / AROUND));
            uint32_t(*t)[3] = m.triangle + 2 * a;
            t[0][0] = a, t[0][1] = d, t[0][2] = b;
            t[1][0] = a, t[1][1] = c, t[1][2] = d;
        }
    if (st)
        trimesh_clear(ctx, &m);
    else
        *out = m;
    return st;
}

static rill_status squeezes(rill_ctx *ctx, double period, mesh_sequence *out)
{
    rill_status st = RILL_OK;
    for (int k = 0; !st && k < KEYS; k++) {
        trimesh m = {0};
        const double share = k / (KEYS - 1.0);
        st = bulb(ctx, 0.5 - 0.5 * cos(2 * M_PI * share), &m);
        if (!st) st = mesh_sequence_add(ctx, out, &m, share * period);
        trimesh_clear(ctx, &m);
    }
    return st;
}

/* ---- the scene ---- */

static rill_status add_seat(verify *v, rill_scene *scene, double x)
{
    scene_solid *solid;
    shape *part;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    TRY(MEM_NEW_ZERO(v->ctx, part, 2));
    part[0] = (shape){.kind = SHAPE_BOX, .box = {{x, -0.1, -0.1}, {x + 0.1, 1.1, 1.1}}};
    part[1] = (shape){.kind = SHAPE_CYLINDER, .rod = {{x - 0.1, 0.5, 0.5}, {x + 0.2, 0.5, 0.5}, orifice}};
    solid->shape = (shape){.kind = SHAPE_DIFFERENCE, .parts = {part, 2}};
    return RILL_OK;
}

static rill_status add_valve(verify *v, rill_scene *scene, double x)
{
    scene_solid *solid;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_BOX, .box = {{x, 0.28, 0.28}, {x + 0.04, 0.72, 0.72}}};
    solid->is_body = true;
    solid->body.density = 8000;
    solid->body.hinged = true;
    solid->body.hinge = (struct scene_hinge){{x, 0.72, 0.5}, {0, 0, 1}, {0, 30}};
    return RILL_OK;
}

static rill_status make_scene(verify *v, double h, const mesh_sequence *frames, rill_scene *scene)
{
    scene_solid *solid;
    scene_tracers *dots;
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {3, 1, 1}}, h, scene));
    scene->fill = true;
    scene->domain.open = 3;             /* both ends along x */
    scene->gravity = v3(-4.9, -8.5, 0); /* uphill */
    tets_def *def = scene_method_def_of(scene, "tets");
    def->coarsest = 2;
    def->distance = 0.25;
    TRY(add_seat(v, scene, 0.9));
    TRY(add_seat(v, scene, 2.0));
    TRY(add_valve(v, scene, 1.0));
    TRY(add_valve(v, scene, 2.1));
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_SEQUENCE, .sequence = {.frames = frames}};
    TRY(scene_add_tracers(v->ctx, scene, &dots));
    dots->shape = (shape){.kind = SHAPE_CYLINDER, .rod = {{0.6, 0.5, 0.5}, {0.88, 0.5, 0.5}, 0.2}};
    dots->count = 2000;
    return RILL_OK;
}

/* ---- figures ---- */

typedef struct {
    double forth[2], back[2]; /* m3 through the inlet and the outlet */
    double widest[2];         /* rad */
} pumped;

/* m3/s along x through the round hole at x. */
static rill_status flux_at(const rill_sim *sim, double x, double *out)
{
    enum { ACROSS = 16 };
    rill_vec3 at[ACROSS * ACROSS], u[ACROSS * ACROSS];
    const double w = 2 * orifice / ACROSS;
    size_t n = 0;
    for (int j = 0; j < ACROSS; j++)
        for (int k = 0; k < ACROSS; k++) {
            const double y = (j + 0.5) * w - orifice, z = (k + 0.5) * w - orifice;
            if (y * y + z * z < orifice * orifice) at[n++] = v3(x, 0.5 + y, 0.5 + z);
        }
    TRY(sim->method->velocity(sim, n, at, u));
    *out = 0;
    for (size_t i = 0; i < n; i++) *out += u[i].x * w * w;
    return RILL_OK;
}

static rill_status squeeze(rill_sim *sim, double until, pumped *out)
{
    while (sim->time < until * (1 - 1e-9)) {
        rill_step_stats stats;
        const double dt = fmin(fmin(sim->method->max_dt(sim), 0.03), until - sim->time);
        TRY(verify_step(sim, dt, &stats));
        TRY(tracers_step(sim, sim->time - dt, dt));
        for (int k = 0; k < 2; k++) {
            double flux;
            TRY(flux_at(sim, k ? 2.05 : 0.95, &flux));
            *(flux > 0 ? &out->forth[k] : &out->back[k]) += fabs(flux) * dt;
            out->widest[k] = fmax(out->widest[k], sim->bodies.world.state[k].limit_at);
        }
    }
    return RILL_OK;
}

/* The beginning of a squeeze: the outlet opens, the inlet is shut. */
static void report_beginning(verify *v, const pumped *p)
{
    verify_figure(v, "pump: back through the inlet while squeezed, of what leaves", p->back[0] / p->forth[1],
                  AT_MOST, 0.02);
    verify_figure(v, "pump: widest the outlet opened, degrees", p->widest[1] * 180 / M_PI, AT_LEAST, 20);
}

/* A whole one: it pushes out as much as it sucks in. */
static void report_whole(verify *v, const rill_sim *sim, const pumped *p)
{
    const particles *dots = &sim->tracers.dots;
    const double stroke = 0.149; /* m3 that the bulb loses and gains */
    double arrived = 0;
    for (size_t i = 0; i < dots->count; i++) arrived += dots->position[i].x > 1;
    verify_figure(v, "pump: through the inlet in a squeeze, of the bulb's change of volume",
                  p->forth[0] / stroke, AT_LEAST, 0.9);
    verify_figure(v, "pump: through the outlet, likewise", p->forth[1] / stroke, AT_LEAST, 0.9);
    verify_figure(v, "pump: back through the inlet, of what went in", p->back[0] / p->forth[0], AT_MOST,
                  0.02);
    verify_figure(v, "pump: back through the outlet, of what went out", p->back[1] / p->forth[1], AT_MOST,
                  0.02);
    verify_figure(v, "pump: widest a valve opened, degrees", fmax(p->widest[0], p->widest[1]) * 180 / M_PI,
                  AT_MOST, 30.5);
    verify_figure(v, "pump: tracers before the inlet that went in", arrived / (double)dots->count, AT_LEAST,
                  0.5);
}

static rill_status run(verify *v)
{
    const double period = 2;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    mesh_sequence *frames = NULL;
    pumped p = {{0}, {0}, {0}};
    rill_status st = mesh_sequence_create(v->ctx, &(mesh_sequence_def){0}, &frames);
    if (!st) st = squeezes(v->ctx, period, frames);
    if (!st) st = make_scene(v, v->full ? 0.1 : 0.12, frames, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = squeeze(sim, v->full ? period : 0.3, &p);
    if (!st && v->full) report_whole(v, sim, &p);
    if (!st && !v->full) report_beginning(v, &p);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    mesh_sequence_destroy(v->ctx, frames);
    return st;
}

const verify_case tets_pump_case = {"tets-pump", "A pump with two valves on tetrahedra", methods, run};
