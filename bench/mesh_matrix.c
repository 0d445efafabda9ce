#include "bench/mesh_matrix.h"

#include "base/random.h"
#include "geom/voronoi/voronoi.h"

#include <math.h>

/* Random points in a unit cube; those of the upper half are air. A face between liquid and
 * air has the surface in its middle. */
static rill_vec3 random_point(uint64_t i)
{
    const random4 a = random_at(7, i, 0, 0), b = random_at(7, i, 1, 0);
    return v3(random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]), random_unit(b.v[0], b.v[1]));
}

/* Rows in the order in which the cells' faces lie in space. */
static rill_status number_rows(rill_ctx *ctx, mesh_matrix *p, const voronoi *v, const rill_vec3 *x,
                               uint32_t *row)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < v->count; i++) row[i] = UINT32_MAX;
    for (uint32_t k = 0; k < v->face_count; k++) {
        const uint32_t end[2] = {v->face[k].a, v->face[k].b};
        for (int s = 0; s < 2; s++)
            if (voronoi_is_cell(end[s]) && x[end[s]].y < 0.5 && row[end[s]] == UINT32_MAX)
                row[end[s]] = rows++;
    }
    p->rows = rows;
    TRY(MEM_NEW(ctx, p->edge, v->face_count));
    TRY(MEM_NEW_ZERO(ctx, p->extra, rows));
    return MEM_NEW(ctx, p->b, rows);
}

static void join(mesh_matrix *p, const voronoi_face *f, const rill_vec3 *x, const uint32_t *row)
{
    if (!voronoi_is_cell(f->b)) return;
    const double weight = v3_length(f->area) / v3_distance(x[f->a], x[f->b]);
    const uint32_t a = row[f->a], b = row[f->b];
    if (a != UINT32_MAX && b != UINT32_MAX)
        p->edge[p->edges++] = (laplacian_edge){a, b, (float)weight};
    else if (a != UINT32_MAX || b != UINT32_MAX)
        p->extra[a != UINT32_MAX ? a : b] += 2 * weight;
}

static rill_status mesh_edges(rill_ctx *ctx, mesh_matrix *p, const voronoi *v, const rill_vec3 *x)
{
    uint32_t *row;
    TRY(MEM_NEW(ctx, row, v->count));
    const rill_status st = number_rows(ctx, p, v, x, row);
    if (!st) {
        for (uint32_t k = 0; k < v->face_count; k++) join(p, &v->face[k], x, row);
        for (uint32_t i = 0; i < v->count; i++)
            if (row[i] != UINT32_MAX)
                p->b[row[i]] =
                    cos(3 * x[i].x) * cos(5 * x[i].z) + (x[i].y < 0.01) + random_point(i + v->count).x - 0.5;
    }
    mem_free(ctx, row);
    return st;
}

static rill_status make(rill_ctx *ctx, mesh_matrix *p, size_t n)
{
    const uint32_t points = (uint32_t)(2 * n);
    const rill_box unit = {{0, 0, 0}, {1, 1, 1}};
    const voronoi_def def = voronoi_def_default(unit);
    rill_vec3 *x;
    voronoi v;
    voronoi_init(&v, ctx);
    TRY(MEM_NEW(ctx, x, points));
    for (uint32_t i = 0; i < points; i++) x[i] = random_point(i);
    rill_status st = voronoi_build(&v, &def, x, points);
    if (!st) st = mesh_edges(ctx, p, &v, x);
    voronoi_clear(&v);
    mem_free(ctx, x);
    if (st) return st;
    return laplacian_build(ctx, p->rows, p->edges, p->edge, p->extra, &p->a);
}

void mesh_matrix_clear(rill_ctx *ctx, mesh_matrix *m)
{
    laplacian_clear(ctx, &m->a);
    mem_free(ctx, m->edge);
    mem_free(ctx, m->extra);
    mem_free(ctx, m->b);
    *m = (mesh_matrix){0};
}

rill_status mesh_matrix_make(rill_ctx *ctx, size_t n, mesh_matrix *out)
{
    mesh_matrix m = {0};
    if (n < 16 || n > 20000000) return rill_fail(ctx, RILL_USAGE, "amg: n from 16 to 20000000");
    const rill_status st = make(ctx, &m, n);
    if (st) {
        mesh_matrix_clear(ctx, &m);
        return st;
    }
    *out = m;
    return RILL_OK;
}
