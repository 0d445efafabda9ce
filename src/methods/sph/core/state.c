#include "sph/core/state.h"

#include "sph/core/operations.h"

void sph_columns(sph *s)
{
    s->density = particles_column(&s->particles, "density");
    s->pressure = particles_column(&s->particles, "pressure");
    s->kept_density = particles_column(&s->particles, "kept_density");
    s->kept_rate = particles_column(&s->particles, "kept_rate");
    if (s->ops->columns) s->ops->columns(s);
}
