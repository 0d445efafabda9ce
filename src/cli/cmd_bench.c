/* rill bench: runs benchmarks and prints a row for each. */
#include "base/parallel.h"
#include "base/text.h"
#include "base/words.h"
#include "bench/bench.h"
#include "cli/commands.h"

#include <stdio.h>

typedef struct {
    int64_t n, threads, repeat;
    bool json, list;
} bench_options;

static const option options[] = {
    {"--n", OPTION_INTEGER, offsetof(bench_options, n), "N",
     "elements, instead of each benchmark's own number", 1, INT64_C(1) << 40},
    {"--threads", OPTION_INTEGER, offsetof(bench_options, threads), "T",
     "threads; all of the machine's if not given", 1, PARALLEL_MAX_THREADS},
    {"--repeat", OPTION_INTEGER, offsetof(bench_options, repeat), "R",
     "timed repetitions, of which the shortest counts; 5 if not given", 1, 1000000},
    {"--json", OPTION_FLAG, offsetof(bench_options, json), NULL, "one JSON object per line", 0, 0},
    {"--list", OPTION_FLAG, offsetof(bench_options, list), NULL, "what there is, and stop", 0, 0},
    {0},
};

static void print_list(void)
{
    for (const bench_case *const *c = bench_cases; *c; c++)
        printf("%-14s n = %-10zu %s\n", (*c)->name, (*c)->n, (*c)->help);
}

static rill_status check_names(rill_ctx *ctx, int count, char **name)
{
    const char *known[64] = {0};
    for (size_t i = 0; bench_cases[i] && i < 63; i++) known[i] = bench_cases[i]->name;
    for (int i = 0; i < count; i++) {
        if (bench_find(name[i])) continue;
        const char *near = words_nearest(known, name[i]);
        if (near)
            return rill_fail(ctx, RILL_USAGE, "bench: there is no benchmark \"%s\"; did you mean \"%s\"?",
                             name[i], near);
        return rill_fail(ctx, RILL_USAGE, "bench: there is no benchmark \"%s\"; rill bench --list names them",
                         name[i]);
    }
    return RILL_OK;
}

static rill_status print_json(const bench_case *c, const bench_run *b)
{
    text t;
    text_init(&t, b->ctx);
    text_add(&t, "{\"name\":");
    text_quoted(&t, c->name);
    text_print(&t, ",\"n\":%zu,\"threads\":%d,\"seconds\":", b->n, b->threads);
    text_number(&t, b->seconds);
    if (b->rate_unit) {
        text_add(&t, ",\"rate\":");
        text_number(&t, b->rate);
        text_add(&t, ",\"unit\":");
        text_quoted(&t, b->rate_unit);
    }
    for (uint32_t i = 0; i < b->number_count; i++) {
        text_add(&t, ",");
        text_quoted(&t, b->number[i].name);
        text_add(&t, ":");
        text_number(&t, b->number[i].value);
    }
    text_add(&t, "}\n");
    const rill_status st = text_check(&t);
    if (!st) fputs(t.data, stdout);
    text_clear(&t);
    return st;
}

static void print_row(const bench_case *c, const bench_run *b)
{
    printf("%-14s %10zu %7d %12.6f", c->name, b->n, b->threads, b->seconds);
    if (b->rate_unit) printf(" %10.4g %s", b->rate, b->rate_unit);
    printf("\n");
    for (uint32_t i = 0; i < b->number_count; i++)
        printf("%-14s %36s = %.4g\n", "", b->number[i].name, b->number[i].value);
}

static rill_status run_all(rill_ctx *ctx, const bench_options *o, int count, char **name)
{
    TRY(check_names(ctx, count, name));
    if (o->threads) ctx->def.threads = (int)o->threads;
    if (!o->json) printf("%-14s %10s %7s %12s %10s\n", "name", "n", "threads", "seconds", "rate");
    for (size_t i = 0; count ? i < (size_t)count : bench_cases[i] != NULL; i++) {
        const bench_case *c = count ? bench_find(name[i]) : bench_cases[i];
        bench_run b;
        TRY(bench_measure(ctx, c, (size_t)o->n, o->repeat ? (int)o->repeat : 5, &b));
        if (o->json)
            TRY(print_json(c, &b));
        else
            print_row(c, &b);
        if (fflush(stdout) != 0) return rill_fail(ctx, RILL_DISK, "bench: writing the results failed");
    }
    return RILL_OK;
}

static int bench_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    bench_options o = {0};
    int count;
    const rill_status st = options_parse(ctx, self, &o, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    if (o.list) {
        print_list();
        return 0;
    }
    return cli_report(ctx, run_all(ctx, &o, count, argv));
}

const command cmd_bench = {"bench", "[NAME...]", "Times the hot paths of the program.", options, 0,
                           256,     bench_main};
