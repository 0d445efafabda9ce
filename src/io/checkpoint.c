/* The checkpoint file: its structures as they lie on the disk, writing, verifying, reading. */
#include "io/checkpoint.h"

#include "base/hash.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file holds memory as it lies");

enum { VERSION = 1, LEVEL = 1, MAX_CHUNKS = 1000 };
static const uint64_t block_bytes = 8 << 20;
/* zstd shrinks at most 128 KiB to four bytes: a block that claims more is a lie. */
static const uint64_t best_ratio = 40000;

static const char file_magic[8] = "RILLCKP", end_magic[8] = "RILLEND";

/* The structures of the file. No padding: every member is aligned by itself. */
typedef struct file_head {
    char magic[8];
    uint32_t version, chunks;
    char method[CHECKPOINT_METHOD];
    uint64_t scene_hash;
    double time;
    uint64_t frame, step, stats_bytes, gauges_bytes;
    uint64_t hash; /* of the above */
} file_head;

typedef struct chunk_head {
    char name[SAVE_NAME];
    uint32_t type, zero;
    uint64_t count;
    uint64_t data_hash; /* of the blocks' contents, each seeding the next */
    uint64_t hash;      /* of the above */
} chunk_head;

typedef struct block_head {
    uint32_t bytes, stored; /* contents; in the file (equal: not compressed) */
} block_head;

typedef struct file_end {
    char magic[8];
    uint64_t length; /* of the whole file */
    uint64_t hash;   /* of every piece of the file before the end, each seeding the next */
} file_end;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- writing ---- */

typedef struct ckpt_writer {
    rill_ctx *ctx;
    out_file file;
    uint64_t hash;
    ZSTD_CCtx *zstd;
    void *packed; /* buffer for a compressed block */
    size_t capacity;
} ckpt_writer;

static rill_status put(ckpt_writer *w, const void *data, size_t bytes)
{
    w->hash = hash_bytes(data, bytes, w->hash);
    return file_write(&w->file, data, bytes);
}

static rill_status put_block(ckpt_writer *w, const uint8_t *data, size_t bytes)
{
    const size_t packed = ZSTD_compressCCtx(w->zstd, w->packed, w->capacity, data, bytes, LEVEL);
    if (ZSTD_isError(packed))
        return rill_fail(w->ctx, RILL_NO_MEMORY, "%s: cannot compress: %s", w->file.path,
                         ZSTD_getErrorName(packed));
    const bool plain = packed >= bytes;
    const block_head head = {(uint32_t)bytes, (uint32_t)(plain ? bytes : packed)};
    TRY(put(w, &head, sizeof head));
    return put(w, plain ? data : w->packed, head.stored);
}

static rill_status put_chunk(ckpt_writer *w, const snapshot_chunk *c)
{
    const uint8_t *data = c->data;
    const uint64_t bytes = c->count * save_type_size(c->type);
    chunk_head head = {.type = c->type, .count = c->count};
    memcpy(head.name, c->name, strnlen(c->name, SAVE_NAME - 1));
    for (uint64_t at = 0; at < bytes; at += block_bytes)
        head.data_hash = hash_bytes(data + at, smaller(bytes - at, block_bytes), head.data_hash);
    head.hash = hash_bytes(&head, offsetof(chunk_head, hash), 0);
    TRY(put(w, &head, sizeof head));
    for (uint64_t at = 0; at < bytes; at += block_bytes)
        TRY(put_block(w, data + at, smaller(bytes - at, block_bytes)));
    return RILL_OK;
}

static rill_status put_head(ckpt_writer *w, const checkpoint_head *head, size_t chunks)
{
    file_head h = {.version = VERSION,
                   .chunks = (uint32_t)chunks,
                   .scene_hash = head->scene_hash,
                   .time = head->time,
                   .frame = head->frame,
                   .step = head->step,
                   .stats_bytes = head->stats_bytes,
                   .gauges_bytes = head->gauges_bytes};
    memcpy(h.magic, file_magic, sizeof h.magic);
    memcpy(h.method, head->method, strnlen(head->method, CHECKPOINT_METHOD - 1));
    h.hash = hash_bytes(&h, offsetof(file_head, hash), 0);
    return put(w, &h, sizeof h);
}

static rill_status put_end(ckpt_writer *w)
{
    file_end end = {.length = w->file.length + sizeof end, .hash = w->hash};
    memcpy(end.magic, end_magic, sizeof end.magic);
    return file_write(&w->file, &end, sizeof end);
}

static rill_status read_file(rill_ctx *ctx, const char *path, const char *name, checkpoint_head *head,
                             snapshot *state);

