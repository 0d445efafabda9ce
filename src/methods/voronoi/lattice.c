/* The lattice that fills the box away from the surface: [Brochu10] 5.1, a body-centred cubic lattice of cells
 * two spacings wide, "or a graded octree": here cells of an octree, coarser by their distance from the
 * surface, each with a corner and its middle. Liquid is filled whole, air within a band of the surface. */
#include "voronoi/state.h"

static const double FROM_WALL = 0.3; /* spacings: nearer to walls there are no lattice sites */
static const double FROM_SURFACE =
    0.1; /* and nearer to the surface, where they would make short ghost distances */

static const double DEEPEST = 3; /* spacings: sites in solids end there */

typedef struct {
    brochu *s;
    brochu_sites *out;
    double t;
} walk;

/* certain: the whole cell is on one side of the surface, that of `phi`. */
static rill_status offer(walk *w, rill_vec3 x, double size, double phi, bool certain)
{
    const brochu *s = w->s;
    x = brochu_snap(s, x);
    for (int side = 0; side < SIDE_COUNT; side++)
        if (brochu_wall_distance(s, x, side) < FROM_WALL * s->h) return RILL_OK;
    const double room = s->cut ? brochu_room(s, x, w->t, NULL) : INFINITY;
    if (room < FROM_WALL * s->h && !brochu_buried(s, room)) return RILL_OK;
    if (room < -DEEPEST * s->h) return RILL_OK;
    if (!certain) phi = mesh_distance_exact(s->surface.distance, x, NULL);
    if (phi > s->def.air_band * s->h) return RILL_OK;
    if (!certain && fabs(phi) < FROM_SURFACE * s->h) return RILL_OK;
    return brochu_site_add(s->sim.ctx, w->out, x, phi < 0 && room > 0, size);
}

/* Whether a cell is divided: near the surface, near solids, and once more near bodies, whose forces are
 * those of the pressures around them. */
static bool divided(const walk *w, rill_vec3 middle, double size, double phi, int level)
{
    const brochu *s = w->s;
    const double radius = 0.8661 * size;
    if (level > 0 && fabs(phi) < radius + 1.5 * size) return true;
    if (!s->cut || phi > radius || level < 0 || (level == 0 && !s->sim.bodies.count)) return false;
    return fabs(brochu_room(s, middle, w->t, NULL)) < radius + 0.5 * size;
}

static rill_status descend(walk *w, rill_vec3 corner, int level)
{
    const brochu *s = w->s;
    const double size = ldexp(2 * s->h, level), radius = 0.8661 * size, half = size / 2;
    if (corner.x > s->box.max.x || corner.y > s->box.max.y || corner.z > s->box.max.z) return RILL_OK;
    const rill_vec3 middle = v3_add(corner, v3(half, half, half));
    const double phi = mesh_distance_exact(s->surface.distance, middle, NULL);
    if (phi - radius > s->def.air_band * s->h) return RILL_OK;
    if (divided(w, middle, size, phi, level)) {
        for (int k = 0; k < 8; k++)
            TRY(descend(w, v3_add(corner, v3(k & 1 ? half : 0, k & 2 ? half : 0, k & 4 ? half : 0)),
                        level - 1));
        return RILL_OK;
    }
    const bool certain = phi < -radius || (phi > radius && phi + radius < s->def.air_band * s->h);
    TRY(offer(w, corner, size, phi, certain));
    return offer(w, middle, size, phi, certain);
}

rill_status brochu_lattice(brochu *s, brochu_sites *out, double t)
{
    walk w = {s, out, t};
    const int top = s->def.graded ? BROCHU_LEVELS : 0;
    const double size = 2 * s->h * (1 << top);
    const rill_vec3 lo = v3_add(s->box.min, v3(s->h / 2, s->h / 2, s->h / 2)), hi = s->box.max;
    const rill_box near = box_grown(trimesh_bounds(&s->surface.mesh), s->def.air_band * s->h);
    for (double z = lo.z; z < hi.z; z += size)
        for (double y = lo.y; y < hi.y; y += size)
            for (double x = lo.x; x < hi.x; x += size) {
                if (x > near.max.x || y > near.max.y || z > near.max.z || x + size < near.min.x ||
                    y + size < near.min.y || z + size < near.min.z)
                    continue;
                TRY(descend(&w, v3(x, y, z), top));
            }
    return RILL_OK;
}
