/* OBJ from bytes in memory. */
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0) fuzz_mesh(obj_parse_mesh, "fuzz.obj", data, size);
    fuzz_mesh(fuzz_parse, "fuzz.obj", data, size);
    return 0;
}
