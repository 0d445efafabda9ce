/* V-17, V-22 and V-23 for the voronoi method, and the momentum of a stretching flow (E-R9).
 *
 * The dam is a slab of four spacings. Its front is the farthest point of the surface that is higher than half
 * a spacing: what is lower is a toe thinner than the cells. */
#include "verify/voronoi_cases.h"
#include "voronoi/state.h"

#include <math.h>
#include <stdio.h>

static const double gravity = 9.81;

/* ---- V-17 ---- */

/* Martin and Moyce 1952, table 2: T = t sqrt(2g/a), Z = x/a; n^2 = 2, a = 2.25 in. */
static const verify_point front_measured[] = {
    {0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89},
    {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
    {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11},
};
enum { FRONTS = sizeof front_measured / sizeof front_measured[0], MOST = 4096 };
static const double column = 0.05715, gate = 0.175;

typedef struct {
    verify *v;
    verify_point front[MOST];
    size_t count;
    double energy, worst; /* of the start; largest relative change */
    double last_energy;
    rill_status st;
} dam;

/* Where edges of the surface cross half a spacing above the floor. */
static double front_of(const rill_sim *sim)
{
    const trimesh *m = voronoi_surface(sim);
    const double level = 0.5 * sim->scene->spacing;
    double most = 0;
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            const rill_vec3 p = m->position[m->triangle[t][i]], q = m->position[m->triangle[t][(i + 1) % 3]];
            if ((p.y > level) == (q.y > level)) continue;
            most = fmax(most, v3_mix(p, q, (level - p.y) / (q.y - p.y)).x);
        }
    return most;
}

static double half_square(void *user, rill_vec3 x)
{
    (void)user;
    return 0.5 * x.y * x.y;
}

/* Per density: integral of g y, and the kinetic part. */
static rill_status energy_of(verify *v, const rill_sim *sim, double *out)
{
    double kinetic;
    TRY(voronoi_kinetic(v, sim, &kinetic, NULL));
    *out = kinetic + gravity * voronoi_flux(voronoi_surface(sim), 1, half_square, NULL);
    return RILL_OK;
}

static rill_status look_dam(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    dam *d = user;
    const double T = sim->time * sqrt(2 * gravity / column);
    if (d->count < MOST) d->front[d->count++] = (verify_point){T, front_of(sim) / column};
    if (d->count % 8) return RILL_OK;
    double e;
    TRY(energy_of(d->v, sim, &e));
    d->worst = fmax(d->worst, fabs(e / d->energy - 1));
    return RILL_OK;
}

static void compare(const dam *d, double shift, double *mean, double *largest)
{
    double sum = 0;
    *largest = 0;
    for (int i = 0; i < FRONTS; i++) {
        const double z = verify_curve(d->front, d->count, front_measured[i].x - shift);
        const double e = fabs(z / front_measured[i].y - 1);
        sum += e;
        if (!(e <= *largest)) *largest = e;
    }
    *mean = sum / FRONTS;
}

static rill_status collapse(verify *v, double h)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    dam *d;
    TRY(MEM_NEW_ZERO(v->ctx, d, 1));
    d->v = v;
    const double a = column;
    rill_status st = verify_scene(v, 3, (rill_box){{0, 0, 0}, {5 * a, 3 * a, 4 * h}}, h, &scene);
    if (!st) {
        scene.gravity = v3(0, -gravity, 0);
        verify_param(&scene, "cfl", 0.5);
        verify_param(&scene, "max_step", 0.03 / sqrt(2 * gravity / a));
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {a, 2 * a, 4 * h}}, (velocity_field){0});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = energy_of(v, sim, &d->energy);
    const double before = !st ? voronoi_volume(voronoi_surface(sim)) : 0;
    if (!st) st = look_dam(d, sim, NULL);
    if (!st) st = verify_run(sim, 3.4 / sqrt(2 * gravity / a), look_dam, d);
    if (!st) {
        double mean, largest;
        compare(d, gate, &mean, &largest);
        verify_figure(v, "front, mean error", mean, AT_MOST, 0.06);
        verify_figure(v, "front, largest error", largest, AT_MOST, 0.10);
        compare(d, 0, &mean, &largest);
        verify_figure(v, "front, mean error without gate shift", mean, REPORT, 0);
        verify_figure(v, "energy before impact, largest change", d->worst, AT_MOST, 0.02);
        if (v->full) verify_figure(v, "energy before impact, the same", d->worst, WANTED, 0.005);
        verify_figure(v, "volume, change", fabs(voronoi_volume(voronoi_surface(sim)) / before - 1), AT_MOST,
                      1e-3);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    mem_free(v->ctx, d);
    return st;
}

rill_status v17_voronoi(verify *v)
{
    return collapse(v, column / (v->full ? 20 : 10));
}

/* ---- V-22 ---- */

