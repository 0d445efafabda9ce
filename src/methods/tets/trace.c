/* Generalised semi-Lagrangian transport between meshes that have nothing to do with each other, [Klingner06]
 * 3.2: from a place of the new mesh back through the velocity of the old one, by the midpoint rule, walking
 * from tetrahedron to tetrahedron and stopping at walls.
 *
 * DEVIATES: from centroids of faces, where the mean of a linear field is, not from circumcentres, which may
 * be outside of their face. Near a moving solid a trace runs in the frame of the solid: it starts where the
 * place was with respect to the solid, and goes back by the velocity relative to it. So no trace starts in
 * the solid (errata E-K6), and none passes through it (errata E-K11). */
#include "base/parallel.h"
#include "tets/state.h"

typedef struct {
    const tets *s;
    const tets_state *from;
    const tets_field *carried;
    tets_state *to;
    double dt;
    bool moving;         /* some solid moves */
    rill_vec3 *start;    /* places in the old mesh */
    uint32_t *tet;       /* where they are */
    uint16_t *frame;     /* the solid in whose frame it is traced; WALL_NONE */
    double *soot, *heat; /* by node: where these go */
} tracing;

/* ---- places ---- */

/* From x in t straight to *y, which becomes where the fluid ends when that is nearer. */
static uint32_t walk(const tet_mesh *m, uint32_t t, rill_vec3 x, rill_vec3 *y)
{
    enum { STEPS = 400 };
    const rill_vec3 way = v3_sub(*y, x);
    for (int step = 0; step < STEPS; step++) {
        double from[4], to[4], nearest = 2;
        int face = -1;
        mesh_barycentric(m, t, x, from);
        mesh_barycentric(m, t, *y, to);
        for (int i = 0; i < 4; i++)
            if (to[i] < -1e-9 && to[i] < from[i]) {
                const double share = from[i] / (from[i] - to[i]);
                if (share < nearest) nearest = share, face = i;
            }
        if (face < 0) return t;
        const uint32_t next = m->d.tet[t].neighbour[face] >> 2;
        if (!mesh_is_fluid(m, next)) {
            *y = v3_madd(x, fmin(fmax(nearest, 0), 1) * (1 - 1e-6), way);
            return t;
        }
        t = next;
    }
    *y = mesh_middle(m, t);
    return t;
}

/* From t to the tetrahedron that holds x, through whatever is between; DELAUNAY_INFINITE outside of all. */
static uint32_t go_to(const tet_mesh *m, uint32_t t, rill_vec3 x)
{
    for (int step = 0; step < 400; step++) {
        double share[4];
        int least = 0;
        mesh_barycentric(m, t, x, share);
        for (int i = 1; i < 4; i++)
            if (share[i] < share[least]) least = i;
        if (share[least] >= -1e-9) return t;
        const uint32_t next = m->d.tet[t].neighbour[least] >> 2;
        if (next >= m->d.finite) return DELAUNAY_INFINITE;
        t = next;
    }
    return DELAUNAY_INFINITE;
}

/* Out of the walls that x is in, out of each along the one next to it: straight out of a side of the box the
 * way could lead through a thin wall that stands on it. */
static rill_vec3 pushed_out(const walls *w, rill_vec3 x, double h)
{
    for (int round = 0; round < 4; round++) {
        wall_near near[WALLS_AROUND];
        const uint32_t count = walls_around(w, x, 0.3 * h, near);
        uint32_t deepest = 0, other = UINT32_MAX;
        for (uint32_t k = 1; k < count; k++)
            if (near[k].d < near[deepest].d) deepest = k;
        if (count == 0 || near[deepest].d >= 0) break;
        for (uint32_t k = 0; k < count; k++)
            if (k != deepest && (other == UINT32_MAX || near[k].d < near[other].d)) other = k;
        const rill_vec3 n = near[deepest].normal;
        rill_vec3 way = n;
        if (other != UINT32_MAX) {
            const rill_vec3 m = near[other].normal, along = v3_madd(n, -v3_dot(n, m), m);
            if (v3_dot(along, n) > 0.2) way = v3_scale(along, 1 / v3_dot(along, n));
        }
        x = v3_madd(x, -near[deepest].d, way);
    }
    return x;
}

