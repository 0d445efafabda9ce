/* Velocity fields of initial liquid. */
#include "flow/scene.h"

#include <stddef.h>

enum { FIELD_CONSTANT, FIELD_ROTATION, FIELD_TAYLOR_GREEN };

const char *const velocity_field_names[] = {"constant", "rotation", "taylor-green", NULL};

/* The vortices of Taylor and Green in the x-y plane of the domain, scaled to the unit
 * square: free of divergence and of flow through the domain's sides when it is square. */
static rill_vec3 taylor_green(double speed, const scene_domain *domain, rill_vec3 x)
{
    const double tau = 6.28318530717958647692;
    const double a = tau * (x.x - domain->min.x) / (domain->max.x - domain->min.x),
                 b = tau * (x.y - domain->min.y) / (domain->max.y - domain->min.y);
    return v3(speed * sin(a) * cos(b), -speed * cos(a) * sin(b), 0);
}

rill_vec3 velocity_field_at(const velocity_field *field, const scene_domain *domain, rill_vec3 x)
{
    if (field->function) return field->function(field->user, x);
    switch (field->named) {
    case FIELD_ROTATION: return v3_cross(field->value, v3_sub(x, field->center));
    case FIELD_TAYLOR_GREEN: return taylor_green(field->value.x != 0 ? field->value.x : 1, domain, x);
    default: return field->value;
    }
}
