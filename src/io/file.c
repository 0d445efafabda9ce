/* Writing files so that they are complete or absent; see file.h. Paths are as the system
 * takes them; sizes are bytes. */
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 18 };
static const size_t one_write = (size_t)1 << 30; /* Linux takes at most 2 GB at a time */

static rill_status disk_failed(rill_ctx *ctx, const char *path, const char *what)
{
    const int error = errno;
    const char *remedy = error == ENOSPC || error == EDQUOT || error == EFBIG
                             ? "; make room, or write to another disk with --out"
                         : error == EACCES || error == EPERM || error == EROFS
                             ? "; choose a folder you may write to with --out"
                             : "";
    return rill_fail(ctx, RILL_DISK, "%s: %s: %s%s", path, what, strerror(error), remedy);
}

char *path_join(rill_ctx *ctx, const char *folder, const char *name)
{
    const size_t a = strlen(folder), b = strlen(name);
    const bool slash = a > 0 && folder[a - 1] != '/';
    char *path = mem_alloc(ctx, a + b + 2, 1);
    if (!path) return NULL;
    memcpy(path, folder, a);
    if (slash) path[a] = '/';
    memcpy(path + a + slash, name, b + 1);
    return path;
}

/* The part of a path before its last name, ending in '/', or nothing: its length. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* FOLDER/.NAME.RANDOM.tmp */
static char *temporary_name(rill_ctx *ctx, const char *path)
{
    const size_t n = strlen(path), folder = folder_length(path);
    enum { RANDOM = 16 };
    char *t = mem_alloc(ctx, n + RANDOM + 8, 1);
    if (!t) return NULL;
    uint64_t word = 0;
    if (getrandom(&word, sizeof word, GRND_NONBLOCK) != sizeof word) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now); /* O_EXCL still keeps from what is there */
        word = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)now.tv_sec ^ (uint64_t)getpid() << 32;
    }
    memcpy(t, path, folder);
    t[folder] = '.';
    memcpy(t + folder + 1, path + folder, n - folder);
    snprintf(t + n + 1, RANDOM + 7, ".%016llx.tmp", (unsigned long long)word);
    return t;
}

/* Renames are on the disk only when the folder is. */
static rill_status sync_folder_of(rill_ctx *ctx, const char *path)
{
    const size_t n = folder_length(path);
    char *folder = mem_alloc(ctx, n + 2, 1);
    if (!folder) return mem_failed(ctx, n + 2, 1);
    memcpy(folder, path, n);
    memcpy(folder + n, n ? "" : ".", n ? 1 : 2);

    rill_status st = RILL_OK;
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* Some file systems cannot sync a folder and say EINVAL: the rename stands. */
    if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL))
        st = disk_failed(ctx, folder, "cannot write the folder to the disk");
    if (fd >= 0) close(fd);
    mem_free(ctx, folder);
    return st;
}

rill_status file_begin(rill_ctx *ctx, const char *path, out_file *f)
{
    out_file fresh = {.ctx = ctx, .fd = -1};
    rill_status st = RILL_OK;
    fresh.path = mem_text(ctx, path);
    fresh.temporary = temporary_name(ctx, path);
    fresh.buffer = mem_alloc(ctx, BUFFER, 1);
    if (!fresh.path || !fresh.temporary || !fresh.buffer) st = mem_failed(ctx, BUFFER, 1);
    if (!st) {
        fresh.fd = open(fresh.temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fresh.fd < 0) st = disk_failed(ctx, path, "cannot create the file");
    }
    if (st)
        file_abandon(&fresh);
    else
        *f = fresh;
    return st;
}

static rill_status write_out(out_file *f, const uint8_t *data, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t n = write(f->fd, data, bytes < one_write ? bytes : one_write);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) return f->failed = disk_failed(f->ctx, f->path, "cannot write");
        data += n;
        bytes -= (size_t)n;
    }
    return RILL_OK;
}

