/* Stops a run promptly although a step takes long.
 *
 * A run that is asked to stop discards the step in progress and saves the state it kept at the start of the
 * frame. That state does not change during a step. So a thread of its own saves it when the step has not
 * ended a third of a second after the request, and then calls the run's `stop`, which ends the program.
 * Between steps the driver holds the lock, and the thread does nothing. Without `stop` there is no thread,
 * and a run ends its step before it stops. */
#pragma once

#include "run/run.h"

#include <pthread.h>

typedef struct run_saver {
    run *run;               /* borrowed; NULL: there is no thread */
    rill_ctx *ctx;          /* owned: for the thread's messages */
    pthread_mutex_t lock;   /* of the run: held by the driver except during steps */
    pthread_mutex_t asleep; /* of `ended` */
    pthread_cond_t wake;
    bool ended;
    pthread_t thread;
} run_saver;

/* Starts the thread and takes the lock. Does nothing when the thread cannot be started: the run then stops
 * after its step. */
void run_saver_start(run_saver *s, run *r);
void run_saver_end(run_saver *s);

/* Around a step. */
void run_saver_release(run_saver *s);
void run_saver_hold(run_saver *s);