rill_status checkpoint_write(rill_ctx *ctx, const char *path, const checkpoint_head *head,
                             const snapshot *state)
{
    if (state->count > MAX_CHUNKS)
        return rill_fail(ctx, RILL_USAGE, "%s: more than %d chunks in a state", path, MAX_CHUNKS);
    uint64_t largest = 0;
    for (size_t k = 0; k < state->count; k++) {
        const uint64_t bytes = state->chunk[k].count * save_type_size(state->chunk[k].type);
        if (bytes > largest) largest = bytes;
    }
    ckpt_writer w = {.ctx = ctx, .capacity = ZSTD_compressBound(smaller(largest, block_bytes))};
    TRY(file_begin(ctx, path, &w.file));

    w.packed = mem_alloc(ctx, w.capacity, 1);
    w.zstd = ZSTD_createCCtx();
    rill_status st = w.packed && w.zstd ? RILL_OK : mem_failed(ctx, w.capacity, 1);
    if (!st) st = put_head(&w, head, state->count);
    for (size_t k = 0; k < state->count && !st; k++) st = put_chunk(&w, &state->chunk[k]);
    if (!st) st = put_end(&w);
    if (!st) st = file_flush(&w.file);
    ZSTD_freeCCtx(w.zstd); /* the verification needs as much again */
    mem_free(ctx, w.packed);
    if (!st) {
        checkpoint_head seen;
        st = read_file(ctx, w.file.temporary, path, &seen, NULL);
        if (st == RILL_BAD_FILE) /* the disk did not keep what it was given */
            st = rill_fail_prefix(ctx, RILL_DISK, "the checkpoint does not read back as written: ");
    }
    if (!st) st = file_commit(&w.file);

    file_abandon(&w.file);
    return st;
}

/* ---- reading ---- */

typedef struct ckpt_reader {
    rill_ctx *ctx;
    const char *name; /* in messages */
    int fd;
    uint64_t left; /* bytes of the file not read yet */
    uint64_t hash;
    ZSTD_DCtx *zstd;
    uint8_t *packed, *block; /* one block each, as large as was needed */
    size_t packed_capacity, block_capacity;
} ckpt_reader;

static rill_status damaged(const ckpt_reader *r, const char *what)
{
    return rill_fail(r->ctx, RILL_BAD_FILE, "%s: the checkpoint is damaged: %s", r->name, what);
}

static rill_status get_raw(ckpt_reader *r, void *data, uint64_t bytes)
{
    if (bytes > r->left) return damaged(r, "it ends early");
    uint8_t *at = data;
    for (uint64_t need = bytes; need > 0;) {
        const ssize_t n = read(r->fd, at, need);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return damaged(r, n < 0 ? strerror(errno) : "it ends early");
        at += n;
        need -= (uint64_t)n;
    }
    r->left -= bytes;
    return RILL_OK;
}

static rill_status get(ckpt_reader *r, void *data, uint64_t bytes)
{
    TRY(get_raw(r, data, bytes));
    r->hash = hash_bytes(data, bytes, r->hash);
    return RILL_OK;
}

static rill_status get_head(ckpt_reader *r, file_head *h)
{
    TRY(get(r, h, sizeof *h));
    if (memcmp(h->magic, file_magic, sizeof h->magic) != 0)
        return rill_fail(r->ctx, RILL_BAD_FILE, "%s: not a checkpoint of Rill", r->name);
    if (h->hash != hash_bytes(h, offsetof(file_head, hash), 0)) return damaged(r, "its head has changed");
    if (h->version != VERSION)
        return rill_fail(r->ctx, RILL_BAD_FILE, "%s: a checkpoint of format %u, this program reads %d",
                         r->name, h->version, VERSION);
    if (h->chunks > MAX_CHUNKS || h->frame > UINT32_MAX || h->method[CHECKPOINT_METHOD - 1] != 0)
        return damaged(r, "its head makes no sense");
    return RILL_OK;
}

/* Where the contents of a block go. */
static rill_status get_block(ckpt_reader *r, uint64_t bytes, uint8_t *to, uint64_t *hash)
{
    block_head b;
    TRY(get(r, &b, sizeof b));
    if (b.bytes != bytes || b.stored > b.bytes || b.stored > r->left)
        return damaged(r, "a block of another size");
    const bool plain = b.stored == b.bytes;
    if (!plain) TRY(mem_grow(r->ctx, &r->packed, 1, &r->packed_capacity, b.stored));
    TRY(get(r, plain ? to : r->packed, b.stored));
    if (!plain && ZSTD_decompressDCtx(r->zstd, to, bytes, r->packed, b.stored) != bytes)
        return damaged(r, "a block does not unpack");
    *hash = hash_bytes(to, bytes, *hash);
    return RILL_OK;
}

