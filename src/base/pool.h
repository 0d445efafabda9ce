/* The threads of a context: started at the first parallel loop, joined when the context
 * is destroyed. Embedded in the context, so that having them cannot fail. */
#pragma once

#include <pthread.h>
#include <rill/rill.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { POOL_MAX_THREADS = 256 };

typedef void pool_body(void *arg, size_t block, int worker);

typedef struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work, finished;
    /* Under the lock: */
    bool open;   /* a loop takes helpers */
    bool stop;   /* no more loops */
    int started; /* helpers there are */
    int wanted;  /* helpers that may take part */
    size_t blocks;
    pool_body *body;
    void *arg;
    /* Read without it: */
    atomic_int inside;       /* helpers at work; changed under the lock */
    atomic_size_t next;      /* block to be taken */
    atomic_ulong generation; /* counts loops */
    pthread_t thread[POOL_MAX_THREADS];
} pool;

void pool_init(pool *p);
void pool_clear(pool *p);
/* body on blocks 0 .. blocks - 1, by the caller (worker 0) and up to threads - 1 others. */
void pool_run(pool *p, int threads, size_t blocks, pool_body *body, void *arg);
