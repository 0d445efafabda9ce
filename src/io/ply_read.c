/* Particles from PLY, and what is in a PLY file. */
#include "io/file.h"
#include "io/ply_data.h"

#include <math.h>
#include <string.h>

static rill_status read_ids(const ply_data *d, const ply_element *e, bool *used, particles *p)
{
    const ply_column low = ply_find_column(d, e, "id_low", used),
                     high = ply_find_column(d, e, "id_high", used);
    const bool wide = low.first && high.first && low.type == PLY_U32 && high.type == PLY_U32;
    for (size_t i = 0; i < e->count; i++) {
        p->id[i] = wide ? (uint64_t)ply_value(low.first + i * low.stride, PLY_U32) |
                              (uint64_t)ply_value(high.first + i * high.stride, PLY_U32) << 32
                        : i;
        if (p->id[i] == UINT64_MAX)
            return ply_bad(d, e, i, low.first + i * low.stride, "vertex %zu has an id out of range", i);
        if (p->id[i] >= p->next_id) p->next_id = p->id[i] + 1;
    }
    return RILL_OK;
}

static rill_status fill_particles(ply_data *d, particles *p)
{
    const ply_element *e;
    ply_column x[3], v[3];
    bool used[PLY_MAX_PROPERTIES] = {false};
    TRY(ply_find_vertices(d, &e, x, used));
    const bool moving = ply_find_three(d, e, "vx", "vy", "vz", v, used);
    TRY(particles_reserve(d->ctx, p, e->count));
    p->count = e->count;
    TRY(ply_vectors(d, e, x, p->position));
    if (moving)
        TRY(ply_vectors(d, e, v, p->velocity));
    else if (e->count)
        memset(p->velocity, 0, e->count * sizeof *p->velocity);
    TRY(read_ids(d, e, used, p));
    for (uint32_t k = 0; k < e->property_count && p->column_count < PARTICLE_MAX_COLUMNS; k++) {
        if (used[k] || strlen(e->property[k].name) >= PARTICLE_NAME) continue;
        TRY(particles_add_column(d->ctx, p, e->property[k].name));
        const ply_column c = ply_column_at(d, e, k);
        TRY(ply_floats(d, e, &c, p->column[p->column_count - 1].value, 1));
    }
    return RILL_OK;
}

rill_status ply_parse_particles(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                particles *out, ply_header *header)
{
    ply_data d;
    ply_header *h;
    particles p = {0};
    TRY(MEM_NEW(ctx, h, 1));
    rill_status st = ply_open(ctx, name, bytes, length, h, &d);
    if (!st) st = fill_particles(&d, &p);
    if (!st) {
        particles_clear(ctx, out);
        *out = p;
        if (header) *header = *h;
    } else {
        particles_clear(ctx, &p);
    }
    ply_close(&d);
    mem_free(ctx, h);
    return st;
}

/* ---- files ---- */

rill_status ply_read_particles(rill_ctx *ctx, const char *path, particles *out, ply_header *header)
{
    char *bytes;
    size_t length;
    TRY(file_read_all(ctx, path, PLY_LARGEST, &bytes, &length));
    const rill_status st = ply_parse_particles(ctx, path, bytes, length, out, header);
    mem_free(ctx, bytes);
    return st;
}

static rill_status range_element(ply_data *d, ply_element *e)
{
    for (uint64_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < e->property_count; k++) {
            ply_property *p = &e->property[k];
            const size_t at = d->at;
            TRY(ply_skip_property(d, e, i, p));
            if (p->list) continue;
            const double v = ply_value(d->bytes + at, p->type);
            if (!isfinite(v)) {
                p->not_finite++;
            } else {
                p->min = fmin(p->min, v);
                p->max = fmax(p->max, v);
            }
        }
    return RILL_OK;
}

rill_status ply_inspect(rill_ctx *ctx, const char *path, ply_header *out)
{
    char *bytes;
    size_t length;
    ply_header *h = NULL;
    ply_data d = {.ctx = ctx};
    TRY(file_read_all(ctx, path, PLY_LARGEST, &bytes, &length));
    rill_status st = MEM_NEW(ctx, h, 1);
    if (!st) st = ply_open(ctx, path, bytes, length, h, &d);
    d.at = d.start;
    for (uint32_t k = 0; !st && k < h->element_count; k++) st = range_element(&d, &h->element[k]);
    if (!st) *out = *h;
    ply_close(&d);
    mem_free(ctx, h);
    mem_free(ctx, bytes);
    return st;
}
