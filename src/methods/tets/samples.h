/* Samples of surfaces: the nodes that make a Delaunay mesh conform to them.
 *
 * Per wall, in its own coordinates, made once while the size there stays: corners, then
 * creases (edges that turn by more than 40 degrees) divided by the integral of ds / size, then
 * faces by greedy discs of falling radius among random candidates, evened out by rounds of Lloyd.
 * Only samples whose normals agree see each other, so that the two sides of a thin wall are
 * sampled apart; where it is thinner than SAMPLES_THIN sizes each sample has a mate straight behind it,
 * without which tetrahedra of the two sides reach through it. Curves where walls meet are on
 * neither wall and are sampled as creases. */
#pragma once

#include "tets/size.h"
#include "tets/spots.h"

enum { NODE_INSIDE, NODE_FACE, NODE_CREASE, NODE_CORNER };

#define SAMPLES_THIN 1.5

typedef struct sample {
    rill_vec3 x, normal; /* normal: zero on creases and corners */
    uint32_t mate;       /* the sample behind it; UINT32_MAX: none */
    uint8_t kind;
    double size;         /* it was made for, m */
    mesh_closest anchor; /* of a wall that deforms: where it is on the mesh */
} sample;

typedef struct samples {
    sample *at;
    uint32_t count;
    size_t capacity;
} samples;

void samples_clear(rill_ctx *ctx, samples *s);
RILL_CHECKED rill_status samples_add(rill_ctx *ctx, samples *s, const sample *a);

/* Of wall k, in its own coordinates, or of the box (WALL_BOX), in those of the world. On failure out is
 * as before. */
RILL_CHECKED rill_status samples_make(rill_ctx *ctx, const walls *w, uint32_t k, const size_field *size,
                                      samples *out);
/* Curves where walls meet each other or the box; in the world. moving: those of walls that move, or
 * those of walls that do not. Appends. */
RILL_CHECKED rill_status samples_meet(rill_ctx *ctx, const walls *w, const size_field *size, bool moving,
                                      samples *out);

/* The point of wall k straight behind x on its surface, and the normal there; false where it is thicker than
 * SAMPLES_THIN sizes h, or that point is outside of the box. */
bool samples_behind(const walls *w, uint32_t k, rill_vec3 x, rill_vec3 normal, double h, rill_vec3 *behind,
                    rill_vec3 *its_normal);

/* ---- candidates.c ---- */

typedef struct candidates {
    rill_vec3 *x, *normal; /* in the world */
    size_t count, capacity, normal_capacity;
} candidates;

enum { CANDIDATES_PER_SAMPLE = 24 };

void candidates_clear(rill_ctx *ctx, candidates *c);
/* Random points of the surface of wall k or of the box, `per` to a square of the local size. Those of
 * parts that other parts of the same wall cover are left out. */
RILL_CHECKED rill_status candidates_make(rill_ctx *ctx, const walls *w, uint32_t k, const size_field *size,
                                         int per, candidates *out);
/* The parts of a combined shape as walls in the same place; *out owns its array alone. */
RILL_CHECKED rill_status walls_parts(rill_ctx *ctx, const walls *w, uint32_t k, walls *out);

/* ---- creases.c ---- */

/* Appends corners, then creases of wall k or the box, in the world, to the spots; their kinds to kind. */
RILL_CHECKED rill_status creases_add(rill_ctx *ctx, const walls *w, uint32_t k, const size_field *size,
                                     spots *found);
/* Where two walls meet (b: a wall, or WALL_SIDE + side), by the candidates of the first; `whole` says what
 * is covered by other walls. */
RILL_CHECKED rill_status creases_meet(rill_ctx *ctx, const walls *parts, uint32_t a, uint32_t b,
                                      const walls *whole, const size_field *size, const candidates *of_a,
                                      spots *found);
/* Corners of those curves: where the edges of boxes, and of the domain, pass through or end on other walls.
 * moving: as of samples_meet. */
RILL_CHECKED rill_status creases_pierce(const walls *w, const size_field *size, bool moving, spots *found);
/* The point of the surface of a wall or the box near x; false: none was found. */
bool samples_project(const walls *w, uint32_t k, rill_vec3 *x, rill_vec3 *normal);
