/* The first steps and a frame, by the clock, and what follows from them for the whole run. */
#include "run/trial.h"

#include "base/text.h"
#include "render/render.h"
#include "surface/surface.h"

#include <math.h>

/* The part of the run's elements below which a trial has seen too few of them. */
static const double few = 0.1;

/* Steps so far; those of the later half count, for the first ones also fill caches. */
typedef struct lap_times {
    double wall[64], dt[64]; /* of the newest */
    uint64_t count;
} lap_times;

static void lap_add(lap_times *l, double wall, double dt)
{
    const size_t capacity = sizeof l->wall / sizeof *l->wall;
    l->wall[l->count % capacity] = wall;
    l->dt[l->count % capacity] = dt;
    l->count++;
}

/* Means over the later half of the steps, or over those that are still known. */
static void lap_means(const lap_times *l, run_trial *out)
{
    const uint64_t capacity = sizeof l->wall / sizeof *l->wall, half = (l->count + 1) / 2,
                   used = half < capacity ? half : capacity;
    double wall = 0, dt = 0;
    for (uint64_t k = l->count - used; k < l->count; k++) {
        wall += l->wall[k % capacity];
        dt += l->dt[k % capacity];
    }
    out->steps = l->count;
    out->seconds_per_step = used ? wall / (double)used : NAN;
    out->dt = used ? dt / (double)used : NAN;
}

/* Steps through the frames until the time is up. A step that fails ends the trial, not the estimate. */
static rill_status trial_steps(rill_sim *sim, double seconds, lap_times *laps)
{
    const double until = clock_seconds() + seconds;
    const uint32_t last = run_preroll_frames(sim->scene) + (uint32_t)sim->scene->time.frames;
    for (uint32_t frame = 1; frame <= last; frame++)
        while (sim->time < run_time_of(sim->scene, frame)) {
            const double since = clock_seconds();
            if (since > until && laps->count >= 2) return RILL_OK;
            if (rill_cancelled(sim->ctx)) return rill_fail(sim->ctx, RILL_CANCELLED, "stopped on request");
            double dt = 0;
            rill_step_stats stats;
            const rill_status st = run_step(sim, 1, run_time_of(sim->scene, frame), &dt, &stats);
            if (st == RILL_BLEW_UP) return RILL_OK; /* the run would take shorter steps */
            TRY(st);
            lap_add(laps, clock_seconds() - since, dt);
        }
    return RILL_OK;
}

/* What the driver makes of a frame, but for its files. */
static rill_status trial_frame(const rill_sim *sim, double *seconds)
{
    const rill_scene *scene = sim->scene;
    const scene_output *o = &scene->output;
    const double since = clock_seconds();
    rill_view view = {0};
    sim_view(sim, &view);
    const bool drawn = o->images && (o->look == LOOK_SURFACE || o->look == LOOK_VOLUME || !view.particles),
               has = method_has_surface(sim->method) && (o->surface || o->volume || drawn);
    trimesh surface = {0};
    image picture = {0};
    const render_def def = render_def_of_scene(scene);
    rill_status st = has ? run_surface(sim, &view, &surface) : RILL_OK;
    if (!st && o->images) st = render_view(sim->ctx, scene, &view, has ? &surface : NULL, &def, &picture);
    image_clear(sim->ctx, &picture);
    trimesh_clear(sim->ctx, &surface);
    *seconds = clock_seconds() - since;
    return st;
}

rill_status run_trial_make(rill_ctx *ctx, const rill_scene *scene, double seconds, run_trial *out)
{
    rill_sim *sim = NULL;
    TRY(sim_start(ctx, scene, &sim));
    lap_times laps = {0};
    run_trial trial = {0};
    rill_status st = trial_steps(sim, seconds, &laps);
    if (!st) st = trial_frame(sim, &trial.seconds_per_frame);
    if (!st) {
        rill_view view = {0};
        sim_view(sim, &view);
        trial.elements = view.elements;
        lap_means(&laps, &trial);
        *out = trial;
    }
    sim->method->destroy(sim);
    return st;
}

void run_estimate_correct(run_estimate *e, const rill_scene *scene, const run_trial *trial)
{
    if (trial->steps == 0 || !(trial->dt > 0)) return;
    if (e->at_most) { /* now it is known how many there are */
        *e = run_estimate_of(scene, trial->elements, e->emitted);
        e->at_most = false;
    }
    const double most = fmax((double)e->elements + (double)e->emitted, 1),
                 mean = (double)e->elements + 0.5 * (double)e->emitted, /* emitted all through the run */
        seen = fmax((double)trial->elements, 1);
    double step = trial->seconds_per_step * fmax(mean / seen, 1), frame = trial->seconds_per_frame;
    /* Few steps show nothing of many elements: for what is still to be emitted the counts are better. */
    if (seen < few * mean) {
        if (isfinite(e->step_seconds)) step = fmax(trial->seconds_per_step, e->step_seconds * mean / most);
        frame = fmax(frame, e->frame_seconds - e->file_seconds);
    }
    /* Liquid speeds up after the start, so the steps become no longer; the method's guess knows its speeds.
     */
    const double duration = scene->time.frames / scene->time.fps + scene->time.preroll,
                 steps = ceil(duration / trial->dt);
    if (!(e->steps >= steps)) e->steps = steps;
    e->frame_seconds = frame + e->file_seconds;
    e->seconds = e->steps * step + (scene->time.frames + 1) * e->frame_seconds;
}
