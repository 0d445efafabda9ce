/* Ctrl-C and SIGTERM.
 *
 * The first asks the command to stop by itself (rill_ctx_cancel); if it has not ended soon, the program
 * does, all within a second. A command that has something to save says so with interrupt_waits: it is given
 * the time to save; a run in a long step saves the start of its frame without waiting for the step
 * (run/saver.h). The second signal always ends the program at once. Files are written
 * under other names and renamed, so that none is ever half there. */
#pragma once

#include "base/context.h"

void interrupt_install(rill_ctx *ctx); /* NULL: before it is destroyed */
void interrupt_waits(void);
/* Prints the message and ends the program: the run has been saved while a step goes on. */
void interrupt_stop(rill_status st, const char *message);
/* The folder of the run that can be resumed when the program is ended; the text stays the caller's. */
void interrupt_of_run(const char *folder);
