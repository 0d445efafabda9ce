/* One face cut by a function: the pieces that are kept and the chords that bound them. */
#pragma once

#include "geom/voronoi/voronoi_clip.h"

/* A corner on its way: a vertex of the diagram, or (id UINT32_MAX) a point that was found
 * inside a thin solid on an edge. */
typedef struct cut_corner {
    rill_vec3 x;
    double value;
    uint32_t id;
} cut_corner;

typedef struct cut_run {
    uint32_t first, count;  /* kept corners */
    rill_vec3 entry, leave; /* where the polygon comes in before them and goes out after */
} cut_run;

/* Scratch for the largest face; one per worker. */
typedef struct cut_scratch {
    cut_corner *corner;
    cut_run *run;
    uint32_t corners, runs;
    rill_vec3 *x; /* a polygon, for the user */
    uint32_t *id;
} cut_scratch;

typedef enum cut_kind {
    CUT_NOTHING, /* kept whole */
    CUT_ALL,     /* nothing kept */
    CUT_PIECES,  /* each run is a polygon: its corners, leave, entry */
    CUT_BAND     /* one polygon: of every run corners, leave, entry of the next */
} cut_kind;

uint32_t cut_scratch_corners(uint32_t most); /* capacity for faces of at most `most` corners */

/* value: per vertex. *thin: set when a point inside a thin solid was inserted. Roots are
 * worked out when `roots`. */
cut_kind cut_face(const voronoi *v, const voronoi_clip_def *def, const double *value, uint32_t face,
                  bool roots, cut_scratch *scratch, bool *thin);

/* Whether what is kept of a cell is in several parts, though no thin solid was found on its edges. */
bool cut_divides(const voronoi *v, const voronoi_clip_def *def, const double *value, uint32_t cell);

/* Whether the way from the site to x is free of solid. */
bool cut_sees(const voronoi_clip_def *def, uint32_t cell, rill_vec3 x);
