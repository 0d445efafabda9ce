/* The "tets" block of a scene: one row per key. */
#include "tets/params.h"

static const char *const interpolations[] = {"corrected", "average", "fast", "voronoi", NULL};
static const char *const centres[] = {"barycentres", "circumcentres", NULL};

const rill_param tets_params[] = {
    RILL_NUMBER("coarsest", tets_def, coarsest, 1, 1, 100, "spacings",
                "largest size of tetrahedra, far from what refines them; 1: all have the same size"),
    RILL_NUMBER("distance", tets_def, distance, 0.3, 0, 10, "",
                "growth of the size with the distance from solids whose \"refine\" is true; 0: these do not "
                "refine"),
    RILL_NUMBER("smoke", tets_def, smoke, 0, 0, 100, "spacings",
                "growth of the size where there is no smoke; 0: smoke does not refine"),
    RILL_NUMBER("vorticity", tets_def, vorticity, 0, 0, 100, "spacings",
                "growth of the size where there is no vorticity; 0: vorticity does not refine"),
    RILL_NUMBER("cfl", tets_def, cfl, 1, 0.05, 20, "spacings", "way of the fastest fluid or solid in a step"),
    RILL_POSITIVE("max_step", tets_def, max_step, 0.05, 10, "s", "longest time step"),
    RILL_NUMBER("tolerance", tets_def, tolerance, 1e-6, 1e-12, 0.1, "",
                "relative residual of the pressure solve"),
    RILL_BOOL(
        "reflection", tets_def, reflection, 0,
        "two half steps, the second with the first one's pressure mirrored: keeps eddies alive, at twice "
        "the price"),
    RILL_BOOL("remesh", tets_def, remesh, 1,
              "a new mesh every step; false: the first one is kept, for scenes where nothing moves"),
    RILL_CHOICE(
        "interpolation", tets_def, interpolation, "corrected", interpolations,
        "of velocities: linear, from averages at the nodes that are corrected by the fluxes; from averages "
        "alone; from eq. 4 at the nodes; by eq. 4, as published"),
    RILL_CHOICE("centres", tets_def, centres, "barycentres", centres,
                "of the tetrahedra around a node, whose mean is its next place"),
    {0},
};

rill_status tets_check(rill_ctx *ctx, const rill_scene *scene)
{
    if (!scene->fill)
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "tets has no free surface: its fluid fills the domain; set \"fill\": true, or choose "
            "another \"method\"");
    if (scene->emitter_count)
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"emitters\": liquid cannot be added to a domain that fluid fills; use \"smoke\" with a "
            "velocity");
    if (scene->drain_count)
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"drains\": fluid cannot be taken out of a domain that it fills; use an \"open\" side");
    const tets_def *def = scene_method_def_of(scene, "tets");
    bool moves = false;
    for (uint32_t i = 0; i < scene->solid_count; i++)
        moves |= scene->solids[i].motion.count > 0 || scene->solids[i].shape.kind == SHAPE_SEQUENCE ||
                 scene->solids[i].is_body;
    if (def && !def->remesh && moves)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"remesh\": solids that move need a mesh every step; set it to true");
    return RILL_OK;
}
