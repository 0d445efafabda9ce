/* Anisotropic kernels: covariances, the level, rows of samples; see anisotropic.h. */
#include "surface/anisotropic.h"

#include "base/parallel.h"
#include "surface/averages.h"
#include "surface/spray.h"

#include <string.h>

static const double drawn = 0.9; /* lambda: how far places are drawn to the mean */
static const double longest = 4; /* k_r: of the longest axis over the shortest */
static const double alone = 0.5; /* k_n: axes of a lone particle's ball over the radius */

/* Weight, mean and second moments of neighbours. */
typedef struct {
    double weight, mean[3], moment[6]; /* xx yy zz xy xz yz, of the differences from the particle */
} cloud;

/* Covariance about the mean. */
static void covariance(const cloud *c, double out[6])
{
    static const int a[6] = {0, 1, 2, 0, 0, 1}, b[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++)
        out[k] = c->moment[k] / c->weight - c->mean[a[k]] / c->weight * (c->mean[b[k]] / c->weight);
}

/* Of a lattice that fills the space up to `above` layers over the particle; mean and variances are along y
 * and along x. */
static cloud lattice_cloud(double radius, int dimensions, int above)
{
    const int reach = (int)ceil(radius), deep = dimensions == 2 ? 0 : reach;
    cloud c = {0};
    for (int z = -deep; z <= deep; z++)
        for (int y = -reach; y <= (above < reach ? above : reach); y++)
            for (int x = -reach; x <= reach; x++) {
                const double s = sqrt(x * x + y * y + z * z) / radius, w = 1 - s * s * s;
                if (s >= 1) continue;
                c.weight += w;
                c.mean[1] += w * y;
                c.moment[0] += w * x * x;
                c.moment[1] += w * y * y;
                c.moment[2] += w * z * z;
            }
    return c;
}

static double full_variance(double radius, int dimensions)
{
    const cloud c = lattice_cloud(radius, dimensions, (int)ceil(radius));
    const double v = c.moment[0] / c.weight;
    return v > 0 ? v : 1; /* a radius of 1: nobody else */
}

/* An axis of the kernel over the radius. */
static double axis_of(double variance, double most, double full)
{
    const double v = fmax(variance, most / longest) / full;
    return v < 1 ? v : 1;
}

/* Deep inside, covariances are round but for the noise of the sampling: its axes mean nothing, and finding
 * them is a third of the work on a kernel. */
static bool round_enough(const double c[6], int dimensions)
{
    const double mean = (c[0] + c[1] + (dimensions == 2 ? 0 : c[2])) / dimensions;
    double off = 2 * (c[3] * c[3] + c[4] * c[4] + c[5] * c[5]);
    for (int k = 0; k < dimensions; k++) off += (c[k] - mean) * (c[k] - mean);
    return off < 0.005 * mean * mean;
}

double anisotropic_level(double radius, int dimensions)
{
    enum { POINTS = 16 };
    const double full = full_variance(radius, dimensions);
    const int reach = (int)ceil(radius), deep = dimensions == 2 ? 0 : reach;
    const int points_z = dimensions == 2 ? 1 : POINTS;
    double sum = 0;
    for (int layer = 0; layer < 2 * reach; layer++) {
        const cloud c = lattice_cloud(radius, dimensions, layer);
        double v[6];
        covariance(&c, v);
        if (round_enough(v, dimensions))
            v[0] = v[1] = (v[0] + v[1] + (dimensions == 2 ? 0 : v[2])) / dimensions;
        const double most = fmax(v[0], v[1]), flat = axis_of(v[0], most, full),
                     up = axis_of(v[1], most, full);
        const double dy = layer + 0.5 - drawn * c.mean[1] / c.weight;
        const double many = 1 / (dimensions == 2 ? flat * up : flat * flat * up);
        for (int q = 0; q < points_z; q++)
            for (int p = 0; p < POINTS; p++)
                for (int k = -deep; k <= (deep ? deep + 1 : 0); k++)
                    for (int a = -reach; a <= reach + 1; a++) {
                        const double dx = (p + 0.5) / POINTS - a,
                                     dz = dimensions == 2 ? 0 : (q + 0.5) / POINTS - k;
                        const double t = 1 - ((dx * dx + dz * dz) / (flat * flat) + dy * dy / (up * up)) /
                                                 (radius * radius);
                        if (t > 0) sum += many * t * t * t;
                    }
    }
    return sum / (POINTS * points_z);
}

/* ---- kernels of particles ---- */

