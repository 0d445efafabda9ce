/* Bytes that replies share: counted references, and a cache of those made last.
 *
 * A reply keeps its bytes until the slowest reader has them; 200 readers of one frame share
 * one copy. All bytes alive are counted, so that slow readers of many frames cannot take
 * more memory than BLOBS_MOST: the next frame is refused instead (503), and asked for again.
 * May be used by several threads at once. */
#pragma once

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>

enum { BLOB_KEY = 192, BLOBS_CACHED = 256 }; /* entries of the cache */
#define BLOBS_CACHE ((size_t)256 << 20)      /* bytes kept for those who ask again */
#define BLOBS_MOST  ((size_t)1 << 30)        /* bytes alive, in the cache or in replies */

typedef struct blobs blobs;
typedef struct blob {
    blobs *owner;
    atomic_int references;
    uint8_t *data; /* owned */
    size_t length;
} blob;

/* A place to read files into, kept from one frame to the next: memory that is new to the process costs as
 * much as the encoding. */
enum { BLOBS_PLACES = 2 };
#define BLOBS_PLACE ((size_t)160 << 20) /* larger ones are given back */
typedef struct blob_place {
    char *data; /* owned */
    size_t capacity;
    bool taken;
} blob_place;

struct blobs {
    rill_ctx *ctx; /* memory comes from it, nothing else is done with it */
    pthread_mutex_t lock;
    atomic_size_t alive; /* bytes */
    /* Under the lock: */
    struct blob_entry {
        char key[BLOB_KEY];
        blob *kept; /* NULL: free */
        uint64_t used;
    } entry[BLOBS_CACHED];
    size_t bytes;
    uint64_t clock;
    blob_place place[BLOBS_PLACES];
};

void blobs_init(blobs *b, rill_ctx *ctx);
void blobs_clear(blobs *b); /* every reference must have been released */

/* A blob of these bytes (taken, also on failure), with one reference. NULL: no memory, or too much is alive.
 */
blob *blob_take(blobs *b, uint8_t *data, size_t length);
void blob_release(blob *b); /* NULL is allowed */

/* One that is free, to be given back; NULL: none is. */
blob_place *blobs_borrow_place(blobs *b);
void blobs_return_place(blobs *b, blob_place *place); /* NULL is allowed */

/* With a reference of the caller's; NULL: it is not there. */
blob *blobs_find(blobs *b, const char *key);
void blobs_keep(blobs *b, const char *key, blob *made); /* takes a reference of its own */
