/* Values of a scene that sph cannot work with, told with one that would do. */
#include "sph/params.h"
#include "sph/uniform/uniform.h"

#include <math.h>

/* The largest speed the scene states: of liquid, emitters, and solids on their way between keys. */
static double stated_speed(const rill_scene *scene)
{
    double speed = 0;
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        const scene_motion *m = &scene->solids[i].motion;
        for (uint32_t k = 1; k < m->count; k++)
            speed = fmax(speed, v3_distance(m->key[k].translate, m->key[k - 1].translate) /
                                    (m->key[k].t - m->key[k - 1].t));
    }
    for (uint32_t i = 0; i < scene->liquid_count; i++)
        if (!scene->liquid[i].velocity.named && !scene->liquid[i].velocity.function)
            speed = fmax(speed, v3_length(scene->liquid[i].velocity.value));
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        speed = fmax(speed, emitter_speed_most(&scene->emitters[i]));
    return speed;
}

/* The tank against the kernel. */
static rill_status check_support(rill_ctx *ctx, const rill_scene *scene, const sph_def *def)
{
    double narrow = INFINITY;
    for (int k = 0; k < scene->dimensions; k++)
        narrow = fmin(narrow, v3_axis(scene->domain.max, k) - v3_axis(scene->domain.min, k));
    const double support = def->support * scene->spacing;
    if (narrow >= support * (1 - 1e-9)) return RILL_OK;
    return rill_fail(
        ctx, RILL_BAD_SCENE,
        "the domain is %.3g m across, less than the kernel's radius of %g spacings, %.3g m; take a "
        "\"spacing\" of at most %.3g, or a \"support\" of at most %.3g",
        narrow, def->support, support, 0.995 * narrow / def->support, narrow / scene->spacing);
}

/* A liquid faster than its own sound is no liquid. */
static rill_status check_sound(rill_ctx *ctx, const rill_scene *scene, const sph_def *def)
{
    const double speed = stated_speed(scene);
    if (def->solver == SPH_DFSPH || !(def->sound_speed > 0) || def->sound_speed > speed) return RILL_OK;
    return rill_fail(
        ctx, RILL_BAD_SCENE,
        "\"sound_speed\" is %g m/s, and the scene has speeds of %g m/s; take at least %.3g, or 0",
        def->sound_speed, speed, 10 * speed);
}

/* "min_step" against what the forces allow that bound a step. */
static rill_status check_forces(rill_ctx *ctx, const rill_scene *scene, const sph_def *def)
{
    const double nu = scene->fluid.viscosity / scene->fluid.density, gamma = scene->fluid.surface_tension;
    const double h = 0.5 * def->support * scene->spacing;
    if (def->viscosity == SPH_EXPLICIT && nu > 0 && def->min_step > viscous_step(h, nu))
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"min_step\" is %g s, and explicit viscosity allows %.3g s; take at most that, or "
                         "\"viscosity\": \"implicit\"",
                         def->min_step, 0.99 * viscous_step(h, nu));
    if (gamma > 0 && def->min_step > tension_step(scene))
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"min_step\" is %g s, and surface tension allows %.3g s; take at most that",
                         def->min_step, 0.99 * tension_step(scene));
    return RILL_OK;
}

/* Steps that must not be longer than one limit, nor shorter than another. */
static rill_status check_steps(rill_ctx *ctx, const rill_scene *scene, const sph_def *def)
{
    const double speed = stated_speed(scene), g = scene_gravity_most(scene);
    if (!(def->min_step > 0)) return RILL_OK;
    const bool solved = def->solver == SPH_DFSPH;
    if (solved && def->min_step > def->max_step)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"min_step\" is %g s and longer than \"max_step\", %g s; take at most that",
                         def->min_step, def->max_step);
    const double fast = solved ? speed + g * def->min_step : fmax(def->sound_speed, 10 * speed) + speed;
    const double way = solved ? scene->spacing : 0.5 * def->support * scene->spacing;
    TRY(check_forces(ctx, scene, def));
    if (def->min_step * fast <= def->cfl * way * (1 + 1e-9)) return RILL_OK;
    return rill_fail(ctx, RILL_BAD_SCENE,
                     "\"min_step\" is %g s, in which %s goes %.3g spacings at %.3g m/s, and \"cfl\" allows "
                     "%.3g; take at most %.3g s",
                     def->min_step, solved ? "liquid" : "sound", def->min_step * fast / scene->spacing, fast,
                     def->cfl * way / scene->spacing, 0.99 * def->cfl * way / fast);
}

