/* Variational meshing, Alliez et al. 2005: x = sum (V / size^3) g / sum (V / size^3) over the tetrahedra of a
 * node, where g is their barycentre ([Klingner06] 3.3) or circumcentre. The weights are those of errata
 * E-K5; on meshes of Rill the two centres make no difference to the angles (docs/tets.md). */
#include "base/parallel.h"
#include "tets/mesh.h"
#include "tets/tuning.h"

#include <string.h>

typedef struct {
    tet_mesh *m;
    const walls *w;
    const size_field *size;
    bool circumcentres;
    double *weight; /* by tetrahedron */
    rill_vec3 *to;  /* by tetrahedron */
} relaxing;

static void weight_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const relaxing *r = arg;
    const tet_mesh *m = r->m;
    for (size_t t = begin; t < end; t++) {
        if (!m->fluid[t]) continue;
        const rill_vec3 g = mesh_middle(m, (uint32_t)t);
        const double h = size_at(r->size, g);
        r->weight[t] = m->volume[t] / (h * h * h);
        r->to[t] = g;
        if (!r->circumcentres) continue;
        /* at walls the circumcentre may be far outside */
        const rill_vec3 c = mesh_centre(m, (uint32_t)t, NULL);
        const double away = v3_distance(c, g);
        r->to[t] = away > h ? v3_madd(g, h / away, v3_sub(c, g)) : c;
    }
}

static void move_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const relaxing *r = arg;
    tet_mesh *m = r->m;
    for (size_t i = begin; i < end; i++) {
        if (m->kind[i] != NODE_INSIDE) continue;
        rill_vec3 sum = {0, 0, 0};
        double weights = 0;
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
            const uint32_t t = m->star[k];
            sum = v3_madd(sum, r->weight[t], r->to[t]);
            weights += r->weight[t];
        }
        if (!(weights > 0)) continue;
        rill_vec3 x = v3_scale(sum, 1 / weights), n;
        const double gap = TETS_WALL_GAP * size_at(r->size, x);
        double d = walls_near(r->w, x, gap);
        if (d < gap) {
            d = walls_distance(r->w, x, &n, NULL);
            x = v3_madd(x, gap - d, n);
        }
        m->x[i] = x;
        m->gap[i] = -1;
    }
}

rill_status nodes_relax(tet_mesh *m, rill_arena *scratch, const walls *w, const size_field *size,
                        bool circumcentres)
{
    relaxing r = {.m = m, .w = w, .size = size, .circumcentres = circumcentres};
    TRY(ARENA_NEW(scratch, r.weight, m->d.finite));
    TRY(ARENA_NEW(scratch, r.to, m->d.finite));
    parallel_for(m->ctx, m->d.finite, TETS_BLOCK, weight_block, &r);
    parallel_for(m->ctx, m->count, TETS_BLOCK, move_block, &r);
    memset(m->fresh, NODE_NEW, m->count); /* any tetrahedron may have changed */
    return RILL_OK;
}
