/* A disk that fails on request: a library to preload (LD_PRELOAD) into the program.
 *
 * Every call that opens, reads, writes, syncs, cuts, names, removes or closes a file below
 * the folder RILL_FAULT_UNDER is counted, and the RILL_FAULT_AT-th goes wrong in the way
 * RILL_FAULT_KIND says:
 *     enospc   no space left: that call, and every later one that needs space
 *     eio      an input/output error, once
 *     dead     an input/output error, and nothing works from then on
 *     short    half of a write or read is done, which is no error
 *     cut      half of a write is done, then there is no space left
 *     int      SIGINT, as Ctrl-C sends it; the call itself goes well
 *     kill     SIGKILL: in the middle of a write, before any other call
 * RILL_FAULT_REPORT names a file that gets "CALLS HIT", where HIT is the name of the call
 * that went wrong ("-": none). RILL_FAULT_ONLY=writes counts nothing but writes. Without
 * RILL_FAULT_AT calls are only counted. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST = 4096 };
static _Atomic bool watched[MOST]; /* descriptors of files below the folder */
static atomic_long calls;
static long at;
static bool only_writes;
static char kind[16], under[1024], report[1024];
static const char *_Atomic hit = "-";

/* Whether a call needs space on the disk. */
typedef enum need { NEEDS_NOTHING, NEEDS_SPACE } need;

__attribute__((constructor)) static void begin(void)
{
    const char *s = getenv("RILL_FAULT_AT");
    at = s ? strtol(s, NULL, 10) : 0;
    only_writes = (s = getenv("RILL_FAULT_ONLY")) && strcmp(s, "writes") == 0;
    if ((s = getenv("RILL_FAULT_KIND"))) snprintf(kind, sizeof kind, "%s", s);
    if ((s = getenv("RILL_FAULT_UNDER"))) snprintf(under, sizeof under, "%s", s);
    if ((s = getenv("RILL_FAULT_REPORT"))) snprintf(report, sizeof report, "%s", s);
}

/* Written at once when something goes wrong: the process may not live to its end. */
static void write_report(void)
{
    if (!report[0]) return;
    char line[128];
    const int n = snprintf(line, sizeof line, "%ld %s\n", (long)calls, hit);
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0) return;
    syscall(SYS_write, fd, line, (size_t)n);
    syscall(SYS_close, fd);
}

__attribute__((destructor)) static void end(void)
{
    write_report();
}

static bool is_kind(const char *word)
{
    return strcmp(kind, word) == 0;
}

static bool inside(const char *path)
{
    return under[0] && path && strstr(path, under);
}

static bool inside_fd(int fd)
{
    return fd >= 0 && fd < MOST && watched[fd];
}

typedef enum answer { GO_ON, FAIL, HALF } answer;

/* Counts a call and decides about it; errno is set for FAIL. */
static answer decide(const char *name, need needs, bool can_be_half)
{
    if (only_writes && !strstr(name, "write")) return GO_ON;
    const long n = atomic_fetch_add(&calls, 1) + 1;
    if (at <= 0 || n < at) return GO_ON;
    if (n > at) {
        const bool full = (is_kind("enospc") || is_kind("cut")) && needs == NEEDS_SPACE;
        if (!full && !is_kind("dead")) return GO_ON;
        errno = full ? ENOSPC : EIO;
        return FAIL;
    }
    if (is_kind("short") || is_kind("cut")) {
        if (!can_be_half) return GO_ON;
        hit = name;
        write_report();
        return HALF;
    }
    if (is_kind("enospc") && needs != NEEDS_SPACE) return GO_ON;
    hit = name;
    write_report();
    if (is_kind("int")) {
        raise(SIGINT);
        return GO_ON;
    }
    if (is_kind("kill")) {
        if (can_be_half && needs == NEEDS_SPACE) return HALF; /* and the kill after it */
        raise(SIGKILL);
    }
    errno = is_kind("enospc") ? ENOSPC : EIO;
    return FAIL;
}

static void kill_after_half(answer a)
{
    if (a == HALF && is_kind("kill")) raise(SIGKILL);
}

