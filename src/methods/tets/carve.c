/* Which tetrahedra are fluid, and what keeps the rest from following the walls. */
#include "base/parallel.h"
#include "tets/mesh.h"
#include "tets/tuning.h"

#include <string.h>

typedef struct {
    tet_mesh *m;
    const walls *w;
    const size_field *size;
    bool rough; /* tetrahedra through walls do not matter yet */
} carving;

static bool has_inside_node(const tet_mesh *m, const uint32_t *v)
{
    return m->kind[v[0]] == NODE_INSIDE || m->kind[v[1]] == NODE_INSIDE || m->kind[v[2]] == NODE_INSIDE ||
           m->kind[v[3]] == NODE_INSIDE;
}

/* With a node inside: fluid. Of wall nodes alone: when the middle is outside of walls; by a margin, since
 * under a curved wall there are flat ones between its samples and its surface. Never with nodes on both sides
 * of a thin wall: at the rim where it meets other walls the middle of such a tetrahedron may well be outside.
 */
static void carve_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const carving *c = arg;
    tet_mesh *m = c->m;
    for (size_t t = begin; t < end; t++) {
        m->fluid[t] = 1;
        if (has_inside_node(m, m->d.tet[t].v)) continue;
        const rill_vec3 g = mesh_middle(m, (uint32_t)t);
        const double h = size_at(c->size, g);
        uint32_t owner;
        const double d = walls_distance(c->w, g, NULL, &owner);
        m->fluid[t] = d > (owner >= WALL_SIDE ? 1e-7 : TETS_FLAT) * h;
        if (!c->rough && m->fluid[t] && c->w->count && d < 2 * h && mesh_pierces(m, c->w, (uint32_t)t))
            m->fluid[t] = TET_PIERCES;
    }
}

rill_status mesh_carve(tet_mesh *m, const walls *w, const size_field *size, bool rough)
{
    carving c = {m, w, size, rough};
    parallel_for(m->ctx, m->d.finite, TETS_BLOCK, carve_block, &c);
    return rough ? RILL_OK : mesh_keep_pierced(m);
}

/* ---- pockets ---- */

/* Tetrahedra that hang together with `start` and were not reached before; returns how many. */
static uint32_t flood(const tet_mesh *m, uint8_t *reached, uint32_t start, uint32_t *list)
{
    uint32_t count = 1;
    list[0] = start;
    reached[start] = 1;
    for (uint32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) {
            const uint32_t next = m->d.tet[list[k]].neighbour[i] >> 2;
            if (!mesh_is_fluid(m, next) || reached[next]) continue;
            reached[next] = 1;
            list[count++] = next;
        }
    return count;
}

rill_status mesh_drop_pockets(tet_mesh *m, rill_arena *scratch, uint32_t least)
{
    uint8_t *reached;
    uint32_t *list;
    TRY(ARENA_NEW(scratch, reached, m->d.finite));
    TRY(ARENA_NEW(scratch, list, m->d.finite));
    memset(reached, 0, m->d.finite);
    for (uint32_t t = 0; t < m->d.finite; t++) {
        if (!m->fluid[t] || reached[t]) continue;
        const uint32_t count = flood(m, reached, t, list);
        for (uint32_t k = 0; count < least && k < count; k++) m->fluid[list[k]] = 0;
    }
    return RILL_OK;
}

/* ---- nodes in the way ---- */

typedef struct {
    const tet_mesh *m;
    const walls *w;
    const size_field *size;
    uint8_t *dead;
} clearing;

/* Whether the edge between two nodes passes through a wall, by steps of the distance. It may begin on the
 * wall of the first and end on any. No edge leaves the box, which is convex. */
static bool passes_through(const clearing *c, uint32_t from, uint32_t to)
{
    const tet_mesh *m = c->m;
    const rill_vec3 a = m->x[from], b = m->x[to];
    const double length = v3_distance(a, b), gap = m->gap[from];
    const bool inside = m->kind[to] == NODE_INSIDE;
    if (gap + (inside ? m->gap[to] : 0) >= length * (1 - 1e-9)) return false; /* two empty balls cover it */
    const double h = size_at(c->size, a), least = 0.004 * h, end = inside ? length : length - 0.03 * h;
    for (double at = fmax(gap, least); at < end;) {
        const double d = walls_near_solids(c->w, v3_mix(a, b, at / length), length, m->owner[from]);
        if (d < least) return true;
        at += d;
    }
    /* the end is on a wall: from outside of it, or through one as thin as that */
    static const double last[] = {0.02, 0.01, 0.004};
    for (int k = 0; k < 3 && !inside && last[k] * h < length; k++)
        if (walls_near_solids(c->w, v3_mix(a, b, 1 - last[k] * h / length), length, m->owner[from]) <
            -1e-3 * h)
            return true;
    return false;
}

/* Nodes that may go: inside, or on the face of a wall when other walls are near. */
static bool may_go(const tet_mesh *m, size_t i)
{
    return m->kind[i] == NODE_INSIDE || m->kind[i] == NODE_FACE;
}

