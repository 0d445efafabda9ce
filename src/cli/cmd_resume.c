/* rill resume. */
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "run/registry.h"

#include <stdio.h>

typedef struct resume_values {
    int64_t frames, threads;
    bool json, quiet, force;
} resume_values;

static const option resume_table[] = {
    {"--frames", OPTION_INTEGER, offsetof(resume_values, frames), "N", "make the run this long", 1, 1000000},
    {"--threads", OPTION_INTEGER, offsetof(resume_values, threads), "N", "threads (default: all)", 1, 256},
    {"--json", OPTION_FLAG, offsetof(resume_values, json), NULL, "the answer as JSON", 0, 0},
    {"--force", OPTION_FLAG, offsetof(resume_values, force), NULL,
     "simulate a scene that was edited since from its start, over the frames that are there", 0, 0},
    {"--quiet", OPTION_FLAG, offsetof(resume_values, quiet), NULL, "no progress", 0, 0},
    {0},
};

static int resume_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    resume_values v = {0};
    int count;
    rill_status st = options_parse(ctx, self, &v, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    if (v.threads) ctx->def.threads = (int)v.threads;

    cli_progress progress;
    run_result result = {0};
    progress_attach(ctx, &progress, v.quiet);
    interrupt_of_run(argv[0]);
    st = run_resume_stoppable(ctx, argv[0], v.frames, v.force, rill_methods, rill_method_count,
                              interrupt_stop, &result);
    interrupt_of_run(NULL);
    progress_detach(ctx, &progress);
    if (!st && result.was_finished && !v.json)
        printf("%s is finished; --frames N makes it longer\n", argv[0]);
    else if (!st)
        summary_print(argv[0], &result, v.json);
    return cli_report(ctx, st);
}

const command cmd_resume = {
    "resume", "DIR", "Continues a run that was stopped or killed.", resume_table, 1, 1, resume_main};