static rill_status write_buffer(out_file *f)
{
    const size_t n = f->used;
    f->used = 0;
    return write_out(f, f->buffer, n);
}

rill_status file_write(out_file *f, const void *data, size_t bytes)
{
    if (f->failed) return f->failed;
    f->length += bytes;
    if (bytes >= BUFFER) {
        TRY(write_buffer(f));
        return write_out(f, data, bytes);
    }
    if (bytes > BUFFER - f->used) TRY(write_buffer(f));
    if (bytes > 0) memcpy(f->buffer + f->used, data, bytes);
    f->used += bytes;
    return RILL_OK;
}

rill_status file_flush(out_file *f)
{
    if (f->failed) return f->failed;
    TRY(write_buffer(f));
    if (fsync(f->fd) != 0) return f->failed = disk_failed(f->ctx, f->path, "cannot write");
    return RILL_OK;
}

rill_status file_commit(out_file *f)
{
    TRY(file_flush(f));
    const int fd = f->fd;
    f->fd = -1;
    if (close(fd) != 0) return f->failed = disk_failed(f->ctx, f->path, "cannot write");
    if (rename(f->temporary, f->path) != 0)
        return f->failed = disk_failed(f->ctx, f->path, "cannot give the file its name");
    mem_free(f->ctx, f->temporary);
    f->temporary = NULL;
    return f->failed = sync_folder_of(f->ctx, f->path);
}

void file_abandon(out_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
        unlink(f->temporary);
    } else if (f->temporary && f->failed) { /* closing or renaming went wrong */
        unlink(f->temporary);
    }
    mem_free(f->ctx, f->path);
    mem_free(f->ctx, f->temporary);
    mem_free(f->ctx, f->buffer);
    *f = (out_file){.ctx = f->ctx, .fd = -1};
}

rill_status file_write_all(rill_ctx *ctx, const char *path, const void *data, size_t bytes)
{
    out_file f;
    TRY(file_begin(ctx, path, &f));
    file_write(&f, data, bytes);
    const rill_status st = file_commit(&f);
    file_abandon(&f);
    return st;
}

static rill_status read_failed(rill_ctx *ctx, const char *path)
{
    return rill_fail(ctx, RILL_BAD_FILE, "%s: cannot read: %s", path, strerror(errno));
}

static rill_status read_open(rill_ctx *ctx, const char *path, int fd, uint64_t limit, char **data,
                             size_t *bytes)
{
    struct stat s;
    if (fstat(fd, &s) != 0) return read_failed(ctx, path);
    if (!S_ISREG(s.st_mode))
        return rill_fail(ctx, RILL_BAD_FILE, "%s: %s, not a file", path,
                         S_ISDIR(s.st_mode) ? "a folder" : "a device or pipe");
    const uint64_t length = (uint64_t)s.st_size;
    if (length > limit)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: %llu bytes, more than the %llu allowed here", path,
                         (unsigned long long)length, (unsigned long long)limit);
    char *all = mem_alloc(ctx, length + 1, 1);
    if (!all) return mem_failed(ctx, length + 1, 1);
    size_t have = 0;
    while (have < length) {
        const ssize_t n = read(fd, all + have, length - have < one_write ? length - have : one_write);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            mem_free(ctx, all);
            return read_failed(ctx, path);
        }
        if (n == 0) break; /* cut while being read */
        have += (size_t)n;
    }
    all[have] = 0;
    *data = all;
    *bytes = have;
    return RILL_OK;
}

rill_status file_read_all(rill_ctx *ctx, const char *path, uint64_t limit, char **data, size_t *bytes)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hang us */
    if (fd < 0) return read_failed(ctx, path);
    const rill_status st = read_open(ctx, path, fd, limit, data, bytes);
    close(fd);
    return st;
}

/* A file of ours to be changed in place: a regular one, not what a link leads to; a pipe or device does not
 * block. */
