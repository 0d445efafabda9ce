#include "geom/search/neighbours.h"

#include <immintrin.h>
#include <string.h>

void neighbours_init(neighbours *n, rill_ctx *ctx)
{
    *n = (neighbours){.ctx = ctx};
    for (int mask = 0; mask < 256; mask++) {
        int at = 0;
        for (int lane = 0; lane < 8; lane++)
            if (mask >> lane & 1) {
                n->compress[mask][at++] = (uint8_t)(2 * lane);
                n->compress[mask][at++] = (uint8_t)(2 * lane + 1);
            }
        while (at < 16) n->compress[mask][at++] = 0x80; /* zero */
    }
}

void neighbours_clear(neighbours *n)
{
    mem_free(n->ctx, n->count);
    mem_free(n->ctx, n->segment);
    mem_free(n->ctx, n->pool);
    neighbours_init(n, n->ctx);
}

/* What a worker keeps between tiles. */
typedef struct {
    float (*point)[4];         /* the halo's points */
    float *x, *y, *z, *reach2; /* the same, by coordinate */
    uint16_t *list;            /* the lists of the tile being built */
    size_t list_capacity;
} scratch;

typedef struct {
    neighbours *n;
    const tiles *t;
    const float (*position)[4];
    float reach; /* 0: each point its own */
    scratch *worker;
    _Atomic uint64_t used;
    atomic_int failed;
} build_job;

/* Ids of the points of [begin, end) within reach of (x, y, z), appended to list, which
 * has room for 8 more than there are. */
static inline __attribute__((always_inline)) size_t scan_row(const neighbours *n, const scratch *s,
                                                             uint32_t begin, uint32_t end, __m256 xi,
                                                             __m256 yi, __m256 zi, __m256 reach2,
                                                             bool own_reach, uint16_t *list)
{
    const __m128i lanes = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
    size_t found = 0;
    for (uint32_t k = begin; k < end; k += 8) {
        const __m256 dx = _mm256_sub_ps(xi, _mm256_loadu_ps(s->x + k));
        const __m256 dy = _mm256_sub_ps(yi, _mm256_loadu_ps(s->y + k));
        const __m256 dz = _mm256_sub_ps(zi, _mm256_loadu_ps(s->z + k));
        const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        const __m256 limit = own_reach ? _mm256_max_ps(reach2, _mm256_loadu_ps(s->reach2 + k)) : reach2;
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, limit, _CMP_LT_OQ));
        const uint32_t left = end - k;
        if (left < 8) mask &= (1u << left) - 1;
        const __m128i ids = _mm_add_epi16(lanes, _mm_set1_epi16((short)k));
        const __m128i chosen = _mm_shuffle_epi8(ids, _mm_loadu_si128((const __m128i *)n->compress[mask]));
        _mm_storeu_si128((__m128i *)(list + found), chosen);
        found += (size_t)__builtin_popcount(mask);
    }
    return found;
}

static bool reserve_list(build_job *j, scratch *s, size_t used, size_t more)
{
    if (used + more <= s->list_capacity) return true;
    const size_t capacity = 2 * (used + more);
    uint16_t *fresh = mem_alloc(j->n->ctx, capacity, sizeof *fresh);
    if (!fresh) {
        atomic_store(&j->failed, 1);
        return false;
    }
    if (used) memcpy(fresh, s->list, used * sizeof *fresh);
    mem_free(j->n->ctx, s->list);
    s->list = fresh;
    s->list_capacity = capacity;
    return true;
}

/* The lists of one cell's points; returns the new length of the tile's lists. */
static inline __attribute__((always_inline)) size_t
scan_cell(build_job *j, scratch *s, const halo *h, int cell, uint32_t first, bool own_reach, size_t used)
{
    uint32_t begin[9], end[9];
    int rows = 0;
    const int dz_max = h->hz == 1 ? 0 : 1;
    for (int dz = -dz_max; dz <= dz_max; dz++)
        for (int dy = -1; dy <= 1; dy++) {
            const int row = cell + (dz * h->hy + dy) * h->hx;
            begin[rows] = h->local[row - 1];
            end[rows] = h->local[row + 2];
            rows += end[rows] > begin[rows];
        }
    for (uint32_t i = h->local[cell]; i < h->local[cell + 1]; i++, first++) {
        if (!reserve_list(j, s, used, h->count + 2 * NEIGHBOUR_LANES)) return used;
        const __m256 xi = _mm256_set1_ps(s->x[i]), yi = _mm256_set1_ps(s->y[i]), zi = _mm256_set1_ps(s->z[i]);
        const __m256 reach2 = _mm256_set1_ps(own_reach ? s->reach2[i] : j->reach * j->reach);
        uint16_t *list = s->list + used;
        size_t found = 0;
        for (int r = 0; r < rows; r++)
            found += scan_row(j->n, s, begin[r], end[r], xi, yi, zi, reach2, own_reach, list + found);
        const size_t padded = (found + NEIGHBOUR_LANES - 1) / NEIGHBOUR_LANES * NEIGHBOUR_LANES;
        _mm_storeu_si128((__m128i *)(list + found), _mm_setzero_si128());
        j->n->count[first] = (uint16_t)padded;
        used += padded;
    }
    return used;
}

