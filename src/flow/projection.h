/* The pressure projection on a finite-volume mesh: one for points, voronoi and tets.
 *
 * Fluxes are volumes per second through the open part of a face, from a to b, on the
 * boundary outward. The unknown of a cell is q = pressure dt / density (m2/s). With the
 * weight w = open area / distance of a face, the flux from a to b gains w (q_a - q_b); at a
 * surface w is divided by the fraction that is fluid (ghost fluid, at least ghost_least of
 * it) and q_b is that of the pressure given there. What leaves a cell must sum to zero:
 *
 *     sum_b w (q_a - q_b) + sum_surface w (q_a - q_s) + (V V^T q)_a = -sum flux*
 *
 * V V^T couples the cells around a rigid body: pressures change its velocity by their
 * impulse, and that the fluxes through its faces ([Klingner06] eq. 6 and 7, the normals from the
 * fluid into the body; gyroscopic terms are the caller's, in the velocity before). Walls keep
 * their flux.
 *
 * DEVIATES: the paper takes the pressure on a body at the next pressure site, not at its face, and
 * so loses a layer of fluid: with 12 tetrahedra a diameter a ball's added mass came out 8 percent too
 * small. Here the fluid between site and face moves with the body: its mass joins the body's, which
 * is the same as carrying the pressure to the face by the fluid's own acceleration.
 *
 * A method with a divergence of its own brings the right side (projection_solve_with) and
 * uses the matrix and its weights. */
#pragma once

#include "bodies/rigid_body.h"
#include "flow/fv_mesh.h"
#include "linalg/solver.h"

typedef struct projection_def {
    solver_def solver;
    double density;     /* kg/m3 */
    double ghost_least; /* smallest fraction of a distance to a surface */
} projection_def;

projection_def projection_def_default(void); /* amg to 1e-6; water; 0.01 */

typedef struct projection projection;

RILL_CHECKED rill_status projection_create(rill_ctx *ctx, const projection_def *def, projection **out);
void projection_destroy(projection *p);

/* Assembles the matrix. Borrows mesh and bodies (none: NULL and 0), which keep their place until the
 * next call. keep: the solver's hierarchy, as solver_prepare. RILL_BLEW_UP naming the face or
 * cell when the mesh is no good (fv_mesh_check's conditions but the closed-cell sum), RILL_USAGE naming
 * the body that has no positive mass; the projection then has no mesh. */
RILL_CHECKED rill_status projection_prepare(projection *p, const fv_mesh *mesh, rigid_body *body,
                                            uint32_t body_count, bool keep);

/* Fluxes of walls and bodies from their velocities; the others are left. The fluxes at bodies are, before,
 * those of the fluid there: the layer that touches a body takes on its motion, and the body
 * theirs, in the ratio of their masses. */
void projection_boundary_flux(projection *p, double *flux);
/* What leaves each cell: out[cell] = sum of its outward fluxes. */
void projection_divergence(const projection *p, const double *flux, double *out);

/* q from the fluxes before; q holds the first guess. */
void projection_solve(projection *p, const double *flux, double dt, double *q, solver_report *report);
/* From another right side; the pressures given at surfaces are not added to it. */
void projection_solve_with(projection *p, const double *right, double *q, solver_report *report);

/* Adds the pressures' part to the fluxes, and to the bodies' velocities the impulse that goes with it.
 * change: what each flux gained; NULL: not wanted. */
void projection_update(projection *p, const double *q, double dt, double *flux, double *change);

/* What the fluid gave a body: impulse (N s) and torque's (N m s about its centre) of the pressures and of the
 * layer. before: the fluxes before projection_boundary_flux; after: those of projection_update. Without
 * constraints it is the change of the body's momentum. */
void projection_body_impulse(const projection *p, uint32_t body, const double *q, const double *before,
                             const double *after, rill_vec3 *impulse, rill_vec3 *torque);

/* Cell velocities from the changes of fluxes, air and walls included, as the adjoint of the
 * divergence has it (Perot 2000): u_i += 1/V_i sum_f (x_f - x_i) change_f, outward. */
void projection_cells(const projection *p, const double *change, rill_vec3 *velocity);

/* Advection-reflection (Zehnder, Narain, Thomaszewski 2018): half a step's advection, projected, is mirrored
 * at the divergence-free field before the second half: out = 2 projected - advected. For
 * fluxes or components of velocities. */
void projection_reflect(rill_ctx *ctx, size_t count, const double *advected, const double *projected,
                        double *out);

const float *projection_weights(const projection *p); /* per face; 0 at walls and bodies */
/* Components of the fluid without a surface: their pressures have the mean zero, and fluxes into
 * them must add up to zero (solver_report's imbalance shows when they do not). */
uint32_t projection_closed_count(const projection *p);
