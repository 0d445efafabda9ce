/* hypre's PFMG as preconditioner of conjugate gradients on the pressure of a flat half-full box
 * of n cells a side: the system of `rill bench pressure-flat`, relative residual 1e-6. A program
 * of its own, built by pressure.sh; one process per core, the box cut along z.
 *
 *   mpirun -np 2 peer_hypre_pfmg N REPEAT
 *
 * Prints one JSON object: seconds (set-up and solve, shortest of the repetitions), iterations. */
#include "base/random.h"

#include <HYPRE_struct_ls.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 4 }; /* of the symmetric half of the stencil: own, +x, +y, +z */

typedef struct part {
    int n, lower[3], upper[3]; /* cells of this process, both ends included */
    double *matrix, *right, *zero;
} part;

static double right_side(int n, int i, int j, int k)
{
    const double x = M_PI * (i + 0.5) / n, y = M_PI * (j + 0.5) / n, z = M_PI * (k + 0.5) / n;
    const random4 r = random_at(8, ((uint64_t)k * 4096 + (uint64_t)j) * 4096 + (uint64_t)i, 0, 60);
    return cos(x) * cos(2 * y) * cos(z) + 0.5 * cos(3 * x) + random_unit(r.v[0], r.v[1]) - 0.5 + (j == 0);
}

static void fill(part *p)
{
    const int top = p->n / 2 - 1;
    size_t at = 0;
    for (int k = p->lower[2]; k <= p->upper[2]; k++)
        for (int j = p->lower[1]; j <= p->upper[1]; j++)
            for (int i = p->lower[0]; i <= p->upper[0]; i++, at++) {
                double *m = p->matrix + at * POINTS;
                m[1] = i < p->n - 1 ? -1 : 0;
                m[2] = j < top ? -1 : 0;
                m[3] = k < p->n - 1 ? -1 : 0;
                m[0] = (i > 0) + (i < p->n - 1) + (j > 0) + (j < top) + (k > 0) + (k < p->n - 1);
                if (j == top) m[0] += 2; /* air half a cell away */
                p->right[at] = right_side(p->n, i, j, k);
                p->zero[at] = 0;
            }
}

static double solve(const part *p, int *iterations, double *residual)
{
    HYPRE_StructGrid grid;
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix a;
    HYPRE_StructVector b, x;
    HYPRE_StructSolver pcg, pfmg;
    int entries[POINTS] = {0, 1, 2, 3}, offset[POINTS][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int lower[3] = {p->lower[0], p->lower[1], p->lower[2]},
        upper[3] = {p->upper[0], p->upper[1], p->upper[2]};

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    HYPRE_StructGridSetExtents(grid, lower, upper);
    HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencilCreate(3, POINTS, &stencil);
    for (int s = 0; s < POINTS; s++) HYPRE_StructStencilSetElement(stencil, s, offset[s]);
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &a);
    HYPRE_StructMatrixSetSymmetric(a, 1);
    HYPRE_StructMatrixInitialize(a);
    HYPRE_StructMatrixSetBoxValues(a, lower, upper, POINTS, entries, p->matrix);
    HYPRE_StructMatrixAssemble(a);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &b);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &x);
    HYPRE_StructVectorInitialize(b);
    HYPRE_StructVectorInitialize(x);
    HYPRE_StructVectorSetBoxValues(b, lower, upper, p->right);
    HYPRE_StructVectorSetBoxValues(x, lower, upper, p->zero);
    HYPRE_StructVectorAssemble(b);
    HYPRE_StructVectorAssemble(x);

    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &pcg);
    HYPRE_StructPCGSetMaxIter(pcg, 200);
    HYPRE_StructPCGSetTol(pcg, 1e-6);
    HYPRE_StructPCGSetTwoNorm(pcg, 1);
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg);
    HYPRE_StructPFMGSetMaxIter(pfmg, 1);
    HYPRE_StructPFMGSetTol(pfmg, 0);
    HYPRE_StructPFMGSetZeroGuess(pfmg);
    HYPRE_StructPFMGSetRAPType(pfmg, 1);   /* coarse matrices of seven points */
    HYPRE_StructPFMGSetRelaxType(pfmg, 2); /* red-black Gauss-Seidel, symmetric */
    HYPRE_StructPFMGSetNumPreRelax(pfmg, 1);
    HYPRE_StructPFMGSetNumPostRelax(pfmg, 1);
    HYPRE_StructPFMGSetSkipRelax(pfmg, 1);
    HYPRE_StructPCGSetPrecond(pcg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg);
    HYPRE_StructPCGSetup(pcg, a, b, x);
    HYPRE_StructPCGSolve(pcg, a, b, x);
    HYPRE_StructPCGGetNumIterations(pcg, iterations);
    HYPRE_StructPCGGetFinalRelativeResidualNorm(pcg, residual);
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - start;

    HYPRE_StructPCGDestroy(pcg);
    HYPRE_StructPFMGDestroy(pfmg);
    HYPRE_StructVectorDestroy(b);
    HYPRE_StructVectorDestroy(x);
    HYPRE_StructMatrixDestroy(a);
    HYPRE_StructStencilDestroy(stencil);
    HYPRE_StructGridDestroy(grid);
    return seconds;
}

int main(int argc, char **argv)
{
    int rank, size, iterations = 0;
    double residual = 0, best = INFINITY;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int n = argc > 1 ? atoi(argv[1]) : 128, repeat = argc > 2 ? atoi(argv[2]) : 3;
    part p = {
        .n = n, .lower = {0, 0, rank * n / size}, .upper = {n - 1, n / 2 - 1, (rank + 1) * n / size - 1}};
    const size_t cells = (size_t)n * (size_t)(n / 2) * (size_t)(p.upper[2] - p.lower[2] + 1);
    p.matrix = malloc(cells * POINTS * sizeof(double));
    p.right = malloc(cells * sizeof(double));
    p.zero = malloc(cells * sizeof(double));
    if (!p.matrix || !p.right || !p.zero) MPI_Abort(MPI_COMM_WORLD, 6);
    fill(&p);
    HYPRE_Init();
    for (int i = 0; i <= repeat; i++) {
        const double seconds = solve(&p, &iterations, &residual);
        if (i > 0 && seconds < best) best = seconds;
    }
    if (rank == 0)
        printf("{\"name\":\"hypre "
               "PFMG-PCG\",\"n\":%d,\"threads\":%d,\"seconds\":%.6f,\"iterations\":%d,\"residual\":%.3g}\n",
               n, size, best, iterations, residual);
    HYPRE_Finalize();
    free(p.matrix);
    free(p.right);
    free(p.zero);
    MPI_Finalize();
    return 0;
}