static rill_status open_own(rill_ctx *ctx, const char *path, int how, int *out)
{
    const int fd = open(path, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    struct stat s;
    if (fd < 0 && (errno == ELOOP || errno == ENXIO))
        return rill_fail(ctx, RILL_DISK, "%s: a link, pipe or device is in the way of the file; remove it",
                         path);
    if (fd < 0) return disk_failed(ctx, path, "cannot open the file");
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode)) {
        close(fd);
        return rill_fail(ctx, RILL_DISK, "%s: not a regular file; remove it", path);
    }
    *out = fd;
    return RILL_OK;
}

rill_status file_append(rill_ctx *ctx, const char *path, uint64_t offset, const void *data, size_t bytes)
{
    int fd = -1;
    TRY(open_own(ctx, path, O_WRONLY | O_CREAT, &fd));
    rill_status st = RILL_OK;
    if (ftruncate(fd, (off_t)offset) != 0) st = disk_failed(ctx, path, "cannot cut the file");
    const char *at = data;
    size_t left = bytes;
    while (!st && left > 0) {
        const ssize_t n =
            pwrite(fd, at, left < one_write ? left : one_write, (off_t)(offset + (bytes - left)));
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) {
            st = disk_failed(ctx, path, "cannot write");
        } else {
            at += n;
            left -= (size_t)n;
        }
    }
    if (st && left != bytes) { /* if cutting fails too, resume does it: lengths are in the checkpoint */
        const int ignored = ftruncate(fd, (off_t)offset);
        (void)ignored;
    }
    if (close(fd) != 0 && !st) st = disk_failed(ctx, path, "cannot write");
    return st;
}

rill_status file_sync(rill_ctx *ctx, const char *path)
{
    int fd = -1;
    TRY(open_own(ctx, path, O_WRONLY, &fd));
    rill_status st = RILL_OK;
    if (fsync(fd) != 0) st = disk_failed(ctx, path, "cannot write");
    close(fd);
    return st;
}

bool file_exists(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0;
}

uint64_t file_length(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) ? (uint64_t)s.st_size : 0;
}

rill_status file_remove(rill_ctx *ctx, const char *path)
{
    if (unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR) return RILL_OK;
    return disk_failed(ctx, path, "cannot remove the file");
}

rill_status folder_create(rill_ctx *ctx, const char *path)
{
    char *part = mem_text(ctx, path);
    if (!part) return mem_failed(ctx, strlen(path) + 1, 1);
    rill_status st = RILL_OK;
    const size_t n = strlen(path);
    for (size_t i = 1; i <= n && !st; i++) {
        if (part[i] != '/' && part[i] != 0) continue;
        const char kept = part[i];
        part[i] = 0;
        struct stat s;
        if (mkdir(part, 0777) != 0 && (errno != EEXIST || stat(part, &s) != 0 || !S_ISDIR(s.st_mode))) {
            if (errno == EEXIST) errno = ENOTDIR;
            st = disk_failed(ctx, part, "cannot create the folder");
        }
        part[i] = kept;
    }
    mem_free(ctx, part);
    return st;
}

rill_status folder_remove_temporaries(rill_ctx *ctx, const char *path)
{
    DIR *d = opendir(path);
    if (!d) return errno == ENOENT ? RILL_OK : disk_failed(ctx, path, "cannot open the folder");
    rill_status st = RILL_OK;
    for (struct dirent *e = readdir(d); e && !st; e = readdir(d)) {
        const size_t n = strlen(e->d_name);
        if (n < 6 || e->d_name[0] != '.' || strcmp(e->d_name + n - 4, ".tmp") != 0) continue;
        if (unlinkat(dirfd(d), e->d_name, 0) != 0 && errno != ENOENT)
            st = disk_failed(ctx, path, "cannot remove a stale temporary file");
    }
    closedir(d);
    return st;
}
