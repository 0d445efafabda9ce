#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static rill_ctx *the_ctx; /* for the signal handlers alone */
static const char *volatile the_folder;
static volatile sig_atomic_t asked, waits;

static void say(const char *words)
{
    const ssize_t written = write(STDERR_FILENO, words, strlen(words));
    (void)written; /* the process ends: an error could not be reported */
}

static void on_deadline(int signal_number)
{
    (void)signal_number;
    if (waits) return;
    say("rill: stopped on request");
    if (the_folder) {
        say("; rill resume ");
        say(the_folder);
        say(" continues");
    }
    say("\n");
    _exit(RILL_CANCELLED);
}

void interrupt_stop(rill_status st, const char *message)
{
    say(isatty(STDERR_FILENO) ? "\nrill: " : "rill: "); /* a progress bar may stand on the line */
    say(message);
    say("\n");
    _exit((int)st);
}

static void on_interrupt(int signal_number)
{
    if (asked) _exit(128 + signal_number);
    asked = 1;
    if (the_ctx) rill_ctx_cancel(the_ctx);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 800000}}, NULL);
}

void interrupt_install(rill_ctx *ctx)
{
    the_ctx = ctx;
    struct sigaction stop = {.sa_handler = on_interrupt}, deadline = {.sa_handler = on_deadline};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGALRM, &deadline, NULL);
}

void interrupt_of_run(const char *folder)
{
    the_folder = folder;
}

void interrupt_waits(void)
{
    waits = 1;
}
