#include "run/registry.h"

#include "grid/grid.h"
#include "points/points.h"
#include "sph/sph.h"
#include "tets/tets.h"
#include "voronoi/voronoi.h"

#include <string.h>

const rill_method *const rill_methods[] = {
    &sph_method, &grid_method, &points_method, &voronoi_method, &tets_method, NULL,
};
const uint32_t rill_method_count = sizeof rill_methods / sizeof rill_methods[0] - 1;

const rill_method *rill_method_find(const char *name)
{
    for (const rill_method *const *m = rill_methods; *m; m++)
        if (strcmp((*m)->name, name) == 0) return *m;
    return NULL;
}
