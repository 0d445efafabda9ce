/* Nodes inside: a first set, and its correction to the size, [Klingner06] 3.3. */
#include "base/parallel.h"
#include "base/random.h"
#include "tets/mesh.h"
#include "tets/tuning.h"

#include <string.h>

static const rill_vec3 no_normal = {0, 0, 0};

/* ---- the first nodes ---- */

typedef struct {
    tet_mesh *m;
    const walls *w;
    const size_field *size;
    spots taken;
    double carry;
} scattering;

/* Candidates of one cell of a coarse grid, as many in every round. */
static rill_status scatter_cell(scattering *s, rill_box cell, uint64_t id, double radius)
{
    enum { CANDIDATES = 14 };
    const rill_vec3 size = box_size(cell);
    const double h = size_at(s->size, box_center(cell));
    const double want = size.x * size.y * size.z / (h * h * h) * CANDIDATES;
    const random4 dither = random_at(3, id, 0, 1);
    const uint32_t count = (uint32_t)(want + random_unit(dither.v[0], dither.v[1]));
    for (uint32_t k = 0; k < count; k++) {
        const random4 r = random_at(3, id, k, 2), q = random_at(3, id, k, 3);
        const rill_vec3 x = v3(cell.min.x + size.x * random_unit(r.v[0], r.v[1]),
                               cell.min.y + size.y * random_unit(r.v[2], r.v[3]),
                               cell.min.z + size.z * random_unit(q.v[0], q.v[1]));
        const double here = size_at(s->size, x);
        if (spots_nearest(&s->taken, x, radius * here, no_normal, -2) != SPOT_NONE) continue;
        if (walls_near(s->w, x, TETS_WALL_GAP * here) < TETS_WALL_GAP * here) continue;
        TRY(spots_add(&s->taken, x, no_normal));
    }
    return RILL_OK;
}

static rill_status scatter_all(scattering *s)
{
    static const double radius[] = {0.88, 0.8, 0.74};
    const rill_box b = s->w->box;
    const double width = size_uniform(s->size) ? 2 * s->size->def.finest : s->size->cell;
    const rill_vec3 size = box_size(b);
    uint32_t n[3];
    for (int a = 0; a < 3; a++) n[a] = (uint32_t)fmax(ceil(v3_axis(size, a) / width), 1);
    for (int r = 0; r < 3; r++) {
        uint64_t id = 0;
        for (uint32_t k = 0; k < n[2]; k++)
            for (uint32_t j = 0; j < n[1]; j++)
                for (uint32_t i = 0; i < n[0]; i++, id++) {
                    const rill_box cell = {v3(b.min.x + size.x * i / n[0], b.min.y + size.y * j / n[1],
                                              b.min.z + size.z * k / n[2]),
                                           v3(b.min.x + size.x * (i + 1) / n[0],
                                              b.min.y + size.y * (j + 1) / n[1],
                                              b.min.z + size.z * (k + 1) / n[2])};
                    TRY(scatter_cell(s, cell, id, radius[r]));
                }
    }
    return RILL_OK;
}

rill_status nodes_scatter(tet_mesh *m, const walls *w, const size_field *size)
{
    const rill_vec3 b = box_size(w->box);
    const double h = size->def.finest, expected = b.x * b.y * b.z / (h * h * h);
    scattering s = {.m = m, .w = w, .size = size};
    rill_status st = spots_init(m->ctx, &s.taken, 1.5 * h, (size_t)fmin(1.5 * expected, 1e8));
    if (!st) st = scatter_all(&s);
    if (!st) st = mesh_reserve(m, (size_t)m->count + s.taken.count);
    for (uint32_t i = 0; !st && i < s.taken.count; i++)
        st = mesh_add_node(m, s.taken.x[i], NODE_INSIDE, WALL_NONE);
    spots_clear(&s.taken);
    return st;
}

/* ---- correction ---- */

