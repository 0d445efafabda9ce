#include "geom/search/tiles.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 8192, MOST_EXTENT = 1 << 20 };

/* -- bounds -------------------------------------------------------------------------- */

enum { BOUND_BLOCKS = 256 };

typedef struct {
    const rill_vec3 *x;
    size_t block;
    rill_box box[BOUND_BLOCKS];
    bool finite[BOUND_BLOCKS];
} bounds_job;

static void bounds_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    bounds_job *j = arg;
    rill_box b = {j->x[begin], j->x[begin]};
    double zero = 0;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = j->x[i];
        zero += 0 * (x.x + x.y + x.z); /* NaN once anything is not finite */
        b.min = (rill_vec3){x.x < b.min.x ? x.x : b.min.x, x.y < b.min.y ? x.y : b.min.y,
                            x.z < b.min.z ? x.z : b.min.z};
        b.max = (rill_vec3){x.x > b.max.x ? x.x : b.max.x, x.y > b.max.y ? x.y : b.max.y,
                            x.z > b.max.z ? x.z : b.max.z};
    }
    j->box[begin / j->block] = b;
    j->finite[begin / j->block] = zero == 0;
}

static bool bounds_of(rill_ctx *ctx, const rill_vec3 *x, size_t count, rill_box *out)
{
    bounds_job j = {.x = x, .block = count / BOUND_BLOCKS + 1};
    if (j.block < BLOCK / 4) j.block = BLOCK / 4;
    parallel_for(ctx, count, j.block, bounds_block, &j);
    rill_box b = j.box[0];
    bool finite = true;
    for (size_t k = 0; k * j.block < count; k++) {
        b = (rill_box){v3_min(b.min, j.box[k].min), v3_max(b.max, j.box[k].max)};
        finite = finite && j.finite[k];
    }
    *out = b;
    return finite;
}

/* -- keys ---------------------------------------------------------------------------- */

typedef struct {
    const tiles *t;
    const rill_vec3 *x;
    uint64_t *key;
    uint32_t *value;
} key_job;

static void key_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const key_job *j = arg;
    const tiles *t = j->t;
    const double per_cell = 1 / t->cell;
    const int shift = t->nz == 1 ? 3 : 2; /* log2 of cells per tile along x and y */
    for (size_t i = begin; i < end; i++) {
        /* Positions are at or above the origin, so truncation is floor. */
        const uint64_t cx = (uint64_t)((j->x[i].x - t->origin.x) * per_cell);
        const uint64_t cy = (uint64_t)((j->x[i].y - t->origin.y) * per_cell);
        const uint64_t cz = t->nz == 1 ? 0 : (uint64_t)((j->x[i].z - t->origin.z) * per_cell);
        const uint64_t mask = (1u << shift) - 1;
        const uint64_t tile_key =
            ((t->nz == 1 ? 0 : cz >> 2) * t->extent[1] + (cy >> shift)) * t->extent[0] + (cx >> shift);
        const uint64_t cell = ((t->nz == 1 ? 0 : cz & 3) << (2 * shift)) | (cy & mask) << shift | (cx & mask);
        j->key[i] = tile_key * TILE_CELLS + cell;
        j->value[i] = (uint32_t)i;
    }
}

/* -- tiles --------------------------------------------------------------------------- */

static uint32_t slot_of(uint64_t key, uint32_t mask)
{
    return (uint32_t)((key * 0x9E3779B97F4A7C15ull) >> 32) & mask;
}

uint32_t tiles_find(const tiles *t, int64_t x, int64_t y, int64_t z)
{
    if (x < 0 || y < 0 || z < 0 || (uint64_t)x >= t->extent[0] || (uint64_t)y >= t->extent[1] ||
        (uint64_t)z >= t->extent[2])
        return UINT32_MAX;
    const uint64_t key = ((uint64_t)z * t->extent[1] + (uint64_t)y) * t->extent[0] + (uint64_t)x;
    for (uint32_t s = slot_of(key, t->slot_mask); t->slot[s]; s = (s + 1) & t->slot_mask)
        if (t->tile[t->slot[s] - 1].key == key) return t->slot[s] - 1;
    return UINT32_MAX;
}

static void fill_slots(tiles *t)
{
    memset(t->slot, 0, ((size_t)t->slot_mask + 1) * sizeof *t->slot);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t s = slot_of(t->tile[i].key, t->slot_mask);
        while (t->slot[s]) s = (s + 1) & t->slot_mask;
        t->slot[s] = i + 1;
    }
}

typedef struct {
    tiles *t;
    const uint64_t *key;
} start_job;

