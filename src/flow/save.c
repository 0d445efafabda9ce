/* Particles as chunks: PREFIX.count is implied by the length of the arrays, which must
 * agree; PREFIX.next_id goes on where ids stopped; PREFIX.columns is how many columns
 * there are, each a chunk PREFIX.NAME. */
#include "flow/save.h"

#include "flow/particles.h"

#include <stdio.h>

_Static_assert(sizeof(rill_vec3) == 3 * sizeof(double), "vectors are saved as three doubles");

size_t save_type_size(save_type type)
{
    static const size_t size[SAVE_TYPES] = {1, 4, 4, 8, 4, 8};
    return (unsigned)type < SAVE_TYPES ? size[type] : 0;
}

/* Longer than any chunk's name may be: writer and reader refuse what does not fit. */
typedef struct {
    char text[2 * SAVE_NAME];
} chunk_name;

static chunk_name name_of(const char *prefix, const char *what)
{
    chunk_name n;
    snprintf(n.text, sizeof n.text, "%s.%s", prefix, what);
    return n;
}

static rill_status save_named(rill_writer *w, const char *prefix, const char *what, save_type type,
                              uint64_t count, const void *data)
{
    const chunk_name n = name_of(prefix, what);
    return save_chunk(w, n.text, type, count, data);
}

static rill_status load_named(rill_reader *r, const char *prefix, const char *what, save_type type,
                              uint64_t count, void *data)
{
    const chunk_name n = name_of(prefix, what);
    return load_chunk(r, n.text, type, count, data);
}

rill_status particles_save(const particles *p, const char *prefix, rill_writer *w)
{
    TRY(save_named(w, prefix, "next_id", SAVE_U64, 1, &p->next_id));
    TRY(save_named(w, prefix, "columns", SAVE_U32, 1, &p->column_count));
    TRY(save_named(w, prefix, "position", SAVE_F64, 3 * (uint64_t)p->count, p->position));
    TRY(save_named(w, prefix, "velocity", SAVE_F64, 3 * (uint64_t)p->count, p->velocity));
    TRY(save_named(w, prefix, "id", SAVE_U64, p->count, p->id));
    for (uint32_t c = 0; c < p->column_count; c++)
        TRY(save_named(w, prefix, p->column[c].name, SAVE_F32, p->count, p->column[c].value));
    return RILL_OK;
}

static rill_status expect_count(rill_ctx *ctx, rill_reader *r, const char *prefix, const char *what,
                                save_type type, uint64_t expected)
{
    const chunk_name n = name_of(prefix, what);
    uint64_t count = 0;
    TRY(load_count(r, n.text, type, &count));
    if (count != expected)
        return rill_fail(ctx, RILL_BAD_FILE,
                         "saved state: \"%s\" holds %llu values where %llu were expected; it is damaged or "
                         "of another version",
                         n.text, (unsigned long long)count, (unsigned long long)expected);
    return RILL_OK;
}

/* The number of particles, when every array agrees on it. */
static rill_status check_counts(rill_ctx *ctx, const particles *p, const char *prefix, rill_reader *r,
                                uint64_t *out)
{
    uint64_t count = 0;
    uint32_t columns;
    const chunk_name id = name_of(prefix, "id");
    TRY(load_count(r, id.text, SAVE_U64, &count));
    if (count >= UINT32_MAX)
        return rill_fail(ctx, RILL_BAD_FILE, "saved state: \"%s\" claims %llu particles, more than fit",
                         id.text, (unsigned long long)count);
    TRY(expect_count(ctx, r, prefix, "next_id", SAVE_U64, 1));
    TRY(expect_count(ctx, r, prefix, "columns", SAVE_U32, 1));
    TRY(expect_count(ctx, r, prefix, "position", SAVE_F64, 3 * count));
    TRY(expect_count(ctx, r, prefix, "velocity", SAVE_F64, 3 * count));
    TRY(load_named(r, prefix, "columns", SAVE_U32, 1, &columns));
    if (columns != p->column_count)
        return rill_fail(ctx, RILL_BAD_FILE,
                         "saved state: \"%s\" has %u columns where %u were expected; it is of another "
                         "method or version",
                         prefix, columns, p->column_count);
    for (uint32_t c = 0; c < p->column_count; c++)
        TRY(expect_count(ctx, r, prefix, p->column[c].name, SAVE_F32, count));
    *out = count;
    return RILL_OK;
}

static rill_status read_arrays(rill_ctx *ctx, particles *q, const char *prefix, rill_reader *r)
{
    TRY(load_named(r, prefix, "next_id", SAVE_U64, 1, &q->next_id));
    TRY(load_named(r, prefix, "position", SAVE_F64, 3 * (uint64_t)q->count, q->position));
    TRY(load_named(r, prefix, "velocity", SAVE_F64, 3 * (uint64_t)q->count, q->velocity));
    TRY(load_named(r, prefix, "id", SAVE_U64, q->count, q->id));
    for (uint32_t c = 0; c < q->column_count; c++)
        TRY(load_named(r, prefix, q->column[c].name, SAVE_F32, q->count, q->column[c].value));
    for (size_t i = 0; i < q->count; i++)
        if (q->id[i] >= q->next_id)
            return rill_fail(ctx, RILL_BAD_FILE,
                             "saved state: \"%s\" has a particle with id %llu, but ids end before %llu; it "
                             "is damaged",
                             prefix, (unsigned long long)q->id[i], (unsigned long long)q->next_id);
    return RILL_OK;
}

rill_status particles_load(rill_ctx *ctx, particles *p, const char *prefix, rill_reader *r)
{
    uint64_t count = 0;
    TRY(check_counts(ctx, p, prefix, r, &count));

    particles q = {0};
    rill_status st = RILL_OK;
    for (uint32_t c = 0; !st && c < p->column_count; c++)
        st = particles_add_column(ctx, &q, p->column[c].name);
    if (!st) st = particles_reserve(ctx, &q, (size_t)count > 0 ? (size_t)count : 1);
    if (!st) {
        q.count = (size_t)count;
        st = read_arrays(ctx, &q, prefix, r);
    }
    if (!st) {
        const particles old = *p;
        *p = q;
        q = old;
    }
    particles_clear(ctx, &q);
    return st;
}
