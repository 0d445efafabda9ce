/* Memory that outlives its release, for hosts whose arrays outlive a simulation. */
#include "base/memory.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

typedef struct held_block {
    const void *memory;
    uint32_t holds;
    bool released; /* by the library: freed when the last hold goes */
} held_block;

struct rill_keeper {
    pthread_mutex_t lock;
    atomic_size_t count; /* of blocks that are held; read without the lock */
    held_block *block;
    size_t capacity;
};

static held_block *find(rill_keeper *k, const void *memory)
{
    for (size_t i = 0; i < k->count; i++)
        if (k->block[i].memory == memory) return &k->block[i];
    return NULL;
}

static void *keeper_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    const rill_allocator plain = mem_default_allocator();
    return plain.allocate(plain.user, bytes, alignment);
}

static void free_plain(const void *memory)
{
    const rill_allocator plain = mem_default_allocator();
    plain.release(plain.user, (void *)(uintptr_t)memory);
}

static void keeper_release(void *user, void *memory)
{
    rill_keeper *k = user;
    bool held = false;
    if (memory && atomic_load(&k->count)) {
        pthread_mutex_lock(&k->lock);
        held_block *b = find(k, memory);
        held = b != NULL;
        if (b) b->released = true;
        pthread_mutex_unlock(&k->lock);
    }
    if (!held) free_plain(memory);
}

rill_keeper *rill_keeper_create(void)
{
    rill_keeper *k = keeper_allocate(NULL, sizeof *k, alignof(max_align_t));
    if (!k) return NULL;
    memset(k, 0, sizeof *k);
    if (pthread_mutex_init(&k->lock, NULL) == 0) return k;
    free_plain(k);
    return NULL;
}

void rill_keeper_destroy(rill_keeper *k)
{
    if (!k) return;
    for (size_t i = 0; i < k->count; i++)
        if (k->block[i].released) free_plain(k->block[i].memory);
    pthread_mutex_destroy(&k->lock);
    if (k->block) free_plain(k->block);
    free_plain(k);
}

rill_allocator rill_keeper_allocator(rill_keeper *k)
{
    return k ? (rill_allocator){keeper_allocate, keeper_release, k} : mem_default_allocator();
}

rill_status rill_keeper_hold(rill_keeper *k, const void *memory)
{
    if (!k || !memory) return RILL_USAGE;
    rill_status st = RILL_OK;
    pthread_mutex_lock(&k->lock);
    held_block *b = find(k, memory);
    if (!b && k->count == k->capacity) {
        const size_t capacity = k->capacity ? 2 * k->capacity : 16;
        held_block *grown = keeper_allocate(NULL, capacity * sizeof *grown, alignof(max_align_t));
        if (grown) {
            for (size_t i = 0; i < k->count; i++) grown[i] = k->block[i];
            if (k->block) free_plain(k->block);
            k->block = grown;
            k->capacity = capacity;
        } else
            st = RILL_NO_MEMORY;
    }
    if (b)
        b->holds++;
    else if (!st)
        k->block[k->count++] = (held_block){.memory = memory, .holds = 1};
    pthread_mutex_unlock(&k->lock);
    return st;
}

void rill_keeper_drop(rill_keeper *k, const void *memory)
{
    if (!k || !memory) return;
    const void *done = NULL;
    pthread_mutex_lock(&k->lock);
    held_block *b = find(k, memory);
    if (b && --b->holds == 0) {
        if (b->released) done = memory;
        *b = k->block[k->count - 1];
        k->count--;
    }
    pthread_mutex_unlock(&k->lock);
    free_plain(done);
}
