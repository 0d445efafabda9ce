/* The kernels: integrals, slopes and Laplacians against quadrature and differences, the
 * eight-wide form against the scalar one, and the walls' mirror potential against the
 * lattice it stands for. */
#include "support.h"

#include "base/random.h"
#include "sph/core/simd.h"
#include "sph/core/walls.h"
#include "sph/dfsph/relax.h"

static double ring_area(int dimensions, double r)
{
    return dimensions == 2 ? 2 * M_PI * r : 4 * M_PI * r * r;
}

static void integral_is_one(void **state)
{
    (void)state;
    for (int kind = 0; kind < SPH_KERNELS; kind++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            const double R = 0.37;
            const kernel k = kernel_make((sph_kernel)kind, dimensions, R);
            enum { N = 20000 };
            double density = 0, pressure = 0;
            for (int i = 0; i < N; i++) {
                const double r = (i + 0.5) * R / N, area = ring_area(dimensions, r) * R / N;
                density += kernel_w(&k, r) * area;
                pressure += kernel_pressure_w(&k, r) * area;
            }
            assert_float_equal(density, 1, 1e-7);
            assert_float_equal(pressure, 1, 1e-7);
        }
}

static void slope_matches_differences(void **state)
{
    (void)state;
    for (int kind = 0; kind < SPH_KERNELS; kind++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            const kernel k = kernel_make((sph_kernel)kind, dimensions, 1);
            for (double r = 0.02; r < 0.99; r += 0.0173) {
                const double h = 1e-5;
                const double difference =
                    (kernel_pressure_w(&k, r + h) - kernel_pressure_w(&k, r - h)) / (2 * h);
                assert_float_equal(kernel_dw(&k, r), difference, 1e-6);
            }
        }
}

/* Mueller's viscosity kernel: the Laplacian of a function that integrates to 1, so that
 * the integral of r^2 lap is 2 dim (Green's identity). */
static void laplacian_has_the_right_moment(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const double R = 0.8;
        const kernel k = kernel_make(SPH_MUELLER, dimensions, R);
        enum { N = 20000 };
        double moment = 0;
        for (int i = 0; i < N; i++) {
            const double r = (i + 0.5) * R / N;
            moment += kernel_laplacian(&k, r) * r * r * ring_area(dimensions, r) * R / N;
        }
        assert_float_equal(moment, 2 * dimensions, 1e-5);
    }
}

static void eight_wide_matches_scalar(void **state)
{
    (void)state;
    for (int kind = 0; kind < SPH_KERNELS; kind++)
        for (int dimensions = 2; dimensions <= 3; dimensions++)
            for (double R = 1e-5; R < 2e3; R *= 37) {
                const kernel k = kernel_make((sph_kernel)kind, dimensions, R);
                const kernel8 k8 = kernel8_make(&k);
                for (int i = 0; i < 400; i++) {
                    const double r = (i + 0.5) / 360 * R;
                    const __m256 d2 = _mm256_set1_ps((float)(r * r)), d = _mm256_sqrt_ps(d2);
                    const __m256 inverse = _mm256_div_ps(k8.one, d);
                    float w[8], g[8], l[8];
                    _mm256_storeu_ps(w, kernel8_w((sph_kernel)kind, &k8, d2));
                    _mm256_storeu_ps(g, kernel8_g((sph_kernel)kind, &k8, d2, d, inverse));
                    _mm256_storeu_ps(l, kernel8_l(&k8, d));
                    if (fabs(r / R - 1) < 1e-5) continue; /* the gaussian's edge */
                    assert_float_equal(w[3] * k8.w_scale / kernel_w(&k, 0), kernel_w(&k, r) / kernel_w(&k, 0),
                                       2e-6);
                    const double top = fabs(kernel_dw_over_r(&k, 0.1 * R));
                    assert_float_equal(g[3] * k8.g_scale / top, kernel_dw_over_r(&k, r) / top,
                                       2e-6 + 4e-6 * fabs(kernel_dw_over_r(&k, r)) / top);
                    if (kind == SPH_MUELLER) {
                        const double most = kernel_laplacian(&k, 0);
                        assert_float_equal(l[0] * k8.l_scale / most, kernel_laplacian(&k, r) / most, 1e-6);
                    }
                }
            }
}

/* V-05's lattice densities, with the particle itself, at r/2.5 and r/3. */
static void lattice_densities(void **state)
{
    (void)state;
    const kernel poly6 = kernel_make(SPH_MUELLER, 3, 1), cubic = kernel_make(SPH_CUBIC, 3, 1),
                 wendland = kernel_make(SPH_WENDLAND, 3, 1);
    assert_float_equal(kernel_lattice_density(&poly6, 1 / 2.5), 0.9954, 1e-4);
    assert_float_equal(kernel_lattice_density(&cubic, 1 / 2.5), 0.9985, 1e-4);
    assert_float_equal(kernel_lattice_density(&wendland, 1 / 2.5), 1.0134, 1e-4);
    assert_float_equal(kernel_lattice_density(&poly6, 1 / 3.0), 1.0022, 1e-4);
    assert_float_equal(kernel_lattice_density(&cubic, 1 / 3.0), 1.0018, 1e-4);
    assert_float_equal(kernel_lattice_density(&wendland, 1 / 3.0), 1.0031, 1e-4);
    assert_float_equal(kernel_lattice_density(&cubic, 0.5), 1.0000, 5e-4); /* notes: cubic at 2 spacings */
}

/* The closed form of the cubic spline's plane integral at R = 2. */
static double cubic_plane(double z)
{
    const double R = 2, u = fabs(z) / R, a = fmax(1 - u, 0), b = fmax(0.5 - u, 0);
    return 16 / R * (pow(a, 4) / 2 - 2 * pow(a, 5) / 5 - pow(b, 4) + 8 * pow(b, 5) / 5);
}

