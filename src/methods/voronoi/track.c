/* The surface moves: [Brochu10] stage 1. Vertices go with the liquid by the midpoint rule; each part of the
 * liquid is led back to its volume by an offset of its free vertices (E-R5): vertices in walls stay in them.
 */
#include "base/parallel.h"
#include "voronoi/state.h"

static const double MOST_OFFSET = 0.05; /* spacings a step: E-R5 */
static const double ATTACH = 0.05;      /* spacings: what comes so near to a side of the box lies in it */

typedef struct {
    brochu *s;
    const trimesh *mesh;
    double dt, since;     /* since: the time at the start of the motion */
    const double *offset; /* [part] */
    const uint32_t *part; /* [vertex] */
    rill_vec3 *x;
} job;

/* Ends in a side of the box when it began there, would pass it, or comes near with its face toward it. */
static rill_vec3 held_by_walls(const brochu *s, size_t v, rill_vec3 from, rill_vec3 to)
{
    const brochu_surface *u = &s->surface;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const int axis = side_axis(side);
        const double before = brochu_wall_distance(s, from, side), after = brochu_wall_distance(s, to, side),
                     near = ATTACH * s->h;
        const double toward = u->area[v] > 0 ? v3_axis(u->normal[v], axis) * (side & 1 ? 1 : -1) : 0;
        if (u->wall[v] >> side & 1 || after <= 0 || (before < near && toward > -0.5) ||
            (after < near && toward > 0.5))
            v3_set_axis(&to, axis, v3_axis(side & 1 ? s->box.max : s->box.min, axis));
    }
    return to;
}

/* Vertices outside of solids stay outside. Those inside, where the mesh passes through, go no deeper while
 * they are near the solid's surface, and are left alone beyond. */
static rill_vec3 held_by_solids(const job *j, rill_vec3 from, rill_vec3 to)
{
    const brochu *s = j->s;
    if (!s->walls.count) return to;
    const double before = brochu_room(s, from, j->since, NULL);
    if (before < -s->h) return to;
    solid_contact c;
    const double room = brochu_room(s, to, j->since + j->dt, &c), least = fmin(before, 0);
    return room < least ? v3_madd(to, least - room, c.normal) : to;
}

/* Where the liquid carries a vertex, before its volume is corrected. */
static void carry_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const brochu *s = j->s;
    const brochu_diagram *d = &s->diagram[s->now];
    for (size_t v = begin; v < end; v++) {
        const rill_vec3 x = j->mesh->position[v];
        uint32_t hint = SITE_NONE;
        rill_vec3 u = brochu_look(s, d, x, &hint);
        u = brochu_look(s, d, v3_madd(x, 0.5 * j->dt, u), &hint);
        j->x[v] = held_by_walls(s, v, x, held_by_solids(j, x, v3_madd(x, j->dt, u)));
    }
}

static void offset_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const brochu *s = j->s;
    for (size_t v = begin; v < end; v++) {
        const double offset = j->offset[j->part[v]];
        if (offset == 0 || !(s->surface.area[v] > 0)) continue;
        const rill_vec3 x = j->mesh->position[v], to = v3_madd(j->x[v], offset, s->surface.normal[v]);
        j->x[v] = held_by_walls(s, v, x, held_by_solids(j, x, to));
    }
}

/* How far the free vertices of each part go so that it ends with its volume: E-R5. What the tracker's
 * improvement and the motion itself lose is made up for in the same step. */
static rill_status find_offsets(job *j)
{
    brochu *s = j->s;
    const trimesh *m = j->mesh;
    const tracker_part *part;
    size_t count;
    tracker_parts(s->tracker, &part, &count);
    double *offset, *area, *volume;
    TRY(ARENA_NEW(&s->scratch, offset, count + 1));
    TRY(ARENA_NEW(&s->scratch, area, count + 1));
    TRY(ARENA_NEW(&s->scratch, volume, count + 1));
    for (size_t p = 0; p < count; p++) area[p] = offset[p] = volume[p] = 0;
    for (size_t v = 0; v < m->vertex_count; v++) area[j->part[v]] += s->surface.area[v];
    const rill_vec3 o = box_center(s->box);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangle[t];
        volume[j->part[v[0]]] +=
            v3_dot(v3_sub(j->x[v[0]], o), v3_cross(v3_sub(j->x[v[1]], o), v3_sub(j->x[v[2]], o))) / 6;
    }
    const double most = MOST_OFFSET * s->h * j->dt / s->track_dt;
    for (size_t p = 0; p < count; p++)
        if (area[p] > 0) offset[p] = fmax(-most, fmin(most, (part[p].target - volume[p]) / area[p]));
    j->offset = offset;
    return RILL_OK;
}

static rill_status predict(void *user, const trimesh *mesh, double dt, rill_vec3 *x)
{
    brochu *s = user;
    const arena_mark mark = arena_mark_of(&s->scratch);
    TRY(brochu_surface_measure(s, mesh));
    job j = {.s = s,
             .mesh = mesh,
             .dt = dt,
             .since = s->track_time,
             .part = tracker_vertex_parts(s->tracker),
             .x = x};
    parallel_for(s->sim.ctx, mesh->vertex_count, 128, carry_block, &j);
    if (s->def.keep_volume) {
        TRY(find_offsets(&j));
        parallel_for(s->sim.ctx, mesh->vertex_count, 1024, offset_block, &j);
    }
    arena_back(&s->scratch, mark);
    return RILL_OK;
}

rill_status brochu_track(brochu *s, double t, double dt)
{
    s->track_time = t;
    s->track_dt = dt;
    TRY(tracker_advance_to(s->tracker, dt, predict, s, &s->track));
    s->volume = s->track.volume;
    s->view = tracker_view(s->tracker);
    return brochu_surface_measure(s, &s->view);
}
