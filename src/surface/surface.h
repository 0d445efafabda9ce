/* The surface of a set of particles, as a closed triangle mesh.
 *
 * Which surface is chosen by one word (scene_surface_words, flow/scene.h); each has a row in
 * the table of surface.c and a file of its own:
 *
 *     filtered     metaballs, smoothed where the liquid is whole               filtered.h
 *     metaballs    [Braley] eq. 38                                             metaballs.h
 *     zhu_bridson  Zhu and Bridson 2005, as [Adams] 5.3 compares it            averages.h
 *     distance     [Adams] section 5, distances from the surface are carried   averages.h, distances.h
 *     anisotropic  Yu and Turk 2013                                            anisotropic.h
 *     williams, williams_level   Williams 2008, of a mesh and by a level set   williams.h
 *
 * All are sampled on a sparse grid around the particles and calibrated so that a flat lattice
 * boundary lies half a spacing outside the outermost layer (errata E-B17: the papers
 * give no level, and blobs inflate), and draw a lone particle as a ball of its volume.
 *
 * Particles may stand for different amounts of liquid: a column "spacing" gives each the
 * edge of the cube (square) it stands for, and every length that is "in spacings" is then in
 * its own. */
#pragma once

#include "flow/particles.h"
#include "flow/scene.h"
#include "flow/solids.h"
#include "geom/iso/level_grid.h"
#include "geom/mesh/trimesh.h"

typedef struct surface_def {
    double spacing;      /* of the particles; where they have a column "spacing", the finest */
    double cell;         /* of the sampling grid, in spacings */
    double radius;       /* reach of a particle, in spacings; 0: the definition's own */
    int dimensions;      /* 2: the planar field, extruded to one spacing in z with flat caps */
    int definition;      /* SURFACE_FILTERED, ... */
    const char *columns; /* of the particles to interpolate, besides "velocity"; names between spaces or
                          * commas; NULL: none; borrowed */
    int smooth;          /* rounds of smoothing, weighted by neighbourhood (finish.h) */
    double smallest;     /* volume below which parts are left out, in those of a particle of the spacing */
    double slivers;      /* edges below this are collapsed, in cells; three dimensions only */
    rill_box clip;       /* what is outside of it is left out and the cut closed; max <= min: none */
    const solids *walls; /* where the surface ends, prepared for `time`; borrowed; NULL: none */
    double time;
} surface_def;

surface_def surface_def_default(void);
/* As the scene asks, without walls; borrows its texts. */
surface_def surface_def_of_scene(const rill_scene *scene);
/* The reach of a particle where none is given, in spacings. */
double surface_radius_default(int definition);

/* Closed, manifold, oriented outward, with normals from the field and the column
 * "velocity" (3 wide) interpolated from the particles. No particles: an empty mesh. The
 * same bits for any number of threads. */
RILL_CHECKED rill_status surface_from_particles(rill_ctx *ctx, const particles *p, const surface_def *def,
                                                trimesh *out);

/* The sampled field itself, for who draws its level without a mesh. No particles: an empty grid. */
RILL_CHECKED rill_status surface_field(rill_ctx *ctx, const particles *p, const surface_def *def,
                                       level_grid *out);
