/* V-05: the smoothing kernels. Their integral and the sum of their gradients on a lattice
 * of 50^3 points, densities of a cubic lattice with the particle itself against their
 * known values, slopes against differences, and the Laplacian's second moment. */
#include "sph/core/kernel.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const kernel_names[SPH_KERNELS] = {"gaussian", "cubic", "mueller", "wendland"};

typedef struct {
    double integral;
    rill_vec3 gradient; /* sum of volume times gradient, times the support */
} lattice_sums;

/* 50^3 points (about as many in two dimensions) over the support's diameter. */
static lattice_sums sum_lattice(const kernel *k)
{
    const int N = k->dimensions == 2 ? 354 : 50;
    const double h = 2 * k->support / N, volume = pow(h, k->dimensions);
    lattice_sums s = {0};
    for (int z = 0; z < (k->dimensions == 2 ? 1 : N); z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                const rill_vec3 d = v3((x + 0.5) * h - k->support, (y + 0.5) * h - k->support,
                                       k->dimensions == 2 ? 0 : (z + 0.5) * h - k->support);
                const double r = v3_length(d);
                s.integral += volume * kernel_w(k, r);
                s.gradient = v3_madd(s.gradient, volume * k->support * kernel_dw_over_r(k, r), d);
            }
    return s;
}

/* Largest difference between the slope and a difference quotient, relative to the
 * steepest slope. */
static double slope_error(const kernel *k)
{
    double error = 0, steepest = 0;
    const double h = 1e-5 * k->support;
    for (double q = 0.02; q < 0.99; q += 0.0137) {
        const double r = q * k->support;
        const double difference = (kernel_pressure_w(k, r + h) - kernel_pressure_w(k, r - h)) / (2 * h);
        error = fmax(error, fabs(difference - kernel_dw(k, r)));
        steepest = fmax(steepest, fabs(difference));
    }
    return error / steepest;
}

/* Of a Laplacian of something that integrates to 1 the second moment is 2 dim (Green). */
static double laplacian_error(const kernel *k)
{
    enum { N = 4000 };
    double moment = 0;
    for (int i = 0; i < N; i++) {
        const double r = (i + 0.5) * k->support / N, h = k->support / N;
        moment += kernel_laplacian(k, r) * r * r * (k->dimensions == 2 ? 2 * M_PI * r : 4 * M_PI * r * r) * h;
    }
    return fabs(moment / (2 * k->dimensions) - 1);
}

static rill_status kernels(verify *v)
{
    char name[64];
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int kind = 0; kind < SPH_KERNELS; kind++) {
            const kernel k = kernel_make((sph_kernel)kind, dimensions, 0.1);
            const lattice_sums s = sum_lattice(&k);
            /* The gaussian jumps where it is cut, so that a lattice sum of it is first order only: at
             * 50^3 points it misses the limit by its nature, and is reported. */
            const bool jumps = kind == SPH_GAUSSIAN && dimensions == 3;
            snprintf(name, sizeof name, "%s %dD: integral - 1%s", kernel_names[kind], dimensions,
                     jumps ? " (target 0.0001)" : "");
            verify_figure(v, name, fabs(s.integral - 1), jumps ? REPORT : AT_MOST, 1e-4);
            snprintf(name, sizeof name, "%s %dD: sum of gradients", kernel_names[kind], dimensions);
            verify_figure(v, name, v3_length(s.gradient), AT_MOST, 1e-4);
            snprintf(name, sizeof name, "%s %dD: slope against differences", kernel_names[kind], dimensions);
            verify_figure(v, name, slope_error(&k), AT_MOST, 1e-6);
            if (kind != SPH_MUELLER) continue;
            snprintf(name, sizeof name, "%s %dD: second moment of the Laplacian", kernel_names[kind],
                     dimensions);
            verify_figure(v, name, laplacian_error(&k), AT_MOST, 1e-6);
        }

    static const struct {
        sph_kernel kind;
        double at_2_5, at_3;
    } known[] = {{SPH_MUELLER, 0.9954, 1.0022}, {SPH_CUBIC, 0.9985, 1.0018}, {SPH_WENDLAND, 1.0134, 1.0031}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const kernel k = kernel_make(known[i].kind, 3, 1);
        snprintf(name, sizeof name, "%s: lattice density at R/2.5, error", kernel_names[known[i].kind]);
        verify_figure(v, name, fabs(kernel_lattice_density(&k, 1 / 2.5) - known[i].at_2_5), AT_MOST, 1e-4);
        snprintf(name, sizeof name, "%s: lattice density at R/3, error", kernel_names[known[i].kind]);
        verify_figure(v, name, fabs(kernel_lattice_density(&k, 1 / 3.0) - known[i].at_3), AT_MOST, 1e-4);
    }
    return RILL_OK;
}

static const char *const methods[] = {"sph", NULL};
const verify_case v05_kernels = {"V-05", "Smoothing kernels", methods, kernels};
