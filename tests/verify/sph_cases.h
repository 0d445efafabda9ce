/* What sph and points run cases with besides their default, and what liquid a particle stands for. */
#pragma once

#include "points/points.h"
#include "sph/core/def.h"
#include "verify/verify.h"

/* sph: an equation of state, several sizes, both; points: several sizes, another kernel. */
typedef enum variant { BY_DEFAULT, BY_TAIT, BY_LEVELS, BY_TAIT_LEVELS, BY_KERNEL } variant;

static inline bool variant_sized(variant by)
{
    return by == BY_LEVELS || by == BY_TAIT_LEVELS;
}

static inline const char *variant_name(variant by)
{
    static const char *const names[] = {"", ", tait", ", levels", ", tait levels", ", wendland"};
    return names[by];
}

static inline void variant_choose(rill_scene *scene, variant by)
{
    sph_def *def = scene_method_def_of(scene, "sph");
    if (by == BY_DEFAULT) return;
    if (by == BY_KERNEL) {
        ((points_def *)scene_method_def_of(scene, "points"))->kernel = POINTS_WENDLAND;
        return;
    }
    if (by != BY_LEVELS) def->solver = SPH_TAIT;
    /* More than the few dozen elements of a case can use. */
    if (variant_sized(by) && scene->method == &points_method)
        ((points_def *)scene_method_def_of(scene, "points"))->levels = 4;
    else if (variant_sized(by))
        def->levels = 4;
}
