/* One grid of the pressure solve: the finest one, made from a pressure_system, or a coarse
 * one of the multigrid hierarchy.
 *
 * Order of vectors. Cells are coloured like a chess board, red where x + y + z is even. A
 * tile stores its red cells, then its black ones; row (z, y) of a colour is the four cells
 * of that colour in order of x:
 *     index = tile * cells + colour * half + (z * 8 + y) * 4 + (x >> 1) .
 * A cell's neighbours have the other colour: those in y and z lie at the same place of the
 * neighbouring rows, those in x at the same place of the row ("beside") and one further on
 * ("beyond": to the left where the row's first cell has x = 0, else to the right). So half
 * a sweep of Gauss-Seidel reads one colour, writes the other, and moves no value twice.
 * Tile number `tiles` is zero throughout and stands in for tiles that are missing.
 *
 * Loose nodes. A coarse node is one connected part of a 2 x 2 x 2 block of the finer grid.
 * The largest part of a block takes the block's cell; what other parts there are (a wall
 * or an air gap runs through the block) become loose nodes, numbered after the tiles. A
 * link with a loose node at one end at least is kept in rows of their own (links).
 *
 * Holds: coefficients are symmetric to the last bit; a cell that is not active has only
 * zeros, so that its values stay zero. */
#pragma once

#include "base/parallel.h"
#include "grid/pressure/pressure.h"

#include <string.h>

#define NO_NODE UINT32_MAX

enum {
    TILE_SIDE = 8,
    ROW = 4,           /* cells of one colour in a row of a tile */
    LINE = 8,          /* in two rows, y = 2 j and 2 j + 1: what loops work on at a time */
    LEVEL_PAD = 16,    /* zeros before the first and after the last value of a vector */
    TILE_GRAIN = 16,   /* tiles a thread takes at a time */
    SERIAL_TILES = 24, /* levels smaller than that are not worth waking threads for */
    ROW_GRAIN = 2048,  /* of links */
    MAX_LEVELS = 26
};

typedef enum tile_kind {
    TILE_UNIFORM, /* all faces of all cells have the level's unit, no air: one stencil for all */
    TILE_MIXED
} tile_kind;

/* Coefficients of the cells of one colour in a line of a mixed tile, LINE values each. */
enum { C_BESIDE, C_BEYOND, C_YM, C_YP, C_ZM, C_ZP, C_E, C_INV, C_KINDS };

typedef struct link_rows {
    uint32_t count[2]; /* rows by colour of their node, red first */
    uint32_t *node;    /* of each row */
    uint32_t *begin;   /* rows + 1 */
    uint32_t *to;      /* other end */
    float *a;          /* coefficient, > 0 */
    uint32_t *row_of;  /* per index of the level: its row, or UINT32_MAX */
} link_rows;

typedef struct level {
    int planes;     /* of a tile: 8, or 1 in two dimensions */
    uint32_t cells; /* of a tile */
    uint32_t half;  /* cells / 2 */
    uint32_t tiles;
    int32_t (*tile)[3];
    uint32_t (*near)[6]; /* -x +x -y +y -z +z; `tiles` where there is none */
    float unit;          /* coefficient of a full face between full cells */

    /* As given, in the caller's order of cells: */
    uint32_t *source; /* tile -> tile in these arrays */
    const uint8_t *active;
    const float *plus[3];
    const float *e;

    tile_kind *kind;
    uint32_t *lines; /* bit z * 4 + j: the line has an active cell */
    uint32_t *plain; /* likewise: its cells are as in a uniform tile, and their coefficients not kept */
    uint32_t mixed;
    uint32_t *mixed_at; /* tile -> number among the mixed ones */
    float *coef;        /* mixed tile, colour, line, C_KINDS, LINE */

    uint32_t loose;
    uint32_t *loose_at; /* index of the cell at whose place it is; ascending by tile and cell */
    float *loose_e, *loose_inv;
    link_rows links;

    size_t length; /* of a vector: (tiles + 1) * cells + loose */
    float *x, *b;  /* of the cycle */
    float *k[4];   /* of the K-cycle; NULL before it is used */
    double *sums;  /* partial sums of a loop over the tiles, up to 4 per block */

    /* To the next coarser level, when there is one: */
    bool linked;            /* some node has a link: a coarser level follows */
    bool singular;          /* some node has neither a link nor air */
    uint8_t *simple;        /* per tile: each block is one part, all its active cells in it */
    uint32_t *parent;       /* mixed tile, cell in the caller's order: index of the coarse node or NO_NODE */
    uint32_t *loose_parent; /* likewise */
    uint32_t *loose_begin;  /* tile -> its first loose node; tiles + 1 of them */
    uint32_t *up_tile;      /* coarse tile; NO_NODE: no node of this one is linked */
} level;

