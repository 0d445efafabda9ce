/* What rill view and rill run --view share: starting a run beside the server, opening the
 * page, serving until Ctrl-C. */
#pragma once

#include "cli/options.h"
#include "serve/serve.h"

enum { VIEWING_WORDS = 256 };

/* A command line of rill run, without --view. */
typedef struct viewing_run {
    const char *word[VIEWING_WORDS + 1]; /* borrowed, ends with NULL */
    int count;
} viewing_run;

/* From main's arguments, before options_parse moves them about. */
void viewing_words(viewing_run *run, int argc, char **argv);

typedef struct viewing_def {
    uint16_t port;
    bool no_open;    /* do not start a browser */
    bool stop_first; /* Ctrl-C asks the runs started here to stop, and waits for their checkpoint */
} viewing_def;

/* Listens, says where, opens a browser, and serves until Ctrl-C. */
RILL_CHECKED rill_status viewing_serve(rill_ctx *ctx, server *s, const viewing_def *def);

/* rill run --view: the run as given, in that folder, and a page that shows it. Returns the exit code: the
 * run's, which has said itself what was wrong, or that of a failure reported here. */
int viewing_start(rill_ctx *ctx, const viewing_run *run, const char *folder, bool force);
