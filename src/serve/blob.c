#include "serve/blob.h"

#include <stdio.h>
#include <string.h>

void blobs_init(blobs *b, rill_ctx *ctx)
{
    memset(b, 0, sizeof *b);
    b->ctx = ctx;
    pthread_mutex_init(&b->lock, NULL);
}

void blobs_clear(blobs *b)
{
    for (int k = 0; k < BLOBS_CACHED; k++) blob_release(b->entry[k].kept);
    for (int k = 0; k < BLOBS_PLACES; k++) mem_free(b->ctx, b->place[k].data);
    pthread_mutex_destroy(&b->lock);
}

blob *blob_take(blobs *b, uint8_t *data, size_t length)
{
    const bool fits = atomic_fetch_add(&b->alive, length) + length <= BLOBS_MOST;
    blob *made = fits ? mem_zero(b->ctx, 1, sizeof *made) : NULL;
    if (!made) {
        atomic_fetch_sub(&b->alive, length);
        mem_free(b->ctx, data);
        return NULL;
    }
    made->owner = b;
    atomic_init(&made->references, 1);
    made->data = data;
    made->length = length;
    return made;
}

void blob_release(blob *b)
{
    if (!b || atomic_fetch_sub(&b->references, 1) != 1) return;
    blobs *owner = b->owner;
    atomic_fetch_sub(&owner->alive, b->length);
    mem_free(owner->ctx, b->data);
    mem_free(owner->ctx, b);
}

blob_place *blobs_borrow_place(blobs *b)
{
    blob_place *found = NULL;
    pthread_mutex_lock(&b->lock);
    for (int k = 0; k < BLOBS_PLACES && !found; k++)
        if (!b->place[k].taken) found = &b->place[k];
    if (found) found->taken = true;
    pthread_mutex_unlock(&b->lock);
    return found;
}

void blobs_return_place(blobs *b, blob_place *place)
{
    if (!place) return;
    pthread_mutex_lock(&b->lock);
    if (place->capacity > BLOBS_PLACE) {
        mem_free(b->ctx, place->data);
        *place = (blob_place){0};
    }
    place->taken = false;
    pthread_mutex_unlock(&b->lock);
}

blob *blobs_find(blobs *b, const char *key)
{
    blob *found = NULL;
    pthread_mutex_lock(&b->lock);
    for (int k = 0; k < BLOBS_CACHED && !found; k++) {
        struct blob_entry *e = &b->entry[k];
        if (!e->kept || strcmp(e->key, key) != 0) continue;
        e->used = ++b->clock;
        found = e->kept;
        atomic_fetch_add(&found->references, 1);
    }
    pthread_mutex_unlock(&b->lock);
    return found;
}

static void drop(blobs *b, struct blob_entry *e)
{
    b->bytes -= e->kept->length;
    blob_release(e->kept);
    e->kept = NULL;
}

/* A free entry, when nothing has to go: otherwise the one not used for longest. */
static struct blob_entry *free_entry(blobs *b)
{
    struct blob_entry *oldest = NULL;
    for (int k = 0; k < BLOBS_CACHED; k++) {
        struct blob_entry *e = &b->entry[k];
        if (!e->kept) return e;
        if (!oldest || e->used < oldest->used) oldest = e;
    }
    drop(b, oldest);
    return oldest;
}

static void drop_oldest(blobs *b)
{
    struct blob_entry *oldest = NULL;
    for (int k = 0; k < BLOBS_CACHED; k++) {
        struct blob_entry *e = &b->entry[k];
        if (e->kept && (!oldest || e->used < oldest->used)) oldest = e;
    }
    if (oldest) drop(b, oldest);
}

void blobs_keep(blobs *b, const char *key, blob *made)
{
    if (made->length > BLOBS_CACHE / 4 || strlen(key) >= BLOB_KEY) return;
    pthread_mutex_lock(&b->lock);
    while (b->bytes + made->length > BLOBS_CACHE) drop_oldest(b);
    struct blob_entry *e = free_entry(b);
    snprintf(e->key, sizeof e->key, "%s", key);
    e->kept = made;
    e->used = ++b->clock;
    b->bytes += made->length;
    atomic_fetch_add(&made->references, 1);
    pthread_mutex_unlock(&b->lock);
}
