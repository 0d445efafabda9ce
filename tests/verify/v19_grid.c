/* V-19 in `grid`: a box that floats, in two dimensions, 15 cells wide, free to heave and to roll.
 *
 * Its draft is the density ratio times its height, measured from the level that the liquid's volume and the
 * box's part of it make. Displaced and let go it heaves; without added mass the period would be
 * 2 pi sqrt(draft / g). Tilted by 20 degrees it rolls back, and what it loses goes away as waves: the tank is
 * so wide that they do not come back from its ends within the time of the case. */
#include "verify/grid_bodies.h"

#include <math.h>
#include <stdio.h>

static const double g = 9.81, pi = 3.14159265358979323846;

enum { CROSSINGS = 8 };

typedef struct {
    double ratio, lift, tilt;         /* density over the liquid's; m above where it is to float; degrees */
    double across, high, tank, depth; /* m: of the box; width of the tank; of the liquid without the box */
    double until, from;               /* s: means are taken from here on */
} floating;

typedef struct {
    const floating *f;
    double rest; /* m: the height it is to float at */
    double last; /* what it was above that */
    double crossed[CROSSINGS];
    int crossings; /* upwards */
    double sum, count, tilt, deepest, least, most;
} record;

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    record *r = user;
    const world_state *s = &sim->bodies.world.state[0];
    const double above = s->center.y - r->rest;
    if (r->last < 0 && above >= 0 && r->crossings < CROSSINGS) r->crossed[r->crossings++] = sim->time;
    r->last = above;
    r->least = fmin(r->least, stats->volume);
    r->most = fmax(r->most, stats->volume);
    r->deepest = fmax(r->deepest, grid_deepest(sim));
    if (sim->time <= r->f->from) return RILL_OK;
    r->sum += above;
    r->count++;
    r->tilt = fmax(r->tilt, fabs(2 * atan2(s->turn.z, s->turn.w) * 180 / pi + r->f->tilt));
    return RILL_OK;
}

static rill_status let_go(verify *v, const floating *f, record *r)
{
    rill_scene scene;
    rill_sim *sim = NULL;
    const double draft = f->ratio * f->high, level = f->depth + f->across * draft / f->tank;
    const shape box = {.kind = SHAPE_BOX,
                       .box = {v3(-f->across / 2, -f->high / 2, -1), v3(f->across / 2, f->high / 2, 1)}};
    *r = (record){.f = f, .rest = level - draft + f->high / 2, .least = INFINITY};
    TRY(verify_scene(v, 2, (rill_box){v3(0, 0, 0), v3(f->tank, 2 * f->depth, 0)}, f->across / 15, &scene));
    /* As much liquid as there would be without the box. */
    const double wet = fmax(0, draft - f->lift), filled = f->depth + f->across * wet / f->tank;
    rill_status st =
        verify_add_box(v, &scene, (rill_box){v3(0, 0, 0), v3(f->tank, filled, 0)}, (velocity_field){0});
    if (!st) st = grid_add_body(v, &scene, box, v3(f->tank / 2, r->rest + f->lift, 0), f->ratio);
    if (!st) scene.solids[0].transform.rotate.z = f->tilt;
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_run(sim, f->until, look, r);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status float_at(verify *v, double ratio)
{
    record r;
    char name[64];
    const floating f = {.ratio = ratio,
                        .across = 0.4,
                        .high = 0.2,
                        .tank = 2,
                        .depth = 0.6,
                        .until = v->full ? 8 : 4,
                        .from = v->full ? 4 : 2};
    TRY(let_go(v, &f, &r));
    snprintf(name, sizeof name, "draft at ratio %g, error", ratio);
    verify_figure(v, name, fabs(r.sum / r.count) / (ratio * f.high), AT_MOST, 0.01);
    verify_figure(v, "deepest particle in the box, spacings", r.deepest, AT_MOST, 0.1);
    verify_figure(v, "range of the liquid's volume", r.most / r.least - 1, AT_MOST, 0.005);
    return RILL_OK;
}

static rill_status run(verify *v)
{
    record r;
    TRY(float_at(v, 0.5));
    if (v->full) TRY(float_at(v, 0.8));
    const floating heave = {.ratio = 0.5,
                            .lift = 0.04,
                            .across = 0.4,
                            .high = 0.2,
                            .tank = 4,
                            .depth = 0.6,
                            .until = 2.5,
                            .from = 2};
    TRY(let_go(v, &heave, &r));
    const double period =
        r.crossings > 1 ? (r.crossed[r.crossings - 1] - r.crossed[0]) / (r.crossings - 1) : NAN;
    const double ratio = period / (2 * pi * sqrt(heave.ratio * heave.high / g));
    verify_figure(v, "heave period over that without added mass", ratio, AT_LEAST, 1.05);
    verify_figure(v, "heave period over that without added mass", ratio, AT_MOST, 1.35);
    if (!v->full) return RILL_OK;
    const floating roll = {.ratio = 0.5,
                           .tilt = 20,
                           .across = 0.8,
                           .high = 0.2,
                           .tank = 12,
                           .depth = 0.6,
                           .until = 11,
                           .from = 10};
    TRY(let_go(v, &roll, &r));
    verify_figure(v, "tilt after 10 to 11 s, from 20 degrees", r.tilt, AT_MOST, 1);
    return RILL_OK;
}

static const char *const methods[] = {"grid", NULL};
const verify_case v19_grid = {"V-19-grid", "A floating box in the grid", methods, run};
