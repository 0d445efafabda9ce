/* The viewer's server: a page on 127.0.0.1 that shows one or two run folders, and what goes on
 * in them. It reads; the only things it can do to a run are those the user could do at a
 * terminal: start it, ask it to stop with a checkpoint, resume it. A run never waits for the
 * server, and goes on when that ends in whatever way. docs/viewer.md. */
#pragma once

#include "serve/answer.h"

bool serve_available(void);      /* whether this build has the HTTP library */
const char *serve_library(void); /* its version; "" when there is none */

/* A server of no runs with a token of its own. s must stay where it is. */
RILL_CHECKED rill_status serve_init(server *s, rill_ctx *ctx);
/* Ends listening and waits for the requests in progress. Runs go on. */
void serve_clear(server *s);

/* One more run; `echo`: what a run started here says on stderr is passed on. */
RILL_CHECKED rill_status serve_add(server *s, const char *folder, bool echo, shown **out);

/* Listens at 127.0.0.1; port 0: any. RILL_USAGE when the port is taken, or the build has no server. */
RILL_CHECKED rill_status serve_listen(server *s, uint16_t port);
/* "http://127.0.0.1:PORT/TOKEN/" */
void serve_address(const server *s, char out[128]);

/* For tests and fuzzing: one connection in place of the network, driven by serve_turn. */
RILL_CHECKED rill_status serve_open_quiet(server *s);
RILL_CHECKED rill_status serve_connect(server *s, int socket);
void serve_turn(server *s);
