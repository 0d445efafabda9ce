/* Counter-based random numbers: the known answers of Philox 4x32-10 in the Random123
 * distribution (tests/kat_vectors), and moments of the unit numbers. */
#include "support.h"

#include "base/hash.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

static void known_answers(void **state)
{
    (void)state;
    const struct {
        uint32_t counter[4], key[2], answer[4];
    } rows[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t *c = rows[i].counter, *k = rows[i].key;
        const random4 r = random_at((uint64_t)k[1] << 32 | k[0], (uint64_t)c[1] << 32 | c[0], c[2], c[3]);
        assert_memory_equal(r.v, rows[i].answer, sizeof r.v);
    }
}

static void unit_range_and_moments(void **state)
{
    (void)state;
    assert_true(random_unit(0, 0) == 0);
    assert_true(random_unit(UINT32_MAX, UINT32_MAX) < 1);
    assert_true(random_unit(0x80000000u, 0) == 0.5);
    enum { COUNT = 100000 };
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        const random4 r = random_at(42, i, 5, 1);
        const double u = random_unit(r.v[0], r.v[1]);
        sum += u;
        squares += u * u;
    }
    /* Five standard errors: sqrt(1/12 / n) and sqrt(4/45 / n). */
    assert_true(fabs(sum / COUNT - 0.5) < 5 * sqrt(1.0 / 12 / COUNT));
    assert_true(fabs(squares / COUNT - 1.0 / 3) < 5 * sqrt(4.0 / 45 / COUNT));
}

/* XXH3's own empty-input answer with seed 0, and dependence on every byte and the seed. */
static void hashes(void **state)
{
    (void)state;
    assert_true(hash_bytes("", 0, 0) == UINT64_C(0x2d06800538d394c2));
    unsigned char data[100] = {0};
    const uint64_t before = hash_bytes(data, sizeof data, 0);
    assert_true(hash_bytes(data, sizeof data, 1) != before);
    assert_true(hash_bytes(data, sizeof data - 1, 0) != before);
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = 1;
        assert_true(hash_bytes(data, sizeof data, 0) != before);
        data[i] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers),
                                       cmocka_unit_test(unit_range_and_moments), cmocka_unit_test(hashes)};
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
