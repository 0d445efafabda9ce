/* Keyframes against their definition: values at keys, rates against differences, integrals
 * against sums, and a smooth curve that stays between its keys. */
#include "support.h"

#include "base/random.h"
#include "flow/keyframes.h"

static double uniform(uint64_t id, double lo, double hi)
{
    const random4 r = random_at(17, id, 0, 0);
    return lo + (hi - lo) * random_unit(r.v[0], r.v[1]);
}

enum { KEYS = 9 };

static keyframes random_keys(keyframe *key, uint64_t seed, bool smooth)
{
    double t = uniform(seed, -3, 1);
    for (uint32_t i = 0; i < KEYS; i++, t += uniform(100 * seed + i, 0.05, 1))
        key[i] = (keyframe){t, v3(uniform(1000 * seed + i, -2, 2), uniform(2000 * seed + i, 0, 1),
                                  i % 3 == 0 ? 1 : uniform(3000 * seed + i, 0, 2))};
    return (keyframes){key, KEYS, smooth};
}

static void keys_are_met_and_ends_hold(void **state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        keyframe key[KEYS];
        const keyframes k = random_keys(key, 3, smooth);
        for (uint32_t i = 0; i < KEYS; i++)
            assert_true(v3_distance(keyframes_at(&k, key[i].t), key[i].value) == 0);
        assert_true(v3_distance(keyframes_at(&k, -1e9), key[0].value) == 0);
        assert_true(v3_distance(keyframes_at(&k, 1e9), key[KEYS - 1].value) == 0);
        assert_true(v3_length(keyframes_rate(&k, key[0].t - 1e-9)) == 0);
        assert_true(v3_length(keyframes_rate(&k, key[KEYS - 1].t)) == 0);
    }
    keyframe one = {2, {3, 4, 5}};
    const keyframes single = {&one, 1, true}, none = {0};
    assert_true(keyframes_at(&single, 0).y == 4 && keyframes_at(&single, 3).z == 5);
    assert_true(keyframes_rate(&single, 2).x == 0 && keyframes_fastest(&single, 0, 9).x == 0);
    assert_true(keyframes_integral(&single, 1, 4).x == 9);
    assert_true(keyframes_at(&none, 1).x == 0 && keyframes_integral(&none, 0, 1).x == 0);
}

static void halfway_is_half(void **state)
{
    (void)state;
    keyframe key[2] = {{1, {0, 0, 0}}, {3, {8, -4, 1}}};
    keyframes k = {key, 2, false};
    assert_true(keyframes_at(&k, 2).x == 4 && keyframes_rate(&k, 1).x == 4 &&
                keyframes_rate(&k, 2.9).y == -2);
    assert_true(keyframes_integral(&k, 1, 3).x == 8);
    k.smooth = true; /* the cubic with flat ends, 3 s^2 - 2 s^3 */
    assert_true(keyframes_at(&k, 2).x == 4);
    assert_true(fabs(keyframes_at(&k, 1.5).x - 8 * (3.0 / 16 - 2.0 / 64)) < 1e-14);
    assert_true(fabs(keyframes_rate(&k, 2).x - 6) < 1e-14 && keyframes_rate(&k, 1).x == 0);
    assert_true(fabs(keyframes_fastest(&k, 1, 3).x - 6) < 1e-14);
}

static void rates_are_differences(void **state)
{
    (void)state;
    const double h = 1e-6;
    for (uint64_t seed = 1; seed < 40; seed++) {
        keyframe key[KEYS];
        const keyframes k = random_keys(key, seed, seed % 2);
        const rill_vec3 most = keyframes_fastest(&k, -INFINITY, INFINITY);
        for (int i = 0; i < 200; i++) {
            const double t = uniform(7919 * seed + (uint64_t)i, -4, 8);
            bool at_key = false;
            for (uint32_t q = 0; q < KEYS; q++) at_key |= fabs(key[q].t - t) < 2 * h;
            if (at_key) continue;
            const rill_vec3 d = v3_scale(v3_sub(keyframes_at(&k, t + h), keyframes_at(&k, t - h)), 0.5 / h);
            const rill_vec3 rate = keyframes_rate(&k, t);
            assert_true(v3_distance(d, rate) < 1e-7);
            assert_true(fabs(rate.x) <= most.x * (1 + 1e-12) && fabs(rate.y) <= most.y * (1 + 1e-12) &&
                        fabs(rate.z) <= most.z * (1 + 1e-12));
            const rill_vec3 near = keyframes_fastest(&k, t, t);
            assert_true(fabs(rate.x) <= near.x * (1 + 1e-12) && near.x <= most.x);
        }
    }
}

/* Between two keys no component leaves their range; rates have no jump. */
static void smooth_stays_between(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 40; seed++) {
        keyframe key[KEYS];
        const keyframes k = random_keys(key, seed, true);
        double longest = 0;
        for (uint32_t i = 0; i + 1 < KEYS; i++) {
            const rill_vec3 low = v3_min(key[i].value, key[i + 1].value),
                            high = v3_max(key[i].value, key[i + 1].value);
            for (int n = 0; n <= 50; n++) {
                const rill_vec3 x = keyframes_at(&k, key[i].t + (key[i + 1].t - key[i].t) * n / 50);
                assert_true(box_contains(box_grown((rill_box){low, high}, 1e-14), x));
                longest = fmax(longest, v3_length(x));
            }
            if (i == 0) continue;
            const rill_vec3 before = keyframes_rate(&k, key[i].t - 1e-9),
                            after = keyframes_rate(&k, key[i].t);
            assert_true(v3_distance(before, after) < 1e-4);
        }
        assert_true(longest <= keyframes_longest(&k) * (1 + 1e-12));
    }
}

static void integrals_are_sums(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        keyframe key[KEYS];
        const keyframes k = random_keys(key, seed, seed % 2);
        const double from = uniform(31 * seed, -5, 2), to = uniform(37 * seed, 2, 10);
        const int n = 20000;
        rill_vec3 sum = {0, 0, 0};
        for (int i = 0; i < n; i++)
            sum = v3_madd(sum, (to - from) / n, keyframes_at(&k, from + (to - from) * (i + 0.5) / n));
        assert_true(v3_distance(sum, keyframes_integral(&k, from, to)) < 1e-5);
        const double middle = 0.3 * from + 0.7 * to; /* and they add up */
        const rill_vec3 both =
            v3_add(keyframes_integral(&k, from, middle), keyframes_integral(&k, middle, to));
        assert_true(v3_distance(both, keyframes_integral(&k, from, to)) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_met_and_ends_hold), cmocka_unit_test(halfway_is_half),
        cmocka_unit_test(rates_are_differences),      cmocka_unit_test(smooth_stays_between),
        cmocka_unit_test(integrals_are_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
