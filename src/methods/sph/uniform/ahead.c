/* Densities where a step leads: what the second solve of dfsph holds down.
 *
 * The particles will be at x + dt v + dt^2 a, a the acceleration by the second solve's k. The
 * density there is summed again for every k, over the lists of the step's start, whose ends have moved far
 * less than the kernel's edge: what the solve reports is the compression the next step begins with. Linear in
 * a it would not be: at an impact, and once liquid has been compressed, the error of the linear form is
 * larger than the tolerance.
 *
 * Walls are evaluated again at x + dt v and the step's end, and are quadratic in a alone: linear, they left
 * the state after the step up to a fifth above the tolerance at impacts. */
#include "sph/dfsph/relax.h"
#include "sph/uniform/pass.h"

#include <math.h>
#include <string.h>

typedef struct {
    sph *s;
    double dt, t;
    double travel; /* no solid goes farther in the step */
} wall_job;

static void look_at_walls(const wall_job *j, uint32_t i, double far, rill_vec3 center)
{
    sph *s = j->s;
    const rill_vec3 none = {0, 0, 0};
    const rill_vec3 to = v3_madd(s->particles.position[i], j->dt, s->particles.velocity[i]);
    if (walls_out_of_reach(&s->model.walls, far, center, to)) return;
    const wall_share w = walls_at(&s->model.walls, &s->sim.solids, none, to, none, 0, j->t + j->dt);
    float *b = s->solve.wall_ahead[i];
    b[0] = (float)w.gradient.x;
    b[1] = (float)w.gradient.y;
    b[2] = (float)w.gradient.z;
    b[3] = (float)w.density;
    s->solve.ahead[i][3] = (float)w.bend;
}

static void wall_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const wall_job *j = arg;
    sph *s = j->s;
    const tiles *ts = &s->uniform->tiles;
    for (size_t k = begin; k < end; k++) {
        const tile *t = &ts->tile[k];
        for (uint32_t i = t->begin; i < t->end; i++) {
            const float *x = s->uniform->position[i], *v = s->step.velocity[i];
            for (int c = 0; c < 3; c++) s->solve.ahead[i][c] = x[c] + (float)j->dt * v[c];
            s->solve.ahead[i][3] = 0;
        }
        memset(s->solve.wall_ahead + t->begin, 0, (t->end - t->begin) * sizeof *s->solve.wall_ahead);
        for (int c = 0; s->step.near_wall[k] && c < TILE_CELLS; c++) {
            const uint32_t *start = ts->start + k * TILE_STARTS + c;
            const rill_vec3 center = tile_cell_center(ts, (uint32_t)k, c);
            const double far = (double)s->uniform->cell_distance[k * TILE_CELLS + (size_t)c] - j->travel;
            for (uint32_t i = start[0]; i < start[1]; i++) look_at_walls(j, i, far, center);
        }
    }
}

/* Walls, and where the particles will be without pressure. */
void uniform_pairs_look_ahead(sph *s, double dt)
{
    s->solve.ahead = s->solve.correction[0]; /* not needed any more */
    s->solve.wall_ahead = s->solve.correction[1];
    wall_job j = {s, dt, s->sim.time, walls_travel(&s->sim.solids, s->sim.time, dt)};
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 4, wall_tiles, &j);
}

SPH_INLINE void squeeze_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    const pairs_job *j = arg;
    sph *s = j->s;
    const kernel8 k = kernel8_make(&s->model.kernel);
    const float scale = (float)(s->model.calibration * s->model.volume * k.w_scale),
                share = (float)s->model.calibration;
    const float(*x)[4] = (const float(*)[4])copy->position;
    const bool near = s->step.near_wall[index];
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->solve.ahead[o.i]);
        __m256 sum = _mm256_setzero_ps();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES)
            sum = _mm256_add_ps(sum, kernel8_w(kind, &k, pair_of(at, load8(x, l)).d2));
        float wall = 0;
        if (near) {
            const float *b = s->solve.wall_ahead[o.i], *a = s->step.force[o.i];
            wall =
                walls_after(b, j->scale * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]), s->solve.ahead[o.i][3]);
        }
        s->solve.residual[o.i] = scale * sum8(sum) + share * wall - j->rest;
    }
    s->solve.sums[index] =
        relax_squeezes(j, s->uniform->tiles.tile[index].begin, s->uniform->tiles.tile[index].end);
}

static void squeeze_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const pairs_job *j = arg;
    pass_kernel_tiles(j->s, (pass_from){.position = (const float(*)[4])j->s->solve.ahead}, begin, end, worker,
                      squeeze_tile, arg);
}

void uniform_pairs_squeeze(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->uniform->tiles.count, 2, squeeze_tiles, j);
    pairs_sum_up(j, j->s->uniform->tiles.count);
}
