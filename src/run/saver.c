#include "run/saver.h"

#include <time.h>

enum { LOOK_EVERY = 50, PATIENCE = 300 }; /* ms: between looks at the request to stop; from it to the save */

/* Sleeps for a while; false: the run has ended. */
static bool sleep_on(run_saver *s)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_EVERY * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_mutex_lock(&s->asleep);
    while (!s->ended && pthread_cond_timedwait(&s->wake, &s->asleep, &until) == 0) continue;
    const bool on = !s->ended;
    pthread_mutex_unlock(&s->asleep);
    return on;
}

static void *watch(void *arg)
{
    run_saver *s = arg;
    for (int waited = 0; sleep_on(s);) {
        if (!rill_cancelled(s->run->ctx)) continue;
        waited += LOOK_EVERY;
        if (waited < PATIENCE || pthread_mutex_trylock(&s->lock) != 0) continue; /* not in a step */
        const rill_status st = run_interrupted(s->run, s->ctx);
        s->run->stop(st, rill_ctx_message(s->ctx));
        pthread_mutex_unlock(&s->lock);
        break;
    }
    return NULL;
}

static bool make_wake(run_saver *s)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0) return false;
    const bool made = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(&s->wake, &monotonic) == 0;
    pthread_condattr_destroy(&monotonic);
    return made;
}

void run_saver_start(run_saver *s, run *r)
{
    *s = (run_saver){0};
    if (!r->stop) return;
    rill_ctx_def def = r->ctx->def;
    def.threads = 1;
    def.progress = NULL;
    def.log = NULL;
    if (rill_ctx_create(&def, &s->ctx) != RILL_OK) return;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->asleep, NULL);
    s->run = r;
    if (make_wake(s)) {
        pthread_mutex_lock(&s->lock);
        if (pthread_create(&s->thread, NULL, watch, s) == 0) return;
        pthread_mutex_unlock(&s->lock);
        pthread_cond_destroy(&s->wake);
    }
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->asleep);
    rill_ctx_destroy(s->ctx);
    s->run = NULL;
}

void run_saver_end(run_saver *s)
{
    if (!s->run) return;
    pthread_mutex_lock(&s->asleep);
    s->ended = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->asleep);
    pthread_join(s->thread, NULL);
    pthread_mutex_unlock(&s->lock);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->asleep);
    pthread_cond_destroy(&s->wake);
    rill_ctx_destroy(s->ctx);
}

void run_saver_release(run_saver *s)
{
    if (s->run) pthread_mutex_unlock(&s->lock);
}

void run_saver_hold(run_saver *s)
{
    if (s->run) pthread_mutex_lock(&s->lock);
}
