#include "geom/sized_lists.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

enum { COORDINATE_BITS = 19, PRESENT_MOST = 1 << 22 };

/* -- cells ------------------------------------------------------------------------------ */

/* The bits of v, two apart. */
static uint64_t spread(uint64_t v)
{
    v = (v | v << 32) & 0x001f00000000ffffull;
    v = (v | v << 16) & 0x001f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

static uint64_t key_of(const sized_points *p, int size, const int32_t at[3])
{
    const uint64_t curve =
        spread((uint64_t)at[0]) | spread((uint64_t)at[1]) << 1 | spread((uint64_t)at[2]) << 2;
    return (uint64_t)size << 3 * p->key_bits | curve;
}

static void cell_at(const sized_points *p, int size, rill_vec3 x, int32_t at[3])
{
    const rill_vec3 d = v3_scale(v3_sub(x, p->origin), 1 / p->reach[size]);
    at[0] = (int32_t)d.x;
    at[1] = (int32_t)d.y;
    at[2] = p->dimensions == 2 ? 0 : (int32_t)d.z;
}

static uint32_t slot_of(const sized_points *p, uint64_t key)
{
    return (uint32_t)(key * 0x9E3779B97F4A7C15ull >> 32) & p->slot_mask;
}

static const sized_cell *find_cell(const sized_points *p, uint64_t key)
{
    for (uint32_t s = slot_of(p, key);; s = (s + 1) & p->slot_mask) {
        const uint32_t c = p->slot[s];
        if (!c) return NULL;
        if (p->cell[c - 1].key == key) return &p->cell[c - 1];
    }
}

/* The first cell of a row of a size's table. */
static size_t row_of(const sized_points *p, int size, int32_t y, int32_t z)
{
    const int32_t *last = p->last[size];
    return ((size_t)z * ((size_t)last[1] + 1) + (size_t)y) * ((size_t)last[0] + 1);
}

typedef struct {
    sized_points *p;
    const rill_vec3 *x;
    const uint8_t *size;
    uint64_t *key;
} key_job;

static void make_keys(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const key_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        int32_t at[3];
        cell_at(j->p, j->size[i], j->x[i], at);
        j->key[i] = key_of(j->p, j->size[i], at);
        j->p->order[i] = (uint32_t)i;
    }
}

/* The box around the points, in the order of the points: a serial pass over 24 bytes each. */
static rill_status find_bounds(rill_ctx *ctx, const rill_vec3 *x, size_t count, int dimensions, rill_box *out)
{
    rill_box b = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    for (size_t i = 0; i < count; i++) {
        if (!v3_finite(x[i]))
            return rill_fail(ctx, RILL_BLEW_UP, "the position of point %zu is not finite", i);
        b.min = v3(fmin(b.min.x, x[i].x), fmin(b.min.y, x[i].y), fmin(b.min.z, x[i].z));
        b.max = v3(fmax(b.max.x, x[i].x), fmax(b.max.y, x[i].y), fmax(b.max.z, x[i].z));
    }
    if (count == 0) b.min = b.max = v3(0, 0, 0);
    if (dimensions == 2) b.min.z = b.max.z = 0;
    *out = b;
    return RILL_OK;
}

/* Occupied cells, from the sorted keys, and where to find them. */
static rill_status list_cells(rill_arena *arena, const uint64_t *key, const rill_vec3 *x, sized_points *p)
{
    uint32_t cells = 0;
    for (size_t i = 0; i < p->count; i++) cells += i == 0 || key[i] != key[i - 1];
    TRY(ARENA_NEW(arena, p->cell, (size_t)cells + 1));
    p->cells = cells;
    uint32_t c = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (i == 0 || key[i] != key[i - 1]) {
            sized_cell *e = &p->cell[c++];
            e->key = key[i];
            e->begin = (uint32_t)i;
            e->size = (int32_t)(key[i] >> 3 * p->key_bits);
            cell_at(p, e->size, x[p->order[i]], e->at);
        }
        p->cell[c - 1].end = (uint32_t)i + 1;
    }
    int size = 0;
    for (uint32_t k = 0; k < cells; k++)
        while (size <= p->cell[k].size) p->begin[size++] = p->cell[k].begin;
    while (size <= p->sizes) p->begin[size++] = (uint32_t)p->count;
    uint32_t slots = 16;
    while (slots < 2 * cells) slots *= 2;
    TRY(ARENA_NEW(arena, p->slot, slots));
    memset(p->slot, 0, slots * sizeof *p->slot);
    p->slot_mask = slots - 1;
    for (uint32_t k = 0; k < cells; k++) {
        uint32_t s = slot_of(p, p->cell[k].key);
        while (p->slot[s]) s = (s + 1) & p->slot_mask;
        p->slot[s] = k + 1;
    }
    return RILL_OK;
}

