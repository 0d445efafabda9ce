/* The union of balls that is the liquid of points, measured from its particles alone: where its surface is,
 * and so the depth that pressure has. */
#include "flow/cells_solids.h"
#include "geom/voronoi/ball_cells.h"
#include "points/points.h"
#include "verify/points_cases.h"

/* Radii and their squares, one after the other; of points of several sizes by their spacing. */
static rill_status radii_of(rill_ctx *ctx, const particles *p, double radius, double **out)
{
    const float *spacing = particles_column(p, "spacing");
    TRY(MEM_NEW(ctx, *out, 2 * p->count + 1));
    for (size_t i = 0; i < p->count; i++) {
        const double r = radius * (double)(spacing ? spacing[i] : 1);
        (*out)[i] = r;
        (*out)[p->count + i] = r * r;
    }
    return RILL_OK;
}

rill_status points_union(rill_ctx *ctx, const rill_scene *scene, const particles *p, double *volume)
{
    return points_union_without(ctx, scene, p, NULL, 0, volume);
}

rill_status points_union_without(rill_ctx *ctx, const rill_scene *scene, const particles *p,
                                 const solids *walls, double t, double *volume)
{
    const points_def *def = scene_method_def_of(scene, "points");
    const bool flat = scene->dimensions == 2;
    const double h = scene->spacing, spacings = def->radius > 0 ? def->radius : flat ? 0.8 : 0.95;
    const bool sized = particles_column(p, "spacing");
    double *radii = NULL, most = h * spacings;
    const rill_box domain = {scene->domain.min, scene->domain.max};
    rill_box all = domain;
    for (size_t i = 0; i < p->count; i++) all = box_with(all, p->position[i]);
    all = box_grown(all, 4 * h);
    voronoi_def cells = voronoi_def_default(domain);
    for (int side = 0; side < 2 * scene->dimensions; side++) {
        rill_vec3 *corner = side & 1 ? &cells.box.max : &cells.box.min;
        if (scene->domain.open >> side & 1)
            v3_set_axis(corner, side_axis(side), v3_axis(side & 1 ? all.max : all.min, side_axis(side)));
    }
    if (flat) {
        cells.box.min.z = -0.5 * h;
        cells.box.max.z = 0.5 * h;
    }
    TRY(radii_of(ctx, p, sized ? spacings : most, &radii));
    for (size_t i = 0; i < p->count; i++) most = fmax(most, radii[i]);
    if (sized) cells.weight = radii + p->count;
    cells.cap = 1.001 * most;
    cells.merge = cells.vertices = true;
    voronoi v, cut;
    ball_cells b;
    voronoi_init(&v, ctx);
    voronoi_init(&cut, ctx);
    ball_cells_init(&b, ctx);
    rill_status st = voronoi_build(&v, &cells, p->position, (uint32_t)p->count);
    if (!st && walls) st = cells_clip_solids(&v, walls, t, p->position, NULL, &cut);
    if (!st && sized) st = ball_cells_build_sized(&b, walls ? &cut : &v, p->position, radii, NULL, flat);
    if (!st && !sized) st = ball_cells_build(&b, walls ? &cut : &v, p->position, most, flat);
    double sum = 0;
    for (uint32_t i = 0; !st && i < b.count; i++) sum += b.cell[i].volume;
    if (!st) *volume = flat ? sum / h : sum;
    ball_cells_clear(&b);
    voronoi_clear(&v);
    voronoi_clear(&cut);
    mem_free(ctx, radii);
    return st;
}
