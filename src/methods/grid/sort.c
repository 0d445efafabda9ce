/* Particles in order of tile and cell, and the tiles around them.
 *
 * Tiles that hold particles are the cores. Particles are counted by core in chunks cut by
 * their number alone, put in place chunk after chunk (stable), and then by cell within
 * each core: the same order for any number of threads. */
#include "grid/narrow.h"

#include <string.h>

enum { BLOCK = 16384, CHUNKS = 64, SEEN = 256 };

/* With more particles than this their memory is given back before the fields take theirs. */
static const size_t many = 1 << 20;

/* Farther from the origin than this many cells nothing can be. */
static const double farthest = 0x1p28;

typedef struct {
    grid *s;
    size_t chunk;      /* particles in one: a number of blocks */
    uint32_t *witness; /* of each block's run of new tiles one particle each, then their cores */
    uint32_t *seen;    /* per block: their number; UINT32_MAX: a position cannot be a cell */
    uint32_t *key;     /* per particle: its tile among its block's, times 512, and its cell */
    uint32_t *count;   /* chunks x cores; then where each begins */
    uint32_t *order, *by_core;
    grid_core *range; /* per core */
} sort_job;

static inline bool cell_at(const grid_tiles *t, double inverse, rill_vec3 x, int32_t cell[3])
{
    const double y[3] = {(x.x - t->origin.x) * inverse, (x.y - t->origin.y) * inverse,
                         t->dimensions == 2 ? 0 : (x.z - t->origin.z) * inverse};
    if (!(fabs(y[0]) < farthest && fabs(y[1]) < farthest && fabs(y[2]) < farthest)) return false;
    for (int a = 0; a < 3; a++) {
        const int32_t i = (int32_t)y[a];
        cell[a] = i - (y[a] < i);
    }
    return true;
}

/* Tiles met in a block of particles, most of them once; each particle's key. */
static void find_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sort_job *j = arg;
    const grid_tiles *t = &j->s->tiles;
    const rill_vec3 *x = j->s->particles.position;
    const double inverse = 1 / t->h;
    struct {
        int32_t tile[3];
        uint32_t id;
    } seen[SEEN];
    memset(seen, 0x80, sizeof seen); /* no tile is there */
    uint32_t n = 0;
    for (size_t i = begin; i < end; i++) {
        int32_t cell[3];
        if (!cell_at(t, inverse, x[i], cell)) {
            j->seen[begin / BLOCK] = UINT32_MAX;
            return;
        }
        const int32_t tile[3] = {cell[0] >> 3, cell[1] >> 3, cell[2] >> 3};
        const uint32_t at = (uint32_t)(tile[0] + 7 * tile[1] + 61 * tile[2]) % SEEN;
        if (seen[at].tile[0] != tile[0] || seen[at].tile[1] != tile[1] || seen[at].tile[2] != tile[2]) {
            memcpy(seen[at].tile, tile, sizeof tile);
            seen[at].id = n;
            j->witness[begin + n++] = (uint32_t)i;
        }
        j->key[i] = seen[at].id << 9 | (uint32_t)(((cell[2] & 7) * 8 + (cell[1] & 7)) * 8 + (cell[0] & 7));
    }
    j->seen[begin / BLOCK] = n;
}

/* The core of particle i. */
static inline uint32_t core_at(const sort_job *j, size_t i)
{
    return j->witness[i / BLOCK * BLOCK + (j->key[i] >> 9)];
}

static void count_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sort_job *j = arg;
    uint32_t *count = j->count + begin / j->chunk * j->s->bin.core.count;
    memset(count, 0, j->s->bin.core.count * sizeof *count);
    for (size_t i = begin; i < end; i++) count[core_at(j, i)]++;
}

static void place_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sort_job *j = arg;
    uint32_t *at = j->count + begin / j->chunk * j->s->bin.core.count;
    for (size_t i = begin; i < end; i++) j->by_core[at[core_at(j, i)]++] = (uint32_t)i;
}

/* The range of the cells that hold any. */
static grid_core range_of(const grid *s, size_t core, const uint32_t *count)
{
    grid_core range = {.lo = {7, 7, 7}};
    memcpy(range.tile, s->bin.core.block[core], sizeof range.tile);
    for (int c = 0; c < s->tiles.cells; c++) {
        if (!count[c]) continue;
        const int at[3] = {c % 8, c / 8 % 8, c / 64};
        for (int a = 0; a < 3; a++) {
            if (at[a] < range.lo[a]) range.lo[a] = (int8_t)at[a];
            if (at[a] > range.hi[a]) range.hi[a] = (int8_t)at[a];
        }
    }
    return range;
}

