/* The pressure system of a MAC grid and its solvers ([Braley] section 4.2, eq. 30-32 with
 * the sign and the coefficients of a symmetric positive matrix).
 *
 * For every active cell i
 *     e_i p_i + sum over faces j of a_ij (p_i - p_j) = b_i ,
 * a_ij the open fraction of the face to an active neighbour, e_i the sum of w / theta over
 * the faces to air (w open fraction, theta the part of the distance that is liquid, at
 * least 0.01), b_i the right side with the pressure at the surface moved into it. Written
 * with differences, so that a constant is in the null space to the last bit.
 *
 * Cells live in sparse tiles of 8 x 8 x 8 (in two dimensions 8 x 8 x 1): cell (x, y, z) of
 * tile t has index t * cells + (z * 8 + y) * 8 + x; tiles are in ascending order of z, y, x.
 *
 * A part of the liquid that has no free surface determines its pressure up to a constant,
 * and only if the flux into it adds up to zero: the mean is taken off the right side and
 * off the answer, and the largest sum taken off is reported (net_flux). Not to converge is
 * an answer: the report says how the solver ended, and the pressure is the best it had.
 *
 * The result does not depend on the number of threads. A solver keeps its memory from one
 * solve to the next. */
#pragma once

#include "base/arena.h"
#include "linalg/low_rank.h"

typedef enum pressure_method {
    PRESSURE_MULTIGRID, /* conjugate gradients with a multigrid cycle: the default */
    PRESSURE_MIC0,      /* conjugate gradients with modified incomplete Cholesky, Bridson 2008 */
    PRESSURE_CG,        /* conjugate gradients, plain */
    PRESSURE_SOR,       /* red-black successive over-relaxation */
    PRESSURE_JACOBI,
    PRESSURE_METHODS
} pressure_method;

/* "multigrid", "mic0", "cg", "sor", "jacobi", NULL: in the order of the enum. */
extern const char *const pressure_method_words[PRESSURE_METHODS + 1];

typedef struct pressure_def {
    pressure_method method;
    double tolerance;        /* of the residual's Euclidean norm, relative to the right side's */
    uint32_t max_iterations; /* 0: 200 for multigrid, 100000 for the others */
    double omega;            /* of SOR and Jacobi, in (0, 2); 0: for SOR the best of a closed box of the
                                liquid's size, for Jacobi 1, or 0.9 where parts are closed */
    bool warm;               /* the pressure handed in is a first guess; else the start is zero */
} pressure_def;

pressure_def pressure_def_default(void); /* multigrid, 1e-6 */

/* Rigid bodies that the liquid moves: the matrix is A + J W J^T (bodies.h). */
typedef struct pressure_bodies {
    uint32_t count;
    uint32_t *start, *end;                          /* per body: its rows of J, in ascending order of cells */
    low_rank_entry *entry;                          /* row: index of an active cell */
    double (*root)[LOW_RANK_WIDTH][LOW_RANK_WIDTH]; /* per body: W = root root^T */
    double (*motion)[LOW_RANK_WIDTH]; /* per body: V*, as it moves before; the right side is b - J V* */
    double *heavier; /* per body, written: (its mass + added mass) / its mass, the least of its freedoms; 1
                        where it is not light */
    uint8_t *light;  /* per body: light enough to need a column in the preconditioner */
} pressure_bodies;

/* Another right side of the same matrix, with bodies held: solved after the first, with its hierarchy. */
typedef struct pressure_aside {
    const double *b;
    double tolerance; /* as pressure_def's */
    double *p;        /* out; zero where the solve diverged */
} pressure_aside;

typedef struct pressure_system {
    int dimensions; /* 2 or 3 */
    uint32_t tiles;
    const int32_t (*tile)[3]; /* place of each tile, counted in tiles, within +-2^20; z = 0 in 2D */
    /* Per cell: */
    const uint8_t *active;     /* not 0: liquid, an unknown */
    const float *ax, *ay, *az; /* coefficient to the cell at +x, +y, +z (az unused in 2D), >= 0; counts
                                  where both cells are active */
    const float *e;            /* >= 0 */
    const double *b;
    const pressure_bodies *bodies; /* NULL: none; not with PRESSURE_SOR and PRESSURE_JACOBI */
    const pressure_aside *aside;   /* NULL: none */
} pressure_system;

typedef enum pressure_end {
    PRESSURE_CONVERGED,
    PRESSURE_STALLED,  /* no longer gets better */
    PRESSURE_DIVERGED, /* grew, or met something that is not a number */
    PRESSURE_MAX_ITERATIONS
} pressure_end;

typedef struct pressure_report {
    pressure_end end;
    uint32_t iterations;
    double residual;   /* true relative residual, |b - A p| / |b|, computed at the end */
    double norm;       /* |b|, what is singular taken off */
    uint64_t cells;    /* unknowns */
    uint32_t singular; /* parts of the liquid without a free surface */
    double net_flux;   /* largest |sum of b| over one of them: 0 if the walls let in what they let out */
    uint32_t levels;   /* of the hierarchy; 1 for the others */
    double setup_seconds, solve_seconds;
} pressure_report;

typedef struct pressure_solver {
    rill_ctx *ctx;
    rill_arena memory; /* of the last solve; forgotten, not freed, by the next */
    rill_arena scratch;
    size_t room[2]; /* bytes each of them holds without asking for more */
} pressure_solver;

void pressure_solver_init(pressure_solver *s, rill_ctx *ctx);
void pressure_solver_clear(pressure_solver *s);

/* Solves for p (tiles * cells values; 0 where not active). p and report are untouched on
 * failure, which is want of memory or a definition out of range. */
RILL_CHECKED rill_status pressure_solve(pressure_solver *s, const pressure_system *system,
                                        const pressure_def *def, double *p, pressure_report *report);
