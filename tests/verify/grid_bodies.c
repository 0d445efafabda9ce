#include "verify/grid_bodies.h"

#include <math.h>

rill_status grid_add_body(verify *v, rill_scene *scene, shape form, rill_vec3 place, double ratio)
{
    scene_solid *s;
    TRY(scene_add_solid(v->ctx, scene, &s));
    s->shape = form;
    s->transform.translate = place;
    s->is_body = true;
    s->body.density = ratio * scene->fluid.density;
    s->contact = (scene_contact){.friction = 0.3, .restitution = 0};
    return RILL_OK;
}

rill_status grid_hold(verify *v, rill_scene *scene)
{
    scene_motion *m = &scene->solids[scene->solid_count - 1].motion;
    TRY(MEM_NEW_ZERO(v->ctx, m->key, 2));
    m->count = 2;
    m->key[1].t = 1e6;
    return RILL_OK;
}

double grid_deepest(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    solids within = sim->solids;
    double deepest = 0;
    within.domain.open = (1u << SIDE_COUNT) - 1;
    for (size_t i = 0; i < p->count; i++)
        deepest = fmax(deepest, -solids_distance(&within, p->position[i], sim->time, NULL));
    return deepest / sim->scene->spacing;
}