static void sort_cores(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sort_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t c = begin; c < end; c++) {
        uint32_t *first = s->bin.first + c * cells; /* its first element and the next core's are set */
        const uint32_t from = first[0], to = first[cells];
        uint32_t count[GRID_CELLS] = {0};
        for (uint32_t k = from; k < to; k++) count[j->key[j->by_core[k]] & 511]++;
        j->range[c] = range_of(s, c, count);
        uint32_t at = from;
        for (size_t k = 0; k < cells; k++) {
            const uint32_t n = count[k];
            count[k] = at;
            if (k) first[k] = at;
            at += n;
        }
        for (uint32_t k = from; k < to; k++) j->order[count[j->key[j->by_core[k]] & 511]++] = j->by_core[k];
    }
}

/* Some particle is not in any cell. */
static rill_status no_cell(const grid *s)
{
    for (size_t i = 0; i < s->particles.count; i++)
        if (!v3_finite(s->particles.position[i]))
            return rill_fail(s->sim.ctx, RILL_BLEW_UP, "a particle has no finite position any more");
    const rill_vec3 size = v3_sub(s->sim.scene->domain.max, s->sim.scene->domain.min);
    if (fmax(size.x, fmax(size.y, size.z)) / s->sim.scene->spacing > farthest)
        return rill_fail(
            s->sim.ctx, RILL_BAD_SCENE,
            "liquid is more than %.3g cells from the domain's lowest corner, the most that grid can count; "
            "make the domain smaller or the spacing larger",
            farthest);
    return rill_fail(s->sim.ctx, RILL_BLEW_UP, "a particle is more than %.3g cells away from the domain",
                     farthest);
}

static rill_status find_cores(grid *s, sort_job *j)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count, blocks = (n + BLOCK - 1) / BLOCK;
    arena_reset(&s->sorting);
    TRY(ARENA_NEW(&s->sorting, j->witness, n));
    TRY(ARENA_NEW(&s->sorting, j->key, n));
    TRY(ARENA_NEW(&s->sorting, j->seen, blocks));
    parallel_for(ctx, n, BLOCK, find_tiles, j);
    s->bin.core.count = 0;
    if (s->bin.core.table)
        memset(s->bin.core.table, 0xff, s->bin.core.table_size * sizeof *s->bin.core.table);
    for (size_t b = 0; b < blocks; b++) {
        if (j->seen[b] == UINT32_MAX) return no_cell(s);
        for (uint32_t k = 0; k < j->seen[b]; k++) {
            int32_t cell[3] = {0};
            cell_at(&s->tiles, 1 / s->tiles.h, s->particles.position[j->witness[b * BLOCK + k]], cell);
            TRY(block_map_add(ctx, &s->bin.core, cell[0] >> 3, cell[1] >> 3, cell[2] >> 3));
        }
    }
    TRY(block_map_sort(ctx, &s->bin.core));
    for (size_t b = 0; b < blocks; b++)
        for (uint32_t k = 0; k < j->seen[b]; k++) {
            int32_t cell[3] = {0};
            uint32_t *w = &j->witness[b * BLOCK + k];
            cell_at(&s->tiles, 1 / s->tiles.h, s->particles.position[*w], cell);
            *w = block_map_find(&s->bin.core, cell[0] >> 3, cell[1] >> 3, cell[2] >> 3);
        }
    return RILL_OK;
}

/* Where the particles of each core and chunk begin, from their counts. */
static void place_cores(const grid *s, const sort_job *j, size_t chunks)
{
    uint32_t at = 0;
    for (size_t c = 0; c < s->bin.core.count; c++) {
        s->bin.first[c * (size_t)s->tiles.cells] = at;
        for (size_t k = 0; k < chunks; k++) {
            uint32_t *p = &j->count[k * s->bin.core.count + c];
            const uint32_t n = *p;
            *p = at;
            at += n;
        }
    }
    s->bin.first[s->bin.core.count * (size_t)s->tiles.cells] = at;
}

static rill_status bin(grid *s, sort_job *j)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    TRY(find_cores(s, j));
    j->chunk = (n / CHUNKS / BLOCK + 1) * BLOCK;
    const size_t chunks = (n + j->chunk - 1) / j->chunk;
    TRY(ARENA_NEW(&s->sorting, j->by_core, n));
    TRY(ARENA_NEW(&s->sorting, j->count, chunks * s->bin.core.count));
    TRY(ARENA_NEW(&s->scratch, j->range, s->bin.core.count));
    TRY(ARENA_NEW(&s->scratch, s->bin.first, s->bin.core.count * (size_t)s->tiles.cells + 1));
    parallel_for(ctx, n, j->chunk, count_chunk, j);
    place_cores(s, j, chunks);
    parallel_for(ctx, n, j->chunk, place_chunk, j);
    s->bin.order = j->order = j->witness; /* no longer needed */
    parallel_for(ctx, s->bin.core.count, 16, sort_cores, j);
    return RILL_OK;
}

