/* V-25 and V-26: a drop under its own tension, without gravity; radius, density and tension 1.
 *
 * At rest the pressure inside is 1 / R in two dimensions and 2 / R in three, and what moves is
 * the method's error. Drawn out by 5 percent, r = R (1 + 0.05 cos 2 theta) or
 * R (1 + 0.05 P2(cos theta)), it swings with omega^2 = n (n^2 - 1), 2.44949^2 for n = 2, and
 * n (n - 1) (n + 2), 2.82843^2. The swing is that of the mean of x^2 - y^2 over the markers. */
#include "grid/state.h"
#include "verify/verify.h"
#include "verify/voronoi_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"grid", "voronoi", NULL};
enum { MOST = 64 };

typedef struct {
    const char *name;
    int dimensions, surface, cells; /* to a radius */
    bool swings;
    double periods;
    double limit,
        kept; /* of the speed, or of the frequency's error; and what stays of the swing. NAN: reported */
} drop;

/* In two dimensions the axis is x, in three y. */
static double outline(void *user, rill_vec3 x, rill_vec3 *normal)
{
    const drop *w = user;
    const double r = v3_length(x);
    if (normal) *normal = r > 0 ? v3_scale(x, 1 / r) : v3(0, 1, 0);
    if (!w->swings || r == 0) return r - 1;
    const double c = (w->dimensions == 2 ? x.x : x.y) / r;
    return r - 1 - 0.05 * (w->dimensions == 2 ? 2 * c * c - 1 : 1.5 * c * c - 0.5);
}

typedef struct {
    const drop *w;
    double t, a, zero[MOST], extreme[MOST + 1];
    int zeros;
    double until, fastest, pressure, looks; /* in the last third */
} record;

/* Of a level set: cells full by their distance. */
static double swing_of_cells(const grid *s)
{
    double sum = 0, all = 0;
    for (size_t i = 0; i < grid_cell_count(&s->tiles); i++) {
        const int c = (int)(i % (size_t)s->tiles.cells);
        const rill_vec3 x = v3_madd(grid_tile_corner(&s->tiles, (uint32_t)(i / (size_t)s->tiles.cells)), s->h,
                                    v3(c % 8 + 0.5, c / 8 % 8 + 0.5, c / 64 + 0.5));
        const double full = fmin(fmax(0.5 - (double)s->field.phi[i], 0), 1);
        all += full;
        sum += full *
               (s->tiles.dimensions == 2 ? x.x * x.x - x.y * x.y : x.y * x.y - 0.5 * (x.x * x.x + x.z * x.z));
    }
    return sum / all;
}

static double swing(const rill_sim *sim)
{
    const grid *s = grid_view_of(sim);
    if (s->def.surface == GRID_LEVEL_SET) return swing_of_cells(s);
    const particles *p = verify_particles(sim);
    const rill_vec3 mean = verify_mean(sim->ctx, p, p->position);
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        const rill_vec3 x = v3_sub(p->position[i], mean);
        sum +=
            sim->scene->dimensions == 2 ? x.x * x.x - x.y * x.y : x.y * x.y - 0.5 * (x.x * x.x + x.z * x.z);
    }
    return sum / (double)p->count;
}

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    record *r = user;
    const double a = swing(sim), t = sim->time;
    if ((a > 0) != (r->a > 0) && r->a != 0 && r->zeros < MOST)
        r->zero[r->zeros++] = r->t + (t - r->t) * r->a / (r->a - a);
    r->extreme[r->zeros] = fmax(r->extreme[r->zeros], fabs(a));
    r->t = t;
    r->a = a;
    if (!stats || t < r->until * 2 / 3) return RILL_OK;
    r->fastest = fmax(r->fastest, stats->max_speed);
    enum { PROBES = 5 };
    for (int k = 0; k < PROBES; k++) {
        const rill_vec3 x = v3(0.3 * cos(k * 1.3), 0.3 * sin(k * 1.3), 0);
        double p;
        TRY(sim->method->pressure(sim, 1, &x, &p));
        r->pressure += p;
        r->looks++;
    }
    return RILL_OK;
}

