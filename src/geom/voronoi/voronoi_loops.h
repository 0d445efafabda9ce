/* The chords that a clipped cell's faces leave open, joined to loops: its boundary. */
#pragma once

#include "geom/voronoi/voronoi.h"

typedef struct loop_chord {
    uint32_t start, end; /* vertices */
} loop_chord;

/* Scratch for the chords of one cell; one per worker. */
typedef struct loop_scratch {
    loop_chord *chord;
    uint32_t *next; /* per chord: the one that goes on where it ends */
    uint8_t *taken;
    uint32_t chords, loops;
} loop_scratch;

/* Every chord is followed by the one that starts nearest to its end. Vertices of an edge come
 * from the faces on both sides of it, which may have different owners: the same up to
 * rounding. Sets next and loops. */
void loops_find(const voronoi *v, loop_scratch *scratch);

/* Writes a face for each loop from face `first` on, its corners from `corner` on: centroid the
 * average of the corners, area that of the fan around it. Returns the number of loops. */
uint32_t loops_write(voronoi *v, loop_scratch *scratch, uint32_t cell, uint32_t kind, uint32_t first,
                     uint32_t corner);
