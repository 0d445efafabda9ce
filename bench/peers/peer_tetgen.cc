/* TetGen: Delaunay tetrahedra of points, no output files, no checks. */
#include "points.h"

#include <tetgen.h>

static size_t body(const std::vector<double> &x, size_t n)
{
    tetgenio in, out;
    in.numberofpoints = (int)n;
    in.pointlist = new REAL[3 * n];
    std::memcpy(in.pointlist, x.data(), 3 * n * sizeof(double));
    char options[] = "Q";
    tetrahedralize(options, &in, &out);
    return (size_t)out.numberoftetrahedra;
}

int main(int argc, char **argv)
{
    return peer_main(argc, argv, "tetgen", body);
}
