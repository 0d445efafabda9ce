/* [Adams] figure 5: three definitions of the surface on the same particles, in two dimensions: (a) a straight
 * line, (b) a circular arc, and the line (c) with particles deleted and (d) with particles added next to it,
 * one of them large. anisotropic is there beside them.
 *
 * Spacing 1. Particles are a jittered lattice with the distances from the curve that they should carry. The
 * figures: how far the contour leaves its mean distance from the curve, as a standard deviation (how bumpy it
 * is) and at most. (The mean itself is what holds the volume.) The paper's claim is that the distance-based
 * surface leaves it less than the others do. */
#include "base/random.h"
#include "render/plot.h"
#include "surface/surface.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE, ARC, DELETED, ADDED, PICTURES, MOST_POINTS = 4096 };
static const char *const titles[PICTURES] = {"(a) a line", "(b) an arc", "(c) deletion", "(d) addition"};
static const double radius = 8, window = 7;

static rill_status add(rill_ctx *ctx, particles *p, double x, double y, double distance, double spacing)
{
    const rill_vec3 at = v3(x, y, 0);
    TRY(particles_append(ctx, p, 1, &at, NULL));
    particles_column(p, "surface_distance")[p->count - 1] = (float)distance;
    particles_column(p, "spacing")[p->count - 1] = (float)spacing;
    return RILL_OK;
}

static rill_status fill(rill_ctx *ctx, int picture, particles *p)
{
    TRY(particles_add_column(ctx, p, "surface_distance"));
    TRY(particles_add_column(ctx, p, "spacing"));
    for (int j = -12; j < 12; j++)
        for (int i = -12; i < 12; i++) {
            const random4 r = random_at(5, (uint64_t)(24 * (j + 12) + i + 12), 0, 0);
            const double x = i + 0.5 + 0.4 * (random_unit(r.v[0], r.v[1]) - 0.5);
            const double y = j + 0.5 + 0.4 * (random_unit(r.v[2], r.v[3]) - 0.5);
            const double deep =
                picture == ARC ? radius - sqrt(x * x + y * y) : fmin(fmin(-y, y + 8), fmin(12 + x, 12 - x));
            if (deep < 0.1) continue;
            if (picture == DELETED && j == -1 && (i == -3 || i == 2 || i == 3)) continue;
            TRY(add(ctx, p, x, y, deep, 1));
        }
    if (picture == ADDED) {
        TRY(add(ctx, p, -3, -0.3, 0.3, 0.7));
        TRY(add(ctx, p, 1, -0.6, 0.6, 1));
        TRY(add(ctx, p, 4, -0.9, 0.9, 1.7));
    }
    return RILL_OK;
}

/* A contour as a function: height over x, or distance from the middle over the angle. */
typedef struct {
    size_t count;
    double x[MOST_POINTS], y[MOST_POINTS];
    double bump, most;
} curve;

