/* V-25, V-26, V-27 and V-29 for the voronoi method: drops under their own tension, without gravity; radius or
 * edge, density and tension 1. */
#include "verify/voronoi_cases.h"
#include "voronoi/voronoi.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 64 };
static const rill_vec3 off = {0.013, 0.017, 0.011}; /* from the lattice's symmetry */

static rill_status drop_scene(verify *v, double half, double h, rill_scene *scene)
{
    TRY(verify_scene(v, 3, (rill_box){{-half, -half, -half}, {half, half, half}}, h, scene));
    scene->gravity = v3(0, 0, 0);
    scene->fluid.density = 1;
    scene->fluid.surface_tension = 1;
    return RILL_OK;
}

/* ---- V-25 ---- */

rill_status v25_voronoi(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const double h = 0.25;
    rill_status st = drop_scene(v, 2, h, &scene);
    if (!st) st = voronoi_add_drop(v, &scene, off, 1, 0);
    if (!st) st = verify_create(v, &scene, &sim);
    double speed = 0;
    const double until = v->full ? 4 : 1;
    rill_step_stats stats = step_stats_none();
    while (!st && sim->time < until - 1e-9) {
        st = verify_step(sim, fmin(sim->method->max_dt(sim), until - sim->time), &stats);
        speed = fmax(speed, stats.max_speed);
    }
    double p = NAN;
    if (!st) st = sim->method->pressure(sim, 1, &off, &p);
    if (!st) {
        verify_figure(v, "largest speed", speed, REPORT, 1e-3);
        verify_figure(v, "speed at the end", stats.max_speed, AT_MOST, 1e-3);
        verify_figure(v, "pressure, error", fabs(p / 2 - 1), AT_MOST, 0.01);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- V-26 ---- */

typedef struct {
    double t, a, zero[MOST], extreme[MOST + 1];
    int zeros;
} record;

static double cube_y(void *user, rill_vec3 x)
{
    (void)user;
    return x.y * x.y * x.y / 3;
}
static double cube_x(void *user, rill_vec3 x)
{
    (void)user;
    return x.x * x.x * x.x / 3;
}
static double cube_z(void *user, rill_vec3 x)
{
    (void)user;
    return x.z * x.z * x.z / 3;
}

/* Integral of y^2 - (x^2 + z^2) / 2 over the drop. */
static rill_status look_drop(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    record *r = user;
    if (stats && stats->max_speed > 4) /* the swing has 0.2 m/s */
        return rill_fail(sim->ctx, RILL_BLEW_UP, "short waves grow");
    const trimesh *m = voronoi_surface(sim);
    const double a = voronoi_flux(m, 1, cube_y, NULL) - 0.5 * voronoi_flux(m, 0, cube_x, NULL) -
                     0.5 * voronoi_flux(m, 2, cube_z, NULL),
                 t = sim->time;
    if ((a > 0) != (r->a > 0) && r->a != 0 && r->zeros < MOST)
        r->zero[r->zeros++] = r->t + (t - r->t) * r->a / (r->a - a);
    r->extreme[r->zeros] = fmax(r->extreme[r->zeros], fabs(a));
    r->t = t;
    r->a = a;
    return RILL_OK;
}

/* step: in units of the capillary limit, with implicit tension beyond 1.5; 0: the scene's own. */
static rill_status swing(verify *v, double h, double periods, double step, double *error, double *kept,
                         double *last)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    record r = {0};
    rill_status st = drop_scene(v, 2, h, &scene);
    if (!st) {
        brochu_def *def = scene_method_def_of(&scene, "voronoi");
        if (step > 0) {
            verify_param(&scene, "capillary", step);
            def->max_step = 1; /* nothing else limits the step */
            def->cfl = 20;
        }
        def->implicit_tension = step > 1.5;
        st = voronoi_add_drop(v, &scene, off, 1, 0.05);
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = look_drop(&r, sim, NULL);
    if (!st) st = verify_run(sim, periods * 2.221441, look_drop, &r);
    *error = *kept = *last = NAN;
    if (!st && r.zeros > 1)
        *error = fabs(2 * (r.zero[r.zeros - 1] - r.zero[0]) / (r.zeros - 1) / 2.221441 - 1);
    if (!st && r.zeros > 0) *kept = r.extreme[r.zeros - 1] / r.extreme[0];
    if (!st) *last = r.extreme[r.zeros] / r.extreme[0];
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

rill_status v26_voronoi(verify *v)
{
    double error, kept, last;
    TRY(swing(v, v->full ? 1.0 / 8 : 1.0 / 5, v->full ? 5.3 : 1.8, 0, &error, &kept, &last));
    verify_figure(v, "period, error", error, AT_MOST, v->full ? 0.01 : 0.03);
    verify_figure(v, "amplitude kept", kept, AT_LEAST, 0.6);
    verify_figure(v, "amplitude, growth", kept, WANTED, 1.02);
    return RILL_OK;
}

/* ---- V-29 ---- */

static rill_status run_limit(verify *v)
{
    double error, kept, last;
    TRY(swing(v, 0.25, 1.2, 0.75, &error, &kept, &last));
    verify_figure(v, "at 0.75 of the limit: amplitude", last, AT_MOST, 1.1);
    const rill_status st = swing(v, 0.25, 1.2, 1.5, &error, &kept, &last);
    if (st && st != RILL_BLEW_UP) return st;
    verify_figure(v, "at 1.5 of the limit: stays (1) or blows up (0)", !st, AT_MOST, 0);
    TRY(swing(v, 0.25, 3.2, 5, &error, &kept, &last));
    verify_figure(v, "implicit, at 5 times the limit: period, error", error, AT_MOST, 0.1);
    verify_figure(v, "implicit, at 5 times the limit: amplitude", last, AT_MOST, 1.1);
    TRY(swing(v, 0.25, v->full ? 40 : 12, 20, &error, &kept, &last));
    verify_figure(v, "implicit, at 20 times the limit: amplitude", last, AT_MOST, 1.1);
    return RILL_OK;
}

/* ---- V-27 ---- */

typedef struct {
    double first, before;
    double t[3], mode[3]; /* of the last three states */
    double t_octahedron, least, sphericity, volume;
} cube;

/* The first minimum, by the parabola through three states. */
static void look_for_extreme(cube *c)
{
    const double *t = c->t, *m = c->mode;
    if (c->t_octahedron > 0 || !(m[1] < m[0] && m[1] <= m[2] && m[1] < 0)) return;
    const double a = (m[1] - m[0]) / (t[1] - t[0]), b = (m[2] - m[1]) / (t[2] - t[1]),
                 curve = (b - a) / (t[2] - t[0]);
    c->t_octahedron = 0.5 * (t[0] + t[1]) - 0.5 * a / curve;
    c->least = m[1];
}

static rill_vec3 centre_of(const trimesh *m)
{
    rill_vec3 sum = {0};
    double volume = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const rill_vec3 a = m->position[m->triangle[t][0]], b = m->position[m->triangle[t][1]],
                        c = m->position[m->triangle[t][2]];
        const double w = v3_dot(a, v3_cross(b, c)) / 6;
        volume += w;
        sum = v3_madd(sum, w / 4, v3_add(a, v3_add(b, c)));
    }
    return v3_scale(sum, 1 / volume);
}

/* Coefficient of the cubic harmonic x^4 + y^4 + z^4 - 3/5 in the radius, over the sphere of directions. */
static double cubic_mode(const trimesh *m)
{
    const rill_vec3 o = centre_of(m);
    double sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const rill_vec3 a = v3_sub(m->position[m->triangle[t][0]], o),
                        b = v3_sub(m->position[m->triangle[t][1]], o),
                        c = v3_sub(m->position[m->triangle[t][2]], o),
                        x = v3_scale(v3_add(a, v3_add(b, c)), 1.0 / 3);
        const double r = v3_length(x),
                     angle = v3_dot(x, v3_cross(v3_sub(b, a), v3_sub(c, a))) / (2 * r * r * r);
        const rill_vec3 n = v3_scale(x, 1 / r);
        const double q = n.x * n.x * n.x * n.x + n.y * n.y * n.y * n.y + n.z * n.z * n.z * n.z - 0.6;
        sum += angle * r * q;
    }
    return sum;
}

static rill_status look_cube(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    cube *c = user;
    const trimesh *m = voronoi_surface(sim);
    const double mode = cubic_mode(m), volume = voronoi_volume(m), area = voronoi_area(m);
    if (!stats) {
        c->first = mode;
        c->before = volume;
    }
    for (int k = 0; k < 2; k++) c->t[k] = c->t[k + 1], c->mode[k] = c->mode[k + 1];
    c->t[2] = sim->time;
    c->mode[2] = mode / c->first;
    if (stats) look_for_extreme(c);
    c->sphericity = cbrt(M_PI) * pow(6 * volume, 2.0 / 3) / area;
    c->volume = fmax(c->volume, fabs(volume / c->before - 1));
    return RILL_OK;
}

static rill_status run_cube(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    cube c = {0};
    const double T4 = 0.3618, until = v->full ? 10 * T4 : 0.7 * T4, h = 0.1;
    rill_status st = drop_scene(v, 1, h, &scene);
    const rill_vec3 half = {0.5, 0.5, 0.5};
    if (!st)
        st = verify_add_box(v, &scene, (rill_box){v3_sub(off, half), v3_add(off, half)}, (velocity_field){0});
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = look_cube(&c, sim, NULL);
    if (!st) st = verify_run(sim, until, look_cube, &c);
    if (!st) {
        verify_figure(v, "octahedron, time / (T4 / 2) - 1", fabs(c.t_octahedron / (0.5 * T4) - 1), AT_MOST,
                      0.2);
        verify_figure(v, "octahedron, the same", fabs(c.t_octahedron / (0.5 * T4) - 1), WANTED, 0.1);
        verify_figure(v, "octahedron, mode / the cube's", c.least, AT_MOST, -0.1);
        verify_figure(v, "volume, largest change", c.volume, AT_MOST, 1e-3);
        verify_figure(v, "sphericity at the end", c.sphericity, v->full ? AT_LEAST : REPORT, 0.995);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static const char *const methods[] = {"voronoi", NULL};
const verify_case v27_cube = {"V-27", "Cube without gravity", methods, run_cube};
const verify_case v29_capillary = {"V-29", "Capillary step limit", methods, run_limit};
