/* Points sorted in space: tiles of cells, one cell as wide as the reach of a search.
 *
 * Cells are grouped in tiles of 4 x 4 x 4 (in two dimensions 8 x 8), and points are
 * put in order of tile and cell. Only occupied tiles are kept, so that cost follows
 * the points and not the space between them. Code that works on the points of a tile
 * copies the tile with one ring of cells around it (its halo) into a small array of
 * its own: every neighbour within a cell's width is there, rows of cells along x are
 * contiguous, and coordinates relative to the tile are exact enough in float
 * (the distance of two points a cell apart is exact to 2^-22 tiles).
 *
 * Local ids count the halo's points from 1; 0 is free for the caller's padding point,
 * which no search reaches. */
#pragma once

#include "base/arena.h"
#include "base/parallel.h"
#include "base/vec.h"

enum {
    TILE_CELLS = 64,
    TILE_STARTS = TILE_CELLS + 1,
    HALO_CELLS = 6 * 6 * 6, /* the larger of 6^3 and 10^2 */
    HALO_RUNS = 3 * 6 * 6,
    HALO_MOST = 65528 /* points in a halo: local ids fit 16 bits */
};

typedef struct tile {
    uint64_t key;        /* place in the row-major order of all tiles */
    uint32_t begin, end; /* its points, in sorted order */
    int32_t x, y, z;     /* in tiles from the origin */
} tile;

/* Lives in the arena it was built in. */
typedef struct tiles {
    int nx, ny, nz; /* cells per tile */
    double cell;
    rill_vec3 origin;
    size_t points;
    uint32_t count; /* of occupied tiles */
    tile *tile;
    uint32_t *start;    /* TILE_STARTS per tile: first point of each cell, and the end */
    uint32_t *order;    /* the k-th point in sorted order was point order[k] */
    void *spare;        /* 16 bytes a point that the sort needed: the user's from here on */
    uint32_t most_halo; /* points in the fullest halo */
    uint64_t extent[3]; /* tiles along each axis, occupied or not */
    uint32_t *slot;     /* hash of keys: index + 1 */
    uint32_t slot_mask;
} tiles;

/* Sorts. cell > 0; dimensions 2 ignores z. RILL_BLEW_UP when a position is not finite,
 * when points are more than 2^20 tiles apart, or when a halo holds more than HALO_MOST. */
RILL_CHECKED rill_status tiles_build(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *position,
                                     size_t count, double cell, int dimensions, tiles *out);

static inline rill_vec3 tile_corner(const tiles *t, const tile *a)
{
    return v3(t->origin.x + a->x * (t->nx * t->cell), t->origin.y + a->y * (t->ny * t->cell),
              t->origin.z + a->z * (t->nz * t->cell));
}

/* From the corner of a tile to its middle; flat in two dimensions. */
static inline rill_vec3 tile_half(const tiles *t)
{
    return v3(t->nx * t->cell / 2, t->ny * t->cell / 2, t->nz == 1 ? 0 : t->nz * t->cell / 2);
}

/* The middle of cell c (0 .. TILE_CELLS - 1) of a tile; z = 0 in two dimensions. */
static inline rill_vec3 tile_cell_center(const tiles *t, uint32_t index, int c)
{
    const rill_vec3 corner = tile_corner(t, &t->tile[index]);
    const double h = t->cell;
    return v3(corner.x + (c % t->nx + 0.5) * h, corner.y + (c / t->nx % t->ny + 0.5) * h,
              t->nz == 1 ? 0 : corner.z + (c / (t->nx * t->ny) + 0.5) * h);
}

/* Its index in tile[], or UINT32_MAX where there are no points. */
uint32_t tiles_find(const tiles *t, int64_t x, int64_t y, int64_t z);

/* Contiguous points of the halo: sorted index `begin`, `count` of them, and what to add
 * to coordinates relative to their own tile to make them relative to this one. */
typedef struct halo_run {
    uint32_t begin, count;
    float shift[3];
} halo_run;

typedef struct halo {
    halo_run run[HALO_RUNS];
    int run_count;
    uint32_t local[HALO_CELLS + 1]; /* first local id of each cell of the halo, x fastest */
    int hx, hy, hz;                 /* cells of the halo along each axis */
    uint32_t count;                 /* local ids are 1 .. count */
} halo;

void halo_build(const tiles *t, uint32_t tile_index, halo *out);

/* The runs of a halo: all that gathering needs. */
typedef struct halo_view {
    const halo_run *run;
    int run_count;
} halo_view;
static inline halo_view halo_runs(const halo *h)
{
    return (halo_view){h->run, h->run_count};
}

/* The runs of every tile's halo, for callers that gather many times. Lives in its arena. */
typedef struct halos {
    halo_run *run;
    uint32_t *first; /* per tile, and the end */
} halos;
RILL_CHECKED rill_status halos_build(rill_ctx *ctx, rill_arena *arena, const tiles *t, halos *out);
static inline halo_view halos_of(const halos *h, uint32_t tile_index)
{
    const uint32_t first = h->first[tile_index];
    return (halo_view){h->run + first, (int)(h->first[tile_index + 1] - first)};
}

/* The halo cell of a tile's own cell (cx, cy, cz); its rows are 1 and hx, hx * hy apart. */
static inline int halo_cell(const halo *h, int cx, int cy, int cz)
{
    return h->hz == 1 ? (cy + 1) * h->hx + cx + 1 : ((cz + 1) * h->hy + cy + 1) * h->hx + cx + 1;
}
