/* Where liquid leaves the simulation: drains, and what is two spacings beyond an open side, as for particles.
 * The surface's vertices stop there: what passed is the volume that the part of liquid loses. Samples beyond
 * are air, so that liquid leaves at the pressure of the air. */
#include "voronoi/state.h"

/* The side of the box that a way out of a drain ends in, where no liquid is; SIDE_COUNT: none. */
static int into_wall(const brochu *s, rill_vec3 x, double distance, rill_vec3 normal)
{
    const rill_vec3 exit = v3_madd(x, -distance, normal);
    for (int side = 0; side < (s->flat ? 4 : SIDE_COUNT); side++) {
        const double toward = v3_axis(normal, side_axis(side)) * (side & 1 ? 1 : -1);
        if (toward > 0.3 && brochu_wall_distance(s, exit, side) < 3e-3 * s->h) return side;
    }
    return SIDE_COUNT;
}

/* Inside of it the distance is that of a face through which one comes to where liquid may be: near a wall
 * that the drain ends in, the one that is nearest as seen from farther off the wall. */
static double drain_distance(const brochu *s, const shape *form, rill_vec3 x, rill_vec3 *normal)
{
    const rill_box inner = box_grown(s->box, -2e-3 * s->h);
    rill_vec3 n;
    x = v3_min(v3_max(x, inner.min), inner.max); /* a face in a wall is none */
    if (s->flat) x.z = 0;
    double d = shape_distance(form, x, &n);
    const int side = d < 0 ? into_wall(s, x, d, n) : SIDE_COUNT;
    rill_vec3 inward = {0};
    if (side < SIDE_COUNT) v3_set_axis(&inward, side_axis(side), side & 1 ? -1 : 1);
    for (double lift = 0.25 * s->h; side < SIDE_COUNT; lift += 0.25 * s->h) {
        const rill_vec3 y = v3_madd(x, lift, inward);
        rill_vec3 there;
        const double depth = shape_distance(form, y, &there);
        if (depth < 0 && lift < 100 * s->h && into_wall(s, y, depth, there) < SIDE_COUNT) continue;
        d = depth < 0 ? depth : depth - lift;
        n = depth < 0 ? there : inward;
        if (v3_dot(n, inward) > 0.9) d -= depth < 0 ? lift : 0; /* over the top */
        break;
    }
    if (s->flat) n.z = 0;
    if (normal) *normal = n;
    return d;
}

double brochu_sink(const brochu *s, rill_vec3 x, rill_vec3 *normal)
{
    const rill_scene *scene = s->sim.scene;
    double least = INFINITY;
    for (int side = 0; side < (s->flat ? 4 : SIDE_COUNT); side++) {
        if (!(scene->domain.open >> side & 1)) continue;
        const int axis = side_axis(side);
        const double at = v3_axis(x, axis), room = (side & 1 ? v3_axis(scene->domain.max, axis) - at
                                                             : at - v3_axis(scene->domain.min, axis)) +
                                                   BROCHU_BEYOND * s->h;
        if (!(room < least)) continue;
        least = room;
        if (!normal) continue;
        *normal = v3(0, 0, 0);
        v3_set_axis(normal, axis, side & 1 ? -1 : 1);
    }
    for (uint32_t i = 0; i < scene->drain_count; i++) {
        rill_vec3 n;
        const double d = drain_distance(s, &scene->drains[i].shape, x, normal ? &n : NULL);
        if (!(d < least)) continue;
        least = d;
        if (normal) *normal = n;
    }
    return least;
}

/* ---- what has left ---- */

static const double FLAT = 0.5; /* spacings: a part that is nowhere farther from a sink is gone */

/* The mesh without some of its parts, in the tracker's order. */
static rill_status without(brochu *s, const uint8_t *gone, trimesh *out)
{
    const trimesh m = tracker_view(s->tracker);
    const uint32_t *part = tracker_vertex_parts(s->tracker);
    uint32_t *id;
    TRY(ARENA_NEW(&s->scratch, id, m.vertex_count + 1));
    TRY(MEM_NEW(s->sim.ctx, out->position, m.vertex_count));
    TRY(MEM_NEW(s->sim.ctx, out->triangle, m.triangle_count));
    for (size_t v = 0; v < m.vertex_count; v++) {
        if (gone[part[v]]) continue;
        id[v] = (uint32_t)out->vertex_count;
        out->position[out->vertex_count++] = m.position[v];
    }
    for (size_t t = 0; t < m.triangle_count; t++) {
        if (gone[part[m.triangle[t][0]]]) continue;
        for (int i = 0; i < 3; i++) out->triangle[out->triangle_count][i] = id[m.triangle[t][i]];
        out->triangle_count++;
    }
    return RILL_OK;
}

static rill_status remove_parts(brochu *s, const uint8_t *gone)
{
    rill_ctx *ctx = s->sim.ctx;
    const tracker_part *part;
    size_t count, left = 0;
    tracker_parts(s->tracker, &part, &count);
    double *target;
    trimesh mesh = {0};
    tracker *t = NULL;
    TRY(ARENA_NEW(&s->scratch, target, count + 1));
    for (size_t p = 0; p < count; p++)
        if (!gone[p]) target[left++] = part[p].target;
    const tracker_def def = brochu_tracker_def(s);
    rill_status st = without(s, gone, &mesh);
    if (!st)
        st = tracker_restore(ctx, &def, &mesh, tracker_time(s->tracker), tracker_steps(s->tracker), target,
                             left, &t);
    if (!st) {
        tracker_destroy(s->tracker);
        s->tracker = t;
    }
    trimesh_clear(ctx, &mesh);
    return st;
}

rill_status brochu_drop_drained(brochu *s)
{
    if (!s->sim.scene->drain_count && !s->sim.scene->domain.open) return RILL_OK;
    const arena_mark mark = arena_mark_of(&s->scratch);
    const trimesh m = tracker_view(s->tracker);
    const uint32_t *part = tracker_vertex_parts(s->tracker);
    const tracker_part *known;
    size_t count, left = 0;
    tracker_parts(s->tracker, &known, &count);
    uint8_t *gone;
    TRY(ARENA_NEW(&s->scratch, gone, count + 1));
    for (size_t p = 0; p < count; p++) gone[p] = known[p].volume > 0;
    for (size_t v = 0; v < m.vertex_count; v++)
        if (brochu_sink(s, m.position[v], NULL) > FLAT * s->h) gone[part[v]] = 0;
    for (size_t p = 0; p < count; p++) left += !gone[p];
    const rill_status st = left < count ? remove_parts(s, gone) : RILL_OK;
    arena_back(&s->scratch, mark);
    return st;
}
