/* V-24, and figures 6 and 11 of [Brochu10], for the voronoi method. */
#include "verify/voronoi_cases.h"

#include "base/union_find.h"
#include "geom/mesh/geodesic.h"
#include "voronoi/state.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"voronoi", NULL};

/* ---- V-24: the curvature of an ellipsoid ---- */

static const rill_vec3 axes = {1, 0.8, 0.6};

/* Turned about the z axis by `tilt`. */
static rill_status add_ellipsoid(verify *v, rill_scene *scene, uint32_t cuts, rill_vec3 centre,
                                 rill_vec3 half, double tilt)
{
    trimesh m = {0};
    scene_liquid *liquid = NULL;
    TRY(geodesic_sphere(v->ctx, v3(0, 0, 0), 1, cuts, &m));
    for (size_t k = 0; k < m.vertex_count; k++) {
        const rill_vec3 n = m.position[k], x = {half.x * n.x, half.y * n.y, half.z * n.z};
        m.position[k] =
            v3_add(centre, v3(x.x * cos(tilt) - x.y * sin(tilt), x.x * sin(tilt) + x.y * cos(tilt), x.z));
    }
    const mesh_distance_def def = {.resolution = 0};
    rill_status st = scene_add_liquid(v->ctx, scene, &liquid);
    if (!st) {
        liquid->shape = (shape){.kind = SHAPE_MESH};
        st = mesh_distance_create(v->ctx, &m, &def, &liquid->shape.mesh.owned);
    }
    trimesh_clear(v->ctx, &m);
    return st;
}

/* kappa_1 + kappa_2 of the level set x^2/a^2 + ... that passes through x. */
static double exact_curvature(rill_vec3 x)
{
    const rill_vec3 h = {2 / (axes.x * axes.x), 2 / (axes.y * axes.y), 2 / (axes.z * axes.z)},
                    g = {h.x * x.x, h.y * x.y, h.z * x.z};
    const double g2 = v3_dot(g, g);
    return (g2 * (h.x + h.y + h.z) - (h.x * g.x * g.x + h.y * g.y * g.y + h.z * g.z * g.z)) / (g2 * sqrt(g2));
}

static void curvature_error(const brochu *s, double *mean, double *most)
{
    double area = 0;
    *mean = *most = 0;
    for (size_t k = 0; k < s->view.vertex_count; k++) {
        const double e = fabs(s->surface.curvature[k] / exact_curvature(s->view.position[k]) - 1);
        *mean += s->surface.area[k] * e;
        area += s->surface.area[k];
        *most = fmax(*most, e);
    }
    *mean /= area;
}

/* As the mesh was made, and after the tracker improved it in three steps without motion. */
static rill_status measure_ellipsoid(verify *v, uint32_t cuts, double *error, double *after, double *most)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = verify_scene(v, 3, (rill_box){{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}}, 1.0 / cuts, &scene);
    if (!st) {
        scene.gravity = v3(0, 0, 0);
        st = add_ellipsoid(v, &scene, cuts, v3(0, 0, 0), axes, 0);
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) curvature_error(brochu_of(sim), error, most);
    for (int k = 0; !st && k < 3; k++) {
        rill_step_stats stats = step_stats_none();
        st = verify_step(sim, 1e-3, &stats);
    }
    if (!st) curvature_error(brochu_of(sim), after, most);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_curvature(verify *v)
{
    static const double limit[] = {0.02, 0.007, 0.0025};
    double error[3], after = NAN, most = NAN;
    char name[80];
    const int levels = v->full ? 3 : 2;
    for (int k = 0; k < levels; k++) {
        TRY(measure_ellipsoid(v, 6u << k, &error[k], &after, &most));
        snprintf(name, sizeof name, "edges of 1/%u: mean error", 6u << k);
        verify_figure(v, name, error[k], AT_MOST, limit[k]);
    }
    verify_figure(v, "order", log2(error[levels - 2] / error[levels - 1]), AT_LEAST, 1.5);
    verify_figure(v, "after remeshing: mean error", after, AT_MOST, 0.03);
    verify_figure(v, "after remeshing: largest error", most, AT_MOST, 0.15);
    return RILL_OK;
}

const verify_case v24_curvature = {"V-24", "Curvature of an ellipsoid", methods, run_curvature};

/* ---- figure 6: the level set that the solver sees ---- */

/* Components of its zero contour over the Delaunay tetrahedra: a tetrahedron with sites of both kinds has one
 * piece, which goes on through every triangle with corners of both kinds. */
static bool is_wet(const brochu_diagram *d, uint32_t site)
{
    const uint32_t of = d->sites.of[site];
    return site_real(d, of) && d->sites.liquid[of];
}