/* The cubes of the largest reach that a cell, widened by `wide`, touches. */
static void cubes_of(const sized_points *p, const sized_cell *c, double wide, int32_t lo[3], int32_t hi[3])
{
    const double width = p->reach[p->sizes - 1], own = p->reach[c->size];
    for (int k = 0; k < 3; k++) {
        lo[k] = (int32_t)fmax((c->at[k] * own - wide) / width - 1e-9, 0);
        hi[k] = (int32_t)fmin(((c->at[k] + 1) * own + wide) / width + 1e-9, p->cubes[k] - 1);
        if (k == 2 && p->dimensions == 2) lo[k] = hi[k] = 0;
    }
}

/* Where cells are few for the points there are, a table of them all is quicker than the hash. */
static rill_status make_tables(rill_arena *arena, sized_points *p)
{
    for (int k = 0; k < p->sizes; k++) {
        double cells = 1;
        for (int axis = 0; axis < 3; axis++) cells *= p->last[k][axis] + 1;
        p->table[k] = NULL;
        if (p->begin[k] == p->begin[k + 1] || cells > 4.0 * (double)p->count + 4096) continue;
        TRY(ARENA_NEW(arena, p->table[k], (size_t)cells));
        memset(p->table[k], 0, (size_t)cells * sizeof *p->table[k]);
    }
    for (uint32_t i = 0; i < p->cells; i++) {
        const sized_cell *c = &p->cell[i];
        if (p->table[c->size])
            p->table[c->size][row_of(p, c->size, c->at[1], c->at[2]) + (size_t)c->at[0]] = i + 1;
    }
    return RILL_OK;
}

static rill_status mark_present(rill_arena *arena, sized_points *p)
{
    double cubes = 1;
    for (int k = 0; k < 3; k++) cubes *= p->cubes[k];
    p->present = NULL;
    if (p->sizes < 2 || cubes > PRESENT_MOST) return RILL_OK;
    TRY(ARENA_NEW(arena, p->present, (size_t)cubes));
    memset(p->present, 0, (size_t)cubes * sizeof *p->present);
    for (uint32_t i = 0; i < p->cells; i++) {
        int32_t lo[3], hi[3];
        cubes_of(p, &p->cell[i], 0, lo, hi);
        for (int32_t z = lo[2]; z <= hi[2]; z++)
            for (int32_t y = lo[1]; y <= hi[1]; y++)
                for (int32_t x = lo[0]; x <= hi[0]; x++)
                    p->present[((size_t)z * (size_t)p->cubes[1] + (size_t)y) * (size_t)p->cubes[0] +
                               (size_t)x] |= (uint16_t)(1u << p->cell[i].size);
    }
    return RILL_OK;
}

