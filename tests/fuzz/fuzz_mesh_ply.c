/* PLY from bytes in memory, as a mesh and as particles. */
#include "fuzz_mesh.h"

#include "io/ply.h"

static void as_particles(const uint8_t *data, size_t size)
{
    measured_allocator memory = {0};
    rill_ctx *ctx = fuzz_ctx(&memory);
    const size_t before = memory.held;
    particles p = {0};
    const rill_status st = ply_parse_particles(ctx, "fuzz.ply", (const char *)data, size, &p, NULL);
    fuzz_require(st == RILL_OK || st == RILL_BAD_FILE);
    fuzz_require(memory.most <= before + 64 * size + (1 << 20));
    particles_clear(ctx, &p);
    fuzz_require(memory.held == before);
    rill_ctx_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    as_particles(data, size);
    fuzz_mesh(fuzz_parse, "fuzz.ply", data, size);
    return 0;
}