static void start_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const start_job *j = arg;
    for (size_t k = begin; k < end; k++) {
        const tile *a = &j->t->tile[k];
        uint32_t *start = j->t->start + k * TILE_STARTS;
        uint32_t cell = 0;
        for (uint32_t i = a->begin; i < a->end; i++)
            for (const uint32_t c = (uint32_t)(j->key[i] % TILE_CELLS); cell <= c; cell++) start[cell] = i;
        for (; cell <= TILE_CELLS; cell++) start[cell] = a->end;
    }
}

static double halo_largest(void *arg, size_t begin, size_t end)
{
    const tiles *t = arg;
    uint32_t most = 0;
    for (size_t k = begin; k < end; k++) {
        halo h;
        halo_build(t, (uint32_t)k, &h);
        if (h.count > most) most = h.count;
    }
    return most;
}

static rill_status list_tiles(rill_ctx *ctx, rill_arena *arena, const uint64_t *key, tiles *t)
{
    uint32_t count = 0;
    for (size_t i = 0; i < t->points; i++) count += i == 0 || key[i] / TILE_CELLS != key[i - 1] / TILE_CELLS;
    t->count = count;
    t->slot_mask = 15;
    while (t->slot_mask < 2 * (uint64_t)count) t->slot_mask = 2 * t->slot_mask + 1;
    TRY(ARENA_NEW(arena, t->tile, count));
    TRY(ARENA_NEW(arena, t->start, (size_t)count * TILE_STARTS));
    TRY(ARENA_NEW(arena, t->slot, (size_t)t->slot_mask + 1));

    tile *a = t->tile - 1;
    for (size_t i = 0; i < t->points; i++) {
        const uint64_t k = key[i] / TILE_CELLS;
        if (i == 0 || k != a->key) {
            if (i) a->end = (uint32_t)i;
            *++a = (tile){.key = k,
                          .begin = (uint32_t)i,
                          .x = (int32_t)(k % t->extent[0]),
                          .y = (int32_t)(k / t->extent[0] % t->extent[1]),
                          .z = (int32_t)(k / t->extent[0] / t->extent[1])};
        }
    }
    a->end = (uint32_t)t->points;
    start_job j = {t, key};
    parallel_for(ctx, count, 16, start_block, &j);
    fill_slots(t);
    return RILL_OK;
}

static rill_status lay_out(rill_ctx *ctx, rill_box bounds, double cell, int dimensions, tiles *t)
{
    t->nx = t->ny = dimensions == 2 ? 8 : 4;
    t->nz = dimensions == 2 ? 1 : 4;
    t->cell = cell;
    if (dimensions == 2) bounds.min.z = bounds.max.z = 0;
    const double width = t->nx * cell;
    /* The origin follows the points, so that a common translation changes nothing; the margin keeps the
     * planes of a lattice off the borders of cells, where rounding would decide. */
    const double margin = 0.3 * cell;
    t->origin = v3(bounds.min.x - margin, bounds.min.y - margin, dimensions == 2 ? 0 : bounds.min.z - margin);
    const rill_vec3 size = v3_sub(bounds.max, t->origin);
    for (int axis = 0; axis < 3; axis++) {
        const double n = floor(v3_axis(size, axis) / width) + 1;
        if (!(n <= MOST_EXTENT))
            return rill_fail(ctx, RILL_BLEW_UP,
                             "particles are %.3g m apart, more than %d times the search radius",
                             v3_axis(size, axis), MOST_EXTENT * t->nx);
        t->extent[axis] = axis == 2 && dimensions == 2 ? 1 : (uint64_t)n + 1; /* a tile for rounding */
    }
    return RILL_OK;
}

static int bits_for(uint64_t count)
{
    int bits = 1;
    while (bits < 64 && count >> bits) bits++;
    return bits;
}

rill_status tiles_build(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *position, size_t count,
                        double cell, int dimensions, tiles *out)
{
    tiles t = {.points = count};
    if (count >= UINT32_MAX) return rill_fail(ctx, RILL_USAGE, "%zu points are too many", count);
    if (count == 0) {
        TRY(lay_out(ctx, (rill_box){{0, 0, 0}, {0, 0, 0}}, cell, dimensions, &t));
        TRY(ARENA_NEW(arena, t.order, 1));
        t.spare = t.order;
        *out = t;
        return RILL_OK;
    }
    rill_box bounds;
    if (!bounds_of(ctx, position, count, &bounds))
        return rill_fail(ctx, RILL_BLEW_UP, "a particle's position is not a finite number");
    TRY(lay_out(ctx, bounds, cell, dimensions, &t));
    TRY(ARENA_NEW(arena, t.order, count));

    uint64_t *key;
    uint32_t *spare;
    TRY(ARENA_NEW(arena, key, 2 * count));
    TRY(ARENA_NEW(arena, spare, count));
    key_job j = {&t, position, key, t.order};
    parallel_for(ctx, count, BLOCK, key_block, &j);
    const int bits = bits_for(t.extent[0] * t.extent[1] * t.extent[2] * TILE_CELLS);
    TRY(sort_by_key(ctx, count, bits, key, t.order, key + count, spare));
    TRY(list_tiles(ctx, arena, key, &t));
    t.spare = key;

    t.most_halo = (uint32_t)parallel_max(ctx, t.count, halo_largest, &t);
    if (t.most_halo > HALO_MOST)
        return rill_fail(ctx, RILL_BLEW_UP, "%u particles within a few search radii of each other",
                         t.most_halo);
    *out = t;
    return RILL_OK;
}