static int wet_corners(const brochu_diagram *d, uint32_t t)
{
    int n = 0;
    for (int i = 0; i < 4; i++) n += is_wet(d, d->tets.tet[t].v[i]);
    return n;
}

static rill_status seen_components(verify *v, const brochu *s, uint32_t *count)
{
    const brochu_diagram *d = &s->diagram[s->now];
    uint32_t *part;
    TRY(MEM_NEW(v->ctx, part, d->tet_count + 1));
    union_find_init(part, d->tet_count);
    for (uint32_t t = 0; t < d->tet_count; t++) {
        const int wet = wet_corners(d, t);
        for (int i = 0; wet > 0 && wet < 4 && i < 4; i++) {
            const uint32_t b = d->tets.tet[t].neighbour[i] >> 2;
            const int across = wet - is_wet(d, d->tets.tet[t].v[i]);
            if (b < d->tet_count && across > 0 && across < 3) (void)union_find_join(part, t, b);
        }
    }
    *count = 0;
    for (uint32_t t = 0; t < d->tet_count; t++) {
        const int wet = wet_corners(d, t);
        *count += wet > 0 && wet < 4 && union_find_root(part, t) == t;
    }
    mem_free(v->ctx, part);
    return RILL_OK;
}

/* A thin disc of liquid that lies aslant in the lattice, and a drop near it: two parts. */
static rill_status see(verify *v, int sampling, uint32_t *seen, size_t *parts)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const tracker_part *part;
    rill_status st = verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, 0.05, &scene);
    if (!st) {
        ((brochu_def *)scene_method_def_of(&scene, "voronoi"))->sampling = sampling;
        st = add_ellipsoid(v, &scene, 8, v3(0.5, 0.4, 0.5), v3(0.35, 0.02, 0.35), 0.3);
    }
    if (!st) st = voronoi_add_drop(v, &scene, v3(0.5, 0.62, 0.5), 0.15, 0);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = seen_components(v, brochu_of(sim), seen);
    if (!st) tracker_parts(brochu_of(sim)->tracker, &part, parts);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- figure 11: energy with each interpolant ---- */

/* The block collapses under tension: what is left of the surface's energy is that of the motion, less what
 * the interpolant loses. Of the sum, at the end over the start. */
static rill_status block_energy(verify *v, int interpolant, double h, double until, double *kept)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    double kinetic, first = NAN;
    rill_status st = verify_scene(v, 3, (rill_box){{-1.5, -1, -1}, {1.5, 1, 1}}, h, &scene);
    if (!st) {
        scene.gravity = v3(0, 0, 0);
        scene.fluid.density = scene.fluid.surface_tension = 1;
        ((brochu_def *)scene_method_def_of(&scene, "voronoi"))->interpolant = interpolant;
        st = verify_add_box(v, &scene, (rill_box){{-0.987, -0.283, -0.289}, {1.013, 0.317, 0.311}},
                            (velocity_field){0});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) first = voronoi_area(voronoi_surface(sim));
    if (!st) st = verify_run(sim, until, NULL, NULL);
    if (!st) st = voronoi_kinetic(v, sim, &kinetic, NULL);
    *kept = !st ? (kinetic + voronoi_area(voronoi_surface(sim))) / first : NAN;
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_figures(verify *v)
{
    static const char *const names[] = {"ours", "the paper's", "naive", "generalised"};
    uint32_t matched, regular;
    size_t parts;
    TRY(see(v, BROCHU_MATCHED, &matched, &parts));
    TRY(see(v, BROCHU_REGULAR, &regular, &parts));
    verify_figure(v, "figure 6: parts of the surface", (double)parts, REPORT, 0);
    verify_figure(v, "figure 6: parts that the solver sees, more than there are",
                  fabs((double)matched - (double)parts), AT_MOST, 0);
    verify_figure(v, "figure 6: the same with regular sampling", (double)regular - (double)parts, AT_LEAST,
                  1);
    double kept[4];
    char name[80];
    for (int k = BROCHU_LINEAR; k <= BROCHU_GENERALISED; k++) {
        TRY(block_energy(v, k, v->full ? 0.08 : 0.12, v->full ? 0.5 : 0.25, &kept[k]));
        snprintf(name, sizeof name, "figure 11: energy kept, %s", names[k]);
        verify_figure(v, name, kept[k], REPORT, 0);
    }
    verify_figure(v, "figure 11: energy kept by ours, over the naive one's", kept[0] / kept[2], AT_LEAST, 1);
    return RILL_OK;
}

const verify_case voronoi_sight = {"voronoi-sight", "Figures 6 and 11 of Brochu et al.", methods,
                                   run_figures};
