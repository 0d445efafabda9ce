/* Particles in order of tile and cell, and the tiles around them.
 *
 * Tiles that hold particles are the cores. Particles are counted by core in chunks cut by
 * their number alone, put in place chunk after chunk (stable), and then by cell within
 * each core: the same order for any number of threads. */
#include "grid/state.h"

#include <string.h>

enum { BLOCK = 16384, CHUNKS = 64, SEEN = 256 };

/* With more particles than this their memory is given back before the fields take theirs. */
static const size_t many = 1 << 20;

/* Farther from the origin than this many cells nothing can be. */
static const double farthest = 0x1p28;

typedef struct {
    grid *s;
    size_t chunk;      /* particles in one */
    uint32_t *witness; /* per particle: of each block's run of new tiles, one particle each */
    uint32_t *seen;    /* per block: their number; UINT32_MAX: one is nowhere */
    uint32_t *core;    /* per particle */
    uint32_t *count;   /* chunks x cores; then where each begins */
    uint32_t *order, *by_core;
    grid_core *range; /* per core */
} sort_job;

static bool tile_at(const grid_tiles *t, rill_vec3 x, int32_t tile[3])
{
    const double m = fmax(fmax(fabs(x.x - t->origin.x), fabs(x.y - t->origin.y)), fabs(x.z - t->origin.z));
    if (!(m < farthest * t->h) || isnan(x.x + x.y + x.z)) return false;
    grid_cell_at(t, x, tile);
    for (int a = 0; a < 3; a++) tile[a] >>= 3;
    return true;
}

/* Tiles met in a block of particles, most of them once. */
static void find_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sort_job *j = arg;
    const rill_vec3 *x = j->s->particles.position;
    int32_t seen[SEEN][3];
    memset(seen, 0x80, sizeof seen); /* no tile is there */
    uint32_t n = 0;
    for (size_t i = begin; i < end; i++) {
        int32_t tile[3];
        if (!tile_at(&j->s->tiles, x[i], tile)) {
            j->seen[begin / BLOCK] = UINT32_MAX;
            return;
        }
        int32_t *s = seen[(uint32_t)(tile[0] + 7 * tile[1] + 61 * tile[2]) % SEEN];
        if (s[0] == tile[0] && s[1] == tile[1] && s[2] == tile[2]) continue;
        memcpy(s, tile, sizeof tile);
        j->witness[begin + n++] = (uint32_t)i;
    }
    j->seen[begin / BLOCK] = n;
}

static void count_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sort_job *j = arg;
    const grid *s = j->s;
    uint32_t *count = j->count + begin / j->chunk * s->core.count;
    memset(count, 0, s->core.count * sizeof *count);
    int32_t last[3] = {INT32_MIN, 0, 0};
    uint32_t core = 0;
    for (size_t i = begin; i < end; i++) {
        int32_t tile[3] = {0};
        tile_at(&s->tiles, s->particles.position[i], tile);
        if (memcmp(tile, last, sizeof tile) != 0) {
            core = block_map_find(&s->core, tile[0], tile[1], tile[2]);
            memcpy(last, tile, sizeof tile);
        }
        j->core[i] = core;
        count[core]++;
    }
}

static void place_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sort_job *j = arg;
    uint32_t *at = j->count + begin / j->chunk * j->s->core.count;
    for (size_t i = begin; i < end; i++) j->by_core[at[j->core[i]]++] = (uint32_t)i;
}

static int local_cell(const grid_tiles *t, rill_vec3 x, int32_t cell[3])
{
    grid_cell_at(t, x, cell);
    for (int a = 0; a < 3; a++) cell[a] &= 7;
    return (cell[2] * 8 + cell[1]) * 8 + cell[0];
}

static void sort_cores(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sort_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    const rill_vec3 *x = s->particles.position;
    for (size_t c = begin; c < end; c++) {
        uint32_t *first = s->first + c * cells; /* its first element and the next core's are set */
        const uint32_t from = first[0], to = first[cells];
        uint32_t count[GRID_CELLS] = {0};
        grid_core range = {.lo = {7, 7, 7}};
        memcpy(range.tile, s->core.block[c], sizeof range.tile);
        for (uint32_t k = from; k < to; k++) {
            int32_t cell[3];
            count[local_cell(&s->tiles, x[j->by_core[k]], cell)]++;
            for (int a = 0; a < 3; a++) {
                if (cell[a] < range.lo[a]) range.lo[a] = (int8_t)cell[a];
                if (cell[a] > range.hi[a]) range.hi[a] = (int8_t)cell[a];
            }
        }
        uint32_t at = from;
        for (size_t k = 0; k < cells; k++) {
            const uint32_t n = count[k];
            count[k] = at;
            if (k) first[k] = at;
            at += n;
        }
        for (uint32_t k = from; k < to; k++) {
            int32_t cell[3];
            j->order[count[local_cell(&s->tiles, x[j->by_core[k]], cell)]++] = j->by_core[k];
        }
        j->range[c] = range;
    }
}

