#include "base/context.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/plain.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

rill_ctx_def rill_ctx_def_default(void)
{
    return (rill_ctx_def){.allocator = mem_default_allocator()};
}

rill_status rill_ctx_create(const rill_ctx_def *def, rill_ctx **out)
{
    if (!def || !out || !def->allocator.allocate || !def->allocator.release) return RILL_USAGE;
    if (def->threads < 0 || def->threads > PARALLEL_MAX_THREADS) return RILL_USAGE;
    cpu_feature list[CPU_FEATURES];
    cpu_features(list);
    if (!cpu_suffices(list)) return RILL_USAGE;
    rill_ctx *ctx = def->allocator.allocate(def->allocator.user, sizeof *ctx, MEM_ALIGNMENT);
    if (!ctx) return RILL_NO_MEMORY;
    memset(ctx, 0, sizeof *ctx);
    ctx->def = *def;
    if (ctx->def.threads == 0) ctx->def.threads = parallel_machine_threads();
    ctx->process = (long)getpid();
    atomic_init(&ctx->cancelled, 0);
    pool_init(&ctx->pool);
    *out = ctx;
    return RILL_OK;
}

void rill_ctx_destroy(rill_ctx *ctx)
{
    if (!ctx || ctx->calls > 0) return;                         /* from a callback: not now */
    if (ctx->process == (long)getpid()) pool_clear(&ctx->pool); /* a fork has no threads to end */
    ctx->def.allocator.release(ctx->def.allocator.user, ctx);
}

const char *rill_ctx_message(const rill_ctx *ctx)
{
    return ctx ? ctx->message : "";
}

/* Set by the build system. */
#ifndef RILL_BUILD
#define RILL_BUILD "built by hand"
#endif

const char *rill_build(void)
{
    return "rill " RILL_VERSION ", " RILL_BUILD;
}

const char *rill_version(void)
{
    return RILL_VERSION;
}

const char *rill_status_text(rill_status status)
{
    switch (status) {
    case RILL_OK: return "no error";
    case RILL_USAGE: return "a call that makes no sense";
    case RILL_BAD_SCENE: return "the scene description";
    case RILL_BAD_FILE: return "an input file";
    case RILL_DISK: return "writing failed";
    case RILL_NO_MEMORY: return "out of memory";
    case RILL_BLEW_UP: return "the simulation blew up";
    case RILL_CANCELLED: return "stopped on request";
    }
    return "an unknown status";
}

void rill_ctx_cancel(rill_ctx *ctx)
{
    if (ctx) atomic_store_explicit(&ctx->cancelled, 1, memory_order_relaxed);
}

bool rill_cancelled(const rill_ctx *ctx)
{
    return atomic_load_explicit(&((rill_ctx *)ctx)->cancelled, memory_order_relaxed) != 0;
}

/* vsnprintf in the C locale: messages are the same for every host. */
static int print_plain(char *out, size_t capacity, const char *format, va_list args)
{
    const locale_t host = plain_begin();
    const int n = vsnprintf(out, capacity, format, args);
    plain_end(host);
    return n;
}

rill_status rill_fail(rill_ctx *ctx, rill_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_plain(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    return status;
}

rill_status rill_fail_prefix(rill_ctx *ctx, rill_status status, const char *format, ...)
{
    char tail[sizeof ctx->message];
    memcpy(tail, ctx->message, sizeof tail);
    va_list args;
    va_start(args, format);
    const int n = print_plain(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof ctx->message)
        snprintf(ctx->message + n, sizeof ctx->message - (size_t)n, "%s", tail);
    return status;
}

void rill_log(rill_ctx *ctx, rill_log_level level, const char *format, ...)
{
    if (!ctx->def.log) return;
    char line[1024];
    va_list args;
    va_start(args, format);
    print_plain(line, sizeof line, format, args);
    va_end(args);
    ctx->def.log(ctx->def.user, level, line);
}
