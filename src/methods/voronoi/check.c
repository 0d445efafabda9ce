/* What of a scene the method cannot do. Messages that begin with "liquid 2: " or "solid 2: " get the place of
 * that entry from the reader. */
#include "tracker/check.h"
#include "flow/solids.h"
#include "voronoi/params.h"

#include <math.h>
#include <stdio.h>

enum { PLACES = 1024 }; /* where a liquid's bounds are looked at */

/* The liquid has no viscosity through which a wall could hold it. */
static rill_status check_slip(rill_ctx *ctx, const rill_scene *scene)
{
    if (scene->domain.slip != SLIP_FREE)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"domain\": liquid of voronoi has no viscosity, and walls cannot hold it; remove "
                         "\"slip\", or give \"friction\"");
    for (uint32_t i = 0; i < scene->solid_count; i++)
        if (scene->solids[i].slip != SLIP_FREE)
            return rill_fail(
                ctx, RILL_BAD_SCENE,
                "solid %u: liquid of voronoi has no viscosity, and solids cannot hold it; remove "
                "\"slip\", or give \"friction\"",
                i + 1);
    return RILL_OK;
}

/* Point i of an additive sequence (golden ratio in three dimensions) that fills the box. */
static rill_vec3 place_in(rill_box b, int i)
{
    const rill_vec3 size = box_size(b);
    const double k = i + 0.5;
    return v3(b.min.x + size.x * fmod(k * 0.8191725133961645, 1),
              b.min.y + size.y * fmod(k * 0.6710436067037893, 1),
              b.min.z + size.z * fmod(k * 0.5497004779019703, 1));
}

/* Solids cut the liquid they reach into; of liquid that is nowhere outside of them nothing is left. */
static rill_status check_buried(rill_ctx *ctx, const rill_scene *scene, const solids *walls, uint32_t index)
{
    const shape *form = &scene->liquid[index].shape;
    rill_box b = shape_bounds(form);
    b.min = v3_max(b.min, scene->domain.min);
    b.max = v3_min(b.max, scene->domain.max);
    if (scene->dimensions == 2) b.min.z = b.max.z = 0;
    uint32_t inside = 0, solid = 0;
    for (int i = 0; i < PLACES; i++) {
        const rill_vec3 x = place_in(b, i);
        solid_contact c;
        if (!(shape_distance(form, x, NULL) < 0)) continue;
        if (!(solids_distance(walls, x, -scene->time.preroll, &c) < 0) || c.solid >= walls->count)
            return RILL_OK;
        solid = c.solid;
        inside++;
    }
    if (!inside) return RILL_OK;
    return rill_fail(
        ctx, RILL_BAD_SCENE,
        "liquid %u: it lies inside solids, solid %u%s%s%s among them; move it out of them, or remove it",
        index + 1, solid + 1, scene->solids[solid].name[0] ? ", \"" : "", scene->solids[solid].name,
        scene->solids[solid].name[0] ? "\"," : "");
}

/* The tracker cannot hold a surface that crosses itself. */
static rill_status check_mesh(rill_ctx *ctx, const scene_liquid *liquid, uint32_t index)
{
    if (liquid->shape.kind != SHAPE_MESH || !liquid->shape.mesh.owned) return RILL_OK;
    const rill_status st = tracker_check(ctx, "its mesh", mesh_distance_surface(liquid->shape.mesh.owned));
    if (st != RILL_BAD_FILE) return st;
    char why[512];
    snprintf(why, sizeof why, "%s", rill_ctx_message(ctx));
    return rill_fail(ctx, RILL_BAD_SCENE, "liquid %u: %s: \"voronoi\": { \"repair\": true }", index + 1, why);
}

static rill_status check_liquid(rill_ctx *ctx, const rill_scene *scene, bool repair)
{
    for (uint32_t i = 0; !repair && i < scene->liquid_count; i++) TRY(check_mesh(ctx, &scene->liquid[i], i));
    if (!scene->solid_count || !scene->liquid_count) return RILL_OK;
    solids walls = {0};
    rill_status st = solids_create(ctx, scene, &walls);
    if (!st) st = solids_prepare(ctx, &walls, -scene->time.preroll, 0);
    walls.domain.open = ~0u;
    for (uint32_t i = 0; !st && i < scene->liquid_count; i++)
        if (!(scene->liquid[i].start > 0)) st = check_buried(ctx, scene, &walls, i);
    solids_clear(ctx, &walls);
    return st;
}

rill_status brochu_check(rill_ctx *ctx, const rill_scene *scene)
{
    const brochu_def *def = scene_method_def_of(scene, "voronoi");
    const double tension = scene->fluid.surface_tension;
    if (def && tension > 0) {
        const double h = scene->spacing,
                     dt = def->capillary * sqrt(scene->fluid.density * h * h * h / (2 * M_PI * tension));
        const double steps = 1 / (scene->time.fps * dt);
        if (steps > 10000)
            return rill_fail(
                ctx, RILL_BAD_SCENE,
                "\"surface_tension\": %g N/m at a spacing of %g m needs steps of %.3g s, %.0f a frame; "
                "make the spacing larger or the tension smaller, or use \"implicit_tension\" with a larger "
                "\"capillary\"",
                tension, h, dt, steps);
    }
    if (def && def->reflection)
        for (uint32_t i = 0; i < scene->solid_count; i++)
            if (scene->solids[i].is_body)
                return rill_fail(ctx, RILL_BAD_SCENE,
                                 "solid %u: bodies of voronoi do not go with \"reflection\"; turn it off",
                                 i + 1);
    TRY(check_slip(ctx, scene));
    return check_liquid(ctx, scene, def && def->repair);
}
