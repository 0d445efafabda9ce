/* PLY from bytes in memory, as a mesh and as particles. */
#include "fuzz.h"

#include "base/memory.h"
#include "io/ply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    measured_allocator memory = {0};
    rill_ctx *ctx = fuzz_ctx(&memory);
    const size_t before = memory.held;
    particles p = {0};
    if (ply_parse_particles(ctx, "fuzz.ply", (const char *)data, size, &p, NULL) == RILL_OK)
        particles_clear(ctx, &p);
    fuzz_require(memory.held == before);
    rill_ctx_destroy(ctx);
    return 0;
}
