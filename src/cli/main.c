/* The rill program: finds the command and hands over.
 *
 * Compiled for any x86-64 processor (CMakeLists.txt), so that it can say what is missing on
 * one that cannot run the rest. */
#include "base/cpu.h"
#include "base/words.h"
#include "cli/commands.h"
#include "cli/interrupt.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const command *const rill_commands[] = {
    &cmd_run,   &cmd_resume, &cmd_info,       &cmd_compare,    &cmd_export, &cmd_doctor,
    &cmd_bench, &cmd_render, &cmd_surface,    &cmd_validate,   &cmd_verify, &cmd_version,
    &cmd_view,  &cmd_volume, &cmd_whitewater, &cmd_completion, NULL,
};

static void usage(FILE *to)
{
    fprintf(to, "rill %s: fluid animation\n\nusage: rill COMMAND ...\n\n", RILL_VERSION);
    for (const command *const *c = rill_commands; *c; c++)
        fprintf(to, "  %-10s %-18s %s\n", (*c)->name, (*c)->arguments, (*c)->help);
    fprintf(to, "\nrill COMMAND --help lists the options.\n");
}

static int unknown_command(const char *name)
{
    const char *names[32] = {0};
    for (size_t i = 0; rill_commands[i] && i < 31; i++) names[i] = rill_commands[i]->name;
    const char *near = words_nearest(names, name);
    fprintf(stderr, "rill: unknown command \"%s\"", name);
    if (near)
        fprintf(stderr, "; did you mean \"%s\"?\n", near);
    else
        fprintf(stderr, "; rill --help lists them\n");
    return RILL_USAGE;
}

/* Log lines of commands without a progress bar. */
static void say(void *user, rill_log_level level, const char *message)
{
    (void)user;
    if (level >= RILL_LOG_WARNING)
        fprintf(stderr, "rill: %s%s\n", level == RILL_LOG_WARNING ? "warning: " : "", message);
}

static bool can_run_here(void)
{
    char missing[128];
    cpu_feature list[CPU_FEATURES];
    cpu_features(list);
    cpu_missing(list, missing, sizeof missing);
    if (!missing[0]) return true;
    fprintf(stderr,
            "rill: this processor lacks %s; this build needs an x86-64-v3 processor (about 2013 and later)\n",
            missing);
    return false;
}

/* Large freed blocks go back to the system. By itself glibc would raise the limit with the first large block
 * that is freed, and serve all but larger ones from its heap, where live blocks keep freed ones from being
 * returned: a third of a run's memory. */
static void give_back_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 256 << 10);
}

int main(int argc, char **argv)
{
    if (!can_run_here()) return 1;
    give_back_memory();
    if (argc < 2) {
        usage(stderr);
        return RILL_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) argv[1] += 2;

    const command *found = NULL;
    for (const command *const *c = rill_commands; *c; c++)
        if (strcmp((*c)->name, argv[1]) == 0) found = *c;
    if (!found) return unknown_command(argv[1]);
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            options_help(found);
            return 0;
        }

    rill_ctx_def def = rill_ctx_def_default();
    def.log = say;
    rill_ctx *ctx = NULL;
    if (rill_ctx_create(&def, &ctx) != RILL_OK) {
        fprintf(stderr, "rill: out of memory\n");
        return RILL_NO_MEMORY;
    }
    interrupt_install(ctx);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is reported as a failed write */
    signal(SIGXFSZ, SIG_IGN); /* likewise a file that may not grow */

    const int code = found->main(ctx, found, argc - 1, argv + 1);
    interrupt_install(NULL);
    rill_ctx_destroy(ctx);
    return code;
}
