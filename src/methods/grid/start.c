/* The first particles: off their lattice, and with the scene's velocity where they are then. */
#include "base/random.h"
#include "grid/state.h"

/* By a share of the lattice's spacing. */
void grid_disorder(grid *s)
{
    const double most = s->def.jitter * scene_particle_spacing(s->sim.scene);
    particles *p = &s->particles;
    for (size_t i = 0; i < p->count; i++) {
        const random4 r = random_at(1, p->id[i], 0, 0), q = random_at(1, p->id[i], 0, 1);
        rill_vec3 x = p->position[i];
        x.x += most * (random_unit(r.v[0], r.v[1]) - 0.5);
        x.y += most * (random_unit(r.v[2], r.v[3]) - 0.5);
        if (s->tiles.dimensions == 3) x.z += most * (random_unit(q.v[0], q.v[1]) - 0.5);
        if (solids_distance(&s->sim.solids, x, -s->sim.scene->time.preroll, NULL) > 0.05 * s->h)
            p->position[i] = x;
    }
}

static bool constant(const velocity_field *v)
{
    return !v->function && v->named == 0;
}

/* The liquid that a particle is of: the one it is deepest in, for it may have left its own by a
 * little. */
static const scene_liquid *liquid_at(const rill_scene *scene, rill_vec3 x)
{
    const scene_liquid *found = NULL;
    double depth = INFINITY;
    for (uint32_t q = 0; q < scene->liquid_count; q++) {
        const double d = shape_distance(&scene->liquid[q].shape, x, NULL);
        if (d >= depth) continue;
        depth = d;
        found = &scene->liquid[q];
    }
    return found;
}

/* Without the gradients the first transfer would see a velocity constant around each particle;
 * at walls, where particles are on one side of a face alone, that slows what turns by a share of
 * a cell for good (V-15). */
static void start_some(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    grid *s = arg;
    const rill_scene *scene = s->sim.scene;
    particles *p = &s->particles;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = p->position[i];
        const scene_liquid *liquid = liquid_at(scene, x);
        if (!liquid || constant(&liquid->velocity)) continue;
        p->velocity[i] = velocity_field_at(&liquid->velocity, &scene->domain, x);
        if (s->tiles.dimensions == 2) p->velocity[i].z = 0;
        for (int b = 0; b < s->tiles.dimensions && s->affine[0]; b++) {
            rill_vec3 step = {0};
            v3_set_axis(&step, b, 0.5 * s->h);
            const rill_vec3 up = velocity_field_at(&liquid->velocity, &scene->domain, v3_add(x, step)),
                            down = velocity_field_at(&liquid->velocity, &scene->domain, v3_sub(x, step));
            for (int a = 0; a < s->tiles.dimensions; a++)
                s->affine[3 * a + b][i] = (float)(v3_axis(up, a) - v3_axis(down, a));
        }
    }
}

void grid_start_velocity(grid *s)
{
    bool all = true;
    for (uint32_t q = 0; q < s->sim.scene->liquid_count; q++)
        all &= constant(&s->sim.scene->liquid[q].velocity);
    if (!all) parallel_for(s->sim.ctx, s->particles.count, 4096, start_some, s);
}
