#include "sph/core/wall_pressure.h"

#include "flow/sources.h"

#include <math.h>

static const double nearest = 0.3; /* spacings: farther from a wall a point is in the liquid */

/* (1 - q^2)^2 times its constant: 1 when integrated over the wall. */
static double footprint(int dimensions, double radius, double square)
{
    const double q = 1 - square / (radius * radius);
    if (!(q > 0)) return 0;
    return q * q * (dimensions == 2 ? 15 / (16 * radius) : 3 / (M_PI * radius * radius));
}

/* Whether the wall goes on at y, a point of its tangential plane. */
static bool is_wall(const sph *s, rill_vec3 normal, rill_vec3 y)
{
    solid_contact c;
    const double d = solids_distance(&s->sim.solids, y, s->sim.time, &c);
    return fabs(d) < 0.75 * s->sim.scene->spacing && v3_dot(c.normal, normal) > 0.5;
}

static double share_of(const sph *s, rill_vec3 x, rill_vec3 normal)
{
    enum { ACROSS = 12 };
    const double radius = s->model.kernel.support;
    const int dimensions = s->sim.scene->dimensions, rows = dimensions == 2 ? 1 : ACROSS;
    rill_vec3 u, v;
    double sum = 0, all = 0;
    span_plane(normal, dimensions, &u, &v);
    for (int i = 0; i < ACROSS; i++)
        for (int j = 0; j < rows; j++) {
            const double a = radius * ((i + 0.5) * 2 / ACROSS - 1),
                         b = dimensions == 2 ? 0 : radius * ((j + 0.5) * 2 / ACROSS - 1);
            const double w = footprint(dimensions, radius, a * a + b * b);
            all += w;
            if (w > 0 && is_wall(s, normal, v3_madd(v3_madd(x, a, u), b, v))) sum += w;
        }
    return sum / all;
}

wall_foot wall_foot_at(const sph *s, rill_vec3 x)
{
    solid_contact c;
    const double spacing = s->sim.scene->spacing, d = solids_distance(&s->sim.solids, x, s->sim.time, &c);
    if (!(fabs(d) < nearest * spacing)) return (wall_foot){0};
    const rill_vec3 normal = v3_unit(c.normal), foot = v3_madd(x, 1e-3 * spacing - d, normal);
    const double share = share_of(s, foot, normal);
    return (wall_foot){.at_wall = share > 0.1, .normal = normal, .share = share};
}

double wall_pressure_term(const sph *s, const particle_sizes *sizes, const wall_foot *foot, rill_vec3 x,
                          size_t i)
{
    const int class = sizes->class_number ? (int)sizes->class_number[i] : 0;
    const walls *w = sizes->walls[class];
    const rill_vec3 at = s->particles.position[i], d = v3_sub(at, x);
    const double along = v3_dot(d, foot->normal), square = v3_dot(d, d) - along * along;
    const double f = footprint(s->sim.scene->dimensions, sizes->kernel[class].support, square);
    if (!(f > 0) || along > 1.5 * w->reach || along < -0.5 * w->reach) return 0;
    const wall_share near = walls_at(w, &s->sim.solids, scene_gravity(s->sim.scene, s->sim.time), at,
                                     s->particles.velocity[i], 0, s->sim.time);
    const double rest = s->sim.scene->fluid.density, C = s->model.calibration;
    double k = (double)s->pressure[i] / rest; /* as the walls push */
    if (s->def.solver != SPH_DFSPH) {
        k *= pow(rest / (double)s->density[i], 2);
        if (s->sized) k /= fmax(1 - C * near.density, 0.1); /* the column is another: sized/passes.c */
    }
    const rill_vec3 push = v3_madd(near.weight, k, near.gradient);
    return -f * ldexp(s->model.mass, class) * C * v3_dot(push, foot->normal);
}
