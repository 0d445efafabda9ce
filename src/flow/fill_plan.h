/* Which cells of the domain's lattice get a particle at the start.
 *
 * The liquid is the union of the scene's liquids without the solids. A cell that is all liquid gets a
 * particle. Cells that the liquid's boundary cuts are filled in part: as many of them get a particle as
 * their contents add up to, spread by a sequence of low discrepancy, so that the volume is right wherever
 * the lattice lies. A cell belongs to the liquid that fills most of it, of equals the first.
 *
 *     fill_plan_build -> the cells of each liquid, in rows along x -> fill_plan_clear */
#pragma once

#include "flow/sources.h"
#include "geom/search/block_map.h"

typedef struct fill_lattice {
    const rill_scene *scene;
    const solids *walls;
    solids inner;     /* the same without the domain's sides; borrows from walls */
    rill_vec3 origin; /* the middle of the first cell */
    double spacing;
    double time;         /* of the solids */
    double after, until; /* liquids with a start after the one and not after the other; others are none */
} fill_lattice;

typedef struct fill_range {
    int64_t begin[3], end[3];
} fill_range;

/* A cell that the boundary cuts. */
typedef struct fill_cut {
    uint64_t place;       /* in the range: i + length (j + across k) */
    float content;        /* share of it that is liquid; 1: all */
    float wet[3], dry[3]; /* middle of what is liquid and of what is not, from the cell's, in spacings */
    bool taken;
} fill_cut;

typedef struct fill_part {
    fill_range range; /* empty: nothing of the liquid is in the domain */
    fill_cut *cut;    /* in the order of their places */
    size_t cuts, taken;
    uint64_t full;  /* cells that are liquid throughout, by the distance at their middles */
    double content; /* of the cut cells */
} fill_part;

typedef struct fill_plan {
    fill_lattice lattice;
    fill_part *part; /* per liquid */
    uint32_t count;
} fill_plan;

/* That of the liquids that are there from the beginning. */
fill_lattice fill_lattice_of(const rill_scene *scene, const solids *walls);
rill_vec3 fill_place(const fill_lattice *l, int64_t i, int64_t j, int64_t k);
/* The cells within a liquid's bounds and the domain; false: none. *count: their number, perhaps beyond
 * counting: then the range is not written. */
bool fill_range_of(const fill_lattice *l, uint32_t liquid, fill_range *out, double *count);
static inline size_t fill_rows(const fill_range *r)
{
    return (size_t)((r->end[2] - r->begin[2]) * (r->end[1] - r->begin[1]));
}
static inline size_t fill_length(const fill_range *r)
{
    return (size_t)(r->end[0] - r->begin[0]);
}
/* Lattice coordinates of a place in the range. */
static inline void fill_cell(const fill_range *r, uint64_t place, int64_t at[3])
{
    const uint64_t length = fill_length(r), across = (uint64_t)(r->end[1] - r->begin[1]);
    at[0] = r->begin[0] + (int64_t)(place % length);
    at[1] = r->begin[1] + (int64_t)(place / length % across);
    at[2] = r->begin[2] + (int64_t)(place / length / across);
}

/* By the distances at its middle alone: whether the cell is the liquid's throughout, not at all, or perhaps
 * in part. */
typedef enum fill_kind { FILL_NONE, FILL_FULL, FILL_PERHAPS } fill_kind;
fill_kind fill_kind_of(const fill_lattice *l, uint32_t liquid, rill_vec3 x);
/* Whether a cell is full of any liquid, by its middle: for cells that are no cut ones. */
bool fill_is_full(const fill_lattice *l, rill_vec3 x);

/* RILL_BAD_SCENE when there may be more than 2^31 particles. */
RILL_CHECKED rill_status fill_check_size(rill_ctx *ctx, const fill_lattice *l);
RILL_CHECKED rill_status fill_plan_build(rill_ctx *ctx, const fill_lattice *l, fill_plan *out);
void fill_plan_clear(rill_ctx *ctx, fill_plan *p);

uint64_t fill_plan_count(const fill_plan *p); /* particles */
double fill_plan_volume(const fill_plan *p);  /* exact volume, in particles */

/* Where the particles of some cells are instead of in the middle (fill_spread.c). */
typedef struct fill_shifts {
    block_map cells;
    rill_vec3 *x; /* per cell of the map */
} fill_shifts;
/* Spreads the particles of cut cells, and of full cells beside them, evenly among the others and what is
 * not liquid. */
RILL_CHECKED rill_status fill_spread(rill_ctx *ctx, const fill_plan *plan, fill_shifts *out);
void fill_shifts_clear(rill_ctx *ctx, fill_shifts *s);
/* The place of the particle of a cell. */
rill_vec3 fill_shifted(const fill_plan *plan, const fill_shifts *s, const int64_t at[3]);
