/* What must hold of a mesh reader on any bytes. */
#pragma once

#include "fuzz.h"

#include "geom/mesh/mesh_solid.h"
#include "io/mesh_file.h"

#include <string.h>

typedef rill_status mesh_reader(rill_ctx *, const char *name, const char *bytes, size_t length, trimesh *out);

/* Either a mesh that is sound as data, or RILL_BAD_FILE with the file's name and a place; memory
 * within 64 times the file and a MB; nothing held in the end. */
static inline void fuzz_mesh(mesh_reader *read, const char *name, const uint8_t *data, size_t size)
{
    measured_allocator memory = {0};
    rill_ctx *ctx = fuzz_ctx(&memory);
    const size_t before = memory.held;
    trimesh m = {0};
    const rill_status st = read(ctx, name, (const char *)data, size, &m);
    fuzz_require(memory.most <= before + 64 * size + (1 << 20));
    if (st == RILL_OK) {
        for (size_t i = 0; i < m.vertex_count; i++) fuzz_require(v3_finite(m.position[i]));
        trimesh_report report;
        fuzz_require(trimesh_check(ctx, &m, &report) == RILL_OK);
        const rill_status solid = mesh_check_solid(ctx, name, &m, false, 0);
        fuzz_require(solid == RILL_OK || solid == RILL_BAD_FILE);
    } else {
        const char *message = rill_ctx_message(ctx);
        fuzz_require(st == RILL_BAD_FILE);
        fuzz_require(strncmp(message, name, strlen(name)) == 0 && message[strlen(name)] == ':');
        fuzz_require(m.position == NULL);
    }
    trimesh_clear(ctx, &m);
    fuzz_require(memory.held == before);
    rill_ctx_destroy(ctx);
}

static inline rill_status fuzz_parse(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                     trimesh *out)
{
    return mesh_parse(ctx, name, bytes, length, NULL, out, NULL);
}
