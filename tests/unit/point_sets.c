#include "point_sets.h"

#include "base/random.h"

const char *const point_set_names[SETS] = {"random", "cubic",  "bcc",   "fcc",  "nearly cubic", "clustered",
                                           "nested", "sphere", "plane", "line", "walls",        "pairs"};

static rill_vec3 uniform(uint64_t seed, uint64_t i, uint32_t stream)
{
    const random4 r = random_at(seed, i, 0, stream), q = random_at(seed, i, 1, stream);
    return v3(random_unit(r.v[0], r.v[1]), random_unit(r.v[2], r.v[3]), random_unit(q.v[0], q.v[1]));
}

static uint32_t lattice(int per_cell, uint32_t count, rill_vec3 *x)
{
    static const rill_vec3 cubic[] = {{0.5, 0.5, 0.5}};
    static const rill_vec3 bcc[] = {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}};
    static const rill_vec3 fcc[] = {
        {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
    const rill_vec3 *at = per_cell == 1 ? cubic : per_cell == 2 ? bcc : fcc;
    uint32_t m = 1, n = 0;
    while ((m + 1) * (m + 1) * (m + 1) * (uint32_t)per_cell <= count) m++;
    if (count < (uint32_t)per_cell) return 0;
    for (uint32_t k = 0; k < m; k++)
        for (uint32_t j = 0; j < m; j++)
            for (uint32_t i = 0; i < m; i++)
                for (int s = 0; s < per_cell; s++)
                    x[n++] = v3((i + at[s].x) / m, (j + at[s].y) / m, (k + at[s].z) / m);
    return n;
}

uint32_t point_set_make(point_set set, uint32_t count, uint64_t seed, rill_vec3 *x)
{
    if (set >= SET_CUBIC && set <= SET_NEARLY_CUBIC) {
        const uint32_t n = lattice(set == SET_BCC ? 2 : set == SET_FCC ? 4 : 1, count, x);
        for (uint32_t i = 0; i < n && set == SET_NEARLY_CUBIC; i++)
            x[i] = v3_madd(x[i], 1e-13, v3_sub(uniform(seed, i, set), v3(0.5, 0.5, 0.5)));
        return n;
    }
    for (uint32_t i = 0; i < count; i++) {
        const rill_vec3 u = uniform(seed, i, set);
        const rill_vec3 d = v3_unit(v3_sub(u, v3(0.5, 0.5, 0.5)));
        switch (set) {
        case SET_CLUSTERED: x[i] = i % 2 ? v3_madd(v3(0.3, 0.6, 0.2), 1e-3, u) : u; break;
        case SET_NESTED: x[i] = v3_madd(v3(0.5, 0.5, 0.5), 0.45 * pow(2, -30.0 * i / count), d); break;
        case SET_SPHERE: x[i] = i ? v3_madd(v3(0.5, 0.5, 0.5), 0.4, d) : v3(0.5, 0.5, 0.5); break;
        case SET_PLANE: x[i] = v3(u.x, 0.375, u.z); break;
        case SET_LINE: x[i] = v3_madd(v3(0.1, 0.2, 0.3), u.x, v3(0.5, 0.25, 0.125)); break;
        case SET_WALLS: {
            const double v[3] = {u.x, u.y, u.z};
            double w[3];
            for (int a = 0; a < 3; a++) w[a] = i < 8 ? (double)(i >> a & 1) : v[a];
            if (i >= 8) w[i % 3] = i / 3 % 2;
            if (i >= 8 && i % 4 == 0) w[(i + 1) % 3] = i / 5 % 2;
            x[i] = v3(w[0], w[1], w[2]);
            break;
        }
        case SET_PAIRS: x[i] = i % 2 ? v3_madd(x[i - 1], 1e-9, d) : u; break;
        default: x[i] = u;
        }
        x[i] = v3_max(v3(0, 0, 0), v3_min(v3(1, 1, 1), x[i]));
    }
    return count;
}