uint32_t tets_enter(const tets *s, const tets_state *a, const walls *w, uint32_t tet, rill_vec3 *x)
{
    const tet_mesh *m = &a->mesh;
    if (mesh_is_fluid(m, tet)) return tet;
    const double h = size_at(&s->mesher.size, *x);
    const rill_vec3 from = pushed_out(w, *x, h);
    wall_near near[WALLS_AROUND];
    const uint32_t count = walls_around(w, from, 0.05 * h, near);
    rill_vec3 way = {0, 0, 0};
    for (uint32_t k = 0; k < count; k++) way = v3_add(way, near[k].normal);
    if (count == 0) (void)walls_distance(w, from, &way, NULL);
    way = v3_scale(way, 1 / fmax(v3_length(way), 1e-9));
    uint32_t at = tet < m->d.finite ? tet : m->d.vertex_tet[0];
    if (at >= m->d.finite) at = 0;
    for (int tries = 0; tries < 8; tries++) {
        const rill_vec3 y = v3_madd(from, (0.02 + 0.1 * tries) * h, way);
        for (uint32_t k = 0; k < w->count; k++)
            if (wall_within(w, k, y, h) < h && wall_free_way(w, k, from, y) < 1) return DELAUNAY_INFINITE;
        const uint32_t t = go_to(m, at, y);
        if (!mesh_is_fluid(m, t)) continue;
        *x = y;
        return t;
    }
    return DELAUNAY_INFINITE;
}

/* ---- traces ---- */

/* Where x, which moves with wall k, was before the step. */
static rill_vec3 was_at(const tracing *j, uint32_t k, rill_vec3 x)
{
    const walls *now = &j->s->walls, *past = &j->s->past;
    rill_vec3 local = wall_local(now, k, x);
    if (now->at[k].deforms)
        local = mesh_moment_carry(now->at[k].form.sequence.now, past->at[k].form.sequence.now, local);
    return wall_world(past, k, local);
}

/* A start on the other side of a moving wall than x is now: it runs in the frame of that wall instead. One on
 * the other side of a wall at rest ends before that. */
static void keep_side(const tracing *j, size_t k, rill_vec3 x)
{
    const walls *now = &j->s->walls, *past = &j->s->past;
    for (uint32_t i = 0; i < now->count; i++) {
        const double way = v3_distance(x, j->start[k]);
        if (!now->at[i].moves || i == j->frame[k]) continue;
        const double speed = v3_length(walls_velocity(now, i, x)), reach = way + 1.5 * speed * j->dt;
        if (!(wall_within(now, i, x, reach) < reach)) continue;
        const rill_vec3 was = was_at(j, i, x);
        if (wall_free_way(past, i, was, j->start[k]) == 1) continue;
        j->start[k] = was;
        j->frame[k] = (uint16_t)i;
    }
    for (uint32_t i = 0; i < now->count; i++) {
        const double way = v3_distance(x, j->start[k]);
        if (now->at[i].moves || !(wall_within(now, i, x, way) < way)) continue;
        j->start[k] = v3_mix(x, j->start[k], wall_free_way(past, i, x, j->start[k]));
    }
}

/* Where a place of the new mesh was in the old one: the same, or in the frame of the moving solid near it. */
static void begin_trace(const tracing *j, size_t k, rill_vec3 x)
{
    const walls *now = &j->s->walls;
    uint32_t owner = WALL_NONE;
    j->frame[k] = WALL_NONE;
    j->start[k] = x;
    if (!j->moving) return;
    const double d = walls_distance(now, x, NULL, &owner);
    if (owner < now->count && now->at[owner].moves) {
        const double reach =
            1.5 * size_at(&j->s->mesher.size, x) + v3_length(walls_velocity(now, owner, x)) * j->dt;
        if (d < reach) {
            j->frame[k] = (uint16_t)owner;
            j->start[k] = was_at(j, owner, x);
        }
    }
    keep_side(j, k, x);
}

/* The velocity that carries: relative to the solid in whose frame the trace runs. */
static rill_vec3 carrier(const tracing *j, size_t k, uint32_t t, rill_vec3 x)
{
    const rill_vec3 u = tets_velocity_in(j->s, j->from, &j->from->u, t, x);
    return j->frame[k] == WALL_NONE ? u : v3_sub(u, walls_velocity(&j->s->past, j->frame[k], x));
}

