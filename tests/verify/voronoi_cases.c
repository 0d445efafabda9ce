#include "verify/voronoi_cases.h"

#include "geom/distance/mesh_distance.h"
#include "geom/distance/winding.h"
#include "geom/mesh/geodesic.h"
#include "voronoi/state.h"

#include <math.h>

enum { SAMPLES = 16384 };

const trimesh *voronoi_surface(const rill_sim *sim)
{
    return &brochu_view_of(sim)->view;
}

static rill_vec3 area_of(const trimesh *m, size_t t)
{
    const rill_vec3 a = m->position[m->triangle[t][0]], b = m->position[m->triangle[t][1]],
                    c = m->position[m->triangle[t][2]];
    return v3_scale(v3_cross(v3_sub(b, a), v3_sub(c, a)), 0.5);
}

double voronoi_flux(const trimesh *m, int axis, voronoi_value *f, void *user)
{
    double sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangle[t];
        const double part = v3_axis(area_of(m, t), axis) / 3;
        for (int i = 0; i < 3; i++)
            sum += part * f(user, v3_mix(m->position[v[i]], m->position[v[(i + 1) % 3]], 0.5));
    }
    return sum;
}

static double along_x(void *user, rill_vec3 x)
{
    (void)user;
    return x.x;
}

double voronoi_volume(const trimesh *m)
{
    return voronoi_flux(m, 0, along_x, NULL);
}

double voronoi_area(const trimesh *m)
{
    double sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) sum += v3_length(area_of(m, t));
    return sum;
}

/* Points of an additive sequence (golden ratio in three dimensions), those inside. */
rill_status voronoi_kinetic(verify *v, const rill_sim *sim, double *energy, rill_vec3 *momentum)
{
    const trimesh *m = voronoi_surface(sim);
    const rill_box box = trimesh_bounds(m);
    const rill_vec3 size = box_size(box);
    winding *w = NULL;
    rill_vec3 *x = NULL, *u = NULL;
    size_t n = 0;
    rill_status st = winding_create(v->ctx, m, &w);
    if (!st) st = MEM_NEW(v->ctx, x, SAMPLES);
    if (!st) st = MEM_NEW(v->ctx, u, SAMPLES);
    for (int i = 0; !st && i < SAMPLES; i++) {
        const double k = i + 0.5;
        x[n] = v3(box.min.x + size.x * fmod(k * 0.8191725133961645, 1),
                  box.min.y + size.y * fmod(k * 0.6710436067037893, 1),
                  box.min.z + size.z * fmod(k * 0.5497004779019703, 1));
        n += winding_at(w, x[n]) > 0.5;
    }
    if (!st) st = sim->method->velocity(sim, n, x, u);
    double sum = 0;
    rill_vec3 all = {0};
    for (size_t i = 0; !st && i < n; i++) {
        sum += v3_dot(u[i], u[i]) / 2;
        all = v3_add(all, u[i]);
    }
    const double share = n ? voronoi_volume(m) / (double)n : 0;
    *energy = share * sum;
    if (momentum) *momentum = v3_scale(all, share);
    winding_destroy(v->ctx, w);
    mem_free(v->ctx, x);
    mem_free(v->ctx, u);
    return st;
}

rill_status voronoi_add_drop(verify *v, rill_scene *scene, rill_vec3 centre, double radius, double by)
{
    trimesh m = {0};
    scene_liquid *liquid = NULL;
    const uint32_t cuts = (uint32_t)fmax(1, rint(1.15 * radius / scene->spacing));
    TRY(geodesic_sphere(v->ctx, v3(0, 0, 0), 1, cuts, &m));
    for (size_t k = 0; k < m.vertex_count; k++) {
        const double c = m.position[k].y;
        m.position[k] = v3_madd(centre, radius * (1 + by * (1.5 * c * c - 0.5)), m.position[k]);
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
