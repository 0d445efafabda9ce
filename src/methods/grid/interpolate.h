/* Values between the nodes of a block: linear along each axis. Coordinates count nodes from
 * the block's first and are at least 0 and below its side less one. */
#pragma once

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
