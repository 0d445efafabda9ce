/* Velocities from fluxes, [Klingner06] 3.1.
 *
 * A cell's velocity is u = 1/V sum (x_f - b) flux_f over its faces, outward, with the faces' centroids x_f
 * and the cell's barycentre b. For fluxes free of divergence it solves the paper's N u = z, it is exact for
 * constants whatever the fluxes are (errata E-K1), and right for cells of several tetrahedra.
 *
 * DEVIATES, errata E-K10: between the cells the paper interpolates by eq. 4, which has no value on the faces
 * of Voronoi cells, does not close at walls (errata E-K2) and loses half of the energy of eddies eight edges
 * wide. Here nodes get the average of their star, weighted by volume, then one correction: the recovery of
 * what the fluxes differ from those of the linear field, times 0.9. The paper's ways can be chosen. */
#include "base/parallel.h"
#include "tets/state.h"
#include "tets/tuning.h"

#include <string.h>

static rill_status new_numbers(tets_state *a, double **out, size_t n)
{
    TRY(ARENA_NEW(&a->mesh.arena, *out, n));
    memset(*out, 0, n * sizeof **out);
    return RILL_OK;
}

static rill_status new_field(tets_state *a, tets_field *out)
{
    TRY(ARENA_NEW(&a->mesh.arena, out->cell, a->mesh.d.finite));
    return ARENA_NEW(&a->mesh.arena, out->node, a->mesh.count);
}

/* Fluxes through flat tetrahedra cost no energy and are not bounded by it. One of a star does no harm; a node
 * with none but flat ones, in the corner between two walls, would get and give velocities without bound. */
static void find_weak(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tets_state *a = arg;
    const tet_mesh *m = &a->mesh;
    for (size_t v = begin; v < end; v++) {
        double volume = 0, spheres = 0;
        for (uint32_t k = m->first[v]; k < m->first[v + 1]; k++) {
            const double r = v3_distance(mesh_centre(m, m->star[k], NULL), m->x[v]);
            volume += m->volume[m->star[k]];
            spheres += r * r * r;
        }
        a->weak[v] = volume < TETS_WEAK * spheres;
    }
}

rill_status tets_state_arrays(tets *s, tets_state *a)
{
    const size_t faces = a->mesh.fv.face_count, nodes = a->mesh.count;
    a->soot = a->heat = a->spare[0] = a->spare[1] = a->advected = NULL;
    TRY(ARENA_NEW(&a->mesh.arena, a->weak, nodes));
    parallel_for(s->sim.ctx, nodes, TETS_BLOCK, find_weak, a);
    TRY(new_numbers(a, &a->flux, faces));
    TRY(new_numbers(a, &a->pressure, a->mesh.fv.cell_count));
    TRY(new_field(a, &a->u));
    if (s->smoky) {
        TRY(new_numbers(a, &a->soot, nodes));
        TRY(new_numbers(a, &a->heat, nodes));
    }
    for (int k = 0; k < 2 && s->smoky && !s->def.remesh; k++) TRY(new_numbers(a, &a->spare[k], nodes));
    if (!s->def.reflection) return RILL_OK;
    TRY(new_numbers(a, &a->advected, faces));
    return new_field(a, &a->mirror);
}

typedef struct {
    const tet_mesh *m;
    const double *flux;
    double *rest; /* by face: what the linear field does not explain */
    rill_vec3 *cell, *node;
    const uint8_t *weak;
    int interpolation;
    double correct; /* share of the correction; 0: the average */
} job;

/* ---- cells ---- */

static void cell_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const tet_mesh *m = j->m;
    for (size_t t = begin; t < end; t++) {
        j->cell[t] = v3(0, 0, 0);
        if (!m->fluid[t]) continue;
        rill_vec3 sum = {0, 0, 0};
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t k = m->face[4 * t + i];
            if (k == FV_NONE) continue;
            const fv_face *f = &m->fv.face[k];
            const double out = f->a == m->map.cell[t] ? j->flux[k] : -j->flux[k];
            sum = v3_madd(sum, out, v3_sub(f->centroid, mesh_middle(m, (uint32_t)t)));
        }
        j->cell[t] = v3_scale(sum, 1 / m->volume[t]);
    }
}

