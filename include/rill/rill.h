/* Rill, a fluid animation system: the public interface.
 *
 * A context carries the allocator, the log and progress callbacks, the number of
 * threads and the last message. There is no global state: contexts are independent,
 * and one context is used by one thread at a time (rill_ctx_cancel may be called from
 * any thread or from a signal handler).
 *
 * Every call that can fail returns a rill_status; on failure its outputs are untouched
 * and rill_ctx_message tells what happened, where and what helps.
 */
#ifndef RILL_RILL_H
#define RILL_RILL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RILL_VERSION "0.1.0"

#if defined(__GNUC__)
#define RILL_CHECKED      __attribute__((warn_unused_result))
#define RILL_FORMAT(a, b) __attribute__((format(printf, a, b)))
#define RILL_API          __attribute__((visibility("default")))
#else
#define RILL_CHECKED
#define RILL_FORMAT(a, b)
#define RILL_API
#endif

/* The values are the exit codes of the rill program. */
typedef enum rill_status {
    RILL_OK = 0,
    RILL_USAGE = 2,      /* a call or a command line that makes no sense */
    RILL_BAD_SCENE = 3,  /* the scene description */
    RILL_BAD_FILE = 4,   /* an input file: missing, damaged, of another kind */
    RILL_DISK = 5,       /* writing failed */
    RILL_NO_MEMORY = 6,  /* an allocation failed, or a run would not fit */
    RILL_BLEW_UP = 7,    /* the simulation left the range of sense */
    RILL_CANCELLED = 130 /* stopped on request; resumable */
} rill_status;

typedef struct rill_ctx rill_ctx;

typedef struct rill_vec3 {
    double x, y, z;
} rill_vec3;

typedef struct rill_box {
    rill_vec3 min, max;
} rill_box;

/* Both functions may be called from several threads at once. */
typedef struct rill_allocator {
    void *(*allocate)(void *user, size_t bytes, size_t alignment); /* NULL when there is none */
    void (*release)(void *user, void *memory);                     /* NULL is allowed */
    void *user;
} rill_allocator;

typedef enum rill_log_level {
    RILL_LOG_DEBUG,
    RILL_LOG_INFO,
    RILL_LOG_WARNING,
    RILL_LOG_ERROR
} rill_log_level;

typedef struct rill_progress {
    uint32_t frame, frames; /* the frame being worked on, and how many there will be */
    uint64_t step;          /* since the start of the run */
    uint64_t elements;      /* particles or cells */
    double time;            /* simulated seconds */
    double dt;              /* of the last step */
    double seconds_left;    /* wall clock; negative while unknown */
} rill_progress;

typedef void rill_log_fn(void *user, rill_log_level level, const char *message);
typedef void rill_progress_fn(void *user, const rill_progress *progress);

typedef struct rill_ctx_def {
    rill_allocator allocator;   /* default: the C library's */
    rill_log_fn *log;           /* NULL: silent */
    rill_progress_fn *progress; /* NULL: silent */
    void *user;                 /* handed to log and progress */
    int threads;                /* 0: as many as the machine has */
} rill_ctx_def;

RILL_API rill_ctx_def rill_ctx_def_default(void);
RILL_API RILL_CHECKED rill_status rill_ctx_create(const rill_ctx_def *def, rill_ctx **out);
RILL_API void rill_ctx_destroy(rill_ctx *ctx);

/* The message of the last failure; never NULL, empty when there was none. */
RILL_API const char *rill_ctx_message(const rill_ctx *ctx);

/* Asks whatever runs in this context to stop at the next safe point. */
RILL_API void rill_ctx_cancel(rill_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
