/* The run folder: what belongs to a run, by name; the lock; the checkpoints. */
#include "run/folder.h"

#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const single_files[] = {"scene.json", "run.json",  "stats.jsonl", "gauges.csv",
                                           "bodies.csv", "video.mp4", "plot.svg",    "plot.png",
                                           "sheet.png",  NULL};

/* Numbered files: a folder, and in it prefix, digits and ending. */
typedef struct numbered {
    const char *folder, *prefix, *ending;
} numbered;

/* The kinds in the order of their bits, then frames in other formats, which are only ever removed. */
enum { NUMBERED_BITS = FRAME_PARTS + 4, NUMBERED = NUMBERED_BITS + FRAME_PARTS };

static numbered numbered_kind(int k)
{
    static const numbered others[] = {{"checkpoints", "", ".rill"},
                                      {"images", "", ".png"},
                                      {"slices", "", ".png"},
                                      {"frames", "volume", ".vdb"}};
    if (k >= FRAME_PARTS && k < NUMBERED_BITS) return others[k - FRAME_PARTS];
    const bool ply = k < FRAME_PARTS;
    return (numbered){"frames", frame_part_words[ply ? k : k - NUMBERED_BITS], ply ? ".ply" : ".vtp"};
}

/* What stands before the number: "surface_" or nothing. */
static size_t prefix_length(const numbered *kind)
{
    const size_t n = strlen(kind->prefix);
    return n ? n + 1 : 0;
}

static bool is_numbered(const numbered *kind, const char *name, uint32_t *number)
{
    const size_t n = strlen(name), before = prefix_length(kind), after = strlen(kind->ending);
    if (n < before + 4 + after || n > before + 9 + after) return false;
    if (strcmp(name + n - after, kind->ending) != 0) return false;
    if (before && (strncmp(name, kind->prefix, before - 1) != 0 || name[before - 1] != '_')) return false;
    uint32_t value = 0;
    for (size_t i = before; i < n - after; i++) {
        if (name[i] < '0' || name[i] > '9') return false;
        value = 10 * value + (uint32_t)(name[i] - '0');
    }
    *number = value;
    return true;
}

/* Calls back with every file of the kind; stops at the first failure. */
typedef rill_status visit_file(void *arg, int folder_fd, const char *name, uint32_t number);
static rill_status visit(rill_ctx *ctx, const char *path, int k, visit_file *call, void *arg)
{
    const numbered kind = numbered_kind(k);
    char *folder = path_join(ctx, path, kind.folder);
    if (!folder) return mem_failed(ctx, strlen(path), 1);
    rill_status st = RILL_OK;
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e && !st; e = readdir(d)) {
        uint32_t number = 0;
        if (is_numbered(&kind, e->d_name, &number)) st = call(arg, dirfd(d), e->d_name, number);
    }
    if (d) closedir(d);
    mem_free(ctx, folder);
    return st;
}

static rill_status found_one(void *arg, int folder_fd, const char *name, uint32_t number)
{
    (void)folder_fd, (void)name, (void)number;
    *(bool *)arg = true;
    return RILL_CANCELLED; /* one is enough */
}

static char *frames_index(rill_ctx *ctx, const char *path, frame_part part)
{
    char *frames = path_join(ctx, path, "frames");
    char *index = frames ? frame_index_path(ctx, frames, part) : NULL;
    mem_free(ctx, frames);
    return index;
}

/* Whether there is anything of a run in the folder. */
static bool in_use(rill_ctx *ctx, const char *path)
{
    bool found = false;
    for (const char *const *name = single_files; *name && !found; name++) {
        char *file = path_join(ctx, path, *name);
        found = !file || file_exists(file); /* without memory: rather leave it alone */
        mem_free(ctx, file);
    }
    for (int part = 0; part < FRAME_PARTS && !found; part++) {
        char *index = frames_index(ctx, path, (frame_part)part);
        found = !index || file_exists(index);
        mem_free(ctx, index);
    }
    for (int k = 0; k < NUMBERED && !found; k++)
        if (visit(ctx, path, k, found_one, &found) == RILL_NO_MEMORY) found = true;
    return found;
}

