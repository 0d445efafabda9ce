/* Values between the nodes of a block: linear along each axis. Coordinates count nodes from
 * the block's first and are at least 0 and below its side less one. */
#pragma once

static inline float mix(float a, float b, float f)
{
    return a + f * (b - a);
}

static inline float linear2(const float *b, int n, float x, float y)
{
    const int i = (int)x, j = (int)y;
    const float fx = x - (float)i, fy = y - (float)j;
    b += j * n + i;
    return mix(mix(b[0], b[1], fx), mix(b[n], b[n + 1], fx), fy);
}

static inline float linear3(const float *b, int n, float x, float y, float z)
{
    const int i = (int)x, j = (int)y, k = (int)z, m = n * n;
    const float fx = x - (float)i, fy = y - (float)j, fz = z - (float)k;
    b += (k * n + j) * n + i;
    const float low = mix(mix(b[0], b[1], fx), mix(b[n], b[n + 1], fx), fy);
    b += m;
    return mix(low, mix(mix(b[0], b[1], fx), mix(b[n], b[n + 1], fx), fy), fz);
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

/* Catmull-Rom along each axis; coordinates at least 1 and below the side less two. */
static inline void cubic_weights(float f, float w[4])
{
    w[0] = 0.5f * f * (f * (2 - f) - 1);
    w[1] = 0.5f * (f * f * (3 * f - 5) + 2);
    w[2] = 0.5f * f * (f * (4 - 3 * f) + 1);
    w[3] = 0.5f * f * f * (f - 1);
}

static inline float cubic2(const float *b, int n, float x, float y)
{
    const int i = (int)x, j = (int)y;
    float wx[4], wy[4], sum = 0;
    cubic_weights(x - (float)i, wx);
    cubic_weights(y - (float)j, wy);
    b += (j - 1) * n + i - 1;
    for (int q = 0; q < 4; q++, b += n)
        sum += wy[q] * (wx[0] * b[0] + wx[1] * b[1] + wx[2] * b[2] + wx[3] * b[3]);
    return sum;
}

static inline float cubic3(const float *b, int n, float x, float y, float z)
{
    const int k = (int)z;
    float wz[4], sum = 0;
    cubic_weights(z - (float)k, wz);
    for (int q = 0; q < 4; q++) sum += wz[q] * cubic2(b + (k - 1 + q) * n * n, n, x, y);
    return sum;
}
