/* Densities where a step leads: what the second solve of dfsph holds down.
 *
 * The particles will be at x + dt v + dt^2 a, a the acceleration by the second solve's k. The
 * density there is summed anew for every k, over the lists of the step's start, whose ends have moved far
 * less than the kernel's edge: what the solve reports is the compression the next step begins with. Linear in
 * a it would not be: at an impact, and once liquid has been compressed, the error of the linear form is
 * larger than the tolerance.
 *
 * Walls are asked anew at x + dt v and the step's end, and are quadratic in a alone: linear, they left the
 * state after the step up to a fifth above the tolerance at impacts. */
#include "sph/pairs.h"
#include "sph/pass.h"

#include <math.h>

typedef struct {
    sph *s;
    double dt, t;
} wall_job;

static void wall_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const wall_job *j = arg;
    sph *s = j->s;
    const rill_vec3 none = {0, 0, 0};
    for (size_t k = begin; k < end; k++) {
        const tile *t = &s->tiles.tile[k];
        for (uint32_t i = t->begin; i < t->end; i++) {
            const float *x = s->position[i], *v = s->velocity[i];
            for (int c = 0; c < 3; c++) s->ahead[i][c] = x[c] + (float)j->dt * v[c];
            s->ahead[i][3] = 0;
            float *b = s->wall_ahead[i];
            b[0] = b[1] = b[2] = b[3] = 0;
            if (!s->near_wall[k]) continue;
            const rill_vec3 to = v3_madd(s->particles.position[i], j->dt, s->particles.velocity[i]);
            const wall_share w = walls_at(&s->walls, &s->sim.solids, none, to, none, 0, j->t + j->dt);
            b[0] = (float)w.gradient.x;
            b[1] = (float)w.gradient.y;
            b[2] = (float)w.gradient.z;
            b[3] = (float)w.density;
            s->ahead[i][3] = (float)w.bend;
        }
    }
}

/* Walls, and where the particles will be without pressure. */
void pairs_look_ahead(sph *s, double dt)
{
    s->ahead = s->fix[0]; /* which served their turn */
    s->wall_ahead = s->fix[1];
    wall_job j = {s, dt, s->sim.time};
    parallel_for(s->sim.ctx, s->tiles.count, 4, wall_tiles, &j);
}

/* The walls' share where it would by its slope have changed by `way`; it only falls towards the liquid. */
SPH_INLINE float wall_after(const float *b, float way, float bend)
{
    const float turn = bend > 0 && bend * way < -1 ? -1 / bend : way;
    const float share = b[3] + turn * (1 + 0.5f * bend * turn);
    return share > 0 ? share : 0;
}

SPH_INLINE void squeeze_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    const pairs_job *j = arg;
    sph *s = j->s;
    const kernel8 k = kernel8_make(&s->kernel);
    const float scale = (float)(s->calibration * s->volume * k.w_scale), share = (float)s->calibration;
    const float(*x)[4] = (const float(*)[4])copy->position;
    double error = 0, all = 0;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->ahead[o.i]);
        __m256 sum = _mm256_setzero_ps();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES)
            sum = _mm256_add_ps(sum, kernel8_w(kind, &k, pair_of(at, load8(x, l)).d2));
        const float *b = s->wall_ahead[o.i], *a = s->force[o.i];
        const float wall =
            wall_after(b, j->scale * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]), s->ahead[o.i][3]);
        const float squeeze = scale * sum8(sum) + share * wall - j->rest;
        all += (double)squeeze;
        const float old = j->k[o.i];
        const float to = old + j->keep * s->change[o.i] + j->take * s->factor[o.i] / j->scale * squeeze;
        j->k[o.i] = to > 0 ? to : 0;
        s->change[o.i] = j->k[o.i] - old;
        s->left[o.i] = squeeze;
        error += squeeze > 0 ? squeeze : 0;
    }
    s->sums[index] = (tile_sums){error, all};
}

static void squeeze_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const pairs_job *j = arg;
    pass_kernel_tiles(j->s, (pass_from){.position = (const float(*)[4])j->s->ahead}, begin, end, worker,
                      squeeze_tile, arg);
}

void pairs_squeeze(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->tiles.count, 2, squeeze_tiles, j);
    pairs_sum_up(j);
}
