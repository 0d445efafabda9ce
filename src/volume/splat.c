/* Dots on a sparse grid. Each block adds up what the dots of itself and of the seven blocks below it give to
 * its samples, in double and in their order: no two write to the same sample, and the result depends on the
 * dots alone. */
#include "base/parallel.h"
#include "volume/volume.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const particles *dots;
    rill_vec3 origin;
    double inverse;
    bool flat;
    block_map home;                   /* blocks of the cells that hold dots */
    uint32_t *first, *order;          /* dots by block, and the end */
    const volume *density, *velocity; /* to be filled; velocity may be NULL */
    double per_dot;                   /* density of one dot in one cell */
} job;

/* The lower corner of a dot's cell and where in the cell it is. */
static bool corner_of(const job *j, rill_vec3 x, int32_t low[3], double f[3])
{
    const rill_vec3 y = v3_scale(v3_sub(x, j->origin), j->inverse);
    if (!(fabs(y.x) < 0x1p28 && fabs(y.y) < 0x1p28 && fabs(y.z) < 0x1p28)) return false;
    for (int a = 0; a < 3; a++) {
        const double at = a == 2 && j->flat ? 0 : v3_axis(y, a);
        low[a] = (int32_t)floor(at);
        f[a] = at - low[a];
    }
    return true;
}

/* ---- dots by block ---- */

static rill_status sort_dots(rill_ctx *ctx, rill_arena *arena, job *j)
{
    const size_t n = j->dots->count;
    uint32_t *home, block = BLOCK_NONE;
    int32_t last[3] = {0}, low[3];
    double f[3];
    TRY(ARENA_NEW(arena, home, n));
    TRY(ARENA_NEW(arena, j->order, n));
    for (size_t i = 0; i < n; i++) {
        home[i] = BLOCK_NONE;
        if (!v3_finite(j->dots->velocity[i]) || !corner_of(j, j->dots->position[i], low, f)) continue;
        if (block == BLOCK_NONE || low[0] >> 3 != last[0] || low[1] >> 3 != last[1] ||
            low[2] >> 3 != last[2]) {
            for (int a = 0; a < 3; a++) last[a] = low[a] >> 3;
            TRY(block_map_add(ctx, &j->home, last[0], last[1], last[2]));
            block = block_map_find(&j->home, last[0], last[1], last[2]);
        }
        home[i] = block;
    }
    TRY(ARENA_NEW(arena, j->first, j->home.count + 2));
    memset(j->first, 0, (j->home.count + 2) * sizeof *j->first);
    for (size_t i = 0; i < n; i++)
        if (home[i] != BLOCK_NONE) j->first[home[i] + 2]++;
    for (size_t k = 2; k < j->home.count + 2; k++) j->first[k] += j->first[k - 1];
    for (size_t i = 0; i < n; i++) /* first[k + 1] goes from the start of block k to its end */
        if (home[i] != BLOCK_NONE) j->order[j->first[home[i] + 1]++] = (uint32_t)i;
    return RILL_OK;
}

/* The blocks that get something: those of the dots, and those above them where a dot's cell reaches over. */
static rill_status find_blocks(rill_ctx *ctx, const job *j, block_map *out)
{
    for (size_t b = 0; b < j->home.count; b++) {
        const int32_t *at = j->home.block[b];
        int reached = 1; /* bit by dx + 2 dy + 4 dz */
        for (uint32_t m = j->first[b]; m < j->first[b + 1]; m++) {
            int32_t low[3];
            double f[3];
            int over = 0;
            corner_of(j, j->dots->position[j->order[m]], low, f);
            for (int a = 0; a < (j->flat ? 2 : 3); a++) over |= (low[a] & 7) == 7 ? 1 << a : 0;
            for (int k = 1; k < 8; k++)
                if ((k & over) == k) reached |= 1 << k;
        }
        for (int k = 0; k < 8; k++)
            if (reached >> k & 1)
                TRY(block_map_add(ctx, out, at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2)));
    }
    return block_map_sort(ctx, out);
}

/* ---- sums ---- */

/* What one dot gives to the samples of a block: sums of weights and of weighted velocities. */
static void add_dot(const job *j, uint32_t i, const int32_t block[3], double (*sum)[4])
{
    int32_t low[3];
    double f[3];
    corner_of(j, j->dots->position[i], low, f);
    const rill_vec3 v = j->dots->velocity[i];
    for (int corner = 0; corner < (j->flat ? 4 : 8); corner++) {
        double w = 1;
        bool own = true;
        int at[3];
        for (int a = 0; a < 3; a++) {
            const int32_t k = low[a] + (corner >> a & 1);
            own = own && k >> 3 == block[a];
            at[a] = k & 7;
            w *= corner >> a & 1 ? f[a] : 1 - f[a];
        }
        if (!own || !(w > 0)) continue;
        double *s = sum[(at[2] * 8 + at[1]) * 8 + at[0]];
        s[0] += w;
        s[1] += w * v.x, s[2] += w * v.y, s[3] += w * v.z;
    }
}

static void fill_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t b = begin; b < end; b++) {
        double sum[VOLUME_SAMPLES][4] = {{0}};
        const int32_t *at = j->density->map.block[b];
        for (int k = 0; k < 8; k++) {
            const uint32_t home =
                block_map_find(&j->home, at[0] - (k & 1), at[1] - (k >> 1 & 1), at[2] - (k >> 2));
            if (home == BLOCK_NONE) continue;
            for (uint32_t m = j->first[home]; m < j->first[home + 1]; m++) add_dot(j, j->order[m], at, sum);
        }
        for (size_t s = 0; s < VOLUME_SAMPLES; s++) {
            const size_t to = b * VOLUME_SAMPLES + s;
            j->density->value[to] = (float)(sum[s][0] * j->per_dot);
            for (int a = 0; j->velocity && a < 3; a++)
                j->velocity->value[3 * to + (size_t)a] =
                    sum[s][0] > 0 ? (float)(sum[s][a + 1] / sum[s][0]) : 0;
        }
    }
}

static rill_status make(rill_ctx *ctx, const job *j, const char *name, int width, double cell, volume *out)
{
    out->origin = j->origin;
    out->cell = cell;
    out->dimensions = j->flat ? 2 : 3;
    out->width = width;
    snprintf(out->name, sizeof out->name, "%s", name);
    TRY(find_blocks(ctx, j, &out->map));
    return MEM_NEW(ctx, out->value, out->map.count * VOLUME_SAMPLES * (size_t)width);
}

rill_status volume_of_dots(rill_ctx *ctx, const particles *dots, rill_vec3 origin, double cell,
                           int dimensions, volume *density, volume *velocity)
{
    volume made = {0}, moved = {0};
    rill_arena arena;
    job j = {.dots = dots, .origin = origin, .inverse = 1 / cell, .flat = dimensions == 2};
    j.per_dot = 1 / (cell * cell * (j.flat ? 1 : cell));
    arena_init(&arena, ctx);
    rill_status st = sort_dots(ctx, &arena, &j);
    if (!st) st = make(ctx, &j, "density", 1, cell, &made);
    if (!st && velocity) st = make(ctx, &j, "velocity", 3, cell, &moved);
    if (!st) {
        j.density = &made;
        j.velocity = velocity ? &moved : NULL;
        parallel_for(ctx, made.map.count, 1, fill_blocks, &j);
        *density = made;
        if (velocity) *velocity = moved;
    } else {
        volume_clear(ctx, &made);
        volume_clear(ctx, &moved);
    }
    block_map_clear(ctx, &j.home);
    arena_clear(&arena);
    return st;
}
