/* What sph runs cases with besides its default, and what liquid a particle stands for. */
#pragma once

#include "sph/sph.h"
#include "verify/verify.h"

typedef enum variant { BY_DEFAULT, BY_TAIT, BY_LEVELS } variant; /* an equation of state; several sizes */

static inline const char *variant_name(variant by)
{
    return by == BY_TAIT ? ", tait" : by == BY_LEVELS ? ", levels" : "";
}

static inline void variant_choose(rill_scene *scene, variant by)
{
    sph_def *def = scene_method_def_of(scene, "sph");
    if (by == BY_DEFAULT) return;
    def->solver = SPH_TAIT;
    if (by == BY_LEVELS) def->levels = 4; /* more than the few dozen elements of a case can use */
}
