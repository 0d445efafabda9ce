/* Buoyancy, and the force that keeps eddies turning. */
#include "grid/gas/state.h"

typedef struct {
    gas *s;
    double dt;
    rill_vec3 gravity;
    float *force[3]; /* per cell, m/s^2 */
} force_job;

/* Boussinesq: the density counts in the weight alone, as an acceleration g (soot / density - heat / ambient).
 * Gravity itself is in the pressure. */
static inline float heavier(const gas *s, size_t i, float per_soot, float per_heat)
{
    return s->soot[i] * per_soot - s->heat[i] * per_heat;
}

static void buoyancy_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const force_job *j = arg;
    gas *s = j->s;
    const grid_tiles *t = &s->grid.tiles;
    const size_t cells = (size_t)t->cells;
    const float per_soot = (float)(1 / s->grid.sim.scene->fluid.density),
                per_heat = (float)(1 / SCENE_AMBIENT);
    for (int a = 0; a < t->dimensions; a++) {
        const float gain = (float)(0.5 * j->dt * v3_axis(j->gravity, a));
        if (gain == 0) continue;
        const size_t stride = a == 0 ? 1 : a == 1 ? 8 : 64;
        for (size_t tile = begin; tile < end; tile++) {
            const uint32_t below = t->near[tile][grid_near_index(-(a == 0), -(a == 1), -(a == 2))];
            for (size_t c = 0; c < cells; c++) {
                const size_t i = tile * cells + c;
                const bool edge = c / stride % 8 == 0;
                const size_t m = !edge ? i - stride : below == GRID_NONE ? i : below * cells + c + 7 * stride;
                s->u[a][i] += gain * (heavier(s, i, per_soot, per_heat) + heavier(s, m, per_soot, per_heat));
            }
        }
    }
}

void gas_buoyancy(gas *s, double t, double dt)
{
    force_job j = {.s = s, .dt = dt, .gravity = scene_gravity(s->grid.sim.scene, t + dt / 2)};
    if (s->grid.sim.scene->smoke_count == 0) return;
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 8, buoyancy_tiles, &j);
}

/* ---- vorticity confinement: Fedkiw, Stam, Jensen 2001, eq. 9-11 ---- */

enum { HALO = 3, N = GRID_SIDE + 2 * HALO, MOST = N * N * N };

/* Vorticity at the centre of a block's cell, per time of a cell's crossing. */
static void vorticity(const float *const u[3], int d, int i, const int step[3], float w[3])
{
    float at[3][3]; /* velocity[b] derived along a, central */
    for (int b = 0; b < d; b++)
        for (int a = 0; a < d; a++) {
            const float *v = u[b] + i;
            at[b][a] =
                a == b ? v[step[a]] - v[0]
                       : 0.25f * (v[step[a]] + v[step[a] + step[b]] - v[-step[a]] - v[-step[a] + step[b]]);
        }
    w[0] = d == 3 ? at[2][1] - at[1][2] : 0;
    w[1] = d == 3 ? at[0][2] - at[2][0] : 0;
    w[2] = at[1][0] - at[0][1];
}

static void confine_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const force_job *j = arg;
    const gas *s = j->s;
    const grid_tiles *t = &s->grid.tiles;
    const int d = t->dimensions, step[3] = {1, N, N * N};
    const float scale = (float)(s->grid.def.confinement * j->dt);
    float block[3][MOST];
    const float *const u[3] = {block[0], block[1], block[2]};
    for (size_t tile = begin; tile < end; tile++) {
        for (int a = 0; a < d; a++) {
            grid_block_load(t, (uint32_t)tile, s->u[a], HALO, 0, block[a]);
            grid_block_extend(t, (uint32_t)tile, a, HALO, block[a]);
        }
        for (int c = 0; c < t->cells; c++) {
            const int i = grid_block_first(t, HALO) + (c / 64 * N + c / 8 % 8) * N + c % 8;
            float w[3], slope[3] = {0}, length2 = 0;
            for (int a = 0; a < d; a++) {
                float up[3], down[3];
                vorticity(u, d, i + step[a], step, up);
                vorticity(u, d, i - step[a], step, down);
                slope[a] = sqrtf(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]) -
                           sqrtf(down[0] * down[0] + down[1] * down[1] + down[2] * down[2]);
                length2 += slope[a] * slope[a];
            }
            vorticity(u, d, i, step, w);
            const float by = length2 > 1e-20f ? scale / sqrtf(length2) : 0;
            const size_t at = tile * (size_t)t->cells + (size_t)c;
            for (int a = 0; a < d; a++) {
                const int b = (a + 1) % 3, e = (a + 2) % 3;
                j->force[a][at] = by * (slope[b] * w[e] - slope[e] * w[b]);
            }
        }
    }
}

static void push_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const force_job *j = arg;
    gas *s = j->s;
    const grid_tiles *t = &s->grid.tiles;
    const size_t cells = (size_t)t->cells;
    for (size_t tile = begin; tile < end; tile++)
        for (int a = 0; a < t->dimensions; a++) {
            const size_t stride = a == 0 ? 1 : a == 1 ? 8 : 64;
            const uint32_t below = t->near[tile][grid_near_index(-(a == 0), -(a == 1), -(a == 2))];
            for (size_t c = 0; c < cells; c++) {
                const size_t i = tile * cells + c;
                const bool edge = c / stride % 8 == 0;
                const size_t m = !edge ? i - stride : below == GRID_NONE ? i : below * cells + c + 7 * stride;
                s->u[a][i] += 0.5f * (j->force[a][i] + j->force[a][m]);
            }
        }
}

/* f = confinement * h (N x w), N the direction in which |w| grows. Vorticities are taken per cell, u / h, so
 * that h leaves the formula. */
rill_status gas_confine(gas *s, double dt)
{
    force_job j = {.s = s, .dt = dt};
    if (!(s->grid.def.confinement > 0)) return RILL_OK;
    const arena_mark mark = arena_mark_of(&s->grid.scratch);
    for (int a = 0; a < s->grid.tiles.dimensions; a++)
        TRY(ARENA_NEW(&s->grid.scratch, j.force[a], grid_cell_count(&s->grid.tiles)));
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 4, confine_tiles, &j);
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 8, push_tiles, &j);
    arena_back(&s->grid.scratch, mark);
    return RILL_OK;
}
