#include "flow/trace_samples.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "flow/tracers.h"
#include "geom/search/block_map.h"

enum { BLOCK = 1024 };

typedef float f8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t i8 __attribute__((vector_size(32)));

/* The samples around a cell, from its corner in reaches, padded to whole eights with some that no
 * place sees. */
typedef struct {
    float *x, *y, *z, *u, *v, *w;
    uint32_t *sample;
    size_t count;
    uint32_t part; /* of all of them; TRACE_NEAREST: not all the same */
} around;

typedef struct {
    const trace_samples_def *def;
    rill_vec3 origin;
    double inverse;  /* 1 / reach */
    block_map cells; /* those with samples */
    uint32_t *first; /* per cell and one more */
    uint32_t *order; /* samples by cell */
    size_t most;     /* samples around a cell, at most */
    around near[PARALLEL_MAX_THREADS];
    const rill_vec3 *x;
    uint32_t *part;
    rill_vec3 *u;
} job;

/* ---- samples by cell ---- */

static bool cell_of(const job *j, rill_vec3 x, int32_t cell[3])
{
    const rill_vec3 y = v3_scale(v3_sub(x, j->origin), j->inverse);
    if (!(fabs(y.x) < 0x1p28 && fabs(y.y) < 0x1p28 && fabs(y.z) < 0x1p28)) return false;
    cell[0] = (int32_t)floor(y.x);
    cell[1] = (int32_t)floor(y.y);
    cell[2] = j->def->dimensions == 2 ? 0 : (int32_t)floor(y.z);
    return true;
}

static rill_status put_into_cells(rill_ctx *ctx, rill_arena *arena, job *j)
{
    const trace_samples_def *d = j->def;
    uint32_t *home;
    int32_t c[3];
    TRY(ARENA_NEW(arena, home, d->count));
    TRY(ARENA_NEW(arena, j->order, d->count));
    for (size_t i = 0; i < d->count; i++)
        if (v3_finite(d->position[i])) {
            j->origin = d->position[i];
            break;
        }
    for (size_t i = 0; i < d->count; i++) {
        home[i] = BLOCK_NONE;
        if (!cell_of(j, d->position[i], c)) continue;
        home[i] = block_map_find(&j->cells, c[0], c[1], c[2]);
        if (home[i] != BLOCK_NONE) continue;
        home[i] = (uint32_t)j->cells.count;
        TRY(block_map_add(ctx, &j->cells, c[0], c[1], c[2]));
    }
    TRY(ARENA_NEW(arena, j->first, j->cells.count + 1));
    for (size_t k = 0; k <= j->cells.count; k++) j->first[k] = 0;
    for (size_t i = 0; i < d->count; i++)
        if (home[i] != BLOCK_NONE) j->first[home[i] + 1]++;
    uint32_t fullest = 0;
    for (size_t k = 1; k <= j->cells.count; k++) {
        fullest = j->first[k] > fullest ? j->first[k] : fullest;
        j->first[k] += j->first[k - 1];
    }
    for (size_t i = 0; i < d->count;
         i++) /* first[k] becomes the end of k, which is then the start of k + 1 */
        if (home[i] != BLOCK_NONE) j->order[j->first[home[i]]++] = (uint32_t)i;
    for (size_t k = j->cells.count; k > 0; k--) j->first[k] = j->first[k - 1];
    j->first[0] = 0;
    const size_t around_it = (size_t)fullest * (d->dimensions == 2 ? 9 : 27);
    j->most = (around_it < d->count ? around_it : d->count) + 8;
    return RILL_OK;
}

static rill_status near_init(rill_ctx *ctx, rill_arena *arena, job *j)
{
    for (int w = 0; w < parallel_workers(ctx); w++) {
        around *a = &j->near[w];
        float **column[6] = {&a->x, &a->y, &a->z, &a->u, &a->v, &a->w};
        for (int k = 0; k < 6; k++) TRY(ARENA_NEW(arena, *column[k], j->most));
        TRY(ARENA_NEW(arena, a->sample, j->most));
    }
    return RILL_OK;
}

static uint32_t part_of(const trace_samples_def *d, uint32_t sample)
{
    if (!d->part || !(d->part[sample] >= 0 && d->part[sample] < 0x1p31f)) return 0;
    return (uint32_t)d->part[sample];
}

static void gather(const job *j, const int32_t cell[3], around *a)
{
    const trace_samples_def *d = j->def;
    const int deep = d->dimensions == 2 ? 0 : 1;
    const rill_vec3 corner = v3_madd(j->origin, d->reach, v3(cell[0], cell[1], cell[2]));
    a->count = 0;
    a->part = TRACE_NEAREST;
    bool same = true;
    for (int z = -deep; z <= deep; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const uint32_t k = block_map_find(&j->cells, cell[0] + x, cell[1] + y, cell[2] + z);
                if (k == BLOCK_NONE) continue;
                for (uint32_t m = j->first[k]; m < j->first[k + 1]; m++) {
                    const uint32_t i = j->order[m];
                    const size_t to = a->count++;
                    const rill_vec3 r = v3_scale(v3_sub(d->position[i], corner), j->inverse);
                    a->x[to] = (float)r.x, a->y[to] = (float)r.y, a->z[to] = deep ? (float)r.z : 0;
                    a->u[to] = (float)d->velocity[i].x, a->v[to] = (float)d->velocity[i].y;
                    a->w[to] = (float)d->velocity[i].z;
                    a->sample[to] = i;
                    const uint32_t part = part_of(d, i);
                    same = same && (to == 0 || part == a->part);
                    a->part = part;
                }
            }
    if (!same) a->part = TRACE_NEAREST;
    for (size_t to = a->count; to & 7; to++) {
        a->x[to] = a->y[to] = a->z[to] = 1e6f;
        a->u[to] = a->v[to] = a->w[to] = 0;
    }
}

