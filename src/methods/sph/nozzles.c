#include "sph/nozzles.h"

#include "base/parallel.h"

#include <math.h>

typedef struct {
    sph *s;
    const source_layer *layer;
    rill_box box; /* around all that may be in the emitter */
    rill_vec3 velocity, gravity;
    double reach;
} nozzle_job;

/* Whether x has come out of a place of the layer, and not farther than the reach. */
static bool inside(const nozzle_job *j, rill_vec3 x)
{
    const double spacing = j->s->sim.scene->spacing, across = 0.75 * spacing;
    if (!box_contains(j->box, x)) return false;
    for (uint32_t k = 0; k < j->layer->count; k++) {
        const rill_vec3 d = v3_sub(x, j->layer->point[k]);
        const double along = v3_dot(d, j->layer->direction);
        if (along > -spacing && along < j->reach && v3_dot(d, d) - along * along < across * across)
            return true;
    }
    return false;
}

static void hold_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const nozzle_job *j = arg;
    sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        if (!inside(j, s->particles.position[i])) continue;
        s->particles.velocity[i] = j->velocity;
        s->step.force[i][0] = (float)-j->gravity.x;
        s->step.force[i][1] = (float)-j->gravity.y;
        s->step.force[i][2] = (float)-j->gravity.z;
        s->step.velocity[i][0] = (float)j->velocity.x;
        s->step.velocity[i][1] = (float)j->velocity.y;
        s->step.velocity[i][2] = (float)j->velocity.z;
    }
}

void nozzles_hold(sph *s, rill_vec3 gravity)
{
    const rill_scene *scene = s->sim.scene;
    for (uint32_t k = 0; k < scene->emitter_count; k++) {
        const scene_emitter *e = &scene->emitters[k];
        if (s->sim.time < e->start || s->sim.time > e->end) continue;
        nozzle_job j = {.s = s,
                        .layer = &s->sim.sources.layer[k],
                        .box = box_empty(),
                        .gravity = gravity,
                        .reach = s->model.kernel.support};
        j.velocity = v3_scale(j.layer->direction, emitter_speed(e, s->sim.time));
        for (uint32_t n = 0; n < j.layer->count; n++) {
            j.box = box_with(j.box, j.layer->point[n]);
            j.box = box_with(j.box, v3_madd(j.layer->point[n], j.reach, j.layer->direction));
        }
        j.box = box_grown(j.box, scene->spacing);
        parallel_for(s->sim.ctx, s->particles.count, 8192, hold_block, &j);
    }
}
