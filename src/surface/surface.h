/* The surface of a set of particles, as a closed triangle mesh.
 *
 * Metaballs, [Braley] eq. 38: F(x) = sum k(|x - x_i| / h), sampled on a sparse grid
 * around the particles, and its level F = iso. The iso value is calibrated so that a
 * flat lattice boundary lies half a spacing outside the outermost layer
 * (METHODS.md E-B17: eq. 38 gives none, and blobbies inflate).
 *
 * DEVIATES: a particle on its own reaches F = k(0) = 1, and the iso value is above that beyond a
 * radius of 1.45 spacings (2.54 at 2, the default). Particles that see little liquid therefore count
 * for more than one (spray.h), so that a lone one is drawn as a ball of its volume. */
#pragma once

#include "flow/particles.h"
#include "geom/level_grid.h"
#include "geom/trimesh.h"

typedef struct surface_def {
    double spacing; /* of the particles */
    double cell;    /* of the sampling grid, in spacings */
    double radius;  /* h, in spacings */
    int dimensions; /* 2: the planar field, extruded to one spacing in z with flat caps */
} surface_def;

surface_def surface_def_default(void);
/* Closed, manifold, oriented outward, with normals from the field and the column
 * "velocity" (3 wide) interpolated from the particles. No particles: an empty mesh. The
 * same bits for any number of threads. */
RILL_CHECKED rill_status surface_from_particles(rill_ctx *ctx, const particles *p, const surface_def *def,
                                                trimesh *out);

/* The sampled field itself, for who draws its level without a mesh. No particles: an empty grid. */
RILL_CHECKED rill_status surface_field(rill_ctx *ctx, const particles *p, const surface_def *def,
                                       level_grid *out);
