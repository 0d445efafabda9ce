/* Time stepping: the start of a simulation, a step with its checks, and an interval of steps that is
 * repeated with shorter ones when they fail. The driver and the library both go through here, so that a host
 * that goes from frame to frame gets the same bits as a run folder has. */
#pragma once

#include "flow/method.h"
#include "flow/snapshot.h"

enum { RUN_RETRIES = 4 };

/* A simulation at the start of the scene, which a pre-roll puts before 0 s. */
RILL_CHECKED rill_status sim_start(rill_ctx *ctx, const rill_scene *scene, rill_sim **out);

/* A state to go back to, with its time. */
typedef struct sim_state {
    snapshot chunks;
    double time;
    uint64_t step;
} sim_state;

void sim_state_init(sim_state *s, rill_ctx *ctx);
void sim_state_clear(sim_state *s);
/* Memory is kept from one time to the next. */
RILL_CHECKED rill_status sim_state_keep(sim_state *s, const rill_sim *sim);
RILL_CHECKED rill_status sim_state_restore(sim_state *s, rill_sim *sim);

/* One step towards `end`, as long as the method allows times `scale`, and its checks. sim->time is exactly
 * `end` when it gets there. Outputs are what was taken. After a failure the state may be anything. */
RILL_CHECKED rill_status run_step(rill_sim *sim, double scale, double end, double *dt,
                                  rill_step_stats *stats);

/* An interval, and the callbacks about its steps. */
typedef struct run_interval {
    double end;
    const char *name; /* in messages: "frame 7, "; NULL: none */
    /* After each step, with its wall-clock seconds; NULL: no callback. */
    rill_status (*stepped)(void *user, double dt, double wall_s, const rill_step_stats *stats);
    /* The steps reported since the start are void: the interval begins again. NULL: no callback. */
    void (*restarted)(void *user);
    /* Called before and after each step, while the simulation's state is in flux; NULL: no callbacks. */
    void (*step_begins)(void *user), (*step_ends)(void *user);
    void *user;
} run_interval;

/* From `start`, the state the simulation is in, to the end of the interval. When a step fails its checks, the
 * interval is begun again with half the step, at most RUN_RETRIES times, and each time is a warning.
 * RILL_CANCELLED before a step after a request to stop. After a failure the state may be anything. */
RILL_CHECKED rill_status run_advance(rill_sim *sim, sim_state *start, const run_interval *interval);

/* A larger speed (m/s) means that the simulation has blown up, in view of the scene and the initial
 * state; in sim->speed_limit from sim_start on. */
double run_speed_limit(const rill_sim *sim);

/* How many frames a run takes before frame 0: the number of a checkpoint counts them too. */
uint32_t run_preroll_frames(const rill_scene *scene);
/* When a frame counted like that is reached; of 0 the start, which a pre-roll puts before 0 s. */
double run_time_of(const rill_scene *scene, uint32_t frame);

/* The step to take when `remaining` is left of the interval and the method allows `most`:
 * all of it, half of it, or most. */
double run_choose_dt(double remaining, double most);
