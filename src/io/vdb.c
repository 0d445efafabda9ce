#include "io/vdb.h"

#include "io/file.h"
#include "vdb_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_GRIDS = 8 };
static const char here[] = "rill"; /* an address in the library or program that this is part of */

/* ---- the module ---- */

/* NULL: it is not there. Opened again for every use, which is cheap once it is open: the library keeps
 * nothing. */
static const rill_vdb_module *try_file(const char *folder, const char *name)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) return NULL;
    if (!file_exists(path)) return NULL;
    /* never closed: OpenVDB registers its types for good */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return NULL;
    const rill_vdb_module *(*get)(void);
    *(void **)&get = dlsym(library, "rill_vdb");
    const rill_vdb_module *m = get ? get() : NULL;
    return m && m->interface == RILL_VDB_INTERFACE ? m : NULL;
}

/* The folder of a file, in place. */
static bool to_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return slash != NULL;
}

static const rill_vdb_module *try_beside(char *path)
{
    static const char *const names[] = {"rill_vdb.so", "rill/rill_vdb.so", /* beside an installed library */
                                        "../lib/rill/rill_vdb.so",
                                        "../" RILL_LIBDIR "/rill/rill_vdb.so"}; /* of an installed program */
    const rill_vdb_module *m = NULL;
    if (!to_folder(path)) return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !m; i++) m = try_file(path, names[i]);
    return m;
}

static const rill_vdb_module *module_of(void)
{
    char path[PATH_MAX];
    const rill_vdb_module *m = NULL;
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n > 0) {
        path[n] = 0;
        m = try_beside(path);
    }
    Dl_info own;
    if (!m && dladdr(here, &own) && own.dli_fname && strlen(own.dli_fname) < sizeof path) {
        strcpy(path, own.dli_fname);
        m = try_beside(path);
    }
    return m;
}

bool vdb_available(void)
{
    return module_of() != NULL;
}

const char *vdb_library(void)
{
    const rill_vdb_module *m = module_of();
    return m ? m->library : NULL;
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
