/* [Adams] figure 6, V-21: a cube of particles placed at random becomes one of five times fewer, and its
 * surface stays.
 *
 * The particles start with their distances from the cube (errata E-A5) and are merged until nothing changes.
 * Flatness: how far vertices on the cube's sides are from these, as a standard deviation. Change: how far
 * the surface of the few is from that of the many. Zhu and Bridson's surface of the same particles beside
 * it. All in spacings of the many; edges, where every definition is round, are left out. */
#include "verify/sph_cases.h"

#include "base/random.h"
#include "geom/distance/mesh_distance.h"
#include "render/plot.h"
#include "sph/resample/resample.h"
#include "surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ANYWHERE, MANY, FEW, STATES, WAYS = 2, MOST_POINTS = 4096 };
static const char *const methods[] = {"sph", NULL};
static const int ways[WAYS] = {SURFACE_DISTANCE, SURFACE_ZHU_BRIDSON};
static const char *const state_names[STATES] = {"many anywhere", "many", "few"};

typedef struct {
    double flatness, farthest;
    double change, mean_change; /* against the surface of the many */
} figures;

typedef struct {
    trimesh mesh[WAYS][STATES];
    figures is[WAYS][STATES];
    double count[STATES];
    double spacing;
} cube;

/* Depth below the nearest side, outward normal's axis, and how far the next side is. */
typedef struct {
    double deep, next;
    int axis;
} side;

static side side_of(rill_vec3 x)
{
    side s = {INFINITY, INFINITY, 0};
    for (int k = 0; k < 3; k++) {
        const double d = fmin(v3_axis(x, k), 1 - v3_axis(x, k));
        if (d < s.deep) {
            s.next = s.deep;
            s.deep = d;
            s.axis = k;
        } else {
            s.next = fmin(s.next, d);
        }
    }
    return s;
}

/* Each anywhere in its cell of the lattice, but not nearer to a side than a quarter of a spacing: what it
 * stands for is around it. Or anywhere in the cube, which no liquid is: there are voids and clots. */
static void place_at_random(sph *s, bool anywhere)
{
    const double h = s->sim.scene->spacing, least = 0.25 * h;
    for (size_t i = 0; i < s->particles.count; i++) {
        const random4 a = random_at(6, s->particles.id[i], 0, 0), b = random_at(6, s->particles.id[i], 0, 1);
        const rill_vec3 lattice = s->particles.position[i];
        const double r[3] = {random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]),
                             random_unit(b.v[0], b.v[1])};
        double x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = anywhere ? r[k] : v3_axis(lattice, k) + h * (r[k] - 0.5);
            x[k] = fmin(fmax(x[k], least), 1 - least);
        }
        s->particles.position[i] = v3(x[0], x[1], x[2]);
        s->sized->distance[i] = (float)side_of(s->particles.position[i]).deep;
    }
    s->sized->started = true; /* distances are known */
    sized_invalidate(s);
}

static rill_status merge_all(sph *s)
{
    enum { ROUNDS = 64 };
    for (int round = 0; round < ROUNDS; round++) {
        const size_t before = s->particles.count;
        TRY(sized_sort(s));
        TRY(resample(s, NULL));
        if ((double)s->particles.count * 1.002 > (double)before) break;
    }
    return RILL_OK;
}

static rill_status make_surfaces(verify *v, const sph *s, int state, cube *c)
{
    c->count[state] = (double)s->particles.count;
    for (int w = 0; w < WAYS; w++) {
        surface_def def = surface_def_default();
        def.spacing = c->spacing;
        def.definition = ways[w];
        TRY(surface_from_particles(v->ctx, &s->particles, &def, &c->mesh[w][state]));
    }
    return RILL_OK;
}

static bool on_a_side(const cube *c, rill_vec3 x)
{
    const side s = side_of(x);
    return s.next > 4 * c->spacing && s.deep < 2 * c->spacing;
}

static void measure_flatness(const cube *c, const trimesh *m, figures *f)
{
    double sum = 0, square = 0, n = 0, least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < m->vertex_count; k++) {
        if (!on_a_side(c, m->position[k])) continue;
        const double deep = side_of(m->position[k]).deep / c->spacing;
        sum += deep;
        square += deep * deep;
        least = fmin(least, deep);
        most = fmax(most, deep);
        n++;
    }
    f->flatness = sqrt(fmax(square / n - sum / n * (sum / n), 0));
    f->farthest = fmax(most - sum / n, sum / n - least);
}

static rill_status measure_change(verify *v, const cube *c, const trimesh *from, const trimesh *to,
                                  figures *f)
{
    mesh_distance_def def = mesh_distance_def_default();
    def.resolution = 0;
    mesh_distance *old = NULL;
    TRY(mesh_distance_create(v->ctx, from, &def, &old));
    double sum = 0, n = 0, most = 0;
    for (size_t k = 0; k < to->vertex_count; k++) {
        if (!on_a_side(c, to->position[k])) continue;
        const double d = mesh_distance_closest(old, to->position[k]).distance / c->spacing;
        most = fmax(most, d);
        sum += d;
        n++;
    }
    f->change = n > 0 ? most : NAN;
    f->mean_change = sum / n;
    mesh_distance_destroy(v->ctx, old);
    return RILL_OK;
}

/* --- the picture: the top side cut in the middle --- */

typedef struct {
    size_t count;
    double x[MOST_POINTS], y[MOST_POINTS];
} profile;

