#include "sph/core/kernel.h"

#include <math.h>

/* What a Gaussian cut at r = 2h keeps of its mass: erf(2) - 4 e^-4 / sqrt(pi) in three
 * dimensions (0.9540), 1 - e^-4 in two (0.9817). */
static double gaussian_kept(int dimensions)
{
    return dimensions == 3 ? erf(2) - 4 * exp(-4) / sqrt(M_PI) : 1 - exp(-4);
}

kernel kernel_make(sph_kernel kind, int dimensions, double support)
{
    kernel k = {.kind = kind, .dimensions = dimensions, .support = support};
    const double R = support, h = support / 2;
    const double R2 = R * R, R3 = R2 * R;
    const bool flat = dimensions == 2;
    switch (kind) {
    case SPH_GAUSSIAN:
        k.w_scale = 1 / (gaussian_kept(dimensions) * (flat ? M_PI * h * h : pow(M_PI, 1.5) * h * h * h));
        k.g_scale = -2 * k.w_scale / (h * h);
        break;
    case SPH_CUBIC:
        k.w_scale = flat ? 40 / (7 * M_PI * R2) : 8 / (M_PI * R3);
        k.g_scale = k.w_scale / R;
        break;
    case SPH_MUELLER: /* two dimensions: errata E-A6 */
        k.w_scale = flat ? 4 / (M_PI * pow(R, 8)) : 315 / (64 * M_PI * pow(R, 9));
        k.g_scale = -(flat ? 30 / (M_PI * pow(R, 5)) : 45 / (M_PI * pow(R, 6)));
        k.l_scale = flat ? 40 / (M_PI * pow(R, 5)) : 45 / (M_PI * pow(R, 6));
        break;
    default:
        k.kind = SPH_WENDLAND;
        k.w_scale = flat ? 7 / (M_PI * R2) : 21 / (2 * M_PI * R3);
        k.g_scale = -20 * k.w_scale / R2;
    }
    return k;
}

double kernel_w(const kernel *k, double r)
{
    const double R = k->support, q = r / R;
    if (q >= 1) return 0;
    const double a = 1 - q, b = q < 0.5 ? 0.5 - q : 0;
    switch (k->kind) {
    case SPH_GAUSSIAN: return k->w_scale * exp(-4 * q * q);
    case SPH_CUBIC: return k->w_scale * (2 * a * a * a - 8 * b * b * b);
    case SPH_MUELLER: return k->w_scale * pow(R * R - r * r, 3);
    default: return k->w_scale * a * a * a * a * (4 * q + 1);
    }
}

double kernel_dw_over_r(const kernel *k, double r)
{
    const double R = k->support, q = r / R;
    if (q >= 1) return 0;
    const double a = 1 - q;
    /* The spiky kernel's slope over distance has no limit at 0. */
    const double safe = r > 1e-6 * R ? r : 1e-6 * R;
    switch (k->kind) {
    case SPH_GAUSSIAN: return k->g_scale * exp(-4 * q * q);
    case SPH_CUBIC: return k->g_scale * (q < 0.5 ? (18 * q - 12) / R : -6 * a * a / r);
    case SPH_MUELLER: return k->g_scale * (R - r) * (R - r) / safe;
    default: return k->g_scale * a * a * a;
    }
}

double kernel_dw(const kernel *k, double r)
{
    return kernel_dw_over_r(k, r) * r;
}

double kernel_laplacian(const kernel *k, double r)
{
    return r < k->support ? k->l_scale * (k->support - r) : 0;
}

double kernel_pressure_w(const kernel *k, double r)
{
    if (k->kind != SPH_MUELLER) return kernel_w(k, r);
    /* spiky: its derivative is g_scale (R - r)^2 */
    const double a = k->support - r;
    return a > 0 ? -k->g_scale * a * a * a / 3 : 0;
}

double kernel_lattice_density(const kernel *k, double spacing)
{
    const int n = (int)ceil(k->support / spacing), nz = k->dimensions == 2 ? 0 : n;
    double sum = 0;
    for (int z = -nz; z <= nz; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++) sum += kernel_w(k, spacing * sqrt(x * x + y * y + z * z));
    return sum * pow(spacing, k->dimensions);
}
