/* Requests and replies of the viewer's server, without the sockets.
 *
 * What is allowed: the addresses of one table, beginning with the token; a Host that is this
 * machine's own name (so that a name that someone else points at 127.0.0.1 does not count);
 * an Origin, where there is one, that is the page itself; POST for stop and resume alone. No
 * part of an address becomes part of a path: numbers are read as numbers, words are looked
 * up. */
#pragma once

#include "serve/page.h"
#include "serve/shown.h"

enum { SERVE_RUNS = 2, SERVE_TOKEN = 32 }; /* characters of the token */

typedef struct server {
    rill_ctx *ctx; /* for memory alone once it serves */
    char token[SERVE_TOKEN + 1];
    uint16_t port;
    blobs blobs;
    shown run[SERVE_RUNS];
    int runs;
    struct MHD_Daemon *daemon; /* NULL: not listening */
} server;

typedef struct request {
    const char *method, *path; /* the path as it came, nothing decoded */
    const char *host, *origin; /* NULL: not there */
} request;

/* A reply has a body of its own, a blob, or a file of the page. */
typedef struct reply {
    int code; /* 200, ... */
    const char *type;
    text body;
    blob *blob;     /* owned; NULL: none */
    page_file file; /* data NULL: none */
} reply;

/* Always gives a reply, to be cleared; failures are replies with a code and a message as JSON. */
void answer(rill_ctx *ctx, server *s, const request *r, reply *out);
void reply_clear(reply *r);
