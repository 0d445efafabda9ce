/* hypre's BoomerAMG as preconditioner of conjugate gradients on the matrix of `rill bench amg`,
 * relative residual 1e-6. A program of its own, built by amg.sh; one process per core, rows in slabs.
 *
 *   mpirun -np 2 peer_hypre_amg ROWS REPEAT
 *
 * Prints one JSON object: seconds (set-up and solve, shortest of the repetitions), iterations. Settings
 * as hypre's manual advises for Laplacians in space: HMIS coarsening, one aggressive level, extended+i
 * interpolation of at most four points, symmetric hybrid Gauss-Seidel. */
#include "bench/mesh_matrix.h"

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    HYPRE_IJMatrix a;
    HYPRE_IJVector b, x;
    int from, to; /* rows of this process */
} system_part;

static void fill(const mesh_matrix *m, system_part *s)
{
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, s->from, s->to - 1, s->from, s->to - 1, &s->a);
    HYPRE_IJMatrixSetObjectType(s->a, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(s->a);
    for (int i = s->from; i < s->to; i++) {
        int n = 0, column[512];
        double value[512];
        column[n] = i;
        value[n++] = m->a.diagonal[i];
        for (uint32_t k = m->a.start[i]; k < m->a.start[i + 1] && n < 512; k++) {
            column[n] = (int)m->a.column[k];
            value[n++] = -(double)m->a.weight[k];
        }
        HYPRE_IJMatrixSetValues(s->a, 1, &n, &i, column, value);
    }
    HYPRE_IJMatrixAssemble(s->a);
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, s->from, s->to - 1, &s->b);
    HYPRE_IJVectorSetObjectType(s->b, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(s->b);
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, s->from, s->to - 1, &s->x);
    HYPRE_IJVectorSetObjectType(s->x, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(s->x);
    for (int i = s->from; i < s->to; i++) {
        const double zero = 0;
        HYPRE_IJVectorSetValues(s->b, 1, &i, &m->b[i]);
        HYPRE_IJVectorSetValues(s->x, 1, &i, &zero);
    }
    HYPRE_IJVectorAssemble(s->b);
    HYPRE_IJVectorAssemble(s->x);
}

static double solve(system_part *s, int *iterations)
{
    HYPRE_Solver pcg, amg;
    HYPRE_ParCSRMatrix a;
    HYPRE_ParVector b, x;
    HYPRE_IJMatrixGetObject(s->a, (void **)&a);
    HYPRE_IJVectorGetObject(s->b, (void **)&b);
    HYPRE_IJVectorGetObject(s->x, (void **)&x);
    HYPRE_ParVectorSetConstantValues(x, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
    HYPRE_PCGSetTol(pcg, 1e-6);
    HYPRE_PCGSetMaxIter(pcg, 500);
    HYPRE_PCGSetTwoNorm(pcg, 1);
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetTol(amg, 0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    HYPRE_BoomerAMGSetCoarsenType(amg, 10);
    HYPRE_BoomerAMGSetInterpType(amg, 6);
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetAggNumLevels(amg, 1);
    HYPRE_BoomerAMGSetRelaxType(amg, 6);
    HYPRE_BoomerAMGSetStrongThreshold(amg, 0.5);
    HYPRE_PCGSetPrecond(pcg, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve,
                        (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup, amg);
    HYPRE_ParCSRPCGSetup(pcg, a, b, x);
    HYPRE_ParCSRPCGSolve(pcg, a, b, x);
    const double seconds = MPI_Wtime() - start;
    HYPRE_PCGGetNumIterations(pcg, iterations);
    HYPRE_ParCSRPCGDestroy(pcg);
    HYPRE_BoomerAMGDestroy(amg);
    return seconds;
}

int main(int argc, char **argv)
{
    int rank, size, iterations = 0;
    rill_ctx *ctx;
    rill_ctx_def def = rill_ctx_def_default();
    mesh_matrix m;
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    def.threads = 1;
    if (argc < 3 || rill_ctx_create(&def, &ctx)) return 2;
    if (mesh_matrix_make(ctx, (size_t)atol(argv[1]), &m)) {
        fprintf(stderr, "%s\n", rill_ctx_message(ctx));
        return 2;
    }
    system_part s = {.from = (int)((int64_t)m.rows * rank / size),
                     .to = (int)((int64_t)m.rows * (rank + 1) / size)};
    fill(&m, &s);
    double best = 1e9;
    for (int k = 0; k < atoi(argv[2]); k++) {
        const double t = solve(&s, &iterations);
        if (t < best) best = t;
    }
    if (rank == 0)
        printf(
            "{\"name\":\"hypre BoomerAMG\",\"rows\":%u,\"threads\":%d,\"seconds\":%.6f,\"iterations\":%d}\n",
            m.rows, size, best, iterations);
    HYPRE_IJMatrixDestroy(s.a);
    HYPRE_IJVectorDestroy(s.b);
    HYPRE_IJVectorDestroy(s.x);
    mesh_matrix_clear(ctx, &m);
    rill_ctx_destroy(ctx);
    HYPRE_Finalize();
    MPI_Finalize();
    return 0;
}
