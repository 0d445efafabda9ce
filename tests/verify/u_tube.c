/* Liquid that swings in a U-tube of boxes, two arms and a channel ten cells wide, two-dimensional;
 * and markers thrown about by a dam break, of which none may hang in mid-air. */
#include "grid/grid.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"grid", NULL};
static const char *const surface_words[] = {"particles", "markers", "level set", "level set with particles"};

typedef struct {
    double first, least, most, start, energy;
} swing;

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)sim;
    swing *s = user;
    const double energy = stats->kinetic + stats->potential;
    if (s->first == 0) {
        s->first = s->least = s->most = stats->volume;
        s->start = s->energy = energy;
    }
    s->least = fmin(s->least, stats->volume);
    s->most = fmax(s->most, stats->volume);
    s->energy = fmax(s->energy, energy);
    return RILL_OK;
}

static rill_status u_tube_of(verify *v, int surface)
{
    static const rill_box liquid[] = {
        {{0, 0, 0}, {0.1, 0.4, 0}}, {{0.1, 0, 0}, {0.3, 0.1, 0}}, {{0.3, 0, 0}, {0.4, 0.2, 0}}};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_solid *solid;
    swing s = {0};
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {0.4, 0.6, 0}}, 0.01, &scene);
    for (int i = 0; !st && i < 3; i++) st = verify_add_box(v, &scene, liquid[i], (velocity_field){0});
    if (!st) st = scene_add_solid(v->ctx, &scene, &solid);
    if (!st) {
        solid->shape = (shape){.kind = SHAPE_BOX, .box = {{0.1, 0.1, -1}, {0.3, 1, 1}}};
        ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = surface;
        st = verify_create(v, &scene, &sim);
    }
    for (int frame = 1; !st && frame <= (v->full ? 300 : 45); frame++) /* with the steps of an animation */
        st = verify_run(sim, frame / 30.0, look, &s);
    if (!st) {
        char name[96];
        const double error = fmax(s.most / s.first - 1, 1 - s.least / s.first);
        snprintf(name, sizeof name, "U-tube, %s: volume, largest error", surface_words[surface]);
        verify_figure(v, name, error, AT_MOST, 0.02);
        snprintf(name, sizeof name, "U-tube, %s: energy over its start - 1", surface_words[surface]);
        verify_figure(v, name, s.energy / s.start - 1, AT_MOST, 0.02);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* --- markers in mid-air --- */

enum { COLUMNS = 60 };
static const double cell = 0.02;

typedef struct {
    uint16_t held[COLUMNS * COLUMNS]; /* markers by cell */
    double since[4096];               /* by id: when it began to float, or -1 */
    double longest;
} floating;

/* Floats: slower than it falls within a twentieth of a second, and no marker within a cell below. */
static rill_status watch(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    floating *f = user;
    const particles *p = verify_particles(sim);
    memset(f->held, 0, sizeof f->held);
    for (size_t i = 0; i < p->count; i++) {
        const int x = (int)(p->position[i].x / cell), y = (int)(p->position[i].y / cell);
        if (y < COLUMNS) f->held[y * COLUMNS + x]++;
    }
    for (size_t i = 0; i < p->count; i++) {
        const int x = (int)(p->position[i].x / cell), y = (int)(p->position[i].y / cell);
        const size_t id = p->id[i] < 4096 ? (size_t)p->id[i] : 4095;
        bool below = y < 2 || y >= COLUMNS;
        for (int k = 0; !below && k < 6; k++) {
            const int at = x + k % 3 - 1;
            below = at >= 0 && at < COLUMNS && f->held[(y - 1 - k / 3) * COLUMNS + at] > 0;
        }
        if (below || v3_length(p->velocity[i]) > 0.05 * 9.81)
            f->since[id] = -1;
        else if (f->since[id] < 0)
            f->since[id] = sim->time;
        else
            f->longest = fmax(f->longest, sim->time - f->since[id]);
    }
    return RILL_OK;
}

static rill_status no_marker_floats(verify *v)
{
    static floating f;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    f.longest = 0;
    for (int i = 0; i < 4096; i++) f.since[i] = -1;
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1.2, 1.2, 0}}, cell, &scene);
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {0.4, 0.6, 0}}, (velocity_field){0});
    /* four markers alone */
    if (!st)
        st = verify_add_box(v, &scene, (rill_box){{0.805, 0.8, 0}, {0.83, 0.825, 0}}, (velocity_field){0});
    if (!st) {
        ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = GRID_MARKERS;
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, v->full ? 4 : 1, watch, &f);
    if (!st) verify_figure(v, "longest time a marker floats (s)", f.longest, AT_MOST, 0.2);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    for (int surface = GRID_PARTICLES; surface <= GRID_PARTICLE_SET; surface++) TRY(u_tube_of(v, surface));
    return no_marker_floats(v);
}

const verify_case u_tube = {"U-tube", "Swinging in a U-tube; markers fall", methods, run};
