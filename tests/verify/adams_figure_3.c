/* [Adams] figure 3: the medial axis of a figure of liquid, made of particles: a flat one, and one with limbs
 * in space, after the paper's armadillo; and what is made of it, the extended local feature size (V-21).
 *
 * The figures are of capsules, whose axes are their medial axes where no other is near: particles found to be
 * on the axis lie there, and all along it, and the feature size there is the limb's radius and the depth.
 * elfs is 1-Lipschitz by definition: as measured, |elfs_i - elfs_j| <= |x_i - x_j| + 0.1 R for 99.9 percent
 * of the pairs of neighbours. Surface points are those that redistancing finds from the particles alone. */
#include "verify/sph_cases.h"

#include "render/plot.h"
#include "sph/resample/resample.h"
#include "surface/distances.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"sph", NULL};

typedef struct limb {
    rill_vec3 from, to;
    double radius;
    double begin, end; /* the part of it, 0 to 1, that is away from others and from its ends; 0, 0: none */
} limb;

static const limb flat_limbs[] = {
    {{0, 0.4, 0}, {0, 0.8, 0}, 0.2, 0, 0},               /* body */
    {{0, 1.17, 0}, {0, 1.17, 0}, 0.17, 0, 0},            /* head */
    {{0.1, 0.8, 0}, {0.6, 1.05, 0}, 0.08, 0.55, 0.9},    /* arms */
    {{-0.1, 0.8, 0}, {-0.6, 1.05, 0}, 0.08, 0.55, 0.9},  /* */
    {{0.1, 0.3, 0}, {0.35, -0.35, 0}, 0.1, 0.55, 0.9},   /* legs */
    {{-0.1, 0.3, 0}, {-0.35, -0.35, 0}, 0.1, 0.55, 0.9}, /* */
};

static const limb armadillo_limbs[] = {
    {{0, 0.36, 0}, {0, 0.56, 0}, 0.17, 0, 0},                   /* body */
    {{0, 0.50, -0.06}, {0, 0.50, -0.06}, 0.18, 0, 0},           /* shell */
    {{0, 0.80, 0.03}, {0, 0.80, 0.03}, 0.11, 0, 0},             /* head */
    {{0, 0.79, 0.1}, {0, 0.76, 0.22}, 0.05, 0, 0},              /* snout */
    {{0.07, 0.87, 0}, {0.13, 1.02, -0.01}, 0.045, 0, 0},        /* ears */
    {{-0.07, 0.87, 0}, {-0.13, 1.02, -0.01}, 0.045, 0, 0},      /* */
    {{0.12, 0.6, 0.02}, {0.46, 0.7, 0.06}, 0.065, 0.5, 0.75},   /* arms */
    {{-0.12, 0.6, 0.02}, {-0.46, 0.7, 0.06}, 0.065, 0.5, 0.75}, /* */
    {{0.46, 0.7, 0.06}, {0.5, 0.93, 0.12}, 0.065, 0, 0},        /* forearms */
    {{-0.46, 0.7, 0.06}, {-0.5, 0.93, 0.12}, 0.065, 0, 0},      /* */
    {{0.08, 0.28, 0.02}, {0.24, -0.05, 0.05}, 0.09, 0, 0},      /* legs */
    {{-0.08, 0.28, 0.02}, {-0.24, -0.05, 0.05}, 0.09, 0, 0},    /* */
    {{0.24, -0.08, 0.03}, {0.27, -0.08, 0.2}, 0.06, 0, 0},      /* feet */
    {{-0.24, -0.08, 0.03}, {-0.27, -0.08, 0.2}, 0.06, 0, 0},    /* */
    {{0, 0.28, -0.12}, {0, 0.1, -0.65}, 0.07, 0.5, 0.85},       /* tail */
};

typedef struct figure {
    const char *name; /* before its figures */
    const limb *limb;
    int limbs, dimensions;
    double spacing;
    rill_box domain;
} figure;
#define LIMBS(l) l, sizeof l / sizeof *l

