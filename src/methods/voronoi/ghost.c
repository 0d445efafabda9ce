#include "voronoi/ghost.h"

/* Along the way from a liquid site, again in double: rays are single precision. */
static bool cross_ray(const brochu *s, rill_vec3 from, rill_vec3 way, double length, brochu_ghost *c)
{
    const brochu_surface *u = &s->surface;
    rays_hit hit;
    if (!u->rays || !rays_intersect(u->rays, from, way, 0, length, &hit)) return false;
    const uint32_t *v = u->open.triangle[hit.element];
    const rill_vec3 a = u->mesh.position[v[0]],
                    n = v3_cross(v3_sub(u->mesh.position[v[1]], a), v3_sub(u->mesh.position[v[2]], a));
    const double down = v3_dot(n, way);
    double t = hit.t;
    if (fabs(down) > 1e-9 * v3_length(n)) {
        const double exact = v3_dot(n, v3_sub(a, from)) / down;
        if (fabs(exact - t) < 1e-3 * length) t = exact;
    }
    c->share = fmin(fmax(t, 0) / length, 1);
    c->part = tracker_vertex_parts(s->tracker)[v[0]];
    c->curvature =
        (1 - hit.u - hit.v) * u->curvature[v[0]] + hit.u * u->curvature[v[1]] + hit.v * u->curvature[v[2]];
    return true;
}

static double cross_distance(const brochu *s, rill_vec3 liquid, rill_vec3 air)
{
    const double a = -fabs(mesh_distance_exact(s->surface.distance, liquid, NULL)),
                 b = fabs(mesh_distance_exact(s->surface.distance, air, NULL));
    return b - a > 0 ? a / (a - b) : 0.5;
}

brochu_ghost brochu_cross(const brochu *s, const brochu_diagram *d, uint32_t e)
{
    const bool tension = s->sim.scene->fluid.surface_tension > 0;
    const uint32_t *v = d->faces.site[e];
    const int first = d->sites.liquid[v[0]] ? 0 : 1;
    const uint32_t i = v[first], o = v[1 - first];
    const rill_vec3 way = v3_scale(d->faces.normal[e], first ? -1 : 1);
    const uint8_t walls = d->sites.wall[i] & d->sites.wall[o];
    /* In a wall the ray would run along the surface's edge. */
    const rill_vec3 from = brochu_off_walls(s, d->sites.x[i], walls, 1e-3 * s->h);
    brochu_ghost c = {.share = 0.5, .part = SITE_NONE};
    const bool hit = (s->def.crossing == BROCHU_RAY || tension || s->def.bubbles) &&
                     cross_ray(s, from, way, d->faces.length[e], &c);
    if (!hit || s->def.crossing == BROCHU_DISTANCE)
        c.share = cross_distance(s, from, brochu_off_walls(s, d->sites.x[o], walls, 1e-3 * s->h));
    c.at = v3_madd(d->sites.x[i], c.share * d->faces.length[e], way);
    return c;
}
