/* Drag of the air on spray: a particle without neighbours is a sphere of its volume (in
 * two dimensions a rod) in air at rest, a = -1/2 rho_air Cd A |v| v / m. With neighbours it is
 * part of the liquid: the drag goes to zero linearly up to the count at which a
 * particle no longer passes for spray. Exact in time for drag alone, so that no step is too long. */
#include "sph/uniform/pass.h"

#include <math.h>

static const double air_density = 1.2; /* kg/m^3, at 20 C and sea level */

double air_drag_rate(const sph *s)
{
    const double area = s->model.kernel.dimensions == 2
                            ? 2 * sqrt(s->model.volume / M_PI)
                            : M_PI * pow(3 * s->model.volume / (4 * M_PI), 2.0 / 3);
    return 0.5 * air_density * s->def.air_drag * area / s->model.mass;
}

typedef struct {
    sph *s;
    double way; /* dt times the rate, s/m */
} air_job;

static void air_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const air_job *j = arg;
    sph *s = j->s;
    for (size_t k = begin; k < end; k++) {
        for (own o = own_first(s, (uint32_t)k); o.i < o.last; own_next(s, &o)) {
            int near = (int)(o.end - o.list); /* padded at the end, and with the particle itself */
            for (const uint16_t *last = o.end - 1; near > 0 && *last == 0; last--) near--;
            if (near >= s->model.spray_neighbours) continue;
            const double alone = 1 - (near - 1) / (double)(s->model.spray_neighbours - 1);
            rill_vec3 *v = &s->particles.velocity[o.i];
            *v = v3_scale(*v, 1 / (1 + j->way * alone * v3_length(*v)));
            s->step.velocity[o.i][0] = (float)v->x;
            s->step.velocity[o.i][1] = (float)v->y;
            s->step.velocity[o.i][2] = (float)v->z;
        }
    }
}

void uniform_air_drag(sph *s, double dt)
{
    air_job j = {s, dt * air_drag_rate(s)};
    if (j.way > 0) parallel_for(s->sim.ctx, s->uniform->tiles.count, 8, air_tiles, &j);
}
