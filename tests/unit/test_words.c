#include "support.h"

#include "base/words.h"

static void nearest_word(void **state)
{
    (void)state;
    const char *const words[] = {"spacing", "fluid", "liquid", "method", NULL};
    assert_string_equal(words_nearest(words, "spacng"), "spacing");
    assert_string_equal(words_nearest(words, "mehtod"), "method");
    assert_string_equal(words_nearest(words, "Fluid"), "fluid");
    assert_null(words_nearest(words, "colour"));
    assert_null(words_nearest(words, "x"));
    assert_null(words_nearest(words, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_word)};
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