static void mirror_potential_of_the_cubic(void **state)
{
    (void)state;
    const kernel k = kernel_make(SPH_CUBIC, 3, 2);
    walls w;
    walls_make(&k, 1, &w);
    for (double d = 0.02; d < 1.05; d += 0.0131) {
        const double exact = cubic_plane(2 * d) + cubic_plane(2 * d + 1) + cubic_plane(2 * d + 2);
        assert_float_equal(walls_value(&w, d, NULL), exact, 1e-7);
    }
}

static void wall_slope_is_the_derivative(void **state)
{
    (void)state;
    for (int kind = 0; kind < SPH_KERNELS; kind++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            if (kind == SPH_MUELLER) continue; /* presses with another kernel than it weighs */
            const kernel k = kernel_make((sph_kernel)kind, dimensions, 2.3);
            walls w;
            walls_make(&k, 1, &w);
            for (double d = -0.2; d < 1.2; d += 0.0117) {
                const double h = 1e-7;
                if (fabs(d - w.straight) < 1e-3) continue;
                double slope;
                walls_value(&w, d, &slope);
                const double difference =
                    (walls_value(&w, d + h, NULL) - walls_value(&w, d - h, NULL)) / (2 * h);
                assert_float_equal(slope, difference, 1e-5);
            }
        }
}

/* A lattice that begins half a spacing from a wall has the density of the inside. */
static void wall_completes_a_lattice(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const kernel k = kernel_make(SPH_CUBIC, dimensions, 2);
        walls w;
        walls_make(&k, 1, &w);
        double half = 0; /* lattice with y >= 0 only, seen from y = 0 */
        for (int z = dimensions == 2 ? 0 : -2; z <= (dimensions == 2 ? 0 : 2); z++)
            for (int y = 0; y <= 2; y++)
                for (int x = -2; x <= 2; x++) half += kernel_w(&k, sqrt(x * x + y * y + z * z));
        const double inside = kernel_lattice_density(&k, 1);
        assert_float_equal(half + walls_value(&w, 0.5, NULL), inside, dimensions == 3 ? 6e-4 : 1e-2);
    }
}

/* The relaxations, eight particles at a time and one: the same bits. */
enum { SOME = 203 };
typedef struct {
    float k[SOME], change[SOME], left[SOME], wanted[SOME], factor[SOME], slack[SOME];
    uint8_t lonely[SOME], inner[SOME];
} relaxed;

static void relaxed_fill(relaxed *r)
{
    for (uint32_t i = 0; i < SOME; i++) {
        float u[6];
        for (uint32_t c = 0; c < 6; c++) {
            const random4 r4 = random_at(7, i, c, 0);
            u[c] = (float)random_unit(r4.v[0], r4.v[1]) - 0.5f;
        }
        r->k[i] = i % 3 ? u[0] : 0;
        r->change[i] = i % 5 ? 0.2f * u[1] : 0;
        r->left[i] = i % 7 ? 3 * u[2] : 0;
        r->wanted[i] = 2 * u[3];
        r->factor[i] = 0.5f + u[4];
        r->slack[i] = u[5] > 0 ? u[5] : 0;
        r->lonely[i] = i % 11 == 0;
        r->inner[i] = i % 4 != 0;
    }
}

static sph relaxed_view(relaxed *r)
{
    sph s = {0};
    s.solve = (solve_arrays){.change = r->change,
                             .residual = r->left,
                             .target = r->wanted,
                             .factor = r->factor,
                             .slack = r->slack,
                             .spray = r->lonely,
                             .inside = r->inner};
    return s;
}

static void relaxation_matches_its_twin(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 3; first++)
        for (int velocities = 0; velocities < 2; velocities++) {
            relaxed wide, one;
            relaxed_fill(&wide);
            relaxed_fill(&one);
            sph a = relaxed_view(&wide), b = relaxed_view(&one);
            pairs_job j = {.s = &a, .k = wide.k, .scale = 0.3f, .keep = 0.4f, .take = 0.7f};
            pairs_job twin = {.s = &b, .k = one.k, .scale = 0.3f, .keep = 0.4f, .take = 0.7f};
            const tile_sums sums =
                velocities ? relax_rates(&j, first, SOME) : relax_squeezes(&j, first, SOME);
            double left = 0, all = 0;
            for (uint32_t i = first; i < SOME; i++) {
                all += velocities ? 0 : (double)one.left[i];
                left += (double)(velocities ? relax_rate(&twin, i) : relax_squeeze(&twin, i));
            }
            assert_float_equal(sums.error, left, 1e-9);
            assert_float_equal(sums.all, all, 1e-9);
            assert_true(left > 1);
            for (uint32_t i = 0; i < SOME; i++) {
                assert_true(wide.k[i] == one.k[i]);
                assert_true(wide.change[i] == one.change[i]);
                assert_true(wide.left[i] == one.left[i]);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integral_is_one),
        cmocka_unit_test(slope_matches_differences),
        cmocka_unit_test(laplacian_has_the_right_moment),
        cmocka_unit_test(eight_wide_matches_scalar),
        cmocka_unit_test(relaxation_matches_its_twin),
        cmocka_unit_test(lattice_densities),
        cmocka_unit_test(mirror_potential_of_the_cubic),
        cmocka_unit_test(wall_slope_is_the_derivative),
        cmocka_unit_test(wall_completes_a_lattice),
    };
    return cmocka_run_group_tests_name("sph kernels", tests, NULL, NULL);
}