/* x of the first cell of a colour in a row. */
static inline int row_first(int colour, int y, int z)
{
    return (colour + y + z) & 1;
}
static inline uint32_t level_index(const level *l, uint32_t tile, int x, int y, int z)
{
    return tile * l->cells + (uint32_t)((x + y + z) & 1) * l->half + (uint32_t)((z * 8 + y) * ROW + (x >> 1));
}

typedef struct place {
    uint32_t tile;
    int x, y, z;
} place;

static inline bool is_loose(const level *l, uint32_t index)
{
    return index >= (l->tiles + 1) * l->cells;
}
static inline uint32_t loose_base(const level *l)
{
    return (l->tiles + 1) * l->cells;
}

/* Where the node with this index is; loose ones too. */
static inline place level_place(const level *l, uint32_t index)
{
    if (is_loose(l, index)) index = l->loose_at[index - loose_base(l)];
    const uint32_t tile = index / l->cells, in = index % l->cells, colour = in / l->half, at = in % l->half;
    const int y = (int)(at / ROW) & 7, z = (int)(at / ROW) >> 3;
    return (place){tile, (int)(at % ROW) * 2 + row_first((int)colour, y, z), y, z};
}
/* Cell of a tile in the caller's order. */
static inline uint32_t cell_of(place p)
{
    return (uint32_t)((p.z * 8 + p.y) * 8 + p.x);
}
static inline uint32_t level_colour(const level *l, uint32_t index)
{
    if (is_loose(l, index)) index = l->loose_at[index - loose_base(l)];
    return index % l->cells / l->half;
}
/* Lines that keep coefficients follow each other from the tile's place on. */
static inline float *line_coef(const level *l, uint32_t tile, int colour, int line)
{
    const size_t lines = 4 * (size_t)l->planes;
    const int before = __builtin_popcount(l->lines[tile] & ~l->plain[tile] & ((1u << line) - 1));
    return l->coef +
           (((size_t)l->mixed_at[tile] * 2 + (size_t)colour) * lines + (size_t)before) * C_KINDS * LINE;
}
/* That of a cell; kinds follow each other at steps of LINE. */
static inline float *cell_coef(const level *l, uint32_t index)
{
    const uint32_t at = index % l->half;
    return line_coef(l, index / l->cells, (int)(index % l->cells / l->half), (int)(at / LINE)) + at % LINE;
}
static inline bool line_bit(uint32_t mask, int line)
{
    return mask >> line & 1;
}

/* A vector of the level, all zero. */
RILL_CHECKED rill_status level_vector(rill_arena *memory, const level *l, float **out);

/* The finest level: the tiles with active cells, their neighbours. */
RILL_CHECKED rill_status level_from_system(rill_arena *memory, const pressure_system *system, level *out);

/* Ascends with z, y, x of a tile's place, which is not negative. */
static inline uint64_t level_tile_key(const int32_t *tile)
{
    return (uint64_t)tile[2] << 44 | (uint64_t)tile[1] << 22 | (uint64_t)tile[0];
}
/* Neighbours of tiles in ascending order. */
void level_link_tiles(level *l);

/* Kinds of tiles and coefficients, when plus, e, active and links are there. */
RILL_CHECKED rill_status level_build(rill_arena *memory, level *l);

/* Coefficients to the minus and plus neighbours along each axis, cells in the caller's
 * order; 0 where one of the two is not active. */
typedef struct tile_faces {
    float minus[3][512], plus[3][512];
} tile_faces;
void level_faces(const level *l, uint32_t tile, tile_faces *out);

/* body over the tiles of a level, TILE_GRAIN at a time; in this thread if they are few. */
void level_for(rill_ctx *ctx, const level *l, parallel_body *body, void *arg);
/* The sums a body left in l->sums, `width` per block of TILE_GRAIN tiles. */
void level_sums(const level *l, int width, double *out);
