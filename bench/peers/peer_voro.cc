/* voro++: all cells of the unit cube with volumes, areas and neighbours. */
#include "points.h"

#include <voro++.hh>

static size_t body(const std::vector<double> &x, size_t n)
{
    const int blocks = (int)std::ceil(std::cbrt((double)n / 5)); /* its manual: about five points a block */
    voro::container box(0, 1, 0, 1, 0, 1, blocks, blocks, blocks, false, false, false, 8);
    for (size_t i = 0; i < n; i++) box.put((int)i, x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    voro::c_loop_all loop(box);
    voro::voronoicell_neighbor cell;
    std::vector<int> neighbours;
    std::vector<double> areas;
    double volume = 0;
    size_t faces = 0;
    if (loop.start()) do {
            if (!box.compute_cell(cell, loop)) continue;
            volume += cell.volume();
            cell.neighbors(neighbours);
            cell.face_areas(areas);
            faces += areas.size();
        } while (loop.inc());
    if (std::fabs(volume - 1) > 1e-6) std::fprintf(stderr, "voro++: volumes add up to %.9f\n", volume);
    return faces;
}

int main(int argc, char **argv)
{
    return peer_main(argc, argv, "voro++", body);
}
