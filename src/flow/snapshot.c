#include "flow/snapshot.h"

#include <string.h>

static snapshot *of_writer(rill_writer *w)
{
    return (snapshot *)w; /* its first member */
}

static snapshot *of_reader(rill_reader *r)
{
    return (snapshot *)((char *)r - offsetof(snapshot, reader));
}

static snapshot_chunk *find(const snapshot *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->chunk[i].name, name) == 0) return &s->chunk[i];
    return NULL;
}

/* The next unused chunk, with whatever memory it had. */
static rill_status next_chunk(snapshot *s, snapshot_chunk **out)
{
    if (s->count == s->capacity) {
        const size_t old = s->capacity;
        TRY(mem_grow(s->ctx, &s->chunk, sizeof *s->chunk, &s->capacity, old + 16));
        memset(s->chunk + old, 0, (s->capacity - old) * sizeof *s->chunk);
    }
    *out = &s->chunk[s->count];
    return RILL_OK;
}

static rill_status snapshot_write(rill_writer *w, const char *name, save_type type, uint64_t count,
                                  const void *data)
{
    snapshot *s = of_writer(w);
    const size_t size = save_type_size(type);
    if (strlen(name) >= SAVE_NAME)
        return rill_fail(s->ctx, RILL_USAGE, "saved state: the name \"%s\" is longer than %d characters",
                         name, SAVE_NAME - 1);
    if (size == 0 || count > PTRDIFF_MAX / size)
        return rill_fail(s->ctx, RILL_USAGE, "saved state: \"%s\" has no such type or size", name);
    if (find(s, name)) return rill_fail(s->ctx, RILL_USAGE, "saved state: \"%s\" was written already", name);

    snapshot_chunk *c;
    TRY(next_chunk(s, &c));
    const size_t bytes = (size_t)count * size;
    if (!c->data || c->capacity < bytes) {
        mem_free(s->ctx, c->data); /* before the new one: the largest need is for one of them */
        c->capacity = 0;
        c->data = mem_alloc(s->ctx, bytes, 1);
        if (!c->data) return mem_failed(s->ctx, (size_t)count, size);
        c->capacity = bytes;
    }
    if (bytes) memcpy(c->data, data, bytes);
    strcpy(c->name, name);
    c->type = type;
    c->count = count;
    s->count++;
    return RILL_OK;
}

static rill_status find_typed(const snapshot *s, const char *name, save_type type, const snapshot_chunk **out)
{
    const snapshot_chunk *c = find(s, name);
    if (!c)
        return rill_fail(s->ctx, RILL_BAD_FILE,
                         "saved state: \"%s\" is missing; it is of another method or version", name);
    if (c->type != type)
        return rill_fail(s->ctx, RILL_BAD_FILE,
                         "saved state: \"%s\" is of another type than expected; it is of another version",
                         name);
    *out = c;
    return RILL_OK;
}

static rill_status snapshot_count(rill_reader *r, const char *name, save_type type, uint64_t *count)
{
    const snapshot_chunk *c = NULL;
    TRY(find_typed(of_reader(r), name, type, &c));
    *count = c->count;
    return RILL_OK;
}

static rill_status snapshot_read(rill_reader *r, const char *name, save_type type, uint64_t count, void *data)
{
    const snapshot *s = of_reader(r);
    const snapshot_chunk *c = NULL;
    TRY(find_typed(s, name, type, &c));
    if (c->count != count)
        return rill_fail(s->ctx, RILL_BAD_FILE,
                         "saved state: \"%s\" holds %llu values where %llu were expected", name,
                         (unsigned long long)c->count, (unsigned long long)count);
    if (count) memcpy(data, c->data, (size_t)count * save_type_size(type));
    return RILL_OK;
}

void snapshot_init(snapshot *s, rill_ctx *ctx)
{
    *s = (snapshot){.writer = {snapshot_write}, .reader = {snapshot_count, snapshot_read}, .ctx = ctx};
}

void snapshot_reset(snapshot *s)
{
    s->count = 0;
}

void snapshot_clear(snapshot *s)
{
    for (size_t i = 0; i < s->capacity; i++) mem_free(s->ctx, s->chunk[i].data);
    mem_free(s->ctx, s->chunk);
    snapshot_init(s, s->ctx);
}

size_t snapshot_bytes(const snapshot *s)
{
    size_t bytes = s->capacity * sizeof *s->chunk;
    for (size_t i = 0; i < s->capacity; i++) bytes += s->chunk[i].capacity;
    return bytes;
}