/* The tetrahedron and place of the old mesh that a trace comes from; DELAUNAY_INFINITE: none was found. */
static uint32_t trace_back(const tracing *j, size_t k, rill_vec3 *at)
{
    const tet_mesh *m = &j->from->mesh;
    rill_vec3 x = j->start[k];
    const uint32_t t = tets_enter(j->s, j->from, &j->s->past, j->tet[k], &x);
    if (t == DELAUNAY_INFINITE) return t;
    rill_vec3 middle = v3_madd(x, -0.5 * j->dt, carrier(j, k, t, x));
    const uint32_t half = walk(m, t, x, &middle);
    *at = v3_madd(x, -j->dt, carrier(j, k, half, middle));
    return walk(m, t, x, at);
}

static void place_faces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tracing *j = arg;
    for (size_t k = begin; k < end; k++) begin_trace(j, k, j->to->mesh.fv.face[k].centroid);
}

static bool face_is_given(const tet_mesh *m, size_t k)
{
    return k >= m->fv.inner_count && m->fv.boundary[k - m->fv.inner_count].kind == FV_WALL;
}

static void trace_faces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tracing *j = arg;
    for (size_t k = begin; k < end; k++) {
        j->to->flux[k] = 0;
        if (face_is_given(&j->to->mesh, k)) continue;
        rill_vec3 at, u = {0, 0, 0};
        const uint32_t t = trace_back(j, k, &at);
        if (t != DELAUNAY_INFINITE)
            u = tets_velocity_in(j->s, j->from, j->carried, t, at);
        else if (j->frame[k] != WALL_NONE)
            u = walls_velocity(&j->s->past, j->frame[k], j->start[k]);
        j->to->flux[k] = v3_dot(u, j->to->mesh.fv.face[k].area);
    }
}

static void place_nodes(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tracing *j = arg;
    for (size_t k = begin; k < end; k++) begin_trace(j, k, j->to->mesh.x[k]);
}

static void trace_nodes(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tracing *j = arg;
    for (size_t k = begin; k < end; k++) {
        rill_vec3 at;
        const uint32_t t = trace_back(j, k, &at);
        j->soot[k] = t == DELAUNAY_INFINITE ? 0 : tets_scalar_in(j->from, j->from->soot, t, at);
        j->heat[k] = t == DELAUNAY_INFINITE ? 0 : tets_scalar_in(j->from, j->from->heat, t, at);
    }
}

static rill_status trace_all(tets *s, tracing *j, size_t count, parallel_body *place, parallel_body *trace)
{
    rill_ctx *ctx = s->sim.ctx;
    arena_reset(&s->scratch);
    TRY(ARENA_NEW(&s->scratch, j->start, count));
    TRY(ARENA_NEW(&s->scratch, j->tet, count));
    TRY(ARENA_NEW(&s->scratch, j->frame, count));
    parallel_for(ctx, count, TETS_BLOCK, place, j);
    TRY(delaunay_locate(&j->from->mesh.d, j->start, count, j->tet));
    parallel_for(ctx, count, TETS_BLOCK, trace, j);
    return RILL_OK;
}

rill_status tets_transport(tets *s, const tets_state *from, const tets_field *carried, tets_state *to,
                           double dt)
{
    tracing j = {.s = s, .from = from, .carried = carried, .to = to, .dt = dt};
    for (uint32_t k = 0; k < s->walls.count; k++) j.moving |= s->walls.at[k].moves;
    TRY(trace_all(s, &j, to->mesh.fv.face_count, place_faces, trace_faces));
    if (!s->smoky) return RILL_OK;
    const bool kept = to == from; /* the mesh: what is read must not be written */
    j.soot = kept ? to->spare[0] : to->soot;
    j.heat = kept ? to->spare[1] : to->heat;
    TRY(trace_all(s, &j, to->mesh.count, place_nodes, trace_nodes));
    if (!kept) return RILL_OK;
    to->spare[0] = to->soot, to->soot = j.soot;
    to->spare[1] = to->heat, to->heat = j.heat;
    return RILL_OK;
}
