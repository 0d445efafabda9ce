/* Sites to Voronoi faces: [Brochu10] stage 2. From the Delaunay tetrahedra, so that every Voronoi vertex is
 * there once: a face is a Delaunay edge, its corners are the circumcentres of the tetrahedra around it.
 * The walls of the box are made by mirror images of the sites near them, exactly: their bisector is the wall.
 */
#include "base/parallel.h"
#include "voronoi/state.h"

#include <string.h>

static const int edge_ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const int edge_of[4][4] = {{6, 0, 1, 2}, {0, 6, 3, 4}, {1, 3, 6, 5}, {2, 4, 5, 6}};

/* ---- sites that are not real ---- */

static rill_status add_image(brochu *s, brochu_diagram *d, uint32_t i, int axis, bool upper)
{
    brochu_sites *n = &d->sites;
    const double wall = v3_axis(upper ? s->box.max : s->box.min, axis);
    rill_vec3 x = n->x[i];
    v3_set_axis(&x, axis, 2 * wall - v3_axis(x, axis));
    TRY(brochu_site_add(s->sim.ctx, n, x, false, n->reach[i]));
    n->of[n->count - 1] = n->of[i];
    n->turned[n->count - 1] = (uint8_t)(n->turned[i] | 1 << axis);
    return RILL_OK;
}

/* One axis after the other, so that edges and corners of the box have theirs. */
rill_status brochu_images(brochu *s, brochu_diagram *d)
{
    brochu_sites *n = &d->sites;
    n->count = n->real;
    for (int side = 0; side < SIDE_COUNT; side += 2) {
        const uint32_t before = n->count;
        for (uint32_t i = 0; i < before; i++)
            for (int k = 0; k < 2; k++) {
                const double away = brochu_wall_distance(s, n->x[i], side + k);
                if (away > 1.25 * fmax(n->reach[i], 2 * s->h) || away < 1e-9 * s->h) continue;
                TRY(add_image(s, d, i, side_axis(side), k));
            }
    }
    for (int k = 0; k < 8; k++) {
        const rill_vec3 a = s->hull.min, b = s->hull.max;
        TRY(brochu_site_add(s->sim.ctx, n, v3(k & 1 ? b.x : a.x, k & 2 ? b.y : a.y, k & 4 ? b.z : a.z), false,
                            s->h));
    }
    return RILL_OK;
}

/* ---- faces ---- */

static void centres_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    brochu_diagram *d = arg;
    for (size_t t = begin; t < end; t++) d->centre[t] = delaunay_circumcentre(&d->tets, (uint32_t)t, NULL);
}

/* Walks around the edge (place e of tetrahedron t), which gets the face's id. Stops at the hull. */
static uint32_t walk_ring(brochu_diagram *d, uint32_t t, int e, uint32_t id, uint32_t *ring)
{
    const uint32_t u = d->tets.tet[t].v[edge_ends[e][0]], w = d->tets.tet[t].v[edge_ends[e][1]];
    int at_u = edge_ends[e][0], at_w = edge_ends[e][1], at_p = 0;
    while (at_p == at_u || at_p == at_w) at_p++;
    int at_q = 6 - at_u - at_w - at_p;
    uint32_t n = 0, c = t;
    d->faces.closed[id] = 1;
    for (;;) { /* across the face opposite p; what was q becomes p there */
        ring[n++] = c;
        d->tet_face[c][edge_of[at_u][at_w]] = id;
        const uint32_t q = d->tets.tet[c].v[at_q], next = d->tets.tet[c].neighbour[at_p] >> 2;
        if (next == t) return n;
        if (next >= d->tet_count) {
            d->faces.closed[id] = 0;
            return n;
        }
        const uint32_t *v = d->tets.tet[next].v;
        for (int i = 0; i < 4; i++) {
            if (v[i] == u) at_u = i;
            if (v[i] == w) at_w = i;
            if (v[i] == q) at_p = i;
        }
        at_q = 6 - at_u - at_w - at_p;
        c = next;
    }
}

/* Every edge with a real site becomes a face, in the order of the tetrahedra. A tetrahedron is in the rings
 * of its six edges, once each: rings have at most six entries a tetrahedron. The far corners make a hull of
 * twelve triangles, so that by Euler's formula there are tetrahedra + sites + 5 edges at most. */
