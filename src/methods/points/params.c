/* The "points" block of a scene: one row per key. */
#include "points/params.h"

#include <stddef.h>

static const char *const schemes[] = {"volume", "paper", NULL};
static const char *const clippings[] = {"polyhedra", "balls", NULL};
static const char *const kernels[] = {"quartic", "wendland", NULL};

const rill_param points_params[] = {
    RILL_CHOICE("scheme", points_def, scheme, "volume", schemes,
                "volume: divergence is the derivative of the cells' volumes, which are kept; paper: moving "
                "least squares as published, which loses volume"),
    RILL_CHOICE(
        "clipping", points_def, clipping, "polyhedra", clippings,
        "of the scheme paper. polyhedra: cells are cut where their edges meet the balls, as published; "
        "balls: exactly, as the scheme volume does"),
    RILL_NUMBER("radius", points_def, radius, 0, 0, 2, "spacings",
                "of the balls whose union is the liquid; 0 takes 0.95, in two dimensions 0.8"),
    RILL_NUMBER("air_pressure", points_def, air, 0, 0, 1e9, "Pa",
                "of the air above the surface, to which all pressures are added"),
    RILL_BOOL("filled", points_def, filled, 0,
              "the same as \"fill\" of the scene: no free surface, and cells are not cut to balls"),
    RILL_NUMBER("cfl", points_def, cfl, 0.5, 0.01, 20, "spacings",
                "way of the fastest point in a step; above 0.5 volume is not held well"),
    RILL_POSITIVE("max_step", points_def, max_step, 0.02, 1, "s", "longest time step"),
    RILL_NUMBER("tolerance", points_def, tolerance, 1e-6, 1e-12, 0.1, "",
                "relative residual of the pressure solve"),
    RILL_NUMBER("restore", points_def, restore, 0.5, 0, 1, "",
                "share of an error of a cell's volume that a step takes away by moving points"),
    RILL_NUMBER("centring", points_def, centring, 5, 0, 100, "",
                "how fast points move to the middle of their cells where the flow strains"),
    RILL_NUMBER("filter", points_def, filter, 0.1, 0, 1, "",
                "share of the velocity's noise between neighbours that a step takes away"),
    RILL_NUMBER("merge", points_def, merge, 0.1, 0, 0.5, "spacings", "points nearer than this become one"),
    RILL_BOOL("insert", points_def, insert, 1,
              "for each point that was merged another comes where there is most room"),
    RILL_CHOICE("kernel", points_def, kernel, "quartic", kernels, "weights of averages over neighbours"),
    RILL_INTEGER("neighbours", points_def, neighbours, 0, 0, 64, "",
                 "points in an average; 0 takes 28, in two dimensions 12"),
    RILL_NUMBER("reach", points_def, reach, 3, 1, 10, "radii", "farthest point in an average"),
    RILL_BOOL(
        "reflection", points_def, reflection, 0,
        "two half steps, the second with the first one's pressure mirrored: keeps eddies alive, at twice "
        "the price"),
    RILL_INTEGER(
        "levels", points_def, levels, 0, 0, 14, "",
        "adaptive sampling: coarsest level of points, of 2^levels times the finest volume; 0: all alike"),
    RILL_NUMBER(
        "split", points_def, split, 3, 1, 100, "spacings",
        "adaptive sampling: points split where they are less of their own spacings below the surface, and "
        "merge where they are 1.3 times as much of what they become"),
    {.name = "region",
     .kind = PARAM_SHAPE,
     .offset = offsetof(points_def, region),
     .help = "adaptive sampling: where points are of region_level at most, and coarser with the distance "
             "from it"},
    RILL_INTEGER("region_level", points_def, region_level, 0, 0, 14, "",
                 "adaptive sampling: coarsest level in that region"),
    RILL_NUMBER("jitter", points_def, jitter, 0, 0, 1, "spacings",
                "width of the random displacement of the first points from their lattice"),
    RILL_INTEGER("seed", points_def, seed, 1, 0, 1000000, "", "of that displacement"),
    {0},
};

static rill_status check_levels(rill_ctx *ctx, const rill_scene *scene, const points_def *def)
{
    const bool region = def->region.kind != SHAPE_NONE;
    if (def->levels == 0 && (region || def->region_level > 0))
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"%s\" needs points of several sizes: give \"levels\", or leave it out",
                         def->region_level > 0 ? "region_level" : "region");
    if (def->levels == 0) return RILL_OK;
    if (!region && def->region_level > 0)
        return rill_fail(ctx, RILL_BAD_SCENE, "\"region_level\" needs a \"region\"");
    if (def->region_level > def->levels)
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"region_level\" is %d and the coarsest level is %d (\"levels\"); take at most that",
            (int)def->region_level, (int)def->levels);
    bool bodies = false;
    for (uint32_t i = 0; i < scene->solid_count; i++) bodies |= scene->solids[i].is_body;
    const char *what = bodies                        ? "bodies"
                       : def->filled || scene->fill  ? "domain that fluid fills (\"fill\")"
                       : def->scheme == POINTS_PAPER ? "\"scheme\": \"paper\""
                       : scene->domain.open          ? "open sides (\"open\" of the domain)"
                                                     : NULL;
    if (!what) return RILL_OK;
    return rill_fail(ctx, RILL_BAD_SCENE,
                     "points of several sizes (\"levels\") have no %s; leave one of the two out", what);
}

rill_status points_check(rill_ctx *ctx, const rill_scene *scene)
{
    const points_def *def = scene_method_def_of(scene, "points");
    const bool filled = (def && def->filled) || scene->fill;
    if (def) TRY(check_levels(ctx, scene, def));
    if (scene->smoke_count && !filled)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"smoke\" is in a gas that fills the domain; set \"fill\": true, or remove it");
    if (filled && (scene->emitter_count || scene->drain_count))
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"fill\": liquid cannot come or go in a domain that fluid fills; remove emitters and "
            "drains, and let gas in by \"smoke\" with a velocity and out by an \"open\" side");
    if (filled && scene->domain.open && def && def->scheme == POINTS_PAPER)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"scheme\": \"paper\" has no open sides in a domain that fluid fills; take "
                         "\"volume\", or close them");
    bool bodies = false;
    for (uint32_t i = 0; i < scene->solid_count; i++) bodies |= scene->solids[i].is_body;
    if (bodies && def && def->scheme == POINTS_PAPER)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"scheme\": \"paper\" cannot move bodies; take \"volume\", or remove \"body\"");
    if (bodies && def && def->reflection)
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"reflection\" is not for scenes with bodies: their motion is not reflected; set it to false");
    return RILL_OK;
}