rill_status sized_points_build(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *x, const uint8_t *size,
                               size_t count, const double *reach, int sizes, int dimensions,
                               sized_points *out)
{
    sized_points p = {.count = count, .sizes = sizes, .dimensions = dimensions};
    for (int k = 0; k < sizes; k++) p.reach[k] = reach[k];
    rill_box b = {0};
    TRY(find_bounds(ctx, x, count, dimensions, &b));
    p.origin = b.min;
    int32_t most = 1;
    for (int k = 0; k < sizes; k++)
        for (int axis = 0; axis < 3; axis++) {
            const double cells = (v3_axis(b.max, axis) - v3_axis(b.min, axis)) / reach[k];
            if (!(cells < (1 << COORDINATE_BITS) - 2))
                return rill_fail(ctx, RILL_BLEW_UP, "points are more than %d cells of %.3g m apart",
                                 1 << COORDINATE_BITS, reach[k]);
            p.last[k][axis] = (int32_t)cells;
            if (p.last[k][axis] > most) most = p.last[k][axis];
            if (k == sizes - 1) p.cubes[axis] = (int32_t)cells + 1;
        }
    while (most >> p.key_bits) p.key_bits++;
    int size_bits = 1;
    while (sizes >> size_bits) size_bits++;
    uint64_t *key, *spare_key;
    uint32_t *spare;
    TRY(ARENA_NEW(arena, p.order, count + 1));
    TRY(ARENA_NEW(arena, key, count + 1));
    TRY(ARENA_NEW(arena, spare_key, count + 1));
    TRY(ARENA_NEW(arena, spare, count + 1));
    key_job j = {&p, x, size, key};
    parallel_for(ctx, count, 8192, make_keys, &j);
    TRY(sort_by_key(ctx, count, 3 * p.key_bits + size_bits, key, p.order, spare_key, spare));
    TRY(list_cells(arena, key, x, &p));
    TRY(make_tables(arena, &p));
    TRY(mark_present(arena, &p));
    *out = p;
    return RILL_OK;
}

/* -- lists ------------------------------------------------------------------------------ */

void sized_lists_init(sized_lists *l, rill_ctx *ctx)
{
    *l = (sized_lists){.ctx = ctx};
}

void sized_lists_clear(sized_lists *l)
{
    mem_free(l->ctx, l->first);
    mem_free(l->ctx, l->same);
    mem_free(l->ctx, l->other);
    mem_free(l->ctx, l->pool);
    sized_lists_init(l, l->ctx);
}

/* What a worker keeps between cells. */
typedef struct {
    float *x, *y, *z; /* candidates, from the middle of the cell */
    uint32_t *id;
    size_t capacity, count;
    struct {
        size_t begin, end;
        float reach2;
    } part[SIZED_MOST]; /* candidates by size, the cell's own first */
    int parts;
    uint32_t *list; /* of the cell's points */
    size_t list_capacity;
} candidates;

typedef struct {
    sized_lists *l;
    const sized_points *p;
    const rill_vec3 *x;
    candidates *worker;
    _Atomic uint64_t used; /* lanes */
    atomic_int failed, huge;
    int32_t compress[256][8]; /* lanes to the front */
} build_job;

static bool reserve(build_job *j, candidates *c, size_t more)
{
    const size_t need = c->count + more + 2 * SIZED_LANES;
    if (need <= c->capacity) return true;
    const size_t capacity = 2 * need;
    float *fresh = mem_alloc(j->l->ctx, 4 * capacity, sizeof *fresh);
    if (!fresh) {
        atomic_store(&j->failed, 1);
        return false;
    }
    float *from[4] = {c->x, c->y, c->z, (float *)c->id};
    for (int k = 0; k < 4 && c->count; k++)
        memcpy(fresh + (size_t)k * capacity, from[k], c->count * sizeof *fresh);
    mem_free(j->l->ctx, c->x);
    c->x = fresh;
    c->y = fresh + capacity;
    c->z = fresh + 2 * capacity;
    c->id = (uint32_t *)(fresh + 3 * capacity);
    c->capacity = capacity;
    return true;
}

static bool append_cell(build_job *j, candidates *c, const sized_cell *from, rill_vec3 middle)
{
    if (!reserve(j, c, from->end - from->begin)) return false;
    for (uint32_t i = from->begin; i < from->end; i++) {
        const rill_vec3 d = v3_sub(j->x[i], middle);
        c->x[c->count] = (float)d.x;
        c->y[c->count] = (float)d.y;
        c->z[c->count] = (float)d.z;
        c->id[c->count++] = i;
    }
    return true;
}

