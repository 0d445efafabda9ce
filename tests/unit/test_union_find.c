/* Disjoint sets against colouring everything anew after each join. */
#include "base/random.h"
#include "base/union_find.h"
#include "support.h"

enum { COUNT = 200, JOINS = 400 };

/* After each join the sets are those of the twin, and every root is the lowest of its set. */
static void sets_match_recolouring(void **state)
{
    (void)state;
    uint32_t parent[COUNT], colour[COUNT];
    union_find_init(parent, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) colour[i] = i;
    for (uint32_t step = 0; step < JOINS; step++) {
        const random4 r = random_at(1, step, 0, 0);
        const uint32_t a = r.v[0] % COUNT, b = r.v[1] % COUNT;
        const uint32_t low = colour[a] < colour[b] ? colour[a] : colour[b];
        const uint32_t high = colour[a] < colour[b] ? colour[b] : colour[a];
        for (uint32_t i = 0; i < COUNT; i++)
            if (colour[i] == high) colour[i] = low;
        assert_int_equal(union_find_join(parent, a, b), low);
        for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(union_find_root(parent, i), colour[i]);
    }
}

static void numbers_follow_roots(void **state)
{
    (void)state;
    uint32_t parent[8];
    union_find_init(parent, 8);
    union_find_join(parent, 7, 2);
    union_find_join(parent, 5, 7);
    union_find_join(parent, 1, 0);
    assert_int_equal(union_find_number(parent, 8), 5);
    const uint32_t expected[8] = {0, 0, 1, 2, 3, 1, 4, 1};
    assert_memory_equal(parent, expected, sizeof expected);
    assert_int_equal(union_find_number(parent, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_match_recolouring),
        cmocka_unit_test(numbers_follow_roots),
    };
    return cmocka_run_group_tests_name("union_find", tests, NULL, NULL);
}
