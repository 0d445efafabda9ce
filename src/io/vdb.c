#include "io/vdb.h"

#include "io/file.h"
#include "vdb_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_GRIDS = 8 };

/* ---- the module ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const rill_vdb_module *module;

static void try_file(const char *folder, const char *name)
{
    char path[PATH_MAX];
    if (module || (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) return;
    if (!file_exists(path)) return;
    void *library =
        dlopen(path, RTLD_NOW | RTLD_LOCAL); /* never closed: OpenVDB registers its types for good */
    if (!library) return;
    const rill_vdb_module *(*get)(void);
    *(void **)&get = dlsym(library, "rill_vdb");
    const rill_vdb_module *m = get ? get() : NULL;
    if (m && m->interface == RILL_VDB_INTERFACE) module = m;
}

/* The folder of a file, in place. */
static bool to_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return slash != NULL;
}

static void try_beside(char *path)
{
    if (!to_folder(path)) return;
    try_file(path, "rill_vdb.so");
    try_file(path, "rill/rill_vdb.so");                    /* beside an installed library */
    try_file(path, "../lib/rill/rill_vdb.so");             /* of an installed program */
    try_file(path, "../" RILL_LIBDIR "/rill/rill_vdb.so"); /* likewise */
}

static void load(void)
{
    char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n > 0) {
        path[n] = 0;
        try_beside(path);
    }
    Dl_info own;
    if (dladdr((const void *)&once, &own) && own.dli_fname && strlen(own.dli_fname) < sizeof path) {
        strcpy(path, own.dli_fname);
        try_beside(path);
    }
}

static const rill_vdb_module *module_of(void)
{
    pthread_once(&once, load);
    return module;
}

bool vdb_available(void)
{
    return module_of() != NULL;
}

const char *vdb_library(void)
{
    return module_of() ? module_of()->library : NULL;
}

/* ---- files ---- */

static int take(void *user, const void *data, size_t bytes)
{
    return file_write(user, data, bytes) != RILL_OK;
}

static rill_vdb_grid grid_of(const volume *v)
{
    return (rill_vdb_grid){.name = v->name,
                           .width = v->width,
                           .level_set = v->signed_band,
                           .cell = v->cell,
                           .origin = {v->origin.x, v->origin.y, v->origin.z},
                           .background = v->background,
                           .blocks = v->map.count,
                           .block = (const int32_t(*)[3])v->map.block,
                           .value = v->value};
}

rill_status vdb_write(rill_ctx *ctx, const char *path, const volume *field, int count, double time)
{
    const rill_vdb_module *m = module_of();
    rill_vdb_grid grid[MOST_GRIDS];
    char message[256] = "";
    out_file f;
    if (!m)
        return rill_fail(
            ctx, RILL_USAGE,
            "%s: volumes are written through OpenVDB, which this build does not have; " VDB_REMEDY, path);
    if (count > MOST_GRIDS) return rill_fail(ctx, RILL_USAGE, "%s: too many fields for one file", path);
    for (int k = 0; k < count; k++) grid[k] = grid_of(&field[k]);
    TRY(file_begin(ctx, path, &f));
    const int failed = m->write(grid, count, time, take, &f, message, sizeof message);
    rill_status st = RILL_OK;
    if (failed && !f.failed)
        st = rill_fail(ctx, RILL_DISK, "%s: OpenVDB could not make the file: %s", path, message);
    if (!st) st = file_commit(&f); /* says what the writes said */
    file_abandon(&f);
    return st;
}
