/* Walls of tets: how well meshes follow them, what moving ones push, and that nothing comes through them. */
#include "tets/state.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"tets", NULL};

/* ---- conformity ---- */

static rill_status followed(verify *v, double radii, double limit)
{
    const double h = 0.25 * radii;
    wall ball = {.form = {.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.5, 0.5}, 0.25}},
                 .place = {.pose = {.row = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .scale = 1},
                           .bounds = {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}}},
                 .refined = true,
                 .body = UINT32_MAX};
    const walls w = {.box = {{0, 0, 0}, {1, 1, 1}}, .count = 1, .at = &ball};
    mesher_def def = mesher_def_default();
    def.size = (size_def){.finest = h, .coarsest = 3 * h, .distance = 0.3};
    mesher m = {0};
    tet_mesh mesh;
    mesh_quality q = {0};
    char name[100];
    mesh_init(&mesh, v->ctx);
    rill_status st = mesher_create(v->ctx, &def, &w, &m);
    if (!st) st = mesher_first(&m, &w, &mesh);
    if (!st) st = mesh_measure(&mesh, &w, &m.size, &q);
    if (!st) {
        snprintf(name, sizeof name, "size %.1f radii: 99 %% of faces off the ball by at most, edges", radii);
        verify_figure(v, name, q.off_99, AT_MOST, limit);
        snprintf(name, sizeof name, "size %.1f radii: the farthest face off the ball, edges", radii);
        verify_figure(v, name, q.off_most, AT_MOST, 0.25);
        snprintf(name, sizeof name, "size %.1f radii: tetrahedra with an angle below 5 degrees", radii);
        verify_figure(v, name, q.below_5, AT_MOST, 1e-3);
    }
    mesh_clear(&mesh);
    mesher_clear(&m);
    return st;
}

/* ---- relaxation ---- */

/* The paper's comparison: nodes go to the mean of the barycentres of their tetrahedra, or of the
 * circumcentres as in its source. Dihedral angles after 30 rounds, by thirds of a right angle. */
static rill_status relaxed(verify *v, bool circumcentres)
{
    const char *centres = circumcentres ? "circumcentres" : "barycentres";
    const walls w = {.box = {{0, 0, 0}, {1, 1, 1}}};
    mesher_def def = mesher_def_default();
    def.size = (size_def){.finest = 0.06, .coarsest = 0.06};
    def.circumcentres = circumcentres;
    def.rounds = 30;
    mesher m = {0};
    tet_mesh mesh;
    mesh_quality q = {0};
    char name[100];
    mesh_init(&mesh, v->ctx);
    rill_status st = mesher_create(v->ctx, &def, &w, &m);
    if (!st) st = mesher_first(&m, &w, &mesh);
    if (!st) st = mesh_measure(&mesh, &w, &m.size, &q);
    for (int k = 0; !st && k < QUALITY_BINS; k += 3) {
        snprintf(name, sizeof name, "%s: dihedral angles from %d to %d degrees, of all", centres, 10 * k,
                 10 * k + 30);
        verify_figure(v, name, q.histogram[k] + q.histogram[k + 1] + q.histogram[k + 2], REPORT, NAN);
    }
    if (!st) {
        snprintf(name, sizeof name, "%s: smallest dihedral angle, degrees", centres);
        verify_figure(v, name, q.smallest, REPORT, NAN);
        snprintf(name, sizeof name, "%s: tetrahedra with an angle below 10 degrees", centres);
        verify_figure(v, name, q.below_10, AT_MOST, 2e-3);
    }
    mesh_clear(&mesh);
    mesher_clear(&m);
    return st;
}

/* ---- a paddle ---- */

typedef struct {
    double net;  /* of wall fluxes, over the sum of their sizes; the largest of all steps */
    double left; /* nodes in the way */
} paddle_figures;