static void fill_crowd(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    grid *s = arg;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t i = begin; i < end; i++) {
        uint8_t *crowd = s->field.crowd + i * cells;
        const uint32_t core = s->bin.core_of[i];
        memset(crowd, 0, cells);
        if (core == GRID_NONE) continue;
        const uint32_t *first = s->bin.first + core * cells;
        for (size_t k = 0; k < cells; k++) {
            const uint32_t n = first[k + 1] - first[k];
            crowd[k] = n < 255 ? (uint8_t)n : 255;
        }
    }
}

rill_status grid_bin(grid *s, const grid_core *more, size_t count, int band, bool only)
{
    rill_ctx *ctx = s->sim.ctx;
    sort_job j = {.s = s};
    s->tiles.count = 0; /* what pointed into the arena is gone */
    TRY(bin(s, &j));
    grid_core *all = j.range;
    const size_t own = only ? 0 : s->bin.core.count;
    if (count) {
        TRY(ARENA_NEW(&s->scratch, all, own + count));
        memcpy(all, j.range, own * sizeof *all);
        memcpy(all + own, more, count * sizeof *all);
    }
    TRY(grid_tiles_build(ctx, &s->tiles, all, own + count, band));
    rill_status st = ARENA_NEW(&s->scratch, s->field.crowd, grid_cell_count(&s->tiles));
    if (!st) st = ARENA_NEW(&s->scratch, s->bin.core_of, s->tiles.count);
    if (!st) st = ARENA_NEW(&s->scratch, s->bin.tile_of, s->bin.core.count);
    if (st) {
        s->tiles.count = 0;
        return st;
    }
    memset(s->bin.core_of, 0xff, s->tiles.count * sizeof *s->bin.core_of);
    for (uint32_t c = 0; c < s->bin.core.count; c++) {
        const int32_t *b = s->bin.core.block[c];
        s->bin.tile_of[c] = block_map_find(&s->tiles.map, b[0], b[1], b[2]);
        if (s->bin.tile_of[c] == GRID_NONE) {
            s->tiles.count = 0;
            return rill_fail(ctx, RILL_BAD_FILE, "the state has particles where it has no tiles");
        }
        s->bin.core_of[s->bin.tile_of[c]] = c;
    }
    parallel_for(ctx, s->tiles.count, 32, fill_crowd, s);
    return RILL_OK;
}

rill_status grid_take_order(grid *s)
{
    const rill_status st = particles_permute(s->sim.ctx, &s->particles, s->bin.order);
    s->bin.order = NULL;
    if (s->particles.count > many) {
        particles_free_spares(s->sim.ctx, &s->particles);
        arena_clear(&s->sorting);
    }
    if (st) s->tiles.count = 0;
    grid_columns(s);
    return st;
}

static rill_status make_fields(grid *s)
{
    rill_arena *a = &s->scratch;
    const size_t n = grid_cell_count(&s->tiles);
    for (int k = 0; k < s->tiles.dimensions; k++) {
        TRY(ARENA_NEW(a, s->field.u[k], n));
        TRY(ARENA_NEW(a, s->field.known[k], n / GRID_AREA));
        if (s->def.transfer == GRID_FLIP || s->def.reflection) TRY(ARENA_NEW(a, s->field.before[k], n));
    }
    TRY(ARENA_NEW(a, s->field.weighed, n));
    TRY(ARENA_NEW(a, s->field.q, n));
    return ARENA_NEW(a, s->step.figures, s->bin.core.count);
}

rill_status grid_sort(grid *s)
{
    grid_core *deep = NULL;
    size_t count = 0;
    s->narrow.fill = NULL;
    if (grid_narrow(s)) {
        TRY(narrow_keep(s));
        arena_reset(&s->scratch);
        TRY(narrow_cores(&s->narrow.past, &s->scratch, &deep, &count));
    } else {
        arena_reset(&s->scratch);
    }
    TRY(grid_bin(s, deep, count, s->band, false));
    TRY(grid_take_order(s));
    const rill_status st = make_fields(s);
    if (st) s->tiles.count = 0;
    return st;
}
