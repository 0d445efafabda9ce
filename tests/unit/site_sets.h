/* Point sets that geometry finds hard, for tests. */
#pragma once

#include "base/random.h"
#include "base/vec.h"

typedef enum point_set {
    POINTS_RANDOM,
    POINTS_CUBIC, /* lattices: ties everywhere */
    POINTS_BCC,
    POINTS_FCC,
    POINTS_SPHERE,    /* all on the hull, nearly cospherical */
    POINTS_CLUSTERED, /* half of them in a ball a thousand times smaller */
    POINTS_HUGE,      /* coordinates of 1e15 */
    POINTS_TINY,      /* of 1e-200 */
    POINTS_PLANES,    /* on three planes */
    POINTS_LINE,      /* on a line but for two */
    POINT_SETS
} point_set;

static inline rill_vec3 point_random(uint64_t seed, uint64_t i)
{
    const random4 a = random_at(seed, i, 0, 0), b = random_at(seed, i, 1, 0);
    return v3(random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]), random_unit(b.v[0], b.v[1]));
}

static inline rill_vec3 point_lattice(size_t i, size_t n, int per_cell)
{
    size_t side = 1;
    while (side * side * side * (size_t)per_cell < n) side++;
    const size_t c = i / (size_t)per_cell, k = i % (size_t)per_cell;
    rill_vec3 p = v3((double)(c % side), (double)(c / side % side), (double)(c / side / side));
    if (per_cell == 2 && k) p = v3_add(p, v3(0.5, 0.5, 0.5));
    if (per_cell == 4 && k) p = v3_add(p, v3(k != 1 ? 0.5 : 0, k != 2 ? 0.5 : 0, k != 3 ? 0.5 : 0));
    return p;
}

static inline rill_vec3 point_of(point_set set, size_t i, size_t n)
{
    const rill_vec3 r = point_random(11, i);
    switch (set) {
    case POINTS_CUBIC: return point_lattice(i, n, 1);
    case POINTS_BCC: return point_lattice(i, n, 2);
    case POINTS_FCC: return point_lattice(i, n, 4);
    case POINTS_SPHERE: return v3_unit(v3_sub(r, v3(0.5, 0.5, 0.5)));
    case POINTS_CLUSTERED: return i % 2 ? r : v3_madd(v3(0.3, 0.4, 0.5), 1e-3, r);
    case POINTS_HUGE: return v3(1e15 * r.x, -1e15 * r.y, 1e15 * r.z);
    case POINTS_TINY: return v3_scale(r, 1e-200);
    case POINTS_PLANES: {
        rill_vec3 p = r;
        v3_set_axis(&p, (int)(i % 3), 0.25 * (double)(i % 3));
        return p;
    }
    case POINTS_LINE: return i == 0 ? v3(0, 1, 0) : i == 1 ? v3(0, 0, 1) : v3((double)i / (double)n, 0, 0);
    default: return r;
    }
}
