#include "serve/smoke.h"

#include "serve/wire.h"

#include "io/ply.h"
#include "volume/volume.h"

#include <math.h>
#include <stdlib.h>

static const double faint = 1e-3; /* soot below this share of the most is left out */

/* The box of the finite points; false: there are none. */
static bool find_box(const particles *p, rill_box *out)
{
    rill_box box = box_empty();
    for (size_t i = 0; i < p->count; i++)
        if (v3_finite(p->position[i])) box = box_with(box, p->position[i]);
    *out = box;
    return box.min.x <= box.max.x;
}

/* Cells that keep the longest side within SMOKE_SIDE, samples beyond the box and whole blocks included. */
static double cell_for(const rill_box *box, double smallest)
{
    const rill_vec3 e = v3_sub(box->max, box->min);
    return fmax(smallest, fmax(e.x, fmax(e.y, e.z)) / (SMOKE_SIDE - 2 * VOLUME_BLOCK));
}

/* The blocks of the field as one dense box. */
typedef struct {
    const volume *v;
    int32_t low[3], count[3]; /* in samples */
    double high;              /* density of level SMOKE_LEVELS */
} dense;

static dense dense_of(const volume *v)
{
    dense d = {.v = v};
    for (size_t k = 0; k < v->map.count; k++)
        for (int a = 0; a < 3; a++) {
            const int32_t at = VOLUME_BLOCK * v->map.block[k][a];
            const int32_t end = d.low[a] + d.count[a];
            const int32_t low = k && d.low[a] < at ? d.low[a] : at;
            const int32_t high = k && end > at + VOLUME_BLOCK ? end : at + VOLUME_BLOCK;
            d.low[a] = low;
            d.count[a] = high - low;
        }
    for (size_t i = 0; i < VOLUME_SAMPLES * v->map.count; i++) d.high = fmax(d.high, (double)v->value[i]);
    return d;
}

/* Square roots: what is thin keeps its shades. */
static void fill_levels(void *arg, size_t begin, size_t end, int32_t *out)
{
    const dense *d = arg;
    const size_t nx = (size_t)d->count[0], ny = (size_t)d->count[1];
    const double scale = d->high > 0 ? 1 / d->high : 0;
    for (size_t i = begin; i < end; i++) {
        const int32_t x = d->low[0] + (int32_t)(i % nx), y = d->low[1] + (int32_t)(i / nx % ny),
                      z = d->low[2] + (int32_t)(i / nx / ny);
        const uint32_t b = block_map_find(&d->v->map, x >> 3, y >> 3, z >> 3);
        const float value =
            b == BLOCK_NONE
                ? 0
                : d->v->value[(size_t)b * VOLUME_SAMPLES + (size_t)((z & 7) << 6 | (y & 7) << 3 | (x & 7))];
        out[i - begin] = value > 0 ? (int32_t)(SMOKE_LEVELS * sqrt((double)value * scale) + 0.5) : 0;
    }
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The density that 98 of 100 samples of the smoke are below, from a part of them. */
static double bright(const volume *v, double high)
{
    enum { SAMPLES = 2048 };
    float sample[SAMPLES];
    size_t n = 0, positive = 0;
    for (size_t i = 0; i < VOLUME_SAMPLES * v->map.count; i++) positive += v->value[i] > 0;
    const size_t step = positive / SAMPLES + 1;
    size_t seen = 0;
    for (size_t i = 0; i < VOLUME_SAMPLES * v->map.count; i++)
        if (v->value[i] > 0 && seen++ % step == 0 && n < SAMPLES) sample[n++] = v->value[i];
    if (!n) return high;
    qsort(sample, n, sizeof *sample, ascending);
    return (double)sample[n - 1 - n / 50];
}

static void put(packer *p, const volume *v, double time)
{
    dense d = dense_of(v);
    packer_u32(p, SMOKE_MAGIC);
    packer_u32(p, WIRE_VERSION);
    for (int a = 0; a < 3; a++) packer_u32(p, (uint32_t)d.count[a]);
    packer_f32(p, d.high);
    packer_f64(p, time);
    packer_f64(p, v->origin.x + v->cell * d.low[0]);
    packer_f64(p, v->origin.y + v->cell * d.low[1]);
    packer_f64(p, v->origin.z + v->cell * d.low[2]);
    packer_f64(p, v->cell);
    packer_f32(p, bright(v, d.high));
    packer_u32(p, 0);
    packer_channel(p, (size_t)d.count[0] * (size_t)d.count[1] * (size_t)d.count[2], fill_levels, &d);
}

static rill_status field_of(rill_ctx *ctx, const smoke_def *def, const particles *p, volume *out)
{
    rill_box box;
    if (!find_box(p, &box)) return RILL_OK;
    const double cell = cell_for(&box, def->cell);
    if (!def->soot) return volume_of_dots(ctx, p, box.min, cell, 3, out, NULL);
    const float *soot = particles_column(p, "soot");
    if (!soot) return rill_fail(ctx, RILL_BAD_FILE, "%s: the cells have no soot", def->name);
    double most = 0;
    for (size_t i = 0; i < p->count; i++) most = fmax(most, (double)soot[i]);
    return most > 0 ? volume_around_sites(ctx, p, 0, soot, faint * most, box.min, cell, out) : RILL_OK;
}

rill_status smoke_encode(rill_ctx *ctx, const smoke_def *def, const char *bytes, size_t length, packer *out)
{
    ply_header *h;
    particles p = {0};
    volume field = {0};
    packer made;
    packer_init(&made, out->ctx);
    TRY(MEM_NEW(ctx, h, 1));
    rill_status st = ply_parse_particles(ctx, def->name, bytes, length, &p, h);
    if (!st) st = field_of(ctx, def, &p, &field);
    if (!st) put(&made, &field, h->time);
    if (!st && made.failed) st = mem_failed(ctx, made.length, 1);
    volume_clear(ctx, &field);
    particles_clear(ctx, &p);
    mem_free(ctx, h);
    if (st)
        packer_clear(&made);
    else
        *out = made;
    return st;
}
