/* A pressure system made from two functions of the cell: the liquid's level set and the open
 * fractions of faces. For benchmarks, verification and tests of the solvers; a simulation
 * assembles its own. */
#pragma once

#include "grid/pressure/pressure.h"

typedef struct pressure_cells_def {
    int dimensions;
    int n[3]; /* cells a side; the box's sides are walls */
    /* Level set at the middle of cell (i, j, k) in cells, below 0 in liquid. */
    double (*phi)(const void *user, int i, int j, int k);
    /* Open fraction of the face of cell (i, j, k) towards -axis; NULL: 1. */
    double (*open)(const void *user, int axis, int i, int j, int k);
    const void *user;
    double least; /* smallest theta; 0: 0.01. It moves the surface by that part of a cell, to first order */
    bool stairs;  /* air half a cell beyond the face wherever it is: theta = 1, order 1 */
} pressure_cells_def;

typedef struct pressure_cells {
    rill_ctx *ctx;
    pressure_cells_def def;
    pressure_system system;
    /* Owned, what system points to: */
    int32_t (*tile)[3];
    uint8_t *active;
    float *a[3], *e;
    double *b, *p; /* b: zero */
    size_t count;  /* cells in all tiles */
} pressure_cells;

RILL_CHECKED rill_status pressure_cells_make(rill_ctx *ctx, const pressure_cells_def *def,
                                             pressure_cells *out);
void pressure_cells_clear(pressure_cells *c);

/* Index of cell (i, j, k) in the arrays, SIZE_MAX where there is none; and back. */
size_t pressure_cells_index(const pressure_cells *c, int i, int j, int k);
void pressure_cells_place(const pressure_cells *c, size_t index, int place[3]);
