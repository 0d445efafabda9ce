#include "voronoi/contour.h"

#include "base/parallel.h"

#include <string.h>

static const double MOST_NODES = 1e8;
static const double LEAST =
    0.1; /* spacings: values nearer to zero are moved there, or triangles degenerate */
static const double TOUCH =
    1e-6; /* spacings: what is as near as this is inside: liquid that ends in a wall */
enum { FIT_ROUNDS = 4 };

typedef struct {
    brochu *s;
    const brochu_frame *frame;
    brochu_level *level;
    const void *user;
    uint32_t nodes[3];
    double *phi;   /* [node] */
    uint32_t *id;  /* [8 node + direction]: the vertex on the edge there; direction 0: at the node itself */
    trimesh *mesh; /* grows */
    size_t vertex_room, triangle_room;
} lattice;

/* ---- the lattice ---- */

brochu_frame brochu_box_frame(const brochu *s, rill_box where)
{
    brochu_frame f = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    where = box_grown(where, 2 * s->h);
    for (int k = 0; k < 3; k++) {
        const double lo = v3_axis(s->box.min, k), hi = v3_axis(s->box.max, k),
                     n = fmax(1, fmin(rint((hi - lo) / s->h), 1e6)), size = (hi - lo) / n;
        const double first = fmin(fmax(floor((v3_axis(where.min, k) - lo) / size), 0), n - 1),
                     last = fmax(fmin(ceil((v3_axis(where.max, k) - lo) / size), n), first + 1);
        f.lo[k] = lo + first * size;
        f.hi[k] = last == n ? hi : lo + last * size;
        f.cells[k] = (uint32_t)(last - first);
    }
    return f;
}

static rill_vec3 node_at(const lattice *l, size_t node)
{
    rill_vec3 x = l->frame->origin;
    for (int k = 0; k < 3; k++) {
        const uint32_t n = l->frame->cells[k], i = (uint32_t)(node % l->nodes[k]);
        node /= l->nodes[k];
        const double lo = l->frame->lo[k], hi = l->frame->hi[k], at = i == n ? hi : lo + (hi - lo) * i / n;
        x = v3_madd(x, at, l->frame->axis[k]);
    }
    return x;
}

static void level_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    lattice *l = arg;
    const double least = LEAST * l->s->h;
    for (size_t i = begin; i < end; i++) {
        const double phi = l->level(l->user, node_at(l, i));
        l->phi[i] = phi <= TOUCH * l->s->h ? fmin(phi, -least) : fmax(phi, least);
    }
}

/* ---- triangles ---- */

static size_t node_step(const lattice *l, uint32_t bits)
{
    return (bits & 1) + (bits >> 1 & 1) * (size_t)l->nodes[0] +
           (bits >> 2 & 1) * (size_t)l->nodes[0] * l->nodes[1];
}

/* The vertex between two corners of a cell, whose bits are of a path: one's are among the other's. */
static rill_status vertex_between(lattice *l, size_t cell, uint32_t a, uint32_t b, uint32_t *out)
{
    const uint32_t low = a & b, high = a | b;
    const size_t from = cell + node_step(l, low), to = cell + node_step(l, high);
    uint32_t *id = &l->id[8 * from + (high ^ low)];
    if (*id == SITE_NONE) {
        TRY(mem_grow(l->s->sim.ctx, &l->mesh->position, sizeof *l->mesh->position, &l->vertex_room,
                     l->mesh->vertex_count + 1));
        const double p = l->phi[from], q = l->phi[to], t = low == high ? 0 : p / (p - q);
        const rill_vec3 x = node_at(l, from);
        l->mesh->position[l->mesh->vertex_count] = v3_madd(x, t, v3_sub(node_at(l, to), x));
        *id = (uint32_t)l->mesh->vertex_count++;
    }
    *out = *id;
    return RILL_OK;
}

