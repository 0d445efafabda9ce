/* Volumes as .vdb files, which Blender, Houdini and others read.
 *
 * OpenVDB is in a module of its own, rill_vdb.so (src/vdb), that is loaded when it is first asked for: beside
 * the program or the library, or in lib/rill below where they are installed. A build without OpenVDB has
 * none. */
#pragma once

#include "volume/volume.h"

bool vdb_available(void);
const char *vdb_library(void); /* "OpenVDB 10.0.1"; NULL when it is not available */

/* The remedy where it is missing, to go on in mid-sentence. */
#define VDB_REMEDY "install the packages \"libopenvdb-dev\" and \"libboost-dev\" and build again"

/* RILL_USAGE with the remedy when it is not available, RILL_DISK when the file cannot be written; it appears
 * under its name only when complete. */
RILL_CHECKED rill_status vdb_write(rill_ctx *ctx, const char *path, const volume *field, int count,
                                   double time);
