#include "render/look.h"

rill_vec3 look_color(const scene_material *m, rill_vec3 p)
{
    if (!(m->checker > 0)) return m->color;
    /* a hair off, so that faces in a plane between squares do not flicker */
    const double k = 1 / m->checker, hair = 1e-4;
    const double sum = floor(p.x * k + hair) + floor(p.y * k + hair) + floor(p.z * k + hair);
    return fmod(fabs(sum), 2) == 1 ? m->second : m->color;
}