/* A convex polygon of up to four vertices, turned so that its normal has a positive part along `out`. */
static rill_status add_polygon(lattice *l, const uint32_t *v, int n, rill_vec3 out)
{
    if (n < 3) return RILL_OK;
    trimesh *m = l->mesh;
    TRY(mem_grow(l->s->sim.ctx, &m->triangle, sizeof *m->triangle, &l->triangle_room, m->triangle_count + 2));
    const rill_vec3 x = m->position[v[0]], y = m->position[v[1]], diagonal = v3_sub(m->position[v[2]], x);
    const rill_vec3 normal =
        n == 4 ? v3_cross(diagonal, v3_sub(m->position[v[3]], y)) : v3_cross(v3_sub(y, x), diagonal);
    const bool turned = v3_dot(normal, out) < 0;
    for (int i = 1; i + 1 < n; i++) {
        uint32_t *t = m->triangle[m->triangle_count++];
        t[0] = v[0];
        t[1] = v[turned ? i + 1 : i];
        t[2] = v[turned ? i : i + 1];
    }
    return RILL_OK;
}

static rill_vec3 corner_at(const lattice *l, uint32_t bits)
{
    rill_vec3 x = {0};
    for (int k = 0; k < 3; k++)
        if (bits >> k & 1)
            x = v3_madd(x, (l->frame->hi[k] - l->frame->lo[k]) / l->frame->cells[k], l->frame->axis[k]);
    return x;
}

/* The surface in a tetrahedron: corners (bits in the cell) along a path from 0 to 7. */
static rill_status add_tet(lattice *l, size_t cell, const uint32_t corner[4])
{
    uint32_t in[4], out[4], v[4];
    int inside = 0, outside = 0;
    for (int i = 0; i < 4; i++) {
        if (l->phi[cell + node_step(l, corner[i])] < 0)
            in[inside++] = corner[i];
        else
            out[outside++] = corner[i];
    }
    if (!inside || !outside) return RILL_OK;
    rill_vec3 way = {0};
    for (int i = 0; i < inside; i++) way = v3_madd(way, -1.0 / inside, corner_at(l, in[i]));
    for (int i = 0; i < outside; i++) way = v3_madd(way, 1.0 / outside, corner_at(l, out[i]));
    int n = 0;
    if (inside == 2) {
        static const int around[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
        for (; n < 4; n++) TRY(vertex_between(l, cell, in[around[n][0]], out[around[n][1]], &v[n]));
    } else {
        for (; n < 3; n++)
            TRY(vertex_between(l, cell, in[inside == 3 ? n : 0], out[inside == 3 ? 0 : n], &v[n]));
    }
    return add_polygon(l, v, n, way);
}

/* What is inside of a triangle in a side of the lattice. */
static rill_status add_cap(lattice *l, size_t cell, const uint32_t corner[3], rill_vec3 out)
{
    uint32_t v[4];
    int n = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t a = corner[i], b = corner[(i + 1) % 3];
        const bool in = l->phi[cell + node_step(l, a)] < 0, next = l->phi[cell + node_step(l, b)] < 0;
        if (in) TRY(vertex_between(l, cell, a, a, &v[n++]));
        if (in != next) TRY(vertex_between(l, cell, a, b, &v[n++]));
    }
    return add_polygon(l, v, n, out);
}

static rill_status add_cell(lattice *l, const uint32_t at[3])
{
    static const int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const size_t cell = at[0] + l->nodes[0] * (at[1] + (size_t)l->nodes[1] * at[2]);
    bool in = false, out = false;
    for (uint32_t c = 0; c < 8; c++) {
        const bool inside = l->phi[cell + node_step(l, c)] < 0;
        in |= inside;
        out |= !inside;
    }
    if (!in) return RILL_OK;
    for (int p = 0; p < 6; p++) {
        const int first = path[p][0], last = path[p][2];
        const uint32_t corner[4] = {0, 1u << first, 7u ^ 1u << last, 7};
        if (out) TRY(add_tet(l, cell, corner));
        if (at[first] + 1 == l->frame->cells[first]) TRY(add_cap(l, cell, corner + 1, l->frame->axis[first]));
        if (at[last] == 0) TRY(add_cap(l, cell, corner, v3_neg(l->frame->axis[last])));
    }
    return RILL_OK;
}

