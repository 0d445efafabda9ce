/* The server's sockets, through libmicrohttpd. */
#include "serve/serve.h"

#include <errno.h>
#include <string.h>

#ifdef RILL_MICROHTTPD

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { THREADS = 4, CONNECTIONS = 256, TIMEOUT = 60, REQUEST_MEMORY = 16 << 10 };

bool serve_available(void)
{
    return true;
}

const char *serve_library(void)
{
    return MHD_get_version();
}

/* ---- replies ---- */

static void add_headers(struct MHD_Response *r, const char *type)
{
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
         "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
         "'none'"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
    };
    MHD_add_response_header(r, "Content-Type", type);
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        MHD_add_response_header(r, headers[k][0], headers[k][1]);
}

static void release_blob(void *b)
{
    blob_release(b);
}

/* The reply's blob goes over to the response. */
static struct MHD_Response *response_of(reply *r)
{
    struct MHD_Response *made;
    if (r->blob) {
        made = MHD_create_response_from_buffer_with_free_callback_cls(r->blob->length, r->blob->data,
                                                                      release_blob, r->blob);
        if (made) r->blob = NULL;
    } else if (r->file.data) {
        /* MHD takes a pointer to void and, told that the memory stays, only reads. */
        made = MHD_create_response_from_buffer(r->file.length, (void *)(uintptr_t)r->file.data,
                                               MHD_RESPMEM_PERSISTENT);
    } else {
        static char nothing[] = "{}";
        const bool body = r->body.data && !r->body.failed;
        made = MHD_create_response_from_buffer(body ? r->body.length : 2, body ? r->body.data : nothing,
                                               MHD_RESPMEM_MUST_COPY);
    }
    if (made) add_headers(made, r->type);
    return made;
}

static enum MHD_Result handle(void *arg, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_bytes, void **state)
{
    (void)version, (void)upload;
    static int seen;
    /* First the headers come, then the body, which nothing here has a use for, then the end. */
    if (!*state) {
        *state = &seen;
        return MHD_YES;
    }
    if (*upload_bytes) {
        *upload_bytes = 0;
        return MHD_YES;
    }
    server *s = arg;
    const request r = {.method = method,
                       .path = url,
                       .host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
                       .origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin")};
    rill_ctx *ctx = NULL;
    rill_ctx_def def = rill_ctx_def_default();
    def.allocator = s->ctx->def.allocator;
    def.threads = 1;
    if (rill_ctx_create(&def, &ctx)) return MHD_NO;
    reply made;
    answer(ctx, s, &r, &made);
    struct MHD_Response *response = response_of(&made);
    const enum MHD_Result result =
        response ? MHD_queue_response(connection, (unsigned)made.code, response) : MHD_NO;
    if (response) MHD_destroy_response(response);
    reply_clear(&made);
    rill_ctx_destroy(ctx);
    return result;
}

/* Addresses stay as they came: no %2e becomes a dot, no %00 an end. */
static size_t decode_nothing(void *arg, struct MHD_Connection *connection, char *at)
{
    (void)arg, (void)connection;
    return strlen(at);
}

static void log_nothing(void *arg, const char *format, va_list list)
{
    (void)arg, (void)format, (void)list;
}

/* ---- listening ---- */

static int loopback_socket(uint16_t port, uint16_t *got)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    const int yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof a;
    if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 128) != 0 ||
        getsockname(fd, (struct sockaddr *)&a, &length) != 0) {
        const int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    *got = ntohs(a.sin_port);
    return fd;
}

static struct MHD_Daemon *start(server *s, unsigned flags, int fd, unsigned threads)
{
    const struct MHD_OptionItem options[] = {
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)log_nothing, NULL},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)decode_nothing, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, REQUEST_MEMORY, NULL},
        {MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL},
        {fd >= 0 ? MHD_OPTION_LISTEN_SOCKET : MHD_OPTION_END, fd, NULL},
        {threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(flags, 0, NULL, NULL, handle, s, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

rill_status serve_listen(server *s, uint16_t port)
{
    const int fd = loopback_socket(port, &s->port);
    if (fd < 0)
        return rill_fail(s->ctx, RILL_USAGE, "cannot listen at 127.0.0.1:%u: %s; choose another with --port",
                         port, strerror(errno));
    s->daemon = start(s, MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG, fd, THREADS);
    if (s->daemon) return RILL_OK;
    close(fd);
    return rill_fail(s->ctx, RILL_DISK, "the server does not start");
}

void serve_clear(server *s)
{
    if (s->daemon) MHD_stop_daemon(s->daemon);
    for (int k = 0; k < s->runs; k++) shown_clear(&s->run[k]);
    blobs_clear(&s->blobs);
    memset(s, 0, sizeof *s);
}

/* ---- without the network ---- */

rill_status serve_open_quiet(server *s)
{
    s->daemon = start(s, MHD_USE_NO_LISTEN_SOCKET, -1, 0);
    return s->daemon ? RILL_OK : rill_fail(s->ctx, RILL_DISK, "the server does not start");
}

rill_status serve_connect(server *s, int socket)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    if (MHD_add_connection(s->daemon, socket, (struct sockaddr *)&a, sizeof a) == MHD_YES) return RILL_OK;
    return rill_fail(s->ctx, RILL_DISK, "the connection is refused");
}

void serve_turn(server *s)
{
    MHD_run(s->daemon);
}

#else /* a build without libmicrohttpd */

static rill_status no_server(server *s)
{
    return rill_fail(s->ctx, RILL_USAGE,
                     "this build has no viewer: install the package libmicrohttpd-dev and build again");
}

bool serve_available(void)
{
    return false;
}

const char *serve_library(void)
{
    return "";
}

rill_status serve_listen(server *s, uint16_t port)
{
    (void)port;
    return no_server(s);
}

void serve_clear(server *s)
{
    for (int k = 0; k < s->runs; k++) shown_clear(&s->run[k]);
    blobs_clear(&s->blobs);
    memset(s, 0, sizeof *s);
}

rill_status serve_open_quiet(server *s)
{
    return no_server(s);
}

rill_status serve_connect(server *s, int socket)
{
    (void)socket;
    return no_server(s);
}

void serve_turn(server *s)
{
    (void)s;
}

#endif
