/* STL from bytes in memory: read as either kind, and as the kind it looks like. */
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0) fuzz_mesh(stl_parse_ascii, "fuzz.stl", data, size);
    fuzz_mesh(stl_parse_binary, "fuzz.stl", data, size);
    fuzz_mesh(fuzz_parse, "fuzz.stl", data, size);
    return 0;
}