static int by_x(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The vertices of the upper rim: those with a wall, on one side of the slab. */
static void read_contour(const trimesh *m, int picture, curve *c)
{
    double(*point)[2] = (double(*)[2])malloc(MOST_POINTS * sizeof *point);
    c->count = 0;
    for (size_t v = 0; point && v < m->vertex_count && c->count < MOST_POINTS; v++) {
        const rill_vec3 x = m->position[v];
        const float *n = m->normal[v];
        if (x.z > 0 || n[0] * n[0] + n[1] * n[1] < 0.1f) continue; /* caps look along z alone */
        if (picture == ARC ? x.y < 2 : fabs(x.x) > window || x.y < -2) continue;
        point[c->count][0] = picture == ARC ? atan2(x.x, x.y) : x.x;
        point[c->count++][1] = picture == ARC ? hypot(x.x, x.y) - radius : x.y;
    }
    if (point) qsort(point, c->count, sizeof *point, by_x);
    double sum = 0, square = 0;
    for (size_t k = 0; k < c->count; k++) {
        c->x[k] = point[k][0];
        c->y[k] = point[k][1];
        sum += c->y[k];
        square += c->y[k] * c->y[k];
    }
    free(point);
    const double n = (double)c->count;
    c->bump = c->count ? sqrt(fmax(0, square / n - sum / n * (sum / n))) : NAN;
    c->most = c->count ? 0 : NAN;
    for (size_t k = 0; k < c->count; k++) c->most = fmax(c->most, fabs(c->y[k] - sum / n));
}

static rill_status make_curves(rill_ctx *ctx, int picture, curve *c)
{
    particles p = {0};
    rill_status st = fill(ctx, picture, &p);
    for (int d = 0; d <= SURFACE_ANISOTROPIC && !st; d++) {
        surface_def def = surface_def_default();
        def.dimensions = 2;
        def.cell = 0.1;
        def.definition = d;
        trimesh m = {0};
        st = surface_from_particles(ctx, &p, &def, &m);
        if (!st) read_contour(&m, picture, &c[d]);
        trimesh_clear(ctx, &m);
    }
    particles_clear(ctx, &p);
    return st;
}

static rill_status draw(verify *v, curve c[PICTURES][SURFACE_ANISOTROPIC + 1])
{
    enum { LINES = SURFACE_ANISOTROPIC + 2 };
    static const double flat[2] = {0, 0};
    const double edge[PICTURES][2] = {{-window, window}, {-1.3, 1.3}, {-window, window}, {-window, window}};
    plot_series series[PICTURES][LINES];
    plot_panel panel[PICTURES];
    for (int k = 0; k < PICTURES; k++) {
        for (int d = 0; d < LINES - 1; d++)
            series[k][d] =
                (plot_series){scene_surface_words[d], c[k][d].count, c[k][d].x, c[k][d].y, false, 0};
        series[k][LINES - 1] = (plot_series){"represented", 2, edge[k], flat, false, 0};
        panel[k] =
            (plot_panel){titles[k], k == ARC ? "angle (rad)" : "x (spacings)", LINES, series[k], false};
    }
    plot_def def = plot_def_default();
    def.title = "Distance of the surface from the curve it represents, in spacings";
    def.panel_count = PICTURES;
    def.panel = panel;
    def.columns = 2;
    return verify_plot(v, &def);
}

static rill_status run_case(verify *v)
{
    curve(*c)[SURFACE_ANISOTROPIC + 1] = NULL;
    rill_status st = MEM_NEW(v->ctx, c, PICTURES);
    for (int k = 0; k < PICTURES && !st; k++) {
        st = make_curves(v->ctx, k, c[k]);
        if (st) break;
        char name[64];
        for (int d = 0; d <= SURFACE_ANISOTROPIC; d++) {
            snprintf(name, sizeof name, "%s, %s: deviation", titles[k], scene_surface_words[d]);
            verify_figure(v, name, c[k][d].bump, REPORT, NAN);
        }
        const double distance = c[k][SURFACE_DISTANCE].bump;
        snprintf(name, sizeof name, "%s: distance over zhu_bridson", titles[k]);
        verify_figure(v, name, distance / c[k][SURFACE_ZHU_BRIDSON].bump, AT_MOST, 0.5);
        snprintf(name, sizeof name, "%s: distance over metaballs", titles[k]);
        verify_figure(v, name, distance / c[k][SURFACE_METABALLS].bump, AT_MOST, 0.5);
        snprintf(name, sizeof name, "%s: distance, farthest from its mean", titles[k]);
        verify_figure(v, name, c[k][SURFACE_DISTANCE].most, AT_MOST, k == DELETED ? 0.25 : 0.1);
    }
    if (!st) st = draw(v, c);
    mem_free(v->ctx, c);
    return st;
}

const verify_case adams_figure_5 = {"adams-5", "Surfaces of particles, Adams figure 5", NULL, run_case};
