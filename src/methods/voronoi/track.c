/* The surface moves: [Brochu10] stage 1. Vertices go with the liquid by the midpoint rule; each part of the
 * liquid is led back to its volume by an offset of its free vertices (E-R5): vertices in walls stay in them.
 */
#include "base/parallel.h"
#include "voronoi/emit.h"

static const double MOST_OFFSET = 0.05; /* spacings a step: E-R5 */
static const double ATTACH = 0.05;      /* spacings: what comes so near to a side of the box lies in it */

typedef struct {
    brochu *s;
    const trimesh *mesh;
    double dt, since;      /* since: the time at the start of the motion */
    const double *offset;  /* [part] */
    const uint32_t *part;  /* [vertex] */
    const uint32_t *group; /* [part] the part whose liquid it bounds: itself, or the one around a cavity */
    size_t parts;
    uint8_t *held; /* [vertex] in a nozzle or a sink: no offset */
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

/* Whether the way ends at the far side of a plate: the solid faces the other way there, and is between. */
static bool through_plate(const job *j, rill_vec3 from, rill_vec3 to, double before, const solid_contact *a,
                          const solid_contact *b)
{
    const brochu *s = j->s;
    if (a->solid != b->solid || !brochu_faces_away(a->normal, b->normal)) return false;
    return before <= 0 ||
           solids_free_share(&s->walls, from, j->since, v3_sub(to, from), j->since + j->dt, 1e-3 * s->h) < 1;
}

/* Vertices outside of solids stay outside, on the side of a plate that they are on. Those inside, where the
 * mesh passes through, go no deeper while they are near the solid's surface, and are left alone beyond. */
static rill_vec3 held_by_solids(const job *j, rill_vec3 from, rill_vec3 to)
{
    const brochu *s = j->s;
    if (!s->cut) return to;
    solid_contact a, b;
    const double before = brochu_room(s, from, j->since, &a);
    if (before < -s->h) return to;
    const double room = brochu_room(s, to, j->since + j->dt, &b), least = fmin(before, 0);
    if (isfinite(before) && isfinite(room) && through_plate(j, from, to, before, &a, &b)) {
        const double inward = v3_dot(v3_madd(v3_sub(to, from), -j->dt, a.velocity), a.normal);
        return v3_madd(to, fmax(0, -inward - fmax(before, 0)), a.normal);
    }
    return room < least ? v3_madd(to, least - room, b.normal) : to;
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
        const brochu_nozzle *nozzle;
        j->held[v] = s->nozzle && brochu_in_nozzle(s, x, &nozzle);
        if (j->held[v]) continue;
        uint32_t hint = SITE_NONE;
        rill_vec3 u = brochu_blown(s, x, brochu_look(s, d, x, &hint));
        const rill_vec3 half = v3_madd(x, 0.5 * j->dt, u);
        u = brochu_blown(s, half, brochu_look(s, d, half, &hint));
        j->x[v] = held_by_walls(s, v, x, held_by_solids(j, x, v3_madd(x, j->dt, u)));
    }
}

/* What enters a sink stops at its face. */
static void sink_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t v = begin; v < end; v++) {
        rill_vec3 n;
        const double d = brochu_sink(j->s, j->x[v], &n);
        if (d >= 0 || j->held[v]) continue;
        j->x[v] = brochu_clamp(j->s, v3_madd(j->x[v], -d, n));
        j->held[v] = 1;
    }
}

static void offset_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const brochu *s = j->s;
    for (size_t v = begin; v < end; v++) {
        const double offset = j->offset[j->group[j->part[v]]];
        if (offset == 0 || !(s->surface.area[v] > 0) || j->held[v]) continue;
        const rill_vec3 x = j->mesh->position[v], to = v3_madd(j->x[v], offset, s->surface.normal[v]);
        j->x[v] = held_by_walls(s, v, x, held_by_solids(j, x, to));
    }
}

