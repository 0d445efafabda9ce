#include "flow/fv_mesh.h"

#include <math.h>

void fv_mesh_init(fv_mesh *m, rill_ctx *ctx)
{
    *m = (fv_mesh){.ctx = ctx};
}

void fv_mesh_clear(fv_mesh *m)
{
    mem_free(m->ctx, m->volume);
    mem_free(m->ctx, m->site);
    mem_free(m->ctx, m->face);
    mem_free(m->ctx, m->boundary);
    *m = (fv_mesh){.ctx = m->ctx};
}

rill_status fv_mesh_resize(fv_mesh *m, uint32_t cells, uint32_t inner, uint32_t boundary)
{
    if (boundary > UINT32_MAX - inner)
        return rill_fail(m->ctx, RILL_NO_MEMORY, "a mesh of %u and %u faces is more than fits", inner,
                         boundary);
    TRY(mem_grow(m->ctx, &m->volume, sizeof *m->volume, &m->cell_capacity, cells));
    TRY(mem_grow(m->ctx, &m->site, sizeof *m->site, &m->site_capacity, cells));
    TRY(mem_grow(m->ctx, &m->face, sizeof *m->face, &m->face_capacity, (size_t)inner + boundary));
    TRY(mem_grow(m->ctx, &m->boundary, sizeof *m->boundary, &m->boundary_capacity, boundary));
    m->cell_count = cells;
    m->inner_count = inner;
    m->face_count = inner + boundary;
    return RILL_OK;
}

static rill_status check_face(const fv_mesh *m, uint32_t k)
{
    const fv_face *f = &m->face[k];
    const bool inner = k < m->inner_count;
    if (f->a >= m->cell_count || (inner ? f->b >= m->cell_count || f->b <= f->a : f->b != FV_NONE))
        return rill_fail(m->ctx, RILL_BLEW_UP, "face %u joins cells %u and %u of %u", k, f->a, f->b,
                         m->cell_count);
    if (!v3_finite(f->area) || !v3_finite(f->centroid))
        return rill_fail(m->ctx, RILL_BLEW_UP, "face %u of cell %u is not finite", k, f->a);
    if (!(f->open >= 0 && f->open <= 1) || !(f->ghost >= 0 && f->ghost <= 1))
        return rill_fail(m->ctx, RILL_BLEW_UP,
                         "face %u of cell %u is open to %g, fluid to %g: fractions are needed", k, f->a,
                         (double)f->open, (double)f->ghost);
    const bool apart = inner || m->boundary[k - m->inner_count].kind == FV_SURFACE;
    if (apart && !(f->distance > 0 && isfinite(f->distance)))
        return rill_fail(m->ctx, RILL_BLEW_UP, "face %u of cell %u: its pressures are %g apart", k, f->a,
                         f->distance);
    return RILL_OK;
}

static void add_area(const fv_face *f, uint32_t cell, double sign, rill_vec3 *sum, double *size)
{
    sum[cell] = v3_madd(sum[cell], sign, f->area);
    size[cell] += v3_length(f->area);
}

static rill_status check_closed(const fv_mesh *m, double tolerance, rill_vec3 *sum, double *size)
{
    for (uint32_t k = 0; k < m->face_count; k++) {
        add_area(&m->face[k], m->face[k].a, 1, sum, size);
        if (k < m->inner_count) add_area(&m->face[k], m->face[k].b, -1, sum, size);
    }
    for (uint32_t i = 0; i < m->cell_count; i++)
        if (v3_length(sum[i]) > tolerance * size[i])
            return rill_fail(m->ctx, RILL_BLEW_UP, "cell %u is open: its faces leave %g of its surface", i,
                             v3_length(sum[i]) / size[i]);
    return RILL_OK;
}

rill_status fv_mesh_check(const fv_mesh *m, double tolerance)
{
    for (uint32_t i = 0; i < m->cell_count; i++)
        if (!(m->volume[i] > 0 && isfinite(m->volume[i])) || !v3_finite(m->site[i]))
            return rill_fail(m->ctx, RILL_BLEW_UP, "cell %u has a volume of %g", i, m->volume[i]);
    for (uint32_t k = 0; k < m->face_count; k++) TRY(check_face(m, k));
    rill_vec3 *sum = NULL;
    double *size = NULL;
    rill_status st = MEM_NEW_ZERO(m->ctx, sum, m->cell_count);
    if (!st) st = MEM_NEW_ZERO(m->ctx, size, m->cell_count);
    if (!st) st = check_closed(m, tolerance, sum, size);
    mem_free(m->ctx, sum);
    mem_free(m->ctx, size);
    return st;
}
