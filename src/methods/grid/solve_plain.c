/* Conjugate gradients with the diagonal. */
#include "base/parallel.h"
#include "geom/block_map.h"
#include "grid/pressure.h"

#include <math.h>
#include <string.h>

void pressure_solver_init(pressure_solver *s, rill_ctx *ctx)
{
    *s = (pressure_solver){.ctx = ctx};
    arena_init(&s->memory, ctx);
    arena_init(&s->scratch, ctx);
}
void pressure_solver_clear(pressure_solver *s)
{
    arena_clear(&s->memory);
    arena_clear(&s->scratch);
}
pressure_def pressure_def_default(void)
{
    return (pressure_def){.tolerance = 1e-6};
}
rill_status pressure_solve(pressure_solver *s, const pressure_system *y, const pressure_def *def, double *p,
                           pressure_report *report)
{
    const int cells = y->dimensions == 2 ? 64 : 512, L = y->dimensions == 2 ? 1 : 8;
    const size_t n = (size_t)y->tiles * cells;
    block_map m = {0};
    uint32_t *to;
    double *r, *z, *d, *q, *diag;
    arena_reset(&s->memory);
    TRY(ARENA_NEW(&s->memory, to, 3 * n));
    TRY(ARENA_NEW(&s->memory, r, n));
    TRY(ARENA_NEW(&s->memory, z, n));
    TRY(ARENA_NEW(&s->memory, d, n));
    TRY(ARENA_NEW(&s->memory, q, n));
    TRY(ARENA_NEW(&s->memory, diag, n));
    rill_status st = RILL_OK;
    for (uint32_t i = 0; i < y->tiles && !st; i++)
        st = block_map_add(s->ctx, &m, y->tile[i][0], y->tile[i][1], y->tile[i][2]);
    if (st) {
        block_map_clear(s->ctx, &m);
        return st;
    }
    const float *A[3] = {y->ax, y->ay, y->az};
    for (size_t i = 0; i < n; i++) diag[i] = y->e[i];
    for (uint32_t t = 0; t < y->tiles; t++)
        for (int c = 0; c < cells; c++)
            for (int a = 0; a < y->dimensions; a++) {
                int x[3] = {c % 8, c / 8 % 8, c / 64};
                int32_t b[3] = {y->tile[t][0], y->tile[t][1], y->tile[t][2]};
                if (++x[a] == (a == 2 ? L : 8)) x[a] = 0, b[a]++;
                const uint32_t u = block_map_find(&m, b[0], b[1], b[2]);
                const size_t i = (size_t)t * cells + c;
                size_t k = (size_t)u * cells + (x[2] * 8 + x[1]) * 8 + x[0];
                if (u == BLOCK_NONE || !y->active[i] || !y->active[k] || !(A[a][i] > 0)) k = UINT32_MAX;
                to[3 * i + a] = (uint32_t)k;
                if (k != UINT32_MAX) diag[i] += A[a][i], diag[k] += A[a][i];
            }
    block_map_clear(s->ctx, &m);
    double bb = 0, rz = 0;
    for (size_t i = 0; i < n; i++) {
        p[i] = 0;
        r[i] = y->active[i] ? y->b[i] : 0;
        bb += r[i] * r[i];
        z[i] = diag[i] > 0 ? r[i] / diag[i] : 0;
        d[i] = z[i];
        rz += r[i] * z[i];
    }
    uint32_t it = 0;
    double rr = bb;
    while (it < 3000 && rr > def->tolerance * def->tolerance * bb && rr > 0) {
        it++;
        for (size_t i = 0; i < n; i++) q[i] = y->active[i] ? y->e[i] * d[i] : 0;
        for (size_t i = 0; i < n; i++)
            for (int a = 0; a < y->dimensions; a++) {
                const uint32_t k = to[3 * i + a];
                if (k == UINT32_MAX) continue;
                const double f = A[a][i] * (d[i] - d[k]);
                q[i] += f;
                q[k] -= f;
            }
        double dq = 0, old = rz;
        for (size_t i = 0; i < n; i++) dq += d[i] * q[i];
        if (!(dq > 0)) break;
        rr = rz = 0;
        for (size_t i = 0; i < n; i++) {
            p[i] += old / dq * d[i];
            r[i] -= old / dq * q[i];
            z[i] = diag[i] > 0 ? r[i] / diag[i] : 0;
            rr += r[i] * r[i];
            rz += r[i] * z[i];
        }
        for (size_t i = 0; i < n; i++) d[i] = z[i] + rz / old * d[i];
    }
    *report = (pressure_report){.iterations = it, .residual = bb > 0 ? sqrt(rr / bb) : 0};
    return RILL_OK;
}
