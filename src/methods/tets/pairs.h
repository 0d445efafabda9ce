/* Pairs of nodes across several solids that lie on each other, overlap or cross.
 *
 * The mates of samples (samples.h) are on the other side of their own wall, which another solid may cover: of
 * two plates on each other the far side of the lower one then has samples of its own, and tetrahedra reach
 * through both. Nodes next to several solids get a node straight behind them, where the way through all of
 * these comes out, unless there is one; samples of walls near such nodes are left out.
 *
 * A set of pairs belongs to one mesh; it owns its arrays. */
#pragma once

#include "tets/mesh.h"

typedef struct pairs {
    spots taken;  /* nodes next to several solids */
    spots behind; /* those of them that were added here */
} pairs;

RILL_CHECKED rill_status pairs_init(rill_ctx *ctx, double finest, pairs *out);
void pairs_clear(pairs *p);
/* Whether a node of wall `owner` at x is next to several solids. */
bool pairs_concern(const walls *w, rill_vec3 x, uint32_t owner, double h);
/* A node that is there whatever is behind it, a corner or a crease; when all are known, what is behind it. */
RILL_CHECKED rill_status pairs_take(pairs *p, rill_vec3 x);
RILL_CHECKED rill_status pairs_complete(pairs *p, const walls *w, rill_vec3 x, uint8_t kind, double h,
                                        tet_mesh *out);
/* A node of the mesh on wall `owner`, and what is behind it; nothing when one from behind others is as good.
 */
RILL_CHECKED rill_status pairs_place(pairs *p, const walls *w, rill_vec3 x, uint8_t kind, uint32_t owner,
                                     double h, tet_mesh *out);
