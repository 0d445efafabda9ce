/* Reads every file of a folder that make_bad_meshes.py filled, and compares with what it expects:
 * status, place and cause; memory at most 64 times the file and a MB, at most a second per MB
 * (and at least a quarter of one), and nothing held in the end.
 * usage: bad_meshes FOLDER */
#include "fuzz.h"

#include "base/memory.h"
#include "geom/mesh/trimesh.h"
#include "io/file.h"
#include "io/mesh_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWER 10
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOWER 10
#endif
#endif
#ifndef SLOWER
#define SLOWER 1
#endif

static size_t passed, failed;
static double most_memory, slowest; /* times the file; seconds per MB; of files of a MB */

/* Of this program: other programs on the machine do not count. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void problem(const char *file, const char *what, const char *message)
{
    printf("%s: %s: %s\n", file, what, message);
}

/* The message must be "PATH" "PLACE..." and have the part. */
static bool says(const char *message, const char *path, const char *place, const char *part)
{
    const size_t n = strlen(path);
    return strncmp(message, path, n) == 0 && strncmp(message + n, place, strlen(place)) == 0 &&
           strstr(message, part);
}

static void attempt(const char *folder, const char *file, bool must_fail, const char *place, const char *part)
{
    measured_allocator memory = {0};
    rill_ctx *ctx = fuzz_ctx(&memory);
    char *path = path_join(ctx, folder, file);
    fuzz_require(path != NULL);
    const double mb = (double)file_length(path) / (1 << 20);
    const size_t before = memory.held;
    trimesh m = {0};

    const double start = cpu_seconds();
    const rill_status st = mesh_read(ctx, path, NULL, &m);
    const double seconds = cpu_seconds() - start;
    trimesh_clear(ctx, &m);

    bool good = true;
    char measured[64];
    if (must_fail ? st != RILL_BAD_FILE : st != RILL_OK && st != RILL_BAD_FILE) {
        good = false;
        snprintf(measured, sizeof measured, "status %d", (int)st);
        problem(file, measured, st ? rill_ctx_message(ctx) : "it was read");
    } else if (must_fail && !says(rill_ctx_message(ctx), path, place, part)) {
        good = false;
        snprintf(measured, sizeof measured, "no \"%s\" and \"%.30s\"", place, part);
        problem(file, measured, rill_ctx_message(ctx));
    }
    const double times = (double)(memory.most - before) / ((mb + 1e-9) * (1 << 20));
    if ((double)(memory.most - before) > (64 * mb + 1) * (1 << 20) || seconds > SLOWER * fmax(mb, 0.25)) {
        good = false;
        snprintf(measured, sizeof measured, "%.1f times its memory, %.2f s per MB", times, seconds / mb);
        problem(file, measured, "too much");
    }
    if (memory.held != before) {
        good = false;
        problem(file, "memory", "not given back");
    }
    if (mb > 0.4) {
        most_memory = fmax(most_memory, times);
        slowest = fmax(slowest, seconds / mb);
    }
    passed += good;
    failed += !good;
    mem_free(ctx, path);
    rill_ctx_destroy(ctx);
}

int main(int argc, char **argv)
{
    measured_allocator memory = {0};
    rill_ctx *ctx = fuzz_ctx(&memory);
    char *path = argc == 2 ? path_join(ctx, argv[1], "expected.tsv") : NULL, *list;
    size_t length;
    if (!path || file_read_all(ctx, path, 1 << 26, &list, &length)) {
        fprintf(stderr, "bad_meshes: %s\n", path ? rill_ctx_message(ctx) : "usage: bad_meshes FOLDER");
        return 2;
    }
    char *at = list, *field[4];
    while (*at) {
        char *end = strchr(at, '\n');
        *end = 0;
        for (int k = 0; k < 4; k++) {
            field[k] = strsep(&at, "\t");
            fuzz_require(field[k] != NULL);
        }
        attempt(argv[1], field[0], strcmp(field[1], "bad") == 0, field[2], field[3]);
        at = end + 1;
    }
    mem_free(ctx, list);
    mem_free(ctx, path);
    rill_ctx_destroy(ctx);
    printf("bad meshes: %zu passed, %zu failed; at most %.1f times the memory of a file, %.2f s per MB\n",
           passed, failed, most_memory, slowest);
    return failed || passed < 900;
}
