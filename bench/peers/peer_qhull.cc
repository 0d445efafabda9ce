/* qhull: the Delaunay tetrahedra as a convex hull in four dimensions. Lattices fail or
 * come out with merged facets: "Qt" splits those. */
#include "points.h"

#include <libqhull_r/qhull_ra.h>

static size_t body(const std::vector<double> &x, size_t n)
{
    qhT qh_memory;
    qhT *qh = &qh_memory;
    QHULL_LIB_CHECK
    qh_zero(qh, stderr);
    std::vector<double> copy(x);
    char options[] = "qhull d Qbb Qt Qz";
    size_t count = 0;
    if (qh_new_qhull(qh, 3, (int)n, copy.data(), False, options, NULL, stderr) == 0) {
        facetT *facet;
        FORALLfacets if (!facet->upperdelaunay) count++;
    }
    qh_freeqhull(qh, !qh_ALL);
    int current, total;
    qh_memfreeshort(qh, &current, &total);
    return count;
}

int main(int argc, char **argv)
{
    return peer_main(argc, argv, "qhull", body);
}
