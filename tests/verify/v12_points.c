/* V-12 for points: rest from a start that is no lattice, from three random seeds, with and without a
 * ball that cells are clipped by.
 *
 * The surface is a union of balls with bumps of a third of a spacing, which no arrangement of the
 * points quite balances: they keep creeping. The limit is for their rms speed in the second
 * half, and that it does not grow. */
#include "points/points.h"
#include "verify/points_cases.h"

#include <math.h>
#include <stdio.h>

static const double depth = 0.5, gravity = 9.81;

typedef struct {
    double until;
    double square[4], states[4]; /* of speeds, by quarter of the time */
    double volume[2];            /* first and last */
    double least;                /* of what the cells hold of their rest volume */
} creep;

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    creep *c = user;
    const particles *p = verify_particles(sim);
    const int quarter = (int)fmin(3, 4 * sim->time / c->until);
    double square = 0;
    for (size_t i = 0; i < p->count; i++) square += v3_dot(p->velocity[i], p->velocity[i]);
    c->square[quarter] += square / (double)p->count;
    c->states[quarter]++;
    /* The start itself is not at rest: volumes are compared from the first quarter on. */
    if (quarter == 1 && c->states[1] == 1) c->volume[0] = stats->volume;
    c->volume[1] = stats->volume;
    if (quarter > 0) c->least = fmin(c->least, 1 - stats->compression);
    return RILL_OK;
}

static rill_status add_ball(verify *v, rill_scene *scene, int dimensions)
{
    scene_solid *ball;
    TRY(scene_add_solid(v->ctx, scene, &ball));
    ball->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.22, dimensions == 3 ? 0.5 : 0}, 0.13}};
    return RILL_OK;
}

static void figure(verify *v, const char *what, int dimensions, int seed, bool ball, double value,
                   verify_kind kind, double limit)
{
    char name[96];
    snprintf(name, sizeof name, "%s, %dD, seed %d%s", what, dimensions, seed, ball ? ", ball" : "");
    verify_figure(v, name, value, kind, limit);
}

static rill_status rest(verify *v, int dimensions, int seed, bool ball, double spacing, double until)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    creep c = {.until = until, .least = 1};
    rill_status st = verify_scene(v, dimensions, (rill_box){{0, 0, 0}, {1, 1, 1}}, spacing, &scene);
    if (!st) {
        points_def *def = scene_method_def_of(&scene, "points");
        def->jitter = 0.6;
        def->seed = seed;
        scene.gravity = v3(0, -gravity, 0);
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, depth, 1}}, (velocity_field){0});
    }
    if (!st && ball) st = add_ball(v, &scene, dimensions);
    if (!st) st = verify_create(v, &scene, &sim);
    const size_t count = !st ? verify_particles(sim)->count : 0;
    if (!st) st = verify_run(sim, until, look, &c);
    if (!st) {
        const double wave = sqrt(gravity * depth);
        double rms[4];
        for (int k = 0; k < 4; k++) rms[k] = sqrt(c.square[k] / c.states[k]) / wave;
        figure(v, "rms speed in the second half / sqrt(gH)", dimensions, seed, ball,
               sqrt((rms[2] * rms[2] + rms[3] * rms[3]) / 2), AT_MOST, 2e-2);
        figure(v, "last quarter / second quarter", dimensions, seed, ball, rms[3] / rms[1], AT_MOST, 1);
        figure(v, "volume, change", dimensions, seed, ball, fabs(c.volume[1] / c.volume[0] - 1), REPORT, 0);
        figure(v, "least volume of the cells / rest", dimensions, seed, ball, c.least, AT_LEAST, 0.985);
        figure(v, "points merged or lost", dimensions, seed, ball,
               (double)count - (double)verify_particles(sim)->count, AT_MOST, 0);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

rill_status v12_points(verify *v)
{
    for (int seed = 1; seed <= 3; seed++)
        for (int ball = 0; ball < 2; ball++) {
            TRY(rest(v, 2, seed, ball, 1.0 / 24, 4));
            if (v->full) TRY(rest(v, 3, seed, ball, 1.0 / 12, 4));
        }
    return RILL_OK;
}
