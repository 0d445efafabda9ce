/* CGAL's Delaunay_triangulation_3 with exact predicates; parallel where TBB is there. */
#include "points.h"

#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Delaunay_triangulation_cell_base_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_vertex_base_3.h>

typedef CGAL::Exact_predicates_inexact_constructions_kernel kernel;
#ifdef CGAL_LINKED_WITH_TBB
typedef CGAL::Parallel_tag tag;
#else
typedef CGAL::Sequential_tag tag;
#endif
typedef CGAL::Triangulation_data_structure_3<CGAL::Triangulation_vertex_base_3<kernel>,
                                             CGAL::Delaunay_triangulation_cell_base_3<kernel>, tag>
    structure;
typedef CGAL::Delaunay_triangulation_3<kernel, structure> delaunay;

static size_t body(const std::vector<double> &x, size_t n)
{
    std::vector<kernel::Point_3> p;
    p.reserve(n);
    for (size_t i = 0; i < n; i++) p.emplace_back(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
#ifdef CGAL_LINKED_WITH_TBB
    delaunay::Lock_data_structure locks(CGAL::Bbox_3(0, 0, 0, 1, 1, 1), 50);
    delaunay d(p.begin(), p.end(), &locks);
#else
    delaunay d(p.begin(), p.end());
#endif
    return d.number_of_finite_cells();
}

int main(int argc, char **argv)
{
#ifdef CGAL_LINKED_WITH_TBB
    return peer_main(argc, argv, "cgal-parallel", body);
#else
    return peer_main(argc, argv, "cgal", body);
#endif
}
