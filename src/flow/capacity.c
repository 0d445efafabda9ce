#include "flow/capacity.h"

#include <math.h>

double capacity_open_part(const rill_scene *scene, const solids *walls, rill_box box, double t, int side)
{
    const rill_vec3 size = box_size(box);
    const int deep = scene->dimensions == 2 ? 1 : side;
    int open = 0;
    for (int k = 0; k < side * side * deep; k++) {
        const rill_vec3 x = v3(box.min.x + size.x * (k % side + 0.5) / side,
                               box.min.y + size.y * (k / side % side + 0.5) / side,
                               deep == 1 ? 0 : box.min.z + size.z * (k / (side * side) + 0.5) / side);
        open += solids_distance(walls, x, t, NULL) > 0;
    }
    return (double)open / (side * side * deep);
}

double capacity_of_domain(const rill_scene *scene, const solids *walls, double t)
{
    enum { SIDE = 64 };
    const scene_domain *d = &scene->domain;
    const rill_box box = {d->min, d->max};
    if (d->open || scene->drain_count || scene->emitter_count == 0) return INFINITY;
    const rill_vec3 size = box_size(box);
    const double part = walls->count ? capacity_open_part(scene, walls, box, t, SIDE) : 1;
    return part * size.x * size.y * (scene->dimensions == 2 ? 1 : size.z);
}