/* A cube, and a sheet of 0.3 spacings: every vertex of the surface has the speed g t. */
static rill_status fall(verify *v, double thickness, const char *name)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const double h = 0.1, dt = 0.01;
    char text[80];
    rill_status st = verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 2, 1}}, h, &scene);
    if (!st) {
        scene.gravity = v3(0, -gravity, 0);
        verify_param(&scene, "tolerance", 1e-12);
        st = verify_add_box(v, &scene, (rill_box){{0.3, 1.2, 0.3}, {0.7, 1.2 + thickness, 0.7}},
                            (velocity_field){0});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    double worst = 0;
    for (int k = 1; !st && k <= 25; k++) {
        rill_step_stats stats = step_stats_none();
        st = verify_step(sim, dt, &stats);
        const trimesh *m = voronoi_surface(sim);
        rill_vec3 *u = NULL;
        if (!st) st = MEM_NEW(v->ctx, u, m->vertex_count);
        if (!st) st = sim->method->velocity(sim, m->vertex_count, m->position, u);
        for (size_t i = 0; !st && i < m->vertex_count; i++)
            worst = fmax(worst, v3_distance(u[i], v3(0, -gravity * k * dt, 0)) / (gravity * k * dt));
        mem_free(v->ctx, u);
    }
    snprintf(text, sizeof text, "velocity / gt - 1%s", name);
    if (!st) verify_figure(v, text, worst, AT_MOST, 1e-10);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

rill_status v22_voronoi(verify *v)
{
    TRY(fall(v, 0.4, ", cube"));
    return fall(v, 0.03, ", sheet of 0.3 spacings");
}

/* ---- V-23 ---- */

/* A ball falls into a pool. */
static rill_status splash(verify *v, double h, double until, bool keep)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    char text[80];
    rill_status st = verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, h, &scene);
    if (!st) {
        scene.gravity = v3(0, -gravity, 0);
        ((brochu_def *)scene_method_def_of(&scene, "voronoi"))->keep_volume = keep;
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, 0.3, 1}}, (velocity_field){0});
    }
    if (!st) st = voronoi_add_drop(v, &scene, v3(0.5, 0.3 + 0.15 + 2 * h, 0.5), 0.15, 0);
    if (!st) st = verify_create(v, &scene, &sim);
    const double before = !st ? voronoi_volume(voronoi_surface(sim)) : 0;
    if (!st) st = verify_run(sim, until, NULL, NULL);
    if (!st) {
        snprintf(text, sizeof text, "volume after %g s, change%s", until, keep ? "" : ", without correction");
        verify_figure(v, text, fabs(voronoi_volume(voronoi_surface(sim)) / before - 1), AT_MOST,
                      keep ? 0.01 : 0.05);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

rill_status v23_voronoi(verify *v)
{
    const double h = v->full ? 0.05 : 0.08, until = v->full ? 10 : 1;
    TRY(splash(v, h, until, true));
    return v->full ? splash(v, h, until, false) : RILL_OK;
}

/* ---- E-R9 ---- */

static rill_vec3 stretching(void *user, rill_vec3 x)
{
    (void)user;
    return v3(5 * x.x, 0, -5 * x.z);
}

/* u = (S x, 0, -S z), the stages of one step without pressure: the liquid takes its momentum along. */
static rill_status carry(brochu *s, double dt)
{
    brochu_diagram *d = &s->diagram[1 - s->now];
    TRY(brochu_track(s, 0, dt));
    TRY(brochu_surface_index(s));
    TRY(brochu_sample(s, d, dt));
    TRY(brochu_diagram_build(s, d));
    TRY(brochu_measure(s, d, dt));
    TRY(brochu_advect(s, &s->diagram[s->now], d, dt));
    TRY(brochu_fit(s, d));
    TRY(brochu_extrapolate(s, d));
    s->now = 1 - s->now;
    return RILL_OK;
}

static rill_status stretch(verify *v, int interpolant, double *rate)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const double h = 0.025, dt = 0.005;
    rill_vec3 before, after;
    double energy;
    rill_status st = verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 4 * h, 1}}, h, &scene);
    if (!st) {
        scene.gravity = v3(0, 0, 0);
        ((brochu_def *)scene_method_def_of(&scene, "voronoi"))->interpolant = interpolant;
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {0.25, 4 * h, 0.5}},
                            (velocity_field){.function = stretching});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = voronoi_kinetic(v, sim, &energy, &before);
    if (!st) st = carry(brochu_of(sim), dt);
    if (!st) st = voronoi_kinetic(v, sim, &energy, &after);
    *rate = !st ? fabs((after.x - before.x) / before.x / dt) : NAN;
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_stretch(verify *v)
{
    double ours, paper;
    TRY(stretch(v, BROCHU_LINEAR, &ours));
    TRY(stretch(v, BROCHU_PAPER, &paper));
    verify_figure(v, "momentum, relative change a second", ours, AT_MOST, 0.2);
    verify_figure(v, "momentum, relative change a second, the paper's interpolant", paper, AT_LEAST, 1);
    return RILL_OK;
}

static const char *const methods[] = {"voronoi", NULL};
const verify_case voronoi_stretching = {"voronoi-stretching", "Momentum of a stretching flow", methods,
                                        run_stretch};