typedef struct {
    const surface_def *def;
    const sampler *s;
    spray_weights spray;
    double many_alone;  /* A of a lone particle */
    double full;        /* variance of a full neighbourhood, of a radius of 1 cell */
    const float *seen;  /* by place */
    rill_vec3 *center;  /* by particle, world */
    float (*kernel)[7]; /* by particle: M = G^T G in 1/cells^2, and the cube root of A */
    sampler_near part[PARALLEL_MAX_THREADS];
} shaping;

/* Those of the gathered that reach a cube. */
static void narrow(const sampler_near *from, const float low[3], float width, sampler_near *to)
{
    const f8 *px = (const f8 *)from->x, *py = (const f8 *)from->y, *pz = (const f8 *)from->z;
    const f8 *reach = (const f8 *)from->reach;
    to->count = 0;
    for (size_t e = 0; e < (from->count + 7) / 8; e++) {
        const f8 ax = low[0] - px[e], ay = low[1] - py[e], az = low[2] - pz[e];
        const f8 dx = f8_positive(f8_max(ax, -ax - width)), dy = f8_positive(f8_max(ay, -ay - width)),
                 dz = f8_positive(f8_max(az, -az - width));
        for (unsigned m = f8_mask(dx * dx + dy * dy + dz * dz < reach[e] * reach[e]); m; m &= m - 1) {
            const size_t i = 8 * e + (size_t)__builtin_ctz(m), n = to->count++;
            to->x[n] = from->x[i];
            to->y[n] = from->y[i];
            to->z[n] = from->z[i];
            to->reach[n] = from->reach[i];
        }
    }
    for (size_t n = to->count; n & 7; n++) {
        to->x[n] = to->y[n] = to->z[n] = 1e9f;
        to->reach[n] = 1;
    }
}

static cloud cloud_around(const sampler_near *near, float x, float y, float z)
{
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const f8 *reach = (const f8 *)near->reach;
    f8 w = {0}, mx = {0}, my = {0}, mz = {0}, xx = {0}, yy = {0}, zz = {0}, xy = {0}, xz = {0}, yz = {0};
    for (size_t i = 0; i < (near->count + 7) / 8; i++) {
        const f8 dx = px[i] - x, dy = py[i] - y, dz = pz[i] - z;
        const f8 d2 = dx * dx + dy * dy + dz * dz, r2 = reach[i] * reach[i];
        if (!f8_mask(d2 < r2)) continue; /* most: those around the whole block were gathered */
        const f8 s2 = d2 / r2, k = f8_positive(1 - s2 * f8_root(s2));
        const f8 kx = k * dx, ky = k * dy, kz = k * dz;
        w += k;
        mx += kx, my += ky, mz += kz;
        xx += kx * dx, yy += ky * dy, zz += kz * dz;
        xy += kx * dy, xz += kx * dz, yz += ky * dz;
    }
    return (cloud){f8_sum(w),
                   {f8_sum(mx), f8_sum(my), f8_sum(mz)},
                   {f8_sum(xx), f8_sum(yy), f8_sum(zz), f8_sum(xy), f8_sum(xz), f8_sum(yz)}};
}

/* Eigenvalues and vectors (columns of v) of a symmetric matrix by Jacobi's rotations: unconditionally stable,
 * and three by three needs a handful. */
static void eigen(double m[3][3], double v[3][3])
{
    memset(v, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++) v[k][k] = 1;
    for (int sweep = 0; sweep < 12; sweep++) {
        const double off = fabs(m[0][1]) + fabs(m[0][2]) + fabs(m[1][2]);
        if (off < 1e-6 * (fabs(m[0][0]) + fabs(m[1][1]) + fabs(m[2][2]))) return;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (m[p][q] == 0) continue;
                const double angle = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                const double t = (angle < 0 ? -1 : 1) / (fabs(angle) + sqrt(angle * angle + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; k++) { /* M R */
                    const double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b;
                    m[k][q] = s * a + c * b;
                }
                for (int k = 0; k < 3; k++) { /* R^T M R, V R */
                    const double a = m[p][k], b = m[q][k], e = v[k][p], f = v[k][q];
                    m[p][k] = c * a - s * b;
                    m[q][k] = s * a + c * b;
                    v[k][p] = c * e - s * f;
                    v[k][q] = s * e + c * f;
                }
            }
    }
}

