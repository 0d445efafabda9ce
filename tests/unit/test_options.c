/* The command line's option parser. */
#include "support.h"

#include "cli/options.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    bool json;
    int64_t threads;
    const char *out;
    option_texts set;
} values;

static const option options[] = {
    {"--json", OPTION_FLAG, offsetof(values, json), NULL, "lines", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(values, threads), "N", "threads", 1, 256},
    {"--out", OPTION_TEXT, offsetof(values, out), "DIR", "folder", 0, 0},
    {"--set", OPTION_TEXTS, offsetof(values, set), "PATH=VALUE", "change", 0, 0},
    {0},
};
static const command run = {"run", "SCENE", "Runs.", options, 1, 2, NULL};
static const command bare = {"version", "", "Version.", NULL, 0, 0, NULL};

enum { MOST = 80 };

/* Parses words separated by single spaces. */
static rill_status parse(rill_ctx *ctx, const command *c, const char *line, values *v, char **argv,
                         int *count)
{
    static char buffer[4000];
    snprintf(buffer, sizeof buffer, "%s", line);
    int argc = 0;
    for (char *word = strtok(buffer, " "); word && argc < MOST; word = strtok(NULL, " ")) argv[argc++] = word;
    memset(v, 0, sizeof *v);
    *count = -1;
    return options_parse(ctx, c, v, argc, argv, count);
}

static void assert_refused(rill_ctx *ctx, const char *line, const char *part_of_message)
{
    values v;
    char *argv[MOST];
    int count;
    assert_int_equal(parse(ctx, &run, line, &v, argv, &count), RILL_USAGE);
    assert_int_equal(count, -1); /* untouched */
    if (!strstr(rill_ctx_message(ctx), part_of_message))
        fail_msg("%s: \"%s\" does not say \"%s\"", line, rill_ctx_message(ctx), part_of_message);
}

static void accepted(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    values v;
    char *argv[MOST];
    int count;
    assert_ok(ctx, parse(ctx, &run, "run a.json", &v, argv, &count));
    assert_int_equal(count, 1);
    assert_string_equal(argv[0], "a.json");
    assert_false(v.json);

    assert_ok(ctx,
              parse(ctx, &run, "run --json a --threads 3 b --out=x=y --set p=1 --set=q=2", &v, argv, &count));
    assert_int_equal(count, 2);
    assert_string_equal(argv[0], "a");
    assert_string_equal(argv[1], "b");
    assert_true(v.json && v.threads == 3);
    assert_string_equal(v.out, "x=y");
    assert_int_equal(v.set.count, 2);
    assert_string_equal(v.set.text[0], "p=1");
    assert_string_equal(v.set.text[1], "q=2");

    assert_ok(ctx, parse(ctx, &run, "run -- --json -", &v, argv, &count)); /* after "--" all are arguments */
    assert_int_equal(count, 2);
    assert_string_equal(argv[0], "--json");
    assert_string_equal(argv[1], "-");
    assert_false(v.json);

    assert_ok(
        ctx, parse(ctx, &run, "run a --threads 1 --threads=256", &v, argv, &count)); /* the last one counts */
    assert_true(v.threads == 256);
    assert_ok(ctx, parse(ctx, &bare, "version", &v, argv, &count));
    assert_int_equal(count, 0);
    rill_ctx_destroy(ctx);
}

static void refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    assert_refused(ctx, "run", "SCENE is missing");
    assert_refused(ctx, "run a b c", "\"c\" is one argument too many");
    assert_refused(ctx, "run a --thread 3", "did you mean \"--threads\"?");
    assert_refused(ctx, "run a --thraeds=3", "did you mean \"--threads\"?");
    assert_refused(ctx, "run a -x", "unknown option \"-x\"");
    assert_refused(ctx, "run a --threads", "needs a value (N)");
    assert_refused(ctx, "run a --threads 0", "from 1 to 256, not \"0\"");
    assert_refused(ctx, "run a --threads 257", "not \"257\"");
    assert_refused(ctx, "run a --threads -3", "not \"-3\"");
    assert_refused(ctx, "run a --threads 3x", "not \"3x\"");
    assert_refused(ctx, "run a --threads 1.5", "not \"1.5\"");
    assert_refused(ctx, "run a --threads=", "not \"\"");
    assert_refused(ctx, "run a --threads 99999999999999999999", "not \"99999999999999999999\"");
    assert_refused(ctx, "run a --json=yes", "takes no value");
    char line[2000] = "run a";
    for (int i = 0; i <= OPTION_MAX_TEXTS; i++) strcat(line, " --set=k=v");
    assert_refused(ctx, line, "more than 64 times");
    memset(line, 'x', 1500);
    memcpy(line, "run a --", 8);
    line[1500] = 0;
    assert_refused(ctx, line, "unknown option \"--xxx");
    rill_ctx_destroy(ctx);
}

static void report_is_the_exit_code(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    assert_int_equal(cli_report(ctx, RILL_OK), 0);
    assert_int_equal(cli_report(ctx, rill_fail(ctx, RILL_DISK, "the disk is full (a message of the test)")),
                     5);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accepted), cmocka_unit_test(refused),
                                       cmocka_unit_test(report_is_the_exit_code)};
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
