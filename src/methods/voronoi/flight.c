#include "voronoi/flight.h"

#include "base/union_find.h"
#include "voronoi/fit.h"

static bool grounded(const brochu_diagram *d, uint32_t i)
{
    if (d->sites.wall[i]) return true;
    if (d->solid_area && v3_dot(d->solid_area[i], d->solid_area[i]) > 0) return true;
    for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++)
        if (brochu_wall_face(d, d->link[k])) return true;
    return false;
}

rill_status brochu_flight_find(rill_arena *arena, const brochu_diagram *d, const uint32_t *cell,
                               const fv_mesh *mesh, const double *flux, brochu_flight *out)
{
    uint32_t *part;
    brochu_rows *rows;
    TRY(ARENA_NEW(arena, part, mesh->cell_count));
    union_find_init(part, mesh->cell_count);
    for (uint32_t k = 0; k < mesh->inner_count; k++)
        (void)union_find_join(part, mesh->face[k].a, mesh->face[k].b);
    const uint32_t parts = union_find_number(part, mesh->cell_count);
    TRY(ARENA_NEW(arena, rows, parts));
    TRY(ARENA_NEW(arena, out->velocity, parts));
    TRY(ARENA_NEW(arena, out->flies, parts));
    for (uint32_t p = 0; p < parts; p++) {
        rows[p] = (brochu_rows){0};
        out->flies[p] = 0; /* until it is found to have a surface */
    }
    for (uint32_t k = 0; k < mesh->face_count; k++) {
        const fv_face *f = &mesh->face[k];
        const double area = v3_length(f->area);
        const fv_boundary *b = fv_boundary_of(mesh, k);
        if (!(area > 0) || (b && b->kind != FV_SURFACE)) continue;
        if (b) out->flies[part[f->a]] = 1;
        rows_add(&rows[part[f->a]], v3_scale(f->area, 1 / area), area, flux[k] / area);
    }
    for (uint32_t i = 0; i < d->sites.real; i++)
        if (cell[i] != SITE_NONE && grounded(d, i)) out->flies[part[cell[i]]] = 0;
    for (uint32_t p = 0; p < parts; p++) {
        out->velocity[p] = v3(0, 0, 0);
        if (out->flies[p] && !rows_solve(&rows[p], rows[p].right, &out->velocity[p])) out->flies[p] = 0;
    }
    out->part = part;
    return RILL_OK;
}