/* Tetrahedra shared[begin .. end - 1] of one cell: sums over their faces, about the cell's own barycentre. */
static void join_cell(const job *j, uint32_t begin, uint32_t end)
{
    const tet_mesh *m = j->m;
    const uint32_t cell = (uint32_t)(m->shared[begin] >> 32);
    rill_vec3 middle = {0, 0, 0}, sum = {0, 0, 0};
    double volume = 0;
    for (uint32_t b = begin; b < end; b++) {
        const uint32_t t = (uint32_t)m->shared[b];
        middle = v3_madd(middle, m->volume[t], mesh_middle(m, t));
        volume += m->volume[t];
    }
    middle = v3_scale(middle, 1 / volume);
    for (uint32_t b = begin; b < end; b++)
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t k = m->face[4 * (size_t)(uint32_t)m->shared[b] + i];
            if (k == FV_NONE) continue;
            const fv_face *f = &m->fv.face[k];
            sum = v3_madd(sum, f->a == cell ? j->flux[k] : -j->flux[k], v3_sub(f->centroid, middle));
        }
    for (uint32_t b = begin; b < end; b++) j->cell[(uint32_t)m->shared[b]] = v3_scale(sum, 1 / volume);
}

static void join_shared(const job *j)
{
    const tet_mesh *m = j->m;
    for (uint32_t a = 0, b; a < m->shared_count; a = b) {
        for (b = a + 1; b < m->shared_count && m->shared[b] >> 32 == m->shared[a] >> 32; b++)
            ;
        join_cell(j, a, b);
    }
}

static void recover_cells(const tets *s, const job *j)
{
    parallel_for(s->sim.ctx, j->m->d.finite, TETS_BLOCK, cell_block, (void *)j);
    join_shared(j);
}

/* ---- nodes ---- */

/* Eq. 4 at the node itself: Vol / product of the squared edges. */
static double node_weight(const tet_mesh *m, uint32_t t, uint32_t v)
{
    double product = 1;
    for (int i = 0; i < 4; i++) {
        const uint32_t other = m->d.tet[t].v[i];
        if (other == v) continue;
        const rill_vec3 e = v3_sub(m->x[other], m->x[v]);
        product *= v3_dot(e, e);
    }
    return m->volume[t] / product;
}

static void node_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const tet_mesh *m = j->m;
    for (size_t v = begin; v < end; v++) {
        const bool fast = j->interpolation >= TETS_FAST && m->kind[v] == NODE_INSIDE;
        rill_vec3 sum = {0, 0, 0};
        double weights = 0;
        for (uint32_t k = m->first[v]; k < m->first[v + 1]; k++) {
            const uint32_t t = m->star[k];
            const double w = fast ? node_weight(m, t, (uint32_t)v) : m->volume[t];
            sum = v3_madd(sum, w, j->cell[t]);
            weights += w;
        }
        const rill_vec3 mean = weights > 0 ? v3_scale(sum, 1 / weights) : v3(0, 0, 0);
        j->node[v] = j->correct > 0 ? v3_madd(j->node[v], j->correct, mean) : mean;
    }
}

static void rest_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const tet_mesh *m = j->m;
    for (size_t k = begin; k < end; k++) {
        const uint32_t from = m->map.face[k], *v = m->d.tet[from >> 2].v;
        const uint8_t *f = tet_face_corners[from & 3];
        const rill_vec3 sum = v3_add(j->node[v[f[0]]], v3_add(j->node[v[f[1]]], j->node[v[f[2]]]));
        j->rest[k] = j->flux[k] - v3_dot(sum, m->fv.face[k].area) / 3;
    }
}

/* Weak nodes move as the nodes around them that are not, if there are any. */
static void heal_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const tet_mesh *m = j->m;
    for (size_t v = begin; v < end; v++) {
        if (!j->weak[v]) continue;
        rill_vec3 sum = {0, 0, 0};
        double count = 0;
        for (uint32_t k = m->first[v]; k < m->first[v + 1]; k++)
            for (int i = 0; i < 4; i++) {
                const uint32_t other = m->d.tet[m->star[k]].v[i];
                if (j->weak[other]) continue;
                sum = v3_add(sum, j->node[other]);
                count++;
            }
        j->node[v] = count > 0 ? v3_scale(sum, 1 / count) : v3(0, 0, 0);
    }
}

