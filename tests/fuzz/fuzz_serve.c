/* A stream of requests from bytes, through the HTTP library and the server as it is, on a small run. Whatever
 * comes: the server gives an end to it, holds no more memory than before but for its cache, and writes
 * nothing. */
#include "fuzz.h"

#include "serve/serve.h"
#include "serve_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LONGEST = 32 << 10, TURNS = 400 };
#define MOST ((size_t)64 << 20) /* bytes held */

static server the_server;
static measured_allocator memory;

static void forget_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", the_server.run[0].folder);
    if (system(command) != 0) fprintf(stderr, "%s is left\n", the_server.run[0].folder);
}

/* Once for all inputs: a server whose token the corpus knows. */
static bool get_ready(void)
{
    if (the_server.daemon) return true;
    if (!serve_available()) return false;
    static char folder[] = "/tmp/rill_fuzz_serve_XXXXXX";
    shown *one;
    rill_ctx *ctx = fuzz_ctx(&memory);
    fuzz_require(mkdtemp(folder) != NULL);
    fuzz_require(serve_run_make(ctx, folder));
    fuzz_require(serve_init(&the_server, ctx) == RILL_OK);
    memset(the_server.token, 'a', SERVE_TOKEN);
    the_server.port = 8080;
    fuzz_require(serve_add(&the_server, folder, false, &one) == RILL_OK);
    fuzz_require(serve_open_quiet(&the_server) == RILL_OK);
    atexit(forget_folder);
    return true;
}

/* Takes what has come; false at the end of the connection. */
static bool drain(int fd)
{
    char bytes[1 << 16];
    for (;;) {
        const ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n == 0) return false;
        if (n < 0) return true;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    if (!get_ready()) return 0;
    if (size > LONGEST) size = LONGEST;
    fuzz_require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    const int room = 1 << 20;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    size_t sent = 0;
    while (sent < size) {
        const ssize_t n = send(ends[0], data + sent, size - sent, MSG_NOSIGNAL);
        if (n <= 0) break;
        sent += (size_t)n;
    }
    shutdown(ends[0], SHUT_WR);
    fuzz_require(serve_connect(&the_server, ends[1]) == RILL_OK); /* the socket is the library's now */
    for (int k = 0; k < TURNS && drain(ends[0]); k++) serve_turn(&the_server);
    close(ends[0]);
    serve_turn(&the_server);
    fuzz_require(memory.held < MOST);
    fuzz_require(child_look(&the_server.run[0].process, NULL, NULL) == CHILD_NONE);
    return 0;
}