/* -- halo ---------------------------------------------------------------------------- */

/* One row of the halo along x: the last cell of the tile to the left, the middle tile's
 * own row, the first cell of the tile to the right. */
static uint32_t add_row(const tiles *t, const uint32_t near[3], int row_cell, const float shift[2],
                        uint32_t local, uint32_t *starts, halo *h)
{
    const float width = (float)(t->nx * t->cell);
    for (int side = -1; side <= 1; side++) {
        const int first = side < 0 ? t->nx - 1 : 0, cells = side == 0 ? t->nx : 1;
        uint32_t *to = starts + (side < 0 ? 0 : side == 0 ? 1 : t->nx + 1);
        const uint32_t index = near[side + 1];
        if (index == UINT32_MAX) {
            for (int c = 0; c < cells; c++) to[c] = local;
            continue;
        }
        const uint32_t *start = t->start + (size_t)index * TILE_STARTS + row_cell + first;
        for (int c = 0; c < cells; c++) to[c] = local + (start[c] - start[0]);
        const uint32_t n = start[cells] - start[0];
        if (n) {
            h->run[h->run_count++] = (halo_run){start[0], n, {(float)side * width, shift[0], shift[1]}};
            local += n;
        }
    }
    return local;
}

void halo_build(const tiles *t, uint32_t tile_index, halo *out)
{
    const tile *a = &t->tile[tile_index];
    const float width = (float)(t->nx * t->cell);
    const bool flat = t->nz == 1;
    out->hx = t->nx + 2;
    out->hy = t->ny + 2;
    out->hz = flat ? 1 : t->nz + 2;
    out->run_count = 0;

    uint32_t near[3][3][3];
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                near[z + 1][y + 1][x + 1] =
                    flat && z ? UINT32_MAX
                              : tiles_find(t, (int64_t)a->x + x, (int64_t)a->y + y, (int64_t)a->z + z);

    uint32_t local = 1;
    for (int z = 0; z < out->hz; z++) {
        const int tz = flat ? 0 : z == 0 ? -1 : z > t->nz ? 1 : 0;
        const int cz = flat ? 0 : z == 0 ? t->nz - 1 : z > t->nz ? 0 : z - 1;
        for (int y = 0; y < out->hy; y++) {
            const int ty = y == 0 ? -1 : y > t->ny ? 1 : 0;
            const int cy = y == 0 ? t->ny - 1 : y > t->ny ? 0 : y - 1;
            const float shift[2] = {(float)ty * width, (float)tz * width};
            local = add_row(t, near[tz + 1][ty + 1], (cz * t->ny + cy) * t->nx, shift, local,
                            out->local + (z * out->hy + y) * out->hx, out);
        }
    }
    out->local[out->hx * out->hy * out->hz] = local;
    out->count = local - 1;
}

typedef struct {
    const tiles *t;
    halos *out;
    bool fill; /* false: count */
} halos_job;

static void halos_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const halos_job *j = arg;
    for (size_t k = begin; k < end; k++) {
        halo h;
        halo_build(j->t, (uint32_t)k, &h);
        if (j->fill)
            memcpy(j->out->run + j->out->first[k], h.run, (size_t)h.run_count * sizeof *h.run);
        else
            j->out->first[k] = (uint32_t)h.run_count;
    }
}

rill_status halos_build(rill_ctx *ctx, rill_arena *arena, const tiles *t, halos *out)
{
    halos made;
    TRY(ARENA_NEW(arena, made.first, (size_t)t->count + 1));
    halos_job j = {t, &made, false};
    parallel_for(ctx, t->count, 16, halos_block, &j);
    uint32_t sum = 0;
    for (uint32_t k = 0; k < t->count; k++) {
        const uint32_t runs = made.first[k];
        made.first[k] = sum;
        sum += runs;
    }
    made.first[t->count] = sum;
    TRY(ARENA_NEW(arena, made.run, sum));
    j.fill = true;
    parallel_for(ctx, t->count, 16, halos_block, &j);
    *out = made;
    return RILL_OK;
}
