#include "serve/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int beneath_open(const char *folder, const char *place, const char *name, struct stat *state)
{
    /* The folder itself is the user's choice, and may be a link. */
    int at = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (at >= 0 && place) {
        const int next = openat(at, place, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(at);
        at = next;
    }
    if (at < 0) return -1;
    const int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(at);
    if (fd < 0) return -1;
    if (fstat(fd, state) != 0 || !S_ISREG(state->st_mode)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* As much as there is, up to `size` bytes. */
static rill_status read_bytes(rill_ctx *ctx, int fd, const char *name, size_t size, char *bytes,
                              size_t *length)
{
    size_t got = 0;
    while (got < size) {
        const ssize_t n = read(fd, bytes + got, size - got);
        if (n > 0)
            got += (size_t)n;
        else if (n == 0)
            break; /* shorter than it was a moment ago */
        else if (errno != EINTR)
            return rill_fail(ctx, RILL_BAD_FILE, "%s: cannot be read", name);
    }
    bytes[got] = 0;
    *length = got;
    return RILL_OK;
}

rill_status beneath_read_into(rill_ctx *ctx, const char *folder, const char *place, const char *name,
                              size_t most, char **data, size_t *capacity, size_t *length)
{
    struct stat state;
    const int fd = beneath_open(folder, place, name, &state);
    if (fd < 0) return rill_fail(ctx, RILL_BAD_FILE, "%s: there is no such file", name);
    const size_t size = (size_t)state.st_size;
    rill_status st = size > most ? rill_fail(ctx, RILL_BAD_FILE, "%s: the file is too long", name) : RILL_OK;
    if (!st && *capacity < size + 1) { /* what is in it need not be kept */
        mem_free(ctx, *data);
        *data = NULL;
        *capacity = 0;
        st = MEM_NEW(ctx, *data, size + 1);
        if (!st) *capacity = size + 1;
    }
    if (!st) st = read_bytes(ctx, fd, name, size, *data, length);
    close(fd);
    return st;
}

rill_status beneath_read(rill_ctx *ctx, const char *folder, const char *place, const char *name, size_t most,
                         bool part, char **data, size_t *length)
{
    struct stat state;
    const int fd = beneath_open(folder, place, name, &state);
    if (fd < 0) return rill_fail(ctx, RILL_BAD_FILE, "%s: there is no such file", name);
    size_t size = (size_t)state.st_size;
    if (part && size > most) size = most;
    char *bytes = NULL;
    rill_status st = size > most ? rill_fail(ctx, RILL_BAD_FILE, "%s: the file is too long", name)
                                 : MEM_NEW(ctx, bytes, size + 1);
    if (!st) st = read_bytes(ctx, fd, name, size, bytes, length);
    close(fd);
    if (st)
        mem_free(ctx, bytes);
    else
        *data = bytes;
    return st;
}
