/* Closing a pocket of air where two sheets are joined on one side: what goes is a disc that runs down one
 * sheet, over the seam and up the other; what comes are the triangles of least area over its rim (Barequet
 * and Sharir 1995). A disc for a disc: the genus stays. */
#include "tracker/merge.h"
#include "tracker/quality.h"

enum { MOUTH_MOST = 96, RINGS = 6 };

typedef struct {
    int n;
    double area[MOUTH_MOST][MOUTH_MOST]; /* [i][j]: least over the rim from i to j */
    uint8_t apex[MOUTH_MOST][MOUTH_MOST];
    uint8_t triangle[MOUTH_MOST][3]; /* rim places, as the disc ran through them */
    int triangles;
    uint32_t corner[MOUTH_MOST][MOUTH_MOST]; /* across from the edge i j */
    uint32_t across[MOUTH_MOST];             /* beyond the rim's edge i, i + 1 */
} mouth;

static rill_vec3 place(const merging *m, int i)
{
    return m->t->mesh.x[m->disc[0].rim[i]];
}

static void least_area(const merging *m, mouth *f)
{
    for (int i = 0; i + 1 < f->n; i++) f->area[i][i + 1] = 0;
    for (int span = 2; span < f->n; span++)
        for (int i = 0; i + span < f->n; i++) {
            const int j = i + span;
            f->area[i][j] = INFINITY;
            for (int k = i + 1; k < j; k++) {
                const double a = f->area[i][k] + f->area[k][j] +
                                 v3_length(triangle_area2(place(m, i), place(m, k), place(m, j)));
                if (a < f->area[i][j]) f->area[i][j] = a, f->apex[i][j] = (uint8_t)k;
            }
        }
}

static rill_status collect(merging *m, mouth *f)
{
    int stack[2 * MOUTH_MOST][2], depth = 0;
    f->triangles = 0;
    m->strips = 0;
    stack[depth][0] = 0;
    stack[depth++][1] = f->n - 1;
    TRY(mem_grow(m->t->ctx, &m->strip, sizeof *m->strip, &m->strip_room, (size_t)f->n));
    while (depth) {
        const int i = stack[--depth][0], j = stack[depth][1];
        if (j - i < 2) continue;
        const int k = f->apex[i][j], corner[3] = {i, k, j};
        for (int c = 0; c < 3; c++) {
            f->triangle[f->triangles][c] = (uint8_t)corner[c];
            m->strip[m->strips][c] = m->disc[0].rim[corner[c]];
        }
        f->triangles++;
        m->strips++;
        stack[depth][0] = i;
        stack[depth++][1] = k;
        stack[depth][0] = k;
        stack[depth++][1] = j;
    }
    return RILL_OK;
}

static bool on_rim(const mouth *f, int i, int j)
{
    return j == (i + 1) % f->n || i == (j + 1) % f->n;
}

/* New edges must be new, triangles of some shape, and what is gained some air, not more than what merges. */
static bool well_formed(const merging *m, const mouth *f)
{
    const tracker *t = m->t;
    const rill_vec3 o = place(m, 0);
    double gain = 0, area = 0;
    for (int i = 0; i < f->triangles; i++) {
        rill_vec3 x[3];
        for (int k = 0; k < 3; k++) {
            const int a = f->triangle[i][k], b = f->triangle[i][(k + 1) % 3];
            x[k] = place(m, a);
            if (!on_rim(f, a, b) &&
                tmesh_find_edge(&t->mesh, m->disc[0].rim[a], m->disc[0].rim[b]) != TMESH_NONE)
                return false;
        }
        if (quality_angle(x[0], x[1], x[2]) < 0.02) return false;
        gain += v3_dot(v3_sub(x[0], o), v3_cross(v3_sub(x[1], o), v3_sub(x[2], o))) / 6;
    }
    for (size_t i = 0; i < m->disc[0].count; i++) {
        const uint32_t *v = t->mesh.triangle[m->disc[0].triangle[i]];
        const rill_vec3 x[3] = {t->mesh.x[v[0]], t->mesh.x[v[1]], t->mesh.x[v[2]]};
        gain -= v3_dot(v3_sub(x[0], o), v3_cross(v3_sub(x[1], o), v3_sub(x[2], o))) / 6;
        area += v3_length(triangle_area2(x[0], x[1], x[2])) / 2;
    }
    return gain > 1e-3 * t->edge * t->edge * t->edge && gain < 0.5 * area * m->reach;
}

static rill_status apply(merging *m, mouth *f)
{
    tmesh *mesh = &m->t->mesh;
    uint32_t added[MOUTH_MOST];
    for (int i = 0; i < f->n; i++) f->across[i] = mesh->opposite[m->disc[0].rim_corner[i]];
    uint32_t rim[MOUTH_MOST];
    for (int i = 0; i < f->n; i++) rim[i] = m->disc[0].rim[i];
    merge_remove_discs(m);
    for (int i = 0; i < f->triangles; i++) {
        const uint8_t *v = f->triangle[i];
        added[i] = tmesh_new_triangle(mesh, rim[v[0]], rim[v[1]], rim[v[2]]);
        for (uint32_t k = 0; k < 3; k++) {
            f->corner[v[k]][v[(k + 1) % 3]] = 3 * added[i] + (k + 2) % 3;
            mesh->corner[rim[v[k]]] = 3 * added[i] + k;
        }
    }
    for (int i = 0; i < f->triangles; i++)
        for (int k = 0; k < 3; k++) {
            const int a = f->triangle[i][k], b = f->triangle[i][(k + 1) % 3];
            tmesh_join(mesh, f->corner[a][b], b == (a + 1) % f->n ? f->across[a] : f->corner[b][a]);
        }
    for (int i = 0; i < f->triangles; i++) TRY(tracker_update_box(m->t, added[i]));
    return RILL_OK;
}

static rill_status try_mouth(merging *m, mouth *f, bool *done)
{
    f->n = m->disc[0].rims;
    least_area(m, f);
    TRY(collect(m, f));
    if (!well_formed(m, f) || !patch_clear(m->t, (const uint32_t(*)[3])m->strip, m->strips, m->side) ||
        !merge_empty_between(m))
        return RILL_OK;
    *done = true;
    return apply(m, f);
}

rill_status merge_pocket(merging *m, uint32_t v, bool *done)
{
    mouth *f;
    *done = false;
    TRY(MEM_NEW(m->t->ctx, f, 1));
    rill_status st = RILL_OK;
    for (int rings = RINGS; !st && rings > 0 && !*done; rings -= 2) {
        bool usable;
        st = merge_disc(m, 1, v, rings, &usable);
        if (!st && usable && m->disc[0].rims >= 4 && m->disc[0].rims <= MOUTH_MOST)
            st = try_mouth(m, f, done);
        merge_forget(m);
    }
    mem_free(m->t->ctx, f);
    return st;
}
