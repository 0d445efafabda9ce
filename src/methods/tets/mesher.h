/* A mesh for every step, [Klingner06] 3.3: from the nodes of the last one.
 *
 *     mesher_first                    samples of walls, Poisson nodes, eight rounds of relaxation
 *     mesher_next (old -> new)        samples in their new places, old nodes inside, one round
 *
 * Both end with a mesh that no wall passes through: nodes whose edges do are removed, and where a
 * face is farther from its wall than TETS_BULGE sizes the wall gets a sample there. What is left after
 * MESHER_ROUNDS of that is counted. */
#pragma once

#include "tets/mesh.h"

typedef struct mesher_def {
    size_def size;
    bool circumcentres; /* relaxation by these instead of barycentres */
    uint32_t rounds;    /* of relaxation, of a first mesh */
} mesher_def;

mesher_def mesher_def_default(void); /* without sizes */

typedef struct mesher {
    rill_ctx *ctx;
    mesher_def def;
    size_field size;
    samples box, meet; /* meet: curves where walls meet that do not move */
    samples *wall;     /* by wall */
    uint32_t wall_count;
    rill_arena scratch;
    /* Of the last mesh: */
    uint32_t removed;  /* nodes in the way of walls */
    uint32_t repaired; /* samples that walls got */
    uint32_t left;     /* nodes in the way that remained: 0 but for walls finer than the mesh can be */
} mesher;

enum { MESHER_ROUNDS = 4 };

RILL_CHECKED rill_status mesher_create(rill_ctx *ctx, const mesher_def *def, const walls *w, mesher *out);
void mesher_clear(mesher *m);

/* RILL_BAD_SCENE when walls leave no room for fluid. */
RILL_CHECKED rill_status mesher_first(mesher *m, const walls *w, tet_mesh *out);
RILL_CHECKED rill_status mesher_next(mesher *m, const walls *w, const tet_mesh *old, tet_mesh *out);
