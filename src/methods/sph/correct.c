/* Gradients that see the divergence of a flow, not of a lattice; and densities ahead.
 *
 * D = sum_j (v_i - v_j) . grad W is the rate of the density that the kernel gives, and that
 * depends on the arrangement: the lattice that liquid starts from, stretched by 1.2 and 1.4 at
 * equal volume, has 0.7 and 4.3 percent more of it (cubic, R = 2 spacings). Who holds D at zero
 * holds the lattice: it is stiff, and a shear flow through it loses its energy. The
 * correction of Bonet and Lok 1999 (section 3.3) makes D exact for linear velocities,
 *     g_ij = L_i grad W_ij,   L_i = (sum_j (x_j - x_i) grad W_ij^T + d n grad B^T)^-1,
 * the last term for a wall at distance d, along which liquid slips. DEVIATES: L is the
 * mean of both ends', so that g_ij = -g_ji, momentum is kept, the force is D's transpose and a pass
 * over pairs costs what it did. D is then nearly exact.
 *
 * Such forces have no potential, and liquid at rest would be stirred by them, most at
 * walls and at the surface, where the correction is large: it goes to zero as a particle
 * loses neighbours, and is small in the first layer at a wall. */
#include "sph/pairs.h"
#include "sph/simd.h"

#include <math.h>

/* By density ratio: none below, all above. */
static const float bare = 0.85f, covered = 0.95f;
static const float wall_share_off = 0.65f;    /* what half a spacing from a wall takes off */
static const float least_determinant = 0.05f; /* of the moments: neighbours on all sides */

/* -- correction ----------------------------------------------------------------------- */

typedef struct {
    sph *s;
    float per_rest, per_usual; /* 1 / rest density; 1 / wall share at half a spacing */
} fix_job;

/* The inverse of the moments, in place; xx yy zz and xy yz zx. */
static void fix_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const fix_job *j = arg;
    sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        float *m = s->fix[0][i], *o = s->fix[1][i];
        const float xx = m[1] * m[2] - o[1] * o[1], xy = o[1] * o[2] - o[0] * m[2],
                    zx = o[0] * o[1] - m[1] * o[2];
        const float yy = m[0] * m[2] - o[2] * o[2], zz = m[0] * m[1] - o[0] * o[0],
                    yz = o[0] * o[2] - m[0] * o[1];
        const float det = m[0] * xx + o[0] * xy + o[2] * zx;
        float share = (s->density[i] * j->per_rest - bare) / (covered - bare);
        share = fminf(share, 1) * (1 - wall_share_off * s->wall[i][3] * j->per_usual);
        if (!(share > 0 && det > least_determinant)) share = 0;
        const float scale = share > 0 ? share / det : 0, rest = 1 - share;
        m[0] = rest + scale * xx;
        m[1] = rest + scale * yy;
        m[2] = rest + scale * zz;
        o[0] = scale * xy;
        o[1] = scale * yz;
        o[2] = scale * zx;
        m[3] = o[3] = 0;
    }
}

/* Gradients in place, and what follows from them: the solver's factor and the walls' push. */
static void correct_tile(sph *s, uint32_t index, const halo_copy *copy)
{
    const float spacing = (float)s->sim.scene->spacing, length = (float)s->calibration * spacing;
    const float(*diagonal)[4] = (const float(*)[4])copy->position,
          (*other)[4] = (const float(*)[4])copy->velocity;
    const __m256 half = _mm256_set1_ps(0.5f);
    const uint16_t *list = s->lists.pool + s->lists.segment[index];
    uint16_t *g = s->gradient + 3 * s->lists.segment[index];
    for (uint32_t i = s->tiles.tile[index].begin; i < s->tiles.tile[index].end; i++) {
        const float *d = s->fix[0][i], *o = s->fix[1][i];
        const __m256 xx = _mm256_set1_ps(d[0]), yy = _mm256_set1_ps(d[1]), zz = _mm256_set1_ps(d[2]);
        const __m256 xy = _mm256_set1_ps(o[0]), yz = _mm256_set1_ps(o[1]), zx = _mm256_set1_ps(o[2]);
        __m256 gx = _mm256_setzero_ps(), gy = gx, gz = gx, square = gx;
        const uint16_t *end = list + s->lists.count[i];
        for (; list < end; list += NEIGHBOUR_LANES, g += 3 * NEIGHBOUR_LANES) {
            const vec8 p = load8(diagonal, list), q = load8(other, list);
            const __m256 x = _mm256_mul_ps(half, halves(g)), y = _mm256_mul_ps(half, halves(g + 8)),
                         z = _mm256_mul_ps(half, halves(g + 16));
            const __m256 mxy = _mm256_add_ps(xy, q.x), myz = _mm256_add_ps(yz, q.y),
                         mzx = _mm256_add_ps(zx, q.z);
            const __m256 ax =
                _mm256_fmadd_ps(_mm256_add_ps(xx, p.x), x, _mm256_fmadd_ps(mxy, y, _mm256_mul_ps(mzx, z)));
            const __m256 ay =
                _mm256_fmadd_ps(mxy, x, _mm256_fmadd_ps(_mm256_add_ps(yy, p.y), y, _mm256_mul_ps(myz, z)));
            const __m256 az =
                _mm256_fmadd_ps(mzx, x, _mm256_fmadd_ps(myz, y, _mm256_mul_ps(_mm256_add_ps(zz, p.z), z)));
            store_halves(g, ax, ay, az);
            gx = _mm256_add_ps(gx, ax);
            gy = _mm256_add_ps(gy, ay);
            gz = _mm256_add_ps(gz, az);
            square = _mm256_fmadd_ps(ax, ax, _mm256_fmadd_ps(ay, ay, _mm256_fmadd_ps(az, az, square)));
        }
        const float *b = s->wall[i];
        float *w = s->push[i];
        w[0] = d[0] * b[0] + o[0] * b[1] + o[2] * b[2];
        w[1] = o[0] * b[0] + d[1] * b[1] + o[1] * b[2];
        w[2] = o[2] * b[0] + o[1] * b[1] + d[2] * b[2];
        /* Walls that close in do so along their gradient. */
        const float b2 = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
        w[3] = b2 > 0 ? s->weight[i][3] * (w[0] * b[0] + w[1] * b[1] + w[2] * b[2]) / b2 : 0;
        const float sx = sum8(gx) + length * w[0], sy = sum8(gy) + length * w[1],
                    sz = sum8(gz) + length * w[2];
        const float all = sum8(square) + sx * sx + sy * sy + sz * sz;
        s->factor[i] = all > 1e-6f ? spacing * spacing / all : 0;
    }
}

