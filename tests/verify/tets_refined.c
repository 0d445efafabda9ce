/* Figure 4 of [Klingner06]: a plume on tetrahedra of one size, and on fewer that are small in smoke and
 * eddies. The smaller ones keep more of what turns in the smoke: its enstrophy, weighted by soot, at equal
 * times. */
#include "tets/state.h"
#include "verify/verify.h"

#include <math.h>

static const char *const methods[] = {"tets", NULL};

typedef struct {
    double spacing, coarsest;
} resolution;

typedef struct {
    double cells;     /* mean of the steps */
    double enstrophy; /* 1/s2: mean of the squared vorticity where there is soot */
} plume_figures;

static rill_status make_scene(verify *v, resolution r, rill_scene *scene)
{
    scene_smoke *smoke;
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1.5, 1}}, r.spacing, scene));
    scene->fill = true;
    scene->fluid.density = 1.2;
    tets_def *def = scene_method_def_of(scene, "tets");
    def->coarsest = r.coarsest;
    def->smoke = def->vorticity = r.coarsest > 1 ? r.coarsest : 0;
    TRY(scene_add_smoke(v->ctx, scene, &smoke));
    smoke->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.2, 0.5}, 0.12}};
    smoke->density = 0.01; /* hardly any weight */
    smoke->temperature = 380;
    return RILL_OK;
}

static double enstrophy(const tets_state *a)
{
    double sum = 0, all = 0;
    for (uint32_t t = 0; t < a->mesh.d.finite; t++) {
        if (!a->mesh.fluid[t]) continue;
        const double curl = tets_curl_in(a, t);
        double soot = 0;
        for (int i = 0; i < 4; i++) soot += a->mesh.volume[t] * a->soot[a->mesh.d.tet[t].v[i]];
        sum += soot * curl * curl;
        all += soot;
    }
    return all > 0 ? sum / all : 0;
}

static rill_status plume(verify *v, resolution r, double until, plume_figures *out)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = make_scene(v, r, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    double cells = 0;
    int steps = 0;
    for (; !st && sim->time < until * (1 - 1e-9); steps++) {
        rill_step_stats stats;
        st = verify_step(sim, fmin(fmin(sim->method->max_dt(sim), 0.03), until - sim->time), &stats);
        if (!st) cells += (double)stats.elements;
    }
    if (!st) *out = (plume_figures){cells / steps, enstrophy(tets_now(tets_of(sim)))};
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    plume_figures uniform, refined;
    const double until = v->full ? 1.5 : 0.9;
    TRY(plume(v, (resolution){v->full ? 0.0688 : 0.12, 1}, until, &uniform));
    TRY(plume(v, (resolution){v->full ? 0.04 : 0.07, 4}, until, &refined));
    verify_figure(v, "plume: tetrahedra of one size", uniform.cells, REPORT, NAN);
    verify_figure(v, "plume: tetrahedra, refined, of these", refined.cells / uniform.cells, AT_MOST, 1);
    verify_figure(v, "plume: mean squared vorticity in smoke, one size", uniform.enstrophy, REPORT, NAN);
    verify_figure(v, "plume: the same refined, over that", refined.enstrophy / uniform.enstrophy, AT_LEAST,
                  1);
    return RILL_OK;
}

const verify_case tets_refined_case = {"tets-refined", "A plume on uniform and on refined tetrahedra",
                                       methods, run};
