/* Volume of a dam break in three dimensions after 8 s, for points: [Sin09] says of itself that it probably
 * cannot run long.
 *
 * Three measures, each beside its start. Volume as the method tells it: cells, those at the surface with no
 * more than their volume at rest, since their balls bulge. The level, by the centre of mass, less the mean
 * kinetic energy, which on the average of a wave is what raises it: the liquid still sloshes. And the union
 * of the balls, which has a bulge of a third of a spacing wherever there is surface, here a third more of it
 * at the end than at the start, and 3.6 volumes for a drop of one point: a report. */
#include "verify/points_cases.h"

#include <math.h>

static const char *const methods[] = {"points", NULL};

static const double spacing = 0.02, until = 8, settling = 3.2; /* two periods of the slowest wave */
static const rill_box tank = {{0, 0, 0}, {0.8, 0.8, 0.2}}, column = {{0, 0, 0}, {0.2, 0.4, 0.2}};

typedef struct {
    rill_ctx *ctx;
    double least, most;                 /* of the volume told, in any state */
    double volume, level, wave, states; /* sums over the last of them */
} record;

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    record *r = user;
    const particles *p = verify_particles(sim);
    r->least = fmin(r->least, stats->volume);
    r->most = fmax(r->most, stats->volume);
    if (sim->time < until - settling) return RILL_OK;
    r->volume += stats->volume;
    const double mass = sim->scene->fluid.density * (double)p->count * spacing * spacing * spacing;
    r->level += 2 * verify_mean(r->ctx, p, p->position).y;
    r->wave += 2 * stats->kinetic / (mass * v3_length(sim->scene->gravity));
    r->states++;
    return RILL_OK;
}

static rill_status run(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    record r = {.ctx = v->ctx, .least = INFINITY};
    double before = 0, after = 0, rest = 0;
    rill_status st = verify_scene(v, 3, tank, spacing, &scene);
    if (!st) {
        scene.domain.open = 1u << 3; /* +y */
        st = verify_add_box(v, &scene, column, (velocity_field){0});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) {
        rest = (double)verify_particles(sim)->count * spacing * spacing * spacing;
        st = points_union(v->ctx, &scene, verify_particles(sim), &before);
    }
    if (!st) st = verify_run(sim, until, look, &r);
    if (!st) st = points_union(v->ctx, &scene, verify_particles(sim), &after);
    if (!st) {
        const rill_vec3 size = box_size(tank);
        const double level = rest / (size.x * size.z);
        verify_figure(v, "volume at the end, error", fabs(r.volume / r.states / rest - 1), AT_MOST, 0.02);
        verify_figure(v, "volume at the end / start", r.volume / r.states / rest, REPORT, 0);
        verify_figure(v, "least volume at any time", r.least / rest, AT_LEAST, 0.95);
        verify_figure(v, "most volume at any time", r.most / rest, AT_MOST, 1.02);
        verify_figure(v, "level without waves, error", fabs((r.level - r.wave) / r.states / level - 1),
                      AT_MOST, 0.02);
        verify_figure(v, "level with waves / volume over floor", r.level / r.states / level, REPORT, 0);
        verify_figure(v, "union of balls at the end / start", after / before, REPORT, 0);
        verify_figure(v, "points at the end / start",
                      (double)verify_particles(sim)->count * spacing * spacing * spacing / rest, REPORT, 0);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

const verify_case points_volume = {"points-volume", "Dam break in three dimensions, volume after 8 s",
                                   methods, run};