rill_status tets_recover(tets *s, tets_state *a, const double *flux, double share, tets_field *out)
{
    rill_ctx *ctx = s->sim.ctx;
    const tet_mesh *m = &a->mesh;
    job j = {.m = m,
             .flux = flux,
             .cell = out->cell,
             .node = out->node,
             .weak = a->weak,
             .interpolation = s->def.interpolation};
    recover_cells(s, &j);
    parallel_for(ctx, m->count, TETS_BLOCK, node_block, &j);
    parallel_for(ctx, m->count, TETS_BLOCK, heal_block, &j);
    if (s->def.interpolation != TETS_CORRECTED) return RILL_OK;
    job c = {.m = m, .node = out->node, .correct = share};
    arena_reset(&s->scratch);
    TRY(ARENA_NEW(&s->scratch, j.rest, m->fv.face_count));
    TRY(ARENA_NEW(&s->scratch, c.cell, m->d.finite));
    parallel_for(ctx, m->fv.face_count, TETS_BLOCK, rest_block, &j);
    c.flux = j.rest;
    recover_cells(s, &c);
    parallel_for(ctx, m->count, TETS_BLOCK, node_block, &c);
    parallel_for(ctx, m->count, TETS_BLOCK, heal_block, &j);
    return RILL_OK;
}

/* ---- between nodes ---- */

/* The node whose Voronoi cell x is in: of the tetrahedron's, then by neighbours that are nearer. */
static uint32_t nearest_node(const tet_mesh *m, uint32_t t, rill_vec3 x)
{
    uint32_t best = m->d.tet[t].v[0];
    double nearest = INFINITY;
    for (int i = 0; i < 4; i++) {
        const double d = v3_distance(m->x[m->d.tet[t].v[i]], x);
        if (d < nearest) nearest = d, best = m->d.tet[t].v[i];
    }
    for (int step = 0; step < 4; step++) {
        const uint32_t from = best;
        for (uint32_t k = m->first[from]; k < m->first[from + 1]; k++)
            for (int i = 0; i < 4; i++) {
                const uint32_t v = m->d.tet[m->star[k]].v[i];
                const double d = v3_distance(m->x[v], x);
                if (d < nearest * (1 - 1e-14)) nearest = d, best = v;
            }
        if (best == from) break;
    }
    return best;
}

/* Eq. 4 in the Voronoi cell of an inside node. */
static rill_vec3 in_voronoi_cell(const tet_mesh *m, const rill_vec3 *cell, uint32_t v, rill_vec3 x)
{
    rill_vec3 sum = {0, 0, 0};
    double weights = 0;
    for (uint32_t k = m->first[v]; k < m->first[v + 1]; k++) {
        const uint32_t t = m->star[k];
        double product = 1;
        for (int i = 0; i < 4; i++) {
            const uint32_t other = m->d.tet[t].v[i];
            if (other == v) continue;
            const rill_vec3 e = v3_sub(m->x[other], m->x[v]);
            product *= fmax(v3_dot(e, v3_sub(mesh_centre(m, t, NULL), x)),
                            1e-7 * v3_dot(e, e)); /* on a face: errata E-K2 */
        }
        const double w = m->volume[t] / product;
        sum = v3_madd(sum, w, cell[t]);
        weights += w;
    }
    return v3_scale(sum, 1 / weights);
}

rill_vec3 tets_velocity_in(const tets *s, const tets_state *a, const tets_field *u, uint32_t tet, rill_vec3 x)
{
    const tet_mesh *m = &a->mesh;
    if (s->def.interpolation == TETS_VORONOI) {
        const uint32_t v = nearest_node(m, tet, x);
        if (m->kind[v] == NODE_INSIDE) return in_voronoi_cell(m, u->cell, v, x);
    }
    double share[4];
    mesh_barycentric(m, tet, x, share);
    const uint32_t *v = m->d.tet[tet].v;
    rill_vec3 sum = v3_scale(u->node[v[0]], share[0]);
    for (int i = 1; i < 4; i++) sum = v3_madd(sum, share[i], u->node[v[i]]);
    return sum;
}

double tets_scalar_in(const tets_state *a, const double *value, uint32_t tet, rill_vec3 x)
{
    double share[4], sum = 0;
    mesh_barycentric(&a->mesh, tet, x, share);
    for (int i = 0; i < 4; i++) sum += fmin(fmax(share[i], 0), 1) * value[a->mesh.d.tet[tet].v[i]];
    return sum;
}