static rill_status lock_folder(run_folder *f)
{
    char *path = path_join(f->ctx, f->path, "run.lock");
    if (!path) return mem_failed(f->ctx, strlen(f->path), 1);
    rill_status st = RILL_OK;
    struct stat s;
    f->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (f->lock >= 0 && (fstat(f->lock, &s) != 0 || !S_ISREG(s.st_mode)))
        st = rill_fail(f->ctx, RILL_DISK, "%s: not a regular file; remove it", path);
    else if (f->lock < 0 && (errno == ELOOP || errno == ENXIO))
        st = rill_fail(f->ctx, RILL_DISK, "%s: a link or device is in the way of the file; remove it", path);
    else if (f->lock < 0)
        st = rill_fail(f->ctx, RILL_DISK, "%s: cannot create the file: %s; choose another folder with --out",
                       path, strerror(errno));
    else if (flock(f->lock, LOCK_EX | LOCK_NB) != 0)
        st = errno == EWOULDBLOCK
                 ? rill_fail(f->ctx, RILL_USAGE,
                             "%s: another rill is writing this run; wait for it, or choose "
                             "another folder with --out",
                             f->path)
                 : rill_fail(f->ctx, RILL_DISK, "%s: cannot lock: %s", path, strerror(errno));
    mem_free(f->ctx, path);
    return st;
}

static rill_status remove_temporaries(const run_folder *f)
{
    static const char *const folders[] = {"", "frames", "images", "checkpoints"};
    for (int k = 0; k < 4; k++) {
        char *path = path_join(f->ctx, f->path, folders[k]);
        if (!path) return mem_failed(f->ctx, strlen(f->path), 1);
        const rill_status st = folder_remove_temporaries(f->ctx, path);
        mem_free(f->ctx, path);
        TRY(st);
    }
    return RILL_OK;
}

static rill_status remove_one(void *arg, int folder_fd, const char *name, uint32_t number)
{
    (void)number;
    const run_folder *f = arg;
    if (unlinkat(folder_fd, name, 0) == 0 || errno == ENOENT) return RILL_OK;
    return rill_fail(f->ctx, RILL_DISK, "%s: cannot remove %s: %s", f->path, name, strerror(errno));
}

/* Removes a file and frees its path. */
static rill_status remove_path(const run_folder *f, char *path)
{
    if (!path) return mem_failed(f->ctx, strlen(f->path), 1);
    const rill_status st = file_remove(f->ctx, path);
    mem_free(f->ctx, path);
    return st;
}

static rill_status remove_run(run_folder *f)
{
    /* The scene first: without it the rest is no run that could be resumed half removed. */
    for (const char *const *name = single_files; *name; name++)
        TRY(remove_path(f, path_join(f->ctx, f->path, *name)));
    for (int part = 0; part < FRAME_PARTS; part++)
        TRY(remove_path(f, frames_index(f->ctx, f->path, (frame_part)part)));
    for (int k = 0; k < NUMBERED; k++) TRY(visit(f->ctx, f->path, k, remove_one, f));
    return RILL_OK;
}

static rill_status folder_take(rill_ctx *ctx, const char *path, run_folder *f)
{
    *f = (run_folder){.ctx = ctx, .lock = -1, .path = mem_text(ctx, path)};
    if (!f->path) return mem_failed(ctx, strlen(path) + 1, 1);
    return lock_folder(f);
}

/* What a run may find: nothing, its lock, or folders it would make. */
static bool holds_other_files(const char *path)
{
    static const char *const own[] = {".",      "..",          "run.lock", "frames",
                                      "images", "checkpoints", "slices",   "export"};
    bool other = false;
    DIR *d = opendir(path);
    for (struct dirent *e = d ? readdir(d) : NULL; e && !other; e = readdir(d)) {
        const size_t n = strlen(e->d_name); /* a temporary file that a kill left is ours */
        other = !(e->d_name[0] == '.' && n > 4 && strcmp(e->d_name + n - 4, ".tmp") == 0);
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (strcmp(e->d_name, own[k]) == 0) other = false;
    }
    if (d) closedir(d);
    return other;
}

rill_status run_folder_check_free(rill_ctx *ctx, const char *path)
{
    if (!in_use(ctx, path)) {
        if (!holds_other_files(path)) return RILL_OK;
        return rill_fail(
            ctx, RILL_USAGE,
            "%s holds other files and no run; choose a new folder with --out DIR, or write among them "
            "with --force",
            path);
    }
    return rill_fail(
        ctx, RILL_USAGE,
        "%s holds a run already; continue it with rill resume %s, write elsewhere with --out DIR, or "
        "replace it with --force",
        path, path);
}

