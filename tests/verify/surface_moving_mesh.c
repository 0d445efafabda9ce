/* surface-moving-mesh: liquid in a round glass of triangles that is tilted and moves, between two keys of its
 * motion, by the default surface: within the glass, without gaps, closed. Lengths are in spacings. */
#include "base/random.h"
#include "geom/distance/mesh_distance.h"
#include "surface/surface.h"
#include "verify/surface_measure.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

enum { AROUND = 48, RINGS = 4, CORNERS = AROUND * RINGS + 2 };
static const double radius = 8, height = 16, tilt = 0.3;
static const rill_vec3 way = {6, 2.5, 4}; /* in a second */

static rill_vec3 tilted(rill_vec3 x)
{
    return v3(cos(tilt) * x.x - sin(tilt) * x.y, sin(tilt) * x.x + cos(tilt) * x.y, x.z);
}

/* A profile turned about y: out at the bottom, up, in over the rim, down to the floor. */
static rill_status make_glass(rill_ctx *ctx, double wall, mesh_distance **out)
{
    const double profile[RINGS][2] = {
        {radius + wall, 0}, {radius + wall, height}, {radius, height}, {radius, wall}};
    rill_vec3 position[CORNERS];
    uint32_t triangle[2 * AROUND * RINGS][3], count = 0;
    for (uint32_t r = 0; r < RINGS; r++)
        for (uint32_t k = 0; k < AROUND; k++) {
            const double a = 2 * M_PI * k / AROUND;
            position[r * AROUND + k] =
                tilted(v3(profile[r][0] * cos(a), profile[r][1], profile[r][0] * sin(a)));
        }
    position[RINGS * AROUND] = tilted(v3(0, 0, 0));
    position[RINGS * AROUND + 1] = tilted(v3(0, wall, 0));
    for (uint32_t k = 0; k < AROUND; k++) {
        const uint32_t next = (k + 1) % AROUND;
        for (uint32_t r = 0; r + 1 < RINGS; r++) {
            const uint32_t a = r * AROUND + k, b = r * AROUND + next, c = a + AROUND, d = b + AROUND;
            const uint32_t two[2][3] = {{a, c, b}, {b, c, d}};
            for (int t = 0; t < 2; t++, count++)
                for (int q = 0; q < 3; q++) triangle[count][q] = two[t][q];
        }
        const uint32_t caps[2][3] = {
            {RINGS * AROUND, k, next},
            {RINGS * AROUND + 1, (RINGS - 1) * AROUND + next, (RINGS - 1) * AROUND + k}};
        for (int t = 0; t < 2; t++, count++)
            for (int q = 0; q < 3; q++) triangle[count][q] = caps[t][q];
    }
    const trimesh glass = {
        .position = position, .vertex_count = CORNERS, .triangle = triangle, .triangle_count = count};
    const mesh_distance_def def = mesh_distance_def_default();
    return mesh_distance_create(ctx, &glass, &def, out);
}

/* Lattice places, shaken, in the hollow of the glass where it is at the time. */
static rill_status fill(rill_ctx *ctx, const solids *walls, double time, double wall, particles *p)
{
    for (int i = 0; i < 20 * 14 * 20; i++) {
        const random4 r = random_at(3, (uint64_t)i, 0, 0);
        const rill_vec3 y = v3(i % 20 - 9.5 + 0.2 * (r.v[0] * 0x1p-32 - 0.5),
                               i / 20 % 14 - 2 + 0.2 * (r.v[1] * 0x1p-32 - 0.5),
                               i / 280 - 9.5 + 0.2 * (r.v[2] * 0x1p-32 - 0.5));
        const rill_vec3 own = v3(cos(tilt) * y.x + sin(tilt) * y.y, cos(tilt) * y.y - sin(tilt) * y.x, y.z);
        if (hypot(own.x, own.z) > radius || own.y < wall) continue;
        const rill_vec3 x = v3_madd(y, time, way);
        if (solids_distance(walls, x, time, NULL) < 0.25) continue;
        TRY(particles_append(ctx, p, 1, &x, NULL));
    }
    return RILL_OK;
}

static rill_status measure(verify *v, const rill_scene *scene, double wall)
{
    const double time = 0.6;
    solids walls = {0};
    particles p = {0};
    trimesh m = {0};
    surface_at_walls at = {0};
    trimesh_report report = {0};
    surface_def def = surface_def_default();
    rill_status st = solids_create(v->ctx, scene, &walls);
    if (!st) st = solids_prepare(v->ctx, &walls, time, 0);
    if (!st) st = fill(v->ctx, &walls, time, wall, &p);
    def.walls = &walls;
    def.time = time;
    if (!st) st = surface_from_particles(v->ctx, &p, &def, &m);
    if (!st) st = surface_walls(v->ctx, &m, &p, &walls, time, 1, &at);
    if (!st) st = trimesh_check(v->ctx, &m, &report);
    if (!st) {
        char name[96];
        snprintf(name, sizeof name, "wall of %g: beyond the glass, spacings", wall);
        verify_figure(v, name, at.overshoot, AT_MOST, 0.05);
        snprintf(name, sizeof name, "wall of %g: gaps at the glass, spacings", wall);
        verify_figure(v, name, at.gap, AT_MOST, 0.1);
        snprintf(name, sizeof name, "wall of %g: open or non-manifold edges", wall);
        verify_figure(v, name, (double)(report.open_edges + report.nonmanifold_edges), AT_MOST, 0);
    }
    trimesh_clear(v->ctx, &m);
    particles_clear(v->ctx, &p);
    solids_clear(v->ctx, &walls);
    return st;
}

static rill_status run(verify *v)
{
    rill_status st = RILL_OK;
    for (int thin = 0; thin < 2 && !st; thin++) {
        const double wall = thin ? 1 : 3;
        rill_scene scene = {0};
        scene_solid *solid;
        mesh_distance *glass = NULL;
        v->method = "sph";
        st = verify_scene(v, 3, (rill_box){v3(-40, -40, -40), v3(40, 40, 40)}, 1, &scene);
        v->method = NULL;
        if (!st) st = scene_add_solid(v->ctx, &scene, &solid);
        if (!st) st = make_glass(v->ctx, wall, &glass);
        if (!st) st = MEM_NEW_ZERO(v->ctx, solid->motion.key, 2);
        if (!st) {
            solid->shape = (shape){.kind = SHAPE_MESH};
            solid->shape.mesh.owned = glass;
            solid->motion.count = 2;
            solid->motion.key[1] = (scene_motion_key){.t = 1, .translate = way};
            st = measure(v, &scene, wall);
        } else {
            mesh_distance_destroy(v->ctx, glass);
        }
        scene_clear(v->ctx, &scene);
    }
    return st;
}

const verify_case surface_moving_mesh = {"surface-moving-mesh", "Surfaces in a glass of triangles that moves",
                                         NULL, run};