/* The points of one size that a point of the cell may see. */
static bool append_size(build_job *j, candidates *c, const sized_cell *home, int size, rill_vec3 middle)
{
    const sized_points *p = j->p;
    const double own = p->reach[home->size], width = p->reach[size], reach = fmax(own, width);
    int32_t lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = (int32_t)fmax((home->at[k] * own - reach) / width - 1e-9, 0);
        hi[k] = (int32_t)fmin(((home->at[k] + 1) * own + reach) / width + 1e-9, p->last[size][k]);
        if (k == 2 && p->dimensions == 2) lo[k] = hi[k] = 0;
    }
    const size_t begin = c->count;
    for (int32_t z = lo[2]; z <= hi[2]; z++)
        for (int32_t y = lo[1]; y <= hi[1]; y++) {
            const uint32_t *row = p->table[size] ? p->table[size] + row_of(p, size, y, z) : NULL;
            for (int32_t x = lo[0]; x <= hi[0]; x++) {
                const int32_t at[3] = {x, y, z};
                const sized_cell *cell = !row     ? find_cell(p, key_of(p, size, at))
                                         : row[x] ? &p->cell[row[x] - 1]
                                                  : NULL;
                if (cell && !append_cell(j, c, cell, middle)) return false;
            }
        }
    if (c->count > begin) {
        c->part[c->parts].begin = begin;
        c->part[c->parts].end = c->count;
        c->part[c->parts++].reach2 = (float)(reach * reach);
    }
    return true;
}

static unsigned sizes_near(const sized_points *p, const sized_cell *c)
{
    unsigned near = 0;
    if (!p->present) return (1u << p->sizes) - 1;
    int32_t lo[3], hi[3];
    cubes_of(p, c, p->reach[p->sizes - 1], lo, hi);
    for (int32_t z = lo[2]; z <= hi[2]; z++)
        for (int32_t y = lo[1]; y <= hi[1]; y++)
            for (int32_t x = lo[0]; x <= hi[0]; x++)
                near |= p->present[((size_t)z * (size_t)p->cubes[1] + (size_t)y) * (size_t)p->cubes[0] +
                                   (size_t)x];
    return near;
}

static bool gather(build_job *j, candidates *c, const sized_cell *home, rill_vec3 middle)
{
    c->count = 0;
    c->parts = 0;
    if (!append_size(j, c, home, home->size, middle)) return false;
    const unsigned near = j->p->sizes > 1 ? sizes_near(j->p, home) : 0;
    for (int size = 0; size < j->p->sizes; size++)
        if (size != home->size && near >> size & 1 && !append_size(j, c, home, size, middle)) return false;
    return true;
}

/* Those of one part within reach of x, appended to list. */
static inline size_t scan_part(const build_job *j, const candidates *c, int part, const float x[3],
                               uint32_t *list)
{
    const __m256 xi = _mm256_set1_ps(x[0]), yi = _mm256_set1_ps(x[1]), zi = _mm256_set1_ps(x[2]);
    const __m256 reach2 = _mm256_set1_ps(c->part[part].reach2);
    size_t found = 0;
    for (size_t k = c->part[part].begin; k < c->part[part].end; k += 8) {
        const __m256 dx = _mm256_sub_ps(xi, _mm256_loadu_ps(c->x + k));
        const __m256 dy = _mm256_sub_ps(yi, _mm256_loadu_ps(c->y + k));
        const __m256 dz = _mm256_sub_ps(zi, _mm256_loadu_ps(c->z + k));
        const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, reach2, _CMP_LT_OQ));
        const size_t left = c->part[part].end - k;
        if (left < 8) mask &= (1u << left) - 1;
        const __m256i ids = _mm256_loadu_si256((const __m256i *)(c->id + k));
        const __m256i front = _mm256_loadu_si256((const __m256i *)j->compress[mask]);
        _mm256_storeu_si256((__m256i *)(list + found), _mm256_permutevar8x32_epi32(ids, front));
        found += (size_t)__builtin_popcount(mask);
    }
    return found;
}

static size_t padded(uint32_t *list, size_t count, uint32_t nobody)
{
    while (count % SIZED_LANES) list[count++] = nobody;
    return count;
}

