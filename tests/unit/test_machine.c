/* What rill doctor says is what the machine has. */
#include "support.h"

#include "base/cpu.h"
#include "run/machine.h"

#include <stdio.h>
#include <string.h>

static void missing_features_are_named(void **state)
{
    (void)state;
    char out[32];
    const cpu_feature all[] = {{"AVX2", true}, {"FMA", true}, {0}};
    cpu_missing(all, out, sizeof out);
    assert_string_equal(out, "");
    const cpu_feature some[] = {{"AVX2", false}, {"FMA", true}, {"F16C", false}, {0}};
    cpu_missing(some, out, sizeof out);
    assert_string_equal(out, "AVX2, F16C");
    char tight[8]; /* no room for the second: the first, whole */
    cpu_missing(some, tight, sizeof tight);
    assert_string_equal(tight, "AVX2");
    /* This program is running, so nothing it was compiled for is missing. */
    cpu_feature list[CPU_FEATURES];
    cpu_features(list);
    cpu_missing(list, out, sizeof out);
    assert_string_equal(out, "");
}

static void memory_and_disk(void **state)
{
    (void)state;
    char name[256];
    machine_cpu(name, sizeof name);
    assert_true(name[0] != 0 && !strchr(name, '\n'));
    assert_true(machine_memory() >= machine_free_memory());
    assert_true(machine_free_memory() > 1000000 && machine_memory() < UINT64_MAX);
    assert_true(machine_free_disk("/no/such/folder/at/all") == machine_free_disk("/"));
    assert_true(machine_free_disk("no/such") < UINT64_MAX);
    char endless[5000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = 0;
    assert_true(machine_free_disk(endless) == UINT64_MAX);
}

static void bytes_for_people(void **state)
{
    (void)state;
    static const struct {
        double bytes;
        const char *said;
    } rows[] = {{0, "0 bytes"},     {999, "999 bytes"}, {1000, "1.0 kB"},  {99940, "99.9 kB"},
                {99960, "100 kB"},  {1.5e6, "1.5 MB"},  {3.4e9, "3.4 GB"}, {7.2e12, "7.2 TB"},
                {1.2e15, "1.2 PB"}, {5e18, "5000 PB"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char out[32];
        bytes_text(rows[k].bytes, out, sizeof out);
        assert_string_equal(out, rows[k].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_features_are_named),
        cmocka_unit_test(memory_and_disk),
        cmocka_unit_test(bytes_for_people),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
