/* Values between the nodes of a block: linear along each axis. Coordinates count nodes from
 * the block's first and are at least 0 and below its side less one. */
#pragma once

#include <immintrin.h>

static inline float mix(float a, float b, float f)
{
    return a + f * (b - a);
}

/* From a node, by the parts of the way to the next ones. */
static inline float linear2_from(const float *b, int n, float fx, float fy)
{
    return mix(mix(b[0], b[1], fx), mix(b[n], b[n + 1], fx), fy);
}

static inline float linear3_from(const float *b, int n, float fx, float fy, float fz)
{
    return mix(linear2_from(b, n, fx, fy), linear2_from(b + n * n, n, fx, fy), fz);
}

static inline float linear2(const float *b, int n, float x, float y)
{
    const int i = (int)x, j = (int)y;
    return linear2_from(b + j * n + i, n, x - (float)i, y - (float)j);
}

static inline float linear3(const float *b, int n, float x, float y, float z)
{
    const int i = (int)x, j = (int)y, k = (int)z;
    return linear3_from(b + (k * n + j) * n + i, n, x - (float)i, y - (float)j, z - (float)k);
}

/* The same with the gradient, per node distance. */
static inline float linear2_gradient(const float *b, int n, const float x[3], float g[3])
{
    const int i = (int)x[0], j = (int)x[1];
    const float fx = x[0] - (float)i, fy = x[1] - (float)j;
    b += j * n + i;
    const float dx0 = b[1] - b[0], dx1 = b[n + 1] - b[n];
    const float a0 = b[0] + fx * dx0, a1 = b[n] + fx * dx1;
    g[0] = mix(dx0, dx1, fy);
    g[1] = a1 - a0;
    g[2] = 0;
    return mix(a0, a1, fy);
}

static inline float linear3_gradient(const float *b, int n, const float x[3], float g[3])
{
    const int i = (int)x[0], j = (int)x[1], k = (int)x[2], m = n * n;
    const float fx = x[0] - (float)i, fy = x[1] - (float)j, fz = x[2] - (float)k;
    b += (k * n + j) * n + i;
    const float *c = b + m;
    const float d00 = b[1] - b[0], d10 = b[n + 1] - b[n], d01 = c[1] - c[0], d11 = c[n + 1] - c[n];
    const float a00 = b[0] + fx * d00, a10 = b[n] + fx * d10, a01 = c[0] + fx * d01, a11 = c[n] + fx * d11;
    const float y0 = mix(a00, a10, fy), y1 = mix(a01, a11, fy);
    g[0] = mix(mix(d00, d10, fy), mix(d01, d11, fy), fz);
    g[1] = mix(a10 - a00, a11 - a01, fz);
    g[2] = y1 - y0;
    return mix(y0, y1, fz);
}

/* Catmull-Rom along each axis: one node before and two after are read. */
static inline void cubic_weights(float f, float w[4])
{
    w[0] = 0.5f * f * (f * (2 - f) - 1);
    w[1] = 0.5f * (f * f * (3 * f - 5) + 2);
    w[2] = 0.5f * f * (f * (4 - 3 * f) + 1);
    w[3] = 0.5f * f * f * (f - 1);
}

static inline float cubic2_from(const float *b, int n, float fx, float fy)
{
    float wx[4], wy[4], sum = 0;
    cubic_weights(fx, wx);
    cubic_weights(fy, wy);
    b -= n + 1;
    for (int q = 0; q < 4; q++, b += n)
        sum += wy[q] * (wx[0] * b[0] + wx[1] * b[1] + wx[2] * b[2] + wx[3] * b[3]);
    return sum;
}

static inline float cubic3_from(const float *b, int n, float fx, float fy, float fz)
{
    float wz[4], sum = 0;
    cubic_weights(fz, wz);
    for (int q = 0; q < 4; q++) sum += wz[q] * cubic2_from(b + (q - 1) * n * n, n, fx, fy);
    return sum;
}

/* --- the three staggered components of a velocity at once --- */

/* The eight nodes around a point are one vector: x fastest, then y, then z. */