typedef struct {
    tet_mesh *m;
    const walls *w;
    const size_field *size;
    double *h;       /* by node */
    uint8_t *dead;   /* by node */
    uint8_t *large;  /* by tetrahedron: its place below wants a node */
    rill_vec3 *want; /* by tetrahedron */
} correcting;

static void near_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const correcting *c = arg;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = c->m->x[i];
        c->h[i] = size_at(c->size, x);
        c->dead[i] = 0;
        if (c->m->kind[i] != NODE_INSIDE) continue;
        const double least = 0.8 * TETS_WALL_GAP * c->h[i];
        c->dead[i] = walls_near(c->w, x, least) < least;
    }
}

/* Of two nodes too near each other the one inside goes, or the later. */
static void thin_out(correcting *c)
{
    const tet_mesh *m = c->m;
    for (uint32_t t = 0; t < m->d.finite; t++) {
        const uint32_t *v = m->d.tet[t].v;
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++) {
                const uint32_t a = v[i], b = v[j];
                const bool inside_a = m->kind[a] == NODE_INSIDE, inside_b = m->kind[b] == NODE_INSIDE;
                if (c->dead[a] || c->dead[b] || (!inside_a && !inside_b)) continue;
                if (v3_distance(m->x[a], m->x[b]) >= TETS_SHORT * 0.5 * (c->h[a] + c->h[b])) continue;
                c->dead[!inside_a ? b : !inside_b ? a : a > b ? a : b] = 1;
            }
    }
}

static void large_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const correcting *c = arg;
    const tet_mesh *m = c->m;
    for (size_t t = begin; t < end; t++) {
        c->large[t] = 0;
        if (!m->fluid[t]) continue;
        double radius;
        rill_vec3 x = mesh_centre(m, (uint32_t)t, &radius);
        double h = size_at(c->size, x);
        if (radius < TETS_LARGE * h) continue;
        if (radius > 3 * h) { /* the centre may be anywhere */
            x = mesh_middle(m, (uint32_t)t);
            h = size_at(c->size, x);
        }
        if (!(walls_near(c->w, x, TETS_WALL_GAP * h) > TETS_WALL_GAP * h)) continue;
        c->want[t] = x;
        c->large[t] = 1;
    }
}

static rill_status insert_nodes(correcting *c)
{
    tet_mesh *m = c->m;
    spots taken = {0};
    parallel_for(m->ctx, m->d.finite, TETS_BLOCK, large_block, c);
    rill_status st = spots_init(m->ctx, &taken, 2 * c->size->def.finest, m->count / 8);
    for (uint32_t t = 0; !st && t < m->d.finite; t++) {
        if (!c->large[t]) continue;
        const double h = size_at(c->size, c->want[t]);
        if (spots_nearest(&taken, c->want[t], 0.8 * h, no_normal, -2) == SPOT_NONE)
            st = spots_add(&taken, c->want[t], no_normal);
    }
    (void)mesh_remove_nodes(m, c->dead);
    for (uint32_t i = 0; !st && i < taken.count; i++)
        st = mesh_add_node(m, taken.x[i], NODE_INSIDE, WALL_NONE);
    spots_clear(&taken);
    return st;
}

rill_status nodes_correct(tet_mesh *m, rill_arena *scratch, const walls *w, const size_field *size,
                          bool insert)
{
    correcting c = {.m = m, .w = w, .size = size};
    TRY(ARENA_NEW(scratch, c.h, m->count));
    TRY(ARENA_NEW(scratch, c.dead, m->count));
    TRY(ARENA_NEW(scratch, c.large, m->d.finite));
    TRY(ARENA_NEW(scratch, c.want, m->d.finite));
    parallel_for(m->ctx, m->count, TETS_BLOCK, near_block, &c);
    thin_out(&c);
    if (insert) return insert_nodes(&c);
    (void)mesh_remove_nodes(m, c.dead);
    return RILL_OK;
}