static double along(const limb *l, rill_vec3 x)
{
    const rill_vec3 way = v3_sub(l->to, l->from);
    const double length2 = v3_dot(way, way);
    return length2 > 0 ? v3_dot(v3_sub(x, l->from), way) / length2 : 0;
}

static double from_axis(const limb *l, rill_vec3 x)
{
    const double t = fmin(fmax(along(l, x), 0), 1);
    return v3_distance(x, v3_madd(l->from, t, v3_sub(l->to, l->from)));
}

static double distance(void *user, rill_vec3 x, rill_vec3 *normal)
{
    const figure *f = user;
    double least = INFINITY;
    if (f->dimensions == 2) x.z = 0;
    for (int k = 0; k < f->limbs; k++) least = fmin(least, from_axis(&f->limb[k], x) - f->limb[k].radius);
    if (normal) *normal = v3(0, 1, 0); /* liquid is filled in by the sign alone */
    return least;
}

typedef struct {
    rill_vec3 *foot;
    float *deep, *elfs;
    uint8_t *medial;
} found;

static void tell(verify *v, const figure *f, const char *what, double value, verify_kind kind, double target)
{
    char name[120];
    snprintf(name, sizeof name, "%s%s", f->name, what);
    verify_figure(v, name, value, kind, target);
}

/* Limbs, away from the body and from their round ends. */
static void limb_figures(verify *v, const figure *fig, const particles *p, const found *f)
{
    double farthest = 0, asked = 0, covered = 0, off = 0, sized = 0;
    for (int k = 0; k < fig->limbs; k++) {
        const limb *l = &fig->limb[k];
        for (size_t i = 0; i < p->count; i++) {
            const double t = along(l, p->position[i]), aside = from_axis(l, p->position[i]);
            if (!(t > l->begin && t < l->end) || aside > l->radius) continue;
            if (f->medial[i]) farthest = fmax(farthest, aside);
            const double error = (double)f->elfs[i] - (2 * l->radius - aside);
            off += error * error;
            sized++;
        }
        for (double t = l->begin; t < l->end; t += 0.05, asked++) {
            const rill_vec3 at = v3_madd(l->from, t, v3_sub(l->to, l->from));
            double nearest = INFINITY;
            for (size_t i = 0; i < p->count; i++)
                if (f->medial[i]) nearest = fmin(nearest, v3_distance(at, p->position[i]));
            covered += nearest < (fig->dimensions == 2 ? 1 : 1.25) * fig->spacing;
        }
    }
    /* Neighbours see each other over two spacings: that is the axis' resolution. In space a limb of four
     * spacings has pairs across its axis in every direction, and the nearest of the points between them
     * counts. */
    const bool flat = fig->dimensions == 2;
    tell(v, fig, "medial particles from the axis of a limb, farthest, spacings", farthest / fig->spacing,
         AT_MOST, flat ? 2 : 2.5);
    tell(v, fig, "feature size in a limb, error (rms), spacings", sqrt(off / sized) / fig->spacing, AT_MOST,
         0.5);
    tell(v, fig, "share of the axis that has a medial particle", covered / asked, AT_LEAST, 0.99);
}

static void slope_figure(verify *v, const figure *fig, const sph *s, const found *f)
{
    double pairs = 0, steep = 0;
    for (uint32_t i = 0; i < s->particles.count; i++) {
        const sized_list l = sized_list_of(&s->sized->lists, i);
        for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);) {
            if (w.id == i) continue;
            const double apart = v3_distance(s->particles.position[i], s->particles.position[w.id]);
            pairs++;
            steep += fabs((double)(f->elfs[i] - f->elfs[w.id])) > apart + 0.1 * s->model.kernel.support;
        }
    }
    tell(v, fig, "pairs whose feature size is steeper than 1, share", steep / pairs, AT_MOST, 1e-3);
}