#define REAL(type, name, ...)         \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int opened(int fd)
{
    if (fd >= 0 && fd < MOST) watched[fd] = true;
    return fd;
}

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
    if (!inside(path)) {
        const int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
        if (fd >= 0 && fd < MOST) watched[fd] = false;
        return fd;
    }
    if (decide("open", flags & O_CREAT ? NEEDS_SPACE : NEEDS_NOTHING, false) == FAIL) return -1;
    return opened((int)syscall(SYS_openat, folder, path, flags, mode));
}

#define MODE_OF(flags)                         \
    mode_t mode = 0;                           \
    if ((flags) & (O_CREAT | O_TMPFILE)) {     \
        va_list list;                          \
        va_start(list, flags);                 \
        mode = (mode_t)va_arg(list, unsigned); \
        va_end(list);                          \
    }

int open(const char *path, int flags, ...)
{
    MODE_OF(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE_OF(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags)
    return open_at(folder, path, flags, mode);
}

int close(int fd)
{
    REAL(int, "close", int);
    if (!inside_fd(fd)) return real(fd);
    watched[fd] = false;
    const answer a = decide("close", NEEDS_NOTHING, false);
    const int error = errno;
    const int result = real(fd); /* a close that fails closes nevertheless */
    if (a != FAIL) return result;
    errno = error;
    return -1;
}

ssize_t read(int fd, void *data, size_t bytes)
{
    REAL(ssize_t, "read", int, void *, size_t);
    if (!inside_fd(fd)) return real(fd, data, bytes);
    const answer a = decide("read", NEEDS_NOTHING, bytes > 1 && !is_kind("cut"));
    if (a == FAIL) return -1;
    return real(fd, data, a == HALF ? bytes / 2 : bytes);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    REAL(ssize_t, "write", int, const void *, size_t);
    if (!inside_fd(fd)) return real(fd, data, bytes);
    const answer a = decide("write", NEEDS_SPACE, bytes > 1);
    if (a == FAIL) return -1;
    const ssize_t n = real(fd, data, a == HALF ? bytes / 2 : bytes);
    kill_after_half(a);
    return n;
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    if (!inside_fd(fd)) return real(fd, data, bytes, offset);
    const answer a = decide("pwrite", NEEDS_SPACE, bytes > 1);
    if (a == FAIL) return -1;
    const ssize_t n = real(fd, data, a == HALF ? bytes / 2 : bytes, offset);
    kill_after_half(a);
    return n;
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t offset)
{
    return pwrite(fd, data, bytes, offset);
}

ssize_t writev(int fd, const struct iovec *part, int count)
{
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    if (!inside_fd(fd)) return real(fd, part, count);
    const answer a = decide("writev", NEEDS_SPACE, count > 1);
    if (a == FAIL) return -1;
    const ssize_t n = real(fd, part, a == HALF ? count / 2 : count);
    kill_after_half(a);
    return n;
}

int fsync(int fd)
{
    REAL(int, "fsync", int);
    if (inside_fd(fd) && decide("fsync", NEEDS_SPACE, false) == FAIL) return -1;
    return real(fd);
}

int fdatasync(int fd)
{
    REAL(int, "fdatasync", int);
    if (inside_fd(fd) && decide("fdatasync", NEEDS_SPACE, false) == FAIL) return -1;
    return real(fd);
}

int ftruncate(int fd, off_t length)
{
    REAL(int, "ftruncate", int, off_t);
    if (inside_fd(fd) && decide("ftruncate", NEEDS_NOTHING, false) == FAIL) return -1;
    return real(fd, length);
}

int ftruncate64(int fd, off64_t length)
{
    return ftruncate(fd, length);
}

int rename(const char *from, const char *to)
{
    REAL(int, "rename", const char *, const char *);
    if (inside(to) && decide("rename", NEEDS_NOTHING, false) == FAIL) return -1;
    return real(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(int, "mkdir", const char *, mode_t);
    struct stat s;
    /* One that is there already needs no space; the real call says so. */
    if (inside(path) && stat(path, &s) != 0 && decide("mkdir", NEEDS_SPACE, false) == FAIL) return -1;
    return real(path, mode);
}

int unlink(const char *path)
{
    REAL(int, "unlink", const char *);
    if (inside(path) && decide("unlink", NEEDS_NOTHING, false) == FAIL) return -1;
    return real(path);
}
