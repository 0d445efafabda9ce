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

/* ---- what smoothing and collapses take off a rim goes to the vertices around it ---- */

static const double LEAST = 1e-7; /* cubic edges that are worth it */
static const double MOST = 0.05;  /* edges that a vertex is moved for them */

/* A vertex's third of the area around it, and the way that its rule leaves it along that: *gain is the volume
 * that the surface gets by a unit of the way. */
static rill_vec3 way_of(const tracker *t, uint32_t v, double *gain)
{
    const tmesh *m = &t->mesh;
    rill_vec3 third = {0};
    uint32_t c = m->corner[v];
    do {
        third = v3_madd(third, 1.0 / 6, tmesh_area2(m, c / 3));
        c = corner_swing(m, c);
    } while (c != m->corner[v]);
    *gain = 0;
    if (!(v3_length(third) > 0)) return v3(0, 0, 0);
    const double by = MOST * t->edge;
    rill_vec3 to = v3_madd(m->x[v], by, v3_unit(third));
    if (!tracker_placed(t, TRACKER_MOVE, m->x[v], m->x[v], &to)) return v3(0, 0, 0);
    const rill_vec3 way = v3_scale(v3_sub(to, m->x[v]), 1 / by);
    *gain = v3_dot(way, third);
    return way;
}

/* Whether the rule keeps the vertex on something. */
static bool held_by_rule(const tracker *t, uint32_t v)
{
    const rill_vec3 x = t->mesh.x[v], aside = v3_madd(x, 1e-3 * t->edge, v3(1, 1, 1));
    rill_vec3 to = aside;
    return t->def.place && (!tracker_placed(t, TRACKER_MOVE, x, x, &to) || v3_distance(to, aside) > 0);
}

/* Gives a volume to the vertices around v: the smallest displacements that do. */
static void hand_out(tracker *t, uint32_t v, double volume)
{
    const tmesh *m = &t->mesh;
    double all = 0, gain;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t c = m->corner[v];
        do {
            const uint32_t b = corner_vertex(m, corner_next(c));
            const rill_vec3 way = way_of(t, b, &gain);
            const double most = MOST * t->edge;
            if (!pass)
                all += gain * gain;
            else if (gain > 0)
                t->end[b] = v3_madd(t->end[b], fmax(-most, fmin(most, volume * gain / all)), way);
            c = corner_swing(m, c);
        } while (c != m->corner[v]);
        if (!(all > 0)) return;
    }
}

/* Where the surface is smooth the moves and collapses themselves keep the volume, to first order. Where the
 * rule holds vertices, as in the rim of a film on a wall, they do not. */
static rill_status keep_volume(tracker *t)
{
    const tmesh *m = &t->mesh;
    double *lost;
    TRY(MEM_NEW(t->ctx, lost, m->vertices + 1));
    for (uint32_t v = 0; v < m->vertices; v++) {
        lost[v] = t->owed[v];
        t->owed[v] = 0;
        const rill_vec3 d = v3_sub(t->end[v], m->x[v]);
        if (!tmesh_vertex_live(m, v) || v3_dot(d, d) == 0) continue;
        uint32_t c = m->corner[v];
        do {
            lost[v] -= v3_dot(d, tmesh_area2(m, c / 3)) / 6;
            c = corner_swing(m, c);
        } while (c != m->corner[v]);
    }
    for (uint32_t v = 0; v < m->vertices; v++)
        if (fabs(lost[v]) > LEAST * t->edge * t->edge * t->edge && held_by_rule(t, v))
            hand_out(t, v, lost[v]);
    mem_free(t->ctx, lost);
    return RILL_OK;
}

rill_status improve_smooth(tracker *t, tracker_stats *stats)
{
    parallel_for(t->ctx, t->mesh.vertices, 256, smooth_block, t);
    TRY(keep_volume(t));
    tracker_stats apart = {0}; /* what is held here is no trouble of the motion */
    (void)stats;
    return motion_run(t, MOTION_HOLD, &apart);
}