/* Which end of its axis each node is at, as -1 and 1, and as 1 and 0. */
#define NODES_X_SIGN _mm256_setr_ps(-1, 1, -1, 1, -1, 1, -1, 1)
#define NODES_Y_SIGN _mm256_setr_ps(-1, -1, 1, 1, -1, -1, 1, 1)
#define NODES_Z_SIGN _mm256_setr_ps(-1, -1, -1, -1, 1, 1, 1, 1)
#define NODES_X_LOW  _mm256_setr_ps(1, 0, 1, 0, 1, 0, 1, 0)
#define NODES_Y_LOW  _mm256_setr_ps(1, 1, 0, 0, 1, 1, 0, 0)
#define NODES_Z_LOW  _mm256_setr_ps(1, 1, 1, 1, 0, 0, 0, 0)

/* Linear weights along each axis: on the lattice of the nodes ([0]), and on that half a
 * node farther ([1]). */
typedef struct nodes_weights {
    int node[2][4]; /* below the point */
    __m256 x[2], y[2], z[2];
} nodes_weights;

/* at: x, y, z (the fourth unused), at least 0.5. */
static inline void nodes_find(__m128 at, nodes_weights *w)
{
    const __m128 half = _mm_sub_ps(at, _mm_set1_ps(0.5f));
    const __m128i low[2] = {_mm_cvttps_epi32(at), _mm_cvttps_epi32(half)};
    const __m128 part[2] = {_mm_sub_ps(at, _mm_cvtepi32_ps(low[0])),
                            _mm_sub_ps(half, _mm_cvtepi32_ps(low[1]))};
    for (int k = 0; k < 2; k++) {
        float f[4];
        _mm_storeu_si128((__m128i *)w->node[k], low[k]);
        _mm_storeu_ps(f, part[k]);
        w->x[k] = _mm256_fmadd_ps(_mm256_broadcast_ss(&f[0]), NODES_X_SIGN, NODES_X_LOW);
        w->y[k] = _mm256_fmadd_ps(_mm256_broadcast_ss(&f[1]), NODES_Y_SIGN, NODES_Y_LOW);
        w->z[k] = _mm256_fmadd_ps(_mm256_broadcast_ss(&f[2]), NODES_Z_SIGN, NODES_Z_LOW);
    }
}

/* The lowest node of component a in a block of side n: half a node down but along its axis. */
static inline int nodes_first(const nodes_weights *w, int a, int n)
{
    return (w->node[a != 2][2] * n + w->node[a != 1][1]) * n + w->node[a != 0][0];
}

static inline __m256 nodes_load(const float *b, int n)
{
    const __m128 none = _mm_setzero_ps();
    const __m128 low = _mm_loadh_pi(_mm_loadl_pi(none, (const __m64 *)b), (const __m64 *)(b + n)),
                 high = _mm_loadh_pi(_mm_loadl_pi(none, (const __m64 *)(b + n * n)),
                                     (const __m64 *)(b + n * n + n));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

/* The sums of four vectors. */
static inline __m128 nodes_sums(__m256 a, __m256 b, __m256 c, __m256 d)
{
    const __m256 s = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    return _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
}

/* The velocity at a point; the fourth element is 0. */
static inline __m128 nodes_velocity(const float *const u[3], int n, __m128 at)
{
    nodes_weights w;
    nodes_find(at, &w);
    __m256 v[3];
    for (int a = 0; a < 3; a++) {
        const __m256 weight = _mm256_mul_ps(_mm256_mul_ps(w.x[a != 0], w.y[a != 1]), w.z[a != 2]);
        v[a] = _mm256_mul_ps(nodes_load(u[a] + nodes_first(&w, a, n), n), weight);
    }
    return nodes_sums(v[0], v[1], v[2], _mm256_setzero_ps());
}

/* The same with each component's gradient: value, d/dx, d/dy, d/dz. */
static inline void nodes_gradients(const float *const u[3], int n, __m128 at, __m128 out[3])
{
    nodes_weights w;
    nodes_find(at, &w);
    for (int a = 0; a < 3; a++) {
        const __m256 wx = w.x[a != 0], wy = w.y[a != 1], wz = w.z[a != 2];
        const __m256 v = nodes_load(u[a] + nodes_first(&w, a, n), n);
        const __m256 vx = _mm256_mul_ps(v, wx), vxz = _mm256_mul_ps(vx, wz),
                     vyz = _mm256_mul_ps(v, _mm256_mul_ps(wy, wz));
        out[a] =
            nodes_sums(_mm256_mul_ps(vxz, wy), _mm256_mul_ps(vyz, NODES_X_SIGN),
                       _mm256_mul_ps(vxz, NODES_Y_SIGN), _mm256_mul_ps(_mm256_mul_ps(vx, wy), NODES_Z_SIGN));
    }
}
