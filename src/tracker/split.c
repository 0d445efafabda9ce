/* Long edges get a vertex in their middle. [Brochu09] 4.1: at the point of the modified butterfly scheme
 * where the surface is smooth, so that a curved surface keeps its volume; in the middle at ridges and
 * corners, where the way to the other point is not free, and when that is what was asked for. */
#include "tracker/candidates.h"
#include "tracker/quality.h"

#include <string.h>

enum { PASSES = 4 };

/* Across the edge opposite to corner c. */
static rill_vec3 beyond(const tmesh *m, uint32_t c)
{
    return m->x[corner_vertex(m, m->opposite[c])];
}

/* Dyn, Levin and Gregory 1990: 1/2 of the ends, 1/8 of the vertices across, -1/16 of the four wings. */
static rill_vec3 butterfly(const tmesh *m, uint32_t c)
{
    const uint32_t o = m->opposite[c];
    rill_vec3 p =
        v3_scale(v3_add(m->x[corner_vertex(m, corner_next(c))], m->x[corner_vertex(m, corner_prev(c))]), 0.5);
    p = v3_madd(p, 0.125, v3_add(m->x[corner_vertex(m, c)], m->x[corner_vertex(m, o)]));
    p = v3_madd(p, -0.0625, v3_add(beyond(m, corner_next(c)), beyond(m, corner_prev(c))));
    return v3_madd(p, -0.0625, v3_add(beyond(m, corner_next(o)), beyond(m, corner_prev(o))));
}

static bool smooth_edge(const tmesh *m, uint32_t a, uint32_t b)
{
    return quality_space(m, a).rank == 1 && quality_space(m, b).rank == 1;
}

/* The four triangles around v keep their side when it goes to p. */
static bool keeps_sides(const tmesh *m, uint32_t v, rill_vec3 p)
{
    uint32_t c = m->corner[v];
    do {
        const rill_vec3 a = m->x[corner_vertex(m, corner_next(c))],
                        b = m->x[corner_vertex(m, corner_prev(c))];
        const rill_vec3 before = triangle_area2(m->x[v], a, b), after = triangle_area2(p, a, b);
        if (!(v3_dot(before, after) > 0.25 * v3_dot(before, before))) return false;
        c = corner_swing(m, c);
    } while (c != m->corner[v]);
    return true;
}

static rill_status split_edge(tracker *t, uint32_t c)
{
    tmesh *m = &t->mesh;
    const uint32_t a = corner_vertex(m, corner_next(c)), b = corner_vertex(m, corner_prev(c)),
                   o = m->opposite[c];
    const rill_vec3 middle = v3_scale(v3_add(m->x[a], m->x[b]), 0.5);
    const bool smooth = !t->def.midpoint && smooth_edge(m, a, b);
    rill_vec3 aim = smooth ? butterfly(m, c) : middle;
    const bool placed = tracker_placed(t, TRACKER_SPLIT, m->x[a], m->x[b], &aim) &&
                        v3_distance(aim, middle) < t->edge && memcmp(&aim, &middle, sizeof aim) != 0;
    uint32_t added[2];
    TRY(tracker_reserve(t, 1, 2));
    const uint32_t v = tmesh_split(m, c, middle, added);
    TRY(tracker_update_box(t, c / 3));
    TRY(tracker_update_box(t, o / 3));
    TRY(tracker_update_box(t, added[0]));
    TRY(tracker_update_box(t, added[1]));

    star s = star_none();
    star_point(&s, v, middle, aim);
    if (!placed || !keeps_sides(m, v, aim) || !star_fan(m, &s, v, TMESH_NONE) || !star_free(t, &s))
        return RILL_OK;
    m->x[v] = aim;
    TRY(tracker_update_box(t, c / 3));
    TRY(tracker_update_box(t, o / 3));
    TRY(tracker_update_box(t, added[0]));
    return tracker_update_box(t, added[1]);
}

rill_status improve_split(tracker *t, tracker_stats *stats)
{
    const double limit = t->def.longest * t->edge;
    for (int pass = 0; pass < PASSES; pass++) {
        edge_list list = {0};
        TRY(edges_by_length(t, 0, limit, &list));
        rill_status st = RILL_OK;
        const size_t count = list.count;
        for (size_t i = 0; !st && i < list.count; i++) {
            const uint32_t a = list.edge[i][0], b = list.edge[i][1];
            const uint32_t c = tmesh_find_edge(&t->mesh, a, b);
            if (c == TMESH_NONE || !(tmesh_edge_length(&t->mesh, c) > limit)) continue;
            st = split_edge(t, c);
            stats->splits += !st;
        }
        edges_clear(t->ctx, &list);
        TRY(st);
        if (count == 0) break;
    }
    return RILL_OK;
}
