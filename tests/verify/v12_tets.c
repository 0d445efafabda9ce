/* V-12, V-01, V-03 and V-06 for tets: rest under gravity in a domain that fluid fills, with a ball and a thin
 * plate in it; cells that are closed, a projection that projects, and velocities that are exact for
 * constants. */
#include "tets/state.h"
#include "verify/verify.h"

#include <math.h>

static const char *const methods[] = {"tets", NULL};

static rill_status make(verify *v, rill_scene *scene, rill_sim **sim)
{
    const rill_box box = {{0, 0, 0}, {1, 1, 1}};
    scene_solid *solid;
    TRY(verify_scene(v, 3, box, 0.09, scene));
    scene->fill = true;
    tets_def *def = scene_method_def_of(scene, "tets");
    def->tolerance = 1e-9;
    def->max_step = 0.02;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.35, 0.4, 0.5}, 0.2}};
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_BOX, .box = {{0.7, 0.2, 0.2}, {0.72, 0.8, 0.8}}};
    return verify_create(v, scene, sim);
}

static rill_status rest(verify *v, rill_sim *sim)
{
    rill_step_stats stats;
    double most = 0, wrong = 0;
    for (int k = 0; k < 10; k++) {
        TRY(verify_step(sim, 0.02, &stats));
        most = fmax(most, stats.max_speed);
    }
    verify_figure(v, "speed of fluid at rest, sqrt(g H)", most / sqrt(9.81), AT_MOST, 1e-6);
    const rill_vec3 at[] = {{0.5, 0.1, 0.1}, {0.1, 0.5, 0.9}, {0.9, 0.93, 0.5}};
    double p[3];
    TRY(sim->method->pressure(sim, 3, at, p));
    for (int k = 0; k < 3; k++) wrong = fmax(wrong, fabs(p[k] / (9810 * (1 - at[k].y)) - 1));
    verify_figure(v, "pressure of fluid at rest, relative error", wrong, AT_MOST, 0.01);
    return RILL_OK;
}

static void closed_cells(verify *v, const tets_state *a)
{
    const fv_mesh *fv = &a->mesh.fv;
    verify_figure(v, "cells are closed", fv_mesh_check(fv, 1e-12) == RILL_OK, AT_LEAST, 1);
    double volume = 0, cones = 0;
    for (uint32_t c = 0; c < fv->cell_count; c++) volume += fv->volume[c];
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++)
        cones += v3_dot(fv->face[k].area, fv->face[k].centroid) / 3;
    verify_figure(v, "volume by divergence theorem, relative error", fabs(volume / cones - 1), AT_MOST,
                  1e-12);
}

/* Constants are recovered exactly; cell velocities give back fluxes that are free of divergence. */
static rill_status recovery(verify *v, tets *s)
{
    tets_state *a = tets_now(s);
    const tet_mesh *m = &a->mesh;
    const rill_vec3 u = {0.3, -1.2, 0.7};
    for (uint32_t k = 0; k < m->fv.face_count; k++) a->flux[k] = v3_dot(u, m->fv.face[k].area);
    TRY(tets_recover(s, a, a->flux, TETS_CORRECTS, &a->u));
    double worst = 0;
    for (uint32_t t = 0; t < m->d.finite; t++)
        if (m->fluid[t]) worst = fmax(worst, v3_distance(a->u.cell[t], u));
    for (uint32_t i = 0; i < m->count; i++)
        if (m->first[i] < m->first[i + 1]) worst = fmax(worst, v3_distance(a->u.node[i], u));
    verify_figure(v, "constant velocity at cells and nodes, error", worst, AT_MOST, 1e-10);
    for (uint32_t k = 0; k < m->fv.face_count; k++) {
        const rill_vec3 x = m->fv.face[k].centroid;
        a->flux[k] = v3_dot(v3(sin(9 * x.y), cos(7 * x.z), sin(8 * x.x) + x.y), m->fv.face[k].area);
    }
    rill_step_stats stats = step_stats_none();
    TRY(tets_project(s, a, 0, 1, &stats));
    TRY(tets_recover(s, a, a->flux, TETS_CORRECTS, &a->u));
    double back = 0, largest = 0;
    for (uint32_t t = 0; t < m->d.finite; t++) {
        bool whole =
            m->fluid[t]; /* a cell by itself: one of several tetrahedra has more faces than unknowns */
        for (uint32_t i = 0; i < m->shared_count; i++) whole &= (uint32_t)m->shared[i] != t;
        for (uint32_t i = 0; whole && i < 4; i++) {
            const uint32_t k = m->face[4 * t + i];
            if (k == FV_NONE) continue;
            const double area = v3_length(m->fv.face[k].area);
            back = fmax(back, fabs(v3_dot(a->u.cell[t], m->fv.face[k].area) - a->flux[k]) / area);
            largest = fmax(largest, fabs(a->flux[k]) / area);
        }
    }
    verify_figure(v, "largest divergence after the projection, h / speed", stats.div_max * s->h / largest,
                  AT_MOST, 1e-6);
    verify_figure(v, "normal velocities given back by cells, error over the largest", back / largest, AT_MOST,
                  1e-6);
    return RILL_OK;
}

static rill_status run(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = make(v, &scene, &sim);
    if (!st) closed_cells(v, tets_now(tets_of(sim)));
    if (!st) st = rest(v, sim);
    if (!st) st = recovery(v, tets_of(sim));
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

const verify_case v12_tets = {"V-12-tets", "Rest in a full domain, operators (V-01, V-03, V-06, V-12)",
                              methods, run};