rill_status run_folder_create(rill_ctx *ctx, const char *path, bool force, run_folder *out)
{
    if (!force) TRY(run_folder_check_free(ctx, path));
    TRY(folder_create(ctx, path));
    run_folder f;
    rill_status st = folder_take(ctx, path, &f);
    /* Checked again, now that the lock keeps others from starting a run. */
    if (!st && !force) st = run_folder_check_free(ctx, path);
    if (!st && force) st = remove_run(&f);
    if (!st) st = remove_temporaries(&f);
    static const char *const parts[] = {"frames", "images", "checkpoints"};
    for (int k = 0; k < 3 && !st; k++) {
        char *part = path_join(ctx, path, parts[k]);
        st = part ? folder_create(ctx, part) : mem_failed(ctx, strlen(path), 1);
        mem_free(ctx, part);
    }
    if (st)
        run_folder_close(&f);
    else
        *out = f;
    return st;
}

rill_status run_folder_open(rill_ctx *ctx, const char *path, run_folder *out)
{
    char *scene = path_join(ctx, path, "scene.json");
    if (!scene) return mem_failed(ctx, strlen(path), 1);
    const bool there = file_exists(scene);
    mem_free(ctx, scene);
    if (!there)
        return rill_fail(ctx, RILL_BAD_FILE,
                         "%s: no run here to resume (there is no scene.json in it); start one "
                         "with rill run SCENE --out %s",
                         path, path);
    run_folder f;
    rill_status st = folder_take(ctx, path, &f);
    if (!st) st = remove_temporaries(&f);
    if (st)
        run_folder_close(&f);
    else
        *out = f;
    return st;
}

void run_folder_close(run_folder *f)
{
    if (f->lock >= 0) close(f->lock); /* which releases it */
    mem_free(f->ctx, f->path);
    *f = (run_folder){.ctx = f->ctx, .lock = -1};
}

char *run_folder_path(const run_folder *f, const char *name)
{
    return path_join(f->ctx, f->path, name);
}

char *run_file_path(rill_ctx *ctx, const char *folder, uint32_t kind, uint32_t number)
{
    int k = 0;
    while (k < NUMBERED_BITS - 1 && !(kind >> k & 1)) k++;
    const numbered file = numbered_kind(k);
    char name[64];
    snprintf(name, sizeof name, "%s/%s%s%04u%s", file.folder, file.prefix, file.prefix[0] ? "_" : "", number,
             file.ending);
    return path_join(ctx, folder, name);
}

typedef struct {
    rill_ctx *ctx;
    uint32_t *number, count;
    size_t capacity;
} number_list;

static rill_status list_number(void *arg, int folder_fd, const char *name, uint32_t number)
{
    (void)folder_fd, (void)name;
    number_list *l = arg;
    TRY(mem_grow(l->ctx, &l->number, sizeof *l->number, &l->capacity, (size_t)l->count + 1));
    l->number[l->count++] = number;
    return RILL_OK;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

rill_status run_folder_numbers(rill_ctx *ctx, const char *path, uint32_t kinds, uint32_t **number,
                               uint32_t *count)
{
    number_list l = {.ctx = ctx};
    rill_status st = RILL_OK;
    for (int k = 0; k < NUMBERED_BITS && !st; k++)
        if (kinds >> k & 1) st = visit(ctx, path, k, list_number, &l);
    if (st) {
        mem_free(ctx, l.number);
        return st;
    }
    uint32_t kept = 0;
    if (l.count) qsort(l.number, l.count, sizeof *l.number, ascending);
    for (uint32_t k = 0; k < l.count; k++)
        if (!kept || l.number[kept - 1] != l.number[k]) l.number[kept++] = l.number[k];
    *number = l.number;
    *count = kept;
    return RILL_OK;
}

uint32_t run_folder_checkpoints(rill_ctx *ctx, const char *path, uint32_t *frame, uint32_t capacity)
{
    uint32_t *number = NULL, count = 0;
    if (run_folder_numbers(ctx, path, RUN_CHECKPOINTS, &number, &count)) return 0;
    const uint32_t shown = count < capacity ? count : capacity;
    for (uint32_t k = 0; k < shown; k++) frame[k] = number[count - 1 - k]; /* newest first */
    mem_free(ctx, number);
    return shown;
}

rill_status run_folder_keep_two(const run_folder *f, uint32_t newest)
{
    uint32_t frame[RUN_MAX_CHECKPOINTS];
    const uint32_t count = run_folder_checkpoints(f->ctx, f->path, frame, RUN_MAX_CHECKPOINTS);
    bool second = false;
    for (uint32_t k = 0; k < count; k++) {
        if (frame[k] == newest) continue;
        if (frame[k] < newest && !second) {
            second = true;
            continue;
        }
        /* Older, or beyond the newest: one that was found damaged. */
        TRY(remove_path(f, run_file_path(f->ctx, f->path, RUN_CHECKPOINTS, frame[k])));
    }
    return RILL_OK;
}
