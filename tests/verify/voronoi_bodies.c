/* V-19: bodies that float. A prism lies as deep as its density is of the liquid's, whatever its width. */
#include "verify/voronoi_cases.h"

#include <math.h>

static const double side = 0.42, height = 0.3, level = 0.45, share = 0.5;

/* Depth of the body's bottom under the liquid's level far away, which follows from the volumes. */
static double draft(const rill_sim *sim)
{
    const double liquid = level - side * side * share * height,
                 bottom = sim->bodies.world.body[0].center.y - height / 2;
    return (liquid - bottom) / (1 - side * side);
}

typedef struct {
    double sum, time; /* of the draft, since */
} mean;

static rill_status watch(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    mean *m = user;
    (void)stats;
    m->sum += (sim->time - m->time) * draft(sim);
    m->time = sim->time;
    return RILL_OK;
}

static rill_status start(verify *v, rill_scene *scene, rill_sim **sim)
{
    scene_solid *raft;
    TRY(verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 0.8, 1}}, v->full ? 0.05 : 0.075, scene));
    TRY(verify_add_box(v, scene, (rill_box){{0, 0, 0}, {1, level, 1}}, (velocity_field){0}));
    TRY(scene_add_solid(v->ctx, scene, &raft));
    const double low = 0.5 - side / 2, top = 0.5 + side / 2, bottom = level - share * height;
    raft->shape = (shape){.kind = SHAPE_BOX, .box = {{low, bottom, low}, {top, bottom + height, top}}};
    raft->is_body = true;
    raft->body.density = share * scene->fluid.density;
    return verify_create(v, scene, sim);
}

/* Where it belongs from the start: what it does then is error. */
static rill_status floats(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    mean m = {0};
    rill_status st = start(v, &scene, &sim);
    if (!st) st = verify_run(sim, v->full ? 2 : 1, watch, &m);
    if (!st) {
        const rigid_body *b = &sim->bodies.world.body[0];
        const double off = fabs(m.sum / m.time / (share * height) - 1);
        verify_figure(v, "draft, mean over time", off, AT_MOST, 0.02);
        verify_figure(v, "draft, the same", off, WANTED, 0.01);
        verify_figure(v, "way sideways / side", hypot(b->center.x - 0.5, b->center.z - 0.5) / side, AT_MOST,
                      0.05);
        verify_figure(v, "volume of liquid and body",
                      fabs((voronoi_volume(voronoi_surface(sim)) - side * side * draft(sim)) /
                               (level - side * side * share * height) -
                           1),
                      AT_MOST, 2e-3);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static const char *const methods[] = {"voronoi", NULL};
const verify_case voronoi_floating = {
    .id = "V-19-voronoi", .title = "A floating prism", .methods = methods, .run = floats};