/* Of the liquid of each part as its vertices are at j->x, that of its cavities taken away. */
static void volumes(const job *j, double *volume)
{
    const rill_vec3 o = box_center(j->s->box);
    for (size_t p = 0; p < j->parts; p++) volume[p] = 0;
    for (size_t t = 0; t < j->mesh->triangle_count; t++) {
        const uint32_t *v = j->mesh->triangle[t];
        volume[j->group[j->part[v[0]]]] +=
            v3_dot(v3_sub(j->x[v[0]], o), v3_cross(v3_sub(j->x[v[1]], o), v3_sub(j->x[v[2]], o))) / 6;
    }
}

/* How far the free vertices of each part go so that it ends with its volume: E-R5. What the tracker's
 * improvement and the motion itself lose is made up for in the same step. */
static rill_status find_offsets(job *j)
{
    brochu *s = j->s;
    const tracker_part *part;
    size_t count;
    tracker_parts(s->tracker, &part, &count);
    double *offset, *area, *volume;
    TRY(ARENA_NEW(&s->scratch, offset, count + 1));
    TRY(ARENA_NEW(&s->scratch, area, count + 1));
    TRY(ARENA_NEW(&s->scratch, volume, count + 1));
    for (size_t p = 0; p < count; p++) area[p] = offset[p] = 0;
    for (size_t v = 0; v < j->mesh->vertex_count; v++)
        if (!j->held[v]) area[j->group[j->part[v]]] += s->surface.area[v];
    volumes(j, volume);
    for (size_t p = 0; p < count; p++) /* what is missing */
        offset[j->group[p]] += part[p].target + s->motion.gain[p] + s->motion.maybe[p];
    const double most = MOST_OFFSET * s->h * j->dt / s->motion.dt;
    for (size_t p = 0; p < count; p++)
        offset[p] = area[p] > 0 ? fmax(-most, fmin(most, (offset[p] - volume[p]) / area[p])) : 0;
    j->offset = offset;
    return RILL_OK;
}

/* ---- what comes in and leaves ---- */

static void take_over(brochu_motion *m, size_t parts)
{
    for (size_t p = 0; p < parts; p++) m->gain[p] += m->maybe[p];
    m->done += m->pending;
    m->pending = 0;
}

/* Liquid that stopped in sinks, and what nozzles gave in this part of the step. */
static rill_status exchange(job *j)
{
    brochu *s = j->s;
    const rill_scene *scene = s->sim.scene;
    for (size_t p = 0; p < j->parts; p++) s->motion.maybe[p] = 0;
    if (scene->drain_count || scene->domain.open) {
        double *before, *after;
        TRY(ARENA_NEW(&s->scratch, before, j->parts + 1));
        TRY(ARENA_NEW(&s->scratch, after, j->parts + 1));
        volumes(j, before);
        parallel_for(s->sim.ctx, j->mesh->vertex_count, 256, sink_block, j);
        volumes(j, after);
        for (size_t p = 0; p < j->parts; p++) s->motion.maybe[p] = after[p] - before[p];
    }
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        if (!s->nozzle[i].open || !s->nozzle[i].wet) continue;
        const uint32_t p = brochu_nozzle_part(s, i, j->mesh, j->part);
        if (p != SITE_NONE) s->motion.maybe[j->group[p]] += s->nozzle[i].owed * j->dt / s->motion.dt;
    }
    return RILL_OK;
}

static rill_status begin_part(job *j)
{
    brochu *s = j->s;
    brochu_motion *m = &s->motion;
    const tracker_part *part;
    tracker_parts(s->tracker, &part, &j->parts);
    if (m->pending > 0 && j->dt > 0.75 * m->pending) take_over(m, j->parts);
    if (!(m->pending > 0) && !(m->done > 0)) { /* the first */
        TRY(mem_grow(s->sim.ctx, &m->gain, sizeof *m->gain, &m->room[0], j->parts + 1));
        TRY(mem_grow(s->sim.ctx, &m->maybe, sizeof *m->maybe, &m->room[1], j->parts + 1));
        for (size_t p = 0; p < j->parts; p++) m->gain[p] = m->maybe[p] = 0;
    }
    m->pending = j->dt;
    j->since = m->time + m->done;
    return RILL_OK;
}