static void correct_tiles(void *arg, size_t begin, size_t end, int worker)
{
    sph *s = arg;
    const halo_copy *copy = &s->copy[worker];
    for (int c = 0; c < 3; c++) copy->position[0][c] = 0; /* the place of nobody must stay finite here */
    for (size_t k = begin; k < end; k++) {
        halo h;
        halo_build(&s->tiles, (uint32_t)k, &h);
        halo_gather(&h, (const float(*)[4])s->fix[0], copy->position);
        halo_gather(&h, (const float(*)[4])s->fix[1], copy->velocity);
        correct_tile(s, (uint32_t)k, copy);
    }
    for (int c = 0; c < 3; c++) copy->position[0][c] = 1e15f;
}

void pairs_correct(sph *s)
{
    const double usual = walls_value(&s->walls, s->sim.scene->spacing / 2, NULL);
    fix_job j = {s, (float)(1 / s->sim.scene->fluid.density), (float)(usual > 0 ? 1 / usual : 0)};
    parallel_for(s->sim.ctx, s->particles.count, 8192, fix_block, &j);
    parallel_for(s->sim.ctx, s->tiles.count, 2, correct_tiles, s);
}

/* -- prediction ----------------------------------------------------------------------- */

typedef struct {
    sph *s;
    float dt;
} predict_job;

SPH_INLINE void predict_tile(sph *s, uint32_t index, const float (*x)[4], float dt, sph_kernel kind)
{
    const kernel8 k = kernel8_make(&s->kernel);
    const float scale = (float)(s->calibration * s->volume * k.w_scale), share = (float)s->calibration;
    const uint16_t *list = s->lists.pool + s->lists.segment[index];
    for (uint32_t i = s->tiles.tile[index].begin; i < s->tiles.tile[index].end; i++) {
        const float *v = s->velocity[i], *b = s->wall[i], *from = s->position[i];
        const __m256 xi = _mm256_set1_ps(from[0] + dt * v[0]), yi = _mm256_set1_ps(from[1] + dt * v[1]),
                     zi = _mm256_set1_ps(from[2] + dt * v[2]);
        __m256 sum = _mm256_setzero_ps();
        const uint16_t *end = list + s->lists.count[i];
        for (; list < end; list += NEIGHBOUR_LANES) {
            const vec8 p = load8(x, list);
            const __m256 dx = _mm256_sub_ps(xi, p.x), dy = _mm256_sub_ps(yi, p.y),
                         dz = _mm256_sub_ps(zi, p.z);
            sum = _mm256_add_ps(
                sum,
                kernel8_w(kind, &k, _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)))));
        }
        const float wall = b[3] + dt * (v[0] * b[0] + v[1] * b[1] + v[2] * b[2] - s->weight[i][3]);
        s->wanted[i] = scale * sum8(sum) + share * (wall > 0 ? wall : 0) - 1;
    }
}

static void predict_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const predict_job *j = arg;
    sph *s = j->s;
    float(*x)[4] = s->copy[worker].position, (*v)[4] = s->copy[worker].velocity;
    for (size_t t = begin; t < end; t++) {
        halo h;
        const uint32_t i = (uint32_t)t;
        halo_build(&s->tiles, i, &h);
        halo_gather_positions(&h, (const float(*)[4])s->position, x);
        halo_gather(&h, (const float(*)[4])s->velocity, v);
        uint32_t count = 0;
        for (int r = 0; r < h.run_count; r++) count += h.run[r].count;
        for (uint32_t m = 1; m <= count; m++)
            for (int c = 0; c < 3; c++) x[m][c] += j->dt * v[m][c];
        const float(*to)[4] = (const float(*)[4])x;
        switch (s->kernel.kind) { /* one copy of the loop per kernel */
        case SPH_GAUSSIAN: predict_tile(s, i, to, j->dt, SPH_GAUSSIAN); break;
        case SPH_CUBIC: predict_tile(s, i, to, j->dt, SPH_CUBIC); break;
        case SPH_MUELLER: predict_tile(s, i, to, j->dt, SPH_MUELLER); break;
        default: predict_tile(s, i, to, j->dt, SPH_WENDLAND);
        }
    }
}

void pairs_predict(sph *s, double dt)
{
    predict_job j = {s, (float)dt};
    parallel_for(s->sim.ctx, s->tiles.count, 2, predict_tiles, &j);
}