/* What adaptive sampling does not go with. */
static rill_status check_levels(rill_ctx *ctx, const rill_scene *scene, const sph_def *def)
{
    if (def->levels == 0 && (def->region.kind != SHAPE_NONE || def->region_level > 0))
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"%s\" needs particles of several sizes: give \"levels\", or leave it out",
                         def->region_level > 0 ? "region_level" : "region");
    if (def->pair_pressure != SPH_OF_DENSITY && (def->levels == 0 || def->solver == SPH_DFSPH))
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"pair_pressure\" is of particles of several sizes with an equation of state: give "
                         "\"levels\" and \"solver\": \"tait\" or \"linear\", or leave it out");
    if (def->levels == 0) return RILL_OK;
    if (def->region.kind == SHAPE_NONE && def->region_level > 0)
        return rill_fail(ctx, RILL_BAD_SCENE, "\"region_level\" needs a \"region\"");
    if (!(def->merge >= 1.26 * def->split))
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"merge\" is %g and \"split\" %g: merged particles would be split again; take \"merge\" at "
            "least %.3g",
            def->merge, def->split, 1.26 * def->split);
    if (def->region.kind != SHAPE_NONE && def->region_level > def->levels)
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"region_level\" is %d and the coarsest level is %d (\"levels\"); take at most that",
            (int)def->region_level, (int)def->levels);
    const char *what = scene->fluid.surface_tension > 0 ? "surface tension"
                       : def->vorticity > 0             ? "\"vorticity\""
                       : def->air_drag > 0              ? "\"air_drag\""
                       : def->viscosity == SPH_IMPLICIT ? "implicit viscosity"
                                                        : NULL;
    if (!what) return RILL_OK;
    return rill_fail(ctx, RILL_BAD_SCENE,
                     "particles of several sizes (\"levels\") have no %s; leave one of the two out", what);
}

/* Waves that surface tension drives, where the spacing resolves them: a length of 2 pi sqrt(gamma / (rho g)),
 * 17 mm in water. Measured: docs/dfsph.md. */
static void warn_of_tension(rill_ctx *ctx, const rill_scene *scene)
{
    const double gamma = scene->fluid.surface_tension, g = scene_gravity_most(scene);
    if (!(gamma > 0)) return;
    const double length = g > 0 ? 2 * M_PI * sqrt(gamma / (scene->fluid.density * g)) : INFINITY;
    if (scene->dimensions == 3 && !isfinite(length)) return; /* weightless drops */
    if (8 * scene->spacing > length) return;
    rill_log(
        ctx, RILL_LOG_WARNING,
        "\"surface_tension\": sph has the tension of drops within %d percent, but waves that tension "
        "drives run at half their speed, with currents as fast as they are; for such waves take the method "
        "\"grid\" or \"voronoi\", within 2 percent, or leave the tension out",
        scene->dimensions == 2 ? 40 : 10);
}

rill_status sph_check(rill_ctx *ctx, const rill_scene *scene)
{
    const sph_def *def = scene_method_def_of(scene, "sph");
    if (!def) return RILL_OK;
    TRY(check_support(ctx, scene, def));
    TRY(check_sound(ctx, scene, def));
    TRY(check_levels(ctx, scene, def));
    warn_of_tension(ctx, scene);
    return check_steps(ctx, scene, def);
}