static int by_x(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void read_profile(const cube *c, const trimesh *m, profile *out)
{
    double point[MOST_POINTS][2];
    size_t n = 0;
    for (size_t k = 0; k < m->vertex_count && n < MOST_POINTS; k++) {
        const rill_vec3 x = m->position[k];
        if (x.y < 0.5 || !on_a_side(c, x) || side_of(x).axis != 1 || fabs(x.z - 0.5) > 0.25 * c->spacing)
            continue;
        point[n][0] = x.x / c->spacing;
        point[n++][1] = (x.y - 1) / c->spacing;
    }
    qsort(point, n, sizeof *point, by_x);
    out->count = n;
    for (size_t k = 0; k < n; k++) {
        out->x[k] = point[k][0];
        out->y[k] = point[k][1];
    }
}

static rill_status draw(verify *v, const cube *c)
{
    if (!v->plots) return RILL_OK;
    profile *p;
    TRY(MEM_NEW(v->ctx, p, WAYS * STATES));
    plot_series series[STATES][WAYS];
    plot_panel panel[STATES];
    char title[STATES][64];
    for (int s = 0; s < STATES; s++) {
        for (int w = 0; w < WAYS; w++) {
            profile *one = &p[s * WAYS + w];
            read_profile(c, &c->mesh[w][s], one);
            series[s][w] = (plot_series){scene_surface_words[ways[w]], one->count, one->x, one->y, false, 0};
        }
        snprintf(title[s], sizeof title[s], "%.0f particles%s", c->count[s],
                 s == ANYWHERE ? " anywhere" : "");
        panel[s] = (plot_panel){title[s], "x (spacings)", WAYS, series[s], false};
    }
    plot_def def = plot_def_default();
    def.title = "Height of the surface over the top of a cube, in spacings (Adams et al. 2007, figure 6)";
    def.panel_count = STATES;
    def.panel = panel;
    def.columns = 1;
    def.panel_width = 900;
    const rill_status st = verify_plot(v, &def);
    mem_free(v->ctx, p);
    return st;
}

/* --- the case --- */

static void state_figures(verify *v, const cube *c)
{
    char name[96];
    verify_figure(v, "particles, many", c->count[MANY], REPORT, 0);
    verify_figure(v, "particles, many / few", c->count[MANY] / c->count[FEW], AT_LEAST, 4.8);
    for (int s = 0; s < STATES; s++) {
        const figures *d = &c->is[0][s], *z = &c->is[1][s];
        for (int w = 0; w < WAYS; w++) {
            snprintf(name, sizeof name, "flatness, %s, %s", scene_surface_words[ways[w]], state_names[s]);
            const bool limit = w == 0 && s == MANY;
            verify_figure(v, name, c->is[w][s].flatness, limit ? AT_MOST : REPORT, 0.02);
            snprintf(name, sizeof name, "farthest from a plane, %s, %s", scene_surface_words[ways[w]],
                     state_names[s]);
            verify_figure(v, name, c->is[w][s].farthest, REPORT, 0);
        }
        snprintf(name, sizeof name, "flatness, zhu_bridson over distance, %s", state_names[s]);
        verify_figure(v, name, z->flatness / d->flatness, s == FEW ? REPORT : AT_LEAST, 3);
    }
    verify_figure(v, "change of the surface, distance", c->is[0][FEW].change, AT_MOST, 0.25);
    verify_figure(v, "change of the surface, distance, mean", c->is[0][FEW].mean_change, REPORT, 0);
    verify_figure(v, "change of the surface, zhu_bridson", c->is[1][FEW].change, REPORT, 0);
    verify_figure(v, "change of the surface, zhu_bridson, mean", c->is[1][FEW].mean_change, REPORT, 0);
}

static rill_status measure(verify *v, sph *s, cube *c)
{
    rill_vec3 *lattice;
    const size_t n = s->particles.count;
    TRY(MEM_NEW(v->ctx, lattice, n));
    for (size_t i = 0; i < n; i++) lattice[i] = s->particles.position[i];
    place_at_random(s, true);
    rill_status st = make_surfaces(v, s, ANYWHERE, c);
    for (size_t i = 0; i < n; i++) s->particles.position[i] = lattice[i];
    mem_free(v->ctx, lattice);
    if (st) return st;
    place_at_random(s, false);
    TRY(make_surfaces(v, s, MANY, c));
    s->def.split = 1.6;
    s->def.merge = 2.4;
    TRY(merge_all(s));
    TRY(make_surfaces(v, s, FEW, c));
    for (int w = 0; w < WAYS; w++)
        for (int k = 0; k < STATES; k++) {
            measure_flatness(c, &c->mesh[w][k], &c->is[w][k]);
            TRY(measure_change(v, c, &c->mesh[w][MANY], &c->mesh[w][k], &c->is[w][k]));
        }
    state_figures(v, c);
    return draw(v, c);
}

static rill_status run(verify *v)
{
    cube c = {.spacing = 1.0 / 46};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = verify_scene(v, 3, (rill_box){{-1, -1, -1}, {2, 2, 2}}, c.spacing, &scene);
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, 1, 1}}, (velocity_field){0});
    if (!st) {
        sph_def *def = scene_method_def_of(&scene, "sph");
        def->solver = SPH_TAIT;
        def->levels = 9;
        def->split = 50; /* fine at first */
        def->merge = 100;
        scene.gravity = v3(0, 0, 0);
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = measure(v, sph_of(sim), &c);
    for (int w = 0; w < WAYS; w++)
        for (int k = 0; k < STATES; k++) trimesh_clear(v->ctx, &c.mesh[w][k]);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

const verify_case adams_figure_6 = {"adams-6", "A cube of fewer particles, its surface kept (figure 6)",
                                    methods, run};
