#include "serve/serve.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static rill_status make_token(rill_ctx *ctx, char out[SERVE_TOKEN + 1])
{
    uint8_t random[SERVE_TOKEN / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return rill_fail(ctx, RILL_DISK, "the system has no random numbers for the address");
    for (size_t k = 0; k < sizeof random; k++) snprintf(out + 2 * k, 3, "%02x", random[k]);
    return RILL_OK;
}

rill_status serve_init(server *s, rill_ctx *ctx)
{
    memset(s, 0, sizeof *s);
    s->ctx = ctx;
    blobs_init(&s->blobs, ctx);
    return make_token(ctx, s->token);
}

rill_status serve_add(server *s, const char *folder, bool echo, shown **out)
{
    if (s->runs == SERVE_RUNS)
        return rill_fail(s->ctx, RILL_USAGE, "at most %d runs can be shown beside each other", SERVE_RUNS);
    TRY(shown_init(&s->run[s->runs], s->ctx, &s->blobs, s->runs, folder, echo));
    *out = &s->run[s->runs++];
    return RILL_OK;
}

void serve_address(const server *s, char out[128])
{
    snprintf(out, 128, "http://127.0.0.1:%u/%s/", s->port, s->token);
}
