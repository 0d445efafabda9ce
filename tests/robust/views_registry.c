/* The registry of the test program `rill_views`: sph, and methods without particles. */
#include "run/registry.h"

#include "fake_cells.h"
#include "sph/sph.h"

#include <string.h>

const rill_method *const rill_methods[] = {&slosh_method, &breeze_method, &sph_method, NULL};
const uint32_t rill_method_count = sizeof rill_methods / sizeof rill_methods[0] - 1;

const rill_method *rill_method_find(const char *name)
{
    for (const rill_method *const *m = rill_methods; *m; m++)
        if (strcmp((*m)->name, name) == 0) return *m;
    return NULL;
}
