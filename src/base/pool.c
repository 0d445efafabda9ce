/* A loop is over when its blocks are done, not when every thread has taken part: the
 * loop does not wait for a helper that the machine is not running just now, so that on a
 * loaded machine it loses no more than its share of time. (OpenMP's barriers wait for
 * all: two threads on a machine with three times its load took eight times as long as
 * one.) */
#include "base/pool.h"

#include <immintrin.h>

/* About 20 microseconds: most loops of a step follow each other faster than a sleeping
 * thread can be woken. */
enum { SPINS = 1000 };

void pool_init(pool *p)
{
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->finished, NULL);
    p->open = p->stop = false;
    p->started = p->wanted = 0;
    atomic_init(&p->inside, 0);
    atomic_init(&p->next, 0);
    atomic_init(&p->generation, 0);
}

void pool_clear(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->started; i++) pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->finished);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
}

static void take_blocks(pool *p, size_t blocks, pool_body *body, void *arg, int worker)
{
    for (;;) {
        const size_t i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
        if (i >= blocks) return;
        body(arg, i, worker);
    }
}

static void *helper_main(void *arg)
{
    pool *p = arg;
    pthread_mutex_lock(&p->lock);
    int self = 0;
    while (!pthread_equal(p->thread[self], pthread_self())) self++; /* stored under the lock */
    pthread_mutex_unlock(&p->lock);

    for (unsigned long seen = 0;;) {
        for (int i = 0; i < SPINS && atomic_load_explicit(&p->generation, memory_order_relaxed) == seen; i++)
            _mm_pause();
        pthread_mutex_lock(&p->lock);
        while (!p->stop && !(p->open && atomic_load(&p->generation) != seen && self < p->wanted)) {
            if (!p->open) seen = atomic_load(&p->generation); /* came too late for that one */
            pthread_cond_wait(&p->work, &p->lock);
        }
        if (p->stop) break;
        seen = atomic_load(&p->generation);
        const size_t blocks = p->blocks;
        pool_body *body = p->body;
        void *body_arg = p->arg;
        atomic_fetch_add(&p->inside, 1);
        pthread_mutex_unlock(&p->lock);

        take_blocks(p, blocks, body, body_arg, self + 1);

        pthread_mutex_lock(&p->lock);
        if (atomic_fetch_sub(&p->inside, 1) == 1) pthread_cond_signal(&p->finished);
        pthread_mutex_unlock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void pool_run(pool *p, int threads, size_t blocks, pool_body *body, void *arg)
{
    size_t helpers = (size_t)threads - 1 < blocks - 1 ? (size_t)threads - 1 : blocks - 1;
    if (helpers > POOL_MAX_THREADS) helpers = POOL_MAX_THREADS;
    if (blocks == 0) return;
    if (helpers == 0) {
        for (size_t i = 0; i < blocks; i++) body(arg, i, 0);
        return;
    }
    pthread_mutex_lock(&p->lock);
    while (p->started < (int)helpers && pthread_create(&p->thread[p->started], NULL, helper_main, p) == 0)
        p->started++;
    p->blocks = blocks;
    p->body = body;
    p->arg = arg;
    p->wanted = (int)helpers;
    p->open = true;
    atomic_store(&p->next, 0);
    atomic_fetch_add(&p->generation, 1);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);

    take_blocks(p, blocks, body, arg, 0);

    pthread_mutex_lock(&p->lock);
    p->open = false; /* late workers find no blocks left */
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < SPINS && atomic_load(&p->inside) > 0; i++) _mm_pause();
    pthread_mutex_lock(&p->lock);
    while (atomic_load(&p->inside) > 0) pthread_cond_wait(&p->finished, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
