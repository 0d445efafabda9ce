#include "cli/viewing.h"

#include "cli/interrupt.h"
#include "run/folder.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int patience = 200; /* ms between looks at the runs */

void viewing_words(viewing_run *run, int argc, char **argv)
{
    *run = (viewing_run){0};
    run->word[run->count++] = "rill";
    bool options = true;
    for (int k = 0; k < argc && run->count < VIEWING_WORDS; k++) {
        if (options && strcmp(argv[k], "--view") == 0) continue;
        if (strcmp(argv[k], "--") == 0) options = false;
        run->word[run->count++] = argv[k];
    }
}

/* The desktop's own program knows the user's browser. */
static bool open_browser(const char *address)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return false;
    const pid_t pid = fork();
    if (pid == 0) {
        setsid();
        const int nothing = open("/dev/null", O_RDWR);
        if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0) _exit(127);
        close_range(3, ~0u, 0);
        execlp("xdg-open", "xdg-open", address, (char *)NULL);
        _exit(127);
    }
    return pid > 0;
}

/* Says once when a run that was started here has ended. */
static void report_ends(server *s, bool *reported)
{
    for (int k = 0; k < s->runs; k++) {
        int code;
        const bool ended = child_look(&s->run[k].process, &code, NULL) == CHILD_ENDED;
        if (ended && !reported[k]) {
            fprintf(stderr, "rill: %s: %s; the page stays until Ctrl-C\n", s->run[k].folder,
                    code == 0                ? "the run is finished"
                    : code == RILL_CANCELLED ? "the run was stopped and can be resumed"
                                             : "the run failed");
        }
        reported[k] = ended;
    }
}

static void stop_runs(server *s)
{
    bool going = true;
    for (int k = 0; k < s->runs; k++) child_stop(&s->run[k].process);
    while (going) {
        going = false;
        for (int k = 0; k < s->runs; k++)
            going |= child_look(&s->run[k].process, NULL, NULL) == CHILD_RUNNING;
        if (going) poll(NULL, 0, patience / 4);
    }
}

static void say_what_goes_on(server *s)
{
    for (int k = 0; k < s->runs; k++) {
        const pid_t pid = child_pid(&s->run[k].process);
        if (pid)
            fprintf(
                stderr,
                "rill: the run in %s goes on (process %d); look at it again with rill view %s, stop it with "
                "kill -INT %d\n",
                s->run[k].folder, (int)pid, s->run[k].folder, (int)pid);
    }
}

rill_status viewing_serve(rill_ctx *ctx, server *s, const viewing_def *def)
{
    TRY(serve_listen(s, def->port));
    char address[128];
    bool reported[SERVE_RUNS] = {false};
    serve_address(s, address);
    printf("%s\n", address);
    fflush(stdout);
    const bool opened = !def->no_open && open_browser(address);
    fprintf(stderr, opened ? "rill: the page opens in your browser; Ctrl-C ends it here\n"
                           : "rill: open this address in a browser; Ctrl-C ends it here\n");
    interrupt_waits(); /* the runs that the server has started are stopped first */
    while (!rill_cancelled(ctx)) {
        report_ends(s, reported);
        poll(NULL, 0, patience);
    }
    if (def->stop_first)
        stop_runs(s);
    else
        say_what_goes_on(s);
    return RILL_OK;
}

static rill_status start_and_serve(rill_ctx *ctx, server *s, const viewing_run *run, const char *folder,
                                   int *code)
{
    shown *one;
    const viewing_def def = {.stop_first = true};
    TRY(serve_add(s, folder, true, &one));
    if (!serve_available()) TRY(serve_listen(s, 0)); /* which says what is missing */
    TRY(child_start(ctx, &one->process, run->word));
    TRY(viewing_serve(ctx, s, &def));
    (void)child_look(&one->process, code, NULL);
    return RILL_OK;
}

int viewing_start(rill_ctx *ctx, const viewing_run *run, const char *folder, bool force)
{
    server *s = NULL;
    int code = 0;
    rill_status st = run->count < VIEWING_WORDS ? RILL_OK : rill_fail(ctx, RILL_USAGE, "run: too many words");
    if (!st && !force) st = run_folder_check_free(ctx, folder);
    if (!st) st = MEM_NEW_ZERO(ctx, s, 1);
    if (!st) {
        st = serve_init(s, ctx);
        if (!st) st = start_and_serve(ctx, s, run, folder, &code);
        serve_clear(s);
    }
    mem_free(ctx, s);
    return st ? cli_report(ctx, st) : code;
}
