/* Vertices go toward the middle of their triangles, in the directions the surface leaves free: in the tangent
 * plane where it is smooth, along the line of a ridge, not at all at a corner. [Brochu09] 4.1 after Jiao
 * 2007. Where the surface is smooth the move is also at right angles to the star's area vector, so that to
 * first order the volume stays. */
#include "base/parallel.h"
#include "tracker/quality.h"
#include "tracker/state.h"

static void smooth_block(void *arg, size_t begin, size_t end, int worker)
{
    tracker *t = arg;
    const tmesh *m = &t->mesh;
    (void)worker;
    for (uint32_t v = (uint32_t)begin; v < end; v++) {
        t->end[v] = m->x[v];
        if (!tmesh_vertex_live(m, v)) continue;
        const vertex_space s = quality_space(m, v);
        if (s.rank == 3) continue;
        rill_vec3 sum = {0};
        double weight = 0;
        uint32_t c = m->corner[v];
        do {
            const rill_vec3 a = m->x[corner_vertex(m, corner_next(c))],
                            b = m->x[corner_vertex(m, corner_prev(c))];
            const double area = v3_length(triangle_area2(m->x[v], a, b));
            const rill_vec3 middle = v3_scale(v3_add(v3_sub(a, m->x[v]), v3_sub(b, m->x[v])), 1.0 / 3);
            sum = v3_madd(sum, area, middle);
            weight += area;
            c = corner_swing(m, c);
        } while (c != m->corner[v]);
        if (!(weight > 0)) continue;
        sum = v3_scale(sum, 1 / weight);
        rill_vec3 d = {0};
        for (int k = s.rank; k < 3; k++) d = v3_madd(d, v3_dot(sum, s.axis[k]), s.axis[k]);
        const double square = v3_dot(s.area, s.area);
        if (s.rank == 1 && square > 0) d = v3_madd(d, -v3_dot(d, s.area) / square, s.area);
        rill_vec3 to = v3_add(m->x[v], d);
        if (tracker_placed(t, TRACKER_MOVE, m->x[v], m->x[v], &to)) t->end[v] = to;
    }
}

rill_status improve_smooth(tracker *t, tracker_stats *stats)
{
    parallel_for(t->ctx, t->mesh.vertices, 256, smooth_block, t);
    tracker_stats apart = {0}; /* what is held here is no trouble of the motion */
    (void)stats;
    return motion_run(t, MOTION_HOLD, &apart);
}