rill_status brochu_contour(brochu *s, const brochu_frame *frame, brochu_level *level, const void *user,
                           trimesh *mesh)
{
    lattice l = {.s = s, .frame = frame, .level = level, .user = user, .mesh = mesh};
    double count = 1;
    for (int k = 0; k < 3; k++) count *= l.nodes[k] = frame->cells[k] + 1;
    if (!(count < MOST_NODES))
        return rill_fail(s->sim.ctx, RILL_BAD_SCENE,
                         "\"spacing\": %g m is too fine for liquid of this size; make it larger", s->h);
    const arena_mark mark = arena_mark_of(&s->scratch);
    TRY(ARENA_NEW(&s->scratch, l.phi, (size_t)count));
    TRY(ARENA_NEW(&s->scratch, l.id, 8 * (size_t)count));
    memset(l.id, 255, 8 * (size_t)count * sizeof *l.id);
    l.vertex_room = mesh->vertex_count;
    l.triangle_room = mesh->triangle_count;
    parallel_for(s->sim.ctx, (size_t)count, 1024, level_block, &l);
    uint32_t at[3];
    for (at[2] = 0; at[2] < frame->cells[2]; at[2]++)
        for (at[1] = 0; at[1] < frame->cells[1]; at[1]++)
            for (at[0] = 0; at[0] < frame->cells[0]; at[0]++) TRY(add_cell(&l, at));
    arena_back(&s->scratch, mark);
    return RILL_OK;
}

/* ---- back onto the level set ---- */

typedef struct {
    brochu *s;
    brochu_level *level;
    const void *user;
    const trimesh *mesh;
    rill_vec3 *x;
} fitting;

static void fit_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const fitting *f = arg;
    const double h = f->s->h, eps = 1e-3 * h, most = 0.2 * h;
    for (size_t v = begin; v < end; v++) {
        const rill_vec3 x = f->mesh->position[v];
        const uint8_t walls = brochu_walls_at(f->s, x);
        const double phi = f->level(f->user, x);
        rill_vec3 slope = {0};
        for (int k = 0; k < 3; k++) {
            rill_vec3 d = {0};
            v3_set_axis(&d, k, eps);
            const double change = f->level(f->user, v3_add(x, d)) - f->level(f->user, v3_sub(x, d));
            v3_set_axis(&slope, k, walls >> (2 * k) & 3 ? 0 : change / (2 * eps));
        }
        const double square = v3_dot(slope, slope);
        /* Inside a wall's face there is nothing to fit. */
        if (!(square > 0.05) || (walls && phi < -0.6 * h)) continue;
        const double way = fmax(-most, fmin(most, -phi / sqrt(square)));
        f->x[v] = brochu_clamp(f->s, v3_madd(x, way / sqrt(square), slope));
    }
}

static rill_status fit_predict(void *user, const trimesh *mesh, double dt, rill_vec3 *x)
{
    (void)dt;
    fitting *f = user;
    f->mesh = mesh;
    f->x = x;
    parallel_for(f->s->sim.ctx, mesh->vertex_count, 128, fit_block, f);
    return RILL_OK;
}

rill_status brochu_fit_level(brochu *s, brochu_level *level, const void *user, trimesh *mesh)
{
    rill_ctx *ctx = s->sim.ctx;
    tracker_def def = brochu_tracker_def(s);
    def.merge = 0; /* what the shapes leave apart is apart */
    tracker *t = NULL;
    TRY(tracker_create(ctx, &def, mesh, &t));
    fitting f = {.s = s, .level = level, .user = user};
    rill_status st = RILL_OK;
    for (int k = 0; !st && k < FIT_ROUNDS; k++) st = tracker_advance_to(t, 1, fit_predict, &f, NULL);
    trimesh fitted = {0}, view = tracker_view(t);
    if (!st) st = brochu_copy_mesh(s, &view, &fitted);
    if (!st) {
        trimesh_clear(ctx, mesh);
        *mesh = trimesh_take(&fitted);
    }
    trimesh_clear(ctx, &fitted);
    tracker_destroy(t);
    return st;
}