/* ---- averages ---- */

static double sum8(f8 v)
{
    return (double)(((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])));
}

/* All that are gathered count: sums of weights and of weighted velocities. */
static void add_all(const around *a, const float at[3], double sum[4])
{
    f8 all = {0}, u = {0}, v = {0}, w = {0};
    for (size_t i = 0; i < a->count; i += 8) {
        const f8 dx = *(const f8 *)(a->x + i) - at[0], dy = *(const f8 *)(a->y + i) - at[1],
                 dz = *(const f8 *)(a->z + i) - at[2];
        const f8 rest = 1 - (dx * dx + dy * dy + dz * dz);
        const f8 t = (f8)((i8)rest & (rest > 0)), k = t * t * t;
        all += k;
        u += k * *(const f8 *)(a->u + i);
        v += k * *(const f8 *)(a->v + i);
        w += k * *(const f8 *)(a->w + i);
    }
    sum[0] = sum8(all), sum[1] = sum8(u), sum[2] = sum8(v), sum[3] = sum8(w);
}

/* The samples of one part that nothing hides; *part may be TRACE_NEAREST. */
static void add_some(const job *j, const around *a, const float at[3], rill_vec3 x, uint32_t *part,
                     double sum[4])
{
    const trace_samples_def *d = j->def;
    for (int pass = *part == TRACE_NEAREST ? 0 : 1; pass < 2; pass++) {
        float least = 1;
        for (int k = 0; k < 4; k++) sum[k] = 0;
        for (size_t i = 0; i < a->count; i++) {
            const float dx = a->x[i] - at[0], dy = a->y[i] - at[1], dz = a->z[i] - at[2];
            const float d2 = dx * dx + dy * dy + dz * dz, t = 1 - d2;
            const uint32_t own = part_of(d, a->sample[i]);
            if (!(t > 0) || (pass == 0 ? d2 >= least : own != *part)) continue;
            if (d->parted && d->parted(d->user, d->position[a->sample[i]], x)) continue;
            if (pass == 0) {
                least = d2;
                *part = own;
                continue;
            }
            const double k = (double)(t * t * t);
            sum[0] += k;
            sum[1] += k * (double)a->u[i];
            sum[2] += k * (double)a->v[i];
            sum[3] += k * (double)a->w[i];
        }
        if (*part == TRACE_NEAREST) return; /* none is in reach */
    }
}

static void average(void *arg, size_t begin, size_t end, int worker)
{
    job *j = arg;
    around *a = &j->near[worker];
    int32_t last[3] = {INT32_MIN, 0, 0};
    for (size_t i = begin; i < end; i++) {
        int32_t cell[3];
        if (j->part[i] == TRACE_NOWHERE) continue;
        if (!cell_of(j, j->x[i], cell)) {
            j->part[i] = TRACE_NOWHERE;
            continue;
        }
        if (cell[0] != last[0] || cell[1] != last[1] || cell[2] != last[2]) {
            gather(j, cell, a);
            for (int k = 0; k < 3; k++) last[k] = cell[k];
        }
        const rill_vec3 corner = v3_madd(j->origin, j->def->reach, v3(cell[0], cell[1], cell[2]));
        const rill_vec3 r = v3_scale(v3_sub(j->x[i], corner), j->inverse);
        const float at[3] = {(float)r.x, (float)r.y, j->def->dimensions == 2 ? 0 : (float)r.z};
        double sum[4] = {0};
        uint32_t part = j->part[i];
        if (a->part == TRACE_NEAREST || j->def->parted) {
            if (a->count) add_some(j, a, at, j->x[i], &part, sum);
        } else if (part == TRACE_NEAREST || part == a->part) {
            part = a->part;
            add_all(a, at, sum);
        }
        j->part[i] = sum[0] > 0 ? part : TRACE_NOWHERE;
        if (sum[0] > 0) j->u[i] = v3(sum[1] / sum[0], sum[2] / sum[0], sum[3] / sum[0]);
    }
}

rill_status trace_samples(rill_ctx *ctx, const trace_samples_def *def, size_t n, const rill_vec3 *x,
                          uint32_t *part, rill_vec3 *u)
{
    job j = {.def = def, .inverse = 1 / def->reach, .x = x, .part = part, .u = u};
    rill_arena arena;
    arena_init(&arena, ctx);
    rill_status st = put_into_cells(ctx, &arena, &j);
    if (!st) st = near_init(ctx, &arena, &j);
    if (!st) parallel_for(ctx, n, BLOCK, average, &j);
    block_map_clear(ctx, &j.cells);
    arena_clear(&arena);
    return st;
}
