/* Whether a solid given by triangles has thin walls: asked once, by samples. */
#include "geom/distance/mesh_distance.h"

enum { MOST_TRIANGLES = 4000, DEPTHS = 4 };

/* From the middle of a triangle into the solid: what comes out again, within `than`, on the
 * other side and not around an edge. */
static bool thin_at(const mesh_distance *m, rill_vec3 middle, rill_vec3 normal, double than)
{
    for (int k = 1; k <= DEPTHS; k++) {
        rill_vec3 out;
        const rill_vec3 x = v3_madd(middle, -than * k / DEPTHS, normal);
        if (mesh_distance_exact(m, x, &out) > 0 && v3_dot(out, normal) < -0.5) return true;
    }
    return false;
}

bool mesh_distance_thinner(const mesh_distance *m, double than)
{
    const trimesh *s = mesh_distance_surface(m);
    const size_t stride = s->triangle_count / MOST_TRIANGLES + 1;
    for (size_t i = 0; i < s->triangle_count; i += stride) {
        const uint32_t *t = s->triangle[i];
        const rill_vec3 a = s->position[t[0]], b = s->position[t[1]], c = s->position[t[2]];
        const rill_vec3 normal = v3_cross(v3_sub(b, a), v3_sub(c, a));
        const double size = v3_length(normal);
        if (!(size > 0)) continue;
        const rill_vec3 middle = v3_scale(v3_add(a, v3_add(b, c)), 1.0 / 3);
        if (thin_at(m, middle, v3_scale(normal, 1 / size), than)) return true;
    }
    return false;
}
