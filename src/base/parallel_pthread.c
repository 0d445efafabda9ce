/* The parallel loop on plain threads, started for each loop: slow, and transparent to
 * the thread sanitizer. */
#ifdef RILL_PTHREADS
#include "base/parallel.h"

#include <pthread.h>

void parallel_run(rill_ctx *ctx, size_t blocks, void (*body)(void *arg, size_t block, int worker), void *arg);

typedef struct {
    size_t blocks;
    atomic_size_t *next;
    void (*body)(void *arg, size_t block, int worker);
    void *arg;
    int worker;
} share;

static void *run_share(void *p)
{
    const share *s = p;
    for (;;) {
        const size_t i = atomic_fetch_add(s->next, 1);
        if (i >= s->blocks) return NULL;
        s->body(s->arg, i, s->worker);
    }
}

void parallel_run(rill_ctx *ctx, size_t blocks, void (*body)(void *arg, size_t block, int worker), void *arg)
{
    pthread_t thread[PARALLEL_MAX_THREADS];
    share part[PARALLEL_MAX_THREADS];
    atomic_size_t next = 0;
    int started = 1;
    const int wanted = (size_t)ctx->def.threads < blocks ? ctx->def.threads : (int)blocks;
    for (int i = 0; i < wanted; i++) part[i] = (share){blocks, &next, body, arg, i};
    while (started < wanted && pthread_create(&thread[started], NULL, run_share, &part[started]) == 0)
        started++;
    run_share(&part[0]);
    for (int i = 1; i < started; i++) pthread_join(thread[i], NULL);
}
#endif