static void build_cells(void *arg, size_t begin, size_t end, int worker)
{
    build_job *j = arg;
    const sized_points *p = j->p;
    candidates *c = &j->worker[worker];
    const uint32_t nobody = (uint32_t)p->count;
    for (size_t k = begin; k < end && !atomic_load(&j->failed); k++) {
        const sized_cell *home = &p->cell[k];
        const double own = p->reach[home->size];
        const rill_vec3 middle =
            v3_madd(p->origin, own, v3(home->at[0] + 0.5, home->at[1] + 0.5, home->at[2] + 0.5));
        if (!gather(j, c, home, middle)) return;
        const size_t most = c->count + 3 * SIZED_LANES, need = most * (home->end - home->begin);
        if (need > c->list_capacity) {
            mem_free(j->l->ctx, c->list);
            c->list = mem_alloc(j->l->ctx, 2 * need, sizeof *c->list);
            c->list_capacity = c->list ? 2 * need : 0;
            if (!c->list) {
                atomic_store(&j->failed, 1);
                return;
            }
        }
        size_t used = 0;
        for (uint32_t i = home->begin; i < home->end; i++) {
            const rill_vec3 d = v3_sub(j->x[i], middle);
            const float x[3] = {(float)d.x, (float)d.y, (float)d.z};
            const size_t from = used;
            used = padded(c->list, used + scan_part(j, c, 0, x, c->list + used), nobody);
            const size_t same = used - from;
            for (int part = 1; part < c->parts; part++) used += scan_part(j, c, part, x, c->list + used);
            used = padded(c->list, used, nobody);
            if (same / SIZED_LANES > UINT16_MAX || (used - from - same) / SIZED_LANES > UINT16_MAX)
                atomic_store(&j->huge, 1);
            j->l->first[i] = (uint32_t)(from / SIZED_LANES);
            j->l->same[i] = (uint16_t)(same / SIZED_LANES);
            j->l->other[i] = (uint16_t)((used - from - same) / SIZED_LANES);
        }
        const uint64_t at = atomic_fetch_add(&j->used, used / SIZED_LANES);
        if (at > UINT32_MAX) atomic_store(&j->huge, 1);
        for (uint32_t i = home->begin; i < home->end; i++) j->l->first[i] += (uint32_t)at;
        if (used && at * SIZED_LANES + used <= j->l->pool_capacity)
            memcpy(j->l->pool + at * SIZED_LANES, c->list, used * sizeof *c->list);
    }
}

rill_status sized_lists_build(sized_lists *l, const sized_points *p, const rill_vec3 *x)
{
    rill_ctx *ctx = l->ctx;
    build_job j = {.l = l, .p = p, .x = x};
    for (int mask = 0; mask < 256; mask++) {
        int at = 0;
        for (int lane = 0; lane < 8; lane++)
            if (mask >> lane & 1) j.compress[mask][at++] = lane;
        while (at < 8) j.compress[mask][at++] = 0;
    }
    rill_status st = mem_grow(ctx, &l->first, sizeof *l->first, &l->first_capacity, p->count + 1);
    if (!st) st = mem_grow(ctx, &l->same, sizeof *l->same, &l->same_capacity, p->count + 1);
    if (!st) st = mem_grow(ctx, &l->other, sizeof *l->other, &l->other_capacity, p->count + 1);
    if (!st) st = mem_grow(ctx, &l->pool, sizeof *l->pool, &l->pool_capacity, p->count * 48 + SIZED_LANES);
    if (!st) st = MEM_NEW_ZERO(ctx, j.worker, (size_t)parallel_workers(ctx));
    for (int round = 0; !st && round < 2; round++) {
        atomic_store(&j.used, 0);
        parallel_for(ctx, p->cells, 32, build_cells, &j);
        l->used = atomic_load(&j.used) * SIZED_LANES;
        if (atomic_load(&j.failed))
            st = rill_fail(ctx, RILL_NO_MEMORY, "out of memory for neighbour lists");
        else if (atomic_load(&j.huge))
            st = rill_fail(ctx, RILL_BLEW_UP, "too many points in one place for neighbour lists");
        if (st || l->used <= l->pool_capacity) break;
        /* Grown to what was counted, and once more. Nothing in the pool is worth keeping. */
        st = mem_grow(ctx, &l->pool, sizeof *l->pool, &l->pool_capacity, l->used + l->used / 8);
    }
    for (int w = 0; j.worker && w < parallel_workers(ctx); w++) {
        mem_free(ctx, j.worker[w].x);
        mem_free(ctx, j.worker[w].list);
    }
    mem_free(ctx, j.worker);
    return st;
}
