/* Benchmarks: one small file per case, each exporting one bench_case that the list in
 * bench.c names.
 *
 * A case sets up its data, hands the work to bench_time, and says with bench_rate and
 * bench_number what the time means. The figure is the shortest of the repetitions: what
 * disturbs a run only ever makes it longer. */
#pragma once

#include "base/memory.h"

enum { BENCH_MAX_NUMBERS = 32 };

typedef struct bench_number_row {
    const char *name; /* a word that can be a JSON key: "bytes_per_particle" */
    double value;
} bench_number_row;

/* One run of a case: what it is asked, and what it found. */
typedef struct bench_run {
    rill_ctx *ctx;
    size_t n;    /* elements */
    int repeat;  /* timed repetitions, at least 1 */
    int threads; /* of ctx */

    double seconds; /* shortest repetition */
    double rate;    /* in rate_unit; 0 while rate_unit is NULL */
    const char *rate_unit;
    bench_number_row number[BENCH_MAX_NUMBERS];
    uint32_t number_count;
} bench_run;

typedef struct bench_case {
    const char *name;
    size_t n;         /* default number of elements */
    const char *help; /* one line: what is measured, and what n counts */
    rill_status (*run)(bench_run *b);
} bench_case;

extern const bench_case *const bench_cases[]; /* ends with NULL */
const bench_case *bench_find(const char *name);

typedef rill_status bench_body(void *arg);

/* Calls prepare (may be NULL) and body once to warm up and then b->repeat times; only
 * body is timed. */
RILL_CHECKED rill_status bench_time(bench_run *b, bench_body *prepare, bench_body *body, void *arg);

/* `work` units done by one repetition: the rate is work / seconds. "GB/s" with work in GB. */
void bench_rate(bench_run *b, double work, const char *unit);
void bench_number(bench_run *b, const char *name, double value);

/* Runs a case; n = 0 takes its default. */
RILL_CHECKED rill_status bench_measure(rill_ctx *ctx, const bench_case *c, size_t n, int repeat,
                                       bench_run *out);
