/* Surfaces as smooth as the particles allow, after Williams, Fluid Surface Reconstruction from Particles
 * (UBC 2008), which [Sin09] section 4 draws its liquids with: between the balls of an inner radius around
 * all particles, which are inside, and the union of balls of an outer radius, beyond which nothing is.
 *
 * Both forms start from the metaballs, whose volume is calibrated. DEVIATES: Williams starts from a
 * union of balls and erodes it; balls large enough to leave no holes inside put a flat surface 0.4 spacings
 * too far out.
 *
 * williams_relax: of the mesh. Vertices go down the gradient of the thin-plate energy, sum |L x|^2 with L x
 * the mean of the neighbours less x (chapter 3), and back between the balls after every round. Only the
 * nearest particle counts: the inner ball that holds a point is its, and so is the outer one if any is.
 *
 * williams_level: the variation by level set for liquid at rest, whose mesh is another one in every frame and
 * flickers where highlights show it. The samples of a distance are smoothed by 2 G - G^2, G a
 * Gaussian, which leaves waves much longer than its width as they are, and kept between those of the
 * balls; the grid's planes stand still in the world. */
#pragma once

#include "geom/iso/isosurface.h"
#include "surface/sampler.h"

typedef struct williams_def {
    double inner, outer; /* radii, in spacings */
    double spacing;      /* m */
    int rounds;          /* of relaxing */
    double width;        /* of G, in spacings */
} williams_def;

/* Moves the vertices of a mesh that was made from the sampler's blocks, which stay closed and manifold, and
 * sets its normals, which must be there, to those of the mesh. */
RILL_CHECKED rill_status williams_relax(rill_ctx *ctx, const sampler *s, const level_patches *patches,
                                        const williams_def *def, trimesh *mesh);

/* Makes samples of metaballs those of the smoothed distance, in cells, positive inside; the level becomes 0.
 * slope: of the metaballs' field at the level, per spacing. */
RILL_CHECKED rill_status williams_level(rill_ctx *ctx, const sampler *s, double slope,
                                        const williams_def *def, level_grid *grid);
