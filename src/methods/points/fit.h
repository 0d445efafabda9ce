/* A linear function fitted to values at points, by weighted least squares ([Sin09] eq. 8 to 10).
 *
 * DEVIATES: the right side of eq. 9 has the weights as well, as normal equations have them
 * (errata E-S2); places are relative to where the fit is wanted; where the points do not span
 * all directions a small term makes the fit flat in the others. */
#pragma once

#include "base/vec.h"

#include <string.h>

typedef struct points_fit {
    double m[4][5]; /* normal equations, the right side last */
} points_fit;

static inline points_fit points_fit_none(void)
{
    points_fit f;
    memset(&f, 0, sizeof f);
    return f;
}

/* weight: of the kernel; rows of eq. 8 are multiplied by it, so that it counts squared. */
static inline void points_fit_add(points_fit *f, double weight, rill_vec3 d, double value)
{
    const double row[5] = {1, d.x, d.y, d.z, value}, w = weight * weight;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 5; b++) f->m[a][b] += w * row[a] * row[b];
}

/* The value at the origin, and the gradient when it is wanted; of nothing: zero. */
static inline double points_fit_solve(points_fit *f, rill_vec3 *gradient)
{
    double(*m)[5] = f->m;
    if (gradient) *gradient = v3(0, 0, 0);
    if (!(m[0][0] > 0)) return 0;
    const double small = 1e-10 * (m[0][0] + m[1][1] + m[2][2] + m[3][3]);
    for (int a = 1; a < 4; a++) m[a][a] += small;
    for (int a = 0; a < 4; a++)
        for (int q = 0; q < 4; q++) {
            if (q == a) continue;
            const double t = m[q][a] / m[a][a];
            for (int b = a; b < 5; b++) m[q][b] -= t * m[a][b];
        }
    if (gradient) *gradient = v3(m[1][4] / m[1][1], m[2][4] / m[2][2], m[3][4] / m[3][3]);
    return m[0][4] / m[0][0];
}