static rill_status draw(verify *v, const particles *p, const found *f)
{
    if (!v->plots) return RILL_OK;
    double *x, *y;
    size_t count[2] = {0, 0};
    TRY(MEM_NEW(v->ctx, x, 2 * p->count));
    const rill_status st = MEM_NEW(v->ctx, y, 2 * p->count);
    if (st) {
        mem_free(v->ctx, x);
        return st;
    }
    for (size_t i = 0; i < p->count; i++) {
        const size_t at = f->medial[i] ? p->count + count[1]++ : count[0]++;
        x[at] = p->position[i].x;
        y[at] = p->position[i].y;
    }
    const plot_series series[] = {
        {.name = "liquid", .count = count[0], .x = x, .y = y, .dots = true, .color = 0x9fc6e0},
        {.name = "medial axis",
         .count = count[1],
         .x = x + p->count,
         .y = y + p->count,
         .dots = true,
         .color = 0xb02020}};
    const plot_panel panel = {.title = "Particles, and those of the medial axis",
                              .x_label = "x, m",
                              .series_count = 2,
                              .series = series};
    plot_def def = plot_def_default();
    def.title = "Adams et al. 2007, figure 3";
    def.panel = &panel;
    def.panel_count = 1;
    def.panel_width = 640;
    def.height = 760;
    const rill_status drawn = verify_plot(v, &def);
    mem_free(v->ctx, x);
    mem_free(v->ctx, y);
    return drawn;
}

static rill_status measure(verify *v, const figure *fig, rill_sim *sim)
{
    sph *s = sph_of(sim);
    const surface_def def = {.spacing = fig->spacing, .dimensions = fig->dimensions};
    found f = {0};
    rill_status st = sized_sort(s);
    const size_t n = s->particles.count;
    if (!st) st = MEM_NEW(v->ctx, f.foot, n);
    if (!st) st = MEM_NEW_ZERO(v->ctx, f.deep, n);
    if (!st) st = MEM_NEW(v->ctx, f.elfs, n);
    if (!st) st = MEM_NEW(v->ctx, f.medial, n);
    if (!st) st = distances_start(v->ctx, &s->particles, &def, f.deep, f.foot);
    if (!st) st = feature_sizes(s, f.foot, NULL, NULL, INFINITY, f.elfs, f.medial);
    if (!st) {
        limb_figures(v, fig, &s->particles, &f);
        slope_figure(v, fig, s, &f);
        st = draw(v, &s->particles, &f);
    }
    mem_free(v->ctx, f.foot);
    mem_free(v->ctx, f.deep);
    mem_free(v->ctx, f.elfs);
    mem_free(v->ctx, f.medial);
    return st;
}

static rill_status run_figure(verify *v, figure *fig)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_liquid *liquid;
    rill_status st = verify_scene(v, fig->dimensions, fig->domain, fig->spacing, &scene);
    if (!st) st = scene_add_liquid(v->ctx, &scene, &liquid);
    if (!st) {
        variant_choose(&scene, BY_LEVELS);
        sph_def *def = scene_method_def_of(&scene, "sph");
        def->levels = 1;
        def->split = 50; /* all stay fine, so that the axis is fine as well */
        def->merge = 100;
        liquid->shape = (shape){.kind = SHAPE_FUNCTION};
        liquid->shape.by_function.function = distance;
        liquid->shape.by_function.user = fig;
        liquid->shape.by_function.bounds = (rill_box){v3(-1, -0.6, -1), v3(1, 1.5, 1)};
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = measure(v, fig, sim);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    figure flat = {"", LIMBS(flat_limbs), 2, 0.0125, {{-1, -0.6, 0}, {1, 1.5, 0}}};
    return run_figure(v, &flat);
}

static rill_status run_armadillo(verify *v)
{
    figure armadillo = {
        "armadillo: ", LIMBS(armadillo_limbs), 3, v->full ? 0.0125 : 0.016, {{-1, -0.6, -1}, {1, 1.5, 1}}};
    return run_figure(v, &armadillo);
}

const verify_case adams_figure_3 = {"adams-3", "Medial axis and feature size (figure 3)", methods, run};
const verify_case adams_figure_3_armadillo = {
    "adams-3-3D", "Medial axis and feature size of a body with limbs (figure 3)", methods, run_armadillo};