static rill_status predict(void *user, const trimesh *mesh, double dt, rill_vec3 *x)
{
    brochu *s = user;
    const arena_mark mark = arena_mark_of(&s->scratch);
    TRY(brochu_surface_measure(s, mesh));
    job j = {.s = s, .mesh = mesh, .dt = dt, .part = tracker_vertex_parts(s->tracker), .x = x};
    TRY(begin_part(&j));
    TRY(brochu_groups(s, mesh, &j.group));
    TRY(ARENA_NEW(&s->scratch, j.held, mesh->vertex_count + 1));
    parallel_for(s->sim.ctx, mesh->vertex_count, 128, carry_block, &j);
    TRY(brochu_roll(s, mesh, dt, j.held, x));
    TRY(exchange(&j));
    if (s->def.keep_volume) {
        TRY(find_offsets(&j));
        parallel_for(s->sim.ctx, mesh->vertex_count, 1024, offset_block, &j);
        if (s->sim.scene->drain_count || s->sim.scene->domain.open)
            parallel_for(s->sim.ctx, mesh->vertex_count, 256, sink_block, &j);
    }
    arena_back(&s->scratch, mark);
    return RILL_OK;
}

/* Parts that the tracker removed, drops and cavities alike, leave their volume to the largest part: a cavity
 * is filled with liquid from around it. */
static void settle_dropped(brochu *s, const tracker_part *part, size_t count)
{
    size_t most = 0;
    for (size_t p = 0; p < count; p++)
        if (part[p].volume > part[most].volume) most = p;
    if (count && s->track.dropped_target != 0)
        tracker_set_target(s->tracker, most, part[most].target + s->track.dropped_target);
}

/* The volumes that parts are led to change by what came in and left. */
static void settle(brochu *s)
{
    const tracker_part *part;
    size_t count;
    tracker_parts(s->tracker, &part, &count);
    settle_dropped(s, part, count);
    if (s->motion.pending > 0) take_over(&s->motion, count);
    for (size_t p = 0; s->motion.done > 0 && p < count; p++)
        if (s->motion.gain[p] != 0) tracker_set_target(s->tracker, p, part[p].target + s->motion.gain[p]);
    for (uint32_t i = 0; i < s->sim.scene->emitter_count; i++)
        if (s->nozzle[i].open && s->nozzle[i].wet) s->nozzle[i].owed = 0;
}

/* A cavity that does not keep its air gets smaller until the tracker removes it: the volume that it is led to
 * is the one it has, and the liquid around takes the difference. Otherwise the liquid would be led to the
 * volume with the cavity filled, once that is gone. */
static rill_status follow_cavities(brochu *s)
{
    const trimesh view = tracker_view(s->tracker);
    const tracker_part *part;
    const uint32_t *group;
    size_t count;
    const arena_mark mark = arena_mark_of(&s->scratch);
    tracker_parts(s->tracker, &part, &count);
    TRY(brochu_groups(s, &view, &group));
    for (size_t p = 0; p < count; p++) {
        if (group[p] == p) continue;
        const double more = part[p].target - part[p].volume;
        tracker_set_target(s->tracker, p, part[p].volume);
        tracker_set_target(s->tracker, group[p], part[group[p]].target + more);
    }
    arena_back(&s->scratch, mark);
    return RILL_OK;
}

rill_status brochu_track(brochu *s, double t, double dt)
{
    TRY(brochu_emit(s, t, dt));
    s->motion.time = t;
    s->motion.dt = dt;
    s->motion.done = s->motion.pending = 0;
    TRY(tracker_advance_to(s->tracker, dt, predict, s, &s->track));
    settle(s);
    TRY(follow_cavities(s));
    TRY(brochu_drop_drained(s));
    s->view = tracker_view(s->tracker);
    return brochu_surface_measure(s, &s->view);
}