static size_t scan_tile(build_job *j, scratch *s, const halo *h, uint32_t first)
{
    const tiles *t = j->t;
    size_t used = 0;
    for (int cz = 0; cz < t->nz; cz++)
        for (int cy = 0; cy < t->ny; cy++)
            for (int cx = 0; cx < t->nx; cx++) {
                const int cell = halo_cell(h, cx, cy, cz);
                if (j->reach > 0)
                    used = scan_cell(j, s, h, cell, first, false, used);
                else
                    used = scan_cell(j, s, h, cell, first, true, used);
                first += h->local[cell + 1] - h->local[cell];
            }
    return used;
}

static void build_tiles(void *arg, size_t begin, size_t end, int worker)
{
    build_job *j = arg;
    scratch *s = &j->worker[worker];
    for (size_t k = begin; k < end && !atomic_load(&j->failed); k++) {
        halo h;
        halo_build(j->t, (uint32_t)k, &h);
        halo_gather_positions(halo_runs(&h), j->position, s->point);
        for (uint32_t i = 1; i <= h.count; i++) {
            s->x[i] = s->point[i][0];
            s->y[i] = s->point[i][1];
            s->z[i] = s->point[i][2];
            s->reach2[i] = s->point[i][3] * s->point[i][3];
        }
        const size_t used = scan_tile(j, s, &h, j->t->tile[k].begin);
        const uint64_t at = atomic_fetch_add(&j->used, used);
        j->n->segment[k] = at;
        if (at + used <= j->n->pool_capacity && used)
            memcpy(j->n->pool + at, s->list, used * sizeof *s->list);
    }
}

static rill_status scratch_create(rill_ctx *ctx, size_t points, scratch **out)
{
    const int workers = parallel_workers(ctx);
    scratch *s;
    TRY(MEM_NEW_ZERO(ctx, s, (size_t)workers));
    *out = s;
    const size_t n = points + 2 * NEIGHBOUR_LANES;
    for (int w = 0; w < workers; w++) {
        TRY(MEM_NEW(ctx, s[w].point, n));
        TRY(MEM_NEW_ZERO(ctx, s[w].x, 4 * n));
        s[w].y = s[w].x + n;
        s[w].z = s[w].y + n;
        s[w].reach2 = s[w].z + n;
    }
    return RILL_OK;
}

static void scratch_destroy(rill_ctx *ctx, scratch *s)
{
    for (int w = 0; s && w < parallel_workers(ctx); w++) {
        mem_free(ctx, s[w].point);
        mem_free(ctx, s[w].x);
        mem_free(ctx, s[w].list);
    }
    mem_free(ctx, s);
}

rill_status neighbours_build(neighbours *n, const tiles *t, const float (*position)[4], float reach)
{
    build_job j = {.n = n, .t = t, .position = position, .reach = reach};
    rill_status st = mem_grow(n->ctx, &n->count, sizeof *n->count, &n->count_capacity, t->points);
    if (!st)
        st = mem_grow(n->ctx, &n->segment, sizeof *n->segment, &n->segment_capacity, (size_t)t->count + 1);
    if (!st) st = mem_grow(n->ctx, &n->pool, sizeof *n->pool, &n->pool_capacity, t->points * 40);
    if (!st) st = scratch_create(n->ctx, t->most_halo, &j.worker);

    /* A pool that proves too small grows to the counted size, and the lists are built
     * again: that happens when the liquid has just become denser. */
    for (int round = 0; !st && round < 2; round++) {
        atomic_store(&j.used, 0);
        parallel_for(n->ctx, t->count, 4, build_tiles, &j);
        n->used = atomic_load(&j.used);
        if (atomic_load(&j.failed))
            st = rill_fail(n->ctx, RILL_NO_MEMORY, "out of memory for neighbour lists");
        else if (n->used <= n->pool_capacity)
            break;
        else
            st = mem_grow(n->ctx, &n->pool, sizeof *n->pool, &n->pool_capacity, n->used + n->used / 8);
    }
    scratch_destroy(n->ctx, j.worker);
    return st;
}

void neighbours_by_pairs(const rill_vec3 *position, const double *reach_each, double reach, uint32_t count,
                         neighbours_pair *pair, void *arg)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            const double limit = reach_each ? fmax(reach_each[i], reach_each[j]) : reach;
            const rill_vec3 d = v3_sub(position[i], position[j]);
            if (v3_dot(d, d) < limit * limit) pair(arg, i, j);
        }
}