static void round_off(double m[3][3], double v[3][3], int dimensions)
{
    const double mean = (m[0][0] + m[1][1] + (dimensions == 2 ? 0 : m[2][2])) / dimensions;
    memset(v, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++) {
        v[k][k] = 1;
        if (k < dimensions) m[k][k] = mean;
    }
}

/* M and the cube root of A from a covariance; lack: 0 in the liquid, 1 alone. */
static void shape_kernel(const shaping *a, const double c[6], double r, double lack, float out[7])
{
    double m[3][3] = {{c[0], c[3], c[4]}, {c[3], c[1], c[5]}, {c[4], c[5], c[2]}}, v[3][3], inverse[3];
    const int n = a->def->dimensions;
    if (round_enough(c, n))
        round_off(m, v, n);
    else
        eigen(m, v);
    double most = 0, many = 1;
    for (int k = 0; k < 3; k++) most = fmax(most, m[k][k]);
    for (int k = 0; k < 3; k++) {
        const double axis = axis_of(m[k][k], most, a->full * r * r), length = axis + (alone - axis) * lack;
        inverse[k] = 1 / (length * length * r * r);
        if (n == 3 || fabs(v[2][k]) < 0.5) many /= length; /* in the plane, z is no axis */
    }
    static const int i[6] = {0, 1, 2, 0, 0, 1}, j[6] = {0, 1, 2, 1, 2, 2};
    for (int e = 0; e < 6; e++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += v[i[e]][k] * v[j[e]][k] * inverse[k];
        out[e] = (float)sum;
    }
    /* the two differ by a factor of some twenty: halfway is the geometric mean */
    out[6] = (float)cbrt(lack > 0 ? many * pow(a->many_alone / many, lack) : many);
}

static void shape_particle(const shaping *a, const sampler_near *near, uint32_t i)
{
    const sampler *s = a->s;
    const uint32_t p = s->particle[i];
    const cloud c = cloud_around(near, s->x[i], s->y[i], s->z[i]);
    double v[6] = {0};
    covariance(&c, v);
    double lack = (a->spray.body - a->seen[i]) / (a->spray.body - a->spray.alone);
    lack = fmin(fmax(lack, 0), 1);
    shape_kernel(a, v, s->reach[i], lack, a->kernel[p]);
    const rill_vec3 mean =
        v3_scale(v3(c.mean[0], c.mean[1], c.mean[2]), drawn * (1 - lack) * s->cell / c.weight);
    a->center[p] = v3_add(s->from->position[p], mean);
}

/* In eighths of the home block: twice as few are around one as around the whole. */
static void shape_home(void *arg, sampler_work *work)
{
    shaping *a = arg;
    const sampler *s = a->s;
    sampler_near *part = &a->part[work->worker];
    const float half = (float)(LEVEL_BLOCK << work->group) / 2;
    sampler_work_gather(work);
    for (int eighth = 0; eighth < 8; eighth++) {
        const float low[3] = {half * (float)(eighth & 1), half * (float)(eighth >> 1 & 1),
                              half * (float)(eighth >> 2)};
        bool narrowed = false;
        for (uint32_t i = work->begin; i < work->end; i++) {
            const int in = (s->x[i] >= half) | (s->y[i] >= half) << 1 | (s->z[i] >= half) << 2;
            if (in != eighth) continue;
            if (!narrowed) narrow(work->near, low, half, part);
            narrowed = true;
            shape_particle(a, part, i);
        }
    }
}

/* ---- rows of samples ---- */

enum { XX, YY, ZZ, XY, XZ, YZ, ROOT };

static void add_particle(int layers, const sampler_near *near, size_t i, f8 *row)
{
    const f8 place = {0, 1, 2, 3, 4, 5, 6, 7};
    const float x = near->x[i], y = near->y[i], z = near->z[i], r = near->reach[i];
    float m[7];
    for (int v = 0; v < 7; v++) m[v] = near->value[v][i];
    const f8 dx = place - x, along = dx * m[XX];
    const sampler_rows rows = sampler_rows_within(layers, y, z, r);
    for (int k = rows.k0; k <= rows.k1; k++) {
        const float dz = layers > 1 ? (float)k - z : 0;
        for (int j = rows.j0; j <= rows.j1; j++) {
            const float dy = (float)j - y, b = m[XY] * dy + m[XZ] * dz;
            const float rest = 1 - m[YY] * dy * dy - dz * (2 * m[YZ] * dy + m[ZZ] * dz);
            if (rest * m[XX] + b * b <= 0) continue; /* the most it can be along the row */
            const f8 t = f8_positive(rest - dx * (along + 2 * b)) * m[ROOT];
            row[8 * k + j] += t * t * t;
        }
    }
}

