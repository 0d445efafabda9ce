/* How the surface runs through one cell of a grid, for each of the 256 sign patterns.
 *
 * Marching cubes, Lorensen and Cline 1987, made closed and manifold by construction:
 *  - on a face with two opposite corners inside, the two are cut off separately, on
 *    both sides of the face alike, since the rule sees the face's four signs only;
 *  - the crossings of a cell then form closed loops through its edges, each crossed edge
 *    once; a loop is cut into triangles without a diagonal between two edges of one
 *    face, so that a diagonal belongs to this cell alone.
 * Such a triangulation exists for every loop (cube_cases_build says so).
 *
 * Corner c of a cell is (c & 1, c >> 1 & 1, c >> 2); bit c of a case is set when it is
 * inside. An edge is its axis << 3 | its lower corner. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CUBE_MAX_TRIANGLES = 5 };

typedef struct cube_cases {
    uint8_t count[256];                       /* triangles */
    uint8_t edge[256][CUBE_MAX_TRIANGLES][3]; /* counter-clockwise seen from outside */
} cube_cases;

/* Whether every loop could be cut as above: always true, and kept true by a test. */
bool cube_cases_build(cube_cases *out);