static rill_status make_scene(verify *v, const drop *w, rill_scene *scene)
{
    scene_liquid *liquid;
    TRY(verify_scene(v, w->dimensions, (rill_box){{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}}, 1.0 / w->cells,
                     scene));
    TRY(scene_add_liquid(v->ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_FUNCTION};
    liquid->shape.by_function.function = outline;
    liquid->shape.by_function.user = (void *)w;
    liquid->shape.by_function.bounds = (rill_box){{-1.2, -1.2, -1.2}, {1.2, 1.2, 1.2}};
    grid_def *def = scene_method_def_of(scene, "grid");
    def->surface = w->surface;
    scene->gravity = v3(0, 0, 0);
    scene->fluid = (scene_fluid){.density = 1, .surface_tension = 1};
    return RILL_OK;
}

static void state(verify *v, const drop *w, const char *what, double value, verify_kind kind, double limit)
{
    char name[96];
    snprintf(name, sizeof name, "%s, %dD, %d cells: %s", w->name, w->dimensions, w->cells, what);
    verify_figure(v, name, value, isnan(limit) ? REPORT : kind, limit);
}

static void state_rest(verify *v, const drop *w, const record *r)
{
    state(v, w, "pressure inside, error", fabs(r->pressure / r->looks / (w->dimensions - 1) - 1), AT_MOST,
          isnan(w->limit) ? NAN : 0.01);
    state(v, w, "largest speed", r->fastest, AT_MOST, w->limit);
}

static rill_status run_drop(verify *v, const drop *w, double *error)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const double omega = w->dimensions == 2 ? sqrt(6) : sqrt(8);
    record r = {.w = w, .until = w->periods * 2 * M_PI / omega};
    rill_status st = make_scene(v, w, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = look(&r, sim, NULL);
    if (!st) st = verify_run(sim, r.until, look, &r);
    if (!st && !w->swings) state_rest(v, w, &r);
    if (!st && w->swings) {
        const int last = (r.zeros - 1) / 2 * 2;
        const double period = last >= 2 ? (r.zero[last] - r.zero[0]) / (last / 2) : NAN,
                     off = 2 * M_PI / period / omega - 1;
        state(v, w, "frequency, error", fabs(off), AT_MOST, w->limit);
        state(v, w, "swing kept per period",
              r.zeros ? pow(r.extreme[r.zeros - 1] / r.extreme[0], 2.0 / fmax(r.zeros - 1, 1)) : NAN,
              AT_LEAST, w->kept);
        if (error) *error = fabs(off);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status at_rest(verify *v)
{
    if (strcmp(v->method, "voronoi") == 0) return v25_voronoi(v);
    static const drop drops[] = {
        {"level set", 2, GRID_LEVEL_SET, 8, false, 3, 0.05, NAN},
        {"particles", 2, GRID_PARTICLES, 8, false, 3, NAN, NAN},
        {"level set", 3, GRID_LEVEL_SET, 8, false, 1, 0.05, NAN},
        {"particles", 3, GRID_PARTICLES, 6, false, 1, NAN, NAN},
    };
    for (size_t k = 0; k < sizeof drops / sizeof *drops; k++) TRY(run_drop(v, &drops[k], NULL));
    return RILL_OK;
}

static rill_status swinging(verify *v)
{
    if (strcmp(v->method, "voronoi") == 0) return v26_voronoi(v);
    static const drop drops[] = {
        {"level set", 2, GRID_LEVEL_SET, 8, true, 3, NAN, NAN},
        {"level set", 2, GRID_LEVEL_SET, 16, true, 3, 0.01, NAN},
        {"particles", 2, GRID_PARTICLES, 8, true, 3, 0.02, NAN},
        {"particles", 2, GRID_PARTICLES, 16, true, 3, 0.01, NAN},
        {"particles", 3, GRID_PARTICLES, 8, true, 1.6, NAN, NAN},
    };
    double error[5];
    for (size_t k = 0; k < sizeof drops / sizeof *drops; k++) TRY(run_drop(v, &drops[k], &error[k]));
    verify_figure(v, "level set, 2D: order of the frequency", log2(error[0] / error[1]), REPORT, 1);
    return RILL_OK;
}

const verify_case v25_drop = {"V-25", "Drop at rest under tension", methods, at_rest};
const verify_case v26_drop = {"V-26", "Drop that swings under tension", methods, swinging};
