/* The "voronoi" block of a scene: one row per key. */
#include "voronoi/params.h"

static const char *const samplings[] = {"matched", "regular", NULL};
static const char *const interpolants[] = {"linear", "paper", "naive", "generalised", NULL};
static const char *const crossings[] = {"ray", "distance", NULL};
static const char *const preconditioners[] = {"amg", "ic", NULL};

const rill_param brochu_params[] = {
    RILL_CHOICE("sampling", brochu_def, sampling, "matched", samplings,
                "matched: pressure samples on both sides of every vertex of the surface; regular: a lattice "
                "that does not know the surface, for comparison"),
    RILL_CHOICE("interpolant", brochu_def, interpolant, "linear", interpolants,
                "of velocities. linear: exact for linear fields; paper: as published; naive: over Delaunay "
                "tetrahedra; generalised: over Voronoi cells"),
    RILL_CHOICE("crossing", brochu_def, crossing, "ray", crossings,
                "where the surface is between two samples: by a ray, or from their distances to it"),
    RILL_CHOICE("preconditioner", brochu_def, preconditioner, "amg", preconditioners,
                "of the pressure solve: algebraic multigrid, or incomplete Cholesky as in the paper"),
    RILL_BOOL(
        "keep_volume", brochu_def, keep_volume, 1,
        "each part of the liquid is led back to its volume, by at most a twentieth of a spacing a step"),
    RILL_BOOL("graded", brochu_def, graded, 1, "the lattice becomes coarser away from the surface"),
    RILL_BOOL("repair", brochu_def, repair, 0,
              "liquid meshes that cross themselves are replaced by the contour of their inside"),
    RILL_BOOL("bubbles", brochu_def, bubbles, 0,
              "enclosed air keeps its volume, and rises; otherwise its pressure is that of the air outside"),
    RILL_BOOL("reflection", brochu_def, reflection, 0,
              "advection-reflection (Zehnder et al. 2018): a step is made in two halves, and vortices live "
              "longer"),
    RILL_BOOL("correction", brochu_def, correction, 0,
              "MacCormack's correction of advection away from the surface: less is lost of small vortices"),
    RILL_BOOL(
        "implicit_tension", brochu_def, implicit_tension, 0,
        "surface tension whose short waves are slowed to what the step can follow: \"capillary\" may be "
        "up to 20"),
    RILL_NUMBER("contact_angle", brochu_def, contact_angle, 90, 10, 170, "degrees",
                "of liquid with surface tension at the sides of the domain, measured in the liquid"),
    RILL_NUMBER("cfl", brochu_def, cfl, 0.5, 0.01, 20, "spacings", "way of the fastest liquid in a step"),
    RILL_POSITIVE("max_step", brochu_def, max_step, 0.02, 1, "s", "longest time step"),
    RILL_NUMBER("capillary", brochu_def, capillary, 0.5, 0.01, 20, "",
                "step with surface tension, in units of sqrt(density spacing^3 / (2 pi tension)); above 0.75 "
                "it needs \"implicit_tension\""),
    RILL_NUMBER("tolerance", brochu_def, tolerance, 1e-7, 1e-12, 0.1, "",
                "relative residual of the pressure solve"),
    RILL_NUMBER("merge", brochu_def, merge, 0.2, 0, 1, "spacings",
                "surfaces with air between them join when nearer than this; 0: never"),
    RILL_NUMBER("film", brochu_def, film, 0, 0, 1, "spacings",
                "sheets of liquid thinner than this get holes; 0: never"),
    RILL_NUMBER("drop", brochu_def, drop, 0.05, 0, 10, "cubic spacings", "parts of less volume are removed"),
    RILL_NUMBER("air_band", brochu_def, air_band, 3, 1, 20, "spacings",
                "how far from the surface air has samples"),
    RILL_NUMBER("jitter", brochu_def, jitter, 0, 0, 0.4, "spacings",
                "random displacement of the first surface's vertices along the surface"),
    RILL_NUMBER("noise", brochu_def, noise, 0, 0, 0.4, "spacings", "and across it"),
    RILL_INTEGER("seed", brochu_def, seed, 1, 0, 1000000, "", "of these displacements"),
    {0},
};
