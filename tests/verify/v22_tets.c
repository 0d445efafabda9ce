/* V-22 for tets: fluid and walls that move along together. Whatever the meshes do, nothing may change. */
#include "tets/state.h"
#include "verify/verify.h"

#include <math.h>

static const char *const methods[] = {"tets", NULL};

static void shift_place(solid_place *p, rill_vec3 by)
{
    p->pose.translate = v3_add(p->pose.translate, by);
    p->center = v3_add(p->center, by);
    p->bounds = (rill_box){v3_add(p->bounds.min, by), v3_add(p->bounds.max, by)};
}

/* Everything goes on by u dt, but for the nodes inside. */
static void shift_walls(tets *s, rill_vec3 by)
{
    for (uint32_t k = 0; k < s->walls.count; k++) s->past.at[k] = s->walls.at[k];
    s->past.box = s->walls.box;
    s->walls.box = (rill_box){v3_add(s->walls.box.min, by), v3_add(s->walls.box.max, by)};
    for (uint32_t k = 0; k < s->walls.count; k++) shift_place(&s->walls.at[k].place, by);
    for (uint32_t i = 0; i < s->mesher.box.count; i++)
        s->mesher.box.at[i].x = v3_add(s->mesher.box.at[i].x, by);
}

static rill_status moved_step(tets *s, rill_vec3 u, double dt)
{
    tets_state *old = tets_now(s), *new = tets_next(s);
    rill_step_stats stats = step_stats_none();
    shift_walls(s, v3_scale(u, dt));
    TRY(mesher_next(&s->mesher, &s->walls, &old->mesh, &new->mesh));
    TRY(tets_state_arrays(s, new));
    for (uint32_t k = 0; k < new->mesh.fv.face_count - new->mesh.fv.inner_count; k++)
        new->mesh.fv.boundary[k].velocity = u;
    TRY(tets_transport(s, old, &old->u, new, dt));
    TRY(tets_project(s, new, 0, dt, &stats));
    TRY(tets_recover(s, new, new->flux, TETS_CORRECTS, &new->u));
    s->now = 1 - s->now;
    return RILL_OK;
}

static rill_status run_sim(verify *v, rill_sim *sim, double *worst)
{
    tets *s = tets_of(sim);
    const rill_vec3 u = {1, 0.3, 0.2};
    tets_state *a = tets_now(s);
    for (uint32_t k = 0; k < s->walls.count; k++) {
        s->walls.at[k].moves = true;
        s->walls.at[k].place.velocity = u;
    }
    for (uint32_t k = 0; k < a->mesh.fv.face_count; k++) a->flux[k] = v3_dot(u, a->mesh.fv.face[k].area);
    TRY(tets_recover(s, a, a->flux, TETS_CORRECTS, &a->u));
    for (int k = 0; k < (v->full ? 10 : 5); k++) {
        TRY(moved_step(s, u, 0.05));
        a = tets_now(s);
        for (uint32_t i = 0; i < a->mesh.count; i++)
            if (a->mesh.first[i] < a->mesh.first[i + 1])
                *worst = fmax(*worst, v3_distance(a->u.node[i], u) / v3_length(u));
    }
    return RILL_OK;
}

static rill_status run(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_solid *solid;
    double worst = 0;
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, 0.1, &scene));
    scene.fill = true;
    ((tets_def *)scene_method_def_of(&scene, "tets"))->tolerance = 1e-9;
    rill_status st = scene_add_solid(v->ctx, &scene, &solid);
    if (!st) {
        solid->shape = (shape){.kind = SHAPE_BOX, .box = {{-0.2, -0.1, -0.15}, {0.2, 0.1, 0.15}}};
        solid->transform =
            (scene_transform){.translate = {0.5, 0.5, 0.5}, .rotate = {20, 30, 10}, .scale = 1};
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = run_sim(v, sim, &worst);
    if (!st)
        verify_figure(v, "uniform flow with walls that move along: change of the velocity", worst, AT_MOST,
                      2e-12);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

const verify_case v22_tets = {"V-22-tets", "Galilean invariance of tetrahedra", methods, run};