static rill_status paddle(verify *v, rill_scene *scene, rill_sim **sim)
{
    const double h = 0.08;
    scene_solid *solid;
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, h, scene));
    scene->fill = true;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    solid->shape =
        (shape){.kind = SHAPE_BOX, .box = {{0.15, 0.5 - 0.1 * h, 0.2}, {0.85, 0.5 + 0.1 * h, 0.8}}};
    solid->motion.pivot = v3(0.5, 0.5, 0.5);
    TRY(MEM_NEW_ZERO(v->ctx, solid->motion.key, 2));
    solid->motion.count = 2;
    solid->motion.key[1] = (scene_motion_key){.t = 1, .rotate = {0, 0, 360}};
    return verify_create(v, scene, sim);
}

static rill_status turn(verify *v, rill_sim *sim, paddle_figures *out)
{
    const tets *s = tets_of(sim);
    for (int k = 0; k < (v->full ? 100 : 12); k++) {
        rill_step_stats stats;
        TRY(verify_step(sim, 0.02, &stats));
        const fv_mesh *fv = &s->state[s->now].mesh.fv;
        double net = 0, all = 0;
        for (uint32_t f = fv->inner_count; f < fv->face_count; f++) {
            const double flux = v3_dot(fv->boundary[f - fv->inner_count].velocity, fv->face[f].area);
            net += flux;
            all += fabs(flux);
        }
        out->net = fmax(out->net, fabs(net) / fmax(all, 1e-300));
        out->left = fmax(out->left, s->mesher.left);
    }
    return RILL_OK;
}

/* ---- a wall across the box ---- */

/* A plate of a fifth of an edge parts the domain and turns in its own plane; soot on one side of it stays
 * there. */
static rill_status parted(verify *v, double *leaked)
{
    const double h = 0.1;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_solid *solid;
    scene_smoke *smoke;
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, h, &scene));
    scene.fill = true;
    rill_status st = scene_add_solid(v->ctx, &scene, &solid);
    if (!st) {
        solid->shape = (shape){.kind = SHAPE_BOX, .box = {{-2, 0.5 - 0.1 * h, -2}, {3, 0.5 + 0.1 * h, 3}}};
        solid->motion.pivot = v3(0.5, 0.5, 0.5);
        st = MEM_NEW_ZERO(v->ctx, solid->motion.key, 2);
    }
    if (!st) {
        solid->motion.count = 2;
        solid->motion.key[1] = (scene_motion_key){.t = 1, .rotate = {0, 180, 0}};
        st = scene_add_smoke(v->ctx, &scene, &smoke);
    }
    if (!st) {
        smoke->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.3, 0.3, 0.5}, 0.12}};
        smoke->velocity.value = v3(0.5, 2, 0);
        smoke->density = 1;
        st = verify_create(v, &scene, &sim);
    }
    for (int k = 0; !st && k < (v->full ? 60 : 15); k++) {
        rill_step_stats stats;
        st = verify_step(sim, 0.03, &stats);
    }
    for (uint32_t i = 0; !st && i < tets_now(tets_of(sim))->mesh.count; i++) {
        const tets_state *a = tets_now(tets_of(sim));
        if (a->mesh.x[i].y > 0.5) *leaked = fmax(*leaked, a->soot[i]);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    paddle_figures f = {0};
    double leaked = 0;
    TRY(followed(v, 0.2, 0.05));
    TRY(followed(v, 0.3, 0.07));
    if (v->full) TRY(relaxed(v, false));
    if (v->full) TRY(relaxed(v, true));
    rill_status st = paddle(v, &scene, &sim);
    if (!st) st = turn(v, sim, &f);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    if (st) return st;
    verify_figure(v, "turning paddle: net flux of its faces over their sum", f.net, AT_MOST, 1e-12);
    verify_figure(v, "turning paddle: edges through it", f.left, AT_MOST, 0);
    TRY(parted(v, &leaked));
    verify_figure(v, "soot behind a plate of 0.2 edges, of that before it", leaked, AT_MOST, 1e-6);
    return RILL_OK;
}

const verify_case tets_walls_case = {"tets-walls", "Walls of tetrahedra: conformity, fluxes, leaks", methods,
                                     run};
