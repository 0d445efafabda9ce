/* surface-in-glass: still liquid in a round glass, of particles on a shaken lattice, by every definition.
 *
 * The glass is an upright cylinder, eight spacings wide inside, its wall and its floor three quarters of a
 * spacing thick: thinner than particles reach. The surface must end at it on the inside, with nothing
 * outside. Once it stands still, and once it is tilted and moves. */
#include "base/random.h"
#include "surface/surface.h"
#include "verify/surface_measure.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const double radius = 8;

typedef struct {
    double tilt, wall;
} posture;

/* The glass, standing at the origin, tilted about z: its distance, by formula. */
static double glass(void *user, rill_vec3 x, rill_vec3 *normal)
{
    const posture *g = user;
    const double wall = g->wall, c = cos(g->tilt), s = sin(g->tilt);
    const rill_vec3 y = v3(c * x.x + s * x.y, c * x.y - s * x.x, x.z);
    const double r = hypot(y.x, y.z), in = fmax(r - radius, wall - y.y), out = fmax(r - radius - wall, -y.y);
    const double inside = -in,
                 outside = fmax(out, y.y - 20); /* of the hollow, upward; of the outer cylinder */
    const double d = fmax(outside, y.y > wall && r < radius ? fmax(inside, y.y - 20) : inside);
    if (normal) {
        rill_vec3 n = v3(0, 1, 0);
        const rill_vec3 away = r > 0 ? v3(y.x / r, 0, y.z / r) : v3(1, 0, 0);
        if (d == y.y - 20)
            n = v3(0, 1, 0);
        else if (d == inside)
            n = in == r - radius ? v3_neg(away) : v3(0, 1, 0);
        else
            n = out == -y.y ? v3(0, -1, 0) : away;
        *normal = v3(c * n.x - s * n.y, s * n.x + c * n.y, n.z);
    }
    return d;
}

static rill_status fill(rill_ctx *ctx, posture *g, particles *p)
{
    const double turn = g->tilt;
    for (int i = 0; i < 20 * 14 * 20; i++) {
        const random4 r = random_at(3, (uint64_t)i, 0, 0);
        const rill_vec3 x = v3(i % 20 - 9.5 + 0.2 * (r.v[0] * 0x1p-32 - 0.5),
                               i / 20 % 14 + g->wall - 2 + 0.2 * (r.v[1] * 0x1p-32 - 0.5),
                               i / 280 - 9.5 + 0.2 * (r.v[2] * 0x1p-32 - 0.5));
        const rill_vec3 y = v3(cos(turn) * x.x + sin(turn) * x.y, cos(turn) * x.y - sin(turn) * x.x, x.z);
        if (hypot(y.x, y.z) > radius || y.y < g->wall || glass(g, x, NULL) < 0.25) continue;
        TRY(particles_append(ctx, p, 1, &x, NULL));
    }
    return RILL_OK;
}

static rill_status measure(verify *v, const rill_scene *scene, const particles *p, const char *how,
                           bool smooth, bool thin)
{
    rill_ctx *ctx = v->ctx;
    solids walls = {0};
    rill_status st = solids_create(ctx, scene, &walls);
    for (int d = 0; d < SURFACE_DEFINITIONS && !st; d++) {
        surface_def def = surface_def_default();
        trimesh m = {0};
        surface_at_walls at = {0};
        trimesh_report report = {0};
        char name[96];
        def.definition = d;
        def.walls = &walls;
        def.smooth = smooth ? 5 : 0;
        st = surface_from_particles(ctx, p, &def, &m);
        if (!st) st = surface_walls(ctx, &m, p, &walls, 0, 1, &at);
        if (!st) st = trimesh_check(ctx, &m, &report);
        if (!st) {
            snprintf(name, sizeof name, "%s, %s: beyond the glass, spacings", scene_surface_words[d], how);
            verify_figure(v, name, at.overshoot, AT_MOST, 0.05);
            snprintf(name, sizeof name, "%s, %s: gaps at the glass, spacings", scene_surface_words[d], how);
            const bool told = (thin && d == SURFACE_METABALLS) ||
                              d >= SURFACE_WILLIAMS; /* these move the mesh afterwards */
            verify_figure(v, name, at.gap, told ? REPORT : AT_MOST, told ? NAN : 0.1);
            snprintf(name, sizeof name, "%s, %s: open edges", scene_surface_words[d], how);
            verify_figure(v, name, (double)(report.open_edges + report.nonmanifold_edges), AT_MOST, 0);
        }
        trimesh_clear(ctx, &m);
    }
    solids_clear(ctx, &walls);
    return st;
}

static rill_status run(verify *v)
{
    static const char *const how[4] = {"upright", "tilted", "smoothed", "thin"};
    posture stands[4] = {{0, 3}, {0.3, 3}, {0.3, 3}, {0.3, 0.75}};
    rill_status st = RILL_OK;
    for (int k = v->full ? 0 : 1; k < 4 && !st; k++) {
        if (!v->full && k == 2) continue;
        rill_scene scene = {0};
        particles p = {0};
        scene_solid *solid;
        v->method = "sph";
        st = verify_scene(v, 3, (rill_box){v3(-30, -30, -30), v3(30, 30, 30)}, 1, &scene);
        v->method = NULL;
        if (!st) st = scene_add_solid(v->ctx, &scene, &solid);
        if (!st)
            solid->shape = (shape){.kind = SHAPE_FUNCTION,
                                   .by_function = {glass, &stands[k], {v3(-20, -20, -20), v3(20, 40, 20)}}};
        if (!st) st = fill(v->ctx, &stands[k], &p);
        if (!st) st = measure(v, &scene, &p, how[k], k == 2, k == 3);
        particles_clear(v->ctx, &p);
        scene_clear(v->ctx, &scene);
    }
    return st;
}

const verify_case surface_in_glass = {"surface-in-glass", "Surfaces of liquid in a thin glass", NULL, run};