static rill_status find_faces(brochu *s, brochu_diagram *d)
{
    brochu_faces *f = &d->faces;
    const size_t most = (size_t)d->tet_count + d->sites.count + 5;
    /* Correction and reflection fit velocities again on the diagram of the step before. */
    rill_arena *keep = s->def.correction || s->def.reflection ? &d->arena : &s->scratch;
    TRY(ARENA_NEW(keep, d->tet_face, d->tet_count));
    memset(d->tet_face, 255, d->tet_count * sizeof *d->tet_face);
    TRY(ARENA_NEW(&d->arena, f->ring, 6 * (size_t)d->tet_count));
    TRY(ARENA_NEW(&d->arena, f->ring_first, most + 1));
    TRY(ARENA_NEW(&d->arena, f->site, most));
    TRY(ARENA_NEW(&d->arena, f->closed, most));
    uint32_t used = 0;
    f->count = 0;
    for (uint32_t t = 0; t < d->tet_count; t++)
        for (int e = 0; e < 6; e++) {
            if (d->tet_face[t][e] != SITE_NONE) continue;
            const uint32_t u = d->tets.tet[t].v[edge_ends[e][0]], w = d->tets.tet[t].v[edge_ends[e][1]];
            if (!site_real(d, u) && !site_real(d, w)) continue;
            if (f->count >= most)
                return rill_fail(s->sim.ctx, RILL_BLEW_UP, "voronoi: the cells' mesh has too many edges");
            f->site[f->count][0] = u;
            f->site[f->count][1] = w;
            f->ring_first[f->count] = used;
            used += walk_ring(d, t, e, f->count, f->ring + used);
            f->count++;
        }
    f->ring_first[f->count] = used;
    return RILL_OK;
}

/* The faces of every real site, in the order of their ids. */
static rill_status link_sites(brochu_diagram *d)
{
    const brochu_faces *f = &d->faces;
    const uint32_t n = d->sites.real;
    TRY(ARENA_NEW(&d->arena, d->first, n + 2));
    memset(d->first, 0, (n + 2) * sizeof *d->first);
    for (uint32_t i = 0; i < f->count; i++)
        for (int k = 0; k < 2; k++)
            if (site_real(d, f->site[i][k])) d->first[f->site[i][k] + 2]++;
    for (uint32_t i = 0; i < n; i++) d->first[i + 2] += d->first[i + 1];
    TRY(ARENA_NEW(&d->arena, d->link, d->first[n + 1] + 1));
    for (uint32_t i = 0; i < f->count; i++)
        for (int k = 0; k < 2; k++)
            if (site_real(d, f->site[i][k])) d->link[d->first[f->site[i][k] + 1]++] = i;
    return RILL_OK;
}

uint32_t brochu_find_face(const brochu_diagram *d, uint32_t a, uint32_t b)
{
    for (uint32_t k = d->first[a]; k < d->first[a + 1]; k++) {
        const uint32_t *v = d->faces.site[d->link[k]];
        if ((v[0] == a && v[1] == b) || (v[1] == a && v[0] == b)) return d->link[k];
    }
    return SITE_NONE;
}

bool brochu_wall_face(const brochu_diagram *d, uint32_t face)
{
    const uint32_t a = d->faces.site[face][0], b = d->faces.site[face][1];
    return a != b && d->sites.of[a] == d->sites.of[b];
}

/* ---- where walks begin ---- */

static rill_status find_seeds(const brochu *s, brochu_diagram *d)
{
    brochu_seeds *g = &d->seeds;
    const rill_vec3 size = box_size(s->box);
    const double most = 4.0 * d->sites.real + 4096;
    g->cell = fmax(1.5 * s->h, cbrt(size.x * size.y * size.z / most));
    size_t cells = 1;
    for (int k = 0; k < 3; k++)
        cells *= (size_t)(g->size[k] = (int32_t)fmin(v3_axis(size, k) / g->cell, 4096) + 1);
    TRY(ARENA_NEW(&d->arena, g->site, cells));
    memset(g->site, 255, cells * sizeof *g->site);
    g->any = 0;
    for (uint32_t i = 0; i < d->sites.real; i++) {
        if (d->first[i] == d->first[i + 1]) continue;
        g->any = i;
        size_t at = 0;
        for (int k = 2; k >= 0; k--) {
            const double c = (v3_axis(d->sites.x[i], k) - v3_axis(s->box.min, k)) / g->cell;
            at = at * (size_t)g->size[k] + (size_t)fmin(fmax(c, 0), g->size[k] - 1);
        }
        g->site[at] = i;
    }
    return RILL_OK;
}

rill_status brochu_diagram_build(brochu *s, brochu_diagram *d)
{
    arena_reset(&d->arena);
    d->tet_count = d->faces.count = 0;
    d->solid_area = d->solid_velocity = NULL;
    d->mirror = NULL;
    d->mirrored = NULL;
    TRY(brochu_images(s, d));
    const delaunay_def def = {.position = d->sites.x, .count = d->sites.count, .box = s->hull, .merge = true};
    TRY(delaunay_build(&d->tets, &def, NULL));
    d->tet_count = d->tets.finite;
    TRY(ARENA_NEW(&d->arena, d->centre, d->tet_count));
    parallel_for(s->sim.ctx, d->tet_count, 1024, centres_block, d);
    TRY(find_faces(s, d));
    TRY(link_sites(d));
    return find_seeds(s, d);
}
