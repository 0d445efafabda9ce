/* Calls a fuzz target on files: those named, and all in the folders named. A folder that is
 * not there has none: a target without regressions keeps no empty folder. */
#include "fuzz.h"

#include "base/memory.h"
#include "io/file.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static size_t replayed;

static void replay_file(rill_ctx *ctx, const char *path)
{
    char *bytes, *exact;
    size_t n;
    if (file_read_all(ctx, path, (uint64_t)1 << 30, &bytes, &n)) {
        fprintf(stderr, "%s\n", rill_ctx_message(ctx));
        fuzz_require(false);
    }
    exact = mem_alloc(ctx, n, 1); /* as libFuzzer hands it over: nothing behind the end */
    fuzz_require(exact != NULL);
    memcpy(exact, bytes, n);
    mem_free(ctx, bytes);
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput((const uint8_t *)exact, n);
    mem_free(ctx, exact);
    replayed++;
}

int main(int argc, char **argv)
{
    measured_allocator m = {0};
    rill_ctx *ctx = fuzz_ctx(&m);
    for (int i = 1; i < argc; i++) {
        struct stat s;
        if (stat(argv[i], &s) != 0) continue;
        if (!S_ISDIR(s.st_mode)) {
            replay_file(ctx, argv[i]);
            continue;
        }
        DIR *d = opendir(argv[i]);
        for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
            if (e->d_name[0] == '.') continue;
            char *path = path_join(ctx, argv[i], e->d_name);
            fuzz_require(path != NULL);
            replay_file(ctx, path);
            mem_free(ctx, path);
        }
        if (d) closedir(d);
    }
    rill_ctx_destroy(ctx);
    printf("%zu files replayed\n", replayed);
    return replayed ? 0 : 1;
}
