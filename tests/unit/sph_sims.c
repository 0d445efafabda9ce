#include "sph_sims.h"

#include "base/random.h"

sph_def *def_of(rill_scene *scene)
{
    return scene_method_def_of(scene, "sph");
}

sph *make_sim(rill_ctx *ctx, const rill_scene *scene)
{
    rill_sim *sim = NULL;
    assert_ok(ctx, sph_method.create(ctx, scene, &sim));
    return sph_of(sim);
}

void throw_away(rill_ctx *ctx, rill_scene *scene, sph *s)
{
    sph_method.destroy(&s->sim);
    scene_clear(ctx, scene);
    rill_ctx_destroy(ctx);
}

rill_scene sized_scene(rill_ctx *ctx, int dimensions, double spacing, rill_box domain, shape form, int levels)
{
    rill_scene scene = {0};
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
    scene.dimensions = dimensions;
    scene.spacing = spacing;
    scene.domain.min = domain.min;
    scene.domain.max = domain.max;
    if (dimensions == 2) {
        scene.domain.min.z = -spacing / 2;
        scene.domain.max.z = spacing / 2;
    }
    scene_liquid *liquid;
    assert_ok(ctx, scene_add_liquid(ctx, &scene, &liquid));
    liquid->shape = form;
    def_of(&scene)->solver = SPH_TAIT;
    def_of(&scene)->levels = levels;
    return scene;
}

shape box_shaped(rill_vec3 min, rill_vec3 max)
{
    return (shape){.kind = SHAPE_BOX, .box = {min, max}};
}

void step_by(rill_ctx *ctx, sph *s, double dt)
{
    rill_step_stats stats = step_stats_none();
    assert_ok(ctx, solids_prepare(ctx, &s->sim.solids, s->sim.time, dt));
    assert_ok(ctx, sph_method.step(&s->sim, dt, &stats));
    s->sim.time += dt;
    s->sim.step++;
}

void take_steps(rill_ctx *ctx, sph *s, int steps)
{
    for (int i = 0; i < steps; i++) step_by(ctx, s, sph_method.max_dt(&s->sim));
}

void run_until(rill_ctx *ctx, sph *s, double end)
{
    while (s->sim.time < end - 1e-9) {
        const double left = end - s->sim.time;
        step_by(ctx, s, left / ceil(left / sph_method.max_dt(&s->sim)));
    }
}

void disturb(sph *s, double by, int dimensions)
{
    for (size_t i = 0; i < s->particles.count; i++) {
        const random4 a = random_at(3, s->particles.id[i], 0, 0), b = random_at(3, s->particles.id[i], 1, 0);
        const rill_vec3 u = v3(random_unit(a.v[0], a.v[1]) - 0.5, random_unit(a.v[2], a.v[3]) - 0.5,
                               dimensions == 2 ? 0 : random_unit(b.v[0], b.v[1]) - 0.5);
        s->particles.position[i] = v3_madd(s->particles.position[i], by, u);
        s->particles.velocity[i] = v3_scale(v3(u.y, u.z, dimensions == 2 ? 0 : u.x), 2);
    }
}

rill_vec3 force_of(const sph *s, size_t i)
{
    return v3((double)s->step.force[i][0], (double)s->step.force[i][1], (double)s->step.force[i][2]);
}

rill_vec3 mean_velocity(const sph *s)
{
    rill_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < s->particles.count; i++) sum = v3_add(sum, s->particles.velocity[i]);
    return v3_scale(sum, 1 / (double)s->particles.count);
}

double kinetic(const sph *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->particles.count; i++)
        sum += v3_dot(s->particles.velocity[i], s->particles.velocity[i]);
    return sum;
}

static wall_share walls_of(const sph *s, size_t i)
{
    return walls_at(&s->model.walls, &s->sim.solids, s->sim.scene->gravity, s->particles.position[i],
                    v3(0, 0, 0), 0, 0);
}

double brute_density(const sph *s, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < s->particles.count; j++)
        sum += kernel_w(&s->model.kernel, v3_distance(s->particles.position[i], s->particles.position[j]));
    return s->model.calibration *
           (s->model.mass * sum + s->sim.scene->fluid.density * walls_of(s, i).density);
}

static double weight_of(const sph *s, double r)
{
    return s->model.kernel.kind == SPH_MUELLER ? kernel_laplacian(&s->model.kernel, r)
                                               : -kernel_dw_over_r(&s->model.kernel, r);
}

rill_vec3 brute_viscosity(const sph *s, size_t i, size_t j)
{
    const particles *p = &s->particles;
    const rill_vec3 d = v3_sub(p->position[i], p->position[j]), v = v3_sub(p->velocity[i], p->velocity[j]);
    const double c = viscous_pairs_scale(s) *
                     (s->uniform->viscosity_factor[i] + s->uniform->viscosity_factor[j]) /
                     ((double)s->density[i] * (double)s->density[j]) * weight_of(s, v3_length(d));
    return s->model.kernel.kind == SPH_MUELLER ? v3_scale(v, -c) : v3_scale(d, -c * v3_dot(v, d));
}

/* The moment of a point's neighbours: of a lattice, of its upper half, or of the particles. */
static double moment(const sph *s, double r)
{
    if (!(r > 0 && r < s->model.kernel.support)) return 0;
    return weight_of(s, r) * (s->model.kernel.kind == SPH_MUELLER ? r * r : r * r * r * r);
}

double brute_thick(const sph *s, size_t i)
{
    const double D = s->sim.scene->spacing;
    const int deep = s->model.kernel.dimensions == 2 ? 0 : 4;
    double full = 0, half = 0, here = 0;
    for (int z = -deep; z <= deep; z++)
        for (int y = -4; y <= 4; y++)
            for (int x = -4; x <= 4; x++) {
                const double m = moment(s, D * sqrt(x * x + y * y + z * z));
                full += m;
                half += y >= 0 ? m : 0;
            }
    for (size_t j = 0; j < s->particles.count; j++)
        here += moment(s, v3_distance(s->particles.position[i], s->particles.position[j]));
    const double cut = (1 - half / full) * walls_of(s, i).density / walls_value(&s->model.walls, D / 2, NULL);
    const double wanted = full * fmax(1 - cut, 0.2) / here;
    const double share = fmin(fmax((s->density[i] / s->sim.scene->fluid.density - 0.85) / 0.1, 0), 1);
    return 1 + share * (fmin(fmax(wanted, 0.7), 1.5) - 1);
}

rill_status sph_created_and_stepped(rill_ctx *ctx, void *scene)
{
    rill_sim *sim = NULL;
    rill_step_stats stats = step_stats_none();
    rill_status st = sph_method.create(ctx, scene, &sim);
    if (!st) st = sph_method.step(sim, 1e-4, &stats);
    sph_method.destroy(sim);
    return st;
}
