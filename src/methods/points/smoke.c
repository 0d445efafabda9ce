/* Smoke: what its sources give to the points in them.
 *
 * Soot and heat are the points' own and go with them: nothing is spread, and in a closed domain nothing is
 * lost but what "gas" of the scene takes. What they weigh is in project.c. */
#include "base/parallel.h"
#include "points/state.h"

typedef struct {
    points *s;
    double t, dt;
} job;

static bool gives(const scene_smoke *m, double t)
{
    return t >= m->start && t < m->end;
}

static bool has_velocity(const scene_smoke *m)
{
    return m->velocity.named || m->velocity.function || v3_length(m->velocity.value) > 0;
}

bool points_smoke_moves(const scene_smoke *m, double t)
{
    return gives(m, t) && has_velocity(m);
}

static void source_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    const rill_scene *scene = s->sim.scene;
    const float soot = (float)exp(-scene->gas.dissipation * j->dt),
                heat = (float)exp(-scene->gas.cooling * j->dt);
    for (size_t i = begin; i < end; i++) {
        s->gas.soot[i] *= soot;
        s->gas.heat[i] *= heat;
        for (uint32_t k = 0; k < scene->smoke_count; k++) {
            const scene_smoke *m = &scene->smoke[k];
            const rill_vec3 x = s->particles.position[i];
            if (!gives(m, j->t) || shape_distance(&m->shape, x, NULL) > 0) continue;
            const float share = m->rate > 0 ? (float)(1 - exp(-m->rate * j->dt)) : 1;
            s->gas.soot[i] += share * ((float)smoke_density(m, j->t) - s->gas.soot[i]);
            s->gas.heat[i] += share * ((float)(smoke_temperature(m, j->t) - SCENE_AMBIENT) - s->gas.heat[i]);
            if (has_velocity(m))
                s->particles.velocity[i] = velocity_field_at(&m->velocity, &scene->domain, x);
        }
    }
}

void points_smoke(points *s, double t, double dt)
{
    job j = {.s = s, .t = t, .dt = dt};
    if (s->gas.smoky) parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, source_block, &j);
}
