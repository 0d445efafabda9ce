/* surface-dam-break: the surface of a dam break, by the scene's default, in every frame until the wave has
 * come down the far wall.
 *
 * Closed and manifold, tight at the walls, with the liquid's volume; sheets not torn to beads while
 * they climb the wall (frames 20 to 25), and the water behind them smooth (frame 30). Lengths are in spacings
 * of the particles, the bend of normals in those of the scene: a method with several particles to a cell
 * resolves waves of a cell. Quick: at twice the spacing, where frame 30 is not calm and waves bend the
 * surface. */
#include "surface/surface.h"
#include "verify/surface_measure.h"
#include "verify/verify.h"

#include <math.h>

enum { FRAMES = 30, FPS = 30 };

typedef struct {
    double overshoot, gap, volume, edges, beads, drop,
        bend; /* the worst; drop: the last frame's mean volume */
} worst;

static rill_status surface_of(const rill_sim *sim, trimesh *out)
{
    if (sim->method->surface) return sim->method->surface(sim, out);
    surface_def def = surface_def_of_scene(sim->scene);
    def.walls = &sim->solids;
    def.time = sim->time;
    return surface_from_particles(sim->ctx, verify_particles(sim), &def, out);
}

static rill_status measure(rill_ctx *ctx, const rill_sim *sim, const trimesh *m, int frame, worst *w)
{
    const particles *p = verify_particles(sim);
    const double h = scene_particle_spacing(sim->scene);
    surface_at_walls walls;
    surface_parts parts;
    trimesh_report report;
    TRY(surface_walls(ctx, m, p, &sim->solids, sim->time, h, &walls));
    TRY(surface_measure_parts(ctx, m, p, &sim->solids, sim->time, h, &parts));
    TRY(trimesh_check(ctx, m, &report));
    w->overshoot = fmax(w->overshoot, walls.overshoot);
    w->gap = fmax(w->gap, walls.gap);
    w->volume = fmax(w->volume, fabs(parts.volume - 1));
    w->edges += (double)(report.open_edges + report.nonmanifold_edges + report.misoriented_edges);
    if (frame >= 20 && frame <= 25) w->beads = fmax(w->beads, parts.beads);
    if (parts.drops) w->drop = parts.drop;
    if (frame < FRAMES) return RILL_OK;
    const rill_box calm = {v3(0.3, -INFINITY, 0.15), v3(1.1, INFINITY, 0.85)};
    return surface_bend(ctx, m, sim->scene->spacing, calm, 0.8, false, &w->bend);
}

static rill_status run_frames(verify *v, rill_sim *sim, worst *w)
{
    rill_status st = RILL_OK;
    for (int frame = 0; frame <= FRAMES && !st; frame++) {
        trimesh m = {0};
        if (frame) st = verify_run(sim, frame / (double)FPS, NULL, NULL);
        if (frame % 5 && (frame < 20 || frame > 25)) continue;
        if (!st) st = surface_of(sim, &m);
        if (!st) st = measure(v->ctx, sim, &m, frame, w);
        trimesh_clear(v->ctx, &m);
    }
    return st;
}

static rill_status run(verify *v)
{
    const double spacing = v->full ? 0.025 : 0.05;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    worst w = {0};
    TRY(verify_scene(v, 3, (rill_box){v3(0, 0, 0), v3(2, 1, 1)}, spacing, &scene));
    scene.domain.open = 1u << 3; /* +y */
    rill_status st = verify_add_box(v, &scene, (rill_box){v3(0, 0, 0), v3(0.6, 0.6, 1)}, (velocity_field){0});
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = run_frames(v, sim, &w);
    if (!st) {
        const bool own =
            sim->method->surface != NULL; /* leaves a few triangles off the wall at the rim of films */
        verify_figure(v, "open or non-manifold edges", w.edges, AT_MOST, 0);
        verify_figure(v, "beyond walls, spacings", w.overshoot, AT_MOST, 0.05);
        verify_figure(v, "gaps at wet walls, spacings", w.gap, own ? REPORT : AT_MOST, own ? NAN : 0.1);
        verify_figure(v, "volume, off by", w.volume, AT_MOST, 0.02);
        verify_figure(v, "beads in frames 20 to 25", w.beads, AT_MOST, 5);
        verify_figure(v, "volume of lone drops, particles", w.drop, REPORT, NAN);
        verify_figure(v, "bend of normals in frame 30, radians a spacing", w.bend, AT_MOST, 0.04);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static const char *const methods[] = {"sph", "grid", "points", NULL};
const verify_case surface_dam_break = {"surface-dam-break", "The surface of a dam break", methods, run};
