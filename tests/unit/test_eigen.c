/* Eigenvectors against what defines them: A v = lambda v, orthonormal, sorted; for random, flat, repeated,
 * zero and badly scaled matrices. */
#include "base/eigen.h"
#include "base/random.h"
#include "support.h"

#include <math.h>
#include <string.h>

static void check(const double a[3][3])
{
    double m[3][3], value[3], size = 0;
    rill_vec3 axis[3];
    memcpy(m, a, sizeof m);
    for (int i = 0; i < 9; i++) size = fmax(size, fabs(a[i / 3][i % 3]));
    eigen3_sorted(m, value, axis);
    for (int k = 0; k < 3; k++) {
        const double x[3] = {axis[k].x, axis[k].y, axis[k].z};
        for (int i = 0; i < 3; i++) {
            const double image = a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2];
            assert_true(fabs(image - value[k] * x[i]) <= 1e-13 * size);
        }
        for (int j = 0; j < 3; j++) assert_true(fabs(v3_dot(axis[k], axis[j]) - (j == k)) <= 1e-13);
        assert_true(k == 0 || value[k] <= value[k - 1]);
    }
}

static void random_matrices(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 2000; n++) {
        const random4 r = random_at(3, n, 0, 0), s = random_at(3, n, 1, 0);
        const double e[6] = {r.v[0] * 0x1p-32 - 0.5, r.v[1] * 0x1p-32 - 0.5, r.v[2] * 0x1p-32 - 0.5,
                             s.v[0] * 0x1p-32 - 0.5, s.v[1] * 0x1p-32 - 0.5, s.v[2] * 0x1p-32 - 0.5};
        const double scale = pow(10, (double)(n % 7) - 3);
        const double a[3][3] = {{e[0], scale * e[3], e[4]}, {scale * e[3], e[1], e[5]}, {e[4], e[5], e[2]}};
        check(a);
    }
}

static void special_matrices(void **state)
{
    (void)state;
    const double special[][3][3] = {
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}},      {{0, 1, 0}, {1, 0, 0}, {0, 0, 0}},
        {{1e-300, 0, 0}, {0, 1, 0}, {0, 0, 0}}, {{2, 1e-9, 0}, {1e-9, 2, 1e-9}, {0, 1e-9, 2}},
        {{1e8, 1, 0}, {1, 1e-8, 1}, {0, 1, 1}},
    };
    for (size_t k = 0; k < sizeof special / sizeof *special; k++) check(special[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_matrices), cmocka_unit_test(special_matrices)};
    return cmocka_run_group_tests_name("eigen", tests, NULL, NULL);
}