static void sample_rows(const field *f, const sampler_near *near, f8 *row)
{
    const int layers = f->s->layers;
    memset(row, 0, (size_t)layers * LEVEL_AREA * sizeof(float));
    for (size_t i = 0; i < near->count; i++) add_particle(layers, near, i, row);
}

/* -grad F is along sum A_i t^2 M_i (x - c_i). */
static rill_vec3 slope_at(const field *f, const sampler_near *near, rill_vec3 at)
{
    (void)f;
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const f8 *m[7];
    for (int v = 0; v < 7; v++) m[v] = (const f8 *)near->value[v];
    const float x = (float)at.x, y = (float)at.y, z = (float)at.z;
    f8 gx = {0}, gy = {0}, gz = {0};
    for (size_t i = 0; i < (near->count + 7) / 8; i++) {
        const f8 dx = x - px[i], dy = y - py[i], dz = z - pz[i];
        const f8 ex = m[XX][i] * dx + m[XY][i] * dy + m[XZ][i] * dz;
        const f8 ey = m[XY][i] * dx + m[YY][i] * dy + m[YZ][i] * dz;
        const f8 ez = m[XZ][i] * dx + m[YZ][i] * dy + m[ZZ][i] * dz;
        const f8 t = f8_positive(1 - (dx * ex + dy * ey + dz * ez));
        const f8 k = t * t * m[ROOT][i] * m[ROOT][i] * m[ROOT][i];
        gx += k * ex;
        gy += k * ey;
        gz += k * ez;
    }
    return v3(f8_sum(gx), f8_sum(gy), f8_sum(gz));
}

/* ---- the definition ---- */

/* Bins the kernels by their centres, in place of the particles. */
static rill_status bin_kernels(rill_ctx *ctx, const surface_def *def, const shaping *a, sampler *s)
{
    sampler bins = {0};
    float *reach = NULL;
    const size_t n = s->from->count;
    rill_status st = MEM_NEW(ctx, reach, n);
    for (size_t i = 0; i < n && !st; i++) reach[s->particle[i]] = (float)(s->reach[i] * s->cell);
    const sampler_def d = {.from = s->from,
                           .position = a->center,
                           .reach = reach,
                           .cell = s->cell,
                           .dimensions = def->dimensions};
    if (!st) st = sampler_build(ctx, &d, &bins);
    for (int v = 0; v < 7 && !st; v++) {
        st = sampler_add_value(ctx, &bins);
        for (size_t i = 0; i < n && !st; i++) bins.value[v][i] = a->kernel[bins.particle[i]][v];
    }
    mem_free(ctx, reach);
    if (st) {
        sampler_clear(ctx, &bins);
        return st;
    }
    sampler_clear(ctx, s);
    *s = bins;
    return RILL_OK;
}

rill_status anisotropic_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out)
{
    const double level = anisotropic_level(def->radius, def->dimensions), r2 = def->radius * def->radius;
    shaping a = {.def = def, .s = s, .full = full_variance(def->radius, def->dimensions) / r2};
    a.spray = spray_weights_make(def->radius, level, def->dimensions);
    const double edge = averages_ball(def->dimensions) / (alone * def->radius),
                 t = fmax(1 - edge * edge, 0.1);
    a.many_alone = level / (t * t * t);
    float *seen = NULL;
    rill_status st = MEM_NEW(ctx, seen, s->from->count);
    a.seen = seen;
    if (!st) st = MEM_NEW(ctx, a.center, s->from->count);
    if (!st) st = MEM_NEW(ctx, a.kernel, s->from->count);
    if (!st) st = spray_seen(ctx, s, a.spray.body, seen);
    for (int w = 0; w < parallel_workers(ctx) && !st; w++) st = sampler_near_init(ctx, s, &a.part[w]);
    if (!st) st = sampler_each(ctx, s, shape_home, &a);
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &a.part[w]);
    if (!st) st = bin_kernels(ctx, def, &a, s);
    mem_free(ctx, seen);
    mem_free(ctx, a.center);
    mem_free(ctx, a.kernel);
    if (st) return st;
    *out = (field){.s = s,
                   .level = (float)level,
                   .outside = 0,
                   .steep = (float)(level * def->cell),
                   .inside = 2 * (float)level,
                   .rows = sample_rows,
                   .slope = slope_at};
    return RILL_OK;
}