static rill_status find_cores(grid *s, sort_job *j)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count, blocks = (n + BLOCK - 1) / BLOCK;
    arena_reset(&s->sorting);
    TRY(ARENA_NEW(&s->sorting, j->witness, n));
    TRY(ARENA_NEW(&s->sorting, j->seen, blocks));
    parallel_for(ctx, n, BLOCK, find_tiles, j);
    s->core.count = 0;
    if (s->core.table) memset(s->core.table, 0xff, s->core.table_size * sizeof *s->core.table);
    for (size_t b = 0; b < blocks; b++) {
        if (j->seen[b] == UINT32_MAX)
            return rill_fail(ctx, RILL_BLEW_UP, "a particle has no finite position any more");
        for (uint32_t k = 0; k < j->seen[b]; k++) {
            int32_t tile[3] = {0};
            tile_at(&s->tiles, s->particles.position[j->witness[b * BLOCK + k]], tile);
            TRY(block_map_add(ctx, &s->core, tile[0], tile[1], tile[2]));
        }
    }
    return block_map_sort(ctx, &s->core);
}

/* Where the particles of each core and chunk begin, from their counts. */
static void place_cores(const grid *s, const sort_job *j, size_t chunks)
{
    uint32_t at = 0;
    for (size_t c = 0; c < s->core.count; c++) {
        s->first[c * (size_t)s->tiles.cells] = at;
        for (size_t k = 0; k < chunks; k++) {
            uint32_t *p = &j->count[k * s->core.count + c];
            const uint32_t n = *p;
            *p = at;
            at += n;
        }
    }
    s->first[s->core.count * (size_t)s->tiles.cells] = at;
}

static rill_status bin(grid *s, sort_job *j)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    TRY(find_cores(s, j));
    j->chunk = (n + CHUNKS - 1) / CHUNKS;
    if (j->chunk < BLOCK) j->chunk = BLOCK;
    const size_t chunks = (n + j->chunk - 1) / j->chunk;
    j->by_core = j->witness; /* no longer needed */
    TRY(ARENA_NEW(&s->sorting, j->core, n));
    TRY(ARENA_NEW(&s->sorting, j->count, chunks * s->core.count));
    TRY(ARENA_NEW(&s->scratch, j->range, s->core.count));
    TRY(ARENA_NEW(&s->scratch, s->first, s->core.count * (size_t)s->tiles.cells + 1));
    parallel_for(ctx, n, j->chunk, count_chunk, j);
    place_cores(s, j, chunks);
    parallel_for(ctx, n, j->chunk, place_chunk, j);
    s->order = j->order = j->core; /* no longer needed */
    parallel_for(ctx, s->core.count, 16, sort_cores, j);
    return RILL_OK;
}

static void fill_crowd(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    grid *s = arg;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t i = begin; i < end; i++) {
        uint8_t *crowd = s->crowd + i * cells;
        const uint32_t core = s->core_of[i];
        memset(crowd, 0, cells);
        if (core == GRID_NONE) continue;
        const uint32_t *first = s->first + core * cells;
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
    const size_t own = only ? 0 : s->core.count;
    if (count) {
        TRY(ARENA_NEW(&s->scratch, all, own + count));
        memcpy(all, j.range, own * sizeof *all);
        memcpy(all + own, more, count * sizeof *all);
    }
    TRY(grid_tiles_build(ctx, &s->tiles, all, own + count, band));
    rill_status st = ARENA_NEW(&s->scratch, s->crowd, grid_cell_count(&s->tiles));
    if (!st) st = ARENA_NEW(&s->scratch, s->core_of, s->tiles.count);
    if (!st) st = ARENA_NEW(&s->scratch, s->tile_of, s->core.count);
    if (st) {
        s->tiles.count = 0;
        return st;
    }
    memset(s->core_of, 0xff, s->tiles.count * sizeof *s->core_of);
    for (uint32_t c = 0; c < s->core.count; c++) {
        const int32_t *b = s->core.block[c];
        s->tile_of[c] = block_map_find(&s->tiles.map, b[0], b[1], b[2]);
        if (s->tile_of[c] == GRID_NONE) {
            s->tiles.count = 0;
            return rill_fail(ctx, RILL_BAD_FILE, "the state has particles where it has no tiles");
        }
        s->core_of[s->tile_of[c]] = c;
    }
    parallel_for(ctx, s->tiles.count, 32, fill_crowd, s);
    return RILL_OK;
}

rill_status grid_take_order(grid *s)
{
    const rill_status st = particles_permute(s->sim.ctx, &s->particles, s->order);
    s->order = NULL;
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
        TRY(ARENA_NEW(a, s->u[k], n));
        TRY(ARENA_NEW(a, s->known[k], n / GRID_AREA));
        if (s->def.transfer == GRID_FLIP || s->def.reflection) TRY(ARENA_NEW(a, s->before[k], n));
    }
    TRY(ARENA_NEW(a, s->weighed, n));
    TRY(ARENA_NEW(a, s->q, n));
    return ARENA_NEW(a, s->figures, s->core.count);
}

rill_status grid_sort(grid *s)
{
    arena_reset(&s->scratch);
    TRY(grid_bin(s, NULL, 0, s->band, false));
    TRY(grid_take_order(s));
    const rill_status st = make_fields(s);
    if (st) s->tiles.count = 0;
    return st;
}