static void clear_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clearing *c = arg;
    const tet_mesh *m = c->m;
    for (size_t i = begin; i < end; i++) {
        c->dead[i] = 0;
        if (!may_go(m, i)) continue;
        for (uint32_t k = m->first[i]; k < m->first[i + 1] && !c->dead[i]; k++)
            for (int j = 0; j < 4 && !c->dead[i]; j++) {
                const uint32_t v = m->d.tet[m->star[k]].v[j];
                if (v == i || (m->kind[v] == m->kind[i] && v > i)) continue; /* of two alike the later goes */
                if (m->kind[i] == NODE_FACE && m->kind[v] == NODE_INSIDE) continue; /* that one goes */
                if (!mesh_new_edge(m, i, v)) continue;                              /* was seen before */
                c->dead[i] = passes_through(c, (uint32_t)i, v);
            }
    }
}

/* Distance of nodes inside from solids, of those on a face from other solids; known while they stay. */
static void gap_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clearing *c = arg;
    const tet_mesh *m = c->m;
    for (size_t i = begin; i < end; i++)
        if (m->gap[i] < 0)
            m->gap[i] =
                may_go(m, i)
                    ? fmax(walls_near_solids(c->w, m->x[i], 3 * size_at(c->size, m->x[i]), m->owner[i]), 0)
                    : 0;
}

uint32_t nodes_in_the_way(tet_mesh *m, const walls *w, const size_field *size, bool last, uint8_t *dead)
{
    clearing c = {m, w, size, dead};
    uint32_t count = 0;
    parallel_for(m->ctx, m->count, TETS_BLOCK, gap_block, &c);
    parallel_for(m->ctx, m->count, TETS_BLOCK, clear_block, &c);
    for (uint32_t i = 0; i < m->count; i++) count += dead[i];
    /* what stays although it is in the way is seen again */
    memset(m->fresh, count && last ? NODE_NEW : 0, m->count);
    return count;
}

void mesh_seal_nodes(tet_mesh *m, const walls *w, const size_field *size, const uint8_t *dead)
{
    const clearing c = {.m = m, .w = w, .size = size};
    for (uint32_t t = 0; t < m->d.finite; t++) {
        const uint32_t *v = m->d.tet[t].v;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4 && dead[v[i]] && m->fluid[t]; j++)
                if (i != j && passes_through(&c, v[i], v[j])) m->fluid[t] = 0;
    }
}

/* ---- bulges ---- */

typedef struct {
    const tet_mesh *m;
    const walls *w;
    const size_field *size;
    double off;
    uint8_t *bad;     /* by tetrahedron */
    rill_vec3 *place; /* by tetrahedron: the worst point, on the wall */
    rill_vec3 *normal;
} searching;

/* Keeps x when it is farther from the walls than what was found, to the sides that count. */
static void look_at(const searching *s, rill_vec3 x, bool both_sides, double *worst, rill_vec3 *at)
{
    const double d = walls_near(s->w, x, INFINITY), h = size_at(s->size, x);
    const double off = (both_sides ? fabs(d) : -d) / h;
    if (off <= *worst) return;
    *worst = off;
    *at = x;
}

static void bulge_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const searching *s = arg;
    const tet_mesh *m = s->m;
    for (size_t t = begin; t < end; t++) {
        s->bad[t] = 0;
        if (!m->fluid[t]) continue;
        const uint32_t *v = m->d.tet[t].v;
        double worst = s->off;
        rill_vec3 at;
        for (int i = 0; i < 4; i++) {
            if (mesh_is_fluid(m, m->d.tet[t].neighbour[i] >> 2)) continue;
            const uint8_t *f = tet_face_corners[i];
            const rill_vec3 a = m->x[v[f[0]]], b = m->x[v[f[1]]], c = m->x[v[f[2]]];
            look_at(s, v3_scale(v3_add(a, v3_add(b, c)), 1.0 / 3), true, &worst, &at);
            look_at(s, v3_mix(a, b, 0.5), true, &worst, &at);
            look_at(s, v3_mix(b, c, 0.5), true, &worst, &at);
            look_at(s, v3_mix(c, a, 0.5), true, &worst, &at);
        }
        if (!(worst > s->off)) continue;
        rill_vec3 n;
        for (int step = 0; step < 3; step++) {
            const double d = walls_distance(s->w, at, &n, NULL);
            at = v3_madd(at, -d, n);
        }
        double near = INFINITY;
        for (int i = 0; i < 4; i++) near = fmin(near, v3_distance(at, m->x[v[i]]));
        if (near < 0.2 * size_at(s->size, at)) continue;
        s->bad[t] = 1;
        s->place[t] = at;
        s->normal[t] = n;
    }
}

rill_status mesh_bulges(const tet_mesh *m, rill_arena *scratch, const walls *w, const size_field *size,
                        double off, spots *found)
{
    searching s = {.m = m, .w = w, .size = size, .off = off};
    TRY(ARENA_NEW(scratch, s.bad, m->d.finite));
    TRY(ARENA_NEW(scratch, s.place, m->d.finite));
    TRY(ARENA_NEW(scratch, s.normal, m->d.finite));
    parallel_for(m->ctx, m->d.finite, TETS_BLOCK, bulge_block, &s);
    for (uint32_t t = 0; t < m->d.finite; t++) {
        if (!s.bad[t]) continue;
        if (spots_nearest(found, s.place[t], 0.4 * size_at(size, s.place[t]), v3(0, 0, 0), -2) != SPOT_NONE)
            continue;
        TRY(spots_add(found, s.place[t], s.normal[t]));
    }
    return RILL_OK;
}
