/* Sparse fields to the .vdb format, through OpenVDB: the interface of a module that is loaded at run time.
 *
 * The module is C++ and the only part of the tree that sees OpenVDB; what loads it (src/io/vdb.c) is C and
 * needs this header alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RILL_VDB_INTERFACE 1 /* raised when anything here changes */

typedef struct rill_vdb_grid {
    const char *name;
    int width;     /* numbers a sample: 1 or 3 */
    int level_set; /* a signed distance in a band: what is inside of it is filled in */
    double cell;   /* sample (i, j, k) lies at origin + cell * (i, j, k) */
    double origin[3];
    float background;
    size_t blocks;
    const int32_t (*block)[3]; /* samples 8 * block ... 8 * block + 7 along each axis */
    const float *value;        /* 512 * width a block, x fastest; samples that are the background stay off */
} rill_vdb_grid;

/* Takes the bytes of the file in order; not 0: stop. */
typedef int rill_vdb_sink(void *user, const void *data, size_t bytes);

typedef struct rill_vdb_module {
    int interface;       /* RILL_VDB_INTERFACE */
    const char *library; /* "OpenVDB 10.0.1" */
    /* 0, or not when the sink said so or OpenVDB failed: then the message says why. Never throws. */
    int (*write)(const rill_vdb_grid *grid, int count, double time, rill_vdb_sink *sink, void *user,
                 char *message, size_t room);
} rill_vdb_module;

/* The module's one symbol. */
__attribute__((visibility("default"))) const rill_vdb_module *rill_vdb(void);

#ifdef __cplusplus
}
#endif
