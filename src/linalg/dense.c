#include "linalg/dense.h"

#include <math.h>
#include <stddef.h>

void dense_factor(uint32_t n, double *a, double limit)
{
    for (uint32_t i = 0; i < n; i++) {
        double *row = a + (size_t)i * n;
        const double given = row[i];
        for (uint32_t j = 0; j < i; j++) {
            const double *other = a + (size_t)j * n;
            double s0 = row[j], s1 = 0;
            uint32_t k = 0;
            for (; k + 1 < j; k += 2) {
                s0 -= row[k] * other[k];
                s1 -= row[k + 1] * other[k + 1];
            }
            if (k < j) s0 -= row[k] * other[k];
            row[j] = other[j] > 0 ? (s0 + s1) / other[j] : 0;
        }
        double d = given;
        for (uint32_t k = 0; k < i; k++) d -= row[k] * row[k];
        row[i] = d > limit * given ? sqrt(d) : 0;
    }
}

void dense_solve(uint32_t n, const double *factor, double *x)
{
    for (uint32_t i = 0; i < n; i++) {
        const double *row = factor + (size_t)i * n;
        double s = x[i];
        for (uint32_t j = 0; j < i; j++) s -= row[j] * x[j];
        x[i] = row[i] > 0 ? s / row[i] : 0;
    }
    for (uint32_t i = n; i-- > 0;) {
        const double *row = factor + (size_t)i * n;
        x[i] = row[i] > 0 ? x[i] / row[i] : 0;
        for (uint32_t j = 0; j < i; j++) x[j] -= row[j] * x[i];
    }
}
