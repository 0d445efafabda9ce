/* What the materials of solids say that previews and pictures of final quality have in common: colour, hidden
 * parts, glass. */
#pragma once

#include "flow/scene.h"

static inline bool look_is_glass(const scene_material *m)
{
    return m->kind == MATERIAL_GLASS;
}

/* The colour at a point: of one of two squares. */
rill_vec3 look_color(const scene_material *m, rill_vec3 point);

/* Signed distance of a point beyond the plane that cuts a solid: what is above 0 is not drawn. */
static inline double look_beyond(const scene_material *m, rill_vec3 x)
{
    return v3_dot(v3_sub(x, m->cut.point), v3_unit(m->cut.normal));
}
/* Whether a plane cuts it; one without a direction does not. */
static inline bool look_is_cut(const scene_material *m)
{
    return m->has_cut && v3_length(m->cut.normal) > 0;
}