static rill_status get_chunk(ckpt_reader *r, snapshot *state)
{
    chunk_head c;
    TRY(get(r, &c, sizeof c));
    if (c.hash != hash_bytes(&c, offsetof(chunk_head, hash), 0))
        return damaged(r, "the head of a chunk has changed");
    const size_t size = c.type < SAVE_TYPES ? save_type_size((save_type)c.type) : 0;
    if (size == 0 || c.name[SAVE_NAME - 1] != 0 || c.zero != 0)
        return damaged(r, "a chunk of an unknown type");
    if (c.count > r->left * best_ratio / size) return damaged(r, "a chunk that does not fit in the file");

    const uint64_t bytes = c.count * size;
    uint8_t *all = NULL;
    if (state && !(all = mem_alloc(r->ctx, bytes, 1))) return mem_failed(r->ctx, c.count, size);
    rill_status st = RILL_OK;
    if (!state) st = mem_grow(r->ctx, &r->block, 1, &r->block_capacity, smaller(bytes, block_bytes));
    uint64_t hash = 0;
    for (uint64_t at = 0; at < bytes && !st; at += block_bytes)
        st = get_block(r, smaller(bytes - at, block_bytes), all ? all + at : r->block, &hash);
    if (!st && hash != c.data_hash) st = damaged(r, "the data of a chunk have changed");
    if (!st && state) st = save_chunk(&state->writer, c.name, (save_type)c.type, c.count, all);
    if (st == RILL_USAGE) st = damaged(r, "a chunk is there twice"); /* as a state never has it */
    mem_free(r->ctx, all);
    return st;
}

static rill_status get_all(ckpt_reader *r, uint64_t length, checkpoint_head *head, snapshot *state)
{
    file_head h;
    TRY(get_head(r, &h));
    for (uint32_t k = 0; k < h.chunks; k++) TRY(get_chunk(r, state));
    file_end end;
    TRY(get_raw(r, &end, sizeof end));
    if (memcmp(end.magic, end_magic, sizeof end.magic) != 0 || end.length != length || r->left != 0)
        return damaged(r, "its end is not where it should be");
    if (end.hash != r->hash) return damaged(r, "its contents have changed");

    *head = (checkpoint_head){.scene_hash = h.scene_hash,
                              .time = h.time,
                              .frame = (uint32_t)h.frame,
                              .step = h.step,
                              .stats_bytes = h.stats_bytes,
                              .gauges_bytes = h.gauges_bytes};
    memcpy(head->method, h.method, CHECKPOINT_METHOD);
    return RILL_OK;
}

static rill_status read_open(ckpt_reader *r, checkpoint_head *head, snapshot *state)
{
    struct stat s;
    if (fstat(r->fd, &s) != 0 || !S_ISREG(s.st_mode))
        return rill_fail(r->ctx, RILL_BAD_FILE, "%s: not a file", r->name);
    r->left = (uint64_t)s.st_size;
    r->zstd = ZSTD_createDCtx();
    rill_status st = r->zstd ? RILL_OK : mem_failed(r->ctx, block_bytes, 1);
    if (!st) st = get_all(r, (uint64_t)s.st_size, head, state);
    ZSTD_freeDCtx(r->zstd);
    mem_free(r->ctx, r->packed);
    mem_free(r->ctx, r->block);
    return st;
}

static rill_status read_file(rill_ctx *ctx, const char *path, const char *name, checkpoint_head *head,
                             snapshot *state)
{
    ckpt_reader r = {.ctx = ctx, .name = name};
    r.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (r.fd < 0) return rill_fail(ctx, RILL_BAD_FILE, "%s: cannot read: %s", name, strerror(errno));
    const rill_status st = read_open(&r, head, state);
    close(r.fd);
    return st;
}

rill_status checkpoint_read(rill_ctx *ctx, const char *path, checkpoint_head *head, snapshot *state)
{
    checkpoint_head seen;
    TRY(read_file(ctx, path, path, &seen, NULL));
    if (state) { /* the file is sound: only a lack of memory, or a change of the file meanwhile, can fail now
                  */
        snapshot_reset(state);
        const rill_status st = read_file(ctx, path, path, &seen, state);
        if (st) {
            snapshot_reset(state);
            return st;
        }
    }
    *head = seen;
    return RILL_OK;
}
